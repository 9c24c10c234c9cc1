"""``workbench status``: how the work stands, said as commands and put into the plan. A sentence changes nothing."""

from __future__ import annotations

import argparse

from workbench.cli.edit import carry_out
from workbench.cli.opening import session_of
from workbench.cli.reading import given_text
from workbench.domain.commands.errors import NoCommand
from workbench.domain.errors import UsageError
from workbench.export.edits import refusal

MAX_BYTES = 100_000
"""The most that is read from standard input."""


def status(options: argparse.Namespace) -> int:
    """Show what commands do to the plan and which dates move, and record them where the person agrees."""
    text = given_text(options.text, MAX_BYTES)
    if not text.strip():
        raise UsageError("The report is empty.", 'Say how the work stands: workbench status ID "S3 done"')
    session = session_of(options)
    try:
        return carry_out(session, text, options, command="status")
    except NoCommand as error:
        raise refusal(session.state(), text, error) from error
