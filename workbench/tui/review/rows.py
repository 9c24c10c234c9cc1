"""A version of a reviewed plan as rows: number, what became of the line, its words; notes stand below their lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from workbench.domain.plan.changing.difference import Pair
from workbench.domain.review.answer import Place
from workbench.domain.review.lines import Became, Line
from workbench.domain.review.page import Page
from workbench.domain.session.state import LineNote
from workbench.domain.text.cleaning import clean, clean_name, shorten
from workbench.domain.text.matching import hunks
from workbench.domain.text.outline import Document
from workbench.tui.lines import Row, hung, joined, text
from workbench.tui.marks import ASKS, DIM, DONE, FAILED, FOCUS, Marks
from workbench.tui.replay.difference_rows import line_rows

_LONGEST = 4_000
"""Characters of a line that are shown."""
_LONGEST_NAME = 60
"""Characters of the section or item that a line was in."""
_SIGNS: dict[Became, str] = {"same": " ", "changed": "Δ", "moved": "↕", "added": "+", "removed": "−"}
_STYLES: dict[Became, str] = {"same": "", "changed": DONE, "moved": FOCUS, "added": DONE, "removed": FAILED}


def heading_rows(of: Document, width: int) -> list[Row]:
    """Return a row for each heading, by the key of its line."""
    return [
        Row((text(f"{'  ' * (heading.level - 1)}{clean_name(heading.title, width)}"),), key=f"line:{heading.line}")
        for heading in of.headings
    ] or [Row((text("The plan has no headings.", DIM),))]


def page_rows(page: Page, width: int, marks: Marks, *, only_changes: bool) -> list[Row]:
    """Return a version's rows; keys are ``line:N`` and ``note:N1``. The first of a run of changes is marked."""
    rows = [_note_row(note, place, width, marks) for note, place in page.below.get(0, ())]
    runs: Iterable[Sequence[Line]] = [page.lines]
    if only_changes:
        runs = hunks(page.lines, lambda one: one.became != "same" or (one.new or -one.old) in page.below)
    for number, run in enumerate(runs):
        rows += [Row((text("      …", DIM),))] if number else []
        for line in run:
            rows += _line_rows(page, line, width)
            rows += (_note_row(note, place, width, marks) for note, place in page.below.get(line.new or -line.old, ()))
    return list(_stops(rows)) or [Row((text("Nothing changed.", DIM),))]


def _stops(rows: Sequence[Row]) -> Iterator[Row]:
    """Yield rows of which the first of a run is marked; where lines were removed, the one after them.

    Empty lines end no run.
    """
    wanted = was = False
    for row in rows:
        wanted, was = wanted or (row.is_marked and not was), row.is_marked or (was and not row.key)
        yield replace(row, is_marked=wanted and bool(row.key))
        wanted = wanted and not row.key


def _line_rows(page: Page, line: Line, width: int) -> Iterator[Row]:
    both = line.was, page.document.lines[line.new - 1] if line.new else line.was
    was, shown = (shorten(clean(one).expandtabs(4), _LONGEST) for one in both)
    gone, come = Pair(was, shown).changed_words if line.became == "changed" else ((), ())
    if line.became == "changed" and not (line.deeper and was.strip() == shown.strip()):
        yield Row(
            tuple(line_rows(was, gone, f"{line.old or line.also[0]:>5} − ", DIM, width, is_raw=True)), is_marked=True
        )
    style = _STYLES[line.became] or ("bold" if shown.lstrip().startswith("#") else "")
    lines = line_rows(shown, come, f"{line.new or line.old:>5} {_SIGNS[line.became]} ", style, width, is_raw=True)
    told = ["indented" if line.deeper > 0 else "indented less"] if line.deeper else []
    told += [f"was line {line.old or line.also[0]}"] if line.is_moved else []
    if told := [*told, *([f"in “{clean_name(line.was_in, _LONGEST_NAME)}”"] if line.was_in else [])]:
        lines = [*lines[:-1], joined(lines[-1], text(f"   ({', '.join(told)})", DIM))]
    yield Row(
        tuple(lines), key=f"line:{line.new}" if line.new and shown.strip() else "", is_marked=line.became != "same"
    )


def _note_row(note: LineNote, place: Place, width: int, marks: Marks) -> Row:
    sent = f"sent with v{note.answered}" if note.answered else "not sent"
    became = "" if place.became == "unchanged" else f" · {place.became}"
    head = joined(text(f"        {marks.noted} ", ASKS), text(f"{note.id} · v{note.version} · {sent}{became}  ", DIM))
    return Row(hung(head, clean(note.text), width), key=f"note:{note.id}", is_marked=not note.answered)
