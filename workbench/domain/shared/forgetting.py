"""Forgetting in what sessions share: which bodies of the shared stream say a text, and what they say without it.

What holds a body together stays: the names of its kind's fields, the ids of sessions and events, and the key under
which a session says what it is at. An event that nobody can read is redacted as a whole if it says the text, and one
that means nothing without it has no effect any more: no peer can keep anybody from forgetting.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from workbench.domain.log.envelope import UNREADABLE, Event
from workbench.domain.session.forgetting import MARK, is_forgettable, without
from workbench.domain.session.repetition import strings_of
from workbench.domain.shared import events as say
from workbench.domain.shared.input import OWN
from workbench.domain.text.mentions import Mentions


def shared_redactions(events: Sequence[Event], texts: Collection[str]) -> dict[str, msgspec.Raw]:
    """Return the bodies of shared events without these texts, for those that say one of them, in their order."""
    mentions = Mentions(texts)
    ids = {name for event in events for name in (event.id, event.session)}
    changed: dict[str, msgspec.Raw] = {}
    for event in events if texts else ():
        if event.kind == say.FORGOTTEN:
            continue
        try:
            body = msgspec.json.decode(event.body)
            redacted = _redacted(event, body, mentions, ids)
        except UNREADABLE:
            body = bytes(event.body).decode("utf-8", "replace")
            redacted = MARK if mentions.within(body) else body
        if redacted != body:
            changed[event.id] = msgspec.Raw(msgspec.json.encode(redacted))
    return changed


def _redacted(event: Event, body: Any, mentions: Mentions, ids: Collection[str]) -> Any:
    kind = say.KINDS.get(event.kind)
    if kind is None or not isinstance(body, dict):
        return without(body, mentions)
    kept = {
        name: value
        for name, value in body.items()
        if name == "of" or (isinstance(value, str) and (value in ids or (name, value) == ("key", OWN + event.session)))
    }
    return {
        name if name in kind.__struct_fields__ else mentions.replaced(name, MARK): kept[name]
        if name in kept
        else without(value, mentions)
        for name, value in body.items()
    }


def with_beginnings(texts: Collection[str], bodies: Iterable[Any]) -> tuple[str, ...]:
    """Return the texts, and what is left of them at the end of shortened strings of JSON values."""
    shown = (string for body in bodies for string in strings_of(body))
    return tuple(dict.fromkeys([*texts, *(left for one in shown for left in beginnings(one, texts))]))


def beginnings(shown: str, texts: Iterable[str]) -> Iterator[str]:
    """Yield with which beginnings of the texts, of 12 characters or more, a string ends that was shortened."""
    if not shown.endswith("…"):
        return
    said = " ".join(shown[:-1].split())
    for text in texts:
        plain = " ".join(text.split())
        lengths = range(min(len(plain), len(said)), 11, -1)
        left = next((plain[:length] for length in lengths if said.endswith(plain[:length])), "")
        if is_forgettable(left):
            yield left
