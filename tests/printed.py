"""What commands print as JSON where they build it by hand: each object's fields, checked on all that tests print."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from workbench.domain.loop.tasks import Finding
from workbench.replay.audit import Violation
from workbench.replay.comparing import Number
from workbench.replay.verification import Difference, Unchecked

_ITEM: dict[str, Any] = {
    "id": str,
    "session": str,
    "agent": str | None,
    "role": str,
    "seq": int,
    "time": str,
    "source": str,
    "section": str,
    "rank": int,
    "score": float,
    "parts": dict[str, Any],
    "reason": str,
    "tokens": int,
    "bytes": int,
    "pinned": bool,
    "why_not": str,
    "like": str,
    "by": str,
    "covers": list[str],
    "text": str,
}
_SESSION: dict[str, Any] = {
    "session": str,
    "name": str,
    "goal": str,
    "status": str,
    "created": str,
    "updated": str,
    "person": str,
    "model": str,
    "rules": list[Any],
    "events": int,
    "gate": dict[str, Any] | None,
    "approaches": list[dict[str, Any]],
    "approach": dict[str, Any] | None,
    "answers": list[Any],
    "feedback": list[dict[str, Any]],
    "statements": list[dict[str, Any]],
    "handled": list[dict[str, Any]],
    "plan": dict[str, Any] | None,
    "versions": list[dict[str, Any]],
    "saved_version": int | None,
    "iterations": list[dict[str, Any]],
    "stopped_because": str,
    "deliverable": str,
    "findings": list[dict[str, Any]],
    "repairs": list[dict[str, Any]],
    "files": list[dict[str, Any]],
    "research": list[dict[str, Any]],
    "entities": list[dict[str, str]],
    "tokens": int,
    "tokens_by": dict[str, int],
    "cost": float | None,
    "rating": dict[str, Any] | None,
    "outcome": dict[str, Any] | None,
}
_POINT: dict[str, Any] = {
    "label": str,
    "session": str,
    "name": str,
    "event": int,
    "time": str,
    "status": str,
    "version": int,
    "iterations": int,
    "call": str | None,
    "tokens": int,
    "cost": float | None,
}


def _struct(name: str, fields: dict[str, Any], schema: str = "") -> type[msgspec.Struct]:
    """Return a struct with these fields; one whose name ends in ``?`` may be missing."""
    known: list[Any] = [("schema", Literal[schema], schema)] if schema else []  # type: ignore[valid-type]
    for number, (field, kind) in enumerate(fields.items()):
        is_optional, label = field.endswith("?"), field.removesuffix("?")
        default = {"default": msgspec.UNSET} if is_optional else {}
        known.append(
            (f"field_{number}", kind | msgspec.UnsetType if is_optional else kind, msgspec.field(name=label, **default))
        )
    return msgspec.defstruct(name, known, kw_only=True, frozen=True, forbid_unknown_fields=True)


Item, Point = _struct("Item", _ITEM), _struct("Point", _POINT)
_SHARED: dict[str, Any] = {
    "key?": str | None,
    "value?": Any,
    "version?": int,
    "outcome?": str,
    "rule?": str | None,
    "loser?": Any,
    "losers?": list[Any],
    "merged_with?": str | None,
    "event_id?": str | None,
    "error?": str,
    "seq?": int,
    "session_id?": str,
    "timestamp?": str,
    "event_type?": str,
    "previous_value?": Any,
    "base_version?": int,
    "undone?": str | None,
    "lease?": str | None,
    "holder?": str | None,
    "taken_from?": str | None,
    "context_hash?": str,
}

_FIELDS: dict[str, tuple[str, dict[str, Any]]] = {
    "asked": (
        "workbench ask --json: an agent's answer, and what its workers did",
        {
            "session": str,
            "agent": str,
            "answer": str,
            "workers": list[dict[str, Any]],
            "tokens": int,
            "cost": float | None,
        },
    ),
    "audit": (
        "workbench audit --json: whether a session's prompts held only what they may; a line each",
        {
            "session": str,
            "ok": bool,
            "violations": list[Violation],
            "calls?": int,
            "checked_in_full?": int,
            "items?": int,
            "error?": str,
        },
    ),
    "rule": ("workbench audit --rules --json: a rule of the audit; a line each", {"rule": str, "text": str}),
    "comparison": (
        "workbench sessions diff --json: what differs between two points",
        {
            "a": Point,
            "b": Point,
            "relation": str,
            "same_up_to": int | None,
            "differs": bool,
            "plan": dict[str, Any],
            "insights": dict[str, list[str]],
            "findings": dict[str, list[Finding]],
            "context": dict[str, Any],
            "numbers": list[Number],
        },
    ),
    "setting": (
        "workbench config --json: a setting, and where its value comes from; a line each",
        {"setting": str, "value": Any, "source": str, "not_taken?": dict[str, Any]},
    ),
    "context": (
        "workbench context --json: what a model was sent for a call, and what it was not",
        {
            "session": str,
            "call": str,
            "role": str,
            "task": str,
            "attempt": int,
            "model": str,
            "time": str,
            "recorded": bool,
            "current_conversation": list[Item],
            "relevant_history": list[Item],
            "chat_history": list[Item],
            "ledger": dict[str, Any],
            "receipts": list[dict[str, Any]],
            "prompt": list[dict[str, Any]],
        },
    ),
    "doctor": (
        "workbench doctor --json: something that was checked; a line each",
        {"check": str, "level": Literal["ok", "warning", "problem"], "found": str, "remedy": str},
    ),
    "done": (
        "commands that only do something, with --json: what was done",
        {
            "session?": str,
            "name?": str,
            "stars?": int,
            "round?": int,
            "outcome?": str,
            "undo?": str,
            "deleted?": int,
            "kept?": int,
            "lost?": int,
            "files?": list[str],
            "events?": int,
            "imported?": bool,
            "lesson?": str,
        },
    ),
    "forgotten": (
        "workbench forget --json: what was redacted, and who else has it",
        {
            "session": str,
            "item": str,
            "part": bool,
            "events": list[str],
            "summaries": list[str],
            "copies": list[str],
            "in_names": bool,
            "quoted_by": list[dict[str, Any]],
            "shared_by": list[dict[str, Any]],
        },
    ),
    "fork": (
        "workbench sessions fork --json: the new session, and where it begins",
        {"session": str, "origin": str, "at": int},
    ),
    "found": (
        "workbench sessions search --json: an item of a session's memory; a line each",
        {
            "session": str,
            "name": str,
            "id": str,
            "who": str,
            "time": str,
            "why": str,
            "excerpt": str,
            "role": str,
            "literal": bool,
            "relevant": bool,
        },
    ),
    "listed": (
        "workbench sessions list --json: a session; a line each",
        {
            "session": str,
            "goal": str,
            "name": str,
            "status": str,
            "iterations": int,
            "events": int,
            "updated": str,
            "submissions?": int,
            "error?": str,
        },
    ),
    "migrated": (
        "workbench migrate --json: how the migration ended, the last line",
        {"from": str, "to": str, "streams": int, "failed": int, "left": list[str], "log": str},
    ),
    "migrated-log": (
        "workbench migrate --json: a log that was copied; a line each",
        {"part": str, "name": str, "how": str, "events?": int, "error?": str, "remedy?": str},
    ),
    "moment": (
        "workbench replay --json: an event in words; a line each",
        {"seq": int, "time": str, "kind": str, "actor": str, "origin": str, "text": str, "status": str},
    ),
    "progress": (
        "workbench run and resume --json: what happened; a line each",
        {
            "session": str,
            "event": str,
            "goal?": str,
            "model?": str,
            "role?": str,
            "note?": str,
            "task?": str,
            "tokens?": int,
            "call?": str,
            "number?": int,
            "change?": float,
        },
    ),
    "recalled": (
        "workbench recall --json: an item of a memory that was searched; a line each",
        {
            "rank": int,
            "id": str,
            "session": str,
            "agent": str | None,
            "role": str,
            "source": str,
            "score": float,
            "relevant?": bool,
            "relevance?": float,
            "parts?": dict[str, Any],
            "why": str,
            "tokens": int,
            "time": str,
            "text": str,
        },
    ),
    "remembered": (
        "workbench remember --json: something that was stored; a line each",
        {"session": str, "id": str, "role": str, "agent?": str | None},
    ),
    "rewound": (
        "workbench sessions rewind and redo --json: where the session is now",
        {"session": str, "status": str, "here": int, "behind": list[int], "ahead": list[int]},
    ),
    "run": (
        "workbench run and resume --json: how it ended, the last line",
        {
            "session": str,
            "status": str,
            "iterations": int,
            "stopped_because": str,
            "remedy": str,
            "gate": dict[str, Any] | None,
            "plan": dict[str, Any] | None,
            "kept": list[str],
            "tokens": int,
            "cost": float | None,
        },
    ),
    "session": ("workbench sessions show --json: everything of a session", _SESSION),
    "state": ("workbench replay --at N --json: everything of a session as of an event", _SESSION | {"at": int}),
    "shared": ("workbench shared get, set, delete, log, watch and undo --json: a value, or a change of one", _SHARED),
    "shared-claim": (
        "workbench shared claim and release --json: what became of a claim",
        {
            "outcome": str,
            "kind": str,
            "name": str,
            "holder": str,
            "waiting": int,
            "taken_over": str,
            "event_id": str | None,
            "error?": str,
        },
    ),
    "shared-session": (
        "workbench shared sessions --json: a session that takes part; a line each",
        {
            "session": str,
            "started_at": str,
            "last_heartbeat": str,
            "status": str,
            "current_task": str,
            "assigned_files": list[str],
            "assigned_tasks": list[str],
            "phase": str,
            "iteration": int,
            "question": str,
            "changes": int,
        },
    ),
    "trashed": (
        "workbench sessions trash --json: a file in the trash; a line each",
        {"session": str, "reason": str, "time": str, "file": str},
    ),
    "verified": (
        "workbench replay --verify --json: whether a session was executed again with the same events",
        {
            "session": str,
            "events": int,
            "verified": bool,
            "sound": bool,
            "first_difference": Difference | None,
            "reproduced": int,
            "recorded": int,
            "older_rules": list[int],
            "unchecked": list[Unchecked],
            "torn_bytes": int,
        },
    ),
}
PRINTED: dict[type[msgspec.Struct], str] = {
    _struct(name.title().replace("-", "") + "Object", fields, f"workbench.{name}/1"): title
    for name, (title, fields) in _FIELDS.items()
}
"""Each object that is built by hand, and which command prints it."""
