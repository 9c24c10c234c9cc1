"""The sessions of a workspace as a list shows them: summaries that the catalogue caches, and who drives them now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeAlias

import msgspec

from workbench.bootstrap.parts import Parts
from workbench.domain.errors import LogError, NotFound
from workbench.domain.log.envelope import Event, said_at
from workbench.storage.catalogue import Catalogue, Entry

if TYPE_CHECKING:  # what audits, and reads whole sessions, is imported when it does
    from workbench.domain.session.standing import OpenPlan
    from workbench.domain.session.state import SessionState
    from workbench.replay.audit.neighbours import Privacy

_BEGINS_WITHIN = timedelta(seconds=5)
"""How long a new session may take until somebody drives it."""
_BEGINNING = frozenset(
    {"session.created", "lessons.given", "practice.given", "research.switched", "tools.offered", "file.read"}
)
"""Kinds of the events that a session has before anybody drives it."""
SUMMARY_VERSION = "6"
"""Raised when ``Summary`` has other fields, so that caches of older ones are made again."""


SessionCatalogue: TypeAlias = "Catalogue[Any]"
"""What a workspace knows of its sessions: kept for as long as it is open, so that who lists again stats the files."""


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """A session in a list."""

    session: str
    goal: str = ""
    name: str = ""
    status: str
    """running, waiting, finished, stopped, failed, interrupted (nobody drives it any more), or unreadable."""
    iterations: int = 0
    events: int = 0
    updated: str
    """UTC, ISO 8601; of the file if the session cannot be read, and "" if it is in none."""
    submissions: int = 0
    """Versions of a plan of another program, if the session is its review."""
    error: str = ""
    """Why it cannot be read, and what to do."""

    @classmethod
    def from_state(cls, state: SessionState, session: str = "") -> Self:
        """Return a session that was read, by the name of its file or its own."""
        return cls(
            session=session or state.session,
            goal=state.goal,
            name=state.name,
            status=state.status,
            iterations=len(state.iterations),
            events=state.seq,
            updated=state.updated,
            submissions=len(state.submissions),
        )

    def as_object(self) -> dict[str, object]:
        """Return it as JSON values; ``error`` and ``submissions`` only if there are some."""
        fields: dict[str, object] = msgspec.structs.asdict(self)
        return {name: value for name, value in fields.items() if value or name not in ("error", "submissions")}


def privacy_of_sessions(parts: Parts) -> dict[str, Privacy]:
    """Return when each session was private, as an audit asks: only what was appended since the last time is read."""
    from workbench.replay.audit.neighbours import Privacy, privacy_in

    def told(before: dict[str, Any] | None, events: Sequence[Event]) -> dict[str, Any]:
        return {"privacy": [*(before or {"privacy": []})["privacy"], *privacy_in(events)]}

    catalogue: Catalogue[Any] = Catalogue(
        parts.backend.log(),
        parts.folder.cache / "privacy.json",
        told,
        version="1",
        accept=msgspec.json.Decoder(dict[str, Privacy]).decode,
        seal=parts.seal,
        files=parts.folder.files,
    )
    return {entry.stream: entry.summary["privacy"] for entry in catalogue.entries() if entry.summary is not None}


def catalogue_of(parts: Parts) -> SessionCatalogue:
    """Return the catalogue of a workspace's sessions."""
    return Catalogue(
        parts.backend.log(),
        parts.folder.cache / "sessions.json",
        _summarised,
        version=SUMMARY_VERSION,
        accept=_accepted,
        seal=parts.seal,
        files=parts.folder.files,
    )


def list_sessions(parts: Parts, catalogue: SessionCatalogue) -> list[Listed]:
    """Return every session, newest first. One whose file cannot be read is listed with the reason."""
    listed = [_as_driven(entry, parts) for entry in catalogue.entries()]
    return sorted(listed, key=lambda session: (session.updated, session.session), reverse=True)


class OpenPlans(NamedTuple):
    """What is open of the plans of a workspace."""

    plans: list[OpenPlan]
    """The newest first; none of a private session."""
    unreadable: list[tuple[str, str]]
    """Each session that cannot be read, and why."""


def list_open_plans(parts: Parts) -> OpenPlans:
    """Return the plans that are carried out: a session is read again only where it changed."""
    every = list_plans(parts)
    return every._replace(plans=[plan for plan in every.plans if plan.standing in ("agreed", "under way")])


def list_plans(parts: Parts) -> OpenPlans:
    """Return where the plan of every session that is not private stands, the newest first."""
    from workbench.domain.session.standing import OpenPlan

    catalogue: Catalogue[Any] = Catalogue(
        parts.backend.log(),
        parts.folder.cache / "open-plans.json",
        _open_values,
        version="3",
        accept=_accepted_plan,
        seal=parts.seal,
        files=parts.folder.files,
        is_whole=True,
    )
    entries = catalogue.entries()
    plans = [entry.summary for entry in entries if isinstance(entry.summary, OpenPlan)]
    plans.sort(key=lambda plan: (plan.updated, plan.session), reverse=True)
    return OpenPlans(plans, [(one.stream, one.error.message) for one in entries if one.error is not None])


def _accepted_plan(summary: msgspec.Raw) -> OpenPlan | None:
    """Decode a cached plan; None of a private session. Raises ValidationError for anything else."""
    from workbench.domain.session.standing import OpenPlan

    return None if bytes(summary) == b"{}" else msgspec.json.decode(summary, type=OpenPlan)


def _open_values(_before: Mapping[str, Any] | None, events: Sequence[Event]) -> dict[str, Any]:
    """Return what is open of a session's plan as JSON values; of one that is private, nothing."""
    from workbench.domain.session.session import fold
    from workbench.domain.session.standing import open_plan

    state = fold(events)
    return {} if state.private else msgspec.to_builtins(open_plan(state, updated=events[-1].time))


class _Cached(NamedTuple):
    """A session as the catalogue knows it."""

    listed: Listed
    in_call: bool
    """Whether a call has no answer yet; known of those that are running."""


class _Pending(msgspec.Struct, frozen=True):
    call: str


_decode_listed = msgspec.json.Decoder(Listed).decode
_decode_pending = msgspec.json.Decoder(_Pending).decode


def _as_driven(entry: Entry, parts: Parts) -> Listed:
    """Return a session of the catalogue, ``interrupted`` if nobody is at its work."""
    if entry.summary is None:
        return _unreadable(entry)
    cached: _Cached = entry.summary
    listed = cached.listed
    is_cut_off = listed.status == "running" and not _is_at_work(listed, parts, in_call=cached.in_call)
    return msgspec.structs.replace(listed, status="interrupted") if is_cut_off else listed


def _is_at_work(listed: Listed, parts: Parts, *, in_call: bool) -> bool:
    """Tell whether somebody drives a session, or is just about to. ``in_call``: a call has no answer yet."""
    try:
        if parts.log.driver(listed.session) is not None:
            return True
        if parts.log.head(listed.session).seq != listed.events:  # it continued, and perhaps ended, since it was read
            return True
        if parts.lives.holder(listed.session) is not None:
            return not in_call  # nobody waits for the answer of a call that is not driven
    except (LogError, NotFound):  # it was deleted or damaged since it was listed
        return False
    age = datetime.now(UTC) - said_at(listed.updated)
    return age < _BEGINS_WITHIN and all(event.kind in _BEGINNING for event in parts.log.read(listed.session))


def _summarised(before: Mapping[str, Any] | None, events: Sequence[Event]) -> dict[str, Any]:
    """Keep a session's summary up as JSON values, the form the catalogue caches."""
    from workbench.domain.log.growing import as_list, from_list
    from workbench.domain.session.summary import Summary, summarise

    known = None if before is None else msgspec.convert(before, Summary, dec_hook=from_list)
    summary = summarise(known, events)
    return {} if summary is None else {**msgspec.to_builtins(summary, enc_hook=as_list), "status": summary.status}


def _accepted(summary: msgspec.Raw) -> _Cached | None:
    """Decode a cached summary; None if no session was created. Raises ValidationError for anything else."""
    if bytes(summary) == b"{}":
        return None
    listed = _decode_listed(summary)
    return _Cached(listed, listed.status == "running" and _decode_pending(summary).call != "")


def _unreadable(entry: Entry) -> Listed:
    changed = msgspec.to_builtins(datetime.fromtimestamp(entry.changed, UTC)) if entry.changed else ""
    error = str(entry.error or "The session does not begin with its creation. Run `workbench sessions repair`.")
    return Listed(session=entry.stream, status="unreadable", updated=changed, error=error)
