"""Days that come again equal their expansion, and a freeze stops its own work and no other."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from workbench.domain.plan.plan import (
    LONGEST_SPAN,
    Capacity,
    Days,
    DaysOff,
    Effort,
    Item,
    Person,
    Plan,
    Rule,
    Section,
    Step,
)
from workbench.domain.plan.scheduling.recurrence import days_of_rule, rule_of
from workbench.domain.plan.scheduling.schedule import schedule
from workbench.domain.plan.scheduling.work_times import WorkTimes

MONDAY = date(2027, 1, 4)


def days(rule: Rule, most: int = 6) -> list[str]:
    found = days_of_rule(rule)
    return [day.isoformat() for _, day in zip(range(most), found, strict=False)]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (Rule("week", "2027-01-04", until="2027-01-19"), ["2027-01-04", "2027-01-11", "2027-01-18"]),
        (Rule("week", "2027-01-06", weekdays=(1, 3), until="2027-01-13"), ["2027-01-06", "2027-01-11", "2027-01-13"]),
        (Rule("week", "2027-01-04", interval=2, until="2027-02-01"), ["2027-01-04", "2027-01-18", "2027-02-01"]),
        (Rule("year", "2027-12-24", length=3, until="2028-12-31"), [
            "2027-12-24", "2027-12-25", "2027-12-26", "2028-12-24", "2028-12-25", "2028-12-26",
        ]),
        (Rule("month", "2027-01-31", until="2027-04-01"), ["2027-01-31", "2027-03-31"]),
        (Rule("day", "2027-01-04", until="2027-01-06"), ["2027-01-04", "2027-01-05", "2027-01-06"]),
        (Rule("year", "2028-02-29", until="2033-01-01"), ["2028-02-29", "2032-02-29"]),
        (Rule("month", "2027-01-07", weekdays=(4,), until="2027-04-01"), [
            "2027-01-07", "2027-02-04", "2027-03-04", "2027-04-01",
        ]),
        (Rule("month", "2027-01-29", weekdays=(5,), until="2027-05-01"), ["2027-01-29", "2027-04-30"]),
        (Rule("month", "2027-01-08", weekdays=(4,)), []),
        (Rule("month", "2027-01-07", weekdays=(3, 4)), []),
        (Rule("year", "2027-01-07", weekdays=(4,)), []),
        (Rule("day", "soon"), []),
        (Rule("week", "2027-01-04", interval=0), []),
    ],
)  # fmt: skip
def test_a_rule_comes_to_its_days(rule: Rule, expected: list[str]) -> None:
    assert days(rule) == expected


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("FREQ=MONTHLY;BYDAY=1TH", Rule("month", "2027-01-07", weekdays=(4,))),
        ("FREQ=MONTHLY;BYDAY=+2MO;INTERVAL=2", Rule("month", "2027-01-11", 2, (1,))),
        ("FREQ=MONTHLY;BYDAY=TH", None),
        ("FREQ=MONTHLY;BYDAY=-1TH", None),
        ("FREQ=YEARLY;BYDAY=TH", None),
        ("FREQ=WEEKLY;BYDAY=TH", Rule("week", "2027-01-07", weekdays=(4,))),
    ],
)
def test_a_rule_of_a_calendar_is_read_or_none(text: str, rule: Rule | None) -> None:
    assert rule_of(text, "2027-01-04") == rule


DATES = st.dates(date(2000, 1, 1), date(2100, 1, 1))


@given(
    st.builds(
        Rule,
        every=st.sampled_from(["day", "week", "month", "year"]),
        first=DATES.map(date.isoformat),
        interval=st.integers(1, 9),
        weekdays=st.lists(st.integers(1, 7), max_size=3).map(tuple),
        length=st.integers(1, 4),
    ),
    st.integers(0, 800),
)
def test_a_rule_equals_its_expansion(rule: Rule, span: int) -> None:
    first = date.fromisoformat(rule.first)
    rule = Rule(
        rule.every, rule.first, rule.interval, rule.weekdays, (first + timedelta(span)).isoformat(), rule.length
    )
    begins = []
    for n in range(span + 1):
        day = first + timedelta(n)
        if rule.every == "day" and n % rule.interval == 0:
            begins.append(day)
        monday = first - timedelta(first.weekday())
        weekdays = rule.weekdays or (first.isoweekday(),)
        if rule.every == "week" and (day - monday).days // 7 % rule.interval == 0 and day.isoweekday() in weekdays:
            begins.append(day)
        months = (day.year - first.year) * 12 + day.month - first.month
        length = rule.interval * {"month": 1, "year": 12}.get(rule.every, 0)
        is_nth = day.isoweekday() == first.isoweekday() and (day.day - 1) // 7 == (first.day - 1) // 7
        if length and months % length == 0 and (is_nth if rule.weekdays else day.day == first.day):
            begins.append(day)
    if rule.weekdays and rule.every != "week" and (rule.every, rule.weekdays) != ("month", (first.isoweekday(),)):
        begins = []
    expected = sorted({begin + timedelta(n) for begin in begins for n in range(rule.length)})
    found = list(days_of_rule(rule))
    assert found == expected
    assert len(found) <= LONGEST_SPAN + rule.length


def step(number: int, *, owner: str = "Anna", tags: tuple[str, ...] = (), effort: float = 5) -> Step:
    return Step(id=f"S{number}", title=f"Task {number}", owner=owner, tags=tags, effort=Effort(effort, effort, effort))


def ends(*items: Item) -> dict[str, str]:
    plan = Plan(title="", sections=(Section(id="all", title="All", items=items),))
    planned = schedule(plan.steps, start=MONDAY, deadline=None, times=WorkTimes.from_plan(plan))
    return {row.step: row.end.isoformat() for row in planned.rows}


FREEZE = DaysOff(id="H1", text="Nothing in production changes", days=(Days("2027-01-05", "2027-01-08"),))


def test_a_freeze_stops_its_tag_and_nothing_else() -> None:
    anna, ben = Person(id="P1", text="Anna"), Person(id="P2", text="Ben")
    live, copy = step(1, tags=("production",)), step(2, owner="Ben", tags=("copy",))
    of_tag = DaysOff(id="H1", text=FREEZE.text, days=FREEZE.days, who=("production",))
    assert ends(anna, ben, of_tag, live, copy) == {"S1": "2027-01-14", "S2": "2027-01-08"}
    assert ends(anna, ben, FREEZE, live, copy) == {"S1": "2027-01-14", "S2": "2027-01-14"}
    of_anna = DaysOff(id="H1", text="Training", days=FREEZE.days, who=("Anna",))
    assert ends(anna, ben, of_anna, live, copy) == {"S1": "2027-01-14", "S2": "2027-01-08"}
    assert ends(of_tag, step(1, owner="", tags=("production",)), step(2, owner="")) == {
        "S1": "2027-01-14",
        "S2": "2027-01-08",
    }


HOURS = st.sampled_from([4.0, 10.0, 16.0, 20.0, 40.0])


@given(
    st.lists(st.tuples(HOURS, st.integers(0, 40), st.integers(0, 30)), max_size=3),
    st.lists(st.floats(0.25, 12).map(lambda one: round(one, 2)), min_size=1, max_size=5),
)
def test_nobody_works_more_than_their_hours_of_a_period(
    periods: list[tuple[float, int, int]], efforts: list[float]
) -> None:
    capacity = tuple(
        Capacity(hours, (MONDAY + timedelta(at)).isoformat(), (MONDAY + timedelta(at + long)).isoformat())
        for hours, at, long in periods
    )
    anna = Person(id="P1", text="Anna", hours=30, capacity=capacity)
    steps = tuple(step(number, effort=effort) for number, effort in enumerate(efforts, start=1))
    plan = Plan(title="", sections=(Section(id="all", title="All", items=(anna, *steps)),))
    times = WorkTimes.from_plan(plan)
    planned = schedule(plan.steps, start=MONDAY, deadline=None, times=times)
    calendar, work = times.people["anna"], sum(max(1, round(effort * 480)) for effort in efforts)
    room = calendar.worked_before(planned.finish.toordinal() + 1) - calendar.worked_before(MONDAY.toordinal())
    before = calendar.worked_before(planned.finish.toordinal()) - calendar.worked_before(MONDAY.toordinal())
    assert before < work <= room, "the work fills the days up to the last one, and fits"
    for day in range(60):
        hours = [hours for hours, at, long in periods if at <= day <= at + long] or [30.0]
        if (MONDAY + timedelta(day)).isoweekday() > 5:  # there the hours of that one day hold, and no others
            hours = [0.0, *(hours for hours, at, long in periods if at == day and not long)]
        assert calendar.minutes((MONDAY + timedelta(day)).toordinal()) == round(hours[-1] * 12)
