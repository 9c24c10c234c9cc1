"""The gate, the driver's lock, and who holds them."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from contextlib import contextmanager

import pytest
from tests.event_drafts import drafts
from workbench.domain.errors import LogBusy
from workbench.storage.files.locking.lock_choice import locks_of
from workbench.storage.files.locking.lock_files import FileLocks
from workbench.storage.files.locking.locks import QUEUE, gate
from workbench.storage.files.locking.range_locks import RangeLocks
from workbench.storage.files.log import FileLog
from workbench.storage.files.opening import Files

pytestmark = pytest.mark.usefixtures("kind")


@pytest.fixture(params=["ofd", "flock"])
def kind(request, monkeypatch):
    """The class of the locks that this process and those that it starts have."""
    monkeypatch.setenv("WORKBENCH_LOCKS", request.param)
    return RangeLocks if request.param == "ofd" else FileLocks


@contextmanager
def opened_locks(path):
    descriptor = os.open(path, os.O_RDWR)
    locks = locks_of(Files(), path, descriptor)
    try:
        yield locks
    finally:
        locks.close()
        os.close(descriptor)


@pytest.fixture
def log(tmp_path):
    log = FileLog(tmp_path / "sessions", patience=0.2)
    log.append("s", drafts(1, 1), expected=0)
    return log


@pytest.fixture
def python(log):
    """Start a process that has ``log`` and says "ready" when it is where it should be."""
    started = []

    def start(body):
        script = "\n".join(
            [
                "import os, signal, sys, time",
                "from pathlib import Path",
                "from workbench.storage.files.log import FileLog",
                "from workbench.storage.files.locking.lock_choice import locks_of",
                "from workbench.storage.files.locking.locks import gate",
                "from workbench.storage.files.opening import Files",
                f"log = FileLog(Path({str(log.folder)!r}))",
                f"path = Path({str(log.folder / 's.jsonl')!r})",
                textwrap.dedent(body),
            ]
        )
        process = subprocess.Popen(
            [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        started.append(process)
        assert process.stdout.readline() == "ready\n"
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


HOLD_THE_GATE = """
    descriptor = os.open(path, os.O_RDWR)
    with gate(locks_of(Files(), path, descriptor), path, patience=1):
        print("ready", flush=True)
        sys.stdin.readline()
    """
DRIVE = """
    with log.drive("s"):
        print("ready", flush=True)
        sys.stdin.readline()
    """


def test_who_waits_too_long_for_the_gate_learns_who_holds_it(log, python):
    holder = python(HOLD_THE_GATE)
    began = time.monotonic()
    with pytest.raises(LogBusy, match=f"Process {holder.pid} has been holding .* for more than 0.2 seconds") as failure:
        log.append("s", drafts(2, 2), expected=1)
    assert time.monotonic() - began >= 0.2
    assert failure.value.remedy
    assert [event.seq for event in log.read("s")] == [1], "readers do not wait"


@pytest.mark.usefixtures("log")
def test_a_forked_child_takes_a_gate_of_its_own(python):
    """A child that used its parent's open file would walk through the gate its parent holds."""
    parent = python(
        """
        from tests.event_drafts import draft
        from workbench.domain.errors import LogBusy
        log = FileLog(log.folder, patience=0.1)
        log.append("s", [draft(2)], expected=1)
        go, parents_end = os.pipe()
        child = os.fork()
        if child == 0:
            os.read(go, 1)
            try:
                log.append("s", [draft(3)], expected=2)
            except LogBusy:
                os._exit(7)
            os._exit(0)
        with log.file("s").journal.appending():
            os.write(parents_end, b"x")
            print("ready", flush=True)
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        """
    )
    assert parent.stdout.read() == "7\n"


def test_a_stopped_holder_is_named_and_everything_goes_on_when_it_does(log, python):
    holder = python(HOLD_THE_GATE)
    holder.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, holder.pid, os.WSTOPPED)
    with pytest.raises(LogBusy, match=f"Process {holder.pid}"):
        log.append("s", drafts(2, 2), expected=1)
    holder.send_signal(signal.SIGCONT)
    holder.communicate("\n")
    assert log.append("s", drafts(2, 2), expected=1)[0].seq == 2


def test_the_kernel_frees_the_gate_when_its_holder_dies(log, python):
    holder = python(HOLD_THE_GATE)
    holder.kill()
    holder.wait()
    assert log.append("s", drafts(2, 2), expected=1)[0].seq == 2


def test_who_waits_at_the_queue_is_told_who_holds_the_gate(log, python):
    holder = python(HOLD_THE_GATE)
    path = log.folder / "s.jsonl"
    with opened_locks(path) as first, opened_locks(path) as second:
        assert first.take(QUEUE)
        with pytest.raises(LogBusy, match=f"Process {holder.pid}"), gate(second, path, patience=0.01):
            pass


def test_the_driver_is_named_until_its_death(log, python):
    driver = python(DRIVE)
    for _ in range(100):
        assert log.driver("s").pid == driver.pid
    with pytest.raises(LogBusy, match=f"process {driver.pid} since 20"), log.drive("s"):
        pass
    assert log.append("s", drafts(2, 2), expected=1), "appending is open to everyone"
    driver.kill()
    driver.wait()
    assert log.driver("s") is None
    with log.drive("s"):
        assert log.driver("s").pid == os.getpid()


def test_asking_disturbs_nobody(log, python):
    honest = python(
        """
        from workbench.domain.errors import LogBusy
        print("ready", flush=True)
        failures = 0
        for _ in range(500):
            try:
                with log.drive("s"):
                    pass
            except LogBusy:
                failures += 1
        print(failures, flush=True)
        """
    )
    asked = 0
    while honest.poll() is None:
        log.driver("s")
        asked += 1
    assert honest.stdout.read() == "0\n"
    assert asked


def test_a_forked_child_does_not_keep_its_parents_lock(log, python):
    """Multiprocessing forks; a child that outlives its parent must not go on driving in its name."""
    parent = python(
        """
        driving = log.drive("s")
        driving.__enter__()
        if os.fork() == 0:
            print("ready", flush=True)
            os.read(0, 1)
            os._exit(0)
        signal.pause()
        """
    )
    assert log.driver("s").pid == parent.pid
    parent.kill()
    os.waitid(os.P_PID, parent.pid, os.WEXITED | os.WNOWAIT)
    assert log.driver("s") is None


def test_a_driver_of_a_file_that_was_replaced_meanwhile_starts_again(log, kind, monkeypatch):
    path = log.folder / "s.jsonl"
    take = kind.take
    taken = []

    def replaced_first(self, lock):
        if not taken:
            copy = path.with_name("copy")
            copy.write_bytes(path.read_bytes())
            copy.replace(path)
        taken.append(lock)
        return take(self, lock)

    monkeypatch.setattr(kind, "take", replaced_first)
    with log.drive("s"):
        assert len(taken) == 2
        assert log.driver("s")
