"""Rows of lines: what every list of the application is made of.

    state ─▶ views.py ─▶ Row(lines, key) … ─▶ LineList ─▶ only the lines on the screen are rendered

Text from anywhere enters a line as plain text: ``Content`` objects without markup, never strings that a widget would
interpret.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from rich.cells import cell_len
from textual.content import Content

MAX_PROSE_WIDTH = 88
"""Cells. Wider prose is harder to read."""


@dataclass(frozen=True, slots=True)
class Row:
    """Something that is shown in one or more lines, and may be chosen."""

    lines: tuple[Content, ...]
    key: str = ""
    """What choosing it means; "" when it cannot be chosen."""


def text(plain: str, style: str = "") -> Content:
    """Return plain text in a style; nothing in it is interpreted."""
    return Content.styled(plain, style) if style else Content(plain)


def joined(*parts: Content | str) -> Content:
    """Return parts behind one another; strings are plain text."""
    return Content.assemble(*(part if isinstance(part, Content) else Content(part) for part in parts))


def spread(left: Content, right: Content, width: int) -> Content:
    """Return a line with ``right`` at its right end; ``left`` gives way, cut with an ellipsis."""
    room = max(width - right.cell_length - 1, 0) if right.cell_length else width
    kept = cut(left, room)
    return joined(kept, " " * max(width - kept.cell_length - right.cell_length, 0), right)


def cut(line: Content, width: int) -> Content:
    """Return a line in at most ``width`` cells, with an ellipsis where it was cut."""
    return line if line.cell_length <= width else line.truncate(max(width, 1), ellipsis=True)


@lru_cache(maxsize=4096)
def wrapped(plain: str, width: int) -> tuple[str, ...]:
    """Return text as lines of at most ``width`` cells, broken between words where possible."""
    width = max(width, 1)
    lines: list[str] = []
    for paragraph in plain.expandtabs(4).split("\n"):
        lines += _broken(paragraph, width)
    return tuple(lines)


def _broken(paragraph: str, width: int) -> list[str]:
    lines, line, used = [], "", 0
    for word in _words(paragraph, width):
        size = cell_len(word)
        if line and used + size > width:
            lines.append(line.rstrip())
            line = word.lstrip()
            used = cell_len(line)
        else:
            line += word
            used += size
    lines.append(line.rstrip())
    return lines


def _words(paragraph: str, width: int) -> list[str]:
    """Return words with the space before them; a word wider than a line comes in pieces."""
    pieces: list[str] = []
    for index, word in enumerate(paragraph.split(" ")):
        spaced = word if index == 0 else f" {word}"
        if cell_len(spaced) <= width:
            pieces.append(spaced)
        else:
            pieces += _pieces(spaced, width)
    return pieces


def _pieces(word: str, width: int) -> list[str]:
    pieces, piece, used = [], "", 0
    for character in word:
        size = cell_len(character)
        if piece and used + size > width:
            pieces.append(piece)
            piece, used = "", 0
        piece += character
        used += size
    return [*pieces, piece]
