"""``workbench read``: what is read from a text, and what is not understood."""

from __future__ import annotations

import argparse
from datetime import date, datetime

import msgspec

from workbench.cli.output import Output
from workbench.cli.reading import given_text
from workbench.domain.errors import UsageError
from workbench.domain.facts.reader import read_facts
from workbench.domain.facts.wording import value_in_words
from workbench.domain.text.cleaning import shorten
from workbench.domain.values.fact import Fact
from workbench.export.facts import fact_object

MAX_BYTES = 100_000
"""The most that is read from standard input."""
_LONGEST_CELL = 60
"""Characters of a text that are shown in the table."""


def read(options: argparse.Namespace) -> int:
    """Show the facts of a text: a line each, and what is not understood."""
    output = Output.of(options)
    text = given_text(options.text, MAX_BYTES)
    if not text.strip():
        raise UsageError("There is nothing to read.", 'Give a text: workbench read "Finish by 3 May"')
    today: date = options.today or datetime.now().astimezone().date()
    facts = read_facts(text, today)
    numbered = enumerate(facts, start=1)
    if output.json_lines(msgspec.to_builtins(fact_object(f"F{number}", fact)) for number, fact in numbered):
        return 0
    rows = [_row(fact) for fact in facts if fact.type != "unread"]
    widths = [max((len(row[column]) for row in rows), default=0) for column in (0, 1)]
    for kind, in_words, words in rows:
        output.line(f"{kind.ljust(widths[0])}  {in_words.ljust(widths[1])}  {words}")
    if unread := [fact.text for fact in facts if fact.type == "unread"]:
        output.line("Not understood: " + " · ".join(map(_cell, unread)), "bold")
    return 0


def _row(fact: Fact) -> tuple[str, str, str]:
    kind = f"{fact.type} · {fact.role}" if fact.role else fact.type
    return kind, value_in_words(fact), _cell(fact.text) + (f"  ▲ {fact.doubt}" if fact.doubt else "")


def _cell(text: str) -> str:
    return shorten(" ".join(text.split()), _LONGEST_CELL)
