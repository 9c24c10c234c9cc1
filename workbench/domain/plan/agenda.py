"""The days of people who have durations, shared steps, or steps that some days off stop.

    stretch   minutes in one go, as one thing at a time needs them; it goes round the work that runs beside it
    span      some working days, in which the work takes whatever minutes of its person are free
    meeting   up to a day that all are there for: one day, whatever hours of it somebody has else

A span is exact without a rate for each day: it begins where its days have room for its work, and this work is spread
over what is free on them. With nothing else to do, that is effort / duration a day; more other work on one day leaves
more of it to the others. A constant rate would keep a step from beginning because of one full day among twenty.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from workbench.domain.errors import PlanUnsound
from workbench.domain.plan.calendar import BEYOND, DAY, LAST_DAY, Calendar


class Piece(NamedTuple):
    """Minutes of a day that a step has for itself."""

    day: int
    first: int
    last: int
    """Behind the last minute."""


class Agenda:
    """What one person does on which day."""

    def __init__(self, calendar: Calendar) -> None:
        self._calendar = calendar
        self._free: dict[int, int] = {}
        self._pieces: dict[int, list[tuple[int, int, str]]] = {}
        self._latest: dict[int, str] = {}
        self._tasks: list[tuple[int, str]] = []
        self._next: dict[int, int] = {}
        """For days without free minutes, a later day before which none has any."""
        self.last = 0
        """The last day on which anything is done."""

    def free(self, day: int) -> int:
        """Return the minutes of a day that nothing takes yet."""
        found = self._free.get(day)
        return self._calendar.minutes(day) if found is None else found

    def is_empty(self, day: int) -> bool:
        """Tell whether nothing is done on a day."""
        return day not in self._free

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
        """Give pieces of days to a step that has them for itself."""
        self._tasks.append((pieces[0].day * DAY + pieces[0].first, name))
        for day, first, last in pieces:
            self._pieces.setdefault(day, []).append((first, last, name))
            self._take(name, day, last - first)

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
            self._take(name, day, share)
        return dict(zip(days, shares, strict=True))

    def fit(self, name: str, day: int, minutes: int, calendar: Calendar) -> dict[int, int]:
        """Take the first free minutes from a day on, on days that a calendar has; return them by day."""
        taken: dict[int, int] = {}
        while minutes > 0:
            if share := min(minutes, self.free(day), calendar.minutes(_known(day))):
                taken[day] = share
                self._take(name, day, share)
                minutes -= share
            day += 1
        return taken

    def reserve(self, name: str, days: Sequence[int], minutes: int) -> None:
        """Take minutes of set days, and what these have no room for from the rest of the week.

        What is set for a day on which its person is away takes time of no other.
        """
        usual = list(map(self._calendar.minutes, days))
        shares = shared(minutes, usual if any(usual) else [1] * len(days))
        for day, share in ((day, share) for day, share in zip(days, shares, strict=True) if share):
            own = min(share, self.free(day))
            self._take(name, day, own)
            if own == share:  # the rest of the week is not looked at for each day of a century
                continue
            is_off = self._calendar.week[(day - 1) % _WEEK] and not self._calendar.minutes(day)
            others = [] if is_off else [other for other in _week_of(day) if other not in days]
            free = [self.free(other) for other in others]
            for other, more in zip(others, shared(min(share - own, sum(free)), free), strict=True):
                self._take(name, other, more)

    def is_free_week(self, day: int, minutes: int) -> bool:
        """Tell whether nothing is done on a day, and its week has so many free minutes."""
        return self.is_empty(day) and sum(map(self.free, _week_of(day))) >= minutes

    def meet(self, name: str, day: int, minutes: int) -> None:
        """Give a whole day to a step, and what it takes beyond that from the rest of the week."""
        own = self.free(day)
        self.keep(name, [Piece(day, 0, own)])
        others = [other for other in _week_of(day) if other != day]
        for other, share in zip(others, shared(minutes - own, [self.free(other) for other in others]), strict=True):
            self._take(name, other, share)

    def block(self, name: str, days: Sequence[int]) -> None:
        """Give whole days to a step beside which nothing else is done."""
        self.keep(name, [Piece(day, 0, self._calendar.minutes(day)) for day in days])

    def names(self) -> tuple[str, ...]:
        """Return the steps that have time for themselves, in their order."""
        return tuple(name for _, name in sorted(self._tasks))

    def _take(self, name: str, day: int, minutes: int) -> None:
        if not minutes:
            return
        self._free[day] = max(0, self.free(day) - minutes)
        self._latest[day] = name
        self.last = max(self.last, day)


def shared(total: int, weights: Sequence[int]) -> list[int]:
    """Return a total in whole parts, each in proportion to its weight."""
    sums = [0, *accumulate(weights)]
    reached = [total * part // max(1, sums[-1]) for part in sums]
    return [after - before for before, after in pairwise(reached)]


_WEEK = 7
_TRIED_DAYS = 1_000
"""How long a day for a meeting is looked for."""


def _week_of(day: int) -> range:
    first = day - (day - 1) % _WEEK
    return range(first, first + _WEEK)


def first_meeting(agendas: Sequence[Agenda], calendar: Calendar, moment: int, minutes: int) -> tuple[int, str] | None:
    """Return the first day from a moment on that all keep for one thing of so many minutes, more than they work a day.

    With it comes the step that was in the way. None where their weeks have no room for it.
    """
    day, busy = -(-moment // DAY), ""
    for _ in range(_TRIED_DAYS):
        if calendar.minutes(_known(day)):
            if all(agenda.is_free_week(day, minutes) for agenda in agendas):
                return day, busy
            week = _week_of(day)
            busy = _busy(agendas, day, day + 1, calendar) or _busy(agendas, week[0], week[-1] + 1, calendar) or busy
        day += 1
    return None


def first_stretch(
    agendas: Sequence[Agenda],
    calendar: Calendar,
    moment: int,
    minutes: int,
    *,
    on_one_day: bool = False,
    splits: bool = False,
) -> tuple[list[Piece], str]:
    """Return the first minutes in one go that all have, from a moment on, and the step that was in the way.

    Days on which the calendar has no work are no interruption: somebody who waits for them may do other things.
    ``on_one_day``: all of them are on the same day, which must be long enough for that. ``splits``: other work may be
    between them.
    """
    pieces: list[Piece] = []
    left, busy = minutes, ""
    day, minute = divmod(moment, DAY)
    if minute >= calendar.minutes(day):
        day, minute = day + 1, 0
    while True:
        if not pieces and (first := max(agenda.first_open(day) for agenda in agendas)) > day:
            busy = _busy(agendas, day, first, calendar) or busy
            day, minute = first, 0
        closes = calendar.minutes(_known(day))
        blocked = min((found for agenda in agendas if (found := agenda.blocker(day, minute))), default=(closes, 0, ""))
        room = min([agenda.free(day) for agenda in agendas])
        if (taken := min(left, room, blocked[0] - minute, closes - minute)) > 0:
            pieces.append(Piece(day, minute, minute + taken))
            left -= taken
        if not left:
            return pieces, busy
        if blocked[0] < closes:
            pieces, left = (pieces, left) if splits else ([], minutes)
            minute, busy = blocked[1], busy if pieces else blocked[2]
            continue
        if pieces and on_one_day:
            has_room = closes - pieces[0].first >= minutes
            pieces, left = [], minutes
            busy = (_busy(agendas, day, day + 1, calendar) if has_room else "") or busy
        elif minute < closes and not pieces:
            busy = _busy(agendas, day, day + 1, calendar) or busy
        day, minute = day + 1, 0


def first_span(
    work: Mapping[Agenda, int],
    own: Sequence[Agenda],
    calendar: Calendar,
    day: int,
    count: int,
    *,
    is_alone: bool,
    until: Calendar | None = None,
) -> tuple[list[int], str]:
    """Return the first working days, so many, on which all have time for their minutes, and what was in the way.

    Where no such days have room for the work, as capacity is less than usual, there are more of them. ``own``: who has
    time on the first. ``is_alone``: nothing else is done on them. ``until``: has work on the last, as time is mirrored.
    """
    days: deque[int] = deque()
    rooms = dict.fromkeys(work, 0)
    last, busy, is_put_off = max(agenda.last for agenda in work), "", False
    while True:
        if not days and until is None and (first := max(agenda.first_open(day) for agenda in own)) > day:
            busy = _busy(own, day, first, calendar) or busy
            day = first
        if calendar.minutes(_known(day)):
            days.append(day)
            for agenda in work:
                rooms[agenda] += agenda.free(day)
            if is_alone and not all(agenda.is_empty(day) for agenda in work):
                days.clear()
                rooms, busy = dict.fromkeys(work, 0), _busy(work, day, day + 1, calendar)
            elif len(days) >= count and all(rooms[agenda] >= minutes for agenda, minutes in work.items()):
                if until is not None and not until.minutes(day):
                    gone = days.popleft()
                    for agenda in work:
                        rooms[agenda] -= agenda.free(gone)
                    day += 1
                    continue
                return list(days), busy or (_busy(work, days[0], days[-1] + 1, calendar) if is_put_off else "")
            while days and days[0] <= last:
                if len(days) < count and (until is not None or all(agenda.free(days[0]) for agenda in own)):
                    break
                gone = days.popleft()
                for agenda in work:
                    rooms[agenda] -= agenda.free(gone)
                busy, is_put_off = _busy(work, gone, gone + 1, calendar) or busy, True
        day += 1


def _busy(agendas: Iterable[Agenda], first: int, behind: int, calendar: Calendar) -> str:
    """Return what is done on the last of some days of a calendar on which anything is; "" for nothing."""
    agendas = tuple(agendas)
    days = range(behind - 1, first - 1, -1)
    found = (name for day in days for agenda in agendas if (name := agenda.busy_with(day)) and calendar.minutes(day))
    return next(found, "")


def _known(day: int) -> int:
    """Return a day of the calendar. Raises PlanUnsound after 9999."""
    if day > LAST_DAY:
        raise PlanUnsound(*BEYOND)
    return day
