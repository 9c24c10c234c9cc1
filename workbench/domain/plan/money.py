"""What a plan costs: the costs of its steps added up, by kind and by currency, against what may be spent."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from workbench.domain.plan.plan import Constraint, Money, Plan


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of all steps that are not dropped; exact. What is no number is left out."""

    by_kind: Mapping[str, tuple[Money, ...]]
    """Kind of cost, "" for none, each with one sum for each currency, in the order of the plan."""
    totals: tuple[Money, ...]
    """One sum for each currency."""


@dataclass(frozen=True, slots=True)
class Limit:
    """What may be spent, and what the steps cost in that currency."""

    constraint: str
    """Its id."""
    most: Money
    planned: Money

    @property
    def over(self) -> Decimal:
        """How much the steps cost above it; negative for what is left."""
        return self.planned.amount - self.most.amount


_OF_EACH = re.compile(
    r"\b(?:per|each|apiece|every)\b|\d ?(?:[A-Z]{3}|euros?|pounds?|dollars?|francs?)? an? \w+"
    r"|^no (?:single )?\w+ (?:costs?|is)\b"
    r"|^(?:an?|one) \w+ (?:costs?|is)\b",
    re.IGNORECASE,
)


def costs(plan: Plan) -> Costs:
    """Return what the steps of a plan cost. A step with parts costs what it says, and its parts what they say."""
    sums: dict[tuple[str, str], Decimal] = defaultdict(Decimal)
    for step in plan.steps:
        if step.cost is not None and step.cost.amount.is_finite() and step.status != "dropped":
            sums[step.cost_kind, step.cost.currency] += step.cost.amount
    by_kind: dict[str, tuple[Money, ...]] = {}
    totals: dict[str, Decimal] = defaultdict(Decimal)
    for (kind, currency), amount in sums.items():
        by_kind[kind] = (*by_kind.get(kind, ()), Money(amount, currency))
        totals[currency] += amount
    return Costs(by_kind, tuple(Money(amount, currency) for currency, amount in totals.items()))


def limits(plan: Plan) -> tuple[Limit, ...]:
    """Return each constraint that limits what is spent, with what the steps cost in its currency.

    The price of one ticket or one meal is a limit, and none for the sum.
    """
    totals = {money.currency: money for money in costs(plan).totals}
    return tuple(
        Limit(item.id, item.amount, totals.get(item.amount.currency, Money(Decimal(0), item.amount.currency)))
        for item in plan.items
        if isinstance(item, Constraint)
        and item.amount is not None
        and item.amount.amount.is_finite()
        and not _OF_EACH.search(item.text)
    )


def money_text(value: Money) -> str:
    """Return an amount of money as people read it: ``12,300 EUR``."""
    return f"{amount_text(value.amount)} {value.currency}"


def amount_text(value: Decimal) -> str:
    """Return an amount with its thousands apart; cents only where there are some."""
    return f"{value:,.0f}" if value == value.to_integral_value() else f"{value:,f}"
