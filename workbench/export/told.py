"""An event told in a line: how a course is handed to those who write it down, whoever tells it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from workbench.domain.envelope import Event


class Told(Protocol):
    """An event, told."""

    @property
    def seq(self) -> int:
        """Its place in the log."""
        ...

    @property
    def time(self) -> str:
        """UTC, ISO 8601, as the file says it."""
        ...

    @property
    def kind(self) -> str:
        """What happened."""
        ...

    @property
    def actor(self) -> str:
        """Who did it."""
        ...

    @property
    def origin(self) -> str:
        """Whether it was given, or derived from what stands before it."""
        ...

    @property
    def text(self) -> str:
        """What it says, in one line."""
        ...


Tell = Callable[[Event], Told]
