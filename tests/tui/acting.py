"""What tests of the application do: wait for it, look at it, and prepare sessions for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.domain.gates import Answer, Gate
from workbench.domain.session import SessionState
from workbench.planning.policies import approving_all
from workbench.planning.ports import Decision

RunApp = Callable[..., AbstractAsyncContextManager[Pilot[str]]]
GOAL = "Move our billing to the new provider by 30 June 2028 without downtime"
WIDE, USUAL, SMALL = (120, 36), (80, 24), (60, 18)


async def until(pilot: Pilot[Any], holds: Callable[[], object], *, seconds: float = 20.0) -> None:
    """Let the application work until something holds; fail when it never does."""
    async with asyncio.timeout(seconds):
        while not holds():
            await pilot.pause(0.01)
    await pilot.pause()


def shown(pilot: Pilot[Any]) -> str:
    """Return what stands on the screen, as text."""
    return "\n".join(line.rstrip() for line in screen_lines(pilot))


def screen_lines(pilot: Pilot[Any]) -> list[str]:
    """Return the lines of the screen."""
    return ["".join(segment.text for segment in strip) for strip in pilot.app.screen._compositor.render_strips()]


async def finish(workspace: Workspace, goal: str = GOAL, *, name: str = "") -> str:
    """Plan to the end as somebody who approves everything; return the session's id."""
    manager = workspace.start(goal, name=name)
    await manager.run(approving_all())
    return manager.session_id


async def wait_at_gate(workspace: Workspace, goal: str = GOAL, *, name: str = "") -> str:
    """Plan until the approaches stand to choose; return the session's id."""

    async def skip_questions(_state: SessionState, gate: Gate) -> Decision | None:
        return Decision(Answer(kind="skip"), "person") if gate.kind == "question" else None

    manager = workspace.start(goal, name=name)
    await manager.run(skip_questions)
    return manager.session_id
