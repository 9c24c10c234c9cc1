"""A step as it is placed: how long it lasts, of whose time, and where it has its days already."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import date

import msgspec
from msgspec.structs import replace

from workbench.domain.errors import PlanUnsound
from workbench.domain.plan.plan import Lag, Step, name_key
from workbench.domain.plan.scheduling.calendar import DAY, EVERY_DAY, FULL_DAY, Calendar, day_number, hours_of_day
from workbench.domain.plan.scheduling.step_work import (
    LONG_DAY,
    expected_days,
    has_begun,
    minutes_of,
    own_minutes,
    share_left,
    share_of,
)
from workbench.domain.plan.scheduling.work_times import WorkTimes


class Task(msgspec.Struct, frozen=True, gc=False):
    """A step as it is placed: moments and minutes of work."""

    step: Step
    calendar: Calendar
    work: int
    """Minutes of work in its calendar; of waiting, minutes of the clock."""
    needs: tuple[tuple[str, Lag | None], ...]
    """Steps that have to end before; its parts if a step has some."""
    owner: str = ""
    """The person whose time says how long it takes, case-folded; "" if nobody's does, and it takes whole days."""
    people: tuple[str, ...] = ()
    """All whose time says when it can be done."""
    loads: tuple[tuple[str, int], ...] = ()
    """Minutes of work that it is for each person whose time the plan knows."""
    others: tuple[tuple[str, Calendar], ...] = ()
    """Who does a part of it beside these, each in their own time from its beginning on."""
    share: float = 1.0
    """The part of its effort that its length comes from: one owner's, if several share it."""
    spans: bool = False
    """Whether it has a duration, in which its people may do other things."""
    opens: Calendar | None = None
    """On which days it can begin, where its duration counts others; None for those of its own calendar."""
    is_conditional: bool = False
    decided: int = 0
    """The moment from which on all is decided that it depends on."""
    decision: str = ""
    """The decision that is taken last."""
    begin: int | None = None
    """The moment at which it began, or has to."""
    end: int | None = None
    """The moment at which it ended, or ends as far as is known."""
    days: Mapping[int, int] = {}
    """The days that are set for its work, each with its weight among them."""
    room: int = 0
    """Of work that takes whole days: up to which minute of one it can begin after hours of the clock."""
    waits: bool = False
    """Whether time passes and nobody works."""
    waits_working: bool = False
    """Whether only working days count as time that passes."""
    night: int = 0
    """Of waiting that is hours of the clock: the minutes from the opening of a day to its end."""

    @property
    def is_meeting(self) -> bool:
        """Whether all do it at once, and in a day: it is on one day."""
        return self.step.mode == "together" and 0 < self.work <= FULL_DAY and not self.spans and self.begin is None

    @property
    def is_set(self) -> bool:
        """Whether its work is on days that the plan sets, or is under way."""
        is_open = self.begin is not None and self.step.status != "done" and not self.waits
        return is_open and self.work > 0 and own_minutes(self.step) is not None

    @property
    def is_set_ahead(self) -> bool:
        """Whether it has a day of its own that is still to come."""
        return self.begin is not None and self.step.status in ("todo", "waiting") and not has_begun(self.step)

    def rest(self, begin: int, end: int) -> tuple[int, float]:
        """Return when what is left of it begins, and what part of its work that is, where it has these ends."""
        share = share_left(self.step)
        if self.step.status != "under-way" or (self.step.left is None and share is None) or not self.work:
            return begin, 1.0
        left = round(self.work * share if share is not None else (self.step.left or 0) * self.share * FULL_DAY)
        return replace(self, work=left).begin_before(end), left / self.work

    @property
    def counts_days(self) -> bool:
        """Whether it is days in which nobody works: the first is the one after a moment, or that begins with it."""
        return self.waits and not self.night and self.work >= (1 if self.waits_working else DAY)

    @property
    def waits_whole_days(self) -> bool:
        """Whether it is whole days of waiting, the last of which is over before anything follows."""
        is_some = self.waits and self.work > 0 and not self.night
        return is_some and not self.work % (FULL_DAY if self.waits_working else DAY)

    def on_its_day(self, moment: int, since: int) -> int:
        """Return the day of a moment that hours of the clock lead to, where it can be on that, and these are over."""
        day, minute = divmod(moment, DAY)
        return day * DAY if minute <= self.room and since < day * DAY else moment

    def first_moment(self, moment: int) -> int:
        """Return the first moment from one on at which it may begin, as far as its calendar says."""
        if self.waits or not self.work:
            return moment
        calendar = self.opens or self.calendar
        if not moment % DAY and calendar.minutes(moment // DAY):
            return moment
        worked = calendar.worked_at(moment)
        if not self.owner and moment % DAY:  # a day that has begun is nobody's whole day
            day = moment // DAY
            worked = calendar.worked_before(day + 1)
        return calendar.start_of(worked)

    def end_after(self, begin: int) -> int:
        """Return when it ends if it begins at a moment."""
        if self.end is not None:
            return self.end
        day, minute = divmod(begin, DAY)
        if self.counts_days and not minute:  # it begins with a day, which is the first of it
            day, minute = day - 1, FULL_DAY
        if self.waits_working:
            last = self.calendar.end_of(self.calendar.worked_before(day + 1) + self.work) // DAY if self.work else day
            return last * DAY + (DAY - 1 if self.waits_whole_days else minute)
        if self.waits or not self.work:
            end = day * DAY + minute + self.work
            if self.night and end % DAY > self.night:  # in the night before a day: as that begins
                return (end // DAY + 1) * DAY
            return end // DAY * DAY + DAY - 1 if self.waits_whole_days else end
        if self.begin is not None and not self.calendar.minutes(day):
            return begin + (math.ceil(self.work / FULL_DAY) - 1) * DAY + FULL_DAY
        return self.calendar.end_of(self.calendar.worked_at(begin) + self.work)

    def begin_before(self, end: int) -> int:
        """Return the latest beginning of what ends at a moment or before."""
        day, minute = divmod(end, DAY)
        if self.waits_working:
            if self.waits_whole_days and minute < FULL_DAY:  # it is over on the day before
                return self.calendar.start_of(self.calendar.worked_before(day) - self.work) // DAY * DAY
            first = self.calendar.start_of(self.calendar.worked_before(day + 1) - self.work) // DAY - 1
            return (first if self.work else day) * DAY + minute
        if self.waits or not self.work:
            is_over = self.waits_whole_days and minute < FULL_DAY  # on the day before
            return day * DAY - self.work if is_over else end - self.work
        if self.owner or minute >= self.calendar.minutes(day):
            return self.calendar.start_of(self.calendar.worked_at(end) - self.work)
        return self.calendar.start_of(self.calendar.worked_before(day) - self.work)


def task_of(
    step: Step,
    whole: Step | None,
    live: Mapping[str, Step],
    parts: Mapping[str, Sequence[str]],
    *,
    times: WorkTimes,
    now: int,
) -> Task:
    """Return a step as it is placed; what the step that it is a part of needs, it needs too."""
    both = (*whole.lags, *step.lags) if whole else step.lags
    lags = {lag.step: lag for lag in both} if both else {}
    needs = [
        (part, lags.get(need))
        for need in dict.fromkeys((*whole.needs, *step.needs) if whole else step.needs)
        for part in parts.get(need, (need,))
        if part in live
    ]
    task = _work_of(step, times, tuple(needs))
    decisions = (*whole.decisions, *step.decisions) if whole else step.decisions
    if latest := [(times.undecided[name], name) for name in decisions if name in times.undecided]:
        task = replace(task, decided=(max(latest)[0] + 1) * DAY, decision=max(latest)[1])
    if step.condition or (whole and whole.condition):
        task = replace(task, is_conditional=True, owner="", people=(), loads=(), others=())
    task = _as_it_happened(task, now, times)
    return replace(task, room=0) if task.room and task.begin is not None else task


def _work_of(step: Step, times: WorkTimes, needs: tuple[tuple[str, Lag | None], ...]) -> Task:
    """Return how long a step takes, and of whom."""
    if step.waiting is not None:
        work = round(max(0.0, step.waiting) * (FULL_DAY if step.waits_working else DAY))
        is_clock = not step.waits_working and (step.waits_hours or work % DAY > 0)
        night = DAY - times.opens if is_clock else 0
        calendar = times.calendar(step, ()) if step.waits_working else times.own  # with the days off of its tags
        return Task(step, calendar, work, needs, waits=True, waits_working=step.waits_working, night=night)
    people = times.whose_time(step)
    calendar = times.calendar(step, people)
    share = share_of(step) if step.also else 1.0
    days = expected_days(step) * share
    minutes = 0 if step.milestone else max(1, (round(own_minutes(step) or 0) if step.on else 0) or minutes_of(days))
    work = minutes if people or step.milestone else max(1, math.ceil(days)) * FULL_DAY
    owners = dict.fromkeys(map(name_key, step.owners)) if step.also else people
    known = [name for name in owners if name in times.people] if step.also else people
    task = Task(
        step,
        calendar,
        work,
        needs,
        owner=people[0] if people else "",
        people=people,
        loads=tuple([(name, minutes) for name in known]),
        others=tuple([(name, times.calendar(step, (name,))) for name in known if name not in people])
        if step.also
        else (),
        share=share,
        room=0 if people or step.milestone else max(0, FULL_DAY - minutes),
    )
    if not step.duration or step.milestone or not math.isfinite(step.duration):
        return task
    span = math.ceil(step.duration)
    if times.lasts(step, calendar) * (calendar.usual_day() if people else FULL_DAY) <= work:
        return task
    counted = EVERY_DAY if step.duration_elapsed else times.spanned(step, people)
    opens = calendar.whole_days()
    task = replace(task, calendar=counted, work=span * FULL_DAY, owner="", spans=True, room=FULL_DAY - 1)
    return task if opens == counted else replace(task, opens=opens)


def _as_it_happened(task: Task, now: int, times: WorkTimes) -> Task:
    """Return a task at the dates it has: it is done, under way, or on a day that is set."""
    step = task.step
    if step.status == "todo" and step.on is None:
        return task
    finished, started, on = (day_number(day) for day in (step.finished, step.started, step.on))
    if step.status == "done":
        end = now if finished is None else finished * DAY + FULL_DAY
        begin = task.begin_before(end) if started is None else started * DAY
        return replace(task, begin=min(begin, end), end=end)
    if started is not None and has_begun(step):
        if (last := day_number(step.end)) is not None and last >= started:
            return replace(task, begin=started * DAY, end=last * DAY + FULL_DAY)
        rest, first = task, started * DAY
        if step.left is not None:
            counted = task.opens if step.duration_elapsed and task.opens else task.calendar
            rest = replace(task, work=max(1, minutes_of(step.left)), calendar=counted)
        elif (share := share_left(step)) is not None:
            rest = replace(task, work=max(1, round(share * task.work)))
        first = first if rest is task else max(now, first)
        if step.status == "waiting":  # nothing more is done before the day until which it waits
            first = max(first, DAY * not_before_of(task))
        end = rest.end_after(rest.first_moment(first))
        return replace(task, begin=started * DAY, end=end if end > now else now + FULL_DAY)
    if on is None:
        return task
    hours = hours_of_day(step.hours)  # what has its hours is over when these are, and other work on its day
    if hours is not None:
        if task.step.milestone:
            return replace(task, begin=on * DAY, end=on * DAY + min(FULL_DAY, max(0, hours[1] - times.opens)))
        days = {on + at: min(DAY, hours[1] - at * DAY) - (0 if at else hours[0]) for at in range(-(-hours[1] // DAY))}
        return replace(task, begin=on * DAY, end=max(days) * DAY + FULL_DAY, days=days)
    if not (task.waits or task.spans) and task.work:  # a day's work is on it, whatever else its people do on a day
        expected = round(expected_days(step) * task.share, 4)
        whole = max(1 if expected <= LONG_DAY else math.ceil(expected), int(times.lasts(step, task.calendar)))
        days = dict.fromkeys(times.set_days(step, task.people, on, whole), 1)
        return replace(task, begin=on * DAY, end=max(days) * DAY + FULL_DAY, days=days)
    return replace(task, begin=on * DAY)


def is_whole_days(lag: Lag) -> bool:
    """Tell whether a lag is whole days, which are counted from the day on which work ends."""
    return not lag.hours and lag.days >= 1 and lag.days == int(lag.days)


def after_lag(end: int, since: int, lag: Lag, times: WorkTimes) -> int:
    """Return when a lag is over after work that ends at a moment; hours count from another one, ``since``."""
    own, day = times.own, end // DAY
    if not lag.elapsed and is_whole_days(lag):  # so many working days lie between
        return own.end_of(own.worked_before(day + 1) + minutes_of(lag.days)) // DAY * DAY + DAY - 1
    if not lag.elapsed:
        return own.end_of(own.worked_at(since) + minutes_of(lag.days))
    after = since + round(lag.days * DAY)
    if not is_whole_days(lag):
        return after if after % DAY <= DAY - times.opens else (after // DAY + 1) * DAY
    is_within = after % DAY < (own.minutes(day) or FULL_DAY)  # the work of one day, and then whole days
    return after - after % DAY if is_within else after


def first_day_after(end: int, since: int, lag: Lag, times: WorkTimes) -> int:
    """Return the day on which a lag is over, as ``after_lag`` does; a day that never comes for one beyond all years."""
    try:
        return (after_lag(end, since, lag, times) + 1) // DAY
    except PlanUnsound:
        return date.max.toordinal()


def is_clock_time(lag: Lag) -> bool:
    """Tell whether a lag is hours of the clock."""
    return lag.elapsed and not is_whole_days(lag)


def not_before_of(task: Task) -> int:
    """Return the day before which a task may not begin; 0 for none."""
    return day_number(task.step.not_before) or 0
