"""A planner's reply while it arrives: the sections that are complete already.

    '{"title": "Move", "amendments": [{"section": {…}}, {"sec' ─▶ Drafted("Move", one amendment)

A reply is JSON that ends somewhere; what is whole so far is read, the rest waits. Pure, and never raises.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from workbench.domain.plan.plan import Amendment
from workbench.domain.text.cleaning import clean_json, clean_name

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True, slots=True)
class Drafted:
    """What a planner has written so far."""

    title: str = ""
    amendments: tuple[Amendment, ...] = ()


def drafted(reply: str) -> Drafted:
    """Return the title and the complete amendments at the beginning of a planner's reply."""
    title, amendments = "", []
    try:
        for name, value in _members(reply):
            if name == "title":
                title = clean_name(value) if isinstance(value, str) else ""
            elif name == "amendments":
                amendments.append(msgspec.convert(clean_json(value), Amendment))
    except (ValueError, RecursionError, msgspec.ValidationError):
        pass  # the reply ends here for now, or is not what was asked for: the whole of it is judged by the core
    return Drafted(title, tuple(amendments))


def _members(reply: str) -> Iterator[tuple[str, object]]:
    """Yield the members of the object, those of ``amendments`` one by one. Raises ValueError where the text ends."""
    at = _behind(reply, reply.index("{"), "{")
    while True:
        name, at = _DECODER.raw_decode(reply, at)
        at = _behind(reply, at, ":")
        if name == "amendments":
            at = _behind(reply, at, "[")
            while not reply.startswith("]", at):
                value, at = _DECODER.raw_decode(reply, at)
                yield name, value
                at = _behind(reply, at, ",", or_before="]")
            at = _behind(reply, at, "]")
        else:
            value, at = _DECODER.raw_decode(reply, at)
            yield name, value
        at = _behind(reply, at, ",")


def _behind(reply: str, at: int, mark: str, *, or_before: str = "") -> int:
    """Return the place behind a mark and the space around it. Raises ValueError where something else stands."""
    at = _space(reply, at)
    if or_before and reply.startswith(or_before, at):
        return at
    if not reply.startswith(mark, at):
        raise ValueError(f"no {mark} at {at}")
    return _space(reply, at + 1)


def _space(reply: str, at: int) -> int:
    match = _SPACE.match(reply, at)
    return match.end() if match else at
