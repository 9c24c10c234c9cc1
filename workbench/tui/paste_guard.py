"""Tells a key that a person pressed from the keys as which a paste arrives, where a terminal cannot mark one.

Pure: times are given. A person's keys are three moments apart or more, those of a paste are read together: none of them
was meant. A key is known to stand alone only when its moment is over, so whoever asks waits as long.
"""

from __future__ import annotations

MOMENT = 0.02
"""Seconds."""


class PasteGuard:
    """The keys that arrive at one place."""

    def __init__(self) -> None:
        self._number = 0
        self._arrived = float("-inf")
        self._follows = False
        """Whether the newest key came within a moment of the one before."""

    @property
    def newest(self) -> int:
        """Number of the key that arrived last."""
        return self._number

    def arrive(self, at: float) -> None:
        """Note a key that was read at this time, in seconds."""
        self._follows = at - self._arrived < MOMENT
        self._arrived = at
        self._number += 1

    def stands_alone(self, number: int) -> bool:
        """Tell, when its moment is over, whether a key came with no other: neither close before it nor since."""
        return number == self._number and not self._follows
