"""A plan: sections with stable ids, made of prose and of items that can be checked.

    Plan ─▶ Section ─▶ text      Markdown prose
                    └▶ items     Criterion · Constraint · Step · Risk · Decision · Question · Bullet

A section is the unit of amendment: what a piece of feedback does not concern stays byte-identical. Items have ids that
are stable through every version (``S3`` stays ``S3`` when ``S2`` is removed) and are never given to something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Literal

import msgspec

from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.values.calendar_words import plannable_day


class Effort(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A three-point estimate in working days (PERT: expected = (low + 4 × likely + high) / 6)."""

    low: float
    likely: float
    high: float

    @property
    def expected(self) -> float:
        """Working days to plan with."""
        return (self.low + 4 * self.likely + self.high) / 6


class Lag(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Time between the end of a step that is needed and the beginning of the one that needs it."""

    step: str
    """The step that is needed."""
    days: float
    elapsed: bool = False
    """Whether days of the calendar are meant."""
    hours: bool = False
    """Whether whole days of it are counted by the clock."""


class Money(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An amount of money; exact."""

    amount: Decimal
    currency: str
    """ISO 4217, as EUR."""


LONGEST_SPAN = 3_660
"""Days that a stretch of days off can have."""


class Days(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Days from the first to the last, both included."""

    first: str
    """ISO date."""
    last: str

    def __iter__(self) -> Iterator[date]:
        """Yield each day. Raises ValueError for what is no date, for none, and for more than ten years."""
        first, last = plannable_day(self.first), plannable_day(self.last)
        if first is None or last is None or not 0 <= (last - first).days < LONGEST_SPAN:
            raise ValueError(f"{self.first} to {self.last}")
        return (first + timedelta(days=n) for n in range((last - first).days + 1))


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Days that come again, as RFC 5545 counts them. They are kept as a rule, and never as the days it comes to."""

    every: Literal["day", "week", "month", "year"]
    first: str
    """ISO date of the first."""
    interval: int = 1
    """Every so many of these."""
    weekdays: tuple[int, ...] = ()
    """1 for Monday to 7 for Sunday. () for the weekday of the first. Of a month the one of the first: it comes on the
    first, second … such weekday, as that is."""
    until: str | None = None
    """ISO date after which none comes. None for no end."""
    length: int = 1
    """Days that each lasts."""


class Capacity(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How much somebody works in a period."""

    hours: float
    """Hours a week."""
    first: str | None = None
    """ISO date. None from the beginning."""
    last: str | None = None
    """ISO date, included. None to the end."""
    decision: str = ""
    """The decision that consents to it, where it is more than the person's own."""

    @property
    def is_of_a_day(self) -> bool:
        """Whether it is one day's: then it holds whatever the calendar says of that day."""
        return self.first is not None and self.first == self.last


class Progress(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much of a step is done: 5 of 8, or a share as 0.9 of 1."""

    done: float
    of: float = 1.0


class Option(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Something that can be decided."""

    text: str
    amount: Money | None = None


OriginKind = Literal[
    "goal", "answer", "feedback", "person", "file", "session", "shared", "lesson", "research", "practice", "finding",
    "calculated", "assumed", "model",
]  # fmt: skip
"""Where a line comes from; ``person`` is an edit by hand."""


class Origin(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where an item comes from, and who stands for it."""

    kind: OriginKind
    source: str = ""
    """Which one: ``F2``, ``notes.md:12``, a session, a card, a rule."""
    confirmed_by: str = ""
    """Who said that it is right; "" for nobody."""


class _Item(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="type"
):
    id: str
    """A letter and a number: C criterion, K constraint, S step, R risk, D decision, Q question, B bullet, P person,
    W working time, H days off, M fund, L place, T row of a timetable."""
    origin: Origin | None = None
    """None where nobody recorded it: plans of older sessions."""
    causes: tuple[str, ...] = ()
    """What it is there for, by id: statements, findings, file lines, lessons."""


class Criterion(_Item, frozen=True, kw_only=True, tag="criterion"):
    """A success criterion in the SMART sense: how it is measured, against which target, until when."""

    text: str
    measure: str = ""
    target: str = ""
    due: str | None = None
    """ISO date. None where the criterion holds throughout."""


ConstraintKind = Literal["date", "amount", "exclusion", "approval", "quality", "rule"]
PlanDay = Literal["", "deadline", "goal-day"]


class Constraint(_Item, frozen=True, kw_only=True, tag="constraint"):
    """Something that must hold: a limit of time, money, quality, law, or a person's word."""

    text: str
    limits: ConstraintKind | None = None
    """What it limits. A check can test it then. None where nobody said."""
    amount: Money | None = None
    """The most that may be spent."""
    day: str | None = None
    """ISO date: the last day, or the day itself."""
    last: str | None = None
    """ISO date: the last day of a range that begins on ``day``. None where it is none."""
    sets: PlanDay = ""
    """Which day of the whole plan it is: by which all is done, or the one it is for. "" for neither."""

    @property
    def by(self) -> str | None:
        """ISO date by which it has to be met."""
        return self.last or self.day

    @property
    def is_dated(self) -> bool:
        """Whether it limits time, as one that sets the plan's day does without saying so."""
        return self.limits == "date" or (self.limits is None and self.sets != "")


Status = Literal["todo", "under-way", "waiting", "done", "dropped"]


class Step(_Item, frozen=True, kw_only=True, tag="step"):
    """A work package of the work breakdown structure."""

    title: str
    outcome: str = ""
    """What exists when it is done."""
    check: str = ""
    """How somebody else can tell that it is done."""
    owner: str = ""
    """A role or a person."""
    also: tuple[str, ...] = ()
    """Further owners. The first owner's time says when it begins, all owners' with a ``mode``; all do a part of it."""
    effort: Effort | None = None
    each: bool = False
    """Whether every owner has the whole effort; else they share it. They do in equal parts, and it takes so much less
    long."""
    duration: float | None = None
    """Working days from the first to the last, where they are more than the work; None for as long as the work takes.
    They are the plan's, both included. Further days on which its owner works count, too, none on which the owner is
    away. The work takes whatever minutes of its owner are free on these days, and leaves the others."""
    duration_elapsed: bool = False
    """Whether these are days of the calendar, days off among them."""
    needs: tuple[str, ...] = ()
    """Steps that must be finished before."""
    lags: tuple[Lag, ...] = ()
    """How long after some of these it can begin. It can at once after the others."""
    not_before: str | None = None
    """ISO date."""
    on: str | None = None
    """ISO date: it begins on this day and no other. It does whatever the calendar says; a day's work and less ends on
    it."""
    hours: str = ""
    """Hours of that day, as ``02:00-06:00``. "" for the whole of it. Nobody can be at two steps whose hours overlap."""
    deadline: str | None = None
    """ISO date: the last day it may end on."""
    milestone: bool = False
    """Whether it takes no time: something is reached, or happens."""
    waiting: float | None = None
    """Days of the calendar in which nobody works: a delivery, a notice. The first is the day after
    what it needs ends, or its own day; what needs it can begin when the last is over."""
    waits_working: bool = False
    """Whether these are working days."""
    waits_hours: bool = False
    """Whether it is hours of the clock. They begin at the minute at which what it needs ends."""
    mode: Literal["", "together", "alone"] = ""
    """together: all owners at once; alone: and nothing beside it. On one day where it takes a day or less; nothing else
    in its whole duration. "": beside other work, if there is time."""
    splits: bool = False
    """Whether the work may be interrupted."""
    priority: Literal["", "high", "low"] = ""
    repeat: Rule | None = None
    """When it comes again."""
    place: str = ""
    """Id of the place. A name is read, too; nothing is done there while it is closed."""
    decisions: tuple[str, ...] = ()
    """Decisions without which it cannot begin. It begins on the day after the latest day of each, or later."""
    condition: str = ""
    """Only if this happens. "" for always. It is dated, and moves no other step, load or end."""
    no_return: bool = False
    """Whether there is no way back after it."""
    parent: str = ""
    """The step that it is a part of; parts have no parts."""
    cost: Money | None = None
    cost_kind: str = ""
    """What the money is for: rent, travel, licences."""
    fund: str = ""
    """Who pays it. "" for the one that is the whole budget, or where nobody said."""
    basis: Literal["", "quote", "price", "estimate"] = ""
    """What the cost rests on."""
    optional: bool = False
    """Whether the cost can be left out."""
    not_covered: bool = False
    """Whether no fund pays it."""
    status: Status = "todo"
    started: str | None = None
    """ISO date, as it happened."""
    finished: str | None = None
    """ISO date, as it happened."""
    left: float | None = None
    """Working days that are left of a step under way; None where nobody said."""
    progress: Progress | None = None
    """How much is done; None where nobody said."""
    other: dict[str, str] = {}
    """Fields of the tool that it came from which no field here holds, by their names there."""
    tags: tuple[str, ...] = ()
    notes: str = ""
    start: str | None = None
    """ISO date; None when not scheduled."""
    end: str | None = None
    """ISO date, inclusive."""
    workstream: str = ""
    answers: tuple[str, ...] = ()
    """Ids of constraints (K…), criteria (C…), facts (G…) and feedback (F…) that this step answers."""

    @property
    def owners(self) -> tuple[str, ...]:
        """All who do it, the first of them first."""
        return tuple(filter(None, (self.owner, *self.also)))

    def __hash__(self) -> int:  # ``other`` has no hash, and calculations are cached by plan
        return hash((self.id, self.title, self.owner, self.effort, self.needs, self.status, self.start, self.end))


Level = Literal["low", "medium", "high"]
LEVELS: tuple[Level, ...] = ("low", "medium", "high")
"""The same, the least first."""


class Risk(_Item, frozen=True, kw_only=True, tag="risk"):
    """A row of the risk register, found by imagining that the plan has failed (pre-mortem, Klein 2007)."""

    text: str
    likelihood: Level = "medium"
    impact: Level = "medium"
    sign: str = ""
    """What would be noticed first."""
    response: str = ""
    """What is done about it, and by when."""
    answers: tuple[str, ...] = ()


class Decision(_Item, frozen=True, kw_only=True, tag="decision"):
    """What was decided, why, and what it rules out."""

    text: str
    reason: str = ""
    answers: tuple[str, ...] = ()
    owner: str = ""
    """Who decides. "" for what is decided, which has no latest day either."""
    latest: str | None = None
    """ISO date: the last day on which it can be decided. None for what is decided, or has no such day."""
    options: tuple[Option, ...] = ()
    assumed: str = ""
    """What the plan assumes until then."""
    advice: str = ""
    choice: str = ""
    """What a person chose, in its words, which end the text; then it is decided, whoever decides; "" for no choice."""

    @property
    def is_open(self) -> bool:
        """Whether it has still to be taken: somebody is to decide, or by a day, and nothing is chosen."""
        return not self.choice and bool(self.owner or self.latest)

    @property
    def open_until(self) -> str | None:
        """The last day on which it can be decided; None for what is decided, or has no such day."""
        return None if self.choice else self.latest


class Question(_Item, frozen=True, kw_only=True, tag="question"):
    """What is not known yet, who can say, and what the plan assumes until then."""

    text: str
    assumption: str = ""
    owner: str = ""


class Bullet(_Item, frozen=True, kw_only=True, tag="bullet"):
    """Any other line that wants an id: scope, assumptions, notes."""

    text: str
    priority: Literal["must", "should", "could", "won't"] | None = None
    """MoSCoW, of scope only. None elsewhere."""
    answers: tuple[str, ...] = ()


class Person(_Item, frozen=True, kw_only=True, tag="person"):
    """Somebody who works on the plan, by name or role; one person does one thing at a time."""

    text: str
    """The name, as steps give it for their owner."""
    role: str = ""
    hours: float | None = None
    """Hours a week. None for the plan's own working time."""
    weekdays: tuple[int, ...] = ()
    """1 for Monday to 7 for Sunday. () for the plan's own."""
    away: tuple[Days, ...] = ()
    capacity: tuple[Capacity, ...] = ()
    """Other hours a week in some periods. A later one goes before an earlier one."""
    away_again: tuple[Rule, ...] = ()
    """Absences that come again."""

    @property
    def has_time(self) -> bool:
        """Whether it is said on which days, or how many hours, they work."""
        return bool(self.weekdays or self.capacity or self.hours is not None)


_ROLE = lazy_pattern(r",\s++(?=[a-zà-ž])|(?<!\s)\s++[(–—]")
"""Where a role follows a name: ``Ada Ruf, conductor``, ``Ada Ruf (conductor)``."""


@lru_cache(maxsize=4_096)  # it is asked for each owner of each step, again and again
def name_key(text: str) -> str:
    """Return the name that an owner or a person is known by: without the role, in one case."""
    return _ROLE.split(text.strip(), maxsplit=1)[0].casefold()


class WorkingTime(_Item, frozen=True, kw_only=True, tag="working-time"):
    """On which weekdays the plan's work happens, and from which end it is scheduled."""

    text: str = ""
    weekdays: tuple[int, ...] = (1, 2, 3, 4, 5)
    """1 for Monday to 7 for Sunday."""
    backward: bool = False
    """Whether every step is as late as the deadline allows. Else it is as early as possible."""
    hours: str = ""
    """When a day of work begins and ends, as ``09:00-17:00``."""
    target: float | None = None
    """Working days before the latest date that a plan scheduled backward aims at. As far as they can be kept; None for
    none."""


class DaysOff(_Item, frozen=True, kw_only=True, tag="days-off"):
    """Days on which nobody works: public holidays, or a time in which nothing may change."""

    text: str
    days: tuple[Days, ...] = ()
    country: str = ""
    """ISO 3166 code of public holidays, as DE-BY. "" for others."""
    again: tuple[Rule, ...] = ()
    """Days off that come again."""
    who: tuple[str, ...] = ()
    """People, or tags of steps, for whom they are off; () for everybody."""


class Fund(_Item, frozen=True, kw_only=True, tag="fund"):
    """Money that costs are paid from."""

    text: str
    limit: Money | None = None
    reserve: float | None = None
    """Share of the limit that is kept back, 0 to 1."""


class Place(_Item, frozen=True, kw_only=True, tag="place"):
    """Somewhere that is open at times; its days are calculated with, its hours are not."""

    text: str
    weekdays: tuple[int, ...] = ()
    """1 for Monday to 7 for Sunday; () for every day."""
    hours: str = ""
    """When it is open, as ``10:00-18:00``."""
    closed: tuple[Days, ...] = ()
    again: tuple[Rule, ...] = ()
    """Days on which it is closed that come again."""


class Row(_Item, frozen=True, kw_only=True, tag="row"):
    """A line of the timetable of a day that counts."""

    text: str
    """What is done."""
    day: str
    """ISO date."""
    time: str = ""  # or its hours, as 02:15-03:00: what models are told of it stays as it was
    """When it begins, as ``02:15``."""
    who: str = ""
    stop: str = ""
    """Under which condition it goes no further; "" for no stop point."""


Planned = Criterion | Constraint | Step | Risk | Decision | Question | Bullet | Row
"""Items that say what is planned."""
Resource = Person | WorkingTime | DaysOff | Fund | Place
"""Items that say what there is to plan with."""
Item = Planned | Resource
Answering = Step | Risk | Decision | Bullet
"""Items that can answer constraints, criteria, facts and feedback."""


class Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of a plan that is amended as a whole."""

    id: str
    """A slug, stable through all versions: goal, criteria, constraints, scope, approach, assumptions, steps, schedule,
    actions, risks, decisions, questions, notes, or any other."""
    title: str
    text: str = ""
    items: tuple[Item, ...] = ()


class Plan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A plan as a value; a version is a plan at a point of its session."""

    title: str
    sections: tuple[Section, ...] = ()

    def section(self, section_id: str) -> Section | None:
        """Return the section with this id, or None."""
        return next((section for section in self.sections if section.id == section_id), None)

    def item(self, item_id: str | None) -> Item | None:
        """Return the first item with this id, or None."""
        return next((item for item in self.items if item.id == item_id), None)

    @property
    def items(self) -> tuple[Item, ...]:
        """All items of all sections, in order."""
        return tuple(item for section in self.sections for item in section.items)

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps, in order."""
        return tuple(item for item in self.items if isinstance(item, Step))

    @property
    def conditional(self) -> frozenset[str]:
        """Ids of the steps that are done only if something happens, and of their parts."""
        some = {step.id for step in self.steps if step.condition}
        return frozenset(some | {step.id for step in self.steps if step.parent in some}) if some else frozenset()

    @property
    def people(self) -> tuple[Person, ...]:
        """Everybody whose time the plan knows."""
        return tuple(item for item in self.items if isinstance(item, Person))


def wording(item: Item) -> str:
    """Return what an item says first: the title of a step, the text of anything else."""
    return item.title if isinstance(item, Step) else item.text


def deadline_of(plan: Plan) -> date | None:
    """Return the day the plan is for: the one that is said to be it, else the plan's deadline; or None.

    Where nothing is said to be either, it is the last that a date constraint names, else the last on which a criterion
    is due that a step answers. When another criterion is measured says of no step by when it has to be done.
    """
    limits = [item for item in plan.items if isinstance(item, Constraint) and item.is_dated]
    for role in ("goal-day", "deadline", ""):
        days = (item.by for item in limits if item.sets == role)
        if (day := max(_days(days), default=None)) is not None:
            return day
    return max(_days(item.due for item in answered_criteria(plan)), default=None)


def answered_criteria(plan: Plan) -> tuple[Criterion, ...]:
    """Return the criteria that a step answers."""
    answers = {name for step in plan.steps if step.status != "dropped" for name in step.answers}
    return tuple(item for item in plan.items if isinstance(item, Criterion) and item.id in answers)


def end_of(plan: Plan) -> date | None:
    """Return the day by which all is done, as far as the plan says one; clearing up after its day included."""
    limits = (item for item in plan.items if isinstance(item, Constraint) and item.sets == "deadline")
    return max(_days(item.by for item in limits if item.is_dated), default=None)


def _days(texts: Iterable[str | None]) -> Iterator[date]:
    yield from filter(None, map(plannable_day, texts))  # of others, a check says that they are no dates


class Amendment(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A change to one section; sections that no amendment names stay as they are, byte for byte."""

    section: Section
    after: str | None = None
    """Id of the section behind which a new one is put; None: at the end. Ignored where the section exists."""
    remove: bool = False
    """Take the section out instead of putting it in."""


def amend(plan: Plan, amendments: tuple[Amendment, ...], *, title: str = "") -> Plan:
    """Return the plan with the amendments applied in order; an untouched section is the identical object."""
    sections = list(plan.sections)
    for amendment in amendments:
        place = next((i for i, section in enumerate(sections) if section.id == amendment.section.id), None)
        if amendment.remove:
            if place is not None:
                del sections[place]
        elif place is not None:
            sections[place] = amendment.section
        else:
            ids = [section.id for section in sections]
            at = ids.index(amendment.after) + 1 if amendment.after in ids else len(sections)
            sections.insert(at, amendment.section)
    return Plan(title=title or plan.title, sections=tuple(sections))
