"""What a parser makes of a command: words, and what is said with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Word:
    """A word as the grammar takes it: a keyword, a text or a value."""

    type: str
    """Its terminal."""
    text: str
    start: int
    """Index of its first character in what was given."""
    end: int
    value: Any = None
    """What it is, where it is a date, an amount or the like."""


class Said:
    """A part of a command: the rule that it fits, with its words and further parts; keywords are left out."""

    def __init__(self, rule: str, children: list[Word | Said]) -> None:
        self.rule = str(rule)
        self.children = children
        """Both, in their order; the parser takes them from here."""

    @property
    def words(self) -> list[Word]:
        """The words of this part alone."""
        return [child for child in self.children if isinstance(child, Word)]

    @property
    def parts(self) -> list[Said]:
        """The parts that are made of words, too."""
        return [child for child in self.children if isinstance(child, Said)]

    def value(self, at: int = 0) -> Any:
        """Return what one of the words is."""
        return self.words[at].value

    def all_words(self) -> list[Word]:
        """Return the words of all parts, too."""
        return [*self.words, *(word for part in self.parts for word in part.all_words())]
