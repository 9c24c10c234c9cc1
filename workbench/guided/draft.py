"""A plan while it is put together: steps, limits, people, and which facts they act on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from workbench.domain.facts.ledger import Stated
from workbench.domain.plan.plan import (
    Bullet,
    Constraint,
    ConstraintKind,
    Criterion,
    Days,
    DaysOff,
    Money,
    Origin,
    OriginKind,
    Person,
    Step,
)
from workbench.domain.text.cleaning import shorten
from workbench.domain.text.words import stems
from workbench.guided import patterns
from workbench.guided.brief import Brief
from workbench.guided.phrases import capital, sentence, sentences
from workbench.guided.work import YOU, Work, main_step

_SOURCES: dict[str, OriginKind] = {"g": "goal", "A": "answer", "F": "feedback"}


def origin_of(stated: Stated) -> Origin:
    """Return the origin of an item that acts on a fact."""
    return Origin(_SOURCES.get(stated.source[:1], "goal"), stated.id)


@dataclass
class Draft:
    """What the parts of the composition add to; nothing of it outlives ``compose``."""

    brief: Brief
    imported: tuple[Step, ...] = ()
    """Steps of a proposal, which stand in place of a core's."""
    work: list[Work] = field(default_factory=list)
    constraints: list[Constraint] = field(default_factory=list)
    criteria: list[Criterion] = field(default_factory=list)
    people: dict[str, Person] = field(default_factory=dict)
    days_off: list[DaysOff] = field(default_factory=list)
    notes: list[Bullet] = field(default_factory=list)
    """What the person said or answered that no field has room for."""
    acted: set[str] = field(default_factory=set)
    """Ids of facts that an item acts on."""
    besides: dict[int, list[tuple[str, Stated]]] = field(default_factory=dict)
    """Parts of the goal that became nothing else, by the place of their sentence."""
    unsettled: list[str] = field(default_factory=list)
    """What the goal says is not known or decided yet."""
    untold: list[str] = field(default_factory=list)
    """What the goal asks for, and of which no told step speaks."""
    unplaced: set[str] = field(default_factory=set)
    """Answers of which a part became nothing else: they are kept as they are."""
    steps_of_facts: list[tuple[Stated, str]] = field(default_factory=list)
    """Parts of sentences, each with the key of the step that it became."""

    @property
    def practice(self) -> list[Work]:
        """The steps that are not in the person's own words."""
        return [one for one in self.work if one.origin.kind == "practice"]

    def put(self, work: Work, **fields: Any) -> None:
        """Set fields of a step."""
        self.work = [replace(one, **fields) if one.key == work.key else one for one in self.work]

    def rename(self, work: Work, title: str) -> None:
        """Set the title of a step."""
        self.put(work, title=shorten(capital(" ".join(title.split())), 160))

    def answer(self, work: Work, limit: Constraint) -> None:
        """Let a step keep a limit."""
        now = next(one for one in self.work if one.key == work.key)
        self.put(now, answers=(*now.answers, limit.id))

    def credit(self, work: Work, stated: Stated) -> None:
        """Write down that a step of the core does what a fact asks for."""
        origin = Origin(work.origin.kind, f"{work.origin.source} {stated.id}", work.origin.confirmed_by)
        self.put(work, origin=origin)
        self.steps_of_facts.append((stated, work.key))
        self.acted.add(stated.id)

    def credit_main(self, stated: Stated) -> None:
        """Write down that all of the plan answers what asks for one."""
        if main := main_step(self.work):
            self.put(main, origin=Origin(main.origin.kind, f"{main.origin.source} {stated.id}"))

    def limit(
        self,
        text: str,
        stated: Stated,
        limits: ConstraintKind | None,
        *,
        day: str | None = None,
        amount: Money | None = None,
    ) -> Constraint:
        """Add a constraint that a fact sets."""
        limit = Constraint(
            id=f"K{len(self.constraints) + 1}",
            text=capital(shorten(text, 200)),
            limits=limits,
            day=day,
            amount=amount,
            origin=Origin(
                _SOURCES.get(stated.source[:1], "goal"), " ".join([stated.id, *self.brief.stands_for(stated)])
            ),
        )
        self.constraints.append(limit)
        self.acted.add(stated.id)
        return limit

    def date_limit(self, stated: Stated) -> bool:
        """Give a day to the limit that has its words; False where there is none."""
        for at, limit in enumerate(self.constraints):
            if stated.fact.text in limit.text and limit.day is None and stated.fact.role != "period":
                day = stated.fact.value.limit or stated.fact.value.first
                self.constraints[at] = msgspec.structs.replace(limit, day=day)
                self.acted.add(stated.id)
                return True
        return False

    def give_amount(self, stated: Stated, money: Money) -> None:
        """Give a sum to the limit that has its words, where it is the only one in it."""
        for at, limit in enumerate(self.constraints):
            sums = [one for one in self.brief.of("amount") if one.fact.value.currency and one.fact.text in limit.text]
            is_whole = not patterns.EACH.search(self.brief.near(stated)) and not patterns.WISHES.search(limit.text)
            if sums == [stated] and limit.amount is None and is_whole:
                self.constraints[at] = msgspec.structs.replace(limit, limits="amount", amount=money)

    def measure(self, text: str, measure: str, target: str, origin: Origin) -> None:
        """Add a criterion."""
        due = self.brief.deadline.isoformat() if self.brief.deadline else None
        new = Criterion(id="", text=capital(text), measure=measure, target=target, due=due, origin=origin)
        self.criteria.append(new)

    def note(self, text: str, origin: Origin) -> None:
        """Keep what no field has room for."""
        self.notes.append(Bullet(id=f"B{len(self.notes) + 1}", text=sentence(text), origin=origin))

    def know(
        self,
        name: str,
        stated: Stated,
        *,
        hours: float | None = None,
        away: Days | None = None,
        weekdays: tuple[int, ...] = (),
    ) -> None:
        """Know somebody's hours, weekdays or days away; who owns the steps has to be known too, then."""
        for one in (YOU, name):
            self.people.setdefault(one, Person(id=f"P{len(self.people) + 1}", text=one, origin=origin_of(stated)))
        person = self.people[name]
        self.people[name] = msgspec.structs.replace(
            person,
            hours=hours if hours is not None else person.hours,
            away=(*person.away, away) if away else person.away,
            weekdays=weekdays or person.weekdays,
            origin=origin_of(stated),
        )
        self.acted.add(stated.id)

    def covers(self, text: str) -> Work | None:
        """Return the step that the person told and that says what a text says, in other words."""
        said = frozenset(stems(text))
        told = (one for one in self.work if one.key.startswith("told-"))
        shared = ((len(said.intersection(stems(one.title))), one) for one in told)
        return next((one for count, one in shared if count > 1 or 2 * count > len(said)), None)

    def note_besides(self, part: str, stated: Stated) -> None:
        """Keep a part of the goal that became nothing else; what is left of a sentence is one note."""
        text = self.brief.goal
        start = next((start for start, end in sentences(text) if start <= stated.fact.start < end), 0)
        self.besides.setdefault(start, []).append((part, stated))
        self.acted |= set(stated.id.split())

    def add_besides(self) -> None:
        """Add what is left of each sentence of the goal as a note."""
        for left in self.besides.values():
            for text, stated in left:
                if (work := self.covers(text)) is not None:
                    self.credit(work, stated)
            said = (text for text, _ in left if text.casefold() not in self.brief.title.casefold())
            words = ", ".join(text for text in said if self.covers(text) is None)
            if stems(words):
                source = " ".join(dict.fromkeys(one for _, stated in left for one in stated.id.split()))
                self.note(words, Origin("goal", source))
        self.besides.clear()

    def step_near(self, stated: Stated) -> Work | None:
        """Return the step that the part of a sentence with a figure became."""
        for part, key in reversed(self.steps_of_facts):
            if part.source == stated.source and part.fact.start <= stated.fact.start < part.fact.end:
                return next((one for one in self.work if one.key == key), None)
        return None

    def left(self) -> tuple[Stated, ...]:
        """Return the facts that nothing acts on, without those inside words that stand in the plan as they are."""
        kept = (one for one in self.brief.facts if one.id not in self.acted and not self.is_quoted(one))
        return tuple(one for one in kept if one.fact.type == "unread" or not self.is_noted(one))

    def is_quoted(self, stated: Stated) -> bool:
        """Tell whether a fact stands in what is wanted, or in the person's words that a step has."""
        text, main = stated.fact.text.casefold(), self.brief.main
        if main and main.source == stated.source and main.fact.start <= stated.fact.start < main.fact.end:
            return True
        return any(text in one.title.casefold() for one in self.work if one.origin.kind != "practice")

    def is_noted(self, stated: Stated) -> bool:
        """Tell whether a fact stands in words that are kept as a note or a limit."""
        kept = [*(one.text for one in self.notes), *(one.text for one in self.constraints)]
        return any(" ".join(stated.fact.text.casefold().split()) in text.casefold() for text in kept)

    def stands_alone(self, stated: Stated) -> bool:
        """Tell whether a figure stands between commas, and nothing says what it is for."""
        text = self.brief.text_of(stated.source)
        is_alone = patterns.STANDS_ALONE.search(text[: stated.fact.start]) is not None
        return is_alone and patterns.ENDS.match(text, stated.fact.end) is not None

    def is_kept(self, stated: Stated) -> bool:
        """Tell whether a fact stands in a limit that has the person's words."""
        if self.stands_alone(stated):
            return False
        return any(
            stated.fact.text.casefold() in one.text.casefold()
            for one in self.constraints
            if one.origin is not None and one.origin.source != stated.id
        )


def with_ids(criteria: Sequence[Criterion]) -> tuple[Criterion, ...]:
    """Return criteria with ids in their order."""
    return tuple(msgspec.structs.replace(one, id=f"C{number}") for number, one in enumerate(criteria, 1))
