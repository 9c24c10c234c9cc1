"""The application in a real pseudo-terminal: the installed command, keys in, bytes out, the terminal left as it was."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pytest
from tests.tui.real_terminal import real_terminal
from workbench.bootstrap import Workspace
from workbench.domain.loop.deciding.gates import Gate
from workbench.domain.session.session import SessionState
from workbench.planning.policies import approve_all
from workbench.planning.ports import Decision

PROGRAM = ["-m", "workbench"]
ENTERED, LEFT = "\x1b[?1049h", "\x1b[?1049l"
"""The alternate screen, which a program must give back."""


@contextmanager
def terminal(*arguments: str, cwd: Path, size: tuple[int, int] = (36, 120)) -> Iterator[pexpect.spawn[str]]:
    child = pexpect.spawn(
        sys.executable,
        [*arguments],
        cwd=str(cwd),
        encoding="utf-8",
        timeout=60,
        dimensions=size,
        env=dict(os.environ),  # not the C library's: readline, which pytest loads, puts a size of its own into that
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # what starts pytest may ignore it
        codec_errors="replace",
    )
    try:
        yield child
    finally:
        if child.isalive():  # closing alone gives a busy machine a tenth of a second for it
            child.kill(signal.SIGKILL)
            child.wait()
        child.close()


@pytest.fixture(autouse=True)
def plain_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBENCH_CONFIG", str(tmp_path / "user" / "config.toml"))
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    for name in ("NO_COLOR", "COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)


def ended(child: pexpect.spawn[str]) -> str:
    """Wait for the end; return what was written since the last expectation."""
    child.expect(pexpect.EOF)
    child.wait()
    return str(child.before)


def test_an_editor_that_fails_gives_the_terminal_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def until_the_plan_is_there(_state: SessionState, gate: Gate) -> Decision | None:
        answer = None if gate.kind == "checkpoint" else approve_all(gate)
        return answer and Decision(answer, "person")

    manager = Workspace.open(tmp_path).start("Paint the fence by May 2029")
    asyncio.run(manager.run(until_the_plan_is_there))
    monkeypatch.setenv("EDITOR", "false")
    monkeypatch.delenv("VISUAL", raising=False)
    with real_terminal(sys.executable, *PROGRAM, "open", manager.session_id, cwd=tmp_path) as screen:
        screen.sees("F finish")
        screen.press("ctrl+g")
        screen.sees("The editor ended with 1; nothing was changed.", "F finish")


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("open", "no-such-session"), 2, "There is no session 'no-such-session'."),
        (("open", "--workspace", "/dev/null"), 2, "/dev/null is not a folder."),
    ],
)
def test_what_cannot_be_opened_ends_in_a_sentence(
    arguments: tuple[str, ...], code: int, said: str, tmp_path: Path
) -> None:
    with terminal(*PROGRAM, *arguments, cwd=tmp_path) as child:
        written = ended(child)
        assert child.exitstatus == code
    assert said in written
    assert "Traceback" not in written
    assert written.count(ENTERED) == written.count(LEFT)


CRASH = """
import sys
from workbench.bootstrap import Workspace
from workbench.cli import run_command

def start(self, goal, **options):
    secret = "sk-0123456789-of-nobody"
    raise RuntimeError(secret + goal)

Workspace.start = start
sys.exit(run_command([]))
"""


def test_a_defect_leaves_a_report_without_texts_and_the_terminal_as_it_was(tmp_path: Path) -> None:
    with terminal("-c", CRASH, cwd=tmp_path) as child:
        child.expect("What do you want to plan")
        child.send("Paint the fence\r")
        written = ended(child)
        assert child.exitstatus == 1
    assert "That is a defect of the workbench (RuntimeError)" in written
    assert LEFT in written
    assert "Traceback" not in written
    assert "sk-0123456789" not in written
    (report,) = tmp_path.glob("workbench-crash-*.txt")
    told = report.read_text()
    assert "RuntimeError" in told
    assert "in start" in told
    assert "sk-0123456789-of-nobody" not in re.sub(r'secret = "[^"]*"', "", told)
    assert "Paint the fence" not in told
