"""Words are found inside sessions: in plans, goals and messages, off the loop, until something else is looked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.redis_server import RedisServer, new_workspace
from tests.tui.acting import USUAL, RunApp, sees, shown, until, wait_at_checkpoint, wait_at_gate
from tests.tui.session_fixtures import HeldModel, use
from textual.events import Paste
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.domain.plan.plan import Step
from workbench.planning.policies import approving_all
from workbench.tui.home.searching import Found, found_in
from workbench.tui.home.sessions import SessionsScreen
from workbench.tui.session.main_rows import first_block
from workbench.tui.session.screen import SessionScreen
from workbench.tui.widgets.field import Field


@pytest.fixture
async def planned(workspace: Workspace) -> str:
    """A finished session whose plan speaks of a ledger, which its goal does not."""
    use(workspace, HeldModel())
    manager = workspace.start("Paint the fence by May 2029", name="Garden")
    await manager.run(approving_all())
    return str(manager.session_id)


def found_by(workspace: Workspace, query: str) -> list[Found]:
    return list(found_in(workspace.search_sessions(query, 20), query))


async def test_all_words_have_to_stand_in_one_place(workspace: Workspace, planned: str) -> None:
    await wait_at_gate(workspace, "Hire two people for support by June 2029")

    def found(query: str) -> Found:
        return found_by(workspace, query)[0]

    one = found("LEDGER invoice")
    assert (one.session, one.place) == (planned, "plan · Success criteria")
    assert "No invoice is lost" in one.excerpt
    assert "ledger" in one.excerpt
    assert found("people support").place.startswith("you · ")
    assert all(one.place.startswith("near in meaning") for one in found_by(workspace, "ledger people"))


async def test_what_is_near_in_meaning_is_found_without_its_words(
    run_app: RunApp, workspace: Workspace, planned: str
) -> None:
    near = [one.item.text for one in workspace.search_sessions("painting fences", 20).near if one.is_near]
    assert near, "the embedder finds something"
    async with run_app(size=(120, 36)) as pilot:
        await sessions(pilot, "painting fences")
        await until(pilot, lambda: "near in meaning" in shown(pilot))
    state = workspace.session(planned).state()
    rows = {f"message:{one.id}" for one in state.history} | {f"place:{one.id}:0" for one in state.plan.sections}
    keys = [one.key for one in found_by(workspace, "painting fences")]
    assert keys
    assert {*keys} <= rows | {""}


async def test_a_section_lands_on_the_item_that_has_the_words(workspace: Workspace, planned: str) -> None:
    plan = workspace.session(planned).state().plan
    for section in plan.sections:
        for at, item in enumerate(section.items, first_block(section)):
            words = item.title if isinstance(item, Step) else item.text
            keys = [one.key for one in found_by(workspace, f'"{words}"')]
            assert f"place:{section.id}:{at}" in keys


async def sessions(pilot: Pilot[Any], query: str) -> SessionsScreen:
    await pilot.press("ctrl+s")
    await until(pilot, lambda: isinstance(pilot.app.screen, SessionsScreen) and pilot.app.screen._is_read)
    pilot.app.post_message(Paste(query))
    screen = pilot.app.screen
    assert isinstance(screen, SessionsScreen)
    await until(pilot, lambda: screen.query_one("#query", Field).value == query)
    return screen


async def test_what_is_found_inside_says_where_and_enter_opens_it(run_app: RunApp, planned: str) -> None:
    async with run_app() as pilot:
        await sessions(pilot, "ledger")
        await until(pilot, lambda: "plan · Success criteria" in shown(pilot))
        await sees(pilot, "Garden")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
        assert pilot.app.screen.session == planned


def opened(folder: Path, address: str) -> Workspace:
    folder.mkdir(exist_ok=True)
    environ = {"WORKBENCH_CONFIG": str(folder / "user.toml")}
    return Workspace.open(folder, options={"log": address}, environ=environ)


@pytest.fixture
def address(redis_server: RedisServer) -> str:
    return f"{redis_server.url}?workspace={new_workspace()}"


@pytest.fixture
def workspace(tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """This machine's."""
    monkeypatch.chdir(tmp_path)
    return opened(tmp_path / "here", address)


@pytest.mark.parametrize("query", ["ledger invoice", "no invoice"])
async def test_enter_lands_on_the_row_that_was_hit_whatever_was_shown_last(
    run_app: RunApp, planned: str, query: str
) -> None:
    async with run_app(session=planned) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen) and pilot.app.screen._picture)
        screen: Any = pilot.app.screen
        screen.action_view("rounds")
        await until(pilot, lambda: screen._picture.sight.view == "rounds")
        found = await sessions(pilot, query)
        await until(pilot, lambda: found._inside)
        (hit,) = found._inside.values()
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.screen is screen and screen.plan_pane.chosen == hit.key)
        assert screen.plan_pane.has_focus
        row = screen.plan_pane.rows[screen.plan_pane.cursor]
        assert query.split(maxsplit=1)[0] in " ".join(line.plain for line in row.lines).casefold()


@pytest.mark.parametrize(
    ("query", "words"), [("zanzibar kitchen", "in Zanzibar."), ("move our billing to the new provider", "▿ Goal")]
)
async def test_what_was_hit_is_in_sight_in_a_long_message_and_in_the_goal(
    run_app: RunApp, workspace: Workspace, query: str, words: str
) -> None:
    said = "\n".join([*(f"Line {number} of many." for number in range(200)), "Ask the kitchen in Zanzibar."])
    await wait_at_checkpoint(workspace, feedback=[said])
    async with run_app(size=USUAL) as pilot:
        found = await sessions(pilot, query)
        await until(pilot, lambda: found._inside)
        (hit,) = found._inside.values()
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
        screen = pilot.app.screen
        assert isinstance(screen, SessionScreen)
        await until(pilot, lambda: screen.plan_pane.chosen == hit.key)
        await sees(pilot, words)
        await pilot.press("escape")
        await until(pilot, lambda: screen.plan_pane.sought == "")
