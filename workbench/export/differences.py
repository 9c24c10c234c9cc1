"""What changed between two versions of a plan, section by section and word by word, ready to be shown.

old, new ─▶ change_between ─▶ each section: added, removed, changed, moved or same
                                └▶ its Markdown in pieces: kept, inserted, deleted
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from workbench.domain.change import Kind, change_between
from workbench.domain.plan import Plan
from workbench.domain.plan_markdown import section_to_markdown
from workbench.export.prose import readable

Fate = Literal["kept", "inserted", "deleted"]

_PIECES = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text that one thing happened to."""

    fate: Fate
    text: str


@dataclass(frozen=True, slots=True)
class SectionDifference:
    """What became of one section."""

    title: str
    kind: Kind
    pieces: tuple[Piece, ...]
    """Its text, old and new; empty where nothing in it changed."""


def differences(old: Plan | None, new: Plan) -> tuple[SectionDifference, ...]:
    """Return what became of each section, in the order of the new plan; then what was removed."""
    before = {section.id: section for section in old.sections} if old else {}
    after = {section.id: section for section in new.sections}
    texts = [{name: readable(section_to_markdown(one)) for name, one in side.items()} for side in (before, after)]
    return tuple(
        SectionDifference(
            title=change.title,
            kind=change.kind,
            pieces=tuple(_pieces(texts[0].get(change.section, ""), texts[1].get(change.section, "")))
            if change.kind in {"added", "removed", "changed"}
            else (),
        )
        for change in change_between(old, new).sections
    )


def _pieces(old: str, new: str) -> Iterator[Piece]:
    for fate, run in groupby(_fates(_PIECES.findall(old), _PIECES.findall(new)), key=lambda piece: piece.fate):
        yield Piece(fate, "".join(piece.text for piece in run))


def _fates(old: list[str], new: list[str]) -> Iterator[Piece]:
    from rapidfuzz.distance import LCSseq  # only those who compare wait for it

    for op in LCSseq.opcodes(old, new):
        if op.tag == "equal":
            yield Piece("kept", "".join(old[op.src_start : op.src_end]))
            continue
        if op.src_end > op.src_start:
            yield Piece("deleted", "".join(old[op.src_start : op.src_end]))
        if op.dest_end > op.dest_start:
            yield Piece("inserted", "".join(new[op.dest_start : op.dest_end]))
