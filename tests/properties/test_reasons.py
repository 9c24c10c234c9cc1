"""Why a step begins when it does: without what is named it begins earlier, as far as all else leaves room."""

from __future__ import annotations

import dataclasses
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.domain.test_work_times import MONDAY, plan_of, planned, step
from workbench.domain.plan.plan import Days, DaysOff, Lag, Person, Plan
from workbench.domain.plan.scheduling.calendar import DAY
from workbench.domain.plan.scheduling.placing import placed_in
from workbench.domain.plan.scheduling.schedule import Schedule
from workbench.domain.plan.scheduling.task import Task

PEOPLE = st.sampled_from(["Anna", "Ben", ""])


def day(number: int) -> str:
    return (MONDAY + timedelta(days=number)).isoformat()


@st.composite
def crowded_plans(draw: st.DrawFn) -> Plan:
    """Three people with absences, a freeze, and steps with needs, set days, durations and several owners."""
    first, away = draw(st.integers(0, 20)), draw(st.integers(0, 20))
    steps = []
    for number in range(draw(st.integers(2, 8))):
        needs = draw(st.lists(st.sampled_from(range(number)), unique=True, max_size=2)) if number else []
        is_set = draw(st.integers(0, 5)) == 0
        steps.append(
            step(
                number,
                draw(st.sampled_from([0.25, 1, 2, 5])),
                *(f"S{need}" for need in needs),
                owner=draw(PEOPLE),
                also=draw(st.sampled_from([(), (), ("Cleo",)])),
                mode=draw(st.sampled_from(["", "together"])),
                tags=draw(st.sampled_from([(), ("live",)])),
                on=day(draw(st.integers(0, 25))) if is_set else None,
                not_before=day(draw(st.integers(0, 15))) if not is_set and draw(st.booleans()) else None,
                lags=(Lag(f"S{needs[0]}", draw(st.sampled_from([1, 3]))),) if needs and draw(st.booleans()) else (),
                duration=draw(st.sampled_from([None, None, None, 6])),
                waiting=draw(st.sampled_from([None] * 5 + [3])),
            )
        )
    return plan_of(
        Person(id="P1", text="Anna", away=(Days(day(away), day(away + draw(st.integers(0, 6)))),)),
        Person(id="P2", text="Ben", hours=draw(st.sampled_from([10, 40]))),
        Person(id="P3", text="Cleo", weekdays=(1, 2, 4)),
        DaysOff(id="H1", text="Freeze", days=(Days(day(first), day(first + draw(st.integers(0, 9)))),), who=("live",)),
        *steps,
    )


def without(found: Schedule, name: str) -> Task:
    """Return a step without the cause that is named for it: as it is without the need, or in nobody's way."""
    why, tasks = found.placed.why[name], found.network.tasks
    if why.why == "need":
        return replace(tasks[name], needs=tuple(need for need in tasks[name].needs if need[0] != why.step))
    ends = {"begin": found.placed.begin[why.step], "end": found.placed.end[why.step]}
    return replace(tasks[why.step], **ends, owner="", people=(), loads=(), others=())


@given(crowded_plans())
def test_without_the_cause_that_is_named_a_step_begins_earlier(plan: Plan) -> None:
    found = planned(*plan.items)
    placed, network = found.placed, found.network
    for at, name in enumerate(placed.order):
        why, task = placed.why[name], network.tasks[name]
        if why.why not in ("need", "busy"):
            continue
        changed = without(found, name)
        other = dataclasses.replace(network, tasks={**network.tasks, changed.step.id: changed})
        again = placed_in(other, placed.order)
        if any(placed.begin[one] != again.begin[one] for one in placed.order[:at]):
            continue  # others have taken the time
        if again.begin[name] < placed.begin[name]:
            continue
        assert again.begin[name] == placed.begin[name]
        if why.why == "busy":  # with something else on these days, or set for that week, or who does it with them is
            assert again.why[name].why == "busy"
            if network.tasks[again.why[name].step].is_set:
                continue
            both = [(placed.begin[one] // DAY, placed.end[one] // DAY) for one in (why.step, again.why[name].step)]
            assert len(task.people) > 1 or max(first for first, _ in both) <= min(last for _, last in both)
        elif again.why[name].why != "busy":
            was, now = (one.earliest(one.tasks[name], placed.end)[0] for one in (network, other))
            is_calendar = task.first_moment(was) == task.first_moment(now)
            assert is_calendar or (task.spans and task.others), "days off of who helps are as full ones"
