"""Can the people do it: owners that the plan knows, who have time, and not for two things at once."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import timedelta
from heapq import heappop, heappush

from msgspec import Struct

from workbench.domain.loop.asking.tasks import Finding
from workbench.domain.plan.checks.case import Case, Severity, fault, has_no_hours, listed, quoted
from workbench.domain.plan.checks.dates import Reasons
from workbench.domain.plan.checks.tolerances import LACKING_MINUTES, LOAD, LOAD_HOURS, OVERLAPPING_MINUTES
from workbench.domain.plan.figures import figures
from workbench.domain.plan.markdown.fields import FIELDS, OTHER_LABELS
from workbench.domain.plan.markdown.reading import lines_about
from workbench.domain.plan.plan import DaysOff, Person, Row, Section, Step, name_key, wording
from workbench.domain.plan.scheduling.calendar import DAY, FULL_DAY, day_of, hours_of_day
from workbench.domain.plan.scheduling.load import monday, week_minutes
from workbench.domain.plan.scheduling.recurrence import whom
from workbench.domain.plan.scheduling.step_days import set_hours
from workbench.domain.plan.scheduling.step_work import LONG_DAY, is_meeting, share_of

MISSPELLED_NAME = 80
"""Similarity of two names, of 100, from which on one is taken for the other, misspelled."""


def owners_are_known(case: Case) -> Iterator[Finding]:
    """Find owners who are not among the people, if the plan lists those; a part of a name is enough.

    A misspelled name is a finding of its own; all others are one, because one repair adds them.
    """
    unknown: dict[str, list[Step]] = {}
    for section, step, owner, meant in _unknown(case):
        if meant:
            text = f"{step.id} belongs to {quoted(owner)}, and the people of the plan know only {quoted(meant)}."
            remedy = f"Write the owner of {step.id} as {meant}."
            yield fault("people.unknown", "major", (section, step), text, remedy)
        else:
            unknown.setdefault(owner, []).append(step)
    if unknown:
        told = listed([f"{quoted(owner)} ({listed([step.id for step in steps])})" for owner, steps in unknown.items()])
        verb, who = ("is", "the person") if len(unknown) == 1 else ("are", "them")
        text = f"{told} {verb} not among the people of the plan."
        first = next(iter(unknown.values()))[0]
        place = next((section, step) for section, step in case.every(Step) if step is first)
        yield fault("people.unknown", "minor", place, text, f"Add {who}, or name other owners.")


def unknown_owners(case: Case) -> tuple[str, ...]:
    """Return the owners who could be added to the people of a plan, each once."""
    return tuple(dict.fromkeys(owner for _, _, owner, meant in _unknown(case) if not meant))


def _unknown(case: Case) -> Iterator[tuple[Section, Step, str, str]]:
    """Yield open steps and owners who are not among the people, each with the person who is probably meant, or ""."""
    people = [person for _, person in case.every(Person)]
    is_told = any(person.has_time for person in people)  # else the people are no more than names
    owned = ((section, step, name.strip()) for section, step in case.every(Step) for name in step.owners)
    for section, step, owner in owned:
        if step.status in ("done", "dropped") or not people or not owner or _is_known(owner, people):
            continue
        meant = max(people, key=lambda person: _likeness(owner, person))
        if _likeness(owner, meant) >= MISSPELLED_NAME:
            yield section, step, owner, meant.text
        elif is_told and not step.milestone and step.waiting is None:
            yield section, step, owner, ""


def _likeness(owner: str, person: Person) -> float:
    from rapidfuzz import fuzz  # here: most owners are known

    return fuzz.ratio(owner.casefold(), name_key(person.text))


def _is_known(owner: str, people: list[Person]) -> bool:
    """Tell whether an owner is one of the people, some of them, or named by a part of the name or by the role."""
    said = _names(owner)
    return bool(said & _EVERYBODY) or any(
        (_names(person.text) and _names(person.text) <= said) or said <= _names(person.text) | _names(person.role)
        for person in people
    )


def _names(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W\d_]{2,}", text.casefold()))


_EVERYBODY = frozenset(
    ["all", "everybody", "everyone", "team", "both", "we", "us", "family", "group", "crew", "committee"]
)


def people_have_time(case: Case) -> Iterator[Finding]:
    """Find people with work and no hours."""
    open_steps = (step for step in case.plan.steps if case.is_work(step) and step.status != "done")
    owners = {name_key(owner) for step in open_steps for owner in step.owners}
    for section, person in case.every(Person):
        remedy = f"Correct the hours of {person.text}, or give the work to somebody else."
        if has_no_hours(person) and name_key(person.text) in owners:
            text = f"{person.id} {quoted(person.text)} owns steps and has no hour a week for them."
            yield fault("people.hours", "major", (section, person), text, remedy)


def times_are_read(case: Case) -> Iterator[Finding]:
    """Find what people are said to do or be, and nothing follows from: fields without a value, days off of nobody."""
    labels = {*FIELDS[Person], *OTHER_LABELS[Person]}
    for section, person in case.every(Person):
        for line in [*person.role.split("\n"), *lines_about(section, person)]:
            label, colon, value = line.partition(":")
            if colon and label in labels:
                text = f"{person.id} {quoted(person.text)} says {quoted(line)}, and no date or load follows from that."
                remedy = f"Write its days as 2027-02-01, and each value once: {value.strip()!r} cannot be read."
                yield fault("people.unread", "minor", (section, person), text, remedy)
    names = {name_key(person.text) for person in case.plan.people}
    known = names | {tag for step in case.plan.steps for tag in step.tags}
    for section, off in case.every(DaysOff):
        if unknown := [who for who in whom(off, names) if who not in known and name_key(who) not in names]:
            told = listed([quoted(who) for who in unknown])
            text = f"{off.id} {quoted(off.text)} is only for {told}: no person is called so, and no step has that tag."
            remedy = f"Name people of the plan or tags of its steps in {off.id}."
            yield fault("people.unread", "minor", (section, off), text, remedy)


class _Work(Struct, frozen=True, order=True):
    """A step as minutes of its owner's working time: when it can begin, when it has to end, how much it is."""

    first: int
    last: int
    minutes: int
    step: str


def nobody_does_two_things_at_once(case: Case) -> Iterator[Finding]:
    """Find people whose steps, at their dates, take more hours than they have.

    Worked off by whose dates end first (which fits whenever anything fits), some step is not done by its end. Parts of
    one step count once, waiting and milestones not at all.
    """
    places = {step.id: (section, step) for section, step in reversed(list(case.every(Step)))}
    told: set[tuple[str, str]] = set()
    for owner, works in _work_by_owner(case).items():
        for late, beside in _too_much(works):
            step, others = case.steps[late], [name for name in beside if name != late]
            if not others:
                continue
            names = " and ".join(others[:3])
            text = (
                f"{_name(step, owner)} is to do {late} {quoted(step.title)} at the same time as {names}, "
                "and does not have hours for all."
            )
            told |= {(owner, one) for one in (late, *others)}
            yield fault("people.busy", "major", places[late], text, f"Move {late}, or give it to somebody else.")
    for owner, day, steps, hours in _full_days(case):
        last = steps[-1]
        if any((owner, step.id) in told for step in steps):
            continue
        text = f"{_name(last, owner)} has {hours:.3g} hours of work on {day}: {listed([one.id for one in steps])}."
        remedy = f"Move {last.id}, let it last longer, or give it to somebody else."
        yield fault("people.busy", "major", places[last.id], text, remedy)
    for owner, first, second in _overlapping_hours(case):
        text = (
            f"{_name(second, owner)} is to do {second.id} {quoted(second.title)} on {second.on} at {second.hours}, "
            f"and {first.id} {quoted(first.title)} at {first.hours}."
        )
        remedy = f"Move {second.id} to other hours, or give it to somebody else."
        yield fault("people.busy", "major", places[second.id], text, remedy)


def _name(step: Step, owner: str) -> str:
    """Return an owner as the step names them."""
    return next(name for name in step.owners if name_key(name) == owner)


def _set_hours_by_owner(case: Case) -> dict[str, list[tuple[int, int, Step]]]:
    """Return the steps of each person that have hours on a fixed day, with their first minute and the one behind."""
    hours: dict[str, list[tuple[int, int, Step]]] = defaultdict(list)
    for step in case.plan.steps:
        if (span := set_hours(step)) and case.is_open_work(step):
            for owner in dict.fromkeys(map(name_key, step.owners)):
                hours[owner].append((*span, step))
    return hours


def _overlapping_hours(case: Case) -> Iterator[tuple[str, Step, Step]]:
    """Yield two steps of one person on fixed days whose hours overlap, the one that begins first before the other."""
    for owner, found in _set_hours_by_owner(case).items():
        found.sort(key=lambda one: one[:2])
        longest = found[0]
        for one in found[1:]:
            if min(one[1], longest[1]) - one[0] > OVERLAPPING_MINUTES:
                yield owner, longest[2], one[2]
            longest = max(longest, one, key=lambda two: two[1])


def rows_have_their_people(case: Case) -> Iterator[Finding]:
    """Find rows of a day whose person has another row or an appointment at that time, or does not work then.

    A row with a time alone takes none that is known; two that begin at once are two things at once all the same. What
    lies within the hours of a step, or has them within its own, is taken for a part of it.
    """
    reasons, appointments = Reasons(case), _set_hours_by_owner(case)
    set_days = ((step, day) for step in case.steps.values() if (day := day_of(step.on)))
    told_of = {why.item for step, day in set_days if (why := reasons.why_off(day, step, ""))}
    taken = defaultdict[str, list[tuple[int, int, Row]]](list)
    for section, row in sorted(case.every(Row), key=lambda placed: _hours_of(placed[1])):
        day, (begin, end) = day_of(row.day), _hours_of(row)
        for name in dict.fromkeys(filter(None, map(name_key, row.who.split(",")))):
            who = next((person.text for person in case.plan.people if name_key(person.text) == name), row.who)
            told, place = f"{who} is to do {row.id} {quoted(row.text)} on {row.day}", (section, row)
            why = reasons.why_off(day, Step(id=row.id, title=row.text, on=row.day), name) if day else None
            if why and not (why.item and why.item in told_of):
                text = f"{told}, and {why.text.removeprefix(name).strip()}."
                remedy = f"Move {row.id}, or {why.else_do}."
                yield fault("people.away", "minor" if why.item else "major", place, text, remedy)
                told_of.add(why.item)
            beside = [one for one in appointments[name] if (begin - one[0]) * (end - one[1]) > 0]
            rows = [other for first, last, other in taken[name] if begin and (begin < last or begin == first)]
            steps = [step for first, last, step in beside if min(end, last) - max(begin, first) > OVERLAPPING_MINUTES]
            others: list[Row | Step] = [*rows, *steps]
            for other in others[:1]:
                hours = other.hours if isinstance(other, Step) else other.time
                when = "the same time" if hours == row.time else hours
                text = f"{told} at {row.time}, and {other.id} {quoted(wording(other))} at {when}."
                remedy = f"Move {row.id} to another time, or name somebody else."
                severity: Severity = "minor" if isinstance(other, Step) else "major"  # of which it may be a part
                yield fault("people.busy", severity, place, text, remedy)
            taken[name].append((begin, end, row))


def _hours_of(row: Row) -> tuple[int, int]:
    """Return the first minute of a row and the one after its last, counted through all days; 0 without a time."""
    day, hours = day_of(row.day), hours_of_day(row.time)
    at = hours or hours_of_day(f"{row.time}-{row.time}")
    if day is None or at is None:
        return 0, 0
    return day.toordinal() * DAY + at[0], day.toordinal() * DAY + (at[1] if hours else at[0])


def weeks_have_room(case: Case) -> Iterator[Finding]:
    """Find people whose fullest week has more work than hours, as the schedule places it.

    It leaves nobody too much to do, but for fixed days, and for who helps on the days of somebody else.
    """
    if not case.plan.people or not any(step.on or step.also for step in case.plan.steps):
        return
    places = {name_key(person.text): (section, person) for section, person in case.every(Person)}
    for person in figures(case.plan).people:
        name = name_key(person.name)
        if person.peak is None or person.peak[1] <= LOAD or name not in case.times.people:
            continue
        first, share = person.peak
        room = week_minutes(case.times.people[name], first.toordinal()) / 60
        if first + timedelta(days=6) < case.today or round((share - 1) * room, 6) < LOAD_HOURS:
            continue
        text = (
            f"{person.name} has {share * room:.3g} hours of work in the week from {first}, "
            f"and {room:.3g} hours for it: {listed(person.peak_steps)}."
        )
        remedy = "Move one of them, give it to somebody else, or agree on more hours in that week."
        yield fault("people.load", "minor", places[name], text, remedy)


def _minutes_of(step: Step) -> float:
    """Return the minutes of a step with an estimate that each of its owners has to do."""
    days = min(step.effort.likely, step.effort.expected) if step.effort else 0.0
    span = hours_of_day(step.hours) if step.on else None
    if step.effort is None and span:
        return span[1] - span[0]
    minutes = days * share_of(step) * FULL_DAY if math.isfinite(days) else 0.0
    return min(minutes, span[1] - span[0]) if span else minutes


def _full_days(case: Case) -> Iterator[tuple[str, str, list[Step], float]]:
    """Yield the steps of one person on one day (one of them fixed or a meeting) that take more hours than a long day.

    Each comes with the hours. Steps that all have set hours are left out: their length is what the plan says.
    """
    events: dict[tuple[str, str], list[Step]] = defaultdict(list)
    for step in case.plan.steps:
        on = step.on or (step.start if step.start == step.end else None)
        if on and case.is_open_work(step) and not step.duration and step.waiting is None:
            for owner in dict.fromkeys(map(name_key, step.owners)):
                events[owner, on].append(step)
    for (owner, text), steps in events.items():
        whose, day = case.times.people.get(owner), day_of(text)
        if day is None or all(one.hours for one in steps) or not any(one.on or is_meeting(one) for one in steps):
            continue
        usual = whose.minutes(day.toordinal()) if whose else 0
        minutes = sum(min(FULL_DAY, _minutes_of(step)) for step in steps)  # more goes on for days
        if minutes > max(LOAD * usual, LONG_DAY * FULL_DAY):
            yield owner, text, steps, minutes / 60


def _work_by_owner(case: Case) -> dict[str, list[_Work]]:
    """Return what each known person has to do, each whole or part of a whole that is counted once."""
    works: dict[str, list[_Work]] = defaultdict(list)
    counted: set[tuple[str, str]] = set()
    taken: dict[tuple[str, str], int] = defaultdict(int)
    owned = [(step, owner) for step in case.steps.values() for owner in dict.fromkeys(map(name_key, step.owners))]
    for step, owner in owned:
        start, end = day_of(step.start), day_of(step.end)
        calendar = case.times.people.get(owner)
        whole = step.parent if step.parent in case.steps else ""
        if calendar is None or start is None or end is None or end < start or (whole, owner) in counted:
            continue
        is_known = step.effort is not None or step.left is not None or (step.on and step.hours)
        if not is_known or step.waiting is not None or step.status == "waiting" or not case.is_open_work(step):
            continue
        first, last = calendar.worked_before(start.toordinal()), calendar.worked_before(end.toordinal() + 1)
        if is_meeting(step) and start == end and not step.on and last - first < FULL_DAY:  # with hours of its week
            week = monday(start.toordinal())
            first, last = (calendar.worked_before(day) for day in (max(week, case.today.toordinal()), week + 7))
        effort = _CERTAIN * _minutes_of(step) if step.left is None else step.left * FULL_DAY * share_of(step)
        minutes = min(last - first, round(effort)) if math.isfinite(effort) else 0
        if step.on:  # what is set for one day may take more of it than its person usually works
            minutes = min(minutes, max(0, last - first - taken[owner, step.on]))
            taken[owner, step.on] += minutes
        if minutes > 0:
            works[owner].append(_Work(first, last, minutes, step.id))
            if whole:
                counted.add((whole, owner))
    return works


def _too_much(works: list[_Work]) -> Iterator[tuple[str, list[str]]]:
    """Yield each step that cannot end in time, with those whose time it shares."""
    waiting: list[tuple[int, int, str]] = []  # end, minutes left, step
    ahead, windows, now = sorted(works, reverse=True), {work.step: work for work in works}, 0
    while ahead or waiting:
        if not waiting:
            now = max(now, ahead[-1].first)
        while ahead and ahead[-1].first <= now:
            work = ahead.pop()
            heappush(waiting, (work.last, work.minutes, work.step))
        last, left, name = heappop(waiting)
        until = min(now + left, ahead[-1].first) if ahead else now + left
        if now + left > last + LACKING_MINUTES:
            mine = windows[name]
            yield name, [other.step for other in works if other.first < mine.last and mine.first < other.last]
            continue
        if until < now + left:
            heappush(waiting, (last, now + left - until, name))
        now = until


_CERTAIN = 0.95
"""Share of an estimate that two steps must have more of than there is time for: estimates are no more exact."""
