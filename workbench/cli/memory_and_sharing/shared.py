"""``workbench shared``: what sessions share, read, changed and watched.

KEY VALUE ─▶ one call into the core ─▶ committed · merged, with what and by which rule · refused, and why
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any

from workbench.bootstrap import Workspace
from workbench.cli.opening import existing_workspace
from workbench.cli.output import Output, local_time
from workbench.cli.reading import STANDARD_INPUT, read_text
from workbench.domain.errors import LogWentBack, NotFound, UsageError
from workbench.domain.log.ids import SessionId
from workbench.domain.shared.context import ContextEvent, Entry, lost, plain
from workbench.domain.shared.input import MOST_OF_A_VALUE, OWN, clean_key, read_value, too_large
from workbench.domain.shared.merge import ABSENT
from workbench.domain.shared.words import change_words, course_words, lease_words
from workbench.domain.text.cleaning import shorten
from workbench.sharing.outcome import Claim, Outcome
from workbench.sharing.presence import SessionInfo
from workbench.sharing.shared_context import SharedContextManager
from workbench.storage.files.watching.stopping import Stop

_SCHEMA = "workbench.shared/1"
_MOST_BYTES = 4 * MOST_OF_A_VALUE
"""The longest value that is read from standard input."""
_WIDTH = 60
"""Characters of a value in a list."""


def get(options: argparse.Namespace) -> int:
    """Print a key's value, or all of them."""
    output = Output.from_options(options)
    there = _existing_keys(existing_workspace(options).shared())
    if options.key is not None:
        there = _entry_named(options.key, there)
    for key, entry in sorted(there.items()):
        if output.as_json:
            output.json({"schema": _SCHEMA, "key": key, "value": entry.value, "version": entry.version})
        else:
            output.line(f"{key} = {_as_json(entry.value)}" if options.key is None else _text(entry))
    return 0


def set_key(options: argparse.Namespace) -> int:
    """Set a key."""
    value = _value(options)
    return _make_change(
        options,
        lambda shared, session, passing: shared.update_context(
            session, options.key, value, options.base, passing=passing
        ),
    )


def delete(options: argparse.Namespace) -> int:
    """Delete a key."""

    def change(shared: SharedContextManager, session: SessionId, passing: bool) -> Outcome:
        try:
            _entry_named(options.key, _existing_keys(shared))
        except UsageError as error:
            return Outcome.refused(options.key, error)
        return shared.delete(session, options.key, options.base, passing=passing)

    return _make_change(options, change)


def _existing_keys(shared: SharedContextManager) -> dict[str, Entry]:
    """Return the keys that have a value."""
    return {key: entry for key, entry in shared.state().entries.items() if entry.value is not ABSENT}


def _entry_named(given: str, entries: dict[str, Entry]) -> dict[str, Entry]:
    """Return the one that is named. Raises UsageError, and NotFound with what is near."""
    key = clean_key(given)
    if key not in entries:
        raise NotFound(f"Nothing is shared as {key!r}.", _near(key, list(entries)))
    return {key: entries[key]}


def undo(options: argparse.Namespace) -> int:
    """Take a change back."""
    return _make_change(options, lambda shared, session, passing: shared.undo(session, options.event, passing=passing))


def log(options: argparse.Namespace) -> int:
    """Print every change."""
    _check_limit(options)
    shared = existing_workspace(options).shared()
    after = max(shared.state().seq - options.limit, 0) if options.limit else 0
    events = list(shared.events(after=after))
    events = events[-options.limit :] if options.limit else events
    return Output.from_options(options).listing(
        ({"schema": _SCHEMA, **event.as_object()} for event in events),
        ("event", "time", "what", "key", "change", "lost"),
        [_row(event) for event in events],
    )


def watch(options: argparse.Namespace) -> int:
    """Print changes as they are committed."""
    _check_limit(options)
    output = Output.from_options(options)
    shared = existing_workspace(options).shared()
    last = shared.state().seq
    if options.after is not None and not 0 <= options.after <= last:
        raise UsageError(f"There is no event {options.after} to start after.", f"Name one from 0 to {last}.")
    for event in islice(_changes(shared, options.after, output), options.limit):
        if output.as_json:
            output.json({"schema": _SCHEMA, **event.as_object()})
        else:
            output.line(_line(event))
    return 0


def _changes(shared: SharedContextManager, after: int | None, output: Output) -> Iterator[ContextEvent]:
    """Yield changes as they are committed, and again from the first where the log went back."""
    while True:
        try:
            for batch in shared.watch(Stop(), after=after):
                yield from batch
        except LogWentBack as error:
            output.note(f"workbench: {error.message} Its changes are printed again from the first.")
            after = 0


def sessions(options: argparse.Namespace) -> int:
    """List the sessions that take part."""
    workspace = existing_workspace(options)
    workspace.shared()  # says so where sharing is switched off
    found = sorted(workspace.sharing_sessions(), key=lambda one: one.last_heartbeat, reverse=True)
    return Output.from_options(options).listing(
        ({"schema": "workbench.shared-session/1", **one.as_object()} for one in found),
        ("session", "status", "at", "joined", "last seen", "changes", "has claimed"),
        [_session_row(one) for one in found],
    )


def _session_row(one: SessionInfo) -> tuple[str, ...]:
    at = f"round {one.iteration} · {one.phase}" if one.iteration else one.phase
    joined, seen = local_time(one.started_at), local_time(one.last_heartbeat)
    return one.session_id, one.status, at, joined, seen, f"{one.changes:,}", ", ".join(one.claimed)


def claim(options: argparse.Namespace) -> int:
    """Claim a file or a task."""
    workspace = existing_workspace(options)
    session, _ = workspace.sharing_session(options.session)
    return _claimed(options, workspace, partial(workspace.shared().claim, session, queue=options.queue))


def release(options: argparse.Namespace) -> int:
    """Give a claim back."""
    workspace = existing_workspace(options)
    session = workspace.member(options.session)
    return _claimed(options, workspace, partial(workspace.shared().release, session))


def _claimed(options: argparse.Namespace, workspace: Workspace, do: Callable[[str, str], Claim]) -> int:
    """Claim or release what is named, and say what became of it.

    Exit code 1 if another session has it, which is on record; 2 if it could not even be asked for.
    """
    kind = "task" if options.task else "file"
    try:
        done = do(kind, options.name if options.task else workspace.file_to_claim(options.name))
    except UsageError as error:
        done = Claim.impossible(kind, options.name, error)
    output = Output.from_options(options)
    if output.as_json:
        output.json({"schema": "workbench.shared-claim/1", **done.as_object()})
    elif done.outcome == "refused":
        output.note(f"workbench: refused: {done.why} {done.remedy}")
    else:
        output.line(_CLAIMED[done.outcome].format(done))
    if done.outcome != "refused":
        return 0
    return UsageError.exit_code if done.event is None else 1


_CLAIMED = {
    "granted": "granted: {0.kind} {0.name} is {0.holder}'s{0.from_whom}",
    "queued": "queued: {0.holder} has the {0.kind} {0.name}; {0.waiting} waiting",
    "released": "released: {0.kind} {0.name}{0.to_whom}",
}


_Change = Callable[[SharedContextManager, SessionId, bool], Outcome]
"""A change that a session makes; whether that session is a passing one."""


def _make_change(options: argparse.Namespace, change: _Change) -> int:
    """Make a change, from what is there now unless a base is named, and say what became of it."""
    workspace = existing_workspace(options)
    shared = workspace.shared()
    session, passing = workspace.sharing_session(options.session)
    shared.get_context(session)
    done = change(shared, session, passing)
    output = Output.from_options(options)
    if output.as_json:
        output.json({"schema": _SCHEMA, **done.as_object()})
    elif done.event is None:
        output.note(f"workbench: refused: {done.why} {done.remedy}")
    else:
        _print_outcome(done, done.event, output)
    return UsageError.exit_code if done.outcome == "refused" else 0


def _print_outcome(done: Outcome, event: ContextEvent, output: Output) -> None:
    stands = f"{done.key} is deleted" if event.value is ABSENT else f"{done.key} = {_as_json(done.value)}"
    if done.outcome == "committed":
        output.line(f"committed: {stands} (version {done.version})")
        return
    whose = f" with the change of {done.merged_with}" if done.merged_with else ""
    output.line(f"merged{whose} ({done.rule}): {stands} (version {done.version})")
    if done.losers:
        output.line(
            f"lost: {_as_json(plain(lost(done.losers)))}; bring it back with `workbench shared undo {event.event_id}`"
        )


def _value(options: argparse.Namespace) -> Any:
    given: str = options.value
    if given == STANDARD_INPUT:
        given = read_text(STANDARD_INPUT, _MOST_BYTES, too_large=too_large())
    return given if options.text else read_value(given, otherwise="take it as a text with --text")


def _text(entry: Entry) -> str:
    return entry.value if isinstance(entry.value, str) else _as_json(entry.value)


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _short(value: Any) -> str:
    return "–" if value is ABSENT else shorten(_as_json(value), _WIDTH)


def _row(event: ContextEvent) -> tuple[str, ...]:
    what = f"{event.event_type} ({event.rule})" if event.losers or event.event_type == "merge" else event.event_type
    return (
        event.event_id,
        local_time(event.timestamp),
        what,
        event.key or event.lease,
        _news(event),
        _short(lost(event.losers)),
    )


def _news(event: ContextEvent) -> str:
    """Return what a change says: of what a session is at, only what is new."""
    if event.lease:
        return lease_words(event) or "–"
    if not event.key or event.value is ABSENT:
        return "–"
    if event.key == OWN + event.session_id:
        return course_words(event.previous_value, event.value)
    return shorten(change_words(event.previous_value, event.value), _WIDTH)


def _line(event: ContextEvent) -> str:
    if not event.key:
        whose = lease_words(event)
        return f"{event.event_id}  {event.event_type}  {event.lease}{f' ({whose})' if whose else ''}".rstrip()
    lost_too = f"  lost {_short(lost(event.losers))}" if event.losers else ""
    return f"{event.event_id}  {event.event_type} ({event.rule})  {event.key}: {_news(event)}{lost_too}"


def _check_limit(options: argparse.Namespace) -> None:
    if options.limit is not None and options.limit < 1:
        raise UsageError(f"--limit is {options.limit}.", "Give a number from 1 on.")


def _near(key: str, keys: list[str]) -> str:
    from rapidfuzz import process

    match = process.extractOne(key, keys, score_cutoff=60)
    return f"Did you mean {match[0]!r}?" if match else "See what there is with `workbench shared get`."
