"""A planner's reply while it arrives: the plan that comes of the items that are complete already.

    '{"title": "Move", "steps": [{"id": "new1", …}, {"id": "ne' ─▶ the plan with one step more

A reply is JSON that ends somewhere; what is whole so far is read, the rest waits. Pure, and never raises.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec

from workbench.domain.errors import PlanUnsound
from workbench.domain.loop.answers.coercion import Unfit
from workbench.domain.loop.answers.item_changes import Known, built
from workbench.domain.loop.answers.item_reply import LISTS
from workbench.domain.loop.answers.replies import read_items
from workbench.domain.plan.plan import Amendment, Plan, amend
from workbench.domain.session.named_files import Citations
from workbench.domain.text.cleaning import clean_json
from workbench.domain.text.patterns import lazy_pattern

_DECODER = json.JSONDecoder()
_SPACE = lazy_pattern(r"[ \t\r\n]*")
_IN_PARTS = frozenset({"amendments", "sections", *LISTS})
"""Members whose entries are read one by one, as they are complete."""


def drafted(reply: str, plan: Plan | None) -> Plan | None:
    """Return the plan with what is complete at the beginning of a planner's reply; None if nothing is."""
    read: dict[str, Any] = {}
    try:
        for name, value in _members(reply):
            if name in _IN_PARTS:
                read.setdefault(name, []).append(value)
            elif name == "title" and isinstance(value, str):
                read[name] = value
    except (ValueError, RecursionError):
        pass  # the reply ends here for now, or is not what was asked for: the whole of it is judged by the core
    return _plan_of(clean_json(read), plan or Plan(title="")) if read.keys() - {"title"} else None


def _plan_of(read: dict[str, Any], plan: Plan) -> Plan | None:
    """Return the plan that comes of what was read; None if it cannot be read yet."""
    try:
        if "amendments" in read:
            amendments = msgspec.convert(read["amendments"], tuple[Amendment, ...])
            return amend(plan, amendments, title=str(read.get("title", "")))
        return built(plan, read_items(read, plan), Known({}, (), Citations(()))).plan
    except (Unfit, PlanUnsound, msgspec.ValidationError):
        return None


def _members(reply: str) -> Iterator[tuple[str, object]]:
    """Yield the members of the object, those that are lists one by one. Raises ValueError where the text ends."""
    at = _skip_mark(reply, reply.index("{"), "{")
    while True:
        name, at = _DECODER.raw_decode(reply, at)
        at = _skip_mark(reply, at, ":")
        if name in _IN_PARTS:
            at = _skip_mark(reply, at, "[")
            while not reply.startswith("]", at):
                value, at = _DECODER.raw_decode(reply, at)
                yield name, value
                at = _skip_mark(reply, at, ",", or_before="]")
            at = _skip_mark(reply, at, "]")
        else:
            value, at = _DECODER.raw_decode(reply, at)
            yield name, value
        at = _skip_mark(reply, at, ",")


def _skip_mark(reply: str, at: int, mark: str, *, or_before: str = "") -> int:
    """Return the place after a mark and the space around it. Raises ValueError if something else stands."""
    at = _space(reply, at)
    if or_before and reply.startswith(or_before, at):
        return at
    if not reply.startswith(mark, at):
        raise ValueError(f"no {mark} at {at}")
    return _space(reply, at + 1)


def _space(reply: str, at: int) -> int:
    match = _SPACE.match(reply, at)
    return match.end() if match else at
