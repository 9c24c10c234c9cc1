"""The sections of a plan as an outline: what each is called, what is to be seen to in it, and how many items it has.

Criteria    Δ2 »1  4      changed, notes of yours that wait, items
Steps       Δ5 !1 13      something was found on one of them
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from workbench.domain.plan.changing.operations import AddItem, AddSection, MoveItem, SetField
from workbench.domain.plan.plan import Plan, Section
from workbench.domain.session.state import PlanVersion, SessionState
from workbench.domain.text.cleaning import clean_name
from workbench.tui.lines import Row, joined, spread, text
from workbench.tui.marks import DIM, DONE, FAILED, FOCUS, Marks
from workbench.tui.session.drafting import Noted

Sign = Literal["added", "changed"]

_COUNT = 3  # cells for the number of items


def signs_of(version: PlanVersion) -> dict[str, Sign]:
    """Return what a version did to items, by their ids; nothing for the first one, where all is new."""
    signs: dict[str, Sign] = {}
    for change in version.changes if version.version > 1 else ():
        match change.operation:
            case AddItem(item=item):
                signs[item.id] = "added"
            case AddSection(section=section):
                signs |= dict.fromkeys((item.id for item in section.items), "added")
            case SetField(item=name) | MoveItem(item=name):
                signs.setdefault(name, "changed")
    return signs


def outline_rows(
    state: SessionState, plan: Plan, width: int, marks: Marks, *, noted: Sequence[Noted] = ()
) -> list[Row]:
    """Return a line for each section of the plan."""
    signs = signs_of(state.versions[-1])
    findings = {finding.item for finding in state.open_findings}
    rows = []
    for section in plan.sections:
        names = [item.id for item in section.items]
        notes = sum(note.place.section == section.id for note in noted)
        counts = (
            (marks.changed, FOCUS, sum(signs.get(name) == "changed" for name in names)),
            ("+", DONE, sum(signs.get(name) == "added" for name in names)),
            (marks.noted, FOCUS, notes),
            (marks.found, FAILED, sum(name in findings for name in names)),
        )
        told = [joined(text(mark, style), f"{count} ") for mark, style, count in counts if count]
        right = joined(*told, text(f"{len(names) or '':>{_COUNT}}", DIM))
        rows.append(Row((spread(text(called(section)), right, width),), key=f"place:{section.id}:0"))
    return rows


def called(section: Section) -> str:
    """Return a section's name, in one word where its id is the last word of it: Criteria, Questions."""
    title = clean_name(section.title, 60)
    last = title.rpartition(" ")[2]
    return last.capitalize() if last.lower() == section.id else title
