"""What moves while a model works: which role, for how long, and how much has arrived.

One line that is redrawn in a terminal, and nothing at all in a pipe: there, each finished step is a line of its own.
"""

from __future__ import annotations

from asyncio import TimerHandle, get_running_loop
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Self

from workbench.cli.output import Output
from workbench.domain.text.cleaning import clean
from workbench.models.ports import Done, Part, Retried, TextDelta
from workbench.planning.ports import Asked

if TYPE_CHECKING:
    from rich.status import Status

_DOING = {
    "propose": "looks for approaches",
    "plan": "works on the plan",
    "verify": "verifies it",
    "execute": "prepares actions",
    "generate": "writes the deliverable",
}


_AFTER, _EVERY = 0.4, 0.5
"""Seconds until the line appears, and between its updates: what is quick shows nothing."""


class Progress:
    """A line that tells what a model is doing; entered while a session is driven."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._status: Status | None = None
        self._timer: TimerHandle | None = None
        self._doing = ""
        self._note = ""
        self._begun = 0.0
        self._received = 0
        self._is_asking = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def watch(self, role: str, part: Part | Asked) -> None:
        """Follow a reply as it arrives; called on the event loop."""
        self._is_asking = not isinstance(part, Done) and (self._is_asking or isinstance(part, Asked))
        if not self._output.is_rich:
            return
        match part:
            case Asked(task):
                self._stop()
                self._doing, self._note, self._received = f"{role} {_DOING[task]}", "", 0
                self._begun = monotonic()
                self._timer = get_running_loop().call_later(_AFTER, self._tick)
            case TextDelta(text):
                self._received += len(text)
                self._note = f"{self._received:,} characters"
            case Retried(reason=reason, wait=wait):
                self._note = f"tries again in {wait:.0f} s: {clean(reason)}"
            case Done():
                self._stop()
            case _:
                pass

    @property
    def is_asking(self) -> bool:
        """Whether a reply has not arrived whole."""
        return self._is_asking

    def _tick(self) -> None:
        from rich.text import Text

        parts = (self._doing, f"{monotonic() - self._begun:.0f} s", self._note)
        text = Text(" · ".join(part for part in parts if part), style="dim", no_wrap=True, overflow="ellipsis")
        if self._status is None:
            self._status = self._output.console.status(text)
            self._status.start()
        else:
            self._status.update(text)
        self._timer = get_running_loop().call_later(_EVERY, self._tick)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._status is not None:
            self._status.stop()
        self._timer = self._status = None
