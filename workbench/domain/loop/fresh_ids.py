"""An id for each item of a planner's reply: what a model calls ``S1.5`` is kept, under an id that nothing else has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from workbench.domain.loop.coercion import as_id, plain
from workbench.domain.plan.markdown.grammar import LETTERS
from workbench.domain.plan.plan import Plan

_LETTER_OF = {plain(str(kind.__struct_config__.tag)): letter for letter, kind in LETTERS.items()}
"""By an item's type."""
_REFERRING = ("needs", "parent", "step", "answers")
"""Fields of items that name other items."""
_REST = re.compile(
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
