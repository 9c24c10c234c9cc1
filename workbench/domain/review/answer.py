"""Notes of a person on lines of a plan: what became of those lines, and what the plan's program is told.

notes of v1 ─▶ compared(v1, v2) ─▶ unchanged · moved · changed · removed      never "done": that is for the person
decision, notes ─▶ the answer, each note with the lines it is about, quoted, and their section
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Literal

from msgspec import Struct

from workbench.domain.errors import UsageError
from workbench.domain.review.lines import Line
from workbench.domain.session.state import LineNote, SessionState, Submission
from workbench.domain.text.cleaning import clean, clean_name, shorten
from workbench.domain.text.outline import Document, document

Decision = Literal["approved", "sent back", "stopped"]
_QUOTED, _LONGEST_QUOTED = 12, 300
"""Lines that are quoted of a note's, and characters of each."""
_DECIDED: dict[Decision, tuple[str, str]] = {
    "approved": ("approved it", "Follow these notes while you carry the plan out."),
    "sent back": ("did not approve it yet", "Change the plan by these notes, and submit the whole of it again."),
    "stopped": ("stopped the work on it", ""),
}
"""What was decided, and what is said below the notes."""


class Place(Struct, frozen=True):
    """Where a note's lines are in another version, and what became of them."""

    became: Literal["unchanged", "moved", "changed", "removed"]
    first: int = 0
    last: int = 0


def place_of(note: LineNote, lines: Sequence[Line]) -> Place:
    """Return where a note is in a later version; ``lines``: what became of those of its own."""
    if not note.first:
        return Place("unchanged")
    of_note = [line for line in lines if any(note.first <= old <= note.last for old in (line.old, *line.also))]
    there = [line.new for line in of_note if line.new]
    if not there:
        return Place("removed")
    kinds = {line.became for line in of_note}
    became: Literal["unchanged", "moved", "changed"] = "changed"
    if kinds <= {"same", "moved"}:
        became = "moved" if "moved" in kinds else "unchanged"
    return Place(became, min(there), max(there))


def open_notes(state: SessionState) -> tuple[LineNote, ...]:
    """Return the notes that no answer has: neither one that a program got nor one being sent. In the order of lines."""
    newest = state.submissions[-1] if state.submissions else None
    on_its_way = newest.decided.notes if newest is not None and newest.decided is not None else ()
    waiting = (note for note in state.notes if note.text and not note.answered and note.id not in on_its_way)
    return tuple(sorted(waiting, key=lambda one: (one.version, one.first, one.last)))


def lines_label(first: int, last: int) -> str:
    """Return ``line 4`` or ``lines 4–9``; ``the whole plan`` for no line."""
    if not first:
        return "the whole plan"
    return f"line {first}" if first == last else f"lines {first}–{last}"


def submitted(state: SessionState, version: int) -> Submission:
    """Return a version. Raises UsageError if there is none of that number."""
    if not 1 <= version <= len(state.submissions):
        raise UsageError(f"There is no version {version}.", f"The newest is {len(state.submissions)}.")
    return state.submissions[version - 1]


def version_of(state: SessionState, version: int) -> Document:
    """Return a version as lines. Raises UsageError as ``submitted``."""
    return document(submitted(state, version).text)


def place_label(state: SessionState, note: LineNote) -> str:
    """Return ``line 4, in “Phase 2”``."""
    return label_in(version_of(state, note.version), note.first, note.last)


def label_in(version: Document, first: int, last: int) -> str:
    """Return ``line 4, in “Phase 2”``."""
    heading, lines = version.section_at(first), lines_label(first, last)
    return lines if heading is None or not heading.title else f"{lines}, in “{clean_name(heading.title, 100)}”"


def editable(version: Document) -> str:
    """Return a version as a person edits it: without control characters, each line a line."""
    return "".join(f"{clean(line)}\n" for line in version.lines)


def wishes(version: Document, edited: str) -> Iterator[tuple[int, int, str]]:
    """Yield what a person's edit of ``editable(version)`` wishes, as notes: the first and last line, and the words.

    Lines without words are no wish. What is written above everything is a wish for the whole plan: lines 0 to 0.
    """
    from rapidfuzz.distance import LCSseq  # no list of sessions waits for it

    old, new = (document(one).lines for one in (editable(version), edited))
    for is_same, run in groupby(LCSseq.opcodes(old, new), key=lambda op: op.tag == "equal"):
        ops = list(run)
        if is_same:
            continue
        begin, end = ops[0].src_start, ops[-1].src_end
        written = "\n".join(new[ops[0].dest_start : ops[-1].dest_end]).strip("\n")
        if "".join(old[begin:end]).strip():
            yield begin + 1, end, f"Replace with:\n\n{written}" if written.strip() else "Remove this."
        elif written.strip():
            above = next((at for at in range(begin, 0, -1) if old[at - 1].strip()), 0)
            where = "Add below this line" if above else "Add at the top"
            yield above, above, f"{where}:\n\n{written}"


def answer(state: SessionState, version: int, decision: Decision, notes: Sequence[LineNote]) -> str:
    """Return what the plan's program is told of a version."""
    counted = f"{len(notes)} note{'' if len(notes) == 1 else 's'}"
    more = f", with {counted}:" if notes else "."
    decided, end = _DECIDED[decision]
    parts = [f"A person reviewed this plan (version {version}) and {decided}{more}"]
    for number, note in enumerate(notes, 1):
        older = f" (of version {note.version})" if note.version != version else ""
        lines = version_of(state, note.version).lines[note.first - 1 : note.last] if note.first else ()
        quoted = [f"   > {shorten(clean(line), _LONGEST_QUOTED)}" for line in lines[:_QUOTED]]
        quoted += [f"   > … {len(lines) - _QUOTED} more lines"] if len(lines) > _QUOTED else []
        wish = note.text.strip().replace("\n", "\n   ")
        parts.append("\n".join([f"{number}. On {place_label(state, note)}{older}:", *quoted, f"   Note: {wish}"]))
    if decision == "sent back" and not notes:
        parts.append("Ask what should change.")
    return "\n\n".join([*parts, *([end] if notes and end else [])])
