r"""The bytes that a program wrote to its terminal, judged strictly: what Textual's driver says, and text; nothing else.

    bytes ─▶ judged() ─▶ strange   every sequence or character that no driver of ours writes
                      ├▶ hidden    every character that stands in a text and cannot be seen
                      └▶ text      what is left for a person to read

Lawful are: colours and type (SGR, without blinking and hiding), the cursor within the screen, the driver's own modes,
its questions what the terminal can do, and the pointer's shape. Any other CSI, any other OSC, any DCS, APC, PM or SOS,
a control character (8-bit ones too), a character that turns the direction of writing, a byte that is no UTF-8: strange.
Of line ends only CR LF is lawful, which a terminal's line discipline makes of every line's end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.tui.hostile import obeyed, unsafe

ENTERED, LEFT = "\x1b[?1049h", "\x1b[?1049l"
_MODES = "1049|1000|1003|1015|1006|1016|25|1004|2004|2026|2048|7"
_LAWFUL = re.compile(
    rf"""
      \x1b\[\?(?:{_MODES})[hl]                     # modes of the driver
    | \x1b\[\?(?:2026|2048)\$p                     # can it show whole updates, can it tell its size
    | \x1b\[>\d+u | \x1b\[<u                       # the keyboard's protocol, and back
    | \x1b\[(?P<row>\d+);(?P<column>\d+)H          # the cursor
    | \x1b\[(?P<colours>[0-9;]*)m                  # colours and type
    | \x1b\]22;(?:default|text|pointer)\x07        # the pointer's shape
    """,
    re.VERBOSE,
)
_COLOURS = re.compile(r"(?:(?:[0123479]|[349]\d|10[0-7]|[34]8;5;\d{1,3}|[34]8;2;\d{1,3};\d{1,3};\d{1,3})(?:;|$))*")
_SEQUENCE = re.compile("\x1b.{0,30}", re.DOTALL)


@dataclass(frozen=True)
class Judged:
    """What was written."""

    strange: tuple[str, ...]
    """What is not lawful."""
    hidden: tuple[str, ...]
    """What no terminal obeys and nobody sees: without width, tags, floods of marks."""
    text: str


def judged(written: bytes, *, columns: int, rows: int) -> Judged:
    """Return what of the bytes is not lawful, and the text between the sequences."""
    stream = written.decode(errors="surrogateescape")  # a byte that is no UTF-8 becomes half of a pair: strange
    strange: list[str] = []
    texts: list[str] = []
    at = 0
    while at < len(stream):
        end = stream.find("\x1b", at)
        end = len(stream) if end < 0 else end
        piece = stream[at:end]
        texts.append(piece)
        strange += obeyed(piece.replace("\r\n", ""))
        if end == len(stream):
            break
        lawful = _LAWFUL.match(stream, end)
        if lawful is None or not _is_within(lawful, columns, rows):
            strange.append(ascii(_SEQUENCE.match(stream, end)[0]))  # type: ignore[index]  # it begins with ESC
            at = end + 1
            continue
        at = lawful.end()
    if stream.count(ENTERED) != stream.count(LEFT):
        strange.append("the alternate screen is not given back")
    text = "".join(texts)
    hidden = [found for line in text.split("\r\n") for found in unsafe(line) if found not in strange]
    return Judged(tuple(strange), tuple(hidden), text)


def _is_within(sequence: re.Match[str], columns: int, rows: int) -> bool:
    if sequence["row"] is not None:
        return 1 <= int(sequence["row"]) <= rows and 1 <= int(sequence["column"]) <= columns
    return sequence["colours"] is None or _COLOURS.fullmatch(sequence["colours"]) is not None
