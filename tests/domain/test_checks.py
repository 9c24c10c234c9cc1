"""The checks: each rule on one sound plan, a change that makes it unsound, and one that only looks so."""

# ruff: noqa: E501 - these are tables, read by the row

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from msgspec.structs import replace
from tests.domain.sound_plans import names, sound
from tests.pace import took
from tests.properties.plans import plans
from workbench.domain.plan.changing.operations import applied
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.checks.case import Case
from workbench.domain.plan.figures import figures
from workbench.domain.plan.markdown import from_markdown
from workbench.domain.plan.plan import Criterion, Effort, Origin, Person, Plan, Section, Step
from workbench.domain.plan.repairs import repairs_of
from workbench.domain.plan.scheduling.rescheduling import replanned
from workbench.domain.plan.scheduling.schedule import with_dates
from workbench.domain.plan.telling.figures_told import work_of

TODAY = date(2026, 11, 23)
SOUND = (Path(__file__).parent / "office.md").read_text(encoding="utf-8")


def checked(*changes: tuple[str, str]):
    text = SOUND
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return check_plan(from_markdown(text, Plan(title="")), today=TODAY)


def findings(*changes: tuple[str, str]) -> set[tuple[str, str | None, str]]:
    return {(one.rule, one.item, one.severity) for one in checked(*changes)}


def after(step: str, line: str) -> tuple[str, str]:
    """Put a line under the title of a step."""
    title = next(one for one in SOUND.splitlines() if one.startswith(f"- {step} · "))
    return title + "\n", f"{title}\n  - {line}\n"


def step(text: str, *lines: str) -> tuple[str, str]:
    """Add a step at the end."""
    fields = "".join(f"\n  - {line}" for line in lines)
    return "## Risks\n", f"- {text}{fields}\n## Risks\n"


USUAL = ("Outcome: a page", "Check: the treasurer has read it aloud")
BY_BEN = "Owner: Ben Okoro · Effort: 1 day (1–1) · "
S9 = "On: 2027-05-03 · Start: 2027-05-03 · End: 2027-05-03"


def on(day: str) -> tuple[str, str]:
    return S9, S9.replace("2027-05-03", day)


def test_the_plan_is_sound() -> None:
    assert findings() == set()


BY_OTHERS = sorted(
    (Path(__file__).parent / "plans_by_others").glob("*.md"), key=lambda path: (len(path.stem), path.stem)
)


@pytest.mark.cases(24)
@pytest.mark.parametrize("path", BY_OTHERS, ids=lambda path: path.stem)
def test_plans_by_others_have_no_major_finding(path: Path) -> None:
    plan = from_markdown(path.read_text(encoding="utf-8"), Plan(title=""))
    is_later = int(path.stem.partition("-")[2]) > 40
    found = check_plan(plan, today=date(2027, 1, 4) if is_later else TODAY)
    assert plan.steps
    assert [one.text for one in found if one.severity == "major"] == []


@pytest.mark.parametrize("name", names())
def test_sound_plans_have_no_finding(name: str) -> None:
    assert check_plan(sound(name).plan, today=TODAY) == ()


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        # ids, needs and fields
        ([("Needs: S8 · Answers: K3", "Needs: S88 · Answers: K3")], ("steps.needs", "S9", "major")),
        ([("Needs: S1 · Answers: K1", "Needs: S9 · Answers: K1")], ("steps.cycle", "S9", "major")),
        ([("Needs: S8 · Answers: K3", "Needs: S8 · Answers: K33")], ("answers.unknown", "S9", "minor")),
        ([("Answers: C2, K2", "Answers: C22, K2")], ("answers.unknown", "S7", "minor")),
        ([after("S9", "Part of: S99")], ("steps.parent", "S9", "major")),
        ([("Measure: share of bookings made online, from the booking log of June\n", "Measure:\n")], ("criteria.measure", "C1", "minor")),
        ([("Target: at least 60 %", "Target:")], ("criteria.target", "C1", "minor")),
        # dates against calendar, window and order
        ([("Start: 2027-04-06 · End: 2027-04-07", "Start: 2027-04-05 · End: 2027-04-07")], ("dates.day-off", "S7", "minor")),
        ([("Start: 2027-02-08 · End: 2027-02-17", "Start: 2027-03-26 · End: 2027-04-07")], ("dates.day-off", "S4", "minor")),
        ([("Start: 2027-04-12 · End: 2027-04-15", "Start: 2027-03-15 · End: 2027-03-18")], ("dates.day-off", "S8", "major")),
        ([on("2027-05-04"), ("Role: IT · Hours: 40 a week · Weekdays: Mon, Tue, Wed, Thu, Fri", "Role: IT · Hours: 40 a week · Weekdays: Mon, Tue, Wed, Thu, Fri\n  - Away: 2027-05-04")], ("dates.day-off", "S9", "major")),
        ([on("2027-05-08")], ("dates.day-off", "S9", "minor")),
        ([on("2027-03-29"), ("Start: 2027-04-06 · End: 2027-04-07", "Start: 2027-03-16 · End: 2027-03-17"), ("Start: 2027-04-12 · End: 2027-04-15", "Start: 2027-03-22 · End: 2027-03-25")], ("dates.day-off", "S9", "minor")),
        ([("Start: 2027-02-08 · End: 2027-02-17", "Start: 2027-02-08 · End: 2027-02-11")], ("dates.effort", "S4", "major")),
        # further owners
        ([("Owner: Ben Okoro · Effort: 1 day (1–2) · Start: 2027-02-22 · End: 2027-02-23", "Owner: Ben Okoro · Also: Clara Stein · Effort: 1 day (1–2) · Start: 2027-02-25 · End: 2027-02-25")], ("dates.day-off", "S5", "major")),
        ([("Owner: Ben Okoro · Effort: 1 day (1–1) · Start: 2027-06-01", "Owner: Ben Okoro · Also: Anna Webre · Effort: 1 day (1–1) · Start: 2027-06-01")], ("people.unknown", "S10", "major")),
        ([("Owner: Ben Okoro · Effort: 8 days (6–10) · Start: 2027-02-08", "Owner: Ben Okoro · Also: Clara Stein · Effort: 8 days (6–10) each · Start: 2027-02-08")], ("dates.effort", "S4", "major")),
        ([("Role: trainer · Hours: 16", "Role: trainer · Hours: 0"), ("Owner: Clara Stein", "Owner: Ben Okoro · Also: Clara Stein")], ("people.hours", "P3", "major")),
        ([("Start: 2027-01-20 · End: 2027-02-03", "Start: 2027-01-20 · End: 2027-01-29")], ("dates.effort", "S3", "major")),
        ([("Start: 2027-02-08 · End: 2027-02-17", "Start: 2027-02-08 · End: 2027-02-16")], ("dates.effort", "S4", "minor")),
        ([("Needs: S8 · Answers: K3", "Needs: S8 + 30 calendar days · Answers: K3")], ("dates.lag", "S9", "major")),
        ([("Needs: S8 · Answers: K3", "Needs: S8 + 15 days · Answers: K3")], ("dates.lag", "S9", "major")),
        ([after("S9", "Deadline: 2027-05-01")], ("dates.window", "S9", "major")),
        ([after("S9", "Not before: 2027-05-04")], ("dates.window", "S9", "major")),
        ([after("S4", "Not before: 2027-03-01 · Deadline: 2027-02-20")], ("dates.window", "S4", "major")),
        ([after("S4", "Not before: 2027-02-10")], ("dates.not-before", "S4", "major")),
        ([after("S4", "Deadline: 2027-02-16")], ("dates.deadline", "S4", "major")),
        ([("Start: 2027-01-11 · End: 2027-01-14", "Start: 2026-11-10 · End: 2026-11-17")], ("dates.past", "S1", "major")),
        ([("Start: 2027-01-11 · End: 2027-01-14", "Start: 2026-11-10 · End: 2027-01-14")], ("dates.past", "S1", "minor")),
        ([("Start: 2027-02-22 · End: 2027-02-23", "Start: 2027-01-25 · End: 2027-01-26")], ("dates.needs", "S5", "major")),
        ([("Due: 2027-05-28", "Due: 2026-05-28")], ("criteria.past", "C2", "major")),
        # people and money
        ([("- S8 · Acceptance test of the booking system\n  - Outcome: signed acceptance record\n  - Check: none of 30 cases failed\n  - Owner: Anna Weber", "- S8 · Acceptance test of the booking system\n  - Outcome: signed acceptance record\n  - Check: none of 30 cases failed\n  - Owner: Anna Webre")], ("people.unknown", "S8", "major")),
        ([("Owner: Clara Stein", "Owner: Dora Lang")], ("people.unknown", "S7", "minor")),
        ([("Start: 2027-02-22 · End: 2027-02-23", "Start: 2027-02-15 · End: 2027-02-16")], ("people.busy", "S4", "major")),
        ([("Role: trainer · Hours: 16", "Role: trainer · Hours: 0")], ("people.hours", "P3", "major")),
        ([("Cost: 3000 EUR", "Cost: 13000 EUR")], ("money.limit", "K1", "major")),
        ([("Cost: 900 EUR", "Cost: 900 CHF")], ("money.currency", "S7", "minor")),
        # progress
        ([("Needs: S10 · Answers: C1, K1", "Needs: S10, S12 · Answers: C1, K1"), step("S12 · Write the newsletter", *USUAL, "Status: dropped")], ("status.dropped", "S11", "major")),
        ([after("S1", "Status: done")], ("status.finish", "S1", "minor")),
        ([after("S2", "Status: done · Started: 2026-11-02 · Finished: 2026-11-06")], ("status.needs", "S2", "major")),
        ([after("S1", "Status: done · Started: 2026-11-02 · Finished: 2026-12-06")], ("status.future", "S1", "major")),
        ([after("S1", "Status: under-way")], ("status.start", "S1", "minor")),
        ([after("S1", "Status: under-way · Started: 2026-11-02 · Left: 9 days")], ("status.left", "S1", "minor")),
        ([after("S1", "Progress: 3 of 5")], ("status.progress", "S1", "minor")),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) else "",
)  # fmt: skip
def test_a_fault_is_named(changes: list[tuple[str, str]], named: tuple[str, str, str]) -> None:
    assert named in findings(*changes)


@pytest.mark.parametrize(
    "changes",
    [
        [("Start: 2027-02-22 · End: 2027-02-23", "Start: 2027-03-25 · End: 2027-03-30")],  # Easter within
        [("Start: 2027-02-22 · End: 2027-03-15", "Start: 2027-02-22 · End: 2027-03-14")],  # waiting ends on a Sunday
        [on("2027-05-08"), after("S9", "Hours: 10:00-12:00")],  # people meet on a Saturday
        [after("S9", "Milestone: yes")],
        [("Needs: S8 · Answers: K3", "Needs: S8 + 18 calendar days · Answers: K3")],
        [("Owner: Clara Stein", "Owner: Clara")],
        [("Owner: Clara Stein", "Owner: Clara Stein and Ben Okoro")],
        [("Owner: Clara Stein", "Owner: trainer")],
        [("Start: 2027-02-22 · End: 2027-02-23", "Start: 2027-02-15 · End: 2027-02-23")],  # room for both
        [("Cost: 3000 EUR", "Cost: 7100 EUR")],  # just as much as there is
        # words alone are no check's business
        [("Answers: C2, K2", "Answers: C1, C2, K2"), ("Due: 2027-05-28", "Due: 2027-04-02")],
        [("K1 · No more than 20,000 EUR", "K1 · No more than 25,000 EUR")],
        [("within 20,000 EUR", "within 18,000 EUR")],
        [("K3 · No deployment on Fridays", "K3 · The booking page stays closed from 1 to 14 May 2027")],
        [after("S9", "Notes: opening on Tuesday, 3 May 2027; as in S14")],
        [("Check: five members book from home", "Check: everything works")],
        [("Sign: fewer than 100 online bookings by 20 May\n", "Sign: it happens\n")],
        # progress
        [after("S1", "Status: done · Started: 2026-11-02 · Finished: 2026-11-06")],
        [after("S1", "Status: under-way · Started: 2026-11-02 · Left: 2 days")],
        # it began on a Sunday before what it needs ended and its own day: that happened
        [("Start: 2027-01-11 · End: 2027-01-14", "On: 2026-11-30 · Start: 2026-11-22 · End: 2026-11-24 · Status: under-way · Started: 2026-11-22")],
        [step("S12 · Print the members' magazine", "Status: dropped")],
        [step("S12 · Print the members' magazine", "Needs: S8", "Status: dropped", "Start: 2026-11-30 · End: 2026-12-01 · Deadline: 2026-11-30")],
        [step("S12 · Rent more terminals", *USUAL, BY_BEN + "Start: 2027-06-08 · End: 2027-06-08")],
    ],
    ids=lambda changes: changes[0][1][:40].replace("\n", " "),
)  # fmt: skip
def test_what_only_looks_like_a_fault_is_none(changes: list[tuple[str, str]]) -> None:
    assert findings(*changes) == set()


def test_what_lacks_the_same_field_is_one_finding() -> None:
    bare = [Step(id=f"S{n}", title=f"Task {n}", outcome="a page", check="read aloud") for n in range(1, 44)]
    criterion = Criterion(id="C1", text="Read", measure="count", target="8")
    plan = Plan(title="", sections=(Section(id="steps", title="Steps", items=(criterion, *bare)),))
    found = [(one.rule, one.text) for one in check_plan(plan, today=TODAY)]
    named = f"{', '.join(f'S{n}' for n in range(1, 41))} and 3 more have no"
    assert found == [("steps.owner", f"{named} owner."), ("steps.effort", f"{named} effort.")]


@pytest.mark.parametrize(
    "effort",
    [Effort(low=3, likely=2, high=4), Effort(low=0, likely=0, high=0), Effort(low=1, likely=float("nan"), high=2)],
)
def test_an_estimate_goes_from_low_to_high(effort: Effort) -> None:
    one = Step(id="S1", title="Write", outcome="text", check="read", owner="Bo", effort=effort)
    plan = Plan(title="", sections=(Section(id="steps", title="Steps", items=(one,)),))
    assert "steps.effort-order" in {found.rule for found in check_plan(plan, today=TODAY)}


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(plans(min_sections=0))
def test_any_plan_is_checked_the_same_way_twice(plan: Plan) -> None:
    found = check_plan(plan, today=TODAY)
    assert found == check_plan(plan, today=TODAY)
    sections = {section.id for section in plan.sections} | {None}
    assert all(finding.section in sections and finding.text and finding.remedy for finding in found)


def test_a_large_plan_is_checked_while_a_person_waits() -> None:
    steps = tuple(
        Step(id=f"S{n}", title=f"Task {n}", owner=f"P{n % 50}", needs=(f"S{n - 7}",) if n > 7 else (), start="2027-03-01", end="2027-03-05", effort=Effort(low=1, likely=2, high=3))
        for n in range(1, 1_001)
    )  # fmt: skip
    plan = Plan(title="", sections=(Section(id="steps", title="Steps", items=steps),))
    assert check_plan(plan, today=TODAY)
    assert took(lambda: check_plan(plan, today=TODAY), within=1.0) < 1.0


def test_a_reference_that_nothing_answers_to_is_a_minor_finding():
    step = Step(id="S1", title="Sign before {S9.end}, at most {money.total}")
    plan = Plan(title="Fair", sections=(Section(id="steps", title="Steps", text="Until {plan.end}.", items=(step,)),))
    found = [one for one in check_plan(plan, today=date(2026, 3, 2)) if one.rule == "references.unknown"]
    assert [(one.severity, one.section, one.item) for one in found] == [
        ("minor", "steps", None),
        ("minor", "steps", "S1"),
    ]
    assert found[1].text == "S1 refers to {S9.end}, which the plan does not have."


def own(number: int, **fields) -> Step:
    return Step(id=f"S{number}", title="Row", effort=Effort(1, 1, 1), origin=Origin("person"), **fields)


def told(*steps: Step, people: tuple[Person, ...] = ()) -> list[tuple[str, str]]:
    criterion = Criterion(id="C1", text="Won", measure="cup", target="1")
    plan = Plan(title="Row", sections=(Section(id="all", title="All", items=(criterion, *people, *steps)),))
    return [(one.rule, one.text) for one in check_plan(plan, today=TODAY)]


def test_all_owners_who_are_not_among_the_people_are_one_finding() -> None:
    steps = own(1, owner="Hanne"), own(2, owner="Mats"), own(3, owner="Hanne"), own(4, owner="Ole")
    assert told(*steps) == []
    assert told(*steps, people=(Person(id="P1", text="Ole"),)) == []  # no more than names
    (found,) = told(*steps, people=(Person(id="P1", text="Ole", hours=20),))
    assert found == ("people.unknown", "“Hanne” (S1 and S3) and “Mats” (S2) are not among the people of the plan.")


FAIR = Person(id="P1", text="Ann", weekdays=(1, 2, 3, 4, 5))
SATURDAY = Step(
    id="S1", title="Fair", owner="Ann", effort=Effort(1, 1, 1), on="2027-05-08", outcome="a fair", check="seen"
)


def test_a_day_that_is_set_stays_on_a_free_weekday_and_is_offered_another() -> None:
    plan = with_dates(
        Plan(title="", sections=(Section(id="all", title="", items=(FAIR, SATURDAY)),)), start=TODAY, deadline=None
    )
    assert replanned(plan, TODAY).steps == plan.steps
    assert plan.steps[0].start == plan.steps[0].end == "2027-05-08"
    case = Case(plan, TODAY)
    found = [one for one in check_plan(plan, today=TODAY) if one.rule == "dates.day-off"]
    assert [one.text for one in found] == ["S1 (Sat 8 May 2027) is set on a day without work."]
    unsaid = replace(plan, sections=(replace(plan.sections[0], items=(replace(FAIR, weekdays=()), plan.steps[0])),))
    assert [one for one in check_plan(unsaid, today=TODAY) if one.rule == "dates.day-off"] == []
    moved, works = repairs_of(case, found)
    assert (moved.label, works.label) == ("move S1 to Mon 10 May 2027", "Ann works on Sat 8 May 2027")
    for repair in (moved, works):
        after = applied(plan, repair.operations)
        assert not [one for one in check_plan(after, today=TODAY) if one.rule.startswith("dates.")]
    assert applied(plan, works.operations).steps == plan.steps


def test_work_that_nobody_estimated_makes_no_overload() -> None:
    day = {"on": "2027-05-05", "start": "2027-05-05", "end": "2027-05-05"}
    bare = [own(n, owner="Ann", **day) for n in range(1, 7)]
    assert ("people.load", "P1") in overloads(*bare)
    assert overloads(*(replace(step, effort=None) for step in bare)) == []
    plan = Plan(
        title="", sections=(Section(id="all", title="", items=(FAIR, *bare[:1], replace(bare[1], effort=None))),)
    )
    (ann,) = figures(plan).people
    assert (ann.days, ann.assumed, work_of(ann)) == (1, 1, "1 + 1 assumed")
    assert ann.peak == (date(2027, 5, 3), 0.2)


def overloads(*steps: Step) -> list[tuple[str, str | None]]:
    plan = Plan(title="", sections=(Section(id="all", title="", items=(FAIR, *steps)),))
    return [(one.rule, one.item) for one in check_plan(plan, today=TODAY) if one.rule in ("people.load", "people.busy")]
