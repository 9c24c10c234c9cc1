"""The account of one person's time: hours available on each day, what is booked of them, and what that leaves.

    hours of a day   what the calendar has: hours of a week or period, spread over the days that are left of a week
    set work         is booked on its days first; what these lack comes off the other days of the week, once
    stretch          minutes in one go, as one thing at a time needs them; it goes round what is set
    span             some working days, in which the work takes whatever minutes of its person are free
    meeting          up to a day that all are there for, on one day: with hours of its week if the day has too few

A day holds eight hours of work for what is done together, or what its person usually works if that is more. A span
is exact without a rate for each day: it begins where its days have room for its work, and this work is spread over what
is free on them. Where set work and other capacity leave too few hours, it lasts longer; it begins later only for other
work that is booked.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from workbench.domain.errors import PlanUnsound
from workbench.domain.plan.scheduling.calendar import BEYOND, DAY, EVERY_DAY, FULL_DAY, LAST_DAY, Calendar

_WEEK = 7
_TRIED_DAYS = 1_000
"""How long a day for a meeting is looked for."""
_LOOKS, _LOOKS_OF_A_STEP = 60_000, 100
"""Days that are looked at to place all steps, at the most: some for a plan, and more for each step.

3,000 steps of ten people, four of ten steps with a duration of their own, take 49 for each step.
"""


class Piece(NamedTuple):
    """Minutes of a day that a step has for itself."""

    day: int
    first: int
    last: int
    """Behind the last minute."""


class Looks:
    """How many days were looked at, for all people of a plan together."""

    def __init__(self, steps: int) -> None:
        """Begin at none. ``steps``: of the plan."""
        self.count, self._most = 0, _LOOKS + _LOOKS_OF_A_STEP * steps

    def look(self) -> None:
        """Count one more. Raises PlanUnsound if that is too many."""
        self.count += 1
        if self.count > self._most:
            raise PlanUnsound(
                "The dates take too long to work out: too many steps share too little time of their people.",
                "Plan fewer steps, or give the people who share them more hours.",
            )


class Account:
    """What one person has of each day, and what is booked."""

    def __init__(
        self,
        calendar: Calendar,
        set_work: Iterable[tuple[str, Mapping[int, int]]] = (),
        *,
        by_week: bool = True,
        ahead: range = range(LAST_DAY),
        looks: Looks | None = None,
    ) -> None:
        """Book what is set. ``by_week``: the person has so many hours a week, on whichever days they work.

        ``ahead``: the days that are not over yet, which alone make up for what others lack. ``looks``: of all people.
        """
        self._calendar, self._ahead = calendar, ahead
        self.looks = looks or Looks(1)
        self._booked: dict[int, int] = defaultdict(int)
        """Minutes of work on each day."""
        self._free: dict[int, int] = {}
        self._pieces: dict[int, list[tuple[int, int, str]]] = {}
        self._latest: dict[int, str] = {}
        self._tasks: list[tuple[int, str]] = []
        self._next: dict[int, int] = {}
        """For days without free minutes, a later day before which none has any."""
        self.last = 0
        """The last day on which anything is done."""
        booked, weeks = self._booked, dict[int, str]()
        for name, days in set_work:
            self._latest.update(dict.fromkeys(days, name))
            for day, minutes in days.items():
                booked[day] += minutes
        for day, minutes in booked.items():
            has = calendar.minutes(day)
            self._free[day] = max(0, has - minutes)
            if by_week and minutes > has:
                weeks[_week_of(day)[0]] = self._latest[day]
        self.last = max(booked, default=0)
        for first, name in sorted(weeks.items()):
            self._take_of_week(name, first, self._lacking(_week_of(first)))
        self._available = dict(self._free)

    def free(self, day: int) -> int:
        """Return the minutes of a day that nothing takes yet."""
        found = self._free.get(day)
        return self._calendar.minutes(day) if found is None else found

    def available(self, day: int) -> int:
        """Return the minutes of a day beside what is set."""
        found = self._available.get(day)
        return self._calendar.minutes(day) if found is None else found

    def beside_set(self, calendar: Calendar) -> Calendar:
        """Return a calendar with no more of each day than what is set leaves of it."""
        return calendar.with_work({day: min(left, calendar.minutes(day)) for day, left in self._available.items()})

    def is_empty(self, day: int) -> bool:
        """Tell whether nothing is done on a day."""
        return not self._booked.get(day)

    def booked(self, day: int) -> int:
        """Return the minutes of work on a day."""
        return self._booked.get(day, 0)

    def has_week_for(self, day: int, minutes: int) -> bool:
        """Tell whether so many minutes of the week of a day are free."""
        return sum(map(self.free, self._week_ahead(day))) >= minutes

    def first_open(self, day: int) -> int:
        """Return the first day from one on that may have free minutes."""
        passed: list[int] = []
        while day in self._next or (day <= self.last and not self.free(day)):
            passed.append(day)
            day = self._next.get(day, day + 1)
        self._next.update(dict.fromkeys(passed, day))  # nothing is ever taken away: what is full stays full
        return day

    def blocker(self, day: int, minute: int) -> tuple[int, int, str] | None:
        """Return the first piece of a day that ends after a minute."""
        return min((piece for piece in self._pieces.get(day, ()) if piece[1] > minute), default=None)

    def busy_with(self, day: int) -> str:
        """Return a step that takes time of a day; "" for none."""
        return self._latest.get(day, "")

    def keep(self, name: str, pieces: Sequence[Piece]) -> None:
        """Book pieces of days for a step that has them for itself; what a day lacks comes off its week."""
        self._tasks.append((pieces[0].day * DAY + pieces[0].first, name))
        for day, first, last in pieces:
            self._pieces.setdefault(day, []).append((first, last, name))
            lacking = last - first - self.free(day)
            self._book(name, day, last - first)
            self._take_of_week(name, day, lacking)

    def spread(self, name: str, days: Iterable[int], minutes: int) -> dict[int, int]:
        """Spread minutes of a step over the free minutes of days, what these have no room for over all; return them."""
        days = list(days)
        free = [self.free(day) for day in days]
        shares = shared(min(minutes, sum(free)), free)
        if (excess := minutes - sum(free)) > 0:
            whole = [self._calendar.minutes(day) for day in days]
            more = shared(excess, whole if any(whole) else [1] * len(days))
            shares = [share + over for share, over in zip(shares, more, strict=True)]
        for day, share in zip(days, shares, strict=True):
            self._book(name, day, share)
        return dict(zip(days, shares, strict=True))

    def fit(self, name: str, day: int, minutes: int, calendar: Calendar) -> dict[int, int]:
        """Book the first free minutes from a day on, on days that a calendar has; return them by day."""
        taken: dict[int, int] = {}
        while minutes > 0:
            if share := min(minutes, self.free(day), calendar.minutes(_known(day))):
                taken[day] = share
                self._book(name, day, share)
                minutes -= share
            day += 1
        return taken

    def block(self, name: str, days: Sequence[int]) -> None:
        """Book whole days for a step beside which nothing else is done."""
        self._tasks.append((days[0] * DAY, name))
        for day in days:
            self._pieces.setdefault(day, []).append((0, self._calendar.minutes(day), name))
            self._take(name, day, self.free(day))
            self._booked[day] = DAY

    def names(self) -> tuple[str, ...]:
        """Return the steps that have time for themselves, in their order."""
        return tuple(name for _, name in sorted(self._tasks))

    def _lacking(self, week: range) -> int:
        """Return the minutes that are booked beyond what the days of a week have, but for what days off took of it."""
        calendar, booked = self._calendar, [(day, self._booked.get(day, 0)) for day in week]
        lacking = sum(max(0, minutes - calendar.minutes(day)) for day, minutes in booked)
        on_days_off = sum(
            min(most, calendar.week[(day - 1) % _WEEK]) for day, most in booked if not calendar.minutes(day)
        )
        lost = sum(calendar.week) - sum(map(calendar.minutes, week))
        return lacking - min(on_days_off, max(0, lost))

    def _book(self, name: str, day: int, minutes: int) -> None:
        if minutes:
            self._booked[day] += minutes
            self._take(name, day, minutes)

    def _take(self, name: str, day: int, minutes: int) -> None:
        self._free[day] = max(0, self.free(day) - minutes)
        self._latest[day] = name
        self.last = max(self.last, day)

    def _week_ahead(self, day: int) -> Sequence[int]:
        """Return the days of the week of a day that are not over; all of a week that is."""
        week = _week_of(day)
        return [one for one in week if one in self._ahead] or week

    def _take_of_week(self, name: str, day: int, minutes: int) -> None:
        """Take minutes off the days of a week: by the hours that these have, and then by what is free."""
        week = self._week_ahead(day) if minutes > 0 else ()
        for hours in (self._calendar.minutes, self.free):
            minutes = min(minutes, sum(map(self.free, week)))
            if minutes <= 0:
                return
            for other, share in zip(week, shared(minutes, list(map(hours, week))), strict=True):
                if taken := min(share, self.free(other)):
                    self._take(name, other, taken)
                    minutes -= taken


def shared(total: int, weights: Sequence[int]) -> list[int]:
    """Return a total in whole parts, each in proportion to its weight."""
    sums = [0, *accumulate(weights)]
    reached = [total * part // max(1, sums[-1]) for part in sums]
    return [after - before for before, after in pairwise(reached)]


def spread_evenly(total: int, calendar: Calendar, first: int, last: int) -> dict[int, int]:
    """Return a total on days from one to another, by the minutes of a calendar, or on all if it has none there.

    Each day has what ``shared`` would give it; of a century, only the days that have some of it are looked at.
    """
    if calendar.worked_before(first) == calendar.worked_before(last + 1):
        calendar = EVERY_DAY
    start = calendar.worked_before(first)
    has = calendar.worked_before(last + 1) - start
    days: Iterable[int] = range(first, last + 1)
    if last - first > total:
        days = sorted({calendar.end_of(start - -one * has // total) // DAY for one in range(1, total + 1)})
    reached = [[total * (calendar.worked_before(at) - start) // has for at in (day, day + 1)] for day in days]
    return {day: after - before for day, (before, after) in zip(days, reached, strict=True) if after > before}


def _week_of(day: int) -> range:
    first = day - (day - 1) % _WEEK
    return range(first, first + _WEEK)


def first_meeting(
    accounts: Sequence[Account], calendar: Calendar, moment: int, minutes: int
) -> tuple[Piece, str] | None:
    """Return the first time from a moment on at which all are there, on one day, and the step that was in the way.

    None if no day has room for it, nor has its week.
    """
    (day, minute), busy = divmod(moment, DAY), ""
    for _ in range(_TRIED_DAYS):
        accounts[0].looks.look()
        closes = calendar.minutes(_known(day))
        if closes and minute + minutes <= max(FULL_DAY, closes):
            begin = _first_gap(accounts, day, minute, minutes, closes)
            begin = _first_room(accounts, day, minute, minutes) if begin is None else begin
            if begin is not None and begin < closes:
                return Piece(day, begin, begin + minutes), busy
            week = _week_of(day)
            busy = _busy(accounts, day, day + 1, calendar) or _busy(accounts, week[0], week[-1] + 1, calendar) or busy
        day, minute = day + 1, 0
    return None


def _first_gap(accounts: Sequence[Account], day: int, minute: int, minutes: int, closes: int) -> int | None:
    """Return the first minute of a day at which all have so many free minutes in one go; None if one has not."""
    if min(account.free(day) for account in accounts) < minutes:
        return None
    while blocked := min((found for one in accounts if (found := one.blocker(day, minute))), default=None):
        if minute + minutes <= blocked[0]:
            break
        minute = blocked[1]
    return minute if minute + minutes <= closes else None


def _first_room(accounts: Sequence[Account], day: int, minute: int, minutes: int) -> int | None:
    """Return from when on a day holds more than its usual minutes, which its week has; None if it does not."""
    begin = max(minute, *(account.booked(day) for account in accounts))
    has_room = begin + minutes <= FULL_DAY and all(one.has_week_for(day, minutes) for one in accounts)
    return begin if has_room else None


def first_stretch(
    accounts: Sequence[Account], calendar: Calendar, moment: int, minutes: int, *, splits: bool = False
) -> tuple[list[Piece], str]:
    """Return the first minutes in one go that all have, from a moment on, and the step that was in the way.

    Days on which the calendar has no work are no interruption: somebody who waits for them may do other things.
    ``splits``: other work may be between them.
    """
    pieces: list[Piece] = []
    left, busy = minutes, ""
    day, minute = divmod(moment, DAY)
    if minute >= calendar.minutes(day):
        day, minute = day + 1, 0
    while True:
        accounts[0].looks.look()
        if (opens := calendar.first_day(day)) > day:
            day, minute = opens, 0
        if not pieces and (first := max(one.first_open(day) for one in accounts)) > day:
            busy = _busy(accounts, day, first, calendar) or busy
            day, minute = first, 0
        closes = calendar.minutes(_known(day))
        blocked = min((found for one in accounts if (found := one.blocker(day, minute))), default=(closes, 0, ""))
        room = min([account.free(day) for account in accounts])
        if (taken := min(left, room, blocked[0] - minute, closes - minute)) > 0:
            pieces.append(Piece(day, minute, minute + taken))
            left -= taken
        if not left:
            return pieces, busy
        if blocked[0] < closes:
            pieces, left = (pieces, left) if splits else ([], minutes)
            minute, busy = blocked[1], busy if pieces else blocked[2]
            continue
        if minute < closes and not pieces:
            busy = _busy(accounts, day, day + 1, calendar) or busy
        day, minute = day + 1, 0


def first_span(
    work: Mapping[Account, int],
    own: Sequence[Account],
    calendar: Calendar,
    day: int,
    count: int,
    *,
    is_alone: bool,
    until: Calendar | None = None,
) -> tuple[list[int], str]:
    """Return the first working days, so many, on which all have time for their minutes, and what was in the way.

    There are more of them where what is set, and other capacity, leave too few hours. ``own``: who has time on the
    first. ``is_alone``: nothing else is done on them. ``until``: has work on the last, as time is mirrored.
    """
    days: deque[int] = deque()
    has, free = dict.fromkeys(work, 0), dict.fromkeys(work, 0)
    busy, is_put_off = "", False

    def count_day(one: int, sign: int) -> None:
        for account in work:
            has[account] += sign * account.available(one)
            free[account] += sign * account.free(one)

    while True:
        while len(days) < count or any(has[account] < minutes for account, minutes in work.items()):
            own[0].looks.look()
            day = calendar.first_day(day) if days else day
            if not days and until is None and (first := max(account.first_open(day) for account in own)) > day:
                busy = _busy(own, day, first, calendar) or busy
                day = first
            if calendar.minutes(_known(day)):
                days.append(day)
                count_day(day, 1)
                if is_alone and not all(account.is_empty(day) for account in work):
                    while days:
                        count_day(days.popleft(), -1)
                    busy = _busy(work, day, day + 1, calendar)
            day += 1
        has_room = all(free[account] >= minutes for account, minutes in work.items())
        if has_room and (until is None or until.minutes(days[-1])):
            return list(days), busy or (_busy(work, days[0], days[-1] + 1, calendar) if is_put_off else "")
        is_put_off = is_put_off or not has_room
        while days:  # until one on which it can begin
            gone = days.popleft()
            count_day(gone, -1)
            busy = ("" if has_room else _busy(work, gone, gone + 1, calendar)) or busy
            if days and (until is not None or all(account.free(days[0]) for account in own)):
                break


def _busy(accounts: Iterable[Account], first: int, behind: int, calendar: Calendar) -> str:
    """Return what is done on the last of some days of a calendar on which anything is; "" for nothing."""
    accounts = tuple(accounts)
    days = range(behind - 1, first - 1, -1)
    found = (name for day in days for account in accounts if (name := account.busy_with(day)) and calendar.minutes(day))
    return next(found, "")


def _known(day: int) -> int:
    """Return a day of the calendar. Raises PlanUnsound after 9999."""
    if day > LAST_DAY:
        raise PlanUnsound(*BEYOND)
    return day
