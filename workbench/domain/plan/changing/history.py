"""What was done to a plan, change by change: which changes made a line, and how one of them is undone.

versions, each with its changes ─▶ changes_of ─▶ Made 3.2: S4 owner Tom → Anna, for feedback F1
└▶ undone("3.2") ─▶ the changes that take it back
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from workbench.domain.errors import NotFound, PlanUnsound, UsageError
from workbench.domain.plan.changing.operations import (
    AddItem,
    AddSection,
    Cause,
    Change,
    MoveItem,
    MoveSection,
    Operation,
    RemoveItem,
    RemoveSection,
    SetField,
    SetPlan,
    SetSection,
    SetTitle,
    applied,
    concerns,
    inverse,
    operations_between,
)
from workbench.domain.plan.markdown.fields import FIELDS, Field, number
from workbench.domain.plan.markdown.values import capacities
from workbench.domain.plan.plan import (
    Capacity,
    Constraint,
    DaysOff,
    Effort,
    Item,
    Person,
    Plan,
    Section,
    Step,
    WorkingTime,
    wording,
)
from workbench.domain.values.units import HOURS_A_DAY, MINUTES_A_DAY

_FEW = 2
"""Items of a new section that are told one by one."""
_SAID_BY_FIELDS = (Person, DaysOff, WorkingTime, Constraint)
"""Kinds of items that are little but their fields."""


class Version(Protocol):
    """A version of a plan."""

    @property
    def version(self) -> int:
        """Its number."""

    @property
    def plan(self) -> Plan:
        """The plan itself."""

    @property
    def changes(self) -> tuple[Change, ...]:
        """What made it of the version before."""


class Made(Struct, frozen=True):
    """A change that was made."""

    version: int
    number: int
    """Within its version, from 1."""
    change: Change
    before: Plan
    """The plan that it was made to."""

    @property
    def name(self) -> str:
        """``3.2``: the second change of version 3."""
        return f"{self.version}.{self.number}"

    @property
    def items(self) -> frozenset[str]:
        """Ids of the items that it made, changed or took out."""
        operation = self.change.operation
        if isinstance(operation, RemoveSection):
            return frozenset(item.id for item in _items(self.before.section(operation.section)))
        return frozenset(concerns(operation))

    @property
    def text(self) -> str:
        """What was done, in a few words."""
        return told(self.change.operation, self.before)

    @property
    def values(self) -> tuple[str, str, str] | None:
        """What it calls the field that it set, and its value before and after; None if it set none."""
        operation = self.change.operation
        after = applied(self.before, (operation,))
        match operation:
            case SetField(name, field, _):
                old, new = (_field_text(plan, name, field) for plan in (self.before, after))
                return _label(self.before.item(name), field), old, new
            case SetSection(name, field, value):
                return field, str(_value(self.before.section(name), field) or ""), value
            case SetTitle(value):
                return "title", self.before.title, value
            case _:
                return None


def changes_of(versions: Iterable[Version]) -> Iterator[Made]:
    """Yield all changes of a plan, in order; of versions that were written as a whole, what differs."""
    plan = Plan(title="")
    for version in versions:
        for place, change in enumerate(_single(plan, version), start=1):
            yield Made(version.version, place, change, plan)
            plan = applied(plan, (change.operation,))
        plan = version.plan


def _single(old: Plan, version: Version) -> Iterator[Change]:
    for change in version.changes:
        if isinstance(change.operation, SetPlan):
            yield from (Change(one, change.cause) for one in operations_between(old, version.plan))
        else:
            yield change


def undone(versions: Sequence[Version], *names: str) -> tuple[Change, ...]:
    """Return what takes changes back, by their names (``3.2``), or all changes of a version (``3``).

    Raises NotFound if there is none of that name, UsageError if a later change depends on it.
    """
    made = list(changes_of(versions))
    wanted = [one for one in made if {one.name, str(one.version)} & set(names)]
    for name in names:
        if not any(name in (one.name, str(one.version)) for one in wanted):
            raise NotFound(f"There is no change {name!r}.", "List them with `workbench sessions changes`.")
    if wanted[0].before == Plan(title="") and str(wanted[0].version) in names:
        raise UsageError(
            f"Version {wanted[0].version} is the first draft, which cannot be undone as a whole.",
            "Undo a single change of it, as 1.2.",
        )
    plan, back = versions[-1].plan, list[Change]()
    for one in reversed(wanted):
        later = [other for other in made if (other.version, other.number) > (one.version, one.number)]
        operation = beside_what_is_left(inverse(one.before, one.change.operation), one.before, plan)
        if not _stands(one, plan):
            raise _built_upon(one, [other for other in later if other not in wanted])
        try:
            plan = applied(plan, (operation,))
        except PlanUnsound as error:
            raise UsageError(f"{one.name} cannot be undone any more: {error.message}", "Edit the plan.") from error
        back.append(Change(operation, Cause("undo", one.name if one.name in names else str(one.version))))
    return tuple(back)


class Deed(Struct, frozen=True):
    """Something that was done as one, and is undone as one: a version of the plan, or a command beside it."""

    name: str
    """The version's number, or what its command is called."""
    undoes: frozenset[str] = frozenset()
    """Names of the deeds that it took back or made again; none if it did anything else."""


def deed_of(version: Version) -> Deed:
    """Return what a version of the plan did."""
    back = {change.cause.source for change in version.changes if change.cause.kind == "undo"}
    names = frozenset(name for source in back for name in source.split(", ") if "." not in name)
    is_undo = all(change.cause.kind == "undo" for change in version.changes)
    return Deed(str(version.version), names if is_undo else frozenset())


def undo_and_redo(deeds: Iterable[Deed]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return which deeds an undo takes back, and which a redo does, the next one last.

    A deed that takes others back is itself what a redo takes back; any other one ends what could be redone. Nothing
    from before the first draft is taken back.
    """
    to_undo: list[str] = []
    to_redo: list[str] = []
    for deed in deeds:
        if not deed.undoes:
            to_undo = [*to_undo, deed.name] if deed.name != "1" else []
            to_redo.clear()
        elif deed.undoes & {*to_redo}:
            to_redo = [one for one in to_redo if one not in deed.undoes]
            to_undo.append(deed.name)
        else:
            to_undo = [one for one in to_undo if one not in deed.undoes]
            to_redo.append(deed.name)
    return tuple(to_undo), tuple(to_redo)


def _stands(made: Made, plan: Plan) -> bool:
    """Tell whether a plan is, where a change was made, as that change left it."""
    operation = made.change.operation
    after = applied(made.before, (operation,))
    match operation:
        case SetField(item, field, _):
            return _value(after.item(item), field) == _value(plan.item(item), field)
        case AddItem():
            return plan.item(operation.item.id) == operation.item
        case RemoveItem(item):
            return plan.item(item) is None
        case MoveItem(item, section):
            return any(one.id == item for one in _items(plan.section(section)))
        case AddSection(section):
            return plan.section(section.id) == section
        case RemoveSection(name):
            return plan.section(name) is None
        case SetSection(name, field, _):
            return _value(after.section(name), field) == _value(plan.section(name), field)
        case _:
            return plan.title == after.title


def comes_back(versions: Sequence[Version], operations: Sequence[Operation]) -> bool:
    """Tell whether operations make something hold again that another program changed. Raises PlanUnsound.

    Dates do not count: they follow from the rest.
    """
    now = versions[-1].plan
    after = applied(now, operations)
    theirs = (made for made in changes_of(versions) if made.change.cause.kind == "client")
    return any(
        holds(made, after) and not holds(made, now)
        for made in theirs
        if getattr(made.change.operation, "field", "") not in ("start", "end")
        for holds in (_stands, _is_felt)
    )


def _is_felt(made: Made, plan: Plan) -> bool:
    """Tell whether a plan has something of what a change made, though it may have been changed since."""
    match made.change.operation:
        case SetField(name, field, _):
            item = plan.item(name)
            return item is not None and _value(item, field) != _value(made.before.item(name), field)
        case AddItem(_, item):
            return plan.item(item.id) is not None
        case AddSection(section):
            return plan.section(section.id) is not None
        case _:
            return _stands(made, plan)


def _built_upon(made: Made, later: Sequence[Made]) -> UsageError:
    """Return the error for a change that others depend on: the last of these goes first."""
    operation = made.change.operation
    others = [one for one in later if one.items & made.items or _section(one.change.operation) == _section(operation)]
    field = operation.field if isinstance(operation, SetField) else ""
    same = [other for other in others if field and getattr(other.change.operation, "field", "") == field]
    last = (same or others or [made])[-1]
    return UsageError(
        f"What {made.name} changed has been changed again, last by {last.name}: {last.text}.",
        f"Undo {last.name} first.",
    )


def _section(operation: Operation) -> str | None:
    match operation:
        case AddSection(section):
            return section.id
        case SetSection(name) | RemoveSection(name) | MoveSection(name):
            return name
        case _:
            return None


def beside_what_is_left(operation: Operation, before: Plan, plan: Plan) -> Operation:
    """Return an operation on one plan for another, with a neighbour that is there: the nearest of those before it."""
    match operation:
        case AddItem(name) | MoveItem(_, name):
            was, now = _items(before.section(name)), _items(plan.section(name))
            return replace(operation, after=_nearest(operation.after, was, now))
        case AddSection() | MoveSection():
            return replace(operation, after=_nearest(operation.after, before.sections, plan.sections))
        case _:
            return operation


def _nearest(name: str, before: Sequence[Item | Section], now: Sequence[Item | Section]) -> str:
    there = {one.id for one in now}
    names = [one.id for one in before]
    up_to = names[: names.index(name) + 1] if name in names else []
    return next((one for one in reversed(up_to) if one in there), "")


def _items(section: Section | None) -> tuple[Item, ...]:
    return section.items if section else ()


def _value(thing: Item | Section | None, field: str) -> object:
    return None if thing is None else getattr(thing, field, None)


def told(operation: Operation, before: Plan) -> str:
    """Return what an operation does to a plan, in a few words."""
    match operation:
        case SetField():
            return _set(operation, before, applied(before, (operation,)))
        case AddItem(_, item):
            return _added(item)
        case RemoveItem(name):
            return f"removed {name} {' '.join(_wording(item) for item in before.items if item.id == name)}".rstrip()
        case MoveItem(name, section, after):
            return f"moved {name} {f'behind {after}' if after else f'to the top of {section}'}"
        case AddSection(section):
            few = ", ".join(map(_added, section.items)) if len(section.items) <= _FEW else ""
            return few or f"added the section “{section.title}”{_item_count(section)}"
        case RemoveSection(name):
            section = before.section(name) or Section(id=name, title=name)
            return f"removed the section “{section.title}”{_item_count(section)}"
        case MoveSection(name, after):
            return f"moved the section {name} {f'behind {after}' if after else 'to the top'}"
        case SetSection(name, field, value):
            return f"renamed the section {name}: {value}" if field == "title" else f"rewrote the text of {name}"
        case SetTitle(value):
            return f"titled it “{value}”"
        case SetPlan():
            return "wrote it anew"


def change_texts(operations: Sequence[Operation], before: Plan) -> tuple[str, ...]:
    """Return what operations do, one after the other; those on fields that are one text are told as one."""
    lines, start, plan = list[str](), before, before
    for operation, following in zip_longest(operations, operations[1:]):
        plan = applied(plan, (operation,))
        if isinstance(operation, SetField) and isinstance(following, SetField) and operation.item == following.item:
            item = plan.item(operation.item)
            if _label(item, operation.field) == _label(item, following.field):
                continue
        lines.append(_set(operation, start, plan) if isinstance(operation, SetField) else told(operation, start))
        start = plan
    return tuple(lines)


def _set(operation: SetField, before: Plan, after: Plan) -> str:
    name, field = operation.item, operation.field
    old, new = (_field_text(plan, name, field) for plan in (before, after))
    return f"{name} {_label(before.item(name), field)}: {old or '–'} → {new or '–'}"


def _added(item: Item) -> str:
    """Return that an item is new; of one whose fields say more than its words, with them."""
    names = [_label(item, "weekdays")] if isinstance(item, WorkingTime) and not item.text else []
    words = names[0] if names else _wording(item)
    if not isinstance(item, _SAID_BY_FIELDS):
        return f"added {item.id} {words}"
    own = Plan(title="", sections=(Section(id="new", title="", items=(item,)),))
    fields = [field for field in FIELDS[type(item)].values() if field.name not in ("origin", "limits", "sets")]
    told = [(field.label.lower(), _field_text(own, item.id, field.name)) for field in fields]
    values = ", ".join(
        value if label in names else f"{label} {value}" for label, value in told if value not in ("", "–")
    )
    return f"added {item.id} {words}{f': {values}' if values else ''}"


def _item_count(section: Section) -> str:
    count = len(section.items)
    return f" with {count} {'item' if count == 1 else 'items'}" if count else ""


def _wording(item: Item) -> str:
    return f"“{wording(item)}”"


def _label(item: Item | None, field: str) -> str:
    fields = FIELDS[type(item)].values() if item is not None else ()
    return next((one.label.lower() for one in fields if field in one.names), field)


def _field_text(plan: Plan, name: str, field: str) -> str:
    """Return the value of a field as a person would say it, with those that are part of the same text."""
    item = plan.item(name)
    if item is None:
        return ""
    if isinstance(item, Person) and field == "capacity":
        week = item.weekdays or next(
            (one.weekdays for one in plan.items if isinstance(one, WorkingTime)), (1, 2, 3, 4, 5)
        )
        return "; ".join(_capacity(one, len(week)) for one in item.capacity)
    if isinstance(item, Step) and field.startswith("duration") and item.duration is not None and item.duration >= 1:
        return _elapsed(item.duration) if item.duration_elapsed else _counted_in(item.duration, "working day")
    known = next((one for one in FIELDS[type(item)].values() if field in one.names), None)
    if known:
        return _in_hours(item, known) or known.text_of(item)
    value = getattr(item, field)
    return "" if value is None else str(value)


def _capacity(capacity: Capacity, days: int) -> str:
    """Return ``10 h on 2027-01-26`` for a capacity of one day, which is kept as hours a week."""
    if capacity.first is None or capacity.first != capacity.last:
        return capacities((capacity,))
    return f"{number(round(capacity.hours / max(1, days), 2))} h on {capacity.first}"


def _elapsed(days: float) -> str:
    """Return ``6 weeks elapsed``, or ``10 days elapsed``."""
    return f"{_counted_in(days / 7, 'week') if days % 7 == 0 else _counted_in(days, 'day')} elapsed"


def _counted_in(count: float, unit: str) -> str:
    return f"{number(count)} {unit}{'' if count == 1 else 's'}"


def _in_hours(item: Item, field: Field) -> str:
    """Return ``6 h`` or ``30 min`` for less than a day of work; "" for what is no such length."""
    value = getattr(item, field.name)
    is_effort = isinstance(value, Effort)
    lengths = (value.low, value.likely, value.high) if is_effort else (value,) if field.name in _LENGTHS else ()
    if not lengths or value is None or not 0 < max(lengths) < 1:
        return ""
    for unit, in_a_day in (("h", HOURS_A_DAY), ("min", MINUTES_A_DAY)):
        counts = [round(days * in_a_day, 2) for days in lengths]
        if all(count == int(count) for count in counts):
            values: dict[str, Any] = {field.name: Effort(*counts) if is_effort else counts[0]}
            return field.text_of(replace(item, **values)).replace(" days", f" {unit}").replace(" day", f" {unit}")
    return ""


_LENGTHS = ("duration", "left")
"""Fields that are working days."""
