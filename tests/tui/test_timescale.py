"""The days of a plan over its bars: months, of a short plan the days on which its weeks begin."""

from __future__ import annotations

from datetime import date

from workbench.tui.table import Timescale


def test_a_short_plan_has_the_days_on_which_its_weeks_begin() -> None:
    scale = Timescale(date(2026, 12, 2), date(2026, 12, 20), None, 37)
    assert scale.months().plain.rstrip() == "2 Dec     7 Dec         14 Dec"
    assert Timescale(date(2026, 12, 2), date(2027, 2, 16), None, 29).months().plain.split() == ["Dec", "Jan", "Feb"]
