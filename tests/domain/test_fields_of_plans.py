"""What the typed fields of a plan say together: costs to the cent, days that are set, parts and lags."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.full_plan import state_with
from workbench.domain.handout import hand_out
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.figures import figures
from workbench.domain.plan.markdown import from_markdown
from workbench.domain.plan.money import costs, fund_limits, limits
from workbench.domain.plan.plan import (
    Capacity,
    Constraint,
    Decision,
    Effort,
    Fund,
    Item,
    Lag,
    Money,
    Person,
    Plan,
    Section,
    Step,
    deadline_of,
)
from workbench.domain.plan.references import filler
from workbench.export.figures import headline, money_lines

TODAY = date(2026, 11, 23)


def plan_of(*items: Item) -> Plan:
    return Plan(title="", sections=(Section(id="all", title="All", items=items),))


def found(*items: Item) -> list[tuple[str, str | None, str]]:
    """Return rule, item and severity of what only the fields of a plan can be wrong about."""
    kinds = ("dates.", "money.", "ids.", "steps.parent", "steps.lag")
    checked = check_plan(plan_of(*items), today=TODAY)
    return [(one.rule, one.item, one.severity) for one in checked if one.rule.startswith(kinds)]


def step(number: int, **fields: object) -> Step:
    return Step(**{"id": f"S{number}", "title": f"Task {number}", **fields})


def euros(amount: str) -> Money:
    return Money(Decimal(amount), "EUR")


@given(
    st.lists(
        st.tuples(
            st.decimals(0, 10**9, places=2), st.sampled_from(["EUR", "CHF"]), st.sampled_from(["", "rent", "travel"])
        )
    )
)
def test_costs_add_up_to_the_cent_by_step_and_by_kind(costly):
    steps = [step(n, cost=Money(amount, currency), cost_kind=kind) for n, (amount, currency, kind) in enumerate(costly)]
    told = costs(plan_of(*steps))
    cents = sorted((currency, kind, int(amount * 100)) for amount, currency, kind in costly)
    for (currency, kind), group in groupby(cents, key=lambda one: one[:2]):
        (money,) = (one for one in told.by_kind[kind] if one.currency == currency)
        assert money.amount * 100 == sum(one[2] for one in group)
    for total in told.totals:
        assert total.amount * 100 == sum(cent for currency, _, cent in cents if currency == total.currency)


def test_the_limit_of_the_whole_counts_every_fund_and_the_limit_of_a_fund_its_own():
    steps = (
        step(1, cost=euros("300"), fund="M1"),
        step(2, cost=euros("500"), fund="M2"),
        step(3, cost=euros("40")),
        step(4, cost=euros("7"), optional=True),
        step(5, cost=euros("6"), condition="it rains"),
        step(6, cost=euros("5"), parent="S5"),
        step(7, cost=euros("4"), not_covered=True),
    )
    funds = (Fund(id="M1", text="Town", limit=euros("350")), Fund(id="M2", text="Tickets"))
    whole = Constraint(id="K1", text="All together", amount=euros("800"))
    plan = plan_of(whole, Constraint(id="K2", text="The town's", amount=euros("350")), *funds, *steps)
    assert [(one.constraint, one.planned) for one in limits(plan)] == [("K1", euros("840")), ("K2", euros("300"))]
    assert costs(plan).totals == (euros("840"),)
    assert costs(plan).uncovered == (euros("4"),)
    assert filler(plan)("{money.total}, and {money.uncovered} more") == "840 EUR, and 4 EUR more"
    assert "4 EUR more that no fund pays" in headline(figures(plan))
    assert {("money.limit", "K1", "major"), ("money.no-fund", "S3", "minor")} <= set(found(*plan.items))


def test_a_cost_in_a_currency_of_no_fund_is_named():
    fund = Fund(id="M1", text="Till", limit=euros("350"))
    assert ("money.currency", "S1", "minor") in found(fund, step(1, cost=Money(Decimal(1200), "USD"), fund="M1"))


def test_a_day_that_is_set_limits_time_without_saying_so():
    limit = Constraint(id="K1", text="Done", day="2026-03-20", sets="deadline")
    assert deadline_of(plan_of(limit, step(1))) == date(2026, 3, 20)
    assert deadline_of(plan_of(replace(limit, limits="quality"), step(1))) is None


def test_one_mistake_of_a_step_is_one_finding():
    window = step(1, not_before="2027-03-20", deadline="2027-03-10", start="2027-03-20", end="2027-03-20")
    assert {rule for rule, item, _ in found(window) if item == "S1" and rule.startswith("dates")} == {"dates.window"}
    turned = step(1, effort=Effort(6, 4, 4), start="2027-03-20", end="2027-03-23")
    assert "dates.effort" not in {rule for rule, _, _ in found(turned)}


@pytest.mark.parametrize(
    ("most", "paid", "over"), [("2400", "1188", None), ("2500", "2450", "50"), ("2000", "2200", "200")]
)
def test_a_limit_that_names_a_fund_counts_in_all_views_what_that_fund_pays(most: str, paid: str, over: str | None):
    named = Constraint(id="K2", text="Transcription money", limits="amount", amount=euros(most))
    funds = (
        Fund(id="M1", text="Transcription", limit=euros("2400")),
        Fund(id="M2", text="Vouchers", limit=euros("1000")),
    )
    steps = (step(1, cost=euros(paid), fund="M1"), step(2, cost=euros("720"), fund="M2"))
    plan = plan_of(named, *funds, *steps)
    [limit] = limits(plan)
    assert (limit.planned, limit.fund) == (euros(paid), "M1")
    told = " · ".join(money_lines(figures(plan)))
    assert told.startswith(f"{int(paid):,} of {int(most):,} EUR from M1")
    assert told.endswith(f" · {int(paid) + 720:,} EUR")
    assert "All, limit" not in (page := hand_out(state_with(plan)))
    assert (f"Transcription, limit “Transcription money” (EUR) | {int(most):,}" in page) is (most != "2400")
    faults = [one.text for one in check_plan(plan, today=date(2027, 1, 1)) if one.rule.startswith("money")]
    told_over = {
        "2500": "M1 pays 2,450 EUR, 50 more than it has.",
        "2000": "M1 pays 2,200 EUR, 200 more than K2 allows.",
    }
    assert faults == ([told_over[most]] if over else [])


def test_a_cost_without_a_fund_is_charged_to_the_whole_budget_or_the_only_fund():
    fund = Fund(id="M1", text="Vouchers", limit=euros("100"))
    costly = (step(1, cost=euros("80"), fund="M1"), step(2, cost=euros("900")))
    assert {one for one in found(fund, *costly) if one[0].startswith("money")} == {("money.fund", "M1", "major")}
    all_of_it = Constraint(id="K1", text="All", limits="amount", amount=euros("2000"))
    assert ("money.no-fund", "S2", "minor") in found(all_of_it, fund, *costly)
    plan = plan_of(fund, Fund(id="M2", text="Loan"), *costly)
    assert [one.planned for one in fund_limits(plan)] == [euros("80")]
    assert {one for one in found(*plan.items) if one[0].startswith("money")} == {("money.no-fund", "S2", "minor")}
    budget = Constraint(id="K1", text="All", limits="amount", amount=euros("100"))
    assert [one.planned for one in fund_limits(plan_of(budget, *plan.items))] == [euros("980")]
    assert ("money.limit", "K1", "major") in found(budget, *plan.items)


def test_what_an_open_decision_is_about_waits_for_it():
    late = step(1, start="2026-12-07", end="2026-12-08", cost=euros("900"))
    dear = Constraint(id="K2", text="Not more", amount=euros("800"))

    def severities(*items: Item) -> dict[str, tuple[str, str]]:
        checked = check_plan(plan_of(SOON, dear, late, *items), today=TODAY)
        named = ("money.limit", "dates.deadline")
        return {one.rule: (one.severity, one.remedy) for one in checked if one.rule in named}

    open_one = Decision(id="D8", text="More money, or later?", owner="Ann", causes=("K2", "K1"))
    waits = ("minor", "Waits for D8.")
    assert severities(open_one) == {"money.limit": waits, "dates.deadline": waits}
    decided = severities(replace(open_one, owner=""))
    assert {severity for severity, _ in decided.values()} == {"major"}
    assert severities() == decided


SOON = Constraint(id="K1", text="Ready", limits="date", day="2026-12-04")
AGREEING = (Path(__file__).parent / "agreeing_fields.txt").read_text(encoding="utf-8").strip().split("\n\n")[1:]
"""Parts of plans in Markdown, each with what is found in the last line."""


@pytest.mark.parametrize("part", AGREEING)
def test_fields_that_do_not_agree_are_named_and_others_are_no_fault(part):
    text, _, told = part.rpartition("\n! ")
    items = from_markdown(f"## All\n\n{text}\n", Plan(title="")).items
    assert (found(*items) == []) if told == "nothing" else (tuple(told.split()) in found(*items))


@pytest.mark.parametrize(
    ("items", "named"),
    [
        ([step(1), step(2, lags=(Lag("S1", 2),))], ("steps.lag", "S2", "minor")),
        ([Constraint(id="K1", text="The fair", day="2027-06-01", last="soon")], ("dates.format", "K1", "major")),
        ([Person(id="P1", text="Anna", capacity=(Capacity(4, first="soon"),))], ("dates.order", "P1", "major")),
    ],
)
def test_fields_that_no_markdown_has_are_named_too(items, named):
    assert named in found(*items)
