"""Own steps at the prompt and in a pipe: help, undo, their order, and repairs with the command that makes them."""

from __future__ import annotations

import re
import shlex

from tests.cli.conftest import Command


def test_a_repair_stands_with_the_command_that_makes_it(workbench: Command) -> None:
    lines = "Build 20d\nPaint\n"
    end = ("--deadline", "3 Jan 2020", "--steps", "-", "--approve", "all")
    result = workbench("run", "Make a shed", *end, stdin=lines)
    [line] = re.findall(r"To move K1 to .*?: workbench (.*)", result.err)
    session = shlex.split(line)[1]
    assert line in workbench("sessions", "show", session).out
    assert workbench(*shlex.split(line)).code == 0
    assert "Repairs offered" not in workbench("sessions", "show", session).out
