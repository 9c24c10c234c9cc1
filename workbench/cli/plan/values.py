"""``workbench read``: the values that a text names, as the workbench reads them. Nothing is recorded."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime

from workbench.cli.output import Output
from workbench.cli.reading import given_text
from workbench.domain.errors import UsageError
from workbench.domain.values.reader import read_values
from workbench.export.values import value_object, value_row

MAX_BYTES = 100_000
"""The most that is read from standard input."""


def read(options: argparse.Namespace) -> int:
    """Show the dates, times, sums, durations and counts of a text, a line each."""
    output = Output.from_options(options)
    text = given_text(options.text, MAX_BYTES)
    if not text.strip():
        raise UsageError("There is nothing to read.", 'Give a text, as in: workbench read "by 3 May"')
    values = read_values(text, options.today or datetime.now(UTC).astimezone().date())
    rows = [value_row(value) for value in values]
    return output.listing(map(value_object, values), ("words", "value"), rows, empty="No value is named beyond doubt.")
