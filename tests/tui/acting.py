"""What tests of the application do: wait for it, look at it, and prepare sessions for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager
from itertools import chain, repeat
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakSet

from tests.offline import MOVE
from tests.steady_clock import SteadyClock
from textual._context import visible_screen_stack
from textual.command import CommandList, CommandPalette
from textual.pilot import Pilot
from textual.strip import Strip
from workbench.bootstrap import Workspace
from workbench.domain.loop.deciding.gates import Answer, Gate
from workbench.domain.session.session import SessionState
from workbench.models.catalogue import GUIDED
from workbench.planning import session_log
from workbench.planning.iteration_manager import IterationManager
from workbench.planning.policies import approve_all, approving_all
from workbench.planning.ports import Decision

RunApp = Callable[..., AbstractAsyncContextManager[Pilot[str]]]
Way = Callable[[Pilot[Any]], Awaitable[None]]
"""How to get somewhere in the application."""
Look = Callable[..., bool]
"""The fixture ``look``."""
GOAL = "Move our billing to the new provider by 30 June 2028 without downtime"
ROOMY, WIDE, USUAL, SMALL = (160, 45), (120, 36), (80, 24), (60, 18)
SHOWN: WeakSet[Workspace] = WeakSet()
"""Workspaces that an application has open: it follows what is planned in them."""


async def until(pilot: Pilot[Any], holds: Callable[[], object], *, seconds: float = 60.0) -> None:
    """Let the application work until something holds; fail with what the screen shows when it never does."""
    try:
        async with asyncio.timeout(seconds):
            for pause in chain((0.01, 0.01, 0.02, 0.02, 0.03), repeat(0.05)):  # looking may be a picture of the screen
                if holds():
                    break
                await asyncio.sleep(pause)
                if pilot.app._exception is not None:
                    raise pilot.app._exception
    except TimeoutError:
        raise AssertionError(f"It never came to hold; there was:\n{shown(pilot)}") from None
    await pilot.pause()


async def sees(pilot: Pilot[Any], *words: str) -> None:
    """Wait until all of these words stand on the screen: what a key did may be painted a moment later."""
    await until(pilot, lambda: all(one in shown(pilot) for one in words))


async def standing_still(pilot: Pilot[Any]) -> None:
    """Wait until nothing on the screen changes any more between two looks at it."""
    before: list[Strip] = []
    while (now := _drawn(pilot)) != before:
        before = now
        await pilot.pause(0.05)


def pressing(*keys: str, shows: str = "") -> Way:
    """Return the way that leads over these keys, until words are seen."""

    async def go(pilot: Pilot[Any]) -> None:
        await pilot.press(*keys)
        await until(pilot, lambda: shows in shown(pilot))

    return go


def in_turn(*ways: Way) -> Way:
    """Return the way that goes these ways one after the other, each when what the last one led to stands still."""

    async def go(pilot: Pilot[Any]) -> None:
        for way in ways:
            await way(pilot)
            await standing_still(pilot)

    return go


async def open_palette(pilot: Pilot[Any]) -> None:
    """Open the palette, and wait until it lists everything: it gathers in a worker of its own."""
    await pilot.press("ctrl+p")
    await until(pilot, lambda: isinstance(pilot.app.screen, CommandPalette))
    palette = pilot.app.screen

    def has_gathered() -> bool:
        at_work = any(worker.node is palette and not worker.is_finished for worker in pilot.app.workers)
        return bool(palette.query_one(CommandList).option_count) and not at_work

    await until(pilot, has_gathered)


def shown(pilot: Pilot[Any]) -> str:
    """Return what stands on the screen, as text."""
    return "\n".join(line.rstrip() for line in screen_lines(pilot))


def screen_lines(pilot: Pilot[Any]) -> list[str]:
    """Return the lines of the screen."""
    return ["".join(segment.text for segment in strip) for strip in _drawn(pilot)]


def _drawn(pilot: Pilot[Any]) -> list[Strip]:
    visible_screen_stack.set(pilot.app._background_screens)  # a dialog keeps what it was first drawn over
    return pilot.app.screen._compositor.render_strips()


def start(workspace: Workspace, goal: str = GOAL, *, name: str = "") -> IterationManager:
    """Begin a session; without a model, as a person who chose a template: nothing else gives a plan steps."""
    return workspace.start(goal, name=name, begin=MOVE if workspace.settings.model == GUIDED else None)


async def finish(workspace: Workspace, goal: str = GOAL, *, name: str = "") -> str:
    """Plan to the end as somebody who approves everything; return the session's id."""

    async def plan() -> str:
        manager = start(workspace, goal, name=name)
        await manager.run(approving_all())
        return manager.session_id

    return await planned_once(workspace, ("finish", goal, name), plan)


async def wait_at_gate(workspace: Workspace, goal: str = GOAL, *, name: str = "") -> str:
    """Plan until the approaches stand to choose; return the session's id."""

    async def skip_questions(_state: SessionState, gate: Gate) -> Decision | None:
        return Decision(Answer(kind="skip"), "person") if gate.kind == "question" else None

    async def plan() -> str:
        manager = workspace.start(goal, name=name)
        await manager.run(skip_questions)
        return manager.session_id

    return await planned_once(workspace, ("gate", goal, name), plan)


async def wait_at_checkpoint(
    workspace: Workspace,
    goal: str = GOAL,
    *,
    name: str = "",
    session: str = "",
    feedback: Sequence[str] = (),
    commands: Sequence[str] = (),
) -> str:
    """Plan, or go on, until a checkpoint stands after feedback and commands were given; return the session's id."""
    waiting = list(feedback)

    async def decide(_state: SessionState, gate: Gate) -> Decision | None:
        if gate.kind != "checkpoint":
            answer = approve_all(gate)
        elif waiting:
            answer = Answer(kind="feedback", text=waiting.pop(0))
        else:
            answer = None
        return None if answer is None else Decision(answer, "person")

    async def plan() -> str:
        manager = workspace.session(session).resume() if session else start(workspace, goal, name=name)
        await manager.run(decide)
        for command in commands:
            workspace.session(manager.session_id).edit(command)
            await workspace.session(manager.session_id).resume().run(decide)
        return manager.session_id

    if session:
        return await plan()
    return await planned_once(workspace, ("checkpoint", goal, name, *feedback, "", *commands), plan)


class _Planned(NamedTuple):
    """What planning left behind."""

    session: str
    files: dict[Path, bytes]
    clock: int


_planned: dict[object, _Planned] = {}


async def planned_once(
    workspace: Workspace, arguments: tuple[str, ...], plan: Callable[[], Coroutine[Any, Any, str]]
) -> str:
    """Plan a session, or copy its files where another test planned the same in a workspace with the same files."""
    clock = workspace.parts.clock
    if not isinstance(clock, SteadyClock) or workspace in SHOWN or "_open" in vars(workspace.parts.models):
        return await plan()
    files = _files(workspace)
    before = (arguments, clock.seconds, workspace.settings.model, tuple(files.items()))
    if before not in _planned:
        session = await plan()
        _planned[before] = _Planned(session, _files(workspace), clock.seconds)
        return session
    planned = _planned[before]
    for path, content in planned.files.items():
        if files.get(path) != content:
            (workspace.folder.root / path).parent.mkdir(parents=True, exist_ok=True)
            (workspace.folder.root / path).write_bytes(content)
    clock.seconds = planned.clock
    session_log.random_ending()  # the one that this session's id ends in
    return planned.session


def _files(workspace: Workspace) -> dict[Path, bytes]:
    root = workspace.folder.root
    return {path.relative_to(root): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}
