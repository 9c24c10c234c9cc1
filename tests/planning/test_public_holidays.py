"""Public holidays of a country in a plan: the days of its years, kept out of the schedule, the same in every replay."""

from __future__ import annotations

import sys
from datetime import date, timedelta

import pytest
from tests.builders import CHOOSE, answering, begin, events_of
from tests.full_plan import PLAN, state_with
from workbench.bootstrap.session import verified
from workbench.domain.errors import UsageError
from workbench.domain.plan.markdown import from_markdown, to_markdown
from workbench.domain.plan.plan import Days, DaysOff, Effort, Plan, Section, Step
from workbench.domain.plan.scheduling.recurrence import all_days
from workbench.domain.plan.scheduling.schedule import with_dates
from workbench.planning.beside_the_loop.commanding import carry_out
from workbench.planning.beside_the_loop.public_holidays import public_holidays, with_holidays

NEW_YEAR, LAST = date(2027, 1, 1), date(2027, 12, 31)

# As published by the countries, not by the package.
BAVARIA = "01-01 01-06 03-26 03-29 05-01 05-06 05-17 05-27 10-03 11-01 12-25 12-26"
UNITED_STATES = (
    "01-01 01-18 02-15 05-31 06-18 06-19 07-04 07-05 09-06 10-11 11-11 11-25 12-24 12-25 12-31"  # and days in lieu
)
FRANCE = "01-01 03-29 05-01 05-06 05-08 05-17 07-14 08-15 11-01 11-11 12-25"


def days(country: str) -> list[date]:
    return list(all_days(public_holidays(country, NEW_YEAR, LAST)))


@pytest.mark.parametrize(("country", "known"), [("DE-BY", BAVARIA), ("US", UNITED_STATES), ("FR", FRANCE)])
def test_a_year_has_its_holidays_and_work_avoids_them(country, known):
    holidays = [date.fromisoformat(f"2027-{day}") for day in known.split()]
    assert days(country) == holidays
    steps = tuple(
        Step(id=f"S{n}", title="Work", effort=Effort(low=1, likely=1, high=1), needs=(f"S{n - 1}",) if n > 1 else ())
        for n in range(1, 250)
    )
    off = DaysOff(id="H1", text="Public holidays", days=public_holidays(country, NEW_YEAR, LAST), country=country)
    plan = Plan(title="", sections=(Section(id="steps", title="Steps", items=(off, *steps)),))
    worked = {date.fromisoformat(step.start) for step in with_dates(plan, start=NEW_YEAR, deadline=None).steps}
    assert worked.isdisjoint(holidays)
    weekdays = {NEW_YEAR + timedelta(n) for n in range(365) if (NEW_YEAR + timedelta(n)).isoweekday() <= 5}
    left = weekdays - worked - set(holidays)
    assert all(day > max(worked) for day in left), "every other day is used"


@pytest.mark.parametrize(
    ("country", "said"),
    [("XX", "ISO code"), ("DE-ZZ", "DE-BY"), ("\x1b[2J", "ISO code"), ("mc", ""), ("MC-01", "no regions")],
)
def test_what_is_no_country_or_region_is_refused(country, said):
    if not said:
        assert public_holidays(country, NEW_YEAR, LAST)
        return
    with pytest.raises(UsageError) as raised:
        public_holidays(country, NEW_YEAR, LAST)
    assert said in raised.value.remedy
    assert "\x1b" not in str(raised.value)


def test_they_stand_in_the_plan_and_move_what_is_to_do():
    changed = with_holidays(state_with(PLAN), PLAN, "DE-BY")
    (item,) = (one for one in changed.items if isinstance(one, DaysOff) and one.country == "DE-BY")
    assert item.id == "H2", "H1 has the plan already"
    assert Days("2026-05-14", "2026-05-14") in item.days, "Ascension Day"
    assert item in changed.section("calendar").items
    assert from_markdown(to_markdown(changed), PLAN) == changed
    old, new = ({step.id: (step.start, step.end) for step in plan.steps} for plan in (PLAN, changed))
    assert {name: old[name] for name in ("S1", "S3", "S7")} == {name: new[name] for name in ("S1", "S3", "S7")}
    assert new["S6"] == ("2026-05-26", "2026-06-01"), "Whit Monday is on 25 May"
    assert with_holidays(state_with(changed), changed, "de-by") == changed


async def test_a_replay_does_not_need_the_package(monkeypatch):
    manager = begin(checkpoint_interval=1)
    await manager.run(answering(CHOOSE))
    carry_out(manager._session, "holidays US", NEW_YEAR)
    assert [item.country for item in manager.state.plan.items if isinstance(item, DaysOff)] == ["US"]
    monkeypatch.setitem(sys.modules, "holidays", None)
    assert verified(events_of(manager)).sound
