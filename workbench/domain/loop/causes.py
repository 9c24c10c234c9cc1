"""Why the planner changed a line: for feedback that it answered, for a finding, or by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workbench.domain.loop.tasks import Feedback, Finding, Handled
from workbench.domain.plan.checks.case import wording
from workbench.domain.plan.checks.words import is_named
from workbench.domain.plan.operations import (
    AddItem,
    AddSection,
    Cause,
    MoveItem,
    Operation,
    RemoveSection,
    SetSection,
    concerns,
)
from workbench.domain.plan.plan import Item, Plan
from workbench.domain.text.cleaning import shorten


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
        self._items: dict[str, tuple[str, Item]] = {
            item.id: (section.id, item) for plan in (old, new) for section in plan.sections for item in section.items
        }
        self._handled = [one for one in handled if one.sections]
        self._said = {one.id: one.text for one in feedback}
        self._findings = {one.item: one.rule for one in findings if one.item}

    def of(self, operation: Operation) -> Cause:
        """Return the cause of one of the changes.

        It is the feedback that names an item of it; else a finding about the item; else the feedback for which its
        section was changed.
        """
        names = list(concerns(operation))
        named = [one.feedback for one in self._handled if self._is_about(one.feedback, names)]
        found = next((self._findings[name] for name in names if name in self._findings), "")
        sections = set(self._sections(operation, names))
        near = [one.feedback for one in self._handled if sections & set(one.sections)]
        if named or (near and not found):
            return Cause("feedback", ", ".join(dict.fromkeys(named or near)))
        return Cause("finding", found) if found else Cause("planner")

    def _is_about(self, feedback: str, names: Sequence[str]) -> bool:
        said = self._said.get(feedback)
        known = (self._items[name][1] for name in names if name in self._items)
        return said is not None and any(is_named(wording(item), item.id, [said]) for item in known)

    def _sections(self, operation: Operation, names: Sequence[str]) -> Iterator[str]:
        yield from (self._items[name][0] for name in names if name in self._items)
        match operation:
            case AddItem(name) | MoveItem(_, name) | SetSection(name) | RemoveSection(name):
                yield name
            case AddSection(section):
                yield section.id
            case _:
                return


def cause_told(cause: Cause, feedback: Sequence[Feedback]) -> str:
    """Return why something was changed, in words, with the feedback that asked for it."""
    said = {one.id: one.text for one in feedback}
    match cause.kind:
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
        case "planner":
            return "by the planner"
        case _:
            return f"{cause.kind} {cause.source}".rstrip()
