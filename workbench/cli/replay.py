"""``workbench replay``: a saved session in the application, its course, an event a line, or whether it is sound."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.cli.opening import events_of, has_workspace, is_file
from workbench.cli.output import Output
from workbench.cli.start import has_terminal, open_application
from workbench.domain.envelope import Event
from workbench.domain.errors import LogError, UsageError
from workbench.domain.session import fold
from workbench.export.markdown import plan_markdown
from workbench.export.objects import session_object
from workbench.replay.course import course


def replay(options: argparse.Namespace) -> int:
    """Open a session to walk through, print its course or its state as of one event, or verify it."""
    if has_terminal() and not (options.plain or options.json or options.verify or options.at is not None):
        return _open_replay(options)
    output = Output.of(options)
    events = events_of(options, options.session)
    if options.verify:
        from workbench.cli.verifying import verify

        return verify(events, output)
    if options.at is not None:
        return _show_state(list(events), options.at, output)
    for told, state in course(events):
        if output.as_json:
            output.json(
                {
                    "schema": "workbench.moment/1",
                    "seq": told.seq,
                    "time": told.time,
                    "kind": told.kind,
                    "actor": told.actor,
                    "origin": told.origin,
                    "text": told.text,
                    "status": state.status,
                }
            )
        else:
            line = f"{told.seq:>5}  {told.time[11:19]}  {told.kind:<20} {told.text}"
            output.line(line, _STYLES.get(told.kind, "dim" if told.origin == "derived" else ""))
    return 0


_STYLES = {
    "gate.opened": "yellow",
    "gate.answered": "bold",
    "iteration.completed": "green",
    "session.finished": "bold green",
    "call.failed": "red",
    "call.abandoned": "red",
}


def _open_replay(options: argparse.Namespace) -> int:
    """Open the application on a session. Raises UsageError before that where its first event cannot be read."""
    from workbench.tui.replaying import Replayed, loading

    session = options.session
    try:
        next(iter(events_of(options, session)), None)
    except LogError as error:
        raise UsageError(error.message, error.remedy) from error
    in_workspace = not is_file(session) and has_workspace(options)
    replayed = Replayed(Path(session).stem, loading(lambda: events_of(options, session)), in_workspace=in_workspace)
    return open_application(options, replayed)


def _show_state(events: list[Event], seq: int, output: Output) -> int:
    if not 1 <= seq <= len(events):
        raise UsageError(f"There is no event {seq}.", f"Name one from 1 to {len(events)}.")
    state = fold(events[:seq])
    if output.as_json:
        output.json({**session_object(state), "schema": "workbench.state/1", "at": seq})
        return 0
    output.line(f"{state.session} as of event {seq} of {len(events)}: {state.status}", "bold")
    output.markdown(plan_markdown(state) or "No plan is drafted yet.")
    return 0
