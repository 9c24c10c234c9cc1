"""Money: what the steps cost, and the sums against funds and limits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal

from workbench.domain.handout.content import Content, part, table
from workbench.domain.plan.checks.case import quoted
from workbench.domain.plan.money import amount_text, counted, limits, money_text, reserve_of, without_fund
from workbench.domain.plan.plan import Constraint, Fund, Money, Plan, Step

_KNOWN = frozenset({"quote", "price"})
"""Bases of a cost that is not an estimate."""
_NOTHING = (Decimal(0), Decimal(0))
_Sum = tuple[str, Mapping[str, str]]
"""What is added up, with its currency; and amounts by what they are."""


def costs(plan: Plan) -> Iterator[tuple[Step, Money]]:
    """Yield the steps that cost something, without those that are dropped."""
    for step in plan.steps:
        if step.cost is not None and step.cost.amount.is_finite() and step.status != "dropped":
            yield step, step.cost


def sums_by_currency(every: Iterable[tuple[Step, Money]]) -> dict[str, tuple[Decimal, Decimal]]:
    """Return what of the costs of some steps is known and what is estimated, by currency."""
    sums: dict[str, tuple[Decimal, Decimal]] = {}
    for step, cost in every:
        known, estimated = sums.get(cost.currency, _NOTHING)
        is_known = step.basis in _KNOWN
        sums[cost.currency] = (known + cost.amount * is_known, estimated + cost.amount * (not is_known))
    return sums


def cost_of(step: Step, plan: Plan) -> str:
    """Return a step's cost, what it rests on and what pays it: ``1,000 EUR, estimate, not covered``."""
    return ", ".join(filter(None, (money_text(step.cost), *_notes(step, fund_of(plan, step))))) if step.cost else ""


def fund_of(plan: Plan, step: Step) -> str:
    """Return the name of the fund that pays a step; "" for the only one."""
    funds = {item.id: item.text for item in plan.items if isinstance(item, Fund)}
    return "" if len(funds) == 1 else funds.get(step.fund, step.fund)


def _notes(step: Step, fund: str) -> tuple[str, str]:
    """Return what a cost rests on, and what pays it."""
    basis = ", ".join(filter(None, (step.basis, "optional" if step.optional else "")))
    return basis, "not covered" if step.not_covered else fund


def money(content: Content) -> Iterator[str]:
    """Yield the sums, if the plan has costs or a limit; what each step costs stands with the steps."""
    columns = ("sum", "limit", "known", "estimated", "left", "to be kept back")
    yield from part("## Money", table(columns, (_cells(columns, *one) for one in _sums(content.plan))))


def _sums(plan: Plan) -> Iterator[_Sum]:
    """Yield the sums of each fund, of all for each limit that no fund has, and of what is not counted."""
    funds = [item for item in plan.items if isinstance(item, Fund)]
    for fund in funds:
        yield from _by_limit(fund.text, _counted(plan, fund.id), fund.limit, reserve_of(fund))
    whole = _counted(plan)
    is_told = len(funds) == 1 and whole == _counted(plan, funds[0].id)
    for limit in limits(plan):
        if named := [fund for fund in funds if fund.id == limit.fund]:
            if named[0].limit != limit.most:
                name = f"{named[0].text}, limit {_limit_of(plan, limit.constraint)}"
                yield from _by_limit(name, _counted(plan, limit.fund), limit.most)
        elif all(fund.limit != limit.most for fund in funds):
            own = {limit.most.currency: whole.pop(limit.most.currency, _NOTHING)}
            yield from _by_limit(f"All, limit {_limit_of(plan, limit.constraint)}", own, limit.most)
    yield from _by_limit("All", {} if is_told else whole)
    for name, left in {"No fund named": without_fund(plan), **_not_counted(plan)}.items():
        yield from _by_limit(name, sums_by_currency(left))


def _limit_of(plan: Plan, name: str) -> str:
    return next((quoted(item.text) for item in plan.items if isinstance(item, Constraint) and item.id == name), name)


def _counted(plan: Plan, fund: str = "") -> dict[str, tuple[Decimal, Decimal]]:
    return sums_by_currency(counted(plan, fund))


def _not_counted(plan: Plan) -> dict[str, list[tuple[Step, Money]]]:
    """Return the costs that are in no sum, by why."""
    conditional = plan.conditional
    apart: dict[str, list[tuple[Step, Money]]] = {"Only if needed": [], "Can be left out": [], "Not covered": []}
    for step, cost in costs(plan):
        if step.not_covered:
            apart["Not covered"].append((step, cost))
        elif step.id in conditional:
            apart["Only if needed"].append((step, cost))
        elif step.optional:
            apart["Can be left out"].append((step, cost))
    return apart


def _by_limit(
    name: str, sums: dict[str, tuple[Decimal, Decimal]], limit: Money | None = None, reserve: Decimal = _NOTHING[0]
) -> Iterator[_Sum]:
    """Yield sums, one for each currency; ``reserve``: what of the limit is kept back."""
    for currency in dict.fromkeys([*([limit.currency] if limit else []), *sums]):
        known, estimated = sums.get(currency, _NOTHING)
        parts = {"known": known, "estimated": estimated}
        if limit and limit.currency == currency and limit.amount.is_finite():
            left = limit.amount - known - estimated
            parts = {"limit": limit.amount, **parts, "left": left, "to be kept back": reserve}
        told = {label: amount_text(part).replace("-", "−") for label, part in parts.items() if part or label == "left"}
        yield f"{name} ({currency})", told


def _cells(columns: Iterable[str], name: str, parts: Mapping[str, str]) -> tuple[str, ...]:
    _, *labels = columns
    return name, *(parts.get(label, "") for label in labels)
