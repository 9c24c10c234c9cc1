"""Key dates and money: what is measured until when; each cost, and the sums against funds and limits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from workbench.domain.plan.money import amount_text, limits
from workbench.domain.plan.plan import Constraint, Criterion, Fund, Item, Money, Plan, Step
from workbench.export.handout.content import Content

_KNOWN = frozenset({"quote", "price"})
"""Bases of a cost that is no estimate."""


@dataclass(slots=True)
class Sums:
    """Costs in one currency."""

    known: Decimal = Decimal(0)
    estimated: Decimal = Decimal(0)

    def add(self, step: Step, cost: Money) -> None:
        """Add the cost of a step."""
        if step.basis in _KNOWN:
            self.known += cost.amount
        else:
            self.estimated += cost.amount

    def as_money(self, currency: str) -> tuple[Money, Money]:
        """Return what is known and what is estimated."""
        return Money(self.known, currency), Money(self.estimated, currency)


def costs(plan: Plan) -> Iterator[tuple[Step, Money]]:
    """Yield the steps that cost something, without those that are dropped."""
    for step in plan.steps:
        if step.cost is not None and step.cost.amount.is_finite() and step.status != "dropped":
            yield step, step.cost


def sums_by_currency(plan: Plan) -> dict[str, Sums]:
    """Return what all steps cost, by currency."""
    sums: dict[str, Sums] = {}
    for step, cost in costs(plan):
        sums.setdefault(cost.currency, Sums()).add(step, cost)
    return sums


def dates_and_money(content: Content, dates: Iterable[str]) -> Iterator[str]:
    """Yield the part below its heading; nothing where the plan says neither. ``dates`` stand first."""
    lines = [*dates, *(_dated(content, item) for item in content.plan.items if has_day(item))]
    blocks = [
        *content.lines(lines),
        *content.table("", ("step", "for", "amount", "basis", "fund"), _cost_rows(content)),
        *content.table("", ("money", "limit", "known", "estimated", "reserve", "left"), _sum_rows(content)),
    ]
    if blocks:
        yield "## Dates and money"
        yield from filter(None, blocks)


def has_day(item: Item) -> bool:
    """Tell whether an item names a day that something has to be true on, or by."""
    return (isinstance(item, Criterion) and bool(item.due)) or (isinstance(item, Constraint) and bool(item.day))


def _dated(content: Content, item: Item) -> str:
    if isinstance(item, Criterion):
        return f"{item.id} · {content.short(criterion_text(item))}, by {content.day(item.due)}"
    if isinstance(item, Constraint):
        last = f" to {content.day(item.last)}" if item.last else ""
        return f"{item.id} · {content.short(item.text)}: {content.day(item.day)}{last}"
    return ""


def criterion_text(item: Criterion) -> str:
    """Return a criterion with its target and how that is measured: ``Stalls are let: 20 (signed contracts)``."""
    target = item.target or item.measure
    return f"{item.text}{f': {target}' if target else ''}{f' ({item.measure})' if item.target and item.measure else ''}"


def _cost_rows(content: Content) -> Iterator[tuple[str, ...]]:
    for step, cost in costs(content.plan):
        notes = [*[step.basis] * bool(step.basis), *["optional"] * step.optional, *["not covered"] * step.not_covered]
        amount = f"{amount_text(cost.amount)} {cost.currency}"
        yield step.id, content.short(step.cost_kind), amount, ", ".join(notes), content.short(step.fund)


def _sum_rows(content: Content) -> Iterator[tuple[str, ...]]:
    """Yield a row for each fund, what no fund covers, the whole by currency, and each limit."""
    plan = content.plan
    funds = [item for item in plan.items if isinstance(item, Fund)]
    for fund in funds:
        yield from _fund_rows(content, fund, is_only=len(funds) == 1)
    not_covered: dict[str, Sums] = {}
    for step, cost in costs(plan):
        if step.not_covered:
            not_covered.setdefault(cost.currency, Sums()).add(step, cost)
    for currency, sums in not_covered.items():
        yield _row("not covered", None, sums, currency)
    whole = sums_by_currency(plan)
    limited = {limit.most.currency: limit for limit in limits(plan)}
    for limit in limits(plan):
        currency = limit.most.currency
        yield _row(f"all, limit {limit.constraint}", limit.most, whole.get(currency, Sums()), currency)
    for currency, sums in whole.items():
        if currency not in limited:
            yield _row("all", None, sums, currency)


def _fund_rows(content: Content, fund: Fund, *, is_only: bool) -> Iterator[tuple[str, ...]]:
    sums: dict[str, Sums] = {fund.limit.currency: Sums()} if fund.limit else {}
    for step, cost in costs(content.plan):
        if not step.not_covered and (step.fund == fund.id or (is_only and not step.fund)):
            sums.setdefault(cost.currency, Sums()).add(step, cost)
    for currency, of_currency in sums.items():
        limit = fund.limit if fund.limit and fund.limit.currency == currency else None
        yield _row(f"{fund.id} · {content.short(fund.text)}", limit, of_currency, currency, fund.reserve or 0)


def _row(name: str, limit: Money | None, sums: Sums, currency: str, share: float = 0) -> tuple[str, ...]:
    """Return a row of sums in one currency; ``share`` of the limit is kept back."""
    known, estimated = (_amount(one.amount) for one in sums.as_money(currency))
    if limit is None or not limit.amount.is_finite():
        return f"{name} ({currency})", "", known, estimated, "", ""
    reserve = limit.amount * Decimal(str(share))
    left = limit.amount - reserve - sums.known - sums.estimated
    shown = (_amount(limit.amount), known, estimated, _amount(reserve) if share else "", _amount(left))
    return f"{name} ({currency})", *shown


def _amount(value: Decimal) -> str:
    return amount_text(value).replace("-", "−")
