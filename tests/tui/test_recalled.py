"""History in two tones: what was retrieved from other sessions says whose it is, and can be kept out or pinned."""

from __future__ import annotations

import pytest
from tests.builders import Script, created, told
from tests.tui.acting import ROOMY, USUAL, WIDE, RunApp, sees, shown, until
from tests.tui.session_fixtures import begin, gate, screen_of, use, write
from workbench.bootstrap import Workspace
from workbench.domain.loop.agents import new_agent
from workbench.domain.session.events import OthersSearched, Quoted
from workbench.domain.session.session import fold
from workbench.models.scripted import CallableModel
from workbench.planning.remembering import Said
from workbench.tui.marks import Marks
from workbench.tui.session.screen import SessionScreen
from workbench.tui.session.view import SessionView
from workbench.tui.views import recalled_rows
from workbench.tui.widgets.framed_list import RecalledList

HOSTILE = [
    "[@click=app.quit]quit[/]",
    "\x1b]52;c;aGk=\x07",
    "\x9b31m",
    "list[int] [/x]",
    "\u202eabc\u200b",
    "e\u0301" * 999,
]
FACT = "The vault's password is kept by Anna"


async def other(workspace: Workspace) -> str:
    """Another session, which remembers a fact."""
    manager = workspace.start("Look after the vault")
    workspace.session(manager.session_id).remember([Said(FACT)])
    return manager.session_id


@pytest.mark.full
async def test_what_was_retrieved_is_shown_with_its_source_and_can_be_kept_out(
    run_app: RunApp, workspace: Workspace
) -> None:
    source = await other(workspace)
    async with run_app(size=ROOMY) as pilot:
        await begin(pilot, "Who keeps the password of the vault?")
        await pilot.press("ctrl+l", "3")
        await until(pilot, lambda: "RETRIEVED" in shown(pilot))
        recalled = screen_of(pilot).query_one(RecalledList)
        await sees(pilot, workspace.session(source).state().name[:10], "┊")
        recalled.focus()
        await until(pilot, lambda: recalled.has_focus and recalled.cursor >= 0)
        await pilot.press("x")
        await until(pilot, lambda: "excluded" in shown(pilot))
        state = screen_of(pilot).state
        assert state is not None
        assert len(state.recalled) == len(state.retrieved) - 1
        await pilot.press("P")
        await until(pilot, lambda: "pinned" in shown(pilot))
        await pilot.press("P")
        await until(pilot, lambda: "pinned" not in shown(pilot))


async def test_its_origin_is_opened_to_be_looked_at_and_not_driven(run_app: RunApp, workspace: Workspace) -> None:
    source = await other(workspace)
    before = workspace.log.head(source)
    async with run_app(size=ROOMY) as pilot:
        await begin(pilot, "Who keeps the password of the vault?")
        await pilot.press("ctrl+l", "3")
        recalled = screen_of(pilot).query_one(RecalledList)
        await until(pilot, lambda: len(recalled.rows) > 1)
        recalled.focus()
        await until(pilot, lambda: recalled.has_focus and recalled.cursor >= 0)
        await pilot.press("enter")
        await until(pilot, lambda: "READ-ONLY" in shown(pilot))
        assert isinstance(pilot.app.screen, SessionView)
        assert not isinstance(pilot.app.screen, SessionScreen)
        assert pilot.app.screen.session == source
        await until(pilot, lambda: pilot.app.screen.plan_pane.has_focus)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
    assert workspace.log.head(source) == before


@pytest.mark.parametrize("narrow", [False, True], ids=["beside the plan", "as a view"])
async def test_a_message_of_this_session_is_kept_out_of_prompts_or_pinned(
    run_app: RunApp, workspace: Workspace, narrow: bool
) -> None:
    async with run_app(size=USUAL if narrow else WIDE) as pilot:
        screen = await begin(pilot, "Paint the fence by May 2029")
        await gate(pilot, "approach")
        workspace.session(screen.session).remember([Said("Blue is out of the question")])
        await until(pilot, lambda: len(screen.state.history) == 3)
        await pilot.press("ctrl+l", "3")
        screen.query_one("#plan" if narrow else "#history").focus()
        await until(pilot, lambda: "Blue is out" in shown(pilot))
        await pilot.press("end", "x")
        await until(pilot, lambda: "excluded" in shown(pilot))
        (item,) = (one for one in workspace.session(screen.session).memory().items if "Blue" in one.text)
        assert workspace.session(screen.session).state().marked(screen.session, "excluded") == {item.id}
        await pilot.press("P")
        await until(pilot, lambda: "pinned" in shown(pilot))
        await pilot.press("P")
        await until(pilot, lambda: "pinned" not in shown(pilot))
        await pilot.press("up", "x")
        await until(pilot, lambda: "became the plan" in shown(pilot))
        assert workspace.session(screen.session).state().marks == ()


async def test_recall_is_switched_off_and_says_so(run_app: RunApp, workspace: Workspace) -> None:
    await other(workspace)
    async with run_app(size=ROOMY) as pilot:
        await begin(pilot, "Who keeps the password of the vault?")
        await pilot.press("ctrl+l", "3")
        await until(pilot, lambda: "RETRIEVED" in shown(pilot))
        await pilot.press("ctrl+t")
        await until(pilot, lambda: "Recall is off" in shown(pilot).replace("\n", " "))
        await pilot.press("ctrl+t")
        await until(pilot, lambda: "Recall is off" not in shown(pilot))


@pytest.mark.full
async def test_nothing_is_retrieved_where_there_is_nothing(run_app: RunApp) -> None:
    async with run_app() as pilot:
        await begin(pilot, "Paint the fence by May 2029")
        await gate(pilot, "approach")
        assert "RETRIEVED" not in shown(pilot)


async def test_an_agent_is_talked_to_at_an_open_gate_and_the_gate_stays(run_app: RunApp, workspace: Workspace) -> None:
    use(workspace, CallableModel(Script().then("chat", "Losses loom larger."), name="told"))
    async with run_app() as pilot:
        screen = await begin(pilot, "Paint the fence by May 2029")
        await gate(pilot, "approach")
        log = workspace.session(screen.session).log()
        workspace.session(screen.session).resume().add_agent(new_agent("kahneman", "You know biases."))
        await write(pilot, "@kahneman, what do I overlook?")
        await pilot.press("enter")
        await until(pilot, lambda: "Losses loom larger." in shown(pilot))
        assert screen.draft.text == ""
        await gate(pilot, "approach")
        await write(pilot, "@nobody are you there?")
        await pilot.press("enter")
        await until(pilot, lambda: "There is no agent 'nobody'" in shown(pilot).replace("\n", " "))
        assert screen.draft.text == "@nobody are you there?"
    assert log.refresh().feedback == ()


@pytest.mark.parametrize("text", HOSTILE)
def test_what_another_session_holds_reaches_no_row_as_it_is(text: str) -> None:
    found = Quoted(id=text, session=text, role="user", agent=None, time=text, text=text, score=1.0, why=text)
    searched = OthersSearched(query="q", reason="r", found=(found,), unavailable=text, for_call="c1")
    for row in recalled_rows(fold(told(created(), searched)), 40, Marks()):
        for line in row.lines:
            assert not set(line.plain) & set("\x1b\x07\x9b\u202e\u200b\n")
