"""Operations on items: the only way in which a plan changes, each with its cause.

    reply · edit · import · repair ─▶ operations_between ─▶ Change(operation, cause) … ─▶ applied ─▶ the next version
                                                                  └─ inverse ─▶ undone, exactly

A version is the fold of the operations before it. One on an item leaves every byte of everything else as it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Literal

import msgspec

from workbench.domain.errors import PlanUnsound
from workbench.domain.plan.plan import Item, Plan, Section

CauseKind = Literal[
    "planner", "statement", "feedback", "finding", "person", "undo", "repair", "policy", "import", "replan",
    "calculated", "client",
]  # fmt: skip


class Cause(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a plan was changed."""

    kind: CauseKind
    """``statement`` is what a person said, ``person`` an edit by hand, ``repair`` what was offered for a finding and a
    person accepted, ``policy`` what a policy accepted that a person named for findings of its rule, ``client`` what
    another program offered and a person accepted."""
    source: str = ""
    """Which one: ``U3``, ``F2``, a rule of the checks, the change that is undone (``3.2``)
    a file, a client's offer."""


class _Operation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do"):
    """One change of a plan."""


class SetField(_Operation, frozen=True, tag="set"):
    """Give a field of an item another value."""

    item: str
    field: str
    value: Any
    """As in JSON."""


class AddItem(_Operation, frozen=True, tag="add"):
    """Put a new item into a section."""

    section: str
    item: Item
    after: str = ""
    """Id of the item before it; "" for the first place."""


class RemoveItem(_Operation, frozen=True, tag="remove"):
    """Take an item out."""

    item: str


class MoveItem(_Operation, frozen=True, tag="move"):
    """Put an item elsewhere."""

    item: str
    section: str
    after: str = ""


class AddSection(_Operation, frozen=True, tag="add-section"):
    """Put in a new section, with its items."""

    section: Section
    after: str = ""
    """Id of the section before it; "" for the first place."""


class RemoveSection(_Operation, frozen=True, tag="remove-section"):
    """Take a section out, with its items."""

    section: str


class MoveSection(_Operation, frozen=True, tag="move-section"):
    """Put a section elsewhere."""

    section: str
    after: str = ""


class SetSection(_Operation, frozen=True, tag="set-section"):
    """Give a section another title, or other prose."""

    section: str
    field: Literal["title", "text"]
    value: str


class SetTitle(_Operation, frozen=True, tag="set-title"):
    """Give the plan another title."""

    value: str


class SetPlan(_Operation, frozen=True, tag="set-plan"):
    """Put a whole plan in the place of another: what events of rules 1 and 2 say."""

    plan: Plan


Operation = (
    SetField
    | AddItem
    | RemoveItem
    | MoveItem
    | AddSection
    | RemoveSection
    | MoveSection
    | SetSection
    | SetTitle
    | SetPlan
)


class Change(msgspec.Struct, frozen=True):
    """An operation that was carried out, and why."""

    operation: Operation
    cause: Cause


def applied(plan: Plan, operations: Iterable[Operation]) -> Plan:
    """Return the plan after operations, carried out in their order; what none of them concerns is the identical object.

    Raises PlanUnsound if one does not fit: what it names is not there, or is there already.
    """
    draft = _Draft(plan)
    for operation in operations:
        draft.apply(operation)
    return draft.plan()


def carried_out(plan: Plan, changes: Iterable[Change]) -> tuple[Plan, tuple[Change, ...]]:
    """Return the plan after those changes that fit, and these; the others are left out."""
    done: list[Change] = []
    for change in changes:
        try:
            plan = applied(plan, (change.operation,))
        except PlanUnsound:
            continue
        done.append(change)
    return plan, tuple(done)


def inverse(plan: Plan, operation: Operation) -> Operation:
    """Return the operation that undoes one carried out on this plan. Raises PlanUnsound as ``applied`` does."""
    draft = _Draft(plan)
    match operation:
        case SetField(item, field, _):
            section, at = _locate_item(plan, item)
            return SetField(item, field, fields_of(section.items[at]).get(field))
        case AddItem():
            return RemoveItem(operation.item.id)
        case RemoveItem(item):
            section, at = _locate_item(plan, item)
            return AddItem(section.id, section.items[at], _before(section.items, at))
        case MoveItem(item):
            section, at = _locate_item(plan, item)
            return MoveItem(item, section.id, _before(section.items, at))
        case AddSection(section):
            return RemoveSection(section.id)
        case RemoveSection(name):
            at = draft.at(name)
            return AddSection(plan.sections[at], _before(plan.sections, at))
        case MoveSection(name):
            return MoveSection(name, _before(plan.sections, draft.at(name)))
        case SetSection(name, field, _):
            return SetSection(name, field, getattr(plan.sections[draft.at(name)], field))
        case SetTitle():
            return SetTitle(plan.title)
        case SetPlan():
            return SetPlan(plan)


def concerns(operation: Operation) -> Iterator[str]:
    """Yield the ids of the items that an operation makes, changes or takes out."""
    match operation:
        case SetField(item) | RemoveItem(item) | MoveItem(item):
            yield item
        case AddItem(_, item):
            yield item.id
        case AddSection(section):
            yield from (item.id for item in section.items)
        case SetPlan(plan):
            yield from (item.id for item in plan.items)
        case _:
            return


def stands(removal: RemoveItem | RemoveSection, plan: Plan) -> bool:
    """Tell whether what an operation takes out is in a plan."""
    if isinstance(removal, RemoveSection):
        return plan.section(removal.section) is not None
    return any(item.id == removal.item for item in plan.items)


def operations_between(old: Plan, new: Plan, *, moved: Collection[str] = ()) -> tuple[Operation, ...]:
    """Return operations that make the new plan of the old one, item by item and field by field.

    ``moved``: ids of items that are known to have been moved; of others as few as possible are. A section in which ids
    stand twice is taken out and put in whole. Section ids have to be distinct.
    """
    return tuple(_between(old, new, moved))


def _between(old: Plan, new: Plan, moved: Collection[str]) -> Iterator[Operation]:
    if old.title != new.title:
        yield SetTitle(new.title)
    mixed = _with_doubles(old) | _with_doubles(new)
    before = {section.id: section for section in old.sections if section.id not in mixed}
    yield from (RemoveSection(section.id) for section in old.sections if section.id in mixed)
    items = {item.id: (section.id, item) for section in before.values() for item in section.items}
    after = {item.id for section in new.sections if section.id not in mixed for item in section.items}
    yield from (RemoveItem(item) for item in items if item not in after)
    kept = [section.id for section in new.sections if section.id in before]
    kept_in_place = staying([section.id for section in before.values() if section.id in kept], kept)
    previous = ""
    for section in new.sections:
        if section.id not in before:
            own = () if section.id not in mixed and any(item.id in items for item in section.items) else section.items
            yield AddSection(msgspec.structs.replace(section, items=own), previous)
        elif section.id not in kept_in_place:
            yield MoveSection(section.id, previous)
        previous = section.id
    for section in new.sections:
        was = before.get(section.id)
        if was is not None:
            yield from _section_changes(was, section)
        if was is not None or (section.id not in mixed and any(item.id in items for item in section.items)):
            yield from _items(was, section, items, moved)
    left = {section.id for section in new.sections}
    yield from (RemoveSection(section) for section in before if section not in left)


def _section_changes(old: Section, new: Section) -> Iterator[Operation]:
    if old.title != new.title:
        yield SetSection(new.id, "title", new.title)
    if old.text != new.text:
        yield SetSection(new.id, "text", new.text)


def _items(
    was: Section | None, section: Section, items: dict[str, tuple[str, Item]], moved: Collection[str]
) -> Iterator[Operation]:
    """Yield what makes the items of a section: each is put after the one before it, or stays."""
    here = [item.id for item in was.items] if was else []
    wanted = [item.id for item in section.items]
    in_both = set(here) & set(wanted)
    old, new = ([item for item in one if item in in_both] for one in (here, wanted))
    known_to_move = frozenset(moved) if old != new else frozenset[str]()
    old, new = ([item for item in one if item not in known_to_move] for one in (old, new))
    kept_in_place = staying(old, new)
    previous = ""
    for item in section.items:
        known = items.get(item.id)
        if known is None:
            yield AddItem(section.id, item, previous)
        elif type(known[1]) is not type(item):
            yield RemoveItem(item.id)
            yield AddItem(section.id, item, previous)
        else:
            if item.id not in kept_in_place:
                yield MoveItem(item.id, section.id, previous)
            if known[1] != item:
                yield from _fields(known[1], item)
        previous = item.id


def _fields(old: Item, new: Item) -> Iterator[Operation]:
    """Yield the fields that differ; one that is as it is without being said is null.

    A value that is the default is written or left out, as it came: written so, it is not an other one.
    """
    before, after = fields_of(old), fields_of(new)
    for name in new.__struct_fields__:
        if before.get(name) != after.get(name) and getattr(old, name) != getattr(new, name):
            yield SetField(new.id, name, after.get(name))


def fields_of(item: msgspec.Struct) -> dict[str, Any]:
    """Return a struct's fields as a log has them: lists, and no tuples."""
    values: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(item))
    return values


def _with_doubles(plan: Plan) -> set[str]:
    """Return the sections that have an item whose id stands twice in the plan."""
    count = Counter(item.id for item in plan.items)
    return {section.id for section in plan.sections if any(count[item.id] > 1 for item in section.items)}


def staying(old: Sequence[str], new: Sequence[str]) -> frozenset[str]:
    """Return ids that need not move to turn one order into the other: as many as possible."""
    if old == new:
        return frozenset(old)
    from rapidfuzz.distance import LCSseq  # no frame and no list of sessions waits for it

    same = (op for op in LCSseq.opcodes(old, new) if op.tag == "equal")
    return frozenset(name for op in same for name in old[op.src_start : op.src_end])


def _before(things: Sequence[Item] | Sequence[Section], at: int) -> str:
    return things[at - 1].id if at else ""


def _locate_item(plan: Plan, item: str) -> tuple[Section, int]:
    """Return the section of an item, and its place there. Raises PlanUnsound."""
    for section in plan.sections:
        for at, one in enumerate(section.items):
            if one.id == item:
                return section, at
    raise _unfit(f"There is no item {item!r}.")


class _Draft:
    """A plan in the middle of its operations. The items of one section at a time are a list, to be changed at once."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._title = plan.title
        self._sections = list(plan.sections)
        self._open, self._items = -1, list[Item]()
        self._places: dict[str, tuple[int, int]] = {}
        """Where items stood when they were last looked for."""
        self._ids: Counter[str] | None = None

    def plan(self) -> Plan:
        """Return the plan as it is now."""
        sections = tuple(self._closed())
        is_same = sections == self._plan.sections and self._title == self._plan.title
        return self._plan if is_same else Plan(title=self._title, sections=sections)

    def _closed(self) -> list[Section]:
        if self._open >= 0:
            items = tuple(self._items)
            self._sections[self._open] = msgspec.structs.replace(self._sections[self._open], items=items)
            self._open = -1
        return self._sections

    def _opened(self, at: int) -> list[Item]:
        if at != self._open:
            self._items = list(self._closed()[at].items)
            self._open = at
        return self._items

    def at(self, section: str) -> int:
        """Return the place of a section. Raises PlanUnsound."""
        place = next((at for at, one in enumerate(self._sections) if one.id == section), None)
        if place is None:
            raise _unfit(f"There is no section {section!r}.")
        return place

    def _place(self, item: str) -> tuple[int, int]:
        """Return the place of an item's section, and its own there. Raises PlanUnsound."""
        section, at = self._places.get(item, (-1, 0))
        if 0 <= section < len(self._sections):
            items = self._items if section == self._open else self._sections[section].items
            if at < len(items) and items[at].id == item:
                return section, at
        self._places = {}
        for section, one in enumerate(self._closed()):
            for at, held in enumerate(one.items):
                self._places.setdefault(held.id, (section, at))
        if item not in self._places:
            raise _unfit(f"There is no item {item!r}.")
        return self._places[item]

    def _take(self, item: str) -> Item:
        section, at = self._place(item)
        return self._opened(section).pop(at)

    def apply(self, operation: Operation) -> None:
        """Carry out one operation. Raises PlanUnsound."""
        match operation:
            case SetField(item, field, value):
                section, at = self._place(item)
                items = self._opened(section)
                items[at] = _with_field(items[at], field, value)
            case AddItem(name, item, after):
                self._ids = self._ids or Counter(one.id for section in self._closed() for one in section.items)
                if self._ids[item.id]:
                    raise _unfit(f"The id {item.id!r} is taken.")
                self._insert(name, item, after)
                self._ids[item.id] += 1
            case RemoveItem(item):
                self._take(item)
                self._ids = None
            case MoveItem(item, name, after):
                if item == after:
                    raise _unfit(f"{item!r} cannot stand behind itself.")
                self._insert(name, self._take(item), after)
                self._places.pop(item)  # another of its id may be before it
            case SetTitle(value):
                self._title = value
            case _:
                self._apply_to_sections(operation, self._closed())
                self._ids = None

    def _apply_to_sections(self, operation: Operation, sections: list[Section]) -> None:
        match operation:
            case AddSection(section, after):
                if any(one.id == section.id for one in sections):
                    raise _unfit(f"The section {section.id!r} is there already.")
                sections.insert(self.at(after) + 1 if after else 0, section)
            case RemoveSection(name):
                del sections[self.at(name)]
            case MoveSection(name, after):
                if name == after:
                    raise _unfit(f"{name!r} cannot stand behind itself.")
                section = sections.pop(self.at(name))
                sections.insert(self.at(after) + 1 if after else 0, section)
            case SetSection(name, field, value):
                at = self.at(name)
                title, text = (value, sections[at].text) if field == "title" else (sections[at].title, value)
                sections[at] = msgspec.structs.replace(sections[at], title=title, text=text)
            case SetPlan(plan):
                self._title, self._sections = plan.title, list(plan.sections)

    def _insert(self, name: str, item: Item, after: str) -> None:
        items, at = self._opened(self.at(name)), 0
        if after:
            near, at = self._places.get(after, (-1, 0))  # what is added in order is after what was added last
            if near != self._open or at >= len(items) or items[at].id != after:
                at = next((at for at, one in enumerate(items) if one.id == after), -1)
            if at < 0:
                raise _unfit(f"There is no item {after!r} in {name!r}.")
            at += 1
        items.insert(at, item)
        self._places[item.id] = self._open, at


def _with_field(item: Item, field: str, value: Any) -> Item:
    if field == "id" or field not in item.__struct_fields__:
        raise _unfit(f"{item.id} has no field {field!r} to set.")
    values = fields_of(item)
    values.pop(field, None)
    if value is not None:
        values[field] = value
    try:
        return msgspec.convert(values, type(item))
    except msgspec.ValidationError as error:
        raise _unfit(f"{field} of {item.id} cannot be set: {error}.") from error


def _unfit(why: str) -> PlanUnsound:
    return PlanUnsound(why, "Look at the plan as it is now, and give the change again.")
