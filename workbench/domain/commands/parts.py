"""Steps that are split into parts, joined to one, or taken out: what becomes of their fields, and of who needs them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from workbench.domain.plan.plan import Effort, Item, Lag, Money, Origin, Step

_OF_THE_FIRST: dict[str, Any] = {
    "lags": (), "on": None, "hours": "", "not_before": None, "start": None, "end": None, "answers": (), "cost": None,
    "status": "todo", "started": None, "finished": None, "left": None, "progress": None, "milestone": False,
    "waiting": None, "waits_working": False, "repeat": None, "notes": "", "outcome": "", "check": "", "duration": None,
}  # fmt: skip
"""Fields of a step that stay with its first part when it is split."""


def parts_of(step: Step, names: Sequence[str], said: Sequence[tuple[str, Effort | None]], origin: Origin) -> list[Step]:
    """Return the parts of a step, each of which needs the one before; the first keeps its id, the last its deadline.

    ``said``: the title of each, and its effort; else it has an equal share of the step's.
    """
    effort = step.effort
    shares = [round(days / len(said), 3) for days in (effort.low, effort.likely, effort.high)] if effort else []
    share = Effort(*shares) if shares else None
    parts = []
    for name, before, (title, own) in zip(names, ("", *names), said, strict=False):
        part = replace(step, id=name, title=title, effort=own or share, deadline=None)
        if before:
            part = replace(part, needs=(before,), origin=origin, causes=(), **_OF_THE_FIRST)
        parts.append(part)
    return [*parts[:-1], replace(parts[-1], deadline=step.deadline)]


def joined(steps: Sequence[Step], title: str) -> Step:
    """Return the step that several ones become: their work and costs added, their texts and lists put together."""
    texts = {
        field: "; ".join(dict.fromkeys(text for step in steps if (text := getattr(step, field))))
        for field in ("outcome", "check", "notes")
    }
    lists = {
        field: tuple(dict.fromkeys(one for step in steps for one in getattr(step, field)))
        for field in ("needs", "answers", "tags", "decisions")
    }
    own = {step.id for step in steps}
    lists["needs"] = tuple(name for name in lists["needs"] if name not in own)
    lags = tuple({lag.step: lag for step in steps for lag in step.lags if lag.step in lists["needs"]}.values())
    values: dict[str, Any] = {**texts, **lists, "lags": lags, "effort": _work(steps), "cost": _cost(steps)}
    return replace(steps[0], title=title, **values)


def _work(steps: Sequence[Step]) -> Effort | None:
    efforts = [step.effort for step in steps if step.effort]
    sums = (sum(getattr(one, part) for one in efforts) for part in ("low", "likely", "high"))
    return Effort(*sums) if efforts else None


def _cost(steps: Sequence[Step]) -> Money | None:
    costs = [step.cost for step in steps if step.cost]
    return replace(costs[0], amount=sum((one.amount for one in costs[1:]), costs[0].amount)) if costs else None


def without(item: Item, gone: str) -> Item:
    """Return an item that does not name another one any more; itself where it never did."""
    values: dict[str, Any] = {
        field: tuple(name for name in getattr(item, field) if name != gone)
        for field in ("answers", "decisions")
        if gone in getattr(item, field, ())
    }
    values |= {field: "" for field in ("parent", "fund") if getattr(item, field, "") == gone}
    if isinstance(item, Step) and gone in item.needs:
        item = without_needs(item, {gone})
    return replace(item, **values) if values else item


def without_needs(step: Step, gone: set[str]) -> Step:
    """Return a step that does not need some others any more."""
    needs = tuple(name for name in step.needs if name not in gone)
    return replace(step, needs=needs, lags=tuple(lag for lag in step.lags if lag.step not in gone))


def needing(step: Step, gone: set[str], instead: str) -> Step:
    """Return a step that needs another one in place of some."""
    needs = dict.fromkeys(instead if name in gone else name for name in step.needs)
    lags: dict[str, Lag] = {}
    for lag in sorted(step.lags, key=lambda lag: lag.step in gone):
        name = instead if lag.step in gone else lag.step
        lags[name] = replace(lag, step=name)
    return replace(step, needs=tuple(needs), lags=tuple(lags.values()))
