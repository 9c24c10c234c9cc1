"""Two changes of one JSON value become one: a three-way merge that always decides, and always alike.

                 ┌─▶ theirs   committed first ─┐
    base ────────┤                             ├─▶ merge ─▶ value, the rule that decided, and what lost
                 └─▶ mine     commits later ───┘

    they changed nothing        mine                                                 unchanged
    both made the same change   that                                                 same
    I changed nothing           theirs                                               no-change
    objects                     key by key, in depth                                 deep-merge
    lists                       both sides' additions, less both sides' removals     list-union
    deleted here, changed there the change                                           edit-over-delete
    a list, an object, a scalar mine, whatever theirs is                             type-clash
    scalars                     mine                                                 last-write

"Later" is the order of commits in the log, never a clock. A value that is not there is ABSENT; nothing within a value
is. Values are JSON as ``domain.shared`` lets it in: no infinite or undefined numbers, which JSON cannot tell apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

ABSENT = msgspec.UNSET
"""What stands for a value that is not there."""

Rule = Literal[
    "unchanged", "same", "no-change", "deep-merge", "list-union",
    "edit-over-delete", "type-clash", "last-write", "too-large",
]  # fmt: skip
"""What decided. ``too-large`` is of domain.shared: the merged value would not fit, so the later one stands."""


class Loser(msgspec.Struct, frozen=True, kw_only=True):
    """What one side wanted and the merged value does not hold."""

    path: tuple[str, ...] = ()
    """Keys from the value down to where it stood; () for the whole value."""
    value: Any = ABSENT
    """ABSENT where what lost was a deletion."""
    rule: str = "last-write"


class Merged(msgspec.Struct, frozen=True, kw_only=True):
    """What two changes came to."""

    value: Any = ABSENT
    rule: Rule
    """What decided about the value as a whole; ``losers`` say it of the parts."""
    losers: tuple[Loser, ...] = ()


_encode = msgspec.json.Encoder(order="sorted").encode


def same(one: Any, other: Any) -> bool:
    """Tell whether two values are the same JSON: ``1``, ``1.0`` and ``true`` are three, the order of keys is none."""
    if one is other:
        return True
    if one is ABSENT or other is ABSENT:
        return False
    return _encode(one) == _encode(other)


def merge(base: Any, theirs: Any, mine: Any, path: tuple[str, ...] = ()) -> Merged:
    """Return what two changes of ``base`` come to; ``mine`` commits later. Any of the three may be ABSENT.

    ``path``: where in the whole value they stand.
    """
    if same(base, theirs):
        return Merged(value=mine, rule="unchanged")
    if same(theirs, mine):
        return Merged(value=theirs, rule="same")
    if same(base, mine):
        return Merged(value=theirs, rule="no-change")
    if theirs is ABSENT or mine is ABSENT:
        edited = mine if theirs is ABSENT else theirs
        rule: Rule = "edit-over-delete"
        return Merged(value=edited, rule=rule, losers=(Loser(path=path, rule=rule),))
    if isinstance(theirs, dict) and isinstance(mine, dict):
        return _merge_objects(base if isinstance(base, dict) else {}, theirs, mine, path)
    if isinstance(theirs, list) and isinstance(mine, list):
        return _merge_lists(base if isinstance(base, list) else [], theirs, mine, path)
    rule = "type-clash" if _shape(theirs) is not _shape(mine) else "last-write"
    return Merged(value=mine, rule=rule, losers=(Loser(path=path, value=theirs, rule=rule),))


def _shape(value: Any) -> type:
    return type(value) if isinstance(value, dict | list) else object


def _merge_objects(
    base: Mapping[str, Any], theirs: Mapping[str, Any], mine: Mapping[str, Any], path: tuple[str, ...]
) -> Merged:
    """Merge key by key; the keys stand as theirs do, then what is new in mine."""
    value: dict[str, Any] = {}
    losers: list[Loser] = []
    for key in dict.fromkeys((*theirs, *mine)):
        part = merge(base.get(key, ABSENT), theirs.get(key, ABSENT), mine.get(key, ABSENT), (*path, key))
        losers += part.losers
        if part.value is not ABSENT:
            value[key] = part.value
    return Merged(value=value, rule="deep-merge", losers=tuple(losers))


def _merge_lists(base: list[Any], theirs: list[Any], mine: list[Any], path: tuple[str, ...]) -> Merged:
    """Unite two lists, in the order of theirs with what is new in mine after it.

    Where mine has another order than base, its order holds and what is new in theirs is after.
    """
    old, first, second = _numbered(base), _numbered(theirs), _numbered(mine)
    losers: tuple[Loser, ...] = ()
    if _reordered(old, second):
        if _reordered(old, first) and _reordered(first, second):
            losers = (Loser(path=path, value=theirs, rule="last-write"),)
        first, second = second, first
    kept = {name: element for name, element in first.items() if name in second or name not in old}
    added = {name: element for name, element in second.items() if name not in first and name not in old}
    return Merged(value=[*kept.values(), *added.values()], rule="list-union", losers=losers)


_Name = tuple[bytes, int]
"""An element as JSON, and how many like it stand before it: the second 7 of a list is another one than the first."""


def _numbered(elements: Sequence[Any]) -> dict[_Name, Any]:
    counts: dict[bytes, int] = {}
    numbered: dict[_Name, Any] = {}
    for element in elements:
        encoded = _encode(element)
        count = counts.get(encoded, 0)
        counts[encoded] = count + 1
        numbered[encoded, count] = element
    return numbered


def _reordered(before: Mapping[_Name, Any], after: Mapping[_Name, Any]) -> bool:
    """Tell whether what both lists hold is in another order in the later one."""
    return [name for name in before if name in after] != [name for name in after if name in before]
