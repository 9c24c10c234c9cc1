"""The application for tests that are not coroutines: its event loop runs while a step is taken, and stands otherwise.

    stage.take(step) ─▶ the step runs in the one task that the application was begun in ─▶ what it returns

Threads of the application go on between two steps, as they do beside a person who does nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from io import StringIO
from typing import Any, TypeVar

from tests.tui.acting import until
from textual.pilot import Pilot
from textual.worker import Worker
from workbench.tui.app import WorkbenchApp

T = TypeVar("T")
Step = Callable[[Pilot[str]], Awaitable[T]]

PATIENCE = 60.0
"""Seconds that a step may take before the application counts as hung."""


class Stage:
    """An application between two steps."""

    def __init__(self, app: WorkbenchApp, *, size: tuple[int, int]) -> None:
        self.app = app
        self.troubles: list[str] = []
        """What nobody caught in the event loop."""
        self.groups: set[str] = set()
        """The groups of all workers so far."""
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(lambda _loop, context: self.troubles.append(repr(context)))
        self._steps: asyncio.Queue[tuple[Step[Any], asyncio.Future[Any]] | None] = asyncio.Queue()
        self._serving = self._loop.create_task(self._serve(size))

    async def _serve(self, size: tuple[int, int]) -> None:
        self._note_groups()
        async with self.app.run_test(size=size, notifications=True) as pilot:
            await until(pilot, lambda: self.app.workspace is not None)
            while (wanted := await self._steps.get()) is not None:
                step, done = wanted
                try:
                    done.set_result(await step(pilot))
                except Exception as error:  # noqa: BLE001 - whatever it was, it belongs to who takes the step
                    done.set_exception(error)

    def _note_groups(self) -> None:
        add = self.app.workers.add_worker

        def noting(worker: Worker[Any], start: bool = True, exclusive: bool = True) -> None:
            self.groups.add(worker.group)
            add(worker, start=start, exclusive=exclusive)

        self.app.workers.add_worker = noting  # type: ignore[method-assign]

    def take(self, step: Step[T]) -> T:
        """Take a step. Raises what the step raises, and what ended the application."""
        return self._loop.run_until_complete(self._taken(step))

    async def _taken(self, step: Step[T]) -> T:
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._steps.put_nowait((step, done))
        await asyncio.wait({done, self._serving}, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        if not done.done():
            if self._serving.done():
                self._serving.result()
            raise AssertionError(f"The application hangs:\n{_stacks()}")
        return done.result()

    async def _served(self) -> None:
        await asyncio.wait([self._serving], timeout=PATIENCE)
        if not self._serving.done():
            stacks = _stacks()
            self.app.workers.cancel_all()  # threads among them would wait for ever
            self._serving.cancel()
            raise AssertionError(f"The application does not end:\n{stacks}")
        self._serving.result()

    @property
    def has_ended(self) -> bool:
        """Whether a person left the application, or a defect ended it."""
        return self.app._exit

    def close(self) -> None:
        """End the application and everything that runs in its loop. Raises what ended it."""
        try:
            self._steps.put_nowait(None)
            self._loop.run_until_complete(self._served())
        finally:
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._loop.close()


def _stacks() -> str:
    """Return where every task of the loop stands."""
    told = StringIO()
    for task in asyncio.all_tasks():
        task.print_stack(file=told)
    return told.getvalue()
