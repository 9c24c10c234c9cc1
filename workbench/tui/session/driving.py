"""The driver of one session, in a thread of its own, so that what a session computes never holds up the screen.

    screen's loop ── await call() ──▶ the session's loop ──▶ result or error back in the screen's loop

A screen owns one of these for its session and nothing else of another session can get in: each has its own loop, its
own manager and its own reply under way. What they record comes back to the screen through the log.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from workbench.domain.session.session import SessionState
from workbench.planning.driver import Driver
from workbench.planning.ports import Watch

if TYPE_CHECKING:  # the loop of a session is imported when it is first driven
    from workbench.planning.iteration_manager import IterationManager

T = TypeVar("T")


class Driving:
    """One session's driver, for its screen: what it does is called in a thread, and raises as it does there.

    The thread runs coroutines, and is begun with the first one.
    """

    def __init__(self, session: str, resume: Callable[[Watch], IterationManager], clock: Callable[[], float]) -> None:
        """``resume`` opens the manager, in the thread; ``clock`` gives seconds that only grow."""
        self.driver = Driver(resume, clock)
        self._name = f"session {session}"
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._ended: asyncio.Event | None = None
        self._closed = False

    async def open(self) -> SessionState:
        """Open the session and return its state. Raises what opening a log raises."""
        return (await self.call(self.driver.opened())).state

    async def call(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the thread and return what it returns; cancelling the call cancels it there."""
        loop = self._begun()
        if loop is None:
            coroutine.close()
            raise asyncio.CancelledError
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(coroutine, loop))

    def _begun(self) -> asyncio.AbstractEventLoop | None:
        """Return the thread's loop, whose first coroutine may come before the thread runs: nobody waits for it."""
        if self._loop is None and not self._closed:
            loop = asyncio.new_event_loop()
            self._loop, self._ended = loop, asyncio.Event()
            self._thread = threading.Thread(target=self._serve, args=(loop, self._ended), name=self._name, daemon=True)
            self._thread.start()
        return None if self._closed else self._loop

    @staticmethod
    def _serve(loop: asyncio.AbstractEventLoop, ended: asyncio.Event) -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(ended.wait())

    async def close(self) -> None:
        """End with the screen: a step that runs is cancelled, and what was received of it is kept.

        Only then is the session left, as it may just be opened: that ends first.
        """
        self._closed = True
        loop, ended, thread = self._loop, self._ended, self._thread
        if loop is not None and ended is not None and thread is not None:
            loop.call_soon_threadsafe(ended.set)
            await asyncio.to_thread(thread.join)
            self._loop = None
        await asyncio.to_thread(self.driver.close)
