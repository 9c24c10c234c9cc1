"""What lives promise, wherever they are kept: they end with their process, and asking takes nothing."""

import os
import signal
import subprocess
import sys
import threading
from contextlib import ExitStack

import pytest
from tests.waiting import eventually
from workbench.domain.errors import InvalidId, LogBusy, LogUnavailable
from workbench.storage.files.lives import FileLives, MemoryLives
from workbench.storage.ports import Sign


class Clock:
    """Seconds since 1970 that pass when a test says so."""

    def __init__(self):
        self.seconds = 1_800_000_000.0

    def __call__(self):
        return self.seconds


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(params=["memory", "files", "flock-files", "redis"])
def lives(request, tmp_path, clock):
    if request.param == "flock-files":
        request.getfixturevalue("flock")
    if request.param == "redis":
        return request.getfixturevalue("redis_store").lives()
    return MemoryLives(now=clock) if request.param == "memory" else FileLives(tmp_path / "lives", now=clock)


def test_a_life_is_held_until_it_is_given_back(lives):
    assert lives.holder("a") is None
    with lives.live("a"):
        assert (lives.holder("a").pid, lives.holder("a").host) == (os.getpid(), os.uname().nodename)
        assert lives.holder("b") is None
    assert lives.holder("a") is None
    with lives.live("a"):
        assert lives.holder("a")


def test_a_life_is_given_back_by_an_error_too(lives):
    with pytest.raises(ZeroDivisionError), lives.live("a"):
        _ = 1 / 0
    assert lives.holder("a") is None


def test_a_session_lives_once(lives):
    with lives.live("a"), lives.live("b"):
        with pytest.raises(LogBusy, match="Session a is open in") as failure, lives.live("a"):
            pass
        assert failure.value.remedy
        assert lives.holder("a"), "who was refused gives nothing back"
    with lives.live("a"):
        pass


def test_of_many_that_begin_at_once_one_lives(lives):
    begin, end, lived, refused = threading.Barrier(8), threading.Barrier(8), [], []

    def live():
        with ExitStack() as stack:
            begin.wait()
            try:
                stack.enter_context(lives.live("a"))
                lived.append(1)
            except LogBusy:
                refused.append(1)
            end.wait()

    threads = [threading.Thread(target=live) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(lived), len(refused)) == (1, 7)
    assert lives.holder("a") is None


@pytest.mark.parametrize("lives", ["memory", "files", "flock-files"], indirect=True)  # a server has a clock of its own
def test_a_heartbeat_tells_when_something_was_last_done(lives, clock):
    assert lives.since_beat("a") is None
    with lives.live("a"):
        assert lives.since_beat("a") == pytest.approx(0), "a life begins with one"
        clock.seconds += 30
        assert lives.since_beat("a") == pytest.approx(30)
        lives.beat("a")
        assert lives.since_beat("a") == pytest.approx(0)
        clock.seconds += 5
    assert lives.since_beat("a") == pytest.approx(5), "it is known of who is gone, too"
    assert lives.since_beat("b") is None


@pytest.mark.parametrize("lives", ["memory", "files", "flock-files"], indirect=True)  # a server has a clock of its own
def test_a_sign_tells_both(lives, clock):
    assert lives.sign("a") == Sign(is_open=False, since_beat=None)
    with lives.live("a"):
        clock.seconds += 5
        assert lives.sign("a") == (True, pytest.approx(5))
    clock.seconds += 5
    assert lives.sign("a") == (False, pytest.approx(10)), "when it last did something is still known"


@pytest.mark.parametrize("session", ["", "*", "../a", "A"])
def test_a_life_is_of_an_id(lives, session):
    with pytest.raises(InvalidId), lives.live(session):
        pass
    for ask in (lives.holder, lives.sign):
        with pytest.raises(InvalidId):
            ask(session)


def test_asking_takes_nothing(lives):
    """A lock that is tried for a moment would refuse whoever begins at that moment."""
    stop, asked = threading.Event(), []

    def ask():
        while not stop.is_set():
            lives.holder("a")
            lives.since_beat("a")
            lives.sign("a")
            asked.append(1)

    thread = threading.Thread(target=ask)
    thread.start()
    eventually(lambda: asked)
    for _ in range(300):
        with lives.live("a"):
            pass
    stop.set()
    thread.join()


# of processes


LIVE = """
import sys
from pathlib import Path
from workbench.storage.files.lives import FileLives
with FileLives(Path(sys.argv[1])).live("a"):
    print("ready", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def process(tmp_path):
    """A process that lives as session a."""
    command = [sys.executable, "-c", LIVE, str(tmp_path / "lives")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as started:
        try:
            assert started.stdout.readline() == "ready\n"
            yield started
        finally:
            started.kill()


@pytest.fixture
def files(tmp_path):
    return FileLives(tmp_path / "lives")


def test_who_has_a_session_open_elsewhere_is_named(files, process):
    held = files.holder("a")
    assert held.pid == process.pid
    with (
        pytest.raises(LogBusy, match=f"Session a is open in process {process.pid} since {held.since}"),
        files.live("a"),
    ):
        pass


def test_a_life_ends_with_its_process(files, process):
    process.communicate("\n")
    assert process.returncode == 0
    assert files.holder("a") is None


def test_a_life_ends_with_the_death_of_its_process(files, process):
    process.send_signal(signal.SIGKILL)
    eventually(lambda: not files.sign("a").is_open)
    assert files.holder("a") is None
    assert files.since_beat("a") is not None, "when it last did something is still known"
    with files.live("a"):
        assert files.holder("a").pid == os.getpid()


def test_who_is_stopped_lives(files, process):
    process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, process.pid, os.WSTOPPED)
    assert files.holder("a").pid == process.pid


# of files


def test_lives_are_their_owners_alone(files, tmp_path):
    with files.live("a"):
        assert (tmp_path / "lives").stat().st_mode & 0o777 == 0o700
        assert (tmp_path / "lives/a").stat().st_mode & 0o777 == 0o600


def test_a_clock_that_went_back_makes_nobody_beat_in_the_future(files, tmp_path):
    with files.live("a"):
        os.utime(tmp_path / "lives/a", (2**32, 2**32))
        assert files.since_beat("a") == files.sign("a").since_beat == 0.0


def test_what_the_system_refuses_is_said(files, tmp_path):
    (tmp_path / "lives").write_text("")
    for call in (
        lambda: files.holder("a"),
        lambda: files.sign("a"),
        lambda: files.live("a").__enter__(),
        lambda: files.beat("a"),
    ):
        with pytest.raises(LogUnavailable, match="a file stands where a folder is expected") as failure:
            call()
        assert failure.value.remedy
    assert files.since_beat("a") is None
