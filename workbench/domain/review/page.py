"""A version of a reviewed plan as it is looked at: its lines, what became of them, and the notes below them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from workbench.domain.review.answer import Place, place_of, version_of
from workbench.domain.review.lines import Line, compared
from workbench.domain.session.state import LineNote, SessionState
from workbench.domain.text.outline import Document


class Page(Struct, frozen=True):
    """A version to look at."""

    version: int
    before: int
    """The version that it is compared with; 0 for none."""
    document: Document
    lines: tuple[Line, ...]
    notes: tuple[tuple[LineNote, Place], ...]
    """All of them, each with what became of its lines."""
    below: Mapping[int, Sequence[tuple[LineNote, Place]]]
    """The same by their last line, or by minus the old one if it was removed; 0 if they are below none."""


def page_of(state: SessionState, version: int, before: int = -1) -> Page:
    """Return a version beside an older one, or beside none (0); by default beside the one that was looked at last."""
    before = before if before >= 0 else state.looked_at if 0 < state.looked_at < version else version - 1
    document = version_of(state, version)
    written = [note for note in state.notes if note.text and note.version <= version]
    same = tuple(Line("same", n, n) for n in range(1, len(document.lines) + 1))
    became = {0: same, version: same}  # by the version that it is compared with
    for one in {before, *(note.version for note in written)} - became.keys():
        became[one] = compared(version_of(state, one), document)
    lines = became[before]
    notes = tuple((note, place_of(note, became[note.version])) for note in written)
    below: dict[int, list[tuple[LineNote, Place]]] = {}
    for note, place in notes:
        gone = (-line.old for line in lines if not line.new and note.first <= line.old <= note.last)
        at = place.last or (min(gone, default=0) if note.version == before else 0)
        below.setdefault(at, []).append((note, place))

    return Page(version, before, document, lines, notes, below)
