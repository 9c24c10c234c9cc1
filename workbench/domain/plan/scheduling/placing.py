"""Tasks one after the other, each at the first moment that needs and the time of people leave."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import pairwise

import msgspec
from msgspec.structs import replace

from workbench.domain.plan.scheduling.account import Account, Piece, first_meeting, first_span, first_stretch
from workbench.domain.plan.scheduling.calendar import DAY, FULL_DAY, Calendar
from workbench.domain.plan.scheduling.network import Network, Reason
from workbench.domain.plan.scheduling.task import Task

_TRIED_LOOKS = 100_000
"""Days that are looked at, in all orders of a plan's work together, before no further order is tried."""


class Placed(msgspec.Struct, frozen=True):
    """Where all tasks are."""

    begin: dict[str, int]
    end: dict[str, int]
    why: dict[str, Reason]
    order: tuple[str, ...]
    """As they were placed: what is needed comes first."""
    queues: tuple[tuple[str, ...], ...]
    """What each person does, in this order."""
    finish: int = 0
    """The end of the last, conditional ones aside."""
    lasting: dict[str, int] = {}
    """Minutes that a task lasts in its calendar, where other work beside it makes that more than its own."""
    loads: dict[str, dict[str, dict[int, int]]] = {}
    """Minutes of work of each task, person and day, if they are not all that its calendar has."""
    looks: int = 0
    """Days that were looked at for it."""

    def by_begin(self, tasks: Mapping[str, Task]) -> list[str]:
        """Return all tasks as they begin; hours of waiting count as begun when they end, they may follow a night."""
        moments = {name: self.end[name] if tasks[name].night else self.begin[name] for name in self.order}
        return sorted(self.order, key=moments.__getitem__)

    def as_they_last(self, tasks: Mapping[str, Task]) -> Mapping[str, Task]:
        """Return the tasks, each as long as it lasts if it is placed."""
        longer = {name: replace(tasks[name], work=work) for name, work in self.lasting.items()}
        return {**tasks, **longer} if longer else tasks

    def beside_set(self, network: Network) -> Mapping[str, Task]:
        """Return tasks of people with set days, as they last in the time that these leave."""
        tasks: dict[str, Task] = {}
        accounts = network.accounts(network.set_work)
        left: dict[tuple[int, tuple[str, ...]], Calendar] = {}
        for name, task in network.firm.items() if accounts else ():
            busy = [accounts[person] for person in task.people if person in accounts]
            if not busy or task.begin is not None or task.spans or task.is_meeting or not task.work:
                continue
            key = id(task.calendar), task.people
            if (calendar := left.get(key)) is None:
                calendar = task.calendar
                for account in busy:
                    calendar = account.beside_set(calendar)
                left[key] = calendar
            lasts = calendar.worked_at(self.end[name]) - calendar.worked_at(self.begin[name])
            tasks[name] = replace(task, calendar=calendar, work=max(task.work, lasts))
        return tasks

    def one_after_the_other(self) -> Iterator[tuple[str, str]]:
        """Yield what somebody does and what the same person does next; not what goes on during the days off of it."""
        for queue in self.queues:
            for one, other in pairwise(queue):
                if self.end[one] <= self.begin[other]:
                    yield one, other


def shared_time(
    task: Task, moment: int, accounts: Mapping[str, Account], placed: Placed, until: Calendar | None = None
) -> tuple[int, int, str]:
    """Take the first time that all people of a task have; return its two ends, and the task that was in the way."""
    name, own, minutes = task.step.id, [accounts[person] for person in task.people], dict(task.loads)
    loads: dict[str, dict[int, int]] = {}
    busy = ""
    if task.spans and own:
        work = {accounts[person]: least for person, least in minutes.items()}
        first = task.first_moment(moment) // DAY
        is_alone = task.step.mode == "alone"
        days, busy = first_span(work, own, task.calendar, first, task.work // FULL_DAY, is_alone=is_alone, until=until)
        begin, end = days[0] * DAY, days[-1] * DAY + FULL_DAY
        for person, least in minutes.items():
            loads[person] = accounts[person].spread(name, days, least)
            if is_alone and person in task.people:
                accounts[person].block(name, days)
    elif own:
        pieces, busy = _pieces(task, own, moment)
        begin, end = pieces[0].day * DAY + pieces[0].first, pieces[-1].day * DAY + pieces[-1].last
        for person in task.people:
            accounts[person].keep(name, pieces)
            loads[person] = defaultdict(int)
            for day, first, last in pieces:
                loads[person][day] += last - first
    else:
        begin = task.first_moment(moment)
        end = task.end_after(begin)
    for person, calendar in task.others:
        if person not in loads:
            loads[person] = accounts[person].fit(name, begin // DAY, minutes[person], calendar)
            last = max(loads[person], default=begin // DAY)
            end = max(end, last * DAY + calendar.minutes(last))
    if (lasts := task.calendar.worked_at(end) - task.calendar.worked_at(begin)) != task.work:
        placed.lasting[name] = lasts
    placed.loads[name] = loads
    return begin, end, busy


def _pieces(task: Task, accounts: Sequence[Account], moment: int) -> tuple[Sequence[Piece], str]:
    """Return the first time that a task has for itself, and what was in the way."""
    if task.is_meeting and (found := first_meeting(accounts, task.calendar, moment, task.work)) is not None:
        piece, busy = found
        return [piece], busy
    splits = task.step.splits and not task.is_meeting
    return first_stretch(accounts, task.calendar, moment, task.work, splits=splits)


class Queue:
    """What one person does when, as stretches of that person's working minutes."""

    def __init__(self, calendar: Calendar) -> None:
        self._calendar = calendar
        self._busy: list[tuple[int, int, str]] = []
        """First minute, the one after the last, and the last task of each stretch without a gap."""
        self._tasks: list[tuple[int, str]] = []

    def take(self, name: str, moment: int, work: int) -> tuple[int, int, str]:
        """Take the first free stretch from a moment on; return its two ends, and the task that was in the way."""
        at, busy = self._calendar.worked_at(moment), ""
        place = bisect_left(self._busy, (at + 1,))
        if place and (before := self._busy[place - 1])[1] > at:
            _, at, busy = before
        for begin, end, last in self._busy[place:]:
            if begin >= at + work:
                break
            at, busy = end, last
            place += 1
        self._tasks.append((at, name))
        first, last, end = at, name, at + work
        if place < len(self._busy) and self._busy[place][0] == end:
            _, end, last = self._busy.pop(place)
        if place and self._busy[place - 1][1] == at:
            place -= 1
            first = self._busy.pop(place)[0]
        self._busy.insert(place, (first, end, last))
        return self._calendar.start_of(at), self._calendar.end_of(at + work), busy

    def names(self) -> tuple[str, ...]:
        """Return the tasks in their order."""
        return tuple(name for _, name in sorted(self._tasks))


def _numbers(seed: int) -> Iterator[int]:
    """Yield numbers that look drawn, and are the same for ever (Park & Miller 1988)."""
    while True:
        seed = seed * 48271 % 2147483647
        yield seed


def best(network: Network, tries: int, ranks: Mapping[str, int]) -> Placed:
    """Return the schedule, of those that some orders give, that is least late for deadlines, and the shortest.

    What nobody can meet any more makes nothing else late: such deadlines count after all others.
    """
    owners = [name for task in network.firm.values() for name, _ in task.loads if task.work and task.begin is None]
    if len(set(owners)) == len(owners):
        return placed_in(network, tuple(name for name in network.order if name in network.firm))
    first = tails = {**network.tails(), **ranks}
    best = placed_in(network, _by_priority(network, tails))
    looks = best.looks
    lost = _lost(network, best)
    if lost and lost != network.deadlines.keys():
        without = {**network.tails(lost), **ranks}
        tried = placed_in(network, _by_priority(network, without))
        looks += tried.looks
        if _late(network, tried, lost) < _late(network, best, lost):
            best, tails = tried, without
    for seed in range(1, 1 + tries):
        if looks > _TRIED_LOOKS:
            break
        width = max(FULL_DAY, max(tails.values()) // 8)
        numbers = _numbers(seed)
        between = {name: tail + (first[name] - tail) * seed // (1 + tries) for name, tail in tails.items()}
        shaken = {name: tail + next(numbers) % width for name, tail in between.items()}
        tried = placed_in(network, _by_priority(network, shaken))
        looks += tried.looks
        best = min(best, tried, key=lambda one: (_late(network, one, lost), one.finish))
    return best


def _lost(network: Network, placed: Placed) -> frozenset[str]:
    """Return tasks that miss their deadlines, and would if nobody had anything else to do."""
    late = {name for name, last in network.deadlines.items() if placed.end[name] > last}
    ends: dict[str, int] = {}
    for name in network.order if late else ():
        if name in network.firm:
            task = network.tasks[name]
            begin, _ = network.earliest(task, ends)
            ends[name] = task.end_after(task.first_moment(begin) if task.begin is None else begin)
    return frozenset(name for name in late if ends[name] > network.deadlines[name])


def _late(network: Network, placed: Placed, lost: Collection[str]) -> tuple[int, int]:
    """Return by how many minutes tasks together miss the deadlines that can be met, and by how many all of them."""
    late = {name: max(0, placed.end[name] - last) for name, last in network.deadlines.items()}
    return sum(minutes for name, minutes in late.items() if name not in lost), sum(late.values())


def _by_priority(network: Network, priority: Mapping[str, int]) -> tuple[str, ...]:
    """Return tasks, the one with the greatest number first of those whose needs are placed."""
    missing = {name: len(task.needs) for name, task in network.firm.items()}
    places = {name: at for at, name in enumerate(network.firm)}
    ready = [(-priority[name], places[name], name) for name, count in missing.items() if not count]
    heapify(ready)
    order: list[str] = []
    while ready:
        name = heappop(ready)[2]
        order.append(name)
        for other, _ in network.needed_by[name]:
            if other not in missing:
                continue
            missing[other] -= 1
            if not missing[other]:
                heappush(ready, (-priority[other], places[other], other))
    return tuple(order)


def placed_in(network: Network, order: tuple[str, ...]) -> Placed:
    """Return the tasks placed one after the other, each as early as those before leave room."""
    placed = Placed({}, {}, {}, (*order, *network.conditional), (), lasting={}, loads={})
    queues: dict[str, Queue] = {}
    accounts = network.accounts(network.people_with_accounts)
    for name in order:
        task = network.tasks[name]
        begin, why = network.earliest(task, placed.end)
        busy = ""
        if task.begin is not None or not task.work or not task.loads:
            begin = task.first_moment(begin) if task.begin is None else begin
            end = task.end_after(begin)
        elif task.loads[0][0] in accounts:
            begin, end, busy = shared_time(task, begin, accounts, placed)
        else:
            queue = queues.get(task.owner) or queues.setdefault(task.owner, Queue(task.calendar))
            begin, end, busy = queue.take(name, begin, task.work)
        why = Reason("busy", busy) if busy else why
        placed.begin[name], placed.end[name], placed.why[name] = begin, end, why
    finish = max(placed.end.values(), default=0)
    add_conditional(network, placed)
    names = [queue.names() for queue in queues.values()] + [account.names() for account in accounts.values()]
    looks = next((account.looks.count for account in accounts.values()), 0)
    return replace(placed, queues=tuple(names), finish=finish, looks=looks)


def add_conditional(network: Network, placed: Placed) -> None:
    """Place the conditional tasks, in whose way nobody's other work is."""
    for name in network.conditional:
        task = network.tasks[name]
        begin, placed.why[name] = network.earliest(task, placed.end)
        begin = task.first_moment(begin) if task.begin is None else begin
        placed.begin[name], placed.end[name] = begin, task.end_after(begin)
