"""``workbench edit`` and ``status``: commands change a plan, previewed, all or nothing; a sentence changes nothing."""

from __future__ import annotations

import argparse
import shlex
from datetime import date

from workbench.bootstrap import Session
from workbench.cli.opening import session_of
from workbench.cli.output import Output
from workbench.cli.reading import given_text, read_text
from workbench.domain.commands.errors import NoCommand
from workbench.domain.errors import UsageError
from workbench.domain.plan.figures import short_day
from workbench.export.edits import MovedDate, edit_object, moves_of, notes_of, refusal
from workbench.planning.beside_the_loop.commanding import way_back

MAX_BYTES = 100_000
"""The most that is read from a file or standard input."""
NOT_RECORDED = 3
"""The person has to say yes first."""


def edit(options: argparse.Namespace) -> int:
    """Show what commands do to a plan and which dates move, and record it if the person agrees."""
    if bool(options.commands) == bool(options.file):
        raise UsageError("Give commands, or a file of them.", 'Example: workbench edit ID "S3 owner Anna"')
    text = read_text(options.file, MAX_BYTES) if options.file else "\n".join(options.commands)
    if not text.strip():
        raise UsageError("There is no command.", 'Example: workbench edit ID "S3 owner Anna"')
    return carry_out(session_of(options), text, options, command="edit")


def status(options: argparse.Namespace) -> int:
    """Do what ``edit`` does with a report of how the work stands; what is no command is answered with how to say it."""
    text = given_text(options.text, MAX_BYTES)
    if not text.strip():
        raise UsageError("The report is empty.", 'Say how the work stands: workbench status ID "S3 done"')
    session = session_of(options)
    try:
        return carry_out(session, text, options, command="status")
    except NoCommand as error:
        raise refusal(session.state(), text, error) from error


def carry_out(session: Session, text: str, options: argparse.Namespace, *, command: str) -> int:
    """Preview commands, record them if the person agrees, and return the exit code.

    Raises as ``Session.edit`` does. ``command`` is what the person called.
    """
    output = Output.from_options(options)
    commanded = session.preview_edit(text)
    moves = moves_of(commanded)
    if not output.as_json:
        for line in commanded.done:
            output.line(line)
        for line in notes_of(commanded):
            output.line(line, "yellow")
        show_moves(moves, output)
    if not commanded.does_something and not output.as_json:
        output.line("Nothing changes: the plan says so already.")
    is_agreed = commanded.does_something and (options.yes or output.asks("Record this?"))
    state = session.edit(text) if is_agreed else session.state()
    if output.as_json:
        output.json(edit_object(state.session, state.version, commanded, recorded=is_agreed))
    elif is_agreed and state.changing:
        output.line("Recorded; the process that drives the session changes the plan next.", "green")
    elif is_agreed:
        made = f" as version {state.version}" if commanded.changes else ""
        back = way_back(state)
        way = "Take it back" if back == "undo" else "Make it again"
        output.line(f"Recorded{made}. {way}: workbench edit {state.session} {back}", "green")
    elif commanded.does_something:
        given = shlex.quote(text) if len(text) <= 200 and "\n" not in text else "…"
        output.line(f"Nothing is recorded yet. Record it: workbench {command} {state.session} {given} --yes")
    return NOT_RECORDED if commanded.does_something and not is_agreed else 0


def show_moves(moves: tuple[MovedDate, ...], output: Output) -> None:
    """Print which dates move."""
    if moves:
        output.heading("Dates that move")
        rows = [(move.step or "the plan", _day(move.was), _day(move.now)) for move in moves]
        output.table(("step", "ends, was", "now"), rows)


def _day(day: date | None) -> str:
    return short_day(day) if day else "–"
