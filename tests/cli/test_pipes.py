"""Whatever option takes a file, a pipe is not waited for: neither to be read, nor to be written to."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from workbench.cli.parser import build_parser

NAMES = ("FILE", "PATH", "DIR")
OTHERS = {"ID": "ID", "GOAL": "Paint the fence", "A": "ID", "B": "ID", "NAME": "ours"}
"""What else a command needs, by how its help calls it."""


def taking_files(
    parser: argparse.ArgumentParser, command: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], argparse.Action]]:
    """Yield every option and argument that names a file or a folder, with its command."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                yield from taking_files(inner, (*command, name))
        elif action.nargs != 0 and any(name in str(action.metavar) for name in NAMES):
            is_common = str(action.metavar) == "DIR"  # each command has it, and two are tried
            yield from [(command, action)] * (not is_common or command in {("run",), ("sessions", "list")})


def arguments(command: tuple[str, ...], tried: argparse.Action, value: str) -> list[str]:
    parser = build_parser()
    for name in command:
        (choices,) = (one.choices for one in parser._actions if isinstance(one, argparse._SubParsersAction))
        parser = choices[name]
    given = [*command]
    for action in parser._actions:
        if action.dest == tried.dest:
            given += [*action.option_strings[:1], value]
        elif not action.option_strings and str(action.metavar or action.dest) in OTHERS and action.nargs is None:
            given.append(OTHERS[str(action.metavar or action.dest)])
    return given


CASES = list(taking_files(build_parser()))


def test_every_kind_of_file_is_found() -> None:
    assert {" ".join(command) for command, _ in CASES} >= {
        "run", "resume", "edit", "import", "sessions import", "sessions export", "replay", "audit", "remember",
    }  # fmt: skip


@pytest.mark.timeout(40)
@pytest.mark.parametrize(
    ("command", "tried"), CASES, ids=[" ".join([*command, *tried.option_strings[:1]]) for command, tried in CASES]
)
def test_no_pipe_is_waited_for(
    workbench: Command,
    finished: str,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    command: tuple[str, ...],
    tried: argparse.Action,
) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    os.mkfifo(elsewhere := tmp_path_factory.mktemp("elsewhere") / "pipe.jsonl")
    for pipe in ("pipe.jsonl", str(elsewhere)):
        words = [finished if word == "ID" else word for word in arguments(command, tried, pipe)]
        result = workbench(*words)
        assert result.code in {1, 2}, (words, result.out, result.err)
        assert result.err.count("\n") == 1, (words, result.err)
        assert "defect of the workbench" not in result.err


@pytest.mark.timeout(40)
def test_no_pipe_that_an_editor_leaves_is_waited_for(
    workbench: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "editor.sh"
    script.write_text('#!/bin/sh\nrm "$1"; mkfifo "$1"\n')
    script.chmod(0o700)
    monkeypatch.setenv("EDITOR", str(script))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))  # what the editor left is kept there
    result = workbench("template", "edit", "dispute")
    assert (result.code, "is not a regular file" in result.err) == (2, True)
