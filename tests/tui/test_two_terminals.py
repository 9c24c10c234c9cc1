"""Two people at two real terminals on one workspace: what one shares the other sees, and what a death leaves.

terminal A ─ keys ─▶ workbench ─▶ shared stream, lives ─▶ workbench ─ screen ─▶ terminal B
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from time import monotonic

import pytest
from tests.pace import slowness
from tests.tui.real_terminal import RealTerminal, real_terminal

PROGRAM = (sys.executable, "-m", "workbench")
FENCE, ROOF = "Paint the fence by May 2029", "Mend the roof by June 2029"
SEEN_WITHIN = 1.0
"""Seconds from the key to the other screen, in the middle of several, on a quiet machine."""
ROOM = 3
"""How many times as much the suite allows beside other tests, on top of how slow the machine is just then."""


@pytest.fixture(autouse=True)
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBENCH_CONFIG", str(tmp_path / "user" / "config.toml"))
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    for name in ("NO_COLOR", "COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[tuple[RealTerminal, RealTerminal]]:
    """Two applications in one folder, each with a session of its own that asks its first question."""
    work = tmp_path / "work"
    work.mkdir()
    with ExitStack() as stack:
        opened = [stack.enter_context(real_terminal(*PROGRAM, cwd=work)) for _ in range(2)]
        for terminal, goal in zip(opened, (FENCE, ROOF), strict=True):
            terminal.sees("What do you want to plan?")
            terminal.press("ctrl+n")  # where there are sessions, their list has the focus
            terminal.type(goal)
            terminal.press("enter")
            terminal.sees("Choose an approach", "SHARED")
        first, second = opened
        yield first, second


def test_what_one_shares_the_other_sees_until_it_is_killed(
    terminals: tuple[RealTerminal, RealTerminal], full_counts: bool
) -> None:
    first, second = terminals
    took = _share_values(first, second)
    assert median(took) < SEEN_WITHIN * (1 if full_counts else ROOM * slowness()), took
    _change_one_list(first, second)
    _undo(first, second)
    _claim(first, second)
    _kill(first, second)
    second.press("ctrl+q")
    assert "Saved." in second.ended()
    assert second.child.exitstatus == 0


def _write(terminal: RealTerminal, key: str, value: str) -> None:
    """Give a key and its value; Enter shares it then."""
    terminal.press("f8")
    terminal.sees("Share a value")
    terminal.type(key)
    terminal.press("enter")
    terminal.sees("Enter share it")
    terminal.type(value)


def _share_values(first: RealTerminal, second: RealTerminal) -> list[float]:
    """Return the seconds that each took from the key to the other screen."""
    took = []
    for step in ("build", "test", "deploy"):
        _write(first, step, step)
        begun = monotonic()
        first.press("enter")
        second.sees(f"{step}: {step}")
        took.append(monotonic() - begun)
        first.sees(f"{step}: {step}", without=["Share a value"])
    return took


def _change_one_list(first: RealTerminal, second: RealTerminal) -> None:
    """Both begin with no list: whoever comes second is merged with the first."""
    _write(first, "files", '["api.py"]')
    _write(second, "files", '["db.py"]')
    second.press("enter")
    second.sees("files: +db.py")
    first.press("enter")
    for terminal in (first, second):
        terminal.sees("files: +api.py", "merged", "lists are joined", without=["Share a value"])


def _undo(first: RealTerminal, second: RealTerminal) -> None:
    first.press("f5")
    first.sees("u undo")
    first.press("u")
    for terminal in (first, second):
        terminal.sees("undone", "files: −api.py")


def _claim(first: RealTerminal, second: RealTerminal) -> None:
    first.press("f9")
    first.sees("Claim a file or a task")
    first.type("fence.md")
    first.press("enter")
    second.sees("has fence.md")


def _kill(first: RealTerminal, second: RealTerminal) -> None:
    os.kill(first.child.pid, signal.SIGKILL)
    second.sees("crashed", "had fence.md")
