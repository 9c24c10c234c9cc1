"""Seed 004's conflict types (4.1), integration (7.2) and stress tests, under their names, with real processes."""

import subprocess
import sys
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.chains import is_sound
from tests.sharing.managers import manager
from workbench.sharing.shared_context import STREAM
from workbench.storage.files.log import FileLog

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "shared"


def here(folder):
    return manager(FileLog(folder, shared=True, durable=False))


def process(folder, session, what, count):
    """Start a process and wait until it takes part."""
    command = [sys.executable, "-m", "tests.sharing.process", str(folder), session, what, str(count)]
    started = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert started.stdout.readline() == "ready\n"
    return started


def go(started):
    started.stdin.write("go\n")
    started.stdin.flush()


def together(folder, sessions, what, count):
    """Run sessions at once, each in a process of its own; return what was acknowledged, seq → hash."""
    acks = {}
    with ExitStack() as stack:
        running = [stack.enter_context(process(folder, session, what, count)) for session in sessions]
        for one in running:
            go(one)
        for one in running:
            lines = one.stdout.read().splitlines()
            assert lines[-1] == "done"
            acks |= acknowledged(lines)
    assert len(acks) == len(sessions) * count
    return acks


def acknowledged(lines):
    return {int(words[1]): words[2] for words in map(str.split, lines) if words[0] == "ack"}


def assert_complete(folder, acks):
    """Every acknowledged change is where it was acknowledged, seqs are dense, the chain holds; return the events."""
    log = FileLog(folder, shared=True)
    events = list(here(folder).events())
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    hashes = {event.seq: event.context_hash for event in events}
    assert acks.items() <= hashes.items()
    assert is_sound(log, STREAM)
    versions = Counter()
    for event in events:
        if event.key:
            versions[event.key] += 1
            assert event.version == versions[event.key], "versions of a key are dense"
    return events


# 4.1 conflict types


def conflict(folder, base, theirs, mine):
    """Two sessions that saw the same change it, one after the other."""
    a, b = here(folder), here(folder)
    a.update_context("a", "k", base)
    a.get_context("a")
    b.get_context("b")
    assert a.update_context("a", "k", theirs).outcome == "committed"
    done = b.update_context("b", "k", mine)
    assert a.get_context("a").data["k"] == done.value
    return done


def test_simple_value_conflict(folder):
    done = conflict(folder, "plan", "auth", "database")
    assert (done.outcome, done.rule, done.value) == ("merged", "last-write", "database")
    assert done.losers[0].value == "auth"


def test_list_append_conflict(folder):
    done = conflict(folder, ["main.py"], ["main.py", "auth.py"], ["main.py", "db.py"])
    assert (done.rule, done.value, done.losers) == ("list-union", ["main.py", "auth.py", "db.py"], ())


def test_dict_merge_conflict(folder):
    done = conflict(folder, {}, {"auth": "working"}, {"database": "done"})
    assert (done.rule, done.value, done.losers) == ("deep-merge", {"auth": "working", "database": "done"}, ())


# 7.2 integration tests


@pytest.mark.full
def test_2_session_coordination(folder):
    acks = together(folder, ["a", "b"], "own", 30)
    events = assert_complete(folder, acks)
    assert here(folder).get_context("c").data == {"a": 29, "b": 29}
    assert here(folder).get_context("c").sessions == ()
    assert Counter(event.event_type for event in events) == {"join": 2, "update": 60, "leave": 2}


def test_4_session_coordination(folder):
    acks = together(folder, ["a", "b", "c", "d"], "append", 25)
    assert_complete(folder, acks)
    everything = sorted(f"{session}.{number}" for session in "abcd" for number in range(25))
    assert sorted(here(folder).get_context("e").data["all"]) == everything


@pytest.mark.full
def test_concurrent_updates(folder):
    acks = together(folder, ["a", "b", "c", "d"], "put", 25)
    events = assert_complete(folder, acks)
    changes = [event for event in events if event.key]
    assert here(folder).get_context("e").data["one"] == changes[-1].value, "the last commit stands"
    for event in changes:
        if event.event_type == "merge":
            assert [loser.value for loser in event.losers] == [event.previous_value]


def test_automatic_conflict_resolution(folder):
    acks = together(folder, ["a", "b"], "note", 25)
    events = assert_complete(folder, acks)
    assert here(folder).get_context("c").data["notes"] == {f"{s}.{n}": n for s in "ab" for n in range(25)}
    assert {event.event_type for event in events} <= {"join", "update", "merge", "leave"}


@pytest.mark.full
def test_10_sessions_under_stress(folder):
    sessions = [f"s{number}" for number in range(10)]
    acks = together(folder, sessions, "append", 8)
    assert_complete(folder, acks)
    everything = sorted(f"{session}.{number}" for session in sessions for number in range(8))
    assert sorted(here(folder).get_context("e").data["all"]) == everything


@pytest.mark.full
def test_session_crash_recovery(folder, kills):
    acks = {}
    with process(folder, "survivor", "append", 60) as survivor:
        go(survivor)
        for number in range(max(kills // 5, 2)):
            with process(folder, f"k{number}", "append", 1_000) as victim:
                go(victim)
                lines = [victim.stdout.readline() for _ in range(3 + number)]
                victim.kill()
                lines += victim.stdout.readlines()
            acks |= acknowledged(line for line in lines if line.endswith("\n"))
        acks |= acknowledged(survivor.stdout.readlines())
    events = assert_complete(folder, acks)
    told = here(folder).get_context("e")
    by_seq = {event.seq: event for event in events}
    for seq in acks:
        mine = [one for one in by_seq[seq].value if one.startswith(f"{by_seq[seq].session_id}.")]
        assert set(mine) <= set(told.data["all"]), "nothing that was acknowledged is lost"
    assert sum(one.startswith("survivor.") for one in told.data["all"]) == 60
    again = here(folder)
    again.subscribe("k0")
    assert again.update_context("k0", "back", 1).outcome == "committed", "who died may come back"
