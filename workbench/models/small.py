"""Small questions for small models: a first plan is asked for in parts, each with its own schema.

draft ─▶ steps ─▶ criteria, limits, risks ─▶ questions, statements ─▶ one answer, part by part as it arrives
└ fails: so does the draft          └ fails: told, and what came before is the answer
          └ interrupted: what came is in the log, and the others are asked for when it continues
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

import msgspec
from msgspec.structs import replace

from workbench.domain.errors import ModelError
from workbench.domain.loop.answers.item_reply import LISTS
from workbench.domain.loop.answers.reply_schema import part_of_schema
from workbench.domain.loop.asking.tasks import PlanTask
from workbench.domain.session.context import Message
from workbench.domain.text.loose_json import TooDeep, json_values
from workbench.domain.text.patterns import lazy_pattern
from workbench.models.answers import ended
from workbench.models.continuation import Leg, added
from workbench.models.ports import Noted, Part, Request, TextDelta, Thought

_SMALL = 14.0  # thousand millions of parameters
PARTS: tuple[tuple[str, ...], ...] = (
    ("title", "steps", "people", "sections"),
    ("criteria", "constraints", "risks", "decisions", "funds", "days_off", "working_time", "places", "timetable"),
    ("questions", "assumptions", "scope", "notes", "statements", "replaced", "insights"),
)
"""The fields of a draft that are asked for together."""
_FIELDS = {name for names in PARTS for name in names}
_SIZE = lazy_pattern(r"(?<![a-z0-9.])(\d{1,4}(?:\.\d{1,2})?)b(?![a-z0-9])", re.IGNORECASE)
_NEW = lazy_pattern(r"new([0-9]{1,4})", re.ASCII)


def is_small(name: str, *, unknown: bool = False) -> bool:
    """Tell whether a model is small by the size in its name, as in ``qwen3:8b``; ``unknown`` if it has none."""
    sizes = [float(size) for size in _SIZE.findall(name)]
    return max(sizes) <= _SMALL if sizes else unknown


def has_parts(request: Request) -> bool:
    """Tell whether a request is for a first plan by item, which can be asked for in parts."""
    task = request.task
    return isinstance(task, PlanTask) and task.by_item and not (task.plan or task.tools or request.is_repair)


async def in_parts(request: Request, ask: Callable[[Request], AsyncIterator[Part]]) -> AsyncIterator[Part]:
    """Yield the answer to a request, asked for in those parts that it has not. Raises what the first one raises."""
    draft = {name: value for part in request.came for name, value in _parse_reply(part).items()}
    if draft:
        yield TextDelta(_members(draft, {}))
        yield Noted("What came before the interruption is kept; only the rest is asked for.")
    whole = Leg()
    for number, fields in enumerate(PARTS, 1):
        if not draft.keys().isdisjoint(fields):
            continue
        leg, failure = Leg(), ""
        try:
            async with ended(ask(_question_text(request, draft, fields))) as parts:
                async for part in parts:
                    if leg.take(part):
                        yield Thought("") if isinstance(part, TextDelta) else part  # something arrives
        except ModelError as error:
            if whole.done is None:
                raise
            failure = error.message
        whole.done = leg.done or whole.done
        whole.usage = added(whole.usage, leg.usage) if whole.usage and leg.usage else leg.usage or whole.usage
        later = {name for names in PARTS[number:] for name in names}
        came = {name: value for name, value in _parse_reply(leg.text).items() if name not in later | draft.keys()}
        if not (came or draft):  # it is repaired whole
            yield TextDelta(leg.text)
            break
        if came:
            yield TextDelta(_members(came, draft))
        draft |= came
        counts = ", ".join(f"{name} ({len(value)})" for name, value in came.items() if value and name in LISTS)
        told = f"did not come: {failure}" if failure else f"came: {counts or 'nothing'}."
        kept = msgspec.json.encode(came).decode() if came and later and not failure else ""
        yield Noted(f"Part {number} of {len(PARTS)} {told}", came=kept)
    if draft:
        yield TextDelta("}")
        whole.done = whole.done and replace(whole.done, reason="stop")
    for last in whole.end():
        yield last


def _members(came: dict[str, Any], before: dict[str, Any]) -> str:
    """Return what continues with an object that has no end yet."""
    return ("," if before else "{") + msgspec.json.encode(came).decode()[1:-1]


def _question_text(request: Request, draft: dict[str, Any], fields: tuple[str, ...]) -> Request:
    """Return the request for a part; of what was written before, the ids and titles are told."""
    asked = f"Answer in parts. Now only with {', '.join(f'`{name}`' for name in fields)}: what is needed of them."
    if draft:
        items = [(name, str(one.get("id")), one) for name in LISTS for one in draft.get(name, ())]
        known = "; ".join(f"{name} {id_} {str(one.get('title') or one.get('text'))[:80]}" for name, id_, one in items)
        new = max((int(match[1]) for _, id_, _ in items if (match := _NEW.fullmatch(id_))), default=0)
        asked = f"Your plan so far, in brief: {known}. New ids go on with `new{new + 1}`.\n\n{asked}"
    schema = part_of_schema(request.schema, fields) if request.schema is not None else None
    return replace(request, messages=(*request.messages, Message(role="user", content=asked)), schema=schema)


def _parse_reply(text: str) -> dict[str, Any]:
    """Return the object of a reply that says most of a plan, without what is not an item in its lists."""
    objects: list[dict[str, Any]] = []
    with suppress(TooDeep):
        objects = [one.value for one in json_values(text) if isinstance(one.value, dict)]
    objects += [value for one in objects for value in one.values() if isinstance(value, dict)]  # it was wrapped
    best = max(objects, key=lambda one: len(one.keys() & _FIELDS), default={})
    lists = {name: value if isinstance(value, list) else [] for name, value in best.items() if name in LISTS}
    return best | {name: [one for one in value if isinstance(one, dict)] for name, value in lists.items()}
