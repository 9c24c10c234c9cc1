"""Numbers on the command line: a slip of the keyboard is told in one sentence, whatever command it befell."""

from __future__ import annotations

import argparse
from collections.abc import Callable

import pytest
from tests.cli.conftest import Command
from workbench.cli.argument_types import MOST, days_ahead, decimal, whole


@pytest.mark.parametrize(
    ("read", "given", "why"),
    [
        (whole, "many", "'many' is not a whole number"),
        (whole, "1.5", "'1.5' is not a whole number"),
        (whole, "", "'' is not a whole number"),
        (whole, str(MOST + 1), "'9007199254740993' is too large a number"),
        (whole, f"-{MOST + 1}", "'-9007199254740993' is too large a number"),
        (whole, "9" * 9_999, f"'{'9' * 23}…' is not a whole number"),
        (days_ahead, "-3", "'-3' is not from 0 to 36,525 days"),
        (days_ahead, "99999999999", "'99999999999' is not from 0 to 36,525 days"),
        (decimal, "much", "'much' is not a number"),
    ],
)
def test_what_is_none(read: Callable[[str], float], given: str, why: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError) as refused:
        read(given)
    assert str(refused.value) == why


@pytest.mark.parametrize("command", [
    "sessions export ID --at", "sessions fork ID --at", "sessions rewind ID --to", "sessions show ID --version",
    "replay ID --at", "shared watch --limit", "shared watch --after", "run GOAL --max-tokens",
])  # fmt: skip
def test_every_command_refuses_what_nothing_is_counted_to(workbench: Command, command: str) -> None:
    refused = workbench(*command.split(), "9" * 22)
    assert (refused.code, refused.out) == (2, "")
    option = command.rsplit(maxsplit=1)[-1]
    assert refused.err.startswith(f"workbench: Argument {option}: '{'9' * 22}' is too large a number. See `workbench ")
    assert refused.err.count("\n") == 1
