"""Real processes on one session: nothing acknowledged is lost, nothing is there twice, whoever is killed."""

import os
import random
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from tests.chains import is_sound
from tests.event_drafts import draft
from workbench.domain.errors import StaleHead
from workbench.storage.files.log import FileLog

ROOT = Path(__file__).parents[2]


@pytest.fixture
def log(tmp_path):
    log = FileLog(tmp_path / "sessions")
    log.append("s", [draft(event_id="first:0")], expected=0)
    return log


def writer(log, name, count, batch, acks=subprocess.PIPE, meeting=()):
    command = [sys.executable, "-m", "tests.faults.writer", str(log.folder), name, str(count), str(batch), *meeting]
    return subprocess.Popen(command, cwd=ROOT, stdout=acks, text=True)


def started(log, name, count, batch, meeting=()):
    """Start a writer that is left alone: its acknowledgements go to a file."""
    path = log.folder.with_name(f"{name}.acks")
    with path.open("w") as acks:
        return writer(log, name, count, batch, acks, meeting), path


def finished(process, path):
    assert process.wait() == 0
    with path.open() as acks:
        return acknowledged(acks)


def acknowledged(lines):
    return dict(line.split() for line in lines if line.endswith("\n"))


def assert_complete(log, acks):
    """The log is dense, holds every acknowledged event where it was acknowledged, and none twice."""
    events = list(FileLog(log.folder).read("s"))
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert [name for name, count in Counter(event.id for event in events).items() if count > 1] == []
    stored = {str(event.seq): event.id for event in events}
    assert acks.items() <= stored.items()
    assert is_sound(log, "s")
    return events


def test_two_processes_append_ten_thousand_events(log, full_counts, tmp_path):
    each, acks = 5000 if full_counts else 1500, {}
    half_way = tmp_path / "half-way"
    os.mkfifo(half_way)
    writers = [started(log, name, each, 3, (str(half_way), mode)) for name, mode in (("a", "r"), ("b", "w"))]
    for process, path in writers:
        acks |= finished(process, path)
    events = assert_complete(log, acks)
    assert len(events) == 2 * each + 1
    assert len(acks) == 2 * each
    turns = sum(one.id[0] != two.id[0] for one, two in pairwise(events))
    assert turns > 1, "they took turns, as neither begins its second half before the other's"


@pytest.mark.full
@pytest.mark.usefixtures("flock")
def test_two_processes_append_with_flock_too(log, tmp_path):
    test_two_processes_append_ten_thousand_events(log, False, tmp_path)


@pytest.mark.full
def test_writers_killed_in_mid_append(log, kills):
    chance = random.Random(9)
    acks = {}
    for number in range(kills):
        with writer(log, f"k{number}", 100_000, 4) as process:
            lines = [process.stdout.readline() for _ in range(chance.randint(1, 40))]
            process.kill()
            lines += process.stdout.readlines()
        acks |= acknowledged(lines)
        if number % 10 == 9 or number == kills - 1:
            assert_complete(log, acks)
    log.append("s", [draft(event_id="last:0")], expected=None)
    assert len(assert_complete(log, acks)) > kills


@pytest.mark.full
def test_the_survivor_goes_on_when_the_other_is_killed(log, kills):
    survivor = started(log, "survivor", 1500, 2)
    acks = {}
    for number in range(max(kills // 5, 2)):
        with writer(log, f"k{number}", 100_000, 2) as process:
            lines = [process.stdout.readline() for _ in range(5)]
            process.kill()
            acks |= acknowledged([*lines, *process.stdout.readlines()])
    acks |= finished(*survivor)
    assert sum(event.id.startswith("survivor") for event in assert_complete(log, acks)) == 1500


def redacted(log, event_id, text):
    """Redact an event behind whatever the others have appended by then."""
    bodies = {event_id: msgspec.Raw(msgspec.json.encode({"text": text}))}
    while True:
        expected = log.head("s").seq
        try:
            return log.redact("s", bodies, [draft(event_id=f"redaction:{text}")], expected=expected)
        except StaleHead:
            continue


@pytest.mark.full
def test_a_redaction_loses_nothing_that_others_append(log):
    writers = [started(log, name, 600, 3) for name in ("a", "b")]
    for number in range(12):
        redacted(log, "first:0", f"redacted {number}")
    acks = {}
    for process, path in writers:
        acks |= finished(process, path)
    events = assert_complete(log, acks)
    assert len(events) == 1 + 12 + 1200
    assert bytes(events[0].body) == b'{"text":"redacted 11"}'
    assert [event.seq for event in events if event.redacted] == [1]


@pytest.mark.full
def test_writers_killed_beside_a_redaction(log, kills):
    chance = random.Random(4)
    acks = {}
    for number in range(max(kills // 4, 3)):
        with writer(log, f"k{number}", 100_000, 4) as process:
            lines = [process.stdout.readline() for _ in range(chance.randint(1, 20))]
            redacted(log, "first:0", f"redacted {number}")
            process.kill()
            lines += process.stdout.readlines()
        acks |= acknowledged(lines)
    log.append("s", [draft(event_id="last:0")], expected=None)
    events = assert_complete(log, acks)
    assert sum(event.id.startswith("redaction:") for event in events) == number + 1
