"""Events with their bodies in full, put together from what they copy: written apart from ``domain/session/copies.py``.

There, parts are passed on from event to event; here, each body is rebuilt, checked by its hash and taken apart again.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain
from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from workbench.domain.log.envelope import UNREADABLE, Event, body_digest
from workbench.domain.session import events as say
from workbench.domain.session.copies import MOST_IN_ALL, MOST_IN_ONE
from workbench.domain.text.patterns import lazy_pattern

_COPYING = frozenset(
    kind.kind
    for kind in (
        say.CallStarted,
        say.CallFinished,
        say.PlanVerified,
        say.DeliverableWritten,
        say.EntityStored,
        say.IterationCompleted,
    )
)
_LINE = lazy_pattern(r".*?(?:\n|\\n|\},|\Z)", re.DOTALL)
_LONG_TEXT, _LONG_ITEM, _EACH_PART = 40, 600, 32
_Pool = list[tuple[str, ...]]


class Rebuilding(Struct):
    """Rebuilds the events of a session, from its first on."""

    _parts: dict[str, Callable[[], tuple[str, ...]]] = field(default_factory=dict)
    """Of the last event of each kind, and of each kind and agent; of those before it, with -1 and -2 after that."""
    _copied: int = 0

    def take(self, event: Event) -> Event | None:
        """Return the next event in full; None if it is not what was recorded.

        Its ``body_hash`` is that of its body, unless the event says less than was written.
        """
        if event.kind not in _COPYING or (event.kind == say.EntityStored.kind and event.origin == "given"):
            return event
        try:
            body, value = self._rebuilt(event)
        except (KeyError, IndexError, TypeError, *UNREADABLE):
            return None
        parts: Callable[[], tuple[str, ...]] = cache(lambda: tuple(_parts(value)))  # few are copied from
        for name in (event.kind, f"{event.kind} {event.agent}"):
            known = (parts, *(self._parts[one] for one in (name, f"{name} -1") if one in self._parts))
            self._parts |= dict(zip((name, f"{name} -1", f"{name} -2"), known, strict=False))
        is_as_written = body_digest(event.body) == event.body_hash
        return replace(event, body=msgspec.Raw(body), body_hash=body_digest(body) if is_as_written else "")

    def _rebuilt(self, event: Event) -> tuple[bytes, Any]:
        value = msgspec.json.decode(event.body)
        copied = value.get("copied") if isinstance(value, dict) else None
        if copied is None:
            return bytes(event.body), value
        pool = [self._parts[name]() for name in copied["of"]]
        before = self._copied
        full = self._in_full({name: one for name, one in value.items() if name != "copied"}, pool, before)
        body = msgspec.json.encode(full)
        if hashlib.sha256(body).hexdigest() != copied["sha256"]:
            raise ValueError(event.id)
        return body, full

    def _in_full(self, value: Any, pool: _Pool, before: int) -> Any:
        match value:
            case {"lines": list(parts)} if len(value) == 1:
                return "".join(one if isinstance(one, str) else "".join(self._run(one, pool, before)) for one in parts)
            case {"items": list(parts)} if len(value) == 1:
                runs = (
                    map(msgspec.json.decode, self._run(part, pool, before))
                    if isinstance(part, list)
                    else [self._in_full(part, pool, before)]
                    for part in parts
                )
                return list(chain.from_iterable(runs))
            case dict():
                return {name: self._in_full(one, pool, before) for name, one in value.items()}
            case list():
                return [self._in_full(one, pool, before) for one in value]
            case _:
                return value

    def _run(self, run: list[Any], pool: _Pool, before: int) -> list[str]:
        first, count = run
        parts: list[str] = []
        for source in pool:
            parts.extend(source[place] for place in range(first, min(first + count - len(parts), len(source))))
            first = max(first - len(source), 0)
        self._copied += sum(len(part) + _EACH_PART for part in parts)
        is_too_much = self._copied > MOST_IN_ALL or self._copied - before > MOST_IN_ONE
        if run[0] < 0 or len(parts) != count or is_too_much:
            raise IndexError(run)
        return parts


def _parts(value: Any) -> Iterator[str]:
    if isinstance(value, str) and len(value) >= _LONG_TEXT:
        yield from filter(None, _LINE.findall(value))
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        text = msgspec.json.encode(one).decode() if isinstance(value, list) else ""
        is_one_part = 0 < len(text) <= _LONG_ITEM and '"lines":[' not in text and '"items":[' not in text
        yield from (text,) if is_one_part else _parts(one)


def in_full(events: Iterable[Event]) -> Iterator[Event]:
    """Yield the events of a session in full, up to one that is not what was recorded."""
    rebuilding = Rebuilding()
    for event in events:
        whole = rebuilding.take(event)
        if whole is None:
            return
        yield whole
