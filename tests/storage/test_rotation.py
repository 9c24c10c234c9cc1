"""Archives of a shared stream: one history, wherever its events stand; what is damaged there stays there."""

import json
import shutil

import msgspec
import pytest
from tests.chains import is_sound
from tests.event_drafts import draft, numbers
from tests.faults.faulty_files import FaultyFiles
from tests.sharing.managers import manager
from workbench.domain.errors import LogDamaged, LogTooNew, StaleHead
from workbench.domain.shared.context import fold
from workbench.sharing.snapshot import Snapshot
from workbench.storage import codec
from workbench.storage.files.log import FileLog
from workbench.storage.files.rotation import rotate
from workbench.storage.files.workspace import ARCHIVE_AT, open_workspace

LIMIT = 4000
"""Bytes: some eight events."""


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "shared"


def opened(folder, **options):
    return FileLog(folder, **({"shared": True, "durable": False, "archive_at": LIMIT} | options))


@pytest.fixture
def log(folder):
    return opened(folder)


def filled(log, last, first=1):
    """Append events one by one, each of another session, and return them."""
    events = []
    for number in range(first, last + 1):
        events += log.append("events", [draft(number, session=f"s-{number % 3}")], expected=number - 1)
    return events


def archives(folder):
    """The archives, oldest first."""
    found = (folder / "archive").glob("events-*.jsonl")
    return sorted(found, key=lambda path: int(path.stem.split("-")[1]))


def header(path):
    return json.loads(path.read_bytes().partition(b"\n")[0])


def test_a_file_that_has_grown_begins_anew_behind_an_archive(log, folder):
    events = filled(log, 40)
    kept = archives(folder)
    spans = [tuple(map(int, path.stem.split("-")[1:])) for path in kept]
    assert len(kept) > 2
    assert spans[0][0] == 1
    assert [first for first, _ in spans[1:]] == [last + 1 for _, last in spans[:-1]], "one joins the other"
    assert (folder / "events.jsonl").stat().st_size <= LIMIT + 1000
    assert header(folder / "events.jsonl")["seq"] == spans[-1][1]
    assert header(folder / "events.jsonl")["hash"] == events[spans[-1][1] - 1].hash
    assert len({header(path)["epoch"] for path in (*kept, folder / "events.jsonl")}) == 1
    assert [header(path)["version"] for path in kept] == [1] + [3] * (len(kept) - 1)
    for fresh in (log, opened(folder)):
        assert list(fresh.read("events")) == events
        assert is_sound(fresh, "events")
        assert fresh.head("events").seq == 40
    assert list(log.streams()) == ["events"]


@pytest.mark.parametrize("after", range(0, 41, 3))
def test_reading_begins_behind_any_event(log, folder, after):
    events = filled(log, 40)
    assert list(opened(folder).read("events", after=after)) == events[after:]
    assert list(log.read("events", after=after)) == events[after:]


def test_sessions_are_never_archived(tmp_path):
    log = FileLog(tmp_path / "sessions", durable=False, archive_at=LIMIT)
    for number in range(40):
        log.append("s", [draft(number)], expected=number)
    assert [path.name for path in log.folder.rglob("*.jsonl")] == ["s.jsonl"]


def test_a_session_file_that_begins_in_the_middle_is_not_taken_for_whole(log, folder, tmp_path):
    filled(log, 12)
    session = FileLog(tmp_path / "sessions", durable=False)
    session.folder.mkdir()
    shutil.copy(folder / "events.jsonl", session.folder)
    with pytest.raises(LogDamaged, match="begins after event"):
        list(session.read("events"))


@pytest.mark.parametrize("step", [1, 2, 7])
def test_a_follower_goes_on_across_archives(log, folder, step):
    """In the middle of the file that was, at its end, and several archives behind."""
    other = opened(folder)
    written = filled(log, 2)
    batches = other.follow("events", after=0, stopped=lambda: False)
    seen = []
    while len(written) < 60:
        written += filled(log, len(written) + step, len(written) + 1)
        if len(written) % 4 < step:
            seen += next(batches)
    while len(seen) < len(written):
        seen += next(batches)
    assert seen == written
    assert len(archives(folder)) > 3


def test_snapshots_and_cursors_stay_valid(log, folder):
    snapshot = Snapshot(folder / "shared_context.json")
    one, late = manager(log, snapshot=snapshot), manager(opened(folder))
    place = one.subscribe("one")
    late.get_context("late")
    for number in range(430):
        one.update_context("one", f"key-{number % 7}", number)
        one.get_context("one")
    assert len(archives(folder)) > 3
    assert snapshot.load() is not None
    fresh = manager(opened(folder), snapshot=snapshot)
    assert fresh.state() == fold(log.read("events")) == late.state()
    pending = late.get_pending_events("late", place)
    assert not pending.resynchronised
    assert [event.seq for event in pending.events] == list(range(2, 432))
    assert [event.seq for event in fresh.events()] == list(range(1, 432))


def test_a_snapshot_that_was_changed_is_not_believed(log, folder):
    snapshot = Snapshot(folder / "shared_context.json")
    one = manager(log, snapshot=snapshot)
    for number in range(410):
        one.update_context("one", "key", f"value {number}")
        one.get_context("one")
    stored = snapshot.path.read_bytes()
    snapshot.path.write_bytes(stored.replace(b'"key":"value', b'"key":"valve'))
    assert stored != snapshot.path.read_bytes()
    assert snapshot.load() is None
    assert manager(opened(folder), snapshot=snapshot).state() == one.state()


def test_sharing_goes_on_where_an_archive_is_damaged(log, folder):
    snapshot = Snapshot(folder / "shared_context.json")
    one = manager(log, snapshot=snapshot)
    for number in range(410):
        one.update_context("one", "key", f"value {number}")
        one.get_context("one")
    log.file("events").older.folder.rename(folder / "lost")
    two = manager(opened(folder, archive_at=None), snapshot=Snapshot(folder / "shared_context.json"))
    snapshot.keep(one.state(), log.head("events").epoch)
    assert two.update_context("two", "other", 1).outcome == "committed"
    assert two.get_context("two").data == {"key": "value 409", "other": 1}
    with pytest.raises(LogDamaged, match="missing"):
        two.events()


def missing(path):
    path.unlink()


def emptied(path):
    path.write_bytes(b"")


def garbled(path):
    path.write_bytes(path.read_bytes().replace(b'"number":', b'"numbre":', 1))


def shortened(path):
    content = path.read_bytes()
    path.write_bytes(content[: content.rindex(b'{"crc"')])


def newer(path):
    line, _, rest = path.read_bytes().partition(b"\n")
    members = json.loads(line) | {"version": 99}
    del members["crc"]
    path.write_bytes(codec.sealed(json.dumps(members).encode()[1:]) + rest)


def begun_too_late(path):
    line, _, rest = path.read_bytes().partition(b"\n")
    members = json.loads(line) | {"seq": 1000, "hash": "0" * 64}
    del members["crc"]
    path.write_bytes(codec.sealed(json.dumps(members).encode()[1:]) + rest)


@pytest.mark.parametrize("which", [0, 1, -1])
@pytest.mark.parametrize("harm", [missing, emptied, garbled, shortened, newer, begun_too_late])
def test_a_damaged_archive_is_named_and_harms_nothing_else(log, folder, which, harm):
    events = filled(log, 40)
    archive = archives(folder)[which]
    begin = header(folder / "events.jsonl")["seq"]
    harm(archive)
    fresh = opened(folder)
    read = []
    with pytest.raises((LogDamaged, LogTooNew)) as failure:
        read.extend(fresh.read("events"))
    assert "archive" in failure.value.message
    assert archive.stem.rpartition("-")[2] in failure.value.message
    assert failure.value.remedy
    assert read == events[: len(read)], "what could be read was right"
    with pytest.raises((LogDamaged, LogTooNew)):
        list(fresh.read("events"))
    assert list(fresh.read("events", after=begin)) == events[begin:]
    assert fresh.append("events", [draft(41)], expected=40)[0].seq == 41
    assert fresh.append("events", [draft(42, event_id="w:1")], expected=None)[0].seq == 42
    with pytest.raises(StaleHead):
        fresh.append("events", [draft(99)], expected=0)
    batches = fresh.follow("events", after=41, stopped=lambda: False)
    assert numbers(next(batches)) == [42]
    filled(fresh, 70, 43)
    assert [event.seq for event in fresh.read("events", after=50)] == list(range(51, 71)), "archiving goes on too"


def test_what_an_interrupted_archiving_left_is_not_read_and_goes(log, folder):
    """The archive was written, the file was not trimmed; then more was appended."""
    unlimited = opened(folder, archive_at=10**9)
    events = filled(unlimited, 5)
    left = folder / "archive" / "events-1-5.jsonl"
    left.parent.mkdir()
    shutil.copy(folder / "events.jsonl", left)
    (left.parent / ".events-1-4.jsonl.0123456789ab.new").write_bytes(b"half")
    assert list(log.read("events")) == events
    events += filled(log, 20, 6)
    assert not left.exists()
    assert [path.name for path in left.parent.iterdir() if path.name.startswith(".")] == []
    assert list(opened(folder).read("events")) == events


def test_an_archive_that_was_written_already_is_written_again(folder):
    """The archive was written, the file was not trimmed, and nothing was appended since."""
    log = opened(folder, archive_at=None)
    events = filled(log, 20)
    left = folder / "archive" / "events-1-20.jsonl"
    left.parent.mkdir()
    shutil.copy(folder / "events.jsonl", left)
    file = log.file("events")
    assert rotate(file, file.older, larger_than=10**9) is None
    assert rotate(file, file.older, larger_than=LIMIT) == left
    assert rotate(file, file.older, larger_than=0) is None, "nothing stands behind it"
    assert archives(folder) == [left]
    assert list(opened(folder).read("events")) == list(log.read("events")) == events
    assert list(log.read("events", after=20)) == []
    assert log.head("events").seq == 20
    assert log.append("events", [draft(21)], expected=20)[0].seq == 21


def redacted_numbers(log, events, *, expected):
    """Let each of these events say that it is number 0."""
    bodies = {event.id: msgspec.Raw(b'{"number":0}') for event in events}
    return log.redact("events", bodies, [draft(expected + 1)], expected=expected)


def test_a_redaction_reaches_the_archives_it_has_to(log, folder):
    events = filled(log, 40)
    first, second, *rest = archives(folder)
    untouched = {path: path.read_bytes() for path in [first, *rest]}
    names, sizes = archives(folder), second.stat()
    begin = int(second.stem.split("-")[1])
    (second.parent / ".events-1-4.jsonl.0123456789ab.new").write_bytes(b"an older one")
    other = opened(folder)
    assert len(list(other.read("events"))) == 40
    epoch = log.head("events").epoch
    redacted_numbers(log, [events[begin - 1], events[39]], expected=40)
    expected = [0 if number in (begin, 40) else number for number in range(1, 42)]
    for fresh in (log, other, opened(folder)):
        assert numbers(fresh.read("events")) == expected
        assert is_sound(fresh, "events")
        assert [event.hash for event in fresh.read("events")][:40] == [event.hash for event in events]
        assert fresh.head("events").epoch != epoch
    assert archives(folder) == names
    assert {path: path.read_bytes() for path in untouched} == untouched
    assert [path.name for path in second.parent.iterdir() if path.name.startswith(".")] == []
    assert second.stat().st_ino != sizes.st_ino
    assert second.stat().st_mode & 0o777 == 0o600
    assert (header(second)["version"], header(second)["seq"]) == (3, begin - 1)
    events = [*log.read("events"), *filled(log, 80, 42)]
    assert list(opened(folder).read("events")) == events, "archiving goes on"


def test_archives_that_cannot_be_read_are_not_redacted_and_nothing_else_is(log, folder):
    events = filled(log, 40)
    garbled(archives(folder)[0])
    before = {path: path.read_bytes() for path in folder.rglob("*.jsonl")}
    with pytest.raises(LogDamaged):
        redacted_numbers(log, [events[20]], expected=40)
    assert {path: path.read_bytes() for path in folder.rglob("*.jsonl")} == before
    redacted_numbers(log, [events[39]], expected=40)


def test_a_damaged_file_is_not_archived_and_not_lost(folder):
    patient = opened(folder, archive_at=10**9)
    filled(patient, 20)
    path = folder / "events.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"number":3', b'"number":8', 1))
    limited = opened(folder)
    limited.file("events")._marks = patient.file("events")._marks  # it has read further than the damage
    assert limited.append("events", [draft(21)], expected=20)[0].seq == 21
    assert archives(folder) == []
    assert path.read_bytes().count(b"\n") == 22
    with pytest.raises(LogDamaged, match=r"events\.jsonl is damaged at line 4"):
        list(limited.read("events"))


def test_what_is_torn_goes_into_the_trash_and_not_into_the_archive(folder):
    patient = opened(folder, archive_at=10**9)
    filled(patient, 20)
    path = folder / "events.jsonl"
    events = list(patient.read("events"))

    class Interrupted(FaultyFiles):
        """Another process dies in mid-append between our append and our archiving."""

        def __init__(self):
            super().__init__()
            self.opened = 0

        def datasync(self, _descriptor):
            if self.calls.count("datasync") == 0:
                with path.open("ab") as file:
                    file.write(b'{"crc":"0')
            self.calls.append("datasync")

    limited = opened(folder, files=Interrupted(), durable=True)
    events += limited.append("events", [draft(21)], expected=20)
    assert list(opened(folder).read("events")) == events
    assert [path.name for path in archives(folder)] == ["events-1-21.jsonl"]
    assert [entry.reason for entry in limited.trash.entries()] == ["torn"]


def test_a_workspace_archives_what_it_shares(tmp_path):
    workspace = open_workspace(tmp_path)
    log = workspace.shared_log(archive_at=LIMIT)
    filled(log, 20)
    assert archives(workspace.shared)
    assert [event.seq for event in workspace.shared_log().read("events")] == list(range(1, 21))
    assert ARCHIVE_AT == 16_000_000
