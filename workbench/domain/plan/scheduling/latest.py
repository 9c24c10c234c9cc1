"""The latest dates: how far each task can slip, and plans that are scheduled backward."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType

from msgspec.structs import replace

from workbench.domain.plan.scheduling.calendar import DAY, Calendar, day_number, mirrored_day
from workbench.domain.plan.scheduling.network import Network, Reason
from workbench.domain.plan.scheduling.placing import Placed, add_conditional, shared_time
from workbench.domain.plan.scheduling.step_work import has_begun
from workbench.domain.plan.scheduling.task import Task, not_before_of


class Backward:
    """Takes the time of people from the last day on, as an account from the first, with time mirrored."""

    def __init__(self, network: Network, people: Collection[str]) -> None:
        self._accounts = network.accounts(people, mirrored=True)
        self._calendars: dict[int, Calendar] = {}
        self._placed = Placed({}, {}, {}, (), (), lasting={}, loads={})
        self.moved: dict[str, Task] = {}
        """Tasks that have taken time."""
        self.end: dict[str, int] = {}
        self.bound: dict[str, str] = {}
        """What each task may not be later for; "" for the deadline."""

    @property
    def lasting(self) -> dict[str, int]:
        """As ``Placed`` has them."""
        return self._placed.lasting

    @property
    def loads(self) -> dict[str, dict[str, dict[int, int]]]:
        """As ``Placed`` has them."""
        return {
            name: {person: {mirrored_day(day): share for day, share in days.items()} for person, days in loads.items()}
            for name, loads in self._placed.loads.items()
        }

    def is_shared(self, task: Task) -> bool:
        """Tell whether a task takes the time of such a person."""
        return bool(task.work and task.loads and task.loads[0][0] in self._accounts)

    def take(self, task: Task, limit: int, bound: str) -> int:
        """Take the last time before a moment that all people of a task have; return its beginning.

        ``bound``: what the moment is there for, unless its people have other work then.
        """
        name, calendar = task.step.id, task.calendar
        mirrored, others = self._back(calendar), tuple((who, self._back(theirs)) for who, theirs in task.others)
        day, minute = divmod(limit, DAY)
        moment = mirrored_day(day) * DAY + max(0, calendar.minutes(day) - minute)
        back = replace(task, calendar=mirrored, opens=None, others=others)
        begins = None if task.opens is None or task.step.duration_elapsed else self._back(task.opens)
        end, begin, busy = shared_time(back, moment, self._accounts, self._placed, begins)
        self.bound[name] = busy or bound
        self.moved[name], self.end[name] = task, _mirrored(end, calendar)
        return _mirrored(begin, calendar)

    def _back(self, calendar: Calendar) -> Calendar:
        return self._calendars.get(id(calendar)) or self._calendars.setdefault(id(calendar), calendar.mirrored())

    def queues(self) -> Iterator[tuple[str, ...]]:
        """Yield what each person does, in this order."""
        return (account.names()[::-1] for account in self._accounts.values())


def _mirrored(moment: int, calendar: Calendar) -> int:
    day, minute = mirrored_day(moment // DAY), moment % DAY
    return day * DAY + max(0, calendar.minutes(day) - minute)


def latest(network: Network, placed: Placed, finish: int, aim: int | None, held: frozenset[str]) -> Placed:
    """Return the tasks as late as they can be with which all is done by a moment; what cannot be stays as it is.

    ``aim``: an earlier moment by which everything is done that can be done by then. ``held``: what stays.
    """
    free = [task for name, task in network.firm.items() if task.begin is None and name not in held]
    everybody = {name for task in network.firm.values() if task.work for name, _ in task.loads}
    for people in (everybody, network.people_with_accounts):  # where that leaves no room, all others keep their order
        backward = Backward(network, people)
        late = late_begins(network, placed, finish, aim=aim, backward=backward, held=held, stays=True)
        if all(late[one.step.id] >= max(network.start, one.decided, DAY * not_before_of(one)) for one in free):
            break
    else:
        return placed
    why = dict(placed.why)
    for name, task in network.firm.items():
        is_too_late = late[name] == placed.begin[name] and placed.finish > finish
        if task.begin is None and name not in held and not is_too_late:
            why[name] = Reason("backward", backward.bound[name])
    end = {name: backward.end.get(name) or task.end_after(late[name]) for name, task in network.firm.items()}
    queues = (*(queue for queue in placed.queues if backward.moved.keys().isdisjoint(queue)), *backward.queues())
    begin = {name: late[name] for name in network.firm}
    for name in placed.order:  # what nobody does continues from the day on which what it needs is done
        task = network.tasks[name]
        if name in begin and task.waits and task.needs and task.begin is None and name not in held:
            first, reason = network.earliest(task, end)
            if first < begin[name]:
                begin[name], end[name], why[name] = first, task.end_after(first), reason
    loads = {name: loads for name, loads in placed.loads.items() if name in held} | backward.loads
    lasting = {name: days for name, days in placed.lasting.items() if name in held} | backward.lasting
    later = replace(placed, begin=begin, end=end, why=why, queues=queues, loads=loads, lasting=lasting)
    add_conditional(network, later)
    return later


def late_begins(
    network: Network,
    placed: Placed,
    finish: int,
    *,
    aim: int | None = None,
    backward: Backward | None = None,
    held: frozenset[str] = frozenset(),
    stays: bool = False,
    ends: dict[str, int] | None = None,
    beside: Mapping[str, Task] = MappingProxyType({}),
) -> dict[str, int]:
    """Return the latest beginning of each task with which all is done by a moment, and people keep their order.

    ``backward``: takes the time of people whose work is no queue, instead of their order. ``held``: what stays.
    ``stays``: what is too late already stays as it is. ``ends``: is given the latest end of each.
    ``beside``: tasks in what set work leaves of their time.
    """
    following: dict[str, list[str]] = {}
    for one, other in placed.one_after_the_other():
        following.setdefault(one, []).append(other)
    for other, why in placed.why.items():
        if why.why == "busy" and has_begun(network.tasks[why.step].step):
            following.setdefault(why.step, []).append(other)
    tasks, firm = placed.as_they_last(network.tasks), network.firm
    stay = (name for name in placed.order if tasks[name].begin is not None or name in held)
    late = {name: placed.begin[name] for name in (*stay, *network.conditional)}
    for name in reversed(placed.by_begin(tasks)):
        task = tasks[name]
        is_begun = False
        if name in late:
            is_begun = ends is not None and not task.is_conditional and has_begun(task.step)
            if not is_begun:
                continue
        least = placed.end[name] if stays else 0
        limit, bound = max(finish if aim is None else aim, least), ""
        for other, lag in network.needed_by[name]:
            if other in late and other in firm:
                begins, then = late[other], tasks[other]
                is_set = then.begin is not None
                if is_set and ends is not None and then.is_set_ahead:  # work and set hours share a day if both fit
                    begins = network.opening(then, placed.end[name], lag)
                if lag:
                    before = network.before(then, begins, lag, placed.end[name])
                else:
                    before = begins + (then.room if task.night else 0)
                    if not task.work and then.counts_days:  # a milestone, on a working day before it
                        last = network.times.own.end_of(network.times.own.worked_at(before))
                        before = max(last, min(before - (not before % DAY), placed.end[name]))
                before = max(before, least) if is_set else before
                if before <= limit:
                    limit, bound = before, other
        is_shared = backward is not None and backward.is_shared(task)
        if name in following and not is_shared:
            for other in following[name]:
                begins = late.get(other, limit)
                if (
                    ends is not None and placed.why[other].why != "busy"
                ):  # what is late for another reason stays as it is
                    begins = max(begins, placed.begin[other])
                if begins < limit:
                    limit, bound = begins, other
        if task.step.deadline and (day := day_number(task.step.deadline)) is not None:
            last = max((day + 1) * DAY - 1, least)
            limit, bound = (last, "") if last < limit else (limit, bound)
        if ends is not None:
            ends[name] = limit
        if is_begun:
            continue
        if backward is not None and is_shared:
            late[name] = backward.take(network.tasks[name], limit, bound)
        else:
            task = beside.get(name, task) if limit >= placed.end[name] else task  # how late one is, all days tell
            late[name] = task.begin_before(limit)
            if ends is not None and task.opens is not None and not task.opens.minutes(late[name] // DAY):
                late[name] = task.opens.end_of(task.opens.worked_before(late[name] // DAY)) // DAY * DAY
            if backward is not None:
                backward.bound[name] = bound
    return late
