"""Items as they are read from Markdown: a head, the fields below it, and an id.

    - S4 · Switch over       ─▶ Draft ─▶ built(draft, id) ─▶ Step
      - Effort: 2 days · …   ─▶ its fields; what no field of it can hold stays with the item as it was written

``Ids.claim`` gives a draft the id it came with, or the next free one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.domain.plan.markdown.fields import FIELDS, OTHER_LABELS, read
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
from workbench.domain.plan.plan import Bullet, DaysOff, Item, Person, Row, Step, WorkingTime


@dataclass(slots=True)
class Draft:
    """An item as it is read: its head, then the fields below it."""

    kind: type[Item]
    id: str | None
    text: str
    workstream: str
    fields: dict[str, str] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    """What stands below it and fits no field."""


class Ids:
    """Gives new ids, above all that were given before."""

    def __init__(self, given: Iterable[str], *, is_first_reading: bool = False) -> None:
        self._is_first_reading = is_first_reading
        self._highest: dict[str, int] = {}
        self._kept: set[str] = set()
        for match in filter(None, map(NUMBERED.fullmatch, given)):
            self._highest[match[1]] = max(self._highest.get(match[1], 0), int(match[2]))

    def keep(self, ids: Iterable[str]) -> None:
        """Reserve ids for the items that have them."""
        self._kept.update(ids)

    def claim(self, draft: Draft) -> str:
        """Return the draft's own id, or the next free one of its kind where it has none or somebody else has it.

        In a plan that is read for the first time, an id that stands twice stays: which of the two is meant elsewhere
        is for the author to say, and a check asks.
        """
        is_own = draft.id and (draft.id not in self._kept or self._is_first_reading)
        claimed = draft.id if draft.id and is_own else self._next(draft.kind)
        self._kept.add(claimed)
        return claimed

    def _next(self, kind: type[Item]) -> str:
        letter = next(letter for letter, named in LETTERS.items() if named is kind)
        self._highest[letter] = self._highest.get(letter, 0) + 1
        return f"{letter}{self._highest[letter]}"


def read_fields(draft: Draft, line: str) -> None:
    """Give the fields of a line to the draft."""
    for piece in FIELD_SEPARATOR.split(line):
        match = FIELD.fullmatch(piece)
        if (match is None or not _is_taken(draft, match[1], match[2].strip())) and piece:
            draft.unread.append(plain_value(piece))


def _is_taken(draft: Draft, label: str, value: str) -> bool:
    """Give a field to a draft where it fits; days off below a working time change the kind of the draft."""
    kinds: list[type[Item]] = [draft.kind]
    if draft.kind is WorkingTime and not draft.fields:
        kinds.append(DaysOff)
    for kind in kinds:
        known = FIELDS[kind].get(label) or FIELDS[kind].get(OTHER_LABELS.get(kind, {}).get(label, ""))
        if known and known.label not in draft.fields and (not value or known.read(plain_value(value)) is not None):
            draft.kind = kind
            draft.fields[known.label] = plain_value(value)
            return True
    return False


_PROSE: Mapping[type[Item], str] = {Step: "notes", Person: "role"}
"""Fields that hold any words; the other kinds have only their text."""


def built(draft: Draft, item_id: str) -> Item:
    """Return the item of a draft. What fits no field goes to its notes or role, else to its text."""
    values = read(draft.kind, draft.fields)
    text = draft.text
    if prose := _PROSE.get(draft.kind):
        values[prose] = "\n".join(filter(None, (values.get(prose, ""), *draft.unread)))
    else:
        text = "\n".join(filter(None, (text, *draft.unread)))
    if draft.kind is Step:
        return Step(id=item_id, title=text, **{"workstream": draft.workstream, **values})
    if draft.kind is Bullet:
        priority, text = _priority(text)
        return Bullet(id=item_id, text=text, priority=priority, **values)
    if draft.kind is Row:
        return Row(id=item_id, text=text, **{"day": "", **values})
    kind: type[Any] = draft.kind
    item: Item = kind(id=item_id, text=text, **values)
    return item


def _priority(text: str) -> tuple[Any, str]:
    match = PRIORITY.fullmatch(text)
    if match is None:
        return None, plain_text(text)
    return next(level for level, word in PRIORITIES.items() if word == match[1]), plain_text(match[2] or "")
