"""A window that is closed: what its program held is free at once, and what it had is saved."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import pexpect
import pytest
from tests.chains import is_sound
from tests.cli.test_terminal import PROGRAM, terminal
from tests.tui.real_terminal import real_terminal
from workbench import Workspace
from workbench.cli import run_command
from workbench.storage.files.log import FileLog
from workbench.storage.places import FOLDER_NAME

GOAL = "Paint the fence by May 2029"


@pytest.fixture(autouse=True)
def heard() -> Iterator[None]:
    """Let the programs hear of a window that is closed, also where the tests themselves run under nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.fixture(autouse=True)
def plain_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBENCH_CONFIG", str(tmp_path / "none.toml"))
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("NO_COLOR", "COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)


def workspace(folder: Path) -> Workspace:
    return Workspace.open(folder, environ={"WORKBENCH_CONFIG": str(folder / "none.toml")})


def the_session(folder: Path) -> str:
    (file,) = (folder / FOLDER_NAME / "sessions").glob("*.jsonl")
    return file.stem


def close_window(child: pexpect.spawn[Any]) -> None:
    """Close the terminal, as a window that is closed does, and wait for the program's end."""
    child.ptyproc.fileobj.close()
    child.ptyproc.closed = child.closed = True
    child.child_fd = child.ptyproc.fd = -1
    _, status = os.waitpid(child.pid, 0)
    child.ptyproc.terminated = child.terminated = True
    child.ptyproc.exitstatus = 0
    assert os.WIFEXITED(status), f"it was killed by signal {os.WTERMSIG(status)}"
    assert os.waitstatus_to_exitcode(status) != 129, "it did not end by itself"


def command(folder: Path, *arguments: str) -> None:
    """Run a command that succeeds, in this process."""
    with chdir(folder):
        assert run_command(arguments) == 0


def claimed(folder: Path, session: str) -> None:
    command(folder, "shared", "claim", "fence.md", "--session", session)
    assert workspace(folder).shared().state().leases


def assert_released(folder: Path, session: str) -> None:
    """Nobody drives it, it takes part in nothing, and what it had claimed is free."""
    here = workspace(folder)
    assert here.log.driver(session) is None
    assert here.sharing_sessions() == []
    assert here.shared().state().leases == {}
    assert is_sound(FileLog(folder / FOLDER_NAME / "sessions"), session)


def test_run_at_a_gate_releases_everything(tmp_path: Path) -> None:
    with terminal("run", GOAL, cwd=tmp_path) as child:
        child.expect("choose one.*› ")
        session = the_session(tmp_path)
        claimed(tmp_path, session)
        close_window(child)
    assert_released(tmp_path, session)
    (listed,) = workspace(tmp_path).sessions()
    assert listed.status in {"waiting", "stopped"}
    command(tmp_path, "resume", session, "--approve", "all")


IGNORING = ("sh", "-c", 'trap "" HUP; exec "$@"', "sh")
"""How a program is begun whose parent ignores SIGHUP, as below nohup."""


@pytest.mark.full
@pytest.mark.parametrize("under", [(), IGNORING], ids=["by itself", "where its parent ignores it"])
def test_the_application_releases_everything(tmp_path: Path, under: tuple[str, ...]) -> None:
    with real_terminal(*under, *PROGRAM, cwd=tmp_path) as window:
        window.sees("What do you want to plan?")
        window.type(GOAL)
        window.press("enter")
        window.sees("Choose an approach")
        session = the_session(tmp_path)
        claimed(tmp_path, session)
        close_window(window.child)
    assert_released(tmp_path, session)
    (listed,) = workspace(tmp_path).sessions()
    assert listed.status == "waiting"


def test_under_nohup_nothing_ends(tmp_path: Path) -> None:
    workspace(tmp_path)
    watch = ["nohup", *PROGRAM, "shared", "watch", "--after", "0"]
    process = subprocess.Popen(watch, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    command(tmp_path, "shared", "set", "b", "1")
    assert "b: " in process.stdout.readline()
    process.send_signal(signal.SIGHUP)
    command(tmp_path, "shared", "set", "a", "1")
    assert "a: " in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
