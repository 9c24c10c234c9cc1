"""A file that comes back to a session: what it said when it was written from its plan, or when the session began.

file ─▶ Imported ─▶ what the session began with, or the version whose export, read again, is nearest
                    ─▶ only what differs from that is an edit
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from workbench.domain.errors import UsageError
from workbench.domain.log.envelope import said_at
from workbench.domain.plan.changing.operations import operations_between
from workbench.domain.plan.importing.formats.ms_project import ID
from workbench.domain.plan.importing.imported import Format, Imported
from workbench.domain.plan.importing.own import is_own_table
from workbench.domain.plan.plan import Plan
from workbench.domain.session.session import SessionState
from workbench.domain.session.state import PlanVersion
from workbench.export.formats import FORMATS
from workbench.plan_files import read_plan

_FORMS: Mapping[Format, tuple[str, ...]] = {
    "csv": ("csv",), "task-master": ("tasks.json",), "json": ("tasks.json",), "mermaid": ("mermaid",),
    "ms-project": ("mspdi",), "icalendar": ("ics",), "ganttproject": (),
    **dict.fromkeys(("checklist", "spec-kit", "markdown", "text"), ("tasks", "spec-kit")),
}  # fmt: skip
"""Formats of imports, and the exports that are read so."""
_MOST_VERSIONS = 30
"""Versions that are looked at, from the newest."""


class Written(Struct, frozen=True):
    """The file as it was."""

    version: PlanVersion | None
    """None for the file that the session began with, which is not an export."""
    imported: Imported | None
    """What the file said when it was written; None if it holds the whole plan."""


def written_from(text: str, imported: Imported, state: SessionState, *, source: str, today: date) -> Written | None:
    """Return what a file was, which may have been edited since; None for one that the session does not know."""
    nearest: tuple[int, Written] | None = None
    if (begun := _begun_from(text, imported, state, source=source, today=today)) is not None:
        nearest = (_distance(begun.plan, imported.plan), Written(None, begun))
    for version in state.versions[: -_MOST_VERSIONS - 1 : -1]:
        was: Imported | None = None
        if imported.format != "workbench":
            now = said_at(state.updated)
            exports = ((form, FORMATS[form](version.plan, now, state.session)) for form in _FORMS[imported.format])
            exported = next((export for form, export in exports if _is_edit_of(text, export, form)), None)
            if exported is None:
                continue
            was = read_plan(exported, name=source, today=today, base=version.plan)
        distance = _distance(was.plan if was else version.plan, imported.plan)
        if nearest is None or distance < nearest[0]:
            nearest = (distance, Written(version, was))
        if not distance:
            break
    return nearest[1] if nearest else None


def _begun_from(text: str, imported: Imported, state: SessionState, *, source: str, today: date) -> Imported | None:
    """Return what the session's first file said, where this one has its name or half of its lines."""
    first = state.proposal
    is_same = first and (source == state.proposal_source or _is_edit_of(text, first, ""))
    if not is_same or imported.format == "workbench":
        return None
    with suppress(UsageError):
        was = read_plan(first, name=source, today=today, base=state.plan)
        return was if was.format == imported.format else None
    return None


def _distance(was: Plan, plan: Plan) -> int:
    return len(operations_between(_unsigned(was), _unsigned(plan)))


def _is_edit_of(text: str, exported: str, form: str) -> bool:
    """Tell whether a file was an export: a table by its heads, a project by its fields, else by lines."""
    if form == "csv":
        head = text.removeprefix("\ufeff").lstrip().partition("\n")[0]
        return is_own_table(re.split(r"[,;\t|]", head.replace('"', "").strip()))
    if form == "mspdi":
        return f">{ID}<" in text
    lines = {line.strip() for line in exported.splitlines() if line.strip()}
    return 2 * len(lines & {line.strip() for line in text.splitlines()}) >= len(lines)


def _unsigned(plan: Plan) -> Plan:
    """Return a plan without where its items come from: an export does not say."""
    return replace(
        plan,
        sections=tuple(
            replace(section, items=tuple(replace(item, origin=None) for item in section.items))
            for section in plan.sections
        ),
    )
