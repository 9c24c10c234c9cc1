"""What a change does to the dates of a plan: those of the steps that it concerns, and no others."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import accumulate

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from workbench.domain.plan.figures import as_it_stands, figures, first_day
from workbench.domain.plan.plan import (
    Capacity,
    Constraint,
    Days,
    DaysOff,
    Effort,
    Item,
    Money,
    Origin,
    Person,
    Plan,
    Progress,
    Rule,
    Section,
    Step,
    WorkingTime,
)
from workbench.domain.plan.scheduling.calendar import add_working_days
from workbench.domain.plan.scheduling.rescheduling import Moves, _dated_steps, _end_done_steps, replanned, rescheduled
from workbench.domain.plan.scheduling.schedule import with_dates

MONDAY = date(2027, 5, 3)
FILE = Origin("file", "plan.csv:2")


def day(number: int) -> str:
    return (MONDAY + timedelta(days=number)).isoformat()


def step(number: int, start: int | None = None, end: int | None = None, **fields: object) -> Step:
    dates = {"start": None if start is None else day(start), "end": None if end is None else day(end)}
    return Step(**{"id": f"S{number}", "title": f"Task {number}", "origin": FILE, **dates, **fields})


def plan_of(*items: Item) -> Plan:
    return Plan(title="Plan", sections=(Section(id="steps", title="Steps", items=items),))


def dates(plan: Plan) -> dict[str, tuple[str | None, str | None]]:
    return {one.id: (one.start, one.end) for one in plan.steps}


def with_step(plan: Plan, name: str, **fields: object) -> Plan:
    return plan_of(*(replace(item, **fields) if item.id == name else item for item in plan.items))


def moved(plan: Plan, changed: Plan, today: date = MONDAY) -> tuple[set[str], Moves]:
    """Return the steps that a change moves, and what it makes of the plan."""
    moves = rescheduled(plan, changed, today=today)
    old, new = dates(changed), dates(moves.plan)
    return {name for name in new if new[name] != old[name]}, moves


GIVEN = plan_of(
    step(1, 0, 4, owner="Anna"),
    step(2, 0, 11, owner="Tom"),
    step(3, 7, 9, owner="Anna", needs=("S1",)),
    step(4, 14, 25, owner="Tom", needs=("S2", "S3")),
    step(5, 8, 8, owner="Vera"),
    step(6, 21, 22, owner="Vera", needs=("S4",)),
)
"""As somebody wrote it: no estimates, two steps of Vera's before what they need is done, and gaps."""


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"name": "S1", "title": "Another title"}, ""),
        ({"name": "S1", "cost": Money(100, "EUR")}, ""),
        ({"name": "S5", "status": "dropped"}, ""),
        ({"name": "S1", "status": "done", "finished": day(3)}, ""),
        ({"name": "S2", "needs": ("S5",)}, "S2 S4 S6"),
        ({"name": "S1", "effort": Effort(7, 7, 7)}, "S1 S3"),
        ({"name": "S3", "not_before": day(15)}, "S3 S4 S6"),
        ({"name": "S1", "needs": ("S5",)}, "S1 S3 S4 S6"),
        ({"name": "S6", "on": day(35)}, "S6"),
    ],
)
def test_a_given_date_stands_until_something_forces_it(change, names):
    fields = dict(change)
    touched, moves = moved(GIVEN, with_step(GIVEN, fields.pop("name"), **fields))
    assert touched == set(names.split())
    assert set(moves.forced) <= touched


@pytest.mark.parametrize("plan", [GIVEN, "calculated"])
def test_a_step_that_a_change_dates_otherwise_is_there_and_what_needs_it_follows(plan):
    if plan == "calculated":
        items = (replace(one, start=None, end=None, origin=None, effort=Effort(3, 3, 3)) for one in GIVEN.items)
        plan = with_dates(plan_of(*items), start=MONDAY, deadline=None)
    later, longer = {"start": day(21), "end": day(25)}, {"end": day(25)}
    for change in (later, longer):
        _, moves = moved(plan, with_step(plan, "S3", **change))
        now, was = dates(moves.plan), dates(plan)
        assert now["S3"] == (change.get("start", was["S3"][0]), day(25))
        assert now["S4"][0] == day(28)
        assert [now[name] for name in ("S1", "S2", "S5")] == [was[name] for name in ("S1", "S2", "S5")]
        assert (
            dates(rescheduled(moves.plan, with_step(moves.plan, "S5", effort=Effort(2, 2, 2)), today=MONDAY).plan)["S3"]
            == now["S3"]
        ), "and it stays there"


@pytest.mark.parametrize(
    ("change", "end"),
    [
        (DaysOff(id="H1", text="Holidays", days=(Days(day(2), day(2)),)), 7),
        (DaysOff(id="H1", text="Change freeze", days=(Days(day(2), day(3)),), who=("live",)), 8),
        (DaysOff(id="H1", text="Change freeze", days=(Days(day(2), day(3)),), who=("other",)), 4),
        (DaysOff(id="H1", text="Closed on Mondays", again=(Rule("week", day(0), until=day(1)),)), 7),
        (Person(id="P1", text="Anna", hours=40, away_again=(Rule("week", day(2), until=day(9)),)), 7),
        (Person(id="P1", text="Anna", hours=40, capacity=(Capacity(20, first=day(0), last=day(4)),)), 9),
        (Person(id="P1", text="Anna", hours=20), 11),
    ],
)
@pytest.mark.parametrize("origin", [FILE, None])
def test_whatever_says_when_there_is_work_moves_the_dates(change, end, origin):
    off, anna = DaysOff(id="H1", text="Off"), Person(id="P1", text="Anna", hours=40)
    work = step(1, 0, 4, owner="Anna", effort=Effort(5, 5, 5), tags=("live",), origin=origin)
    changed = plan_of(*(change if item.id == change.id else item for item in (off, anna, work)))
    _, moves = moved(plan_of(off, anna, work), changed)
    assert dates(moves.plan)["S1"][1] == day(end)


def test_a_shorter_step_leaves_each_person_the_order_of_work():
    anna = Person(id="P1", text="Anna")
    steps = (step(1, owner="Anna"), step(3, 1, 1, owner="Anna", needs=("S1",)), step(4, 0, 0, owner="Anna"))
    plan = plan_of(anna, *steps, step(5, 0, owner="Tom", needs=("S4",), effort=Effort(2, 2, 2)))
    assert "S4" not in moved(plan, with_step(plan, "S5", effort=Effort(1, 1, 1)))[0]


def test_a_step_beside_one_whose_end_is_not_said_stands_until_something_moves_that_one():
    plan = plan_of(step(2, 0, owner="Tom"), step(3, 0, 0, owner="Anna", needs=("S2",)), step(4, 9, 9))
    away = Person(id="P1", text="Anna", away=(Days(day(1), day(1)),))
    assert moved(plan, plan_of(away, *plan.items))[0] == set()
    assert moved(plan, with_step(plan, "S2", effort=Effort(5, 5, 5)))[0] == {"S2", "S3"}


def test_a_step_under_way_without_an_estimate_takes_as_long_as_its_dates():
    assert moved(GIVEN, with_step(GIVEN, "S2", status="under-way", started=day(0)))[0] == set()


def test_what_is_dropped_before_the_plan_begins_pulls_nothing_forward():
    plan = plan_of(step(1, None, 0), step(2, 1, 1, origin=None))
    assert moved(plan, with_step(plan, "S1", status="dropped"))[0] <= {"S1"}


def test_a_phase_keeps_the_days_around_its_parts():
    plan = plan_of(step(1, 0, 25), step(2, 0, 4, parent="S1"), step(3, 7, 9, parent="S1"), step(4, 30, 30))
    touched, moves = moved(plan, with_step(plan, "S3", not_before=day(14)))
    assert touched == {"S3"}
    assert dates(moves.plan)["S1"] == (day(0), day(25))
    assert dates(rescheduled(plan, with_step(plan, "S3", not_before=day(28)), today=MONDAY).plan)["S1"][1] == day(30)


# --- any plan ---------------------------------------------------------------------------------------------------------

_efforts = st.none() | st.integers(1, 8).map(lambda days: Effort(days, days, days))


@st.composite
def given_plans(draw: st.DrawFn) -> Plan:
    """Plans whose dates nobody calculated: over weekends, before what is needed, at once for one person, or none."""
    people = [Person(id="P1", text="Anna"), Person(id="P2", text="Tom", weekdays=(1, 2, 3, 4))]
    items: list[Item] = [*people[: draw(st.integers(0, 2))], Constraint(id="K1", text="At most 900 EUR")]
    count = draw(st.integers(2, 7))
    for number in range(1, count + 1):
        start, length = draw(st.integers(0, 40)), draw(st.integers(0, 15))
        needs = draw(st.sets(st.integers(1, number - 1), max_size=2)) if number > 1 else ()
        has = draw(st.sampled_from(["both", "both", "both", "start", "end", "none"]))
        items.append(
            step(
                number,
                start if has in ("both", "start") else None,
                start + length if has in ("both", "end") else None,
                owner=draw(st.sampled_from(["Anna", "Tom", "Vera", ""])),
                effort=draw(_efforts),
                needs=tuple(f"S{need}" for need in sorted(needs)),
                origin=draw(st.sampled_from([FILE, None])),
                status=draw(st.sampled_from(["todo"] * 4 + ["done"])),
            )
        )
    return plan_of(*items)


@st.composite
def calculated_plans(draw: st.DrawFn) -> Plan:
    """Plans of which nobody gave a date, and whose owners' time nobody knows."""
    undated = [
        replace(item, start=None, end=None) if isinstance(item, Step) else item for item in draw(given_plans()).items
    ]
    plan = plan_of(
        *(
            replace(item, status="todo") if isinstance(item, Step) else item
            for item in undated
            if not isinstance(item, Person)
        )
    )
    return with_dates(plan, start=MONDAY, deadline=None)


def concerned(plan: Plan, *names: str) -> set[str]:
    """Return steps, what waits for them, and what shares a person with one of these."""
    people = {person.text for person in plan.people}
    known, size = set(names), 0
    while size != len(known):
        size = len(known)
        owners = {one.owner for one in plan.steps if one.id in known} & people
        known |= {one.id for one in plan.steps if known & set(one.needs) or one.owner in owners}
    return known


changes = st.sampled_from(
    [
        {"effort": Effort(4, 6, 9)},
        {"effort": Effort(1, 1, 1)},
        {"not_before": day(30)},
        {"status": "dropped"},
        {"status": "done", "finished": day(5)},
        {"status": "under-way", "started": day(2), "left": 3.0},
        {"needs": ()},
        {"on": day(20)},
    ]
)
_quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@_quick
@given(given_plans() | calculated_plans(), st.integers(0, 80))
def test_a_change_of_words_and_money_moves_nothing(plan, later):
    changed = plan_of(
        *(
            replace(item, title=f"{item.title}, again", cost=Money(5, "EUR"), outcome="It is there", tags=("x",))
            if isinstance(item, Step)
            else replace(item, text=f"{item.text} or so")
            if isinstance(item, Constraint)
            else item
            for item in plan.items
        )
    )
    assert rescheduled(plan, changed, today=MONDAY + timedelta(days=later)).plan == changed


@_quick
@given(given_plans(), st.integers(1, 7), changes, st.integers(0, 30))
def test_a_change_of_one_given_step_moves_what_depends_on_it(plan, number, change, later):
    name = f"S{min(number, len(plan.steps))}"
    changed = with_step(plan, name, **change)
    today = MONDAY + timedelta(days=later)
    touched, moves = moved(plan, changed, today=today)
    assert touched <= concerned(plan, name, *(() if given_dates(plan, today) else overdue(plan, today)))
    assert set(moves.forced) <= touched


def given_dates(plan: Plan, today: date = MONDAY) -> set[str]:
    """Return the steps whose dates are other than what is calculated: those of a file may be the same by chance."""
    start, ended = first_day(plan), _end_done_steps(plan, today)
    return set() if start is None else set(_dated_steps(ended, as_it_stands(ended, start, None)))


def overdue(plan: Plan, today: date) -> list[str]:
    """Return the open steps that begin before today, or at any time: what is calculated is so again, from today."""
    return [one.id for one in plan.steps if one.status == "todo" and (one.start or one.end or "") < today.isoformat()]


@_quick
@given(calculated_plans(), st.integers(1, 7), changes)
def test_a_change_of_one_calculated_step_moves_what_depends_on_it(plan, number, change):
    name = f"S{min(number, len(plan.steps))}"
    touched, moves = moved(plan, with_step(plan, name, **change))
    assert touched <= concerned(plan, name)
    assert not moves.forced or any(one.start is None for one in plan.steps)


@_quick
@given(given_plans(), st.integers(0, 50), st.integers(0, 9))
def test_an_absence_moves_the_work_of_one_person_and_what_depends_on_it(plan, first, length):
    away = (Days(day(first), day(first + length)),)
    known = next((person for person in plan.people if person.text == "Anna"), None)
    items = [item for item in plan.items if item is not known]
    anna = replace(known, away=away) if known else Person(id="P9", text="Anna", away=away)
    own = [one for one in plan.steps if one.owner == "Anna" and one.status == "todo"]
    hit = [
        one.id for one in own
        if not (one.start and one.end) or (one.start <= away[0].last and away[0].first <= one.end)
    ]  # fmt: skip
    if known is None:  # now that the plan knows her time, what is calculated no longer stands beside her other work
        given = given_dates(plan)
        hit += [one.id for one in own if one.id not in given]
    touched, _ = moved(plan, changed := plan_of(anna, *items))
    assert touched <= (concerned(changed, *hit) if hit else set())


def test_what_is_open_is_planned_again_from_today_and_what_is_done_stays() -> None:
    done = step(1, 0, 1, status="done", finished=day(1))
    late = step(2, 2, 3, needs=("S1",), effort=Effort(2, 2, 2))
    fixed = step(3, 28, 28, on=day(28))
    held = step(4, 4, 4, not_before=day(35), needs=("S2",), effort=Effort(1, 1, 1))
    ahead = step(5, 21, 22, needs=("S2",), effort=Effort(2, 2, 2))
    begun = step(6, 2, 3, status="under-way", started=day(2), effort=Effort(2, 2, 2))
    plan = Plan(
        title="Move", sections=(Section(id="steps", title="Steps", items=(done, late, fixed, held, ahead, begun)),)
    )
    after = {one.id: one for one in replanned(plan, MONDAY + timedelta(days=14)).steps}
    assert after["S1"] == done
    assert (after["S2"].start, after["S2"].end) == (day(14), day(15))
    assert after["S3"] == fixed
    assert after["S4"].start == day(35)
    assert after["S5"] == ahead, "a date that is still ahead stands"
    assert (after["S6"].start, after["S6"].end) == (day(2), day(14)), "late work ends today at the earliest"


# --- what is under way, and deadlines ---------------------------------------------------------------------------------


def told(plan: Plan, name: str, today: int, **fields: object) -> dict[str, tuple[str | None, str | None]]:
    """Return the dates after a report of what is known of a step on a day."""
    began = plan_of(*(replace(one, origin=None) if isinstance(one, Step) else one for one in plan.items))
    changed = with_step(began, name, **{"status": "under-way", **fields})
    return dates(rescheduled(began, changed, today=MONDAY + timedelta(days=today)).plan)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"started": day(2), "left": 0.375}, (day(2), day(3))),  # planned for June
        ({"started": day(0), "progress": Progress(9, 14)}, (day(0), day(8))),  # 10 days, of which 3.6 are left
        ({"started": day(0), "progress": Progress(1)}, (day(0), day(3))),  # nothing is left, and it is not done
        ({"started": day(-5)}, (day(-5), day(8))),
        ({"started": day(-19)}, (day(-19), day(3))),  # it should have been over
    ],
)
def test_what_is_under_way_ends_today_or_later_and_begins_when_it_began(fields, expected):
    planned = step(1, 28, 39, effort=Effort(10, 10, 10))
    assert told(plan_of(planned, step(2, 40, 41, needs=("S1",))), "S1", 3, **fields)["S1"] == expected


def test_hours_of_a_day_are_over_on_that_day():
    read = step(1, 7, 8, effort=Effort(2, 2, 2))
    (moved_to,) = rescheduled(
        plan_of(read), plan_of(replace(read, on=day(9), hours="08:30-11:00")), today=MONDAY
    ).plan.steps
    assert (moved_to.start, moved_to.end) == (day(9), day(9))
    (night,) = replanned(plan_of(replace(moved_to, hours="22:00-06:00")), MONDAY).steps
    assert (night.start, night.end) == (day(9), day(10))
    anna = Person(id="P1", text="Anna")
    (busy,) = figures(plan_of(anna, replace(moved_to, owner="Anna"))).people
    assert busy.peak == (MONDAY + timedelta(days=7), 150 / 2400)


@given(st.lists(st.tuples(st.integers(1, 6), st.none() | st.integers(1, 40)), min_size=2, max_size=6))
def test_planned_again_one_person_does_first_what_is_due_first(work):
    anna = Person(id="P1", text="Anna")
    steps = [
        step(n, owner="Anna", effort=Effort(days, days, days), deadline=None if last is None else day(last))
        for n, (days, last) in enumerate(work)
    ]
    after = {one.id: one for one in replanned(plan_of(anna, *steps), MONDAY).steps}
    late = [one for one in after.values() if one.deadline and one.end and one.end > one.deadline]
    due = sorted((one for one in steps if one.deadline), key=lambda one: one.deadline or "")
    worked = accumulate(int(one.effort.likely) for one in due if one.effort)
    last_days = [add_working_days(MONDAY, days - 1).isoformat() for days in worked]
    if all(day <= (one.deadline or "") for one, day in zip(due, last_days, strict=True)):
        assert late == [], "in the order of their deadlines all are met"


def test_what_has_a_deadline_goes_before_a_longer_chain_of_the_same_person():
    anna = Person(id="P1", text="Anna")
    long, then = step(1, owner="Anna", effort=Effort(8, 8, 8)), step(2, effort=Effort(8, 8, 8), needs=("S1",))
    due = step(3, owner="Anna", effort=Effort(2, 2, 2), deadline=day(2))
    planned = dates(replanned(plan_of(anna, long, then, due), MONDAY))
    assert planned["S3"] == (day(0), day(1))
    assert planned["S1"] == (day(2), day(11))


@st.composite
def backward_plans(draw: st.DrawFn) -> Plan:
    """A plan that is dated back from its day, some of its steps on days of their own."""
    free = draw(calculated_plans()).steps
    by = Constraint(id="K1", text="The day", limits="date", day=day(200), sets="goal-day")
    fixed = draw(st.sets(st.sampled_from([one.id for one in free]), max_size=2))
    steps = [
        replace(one, on=day(7 * draw(st.integers(10, 25))), needs=(), start=None, end=None, not_before=None)
        if one.id in fixed
        else replace(one, start=None, end=None, not_before=None)
        for one in free
    ]
    items = (
        WorkingTime(id="W1", backward=True),
        by,
        *(Person(id=f"P{n}", text=name) for n, name in enumerate(("Anna", "Vera"))),
    )
    return with_dates(plan_of(*items, *steps), start=MONDAY, deadline=date.fromisoformat(day(200)))


@given(backward_plans(), st.data())
def test_a_report_moves_no_step_away_from_a_fixed_or_backward_date(plan, data):
    one = data.draw(st.sampled_from([step for step in plan.steps if not step.on] or list(plan.steps)))
    today = date.fromisoformat(data.draw(st.sampled_from([step.start for step in plan.steps if step.start])))
    reports = [
        {"status": "done", "finished": today.isoformat()},
        {"status": "under-way", "started": today.isoformat(), "left": 1},
    ]
    changed = with_step(plan, one.id, **data.draw(st.sampled_from(reports)))
    after = {step.id: step for step in rescheduled(plan, changed, today=today).plan.steps}
    late = [step.id for step in plan.steps if (step.start or "") < today.isoformat()]
    touched = concerned(plan, one.id, *late)
    for step in plan.steps:
        if step.id not in touched or (step.id != one.id and step.on):
            assert (after[step.id].start, after[step.id].end) == (step.start, step.end)
        elif step.id != one.id:
            assert (after[step.id].start or "") >= (step.start or ""), "it is as late as it was, or has to be later"
