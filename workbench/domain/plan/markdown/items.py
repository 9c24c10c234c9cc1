"""Items as they are read from Markdown: a head, the fields below it, and an id.

    - S4 · Switch over       ─▶ Draft ─▶ built(draft, id) ─▶ Step
      - Effort: 2 days · …   ─▶ its fields; unread_fields returns what it has no place for

``Ids.claim`` gives a draft the id it came with, or the next free one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from workbench.domain.loop.limits import is_countable
from workbench.domain.plan.markdown.grammar import (
    FIELD,
    FIELD_SEPARATOR,
    LETTERS,
    NUMBERED,
    PRIORITIES,
    PRIORITY,
    plain_text,
    plain_value,
)
from workbench.domain.plan.plan import Bullet, Criterion, Decision, Effort, Item, Question, Risk, Step

_DAYS = r"(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)"
_EFFORT = re.compile(rf"{_DAYS} ?(?:d|days?)?(?: ?\({_DAYS} ?(?:–|-|to) ?{_DAYS}\))?", re.ASCII)

_FIELDS: dict[type[Item], frozenset[str]] = {
    Criterion: frozenset({"Measure", "Target", "Due"}),
    Step: frozenset({"Outcome", "Check", "Owner", "Effort", "Start", "End", "Workstream", "Needs", "Answers"}),
    Risk: frozenset({"Likelihood", "Impact", "Sign", "Response", "Answers"}),
    Decision: frozenset({"Reason", "Answers"}),
    Question: frozenset({"Assumption", "Owner"}),
    Bullet: frozenset({"Answers"}),
}


@dataclass(slots=True)
class Draft:
    """An item as it is read: its head, then the fields below it."""

    kind: type[Item]
    id: str | None
    text: str
    workstream: str
    fields: dict[str, str] = field(default_factory=dict)


class Ids:
    """Gives new ids, above all that were given before."""

    def __init__(self, given: Iterable[str]) -> None:
        self._highest: dict[str, int] = {}
        self._kept: set[str] = set()
        for match in filter(None, map(NUMBERED.fullmatch, given)):
            self._highest[match[1]] = max(self._highest.get(match[1], 0), int(match[2]))

    def keep(self, ids: Iterable[str]) -> None:
        """Reserve ids for the items that have them."""
        self._kept.update(ids)

    def claim(self, draft: Draft) -> str:
        """Return the draft's own id, or the next free one of its kind where it has none or somebody else has it."""
        claimed = draft.id if draft.id and draft.id not in self._kept else self._next(draft.kind)
        self._kept.add(claimed)
        return claimed

    def _next(self, kind: type[Item]) -> str:
        letter = next(letter for letter, named in LETTERS.items() if named is kind)
        self._highest[letter] = self._highest.get(letter, 0) + 1
        return f"{letter}{self._highest[letter]}"


def unread_fields(draft: Draft, line: str) -> list[str]:
    """Give the fields of a line to the draft; return, as bullets, what it has no place for."""
    unread: list[str] = []
    for piece in FIELD_SEPARATOR.split(line):
        match = FIELD.fullmatch(piece)
        if match and match[1] not in draft.fields and _fits(draft.kind, match[1], match[2]):
            draft.fields[match[1]] = plain_value(match[2].strip())
        else:
            unread.append(f"- {piece}")
    return unread


def _fits(kind: type[Item], label: str, value: str) -> bool:
    if label not in _FIELDS.get(kind, ()):
        return False
    match label:
        case "Effort":
            return _effort(value.strip()) is not None
        case "Likelihood" | "Impact":
            return value.strip() in {"low", "medium", "high"}
        case _:
            return True


def built(draft: Draft, item_id: str) -> Item:
    """Return the item of a draft; only fields that its kind has were given to it."""
    values: dict[str, Any] = {label.lower(): value for label, value in draft.fields.items() if value}
    for label in ("needs", "answers"):
        if label in values:
            values[label] = tuple(re.findall(r"[^,\s]+", values[label]))
    if "effort" in values:
        values["effort"] = _effort(values["effort"])
    if draft.kind is Step:
        return Step(id=item_id, title=draft.text, **{"workstream": draft.workstream, **values})
    if draft.kind is Bullet:
        priority, text = _priority(draft.text)
        return Bullet(id=item_id, text=text, priority=priority, **values)
    kind: type[Any] = draft.kind
    item: Item = kind(id=item_id, text=draft.text, **values)
    return item


def _priority(text: str) -> tuple[Any, str]:
    match = PRIORITY.fullmatch(text)
    if match is None:
        return None, plain_text(text)
    return next(level for level, word in PRIORITIES.items() if word == match[1]), plain_text(match[2] or "")


def _effort(value: str) -> Effort | None:
    match = _EFFORT.fullmatch(value)
    if match is None:
        return None
    likely = float(match[1])
    effort = Effort(low=float(match[2] or likely), likely=likely, high=float(match[3] or likely))
    return effort if is_countable(effort) else None
