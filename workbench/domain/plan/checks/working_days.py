"""Do dates fit the calendar: days off, absences, windows, lags, waiting, and what has passed already.

An event with a day of its own (``on``) and a milestone may be on any day, and waiting goes on over days off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.calendar import FULL_DAY, day_of
from workbench.domain.plan.checks.case import Case, Severity, fault, quoted, wording
from workbench.domain.plan.checks.days import days_in, with_whole_dates, wrong_weekdays
from workbench.domain.plan.plan import DaysOff, Step, WorkingTime, name_key
from workbench.domain.plan.schedule import days_of, working_days_between

_HOLIDAY = re.compile(r"\b(?:holidays?|christmas|easter|new year|bank|feast|vacations?)\b", re.IGNORECASE)
_IS_SLACK = 0.01
"""Working days that rounding hours may cost."""


def work_is_on_working_days(case: Case) -> Iterator[Finding]:
    """Find work that begins or ends on a day off, on its owner's free weekday, or while its owner is away.

    What names its own days ("Journey, 8 to 14 May") is on them whatever weekdays they are.
    """
    calendar = _Reasons(case)
    for section, step in case.every(Step):
        days = [day for day in (day_of(step.start), day_of(step.end)) if day]
        if not case.is_work(step) or step.waiting is not None or step.on or step.status == "done":
            continue
        named = days_in(with_whole_dates(f"{step.title}. {step.outcome}"), case.today)
        set_days = frozenset(days) if days and frozenset(days) <= frozenset(named) else frozenset()
        off = [
            (day, why)
            for day in dict.fromkeys(days)
            if (why := calendar.why_off(day, step)) and (day not in set_days or calendar.is_away(day, step))
        ]
        if off:
            (day, why), place = off[0], (section, step)
            enough = step.effort is None or worked_days(case, step) >= step.effort.low
            severity: Severity = "minor" if enough and worked_days(case, step) else "major"
            verb = "starts" if day == days[0] else "ends"
            text = f"{step.id} {quoted(step.title)} {verb} on {day}, and {why}."
            yield fault("dates.day-off", severity, place, text, f"Move {step.id} to days on which it can be done.")


def events_find_their_people(case: Case) -> Iterator[Finding]:
    """Find events on a day on which their owner is away, or on which the plan closes for more than a holiday."""
    calendar = _Reasons(case)
    for section, step in case.every(Step):
        day = day_of(step.on)
        if day is None or step.milestone or step.status in ("done", "dropped"):
            continue
        closing = calendar.closed.get(day)
        if day in calendar.away.get(name_key(step.owner), ()):
            text = f"{step.id} {quoted(step.title)} is on {day}, and {step.owner}, who owns it, is away then."
            yield fault("dates.day-off", "major", (section, step), text, f"Give {step.id} to somebody who is there.")
        elif closing and not (closing.country or _HOLIDAY.search(closing.text)):
            text = f"{step.id} {quoted(step.title)} is on {day}, within {closing.id} {quoted(closing.text)}."
            yield fault("dates.day-off", "minor", (section, step), text, f"See whether {step.id} can be on that day.")


class _Reasons:
    """Says why a day is none to work on, in words; only for what the plan states."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self.closed: dict[date, DaysOff] = {day: item for _, item in case.every(DaysOff) for day in days_of(item.days)}
        self.away = {name_key(person.text): frozenset(days_of(person.away)) for person in case.as_available.people}
        self._has_week = any(True for _ in case.every(WorkingTime))
        self._own_week = {name_key(person.text) for person in case.as_available.people if person.weekdays}

    def is_away(self, day: date, step: Step) -> bool:
        """Tell whether a step's owner is away on a day."""
        return day in self.away.get(name_key(step.owner), ())

    def why_off(self, day: date, step: Step) -> str:
        """Return why a step cannot be worked on on a day; "" where it can, or where nothing says that it cannot."""
        owner = name_key(step.owner)
        if self.is_away(day, step):
            return f"{step.owner} is away then"
        if closing := self.closed.get(day):
            return f"that is a day off ({closing.id} {quoted(closing.text)})"
        says_so = owner in self._own_week or self._has_week
        if says_so and not self._case.calendar(step).minutes(day.toordinal()):
            return f"that is a {day:%A}, no working day of {step.owner if owner in self._own_week else 'the plan'}"
        return ""


def worked_days(case: Case, step: Step) -> float:
    """Return the days of eight hours that a step's owner can work between its start and its end."""
    start, end = day_of(step.start), day_of(step.end)
    if start is None or end is None or end < start:
        return 0
    theirs = case.calendar(step)
    worked = theirs.worked_before(end.toordinal() + 1) - theirs.worked_before(start.toordinal())
    if not case.has_week:
        worked += FULL_DAY * len({day for day in (start, end) if day.weekday() >= 5})  # nothing says that it is free
    return worked / FULL_DAY


def efforts_fit_their_days(case: Case) -> Iterator[Finding]:
    """Find steps with fewer working days than their estimate, and waiting that is longer than its days."""
    reasons = _Reasons(case)
    for section, step in case.every(Step):
        start, end = day_of(step.start), day_of(step.end)
        if start is None or end is None or end < start or step.on or step.status in ("done", "dropped"):
            continue
        place = (section, step)
        over = _wait_is_over(case, step, end)
        if step.waiting is not None and over and (over - start).days < step.waiting - 1:
            text = f"{step.id} {quoted(step.title)} waits {step.waiting:g} days, and has {(over - start).days + 1}."
            yield fault("dates.effort", "major", place, text, f"Let {step.id} end later, or begin earlier.")
        if step.effort is None or step.milestone or (reasons.why_off(start, step) and not worked_days(case, step)):
            continue
        days, effort = worked_days(case, step), step.effort
        hours = f" of {step.owner}" if name_key(step.owner) in case.times.people else ""
        if days < effort.low - _IS_SLACK:
            text = f"{step.id} has {days:.3g} working days{hours} and takes at least {effort.low:g}."
            yield fault("dates.effort", "major", place, text, f"Give {step.id} more time, or less to do.")
        elif days < min(effort.likely, effort.expected) - _IS_SLACK and not case.parts.get(step.id):
            text = f"{step.id} has {days:.3g} working days{hours} and is likely to take {effort.likely:g}."
            yield fault("dates.effort", "minor", place, text, f"Give {step.id} more time, or less to do.")


def _wait_is_over(case: Case, step: Step, end: date) -> date | None:
    """Return when the waiting of a step is over at the latest; None where nothing says when.

    What is done first may have the dates of the step: then the waiting follows, until something needs it.
    """
    if step.effort is None or worked_days(case, step) > step.effort.high + 1:
        return end
    needing = [other for other in case.steps.values() if step.id in other.needs]
    days = [day - timedelta(days=1) for other in needing if (day := day_of(other.start or other.on))]
    return max(end, min(days)) if days else None


def lags_are_kept(case: Case) -> Iterator[Finding]:
    """Find steps that begin before the lag after what they need is over."""
    for section, step in case.every(Step):
        start = day_of(step.start) or day_of(step.on)
        for lag in step.lags:
            needed = case.steps.get(lag.step)
            end = day_of(needed.end) if needed else None
            if start is None or end is None or start <= end or step.status in ("done", "dropped"):
                continue
            passed = (start - end).days if lag.elapsed else working_days_between(end, start, case.times.own)
            if passed < lag.days:
                kind = "calendar days" if lag.elapsed else "working days"
                text = f"{step.id} starts {passed} {kind} after {lag.step} ends, and has to wait {lag.days:g}."
                yield fault("dates.lag", "major", (section, step), text, f"Move {step.id}, or shorten its wait.")


def windows_are_open(case: Case) -> Iterator[Finding]:
    """Find steps that may not begin before they have to be done, or whose set day lies outside of their window."""
    for section, step in case.every(Step):
        first, on, last = day_of(step.not_before), day_of(step.on), day_of(step.deadline)
        place = (section, step)
        if first and last and last < first:
            text = f"{step.id} may not begin before {first}, and has to end by {last}."
        elif on and first and on < first:
            text = f"{step.id} is set for {on}, and may not begin before {first}."
        elif on and last and on > last:
            text = f"{step.id} is set for {on}, and has to end by {last}."
        else:
            continue
        yield fault("dates.window", "major", place, text, f"Correct the dates that are set for {step.id}.")


def what_is_to_do_lies_ahead(case: Case) -> Iterator[Finding]:
    """Find steps that are still to do, and whose dates have passed."""
    for section, step in case.every(Step):
        days = [("start", step.start), ("end", step.end), ("day", step.on), ("deadline", step.deadline)]
        past = [(name, day) for name, text in days if (day := day_of(text)) and day < case.today]
        if step.status == "todo" and past:
            name, day = past[-1]
            text = f"{step.id} {quoted(step.title)} is still to do, and its {name}, {day}, has passed."
            severity: Severity = "minor" if name == "start" else "major"
            yield fault("dates.past", severity, (section, step), text, f"Give {step.id} dates that are still to come.")


def weekdays_fit_their_dates(case: Case) -> Iterator[Finding]:
    """Find dates that are named with the wrong day of the week."""
    for section, item in case.placed:
        texts = [wording(item), *(str(getattr(item, name, "")) for name in _TEXTS)]
        wrong = next((wrong_day for text in texts for wrong_day in wrong_weekdays(text, case.today)), None)
        if wrong:
            said, day = wrong
            text = f"{item.id} says {quoted(said)}, and {day} is a {day:%A}."
            yield fault("dates.weekday", "minor", (section, item), text, "Find out which of the two is meant.")
    for said, day in wrong_weekdays(case.goal, case.today):
        text = f"The goal says {quoted(said)}, and {day} is a {day:%A}."
        remedy = "Find out which of the two is meant."
        yield Finding(rule="dates.weekday", severity="minor", text=text, section="goal", remedy=remedy)


_TEXTS = ("outcome", "check", "notes", "measure", "target", "sign", "response", "reason", "assumption")
