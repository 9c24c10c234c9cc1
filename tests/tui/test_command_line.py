"""A line that begins with ":" is a command: completed, previewed below, recorded with Enter, in every state."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from datetime import date
from typing import Any

import pytest
from tests.builders import log_of, other_handle, report
from tests.planning.test_commanding import at_a_gate
from tests.tui.acting import ROOMY, RunApp, finish, sees, shown, until, wait_at_checkpoint
from tests.tui.session_fixtures import HeldModel, gate, review, screen_of, use, write
from tests.tui.test_session_snapshots import guided_reply
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.domain.plan.changing.operations import Cause, Change, SetField
from workbench.domain.session.state import SessionState
from workbench.tui.session.plan.command_line import Look, look
from workbench.tui.session.screen import SessionScreen

TODAY = date(2026, 3, 2)


def below(screen: SessionScreen) -> str:
    shown_below = screen.query_one("#command")
    return str(shown_below.render()) if shown_below.display else ""


def owner(state: SessionState | None, name: str) -> str:
    assert state is not None
    assert state.plan is not None
    return next(step.owner for step in state.plan.steps if step.id == name)


# --- what is shown while one is written -------------------------------------------------------------------------------

FIELDS = "a count, such as 5 of 8 · a delay, such as 2w late · a field · a share, such as 40%"
PREVIEWS = [
    ("S1 ow", Look("ned by", f"owned by · owner · {FIELDS}")),
    ("S1 owned", Look(" by", f"owned by · {FIELDS}")),
    ("S1 by ", Look("", "a date, such as 3 May")),
    ("S1 owner Anna", Look("", "S1 owner: Data lead → Anna")),
    ("S1 @Anna; S2 @Anna; S2 by 3 May; S1 +x", Look("", "S1 owner: Data lead → Anna · S1 tags: – → x · 2 more")),
    ("S1 xyz ", Look("", "“xyz” is not read here.")),
    ('S1 owner "Data lead"', Look("", "nothing changes")),
    ("undo", Look("", "There is nothing to undo: the plan is as it was first drafted.")),
]


@pytest.mark.parametrize(("command", "expected"), PREVIEWS, ids=[command for command, _ in PREVIEWS])
def test_what_is_written_is_completed_and_previewed(command: str, expected: Look) -> None:
    seen = look(at_a_gate().state, command, TODAY, "Ada")
    assert (seen.suggestion, seen.below.partition(" Expected:")[0]) == (expected.suggestion, expected.below)


def test_the_preview_of_a_new_step_says_what_it_needs_and_costs() -> None:
    seen = look(at_a_gate().state, 'add "Sign" 1d after S1, 90 EUR', TODAY, "Ada").below
    assert all(one in seen.split(" · ") for one in ("cost 90 EUR", "needs S1"))


def test_no_text_of_a_plan_acts_below_the_input() -> None:
    session = other_handle(log_of(at_a_gate()), "move-billing-15-x1y2")
    named = "Eve\x1b]0;x\x07\u202e\nEve"
    report(session, "…", [Change(SetField("S1", "owner", named), Cause("person"))])
    for command in ("S1 owner Anna", "S2 owner E", 'S2 @"', '"eve" done', "S2 needs "):
        seen = look(session.state, command, TODAY, "Ada")
        assert not re.search(r"[\x00-\x1f\u202e]", seen.suggestion + seen.below)


# --- in the application -----------------------------------------------------------------------------------------------


async def waiting(pilot: Pilot[Any]) -> SessionScreen:
    await gate(pilot, "checkpoint")
    return screen_of(pilot)


async def type_command(pilot: Pilot[Any], words: str, *, shows: str) -> SessionScreen:
    """Type a command, and wait until a line below says what it would do."""
    screen = screen_of(pilot)
    await write(pilot, words)
    await until(pilot, lambda: shows in below(screen))
    return screen


async def test_a_command_is_completed_previewed_recorded_and_undone(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace)
    before = workspace.session(session).state().plan
    async with run_app(session=session, size=ROOMY) as pilot:
        screen = await waiting(pilot)
        await type_command(pilot, ":S3 ow", shows="owned by · owner")
        assert screen.draft.suggestion == "ned by"
        await pilot.press("right")
        assert screen.draft.text == ":S3 owned by"
        await pilot.press(*" Anna")
        await until(pilot, lambda: "→ Anna" in below(screen))
        assert workspace.session(session).state().plan == before, "nothing is recorded before Enter"
        assert "Enter record" in shown(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: screen.draft.text == "" and owner(screen.state, "S3") == "Anna")
        await gate(pilot, "checkpoint")
        assert below(screen) == ""
        screen.plan_pane.focus()
        await pilot.press("u")
        await until(pilot, lambda: screen.state is not None and screen.state.plan == before)
        await until(pilot, lambda: screen.draft.text == "")
        await sees(pilot, "Z makes it again")
        screen.plan_pane.focus()
        await pilot.press("Z")
        await until(pilot, lambda: owner(screen.state, "S3") == "Anna")


async def test_an_error_stands_below_with_a_caret_and_keeps_the_text(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace)
    seq = workspace.session(session).state().seq
    async with run_app(session=session, size=ROOMY) as pilot:
        screen = await waiting(pilot)
        await type_command(pilot, ":S3 done; S4 ownr Anna", shows="“ownr” is not read here.")
        await pilot.press("enter")
        await until(pilot, lambda: "Nearest: S3 done; S4 owner Anna" in below(screen))
        line, caret, *_ = below(screen).splitlines()
        assert (line, caret.index("^")) == ("S3 done; S4 ownr Anna", line.index("ownr"))
        assert screen.draft.text == ":S3 done; S4 ownr Anna"
        assert workspace.session(session).state().seq == seq
        await pilot.press("ctrl+u")
        await until(pilot, lambda: below(screen) == "")


async def test_what_is_written_for_the_planner_is_no_command(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace)
    async with run_app(session=session) as pilot:
        screen = await waiting(pilot)
        await write(pilot, "As agreed: S3 owner Anna")
        screen.plan_pane.focus()
        await pilot.press("colon")
        await until(pilot, lambda: "Your text is in the input." in shown(pilot))
        assert screen.draft.text == "As agreed: S3 owner Anna"
        assert below(screen) == ""
        await pilot.press("ctrl+u")
        screen.plan_pane.focus()
        await pilot.press("colon", *"S3 done")
        await until(pilot, lambda: screen.draft.text == ":S3 done" and "S3 status" in below(screen))


async def finished(workspace: Workspace) -> str:
    return await finish(workspace)


async def stopped(workspace: Workspace) -> str:
    session = await wait_at_checkpoint(workspace)
    await workspace.session(session).resume().stop("stopped by you")
    return session


@pytest.mark.parametrize("state", [finished, stopped])
async def test_a_command_acts_in_sessions_that_rest(
    run_app: RunApp, workspace: Workspace, state: Callable[[Workspace], Awaitable[str]]
) -> None:
    session = await state(workspace)
    rests_as = workspace.session(session).state().status
    async with run_app(session=session) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen) and pilot.app.screen.state is not None)
        screen = await type_command(pilot, ":S3 owner Anna", shows="→ Anna")
        await pilot.press("enter")
        await until(pilot, lambda: owner(screen.state, "S3") == "Anna" and screen.draft.text == "")
        assert screen.state is not None
        assert screen.state.status == rests_as


async def test_a_command_waits_for_the_step_that_runs_and_no_longer(run_app: RunApp, workspace: Workspace) -> None:
    model = HeldModel(guided_reply)
    use(workspace, model)
    session = await wait_at_checkpoint(workspace)
    model.hold("verify")
    async with run_app(session=session) as pilot:
        screen = await waiting(pilot)
        await review(pilot, "c")
        await until(pilot, lambda: model.asked["verify"] > 1)
        await type_command(pilot, ":S3 owner Anna", shows="→ Anna")
        await pilot.press("enter")
        await until(pilot, lambda: "the plan changes after the running step" in shown(pilot))
        assert (screen.drafting.queued, screen.draft.text) == ((), "")
        model.release("verify")
        await gate(pilot, "checkpoint")
        assert owner(workspace.session(session).state(), "S3") == "Anna"


async def test_what_vim_leaves_with_leaves(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace)
    async with run_app(session=session) as pilot:
        await gate(pilot, "checkpoint")
        before = workspace.session(session).state().seq
        await pilot.press("ctrl+l", "colon", "q", "enter")
        await until(pilot, lambda: pilot.app._exit)
    assert workspace.session(session).state().seq == before
