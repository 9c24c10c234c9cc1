"""What moves while a model works: which role, for how long, and how much has arrived.

One line that is redrawn in a terminal, and nothing at all in a pipe: there, each finished step is a line of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from workbench.cli.output import Output
from workbench.domain.text.cleaning import clean

if TYPE_CHECKING:
    from rich.status import Status

    from workbench.planning.driver import Driver, Running

T = TypeVar("T")

_DOING = {
    "propose": "looks for approaches", "plan": "works on the plan", "verify": "verifies it",
    "execute": "prepares actions", "generate": "writes the deliverable", "research": "looks up what is not known",
    "tool": "is at work",
}  # fmt: skip
_EVERY = 0.4
"""Seconds until the line appears, and between its updates: what is quick shows nothing."""


class StatusLine:
    """A line in a terminal that is redrawn while it is entered; nothing in a pipe."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._status: Status | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    @property
    def is_shown(self) -> bool:
        """Whether the line is in the terminal."""
        return self._status is not None

    def show(self, words: str) -> None:
        """Show the line with these words."""
        if not self._output.is_rich:
            return
        from rich.text import Text

        text = Text(clean(words), style="dim", no_wrap=True, overflow="ellipsis")
        if self._status is None:
            self._status = self._output.console.status(text)
            self._status.start()
        else:
            self._status.update(text)

    def clear(self) -> None:
        """Take the line away."""
        if self._status is not None:
            self._status.stop()
            self._status = None


class SlowProgress(StatusLine):
    """Tells how far it is, each second where it takes longer than one: in a pipe by a line of its own, if at all."""

    def __init__(self, output: Output, *, tells_pipes: bool) -> None:
        super().__init__(output)
        self._tells_pipes = tells_pipes
        self._told = monotonic()

    def tell(self, words: str) -> None:
        """Say how far it is, now and then."""
        if monotonic() - self._told < 1.0:
            return
        self._told = monotonic()
        self.show(words)
        if self._tells_pipes and not self._output.is_rich:
            self._output.note(words)


async def with_progress(work: Coroutine[Any, Any, T], driver: Driver, output: Output) -> T:
    """Do some work, and show meanwhile what its driver is at."""
    with StatusLine(output) as line:
        showing = asyncio.create_task(_show(driver, line)) if output.is_rich else None
        try:
            return await work
        finally:
            if showing is not None:
                showing.cancel()


async def _show(driver: Driver, line: StatusLine) -> None:
    while True:
        await asyncio.sleep(_EVERY)
        running = driver.running
        if running is None or running.is_whole or running.seconds < _EVERY:
            line.clear()
        else:
            line.show(_words(running))


def _words(running: Running) -> str:
    doing = f"{running.role} {_DOING.get(running.task, 'works')}"
    note = running.note or running.progress
    return " · ".join(part for part in (doing, f"{running.seconds:.0f} s", note) if part)
