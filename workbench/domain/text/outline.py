"""A text in Markdown as lines under headings.

Nothing is read by its words: a line is what is between two line ends, a section what is below a heading.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from workbench.domain.text.patterns import lazy_pattern

_HEADING = lazy_pattern(r" {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*")
_FENCE = lazy_pattern(r" {0,3}(`{3,}|~{3,})")
_LONGEST_HEADING = 400
"""Characters."""


class Heading(Struct, frozen=True):
    """A heading, and the lines below it."""

    line: int
    """Of the heading, from 1."""
    last: int
    """The last line before the next heading of its level or a higher one."""
    level: int
    title: str


class Document(Struct, frozen=True):
    """A text as lines."""

    lines: tuple[str, ...]
    """Without line ends."""
    headings: tuple[Heading, ...] = ()

    def section_at(self, line: int) -> Heading | None:
        """Return the heading that a line is below, or that it is; None above the first."""
        return next((heading for heading in reversed(self.headings) if heading.line <= line), None)

    @property
    def title(self) -> str:
        """Its first heading, else its first line with words."""
        first = next((heading.title for heading in self.headings if heading.title), "")
        return first or next((line.strip() for line in self.lines if line.strip()), "")


@lru_cache(maxsize=32)
def document(text: str) -> Document:
    """Return a text as lines under headings; what is in a block of code is no heading."""
    lines = tuple(line.removesuffix("\r") for line in text.removeprefix("\ufeff").removesuffix("\n").split("\n"))
    found: list[tuple[int, int, str]] = []
    fence = ""
    for number, line in enumerate(lines, 1):
        mark = _FENCE.match(line)
        if mark is not None:
            fence = mark[1] if not fence else "" if mark[1].startswith(fence) else fence
        elif not fence and (heading := _HEADING.fullmatch(line[:_LONGEST_HEADING])) is not None:
            found.append((number, len(heading[1]), heading[2]))
    headings = []
    for place, (number, level, title) in enumerate(found):
        after = (line for line, other, _ in found[place + 1 :] if other <= level)
        headings.append(Heading(number, next(after, len(lines) + 1) - 1, level, title))
    return Document(lines, tuple(headings))
