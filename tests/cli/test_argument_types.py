"""Numbers on the command line: a slip of the keyboard is told in one sentence, whatever command it befell."""

from __future__ import annotations

import argparse
from collections.abc import Callable

import pytest
from tests.cli.conftest import Command
from workbench.cli.argument_types import MOST, days_ahead, decimal, whole
from workbench.cli.parser import build_parser


@pytest.mark.parametrize(
    ("read", "given", "why"),
    [
        (whole, "many", "'many' is not a whole number"),
        (whole, "1.5", "'1.5' is not a whole number"),
        (whole, "", "'' is not a whole number"),
        (whole, str(MOST + 1), "'9007199254740993' is larger than anything is counted to"),
        (whole, f"-{MOST + 1}", "'-9007199254740993' is larger than anything is counted to"),
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
    assert refused.err.startswith(
        f"workbench: Argument {option}: '{'9' * 22}' is larger than anything is counted to. See `workbench "
    )
    assert refused.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "name", "value"),
    [
        ("edit ID {} S1-done", "commands", ["S1-done"]),
        ("edit ID S1-done {} S2-done", "commands", ["S1-done", "S2-done"]),
        ("edit {} ID S1-done", "commands", ["S1-done"]),
        ("edit ID {}", "commands", []),
        ("sessions changes ID {} S4", "line", "S4"),
    ],
)
@pytest.mark.parametrize("option", ["--json", "--workspace=."])
def test_options_stand_anywhere(arguments: str, name: str, value: object, option: str) -> None:
    options = vars(build_parser().parse_args(arguments.format(option).split()))
    assert (options["session"], options[name]) == ("ID", value)


def test_the_parser_of_one_command_reads_it_as_the_whole_one_does() -> None:
    for arguments in (["read", "by May"], ["sessions", "show", "ID", "--json"], ["run", "A goal", "--approve", "all"]):
        alone, whole = (vars(build_parser(name).parse_args(arguments)) for name in (arguments[0], ""))
        assert {name: value for name, value in alone.items() if name != "run"} == {
            name: value for name, value in whole.items() if name != "run"
        }
    assert build_parser("no command").format_help() == build_parser().format_help()
