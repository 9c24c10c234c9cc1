"""What others share, where a person looks at what a call was sent: whose it is, kept out by a key, and never pinned."""

from __future__ import annotations

from typing import Any

from tests.tui.acting import RunApp, sees, shown, until
from tests.tui.session_fixtures import begin, gate
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.tui.session.context_rows import SENT, item_at
from workbench.tui.session.screen import SessionScreen

PEER = "paint-roof-b2b2"
SHARED = "shared:deadline"


async def at_shared(pilot: Pilot[Any], workspace: Workspace) -> SessionScreen:
    """A session whose planner was told what another one shares, and that row of its last call."""
    workspace.shared().update_context(PEER, "deadline", "the end of June")
    screen = await begin(pilot, "Paint the fence by May 2029")
    await gate(pilot, "approach")
    await pilot.press("ctrl+l", "4")
    pane = screen.plan_pane
    await until(pilot, lambda: any(row.key.endswith(f" {SHARED}") for row in pane.rows))
    pane.focus()
    await pilot.press("home")
    place = next(n for n, row in enumerate(pane.rows) if row.key.endswith(f" {SHARED}"))
    while pane.cursor != place:
        before = pane.cursor
        await pilot.press("down")
        assert pane.cursor != before
    return screen


async def test_what_is_shared_says_whose_it_is_and_is_kept_out_and_let_in_by_the_same_key(
    run_app: RunApp, workspace: Workspace
) -> None:
    async with run_app() as pilot:
        screen = await at_shared(pilot, workspace)
        await sees(pilot, PEER, "shared context")
        await pilot.press("x")
        await until(pilot, lambda: "kept out of every prompt" in shown(pilot))
        assert workspace.session(screen.session).state().marked(screen.session, "excluded") == {SHARED}
        await until(pilot, lambda: screen.state is not None and screen.state.marks)
        workspace.shared().update_context("paint-gate-c3c3", "deadline", "the end of July")
        await pilot.press("x")
        await until(pilot, lambda: "taken back" in shown(pilot))
        assert workspace.session(screen.session).state().marks == ()


async def test_what_is_shared_cannot_be_pinned_and_the_screen_says_what_to_do(
    run_app: RunApp, workspace: Workspace
) -> None:
    async with run_app() as pilot:
        screen = await at_shared(pilot, workspace)
        await pilot.press("P")
        await until(pilot, lambda: "cannot be pinned" in shown(pilot))
        assert workspace.session(screen.session).state().marks == ()


def test_what_the_workbench_made_itself_bears_no_mark() -> None:
    assert item_at(f"{SENT}relevant:{PEER} {SHARED}") == f"{PEER} {SHARED}"
    assert item_at(f"{SENT}dropped:{PEER} message:x:2") == f"{PEER} message:x:2"
    for name in ("note:left-out", "summary:1", "worker:nova.1"):
        assert item_at(f"{SENT}current:me {name}") == ""
    assert item_at(f"{SENT}receipt:0") == item_at(f"{SENT}prompt") == item_at("message:x:2") == ""
