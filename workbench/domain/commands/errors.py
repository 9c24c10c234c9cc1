"""What could not be read: where, what was expected there, and the nearest thing that would work."""

from __future__ import annotations

from msgspec import Struct

from workbench.domain.errors import UsageError

_AROUND = 60
"""Characters of a line that are shown on each side of what is wrong."""


class Unread(Struct, frozen=True):
    """Why a text is no command; nothing of it is carried out.

    >>> print(Unread("S3 ownr Anna", 3, 7, "“ownr” is not part of a command here.", ("owner",), "S3 owner Anna"))
    S3 ownr Anna
       ^ “ownr” is not part of a command here.
    Nearest: S3 owner Anna
    """

    text: str
    """All that was given."""
    start: int
    """Index of the first character that is wrong."""
    end: int
    """Index after the last."""
    why: str
    """A sentence."""
    expected: tuple[str, ...] = ()
    """What can be there, the nearest first."""
    suggestion: str = ""
    """The text, or the part of it, that would work; "" if nothing is near."""

    def __str__(self) -> str:
        """Return the line with a caret, why it cannot be read, and what would work: two or three lines."""
        begin = max(self.text.rfind("\n", 0, self.start) + 1, self.start - _AROUND)
        line = self.text[begin : self.end + _AROUND].split("\n")[0].replace("\t", " ")
        hint = [f"Nearest: {self.suggestion}"] if self.suggestion else []
        return "\n".join([line, f"{' ' * (self.start - begin)}^ {self.why}", *hint])


class Misread(Exception):
    """A place that cannot be read; ``parse`` makes an ``Unread`` of it."""

    def __init__(
        self, start: int, end: int, why: str, expected: tuple[str, ...] = (), *, instead: tuple[str, ...] = ()
    ) -> None:
        super().__init__(why)
        self.start, self.end, self.why, self.expected = start, end, why, expected
        self.instead = instead
        """What could replace these characters."""


class NoCommand(UsageError):
    """A text that is not a command, with its place."""

    title = "No command"

    def __init__(self, unread: Unread) -> None:
        super().__init__(f"Nothing was recorded:\n{unread}")
        self.unread = unread
