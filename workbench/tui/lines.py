"""Rows of lines: what every list of the application is made of.

    state ─▶ views ─▶ Row(lines, key) … ─▶ Sheet ─▶ LineList ─▶ only the lines on the screen are rendered

Text from anywhere enters a line as plain text: ``Content`` objects without markup, never strings that a widget would
interpret.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import overload

from textual.content import Content

MAX_PROSE_WIDTH = 88
"""Cells. Wider prose is harder to read."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A part of a row's first line that can be chosen by itself."""

    name: str
    """The field that it shows; a key of its own if it has a colon."""
    start: int
    """Index of its first column."""
    end: int


@dataclass(frozen=True, slots=True)
class Row:
    """Something that is shown in one or more lines, and may be chosen."""

    lines: tuple[Content, ...]
    key: str = ""
    """What choosing it means; "" when it cannot be chosen."""
    is_marked: bool = False
    """Whether something is to be seen to in it: a finding, a note."""
    cells: tuple[Cell, ...] = ()
    """What of it can be chosen by itself, from the left."""
    is_fixed: bool = False
    """Whether it keeps its place while others scroll: at the top, if only such rows are above it, else at the end."""

    @property
    def keys(self) -> Iterator[str]:
        """Its key, and those of its cells that have one."""
        yield from filter(None, (self.key, *(cell.name for cell in self.cells if ":" in cell.name)))


class Sheet(Sequence[Row]):
    """Rows with the places of their lines, reckoned once, if it may take its time."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self._rows = tuple(rows)
        ends = tuple(accumulate(len(row.lines) for row in self._rows))
        self.height = ends[-1] if ends else 0
        """Lines of all rows together."""
        self.starts = (0, *ends[:-1]) if ends else ()
        """Number of each row's first line."""
        self.places = {key: place for place, row in enumerate(self._rows) for key in row.keys}
        """Key → index of the row; the last one where a key stands twice."""
        fixed = [row.is_fixed for row in self._rows]
        above = fixed.index(False) if False in fixed else 0
        below = fixed[::-1].index(False) if False in fixed else 0
        self.head = self.starts[above] if self.starts else 0
        """Lines that stand still at the top."""
        self.foot = self.height - self.starts[len(fixed) - below] if below else 0
        """Lines that stand still at the end."""

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Row, ...]: ...
    def __getitem__(self, index: int | slice) -> Row | tuple[Row, ...]:
        return self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def line_at(self, number: int) -> tuple[Content, int, int]:
        """Return a line, the row it belongs to, and which of the row's lines it is; row -1 if there is none."""
        place = bisect_right(self.starts, number) - 1
        offset = number - self.starts[place] if place >= 0 else 0
        if place < 0 or offset >= len(self._rows[place].lines):
            return Content(), -1, 0
        return self._rows[place].lines[offset], place, offset


def text(plain: str, style: str = "") -> Content:
    """Return plain text in a style; nothing in it is interpreted."""
    return Content.styled(plain, style) if style else Content(plain)


def joined(*parts: Content | str) -> Content:
    """Return parts after one another; strings are plain text."""
    return Content.assemble(*(part if isinstance(part, Content) else Content(part) for part in parts))


def spread(left: Content, right: Content, width: int) -> Content:
    """Return a line with ``right`` at its right end; ``left`` gives way, cut with an ellipsis."""
    room = max(width - right.cell_length - 1, 0) if right.cell_length else width
    kept = cut(left, room)
    return joined(kept, " " * max(width - kept.cell_length - right.cell_length, 0), right)


def cut(line: Content, width: int) -> Content:
    """Return a line in at most ``width`` cells, with an ellipsis if it was cut."""
    return line if line.cell_length <= width else line.truncate(max(width, 1), ellipsis=True)


def filled(line: Content, width: int, *, is_right: bool = False) -> Content:
    """Return a line in exactly ``width`` cells, cut or with empty ones after it; before it, where it ``is_right``."""
    kept = cut(line, width)
    space = " " * (width - kept.cell_length)
    return joined(space, kept) if is_right else joined(kept, space)


def hung(head: Content | str, words: str, width: int, style: str = "", *, most: int = 0) -> tuple[Content, ...]:
    """Return words after a head, broken into lines of at most ``width`` cells; all of them begin below the first.

    What is more than ``most`` lines is cut.
    """
    head = joined(head)
    first, *more = _lines(words, width - head.cell_length, style, most)
    return (joined(head, first), *(joined(" " * head.cell_length, line) for line in more))


def barred(bar: Content, words: str, width: int, style: str = "", *, most: int = 0) -> list[Content]:
    """Return words as lines of at most ``width`` cells with a bar before each; what is more than ``most`` is cut."""
    return [joined(bar, line) for line in _lines(words, max(width - bar.cell_length, 8), style, most)]


def _lines(words: str, room: int, style: str, most: int) -> list[Content]:
    lines = wrapped(words[: max(room, 1) * (most + 2)] if most else words, room)
    shown = [text(line, style) for line in lines[: most or None]]
    if most and len(lines) > most:
        shown[-1] = cut(text(f"{lines[most - 1]} …", style), room)
    return shown


@lru_cache(maxsize=4096)
def wrapped(plain: str, width: int) -> tuple[str, ...]:
    """Return text as lines of at most ``width`` cells, broken between words where possible."""
    lines = Content(plain.expandtabs(4)).wrap(max(width, 1))
    return tuple(line.plain.rstrip() for line in lines)
