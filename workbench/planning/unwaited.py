"""Event loops whose worker threads are not waited for when they end: what a thread waits for may never come.

A name that no server answers for, a folder on a network that is gone: asyncio would join the thread, and Ctrl+C with
it.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor


class Unwaited(ThreadPoolExecutor):
    """Worker threads that are left to themselves at the end. The interpreter waits for them when it ends as usual."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002 - as it is called
        """Take nothing more."""
        super().shutdown(wait=False, cancel_futures=True)


def unwaited_loop() -> asyncio.AbstractEventLoop:
    """Return an event loop with such threads, for ``asyncio.Runner(loop_factory=…)``."""
    loop = asyncio.new_event_loop()
    loop.set_default_executor(Unwaited())
    return loop
