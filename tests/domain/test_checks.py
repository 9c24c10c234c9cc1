"""Each rule by itself, on plans of one or two items."""

from __future__ import annotations

import re
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.domain.sound_plans import TODAY, names, sound
from tests.pace import took
from tests.properties.plans import plans
from workbench.domain.loop.tasks import Feedback, Finding, Handled
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.checks.days import deadlines, with_iso_dates
from workbench.domain.plan.checks.duplicates import same
from workbench.domain.plan.plan import (
    Bullet,
    Constraint,
    Criterion,
    Decision,
    Effort,
    Item,
    Origin,
    Plan,
    Question,
    Risk,
    Section,
    Step,
)
from workbench.domain.text.words import stems

CRITERION = Criterion(id="C1", text="Readers find it", measure="survey", target="8 of 10", due="2027-06-30")
STEP = Step(
    id="S1", title="Write", outcome="text", check="Ann has read it", owner="Bo", effort=Effort(low=1, likely=2, high=3)
)


def check(*items: Item, goal: str = "", **given_: object) -> list[Finding]:
    sections = (Section(id="goal", title="Goal", text=goal), Section(id="all", title="All", items=items))
    return list(check_plan(Plan(title="", sections=sections), today=TODAY, **given_))


def rules(*items: Item, goal: str = "", **given_: object) -> list[str]:
    return [finding.rule for finding in check(CRITERION, STEP, *items, goal=goal, **given_)]


def step(step_id: str = "S2", title: str = "Print", **values: object) -> Step:
    fields = {"outcome": "paper", "check": "Ann has seen it", "owner": "Bo", "effort": Effort(low=1, likely=2, high=3)}
    return Step(id=step_id, title=title, **{**fields, **values})


def test_the_smallest_sound_plan_has_no_finding():
    assert check(CRITERION, STEP) == []


def test_an_empty_plan_lacks_criteria_and_steps():
    assert [finding.rule for finding in check()] == ["criteria.none", "steps.none"]


@pytest.mark.parametrize(
    ("item", "rule"),
    [
        (Criterion(id="C2", text="Fast", target="1 s"), "criteria.measure"),
        (Criterion(id="C2", text="Fast", measure="clock"), "criteria.target"),
        (Criterion(id="C2", text="Liked", measure="survey", target="as good as possible"), "criteria.vague"),
        (Criterion(id="C2", text="Liked", measure="survey", target="9 of 10", due="2026-11-22"), "criteria.past"),
        (Criterion(id="C2", text="Liked", measure="survey", target="9 of 10", due="30 June"), "dates.format"),
        (step(outcome=""), "steps.outcome"),
        (step(check="done"), "steps.check"),
        (step(check="PRINT"), "steps.check"),
        (step(owner=" "), "steps.owner"),
        (step(effort=None), "steps.effort"),
        (step(effort=Effort(low=3, likely=2, high=4)), "steps.effort-order"),
        (step(effort=Effort(low=0, likely=0, high=0)), "steps.effort-order"),
        (step(effort=Effort(low=1, likely=float("nan"), high=2)), "steps.effort-order"),
        (step(needs=("S9",)), "steps.needs"),
        (step(needs=("S2",)), "steps.cycle"),
        (step(answers=("K9",)), "answers.unknown"),
        (step(start="2026-12-02", end="2026-12-01"), "dates.order"),
        (step(start="2026-12-01", end="2026-12-02", effort=Effort(low=5, likely=6, high=7)), "dates.effort"),
        (step(end="2027-07-01"), "dates.deadline"),
        (step(answers=("C1",), end="2027-07-01"), "dates.deadline"),
        (step(start="soon"), "dates.format"),
        (step("S1"), "ids.twice"),
        (step("S2", "Write"), "twice"),
        (Constraint(id="K1", text="No ink is wasted"), "constraints.unanswered"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_defect_is_named_with_its_place_and_a_remedy(item, rule):
    findings = check(CRITERION, STEP, item)
    assert rule in {finding.rule for finding in findings}
    for finding in findings:
        assert (finding.section, finding.item) == ("all", item.id)
        assert finding.text.endswith(".")
        assert finding.remedy.endswith(".")


def test_dependencies_have_an_order_in_time():
    first, second = step("S2", end="2026-12-10"), step("S3", "Bind", needs=("S2",), start="2026-12-10")
    assert rules(first, second) == ["dates.needs"]
    later = step("S3", "Bind", needs=("S2",), start="2026-12-11")
    assert rules(first, later) == []


def test_a_plan_without_dates_must_be_possible_from_today():
    late = step(effort=Effort(low=200, likely=220, high=240))
    findings = check(CRITERION, STEP, late)
    assert [(finding.rule, finding.item) for finding in findings] == [("dates.deadline", "S2")]
    assert rules(step(needs=("S2",), effort=late.effort)) == ["steps.cycle"]


def test_a_deadline_of_the_whole_binds_every_step_but_those_with_a_later_date_of_their_own():
    limit = Constraint(id="K1", text="Finished by 31 March 2027")
    after = Criterion(id="C2", text="Sold", measure="shop", target="100 copies", due="2027-05-31")
    assert rules(limit, after, step(end="2027-04-30", answers=("K1",))) == ["dates.deadline"]
    assert rules(limit, after, step(end="2027-04-30")) == ["dates.deadline", "constraints.unanswered"]
    assert "dates.deadline" not in rules(limit, after, step(end="2027-04-30", answers=("C2",)))


def test_a_constraint_is_answered_by_its_id_or_in_its_words():
    paper = Constraint(id="K1", text="Only recycled paper is used")
    assert rules(paper) == ["constraints.unanswered"]
    assert rules(paper, step(answers=("K1",))) == []
    assert rules(paper, step(outcome="two boxes of recycled paper")) == []
    assert rules(paper, Decision(id="D1", text="Buy recycled paper")) == []
    assert (
        rules(
            paper, Risk(id="R1", text="Shops run out", sign="two shops say so", response="order recycled paper early")
        )
        == []
    )
    assert rules(paper, Question(id="Q1", text="Is recycled paper dear?")) == ["constraints.unanswered"]


def test_a_deadline_is_answered_by_dates_that_keep_it():
    limit = Constraint(id="K1", text="Finished by 31 August 2027")
    assert rules(limit) == []
    early = Constraint(id="K1", text="Finished by 31 March 2027")
    assert rules(early) == ["constraints.unanswered"]
    assert [finding.rule for finding in check(CRITERION, step(end="2027-03-30"), early)] == []


def test_a_told_constraint_is_listed_or_answered():
    told = ("Only recycled paper is used",)
    assert rules(constraints=told) == ["constraints.missing"]
    assert rules(step(outcome="two boxes of recycled paper"), constraints=told) == []
    listed = Constraint(id="K1", text="only recycled paper is used.")
    assert rules(listed, step(answers=("K1",)), constraints=told) == []


def test_feedback_is_handled_or_named():
    said = (Feedback(id="F1", text="Add an index"),)
    assert rules(feedback=said) == ["feedback.unanswered"]
    assert rules(feedback=said, handled=(Handled(feedback="F1", kind="add"),)) == ["feedback.unanswered"]
    assert rules(feedback=said, handled=(Handled(feedback="F1", kind="add", sections=("all",)),)) == []
    assert rules(feedback=said, handled=(Handled(feedback="F1", kind="question"),)) == []
    assert rules(step("S2", "Add an index", answers=("F1",)), feedback=said) == []
    assert rules(step(answers=("F1",))) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Book the barn", "Booking the barn."),
        ("Train the staff", "train all of the staff"),
        ("Write the report", "Draft a report"),
        ("Choose three caterers and taste", "Taste, and choose three caterers"),
    ],
)
def test_the_same_in_other_words_is_the_same(one, other):
    assert same(one, other)
    assert same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Test in the EU", "Test in the US"),
        ("Test server A", "Test server B"),
        ("Pack wave 1", "Pack wave 2"),
        ("Copy from old to new disks", "Copy from new to old disks"),
        ("Plan the test", "Test the plan"),
        ("Train the nurses", "Train the nurses at night"),
        ("Ask Anna Berger", "Ask Anne Berger"),
        ("", ""),
        ("the", "a"),
    ],
)
def test_what_differs_in_a_telling_word_is_two_things(one, other):
    assert not same(one, other)
    assert not same(other, one)


@pytest.mark.parametrize(
    "items",
    [
        (Constraint(id="K1", text="No printing"), step("S2", "Print a hundred copies", answers=("K1",))),
        (Bullet(id="B1", text="Hardcover edition", priority="won't"), step("S2", "Order the hardcover edition")),
        (Decision(id="D1", text="Lulu instead of a local printer"), Decision(id="D2", text="Use the local printer")),
        (
            Constraint(id="K1", text="Costs of at most 900 EUR"),
            step("S2", "Buy paper", outcome="paper for at most 1,200 EUR", answers=("K1",)),
        ),
        (Bullet(id="B1", text="An index", priority="must"), Bullet(id="B2", text="The index", priority="won't")),
        (Decision(id="D1", text="Budget: 900 €"), Decision(id="D2", text="The budget is €1k")),
        (
            Constraint(id="K1", text="Printed by 1 May 2027"),
            Constraint(id="K2", text="Printed by 1 June 2027"),
            step(answers=("K1", "K2")),
        ),
    ],
)
def test_contradictions_are_found(items):
    assert any(rule.startswith("contradiction.") for rule in rules(*items))


def test_the_goal_rules_out_too():
    assert rules(step("S2", "Print leaflets"), goal="Tell everybody without leaflets.") == ["contradiction.excluded"]
    assert rules(step("S2", "Print posters"), goal="Tell everybody without leaflets.") == []


def test_a_goal_with_two_dates_contradicts_neither():
    goal = "Print a trial by 1 March 2027 and have all of it done by 30 June 2027."
    trial, whole = Constraint(id="K1", text="Trial by 1 March 2027"), Constraint(id="K2", text="By 30 June 2027")
    made = step("S2", "Print a trial", end="2027-02-26", answers=("K1", "K2"))
    assert rules(trial, whole, made, goal=goal) == []
    assert rules(Constraint(id="K1", text="By 31 July 2027"), step(answers=("K1",)), goal=goal) == [
        "contradiction.deadline"
    ]


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("by 30 June 2027", "by 2027-06-30"),
        ("by June 30, 2027", "by 2027-06-30"),
        ("on the 1st of March", "on the 2027-03-01"),
        ("24 December", "2026-12-24"),
        ("30.06.2027", "2027-06-30"),
        ("31 April 2027", "31 April 2027"),
        ("30 February", "30 February"),
        ("May 2027", "May 2027"),
        ("version 3.11", "version 3.11"),
    ],
)
def test_dates_are_read_as_people_write_them(text, iso):
    assert with_iso_dates(text, TODAY) == iso


@pytest.mark.parametrize("before", ["by", "before", "until the", "no later than", "due on", "deadline:", "by Friday,"])
def test_deadlines_are_told_from_other_dates(before):
    assert deadlines(f"Ready {before} 30 April 2027, begun on 1 March 2027", TODAY) == (date(2027, 4, 30),)


@pytest.mark.parametrize(
    "text",
    [
        "The work must not start before 1 March 2027",
        "No sale before 1 March 2027",
        "They can't come until 1 March 2027",
        "on 1 March 2027",
        "from 1 March 2027",
        "by 31 April 2027",
    ],
)
def test_a_beginning_or_any_other_date_is_no_deadline(text):
    assert deadlines(text, TODAY) == ()


def test_words_meet_in_their_stems():
    assert stems("Booking the barns") == stems("reserve a barn")
    assert stems("certified") == stems("certification")
    assert stems("US or us") == ("US",)
    assert stems("10,000 and 10.000 and 1.5") == ("10000", "10000", "1.5")


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(plans(min_sections=0))
def test_any_plan_is_checked_the_same_way_twice(plan):
    told = ("by 30 June 2027", "without downtime", "")
    found = check_plan(plan, today=TODAY, constraints=told)
    assert found == check_plan(plan, today=TODAY, constraints=told)
    sections = {section.id for section in plan.sections} | {None}
    assert all(finding.section in sections and finding.text and finding.remedy for finding in found)


def test_a_plan_of_a_hundred_steps_is_checked_in_half_a_second():
    parts = [sound(name).plan for name in names()]
    sections = [
        Section(id=f"{n}-{section.id}", title=section.title, text=section.text, items=section.items)
        for n, plan in enumerate(parts)
        for section in plan.sections
    ]
    plan = Plan(title="All", sections=tuple(sections))
    assert len(plan.steps) > 100
    assert took(lambda: check_plan(plan, today=TODAY), within=0.5) < 0.5


_WORDS = ["report", "repotr", "client", "clinet", "region", "invoice", "send", "to", "from"]
_WORDINGS = st.lists(st.sampled_from(_WORDS), max_size=6)


@given(st.lists(_WORDINGS.map(" ".join), max_size=8))
def test_what_stands_twice_is_found_as_by_comparing_all_with_all(texts):
    items = [Bullet(id=f"B{n}", text=text) for n, text in enumerate(texts)]
    found = [(one.item, re.search(r"(B\d+) says\.$", one.text)[1]) for one in check(*items) if one.rule == "twice"]
    expected = []
    for at, item in enumerate(items):
        first = next((other for other in items[:at] if same(other.text, item.text)), None)
        expected += [(item.id, first.id)] if first else []
    assert found == expected


@pytest.mark.full
def test_a_plan_of_the_most_steps_is_checked_while_a_person_waits():
    """The event loop waits too: it took 1.5 s at 900 steps, and grew with their square."""
    steps = [
        step(f"S{n}", f"Prepare report {n} for client {n * 7 % 1000} in region {n % 50}", outcome=f"report {n}")
        for n in range(1000)
    ]
    assert check(CRITERION, *steps)
    assert took(lambda: check(CRITERION, *steps), within=1.5) < 1.5


def test_only_the_persons_own_words_may_lack_an_outcome():
    bare = Step(id="S1", title="Paint the hall", owner="Ben", origin=Origin("answer", "G3"))
    lacking = [one.severity for one in check(bare, told=("paint the hall",)) if one.rule == "steps.outcome"]
    assert lacking == ["minor"]
    assert [one.severity for one in check(bare) if one.rule == "steps.outcome"] == ["major"]
