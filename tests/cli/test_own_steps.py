"""Own steps at the prompt and in a pipe: help, undo, their order, and repairs with the command that makes them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pexpect
from tests.cli.conftest import Command
from tests.cli.test_terminal import only_session, show, terminal


def test_at_the_prompt_help_is_help_and_undo_takes_a_line_back(tmp_path: Path) -> None:
    with terminal("run", "Sing a song", cwd=tmp_path) as child:
        child.expect("choose one.*› ")
        child.sendline("1")
        said = [
            ("?", "Invite everybody together"),
            ("help", "undo  *takes back the line above"),
            ("undo", "There is no line to take back."),
            ("Find a hall 2d", "S1 “Find a hall” · 2 days"),
            ("Rent chairs", "S2 “Rent chairs” · 1 day, assumed · after S1"),
            ("undo", "Taken back: Rent chairs"),
            ("Buy songbooks together", "S2 “Buy songbooks” · 1 day, assumed · together with S1"),
        ]
        for line, answer in said:
            child.expect("step › ")
            child.sendline(line)
            child.expect(answer)
        child.expect("step › ")
        child.sendline("")
        child.expect("p  print the plan.*› ")
        child.sendline("F")
        child.expect(pexpect.EOF)
    plan = str(show(only_session(tmp_path), tmp_path)["plan"])
    assert "Find a hall" in plan
    assert not any(word in plan for word in ("Rent chairs", "help", "undo"))


def test_steps_that_follow_each_other_by_their_order_alone_are_said_to(workbench: Command) -> None:
    told = "write `together` at the end of a line"
    for lines, is_told in (("Build\nPaint\n", True), ("Build\nPaint together\n", False), ("Build\n", False)):
        result = workbench("run", "Make a shed", "--steps", "-", "--approve", "all", stdin=lines)
        assert (told in result.err) is is_told


def test_a_repair_stands_with_the_command_that_makes_it(workbench: Command) -> None:
    lines = "Build 20d\nPaint\n"
    end = ("--deadline", "3 Jan 2020", "--steps", "-", "--approve", "all")
    result = workbench("run", "Make a shed", *end, stdin=lines)
    [line] = re.findall(r"To move K1 to .*?: workbench (.*)", result.err)
    session = shlex.split(line)[1]
    assert line in workbench("sessions", "show", session).out
    assert workbench(*shlex.split(line)).code == 0
    assert "Repairs offered" not in workbench("sessions", "show", session).out
