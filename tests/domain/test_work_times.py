"""Dates with calendars and people, and how likely they are: properties, and a simulation written apart."""

from __future__ import annotations

import math
import random
from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.plan import Days, DaysOff, Effort, Lag, Person, Plan, Section, Step, WorkingTime
from workbench.domain.plan.scheduling.forecast import forecast
from workbench.domain.plan.scheduling.schedule import Schedule, schedule, with_dates
from workbench.domain.plan.scheduling.work_times import WorkTimes

MONDAY = date(2026, 11, 23)
CHRISTMAS = DaysOff(id="H1", text="Christmas", days=(Days("2026-12-24", "2027-01-01"),))


def plan_of(*items) -> Plan:
    return Plan(title="", sections=(Section(id="all", title="All", items=tuple(items)),))


def step(number: int, days: float, *needs: str, **fields) -> Step:
    return Step(id=f"S{number}", title="", effort=Effort(days, days, days), needs=needs, **fields)


def planned(*items, start: date = MONDAY, deadline: date | None = None) -> Schedule:
    plan = plan_of(*items)
    return schedule(plan.steps, start=start, deadline=deadline, times=WorkTimes.from_plan(plan))


def dates(found: Schedule) -> dict[str, tuple[str, str]]:
    return {row.step: (row.start.isoformat(), row.end.isoformat()) for row in found.rows}


def why(found: Schedule) -> dict[str, str]:
    return {row.step: f"{row.why.why} {row.why.step}".strip() for row in found.rows}


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """Steps of a few people, with calendars, lags, days and statuses."""
    names = ["Anna", "Ben", "nobody known"]
    some_day = st.integers(0, 60).map(lambda n: (MONDAY + timedelta(days=n)).isoformat())
    span = st.tuples(some_day, some_day).map(lambda pair: Days(min(pair), max(pair)))
    people = [
        Person(
            id=f"P{at}",
            text=name,
            hours=draw(st.sampled_from([None, 5, 20, 40])),
            weekdays=draw(st.sampled_from([(), (6,), (1, 2, 3)])),
            away=tuple(draw(st.lists(span, max_size=2))),
        )
        for at, name in enumerate(names[:2])
    ]
    steps = []
    for number in range(draw(st.integers(1, 8))):
        needs = draw(st.lists(st.sampled_from(range(number)), unique=True, max_size=3)) if number else []
        low, likely, high = sorted(draw(st.tuples(*[st.integers(0, 12)] * 3)))
        steps.append(
            Step(
                id=f"S{number}",
                title="",
                effort=draw(st.sampled_from([None, Effort(low / 2, likely / 2, high / 2)])),
                owner=draw(st.sampled_from(names)),
                needs=tuple(f"S{n}" for n in needs),
                lags=tuple(
                    Lag(f"S{n}", draw(st.integers(0, 4)), draw(st.booleans())) for n in needs if draw(st.booleans())
                ),
                not_before=draw(st.none() | some_day),
                milestone=draw(st.sampled_from([False, False, True])),
                waiting=draw(st.sampled_from([None, None, 3])),
            )
        )
    week = WorkingTime(id="W1", weekdays=draw(st.sampled_from([(1, 2, 3, 4, 5), (1, 2, 3, 4, 5, 6)])))
    return plan_of(week, CHRISTMAS, *people, *draw(st.permutations(steps)))


@given(plans())
def test_nothing_is_before_what_it_needs_and_nobody_does_two_things_at_once(plan):
    times = WorkTimes.from_plan(plan)
    found = schedule(plan.steps, start=MONDAY, deadline=None, times=times)
    begin, end = found.placed.begin, found.placed.end
    rows = {row.step: row for row in found.rows}
    for one in plan.steps:
        row, calendar = rows[one.id], times.people.get(one.owner.casefold(), times.own)
        assert MONDAY <= row.start <= row.end <= found.finish
        assert row.start <= row.late_start, "late dates are not before the dates themselves"
        assert row.end <= row.late_end <= found.finish or one.milestone or one.waiting
        assert all(end[need] <= begin[one.id] for need in one.needs)
        for lag in one.lags:
            if lag.elapsed:
                assert begin[one.id] >= (end[lag.step] // 1440 + lag.days) * 1440
        if one.not_before and not (one.milestone or one.waiting):
            assert row.start >= date.fromisoformat(one.not_before)
        if not one.milestone and one.waiting is None:
            assert all(calendar.minutes(day.toordinal()) for day in (row.start, row.end)), "on a day off"
    for name in times.people:
        busy = sorted(
            (begin[one.id], end[one.id])
            for one in plan.steps
            if one.owner.casefold() == name and not one.milestone and one.waiting is None
        )
        assert all(before <= after for (_, before), (after, _) in pairwise(busy))


@given(plans())
def test_the_same_plan_gets_the_same_dates_whoever_asks(plan):
    assert with_dates(plan, start=MONDAY, deadline=None) == with_dates(plan, start=MONDAY, deadline=None)
    again = with_dates(with_dates(plan, start=MONDAY, deadline=None), start=MONDAY, deadline=None)
    assert again == with_dates(plan, start=MONDAY, deadline=None)


@given(plans(), st.integers(0, 90))
def test_backward_nothing_ends_behind_the_deadline_and_needs_still_hold(plan, days):
    times = WorkTimes.from_plan(plan)
    forward = schedule(plan.steps, start=MONDAY, deadline=None, times=times)
    deadline = forward.finish + timedelta(days=days)
    back = WorkTimes(times.own, times.people, backward=True)
    found = schedule(plan.steps, start=MONDAY, deadline=deadline, times=back)
    begin, end = found.placed.begin, found.placed.end
    assert found.finish <= deadline
    for one in plan.steps:
        assert begin[one.id] >= forward.placed.begin[one.id]
        assert all(end[need] <= begin[one.id] for need in one.needs)


def test_one_person_does_one_thing_after_the_other_and_it_says_so():
    anna = Person(id="P1", text="Anna")
    found = planned(anna, step(1, 2, owner="Anna"), step(2, 3, owner="anna"), step(3, 3, owner="Ben"))
    assert dates(found) == {
        "S1": ("2026-11-26", "2026-11-27"),
        "S2": ("2026-11-23", "2026-11-25"),
        "S3": ("2026-11-23", "2026-11-25"),
    }
    assert why(found) == {"S1": "busy S2", "S2": "start", "S3": "start"}
    assert found.critical_path == ("S2", "S1")


def test_somebody_with_a_few_hours_a_week_takes_longer():
    saturdays = Person(id="P1", text="Me", hours=2.5, weekdays=(6,))
    assert dates(planned(saturdays, step(1, 1, owner="Me"))) == {"S1": ("2026-11-28", "2026-12-19")}
    evenings = Person(id="P1", text="Me", hours=4)
    twenty_eight_weeks = ("2026-11-23", "2027-06-04")
    assert dates(planned(evenings, step(1, 14, owner="Me"))) == {"S1": twenty_eight_weeks}
    for end, faults in (("2027-06-04", []), ("2026-12-10", ["dates.effort"])):
        dated = step(1, 14, owner="Me", start="2026-11-23", end=end)
        found = check_plan(plan_of(evenings, dated), today=MONDAY)
        assert [one.rule for one in found if one.severity == "major"] == faults


@pytest.mark.parametrize("owner", ["", "Me"])
def test_work_that_ends_on_the_day_of_the_deadline_is_in_time(owner):
    me = Person(id="P1", text="Me")
    for by, slack, chance in ((date(2026, 11, 27), 0, 1), (date(2026, 11, 26), -1, 0)):
        found = planned(me, step(1, 5, owner=owner), deadline=by)
        assert (found.finish, found.slack_days) == (date(2026, 11, 27), slack)
        assert forecast(found, deadline=by, runs=20).chance == chance


def test_nobody_works_on_a_day_off_or_while_away():
    anna = Person(id="P1", text="Anna", away=(Days("2026-12-18", "2026-12-21"),))
    found = planned(CHRISTMAS, anna, step(1, 3, owner="Anna"), step(2, 2), start=date(2026, 12, 17))
    assert dates(found) == {"S1": ("2026-12-17", "2026-12-23"), "S2": ("2026-12-17", "2026-12-18")}


def test_an_event_stays_on_its_day_though_nobody_works_on_it():
    wedding = step(2, 1, "S1", on="2026-12-26")
    assert dates(planned(CHRISTMAS, step(1, 2), wedding))["S2"] == ("2026-12-26", "2026-12-26")


def test_waiting_takes_days_of_the_calendar():
    found = planned(step(1, 1), Step(id="S2", title="", waiting=5, needs=("S1",)), step(3, 1, "S2"))
    assert dates(found)["S2"] == ("2026-11-24", "2026-11-28")
    assert dates(found)["S3"] == ("2026-11-30", "2026-11-30")


def test_a_lag_is_kept_in_working_days_and_in_days_of_the_calendar():
    worked = step(2, 1, "S1", lags=(Lag("S1", 3),))
    elapsed = step(3, 1, "S1", lags=(Lag("S1", 3, elapsed=True),))
    found = dates(planned(step(1, 3), worked, elapsed))
    assert (found["S2"][0], found["S3"][0]) == ("2026-12-01", "2026-11-30")


@pytest.mark.parametrize(
    ("effort", "expected"),
    [(0.2, ("2026-11-26", "2026-11-27")), (1, ("2026-11-27", "2026-11-30"))],
    ids=["an order in the morning", "work until the day's end"],
)
def test_after_whole_days_of_the_calendar_work_begins_with_the_day(effort, expected):
    anna = Person(id="P1", text="Anna", hours=40)
    order = replace(step(1, 1, owner="Anna"), effort=Effort(effort, effort, effort))
    for owner in ("", "Anna"):
        setting_up = step(2, 2, "S1", owner=owner, lags=(Lag("S1", 3, elapsed=True),))
        found = planned(anna, order, setting_up)
        assert dates(found)["S2"] == expected
        assert [row.slack for row in found.rows] == [0, 0], "the order is as tight as what it brings"


def test_backward_an_event_in_may_is_not_finished_in_december():
    day = date(2027, 5, 12)
    found = planned(
        WorkingTime(id="W1", backward=True),
        step(1, 5),
        step(2, 2, "S1"),
        step(3, 1, "S2", on="2027-05-12"),
        deadline=day,
    )
    assert dates(found) == {
        "S1": ("2027-05-03", "2027-05-07"),
        "S2": ("2027-05-10", "2027-05-11"),
        "S3": ("2027-05-12", "2027-05-12"),
    }
    assert why(found)["S2"] == "backward S3"


def test_what_does_not_fit_backward_says_by_how_much():
    found = planned(WorkingTime(id="W1", backward=True), step(1, 5), step(2, 2, "S1"), deadline=date(2026, 11, 27))
    assert (found.finish, found.slack_days) == (date(2026, 12, 1), -2)


def test_what_is_done_stays_and_what_is_under_way_goes_on():
    done = step(1, 5, status="done", started="2026-11-02", finished="2026-11-20")
    under_way = step(2, 5, "S1", status="under-way", started="2026-11-20", left=1)
    dropped = step(3, 50, "S2", status="dropped")
    found = planned(done, under_way, dropped, step(4, 1, "S2", "S3"))
    assert dates(found) == {
        "S1": ("2026-11-02", "2026-11-20"),
        "S2": ("2026-11-20", "2026-11-23"),
        "S4": ("2026-11-24", "2026-11-24"),
    }


def test_a_step_with_parts_spans_them_and_what_needs_it_needs_them():
    found = planned(step(1, 9), step(2, 2, parent="S1"), step(3, 1, "S2", parent="S1"), step(4, 1, "S1"))
    assert dates(found)["S1"] == ("2026-11-23", "2026-11-25")
    assert dates(found)["S4"] == ("2026-11-26", "2026-11-26")


def test_a_deadline_of_a_step_is_taken_off_its_slack():
    found = planned(step(1, 1, deadline="2026-11-24"), step(2, 5))
    assert {row.step: row.slack for row in found.rows} == {"S1": 1, "S2": 0}


def test_a_deadline_that_is_lost_anyway_makes_nothing_else_late():
    anna = Person(id="P1", text="Anna", away=(Days("2026-11-30", "2026-12-01"),))
    long = step(1, 8, owner="Anna", deadline="2026-12-09")
    lost = step(2, 0.5, owner="Anna", not_before="2026-11-30", deadline="2026-12-01")
    found = dates(planned(anna, long, lost))
    assert found == {"S1": ("2026-11-23", "2026-12-04"), "S2": ("2026-12-07", "2026-12-07")}
    found = dates(planned(anna, replace(long, deadline=None), lost))
    assert found["S2"] == ("2026-12-02", "2026-12-02"), "it is as early as others leave room"


def simulated(steps: list[Step], runs: int, by: int) -> float:
    """Return the share of runs in which steps, day by day on weekdays, are done within some working days."""
    chance = random.Random(11)
    done = 0
    for _ in range(runs):
        end: dict[str, int] = {}
        for one in steps:
            low, likely, high = one.effort.low, one.effort.likely, one.effort.high
            width = (high - low) or 1
            days = low + width * chance.betavariate(1 + 4 * (likely - low) / width, 1 + 4 * (high - likely) / width)
            end[one.id] = max([0, *(end[need] for need in one.needs)]) + max(1, math.ceil(days))
        done += max(end.values()) <= by
    return done / runs


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    "steps",
    [
        [Step(id="S1", title="", effort=Effort(2, 5, 8))],
        [Step(id=f"S{n}", title="", effort=Effort(2, 5, 8)) for n in range(5)],
        [Step(id=f"S{n}", title="", effort=Effort(1, 2, 9), needs=(f"S{n - 1}",) if n else ()) for n in range(6)],
    ],
    ids=["one", "parallel", "chain"],
)
def test_the_chance_agrees_with_a_simulation_day_by_day(steps):
    found = schedule(steps, start=MONDAY, deadline=None)
    within = sum((MONDAY + timedelta(days=n)).isoweekday() < 6 for n in range((found.finish - MONDAY).days + 1))
    told = forecast(found, deadline=found.finish)
    assert told.chance == pytest.approx(simulated(steps, 20_000, within), abs=0.02)


def test_half_of_the_runs_end_by_the_middle_and_four_fifths_by_the_late_date():
    found = schedule([Step(id="S1", title="", effort=Effort(2, 5, 8))], start=MONDAY, deadline=None)
    told = forecast(found, deadline=None)
    assert (told.p50, told.p80, told.chance) == (date(2026, 11, 30), date(2026, 12, 1), None)


@given(plans())
def test_a_forecast_is_the_schedule_where_nothing_is_uncertain(plan):
    certain = plan_of(
        *(
            Step(**{**{f: getattr(one, f) for f in Step.__struct_fields__}, "effort": None})
            if isinstance(one, Step)
            else one
            for one in plan.items
        )
    )
    found = schedule(certain.steps, start=MONDAY, deadline=None, times=WorkTimes.from_plan(certain))
    told = forecast(found, deadline=found.finish, runs=3)
    assert (told.p50, told.p80, told.chance) == (found.finish, found.finish, 1.0)


def test_the_checks_have_nothing_to_say_about_dates_of_the_scheduler():
    """One person's steps may share a day, Saturdays are working days for some, and an event may be on a Sunday."""
    plan = with_dates(
        plan_of(
            Person(id="P1", text="Anna"),
            Person(id="P2", text="Me", hours=2.5, weekdays=(6,)),
            step(1, 0.5, owner="Anna"),
            step(2, 0.5, "S1", owner="Anna"),
            step(3, 1, owner="Me"),
            Step(id="S4", title="", milestone=True, needs=("S2",)),
            step(5, 1, "S4", on="2026-12-27"),
        ),
        start=MONDAY,
        deadline=None,
    )
    assert (plan.steps[0].start, plan.steps[1].end) == ("2026-11-23", "2026-11-23")
    found = check_plan(plan, today=MONDAY)
    assert [finding.text for finding in found if finding.rule.startswith("dates")] == []
