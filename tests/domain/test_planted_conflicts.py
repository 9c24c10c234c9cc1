"""Conflicts that were planted in plans of others: each is found and told, and dates are those that can be."""

from __future__ import annotations

from datetime import date

import pytest
from msgspec.structs import replace
from tests.full_plan import state_with
from workbench.domain.handout import hand_out
from workbench.domain.plan.checks import check_plan, is_conflict, minor_in_short
from workbench.domain.plan.figures import Figures, figures, with_forecast
from workbench.domain.plan.importing.reading import import_plan
from workbench.domain.plan.markdown import from_markdown, to_markdown
from workbench.domain.plan.markdown.fields import FIELDS
from workbench.domain.plan.plan import Constraint, Effort, Lag, Plan, Step
from workbench.domain.plan.references import filled, working_days
from workbench.domain.plan.scheduling.rescheduling import rescheduled, with_steps
from workbench.domain.plan.telling.schedule_told import schedule_told, with_missing_dates
from workbench.export.figures import calendar_text, headline
from workbench.export.formats.tables import as_csv
from workbench.export.imported import Preview

TODAY = date(2026, 11, 30)


def dated(text: str) -> Plan:
    """Return a plan of Markdown as an import has it: each line that begins with "S" is a step."""
    return with_missing_dates(from_markdown(f"# T\n\n{text}", Plan(title="")), TODAY)


POOL = """
## Constraints

- K1 · The pool opens
  - Limits: date · Day: 2027-05-28 · Sets: goal-day

## Steps

- S1 · Liner
  - Wait: 30 days
- S2 · Fit it
  - Owner: Jon · Effort: 4 days · Not before: 2027-04-26
  - Needs: S1
- S3 · Fill
  - Wait: 3 days
  - Needs: S2
- S4 · Test
  - Wait: 5 working days
  - Needs: S3 + 24 hours
- S5 · Inspection
  - Owner: Jon · Effort: 3 hours · ANSWERS
  - Needs: S4
- S6 · Price list
  - Owner: Jon · Effort: 1 day · LAST
- S7 · Opening
  - Owner: Jon · EVENT
  - Needs: S5

## People

- P1 · Jon
  - Hours: 30 a week
  - Capacity: 15 h a week from 2027-04-01 until 2027-04-30

## Calendar

- H1 · Ascension
  - Days: 2027-05-06, 2027-05-17
"""


@pytest.mark.parametrize(
    ("answers", "last", "event"),
    [
        ("Answers: K1", "Not before: 2027-05-20", "Effort: 1 hour"),
        ("Tags: x", "Not before: 2027-05-03", "On: 2027-05-28 · Answers: K1"),
        ("Answers: K1", "Not before: 2027-06-01", "Effort: 20 days"),
        ("Answers: K1", "Not before: 2027-05-03", "Effort: 12 days · Answers: K1"),
    ],
)
def test_slack_is_the_same_wherever_it_is_told(answers: str, last: str, event: str) -> None:
    text = POOL.replace("ANSWERS", answers).replace("LAST", last).replace("EVENT", event)
    for change in ("", "Duration: 40 days"):  # as drafted, and after an amendment
        plan = dated(text.replace("Effort: 4 days", f"Effort: 4 days · {change}" if change else "Effort: 4 days"))
        told = figures(plan)
        slack, tight = told.slack_days, filled("{plan.tightest}", plan)
        assert slack is not None
        page = hand_out(state_with(plan))
        assert filled("{K1.slack}", plan) == working_days(slack)
        assert f"{abs(slack)} working days" in schedule_told(plan)
        assert (f"{abs(slack)} working day" in page) or (not slack and "the day it is for" in page)
        least = min(step.slack for step in told.steps if step.slack is not None)
        assert tight.endswith(f", {working_days(least)}")
        assert f"Tightest: step {next(one.step for one in told.steps if one.slack == least)[1:]}, " in page


def found(plan: Plan) -> list[tuple[str, str, str]]:
    return [
        (one.rule, one.severity, one.text)
        for one in check_plan(plan, today=TODAY)
        if one.rule.rpartition(".")[2] not in ("none", "outcome", "check")
    ]


def when(told: Figures) -> dict[str, tuple[str, str, str]]:
    return {step.step: (f"{step.start:%d %b}", f"{step.end:%d %b}", step.why) for step in told.steps}


@pytest.mark.parametrize(
    ("text", "effort"),
    [
        ("4 hours", (0.5, 0.5, 0.5)),
        ("4h", (0.5, 0.5, 0.5)),
        ("90 min", (0.1875, 0.1875, 0.1875)),
        ("2-3 days", (2, 2.5, 3)),
        ("1-2-4d", (1, 2, 4)),
        ("4 h (2–6)", (0.25, 0.5, 0.75)),
        ("1w 2d", (7, 7, 7)),
        ("3 days (2–5)", (2, 3, 5)),
        ("3 more days", None),
        ("as long as it takes", None),
    ],
)
def test_a_field_takes_what_a_command_takes(text: str, effort: tuple[float, float, float] | None) -> None:
    read = FIELDS[Step]["Effort"].read
    assert read(text) == (effort and (Effort(*effort), False))
    assert read(f"{text} each") == (effort and (Effort(*effort), True))


def test_other_fields_take_what_a_command_takes() -> None:
    fields = FIELDS[Step]
    assert fields["Left"].read("4 hours") == 0.5
    assert fields["Duration"].read("2 weeks") == (14, True)
    assert fields["Wait"].read("2 weeks") == (14, False, False)
    assert fields["Deadline"].read("week 6 of 2027") == "2027-02-14"
    assert fields["On"].read("3 May 2027") == "2027-05-03"
    assert fields["On"].read("3 May") == "3 May"  # of which year depends on the day
    assert FIELDS[Constraint]["Day"].read("2027-W06") == ("2027-02-08", "2027-02-14")


KARL = "\n## People\n\n- P1 · Karl\n  - Hours: 40 a week\n"


@pytest.mark.parametrize(
    ("says", "ends", "follows"),
    [
        ("Effort: 8 days\n  - Status: under-way · Started: 2026-11-23 · Left: 4 days", "03 Dec", "04 Dec"),
        ("Effort: 8 days\n  - Status: under-way · Started: 2026-11-23 · Progress: 4 of 8", "03 Dec", "04 Dec"),
        ("Effort: 8 days\n  - Status: under-way · Started: 2026-11-09", "30 Nov", "01 Dec"),
        ("Effort: 8 days\n  - Status: under-way · Started: 2026-11-26", "07 Dec", "08 Dec"),
        ("Effort: 8 days\n  - Status: waiting · Started: 2026-11-23 · Left: 4 days", "03 Dec", "04 Dec"),
    ],
)
@pytest.mark.parametrize("is_given", [False, True])
def test_what_is_left_of_imported_work_is_done_from_today_on(
    says: str, ends: str, follows: str, is_given: bool
) -> None:
    given = "- S9 · Fair\n  - Start: 2027-05-05 · End: 2027-05-05\n" if is_given else ""
    lower = f"- S4 · Lower\n  - Owner: Karl · {says}\n"
    upper = "- S5 · Upper\n  - Owner: Karl · Effort: 6 days\n  - Needs: S4\n"
    plan = dated(f"## Steps\n\n{lower}{upper}{given}{KARL}")
    told = when(figures(plan))
    assert (told["S4"][1], told["S4"][2]) == (ends, "it began then")
    assert (told["S5"][0], told["S5"][2]) == (follows, "after S4")
    upper_step = replace(plan.steps[1], effort=Effort(7, 7, 7))
    longer = rescheduled(plan, with_steps(plan, {"S5": upper_step}), today=TODAY).plan
    assert when(figures(longer))["S4"] == told["S4"]  # a change of another step says nothing about it
    assert when(figures(longer))["S5"][0] == follows


def test_a_closed_place_is_why_a_step_begins_after_it() -> None:
    plan = dated(
        "## Steps\n\n- S2 · Buy\n  - Owner: Luc · Effort: 1 day\n"
        "- S1 · Paint\n  - Owner: Luc · Effort: 1 day\n  - Not before: 2027-05-04\n  - Place: L1\n"
        "\n## People\n\n- P1 · Luc\n\n## Places\n\n- L1 · Barn\n  - Weekdays: Fri, Sat, Sun\n"
    )
    assert when(figures(plan))["S1"][2] == "not before 4 May; Barn is closed until 6 May"


def test_who_is_busy_is_who_does_the_other_step() -> None:
    plan = dated(
        "## Steps\n\n- S1 · Write\n  - Owner: Ben · Effort: 3 days · Deadline: 2026-12-02\n"
        "- S2 · Meet\n  - Owner: Ann · Also: Ben · Effort: 1 day · Mode: together\n"
        "\n## People\n\n- P1 · Ann\n- P2 · Ben\n"
    )
    assert when(figures(plan))["S2"] == ("03 Dec", "03 Dec", "Ben is busy with S1")


KNOT = (
    "## Constraints\n\n- K1 · Grant\n  - Limits: date · Day: 2027-06-30 · Sets: deadline\n\n## Steps\n\n"
    "- S1 · Write\n  - Effort: 1 day\n- S2 · Sample\n  - Effort: 1 day\n  - Needs: S1, S4\n"
    "- S3 · Treat\n  - Effort: 1 day\n  - Needs: S2\n- S4 · Count\n  - Effort: 1 day\n  - Needs: S3\n"
)


def test_with_a_circle_no_date_is_called_sound() -> None:
    plan = dated(KNOT)
    told = with_forecast(plan)
    why = "The dates are not sound: they leave out that S2 needs S4, as these wait for one another."
    assert (told.unsound, told.forecast, told.slack_days, told.critical_path) == (why, None, None, ())
    assert headline(told) == "the dates are not sound"
    assert when(told)["S2"][2] == "after S1; S4 left out, which waits for it"
    assert {(step.slack, step.critical) for step in told.steps} == {(None, False)}
    assert schedule_told(plan) == why
    page = hand_out(state_with(plan))
    assert f"- {why.replace('S2', 'step 2').replace('S4', 'step 4')}" in page
    assert "Ready on" not in page
    assert "149 working days before the deadline" in headline(with_forecast(dated(KNOT.replace("S1, S4", "S1"))))


def test_days_off_are_those_within_the_plan() -> None:
    plan = dated(
        "## Steps\n\n- S1 · A\n  - Effort: 1 day\n  - Not before: 2027-04-30\n"
        "- S2 · B\n  - Effort: 1 day\n  - Needs: S1\n"
        "\n## Calendar\n\n- H1 · Labour Day\n  - Again: yearly from 2027-05-01\n- H2 · Fair\n  - Days: 2027-06-01\n"
    )
    told = figures(plan).calendar
    assert [off.days for off in told.days_off] == [1, 0]
    assert calendar_text(told) == "Labour Day: 1 day off."


def test_what_is_minor_and_calculated_is_told_in_a_line() -> None:
    days = ((1, "2027-02-01"), (2, "2027-02-02"), (3, "2027-02-03"))
    steps = "".join(f"- S{n} · Row\n  - Owner: Anna · Effort: 1 day\n  - On: {day}\n" for n, day in days)
    plan = dated(f"## Steps\n\n{steps}{KARL.replace('Karl', 'Anna').replace('40', '16')}")
    findings = [*filter(is_conflict, check_plan(plan, today=TODAY))]
    said = "Anna has 24 hours of work in the week from 2027-02-01, and 16 hours for it: S1, S2 and S3."
    assert minor_in_short(findings) == f"Minor: {said}"
    assert minor_in_short([replace(one, disputed="It is not.") for one in findings]) == ""
    [busy] = [one for one in findings if one.text == said]
    others = [replace(busy, item=f"P{number}") for number in (1, 2, 3)]
    assert minor_in_short([*findings, *others]) == f"Minor: {said} Likewise P2 and P3."
    kinds = [replace(busy, rule=f"people.{number}") for number in range(8)]
    assert minor_in_short(kinds) == f"Minor: {' '.join([said] * 6)} And 2 more."
    imported = import_plan(to_markdown(plan), today=TODAY)
    assert Preview.from_imported(imported, TODAY).conflicts == (said,)
    page = hand_out(replace(state_with(plan), findings=findings))
    assert "- Minor: Anna has 24 hours" in page.partition("## Not settled")[2]
    assert "has no check" not in page


def test_what_is_under_way_can_slip_as_long_as_what_waits_for_it() -> None:
    plan = dated(
        "## Steps\n\n- S1 · Begun\n  - Owner: Karl · Effort: 8 days\n"
        "  - Status: under-way · Started: 2026-11-23 · Left: 4 days\n"
        "- S2 · Next\n  - Owner: Karl · Effort: 1 day\n  - Needs: S1\n"
        f"- S3 · Fair\n  - Owner: Karl · Effort: 1 day\n  - On: 2026-12-18\n{KARL}"
    )
    assert [(step.end and f"{step.end:%d %b}", step.slack) for step in figures(plan).steps] == [
        ("03 Dec", 9),
        ("04 Dec", 9),
        ("18 Dec", None),
    ]


def test_backward_a_step_is_in_time_for_what_its_owner_does_next() -> None:
    plan = dated(
        "## Constraints\n\n- K1 · Fair\n  - Limits: date · Day: 2026-12-18 · Sets: deadline\n\n## Steps\n\n"
        "- S1 · Write\n  - Owner: Karl · Effort: 1 day\n- S2 · Paint\n  - Owner: Karl · Effort: 2 days\n"
        f"- S3 · Print\n  - Effort: 1 day\n  - Needs: S1\n{KARL}"
        "\n## Calendar\n\n- W1 · Mon to Fri\n  - Schedule: backward\n"
    )
    told = when(figures(plan))
    assert told["S2"] == ("17 Dec", "18 Dec", "just in time for the deadline")
    assert told["S1"] == ("16 Dec", "16 Dec", "just in time for S2")


def test_a_column_of_needs_has_lags() -> None:
    table = (
        'id,title,effort,needs\n1,Dig,2d,\n2,Plant,1d,1 + 3 days\n3,Water,4h,"2 + 1 week, 1"\n'
        "4,Look,4h,2 lag 2d\n5,Mow,1d,3FS+2d\n6,Rest,1d,1 + 2\n7,Sow,1d,3SS+2d\n"
    )
    steps = {step.id: step for step in import_plan(table, today=TODAY).plan.steps}
    assert {name: step.lags for name, step in steps.items() if step.lags} == {
        "S2": (Lag("S1", 3),),
        "S3": (Lag("S2", 5),),
        "S4": (Lag("S2", 2),),
        "S5": (Lag("S3", 2),),
    }
    assert [steps[name].needs for name in ("S3", "S6", "S7")] == [("S2", "S1"), ("S1", "S2"), ("S3",)]
    table = as_csv(dated("## Steps\n\n- S1 · A\n- S2 · B\n- S3 · C\n  - Needs: S1 + 2 calendar days, S2\n"))
    assert import_plan(table, today=TODAY).plan.steps[2].lags == (Lag("S1", 2, elapsed=True),)
    assert FIELDS[Step]["Needs"].read("S4 + 1 week, S2") == (("S4", "S2"), (Lag("S4", 5),))


WEEK = "\n## Calendar\n\n- P1 · Ida\n  - Hours: {hours}\n- W1 · Week\n  - Weekdays: Mon, Tue, Wed, Thu, Fri\n"


def _hours(second: str) -> str:
    step = "- S{} · Call\n  - Owner: Ida\n  - On: 2027-02-01 · Hours: {}\n"
    return f"## Steps\n\n{step.format(1, '09:00-10:00')}{step.format(2, second)}{WEEK.format(hours=40)}"


def _duration(likely: float) -> str:
    step = f"- S1 · Cable\n  - Owner: Ida · Effort: {likely} days · Duration: 5 days\n"
    return f"## Steps\n\n{step}{WEEK.format(hours=40)}"


def _cost(amount: int) -> str:
    step = f"- S1 · Buy\n  - Owner: Ida · Effort: 1 day\n  - Cost: {amount} EUR\n"
    return f"## Steps\n\n{step}\n## Constraints\n\n- K1 · Budget\n  - Limits: amount · At most: 1000 EUR\n"


def _week(hours: float) -> str:
    steps = "".join(f"- S{n} · Row\n  - Owner: Ida · Effort: 1 day\n  - On: 2027-02-0{n}\n" for n in (1, 2, 3))
    return f"## Steps\n\n{steps}{WEEK.format(hours=hours)}"


@pytest.mark.parametrize(
    ("slight", "matters", "rule"),
    [
        (_hours("09:50-11:00"), _hours("09:40-11:00"), "people.busy"),
        (_hours("09:30-09:40"), _hours("09:30-09:50"), "people.busy"),
        (_duration(5.2), _duration(5.5), "dates.duration"),
        (_cost(1002), _cost(1003), "money.limit"),
        (_week(23.2), _week(22.5), "people.load"),
    ],
)
def test_what_nobody_would_act_on_is_no_finding(slight: str, matters: str, rule: str) -> None:
    assert [rule in [name for name, *_ in found(dated(text))] for text in (slight, matters)] == [False, True]
