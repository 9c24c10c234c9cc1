"""Durations, waiting in working days, decisions, conditions, several owners, places, hours and full weeks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from datetime import date, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.domain.test_work_times import MONDAY, dates, plan_of, planned, plans, step, why
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.figures import figures
from workbench.domain.plan.plan import (
    Capacity,
    Constraint,
    Days,
    DaysOff,
    Decision,
    Lag,
    Person,
    Place,
    Plan,
    Rule,
    Step,
    WorkingTime,
)
from workbench.domain.plan.scheduling.calendar import DAY, Calendar
from workbench.domain.plan.scheduling.forecast import forecast
from workbench.domain.plan.scheduling.load import monday, week_minutes, work_by_day
from workbench.domain.plan.scheduling.rescheduling import rescheduled
from workbench.domain.plan.scheduling.schedule import Schedule, schedule, with_dates
from workbench.domain.plan.scheduling.work_times import WorkTimes
from workbench.domain.plan.telling.schedule_told import schedule_told


def minutes_by_day(found: Schedule) -> dict[str, Counter[int]]:
    work = work_by_day(found)
    return {name: sum(map(Counter, steps.values()), Counter()) for name, steps in work.items()}


ANNA = Person(id="P1", text="Anna")
BEN = Person(id="P2", text="Ben", weekdays=(1, 2, 3))
HALL = Place(id="L1", text="Hall", closed=(Days("2026-11-24", "2026-11-26"),))


def found_in(*items, rule: str) -> list[tuple[str | None, str, str]]:
    findings = check_plan(plan_of(*items), today=MONDAY)
    return [(one.item, one.severity, one.text) for one in findings if one.rule == rule]


def dated(*items, deadline: date | None = None) -> Plan:
    return with_dates(plan_of(*items), start=MONDAY, deadline=deadline)


# --- duration ---------------------------------------------------------------------------------------------------------


def test_a_duration_leaves_its_owner_the_rest_of_its_days():
    long = step(1, 5, owner="Anna", duration=10)
    found = planned(ANNA, long, step(2, 2, owner="Anna"), step(3, 3, owner="Anna"), step(4, 1, owner="Anna"))
    assert dates(found)["S1"] == ("2026-11-23", "2026-12-04")
    ends = sorted(end for name, (_, end) in dates(found).items() if name != "S1")
    assert ends[-1] == "2026-12-07", "S1 leaves half of each of its ten days, and there are six days of other work"
    assert set(minutes_by_day(found)["anna"].values()) == {480}


def test_a_duration_waits_until_its_days_have_room():
    trip = step(1, 5, owner="Anna", on="2026-11-23", status="under-way", started="2026-11-23")
    full = step(2, 5, owner="Anna", priority="high")
    late = step(3, 4, "S2", owner="Anna", duration=5)
    assert dates(planned(ANNA, trip, full, late))["S3"] == ("2026-12-07", "2026-12-11")


@pytest.mark.parametrize(
    ("hours", "effort", "days", "end"),
    [(20, 2.5, 5, "2026-11-27"), (20, 2.5, 6, "2026-11-30"), (20, 5, 5, "2026-12-04"), (None, 1, 3, "2026-11-25")],
)
def test_a_duration_is_in_days_on_which_its_owner_works(hours, effort, days, end):
    anna = replace(ANNA, hours=hours)
    assert dates(planned(anna, step(1, effort, owner="Anna", duration=days)))["S1"] == ("2026-11-23", end)


@pytest.mark.parametrize(
    ("weekdays", "away", "effort", "first", "last", "worked"),
    [
        ((2, 4), (), 1, "2026-11-24", "2026-12-07", {1, 3}),
        ((2, 4), (Days("2026-11-30", "2026-12-04"),), 1, "2026-11-24", "2026-12-14", {1, 3}),
        ((2, 4), (), 6, "2026-11-24", "2026-12-10", {1, 3}),
        ((6, 7), (), 1, "2026-11-28", "2026-12-07", {5, 6}),
        ((1, 2, 3, 4, 5, 6), (), 1, "2026-11-23", "2026-12-03", set(range(6))),
    ],
)
@pytest.mark.parametrize("backward", [False, True])
def test_a_duration_counts_the_days_of_the_plan_and_those_of_its_owner(
    weekdays, away, effort, first, last, worked, backward
):
    anna = replace(ANNA, weekdays=weekdays, away=away)
    plan = dated(WorkingTime(id="W1", backward=backward), anna, step(1, effort, owner="Anna", duration=10))
    by = date.fromisoformat(last)
    if backward:
        plan = dated(*plan.items, deadline=by)
    [done] = plan.steps
    assert (done.start if not backward else first, done.end) == (first, last)
    found = planned(*plan.items, start=date.fromisoformat(done.start or ""), deadline=by)
    assert {date.fromordinal(day).weekday() for day in minutes_by_day(found)["anna"]} <= worked
    assert forecast(found, deadline=by, runs=3).chance == 1
    assert found_in(*plan.items, rule="dates.day-off") == []


@given(st.integers(1, 40), st.sampled_from([5, 8, 20, 40]))
def test_an_effort_of_all_hours_fits_its_duration_exactly(days, hours):
    effort = days * hours / 5 / 8
    plain, lasting = step(1, effort, owner="Anna"), step(1, effort, owner="Anna", duration=days)
    anna = replace(ANNA, hours=hours)
    assert dates(planned(anna, lasting)) == dates(planned(anna, plain))
    assert found_in(anna, lasting, rule="dates.duration") == []


def test_a_duration_below_its_effort_is_a_finding_with_both():
    anna = replace(ANNA, hours=20)
    said = "S1 “” has a duration of 5 working days, but its effort takes Anna 10."
    assert found_in(anna, step(1, 5, owner="Anna", duration=5), rule="dates.duration") == [("S1", "minor", said)]


def test_a_duration_has_the_hours_that_its_days_have():
    busy = replace(ANNA, hours=16, capacity=(Capacity(50, "2026-11-30", "2026-12-06"),))
    days = {"2026-11-30": [], "2026-12-02": ["S1"], "2026-12-07": ["S1"]}
    for on, items in days.items():
        found = found_in(busy, step(1, 5, owner="Anna", duration=5, on=on), rule="dates.duration")
        assert [item for item, *_ in found] == items, on


def test_a_step_with_fewer_hours_than_usual_lasts_until_its_work_is_done():
    busy = replace(ANNA, capacity=(Capacity(4, "2026-11-23", "2026-12-31"),))
    assert dates(planned(busy, step(1, 1, owner="Anna", duration=5)))["S1"] == ("2026-11-23", "2026-12-04")


def test_a_capacity_without_a_period_holds_always():
    assert dates(planned(replace(ANNA, capacity=(Capacity(20),)), step(1, 5, owner="Anna")))["S1"][1] == "2026-12-04"


FREEZE = DaysOff(id="H1", text="Freeze", days=(Days("2026-12-24", "2027-01-06"),))


@pytest.mark.parametrize("owner", ["", "Anna"])
def test_an_elapsed_duration_counts_days_off(owner):
    long = step(1, 5, owner=owner, duration=42, duration_elapsed=True)
    found = planned(ANNA, FREEZE, long, step(2, 1, "S1"))
    assert dates(found) == {"S1": ("2026-11-23", "2027-01-03"), "S2": ("2027-01-07", "2027-01-07")}
    assert forecast(found, deadline=None).p50 == date(2027, 1, 7)
    worked = minutes_by_day(found).get("anna", {})
    assert sum(worked.values()) == (2400 if owner else 0)
    assert all(date.fromordinal(day).weekday() < 5 for day, minutes in worked.items() if minutes)


def test_work_that_takes_longer_than_an_elapsed_duration_takes_its_time():
    long = step(1, 12, owner="Anna", duration=14, duration_elapsed=True)
    assert dates(planned(ANNA, long))["S1"] == ("2026-11-23", "2026-12-08")
    assert len(found_in(ANNA, long, rule="dates.duration")) == 1


def test_an_elapsed_duration_ends_at_its_deadline_where_time_runs_backward():
    backward = WorkingTime(id="W1", backward=True)
    long = step(1, 5, owner="Anna", duration=14, duration_elapsed=True)
    after = dated(ANNA, backward, long, deadline=date(2027, 1, 15))
    assert (after.steps[0].start, after.steps[0].end) == ("2027-01-02", "2027-01-15")
    assert forecast(planned(*after.items, deadline=date(2027, 1, 15)), deadline=date(2027, 1, 15), runs=3).chance == 1


def test_alone_nothing_is_done_beside_a_duration():
    alone = step(1, 1, owner="Anna", duration=5, mode="alone")
    assert dates(planned(ANNA, alone, step(2, 1, owner="Anna")))["S2"] == ("2026-11-30", "2026-11-30")


def test_the_forecast_keeps_durations_and_what_goes_on_beside_them():
    long = step(1, 6, owner="Anna", duration=12)
    wait = Step(id="S3", title="", waiting=3, waits_working=True, needs=("S2",))
    found = planned(ANNA, BEN, long, step(2, 4, owner="Anna"), wait, step(4, 6, "S3", owner="Anna", also=("Ben",)))
    told = forecast(found, deadline=found.finish, runs=3)
    assert (told.p50, told.p80, told.chance) == (found.finish, found.finish, 1.0)


# --- waiting, decisions, conditions -----------------------------------------------------------------------------------


@pytest.mark.parametrize("is_set", [True, False])
@pytest.mark.parametrize(
    ("working", "day", "dates_of_wait"),
    [
        (True, "2026-12-02", ("2026-12-03", "2026-12-09")),
        (False, "2026-12-02", ("2026-12-03", "2026-12-07")),
        (True, "2026-12-04", ("2026-12-07", "2026-12-11")),
        (False, "2026-12-04", ("2026-12-05", "2026-12-09")),
    ],
)
def test_waiting_counts_from_the_day_after_a_milestone(is_set, working, day, dates_of_wait):
    milestone = Step(id="S1", title="", milestone=True, **{"on" if is_set else "not_before": day})
    wait = Step(id="S2", title="", waiting=5, waits_working=working, needs=("S1",))
    found = planned(milestone, wait)
    assert dates(found) == {"S1": (day, day), "S2": dates_of_wait}
    assert [row.slack for row in found.rows] == [0, 0]
    back = WorkingTime(id="W1", backward=True)
    late = planned(back, replace(milestone, not_before=None), wait, deadline=found.rows[1].end)
    assert dates(late) == dates(found)


def test_backward_no_step_is_early_for_another_that_has_to_be_done_before():
    first = step(1, 1, owner="Anna", not_before="2026-11-30", deadline="2026-12-08")
    back, chain = WorkingTime(id="W1", backward=True), (step(2, 2, owner="Anna"), step(3, 1, "S2", owner="Anna"))
    found = dates(planned(ANNA, back, first, *chain, deadline=date(2026, 12, 14)))
    assert found == {
        "S1": ("2026-12-08", "2026-12-08"),
        "S2": ("2026-12-10", "2026-12-11"),
        "S3": ("2026-12-14", "2026-12-14"),
    }


def test_a_step_waits_until_what_it_depends_on_is_decided():
    decision = Decision(id="D1", text="Which hall?", owner="Board", latest="2026-12-01")
    found = planned(decision, step(1, 1, decisions=("D1",)), step(2, 1), step(3, 1, decisions=("D2",)))
    assert {name: first for name, (first, _) in dates(found).items()} == {
        "S1": "2026-12-02",
        "S2": "2026-11-23",
        "S3": "2026-11-23",
    }
    assert why(found)["S1"] == "decision D1"
    told = figures(dated(decision, step(1, 1, decisions=("D1",)), step(2, 1)))
    assert told.steps[0].why == "D1 may be decided until 1 Dec"


def test_a_step_on_a_day_before_its_decision_is_a_finding():
    decision = Decision(id="D1", text="Which hall?", owner="Board", latest="2027-01-29")
    fixed = step(9, 1, on="2026-12-16", start="2026-12-16", end="2026-12-16", decisions=("D1",))
    said = "S9 begins on 2026-12-16, and D1 may be decided until 2027-01-29."
    assert found_in(decision, fixed, rule="dates.decision") == [("S9", "major", said)]
    assert found_in(decision, replace(fixed, on=None), rule="dates.decision") == [("S9", "minor", said)]
    assert found_in(replace(decision, latest="2026-12-16"), fixed, rule="dates.decision") == []
    assert found_in(decision, replace(fixed, decisions=()), rule="dates.decision") == []


def test_a_conditional_step_is_dated_and_outside_of_the_rest():
    repair = step(2, 10, "S1", owner="Anna", condition="the first window fails")
    plan = dated(ANNA, step(1, 2, owner="Anna"), repair, step(3, 1, "S2", owner="Anna"))
    told = figures(plan)
    assert {one.id: (one.start, one.end) for one in plan.steps} == {
        "S1": ("2026-11-23", "2026-11-24"),
        "S2": ("2026-11-25", "2026-12-08"),
        "S3": ("2026-11-25", "2026-11-25"),
    }
    assert (told.finish, told.critical_path, told.people[0].days) == (date(2026, 11, 25), ("S1", "S3"), 3)
    assert [one.step for one in told.steps if one.critical] == ["S1", "S3"]
    findings = check_plan(plan, today=MONDAY)
    assert [one.text for one in findings if one.rule.startswith(("dates", "people.busy"))] == []


@given(plans(), st.data())
def test_a_conditional_step_moves_no_other(plan, data):
    name = data.draw(st.sampled_from([one.id for one in plan.steps]))
    needs = data.draw(st.lists(st.sampled_from([one.id for one in plan.steps]), unique=True, max_size=2))
    some = Step(id="S9", title="", owner="Anna", needs=tuple(needs), condition="it rains", effort=step(1, 9).effort)
    waiting = [
        replace(one, needs=(*one.needs, "S9"), lags=(*one.lags, Lag("S9", 2))) if one.id == name and not needs else one
        for one in plan.steps
    ]
    others = [item for item in plan.items if not isinstance(item, Step)]
    for back in (False, True):
        times = WorkTimes.from_plan(plan)
        times = WorkTimes(times.own, times.people, backward=back)
        deadline = MONDAY + timedelta(days=200)
        before = schedule(plan.steps, start=MONDAY, deadline=deadline, times=times)
        after = schedule(plan_of(*others, some, *waiting).steps, start=MONDAY, deadline=deadline, times=times)
        assert after.rows[1:] == before.rows
        assert (after.finish, after.critical_path) == (before.finish, before.critical_path)
        assert all(after.placed.end[need] <= after.placed.begin["S9"] for need in needs)


def test_what_follows_conditional_steps_waits_for_what_they_wait_for():
    if_late = {"condition": "the first window fails"}
    chain = [step(1, 2), step(2, 3, "S1", **if_late), step(3, 3, "S2", **if_late), step(4, 1, "S3")]
    assert dates(planned(*chain)) == {
        "S1": ("2026-11-23", "2026-11-24"),
        "S2": ("2026-11-25", "2026-11-27"),
        "S3": ("2026-11-30", "2026-12-02"),
        "S4": ("2026-11-25", "2026-11-25"),
    }


# --- owners -----------------------------------------------------------------------------------------------------------


def test_owners_share_the_effort_unless_each_has_all_of_it():
    both = step(1, 4, owner="Anna", also=("Ben",))
    for one, end, days in ((both, "2026-11-24", 2), (replace(both, each=True), "2026-11-30", 4)):
        plan = dated(ANNA, BEN, one)
        assert (plan.steps[0].start, plan.steps[0].end) == ("2026-11-23", end)
        assert [person.days for person in figures(plan).people] == [days, days]


@pytest.mark.parametrize(("days", "on"), [(0.2, "2026-11-23"), (0.5, "2026-11-23"), (1, "2026-11-30")])
def test_what_is_done_together_in_a_day_is_on_one_day(days, on):
    """Ben has 8 hours a week, 6.4 of them in the first, and Anna 20."""
    people = replace(ANNA, hours=20), replace(BEN, hours=8, away=(Days("2026-11-24", "2026-11-24"),))
    meeting = step(1, days, owner="Anna", also=("Ben",), mode="together", each=True)
    plan = dated(*people, meeting, step(2, 0.1, owner="Ben"))
    assert (plan.steps[0].start, plan.steps[0].end) == (on, on)
    assert all(person.peak is None or person.peak[1] <= 1 for person in figures(plan).people)


# --- places and freezes -----------------------------------------------------------------------------------------------


def test_a_step_whose_place_is_never_open_when_its_people_work_is_named():
    field = Place(id="L1", text="Fairground", weekdays=(6, 7))
    items = ANNA, field, step(1, 1, owner="Anna", place="L1"), step(2, 1, place="L1"), step(3, 1)
    assert dates(planned(*items))["S3"] == ("2026-11-23", "2026-11-23")
    texts = [text.partition(": ")[2] for _, _, text in found_in(*items, rule="dates.day-off")]
    last = "and Fairground have no weekday in common."
    assert texts == [f"Anna {last}", f"the working days {last}"]


def test_a_place_is_closed_on_weekdays_and_by_rule():
    fridays = Place(id="L2", text="Archive", weekdays=(4, 5), again=(Rule("week", "2026-11-26", until="2026-11-26"),))
    assert dates(planned(fridays, step(1, 2, place="Archive")))["S1"] == ("2026-11-27", "2026-12-03")


@given(plans(), st.sampled_from(["freeze", "place"]), st.integers(0, 20), st.integers(0, 20))
def test_a_freeze_or_a_closed_place_stops_exactly_its_steps(plan, kind, first, length):
    begin, end = MONDAY + timedelta(days=first), MONDAY + timedelta(days=first + length)
    span = Days(begin.isoformat(), end.isoformat())
    closing = (
        DaysOff(id="H2", text="", days=(span,), who=("live",)) if kind == "freeze" else replace(HALL, closed=(span,))
    )
    stopped = {"tags": ("live",)} if kind == "freeze" else {"place": "L1"}
    steps = [replace(one, **stopped) if at % 2 else one for at, one in enumerate(plan.steps)]
    others = [item for item in plan.items if not isinstance(item, Step)]
    found = planned(closing, *others, *steps)
    free = [one.id for one in steps if not (one.tags or one.place)]
    for row in found.rows:
        task = found.network.tasks[row.step]
        if row.step in free:
            assert task.calendar.minutes == found.network.times.people.get(task.owner, found.network.times.own).minutes
        elif not task.step.milestone and task.step.waiting is None:
            assert not begin <= row.start <= end, "it begins on no day on which it is stopped"
            assert not begin <= row.end <= end
    alone = planned(closing, *others, *[one for one in steps if one.id in free and not one.needs])
    without = planned(*others, *[one for one in steps if one.id in free and not one.needs])
    assert alone.rows == without.rows


# --- load -------------------------------------------------------------------------------------------------------------


@given(plans(), st.data())
def test_nobody_has_more_minutes_a_day_than_they_work(plan, data):
    lengths, modes = st.sampled_from([None, 3, 8, 20]), st.sampled_from(["", "together", "alone"])
    steps = [
        replace(
            one,
            duration=data.draw(lengths),
            mode=data.draw(modes),
            also=data.draw(st.sampled_from([(), ("Anna",), ("Ben", "Cleo")])),
            each=data.draw(st.booleans()),
        )
        for one in plan.steps
    ]
    same_week = [replace(one, weekdays=(1, 2, 3, 6)) if isinstance(one, Person) else one for one in plan.items]
    found = planned(*[item for item in same_week if not isinstance(item, Step)], *steps)
    begin, end = found.placed.begin, found.placed.end
    assert all(end[need] <= begin[one.id] for one in steps for need in one.needs)
    helpers = {
        (person, day)
        for name, task in found.network.tasks.items()
        for person in dict(task.loads).keys() - set(task.people)
        for day in found.placed.loads.get(name, {}).get(person, {})
    }
    for person, days in minutes_by_day(found).items():
        calendar = found.network.times.people[person]
        own = {day: most for day, most in days.items() if (person, day) not in helpers}
        assert_capacity(found, calendar, own, {monday(day) for one, day in helpers if one == person})
        estimated = (task for task in found.network.firm.values() if task.step.effort is not None)
        assert sum(days.values()) == sum(dict(task.loads).get(person, 0) for task in estimated)


def assert_capacity(found: Schedule, calendar: Calendar, days: Mapping[int, int], but: Collection[int] = ()) -> None:
    """Nobody does more on a day than they work on it; on the day of a meeting no more than they work in its week."""
    tasks = found.network.tasks
    meetings = {found.placed.begin[name] // DAY for name, task in tasks.items() if task.is_meeting}
    assert all(most <= calendar.minutes(day) for day, most in days.items() if day not in meetings)
    for week in {monday(day) for day in days} - set(but):
        assert sum(most for day, most in days.items() if monday(day) == week) <= week_minutes(calendar, week)


@st.composite
def busy_plans(draw: st.DrawFn) -> Plan:
    """Two people, one of them with half of the hours, and steps with durations and of both."""
    steps = []
    for number in range(draw(st.integers(1, 7))):
        needs = draw(st.lists(st.sampled_from(range(number)), unique=True, max_size=1)) if number else []
        steps.append(
            step(
                number,
                draw(st.sampled_from([0.5, 1, 2, 5])),
                *(f"S{need}" for need in needs),
                owner=draw(st.sampled_from(["Anna", "Ben"])),
                also=draw(st.sampled_from([(), (), ("Ben",)])),
                mode=draw(st.sampled_from(["", "together", "alone"])),
                duration=draw(st.sampled_from([None, None, 4, 15])),
            )
        )
    return plan_of(WorkingTime(id="W1", backward=True), ANNA, Person(id="P2", text="Ben", hours=20), *steps)


BEFORE_THE_BEGINNING = plan_of(
    WorkingTime(id="W1", backward=True),
    ANNA,
    Person(id="P2", text="Ben", hours=20),
    step(0, 0.5, owner="Anna", mode="alone"),
    step(1, 1, owner="Ben", duration=4),
    step(2, 2, owner="Ben"),
    step(3, 0.5, "S0", owner="Ben", duration=4, mode="alone"),
    step(4, 0.5, owner="Ben"),
    step(5, 0.5, owner="Ben", mode="alone"),
)
"""Dated back, Anna's step came to lie before the first day."""


@given(busy_plans(), st.sampled_from([0, 1, 10, 60]))
@example(BEFORE_THE_BEGINNING, 1)
def test_backward_nobody_has_more_minutes_a_day_than_they_work(plan, days):
    steps = [replace(one, mode=one.mode or "together") for one in plan.steps]
    others = [item for item in plan.items if not isinstance(item, Step)]
    forward = planned(*others[1:], *steps)
    deadline = forward.finish + timedelta(days=days)
    found = planned(*others, *steps, deadline=deadline)
    begin, end = found.placed.begin, found.placed.end
    assert MONDAY <= min(row.start for row in found.rows) <= found.finish <= deadline
    assert all(end[need] <= begin[one.id] for one in steps for need in one.needs)
    for person, minutes in minutes_by_day(found).items():
        assert_capacity(found, found.network.times.people[person], minutes)


@given(busy_plans())
def test_where_who_helps_has_too_much_to_do_there_is_a_finding(plan):
    plan = with_dates(plan, start=MONDAY, deadline=None)
    full = {person.name for person in figures(plan).people if person.peak and person.peak[1] > 1.05}
    found = [one for one in check_plan(plan, today=MONDAY) if one.rule == "people.load"]
    assert {one.text.partition(" has ")[0] for one in found} == full
    assert full <= {name for one in plan.steps if not one.mode for name in one.also}


def test_the_load_of_a_week_that_is_not_full_is_not_told_at_length():
    assert "Anna" not in schedule_told(dated(ANNA, step(1, 2, owner="Anna"), step(2, 90)))


# --- the day that the plan is for -------------------------------------------------------------------------------------


def test_what_follows_the_day_that_a_plan_is_for_is_no_overrun():
    by = Constraint(id="K1", text="Fair", limits="date", day="2026-11-25")
    answer, later = step(1, 2, answers=("K1",)), step(2, 5, "S1")
    head = "Work from 2026-11-23 to 2026-12-01"
    for first, said in (
        (answer, f"{head}; what has to be done on 2026-11-25 is done with S1, 1 working days before it."),
        (replace(answer, answers=()), f"{head}; the last day that a constraint names is 2026-11-25."),
    ):
        assert schedule_told(dated(by, first, later)).startswith(said)
    late = step(1, 4, answers=("K1",))
    said = "it has to be done on 2026-11-25: S1, which answers that, is 1 working days too late."
    assert said in schedule_told(dated(by, late, later))


# --- changes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"duration": 10},
        {"waits_working": True, "waiting": 5, "effort": None},
        {"place": "L1"},
        {"decisions": ("D1",)},
        {"also": ("Ben",)},
        {"mode": "together", "also": ("Ben",), "effort": step(1, 8).effort},
    ],
)
def test_a_change_of_what_dates_are_calculated_from_moves_them(change):
    decision = Decision(id="D1", text="", latest="2026-12-01")
    plan = dated(ANNA, BEN, HALL, decision, step(1, 2, owner="Anna"), step(2, 1, "S1", owner="Anna"))
    first, second = plan.steps
    changed = plan_of(ANNA, BEN, HALL, decision, replace(first, **change), second)
    moved = rescheduled(plan, changed, today=MONDAY).plan
    assert moved.steps[1].start != second.start
    assert moved == with_dates(moved, start=MONDAY, deadline=None), "as it is calculated from the beginning"


def test_plans_with_all_of_it_keep_their_dates_when_they_are_read_again():
    plan = dated(
        ANNA,
        BEN,
        HALL,
        Decision(id="D1", text="", latest="2026-12-01"),
        step(1, 5, owner="Anna", duration=10),
        step(2, 2, owner="Anna", also=("Ben",), mode="together"),
        step(3, 1, "S2", owner="Anna", place="L1", decisions=("D1",)),
        step(4, 4, "S1", owner="Ben", condition="it rains"),
    )
    told = figures(plan)
    assert Counter(one.step for one in told.steps if "calculated" in one.why or "set by" in one.why) == Counter()
    assert [one.text for one in check_plan(plan, today=MONDAY) if one.rule.startswith(("dates", "people"))] == []


def test_backward_what_follows_the_event_stays_behind_it_and_the_rest_is_planned_back():
    back, event = WorkingTime(id="W1", backward=True), step(3, 1, "S2", on="2026-12-18")
    found = planned(back, step(1, 2), step(2, 1, "S1"), event, step(4, 2, "S3"), deadline=date(2026, 12, 18))
    assert dates(found) == {
        "S1": ("2026-12-15", "2026-12-16"),
        "S2": ("2026-12-17", "2026-12-17"),
        "S3": ("2026-12-18", "2026-12-18"),
        "S4": ("2026-12-21", "2026-12-22"),
    }
