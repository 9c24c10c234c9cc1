"""References in prose: each says what the plan says, and what is unknown stays as it is."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import HealthCheck, given, settings
from msgspec.structs import replace
from tests.full_plan import PLAN
from tests.properties.plans import plans
from workbench.domain.plan.plan import Constraint, Criterion, Decision, Fund, Item, Money, Option, Plan, Section, Step
from workbench.domain.plan.references import filled, reference_value_lines, unknown_references, with_references
from workbench.domain.text.languages import ENGLISH, LANGUAGES

EVERY = (
    "{S6.start} to {S6.end}, slack {S6.slack}, cost {S6.cost}; C1 {C1.slack}; "
    "{money.total}, {money.left} left; ready {plan.ready}"
)


def plan_with(*items: Item, text: str = "") -> Plan:
    return Plan(title="Fair", sections=(Section(id="steps", title="Steps", text=text, items=items),))


def test_every_reference_of_the_list_has_the_value_of_the_plan() -> None:
    assert filled(EVERY, PLAN) == (
        "Mon 25 May to Tue 26 May, slack 0 working days, cost 11,000 EUR; C1 not known yet; "
        "12,300 EUR, 1,700 EUR left; ready Fri 29 May 2026"
    )


def test_the_slack_of_a_day_is_what_lies_between_it_and_the_plan() -> None:
    """A step that any delay of which moves the end has none itself, and the plan may be in time by a day."""
    day = Constraint(id="K1", text="Tested", limits="date", day="2026-05-22", sets="goal-day")
    test = Step(id="S1", title="Test", start="2026-05-20", end="2026-05-20")
    papers = Step(id="S2", title="Hand in", start="2026-05-21", end="2026-05-21", needs=("S1",))
    told = "{S1.slack}; {K1.slack}"
    assert filled(told, plan_with(day, test, papers)) == "0 working days; 1 working day"
    answering = replace(test, answers=("K1",))
    assert filled(told, plan_with(day, answering, papers)) == "0 working days; 1 working day", "what is held to it"
    assert filled("{K1.slack}", plan_with(replace(day, day=None, limits="rule"), test)) == ENGLISH.unknown
    assert "{K1.day} {K1.slack} of this and every other date constraint" in reference_value_lines(plan_with(day, test))


def test_a_step_on_a_fixed_day_has_no_slack_and_what_leads_to_it_has() -> None:
    fair = Step(id="S2", title="Fair", on="2026-06-05", start="2026-06-05", end="2026-06-05", needs=("S1",))
    plan = plan_with(Step(id="S1", title="Build", start="2026-06-01", end="2026-06-01"), fair)
    assert filled("{S1.slack}; {S2.slack}", plan) == "3 working days; no slack (fixed day)"


def test_what_is_left_and_what_of_it_is_kept_back_are_said_apart() -> None:
    most = Money(Decimal(1000), "EUR")
    build = Step(id="S1", title="Build", cost=Money(Decimal(500), "EUR"))
    limits = Fund(id="M1", text="Town", limit=most, reserve=0.1), Constraint(id="K1", text="Budget", amount=most)
    plan = plan_with(build, *limits)
    assert filled("{money.left} | {M1.left}", plan) == "500 EUR | 500 EUR"
    assert filled("{money.reserve} | {M1.reserve}", plan) == "100 EUR | 100 EUR"
    assert with_references(replace(plan, title="{money.total}")).title == "500 EUR"


def test_a_reserve_that_was_an_amount_is_told_to_the_cent() -> None:
    fund = Fund(id="M1", text="Loan", limit=Money(Decimal(43000), "EUR"), reserve=0.023255814)
    assert filled("{money.reserve}", plan_with(fund)) == "1,000 EUR"


def test_a_sentence_that_ends_with_a_short_month_has_one_dot() -> None:
    plan = plan_with(Step(id="S1", title="Build", start="2026-08-03", end="2026-08-03"))
    told = filled("Bis {S1.end}. Dann {S1.end}, {S9.end}.", plan, LANGUAGES["de"])
    assert told == "Bis Mo 3. Aug. Dann Mo 3. Aug., {S9.end}."
    assert filled("By {S1.end}.", plan) == "By Mon 3 Aug."


def test_a_deadline_and_a_set_day_can_be_told() -> None:
    build = Step(id="S1", title="Build", start="2026-06-01", end="2026-06-01", deadline="2026-06-05")
    plan = plan_with(build, Constraint(id="K1", text="Fair", limits="date", day="2026-06-09"))
    assert filled("{S1.by}, {K1.day}", plan) == "Fri 5 Jun, Tue 9 Jun"


def test_what_can_be_left_out_is_in_no_total_and_has_a_sum_of_its_own() -> None:
    build, paint = (Step(id=f"S{n}", title="Do", cost=Money(Decimal(n * 100), "EUR"), optional=n > 1) for n in (1, 2))
    plan = plan_with(build, paint)
    assert filled("{money.total}, {money.optional}", plan) == "100 EUR, 200 EUR"
    assert "{money.total} 100 EUR · {money.optional} 200 EUR" in reference_value_lines(plan)
    assert filled("{money.optional}", plan_with(build, replace(paint, status="dropped"))) == "nothing"
    assert "{money.total} 100 EUR" in reference_value_lines(plan_with(build))


def test_what_the_plan_does_not_know_yet_says_so() -> None:
    plan = plan_with(Step(id="S1", title="Think"), Criterion(id="C1", text="Thought"))
    for reference in ("S1.start", "S1.end", "S1.cost", "C1.slack", "money.total", "money.left", "plan.ready"):
        assert filled(f"{{{reference}}}", plan) == ENGLISH.unknown
    assert unknown_references(plan_with(Step(id="S1", title="{S1.start}"))) == ()


def test_what_is_unknown_stays_and_is_listed_with_its_place() -> None:
    decision = Decision(id="D1", text="Which?", options=(Option("{C9.slack}"),))
    step = Step(id="S1", title="Sign before {S9.end}", notes="{S1.colour} {user.name} {x}")
    plan = plan_with(step, decision, text="{money.spent} {plan.ready}")
    assert filled("{S9.end} {S1.colour} {money.spent} {user.name}", plan) == (
        "{S9.end} {S1.colour} {money.spent} {user.name}"
    )
    assert [(one.item, one.reference) for one in unknown_references(plan)] == [
        (None, "{money.spent}"),
        ("S1", "{S9.end}"),
        ("S1", "{S1.colour}"),
        ("D1", "{C9.slack}"),
    ]


def test_a_plan_is_shown_with_its_values_and_kept_as_it_is_written() -> None:
    step = Step(id="S1", title="Sign", check="signed by {S1.end}", start="2026-05-19", end="2026-05-19")
    decision = Decision(id="D1", text="Which?", reason="{S1.end}", options=(Option("until {S1.end}"),))
    plan = plan_with(step, decision, text="Until {S1.end}.")
    shown = with_references(plan).sections[0]
    assert shown.text == "Until Tue 19 May."
    assert shown.items == (
        replace(step, check="signed by Tue 19 May"),
        replace(decision, reason="Tue 19 May", options=(Option("until Tue 19 May"),)),
    )
    assert plan.sections[0].text == "Until {S1.end}."


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(plans())
def test_ids_and_what_has_no_reference_stay(plan: Plan) -> None:
    shown = with_references(plan)
    assert [item.id for item in shown.items] == [item.id for item in plan.items]
    if "{" not in str(plan):
        assert shown is plan
