"""An id for each item of a planner's reply: what a model calls ``S1.5`` is kept, under an id that nothing else has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from workbench.domain.loop.answers.coercion import as_id, plain
from workbench.domain.plan.markdown.grammar import LETTERS, NUMBERED
from workbench.domain.plan.plan import Plan
from workbench.domain.text.patterns import lazy_pattern

_LETTER_OF = {plain(str(kind.__struct_config__.tag)): letter for letter, kind in LETTERS.items()}
"""By an item's type."""
_REFERRING = ("needs", "parent", "step", "answers")
"""Fields of items that name other items."""
_REST = lazy_pattern(
    r"\W*(?:(?:(?:the )?(?:rest|others?|remaining \w+)\b.{0,20})?\b(?:unchanged|as before)|\.\.\.|…)\W*", re.IGNORECASE
)
"""What says that the rest stays."""


def give_ids(reply: Any, plan: Plan | None) -> list[str]:
    """Give the items of a reply, in place, an id where theirs is none, wherever it is named; return notes of that.

    An id that is cut off stays: so is its item.
    """
    objects = list(_objects(reply))
    items = [(one, letter) for one in objects if (letter := _LETTER_OF.get(plain(str(one.get("type", "")))))]
    taken = {as_id(_name(one), letter) for one, letter in items} | {item.id for item in (plan.items if plan else ())}
    last = {letter: max((int(one[1:]) for one in taken if one.startswith(letter)), default=0) for letter in LETTERS}
    fresh: dict[str, str] = {}
    notes = [note for one in objects if isinstance(one.get("items"), list) for note in _put_out(one["items"])]
    for one, letter in items:
        name = _name(one)
        if as_id(name, letter) or name.endswith("…"):
            continue
        last[letter] += 1
        one["id"] = f"{letter}{last[letter]}"
        fresh.setdefault(name, one["id"])
        notes.append(f"{one['id']} is the id of what the model called {name[:40] or 'nothing'}.")
    for one in objects if fresh else ():
        one |= {field: _renamed(one[field], fresh) for field in _REFERRING if field in one}
    return notes


def give_item_ids(reply: dict[str, Any], plan: Plan | None, lists: Mapping[str, str]) -> list[str]:
    """Give the new items of an answer by item, in place, ids of the plan wherever they are named; return notes.

    ``lists``: the letters of each list's ids, that of new ones first. A new item has any name that is no id, ``new1``;
    an id that no item of the plan has is a new item's, too.
    """
    there = {item.id for item in (plan.items if plan else ())}
    lists = {plain(name): letters for name, letters in lists.items()}
    named = [
        (one, letters)
        for name, value in reply.items()
        if (letters := lists.get(plain(name)))
        for one in (value if isinstance(value, list) else [value])
        if isinstance(one, dict)
    ]
    taken = there | {as_id(_name(one), letters[0]) for one, letters in named}
    last: dict[str, int] = {}
    for known in taken:
        if (match := NUMBERED.fullmatch(known)) is not None:
            last[match[1]] = max(last.get(match[1], 0), int(match[2]))
    fresh: dict[str, str] = {}
    notes = []
    for one, letters in named:
        name, letter = _name(one), letters[0]
        if as_id(name, letter)[:1] in set(letters) or name.endswith("…"):
            continue
        last[letter] = last.get(letter, 0) + 1
        one["id"] = f"{letter}{last[letter]}"
        if name in fresh:
            notes.append(f"{name[:40]} is the name of two new items; other fields mean the first.")
        elif name:
            fresh[name] = one["id"]
    if fresh:
        _rename(reply, fresh)
    return notes


def _rename(value: Any, fresh: Mapping[str, str]) -> None:
    """Put ids in the place of names, in place, in every field that can name an item."""
    if isinstance(value, list):
        for one in value:
            _rename(one, fresh)
    elif isinstance(value, dict):
        for name, part in value.items():
            if plain(str(name)) in _NAMING and isinstance(part, str | list):
                value[name] = _renamed(part, dict(fresh))
            elif isinstance(part, str) and "new" in part:
                value[name] = _NEW.sub(lambda match: fresh.get(match[0], match[0]), part)
            if isinstance(part, dict | list):
                _rename(part, fresh)


_NEW = lazy_pattern(r"\bnew\d{1,4}\b")
"""A new item in prose: ``{new3.start}``, “see new3”."""
_NAMING = frozenset({"answers", "needs", "parent", "step", "decisions", "fund", "place", "below", "items", "decision"})
"""Fields of an answer by item that name items."""


def _put_out(items: list[Any]) -> Iterator[str]:
    """Take out what stands for items that are not written again, and yield a note of each."""
    for item in [one for one in items if isinstance(one, dict)]:
        words = str(item.get("title") or item.get("text") or "")
        if _REST.fullmatch(words):
            items.remove(item)
            yield f"“{words}” was left out: it is no item."


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _objects(part)


def _name(item: dict[str, Any]) -> str:
    return str(item.get("id") or "").strip()


def _renamed(value: Any, fresh: dict[str, str]) -> Any:
    if isinstance(value, list):
        return [_renamed(part, fresh) for part in value]
    return fresh.get(value.strip(), value) if isinstance(value, str) and value.strip() else value
