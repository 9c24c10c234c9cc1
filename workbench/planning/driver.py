"""Drives one session for whoever shows it: the manager, the step that runs, and what of a reply has arrived.

    do(deed)          one decision into the log
    run(decide)       loop step after loop step until the session waits or rests
    interrupt(why)    cancels what runs, keeps what was received, and records the stop

The command line and the application both drive sessions with it: one in its own loop, one in a thread for each session.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractContextManager, ExitStack, nullcontext
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct, field

from workbench.models.ports import Done, Noted, Part, Retried, TextDelta, Thought
from workbench.planning.ports import Ahead, Asked, Begun, Watch

if TYPE_CHECKING:  # the loop of a session is imported when it is first driven
    from workbench.domain.loop.steps import Step
    from workbench.domain.session.session import SessionState
    from workbench.planning.iteration_manager import IterationManager
    from workbench.planning.ports import Decide, OnStep

T = TypeVar("T")

Deed = Callable[["IterationManager"], Awaitable[None]]
"""One thing that a person does to a session."""


class Running(Struct, frozen=True):
    """What is under way at this moment."""

    role: str
    task: str
    seconds: float
    received: int
    """Characters of the reply so far."""
    thoughts: int = 0
    """Characters of reasoning so far, which are no part of the reply."""
    note: str = ""
    """What holds it up, if something does."""
    is_whole: bool = False
    """Whether the reply has arrived."""

    @property
    def progress(self) -> str:
        """What has arrived, in words; "" for nothing."""
        if self.received:
            return f"{self.received:,} characters"
        return f"reasoning, {self.thoughts:,} characters" if self.thoughts else ""


class _Reply(Struct):
    """A reply while it arrives: written by the session's loop, perhaps read by another thread."""

    role: str
    task: str
    begun: float
    texts: list[str] = field(default_factory=list)
    received: int = 0
    thoughts: list[str] = field(default_factory=list)
    thought: int = 0
    note: str = ""
    is_whole: bool = False
    is_of_model: bool = True


class Driver:
    """One session's driver. Its coroutines belong to one event loop."""

    def __init__(
        self, open_manager: Callable[[Watch], IterationManager], clock: Callable[[], float] = monotonic
    ) -> None:
        """``open_manager`` opens the manager, in a thread; ``clock`` gives seconds that only grow."""
        self._open_manager = open_manager
        self._clock = clock
        self._manager: IterationManager | None = None
        self._task: asyncio.Task[object] | None = None
        self._reply: _Reply | None = None
        self._part = ExitStack()
        self.on_notice: Callable[[str, str], object] | None = None
        """Is told a role, and what holds up its call or should be known of it; None if nobody listens."""
        self.said_ahead: Ahead = lambda: nullcontext("")
        """As of the manager: what a person wrote while roles worked."""
        self.was_asking = False
        """Whether what was interrupted last was a reply that had not arrived whole."""

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
        seconds = self._clock() - reply.begun
        return Running(reply.role, reply.task, seconds, reply.received, reply.thought, reply.note, reply.is_whole)

    @property
    def partial(self) -> str:
        """What has arrived of the running reply; before that, how the model reasons."""
        reply = self._reply
        return "" if reply is None else "".join(reply.texts or reply.thoughts)

    def manager(self) -> IterationManager:
        """Return the manager, which the first call opens."""
        if self._manager is None:
            self._manager = self._open_manager(self._watch)
            self._manager.said_ahead = self._taken_ahead
        return self._manager

    def _taken_ahead(self) -> AbstractContextManager[str]:
        return self.said_ahead()

    def _take_part(self) -> IterationManager:
        manager = self.manager()
        self._part.enter_context(manager.taking_part())
        return manager

    def close(self) -> None:
        """Take part no more."""
        self._part.close()

    async def opened(self) -> IterationManager:
        """Open the manager beside the event loop, and take part in what sessions share until this is closed."""
        if self._manager is None:
            return await asyncio.to_thread(self._take_part)
        return self._manager

    async def look(self) -> Step:
        """Return what would come next, and do nothing. Raises as ``do``."""
        return await (await self.opened()).look()

    async def do(self, deed: Deed) -> None:
        """Do one thing to the session. Raises what the core raises: LogBusy when another process drives it."""
        await self._interruptible(self._perform(deed))

    async def aside(self, deed: Deed) -> None:
        """Do one thing to the session that may be done while it is at work, and do not wait for that."""
        await deed(await self.opened())

    async def run(self, decide: Decide | None = None, *, on_step: OnStep | None = None) -> SessionState:
        """Drive the session until it rests, or waits where ``decide`` leaves a gate open. Raises as ``do``."""
        return await self._interruptible(self._run(decide, on_step))

    async def interrupt(self, reason: str) -> bool:
        """Cancel what runs and record the stop; False when nothing ran any more."""
        task, manager = self._task, self._manager
        if task is None or manager is None or task.done():
            return False
        task.cancel()
        await asyncio.wait([task])
        if not task.cancelled():  # it ended by itself just now
            return False
        await manager.stop(reason)
        return True

    async def _interruptible(self, work: Coroutine[object, object, T]) -> T:
        """Work in a task of its own: an interruption cancels that, and not whoever waits for it."""
        task: asyncio.Task[T] = asyncio.create_task(work)
        self._task = task
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            task.cancel()
            await asyncio.wait([task])
            raise
        finally:
            reply = self._reply
            self.was_asking = reply is not None and reply.is_of_model and not reply.is_whole
            self._reply = None
        return task.result()

    async def _perform(self, deed: Deed) -> None:
        manager = await self.opened()
        with manager.driving():
            await deed(manager)

    async def _run(self, decide: Decide | None, on_step: OnStep | None) -> SessionState:
        from workbench.planning.policies import nobody

        return await (await self.opened()).run(decide or nobody, on_step=on_step)

    def _watch(self, role: str, part: Part | Asked | Begun) -> None:
        if isinstance(part, Asked | Begun):
            self._reply = _Reply(role, part.task, self._clock(), is_of_model=isinstance(part, Asked))
            return
        match self._reply, part:
            case None, _:
                pass
            case reply, Thought(text, takes_back):
                if takes_back:
                    reply.thoughts += reply.texts
                    reply.thought += reply.received
                    reply.texts.clear()
                    reply.received = 0
                reply.thoughts.append(text)
                reply.thought += len(text)
                reply.note = ""
            case reply, Noted(note=note):
                self._note(reply, note)
            case reply, TextDelta(text):
                reply.texts.append(text)
                reply.received += len(text)
                reply.note = ""
            case reply, Retried(reason=reason, wait=wait):
                self._note(reply, f"tries again{f' in {wait:.0f} s' if wait else ''}: {reason}")
            case reply, Done():
                reply.is_whole = True

    def _note(self, reply: _Reply, note: str) -> None:
        reply.note = note
        if self.on_notice is not None:
            self.on_notice(reply.role, note)
