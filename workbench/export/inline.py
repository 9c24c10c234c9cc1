"""What became of lines, written into one another: for a reader who goes through a text from top to bottom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from workbench.domain.plan.difference import Pair
from workbench.domain.text.patterns import lazy_pattern

Fate = Literal["kept", "inserted", "deleted"]

_TOKEN = lazy_pattern(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text that one thing happened to."""

    fate: Fate
    text: str


def inline(pairs: Iterable[Pair]) -> Iterator[Piece]:
    """Yield the text of lines of two versions, whatever stayed once."""
    pieces = (piece for pair in pairs for piece in _line(pair))
    for fate, run in groupby(pieces, key=lambda piece: piece.fate):
        yield Piece(fate, "".join(piece.text for piece in run))


def _line(pair: Pair) -> Iterator[Piece]:
    if pair.old is None:
        yield Piece("inserted", f"{pair.new}\n")
    elif pair.new is None:
        yield Piece("deleted", f"{pair.old}\n")
    else:
        yield from _words(_TOKEN.findall(pair.old), _TOKEN.findall(pair.new))
        yield Piece("kept", "\n")


def _words(old: list[str], new: list[str]) -> Iterator[Piece]:
    from rapidfuzz.distance import LCSseq  # only those who compare wait for it

    for op in LCSseq.opcodes(old, new):
        if op.tag == "equal":
            yield Piece("kept", "".join(old[op.src_start : op.src_end]))
            continue
        if op.src_end > op.src_start:
            yield Piece("deleted", "".join(old[op.src_start : op.src_end]))
        if op.dest_end > op.dest_start:
            yield Piece("inserted", "".join(new[op.dest_start : op.dest_end]))
