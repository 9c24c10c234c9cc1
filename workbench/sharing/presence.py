"""Which sessions take part in the shared context, and how they are: active, idle, or crashed.

A member that is open nowhere has crashed; it holds what it held. A session leaves before its life ends. So one that is
open nowhere may have left since the state was read: only a state that was read after its life had ended can tell that
it crashed. One whose work has ended cannot crash at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from workbench.domain.shared.context import Member, SharedState
from workbench.domain.shared.input import OWN
from workbench.domain.shared.leases import held_by
from workbench.storage.ports import Lives, Sign

IDLE_AFTER = 10.0
"""Seconds without a heartbeat after which a session is idle."""

ReadState = Callable[[], SharedState]
"""Returns the state as it is now."""
HasEnded = Callable[[str], bool]
"""Tells whether a session's work has ended, by its log."""

Status = Literal["active", "idle", "crashed"]


class SessionInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A session that takes part, for a person."""

    session_id: str
    started_at: str
    """When it joined: UTC, ISO 8601."""
    last_heartbeat: str = ""
    """When something was last done in it: its last heartbeat, or what it shared or claimed since."""
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
    """What it asks its person; "" if it asks nothing."""
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


def present(read: ReadState, lives: Lives, now: datetime, has_ended: HasEnded) -> list[SessionInfo]:
    """Return the sessions that take part, by their ids. It asks the system for each: for a worker thread."""
    state = read()
    return [
        _dated(one, state.members[one.session_id], lives.since_beat(one.session_id), now)
        for one in Presence(lives, read, has_ended).look(state)
    ]


def _dated(info: SessionInfo, member: Member, since_beat: float | None, now: datetime) -> SessionInfo:
    beaten = "" if since_beat is None else f"{now - timedelta(seconds=since_beat):%Y-%m-%dT%H:%M:%S.%fZ}"
    return replace(info, last_heartbeat=max(beaten, member.last), changes=member.changes)


class Presence:
    """Who takes part, for who looks again and again: what the state tells of each is read once for each state.

    What changes all the time is left out: when each was last seen, and how many changes it made.
    """

    def __init__(self, lives: Lives, read: ReadState, has_ended: HasEnded) -> None:
        self._lives = lives
        self._read = read
        self._has_ended = has_ended
        self._state: SharedState | None = None
        """The state that was looked at last."""
        self._present: tuple[SessionInfo, ...] = ()
        self._gone: dict[str, bool] = {}
        """Those that are open nowhere and have not left, each with whether its work has ended."""

    def look(self, state: SharedState) -> tuple[SessionInfo, ...]:
        """Return the sessions that take part, by their ids. It asks the system for each: for a worker thread."""
        known = self._present if state is self._state else None
        told = known or tuple(_member(state.members[session], state) for session in sorted(state.members))
        statuses = {one.session_id: _status(self._lives.sign(one.session_id)) for one in told}
        gone = {session for session, status in statuses.items() if status == "crashed"}
        left = gone - self._gone.keys() - self._read().members.keys() if gone - self._gone.keys() else set()
        before = self._gone  # a log is read once for each time that its process goes
        self._gone = {one: before[one] if one in before else self._has_ended(one) for one in gone - left}
        statuses |= {session: "idle" for session, has_ended in self._gone.items() if has_ended}
        self._present = tuple(
            replace(one, status=statuses[one.session_id]) for one in told if one.session_id not in left
        )
        self._state = state
        return self._present


def _member(member: Member, state: SharedState) -> SessionInfo:
    course = state.entry(OWN + member.session).value
    said: Mapping[str, Any] = course if isinstance(course, dict) else {}
    leases = list(held_by(state.leases, member.session))
    tasks = tuple(lease.name for lease in leases if lease.kind == "task")
    return SessionInfo(
        session_id=member.session,
        started_at=member.joined,
        status="idle",
        current_task=", ".join(tasks) or _text(said, "goal"),
        assigned_files=tuple(lease.name for lease in leases if lease.kind == "file"),
        assigned_tasks=tasks,
        phase=_text(said, "phase"),
        iteration=_number(said, "iteration"),
        question=_text(said, "question"),
    )


def _status(sign: Sign) -> Status:
    if not sign.is_open:
        return "crashed"
    return "active" if sign.since_beat is not None and sign.since_beat < IDLE_AFTER else "idle"


def _text(said: Mapping[str, Any], name: str) -> str:
    value = said.get(name)
    return value if isinstance(value, str) else ""


def _number(said: Mapping[str, Any], name: str) -> int:
    value = said.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
