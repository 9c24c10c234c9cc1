"""Do the dates add up: order, needs, lags, windows, days off, and what has passed already.

An event with a day of its own (``on``) and a milestone may be on any day, and waiting continues over days off.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, timedelta
from typing import NamedTuple

from workbench.domain.errors import PlanUnsound
from workbench.domain.loop.asking.tasks import Finding
from workbench.domain.plan import plan
from workbench.domain.plan.checks.case import Case, Severity, fault, listed, quoted
from workbench.domain.plan.checks.tolerances import LEAST_DAYS, SHORT_DAYS
from workbench.domain.plan.figures import short_day
from workbench.domain.plan.markdown.values import lag as lag_told
from workbench.domain.plan.plan import Constraint, Criterion, Decision, Item, Rule, Section, Step, name_key
from workbench.domain.plan.scheduling import calendar, step_days
from workbench.domain.plan.scheduling.calendar import DAY, FULL_DAY, day_of
from workbench.domain.plan.scheduling.recurrence import MOST_DAYS, Closing, days_of_rule
from workbench.domain.plan.scheduling.step_work import is_meeting, share_of
from workbench.domain.plan.scheduling.task import first_day_after, is_clock_time
from workbench.domain.values.calendar_words import NO_SUCH_DAY

_FIELDS = (
    "due", "day", "last", "latest", "start", "end", "not_before", "on", "deadline", "started", "finished",
)  # fmt: skip
_SPANS, _RULES = ("away", "days", "closed"), ("away_again", "again")
"""Fields of items that are dates, stretches of days, and rules."""
_TRIED_DAYS = 60
"""How often a day on which all are there is looked for."""


def dates_are_dates(case: Case) -> Iterator[Finding]:
    """Find dates that are no day of the calendar, or not written as ISO 8601."""
    for section, item in case.placed:
        for field in _FIELDS:
            value = getattr(item, field, None)
            if value is not None and day_of(value) is None:
                why, remedy = "no date", "Write it as 2027-06-30."
                with suppress(ValueError):
                    why, remedy = f"too far: {NO_SUCH_DAY}", f"Correct {date.fromisoformat(value)}."
                yield fault("dates.format", "major", (section, item), f"{quoted(value)} of {item.id} is {why}.", remedy)


def spans_are_in_order(case: Case) -> Iterator[Finding]:
    """Find stretches of days that are no dates, are in the wrong order or too long, and rules that no day fits."""
    left_out = Closing.from_plan(case.plan).left_out
    for section, item in case.placed:
        name, place = f"{item.id} {quoted(plan.wording(item))}", (section, item)
        if item.id in left_out:
            text = f"The days off of {name} are not calculated with: with them, the plan has more than {MOST_DAYS:,}."
            yield fault("dates.order", "major", place, text, f"Give {item.id} fewer rules and days, or an end.")
        for why in _wrong_spans(item):
            yield fault("dates.order", "major", place, f"{name} has {why}.", f"Correct the dates of {item.id}.")
        for rule in _rules_of(item):
            if next(days_of_rule(rule), None) is None:
                until = f" until {rule.until}" if rule.until else ""
                text = f"No day fits the rule of {name}: every {rule.every} from {rule.first}{until}."
                yield fault("dates.order", "major", place, text, f"Correct the rule of {item.id}.")


def _wrong_spans(item: Item) -> Iterator[str]:
    """Yield each stretch of days of an item that is wrong, and why."""
    listed = [span for field in _SPANS for span in getattr(item, field, ())]
    spans = [(span.first, span.last) for span in (*listed, *getattr(item, "capacity", ()))]
    if isinstance(item, Constraint) and day_of(item.day) and day_of(item.last):
        spans.append((item.day, item.last))
    if (
        isinstance(item, Step)
        and not item.milestone
        and (hours := calendar.hours_of_day(item.hours))
        and hours[0] == hours[1]
    ):
        yield f"the hours {item.hours}, which end as they begin"
    for text in (text for span in spans for text in span if text is not None and day_of(text) is None):
        yield f"{quoted(text)} where a date is needed"
    for first, last in ((day_of(first), day_of(last)) for first, last in spans):
        if first and last and last < first:
            yield f"days from {first} to {last}, which end before they begin"
    for span in listed:
        first, last = day_of(span.first), day_of(span.last)
        if first and last and (last - first).days >= plan.LONGEST_SPAN:
            yield f"days from {first} to {last}, which are more than ten years"


def _rules_of(item: Item) -> tuple[Rule, ...]:
    if isinstance(item, Step):
        return (item.repeat,) if item.repeat else ()
    return tuple(rule for field in _RULES for rule in getattr(item, field, ()))


def dates_are_in_order(case: Case) -> Iterator[Finding]:
    """Find steps that end before they start, as planned or as it happened."""
    for section, step in case.every(Step):
        place, remedy = (section, step), f"Correct the dates of {step.id}."
        start, end = day_of(step.start), day_of(step.end)
        began, finished = day_of(step.started), day_of(step.finished)
        if start and end and end < start:
            yield fault("dates.order", "major", place, f"{step.id} ends on {end}, before it starts on {start}.", remedy)
        if began and finished and finished < began:
            text = f"{step.id} was finished on {finished}, before it was started on {began}."
            yield fault("dates.order", "major", place, text, remedy)


def set_days_are_kept(case: Case) -> Iterator[Finding]:
    """Find steps whose dates are not those that were set for them."""
    for section, step in case.every(Step):
        place, move = (section, step), f"Move {step.id}, or set another day for it."
        start, end = _planned_start(step), None if step.status == "dropped" else day_of(step.end)
        first, on, last = day_of(step.not_before), day_of(step.on), day_of(step.deadline)
        if start and first and start < first and start != on:  # of a day that is set, its window says it
            text = f"{step.id} starts on {start}, and not before {first}."
            yield fault("dates.not-before", "major", place, text, move)
        if start and on and start != on:
            yield fault("dates.on", "major", place, f"{step.id} starts on {start}, and has to be on {on}.", move)
        if end and last and end > last and not any(day and day > last for day in (on, first)):
            yield fault("dates.deadline", "major", place, f"{step.id} ends on {end}, after its deadline {last}.", move)


def _planned_start(step: Step) -> date | None:
    """Return when a step is to begin; None for one that began, as that is what happened, and for a dropped one."""
    return None if step.status in ("under-way", "dropped") else day_of(step.start)


def windows_are_open(case: Case) -> Iterator[Finding]:
    """Find steps that may not begin before they have to be done, or whose set day lies outside of their window."""
    for section, step in case.every(Step):
        first, on, last = day_of(step.not_before), day_of(step.on), day_of(step.deadline)
        if first and last and last < first:
            text = f"{step.id} may not begin before {first}, and has to end by {last}."
        elif on and first and on < first:
            text = f"{step.id} is set for {on}, and may not begin before {first}."
        elif on and last and on > last:
            text = f"{step.id} is set for {on}, and has to end by {last}."
        else:
            continue
        yield fault("dates.window", "major", (section, step), text, f"Correct the dates that are set for {step.id}.")


def steps_start_after_what_they_need(case: Case) -> Iterator[Finding]:
    """Find steps that start before a step they need has ended; circles are another check's.

    On one day a milestone, an event, waiting, or a person whose hours the plan knows, can follow what they need, and be
    followed.
    """
    for section, step in case.every(Step):
        start = _planned_start(step)
        for needed in step.needs:
            end = day_of(step_days.last_day(case.steps[needed])) if needed in case.steps else None
            circular = step.id in case.knots and case.knots[step.id] == case.knots.get(needed)
            may_share = _is_short(step, case) or (needed in case.steps and _is_short(case.steps[needed], case))
            waits = not circular and case.may_wait(step, needed)
            if start and end and (start < end or (start == end and not may_share)) and waits:
                text = f"{step.id} starts on {start}, and {needed}, which it needs, ends on {end}."
                yield fault("dates.needs", "major", (section, step), text, f"Move {step.id} after {needed}.")


def _is_short(step: Step, case: Case) -> bool:
    """Tell whether a step may begin or end within a day, so that another has the rest of it."""
    waits_or_happens = step.milestone or step.on is not None or step.waiting is not None
    return waits_or_happens or name_key(step.owner) in case.times.people


def lags_are_kept(case: Case) -> Iterator[Finding]:
    """Find steps that begin before the lag after what they need is over."""
    for section, step in case.every(Step):
        start = _planned_start(step) or day_of(step.on)
        for lag in step.lags:
            end = day_of(step_days.last_day(case.steps[lag.step])) if lag.step in case.steps else None
            is_over = step.status in ("under-way", "done", "dropped") or not case.may_wait(step, lag.step)
            if start is None or end is None or start <= end or is_over:
                continue
            ends = end.toordinal() * DAY + 1  # as early on its day as may be
            since = ends - case.times.opens if is_clock_time(lag) else ends
            if start.toordinal() < first_day_after(ends, since, lag, case.times):
                wait = f"{lag.step} + {lag_told(lag.days, lag.elapsed, as_hours=lag.hours)}"
                text = f"{step.id} starts on {start}, and needs {wait}: {lag.step} ends on {end}."
                yield fault("dates.lag", "major", (section, step), text, f"Move {step.id}, or shorten its wait.")


def hours_follow_what_they_need(case: Case) -> Iterator[Finding]:
    """Find steps that begin on their day before hours, work or a wait of what they need is over."""
    known: dict[str, step_days.Minute] = {}
    for section, step in case.every(Step):
        if (begins := step_days.last_begin(step, case.times)) is None:
            continue
        after, needed = step_days.first_minute(step, case.steps, case.times, known)
        need = case.steps.get(needed.partition(" ")[0], step)
        is_told = (step.on or "") < (step_days.last_day(need) or "") or not case.may_wait(step, need.id)
        if begins >= after or step.status not in ("todo", "waiting") or is_told:
            continue
        verb, ends = "begins on" if step_days.set_hours(step) else "has to begin by", step_days.clock(after, begins)
        text = f"{step.id} {verb} {step_days.clock(begins)}, and {needed}, which it needs, ends at {ends}."
        yield fault("dates.hours", "major", (section, step), text, f"Begin {step.id} later, or end {need.id} earlier.")


def decisions_are_taken_before(case: Case) -> Iterator[Finding]:
    """Find open steps that begin while a decision that they depend on may still be taken."""
    latest = {item.id: day_of(item.open_until) for _, item in case.every(Decision)}
    for section, step in case.every(Step):
        start = day_of(step.start) or day_of(step.on)
        for name in step.decisions if step.status in ("todo", "waiting") else ():
            by = latest.get(name)
            if start and by and start < by:
                text = f"{step.id} begins on {start}, and {name} may be decided until {by}."
                remedy = f"Decide {name} earlier, or let {step.id} begin later."
                yield fault("dates.decision", "major" if step.on else "minor", (section, step), text, remedy)


def durations_have_room(case: Case) -> Iterator[Finding]:
    """Find durations that are shorter than the work takes who does it."""
    for section, step in case.every(Step):
        if not step.duration or step.effort is None or not case.is_work(step) or step.status == "done":
            continue
        days = step.effort.expected * share_of(step) * FULL_DAY / case.calendar(step).usual_day()
        lasts = case.times.lasts(step, case.calendar(step))
        if days > lasts + SHORT_DAYS and not _has_hours_for(case, step):
            whose = step.owner or "its owner"
            of_them = f" of {whose}" if lasts != math.ceil(step.duration) else ""
            text = (
                f"{step.id} {quoted(step.title)} has a duration of {lasts:.3g} working days{of_them}, "
                f"but its effort takes {whose} {days:.3g}."
            )
            remedy = f"Give {step.id} a longer duration, less to do, or more people."
            yield fault("dates.duration", "minor", (section, step), text, remedy)


def _has_hours_for(case: Case, step: Step) -> bool:
    """Tell whether who does a step can do it in its duration, from the day on which it begins, with other hours."""
    begins, theirs = day_of(step.on or step.start), case.calendar(step)
    if begins is None or not step.duration or step.effort is None:
        return False
    count = math.ceil(min(step.duration, plan.LONGEST_SPAN)) - 1
    last = begins.toordinal() + count
    if not step.duration_elapsed:
        with suppress(PlanUnsound):  # beyond the days that a plan can name
            counted = case.times.spanned(step, case.times.whose_time(step))
            last = calendar.add_working_days(begins, count, counted).toordinal()
    has = theirs.worked_before(last + 1) - theirs.worked_before(begins.toordinal())
    return step.effort.expected * share_of(step) <= has / FULL_DAY + SHORT_DAYS


def what_is_to_do_lies_ahead(case: Case) -> Iterator[Finding]:
    """Find steps that are still to do, and criteria, whose dates have passed."""
    for section, step in case.every(Step):
        days = [("start", step.start), ("end", step.end), ("day", step.on), ("deadline", step.deadline)]
        past = [(name, day) for name, text in days if (day := day_of(text)) and day < case.today]
        if step.status == "todo" and past:
            name, day = past[-1]
            text = f"{step.id} {quoted(step.title)} is still to do, and its {name}, {day}, has passed."
            severity: Severity = "minor" if name == "start" else "major"
            yield fault("dates.past", severity, (section, step), text, f"Give {step.id} dates that are still to come.")
    for section, item in case.every(Criterion):
        due = day_of(item.due)
        if due and due < case.today:
            text = f"{item.id} {quoted(item.text)} was due on {due}."
            remedy = f"Give {item.id} a date that is still to come."
            yield fault("criteria.past", "major", (section, item), text, remedy)


def work_is_on_working_days(case: Case) -> Iterator[Finding]:
    """Find steps that begin or end on a day off, on their owner's free weekday, or while one of their owners is away.

    So do those for which there is no day, as their people and their place have no weekday in common.

    Of several owners who do not work together, the others need not be there from the first to the last day: it is wrong
    where they are on none of them.
    """
    reasons = Reasons(case)
    for section, step in case.every(Step):
        if step.status == "done" or not case.is_work(step):
            continue
        if not step.on and (names := case.times.without_day(step)):
            text = f"{step.id} {quoted(step.title)} has no day: {listed(names)} have no weekday in common."
            remedy = f"Correct the weekdays, or give {step.id} other people or another place."
            yield fault("dates.day-off", "major", (section, step), text, remedy)
            continue
        begins = None if step.status == "under-way" else day_of(step.start or step.on)
        lasts = step.duration and step.duration_elapsed  # days of the calendar begin and end on any day
        ends = day_of(step.end or step.on)
        days, is_of_week = [day for day in (begins, ends) if day], not (step.on or step.duration)
        off = [
            (day, owner, why)
            for day in dict.fromkeys(days)
            for owner in (step.owner, *step.also)
            if not (lasts or (step.also and not step.mode)) or len(set(days)) == 1 or not case.worked_days(step, owner)
            if (why := reasons.why_off(day, step, owner) or (is_of_week and reasons.free_weekday(day, step, owner)))
        ]
        if off:
            day, owner, why = off[0]
            worked = 0 if step.on else case.worked_days(step, owner)
            enough = worked > 0 and (step.effort is None or worked >= step.effort.low)
            verb = "is" if step.on else "starts" if day == begins else "ends"
            text = f"{step.id} {quoted(step.title)} {verb} on {day}, and {why.text}."
            remedy = f"Move {step.id} to days on which it can be done, or {why.else_do}."
            yield fault("dates.day-off", "minor" if enough else "major", (section, step), text, remedy)


def set_days_are_working_days(case: Case) -> Iterator[Finding]:
    """Find steps that are set on a day without work of somebody whose days or hours the plan says: one finding for all.

    Such a day stays where it is. What has its hours is met then, on any day of the week.
    """
    reasons, stated = Reasons(case), {name_key(person.text) for person in case.plan.people if person.has_time}
    found: list[tuple[Section, Step]] = []
    told: list[str] = []
    for section, step in case.every(Step):
        day = day_of(step.on)
        if day is None or step.hours or step.status in ("under-way", "done") or not case.is_work(step):
            continue
        owners = [owner for owner in step.owners if name_key(owner) in stated]
        if any(reasons.free_weekday(day, step, owner) for owner in owners):
            found.append((section, step))
            told.append(f"{step.id} ({day:%a} {short_day(day)})")
    if found:
        step = found[0][1]
        day, latest = next_open_day(case, step), last_day_for(case, step)
        verb, what = ("is", "a day") if len(found) == 1 else ("are", "days")
        text = f"{listed(told)} {verb} set on {what} without work."
        move = f"Move {step.id} to {day:%a} {short_day(day)}, or say" if day <= latest else "Say"
        remedy = f"{move} who works on its day."
        yield fault("dates.day-off", "minor", found[0], text, remedy)


def last_day_for(case: Case, step: Step) -> date:
    """Return the last day on which a step may be."""
    return min(filter(None, (day_of(step.deadline), plan.deadline_of(case.plan))), default=date.max)


def next_open_day(case: Case, step: Step) -> date:
    """Return the first day from the one on that a step is set for on which all its owners can do it, at its place."""
    first, reasons = day_of(step.on) or case.today, Reasons(case)
    days = (first + timedelta(days=ahead) for ahead in range(_TRIED_DAYS))
    return next((day for day in days if all(reasons.has_time(day, step, name) for name in step.owners or ("",))), first)


class Obstacle(NamedTuple):
    """Why a day is none to work on."""

    text: str
    else_do: str
    """What can be done instead of moving the step."""
    item: Item | None = None
    """What says so."""


class Reasons:
    """Says why a day is none to work on; only for what the plan states."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._closing = Closing.from_plan(case.plan)
        self.away = self._closing.people
        self._has_week = any(True for _ in case.every(plan.WorkingTime))
        self._own_week = {name_key(person.text) for person in case.plan.people if person.weekdays}
        self._worked = {
            name_key(person.text): {day_of(one.first) for one in person.capacity if one.is_of_a_day and one.hours > 0}
            for person in case.plan.people
        }
        """Days on which somebody works whatever the calendar says."""

    def has_time(self, day: date, step: Step, name: str) -> bool:
        """Tell whether one can do a step on a day, hours and other work aside."""
        return bool(self._case.calendar(step, name).minutes(day.toordinal())) and not self.why_off(day, step, name)

    def why_off(self, day: date, step: Step, name: str) -> Obstacle | None:
        """Return why one of its owners cannot do a step on a day, its weekday aside; None if they can."""
        owner = name_key(name)
        if day in self.away.get(owner, ()):
            return Obstacle(f"{name} is away then", "give it to somebody else")
        if day in self._worked.get(owner, ()):
            return None
        for_all, for_tags = self._closing.everybody.get(day), self._closing.tagged(day, step.tags)
        closing = for_all or for_tags
        if closing and step.waiting is None and not (step.on and closing.country):
            else_do = "say who works on that day" if for_all else f"make an exception of {closing.id} for it"
            return Obstacle(f"that is a day off ({closing.id} {quoted(closing.text)})", else_do, closing)
        if (place := self._case.times.place(step)) is not None:
            when = "" if step_days.is_open_at(place, step) else f"at {step.hours}"
            if when := "then" if self._closing.is_closed(place, day) else when:
                text, else_do = f"{place.id} {quoted(place.text)} is closed {when}", f"name another place for {step.id}"
                return Obstacle(text, else_do, place)
        theirs = self._case.times.people.get(owner)  # no time on a weekday of theirs: their capacity says so
        if theirs and not closing and theirs.week[day.weekday()] and not theirs.minutes(day.toordinal()):
            return Obstacle(f"{name} has no hours then", "give it to somebody else")
        return None

    def free_weekday(self, day: date, step: Step, name: str) -> Obstacle | None:
        """Return whose weekday without work a day is; None if it is none, or nothing says so."""
        owner = name_key(name)
        is_said = owner in self._case.times.people or day in self._closing.everybody
        is_known = owner in self._own_week or self._has_week or (step.on is not None and is_said)
        if not is_known or step.waiting is not None or self._case.calendar(step, name).minutes(day.toordinal()):
            return None
        if (day in self._closing.everybody and not step.on) or self.why_off(day, step, name):
            return None
        whose = name if owner in self._own_week else "the plan"
        return Obstacle(f"that is a {day:%A}, no working day of {whose}", "give it to somebody else")


def efforts_fit_their_days(case: Case) -> Iterator[Finding]:
    """Find steps with fewer working days than their estimate, and waiting that is longer than its days."""
    for section, step in case.every(Step):
        start, end = day_of(step.start), day_of(step.end)
        is_closed = step.status in ("done", "dropped") or (step.status == "under-way" and step.effort is not None)
        if start is None or end is None or end < start or step.on or is_closed:  # of one begun, less is left
            continue
        place, remedy = (section, step), f"Give {step.id} more time, or less to do."
        # beside work, the wait may begin when that is done, after the dates of the step
        passed = calendar.working_days_between(start, end, case.times.own) if step.waits_working else (end - start).days
        if step.waiting is not None and step.effort is None and passed < math.floor(step.waiting) - 1:
            kind = "working days" if step.waits_working else "days"
            text = f"{step.id} {quoted(step.title)} waits {step.waiting:g} {kind}, but its dates span {passed + 1}."
            yield fault("dates.effort", "major", place, text, f"Let {step.id} end later, or begin earlier.")
        if step.effort is None or not case.is_work(step) or step.waiting is not None or is_meeting(step):
            continue
        if step.effort.low > step.effort.high:  # another check says so
            continue
        known = [name for name in step.owners if name_key(name) in case.times.people]
        each = [(days, name) for name in known or [step.owner] if (days := case.worked_days(step, name))]
        if not each:
            continue
        days, whose = min(each)
        has = f"The dates of {step.id} give {whose if known else 'it'} {days:.3g} working days, but its estimate is"
        share = share_of(step)
        shared = "" if share == 1 else f", shared by {len(step.owners)}"
        if days < step.effort.low * share - LEAST_DAYS:
            yield fault("dates.effort", "major", place, f"{has} at least {step.effort.low:g}{shared}.", remedy)
        elif days < min(step.effort.likely, step.effort.expected) * share - SHORT_DAYS:
            yield fault("dates.effort", "minor", place, f"{has} likely {step.effort.likely:g}{shared}.", remedy)
