"""What a plan costs: the costs of its steps added up, by kind and by currency, against what may be spent."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal

from msgspec import Struct

from workbench.domain.plan.plan import Constraint, Fund, Money, Plan, Step
from workbench.domain.text.patterns import lazy_pattern


class Costs(Struct, frozen=True):
    """The costs of all steps that are counted; exact. What is no number is left out."""

    by_kind: Mapping[str, tuple[Money, ...]]
    """Kind of cost, "" for none, each with one sum for each currency, in the order of the plan."""
    totals: tuple[Money, ...]
    """One sum for each currency."""
    uncovered: tuple[Money, ...] = ()
    """What has to be paid beside it and no fund pays, one sum for each currency."""


class Limit(Struct, frozen=True):
    """What may be spent, and what the steps cost in that currency."""

    constraint: str
    """Its id."""
    most: Money
    planned: Money
    reserve: Decimal = Decimal(0)
    """What of it is kept back."""
    fund: str = ""
    """Id of the fund that it limits; "" for all."""

    @property
    def over(self) -> Decimal:
        """How much the steps cost above it; negative for what is left."""
        return self.planned.amount - self.most.amount


_OF_EACH = lazy_pattern(
    r"\b(?:per|each|apiece|every)\b|\d ?(?:[A-Z]{3}|euros?|pounds?|dollars?|francs?)? an? \w+"
    r"|^no (?:single )?\w+ (?:costs?|is)\b"
    r"|^(?:an?|one) \w+ (?:costs?|is)\b",
    re.IGNORECASE,
)


def costs(plan: Plan) -> Costs:
    """Return what the steps of a plan cost, as far as they are counted.

    A step with parts costs what it says, and its parts what they say.
    """
    sums: dict[tuple[str, str], Decimal] = defaultdict(Decimal)
    for step, cost in counted(plan):
        sums[step.cost_kind, cost.currency] += cost.amount
    by_kind: dict[str, tuple[Money, ...]] = {}
    for (kind, currency), amount in sums.items():
        by_kind[kind] = (*by_kind.get(kind, ()), Money(amount, currency))
    return Costs(by_kind, _added_up(cost for _, cost in counted(plan)), uncovered(plan))


def counted(plan: Plan, fund: str = "") -> Iterator[tuple[Step, Money]]:
    """Yield the steps whose costs are counted; of one ``fund`` those that it pays.

    What names no fund is paid by the one that is the whole budget, or the only one; if there is neither, no fund is
    charged with it. What is dropped, can be left out, happens only if something fails, or no fund pays, is not counted.
    """
    whole = _whole_budget(plan) if fund else ""
    conditional = plan.conditional
    for step in plan.steps:
        is_due = not (step.status == "dropped" or step.id in conditional or step.not_covered or step.optional)
        is_theirs = not fund or (step.fund or whole) == fund
        if is_due and is_theirs and step.cost is not None and step.cost.amount.is_finite():
            yield step, step.cost


def left_out_of(plan: Plan) -> tuple[Money, ...]:
    """Return what can be left out, and is not counted for that alone, one sum for each currency."""
    return _added_up(
        step.cost
        for step in plan.steps
        if step.optional and not (step.not_covered or step.status == "dropped" or step.id in plan.conditional)
        if step.cost is not None and step.cost.amount.is_finite()
    )


def uncovered(plan: Plan) -> tuple[Money, ...]:
    """Return what has to be paid and no fund pays, which no other sum counts; one sum for each currency."""
    return _added_up(
        step.cost
        for step in plan.steps
        if step.not_covered and not (step.optional or step.status == "dropped" or step.id in plan.conditional)
        if step.cost is not None and step.cost.amount.is_finite()
    )


def without_fund(plan: Plan) -> tuple[tuple[Step, Money], ...]:
    """Return the steps with counted costs of which nothing says what fund pays them; () for a plan without funds."""
    if _whole_budget(plan) or not any(isinstance(item, Fund) for item in plan.items):
        return ()
    return tuple((step, cost) for step, cost in counted(plan) if not step.fund)


def _whole_budget(plan: Plan) -> str:
    """Return the id of the fund whose limit is what all may cost, or of the only one, unless all may cost more."""
    of_all, funds = _limits_of_all(plan), [item for item in plan.items if isinstance(item, Fund)]
    limited = ((fund.id, fund.limit.amount, of_all.get(fund.limit.currency)) for fund in funds if fund.limit)
    fits = (name for name, has, most in limited if most == has or (len(funds) == 1 and (most is None or most < has)))
    return next(fits, funds[0].id if len(funds) == 1 and funds[0].limit is None else "")


def _limits_of_all(plan: Plan) -> dict[str, Decimal]:
    """Return the largest amount that a constraint allows in each currency."""
    largest: dict[str, Decimal] = {}
    named = _naming(plan)
    for item in plan.items:
        if not isinstance(item, Constraint) or (most := item.amount) is None or _OF_EACH.search(item.text):
            continue
        if not named(item):
            largest[most.currency] = max(most.amount, largest.get(most.currency, most.amount))
    return largest


def _naming(plan: Plan) -> Callable[[Constraint], str]:
    """Return what tells the id of the one of several funds that a limit names, by its id or name; "" for none."""

    def words(text: str) -> str:
        return " ".join(["", *re.findall(r"\w+", text.casefold()), ""])

    funds = [item for item in plan.items if isinstance(item, Fund)]
    names = [(fund.id, words(name)) for fund in funds for name in (fund.id, fund.text) if len(funds) > 1]

    def named(limit: Constraint) -> str:
        text = words(limit.text)
        return next((one for one, name in names if name.strip() and name in text), "")

    return named


def _added_up(every: Iterable[Money]) -> tuple[Money, ...]:
    """Return one sum for each currency."""
    sums: dict[str, Decimal] = defaultdict(Decimal)
    for money in every:
        sums[money.currency] += money.amount
    return tuple(Money(amount, currency) for currency, amount in sums.items())


def paid_by(plan: Plan, fund: str) -> tuple[Money, ...]:
    """Return what a fund pays, one sum for each currency."""
    return _added_up(cost for _, cost in counted(plan, fund))


def _paid(plan: Plan) -> Mapping[str, tuple[Money, ...]]:
    """Return what each fund pays that pays anything, one sum for each currency."""
    whole, paid = _whole_budget(plan), defaultdict[str, list[Money]](list)
    for step, cost in counted(plan):
        paid[step.fund or whole].append(cost)
    return {fund: _added_up(every) for fund, every in paid.items()}


def fund_limits(plan: Plan) -> tuple[Limit, ...]:
    """Return each fund that has a limit, with what it pays."""
    paid = _paid(plan)
    return tuple(
        Limit(fund.id, most, _in_currency(paid.get(fund.id, ()), most.currency), reserve_of(fund))
        for fund in plan.items
        if isinstance(fund, Fund) and (most := fund.limit) is not None and most.amount.is_finite()
    )


_MOST_IN_CENTS = 10**20
"""Amounts from here on have no cents that could be told."""


def reserve_of(fund: Fund) -> Decimal:
    """Return what a fund keeps back of its limit, to the cent."""
    kept = fund.limit.amount * Decimal(str(fund.reserve or 0)) if fund.limit else Decimal(0)
    return round(kept, 2) if kept.is_finite() and abs(kept) < _MOST_IN_CENTS else kept


def _in_currency(sums: Iterable[Money], currency: str) -> Money:
    """Return the sum in a currency; nothing of it if there is none."""
    return next((money for money in sums if money.currency == currency), Money(Decimal(0), currency))


def limits(plan: Plan) -> tuple[Limit, ...]:
    """Return each constraint that limits what is spent, with what the steps cost in its currency.

    One that names a fund limits that fund. Of the others, the largest is that of the whole, unless a fund has more;
    another that is the limit of one of several funds counts what that fund pays. The price of one ticket or one meal is
    a limit, and none for the sum.
    """
    largest = _limits_of_all(plan)
    funds = [item for item in plan.items if isinstance(item, Fund)]
    owners = {fund.limit: fund.id for fund in reversed(funds) if fund.limit} if len(funds) > 1 else {}
    whole, paid, named = costs(plan).totals, _paid(plan), _naming(plan)
    highest: dict[str, Decimal] = {}
    for limit in (fund.limit for fund in funds if fund.limit and not fund.limit.amount.is_nan()):
        highest[limit.currency] = max(limit.amount, highest.get(limit.currency, limit.amount))
    told = []
    for item in plan.items:
        if not isinstance(item, Constraint) or _OF_EACH.search(item.text):
            continue
        if item.amount is not None and item.amount.amount.is_finite():
            most = item.amount
            is_largest = most.amount == largest.get(most.currency)
            is_of_all = is_largest and most.amount >= highest.get(most.currency, most.amount)
            fund = named(item) or ("" if is_of_all else owners.get(most, ""))
            sums = paid.get(fund, ()) if fund else whole
            told.append(Limit(item.id, most, _in_currency(sums, most.currency), fund=fund))
    return tuple(told)


def whole_limits(plan: Plan) -> tuple[Limit, ...]:
    """Return the limit of the whole in each currency: of several, the largest."""
    of_all = sorted((limit for limit in limits(plan) if not limit.fund), key=lambda one: one.most.amount)
    return tuple({one.most.currency: one for one in of_all}.values())


def money_text(value: Money) -> str:
    """Return an amount of money as people read it: ``12,300 EUR``."""
    return f"{amount_text(value.amount)} {value.currency}"


def amount_text(value: Decimal) -> str:
    """Return an amount with its thousands apart; cents only if there are some."""
    if value == value.to_integral_value():
        return f"{value:,.0f}"
    return f"{value:,.2f}" if value == round(value, 2) else f"{value:,f}"
