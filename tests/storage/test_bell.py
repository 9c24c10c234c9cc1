"""The bell: who follows is woken, nobody else is, and nothing that happens to it harms an append."""

import os
import stat
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

import pytest
from tests.event_drafts import anything, draft, drafts, numbers
from workbench.storage.files.log import FileLog
from workbench.storage.files.watching import bell as module
from workbench.storage.files.watching.bell import Bell, is_private
from workbench.storage.files.watching.stopping import Stop
from workbench.storage.files.workspace import open_workspace

ROOT = Path(__file__).parents[2]
LONG = 60.0
"""Seconds that nothing here takes, unless a ring is missed."""


@pytest.fixture
def runtime():
    """A folder that is not there yet, with a short path, as a socket's name must be."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "bell"


@pytest.fixture
def bell(tmp_path, runtime, monkeypatch):
    """Who waits looks again after a minute: only a ring brings the test to its end in time."""
    monkeypatch.setattr(module, "LOOK_EVERY", LONG)
    monkeypatch.setattr(module, "ASK_EVERY", LONG)
    return Bell(tmp_path / "log", look_every=LONG, runtime=runtime)


def waited(listener):
    begun = time.monotonic()
    listener.wait(found=False)
    return time.monotonic() - begun


def sockets(runtime):
    return sorted(path for path in runtime.rglob("*") if stat.S_ISSOCK(path.lstat().st_mode))


def is_rung(listener):
    return bool(listener._rung.poll(0))


def test_a_ring_wakes_every_listener_of_the_stream_and_nobody_else(bell):
    with bell.listener("s", Stop()) as one, bell.listener("s", Stop()) as two, bell.listener("other", Stop()) as other:
        bell.ring("s")
        assert waited(one) < LONG / 2
        assert waited(two) < LONG / 2
        assert not is_rung(other)


def listening(folder, runtime, stream="s"):
    command = [sys.executable, "-m", "tests.storage.listening", str(folder), str(runtime), stream]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    return process


def test_a_process_sees_what_another_one_appends(tmp_path, runtime, bell):
    log = FileLog(tmp_path / "log", bell=bell)
    log.append("s", drafts(1, 1), expected=0)
    with listening(log.folder, runtime) as follower:
        log.append("s", drafts(2, 40), expected=1)
        assert [int(follower.stdout.readline()) for _ in range(40)] == list(range(1, 41))
        follower.kill()


def test_the_socket_of_a_killed_process_goes_with_the_next_ring(tmp_path, runtime, bell):
    log = FileLog(tmp_path / "log", bell=bell)
    log.append("s", drafts(1, 1), expected=0)
    with listening(log.folder, runtime) as follower, bell.listener("s", Stop()) as other:
        follower.kill()
        follower.wait()
        assert len(sockets(runtime)) == 2
        log.append("s", drafts(2, 2), expected=1)
        assert [path.name.split("-")[0] for path in sockets(runtime)] == [str(os.getpid())]
        assert is_rung(other)


def test_a_forked_child_takes_no_ring_from_its_parent_and_gives_nothing_back(runtime, bell):
    with bell.listener("s", Stop()) as listener:
        before = sockets(runtime)
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                listener.close()
                code = 0 if sockets(runtime) == before and listener._socket.fileno() < 0 else 2
            finally:
                os._exit(code)
        assert os.waitpid(pid, 0)[1] == 0
        bell.ring("s")
        assert waited(listener) < LONG / 2


def test_a_child_that_follows_on_looks_again_and_again(tmp_path, runtime):
    log = FileLog(tmp_path / "log", bell=Bell(tmp_path / "log", runtime=runtime))
    log.append("s", drafts(1, 1), expected=0)
    batches = log.follow("s", after=0, stopped=lambda: False)
    assert numbers(next(batches)) == [1]
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            log.append("s", drafts(2, 2), expected=1)
            code = 0 if numbers(next(batches)) == [2] else 2
        finally:
            os._exit(code)
    assert os.waitpid(pid, 0)[1] == 0
    assert numbers(next(batches)) == [2], "and its parent sees it too"
    batches.close()
    assert sockets(runtime) == []


def test_an_append_rings_behind_its_acknowledgement(tmp_path, bell):
    log = FileLog(tmp_path / "log", bell=bell)
    seen = []
    bell.ring = lambda stream: seen.append((stream, FileLog(log.folder).head(stream).seq))
    log.append("s", drafts(1, 2), expected=0)
    log.append("s", [], expected=2)
    log.append("s", drafts(3, 3), expected=None)
    log.redact("s", {}, drafts(4, 4), expected=3)
    log.repair("s", takes_in=anything)
    assert seen == [("s", 2), ("s", 3), ("s", 4), ("s", 4)]


def test_nobody_is_rung_in_a_folder_that_others_may_enter(tmp_path, runtime, bell):
    with bell.listener("s", Stop()) as listener:
        runtime.chmod(0o755)
        Bell(tmp_path / "log", runtime=runtime).ring("s")
        assert not is_rung(listener)


def test_the_runtime_folder_is_the_persons_own(tmp_path, runtime, monkeypatch):
    runtime.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    assert f"{runtime / 'workbench'})" in Bell(tmp_path).mechanism
    runtime.chmod(0o755)
    monkeypatch.setattr("tempfile.tempdir", str(runtime.parent))
    assert f"{runtime.parent}/workbench-{os.geteuid()})" in Bell(tmp_path).mechanism
    assert not is_private(tmp_path / "nowhere")


def test_a_workspace_wakes_those_who_follow_its_sessions_and_what_they_share(tmp_path, runtime, monkeypatch):
    runtime.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    workspace = open_workspace(tmp_path)
    for log in (workspace.log(), workspace.shared_log()):
        log.append("s", [draft(1)], expected=0)
        batches = log.follow("s", after=0, stopped=lambda: False)
        assert numbers(next(batches)) == [1]
        assert len(sockets(runtime)) == 1
        again = workspace.log() if log.folder == workspace.sessions else workspace.shared_log()
        again.append("s", [draft(2)], expected=1)
        assert list(islice(map(numbers, batches), 1)) == [[2]]
        batches.close()
    assert "a datagram" in workspace.waking
