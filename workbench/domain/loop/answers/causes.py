"""Why the planner changed a line, and where a new one comes from: feedback, a finding, or the planner itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache

from msgspec import json
from msgspec.structs import fields, replace

from workbench.domain.loop.asking.tasks import KINDS_NOT_IN_SECTIONS, Feedback, Finding, Handled, fields_not_in_sections
from workbench.domain.plan.changing.operations import (
    AddItem,
    AddSection,
    Cause,
    CauseKind,
    MoveItem,
    Operation,
    RemoveSection,
    SetSection,
    concerns,
)
from workbench.domain.plan.plan import Item, Origin, OriginKind, Plan, Section
from workbench.domain.session.named_files import Citations
from workbench.domain.session.repetition import strings_of
from workbench.domain.statements.statement import Statement
from workbench.domain.text.cleaning import shorten
from workbench.domain.text.words import names_id


class Causes:
    """The causes of a reply's changes, as far as what the planner was told, and what it says of it, tell them."""

    def __init__(
        self,
        old: Plan,
        new: Plan,
        handled: Sequence[Handled],
        feedback: Sequence[Feedback],
        findings: Sequence[Finding],
    ) -> None:
        """``feedback`` is what was open, ``handled`` what the reply says became of it; ``findings`` were open."""
        self._homes: dict[str, str] = {
            item.id: section.id for plan in (old, new) for section in plan.sections for item in section.items
        }
        self._handled = [one for one in handled if one.sections]
        self._said = {one.id: one.text for one in feedback}
        self._findings = {finding.item: finding.rule for finding in findings if finding.item}

    def cause_of(self, operation: Operation) -> Cause:
        """Return the cause of one of the changes.

        It is the feedback that names an item of it by its id; else a finding about the item; else the feedback for
        which its section was changed.
        """
        names = list(concerns(operation))
        named = [one for one, text in self._said.items() if any(names_id(text, name) for name in names)]
        found = next((self._findings[name] for name in names if name in self._findings), "")
        sections = set(self._sections(operation, names))
        near = [one.feedback for one in self._handled if sections & set(one.sections)]
        if named or (near and not found):
            return Cause("feedback", ", ".join(dict.fromkeys(named or near)))
        return Cause("finding", found) if found else Cause("planner")

    def _sections(self, operation: Operation, names: Sequence[str]) -> Iterator[str]:
        yield from (self._homes[name] for name in names if name in self._homes)
        match operation:
            case AddItem(name) | MoveItem(_, name) | SetSection(name) | RemoveSection(name):
                yield name
            case AddSection(section):
                yield section.id
            case _:
                return


def with_what_no_model_says(
    old: Plan | None, new: Plan, causes: Causes, citations: Citations | None = None, *, practice: Sequence[str] = ()
) -> Plan:
    """Return a model's plan with what it is not asked for: that stays as it was; new items say where they come from.

    That is the lines of files that they cite, else the steps of practice, else what the planner was asked.
    ``practice``: ids of the steps that it was offered.
    """
    before = {item.id: item for item in old.items} if old is not None else {}

    def said(section: Section, item: Item) -> Item:
        was = before.get(item.id)
        if was is not None:
            unsaid = [name for name, value in _unasked_fields(type(item)) if getattr(item, name) == value]
            return replace(item, **{name: getattr(was, name) for name in unsaid if hasattr(was, name)})
        if item.origin and (item.origin.source or item.origin.kind not in ("goal", "answer", "feedback")):
            return item
        if citations is not None and (cited := citations.cited_by(item)):
            return replace(item, origin=Origin("file", ", ".join(cited)))
        if practice and (cited := steps_cited(item, practice)):
            return replace(item, origin=Origin("practice", ", ".join(cited)))
        cause = causes.cause_of(AddItem(section.id, item))
        return item if item.origin else replace(item, origin=Origin(_ORIGINS.get(cause.kind, "model"), cause.source))

    return _with_items(_with_kinds_no_model_says(old, new) if old is not None else new, said)


def _with_kinds_no_model_says(old: Plan, new: Plan) -> Plan:
    """Return a plan whose sections end with those items that they had and that no model could have named."""
    known = {item.id for item in new.items}
    sections = []
    for section in new.sections:
        was = old.section(section.id)
        left = tuple(
            item
            for item in (was.items if was is not None else ())
            if type(item).__name__ in KINDS_NOT_IN_SECTIONS and item.id not in known
        )
        sections.append(replace(section, items=(*section.items, *left)) if left else section)
    return replace(new, sections=tuple(sections))


def steps_cited(item: Item, practice: Sequence[str]) -> tuple[str, ...]:
    """Return the ids of steps of practice that an item names in any of its fields."""
    said = "\n".join(strings_of(json.decode(json.encode(item))))
    return tuple(name for name in practice if re.search(rf"(?<![\w./-]){re.escape(name)}(?![\w/-])", said))


@cache
def _unasked_fields(kind: type[Item]) -> tuple[tuple[str, object], ...]:
    """Return the fields of an item that no model is asked for, each as it is where nobody said anything."""
    return tuple(
        (field.name, field.default_factory() if callable(field.default_factory) else field.default)
        for field in fields(kind)
        if field.name in fields_not_in_sections(kind.__name__)
    )


_ORIGINS: Mapping[CauseKind, OriginKind] = {"feedback": "feedback", "finding": "finding"}


def made_by_hand(old: Plan, new: Plan) -> Plan:
    """Return a plan edited by hand in which new items say that a person made them."""
    known = {item.id for item in old.items}

    def said(_section: Section, item: Item) -> Item:
        return item if item.id in known or item.origin else replace(item, origin=Origin("person"))

    return _with_items(new, said)


def _with_items(plan: Plan, changed: Callable[[Section, Item], Item]) -> Plan:
    """Return a plan with other items; a section in which all are the same is the identical object."""
    sections = []
    for section in plan.sections:
        items = tuple(changed(section, item) for item in section.items)
        sections.append(section if items == section.items else replace(section, items=items))
    return replace(plan, sections=tuple(sections))


def cause_text(cause: Cause, feedback: Sequence[Feedback], statements: Iterable[Statement] = ()) -> str:
    """Return why something was changed, in words, with the feedback or the statements that asked for it."""
    said = {one.id: one.text for one in feedback}
    match cause.kind:
        case "statement":
            texts = {statement.id: statement.text for statement in statements}
            quoted = (f"{name} “{shorten(texts[name], 60)}”" for name in cause.source.split(", ") if name in texts)
            return f"for what you said: {', '.join(quoted) or cause.source}"
        case "feedback":
            quoted = (f"{name} “{shorten(said[name], 60)}”" for name in cause.source.split(", ") if name in said)
            return f"for your feedback {', '.join(quoted) or cause.source}"
        case "finding":
            return f"for the finding {cause.source}"
        case "person":
            return "edited by you"
        case "undo":
            return f"you undid {cause.source}"
        case "repair":
            return f"a repair for {cause.source} that you accepted"
        case "policy":
            return f"a repair for {cause.source}, accepted by the policy that you named"
        case "client":
            client, _, offer = cause.source.partition(" ")
            return f"{offer} of {client}, which you accepted" if offer else f"reported by {client}, as you allowed"
        case "planner":
            return "by the planner"
        case "replan":
            return "dated again, as you asked to plan again what is open"
        case "import":
            return f"imported from {cause.source}"
        case _:
            return f"{cause.kind} {cause.source}".rstrip()
