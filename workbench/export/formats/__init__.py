"""A plan's steps in the forms of other tools. Ids travel with them, so that an edited file can be brought back.

Plan ─▶ csv · ics · mermaid · tasks (GitHub, GitLab) · spec-kit · tasks.json (Task Master) · mspdi (MS Project XML)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import wraps

from msgspec.structs import replace

from workbench.domain.plan.plan import Item, Plan, Step
from workbench.export.formats.calendars import as_icalendar, as_mermaid
from workbench.export.formats.mspdi import as_mspdi
from workbench.export.formats.tables import as_csv
from workbench.export.formats.tasks import as_spec_kit, as_task_list, as_task_master

_Format = Callable[[Plan, datetime, str], str]


def _with_plain_ids(form: _Format) -> _Format:
    """Return a form that is given ids without anything that could mean something in it, whatever it is."""

    @wraps(form)
    def written(plan: Plan, now: datetime, session: str) -> str:
        sections = (replace(section, items=tuple(map(_with_plain_id, section.items))) for section in plan.sections)
        return form(replace(plan, sections=tuple(sections)), now, session)

    return written


def _with_plain_id(item: Item) -> Item:
    if not isinstance(item, Step):
        return item
    needs, lags = map(_plain, item.needs), (replace(lag, step=_plain(lag.step)) for lag in item.lags)
    return replace(item, id=_plain(item.id), needs=tuple(needs), parent=_plain(item.parent), lags=tuple(lags))


def _plain(name: str) -> str:
    return re.sub(r"[^\w.-]+", "-", name)


_FORMATS: Mapping[str, _Format] = {
    "csv": lambda plan, _now, _session: as_csv(plan),
    "ics": as_icalendar,
    "mermaid": lambda plan, _now, _session: as_mermaid(plan),
    "tasks": lambda plan, _now, _session: as_task_list(plan),
    "spec-kit": lambda plan, _now, _session: as_spec_kit(plan),
    "tasks.json": lambda plan, _now, _session: as_task_master(plan),
    "mspdi": lambda plan, now, _session: as_mspdi(plan, now),
}
FORMATS: Mapping[str, _Format] = {name: _with_plain_ids(form) for name, form in _FORMATS.items()}
"""By the name of the format: a plan, the moment of the export and the session's id, to the text of a file."""

__all__ = ["FORMATS"]
