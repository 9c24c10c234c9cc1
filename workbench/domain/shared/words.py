"""What a change to the shared context says, in a line: pure functions of two JSON values.

Values come from other sessions: what is returned is clean, on one line, and short.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from workbench.domain.log.envelope import UNREADABLE
from workbench.domain.shared.context import ContextEvent
from workbench.domain.shared.merge import ABSENT, Loser, same
from workbench.domain.text.cleaning import clean_json, clean_name

NOTHING = "–"
"""Stands for a value that is not there."""
_MOST_OF_A_VALUE = 40
"""Characters of one value in a line."""
_MOST_PARTS = 3
"""Parts of an object or list that are named; the others are counted."""
_encode = msgspec.json.Encoder(order="sorted").encode


def value_words(value: Any, most: int = _MOST_OF_A_VALUE) -> str:
    """Return a value as people read it: a text without quotation marks, unless it could be taken for something else."""
    if value is ABSENT:
        return NOTHING
    value = clean_json(value)
    if isinstance(value, str) and not _reads_as_json(value):
        return clean_name(value, most)
    written = msgspec.json.encode(value)[: most * 4 + 4]
    return clean_name(written.decode("utf-8", "ignore"), most)


def _reads_as_json(text: str) -> bool:
    if not text.strip():
        return True
    try:
        msgspec.json.decode(text)
    except UNREADABLE:
        return False
    return True


def change_words(before: Any, after: Any) -> str:
    """Return what changed between two values: of lists and objects, their parts."""
    return _change_text(clean_json(before), clean_json(after))


def _change_text(before: Any, after: Any) -> str:
    if same(before, after):
        return f"{value_words(after)} as it was"
    if before is ABSENT and isinstance(after, list | dict) and after:
        before = type(after)()
    if isinstance(before, list) and isinstance(after, list) and _can_compare(before, after):
        return _shortened_list(list(_list_parts(before, after))) or "another order"
    if isinstance(before, dict) and isinstance(after, dict) and _can_compare(before, after):
        return _shortened_list(list(_object_parts(before, after)))
    if before is ABSENT:
        return value_words(after)
    return f"{value_words(before)} → {value_words(after)}"


def _can_compare(before: Sequence[Any] | dict[str, Any], after: Sequence[Any] | dict[str, Any]) -> bool:
    return len(before) + len(after) <= 1_000  # more are not compared one by one


def _shortened_list(parts: Sequence[str]) -> str:
    more = len(parts) - _MOST_PARTS
    return ", ".join(parts[:_MOST_PARTS]) + (f" and {more:,} more" if more > 0 else "")


def _list_parts(before: list[Any], after: list[Any]) -> Iterator[str]:
    for sign, ones, others in (("+", after, before), ("−", before, after)):
        left = Counter(map(_encode, others))
        for one in ones:
            written = _encode(one)
            if left[written] > 0:
                left[written] -= 1
            else:
                yield f"{sign}{value_words(one)}"


def _object_parts(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    for key in dict.fromkeys((*before, *after)):
        old, new, name = before.get(key, ABSENT), after.get(key, ABSENT), clean_name(key, _MOST_OF_A_VALUE)
        if old is ABSENT:
            yield f"+{name}: {value_words(new)}"
        elif new is ABSENT:
            yield f"−{name}"
        elif not same(old, new):
            yield f"{name}: {_change_text(old, new)}"


def course_words(before: Any, after: Any) -> str:
    """Return what a session says of its own course: where it is, and what it asks, if that is new."""
    before, after = clean_json(before), clean_json(after)
    if not isinstance(after, dict):
        return "says no more what it is at" if after is ABSENT else value_words(after)
    old: dict[str, Any] = before if isinstance(before, dict) else {}
    new = {name: value for name, value in after.items() if not same(value, old.get(name, ABSENT))}
    parts = [value_words(new["phase"])] if new.get("phase") else []
    parts += [f"round {value_words(new['iteration'])}"] if new.get("iteration") else []
    parts += [f"plan v{value_words(new['plan'])}"] if new.get("plan") else []
    parts += [value_words(new["question"])] if new.get("question") else []
    return " · ".join(parts) or "goes on"


def conflict_words(event: ContextEvent) -> str:
    """Return by which rule a change was merged, what won and what lost; "" if it met no other."""
    if not event.rule or event.rule == "unchanged":
        return ""
    rule = _rule_words(event.rule)
    if not event.losers:
        return f"{rule}, nothing lost"
    first, *more = event.losers
    inner = "" if first.rule == event.rule else f"{rule} · "
    return f"{inner}{_lost(first, event.value)}" + (f" and {len(more):,} more" if more else "")


def lease_words(event: ContextEvent) -> str:
    """Return whose a claimed thing was, or is; "" if it was nobody's, or is its session's own now."""
    if event.taken_from:
        return f"taken over from {clean_name(event.taken_from)}"
    return f"{clean_name(event.holder)} has it" if event.holder not in ("", event.session_id) else ""


_RULES = {
    "last-write": "last to write wins",
    "list-union": "lists are joined",
    "deep-merge": "fields are merged",
    "edit-over-delete": "a change beats a deletion",
    "type-clash": "last to write wins, the kinds differ",
    "too-large": "last to write wins, too large to merge",
}


def _rule_words(rule: str) -> str:
    return _RULES.get(rule) or clean_name(rule)


def _lost(loser: Loser, value: Any) -> str:
    place = f" at {clean_name('.'.join(loser.path), _MOST_OF_A_VALUE)}" if loser.path else ""
    lost = "a deletion" if loser.value is ABSENT else value_words(loser.value)
    if loser.rule == "last-write":
        return f"{value_words(_value_at(value, loser.path))} in the place of {lost}{place}"
    return f"{_rule_words(loser.rule)}{place}: {value_words(_value_at(value, loser.path))} over {lost}"


def _value_at(value: Any, path: Sequence[str]) -> Any:
    """Return the part of a value at a path; ABSENT if there is none."""
    for key in path:
        value = value.get(key, ABSENT) if isinstance(value, dict) else ABSENT
    return value


def whole_words(value: Any) -> str:
    """Return the whole of a value as JSON over several lines; a text as it is."""
    if value is ABSENT:
        return NOTHING
    value = clean_json(value)
    if isinstance(value, str) and not _reads_as_json(value):
        return value
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
