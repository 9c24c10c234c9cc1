"""Each kind of work asks one account of a person's hours: the smallest plans of strangers on which kinds met."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.figures import figures
from workbench.domain.plan.importing.reading import import_plan
from workbench.domain.plan.markdown import to_markdown
from workbench.domain.plan.plan import Plan
from workbench.domain.plan.scheduling.account import shared, spread_evenly
from workbench.domain.plan.scheduling.calendar import Calendar
from workbench.domain.plan.telling.schedule_told import with_computed_dates

TODAY = date(2026, 11, 30)
PLANS: dict[str, tuple[str, str, str]] = {
    "a set Sunday moves joint work of the week": (
        """\
- S1 · Rehearse
  - Owner: Tom · Also: Ines · Effort: 6 hours each · Mode: together · Not before: 2027-02-11
- S2 · Switch
  - Owner: Tom · Also: Ines · Mode: together
  - On: 2027-02-14 · Hours: 02:00-06:00
  - Needs: S1

## People

- P1 · Tom
  - Hours: 20 a week
- P2 · Ines
  - Hours: 20 a week
""",
        "S1",
        "2027-02-11",
    ),
    "a capacity of a period holds for joint work": (
        """\
- S1 · Inspection
  - Owner: Osei
  - On: 2027-03-30 · Hours: 10:00-12:00
- S2 · Trial run
  - Owner: Osei · Also: Mira · Effort: 4 hours each · Mode: together · Not before: 2027-03-30

## People

- P1 · Mira
  - Hours: 12 a week
  - Capacity: 36 h a week from 2027-03-22 until 2027-04-04
- P2 · Osei
""",
        "S2",
        "2027-03-30",
    ),
    "a working day lies between": (
        """\
- S1 · Close
  - Owner: Tom · Effort: 1 hour · Not before: 2027-02-16
- S2 · Delete
  - Owner: Kofi · Effort: 1 hour
  - Needs: S1 + 1 working day

## People

- P1 · Tom
- P2 · Kofi
  - Hours: 40 a week
""",
        "S2",
        "2027-02-18",
    ),
    "set hours of a weekday and of a weekend are taken off once": (
        """\
- S1 · Pack
  - Owner: Mira · Effort: 16 hours · Not before: 2027-03-22 · Deadline: 2027-03-25
- S2 · Back up
  - Owner: Mira
  - On: 2027-03-26 · Hours: 13:00-16:00
- S3 · Move
  - Owner: Mira
  - On: 2027-03-27 · Hours: 07:30-17:00
- S4 · Servers
  - Owner: Mira
  - On: 2027-03-28 · Hours: 10:00-16:00

## People

- P1 · Mira
  - Hours: 36 a week
""",
        "S1",
        "2027-03-25",
    ),
    "the hours of a week are worked on the days that are left": (
        """\
- S1 · Re-metal the axle boxes
  - Owner: Gwen · Effort: 1 day · Not before: 2027-01-11

## People

- P1 · Gwen
  - Hours: 8 a week
  - Away again: weekly on Mon, Tue, Wed, Fri from 2026-11-30
""",
        "S1",
        "2027-01-14",
    ),
    "a later set day moves no shared work before it": (
        """\
- S11 · Lay the tiles
  - Owner: Otto · Also: Pia · Effort: 5 days each · Duration: 10 working days · Not before: 2027-03-16
- S12 · Crane
  - Owner: Otto
  - On: 2027-05-05 · Hours: 07:00-11:00

## People

- P2 · Pia
  - Hours: 24 a week
  - Away again: weekly on Thu from 2027-01-07
- P1 · Otto
  - Hours: 40 a week
""",
        "S11",
        "2027-03-29",  # Pia has 6 hours on each of eight days of the ten
    ),
    "23 hours of the clock are no more than 24": (
        """\
- S1 · Pour
  - Owner: Otto · On: 2027-04-19 · Hours: 09:00-11:00
- S4 · After 23 hours
  - Owner: Cem · Effort: 1 hour
  - Needs: S1 + 23 hours
""",
        "S4",
        "2027-04-20",
    ),
}


@pytest.mark.parametrize(("steps", "step", "ends"), PLANS.values(), ids=PLANS.keys())
def test_a_date_is_what_the_plan_says(steps: str, step: str, ends: str) -> None:
    plan = import_plan(f"# Plan\n\n## Steps\n\n{steps}", name="plan.md", today=TODAY).plan
    dated = with_computed_dates(None, plan, TODAY)
    assert next(one.end for one in dated.steps if one.id == step) == ends


def slacks(steps: str) -> list[int | None]:
    return [one.slack for one in figures(with_computed_dates(None, plan_of(steps), TODAY)).steps]


def plan_of(text: str) -> Plan:
    return import_plan(f"# Plan\n\n## Steps\n\n{text}", name="plan.md", today=TODAY).plan


@pytest.mark.parametrize(("hours", "slack"), [("13:00-15:00", 0), ("12:00-15:00", -1)])
def test_work_and_set_hours_share_a_day_where_both_fit(hours: str, slack: int) -> None:
    text = "- S1 · Prepare\n  - Owner: Ann · Effort: 4 hours · Not before: 2026-12-08\n- S2 · Show\n  - Owner: Ben\n"
    assert slacks(f"{text}  - On: 2026-12-08 · Hours: {hours} · Needs: S1\n\n## People\n\n- P1 · Ann\n") == [
        slack,
        None,
    ]


def test_an_elapsed_duration_slips_to_days_on_which_it_can_begin() -> None:
    text = "- S1 · Prepare\n  - Owner: Ann · Effort: 1 day · Duration: 14 calendar days\n- S2 · Show\n  - Owner: Ann\n"
    people = "## People\n\n- P1 · Ann\n  - Hours: 40 a week\n"
    assert slacks(f"{text}  - On: 2027-01-17 · Hours: 10:00-12:00 · Needs: S1\n\n{people}") == [24, None]


@pytest.mark.parametrize(
    ("wait", "ends"),
    [("47 hours", "2026-12-02"), ("48 hours", "2026-12-02"), ("54 hours", "2026-12-02"), ("55 hours", "2026-12-03")],
)
def test_hours_of_the_clock_lead_to_a_day_and_stay_hours(wait: str, ends: str) -> None:
    plan = plan_of(
        f"- S1 · Pour\n  - On: 2026-11-30 · Hours: 09:00-10:00\n- S2 · Go\n  - Effort: 1 hour · Needs: S1 + {wait}\n"
    )
    assert with_computed_dates(None, plan, TODAY).steps[1].end == ends
    assert f"S1 + {wait}" in to_markdown(plan)


def test_what_is_done_together_has_hours_of_its_week() -> None:
    text = "- S1 · Meet\n  - Owner: Ann · Also: Ben · Effort: 4 hours each · Mode: together · Not before: 2026-12-08\n"
    sets = "- S2 · Show\n  - Owner: Ann · On: 2026-12-08 · Hours: 13:00-22:00\n"
    people = "## People\n\n- P1 · Ann\n  - Hours: 20 a week\n- P2 · Ben\n  - Hours: 40 a week\n"
    assert with_computed_dates(None, plan_of(f"{text}{sets}\n{people}"), TODAY).steps[0].end == "2026-12-09"


def test_a_day_that_is_over_full_is_told_though_one_step_has_no_set_day() -> None:
    text = "- S1 · Write\n  - Owner: Ann · Effort: 8 hours · Start: 2026-12-08 · End: 2026-12-08\n"
    sets = "- S2 · Show\n  - Owner: Ann · On: 2026-12-08 · Hours: 13:00-17:00\n"
    plan = plan_of(f"{text}{sets}\n## People\n\n- P1 · Ann\n  - Hours: 40 a week\n")
    texts = [one.text for one in check_plan(plan, today=TODAY) if one.rule == "people.busy"]
    assert "Ann has 12 hours of work on 2026-12-08: S1 and S2." in texts


def test_days_that_are_over_make_up_for_no_hours_of_their_week() -> None:
    plan = plan_of(
        "- S1 · Meet\n  - Owner: Ann · Also: Ben · Effort: 8 hours each · Mode: together · Not before: 2026-12-04\n"
        "- S2 · Write\n  - Owner: Ann · Effort: 2 hours · Needs: S3\n- S3 · Read\n  - Owner: Ben · Effort: 1 hour\n\n"
        "## People\n\n- P1 · Ann\n  - Hours: 20 a week\n- P2 · Ben\n  - Hours: 40 a week\n"
    )
    ends = {
        today.day: with_computed_dates(None, plan, today).steps[1].end
        for today in (date(2026, 11, 30), date(2026, 12, 3))
    }
    assert ends == {30: "2026-11-30", 3: "2026-12-07"}


def test_set_work_of_days_that_are_over_takes_no_hours() -> None:
    plan = plan_of(
        "- S1 · Show\n  - Owner: Ann · On: 2026-12-01 · Hours: 06:00-22:00\n"
        "- S2 · Write\n  - Owner: Ann · Effort: 4 hours\n\n## People\n\n- P1 · Ann\n  - Hours: 20 a week\n"
    )
    assert with_computed_dates(None, plan, date(2026, 12, 2)).steps[1].end == "2026-12-02"


def test_waiting_in_working_days_passes_over_the_days_off_of_its_tag() -> None:
    off = "## Days off\n\n- H1 · Office closed\n  - Days: 2027-05-03 – 2027-05-05 · Only for: office\n"
    steps = "- S1 · Send\n  - Owner: Ann · Effort: 1 hour · Not before: 2027-04-26\n- S2 · Answer\n"
    plan = plan_of(f"{steps}  - Waiting: 10 working days · Tags: office\n  - Needs: S1\n\n{off}")
    other = plan_of(f"{steps}  - Waiting: 10 working days · Tags: lab\n  - Needs: S1\n\n{off}")
    ends = [with_computed_dates(None, one, TODAY).steps[1].end for one in (plan, other)]
    assert ends == ["2027-05-13", "2027-05-10"]


@pytest.mark.parametrize(("total", "last"), [(0, 9), (7, 40), (1_000, 9), (5, 6), (31, 30), (60, 59)])
def test_a_total_is_spread_over_days_as_over_all_of_them(total: int, last: int) -> None:
    calendar = Calendar((240, 0, 480, 100, 480, 0, 0), ((TODAY.toordinal() + 2, 0), (TODAY.toordinal() + 6, 60)))
    days = range(TODAY.toordinal(), TODAY.toordinal() + last + 1)
    each = zip(days, shared(total, [*map(calendar.minutes, days)]), strict=True)
    assert spread_evenly(total, calendar, days[0], days[-1]) == {day: share for day, share in each if share}


def test_a_total_is_spread_over_days_off_where_there_are_no_others() -> None:
    saturday = TODAY.toordinal() + 5
    assert spread_evenly(7, Calendar(), saturday, saturday + 1) == {saturday: 3, saturday + 1: 4}


@pytest.mark.parametrize(
    ("wait", "day"),
    [("1 day", 2), ("3 days", 4), ("4 days", 5), ("2 calendar days", 2), ("48 hours", 2), ("71 hours", 2)],
)
def test_a_lag_is_kept_from_the_first_day_on_which_a_step_may_follow(wait: str, day: int) -> None:
    def lags(day: date) -> list[str]:
        plan = plan_of(
            "- S1 · Close\n  - Owner: Tom · Effort: 1 hour · Start: 2026-11-30 · End: 2026-11-30\n- S2 · Delete\n"
            f"  - Owner: Tom · Effort: 1 hour · Start: {day} · End: {day} · Needs: S1 + {wait}\n\n"
            "## People\n\n- P1 · Tom\n"
        )
        return [one.text for one in check_plan(plan, today=TODAY) if one.rule == "dates.lag"]

    first, told = TODAY + timedelta(days=day), wait.replace("1 day", "1 days")
    before = first - timedelta(days=1)
    assert (lags(first), lags(before)) == (
        [],
        [f"S2 starts on {before}, and needs S1 + {told}: S1 ends on 2026-11-30."],
    )


def test_a_lag_that_is_over_beyond_all_years_is_not_kept() -> None:
    plan = plan_of(
        "- S1 · Close\n  - Start: 2026-11-30 · End: 2026-11-30\n- S2 · Delete\n"
        "  - Start: 2026-12-01 · End: 2026-12-01 · Needs: S1 + 60000 days\n"
    )
    assert "dates.lag" in {one.rule for one in check_plan(plan, today=TODAY)}
