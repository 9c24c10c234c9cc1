"""Seed 004's integration tests (7.2) of the coordinator, under their names, with real processes; and how it fails."""

import json
import os
import subprocess
import sys
import threading
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.memory_log import MemoryLog
from tests.redis_server import new_workspace
from tests.sharing.managers import a_log, coordinator, manager
from tests.waiting import eventually
from workbench.domain.errors import Fenced, LogDamaged, LogUnavailable, UsageError
from workbench.sharing.coordinator import OFF, SessionCoordinator
from workbench.sharing.presence import IDLE_AFTER, present
from workbench.sharing.shared_context import Cursor
from workbench.storage.files.lives import FileLives, MemoryLives
from workbench.storage.redis.driving import Drivers
from workbench.storage.redis.lives import RedisLives

ROOT = Path(__file__).parents[2]


class Session:
    """A session that a process of its own has open."""

    def __init__(self, folder, session):
        command = [sys.executable, "-m", "tests.sharing.coordinator_process", str(folder), session]
        self.session = session
        self.process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, *what):
        """Let it do something, without waiting for it."""
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()

    def answer(self):
        """Wait for what the first thing that was asked came to."""
        return json.loads(self.process.stdout.readline())

    def does(self, *what):
        self.ask(*what)
        return self.answer()

    def end(self):
        """Let it stop as it should."""
        self.process.stdin.close()
        assert self.process.wait() == 0

    def die(self):
        self.process.kill()
        self.process.wait()


@pytest.fixture
def begin(tmp_path, monkeypatch):
    """Start sessions, each in a process of its own; however slow the machine is, they are not idle."""
    monkeypatch.setattr("workbench.sharing.presence.IDLE_AFTER", 3_600.0)
    with ExitStack() as stack:

        def start(*names):
            sessions = [Session(tmp_path, name) for name in names]
            for session in sessions:
                stack.enter_context(session.process)
                stack.callback(session.process.kill)
            for session in sessions:
                assert session.process.stdout.readline() == "ready\n"
            return sessions

        yield start


@pytest.fixture
def here(tmp_path):
    """Coordinators in this process; what is still started at the end is stopped."""
    with ExitStack() as stack:

        def make(session, **options):
            one = coordinator(tmp_path, session, **options)
            stack.callback(one.stop)
            return one

        yield make


def seen(folder, *, lives=None):
    """The sessions that take part, as a person sees them."""
    found = present(
        manager(a_log("files", folder)).state, lives or FileLives(folder / "lives"), datetime.now(UTC), lambda _: False
    )
    return {one.session_id: one for one in found}


# 7.2


def test_2_session_coordination(begin, here, tmp_path):
    changes, told = [], threading.Event()

    def on_changes(events):
        changes.extend(event for event in events if event.session_id == "b" and event.key == "phase")
        if changes:
            told.set()

    a = here("a")
    a.start(on_changes)
    (b,) = begin("b")
    assert b.does("set", "phase", "Phase 2") == "committed"
    assert told.wait(60), "what the other process committed was handed over"
    assert changes[0].value == a.get_shared("phase") == "Phase 2"
    assert a.update_shared("answer", 42).outcome == "committed"
    assert b.does("get", "answer") == 42
    b.does("publish", {"phase": "planning", "iteration": 2, "goal": "Move our billing"})
    others = seen(tmp_path)
    assert {name: one.status for name, one in others.items()} == {"a": "active", "b": "active"}
    assert (others["b"].phase, others["b"].iteration, others["b"].current_task) == ("planning", 2, "Move our billing")
    b.end()
    a.stop()
    assert seen(tmp_path) == {}


def test_concurrent_updates(begin):
    sessions = begin("a", "b", "c", "d")
    for one in sessions:
        one.ask("add", "all", one.session, 10)
    for one in sessions:
        assert len(one.answer()) >= 10
    everything = sorted(f"{name}.{number}" for name in "abcd" for number in range(10))
    assert sorted(sessions[0].does("get", "all")) == everything


# life


def test_what_it_claimed_and_said_is_gone_when_it_stops(here, tmp_path):
    a, b = here("a"), here("b")
    a.start()
    b.start()
    a.claim("file", "plan.md")
    a.claim("task", "alone")
    assert b.claim("file", "plan.md", queue=True).outcome == "queued"
    a.publish({"phase": "planning"}, works=True)
    a.stop()
    assert seen(tmp_path)["b"].claimed == ("plan.md",)
    assert b.get_shared("sessions/a") is None
    assert b.claim("task", "alone").outcome == "granted"
    a.start()
    a.publish({"phase": "planning"}, works=True)
    assert b.get_shared("sessions/a") == {"phase": "planning"}, "a new life says anew what it is at"


def test_a_session_that_is_open_elsewhere_takes_part_there(begin, here, tmp_path):
    (there,) = begin("a")
    a = here("a")
    a.start()
    assert f"is open in process {there.process.pid}" in a.elsewhere
    a.publish({"phase": "rated"}, works=False)
    assert there.does("get", "sessions/a") == {"phase": "rated"}
    there.does("set", "k", 1)
    observed, why = a.observe(Cursor())
    assert ([key for key, _ in observed.changed], why) == (["k"], "")
    a.stop()
    assert seen(tmp_path)["a"].status == "active", "it is not this one that can leave"
    there.end()
    a.start()
    assert a.elsewhere == ""
    assert FileLives(tmp_path / "lives").holder("a").pid == os.getpid()


def test_who_cannot_take_part_gives_the_life_back(here, tmp_path, monkeypatch):
    monkeypatch.setattr("workbench.sharing.shared_context.MOST_MEMBERS", 0)
    with pytest.raises(UsageError, match="take part already"):
        here("a").start()
    assert FileLives(tmp_path / "lives").holder("a") is None


def test_off_values_stay_with_the_session():
    a = SessionCoordinator("a", None, None)
    assert not a.is_on
    a.start(lambda _: None)
    assert a.get_shared("k", "default") == "default"
    done = a.update_shared("k", 1)
    assert (done.outcome, done.key, done.value, done.event) == ("committed", "k", 1, None)
    assert a.get_shared("k") == 1
    assert SessionCoordinator("b", None, None).get_shared("k") is None
    claim = a.claim("file", "plan.md")
    assert (claim.outcome, claim.holder, claim.event) == ("granted", "a", None)
    assert a.release("file", "plan.md").outcome == "released"
    a.publish({"phase": "planning"}, works=True)
    assert a.observe(Cursor()) == (None, OFF)
    a.beat()
    a.stop()
    assert (a.problem, a.elsewhere) == ("", "")


# what the loop asks for


def test_what_others_changed_is_observed_and_not_what_it_said_itself(here):
    a, b = here("a"), here("b")
    a.start()
    b.start()
    a.publish({"phase": "planning"}, works=True)
    b.publish({"phase": "verifying"}, works=True)
    b.update_shared("k", 1)
    observed, why = a.observe(Cursor())
    assert ([key for key, _ in observed.changed], why) == (["sessions/b", "k"], "")
    a.publish({"phase": "asks"}, works=False)
    assert a.observe(observed.cursor)[0].changed == ()


def test_a_damaged_log_is_a_problem_and_planning_goes_on(here, tmp_path):
    a = here("a")
    a.start()
    a.update_shared("k", 1)
    path = tmp_path / "shared/events.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + b"no event\n")
    a.publish({"phase": "planning"}, works=True)
    assert "is damaged at line 4" in a.problem
    observed, why = a.observe(Cursor())
    assert (observed, why) == (None, a.problem)
    with pytest.raises(LogDamaged):
        a.update_shared("k", 2)
    with pytest.raises(LogDamaged):
        a.stop()
    assert FileLives(tmp_path / "lives").holder("a") is None, "it has ended all the same"
    a.stop()
    path.write_bytes(whole)
    assert seen(tmp_path)["a"].status == "crashed"
    a.start()
    assert a.observe(Cursor())[1] == a.problem == ""


# heartbeats


class Clock:
    """Seconds since 1970 that pass when a test says so."""

    def __init__(self):
        self.seconds = datetime.now(UTC).timestamp()

    def __call__(self):
        return self.seconds


def test_a_session_without_heartbeats_is_idle_until_the_next(here, tmp_path, monkeypatch):
    clock, passed = Clock(), [0.0]
    monkeypatch.setattr("workbench.sharing.coordinator.monotonic", lambda: passed[0])
    lives = FileLives(tmp_path / "lives", now=clock)
    a = here("a", lives=lives)
    a.start()
    statuses = []
    for seconds in (IDLE_AFTER - 1, 1):
        clock.seconds += seconds
        statuses.append(seen(tmp_path, lives=lives)["a"].status)
    passed[0] += 10
    a.beat()
    statuses.append(seen(tmp_path, lives=lives)["a"].status)
    assert statuses == ["active", "idle", "active"]


class CountedLives(MemoryLives):
    """Lives that count heartbeats."""

    def __init__(self):
        self.beats = 0
        super().__init__()

    def beat(self, session):
        self.beats += 1
        super().beat(session)


@pytest.fixture
def rounds(monkeypatch):
    """Let the hearts of coordinators beat without pause."""
    monkeypatch.setattr("workbench.sharing.coordinator.BEAT_EVERY", 0.0)
    monkeypatch.setattr("workbench.sharing.coordinator.LOOK_EVERY", 0.0)


@pytest.mark.usefixtures("rounds")
def test_a_heart_beats_while_the_session_works_and_only_then():
    lives, looks = CountedLives(), [0]
    shared = manager(MemoryLog(shared=True))
    real = shared.state

    def state():
        looks[0] += 1
        return real()

    shared.state = state
    a = SessionCoordinator("a", shared, lives)
    a.start()

    def rounds_more(count):
        last = looks[0] + count
        eventually(lambda: looks[0] >= last)

    rounds_more(2)
    before = lives.beats
    rounds_more(5)
    assert lives.beats == before, "it does nothing, so nothing is said"
    a.publish({"phase": "planning"}, works=True)
    before = lives.beats
    rounds_more(5)
    assert lives.beats >= before + 3
    a.publish({"phase": "asks"}, works=False)
    rounds_more(2)
    before = lives.beats
    rounds_more(5)
    assert lives.beats == before
    a.stop()


@pytest.mark.usefixtures("rounds")
def test_a_lease_that_is_waited_for_is_taken_when_its_holder_dies():
    log, lives = MemoryLog(shared=True), MemoryLives()

    def is_alive(session):
        return lives.holder(session) is not None

    shared = manager(log)
    b = SessionCoordinator("b", manager(log, is_alive=is_alive), lives)
    life = lives.live("a")
    life.__enter__()
    shared.subscribe("a")
    b.start()
    shared.claim("a", "file", "plan.md")
    shared.claim("a", "file", "nobody-waits.md")
    assert b.claim("file", "plan.md", queue=True).outcome == "queued"
    assert shared.state().leases["file:plan.md"].session == "a"
    lives.die("a")
    eventually(lambda: shared.state().leases["file:plan.md"].session == "b")
    b.stop()
    types = [event.event_type for event in shared.events()]
    assert types == ["join", "join", "claim", "claim", "queue", "claim", "leave"], "it looked without a word"


@pytest.mark.usefixtures("rounds")
def test_who_cannot_say_that_it_is_back_tries_again():
    class Refusing(MemoryLog):
        is_full = False

        def append(self, stream, drafts, *, expected, **options):
            if self.is_full:
                self.is_full = False
                raise LogUnavailable("The disk is full.")
            return super().append(stream, drafts, expected=expected, **options)

    log, lives = Refusing(shared=True), MemoryLives()
    shared = manager(log)
    a = SessionCoordinator("a", shared, lives)
    a.start()
    log.is_full = True
    lives.die("a")
    eventually(lambda: [event.event_type for event in shared.events()] == ["join", "join"])
    assert lives.holder("a")
    a.stop()


# across machines, where nobody sees a process die


class Machine:
    """A session on a machine of its own: one store, one manager, one coordinator."""

    def __init__(self, server, workspace, session):
        self.store = server.store(workspace)
        self.lives = self.store.lives()
        self.shared = manager(
            self.store.shared_log(),
            is_alive=lambda one: self.lives.holder(one) is not None,
            declare_dead=self.lives.declare_dead,
        )
        self.coordinator = SessionCoordinator(session, self.shared, self.lives)
        self.coordinator.start()

    def falls_silent(self, server):
        """Let the time run out in which its life has to be renewed: a closed lid, a cut network."""
        with server.client() as client:
            (key,) = client.keys(f"*:lives:{self.coordinator.session}:driver")
            client.delete(key)


@pytest.fixture
def machines(redis_server):
    workspace = new_workspace()
    started = [Machine(redis_server, workspace, name) for name in "ab"]
    yield started
    for one in started:
        one.coordinator.stop()
        one.store.close()


@pytest.fixture
def long_running(monkeypatch):
    """A server that has been up for long, so that whoever lives has had the time to say so."""
    monkeypatch.setattr(RedisLives, "_may_renew", lambda _self, _life: False)


@pytest.mark.usefixtures("long_running")
def test_who_was_declared_dead_is_refused_until_it_comes_back(machines, redis_server, monkeypatch):
    monkeypatch.setattr("workbench.sharing.coordinator.BEAT_EVERY", 3600)  # no heart finds out before it speaks
    a, b = machines
    assert a.coordinator.claim("file", "plan.md").outcome == "granted"
    a.falls_silent(redis_server)
    taken = b.coordinator.claim("file", "plan.md")
    assert (taken.outcome, taken.taken_over) == ("granted", "a")
    with pytest.raises(Fenced):
        a.shared.update_context("a", "k", "from the grave")
    assert b.coordinator.get_shared("k") is None
    a.coordinator.publish({"phase": "planning"}, works=True)
    assert a.coordinator.problem == ""
    assert b.coordinator.get_shared("sessions/a") == {"phase": "planning"}
    assert a.shared.update_context("a", "k", "back").outcome == "committed"
    assert a.coordinator.claim("file", "plan.md").holder == "b", "what it held is another's now"


def test_nobody_is_taken_for_dead_because_the_server_was_away(machines, redis_server, monkeypatch):
    a, b = machines
    assert a.coordinator.claim("file", "plan.md").outcome == "granted"
    monkeypatch.setattr(Drivers, "ttl", 3600)  # as if the server had started a moment ago
    a.falls_silent(redis_server)
    refused = b.coordinator.claim("file", "plan.md")
    assert (refused.outcome, refused.holder) == ("refused", "a")
    a.coordinator.stop()
    assert b.lives.holder("a") is None, "who has left is not waited for"
    assert b.coordinator.claim("file", "plan.md").outcome == "granted"


def test_what_was_said_for_one_that_is_gone_is_taken_back(begin, here, monkeypatch):
    monkeypatch.setattr("workbench.sharing.coordinator.BEAT_EVERY", 3600)
    (there,) = begin("a")
    a = here("a")
    a.start()
    there.end()
    a.publish({"phase": "planning"}, works=True)
    assert a.get_shared("sessions/a") == {"phase": "planning"}
    a.stop()
    assert a.get_shared("sessions/a") is None


def test_a_log_that_does_not_answer_keeps_nobody_from_closing(monkeypatch):
    monkeypatch.setattr("workbench.sharing.coordinator.STOP_WITHIN", 0.05)
    shared, answers = manager(MemoryLog(shared=True)), threading.Event()
    a = SessionCoordinator("a", shared, MemoryLives())
    a.start()
    monkeypatch.setattr(shared, "unsubscribe", lambda *_: answers.wait(60))
    with pytest.raises(LogUnavailable, match="not told"):
        a.stop()
    answers.set()


def test_a_living_session_is_not_declared_dead(machines):
    a, b = machines
    b.lives.declare_dead("a")
    assert a.shared.update_context("a", "k", 1).outcome == "committed"


def test_a_lease_is_taken_over_from_a_process_that_was_killed(begin, here, tmp_path, monkeypatch):
    monkeypatch.setattr("workbench.sharing.coordinator.BEAT_EVERY", 0.01)
    (a,) = begin("a")
    b = here("b")
    b.start()
    a.does("claim", "file", "plan.md")
    b.claim("file", "plan.md", queue=True)
    a.die()
    eventually(lambda: seen(tmp_path)["b"].assigned_files == ("plan.md",))
