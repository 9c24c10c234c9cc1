"""An event loop in a thread of its own, so that what a session computes never holds up the screen."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class LoopThread:
    """A thread that runs coroutines, begun with the first one."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._ended: asyncio.Event | None = None
        self._closed = False

    async def call(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the thread and return what it returns; cancelling the call cancels it there."""
        loop = self._begun()
        if loop is None:
            coroutine.close()
            raise asyncio.CancelledError
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(coroutine, loop))

    def _begun(self) -> asyncio.AbstractEventLoop | None:
        if self._loop is None and not self._closed:
            ready = threading.Event()
            self._thread = threading.Thread(target=self._serve, args=(ready,), name=self._name, daemon=True)
            self._thread.start()
            ready.wait()
        return None if self._closed else self._loop

    def _serve(self, ready: threading.Event) -> None:
        async def until_ended() -> None:
            self._loop = asyncio.get_running_loop()
            self._ended = asyncio.Event()
            ready.set()
            await self._ended.wait()

        with asyncio.Runner() as runner:
            runner.run(until_ended())

    async def close(self) -> None:
        """End the thread; what still runs in it is cancelled, and waited for."""
        self._closed = True
        loop, ended, thread = self._loop, self._ended, self._thread
        if loop is not None and ended is not None and thread is not None:
            loop.call_soon_threadsafe(ended.set)
            await asyncio.to_thread(thread.join)
            self._loop = None
