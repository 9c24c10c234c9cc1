"""``workbench status``: how the work stands, or what changes, said as commands and put into the plan.

text ─┬─ all of it is commands ─▶ edit.py, previewed and recorded
├─ a sentence, the offline planner plans ─▶ read by rules, as long as there are any
└─ a sentence, a language model plans ─▶ refused, with what can be done instead
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from datetime import UTC, datetime

from workbench.cli.edit import carry_out, show_moves
from workbench.cli.opening import session_of
from workbench.cli.output import Output, counted
from workbench.cli.reading import given_text
from workbench.domain.commands.errors import NoCommand
from workbench.domain.errors import UsageError
from workbench.domain.loop.reports import changes_in, reported
from workbench.domain.loop.steps import plans_by_rules
from workbench.domain.requests import Request
from workbench.domain.text.cleaning import shorten
from workbench.export.edits import refusal
from workbench.export.status import MovedDate, moved_dates, status_object

MAX_BYTES = 100_000
"""The most that is read from standard input."""
NOT_RECORDED = 3
"""What a person has to say first: yes, or what they mean."""


def status(options: argparse.Namespace) -> int:
    """Show what a report does to the plan and which dates move, and record it where the person agrees."""
    output = Output.of(options)
    text = given_text(options.text, MAX_BYTES)
    if not text.strip():
        raise UsageError("The report is empty.", 'Say how the work stands: workbench status ID "S3 done"')
    session = session_of(options)
    try:
        return carry_out(session, text, options, command="status")
    except NoCommand as error:
        state = session.state()
        if not plans_by_rules(state):
            raise refusal(state, text, error) from error
    today = datetime.now(UTC).astimezone().date()
    requests = reported(state, text, today)
    changes = changes_in(requests)
    moved = moved_dates(state.plan, requests) if state.plan is not None else ()
    if not output.as_json:
        _show(requests, moved, output)
    is_agreed = bool(changes) and (options.yes or output.asks("Record this?"))
    if is_agreed:
        state = session.report(text, changes)
    if output.as_json:
        output.json(status_object(state, requests, moved, recorded=is_agreed))
    elif is_agreed:
        driven = "; who drives the session changes the plan next" if state.changing else f" as version {state.version}"
        output.line(f"Recorded{driven}.", "green")
    elif changes:
        output.line(f"Nothing is recorded yet. Record it: {_again(state.session, text)}")
    waiting = [request for request in requests if request.outcome in ("asked", "not understood")]
    if is_agreed and waiting and not output.as_json:
        output.note(f"{counted(len(waiting), 'part')} of it not recorded, as you are asked first:")
        for request in waiting:
            output.note(f"  “{shorten(' '.join(request.text.split()), 50)}” – {request.answer}")
    return NOT_RECORDED if waiting or (changes and not is_agreed) else 0


def _show(requests: Sequence[Request], moved: Sequence[MovedDate], output: Output) -> None:
    for request in requests:
        said = f"“{shorten(' '.join(request.text.split()), 50)}” – " if len(requests) > 1 else ""
        output.line(f"{request.outcome}: {said}{request.answer}", "" if request.outcome == "done" else "yellow")
    show_moves(tuple(moved), output)


def _again(session: str, text: str) -> str:
    """Return the command that records a report."""
    told = shlex.quote(text) if len(text) <= 200 and "\n" not in text else "TEXT"
    return f"workbench status {session} {told} --yes"
