"""Fields of ours are read by their heads in any order, and waits and lags as commands say them."""

from __future__ import annotations

from datetime import date

import pytest
from workbench.domain.plan.markdown import from_markdown
from workbench.domain.plan.plan import Lag, Money, Plan
from workbench.plan_files import read_plan

TODAY = date(2026, 11, 30)
OURS = (
    "id,title,owner,also,low,likely,high,needs,not before,on,hours,wait,cost,currency\n"
    "S1,Soil,Ida,,0.5,1,2,,,,,,,\n"
    "S2,Lab,,,,,,S1,,,,15 working days,240,EUR\n"
    "S3,Dig,Ida,Joris;Piet,1,2,3,S1;S2,2027-01-25,,,,,\n"
    "S4,Show,Ida,,,,,S3,,2027-03-10,09:00-16:00,,,\n"
)
OF_OTHERS = (
    "Task,Owner,Also,Effort,Needs,Not before,On,Hours,Wait,Cost,Currency\n"
    "Soil,Ida,,1 day,,,,,,,\n"
    "Lab,,,,1,,,,15 working days,240,EUR\n"
    "Dig,Ida,Joris;Piet,2 days,1;2,2027-01-25,,,,,\n"
    "Show,Ida,,,3,,2027-03-10,09:00-16:00,,,\n"
)


@pytest.mark.parametrize("text", [OURS, OF_OTHERS])
def test_each_column_is_read_by_its_head(text: str) -> None:
    imported = read_plan(text, name="orchard.csv", today=TODAY)
    soil, lab, dig, show = imported.plan.steps
    assert soil.effort is not None
    assert soil.effort.likely == 1
    assert (lab.waiting, lab.waits_working, lab.cost) == (15, True, Money(240, "EUR"))
    assert (dig.also, dig.not_before, dig.needs) == (("Joris", "Piet"), "2027-01-25", ("S1", "S2"))
    assert (show.on, show.hours) == ("2027-03-10", "09:00-16:00")
    assert imported.not_placed == ()


def test_waits_and_lags_are_read_as_commands_say_them() -> None:
    text = (
        "# P\n\n## Steps\n\n- S1 · A\n  - Wait: 30 calendar days\n- S2 · B\n  - Needs: S1 lag 2 days\n"
        "- S3 · C\n  - Needs: S1, S2 lag 3d\n- S4 · D\n  - Needs: S1 lag 4 calendar days\n"
        "- S5 · E\n  - Needs: S1 lag 5 working days\n"
    )
    first, *others = from_markdown(text, Plan(title="")).steps
    assert (first.waiting, first.waits_working) == (30, False)
    assert [one.lags for one in others] == [
        (Lag("S1", 2, elapsed=False),),
        (Lag("S2", 3, elapsed=False),),
        (Lag("S1", 4, elapsed=True),),
        (Lag("S1", 5, elapsed=False),),
    ]
