"""Rows of the pane in the middle: the plan, the transcript, the approaches, a question.

Every row that can be chosen says in its key what it is: ``approach:A1``, ``place:risks:3`` (a block of a section),
``message:…``. Prose is at most 88 columns wide.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from textual.content import Content

from workbench.domain.facts.wording import reading_of
from workbench.domain.loop.tasks import Approach
from workbench.domain.plan.markdown import section_to_markdown
from workbench.domain.plan.plan import Item, Plan, Section
from workbench.domain.session.state import HistoryItem, SessionState
from workbench.domain.text.cleaning import clean, clean_name
from workbench.planning.driver import Running
from workbench.tui.drafting import Noted, Place
from workbench.tui.lines import MAX_PROSE_WIDTH, Row, joined, text, wrapped
from workbench.tui.markdown_lines import markdown_lines
from workbench.tui.telling import tell
from workbench.tui.views import DIM, DONE, FAILED, FOCUS, Marks, facts_of, marks_given, who_said

if TYPE_CHECKING:
    from workbench.export.figures import Table
    from workbench.tui.plan_tables import Shown

EMPTY = Row((Content(),))
_NAMED = re.compile(r"(?:\S +)?([A-Z]\d+)(?: {2,}| ·)")
"""How a row of a plan begins that is an item: perhaps a mark, and its id."""


def said(words: str, width: int, style: str = DIM) -> Row:
    """Return words of the workbench itself as a row."""
    return Row(tuple(text(line, style) for line in wrapped(words, width)))


# --- the plan ---------------------------------------------------------------------------------------------------------


def plan_rows(
    plan: Plan, width: int, noted: Sequence[Noted] = (), shown: Shown | None = None, facts: Table | None = None
) -> list[Row]:
    """Return a plan as tables, with what it comes to, what was read of the goal, and the notes that wait."""
    from workbench.tui.plan_tables import Shown, section_rows  # with the first plan: the frame is painted before
    from workbench.tui.schedule_rows import headline_rows, table_rows

    shown = shown or Shown()
    prose = min(width, MAX_PROSE_WIDTH)
    rows = [said(clean_name(plan.title), prose, "bold $foreground")] if plan.title else []
    rows += headline_rows(shown.told, prose) if shown.told else []
    for section in plan.sections:
        notes = [note for note in noted if note.place.section == section.id]
        of_section = section_rows(section, width, shown)
        rows += [EMPTY] if rows else []
        rows += _with_notes(of_section, notes, prose) if notes else of_section
        if section.id == "goal" and facts is not None:
            rows += [EMPTY, *table_rows(facts, width)]
    return rows


def _with_notes(rows: Iterable[Row], notes: Sequence[Noted], width: int) -> Iterator[Row]:
    for row in rows:
        yield row
        for note in notes:
            if row.key == note.place.key:
                yield Row(_barred(f"note: {note.text}", width, "┃", "$secondary"))


def _barred(plain: str, width: int, bar: str, style: str) -> tuple[Content, ...]:
    """Return text whose bar is kept on every line it is broken into."""
    lines = wrapped(clean(plain), max(width - 2, 8))
    return tuple(joined(text(f"{bar} ", style), line) for line in lines)


def place_of(plan: Plan, key: str, rows: Sequence[Row]) -> Place | None:
    """Return what a row of the plan is, for a note on it; None for a row that is no place of the plan."""
    kind, _, place = key.partition(":")
    section_id, _, number = place.rpartition(":")
    section = plan.section(section_id)
    if kind != "place" or section is None or not number.isdecimal():
        return None
    row = next((row for row in rows if row.key == key), None)
    words = " ".join(line.plain.strip() for line in row.lines) if row is not None else section.title
    return Place(section.id, int(number), _quoted(words))


def _first_block(section: Section) -> int:
    """Return the number of the block that a section's first item is."""
    lines = markdown_lines(clean(section_to_markdown(section)), MAX_PROSE_WIDTH)
    return max((line.block for line in lines), default=0) - len(section.items) + 1


def item_at(plan: Plan, key: str) -> Item | None:
    """Return the item that a row of the plan shows; None for a heading or prose."""
    section_id, _, number = key.removeprefix("place:").rpartition(":")
    section = plan.section(section_id)
    if section is None or not number.isdecimal() or not section.items:
        return None
    at = int(number) - _first_block(section)
    return section.items[at] if 0 <= at < len(section.items) else None


def place_of_item(plan: Plan, name: str) -> Place | None:
    """Return where an item, or a section, stands, for a note on it; None where it does not."""
    for section in plan.sections:
        if section.id == name:
            return Place(section.id, 0, f"“{clean_name(section.title, 48)}”")
        at = next((at for at, item in enumerate(section.items) if item.id == name), None)
        if at is not None:
            return Place(section.id, _first_block(section) + at, name)
    return None


def _quoted(words: str) -> str:
    """Return how a person recognises a line: the id of an item, else its first words."""
    if named := _NAMED.match(words):
        return named[1]
    return f"“{clean_name(words, 48)}”"


def growing_rows(written: Plan, width: int) -> list[Row]:
    """Return a plan while it is written: the sections that are complete so far."""
    return [*plan_rows(written, width), EMPTY, said("More sections appear as they are complete.", width)]


# --- transcript -------------------------------------------------------------------------------------------------------


def transcript_rows(state: SessionState, width: int, marks: Marks) -> list[Row]:
    """Return every message of the session with what it says, oldest first."""
    given = marks_given(state)
    return [_transcript_row(item, width, marks, given.get(item.id, "")) for item in state.history]


@lru_cache(maxsize=20_000)
def _transcript_row(item: HistoryItem, width: int, marks: Marks, mark: str) -> Row:
    bar = text(f"{marks.session_bar} ", "$secondary")
    head = joined(bar, text(who_said(item), "bold"), text(f"  {facts_of(item, mark)}", DIM))
    told = clean(item.text) if item.agent is None else tell(item.text)
    body = markdown_lines(told, max(width - 2, 8))
    return Row((head, *(joined(bar, line.content) for line in body), Content()), key=f"message:{item.id}")


def partial_rows(running: Running, partial: str, width: int, marks: Marks) -> list[Row]:
    """Return the reply that is arriving, as it is: its end, and how much stands before."""
    bar = text(f"{marks.retrieved_bar} ", DIM)
    arrived = "" if running.task in ("research", "tool") else f" · {running.progress or '0 characters'} so far"
    doing = text(f"  {running.seconds:.0f} s{arrived}", DIM)
    rows = [Row((joined(bar, text(running.role, "bold"), doing),))]
    before = max(len(partial) - _PARTIAL_AT_MOST, 0)
    if before:
        rows.append(Row((joined(bar, text(f"{before:,} characters before this are not shown yet", DIM)),)))
    body = wrapped(clean(partial[before:]), max(width - 2, 8)) if partial else ()
    return [*rows, Row(tuple(joined(bar, text(line, DIM)) for line in body))]


_PARTIAL_AT_MOST = 4000
"""Characters of an arriving reply that are shown; the whole is shown once it is complete."""


# --- before there is a plan -------------------------------------------------------------------------------------------


def question_rows(state: SessionState, width: int) -> list[Row]:
    """Return the open question, where the plan will be, and what was read of the person's words so far."""
    question = state.gate.question if state.gate else ""
    left = len(state.questions) - 1
    rows = [EMPTY, said(clean(question), width, "bold"), EMPTY]
    if left > 0:
        rows += [said(f"{left} more question{'s' if left > 1 else ''} after this one.", width)]
    rows += [EMPTY, said("Your goal", width), said(clean(state.goal), width, "")]
    reading = reading_of(state.ledger)
    return [*rows, EMPTY, said(clean(reading), width)] if reading else rows


def approach_rows(approaches: Sequence[Approach], width: int, reading: str = "") -> list[Row]:
    """Return what was read of the goal, and the approaches as cards: number, title, how it works, its pros and cons."""
    cards = [_card(number, approach, width) for number, approach in enumerate(approaches, start=1)]
    return [said(clean(reading), width), EMPTY, *cards] if reading else cards


@lru_cache(maxsize=64)
def _card(number: int, approach: Approach, width: int) -> Row:
    lines = [joined(text(f"{number}  ", f"bold {FOCUS}"), text(clean_name(approach.title), "bold"))]
    lines += [text(f"   {line}") for line in wrapped(clean(approach.summary), width - 3)]
    lines += _points("+", DONE, approach.advantages, width)
    lines += _points("−", FAILED, approach.drawbacks, width)
    fits = f"Fits: {clean(approach.fits)} " if approach.fits else ""
    steps = f"{len(approach.outline)} steps, listed in the transcript." if approach.outline else ""
    lines += [text(f"   {line}", DIM) for line in wrapped(fits + steps, width - 3) if line]
    return Row((*lines, Content()), key=f"approach:{approach.id}")


def _points(mark: str, style: str, points: Iterable[str], width: int) -> Iterator[Content]:
    for point in points:
        first, *more = wrapped(clean(point), max(width - 5, 8))
        yield joined(text(f"   {mark} ", style), first)
        yield from (text(f"     {line}") for line in more)


def waiting_rows(state: SessionState, running: Running | None, width: int) -> list[Row]:
    """Return, where the plan will be, what will come: an empty place says so in a sentence."""
    if running is not None and running.task == "propose":
        words = "The planner looks for approaches to choose from."
    elif running is not None and running.task == "research":
        words = "What is not known yet is looked up; the plan cites what is found."
    elif running is not None:
        words = "The planner drafts the plan; its sections appear here as they are complete."
    elif state.finished is not None:
        words = "The session ended without a plan."
    elif state.approach is not None or state.proposal:
        words = "There is no plan yet: drafting it is the next step."
    else:
        words = "The plan stands here once an approach is chosen."
    return [EMPTY, said(words, width), EMPTY, said("Your goal", width), said(clean(state.goal), width, "")]
