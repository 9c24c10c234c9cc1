"""Lengths of the units of time: estimates and waits that are not given in days are counted with these."""

from __future__ import annotations

from workbench.domain.values.units import CALENDAR_DAYS, HOURS_A_DAY, MINUTES_A_DAY, WORKING_DAYS


def test_units_are_so_many_days_of_work_and_of_the_calendar():
    assert (HOURS_A_DAY, MINUTES_A_DAY) == (8, 480)
    assert {unit: (WORKING_DAYS[unit], CALENDAR_DAYS[unit]) for unit in WORKING_DAYS | CALENDAR_DAYS} == {
        "minute": (1 / 480, 1 / 1440),
        "hour": (1 / 8, 1 / 24),
        "day": (1, 1),
        "working day": (1, 1.4),
        "week": (5, 7),
        "month": (21, 30.4),
        "year": (250, 365),
    }
