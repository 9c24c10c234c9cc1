"""What a search index is given: texts with an id, who said it, and when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
"""Not the system's language: what is indexed must not depend on where."""


@dataclass(frozen=True, slots=True)
class Document:
    """One thing that can be found."""

    id: str
    text: str
    speaker: str = ""
    """Who said or wrote it; "" where nobody in particular did."""
    time: str = ""
    """When, in ISO 8601, without an offset in UTC; "", or anything unreadable, where that is not known."""
    talk: bool = False
    """Whether it is a turn of a conversation, which its neighbours help to understand."""
    thread: str = ""
    """The session it belongs to: a conversation never goes on from one into another."""
    place: int = 0
    """Where it stands in its thread; equal ones stand in the order in which they were added."""

    @property
    def moment(self) -> datetime | None:
        """When it was, with its offset; None where that is not known."""
        try:
            moment = datetime.fromisoformat(self.time)
        except ValueError:
            return None
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)

    @property
    def date_in_words(self) -> str:
        """The day as people ask for it ("8 May 2023"); "" where it is not known."""
        moment = self.moment
        return f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year}" if moment else ""

    @property
    def asks(self) -> bool:
        """Whether it is a turn that ends in a question, so that the answer is likely to follow."""
        return self.talk and self.text.rstrip(" \t\r\n\"')”’»*_").endswith(("?", "？", "؟"))
