"""Which sessions take part in the shared context, and how they are: active, idle, or crashed.

members of the fold ─┐
their own key ───────┼─▶ SessionInfo …       a member that is open nowhere has crashed; it holds what it held
their leases ────────┤
lives, heartbeats ───┘
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Literal

import msgspec

from workbench.domain.leases import held_by
from workbench.domain.shared import Member, SharedState
from workbench.domain.shared_input import OWN
from workbench.storage.ports import Lives

IDLE_AFTER = 10.0
"""Seconds without a heartbeat after which a session is idle."""

Status = Literal["active", "idle", "crashed"]


class SessionInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A session that takes part, for a person."""

    session_id: str
    started_at: str
    """When it joined: UTC, ISO 8601."""
    last_heartbeat: str
    """When something was last done in it; when it last changed something, where no heartbeat is known."""
    status: Status
    current_task: str = ""
    """The task that it has claimed, else what it plans."""
    assigned_files: tuple[str, ...] = ()
    """The files that it has claimed."""
    assigned_tasks: tuple[str, ...] = ()
    """The tasks that it has claimed."""
    phase: str = ""
    """What it is at: planning, verifying, asks, …"""
    iteration: int = 0
    question: str = ""
    """What it asks its person; "" where it asks nothing."""
    changes: int = 0
    """Changes that it has made since it joined."""

    @property
    def claimed(self) -> tuple[str, ...]:
        """Everything that it has claimed."""
        return (*self.assigned_files, *self.assigned_tasks)

    def as_object(self) -> dict[str, Any]:
        """Return it as JSON values."""
        fields = msgspec.structs.asdict(self)
        return {"session": fields.pop("session_id"), **fields}


def present(state: SharedState, lives: Lives, now: datetime) -> list[SessionInfo]:
    """Return the sessions that take part, by their ids. It asks the system for each: for a worker thread."""
    return [_info(state.members[session], state, lives, now) for session in sorted(state.members)]


def _info(member: Member, state: SharedState, lives: Lives, now: datetime) -> SessionInfo:
    course = state.entry(OWN + member.session).value
    said: Mapping[str, Any] = course if isinstance(course, dict) else {}
    leases = list(held_by(state.leases, member.session))
    tasks = tuple(lease.name for lease in leases if lease.kind == "task")
    beat = lives.since_beat(member.session)
    return SessionInfo(
        session_id=member.session,
        started_at=member.joined,
        last_heartbeat=member.last if beat is None else _stamp(now - timedelta(seconds=beat)),
        status=_status(member.session, lives, beat),
        current_task=", ".join(tasks) or _text(said, "goal"),
        assigned_files=tuple(lease.name for lease in leases if lease.kind == "file"),
        assigned_tasks=tasks,
        phase=_text(said, "phase"),
        iteration=_number(said, "iteration"),
        question=_text(said, "question"),
        changes=member.changes,
    )


def _status(session: str, lives: Lives, beat: float | None) -> Status:
    if lives.holder(session) is None:
        return "crashed"
    return "active" if beat is not None and beat < IDLE_AFTER else "idle"


def _text(said: Mapping[str, Any], name: str) -> str:
    value = said.get(name)
    return value if isinstance(value, str) else ""


def _number(said: Mapping[str, Any], name: str) -> int:
    value = said.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _stamp(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
