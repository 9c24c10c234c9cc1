"""Whether an event says what it should: byte for byte, or why not, at the first place where it says something else.

A body of an older form lacks fields that came later: they have their defaults. Scores of searches may differ in their
last digits: another machine's arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from workbench.domain.errors import LogDamaged
from workbench.domain.log.envelope import UNREADABLE, Draft, Event
from workbench.domain.session import events as say
from workbench.domain.text.cleaning import clean_name

SCORES_WITHIN = 1e-3
"""How far scores of a search may lie apart: similarities are rounded to 5 digits before they are weighed against their
spread, so that one which another machine rounds the other way moves a score by some 1e-4 (docs/adr/0020)."""
_SCORES = frozenset({"score", "parts"})
_SHOWN = 160
_HEADERS = ("v", "origin", "session", "agent", "actor", "cause", "turn", "workspace")


class Unlike(NamedTuple):
    """The first place at which an event says something else."""

    where: str
    """kind, another field of the header, or a place in the body, ``body.plan.sections.2.text``."""
    recorded: str
    """Short and clean."""
    expected: str


class Likeness(NamedTuple):
    """How an event compares with what it should say."""

    unlike: Unlike | None = None
    is_near: bool = False
    """Whether only scores differ, in their last digits."""


def compared(event: Event, expected: Draft) -> Likeness:
    """Compare an event with what it should say. Times and persons are given with every event, and not compared."""
    if event.kind != expected.kind:
        return Likeness(Unlike("kind", event.kind, expected.kind))
    body = _bodies(event, expected)
    if body.unlike is not None:
        return body
    for name in _HEADERS:
        recorded, wanted = getattr(event, name), getattr(expected, name)
        if recorded != wanted:
            return Likeness(Unlike(name, short_value(recorded), short_value(wanted)))
    if not event.id.endswith(f":{event.seq}"):
        return Likeness(Unlike("id", short_value(event.id), f"…:{event.seq}"))
    return body


def short_value(value: Any) -> str:
    """Return a value, of any origin, in a few clean words."""
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode(errors="replace")
    return clean_name(text, _SHOWN)


def _bodies(event: Event, expected: Draft) -> Likeness:
    if bytes(event.body) == bytes(expected.body):
        return Likeness()
    try:
        recorded = msgspec.json.decode(event.body)
        grown = msgspec.to_builtins(say.content(event))
    except (*UNREADABLE, LogDamaged) as error:
        wanted = clean_name(bytes(expected.body).decode(errors="replace"), _SHOWN)
        return Likeness(Unlike("body", f"cannot be read: {clean_name(str(error), _SHOWN)}", wanted))
    wanted = msgspec.json.decode(expected.body)
    differences = (*_added(recorded, grown, "body"), *_different(grown, wanted, "body"))
    far = next((difference for difference in differences if not difference.is_near), None)
    if far is not None:
        return Likeness(Unlike(far.where, _around(far.recorded, far.expected), _around(far.expected, far.recorded)))
    if msgspec.json.encode(recorded) != bytes(event.body):
        return Likeness(Unlike("body", "the same in another way of writing it", "as the workbench writes it"))
    return Likeness(is_near=bool(differences))


class _Different(NamedTuple):
    where: str
    recorded: Any
    expected: Any
    is_near: bool = False


def _added(recorded: Any, grown: Any, where: str) -> Iterator[_Different]:
    """Yield fields that are in a body and are none of its kind's."""
    if isinstance(recorded, dict) and isinstance(grown, Mapping):
        for name, value in recorded.items():
            if name in grown:
                yield from _added(value, grown[name], f"{where}.{name}")
            else:
                yield _Different(f"{where}.{clean_name(name)}", value, None)
    elif isinstance(recorded, list) and isinstance(grown, list | tuple):
        for place, (one, other) in enumerate(zip(recorded, grown, strict=False)):
            yield from _added(one, other, f"{where}.{place}")


def _different(recorded: Any, expected: Any, where: str, *, scored: bool = False) -> Iterator[_Different]:
    if isinstance(recorded, Mapping) and isinstance(expected, Mapping):
        for name in dict.fromkeys((*recorded, *expected)):
            is_score = scored or name in _SCORES
            if (name in recorded) != (name in expected):
                yield _Different(f"{where}.{clean_name(name)}", recorded.get(name), expected.get(name))
            else:
                yield from _different(recorded[name], expected[name], f"{where}.{name}", scored=is_score)
    elif isinstance(recorded, list | tuple) and isinstance(expected, list | tuple):
        for place, (one, other) in enumerate(zip(recorded, expected, strict=False)):
            yield from _different(one, other, f"{where}.{place}", scored=scored)
        if len(recorded) != len(expected):
            place = min(len(recorded), len(expected))
            yield _Different(f"{where}.{place}", list(recorded[place:]), list(expected[place:]))
    elif recorded != expected or type(recorded) is not type(expected):
        are_scores = scored and isinstance(recorded, int | float) and isinstance(expected, int | float)
        is_near = are_scores and math.isclose(recorded, expected, rel_tol=0, abs_tol=SCORES_WITHIN)
        yield _Different(where, recorded, expected, is_near)


def _around(text: Any, other: Any) -> str:
    """Return the part of a long text in which it differs from another one."""
    if not (isinstance(text, str) and isinstance(other, str)):
        return short_value(text)
    from rapidfuzz.distance import Prefix

    begin = max(Prefix.similarity(text, other) - _SHOWN // 4, 0)
    return short_value(("…" if begin else "") + text[begin : begin + _SHOWN * 2])
