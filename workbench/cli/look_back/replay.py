"""``workbench replay``: a saved session in the application, its course, an event a line, or whether it is sound."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.cli.application.start import has_terminal, open_application
from workbench.cli.opening import events_of, file_of, has_workspace, is_file, recording_of, where_damaged
from workbench.cli.output import Output, counted, picked
from workbench.domain.errors import LogDamaged, LogError, UsageError
from workbench.export.markdown import plan_markdown
from workbench.export.objects import session_object
from workbench.replay.course import course
from workbench.replay.opening import OnProgress, Opened
from workbench.replay.recording import Recording

_STYLES = {
    "gate.opened": "yellow", "gate.answered": "bold", "iteration.completed": "green",
    "session.finished": "bold green", "call.failed": "red", "call.abandoned": "red",
}  # fmt: skip
"""By kind of event; of all others, what was derived is dim."""


def replay(options: argparse.Namespace) -> int:
    """Open a session to walk through, print its course or its state as of one event, or verify it."""
    if has_terminal() and not (options.plain or options.json or options.verify or options.at is not None):
        return _open_replay(options)
    output = Output.from_options(options)
    if options.verify:
        from workbench.cli.look_back.verifying import verify

        return verify(events_of(options, options.session), output, file=file_of(options, options.session))
    opened = recording_of(options, options.session)
    recording = opened.recording
    if options.at is not None:
        if options.at > recording.length:
            _tell_damage(options, opened)
        _show_state(recording, options.at, output)
        return _tell_damage(options, opened)
    for told, state in course(recording.events):
        if output.as_json:
            moment = picked(told, "seq", "time", "kind", "actor", "origin", "text")
            output.json({"schema": "workbench.moment/1", **moment, "status": state.status})
        else:
            head = f"{told.seq:>5}  {told.time[11:19]}  "
            output.indented(
                f"{told.kind:<20} {told.text}",
                _STYLES.get(told.kind, "dim" if told.origin == "derived" else ""),
                head=head,
            )
    return _tell_damage(options, opened)


def _open_replay(options: argparse.Namespace) -> int:
    """Open the application on a session. Raises UsageError before that if nothing of it can be read."""
    from workbench.tui.replay.replaying import Replayed

    def load(tell: OnProgress) -> Opened:
        return recording_of(options, options.session, on_progress=tell)

    try:
        _check_replayable(options)
    except LogError as error:
        raise UsageError(error.message, error.remedy) from error
    in_workspace = not is_file(options.session) and has_workspace(options)
    return open_application(options, Replayed(Path(options.session).stem, load, in_workspace=in_workspace))


def _check_replayable(options: argparse.Namespace) -> None:
    """Look whether there is anything to replay. Raises NotFound, LogError."""
    try:
        next(iter(events_of(options, options.session)), None)
    except LogDamaged:
        recording_of(options, options.session)


def _show_state(recording: Recording, seq: int, output: Output) -> None:
    state = recording.state_at(seq)
    if output.as_json:
        output.json({**session_object(state), "schema": "workbench.state/1", "at": seq})
        return
    output.line(f"{state.session} as of event {seq} of {recording.length}: {state.status}", "bold")
    output.markdown(plan_markdown(state) or "No plan is drafted yet.")


def _tell_damage(options: argparse.Namespace, opened: Opened) -> int:
    """Raise LogDamaged with the damaged place if a file has one."""
    if not opened.recording.damages:
        return 0
    where = where_damaged(options.session, opened)
    shown = opened.recording.length if opened.recording.damages[0].line == 1 else 0
    read = shown + len(opened.behind)
    behind = counted(read, "event") if read else "nothing"
    raise LogDamaged(
        f"{where}; {behind} after it can be read.",
        "Open it in the application, and press > there." if opened.behind else "",
    )
