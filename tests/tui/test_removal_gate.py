"""The gate that asks about what a planner left out: how it looks, and what its letters do."""

from __future__ import annotations

import asyncio

import pytest
from tests.builders import UNDATED_DRAFT, Script, plan_reply, sections_reply
from tests.planning.test_removals import ELEVEN, TWO
from tests.tui.acting import GOAL, WIDE, Look, RunApp, until
from tests.tui.session_fixtures import gate, use
from tests.tui.test_session_snapshots import reviewing, then
from workbench.bootstrap import Workspace
from workbench.domain.loop.gates import Gate
from workbench.domain.session.session import SessionState
from workbench.models.scripted import CallableModel
from workbench.planning.policies import approve_all
from workbench.planning.ports import Decision
from workbench.tui.session.screen import SessionScreen


@pytest.fixture
def left_out(workspace: Workspace) -> str:
    """A session whose planner left nine of eleven steps out of its second reply."""
    script = Script().then("plan", plan_reply(*UNDATED_DRAFT[:2], ELEVEN), sections_reply(TWO))
    use(workspace, CallableModel(script, name="told"))
    manager = workspace.start(GOAL)

    async def decide(_state: SessionState, asked: Gate) -> Decision | None:
        answer = None if asked.kind == "removal" else approve_all(asked)
        return None if answer is None else Decision(answer, "person")

    asyncio.run(manager.run(decide))
    assert manager.state.gate is not None
    return str(manager.session_id)


@pytest.mark.parametrize(("key", "count"), [("k", 11), ("x", 2)])
def test_its_letters_keep_or_remove(run_app: RunApp, workspace: Workspace, left_out: str, key: str, count: int) -> None:
    def state() -> SessionState:
        return workspace.session(left_out).state()

    async def decided() -> None:
        async with run_app(session=left_out) as pilot:
            await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
            await gate(pilot, "removal")
            await pilot.press("ctrl+y", key)
            await gate(pilot, "checkpoint")

    asyncio.run(decided())
    plan = state().plan
    assert plan is not None
    assert len(plan.steps) == count


def test_it_names_what_was_left_out(look: Look, left_out: str) -> None:
    assert look(WIDE, then(reviewing()), session=left_out)
