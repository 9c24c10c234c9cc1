"""The plan page: the steps with bars first, then its questions, then each other part as a line that unfolds.

    ready 3 May · 42 working days before the deadline                    1 of 10 done
        step                       who     days  start    end   ±  Nov Dec
    ✔ S1 List what is moved        You        4 16 Nov 24 Nov      ▄│
    ── Questions 1 ──────────────────────────────────────────────────────────────────
      Q1 Who has to agree early?                              [answer]  [not needed]
    ─────────────────────────────────────────────────────────────────────────────────
    ▹ Risks      3  R1 no inspector · R2 …

The steps scroll by themselves. Titles are cut, and unfold; columns leave where there is no room for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from textual.content import Content

from workbench.domain.loop.deciding.goal_values import unused_values_text
from workbench.domain.plan.due import due_steps
from workbench.domain.plan.figures import short_day
from workbench.domain.plan.markdown.fields import number
from workbench.domain.plan.plan import Constraint, Plan, Question, Section, Step, wording
from workbench.domain.plan.scheduling.calendar import day_of
from workbench.domain.statements.statement import Account
from workbench.domain.text.cleaning import clean, clean_name
from workbench.domain.text.patterns import lazy_pattern
from workbench.tui.lines import MAX_PROSE_WIDTH, Cell, Row, barred, cut, filled, hung, joined, spread, text
from workbench.tui.marks import DIM, FAILED, FOCUS, OWN, Marks
from workbench.tui.session.drafting import Noted
from workbench.tui.session.main_rows import first_block
from workbench.tui.session.plan.cell_editing import ANSWER, EDITED, NOT_NEEDED, USE
from workbench.tui.session.plan.outline import called
from workbench.tui.session.plan.plan_tables import (
    Shown,
    costs_and_people,
    limit_of,
    mark_of,
    more_of,
    section_rows,
    why,
)
from workbench.tui.table import Column, Table, Timescale

if TYPE_CHECKING:
    from workbench.domain.plan.figures import StepFigures
    from workbench.domain.statements.statement import Account
    from workbench.domain.values.meanings import Chip


STREAM, SAID, MONEY = "stream:", "place:statements:0", "place:money:0"
"""Keys of the rows of workstreams, of what the person said, and of what the plan costs."""
_LOW = 26  # lines of the page from which each folded part has a line
_TITLE, _LEAST_TITLE = 40, 20
_BETWEEN = " · "  # parts of the headline
_NAME, _LONGEST_NAME = 13, 22  # cells that the names of parts have at least, and at most


@dataclass(frozen=True)
class Standing:
    """An agreed plan on a day."""

    plan: Plan
    today: date
    ends: Mapping[str, date]
    """Last day of each step as it was agreed, by its id."""

    @classmethod
    def from_plans(cls, plan: Plan, agreed: Plan | None, today: date) -> Standing:
        """Return how a plan is beside the version that was agreed; None if none was."""
        ends = {step.id: day for step in (agreed or plan).steps if (day := day_of(step.end)) is not None}
        return cls(plan, today, ends)

    def moved(self, step: StepFigures) -> int:
        """Return how many days of the calendar later than agreed a step ends; below zero for earlier."""
        was = self.ends.get(step.step)
        return (step.end - was).days if was is not None and step.end is not None else 0


@dataclass(frozen=True)
class Page:
    """A plan on a day, and the room that it has."""

    plan: Plan
    width: int
    height: int
    shown: Shown
    noted: Sequence[Noted] = ()
    said: Sequence[Account] = ()
    standing: Standing | None = None
    """How it is beside what was agreed; None if nothing was agreed."""
    is_growing: bool = False
    """Whether it is being written."""
    by_urgency: bool = False
    """Whether the steps stand by how urgent they are, instead of the order of the plan."""
    moved: frozenset[str] = frozenset()
    """Ids of steps that what is typed into a cell would move."""
    late: frozenset[str] = frozenset()
    """Ids of steps that should be over."""
    unused: Sequence[Chip] = ()
    """Values of the goal that the plan does not have."""


def page_rows(page: Page) -> list[Row]:
    """Return a plan as one page."""
    table = StepTable(page)
    head = [Row(lines, is_fixed=True) for lines in (headline_of(page), (table.head,)) if lines]
    in_order = (row for section in page.plan.sections for row in table.rows(section))
    steps = list(_by_urgency(page, page.standing, table) if page.by_urgency and page.standing else in_order)
    if not steps and not page.is_growing:
        steps = [Row((text("  No steps yet: o adds one below, f tells the planner.", DIM),))]
    return [*head, *steps, *_questions(page), *_unused_values(page), *_parts(page)]


# --- the head ---------------------------------------------------------------------------------------------------------


def headline_of(page: Page) -> tuple[Content, ...]:
    """Return in a line when the plan is ready, with what is at the right: its limits, and what is done."""
    from workbench.export.figures import headline

    told = page.shown.told
    if told is None:
        return ()
    chips = [
        limit_of(item, page.shown, short=True)
        for item in page.plan.items
        if isinstance(item, Constraint) and (item.day or item.amount)
    ]
    right = "  ".join(dict.fromkeys(filter(None, chips)))
    parts = clean(headline(told)).split(_BETWEEN)
    chip = text(right, f"underline {FOCUS}") if right and len(right) < page.width // 2 else Content()
    room = page.width - chip.cell_length - 4
    while len(parts) > 1 and text(_BETWEEN.join(parts)).cell_length > room:
        parts.pop()  # the half of one would say something else: of "over 99%", that it is over
    line = text(_BETWEEN.join(parts))
    return (spread(joined("  ", line), chip, page.width),) if line or chip else ()


# --- the steps --------------------------------------------------------------------------------------------------------


class StepTable:
    """The steps at one width."""

    def __init__(self, page: Page) -> None:
        self._page, self._shown = page, page.shown
        steps = [item for item in page.plan.items if isinstance(item, Step)]
        told = page.shown.told
        self._finish = told.finish if told is not None else None
        days = [day for one in page.shown.steps.values() for day in (one.start, one.end) if day is not None]
        self._is_long = bool(days) and (max(days) - min(days)).days > _YEAR
        wide = 9 if self._is_long else 6
        ids = max((len(step.id) for step in steps), default=2)
        longest = max((text(clean_name(step.title, 200)).cell_length for step in steps), default=_LEAST_TITLE)
        room = page.width - 2 - ids - 1 - (wide + 1)
        roomy = max(page.width - 120, 0)
        who = min(max((text(_owners(step)).cell_length for step in steps), default=3), 12 + roomy // 3)
        efforts = min(max((len(_effort(step)) for step in steps), default=5), 9)
        needed = min(max((len(" ".join(step.needs)) for step in steps), default=0), 8 + roomy // 8)
        columns = [Column("mark", 2, gap=0), Column("id", ids)]
        by_name = {
            "owner": Column("owner", max(who, 6), "who"),
            "start": Column("start", wide, "start", is_right=True),
            "moved": Column("moved", 4, "±", is_right=True),
            "effort": Column("effort", max(efforts, 5), "days", is_right=True),
            "needs": Column("needs", max(needed, 5), "needs"),
            "slack": Column("slack", 5, "slack", is_right=True),
        }
        if page.standing is None:
            del by_name["moved"]
        if "slack" in by_name and not any(one.slack is not None for one in page.shown.steps.values()):
            del by_name["slack"]
        title = min(max(longest, _LEAST_TITLE), _TITLE + roomy // 3)
        kept: list[str] = []
        for name, column in by_name.items():
            least = title if name in ("effort", "needs", "slack") else _LEAST_TITLE + 4
            if name == "needs" and room - title - column.width - 1 < _BARS_BESIDE_NEEDS:
                continue
            if room - column.width - 1 >= least and (name != "slack" or room - title < _LEAST_BARS + 2):
                kept.append(name)
                room -= column.width + 1
        title = min(title, room)
        by_name |= {
            "title": Column("title", title, "step"),
            "end": Column("end", wide, "end", is_right=True),
        }
        order = ("title", "owner", "start", "end", "moved", "effort", "needs", "slack")
        columns += [by_name[name] for name in order if name in kept or name in ("title", "end")]
        self.table = Table((*columns[:-1], replace(columns[-1], gap=0)))
        left = page.width - self.table.width - 2
        day = page.standing.today if page.standing is not None else None
        self._scale = (
            Timescale.from_steps(page.shown.steps.values(), told, left, today=day) if left >= _LEAST_BARS else None
        )

    @property
    def head(self) -> Content:
        """The names of the columns, and the months."""
        line = self.table.head(DIM)
        return joined(line, "  ", self._scale.months()) if self._scale is not None else line

    def rows(self, section: Section) -> Iterator[Row]:
        """Yield a row for each step of a section, under the workstreams that they belong to."""
        first, streams = first_block(section), _streams_of(section)
        notes = [note for note in self._page.noted if note.place.section == section.id]
        stream = ""
        for place, item in enumerate(section.items):
            if not isinstance(item, Step):
                continue
            if item.workstream != stream and item.workstream:
                yield self._stream(item.workstream, streams[item.workstream])
            stream = item.workstream
            if stream and f"{STREAM}{stream}" in self._shown.unfolded:
                continue
            key = f"place:{section.id}:{first + place}"
            yield self.row(item, key)
            yield from note_rows(notes, key, min(self._page.width, MAX_PROSE_WIDTH))

    def _stream(self, name: str, steps: Sequence[Step]) -> Row:
        key = f"{STREAM}{name}"
        is_folded = key in self._shown.unfolded
        done = sum(step.status == "done" for step in steps)
        known = [one for step in steps if (one := self._shown.steps.get(step.id)) is not None]
        start = min((one.start for one in known if one.start), default=None)
        end = max((one.end for one in known if one.end), default=None)
        marks = self._shown.marks
        cells = {
            "mark": text(marks.folded if is_folded else marks.unfolded, DIM),
            "title": text(clean_name(name, 200), f"bold {FOCUS}"),
            "owner": text(f"{done} of {len(steps)}", DIM),
            "start": text(self._day(start), DIM),
            "end": text(self._day(end), DIM),
        }
        line = self.table.line(cells)
        if self._scale is not None:
            line = joined(line, "  ", self._scale.span(start, end, marks))
        return Row((line,), key=key)

    def row(self, step: Step, key: str) -> Row:
        """Return a step; unfolded, with why it is on its days and all that it says below."""
        shown, known = self._shown, self._shown.steps.get(step.id)
        is_over = step.status in ("done", "dropped")
        dim = DIM if is_over else ""
        is_late = step.id in self._page.late
        stands = self._page.standing
        moved = stands.moved(known) if stands is not None and known is not None else 0
        owner = text(_owners(step), dim)
        if not step.owner and not is_over and not step.milestone:
            owner = text("—", FAILED)
        title = ("  " if step.parent else "") + " ".join(clean_name(step.title, 400).split())
        slack = "" if known is None or known.slack is None else f"{known.slack:,}".replace("-", "−")
        cells = {
            "mark": mark_of(step, key, shown, is_late=is_late),
            "id": text(clean_name(step.id, 8), DIM),
            "title": text(title, f"{DIM} strike" if step.status == "dropped" else dim),
            "owner": owner,
            "effort": text(_effort(step), DIM),
            "start": text(self._day(known.start if known else None), DIM),
            "end": text(self._day(known.end if known else None), FAILED if is_late else dim),
            "moved": text(f"{moved:+,}".replace("-", "−") if moved else "", FAILED if moved > 0 and is_late else DIM),
            "needs": text(" ".join(step.needs), DIM),
            "slack": text(slack, FAILED if slack.startswith("−") else DIM),
        }
        if step.id in self._page.moved:
            cells["mark"] = text(f"{shown.marks.changed} ", FOCUS)
            cells |= {name: text(cells[name].plain, f"bold {FOCUS}") for name in ("start", "end", "moved")}
        line = self.table.line(cells)
        if self._scale is not None:
            line = joined(line, "  ", self._scale.bar(known, shown.marks))
        is_marked = is_late or step.id in shown.findings or key in shown.noted or step.id in shown.signs
        more: list[Content] = []
        if key in shown.unfolded:
            reason = why(known) if known is not None else ""
            more = [*barred(Content(" " * 7), reason, self._page.width, DIM), *more_of(step, self._page.width)]
        return Row((line, *more), key=key, is_marked=is_marked, cells=self.table.cells(*EDITED))

    def _day(self, day: date | None) -> str:
        if day is None:
            return ""
        return f"{short_day(day, day)} {day.year % 100:02}" if self._is_long else short_day(day, day)


_YEAR = 330  # days from which two of them in a plan may be taken for each other without a year
_LEAST_BARS = 24  # cells from which bars stand beside the steps; the slack has their place below
_BARS_BESIDE_NEEDS = 44


def _streams_of(section: Section) -> Mapping[str, list[Step]]:
    streams: dict[str, list[Step]] = {}
    for item in section.items:
        if isinstance(item, Step):
            streams.setdefault(item.workstream, []).append(item)
    return streams


def _owners(step: Step) -> str:
    more = len(step.also)
    return " ".join(filter(None, (clean_name(step.owner, 40), f"+{more}" if more else "")))


def _effort(step: Step) -> str:
    """Return the days that a step takes: the estimate's range, within which its dates stay; of waiting, how long."""
    if step.effort is None:
        return f"~{number(round(step.waiting, 2))}" if step.waiting else ""
    low, high = number(step.effort.low), number(step.effort.high)
    return low if low == high else f"{low}–{high}"


def note_rows(notes: Sequence[Noted], key: str, width: int) -> Iterator[Row]:
    """Yield the notes that wait on a row."""
    for note in notes:
        if note.place.key == key:
            yield Row(tuple(barred(text("┃ ", OWN), clean(f"note: {note.text}"), width)))


def _by_urgency(page: Page, stands: Standing, table: StepTable) -> Iterator[Row]:
    due = {step.step: step.kind for step in due_steps(stands.plan, stands.today, soon=0)}
    groups: dict[str, list[Row]] = {"late": [], "today": [], "next": [], "done": []}
    for section in page.plan.sections:
        for place, item in enumerate(section.items, first_block(section)):
            if isinstance(item, Step) and item.status != "dropped":
                kind = due.get(item.id, "next")
                name = "done" if item.status == "done" else kind if kind in groups else "next"
                groups[name].append(table.row(item, f"place:{section.id}:{place}"))
    for name, rows in groups.items():
        if rows:
            yield Row((text(f"  {name.upper()}", FAILED if name == "late" else DIM),))
            yield from rows


# --- the questions ----------------------------------------------------------------------------------------------------


def _rule(title: Content | str, right: str, page: Page, key: str = "") -> Row:
    marks = page.shown.marks
    named = joined(text(f"{marks.rule * 2} ", _RULE), title, " ") if title else Content()
    ended = text(f" {right} {marks.rule * 2}", DIM) if right else Content()
    room = max(page.width - named.cell_length - ended.cell_length, 0)
    return Row((cut(joined(named, text(marks.rule * room, _RULE), ended), page.width),), key=key, is_fixed=True)


_RULE = "$primary 45%"


def _questions(page: Page) -> Iterator[Row]:
    """Yield the open questions, as many as have room; all of them if a person unfolded them."""
    found = [(section, place, item) for section in page.plan.sections for place, item in enumerate(section.items)]
    asked = [(section, place, item) for section, place, item in found if isinstance(item, Question)]
    if not asked:
        return
    key = QUESTIONS
    room = len(asked) if key in page.shown.unfolded else 3 if page.height >= _LOW else 2
    below = len(asked) - room
    title = joined(text("Questions", f"bold {FOCUS}"), text(f" {len(asked)}", DIM))
    yield _rule(title, f"{below} more" if below > 0 else "", page, key)
    ids = max(len(item.id) for _, _, item in asked)
    for section, place, item in asked[:room]:
        yield from _question(page, section, place, item, ids)


def _unused_values(page: Page) -> Iterator[Row]:
    """Yield the values of the goal that the plan does not have, each with what it can be made."""
    if page.unused:
        yield _rule(text(unused_values_text(page.unused), DIM), "", page)
    for chip in page.unused:
        for meaning in chip.meanings:
            words = cut(text(f"  {chip.told} is {meaning.label}"), page.width - 7)
            yield Row((spread(words, text("[use]", DIM), page.width),), key=f"{USE}{meaning.command}")


QUESTIONS = "place:questions:0"


def _question(page: Page, section: Section, place: int, item: Question, ids: int) -> Iterator[Row]:
    key = f"place:{section.id}:{first_block(section) + place}"
    offers = [("[answer]", ANSWER), ("[not needed]", NOT_NEEDED)][: 2 if page.width >= 90 else 1]
    asked = f"  {clean_name(item.owner, 20)}" if item.owner else ""
    right = "  ".join(label for label, _ in offers)
    start = page.width - len(right)
    cells = [Cell("question", 0, start)]
    for label, kind in offers:
        cells.append(Cell(f"{kind}{item.id}", start, start + len(label)))
        start += len(label) + 2
    words = " ".join(clean(item.text).split())
    left = joined(
        mark_of(item, key, page.shown), text(f"{clean_name(item.id, 8):<{ids}} ", DIM), words, text(asked, DIM)
    )
    line = spread(left, text(right, DIM), page.width)
    more = tuple(more_of(item, page.width)) if key in page.shown.unfolded else ()
    is_marked = item.id in page.shown.findings
    yield Row((line, *more), key=key, is_marked=is_marked, cells=tuple(cells), is_fixed=True)
    yield from note_rows([note for note in page.noted if note.place.section == section.id], key, page.width)


# --- the other parts --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Part:
    """A part of the plan that is a line until it is unfolded."""

    key: str
    title: str
    count: int
    told: Content
    in_short: str = ""
    """What is after its name where it shares a line with others."""


def _parts(page: Page) -> Iterator[Row]:
    """Yield every other part: each on a line of its own if there is room, else as many as have room on one."""
    parts = list(_all_parts(page))
    if not parts:
        return
    yield _rule("", "", page)
    is_roomy = page.height >= _LOW
    longest = max(text(part.title).cell_length for part in parts)
    named = min(max(longest, _NAME), _LONGEST_NAME)
    line: list[_Part] = []
    for part in parts:
        is_open = part.key in page.shown.unfolded or _notes_on(page, part)
        if not is_roomy and not is_open:
            if line and _width([*line, part], page) > page.width:
                yield _shared(line, page)
                line = []
            line.append(part)
            continue
        if line:
            yield _shared(line, page)
            line = []
        yield _part_row(part, page, named, is_open=is_open)
        if is_open:
            yield from _opened(part, page)
    if line:
        yield _shared(line, page)


def _notes_on(page: Page, part: _Part) -> bool:
    name = part.key.removeprefix("place:").removesuffix(":0")
    return any(note.place.section == name for note in page.noted)


def _all_parts(page: Page) -> Iterator[_Part]:
    for section in page.plan.sections:
        rest = [item for item in section.items if not isinstance(item, Step | Question)]
        if not rest and not section.text.strip() and section.items:
            continue
        items = " · ".join(f"{item.id} {wording(item)}" for item in rest)
        words = " ".join(_MARKUP.sub("", clean(section.text or items)).split())
        yield _Part(f"place:{section.id}:0", called(section), len(rest), text(words))
    told = page.shown.told
    if told is not None:
        from workbench.export.figures import money_lines

        money = " · ".join(map(clean_name, money_lines(told)))
        people = ", ".join(clean_name(person.name, 40) for person in told.people)
        if money or people:
            words = " · ".join(filter(None, (money, people)))
            yield _Part(MONEY, "Money, people" if money else "People, load", 0, text(words), money)
    if page.said:
        yield _Part(SAID, "You said", len(page.said), text(statements_in_short(page.said)))


_MARKUP = lazy_pattern(r"\*|^ *> ?", re.MULTILINE)  # what is not shown of the Markdown of a part in a line


def _part_row(part: _Part, page: Page, named: int, *, is_open: bool) -> Row:
    marks = page.shown.marks
    mark = text(f"{marks.unfolded if is_open else marks.folded} ", DIM)
    name = filled(text(part.title, f"bold {FOCUS}"), named)
    count = f"{part.count or '':>3}  "
    line = joined(mark, name, text(count, DIM), Content() if is_open else part.told)
    return Row((cut(line, page.width),), key=part.key, is_fixed=True)


def _label(part: _Part, marks: Marks) -> Content:
    counted = part.in_short or (str(part.count) if part.count else "")
    label = joined(text(f"{marks.folded} ", DIM), text(part.title, f"bold {FOCUS}"))
    return joined(label, text(f" {counted}", DIM)) if counted else label


def _width(parts: Sequence[_Part], page: Page) -> int:
    return sum(_label(part, page.shown.marks).cell_length + 3 for part in parts) - 3


def _shared(parts: Sequence[_Part], page: Page) -> Row:
    line = Content()
    cells: list[Cell] = []
    for part in parts:
        line = joined(line, "   ") if cells else line
        label = _label(part, page.shown.marks)
        cells.append(Cell(part.key, line.cell_length, line.cell_length + label.cell_length))
        line = joined(line, label)
    return Row((cut(line, page.width),), cells=tuple(cells), is_fixed=True)


def _opened(part: _Part, page: Page) -> Iterator[Row]:
    width = page.width
    if part.key == SAID:
        rows: Iterator[Row] = account_rows(page.said, width, page.plan)
    elif part.key == MONEY and page.shown.told is not None:
        rows = costs_and_people(page.shown.told, width)
    else:
        rows = _section(part, page)
    for row in rows:
        yield Row(row.lines, key=row.key, is_marked=row.is_marked, is_fixed=True)
    yield Row((Content(),), is_fixed=True)


def _section(part: _Part, page: Page) -> Iterator[Row]:
    section = page.plan.section(part.key.split(":")[1])
    if section is None:
        return
    notes = [note for note in page.noted if note.place.section == section.id]
    yield from note_rows(notes, part.key, page.width)
    for row in section_rows(section, page.width, page.shown):
        if row.key != part.key:
            yield row
            yield from note_rows(notes, row.key, page.width)


def statements_in_short(accounts: Sequence[Account]) -> str:
    """Return in a line what became of what the person said."""
    waiting, used = sum(account.is_open for account in accounts), sum(one.state == "used" for one in accounts)
    return f"{used} used" + (
        f" · {waiting} not used yet" if waiting else ", none open" if used == len(accounts) else ""
    )


def account_rows(accounts: Sequence[Account], width: int, plan: Plan | None = None) -> Iterator[Row]:
    """Yield the statements of a session, those that are not used yet first."""
    from workbench.export.statements import became

    for one in sorted(accounts, key=lambda one: not one.is_open):
        head = text(f"{'?' if one.is_open else ' '} {one.statement.id:<4} ", "bold" if one.is_open else DIM)
        said = hung(head, clean(" ".join(one.statement.text.split())), width)
        told = barred(Content(" " * head.cell_length), clean(became(one, plan)), width, DIM)
        lines = tuple(cut(line, width) for line in (*said, *told))
        yield Row(lines, key=f"statement:{one.statement.id}", is_marked=one.is_open)
