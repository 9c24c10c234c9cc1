"""Working time, against counting minute by minute."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from workbench.domain.errors import PlanUnsound
from workbench.domain.plan.scheduling.calendar import DAY, STANDARD_WEEK, Calendar

FIRST = date(2026, 11, 23).toordinal()
SPAN = 40

weeks = st.lists(st.sampled_from([0, 0, 30, 240, 480]), min_size=7, max_size=7).filter(any)
closed = st.sets(st.integers(0, SPAN), max_size=25)


@given(weeks, closed)
def test_a_calendar_counts_as_a_clock_does(week, closed):
    calendar = Calendar.from_week(week, [date.fromordinal(FIRST + day) for day in closed])
    worked = calendar.worked_before(FIRST)
    for day in range(FIRST, FIRST + SPAN):
        minutes = 0 if day - FIRST in closed else week[(day - 1) % 7]
        assert (calendar.minutes(day), calendar.worked_before(day)) == (minutes, worked)
        for minute in range(1, minutes + 1, 29):
            assert calendar.end_of(worked + minute) == day * DAY + minute
            assert calendar.start_of(worked + minute - 1) == day * DAY + minute - 1
            assert calendar.worked_at(day * DAY + minute) == worked + minute
        assert calendar.worked_at(day * DAY + DAY - 1) == worked + minutes
        worked += minutes


def test_a_week_without_work_is_refused_with_a_remedy():
    with pytest.raises(PlanUnsound) as caught:
        Calendar((0,) * 7)
    assert caught.value.remedy


def test_a_calendar_ends_with_the_year_9999():
    with pytest.raises(PlanUnsound):
        Calendar().end_of(10**12)


def test_a_closed_day_without_work_takes_nothing_away():
    saturday = date(2026, 11, 28)
    assert Calendar.from_week(STANDARD_WEEK, [saturday, saturday + timedelta(days=1)]) == Calendar()


DAYS = st.integers(1, 120)


@given(
    st.lists(st.sampled_from([0, 60, 480]), min_size=7, max_size=7).filter(any),
    st.sets(DAYS, max_size=12),
    st.dictionaries(DAYS, st.sampled_from([0, 30, 480, 700]), max_size=30),
)
def test_other_minutes_of_some_days_count_as_adding_day_by_day(week, closed, other):
    """Against minutes that are added up one day after the other."""
    calendar = Calendar.from_week(
        week, map(date.fromordinal, closed), {date.fromordinal(day): most for day, most in other.items()}
    )
    minutes = {day: 0 if day in closed else other.get(day, week[(day - 1) % 7]) for day in range(1, 200)}
    moments = [day * DAY + minute for day in minutes for minute in range(minutes[day])]
    assert all(calendar.minutes(day) == most for day, most in minutes.items())
    for number, moment in list(enumerate(moments, start=1))[:: max(1, len(moments) // 200)]:
        assert calendar.start_of(number - 1) == moment
        assert calendar.end_of(number) == moment + 1
        assert calendar.worked_at(moment) == number - 1
