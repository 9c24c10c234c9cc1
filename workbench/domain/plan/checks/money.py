"""Does the money add up: sums against limits and funds, currency by currency."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.domain.loop.asking.tasks import Finding
from workbench.domain.plan import money
from workbench.domain.plan.checks.case import Case, fault, listed, until_decided
from workbench.domain.plan.checks.tolerances import MONEY


def money_is_enough(case: Case) -> Iterator[Finding]:
    """Find limits that the costs of the steps exceed, and costs in a currency that no limit is in."""
    places = {item.id: (section, item) for section, item in reversed(case.placed)}
    largest = {limit.most.currency: limit for limit in money.whole_limits(case.plan)}
    of_funds = [limit for limit in money.limits(case.plan) if limit.fund]
    for limit in (*largest.values(), *of_funds):
        if limit.over > MONEY * limit.most.amount:
            spent = f"{limit.planned.amount:,} {limit.most.currency}"
            who = f"{limit.fund} pays" if limit.fund else "The steps cost"
            text = f"{who} {spent}, {limit.over:,} more than {limit.constraint} allows."
            remedy = f"Spend less, or raise {limit.constraint}."
            finding = fault("money.limit", "major", places[limit.constraint], text, remedy)
            yield until_decided(case, finding, limit.constraint)
    for fund in money.fund_limits(case.plan):
        too_much = fund.over if fund.over > 0 else fund.over + fund.reserve
        beside = (largest.get(fund.most.currency), *(one for one in of_funds if one.fund == fund.constraint))
        is_told = fund.over > 0 and any(one is not None and one.over == fund.over for one in beside)
        if too_much > MONEY * fund.most.amount and not is_told:
            has = "it has" if fund.over > 0 else f"its reserve of {money.amount_text(fund.reserve)} leaves"
            more = f"{money.amount_text(too_much)} more than {has}"
            text = f"{fund.constraint} pays {money.money_text(fund.planned)}, {more}."
            remedy = f"Spend less from {fund.constraint}, or name another fund for some of its costs."
            finding = fault("money.fund", "major", places[fund.constraint], text, remedy)
            yield until_decided(case, finding, fund.constraint)
    if unpaid := [step.id for step, _ in money.without_fund(case.plan)]:
        text = f"{listed(unpaid)}: no fund named."
        remedy = "Name the fund that pays, or say that none covers it."
        yield fault("money.no-fund", "minor", places[unpaid[0]], text, remedy)
    limited = {*largest, *(limit.most.currency for limit in (*of_funds, *money.fund_limits(case.plan)))}
    for total in money.costs(case.plan).totals if limited else ():
        if total.currency not in limited:
            paid = [step.id for step, cost in money.counted(case.plan) if cost.currency == total.currency]
            verb = "costs" if len(paid) == 1 else "cost"
            text = f"{listed(paid)} {verb} {total.amount:,} {total.currency}, but no limit is set in {total.currency}."
            remedy = "State the costs and their limit in one currency."
            yield fault("money.currency", "minor", places[paid[0]], text, remedy)
