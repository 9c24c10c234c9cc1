"""Does the money add up: sums against limits, and what the texts say against what the fields say.

money.limit      the steps, or those of the part that a limit is for, cost more than may be spent
money.currency   a cost in a currency that no limit is in
money.text       a step's text gives another price than its cost, or a price where it has no cost
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.checks.case import Case, fault, quoted
from workbench.domain.plan.checks.quantities import prices
from workbench.domain.plan.money import Limit, costs, limits
from workbench.domain.plan.plan import Constraint, Money, Step
from workbench.domain.text.words import stem_set, stems

_OF_THE_WHOLE = re.compile(
    r"\b(?:all in all|altogether|in total|total|overall|together|whole|entire|everything|plan|project|budget)\b",
    re.IGNORECASE,
)
_PART_OF_A_PRICE = re.compile(
    r"\b(?:deposit|instal?ments?|down payment|first|half|each|per|a (?:month|week|day|year|head|person)|every"
    r"|refund\w*|"
    r"of which|rest|remaining|monthly|weekly|daily|yearly|third|quarter|saves?|discount|instead of|from|between)\b|%|/",
    re.IGNORECASE,
)
_PRICED = re.compile(
    r"\b(?:costs?|price[ds]?|fee|paid|pay|for|at|invoice|quote|offer)\W+(?:\w+\W+){0,3}$", re.IGNORECASE
)
_COSTS = re.compile(
    r"\b(?:costs?|at a price of|fee (?:is|of)|price (?:is|of)|priced at)\W+(?:\w+\W+){0,1}$", re.IGNORECASE
)


def money_is_enough(case: Case) -> Iterator[Finding]:
    """Find limits that the costs of the steps exceed, and costs in a currency that no limit is in."""
    places = {item.id: (section, item) for section, item in reversed(case.placed)}
    amounts = limits(case.plan)
    for limit in amounts:
        planned, of_what = _planned(case, limit, amounts)
        over = planned - limit.most.amount
        if over > 0:
            text = f"{of_what} {planned:,} {limit.most.currency}, {over:,} more than {limit.constraint} allows."
            yield fault(
                "money.limit", "major", places[limit.constraint], text, f"Spend less, or raise {limit.constraint}."
            )
    known = {limit.most.currency for limit in amounts}
    for total in costs(case.plan).totals if amounts else ():
        if total.currency not in known:
            step = next(step for step in case.plan.steps if step.cost and step.cost.currency == total.currency)
            text = (
                f"Steps cost {total.amount:,} {total.currency}, {step.id} first, and no limit is in {total.currency}."
            )
            remedy = "Say the costs and what they may come to in one currency."
            yield fault("money.currency", "minor", places[step.id], text, remedy)


def _planned(case: Case, limit: Limit, all_limits: tuple[Limit, ...]) -> tuple[Decimal, str]:
    """Return what is spent of a limit: on its part, where it names the kind of some costs, else on the whole.

    Of several limits that name nothing the largest is of the whole; nothing is counted for the others.
    """
    item = next(item for _, item in case.every(Constraint) if item.id == limit.constraint)
    words = frozenset(word for word in stems(item.text) if not word[0].isdigit()) - _OF_LIMITS - {limit.most.currency}
    live = [step for step in case.plan.steps if step.cost and step.cost.amount.is_finite() and step.status != "dropped"]
    costly = [step for step in live if step.cost and step.cost.currency == limit.most.currency]
    part = [step for step in costly if words & frozenset(stems(step.cost_kind))]
    same_currency = [other.most.amount for other in all_limits if other.most.currency == limit.most.currency]
    is_largest = limit.most.amount == max(same_currency)
    if part and len(part) < len(costly) and not _OF_THE_WHOLE.search(item.text):
        names = ", ".join(step.id for step in part[:4])
        return _sum(part), f"{names} cost{'s' if len(part) == 1 else ''}"
    return (_sum(costly) if is_largest else Decimal(0)), "The steps cost"


def _sum(steps: list[Step]) -> Decimal:
    return sum((step.cost.amount for step in steps if step.cost), Decimal(0))


def prices_agree(case: Case) -> Iterator[Finding]:
    """Find steps whose own words give another price than their cost, or one where they have no cost."""
    currencies = {limit.most.currency for limit in limits(case.plan)}
    for section, step in case.every(Step):
        for text in (step.title, step.outcome, step.check, step.notes):
            stated = _price(text, _PRICED if step.cost else _COSTS)
            if stated is None or step.status == "dropped" or (step.cost and not step.cost.amount.is_finite()):
                continue
            if step.cost and any(count * stated.amount == step.cost.amount for count in _counts(text)):
                continue  # so many at so much each
            shown = f"{stated.amount:,} {stated.currency}"
            if step.cost is None and stated.currency in currencies:
                why = f"{step.id} says {quoted(text)}, and has no cost: the sum leaves out {shown}."
            elif step.cost and stated.currency == step.cost.currency and stated.amount != step.cost.amount:
                why = f"{step.id} says {quoted(text)}, and costs {step.cost.amount:,} {step.cost.currency}."
            else:
                continue
            yield fault("money.text", "minor", (section, step), why, f"Correct the cost of {step.id}, or its words.")
            break


def _counts(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\b\d{1,6}\b", text))


def _price(text: str, before: re.Pattern[str]) -> Money | None:
    """Return the one price that a text names as what is paid; None for limits, parts, rates and several."""
    amounts = list(prices(text))
    if len(amounts) != 1 or amounts[0].is_bound or _PART_OF_A_PRICE.search(text):
        return None
    return amounts[0].money if before.search(text[: amounts[0].start]) else None


_OF_LIMITS = stem_set("budget cost money spend pay most more than total sum amount")
