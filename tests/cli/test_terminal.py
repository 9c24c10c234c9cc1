"""run and resume in a real pseudo-terminal: prompts, Ctrl+C, Ctrl+D, and no escape code but the workbench's own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pytest

PROGRAM = [sys.executable, "-m", "workbench"]


@contextmanager
def terminal(*arguments: str, cwd: Path, columns: int = 100) -> Iterator[pexpect.spawn[str]]:
    child = pexpect.spawn(
        PROGRAM[0],
        [*PROGRAM[1:], *arguments],
        cwd=str(cwd),
        encoding="utf-8",
        timeout=60,
        dimensions=(40, columns),
        env=dict(os.environ),  # not the C library's: readline, which pytest loads, puts a size of its own into that
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # what starts pytest may ignore it
    )
    try:
        yield child
    finally:
        child.close(force=True)


def show(session: str, cwd: Path) -> dict[str, object]:
    out = subprocess.run([*PROGRAM, "sessions", "show", session, "--json"], cwd=cwd, capture_output=True, check=True)
    shown: dict[str, object] = json.loads(out.stdout)
    return shown


def only_session(cwd: Path) -> str:
    (file,) = (cwd / ".workbench/sessions").glob("*.jsonl")
    return file.stem


@pytest.fixture(autouse=True)
def plain_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBENCH_CONFIG", str(tmp_path / "none.toml"))
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("NO_COLOR", "COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)


def test_the_main_job_by_keys(tmp_path: Path) -> None:
    with terminal("run", "Paint the fence by May 2029", "--checkpoint", "1", cwd=tmp_path) as child:
        child.expect("choose one.*› ")
        child.sendline("1")
        child.expect("keep which.* › ")
        child.sendline("1-3")
        for line in ("Ask the neighbours 1d", ""):
            child.expect("step › ")
            child.sendline(line)
        child.expect("which hold.* › ")
        child.sendline("1")
        child.expect("p  print the plan.*› ")
        child.sendline("f")
        child.expect("what should change › ")
        child.sendline("Keep the colour.")
        child.expect("Kept in your words.*› ")
        child.sendline("F")
        child.expect("Saved as version")
        child.expect(pexpect.EOF)
        child.wait()
        assert child.exitstatus == 0
    shown = show(only_session(tmp_path), tmp_path)
    assert shown["status"] == "finished"
    assert "neighbours" in str(shown["plan"])
    assert "Keep the colour." in str(shown["statements"])


@pytest.mark.full
def test_end_of_input_leaves_the_gate_open(tmp_path: Path) -> None:
    with terminal("run", "Paint the fence by May 2029", cwd=tmp_path) as child:
        child.expect("› ")
        child.sendeof()
        child.expect("workbench resume")
        child.expect(pexpect.EOF)
        child.wait()
        assert child.exitstatus == 3
    assert show(only_session(tmp_path), tmp_path)["status"] == "waiting"


def test_a_hostile_goal_reaches_the_terminal_without_escape_codes(tmp_path: Path) -> None:
    goal = "Paint \x1b]52;c;aGk=\x07\x1b[2J\x9b5m the fence by May 2029"
    with terminal("run", goal, "--approve", "all", cwd=tmp_path) as child:
        child.expect(pexpect.EOF)
        written = str(child.before)
    own = re.compile(r"\x1b\[(?:[0-9;]*m|\?25[lh]|2K|1A)")  # colours, and the line that tells what a model is doing
    assert "\x1b" not in own.sub("", written)
    assert "\x07" not in written
    assert "\x9b" not in written
    assert "]52;c;aGk=" in written
