"""Steps that are split into parts, joined to one, or taken out: what becomes of their fields, and of who needs them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from workbench.domain.plan.markdown.fields import FIELDS
from workbench.domain.plan.plan import Effort, Item, Lag, Money, Origin, Step
from workbench.domain.plan.scheduling.step_work import UNESTIMATED_DAYS
from workbench.domain.text.patterns import lazy_pattern

_EMPTY_IN_LATER_PARTS: dict[str, Any] = {
    "lags": (), "on": None, "hours": "", "not_before": None, "start": None, "end": None, "answers": (), "cost": None,
    "status": "todo", "started": None, "finished": None, "left": None, "progress": None, "milestone": False,
    "waiting": None, "waits_working": False, "repeat": None, "notes": "", "outcome": "", "check": "", "duration": None,
    "duration_elapsed": False, "waits_hours": False,
}  # fmt: skip
"""What the other parts of a step that is split have in fields that stay with the first one."""


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
            part = replace(part, needs=(before,), origin=origin, causes=(), **_EMPTY_IN_LATER_PARTS)
        parts.append(part)
    return [*parts[:-1], replace(parts[-1], deadline=step.deadline)]


_SILENT = Step(id="", title="")
_TEXTS = ("outcome", "check", "notes")
_LISTS = ("needs", "answers", "tags", "decisions", "causes")
_IF_ALL = frozenset({"milestone", "waiting", "splits", "condition", "repeat", "optional", "not_covered", "progress"})
"""Fields that hold for a merged step only where all that it is made of say the same."""
_STRICTEST: Mapping[str, Callable[[Iterable[str]], str]] = {
    "deadline": min, "not_before": max, "priority": partial(max, key=("", "low", "high").index),
}  # fmt: skip
_WORKED_OUT = frozenset({"effort", "cost", "owner", "also", "status", "started", "finished", "left", "start", "end",
    "origin", *_TEXTS, *_LISTS, *_STRICTEST})  # fmt: skip
"""Fields in which a merged step loses nothing, or whose values follow from the others."""


def joined(steps: Sequence[Step], title: str) -> tuple[Step, tuple[str, ...]]:
    """Return the step that several ones become, and a sentence for each of them of which something is not kept.

    Work and costs are added; texts, lists and owners are put together; of limits the strictest holds. What one of
    them says alone is kept, unless it would be wrong for the others; where they differ, the first one's value is.
    """
    whole = replace(steps[0], title=title, **_put_together(steps), **_kept(steps), **_standing(steps))
    return whole, tuple(_losses(whole, steps))


def _put_together(steps: Sequence[Step]) -> dict[str, Any]:
    own = {step.id for step in steps}
    texts = {field: "; ".join(dict.fromkeys(filter(None, _field_values(steps, field)))) for field in _TEXTS}
    lists = {
        field: tuple(dict.fromkeys(one for values in _field_values(steps, field) for one in values if one not in own))
        for field in _LISTS
    }
    limits = {field: strictest(given) for field, strictest in _STRICTEST.items() if (given := _given(steps, field))}
    lags = tuple({lag.step: lag for step in steps for lag in step.lags if lag.step in lists["needs"]}.values())
    owner, *also = dict.fromkeys(name for step in steps for name in step.owners) or ("",)
    work = {"effort": _work(steps), "cost": _cost(steps), "owner": owner, "also": tuple(also)}
    return {**texts, **lists, **limits, **work, "lags": lags}


def _field_values(steps: Sequence[Step], field: str) -> Iterator[Any]:
    return (getattr(step, field) for step in steps)


def _given(steps: Sequence[Step], field: str) -> list[Any]:
    return [value for value in _field_values(steps, field) if value]


def _kept(steps: Sequence[Step]) -> dict[str, Any]:
    """Return the values of fields of which each is one step's; of fixed days it is the earliest."""
    values: dict[str, Any] = {}
    by_day = sorted(steps, key=lambda step: step.on or "~")
    for field in (field for field in FIELDS[Step].values() if field.name not in (*_WORKED_OUT, "parent")):
        texts = [field.text_of(step) for step in steps]
        if field.name not in _IF_ALL or len(set(texts)) == 1:
            order = by_day if field.name in ("on", "hours") else steps
            told = next((step for step in order if field.text_of(step)), steps[0])
            values |= {name: getattr(told, name) for name in field.names}
        else:
            values |= {name: getattr(_SILENT, name) for name in field.names}
    return values


def _standing(steps: Sequence[Step]) -> dict[str, Any]:
    """Return how a merged step stands: of one that is begun in part, all that is not done is left."""
    known: set[str] = {step.status for step in steps if step.status != "dropped"}
    if known <= {"todo", "waiting"}:
        return {"status": "waiting" if "waiting" in known else "todo" if known else "dropped", "left": None}
    days = _given(steps, "started") or [day for step in steps if (day := step.finished or step.start)]
    started = min(days, default=None)
    if known == {"done"}:
        return {"status": "done", "started": started, "finished": max(_given(steps, "finished"), default=None)}
    unfinished = [step for step in steps if step.status not in ("done", "dropped")]
    left = sum(expected if (expected := step.left) is not None else _expected(step) for step in unfinished)
    is_known = any(step.left is not None for step in steps) or len(known) > 1
    return {"status": "under-way", "started": started, "finished": None, "left": left if is_known else None}


def _expected(step: Step) -> float:
    return step.effort.expected if step.effort else float(UNESTIMATED_DAYS)


def _losses(whole: Step, steps: Sequence[Step]) -> Iterator[str]:
    fields = [field for field in FIELDS[Step].values() if field.name not in _WORKED_OUT]
    for step in steps:
        lost = [
            f"{field.label.lower()} {text}"
            for field in fields
            if (text := field.text_of(step)) not in ("", field.text_of(whole))
        ]
        if lost:
            yield f"Not kept of {step.id}: {', '.join(lost)}."


def _work(steps: Sequence[Step]) -> Effort | None:
    efforts = [step.effort for step in steps if step.effort]
    sums = (sum(getattr(effort, part) for effort in efforts) for part in ("low", "likely", "high"))
    return Effort(*sums) if efforts else None


def _cost(steps: Sequence[Step]) -> Money | None:
    costs = [step.cost for step in steps if step.cost]
    return replace(costs[0], amount=sum((cost.amount for cost in costs[1:]), costs[0].amount)) if costs else None


_LISTS_OF_IDS, _IDS = ("answers", "decisions", "needs"), ("parent", "fund", "place")
_ID = lazy_pattern(r"[A-Z]\d{1,9}")


def references_of(item: Item) -> set[str]:
    """Return the ids by which an item names others; what names them in words is none."""
    listed = {name for field in _LISTS_OF_IDS for name in getattr(item, field, ())}
    return {name for name in listed | {getattr(item, field, "") for field in _IDS} if _ID.fullmatch(name)}


def without(item: Item, gone: str) -> Item:
    """Return an item that does not name another one any more; itself where it never did."""
    values: dict[str, Any] = {
        field: tuple(name for name in getattr(item, field) if name != gone)
        for field in _LISTS_OF_IDS[:2]
        if gone in getattr(item, field, ())
    }
    values |= {field: "" for field in _IDS if getattr(item, field, "") == gone}
    if isinstance(item, Step) and gone in item.needs:
        item = without_needs(item, {gone})
    return replace(item, **values) if values else item


def without_needs(step: Step, gone: set[str]) -> Step:
    """Return a step that does not need some others any more."""
    needs = tuple(name for name in step.needs if name not in gone)
    return replace(step, needs=needs, lags=tuple(lag for lag in step.lags if lag.step not in gone))


def needing(step: Step, gone: set[str], instead: str) -> Step:
    """Return a step that needs another one instead of some."""
    needs = dict.fromkeys(instead if name in gone else name for name in step.needs)
    lags: dict[str, Lag] = {}
    for lag in sorted(step.lags, key=lambda lag: lag.step in gone):
        name = instead if lag.step in gone else lag.step
        lags[name] = replace(lag, step=name)
    return replace(step, needs=tuple(needs), lags=tuple(lags.values()))
