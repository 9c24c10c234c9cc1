"""Following sessions beside everything else that the application does."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from threading import get_ident
from time import monotonic
from typing import Any

import pytest
from tests.chains import is_sound
from tests.pace import slowness
from tests.tui.acting import GOAL, RunApp, until, wait_at_checkpoint, wait_at_gate
from tests.tui.real_terminal import RealTerminal, real_terminal
from tests.tui.session_fixtures import HeldModel, begin, choose, gate, screen_of, settled, use
from textual.message import Message
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.domain.errors import LogDamaged, LogError, LogUnavailable
from workbench.domain.log.envelope import Event
from workbench.domain.session.session import SessionState
from workbench.storage.files.session_file import read_session_file
from workbench.storage.files.watching.stopping import Stop
from workbench.tui.form import FormDialog
from workbench.tui.session import following
from workbench.tui.session.following import FollowingFailed, SessionChanged, follow, follow_apart
from workbench.tui.session.screen import SessionScreen
from workbench.tui.widgets.bars import Notice


async def test_a_defect_of_a_source_is_not_swallowed() -> None:
    def source(_stopped: Callable[[], bool], _post: Callable[[Message], object]) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await follow_apart(source, lambda _message: None)


def failing(monkeypatch: pytest.MonkeyPatch, workspace: Workspace, *errors: LogError) -> None:
    """Let the next reads of a session meet these errors, one after the other, before it is read as it is.

    Those of this thread: another one may still read what the session has written last.
    """
    waiting, read, mine = list(errors), workspace.log.read, get_ident()

    def reading(stream: str, **options: Any) -> Iterator[Event]:
        if waiting and get_ident() == mine:
            raise waiting.pop(0)
        return read(stream, **options)

    monkeypatch.setattr(workspace.log, "read", reading)
    monkeypatch.setattr(following, "_AGAIN_AFTER", 0.0)


async def test_a_log_that_was_away_is_followed_again(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    session = await wait_at_gate(workspace)
    away = LogUnavailable("Away.", "Wait.")
    failing(monkeypatch, workspace, away, away)
    posted: list[Message] = []
    stopped = Stop()

    def post(message: Message) -> None:
        posted.append(message)
        if isinstance(message, SessionChanged):
            stopped.set()

    follow(workspace.session(session).log, stopped, post)
    failed, changed = posted
    assert isinstance(failed, FollowingFailed)
    assert (failed.error, failed.goes_on) == (away, True)
    assert isinstance(changed, SessionChanged)
    assert changed.is_anew


async def test_a_log_that_is_damaged_is_not_read_again(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    session = await wait_at_gate(workspace)
    failing(monkeypatch, workspace, LogDamaged("Garbled.", "Repair it."))
    posted: list[Message] = []
    follow(workspace.session(session).log, Stop(), posted.append)
    *_, failed = posted
    assert isinstance(failed, FollowingFailed)
    assert not failed.goes_on


def _state(screen: SessionScreen) -> SessionState:
    assert screen.state is not None
    return screen.state


def file_of(workspace: Workspace, session: str) -> Path:
    return workspace.folder.sessions / f"{session}.jsonl"


def kept_files(workspace: Workspace) -> list[Path]:
    return sorted((workspace.folder.root / "trash").glob("*.unsaved-*.jsonl"))


def notice(pilot: Pilot[Any]) -> str:
    """What the screen says went wrong, as one string; "" where it says nothing."""
    problem = screen_of(pilot).query_one(Notice).problem
    return "" if problem is None else f"{problem.happened} {problem.kept} {problem.next}"


async def go_back_at_checkpoint(pilot: Pilot[Any], workspace: Workspace, session: str) -> int:
    """Put an older copy in the file's place while a person looks at a checkpoint; return how many events it has."""
    await gate(pilot, "checkpoint")
    events = list(workspace.session(session).events())
    chosen = next(event.seq for event in events if event.kind == "gate.opened" and b'"approach"' in bytes(event.body))
    path = file_of(workspace, session)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[: chosen + 1]))
    await until(pilot, lambda: "older copy" in notice(pilot))
    await until(pilot, lambda: kept_files(workspace))
    await settled(pilot)
    return chosen


async def test_an_idle_screen_stops_and_reloads_what_is_there_now(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace, session=await wait_at_gate(workspace))
    known = list(workspace.session(session).events())
    async with run_app(session=session) as pilot:
        there = await go_back_at_checkpoint(pilot, workspace, session)
        (file,) = kept_files(workspace)
        assert list(read_session_file(file))[: len(known)] == known
        assert screen_of(pilot).state.plan is not None, "what was shown stays"
        assert "^R opens what is there now" in notice(pilot)
        await pilot.press("ctrl+r")
        await gate(pilot, "approach")
        assert screen_of(pilot).state.plan is None
        assert "older copy" not in notice(pilot)
        assert len(list(workspace.session(session).events())) == there
        await choose(pilot)
        await gate(pilot, "checkpoint")
    assert is_sound(workspace.log, session)


async def test_an_idle_screen_forks_what_it_knew(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace, session=await wait_at_gate(workspace))
    known = len(list(workspace.session(session).events()))
    async with run_app(session=session) as pilot:
        await go_back_at_checkpoint(pilot, workspace, session)
        screen_of(pilot).action_fork()
        await until(pilot, lambda: isinstance(pilot.app.screen, FormDialog))
        await pilot.press("enter")
        await until(pilot, lambda: not isinstance(pilot.app.screen, FormDialog))
        await until(pilot, lambda: screen_of(pilot).session != session)
        await gate(pilot, "checkpoint")
        fork = screen_of(pilot).session
    assert len(list(workspace.session(fork).events())) > known
    assert workspace.session(fork).state().plan is not None


async def test_a_reply_on_its_way_is_received_and_kept(run_app: RunApp, workspace: Workspace) -> None:
    model = HeldModel().hold("plan", after=1)
    use(workspace, model)
    async with run_app() as pilot:
        screen = await begin(pilot, GOAL)
        await gate(pilot, "approach")
        path = file_of(workspace, screen.session)
        older = path.read_bytes()
        await choose(pilot)
        await until(pilot, lambda: model.asked["plan"])
        path.write_bytes(older)
        await until(pilot, lambda: "older copy" in notice(pilot))
        model.release("plan")
        await until(pilot, lambda: kept_files(workspace))
        await settled(pilot)
        assert not screen.drive.is_acting
        (file,) = kept_files(workspace)
        assert [event.kind for event in read_session_file(file)][-1] == "call.finished"
        assert path.read_bytes() == older
        assert "is kept in the trash" in notice(pilot)


PROGRAM = (sys.executable, "-m", "workbench")
FENCE, ROOF = "Paint the fence by May 2029", "Mend the roof by June 2029"
SEEN_WITHIN = 1.0
"""Seconds from the key to the other screen, in the middle of several, on a quiet machine."""
ROOM = 3
"""How many times as much the suite allows beside other tests, on top of how slow the machine is just then."""


@pytest.fixture
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
            terminal.sees("Choose an approach", "5 shared")
            terminal.press("f5")
            terminal.sees("No values yet")
        first, second = opened
        yield first, second


@pytest.mark.full
@pytest.mark.usefixtures("environment")
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
    first.sees("Enter again sets yours.")
    first.press("enter")
    for terminal in (first, second):
        terminal.sees("files: +api.py", "merged", "lists are joined", without=["Share a value"])


def _undo(first: RealTerminal, second: RealTerminal) -> None:
    first.press("g")
    first.sees("u undo")
    for key in ("down", "down", "u"):  # the values stand by their names: build, deploy, files
        first.press(key)
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
    second.sees("crashed", "has fence.md")
