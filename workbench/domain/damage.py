"""A place in a log that cannot be read: where it is, and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Damage:
    """One damaged place of a file."""

    line: int
    """Line of the file, the header being line 1."""
    seq: int
    """Number of the event that should stand there."""
    why: str
    """What is wrong there, as the second half of a sentence."""
