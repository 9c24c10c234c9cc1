"""What the typed fields of a plan say together: costs to the cent, days that are set, parts and lags."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.money import costs, limits
from workbench.domain.plan.plan import Constraint, Days, DaysOff, Item, Lag, Money, Person, Plan, Section, Step

TODAY = date(2026, 11, 23)


def plan_of(*items: Item) -> Plan:
    return Plan(title="", sections=(Section(id="all", title="All", items=items),))


def found(*items: Item) -> list[tuple[str, str | None]]:
    """Return rule and item of what only the fields of a plan can be wrong about."""
    kinds = ("dates.", "money.", "steps.parent", "steps.lag")
    return [(one.rule, one.item) for one in check_plan(plan_of(*items), today=TODAY) if one.rule.startswith(kinds)]


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


def test_what_is_dropped_costs_nothing_and_a_limit_says_what_is_left():
    rent, flags = step(1, cost=euros("1200.10")), step(2, cost=euros("99.95"), status="dropped")
    (limit,) = limits(plan_of(Constraint(id="K1", text="Not more", amount=euros("1500")), rent, flags))
    assert (limit.planned, limit.over) == (euros("1200.10"), Decimal("-299.90"))


@pytest.mark.parametrize(
    ("items", "named"),
    [
        ([step(1, not_before="2027-01-04", start="2027-01-01", end="2027-01-05")], ("dates.not-before", "S1")),
        ([step(1, on="2027-01-04", start="2027-01-05", end="2027-01-05")], ("dates.on", "S1")),
        ([step(1, deadline="2027-01-04", start="2027-01-04", end="2027-01-05")], ("dates.deadline", "S1")),
        ([step(1, status="done", started="2027-01-04", finished="2027-01-02")], ("dates.order", "S1")),
        ([step(1, not_before="soon")], ("dates.format", "S1")),
        ([Person(id="P1", text="Anna", away=(Days("2027-02-01", "2027-01-01"),))], ("dates.order", "P1")),
        ([DaysOff(id="H1", text="Holidays", days=(Days("2027-02-30", "2027-03-01"),))], ("dates.order", "H1")),
        ([DaysOff(id="H1", text="For ever", days=(Days("0001-01-01", "9999-12-31"),))], ("dates.order", "H1")),
        ([step(1, parent="S9")], ("steps.parent", "S1")),
        ([step(1, parent="S1")], ("steps.parent", "S1")),
        ([step(1), step(2, parent="S1"), step(3, parent="S2")], ("steps.parent", "S3")),
        ([step(1), step(2, lags=(Lag("S1", 2),))], ("steps.lag", "S2")),
        (
            [
                Constraint(id="K1", text="Not more", amount=euros("100")),
                step(1, cost=euros("60")),
                step(2, cost=euros("40.01")),
            ],
            ("money.limit", "K1"),
        ),
        (
            [Constraint(id="K1", text="Not more", amount=euros("100")), step(1, cost=Money(Decimal(5), "CHF"))],
            ("money.currency", "S1"),
        ),
        (
            [
                DaysOff(id="H1", text="Change freeze", days=(Days("2026-12-25", "2026-12-26"),)),
                step(1, on="2026-12-25"),
            ],
            ("dates.day-off", "S1"),
        ),
    ],
)
def test_fields_that_do_not_agree_are_named(items, named):
    assert named in found(*items)


@pytest.mark.parametrize(
    "items",
    [
        [step(1, on="2027-05-15", start="2027-05-15", end="2027-05-15")],  # a wedding on a Saturday
        [
            DaysOff(id="H1", text="Christmas", country="DE", days=(Days("2026-12-25", "2026-12-26"),)),
            step(1, on="2026-12-25"),
        ],
        [
            Constraint(id="K1", text="Not more", amount=euros("100")),
            step(1, cost=euros("60")),
            step(2, cost=euros("40")),
        ],
        [step(1), step(2, parent="S1"), step(3, needs=("S1",), lags=(Lag("S1", 2),))],
        [step(1, not_before="2027-01-04", deadline="2027-01-05", start="2027-01-04", end="2027-01-05")],
        [step(1, cost=euros("60")), step(2, cost=Money(Decimal(5), "CHF"))],
    ],
)
def test_fields_that_agree_are_no_fault(items):
    assert found(*items) == []
