"""What is set for a day stays on it, and the first of some days of waiting is the day that is set for it."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from msgspec.structs import replace
from workbench.domain.plan.changing.operations import applied
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.checks.case import Case
from workbench.domain.plan.figures import figures, with_forecast
from workbench.domain.plan.markdown import from_markdown, to_markdown
from workbench.domain.plan.plan import Plan
from workbench.domain.plan.repairs import repairs_of
from workbench.domain.plan.scheduling.rescheduling import replanned
from workbench.domain.plan.scheduling.schedule import with_dates
from workbench.domain.plan.telling.schedule_told import with_missing_dates
from workbench.export.figures import headline
from workbench.export.formats.calendars import as_icalendar

TODAY = date(2026, 11, 30)
PEOPLE = """
## People

- P1 · Ann
  - Hours: 16 a week
- P2 · Ben
  - Hours: 40 a week
"""


def plan_of(steps: str, rest: str = PEOPLE) -> Plan:
    return with_dates(
        from_markdown(f"# Plan\n\n## Steps\n\n{steps}\n{rest}", Plan(title="")), start=TODAY, deadline=None
    )


def dates(plan: Plan) -> dict[str, tuple[str | None, str | None]]:
    return {step.id: (step.start, step.end) for step in plan.steps}


def told(plan: Plan, *rules: str) -> list[str]:
    return [one.text for one in check_plan(plan, today=TODAY) if one.rule in rules]


@pytest.mark.parametrize(
    ("says", "last"),
    [
        ("Wait: 40 days · Not before: 2027-01-25", "2027-03-05"),
        ("Wait: 40 days · On: 2027-01-25", "2027-03-05"),
        ("Wait: 5 working days · Not before: 2027-01-11", "2027-01-15"),
        ("Wait: 5 working days · On: 2027-01-11", "2027-01-15"),
        ("Wait: 5 working days · Not before: 2027-01-09", "2027-01-15"),
        ("Wait: 1 day · On: 2027-01-11", "2027-01-11"),
    ],
)
def test_waiting_begins_with_the_day_that_is_set(says: str, last: str) -> None:
    plan = plan_of(f"- S1 · Delivery\n  - {says}\n- S2 · Unpack\n  - Owner: Ben · Effort: 1 day\n  - Needs: S1")
    assert dates(plan)["S1"][1] == last
    assert (dates(plan)["S2"][0] or "") > last
    assert told(plan, "dates.effort", "dates.needs") == []
    assert figures(plan).finish == max(date.fromisoformat(last or "") for _, last in dates(plan).values())


def test_several_steps_of_a_set_day_are_too_much_by_their_true_hours() -> None:
    day = "On: 2027-01-12 · Effort:"
    plan = plan_of(f"- S1 · Inspect\n  - Owner: Ann · {day} 0.5 days\n- S2 · Report\n  - Owner: Ann · {day} 0.5 days")
    assert told(plan, "people.busy", "people.load") == []
    plan = plan_of(f"- S1 · Inspect\n  - Owner: Ben · {day} 1 day\n- S2 · Report\n  - Owner: Ben · {day} 1 day")
    assert told(plan, "people.busy", "people.load") == ["Ben has 16 hours of work on 2027-01-12: S1 and S2."]


def test_waiting_needs_no_owner_and_hours_are_an_effort() -> None:
    plan = plan_of(
        "- S1 · Delivery\n  - Wait: 5 days\n- S2 · Meeting\n  - Owner: Ben · On: 2027-01-12 · Hours: 10:00-11:00"
    )
    assert told(plan, "steps.owner", "steps.effort") == []


ROWS = """
## The day <!-- day -->

- T1 · Rocket
  - Day: 2027-04-24 · Time: 13:00 · Who: Ben
- T2 · Raffle
  - Day: 2027-04-24 · Time: 13:00 · Who: Ann, ben
- T3 · Watch
  - Day: 2027-04-21 · Time: 13:00 · Who: Ann
- T4 · Prizes
  - Day: 2027-04-24 · Time: 15:00 · Who: Ben
"""


def test_nobody_is_in_two_rows_at_once_or_in_one_while_away() -> None:
    plan = plan_of("- S1 · Fair\n  - Owner: Ben · On: 2027-04-24", f"{PEOPLE}  - Away: 2027-04-24\n{ROWS}")
    assert told(plan, "people.busy") == [
        "Ben is to do T2 “Raffle” on 2027-04-24 at 13:00, and T1 “Rocket” at the same time."
    ]
    assert told(plan, "people.away") == [
        f"Ben is to do {row} on 2027-04-24, and is away then." for row in ("T1 “Rocket”", "T2 “Raffle”", "T4 “Prizes”")
    ]


def offers(plan: Plan) -> list[str]:
    return [one.label for one in repairs_of(Case(plan, TODAY), check_plan(plan, today=TODAY))]


CLOSED = """
- P3 · Cleo
  - Hours: 40 a week

## Places

- L1 · Hall
  - Closed: 2026-12-08 – 2026-12-09
- L2 · Gym
  - Weekdays: Mon, Tue

## Calendar

- H1 · Freeze
  - Days: 2026-12-07 – 2026-12-18 · Only for: production
- H2 · Stocktaking
  - Days: 2026-12-16
"""


@pytest.mark.parametrize(
    ("says", "offered"),
    [
        ("Owner: Ann · Effort: 0.5 days · On: 2026-12-08", ["Mon 14 Dec 2026", "S1 to Ben", "S1 to Cleo"]),
        ("Owner: Ben · Effort: 0.5 days · Place: L1 · On: 2026-12-08", ["Thu 10 Dec 2026", "S1 is at Gym"]),
        (
            "Owner: Ben · Effort: 0.5 days · Tags: production · On: 2026-12-08",
            ["Mon 21 Dec 2026", "H1 does not hold on Tue 8 Dec 2026", "H1 does not stop S1"],
        ),
        ("Owner: Ben · Effort: 0.5 days · On: 2026-12-16", ["Thu 17 Dec 2026", "Ben works on Wed 16 Dec 2026"]),
        ("Owner: Ben · Effort: 0.5 days · Place: L2 · On: 2026-12-12", ["Mon 14 Dec 2026", "S1 is at Hall"]),
    ],
)
def test_each_reason_against_a_set_day_has_its_own_offers(says: str, offered: list[str]) -> None:
    people = PEOPLE.replace("Hours: 16 a week", "Hours: 16 a week\n  - Away: 2026-12-07 – 2026-12-11")
    plan = plan_of(f"- S1 · Sell\n  - {says}", people + CLOSED)
    case, found = Case(plan, TODAY), check_plan(plan, today=TODAY)
    repairs = [one for one in repairs_of(case, found) if one.finding.rule == "dates.day-off"]
    assert len(repairs) == len(offered)
    for repair, label in zip(repairs, offered, strict=True):
        assert label in repair.label
        after = check_plan(applied(plan, repair.operations), today=TODAY)
        assert [one for one in after if one.rule == "dates.day-off" and one.severity == "major"] == []


@pytest.mark.parametrize(
    ("first", "second", "is_both"),
    [
        ("13:00-14:00", "13:30", True),
        ("13:00-14:00", "13:30-15:00", True),
        ("13:30", "13:00-14:00", True),
        ("13:00-14:00", "14:00", False),
        ("13:00", "13:30", False),
        ("13:00", "13:00-14:00", True),
        ("22:00-02:00", "23:00", True),
    ],
)
def test_rows_collide_where_their_hours_overlap(first: str, second: str, is_both: bool) -> None:
    rows = ROWS.replace("13:00 · Who: Ben", f"{first} · Who: Ben").replace("13:00 · Who: Ann", f"{second} · Who: Ann")
    plan = plan_of("- S1 · Fair\n  - Owner: Ben · On: 2027-04-24", PEOPLE + rows.partition("- T3")[0])
    assert [text.startswith("Ben is to do") for text in told(plan, "people.busy")] == [True] * is_both


def test_an_event_is_not_put_off_by_what_is_late_for_it() -> None:
    limit = "## Constraints\n\n- K1 · Fair\n  - Limits: date · Day: 2026-12-05 · Sets: goal-day\n"
    plan = plan_of(
        "- S1 · Work\n  - Owner: Ben · Effort: 9 days\n"
        "- S2 · Fair\n  - Owner: Ben · On: 2026-12-05 · Hours: 10:00-12:00\n  - Needs: S1",
        PEOPLE + limit,
    )
    assert told(plan, "dates.deadline", "dates.needs")
    chances = with_forecast(plan).forecast
    assert chances is not None
    assert chances.chance == 0, "what an event needs ends after it in every course"
    assert not [one for one in offers(plan) if one.startswith("move K1")]


def test_no_day_after_the_last_is_offered() -> None:
    step = "- S1 · Play\n  - Owner: Ben · Effort: 1 day · On: 2026-12-06"
    assert "move S1 to Mon 7 Dec 2026" in offers(plan_of(step))
    assert not [one for one in offers(plan_of(f"{step} · Deadline: 2026-12-06")) if one.startswith("move S1")]


def test_load_is_that_of_the_dates_that_a_file_gives() -> None:
    """What is calculated for them is elsewhere, as S1 ends after S2 begins."""
    text = (
        "# Plan\n\n## Steps\n\n"
        "- S1 · Draft\n  - Owner: Ben · Effort: 2 days · Start: 2027-01-18 · End: 2027-01-19\n"
        "- S2 · Print\n  - Owner: Ann · Effort: 2 days · Start: 2027-01-04 · End: 2027-01-08\n  - Needs: S1\n"
        "- S3 · Show\n  - Owner: Ann · Effort: 1 day · On: 2027-01-06 · Start: 2027-01-06 · End: 2027-01-06\n"
    )
    plan = from_markdown(text + PEOPLE, Plan(title=""))
    said = "Ann has 24 hours of work in the week from 2027-01-04, and 16 hours for it: S2 and S3."
    assert told(plan, "people.load") == [said]
    assert dates(with_missing_dates(plan, TODAY)) == dates(plan)


def test_only_what_has_no_date_is_dated_when_a_session_begins() -> None:
    text = (
        "# Plan\n\n## Steps\n\n- S1 · Draft\n  - Owner: Ben · Effort: 2 days · Start: 2027-01-18 · End: 2027-01-18\n"
        "- S2 · Print\n  - Owner: Ann · Effort: 2 days\n  - Needs: S1\n"
    )
    begun = dates(with_missing_dates(from_markdown(text + PEOPLE, Plan(title="")), TODAY))
    assert (begun["S1"], begun["S2"]) == (("2027-01-18", "2027-01-18"), ("2027-01-19", "2027-01-25"))


def test_the_time_of_all_owners_is_levelled() -> None:
    plan = plan_of(
        "- S1 · Report\n  - Owner: Ann · Effort: 4 days · Deadline: 2026-12-11\n"
        "- S2 · Build\n  - Owner: Ben · Also: Ann · Effort: 2 days\n"
        "- S3 · Paint\n  - Owner: Ben · Effort: 1 day\n  - Needs: S2"
    )
    assert dates(plan)["S1"] == ("2026-11-30", "2026-12-11")
    assert dates(plan)["S2"] == ("2026-11-30", "2026-12-16")
    assert dates(plan)["S3"][0] == "2026-12-16"
    assert told(plan, "people.busy", "people.load", "dates.effort", "dates.day-off") == []


def test_work_goes_round_the_hours_of_a_set_day() -> None:
    plan = plan_of(
        "- S1 · Write\n  - Owner: Ann · Effort: 2 days\n"
        "- S2 · Fair\n  - Owner: Ben · Also: Ann · On: 2026-12-03 · Hours: 09:00-17:00"
    )
    assert dates(plan)["S1"] == ("2026-11-30", "2026-12-09")
    assert told(plan, "people.busy", "people.load") == []


def test_who_is_away_does_their_part_later() -> None:
    away = PEOPLE + "  - Away: 2026-11-30 – 2026-12-02\n"
    plan = plan_of("- S1 · Build\n  - Owner: Ann · Also: Ben · Effort: 1 day", away)
    assert dates(plan)["S1"] == ("2026-11-30", "2026-12-03")
    assert told(plan, "people.busy", "people.load", "dates.effort", "dates.day-off") == []


def test_what_several_do_stays_when_it_is_planned_again() -> None:
    plan = plan_of(
        "- S1 · Sort\n  - Owner: Ben · Also: Ann · Effort: 6 days · Not before: 2026-12-07\n"
        "- S2 · Move\n  - Owner: Ben · Effort: 1 day\n  - Needs: S1"
    )
    assert dates(plan)["S1"] == ("2026-12-07", "2026-12-16")
    assert dates(replanned(plan, TODAY)) == dates(plan)
    assert {one.step: (one.start, one.why) for one in figures(plan).steps}["S2"][1] == "after S1"


def test_what_is_set_for_a_day_keeps_its_work_when_it_is_planned_again() -> None:
    plan = plan_of(
        "- S1 · Inspect\n  - Owner: Ann · Effort: 1 day · On: 2026-12-02\n- S2 · Write\n  - Owner: Ann · Effort: 3 days"
    )
    assert dates(plan)["S2"] == ("2026-11-30", "2026-12-11")
    undated = from_markdown(to_markdown(plan).replace(" · Start: 2026-11-30 · End: 2026-12-11", ""), plan)
    assert dates(with_missing_dates(undated, TODAY)) == dates(plan)


def test_only_what_takes_hours_of_a_full_week_is_named() -> None:
    day = "Owner: Ann · Effort: 1 day · On: 2026-12-0"
    plan = plan_of(
        f"- S1 · Walk\n  - {day}7\n- S2 · Train\n  - {day}8\n- S3 · Talk\n  - {day}9\n"
        "- S4 · Write\n  - Owner: Ann · Effort: 3 days"
    )
    assert dates(plan)["S4"] == ("2026-11-30", "2026-12-16")
    said = "Ann has 24 hours of work in the week from 2026-12-07, and 16 hours for it: S1, S2 and S3."
    assert told(plan, "people.load", "people.busy") == [said]


def test_work_under_way_takes_the_time_of_who_does_it() -> None:
    plan = plan_of(
        "- S1 · Begun\n  - Owner: Ben · Effort: 5 days · Status: under-way · Started: 2026-11-27\n"
        "- S2 · Next\n  - Owner: Ben · Effort: 2 days"
    )
    assert dates(replanned(plan, TODAY))["S2"] == ("2026-12-04", "2026-12-07")
    assert told(plan, "people.busy", "people.load") == []


@pytest.mark.parametrize(
    ("step", "last", "bens"),
    [
        ("Owner: Ben · Effort: 1 day", "2026-12-05", "2026-12-07"),
        ("Owner: Ben · Effort: 0.5 days · Hours: 10:00-14:00", "2026-12-05", "2026-12-07"),
        ("Owner: Ben · Effort: 2 days", "2026-12-06", "2026-12-08"),
        ("Owner: Ben · Effort: 8 days", "2026-12-14", "2026-12-16"),
        ("Owner: Ann · Also: Ben · Effort: 2 days", "2026-12-05", "2026-12-07"),
    ],
)
def test_a_free_day_that_is_set_is_a_working_day_of_its_owners_alone(step: str, last: str, bens: str) -> None:
    saturday = f"- S1 · Fair\n  - {step} · On: 2026-12-05"
    for owner, end in (("Ben", bens), ("Cleo", "2026-12-04")):  # hours a week are so many, on whichever days
        text = f"{saturday}\n- S2 · Write\n  - Owner: {owner} · Effort: 5 days"
        plan = plan_of(text, PEOPLE + "- P3 · Cleo\n  - Hours: 40 a week\n")
        assert dates(plan) == {"S1": ("2026-12-05", last), "S2": ("2026-11-30", end)}
        assert told(plan, "people.busy", "people.load") == []
        assert forecast_end(plan) == max(last, end)


@pytest.mark.parametrize(
    ("hours", "share", "texts"),
    [
        (14, 2, ["Ann has 28 hours of work in the week from 2026-12-07, and 14 hours for it: S1 and S2."]),
        (28, 1, []),
        (None, 1, []),
    ],
)
def test_hours_of_set_days_at_weekends_are_hours_of_the_week(hours: int | None, share: float, texts: list[str]) -> None:
    people = PEOPLE.replace("Hours: 16 a week", f"Hours: {hours} a week" if hours else "Role: painter")
    plan = plan_of(
        "- S1 · Sand\n  - Owner: Ann · On: 2026-12-12 · Hours: 06:00-20:00\n"
        "- S2 · Paint\n  - Owner: Ann · On: 2026-12-13 · Hours: 06:00-20:00\n"
        "- S3 · Write\n  - Owner: Ann · Effort: 2 hours · Not before: 2026-12-07",
        people,
    )
    assert dates(plan)["S3"][0] == ("2026-12-07" if hours is None else "2026-12-14")
    assert told(plan, "people.busy", "people.load") == texts
    if hours:
        assert figures(plan).people[0].peak == (date(2026, 12, 7), share)


def test_a_trip_of_some_days_goes_on_over_working_days_of_the_plan() -> None:
    people = PEOPLE.replace("Hours: 16 a week", "Hours: 6 a week · Weekdays: Mon, Wed")
    plan = plan_of(
        "- S1 · Trip\n  - Owner: Ann · Also: Ben · Effort: 3 days each · Mode: together · On: 2026-12-08\n"
        "- S2 · Talk\n  - Owner: Ann · Also: Ben · Effort: 1 day · Mode: together",
        people,
    )
    assert dates(plan)["S1"] == ("2026-12-08", "2026-12-10")
    assert dates(plan)["S2"] == ("2026-11-30", "2026-11-30"), "what is met for takes one day, and hours of its week"
    assert told(plan, "dates.effort") == []


@pytest.mark.parametrize(
    ("first", "wait", "begins"),
    [
        ("Effort: 0.25 days", "2 calendar days", "2026-12-02"),
        ("Effort: 0.25 days", "4 calendar days", "2026-12-04"),
        ("Effort: 1 day", "2 calendar days", "2026-12-03"),
        ("On: 2026-11-30 · Hours: 09:00-11:00", "2 calendar days", "2026-12-02"),
        ("On: 2026-11-30 · Hours: 09:00-11:00", "1 day", "2026-12-02"),
        ("On: 2026-11-30 · Hours: 14:00-22:00", "2 calendar days", "2026-12-03"),
        ("On: 2026-12-04 · Hours: 09:00-11:00", "3 calendar days", "2026-12-07"),
        ("On: 2026-12-05 · Hours: 09:00-11:00", "2 calendar days", "2026-12-07"),
    ],
)
def test_days_after_a_step_are_counted_from_the_day_on_which_it_ends(first: str, wait: str, begins: str) -> None:
    text = f"- S1 · Mix\n  - Owner: Ben · {first}\n- S2 · Bake\n  - Owner: Ben · Effort: 0.25 days\n"
    plan = plan_of(f"{text}  - Needs: S1 + {wait}")
    assert dates(plan)["S2"][0] == begins
    assert forecast_end(plan) == begins


@pytest.mark.parametrize(
    ("needs", "wait", "begins"),
    [
        ("S1 + 4 hours", "", "2026-11-30"),
        ("S1 + 6 hours", "", "2026-12-01"),
        ("S1 + 26 hours", "", "2026-12-01"),
        ("S1 + 1.5 days", "", "2026-12-01"),
        ("S1 + 48 hours", "", "2026-12-02"),
        ("S1 + 2 days", "", "2026-12-03"),
        ("S2", "4 hours", "2026-11-30"),
        ("S2", "36 hours", "2026-12-02"),
        ("S2", "2.5 days", "2026-12-03"),
    ],
)
def test_waits_can_be_hours_of_the_clock(needs: str, wait: str, begins: str) -> None:
    between = f"- S2 · Rise\n  - Wait: {wait}\n  - Needs: S1\n" if wait else ""
    plan = plan_of(
        f"- S1 · Mix\n  - Owner: Ben · Effort: 2 hours\n{between}"
        f"- S3 · Bake\n  - Owner: Ben · Effort: 1 hour\n  - Needs: {needs}"
    )
    assert dates(plan)["S3"][0] == begins
    assert told(plan, "dates.effort", "dates.lag", "dates.needs") == []
    text = to_markdown(plan)
    assert to_markdown(from_markdown(text, Plan(title=""))) == text
    assert "hours" in text or "days" in (needs + wait)


@pytest.mark.parametrize(
    ("day", "hours", "wait", "begins", "ends"),
    [
        ("2026-11-29", "02:00-06:00", "48 hours", "2026-12-01", "2026-12-01"),
        ("2026-11-30", "06:00-07:00", "24 hours", "2026-12-01", "2026-12-01"),
        ("2026-11-30", "20:00-21:00", "16 hours", "2026-12-01", "2026-12-02"),
        ("2026-11-30", "20:00-21:00", "12 hours", "2026-12-01", "2026-12-01"),
        ("2026-11-30", "12:00-14:00", "72 hours", "2026-12-03", "2026-12-04"),
        ("2026-11-30", "12:00-14:00", "2 days", "2026-12-03", "2026-12-03"),
    ],
)
def test_hours_of_waiting_count_from_the_hours_of_a_day(day: str, hours: str, wait: str, begins: str, ends: str):
    text = (
        f"- S1 · Pour\n  - Owner: Ann · On: {day} · Hours: {hours}\n- S2 · Set\n  - Wait: {wait} · Needs: S1\n"
        "- S3 · Polish\n  - Owner: Ben · Effort: 1 day · Needs: S2"
    )
    plan = with_dates(plan_of(text), start=date(2026, 11, 27), deadline=None)
    assert dates(plan)["S3"] == (begins, ends)
    assert forecast_end(plan) == ends
    assert f"Wait: {wait}" in to_markdown(plan)


def test_what_follows_set_hours_has_the_rest_of_their_day() -> None:
    keys = "- S1 · Keys\n  - Owner: Ann · Effort: 2 hours · On: 2026-12-02 · Hours: 08:00-10:00\n"
    plan = plan_of(f"{keys}- S2 · Cable\n  - Effort: 4 hours · Owner: Ben · Needs: S1")
    assert dates(plan)["S2"] == ("2026-12-02", "2026-12-02")
    plan = plan_of(f"{keys}- S2 · Dry\n  - Wait: 1 day · Needs: S1")
    assert dates(plan)["S2"] == ("2026-12-03", "2026-12-03"), "a wait begins on the next day"


@pytest.mark.parametrize(
    ("says", "hours", "begins", "findings"),
    [
        ("Milestone: yes", "08:00-08:00", "2026-12-02", []),
        ("Milestone: yes", "13:00-13:00", "2026-12-02", []),
        ("Milestone: yes", "18:00-18:00", "2026-12-03", []),
        (
            "Owner: Ann · Effort: 1 day",
            "08:00-08:00",
            "2026-12-03",
            ["S1 “Open” has the hours 08:00-08:00, which end as they begin."],
        ),
    ],
)
def test_hours_that_end_as_they_begin_are_a_moment(says: str, hours: str, begins: str, findings: list[str]) -> None:
    text = f"- S1 · Open\n  - {says} · On: 2026-12-02 · Hours: {hours}\n- S2 · Serve\n  - Effort: 4 hours · Owner: Ben"
    plan = plan_of(f"{text} · Needs: S1")
    assert (dates(plan)["S1"], dates(plan)["S2"][0]) == (("2026-12-02", "2026-12-02"), begins)
    assert told(plan, "dates.order") == findings
    assert "DTEND:20261202T" not in as_icalendar(plan, datetime(2026, 11, 30, tzinfo=UTC), "plan")


@pytest.mark.parametrize(
    ("first", "day", "slacks", "path", "chance"),
    [
        ("Effort: 5 days (4–8)", "2026-12-02", [-4, 0], ("S1", "S2"), 1.0),
        ("Effort: 2 hours · Not before: 2026-12-03", "2026-12-02", [-2, 0], ("S1", "S2"), 1.0),
        ("Effort: 5 days (4–8)", "2026-12-16", [6, 0], ("S2", "S3"), 1.0),
        ("Effort: 5 days (4–8)", "2027-01-20", [31, 0], ("S2", "S3"), 0.0),
    ],
)
def test_a_day_that_is_missed_is_what_is_late(
    first: str, day: str, slacks: list[int], path: tuple[str, ...], chance: float
) -> None:
    plan = plan_of(
        f"- S1 · Make\n  - Owner: Ben · {first}\n- S2 · Show\n  - Owner: Ann · On: {day} · Hours: 10:00-11:00\n"
        "  - Needs: S1\n- S3 · Teach\n  - Effort: 10 days · Needs: S2",
        f"{PEOPLE}\n## Limits\n\n- K1 · Ready\n  - Limits: date · Day: 2027-01-29 · Sets: deadline\n",
    )
    found = with_forecast(plan)
    assert [step.slack for step in found.steps if step.step != "S2"] == slacks
    assert found.critical_path == path
    assert found.forecast
    assert found.forecast.chance == chance


@pytest.mark.parametrize(
    ("needs", "wait", "hours", "begins"),
    [
        ("S1", "", "10:00-12:00", "2026-12-02 at 13:00"),
        ("S1", "", "13:00-15:00", ""),
        ("S1 + 5 hours", "", "15:00-16:00", "2026-12-02 at 18:00"),
        ("S1 + 11 hours", "", "23:00-23:30", "2026-12-03 at 00:00"),
        ("S1 + 1 day", "", "15:00-16:00", ""),
        ("S2", "3 hours", "15:00-15:00", "2026-12-02 at 16:00"),
        ("S2", "3 hours", "16:00-17:00", ""),
    ],
)
def test_hours_of_a_day_are_in_order_and_can_be_offered(needs: str, wait: str, hours: str, begins: str) -> None:
    between = f"- S2 · Dry\n  - Wait: {wait} · Needs: S1\n" if wait else ""
    plan = plan_of(
        f"- S1 · Paint\n  - Owner: Ann · On: 2026-12-02 · Hours: 08:00-13:00\n{between}"
        f"- S3 · Hang\n  - Owner: Ben · On: 2026-12-02 · Hours: {hours} · Needs: {needs}"
    )
    found = [one for one in check_plan(plan, today=TODAY) if one.rule == "dates.hours"]
    repairs = repairs_of(Case(plan, TODAY), found)
    assert len(repairs) == len(found) == bool(begins)
    for repair in repairs:
        assert f"move S3 to {begins}".replace("2026-12-02 at ", "") == repair.label
        assert told(applied(plan, repair.operations), "dates.hours", "dates.needs", "dates.lag") == []


@pytest.mark.parametrize(("mode", "last"), [("Mode: together", "2026-12-06"), ("Priority: high", "2026-12-08")])
def test_a_weekend_together_is_one_for_all(mode: str, last: str) -> None:
    people = PEOPLE.replace("Hours: 40 a week", "Hours: 6 a week · Weekdays: Tue, Sat")
    plan = plan_of(
        f"- S1 · Rehearse\n  - Owner: Ben · Also: Ann · Effort: 12 hours each · {mode} · On: 2026-12-05", people
    )
    assert dates(plan)["S1"] == ("2026-12-05", last)


def test_backward_dates_are_those_that_are_calculated_from_them() -> None:
    people = PEOPLE.replace("Hours: 16 a week", "Hours: 16 a week · Weekdays: Mon, Tue")
    plan = plan_of(
        "- S1 · Export\n  - Owner: Ben · Effort: 3 days\n"
        "- S2 · Check\n  - Owner: Ann · Also: Ben · Effort: 2 days each · Duration: 10 working days\n  - Needs: S1\n"
        "- S3 · Switch\n  - Owner: Ben · On: 2027-03-20 · Hours: 02:00-06:00\n  - Needs: S2\n"
        "- S4 · It spreads\n  - Wait: 2 days\n  - Needs: S3 + 6 hours\n"
        "- S5 · Tell all\n  - Owner: Ann · Effort: 1 hour\n  - Needs: S4",
        f"{people}\n## Constraints\n\n- K1 · Public\n  - Limits: date · Day: 2027-03-31 · Sets: deadline\n\n"
        "## Calendar\n\n- W1 · Week\n  - Weekdays: Mon, Tue, Wed, Thu, Fri · Schedule: backward\n",
    )
    plan = with_dates(plan, start=TODAY, deadline=date(2027, 3, 31))
    assert dates(plan) == {
        "S1": ("2027-03-03", "2027-03-05"),
        "S2": ("2027-03-08", "2027-03-19"),
        "S3": ("2027-03-20", "2027-03-20"),
        "S4": ("2027-03-21", "2027-03-22"),
        "S5": ("2027-03-30", "2027-03-30"),
    }
    shown = figures(plan)
    assert [one.step for one in shown.steps if "calculated" in one.why or (one.slack or 0) < 0] == []
    assert told(plan, "dates.day-off", "dates.needs", "dates.lag") == []


@pytest.mark.parametrize("effort", ["0.25 days", "1 day"])
def test_the_last_day_of_waiting_is_over_before_anything_follows(effort: str) -> None:
    text = f"- S1 · Order\n  - Owner: Ben · Effort: {effort}\n- S2 · Delivery\n  - Wait: 2 days\n  - Needs: S1\n"
    plan = plan_of(f"{text}- S3 · Unpack\n  - Owner: Ben · Effort: 0.25 days\n  - Needs: S2")
    assert list(dates(plan).values())[1:] == [("2026-12-01", "2026-12-02"), ("2026-12-03", "2026-12-03")]
    assert forecast_end(plan) == "2026-12-03"


def forecast_end(plan: Plan) -> str:
    forecast = with_forecast(plan).forecast
    return forecast.p50.isoformat() if forecast else ""


LIMIT = "## Constraints\n\n- K1 · Fair\n  - Limits: date · Day: 2026-12-12 · Sets: goal-day\n"
FAIR = "- S2 · Fair\n  - Owner: Ben · On: 2026-12-12\n  - Needs: S1 · Answers: K1\n"
WHOLE = "- S1 · Build\n  - Answers: K1\n- S2 · Walls\n  - Owner: Ben · Effort: 3 days (1–5)\n  - Part of: S1\n"
LATER = "- S3 · Accounts\n  - Owner: Ann · Effort: 9 days\n  - Needs: S2"


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        (f"- S1 · Build\n  - Owner: Ben · Effort: 8 days (4–16)\n{FAIR}{LATER}", "72% that S2 is done"),
        (f"{WHOLE}- S3 · Accounts\n  - Owner: Ann · Effort: 30 days\n  - Needs: S1", "over 99% that S1 is done"),
        (f"- S1 · Build\n  - Owner: Ben\n{FAIR}{LATER}", "S1 has no estimate · S2 on the day it is for"),
        (f"- S1 · Build\n  - Owner: Ben · Effort: 8 days\n{FAIR}{LATER}", "Jan 2027 · S2 on the day it is for"),
    ],
)
def test_the_headline_forecasts_the_day_that_a_plan_is_for(steps: str, told: str) -> None:
    plan = plan_of(steps, PEOPLE + LIMIT)
    assert told in headline(with_forecast(plan))
    assert "%" in told or "%" not in headline(with_forecast(plan)), "nothing is said where nothing varies"


def test_the_headline_names_the_calculated_finish_where_dates_are_others() -> None:
    text = "- S1 · Build\n  - Owner: Ben · Effort: 8 days\n- S2 · Paint\n  - Owner: Ben · Effort: 2 days\n  - Needs: S1"
    plan = plan_of(text)
    early = from_markdown(
        to_markdown(plan).replace("2026-12-11", "2026-12-02").replace("2026-12-10", "2026-12-01"), plan
    )
    assert headline(with_forecast(early)).startswith("finish 9 Dec 2026 · 11 Dec as calculated")


def test_what_ends_on_a_day_off_after_its_deadline_is_late() -> None:
    people = PEOPLE.replace("Hours: 16 a week", "Hours: 8 a week · Weekdays: Sat")
    plan = plan_of("- S1 · Print\n  - Owner: Ann · Effort: 1 day · Deadline: 2026-12-04", people)
    assert (dates(plan)["S1"][1], figures(plan).steps[0].slack) == ("2026-12-05", -1)


@pytest.mark.parametrize(("wait", "slack"), [("14 hours", 1), ("22 hours", 0)])
def test_hours_of_waiting_can_slip_by_whole_days(wait: str, slack: int) -> None:
    plan = plan_of(
        f"- S1 · Pour\n  - On: 2026-11-30 · Hours: 12:00-13:00\n- S2 · Set\n  - Wait: {wait} · Needs: S1\n"
        "- S3 · Show\n  - On: 2026-12-02 · Hours: 08:00-10:00 · Needs: S2"
    )
    assert figures(plan).steps[1].slack == slack


@pytest.mark.parametrize(
    ("splits", "expected"),
    [(" · May be split: yes", ("2026-11-30", "2026-12-02")), ("", ("2026-12-01", "2026-12-03"))],
)
def test_what_may_be_split_goes_on_after_other_work(splits: str, expected: tuple[str, str]) -> None:
    plan = plan_of(
        "- S1 · Bake\n  - Owner: Ben · Effort: 4 hours · Not before: 2026-12-01\n"
        f"- S2 · Write\n  - Owner: Ben · Effort: 14 hours{splits}\n- S3 · Sell\n  - Effort: 5 days · Needs: S1"
    )
    assert dates(plan)["S2"] == expected
    assert forecast_end(plan) == plan.steps[2].end


@pytest.mark.parametrize(("effort", "others", "is_told"), [("6 hours", 3, False), ("12 hours", 8, True)])
def test_joint_work_has_hours_of_its_week(effort: str, others: int, is_told: bool) -> None:
    plan = plan_of(
        f"- S1 · Review\n  - Owner: Ann · Effort: {effort}\n"
        f"- S2 · Connect\n  - Owner: Ben · Also: Ann · Effort: {others} hours each · Mode: together · Needs: S1"
    )
    if is_told:  # dates that a file may have
        on_its_day = [item if item.id == "S1" else replace(item, start="2026-12-02") for item in plan.steps]
        on_its_day[1] = replace(on_its_day[1], end="2026-12-02")
        on_its_day[0] = replace(on_its_day[0], start="2026-11-30", end="2026-12-02")
        plan = replace(plan, sections=(replace(plan.sections[0], items=tuple(on_its_day)), *plan.sections[1:]))
    assert bool(told(plan, "people.busy")) is is_told


@pytest.mark.parametrize(
    ("first", "second", "text"),
    [
        ("Ben · Effort: 1 day", "Hours: 02:00-06:00", "S2 begins on 2026-11-30 at 02:00"),
        ("Ben · Effort: 1 day", "Hours: 17:00-18:00", ""),
        ("Ben · Effort: 1 day", "Effort: 1 day", "S2 has to begin by 2026-11-30 at 11:00"),
        ("Ben · Effort: 2 hours", "Effort: 1 day", ""),
    ],
)
def test_work_on_the_day_of_what_needs_it_ends_before(first: str, second: str, text: str) -> None:
    plan = plan_of(
        f"- S1 · Build\n  - Owner: {first}\n- S2 · Show\n  - Owner: Cleo · On: 2026-11-30 · {second} · Needs: S1"
    )
    assert told(plan, "dates.hours") == ([f"{text}, and S1, which it needs, ends at 17:00."] if text else [])


def test_hours_set_in_a_time_without_any_are_named() -> None:
    plan = plan_of(
        "- S1 · Bottle\n  - Owner: Ann · On: 2026-12-02 · Hours: 08:00-14:00",
        PEOPLE.replace("16 a week", "16 a week · Capacity: 0 h a week from 2026-11-30 until 2026-12-06"),
    )
    assert told(plan, "dates.day-off") == ["S1 “Bottle” is on 2026-12-02, and Ann has no hours then."]


@pytest.mark.parametrize("hours", range(1, 17))
def test_an_hour_too_many_in_a_week_is_named(hours: int) -> None:
    plan = plan_of(
        f"- S1 · Load\n  - Owner: Ann · On: 2026-12-02 · Hours: 06:00-{7 + hours:02}:00",
        PEOPLE.replace("16 a week", f"{hours} a week"),
    )
    assert len(told(plan, "people.load")) == 1


@pytest.mark.parametrize(
    ("steps", "slacks"),
    [
        (  # half an hour a day is left, and nothing of the day itself
            (
                "- S1 · Bake\n  - Owner: Cleo · Effort: 2 hours\n"
                "- S2 · Serve\n  - Owner: Cleo · On: 2026-12-04 · Hours: 12:00-20:00 · Needs: S1"
            ),
            [0, None],
        ),
        (  # four days later, the second would begin on the last day
            (
                "- S1 · Write\n  - Owner: Ben · Effort: 1 day\n"
                "- S2 · Print\n  - Owner: Ben · Effort: 4 hours · Needs: S1\n- S3 · Other\n  - Wait: 5 working days"
            ),
            [3, 3, 0],
        ),
        (
            (
                "- S1 · List\n  - Owner: Ben · Effort: 1 day\n"
                "- S2 · Ask\n  - Owner: Cleo · Effort: 5 hours · Needs: S1\n"
                "- S3 · Show\n  - Owner: Ben · On: 2026-12-07 · Needs: S2"
            ),
            [1, 1, None],
        ),
    ],
)
def test_slack_is_whole_days_on_which_there_is_time(steps: str, slacks: list[int | None]) -> None:
    plan = plan_of(steps, PEOPLE + "- P3 · Cleo\n  - Hours: 10 a week\n")
    assert [step.slack for step in figures(plan).steps] == slacks


@pytest.mark.parametrize("weeks", ["Schedule: forward", "Schedule: backward"])
def test_no_step_is_free_that_is_as_late_as_it_can_be(weeks: str) -> None:
    limit = "\n## Limits\n\n- K1 · Open\n  - Limits: date · Day: 2026-12-04 · Sets: deadline\n"
    text = (
        "# Plan\n\n## Steps\n\n- S1 · Bake\n  - Owner: Cleo · Effort: 3 hours\n"
        "- S2 · Serve\n  - Owner: Cleo · On: 2026-12-04 · Hours: 12:00-18:00 · Needs: S1\n"
        f"{PEOPLE}- P3 · Cleo\n  - Hours: 9 a week · Weekdays: Mon, Wed, Fri\n{limit}"
        f"\n## Calendar\n\n- W1 · Week\n  - {weeks}\n"
    )
    plan = with_dates(from_markdown(text, Plan(title="")), start=TODAY, deadline=date(2026, 12, 4))
    assert dates(plan)["S1"] == ("2026-11-30", "2026-12-02")
    assert figures(plan).steps[0].slack == 0


@pytest.mark.parametrize(
    ("wait", "days"), [("6 hours", ("01", "01")), ("24 hours", ("01", "02")), ("2 days", ("02", "03"))]
)
def test_hours_of_waiting_begin_on_the_day_of_what_they_follow(wait: str, days: tuple[str, str]) -> None:
    plan = plan_of(
        "- S1 · Glue\n  - Owner: Ben · Effort: 4 hours · Not before: 2026-12-01\n"
        f"- S2 · Dry\n  - Wait: {wait} · Needs: S1"
    )
    assert dates(plan)["S2"] == tuple(f"2026-12-{day}" for day in days)
