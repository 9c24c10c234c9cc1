"""Key dates and money: what is measured until when, and the sums against funds and limits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from workbench.domain.plan.money import amount_text, limits, money_text
from workbench.domain.plan.plan import Constraint, Criterion, Fund, Money, Plan, Step
from workbench.export.handout.content import Content, lines

_KNOWN = frozenset({"quote", "price"})
"""Bases of a cost that is no estimate."""


@dataclass(slots=True)
class Sums:
    """Costs in one currency."""

    known: Decimal = Decimal(0)
    estimated: Decimal = Decimal(0)

    def add(self, amount: Decimal, *, is_known: bool) -> None:
        """Add the cost of a step."""
        if is_known:
            self.known += amount
        else:
            self.estimated += amount


def costs(plan: Plan) -> Iterator[tuple[Step, Money]]:
    """Yield the steps that cost something, without those that are dropped."""
    for step in plan.steps:
        if step.cost is not None and step.cost.amount.is_finite() and step.status != "dropped":
            yield step, step.cost


def sums_by_currency(every: Iterable[tuple[Step, Money]]) -> dict[str, Sums]:
    """Return what some steps cost, by currency."""
    sums: dict[str, Sums] = {}
    for step, cost in every:
        sums.setdefault(cost.currency, Sums()).add(cost.amount, is_known=step.basis in _KNOWN)
    return sums


def cost_of(step: Step) -> str:
    """Return a step's cost and what it rests on: ``1,000 EUR, estimate, not covered``."""
    notes = (step.basis, "optional" if step.optional else "", "not covered" if step.not_covered else "")
    return ", ".join(filter(None, (money_text(step.cost), *notes))) if step.cost else ""


def dates_and_money(content: Content, dates: Iterable[str]) -> Iterator[str]:
    """Yield the part below its heading; nothing where the plan says neither. ``dates`` stand first."""
    dated = (_dated(content, item) for kind in (Criterion, Constraint) for item in content.every(kind) if has_day(item))
    blocks = [*lines((*dates, *dated, *_sum_lines(content.plan)))]
    if blocks:
        yield "## Dates and money"
        yield from blocks


def has_day(item: Criterion | Constraint) -> bool:
    """Tell whether an item names a day that something has to be true on, or by."""
    return bool(item.due if isinstance(item, Criterion) else item.day)


def _dated(content: Content, item: Criterion | Constraint) -> str:
    if isinstance(item, Criterion):
        return f"{item.id} · {criterion_text(item)}, by {content.day(item.due)}"
    last = f" to {content.day(item.last)}" if item.last else ""
    return f"{item.id} · {item.text}: {content.day(item.day)}{last}"


def criterion_text(item: Criterion) -> str:
    """Return a criterion with its target and how that is measured: ``Stalls are let: 20 (signed contracts)``."""
    target = item.target or item.measure
    return f"{item.text}{f': {target}' if target else ''}{f' ({item.measure})' if item.target and item.measure else ''}"


def _sum_lines(plan: Plan) -> Iterator[str]:
    """Yield a line for each fund, each limit that no fund has, and for what is paid by none or only if needed."""
    funds = [item for item in plan.items if isinstance(item, Fund)]
    names = {"", *(fund.id for fund in funds)}
    covered = [one for one in costs(plan) if not one[0].not_covered and (not funds or one[0].fund in names)]
    paid = [one for one in covered if not one[0].condition]
    for place, fund in enumerate(funds):
        own = sums_by_currency(one for one in paid if one[0].fund in (fund.id, "" if place == 0 else fund.id))
        limit = fund.limit
        for currency in dict.fromkeys([*([limit.currency] if limit else []), *own]):
            most = limit.amount if limit and limit.currency == currency else None
            yield _line(f"{fund.id} · {fund.text}", currency, own.get(currency), most, fund.reserve or 0)
    first = sums_by_currency(one for one in paid if not funds or one[0].fund in ("", funds[0].id))
    own_limits = [limit for limit in limits(plan) if all(fund.limit != limit.most for fund in funds)]
    for limit in own_limits:
        currency = limit.most.currency
        yield _line(f"All, limit {limit.constraint}", currency, first.get(currency), limit.most.amount)
    if not funds:
        rest = first.keys() - {limit.most.currency for limit in own_limits}
        yield from (_line("All", currency, sums) for currency, sums in first.items() if currency in rest)
    for name, some in (
        ("Only if needed", [one for one in covered if one[0].condition]),
        ("Not covered", [one for one in costs(plan) if one not in covered]),
    ):
        yield from (_line(name, currency, sums) for currency, sums in sums_by_currency(some).items())


def _line(name: str, currency: str, sums: Sums | None, most: Decimal | None = None, share: float = 0) -> str:
    """Return sums in one currency; ``share`` of the limit is kept back."""
    sums = sums or Sums()
    parts = {"known": sums.known, "estimated": sums.estimated}
    if most is not None and most.is_finite():
        reserve = most * Decimal(str(share))
        parts = {"limit": most, **parts, "reserve": reserve, "left": most - reserve - sums.known - sums.estimated}
    shown = (f"{label} {amount_text(amount)}".replace("-", "−") for label, amount in parts.items() if amount or label == "left")
    return f"{name} ({currency}): {', '.join(shown)}"
