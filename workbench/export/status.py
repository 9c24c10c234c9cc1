"""What a report does to a plan, before it is recorded: requests with their answers, and the dates that move."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Literal

import msgspec

from workbench.domain.plan.figures import Figures, figures
from workbench.domain.plan.operations import applied
from workbench.domain.plan.plan import Plan
from workbench.domain.requests import Request
from workbench.domain.session.state import SessionState


class MovedDate(msgspec.Struct, frozen=True, kw_only=True):
    """A day that is another one then."""

    step: str
    """Id of the step that ends on it; "" for the end of the plan."""
    was: date | None
    """None where there was none; so is ``now``."""
    now: date | None


class StatusObject(msgspec.Struct, frozen=True, kw_only=True):
    """A report, and what it does."""

    schema: Literal["workbench.status/1"] = "workbench.status/1"
    session: str
    version: int
    """Of the plan: the one that the report is about; once it is recorded, the one that it made."""
    requests: tuple[Request, ...]
    moved: tuple[MovedDate, ...]
    """Steps in the order of the plan; then the end of the plan, where it moves."""
    recorded: bool
    """Whether the plan is changed; else the same command with ``--yes`` changes it, where any request does."""


def moved_dates(plan: Plan, requests: Sequence[Request]) -> tuple[MovedDate, ...]:
    """Return the days that requests move."""
    operations = [operation for request in requests for operation in request.operations]
    return dates_between(plan, applied(plan, operations)) if operations else ()


def dates_between(before: Plan, after: Plan) -> tuple[MovedDate, ...]:
    """Return the days on which steps, and the plan, end in one plan and not in another."""
    old, new = figures(before), figures(after)
    ends, now = _ends(old), _ends(new)
    moved = [
        MovedDate(step=name, was=ends.get(name), now=now.get(name))
        for name in dict.fromkeys((*ends, *now))
        if ends.get(name) != now.get(name)
    ]
    if old.finish != new.finish:
        moved.append(MovedDate(step="", was=old.finish, now=new.finish))
    return tuple(moved)


def _ends(of: Figures) -> dict[str, date | None]:
    return {step.step: step.end for step in of.steps}


def status_object(
    state: SessionState, requests: Sequence[Request], moved: Sequence[MovedDate], *, recorded: bool
) -> dict[str, Any]:
    """Return a report as JSON values; docs/json/workbench.status-1.json is their schema."""
    told: dict[str, Any] = msgspec.to_builtins(
        StatusObject(
            session=state.session,
            version=state.version,
            requests=tuple(requests),
            moved=tuple(moved),
            recorded=recorded,
        )
    )
    return told
