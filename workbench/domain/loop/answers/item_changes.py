"""From an answer by item to operations on the plan, each with its named cause.

    ItemReply ─┬ a known id   ─▶ SetField for each field that differs, MoveItem for ``below``
               ├ a new id     ─▶ AddItem in the section where its kind stands
               ├ sections     ─▶ SetSection
               └ remove       ─▶ RemoveItem where a statement or a finding asks for it; else the person is asked

One bad change costs that change, never the answer: what was left out is said in a note.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from workbench.domain.errors import PlanUnsound
from workbench.domain.log.ids import slug
from workbench.domain.loop.answers.causes import steps_cited
from workbench.domain.loop.answers.coercion import as_id
from workbench.domain.loop.answers.item_reply import LISTS
from workbench.domain.loop.asking.tasks import MODEL, Finding
from workbench.domain.loop.plan_findings import named_as_cause
from workbench.domain.plan.changing.operations import (
    AddItem,
    AddSection,
    Cause,
    Change,
    MoveItem,
    Operation,
    RemoveItem,
    RemoveSection,
    SetField,
    SetSection,
    SetTitle,
    applied,
    fields_of,
)
from workbench.domain.plan.changing.restating import restated
from workbench.domain.plan.plan import Decision, Item, Origin, OriginKind, Plan, Section
from workbench.domain.session.named_files import Citations
from workbench.domain.statements.statement import GOAL, Statement

SECTIONS: dict[str, str] = {
    "goal": "Goal", "criteria": "Success criteria", "constraints": "Constraints", "scope": "Scope",
    "approach": "Approach", "assumptions": "Assumptions", "calendar": "Calendar and people", "money": "Money",
    "decisions": "Decisions", "steps": "Steps", "timetable": "Critical days", "risks": "Risks",
    "questions": "Open questions", "notes": "Notes",
}  # fmt: skip
"""Titles of a plan's sections, in their order."""
HOMES = {
    "people": "calendar", "working_time": "calendar", "days_off": "calendar", "places": "calendar", "funds": "money",
}  # fmt: skip
"""Sections of lists that are called otherwise."""


class Known(NamedTuple):
    """What an answer may name as a cause."""

    statements: Mapping[str, Statement]
    findings: Sequence[Finding]
    """As the planner was told them: V1 is the first."""
    citations: Citations
    """The lines of files that were read."""
    practice: Sequence[str] = ()
    """Ids of the steps of practice that it was offered."""


class Built(NamedTuple):
    """What an answer does to a plan."""

    plan: Plan
    changes: tuple[Change, ...]
    unasked: tuple[RemoveItem, ...]
    """Items that it wants to remove, and names no cause for."""
    notes: tuple[str, ...]
    """What was left out, each in a sentence."""


def built(plan: Plan, reply: Any, known: Known) -> Built:
    """Return what an ``ItemReply`` does to a plan."""
    builder = _Builder(plan, known)
    builder.take(reply)
    return Built(builder.plan, tuple(builder.changes), tuple(builder.unasked), tuple(builder.notes))


class _Builder:
    def __init__(self, plan: Plan, known: Known) -> None:
        self.plan = plan
        self.changes: list[Change] = []
        self.unasked: list[RemoveItem] = []
        self.notes: list[str] = []
        self._known = known
        self._findings = {f"V{number}": finding for number, finding in enumerate(known.findings, 1)}

    def take(self, reply: Any) -> None:
        if reply.title and reply.title != self.plan.title:
            self._do(SetTitle(reply.title), Cause("planner"))
        for prose in reply.sections:
            self._prose(prose.id, prose.text)
        for name, change in reply.changes():
            self._item(name, change)
        for removal in reply.remove:
            self._remove(removal.id, removal.because)

    # --- each kind of change ------------------------------------------------------------------------------------------

    def _item(self, name: str, change: Any) -> None:
        kind = LISTS[name]
        causes = self._causes(change.id, change.because)
        cause = self._cause(causes)
        given = {
            field: value
            for field, value in fields_of(change).items()
            if value is not None and field not in ("id", "because", "clear", "below")
        }
        there = self._items().get(change.id)
        if there is not None and type(there[1]) is not kind:
            self.notes.append(f"{change.id} in {name} was left out: it is another kind of item.")
        elif there is None:
            self._add(name, change, given, causes, cause)
        else:
            self._change(there[1], change, given, causes, cause)

    def _add(self, name: str, change: Any, given: dict[str, Any], causes: tuple[str, ...], cause: Cause) -> None:
        kind = LISTS[name]
        try:
            item = msgspec.convert(
                given | {"type": _tag(kind), "id": change.id, "causes": self._lasting(causes, kind)}, kind
            )
        except msgspec.ValidationError as error:
            self.notes.append(f"{change.id} was left out: {str(error).partition(' - ')[0].lower()}.")
            return
        item = replace(item, origin=self._origin(item, causes, cause))
        section = self._section_for(name, kind)
        after = change.below if self._stands_in(change.below, section) else self._last_of(section)
        self._do(AddItem(section, item, after), cause)

    def _change(self, item: Item, change: Any, given: dict[str, Any], causes: tuple[str, ...], cause: Cause) -> None:
        before, there = len(self.changes), self._items()
        for field in change.clear:
            if field in given or field not in item.__struct_fields__ or field in ("id", "origin", "causes"):
                continue
            if getattr(item, field) != _empty(type(item), field):
                self._do(SetField(item.id, field, None), cause)
        now = fields_of(item)
        for field, value in given.items():
            if now.get(field) != value and getattr(item, field) != _field_value(type(item), field, value):
                self._do(SetField(item.id, field, value), cause)
        self._restate(item, cause)
        if change.below and change.below != item.id:
            self._move(item.id, change.below, cause)
        new_causes = [one for one in self._lasting(causes, type(item)) if one not in item.causes]
        is_about = not there.keys().isdisjoint(new_causes)
        if new_causes and (is_about or len(self.changes) > before):
            self._do(SetField(item.id, "causes", [*item.causes, *new_causes]), cause)

    def _restate(self, item: Item, cause: Cause) -> None:
        """Let the words of an item say what its fields say now, where only those were changed."""
        now = self._items()[item.id][1]
        text = getattr(restated(item, now), "text", "")
        if text != getattr(now, "text", ""):
            self._do(SetField(item.id, "text", text), cause)

    def _move(self, item: str, below: str, cause: Cause) -> None:
        there = self._items()
        if below not in there:
            self.notes.append(f"{item} stays where it is: there is no {below}.")
            return
        section = there[below][0]
        ids = [one.id for one in section.items]
        is_there = item in ids and ids.index(item) == ids.index(below) + 1
        if not is_there:
            self._do(MoveItem(item, section.id, below), cause)

    def _remove(self, item: str, because: Sequence[str]) -> None:
        if item not in self._items():
            self.notes.append(f"{item} was not removed: there is no such item.")
            return
        cause = self._cause(self._causes(item, because))
        if cause.kind == "planner":
            self.unasked.append(RemoveItem(item))
        else:
            section = self._items()[item][0].id
            self._do(RemoveItem(item), cause)
            left = self.plan.section(section)
            if left is not None and not left.items and not left.text:
                self._do(RemoveSection(section), cause)

    def _prose(self, name: str, text: str) -> None:
        name = slug(name)
        if not name:
            self.notes.append("A section without an id was left out.")
            return
        section = self.plan.section(name)
        cause = Cause("planner")
        if section is None:
            title = SECTIONS.get(name) or name.replace("-", " ").capitalize()
            self._do(AddSection(Section(id=name, title=title, text=text), self._section_before(name)), cause)
        elif section.text != text:
            self._do(SetSection(name, "text", text), cause)

    # --- where things stand -------------------------------------------------------------------------------------------

    def _items(self) -> dict[str, tuple[Section, Item]]:
        return {item.id: (section, item) for section in self.plan.sections for item in section.items}

    def _section_for(self, name: str, kind: type[Item]) -> str:
        """Return the section where a list's items stand, made if need be."""
        home = HOMES.get(name, name)
        if self.plan.section(home) is not None:
            return home
        if name not in ("scope", "assumptions", "notes"):
            counts = {one.id: sum(isinstance(item, kind) for item in one.items) for one in self.plan.sections}
            most = max(counts, key=lambda one: counts[one], default="")
            if most and counts[most]:
                return most
        self._do(AddSection(Section(id=home, title=SECTIONS[home]), self._section_before(home)), Cause("planner"))
        return home

    def _section_before(self, name: str) -> str:
        """Return the section after which a new one is put, in the usual order; "" for the first place."""
        order = list(SECTIONS)
        earlier = set(order[: order.index(name)]) if name in SECTIONS else set(order)
        return next((section.id for section in reversed(self.plan.sections) if section.id in earlier), "")

    def _stands_in(self, item: str, section: str) -> bool:
        there = self._items().get(item)
        return there is not None and there[0].id == section

    def _last_of(self, section: str) -> str:
        items = there.items if (there := self.plan.section(section)) is not None else ()
        return items[-1].id if items else ""

    # --- why ----------------------------------------------------------------------------------------------------------

    def _causes(self, item: str, because: Sequence[str]) -> tuple[str, ...]:
        """Return those of the causes named that there are."""
        because = [as_id(one.strip(), "UV") or one.strip() for one in because]
        unknown = [one for one in because if not self._is_known(one)]
        if unknown:
            self.notes.append(f"{item} names {', '.join(one[:40] for one in unknown)} as a cause, which is unknown.")
        return tuple(dict.fromkeys(one for one in because if one not in unknown))

    def _is_known(self, cause: str) -> bool:
        return cause in self._known.statements or cause in self._findings or self._known.citations.knows(cause)

    def _lasting(self, causes: Sequence[str], kind: type[Item]) -> list[str]:
        """Return the causes that an item keeps: findings are numbered again each time.

        A decision about what was calculated names the item that this is about: the finding then waits for it.
        """
        found = [self._findings[cause] for cause in causes if cause in self._findings] if kind is Decision else []
        about = dict.fromkeys(one.item for one in found if one.rule != MODEL and one.item)
        return [*(one for one in causes if one not in self._findings), *about]

    def _cause(self, causes: Sequence[str]) -> Cause:
        said = [cause for cause in causes if cause in self._known.statements]
        if said:
            return Cause("statement", ", ".join(said))
        found = [self._findings[one] for one in causes if one in self._findings]
        if found:
            return Cause("finding", "; ".join(dict.fromkeys(map(named_as_cause, found))))
        return Cause("planner", ", ".join(causes))

    def _origin(self, item: Item, causes: Sequence[str], cause: Cause) -> Origin:
        if cause.kind == "statement":
            said = [self._known.statements[one] for one in causes if one in self._known.statements]
            sources = [one.source for one in said if one.source != GOAL]
            names = dict.fromkeys((*sources, *(one.id for one in said)))
            return Origin(_kind_of(said[0].source), ", ".join(names))
        if cause.kind == "finding":
            return Origin("finding", cause.source)
        lines = tuple(causes) or self._known.citations.cited_by(item)  # neither statements nor findings
        if lines:
            return Origin("file", ", ".join(lines))
        steps = steps_cited(item, self._known.practice)
        return Origin("practice", ", ".join(steps)) if steps else Origin("model")

    def _do(self, operation: Operation, cause: Cause) -> None:
        try:
            self.plan = applied(self.plan, (operation,))
        except PlanUnsound as error:
            self.notes.append(f"A change was left out: {error.message}")
            return
        self.changes.append(Change(operation, cause))


def _kind_of(source: str) -> OriginKind:
    if source == GOAL:
        return "goal"
    return "answer" if source.startswith("A") else "feedback"


def _tag(kind: type[Item]) -> str:
    return str(kind.__struct_config__.tag)


def _empty(kind: type[Item], field: str) -> Any:
    """Return the value of a field that says nothing; the field's own name for one that has to say something."""
    known = next(one for one in msgspec.structs.fields(kind) if one.name == field)
    if known.default_factory is not msgspec.NODEFAULT:
        return known.default_factory()
    return known.default if known.default is not msgspec.NODEFAULT else known


def _field_value(kind: type[Item], field: str, value: Any) -> Any:
    """Return a JSON value as a field has it; the value itself if it does not fit, which the operation then says."""
    known = next(one for one in msgspec.structs.fields(kind) if one.name == field)
    try:
        return msgspec.convert(value, known.type)
    except msgspec.ValidationError:
        return value
