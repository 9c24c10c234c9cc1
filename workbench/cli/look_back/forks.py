"""``workbench sessions fork | rewind | redo``: another way from any event, or from a decision of the same session."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from workbench.cli.opening import open_workspace, recording_of, session_of, where_damaged
from workbench.cli.output import Output
from workbench.domain.errors import LogDamaged
from workbench.domain.log import rules
from workbench.domain.log.envelope import Event
from workbench.domain.session.session import SessionState


def fork_session(options: argparse.Namespace) -> int:
    """Begin a session with what another one was up to an event."""
    events, damage = _origin(options)
    workspace = open_workspace(options)
    session = workspace.fork(events, options.at, name=options.name)
    state = session.state()
    at = state.forked.at if state.forked is not None else 0
    output = Output.from_options(options)
    if damage:
        output.note(f"{damage}. The fork has the events before it, and none after it.")
    if change := rules.rules_change_text(rules.stretches_of(events[:at]), state.rules):
        output.note(change)
    if output.as_json:
        output.json({"schema": "workbench.fork/1", "session": session.id, "origin": events[0].session, "at": at})
        return 0
    output.line(f"{session.id} begins with {events[0].session} up to its event {at:,}.")
    output.line(f"Go on with it: workbench resume {session.id}", "dim")
    return 0


def _origin(options: argparse.Namespace) -> tuple[Sequence[Event], str]:
    """Return the events to fork and where their file is damaged; "" if it is sound.

    Raises LogDamaged if the fork would have what is damaged, and as ``recording_of`` does.
    """
    opened = recording_of(options, options.session)
    recording = opened.recording
    if not recording.damages:
        return recording.events, ""
    damage = where_damaged(options.session, opened)
    if options.at is not None and options.at < 1:
        return recording.events, ""  # refused as it is of a sound file
    if options.at is None or options.at > recording.length:
        raise LogDamaged(f"{damage}.", f"Fork it at an event before that: --at N, from 1 to {recording.length}.")
    return opened.beyond().events, damage


def rewind_session(options: argparse.Namespace) -> int:
    """Stand before a decision again."""
    return _print_position(options, session_of(options).rewind(options.to))


def redo_session(options: argparse.Namespace) -> int:
    """Go forward again after a rewind."""
    return _print_position(options, session_of(options).redo(options.to))


def _print_position(options: argparse.Namespace, state: SessionState) -> int:
    output, way = Output.from_options(options), state.way
    if output.as_json:
        stands = {"here": way.here, "behind": list(way.behind), "ahead": way.ahead}
        output.json({"schema": "workbench.rewound/1", "session": state.session, "status": state.status, **stands})
        return 0
    asks = f" It asks: {state.gate.question}" if state.gate is not None else ""
    output.line(f"{state.session} stands at its event {way.here:,}: {state.status}.{asks}")
    if way.ahead:
        output.line(f"Nothing is lost. Forward again: workbench sessions redo {state.session}", "dim")
    return 0
