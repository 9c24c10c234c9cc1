"""Does the money add up: sums against limits, and to the sum that the plan names.

money.limit      the steps, or those of the part that a limit is for, cost more than may be spent
money.currency   a cost in a currency that no limit is in
money.sum        the prose names a sum that the costs do not come to
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.checks.case import Case, fault, quoted
from workbench.domain.plan.checks.quantities import prices
from workbench.domain.plan.money import Limit, costs, limits
from workbench.domain.plan.plan import Constraint, Step
from workbench.domain.text.words import stem_set, stems

_OF_THE_WHOLE = re.compile(
    r"\b(?:all in all|altogether|in total|total|overall|together|whole|entire|everything|plan|project|budget)\b",
    re.IGNORECASE,
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


def stated_sums_agree(case: Case) -> Iterator[Finding]:
    """Find a sum of all costs that the plan's prose names, and that the costs do not come to."""
    totals = {total.currency: total.amount for total in costs(case.plan).totals}
    for section in case.plan.sections:
        for sentence in re.split(r"[.;](?!\d)", section.text) if section.id != "goal" else ():
            for match in _SUM.finditer(sentence):
                price = next((one for one in prices(sentence) if one.start >= match.end() - 1), None)
                planned = totals.get(price.money.currency) if price else None
                if price and planned and not price.is_bound and price.money.amount != planned:
                    said = f"{price.money.amount:,} {price.money.currency}"
                    text = (
                        f"The {section.id} says {quoted(sentence.strip())}, and the steps cost {planned:,}, not {said}."
                    )
                    remedy = "Correct the sum, or the costs of the steps."
                    yield Finding(rule="money.sum", severity="minor", section=section.id, text=text, remedy=remedy)


_SUM = re.compile(
    r"\b(?:(?:lines?|costs?|steps?|items?|prices?|positions?|all|everything|sum|total|whole|expenses?"
    r"|offers?)\b[^.;]{0,30}?\b(?:come|comes|add|adds|amount|amounts|sum|sums|run|runs) (?:up )?to|(?:the )?(?:sum"
    r"|total|costs?)(?: of (?:all|the) \w+)? (?:is|are)|in (?:all|total)[,:]?|altogether[,:]?|totals?) (?=\D{0,20}\d)",
    re.IGNORECASE,
)
_OF_LIMITS = stem_set("budget cost money spend pay most more than total sum amount")
