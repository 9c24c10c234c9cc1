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
    is_keyword: bool = False
    """Whether it only says what the others are."""


class Said:
    """A part of a command: the rule that it fits, with its words and further parts; keywords are left out."""

    def __init__(self, rule: str, children: list[Word | Said]) -> None:
        self.rule = str(rule)
        self.children = children
        """All that it is made of, keywords too; the parser takes them from here."""
        self.start: int = children[0].start if children else -1
        """Index of its first character in what was given; -1 where it is nothing."""
        self.end: int = children[-1].end if children else -1

    @property
    def words(self) -> list[Word]:
        """The words of this part alone."""
        return [child for child in self.children if isinstance(child, Word) and not child.is_keyword]

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
