"""What the typed fields of a plan say together: costs to the cent, days that are set, parts and lags."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.money import costs, fund_limits, limits
from workbench.domain.plan.plan import (
    Capacity,
    Constraint,
    Criterion,
    Days,
    DaysOff,
    Decision,
    Effort,
    Fund,
    Item,
    Lag,
    Money,
    Person,
    Place,
    Plan,
    Rule,
    Section,
    Step,
    WorkingTime,
    deadline_of,
)

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


def test_what_is_dropped_costs_nothing_and_a_limit_says_what_is_left():
    rent, flags = step(1, cost=euros("1200.10")), step(2, cost=euros("99.95"), status="dropped")
    (limit,) = limits(plan_of(Constraint(id="K1", text="Not more", amount=euros("1500")), rent, flags))
    assert (limit.planned, limit.over) == (euros("1200.10"), Decimal("-299.90"))


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
    assert {("money.limit", "K1", "major"), ("money.no-fund", "S3", "minor")} <= set(found(*plan.items))


def test_the_budget_counts_what_all_funds_pay_though_one_has_as_much():
    budget = Constraint(id="K1", text="All", limits="amount", amount=euros("26000"))
    funds = (Fund(id="M1", text="Book", limit=euros("26000")), Fund(id="M2", text="Marketing", limit=euros("1000")))
    for amount, left in (("25900", "-700"), ("21900", "3300")):
        steps = (step(1, cost=euros(amount), fund="M1"), step(2, cost=euros("800"), fund="M2"))
        [limit] = limits(plan_of(budget, *funds, *steps))
        assert -limit.over == Decimal(left)
        assert (("money.limit", "K1", "major") in found(budget, *funds, *steps)) is (limit.over > 0)
    vouchers = Fund(id="M2", text="Vouchers", limit=euros("30000"))
    [limit] = limits(plan_of(budget, funds[0], vouchers, *steps))
    assert limit.planned == euros("21900")  # a fund that has more is none of it


def test_a_cost_without_a_fund_is_charged_to_no_fund_but_the_whole_budget():
    fund = Fund(id="M1", text="Vouchers", limit=euros("100"))
    plan = plan_of(fund, step(1, cost=euros("80"), fund="M1"), step(2, cost=euros("900")))
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


def ending(number: int, day: str, **fields: object) -> Step:
    return step(number, start=day, end=day, **fields)


JUNE = date(2027, 6, 30)
BY_JUNE = Constraint(id="K1", text="Out of the flat", limits="date", day="2027-06-30")
IN_JUNE = Constraint(id="K1", text="The fair", limits="date", day="2027-06-01", last="2027-06-30")
SOON = Constraint(id="K1", text="Ready", limits="date", day="2026-12-04")
PAST = Constraint(id="K1", text="Notice is given", limits="date", day="2026-10-30")
DONE = {"status": "done", "finished": "2026-11-20"}
WEEK = Effort(5, 5, 5)
WEEKEND = {"start": "2027-05-15", "end": "2027-05-16"}
NO_DAY = Rule("week", "2027-01-04", until="2026-01-04")
AWAY = Person(id="P1", text="Anna", away_again=(Rule("year", "2027-05-17"),))


@pytest.mark.parametrize(
    ("items", "named"),
    [
        ([step(1, not_before="2027-01-04", start="2027-01-01", end="2027-01-05")], ("dates.not-before", "S1", "major")),
        ([step(1, on="2027-01-04", start="2027-01-05", end="2027-01-05")], ("dates.on", "S1", "major")),
        ([step(1, deadline="2027-01-04", start="2027-01-04", end="2027-01-05")], ("dates.deadline", "S1", "major")),
        ([step(1, status="done", started="2027-01-04", finished="2027-01-02")], ("dates.order", "S1", "major")),
        ([step(1, not_before="soon")], ("dates.format", "S1", "major")),
        ([Person(id="P1", text="Anna", away=(Days("2027-02-01", "2027-01-01"),))], ("dates.order", "P1", "major")),
        ([DaysOff(id="H1", text="Holidays", days=(Days("2027-02-30", "2027-03-01"),))], ("dates.order", "H1", "major")),
        ([DaysOff(id="H1", text="For ever", days=(Days("0001-01-01", "9999-12-31"),))], ("dates.order", "H1", "major")),
        ([step(1, parent="S9")], ("steps.parent", "S1", "major")),
        ([step(1, parent="S1")], ("steps.parent", "S1", "major")),
        ([step(1), step(2, parent="S1"), step(3, parent="S2")], ("steps.parent", "S3", "major")),
        ([step(1), step(2, lags=(Lag("S1", 2),))], ("steps.lag", "S2", "minor")),
        (
            [
                Constraint(id="K1", text="Not more", amount=euros("100")),
                step(1, cost=euros("60")),
                step(2, cost=euros("40.01")),
            ],
            ("money.limit", "K1", "major"),
        ),
        (
            [Constraint(id="K1", text="Not more", amount=euros("100")), step(1, cost=Money(Decimal(5), "CHF"))],
            ("money.currency", "S1", "minor"),
        ),
        (
            [
                DaysOff(id="H1", text="Change freeze", days=(Days("2026-12-25", "2026-12-26"),)),
                step(1, on="2026-12-25"),
            ],
            ("dates.day-off", "S1", "minor"),
        ),
        ([step(1), step(1)], ("ids.twice", "S1", "major")),
        ([step(1, decisions=("D9",))], ("ids.unknown", "S1", "minor")),
        ([step(1, fund="M9")], ("ids.unknown", "S1", "minor")),
        ([step(1, place="L9")], ("ids.unknown", "S1", "minor")),
        ([Person(id="P1", text="Anna", capacity=(Capacity(4, decision="D9"),))], ("ids.unknown", "P1", "minor")),
        # dates, stretches and rules of everything that has some
        ([Decision(id="D1", text="Which hall", latest="in May")], ("dates.format", "D1", "major")),
        ([Constraint(id="K1", text="The fair", day="2027-06-01", last="soon")], ("dates.format", "K1", "major")),
        ([Constraint(id="K1", text="The fair", day="2027-06-03", last="2027-06-01")], ("dates.order", "K1", "major")),
        ([Person(id="P1", text="Anna", capacity=(Capacity(4, first="soon"),))], ("dates.order", "P1", "major")),
        ([Person(id="P1", text="Anna", capacity=(Capacity(4, last="2027-02-30"),))], ("dates.order", "P1", "major")),
        (
            [Person(id="P1", text="Anna", capacity=(Capacity(4, "2027-02-01", "2027-01-01"),))],
            ("dates.order", "P1", "major"),
        ),
        ([Place(id="L1", text="Hall", closed=(Days("2027-02-01", "2027-01-01"),))], ("dates.order", "L1", "major")),
        ([Place(id="L1", text="Hall", again=(NO_DAY,))], ("dates.order", "L1", "major")),
        ([Person(id="P1", text="Anna", away_again=(NO_DAY,))], ("dates.order", "P1", "major")),
        ([step(1, repeat=NO_DAY)], ("dates.order", "S1", "major")),
        # date constraints and the steps that answer them
        ([BY_JUNE, ending(1, "2027-07-01", answers=("K1",))], ("dates.deadline", "S1", "major")),
        ([IN_JUNE, ending(1, "2027-07-01", answers=("K1",))], ("dates.deadline", "S1", "major")),
        (
            [BY_JUNE, ending(1, "2027-05-03"), *(ending(n, f"2027-07-0{n}", answers=("K1",)) for n in (3, 2))],
            ("dates.deadline", "S2", "major"),
        ),
        (
            [
                BY_JUNE,
                ending(1, "2027-07-02", answers=("K1",)),
                ending(2, "2027-05-03", answers=("K1",), status="dropped"),
            ],
            ("dates.deadline", "S1", "major"),
        ),
        (
            [SOON, step(1, effort=WEEK), step(2, effort=Effort(6, 6, 6), needs=("S1",), answers=("K1",))],
            ("dates.deadline", "S2", "major"),
        ),
        ([BY_JUNE, ending(1, "2027-07-01"), ending(2, "2027-07-05")], ("dates.deadline", "S2", "major")),
        ([BY_JUNE, ending(1, "2027-05-03"), ending(2, "2027-07-05")], ("dates.deadline", "S2", "major")),
        (
            [SOON, step(1, effort=WEEK), step(2, effort=Effort(6, 6, 6), needs=("S1",))],
            ("dates.deadline", "S2", "major"),
        ),
        ([PAST, ending(1, "2027-05-03")], ("dates.deadline", "S1", "major")),
        (
            [BY_JUNE, ending(1, "2027-05-03"), ending(2, "2027-07-05", parent="S3"), ending(3, "2027-07-05")],
            ("dates.deadline", "S2", "major"),
        ),
        (
            [BY_JUNE, ending(1, "2027-06-12", milestone=True), ending(2, "2027-07-05")],
            ("dates.deadline", "S2", "major"),
        ),
        ([IN_JUNE, ending(1, "2027-05-03"), ending(2, "2027-07-05")], ("dates.deadline", "S2", "major")),
        (
            [Criterion(id="C1", text="Nobody waits", due="2027-06-30"), ending(1, "2027-07-05", answers=("C1",))],
            ("dates.deadline", "S1", "major"),
        ),
        # days of work
        (
            [WorkingTime(id="W1"), step(1, start="2027-05-14", end="2027-05-15", effort=Effort(2, 2, 2))],
            ("dates.effort", "S1", "major"),
        ),
        ([step(1, **WEEKEND, effort=Effort(3, 3, 3))], ("dates.effort", "S1", "major")),
        ([step(1, start="2027-05-14", end="2027-05-15", effort=Effort(3, 3, 3))], ("dates.effort", "S1", "major")),
        ([step(1, start="2027-05-14", end="2027-05-19", waiting=10)], ("dates.effort", "S1", "major")),
        ([AWAY, ending(1, "2027-05-17", owner="Anna")], ("dates.day-off", "S1", "major")),
        ([AWAY, ending(1, "2027-05-17", owner="Anna", on="2027-05-17")], ("dates.day-off", "S1", "major")),
        ([AWAY, step(1, start="2027-05-17", end="2027-05-18", owner="Anna")], ("dates.day-off", "S1", "minor")),
        (
            [
                *(Constraint(id=f"K{n}", text="Not more", amount=euros(most)) for n, most in ((1, "50"), (2, "100"))),
                step(1, cost=euros("100.01")),
            ],
            ("money.limit", "K2", "major"),
        ),
    ],
)
def test_fields_that_do_not_agree_are_named(items, named):
    assert named in found(*items)


def test_a_range_of_days_is_over_on_its_last():
    assert deadline_of(plan_of(BY_JUNE, Constraint(id="K2", text="", limits="date", day="2027-06-29"))) == JUNE
    assert deadline_of(plan_of(IN_JUNE, Constraint(id="K2", text="", limits="date", day="2027-06-29"))) == JUNE


@pytest.mark.parametrize(
    "items",
    [
        [step(1, on="2027-05-15", start="2027-05-15", end="2027-05-15")],  # a wedding on a Saturday
        [
            Constraint(id="K1", text="Not more", amount=euros("100")),
            step(1, cost=euros("60")),
            step(2, cost=euros("40")),
        ],
        [step(1), step(2, parent="S1"), step(3, needs=("S1",), lags=(Lag("S1", 2),))],
        [step(1, not_before="2027-01-04", deadline="2027-01-05", start="2027-01-04", end="2027-01-05")],
        [step(1, cost=euros("60")), step(2, cost=Money(Decimal(5), "CHF"))],
        [
            *(Constraint(id=f"K{n}", text="Not more", amount=euros(most)) for n, most in ((1, "50"), (2, "100"))),
            step(1, cost=euros("100")),
        ],
        [step(1, place="Town hall", fund="The town", decisions=("the board",))],
        [Person(id="P1", text="Anna", capacity=(Capacity(4, "2027-02-01"), Capacity(8, last="2026-12-31")))],
        # what ends on the day itself is in time, and so is what another step does later
        [BY_JUNE, ending(1, "2027-06-30", answers=("K1",))],
        [BY_JUNE, ending(1, "2027-06-30")],
        [IN_JUNE, ending(1, "2027-06-15", answers=("K1",)), ending(2, "2027-08-02")],
        [BY_JUNE, ending(1, "2027-02-01", answers=("K1",)), ending(2, "2027-08-02", answers=("K1",))],
        [SOON, step(1, effort=WEEK), step(2, effort=WEEK, needs=("S1",), answers=("K1",))],
        [SOON, step(1, effort=WEEK), step(2, effort=WEEK, needs=("S1",)), step(3, effort=WEEK, status="dropped")],
        [replace(BY_JUNE, id="K2", day="2027-03-01"), BY_JUNE, ending(1, "2027-02-01"), ending(2, "2027-05-03")],
        [BY_JUNE, ending(1, "2027-07-05", answers=("K1",), **DONE), ending(2, "2027-07-06", answers=("K1",))],
        # what is done too late cannot be mended
        [PAST, ending(1, "2026-10-20", **DONE | {"finished": "2026-10-20"}), ending(2, "2026-11-10", **DONE)],
        [PAST, ending(1, "2026-11-10", answers=("K1",), **DONE)],
        [
            Constraint(id="K1", text="New law", limits="rule", day="2027-06-30"),
            ending(1, "2027-07-05", answers=("K1",)),
        ],
        # days of work
        [step(1, **WEEKEND, effort=Effort(2, 2, 2))],
        [WorkingTime(id="W1", weekdays=(6, 7)), step(1, **WEEKEND, effort=Effort(2, 2, 2))],
        [step(1, start="2027-05-14", end="2027-05-15", effort=Effort(1, 1, 2), waiting=10)],
    ],
)
def test_fields_that_agree_are_no_fault(items):
    assert found(*items) == []
