"""Rows of the pane in the middle: the plan, the transcript, the approaches, a question.

Every row that can be chosen says in its key what it is: ``approach:A1``, ``place:risks:3`` (a block of a section),
``message:…``. Prose is at most 88 columns wide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace
from textual.content import Content

from workbench.domain.loop.asking.tasks import Approach
from workbench.domain.loop.steps import plans_without_model
from workbench.domain.plan.markdown import section_to_markdown
from workbench.domain.plan.plan import Item, Plan, Section
from workbench.domain.session.state import HistoryItem, SessionState
from workbench.domain.text.cleaning import clean, clean_name
from workbench.planning.driver import Running
from workbench.tui.lines import MAX_PROSE_WIDTH, Row, hung, joined, text, wrapped
from workbench.tui.markdown_lines import MarkdownLine, markdown_lines
from workbench.tui.marks import DIM, DONE, FAILED, FOCUS, Marks
from workbench.tui.session.drafting import Place
from workbench.tui.session.telling import tell
from workbench.tui.told import EMPTY, words_row
from workbench.tui.views import facts_of, marks_given, who_said

# --- places of the plan ---------------------------------------------------------------------------------------------


def place_of(plan: Plan, key: str, rows: Sequence[Row]) -> Place | None:
    """Return what a row of the plan is, for a note on it; None for a row that is not a place of the plan."""
    kind, _, place = key.partition(":")
    section_id, _, number = place.rpartition(":")
    section = plan.section(section_id)
    if kind != "place" or section is None or not number.isdecimal():
        return None
    item = item_at(plan, key)
    row = next((row for row in rows if row.key == key), None) if int(number) else None
    words = " ".join(line.plain.strip() for line in row.lines) if row is not None else section.title
    return Place(section.id, int(number), item.id if item is not None else f"“{clean_name(words, 48)}”")


def prose_lines(section: Section, width: int) -> tuple[MarkdownLine, ...]:
    """Return a section's heading and prose as lines, without its items."""
    return markdown_lines(clean(section_to_markdown(replace(section, items=()))), width)


def first_block(section: Section) -> int:
    """Return the number of the block that a section's first item is: after its heading and its prose."""
    return max((line.block for line in prose_lines(section, MAX_PROSE_WIDTH)), default=-1) + 1


def item_at(plan: Plan, key: str) -> Item | None:
    """Return the item that a row of the plan shows; None for a heading or prose."""
    section_id, _, number = key.removeprefix("place:").rpartition(":")
    section = plan.section(section_id)
    if section is None or not number.isdecimal() or not section.items:
        return None
    at = int(number) - first_block(section)
    return section.items[at] if 0 <= at < len(section.items) else None


def place_of_item(plan: Plan, name: str) -> Place | None:
    """Return where an item, or a section, stands, for a note on it; None if it does not."""
    for section in plan.sections:
        if section.id == name:
            return Place(section.id, 0, f"“{clean_name(section.title, 48)}”")
        at = next((at for at, item in enumerate(section.items) if item.id == name), None)
        if at is not None:
            return Place(section.id, first_block(section) + at, name)
    return None


# --- transcript -------------------------------------------------------------------------------------------------------


def transcript_rows(state: SessionState, width: int, marks: Marks) -> list[Row]:
    """Return every message of the session with what it says, oldest first."""
    given = marks_given(state)
    return [_transcript_row(item, width, marks, given.get(item.id, "")) for item in state.history]


@lru_cache(maxsize=20_000)
def _transcript_row(item: HistoryItem, width: int, marks: Marks, mark: str) -> Row:
    bar = marks.bar()
    head = joined(bar, text(who_said(item), "bold"), text(f"  {facts_of(item, mark)}", DIM))
    told = clean(item.text) if item.agent is None else tell(item.text)
    body = markdown_lines(told, max(width - 2, 8))
    return Row((head, *(joined(bar, line.content) for line in body), Content()), key=f"message:{item.id}")


# --- before there is a plan -------------------------------------------------------------------------------------------


def question_rows(state: SessionState, width: int) -> list[Row]:
    """Return the open question, and the goal, if the plan will be."""
    question = state.gate.question if state.gate else ""
    rows = [EMPTY, words_row(question, width, "bold"), EMPTY]
    rows += [words_row(f"{number}. {text}", width) for number, text in enumerate(state.questions, 1) if number > 1]
    rows += [EMPTY, words_row("Your goal", width), words_row(state.goal, width, "")]
    return rows


def approach_rows(state: SessionState, width: int) -> list[Row]:
    """Return the approaches as cards, and what all of them hold to and assume."""
    folds = plans_without_model(state)
    rows = [
        _card(number, approach, width, is_folded=folds and number > 1)
        for number, approach in enumerate(state.approaches, start=1)
    ]
    for title, lines in (("What must hold", state.constraints), ("Assumed", state.assumptions)):
        if lines:
            rows += [words_row(title, width, "bold"), *(words_row(f"· {clean(line)}", width) for line in lines), EMPTY]
    return rows


@lru_cache(maxsize=64)
def _card(number: int, approach: Approach, width: int, *, is_folded: bool) -> Row:
    """Return a card; folded, it says how many steps it has: the list to tick shows them."""
    lines = [joined(text(f"{number}  ", f"bold {FOCUS}"), text(clean_name(approach.title), "bold"))]
    lines += [text(f"   {line}") for line in wrapped(clean(approach.summary), width - 3)]
    lines += _points("+", DONE, approach.advantages, width)
    lines += _points("−", FAILED, approach.drawbacks, width)
    if is_folded and approach.outline:
        lines.append(text(f"   {len(approach.outline)} steps", DIM))
    else:
        lines += _points("·", DIM, approach.outline, width)
    fits = f"Fits: {clean(approach.fits)}" if approach.fits else ""
    lines += [text(f"   {line}", DIM) for line in wrapped(fits, width - 3) if line]
    return Row((*lines, Content()), key=f"approach:{approach.id}")


def _points(mark: str, style: str, points: Iterable[str], width: int) -> Iterator[Content]:
    for point in points:
        yield from hung(text(f"   {mark} ", style), clean(point), width)


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
    return [EMPTY, words_row(words, width), EMPTY, words_row("Your goal", width), words_row(state.goal, width, "")]
