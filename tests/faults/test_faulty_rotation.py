"""Archiving on a disk that is full or broken, or that dies at any step; and what a power cut leaves of the files."""

import errno
import random
import shutil

import pytest
from tests.chains import is_sound
from tests.event_drafts import draft
from tests.faults.faulty_files import FaultyFiles
from tests.faults.test_faulty_disk import attempt, steps_of
from tests.sharing.managers import manager
from workbench.domain.errors import LogDamaged, LogTooNew
from workbench.domain.shared.context import fold
from workbench.sharing.snapshot import Snapshot
from workbench.storage.files.log import FileLog

LIMIT = 4000
CUTS = 300


def opened(folder, **options):
    return FileLog(folder, **({"shared": True, "durable": False, "archive_at": LIMIT} | options))


def fill(log, first, last):
    return [log.append("events", [draft(number)], expected=number - 1)[0] for number in range(first, last + 1)]


@pytest.mark.cases(2)
@pytest.mark.parametrize("durable", [True, False])
@pytest.mark.parametrize("before", [12, 20])
def test_an_append_that_archives_is_acknowledged_or_not_and_nothing_else_is_lost(tmp_path, before, durable):
    """Behind one archive (12 events) and two (20); the next append is large enough for another one."""

    def prepare(name):
        fill(opened(tmp_path / name / "shared"), 1, before)
        return tmp_path / name / "shared"

    def append(folder, files):
        large = draft(body=b'{"number":%d,"text":"%b"}' % (before + 1, b"x" * LIMIT))
        return opened(folder, files=files, durable=durable).append("events", [large], expected=before)

    outcomes = set()
    for folder, files, name in steps_of(append, prepare):
        events = list(opened(folder).read("events"))
        archived = len(list((folder / "archive").glob("events-*")))
        done = attempt(append, folder, files)
        log = opened(folder)
        after = list(log.read("events"))
        assert after[:before] == events, name
        assert len(after) - before in ((1,) if done else (0, 1)), name
        assert is_sound(log, "events")
        seen = list(log.follow("events", after=0, stopped=iter([False, True]).__next__))
        assert [event for batch in seen for event in batch] == after
        log.append("events", [draft(77)], expected=len(after))
        rotated = len(list((folder / "archive").glob("events-*"))) > archived
        assert rotated == (len(after) > before), "the next append archives, if it was not done"
        assert [event.seq for event in opened(folder).read("events")] == list(range(1, len(after) + 2))
        assert [path.name for path in folder.rglob(".*.new")] == []
        outcomes.add((name, done is not None))
    assert {("replace", True), ("write", True), ("sync_folder", True)} <= outcomes
    assert {("write", False), ("replace", False)} <= outcomes, "it died there"


def test_a_disk_that_is_full_for_archives_keeps_nobody_from_appending_and_is_not_asked_each_time(tmp_path):
    class Full(FaultyFiles):
        is_full = True
        archived = 0

        def open(self, path, flags):
            if path.parent.name == "archive":
                Full.archived += 1
                if Full.is_full:
                    raise OSError(errno.ENOSPC, "No space left on device")
            return super().open(path, flags)

    log = opened(tmp_path / "shared", files=Full())
    events = fill(log, 1, 60)
    assert list(log.read("events")) == events
    assert 20 < Full.archived < 40, "tried again where the file had grown by an eighth"
    Full.is_full = False
    events += fill(log, 61, 80)
    assert (log.folder / "events.jsonl").stat().st_size <= LIMIT
    assert list(opened(log.folder).read("events")) == events


def test_an_archive_that_the_disk_garbled_is_not_trusted(tmp_path):
    """It was written, synced and renamed, and reads otherwise: the file is not trimmed."""

    class Garbling(FaultyFiles):
        def replace(self, source, target):
            super().replace(source, target)
            if target.parent.name == "archive":
                content = target.read_bytes()
                target.write_bytes(content[:700] + b"\0" * 10 + content[710:])

    log = opened(tmp_path / "shared", files=Garbling())
    events = fill(log, 1, 20)
    assert list((log.folder / "archive").iterdir()) == []
    assert list(opened(log.folder, archive_at=None).read("events")) == events


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """A shared context with archives, a file and a snapshot behind the last archive, and its events."""
    folder = tmp_path_factory.mktemp("original") / "shared"
    log = opened(folder, archive_at=40_000)
    writer = manager(log, snapshot=Snapshot(folder / "shared_context.json"))
    for number in range(450):
        writer.update_context(f"s-{number % 3}", f"key {number % 5}", {"number": number, "text": "x" * (number % 90)})
        writer.get_context("s-0")
    Snapshot(folder / "shared_context.json").keep(writer.state(), log.head("events").epoch)
    writer.update_context("s-0", "key 0", "behind the snapshot")
    assert len(list((folder / "archive").iterdir())) > 2
    return folder, list(log.read("events"))


def changed(content, chance):
    """Cut off, garbled, or with a part of zeros, as a power cut leaves what was not synced."""
    place = chance.randrange(len(content))
    return {
        "cut": lambda: content[:place],
        "flip": lambda: content[:place] + bytes([content[place] ^ 1 << chance.randrange(8)]) + content[place + 1 :],
        "zeros": lambda: (content[:place] + b"\0" * 512 + content[place + 512 :])[: len(content)],
        "block": lambda: content[:place] + content[place + chance.randint(1, 4096) :],
    }[chance.choice(["cut", "flip", "zeros", "block"])]()


def read_until_damage(log):
    read = []
    try:
        read.extend(log.read("events"))
    except (LogDamaged, LogTooNew) as error:
        return read, error
    return read, None


@pytest.mark.full
@pytest.mark.parametrize("which", ["log", "archive", "snapshot"])
def test_what_a_power_cut_leaves_is_a_clean_prefix_or_named(original, tmp_path, full_counts, which):
    folder, events = original
    chance = random.Random(which)
    outcomes = set()
    for number in range(CUTS if full_counts else CUTS // 10):
        copy = tmp_path / str(number)
        shutil.copytree(folder, copy)
        path = {
            "log": copy / "events.jsonl",
            "archive": chance.choice(sorted((copy / "archive").iterdir())),
            "snapshot": copy / "shared_context.json",
        }[which]
        content = changed(path.read_bytes(), chance)
        path.write_bytes(content)
        outcomes.add(reopened(copy, path, content, events))
        shutil.rmtree(copy)
    assert outcomes == {"log": {"prefix", "named"}, "archive": {"named"}, "snapshot": {"whole"}}[which]


def reopened(copy, path, content, events):
    """Open a shared context whose file was changed; prove the promise, and tell what was found."""
    log = opened(copy, archive_at=None)
    read, error = read_until_damage(log)
    assert read == events[: len(read)]
    if error is not None:
        assert path.stem.rpartition("-")[2] in error.message
        assert error.remedy
    if error is None or path.parent.name == "archive":
        begin = begins(log)
        snapshot = Snapshot(copy / "shared_context.json")
        assert manager(log, snapshot=snapshot).state() == fold(events[: log.head("events").seq])
        seq = log.append("events", [draft(1)], expected=None)[0].seq
        assert seq == log.head("events").seq == (len(read) if error is None else len(events)) + 1
        assert [event.seq for event in log.read("events", after=begin)] == list(range(begin + 1, seq + 1))
    if error is not None:
        assert path.read_bytes() == content, "what is damaged is left as it is"
        return "named"
    if len(read) == len(events):
        return "whole"
    torn = content[content.rindex(b"\n") + 1 :]
    assert [torn] * bool(torn) == [one.read_bytes() for one in log.trash.folder.glob("*")], "it is in the trash"
    log.trash.empty()
    return "prefix"


def begins(log):
    """Behind which event the file begins."""
    with log.file("events").journal.reading() as file:
        return log.file("events").origin(file).seq
