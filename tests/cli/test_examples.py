"""Examples in the help: each is a command that can be run, and stands whole on a line below its options."""

from __future__ import annotations

import shlex

import pytest
from tests.cli.conftest import Command
from workbench.cli.parser import EXAMPLES, build_parser

PARSER = build_parser()  # reads all commands, and their examples
ALL = [(command, example) for command, examples in EXAMPLES.items() for example in examples]


@pytest.mark.parametrize(("command", "example"), ALL)
def test_an_example_is_one_of_its_command(command: str, example: str) -> None:
    assert example.startswith(f"{command} ")
    program, *arguments = shlex.split(example, comments=True)
    assert program == "workbench"
    PARSER.parse_args(arguments)
    assert len(example) <= 78, "in a terminal of 80 columns it stands on one line"


@pytest.mark.parametrize("command", EXAMPLES)
def test_examples_stand_in_the_help_as_they_are_written(
    workbench: Command, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = workbench(*command.split()[1:], "--help").out.splitlines()
    assert lines[-len(EXAMPLES[command]) :] == [f"  {example}" for example in EXAMPLES[command]]


def test_prose_is_wrapped_all_the_same(workbench: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, workbench("migrate", "--help").out.splitlines())) <= 80
