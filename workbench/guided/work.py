"""The steps of a plan while it is put together: what needs what by key, before ids and dates are given."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from workbench.domain.plan.plan import Effort, Money, Origin, Step
from workbench.domain.plan.schedule import WorkTimes, schedule
from workbench.domain.text.words import stems
from workbench.guided import patterns
from workbench.guided.brief import Brief
from workbench.guided.cores import Core, CoreApproach, CoreStep
from workbench.guided.phrases import begins_with_a_verb

YOU = "You"


@dataclass(frozen=True, slots=True)
class Work:
    """A step to be."""

    key: str
    title: str
    origin: Origin
    outcome: str = ""
    check: str = ""
    owner: str = YOU
    effort: Effort | None = None
    wait: float | None = None
    needs: tuple[str, ...] = ()
    lead: int | None = None
    """Days before the day that it has to be done by."""
    day: bool = False
    """Whether it is what the goal is for."""
    on: str | None = None
    deadline: str | None = None
    not_before: str | None = None
    cost: Money | None = None
    early: bool = False
    """Whether it is settled before the work begins, where nothing else says when."""
    keeps: str = ""
    answers: tuple[str, ...] = field(default=())

    @property
    def words(self) -> frozenset[str]:
        """Telling words of all that it says."""
        return frozenset(stems(f"{self.title} . {self.outcome} . {self.check}"))

    @property
    def is_unknown(self) -> bool:
        """Whether nobody knows how long it takes."""
        return self.effort is None and self.wait is None and self.on is None

    @property
    def has_a_place(self) -> bool:
        """Whether its words say when it begins: on a day, after a step, or at once, as somebody takes time."""
        asks_somebody = self.wait is not None and patterns.WAITS.search(self.title) and begins_with_a_verb(self.title)
        return bool(self.needs or self.on or self.not_before or asks_somebody)


def core_work(core: Core, approach: CoreApproach | None, brief: Brief) -> list[Work]:
    """Return the steps of a core in the goal's words; what the goal gives no reason for is left out."""
    steps = ((key, core.steps[key]) for key in core.way(approach))
    keys = [
        key for key, step in steps if not brief.has_said(step.unless) and (not step.only or brief.has_said(step.only))
    ]
    return [_from_core(core, key, standing_needs(key, core, keys), brief) for key in keys]


def _from_core(core: Core, key: str, needs: tuple[str, ...], brief: Brief) -> Work:
    step: CoreStep = core.steps[key]
    return Work(
        key=key,
        title=brief.fill(step.title),
        origin=Origin("practice", f"{core.id}/{key}"),
        outcome=brief.fill(step.out),
        check=brief.fill(step.check),
        owner=step.owner or YOU,
        effort=Effort(*step.days) if step.days else None,
        wait=step.wait,
        needs=needs,
        lead=step.lead if core.event else None,
        day=step.day,
        keeps=step.keeps,
    )


def standing_needs(key: str, core: Core, keys: Collection[str]) -> tuple[str, ...]:
    """Return what a step needs; for one that is left out, what that one needed; nothing that another one needs."""

    def standing(need: str) -> frozenset[str]:
        return frozenset({need}) if need in keys else frozenset().union(*map(standing, core.steps[need].needs))

    def before(need: str) -> frozenset[str]:
        return frozenset().union(*(standing(one) | before(one) for one in core.steps[need].needs))

    needed = frozenset().union(*map(standing, core.steps[key].needs))
    implied = frozenset().union(*map(before, needed))
    return tuple(one for one in core.steps if one in needed - implied)


def main_step(work: Sequence[Work]) -> Work | None:
    """Return the step that all is for: the one on the day, else the last."""
    return next((one for one in work if one.day), work[-1] if work else None)


def before_main(work: Sequence[Work], new: Work) -> list[Work]:
    """Return the steps with one more that the main step waits for."""
    main = main_step(work)
    if main is None:
        return [new]
    at = list(work).index(main)
    return [*work[:at], new, replace(main, needs=(*main.needs, new.key)), *work[at + 1 :]]


def best_match(words: str, work: Sequence[Work], *, least: int) -> Work | None:
    """Return the step that shares most telling words with a text, at least so many; None for none."""
    said = frozenset(stems(words))

    def shared(step: Work) -> int:
        return len(said & step.words) + len(said.intersection(stems(step.title)))

    best = max(work, key=shared, default=None)
    return best if best and len(said & best.words) >= min(least, max(1, len(said))) else None


def steps_of(work: Sequence[Work]) -> tuple[Step, ...]:
    """Return the steps with ids in their order."""
    ids = {one.key: f"S{number}" for number, one in enumerate(work, 1)}
    return tuple(
        Step(
            id=ids[one.key],
            title=one.title,
            outcome=one.outcome,
            check=one.check,
            owner=one.owner,
            effort=one.effort,
            waiting=one.wait,
            needs=tuple(ids[need] for need in dict.fromkeys(one.needs) if need in ids),
            on=one.on,
            deadline=one.deadline,
            not_before=one.not_before,
            cost=one.cost,
            answers=one.answers,
            origin=one.origin,
        )
        for one in work
    )


def unknown_after(work: Sequence[Work], loose: Collection[str] = ()) -> frozenset[str]:
    """Return the keys of steps whose end nobody knows: no estimate, or no place in time, for them or what they need."""
    unknown = {one.key for one in work if one.is_unknown or one.key in loose}
    return _with_what_follows(unknown, [one for one in work if one.on is None])


def needing(work: Sequence[Work], key: str) -> frozenset[str]:
    """Return the keys of the steps that come after one."""
    return _with_what_follows({one.key for one in work if key in one.needs}, work)


def _with_what_follows(keys: set[str], work: Sequence[Work]) -> frozenset[str]:
    """Return keys of steps, and of all the steps that need them, directly or not."""
    found, news = set(keys), keys
    while news:
        news = {one.key for one in work if not news.isdisjoint(one.needs)} - found
        found |= news
    return frozenset(found)


def with_leads(work: Sequence[Work], known: Sequence[Work], day: date, start: date, times: WorkTimes) -> list[Work]:
    """Return the steps of an event with the days they have to be done by, none earlier than it can be."""
    rows = schedule(steps_of(known), start=start, deadline=None, times=times).rows
    early = {one.key: row.end for one, row in zip(known, rows, strict=True)}
    return [
        replace(one, deadline=max(day - timedelta(days=one.lead), early[one.key]).isoformat())
        if one.lead is not None and one.on is None and early.get(one.key, date.max) <= day
        else one
        for one in work
    ]
