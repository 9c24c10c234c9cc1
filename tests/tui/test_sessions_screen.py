"""Sessions: found by a few letters, opened, renamed, exported, deleted with a second key and brought back."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tui.acting import RunApp, finish, sees, shown, until, wait_at_gate
from textual.events import Paste
from textual.pilot import Pilot
from workbench.bootstrap import Listed, Workspace
from workbench.tui.home.sessions import FoundSessions, SessionsScreen, matching
from workbench.tui.home.start import StartScreen
from workbench.tui.session.screen import SessionScreen
from workbench.tui.widgets.field import Field


def listed(session: str, goal: str, name: str = "") -> Listed:
    return Listed(session=session, goal=goal, name=name or goal, status="waiting", updated="2026-11-16T09:00:00Z")


SOME = [
    listed("move-billing-provider-0001", "Move our billing to the new provider by 30 June without downtime"),
    listed("paint-fence-may-0002", "Paint the fence by May", "Garden"),
    listed("organise-wedding-80-0003", "Organise a wedding for 80 people in the mountains, on 12 September"),
]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("billing", "move-billing-provider-0001"),
        ("biling provider", "move-billing-provider-0001"),
        ("garden", "paint-fence-may-0002"),
        ("0003", "organise-wedding-80-0003"),
        ("weding", "organise-wedding-80-0003"),
        ("FENCE", "paint-fence-may-0002"),
    ],
)
def test_a_few_letters_find_it_by_name_goal_or_id(query: str, first: str) -> None:
    assert matching(SOME, query)[0].session == first


@given(st.text(max_size=40))
def test_any_text_finds_only_what_is_there(query: str) -> None:
    found = matching(SOME, query)
    assert all(one in SOME for one in found)
    assert len({one.session for one in found}) == len(found)


async def opened(pilot: Pilot[Any]) -> SessionsScreen:
    await pilot.press("ctrl+s")
    await until(pilot, lambda: isinstance(pilot.app.screen, SessionsScreen))
    screen = pilot.app.screen
    assert isinstance(screen, SessionsScreen)
    await until(pilot, lambda: screen._is_read)
    return screen


async def test_enter_opens_the_best_fit(run_app: RunApp, workspace: Workspace) -> None:
    await finish(workspace, name="Billing")
    garden = await wait_at_gate(workspace, "Paint the fence by May 2029", name="Garden")
    async with run_app() as pilot:
        await opened(pilot)
        await sees(pilot, "asks you", "saved")
        await pilot.press(*"gardn")
        assert "Billing" not in shown(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
        assert pilot.app.screen.session == garden


async def test_an_export_goes_into_this_folder_and_over_nothing(
    run_app: RunApp, workspace: Workspace, tmp_path: Path
) -> None:
    session = await finish(workspace)
    async with run_app() as pilot:
        await opened(pilot)
        await pilot.press("down", "e")
        await until(pilot, lambda: f"Written to ./{session}.md." in shown(pilot))
        (tmp_path / f"{session}.md").write_text("mine")
        await pilot.press("e")
        await until(pilot, lambda: f"./{session}-2.md" in shown(pilot))
    assert (tmp_path / f"{session}.md").read_text() == "mine"
    assert (tmp_path / f"{session}-2.md").read_text().startswith("# ")
    assert stat.S_IMODE((tmp_path / f"{session}-2.md").stat().st_mode) == 0o600


async def test_deleting_asks_and_is_taken_back(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_gate(workspace)
    async with run_app() as pilot:
        await opened(pilot)
        await pilot.press("down", "d")
        await until(pilot, lambda: "to the trash?" in shown(pilot))
        await pilot.press("n", "d")
        await until(pilot, lambda: "to the trash?" in shown(pilot))
        assert [one.session for one in workspace.sessions()] == [session]
        await pilot.press("y")
        await until(pilot, lambda: "Moved to the trash." in shown(pilot))
        assert workspace.sessions() == []
        await pilot.press("u")
        await until(pilot, lambda: f"Restored {session}." in shown(pilot))
        assert [one.session for one in workspace.sessions()] == [session]


async def test_deleting_the_session_behind_it_goes_back_to_the_start(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_gate(workspace)
    async with run_app(session=session) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen) and pilot.app.screen.state is not None)
        await until(pilot, lambda: not any(one.group == "drive" and one.is_running for one in pilot.app.workers))
        await opened(pilot)
        await pilot.press("down", "d", "y")
        await until(pilot, lambda: isinstance(pilot.app.screen, StartScreen))
        await pilot.press("ctrl+q")
    assert workspace.sessions() == []
    assert pilot.app.return_value == ""


async def test_an_unreadable_session_is_shown_with_its_reason_and_not_opened(
    run_app: RunApp, workspace: Workspace, tmp_path: Path
) -> None:
    session = await wait_at_gate(workspace)
    file = tmp_path / ".workbench" / "sessions" / f"{session}.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:2], b"not a record\n", *lines[3:]]))
    async with run_app() as pilot:
        screen = await opened(pilot)
        await sees(pilot, "unreadable")
        told = " ".join(line.plain.strip() for line in screen.query_one(FoundSessions).rows[0].lines)
        assert f"workbench sessions repair {session}" in told
        assert str(tmp_path) not in told
        await pilot.press("down", "enter")
        await pilot.pause()
        assert pilot.app.screen is screen


async def test_markup_and_escapes_in_a_name_are_text(run_app: RunApp, workspace: Workspace) -> None:
    await wait_at_gate(workspace, name="[@click=app.quit]list[int][/x]\x1b]52;c;aGk=\x07")
    async with run_app() as pilot:
        await opened(pilot)
        await sees(pilot, "[@click=app.quit]list[int][/x]")
        assert "\x1b" not in shown(pilot)


async def test_what_is_pasted_into_the_search_is_clean(run_app: RunApp) -> None:
    async with run_app() as pilot:
        screen = await opened(pilot)
        pilot.app.post_message(Paste("bill\x1b]52;c;aGk=\x07ing\nplans"))
        field = screen.query_one("#query", Field)
        await until(pilot, lambda: field.value)
        assert "\x1b" not in field.value
        assert "\x07" not in field.value
        assert field.value.endswith("ing plans")
