"""Drives one session behind its screen: the manager, the step that runs, and what of a reply has arrived.

    do(deed) ─▶ one decision into the log          ┐ in the session's own loop, under the driver's lock;
    run()    ─▶ step after step until it waits     ┘ what they record comes back to the screen through the log
    interrupt() ─▶ the running step is cancelled, what was received is kept, and the session says stopped

A screen owns one of these for its session and nothing else of another session can get in: each has its own loop, its
own manager and its own reply under way.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from workbench.domain.session.session import SessionState
from workbench.models.ports import Part, Retried, TextDelta
from workbench.planning.ports import Asked, Watch
from workbench.tui.loop_thread import LoopThread

if TYPE_CHECKING:  # the loop of a session is imported when it is first driven
    from workbench.domain.loop.steps import Step
    from workbench.planning.iteration_manager import IterationManager

Deed = Callable[["IterationManager"], Awaitable[None]]
"""One thing that a person does to a session."""


@dataclass(frozen=True, slots=True)
class Running:
    """What is under way at this moment."""

    role: str
    task: str
    seconds: float
    received: int
    """Characters of the reply so far."""
    note: str = ""
    """What holds it up, if something does."""


@dataclass(slots=True)
class _Reply:
    """A reply while it arrives: written by the session's loop, read by the screen's."""

    role: str
    task: str
    begun: float
    texts: list[str] = field(default_factory=list)
    received: int = 0
    note: str = ""


class Driving:
    """One session's driver."""

    def __init__(self, session: str, resume: Callable[[Watch], IterationManager], clock: Callable[[], float]) -> None:
        """``resume`` opens the manager, in a thread; ``clock`` gives seconds that only grow."""
        self._resume = resume
        self._clock = clock
        self._loop = LoopThread(f"session {session}")
        self._manager: IterationManager | None = None
        self._task: asyncio.Task[None] | None = None
        self._reply: _Reply | None = None
        self._part = ExitStack()

    @property
    def window(self) -> int | None:
        """Tokens of the model's window; None before the session is driven."""
        return None if self._manager is None else self._manager.window

    @property
    def running(self) -> Running | None:
        """Which role is at work; None when none is."""
        reply = self._reply
        if reply is None:
            return None
        return Running(reply.role, reply.task, self._clock() - reply.begun, reply.received, reply.note)

    @property
    def partial(self) -> str:
        """What has arrived of the running reply."""
        reply = self._reply
        return "" if reply is None else "".join(reply.texts)

    async def open(self) -> SessionState:
        """Open the session and return its state. Raises what opening a log raises."""
        return await self._loop.call(self._opened_state())

    async def look(self) -> Step:
        """Return what would come next, and do nothing. Raises as ``do``."""
        return await self._loop.call(self._next_step())

    async def do(self, deed: Deed) -> None:
        """Do one thing to the session. Raises what the core raises: LogBusy when another process drives it."""
        await self._loop.call(self._alone(deed))

    async def run(self) -> None:
        """Drive the session until it waits or rests. Raises as ``do``."""
        await self._loop.call(self._alone(None))

    async def interrupt(self, reason: str) -> bool:
        """Cancel the running step and note the stop; False when nothing ran any more."""
        return await self._loop.call(self._interrupted(reason))

    async def close(self) -> None:
        """End with the screen: a step that runs is cancelled, and what was received of it is kept.

        Only then is the session left, as it may just be opened: that ends first.
        """
        await self._loop.close()
        await asyncio.to_thread(self._part.close)

    async def _alone(self, deed: Deed | None) -> None:
        """Work in a task of its own: an interruption cancels that, and not whoever waits for it."""
        task = self._task = asyncio.create_task(self._work(deed))
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            task.cancel()
            await asyncio.wait([task])
            raise
        finally:
            self._reply = None
        if not task.cancelled():
            task.result()

    async def _work(self, deed: Deed | None) -> None:
        from workbench.planning.policies import nobody

        manager = await self._opened()
        with manager.driving():
            if deed is None:
                await manager.run(nobody)
            else:
                await deed(manager)

    async def _opened(self) -> IterationManager:
        if self._manager is None:
            self._manager = await asyncio.to_thread(self._open)
        return self._manager

    def _open(self) -> IterationManager:
        """Open the manager, and take part in what sessions share until the screen is closed."""
        manager = self._resume(self._watch)
        self._part.enter_context(manager.taking_part())
        return manager

    async def _opened_state(self) -> SessionState:
        return (await self._opened()).state

    async def _next_step(self) -> Step:
        return await (await self._opened()).look()

    async def _interrupted(self, reason: str) -> bool:
        task, manager = self._task, self._manager
        if task is None or manager is None or task.done():
            return False
        task.cancel()
        await asyncio.wait([task])
        if not task.cancelled():  # it ended by itself just now
            return False
        await manager.stop(reason)
        return True

    def _watch(self, role: str, part: Part | Asked) -> None:
        reply = self._reply
        if isinstance(part, Asked):
            self._reply = _Reply(role, part.task, self._clock())
        elif reply is not None and isinstance(part, TextDelta):
            reply.texts.append(part.text)
            reply.received += len(part.text)
            reply.note = ""
        elif reply is not None and isinstance(part, Retried):
            reply.note = f"tries again in {part.wait:.0f} s: {part.reason}"
