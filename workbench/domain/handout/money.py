"""Money: what the steps cost, and the sums against funds and limits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal

from workbench.domain.handout.content import Content, lines, part, table
from workbench.domain.plan.money import amount_text, limits, money_text
from workbench.domain.plan.plan import Fund, Money, Plan, Step

_KNOWN = frozenset({"quote", "price"})
"""Bases of a cost that is no estimate."""
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


def cost_of(step: Step, fund: str) -> str:
    """Return a step's cost, what it rests on and what pays it: ``1,000 EUR, estimate, not covered``."""
    return ", ".join(filter(None, (money_text(step.cost), *_notes(step, fund)))) if step.cost else ""


def _notes(step: Step, fund: str) -> tuple[str, str]:
    """Return what a cost rests on, and what pays it."""
    basis = ", ".join(filter(None, (step.basis, "optional" if step.optional else "")))
    return basis, "not covered" if step.not_covered else fund


def money(content: Content) -> Iterator[str]:
    """Yield the part below its heading; nothing where the plan has neither costs nor a limit."""
    yield from part("## Money", lines(map(_line, _sums(content.plan))))


def money_table(content: Content) -> Iterator[str]:
    """Yield one table of what each step costs, what that rests on and what pays it; and the sums below it."""
    has_funds = len(content.every(Fund)) > 1
    rows = []
    for step, cost in costs(content.plan):
        fund = "only if needed" if step.condition else step.fund if has_funds else ""
        rows.append((step.id, step.title, money_text(cost), *_notes(step, fund)))
    yield from table(("id", "for", "cost", "basis", "paid by"), rows)
    columns = ("sum", "limit", "known", "estimated", "left", "to be kept back")
    yield from table(columns, (_cells(columns, *one) for one in _sums(content.plan)))


def _sums(plan: Plan) -> Iterator[_Sum]:
    """Yield the sums of each fund, for each limit that no fund has, and what none pays or only some case asks for."""
    funds = [item for item in plan.items if isinstance(item, Fund)]
    names = {"", *(fund.id for fund in funds)}
    covered = [(step, cost) for step, cost in costs(plan) if not step.not_covered and (not funds or step.fund in names)]
    paid = [(step, cost) for step, cost in covered if not step.condition]
    for place, fund in enumerate(funds):
        own = sums_by_currency(one for one in paid if one[0].fund in (fund.id, "" if place == 0 else fund.id))
        yield from _by_limit(f"{fund.id} · {fund.text}", own, fund.limit, fund.reserve or 0)
    first = sums_by_currency(one for one in paid if not funds or one[0].fund in ("", funds[0].id))
    for limit in limits(plan):
        if all(fund.limit != limit.most for fund in funds):
            own = {limit.most.currency: first.pop(limit.most.currency, _NOTHING)}
            yield from _by_limit(f"All, limit {limit.constraint}", own, limit.most)
    yield from _by_limit("All", {} if funds else first)
    yield from _by_limit("Only if needed", sums_by_currency(one for one in covered if one[0].condition))
    yield from _by_limit("Not covered", sums_by_currency(one for one in costs(plan) if one not in covered))


def _by_limit(
    name: str, sums: dict[str, tuple[Decimal, Decimal]], limit: Money | None = None, share: float = 0
) -> Iterator[_Sum]:
    """Yield sums, one for each currency; ``share`` of the limit is kept back."""
    for currency in dict.fromkeys([*([limit.currency] if limit else []), *sums]):
        known, estimated = sums.get(currency, _NOTHING)
        parts = {"known": known, "estimated": estimated}
        if limit and limit.currency == currency and limit.amount.is_finite():
            reserve = limit.amount * Decimal(str(share))
            left = limit.amount - known - estimated
            parts = {"limit": limit.amount, **parts, "left": left, "to be kept back": reserve}
        told = {label: amount_text(part).replace("-", "−") for label, part in parts.items() if part or label == "left"}
        yield f"{name} ({currency})", told


def _line(one: _Sum) -> str:
    return f"{one[0]}: {', '.join(f'{label} {amount}' for label, amount in one[1].items())}"


def _cells(columns: Iterable[str], name: str, parts: Mapping[str, str]) -> tuple[str, ...]:
    _, *labels = columns
    return name, *(parts.get(label, "") for label in labels)
