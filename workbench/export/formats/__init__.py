"""A plan's steps in the forms of other tools. Ids travel with them, so that an edited file can be brought back.

Plan ─▶ csv · ics · mermaid · tasks (GitHub, GitLab) · spec-kit · tasks.json (Task Master) · mspdi (MS Project XML)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from workbench.domain.plan.plan import Plan
from workbench.export.formats.calendars import as_icalendar, as_mermaid
from workbench.export.formats.mspdi import as_mspdi
from workbench.export.formats.tables import as_csv
from workbench.export.formats.tasks import as_spec_kit, as_task_list, as_task_master

FORMATS: Mapping[str, Callable[[Plan, datetime], str]] = {
    "csv": lambda plan, _now: as_csv(plan),
    "ics": as_icalendar,
    "mermaid": lambda plan, _now: as_mermaid(plan),
    "tasks": lambda plan, _now: as_task_list(plan),
    "spec-kit": lambda plan, _now: as_spec_kit(plan),
    "tasks.json": lambda plan, _now: as_task_master(plan),
    "mspdi": as_mspdi,
}
"""By the name of the format: a plan, and the moment of the export, to the text of a file."""

__all__ = ["FORMATS"]
