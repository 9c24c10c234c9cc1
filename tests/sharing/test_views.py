"""What a process keeps of the shared stream: snapshots are a cache, followers survive what befalls a file."""

import errno
import json
import threading

import msgspec
import pytest
from tests.memory_log import MemoryLog
from tests.sharing.managers import a_log, manager
from workbench.domain.errors import LogBusy, LogDamaged, LogUnavailable, NotFound, StaleHead
from workbench.domain.log.envelope import Draft
from workbench.domain.shared import events as say
from workbench.sharing import shared_context
from workbench.sharing.following import follow
from workbench.sharing.shared_context import STREAM
from workbench.sharing.snapshot import Snapshot
from workbench.storage import codec
from workbench.storage.files.cache_seal import PROCESS_SEAL
from workbench.storage.files.log import FileLog
from workbench.storage.files.opening import Files


@pytest.fixture
def log(tmp_path):
    return a_log("files", tmp_path)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "shared/shared_context.json"


@pytest.fixture
def snapshots(monkeypatch):
    monkeypatch.setattr("workbench.sharing.view._SNAPSHOT_EVERY", 3)


def fill(log, path, count=7):
    one = manager(log, snapshot=Snapshot(path))
    one.subscribe("a")
    for number in range(count):
        one.get_context("a")
        one.update_context("a", f"k{number % 3}", number)
    one.delete("a", "k0")
    return one


@pytest.mark.usefixtures("snapshots")
def test_a_snapshot_is_what_people_read_and_the_fold_goes_on_from_it(log, path, monkeypatch):
    state = fill(log, path).state()
    kept = json.loads(path.read_bytes())
    assert kept.keys() >= {"context_id", "created_at", "last_updated", "sessions", "data", "version"}
    assert kept["sessions"] == ["a"]
    asked, real = [], log.read

    def read(stream, *, after=0):
        asked.append(after)
        return real(stream, after=after)

    monkeypatch.setattr(log, "read", read)
    assert manager(log, snapshot=Snapshot(path)).state() == state
    assert min(asked) == kept["seq"] - 1 > 0, "only what is behind it was read"


@pytest.mark.usefixtures("snapshots")
def test_a_new_process_reads_a_file_from_where_the_snapshot_stands(log, path, monkeypatch):
    state = fill(log, path, 40).state()
    decoded: list[bytes] = []
    real = codec.decode_events

    def spied(lines):
        decoded.extend(lines)
        return real(lines)

    monkeypatch.setattr(codec, "decode_events", spied)
    other = manager(a_log("files", log.folder.parent), snapshot=Snapshot(path))
    assert [event.seq for event in other.events(after=state.seq - 2)] == [state.seq - 1, state.seq]
    assert 0 < len(decoded) < state.seq / 2, "what stands before the snapshot is not read"


def forge(path, changes):
    """Change what a snapshot says, so that its seal holds."""
    members = json.loads(path.read_bytes()) | changes
    del members["seal"]
    path.write_bytes(PROCESS_SEAL.sealed_object(json.dumps(members).encode(), "shared"))


@pytest.mark.usefixtures("snapshots")
def test_what_a_snapshot_says_is_clean(log, path):
    fill(log, path)
    forge(path, {"data": {"k1": "\x1b[2J"}})
    assert manager(log, snapshot=Snapshot(path)).state().entry("k1").value == "␛[2J"


def redact(log, event_id, value):
    """Give an event of the shared stream another value."""
    event = next(event for event in log.read(STREAM) if event.id == event_id)
    body = msgspec.structs.replace(say.content(event), value=value)
    log.redact(STREAM, {event_id: msgspec.Raw(msgspec.json.encode(body))}, [], expected=log.head(STREAM).seq)


def test_a_follower_goes_on_behind_a_redaction_and_a_removal(log):
    one, other = manager(log), manager(a_log("files", log.folder.parent))
    received, more = [], threading.Semaphore(0)

    def callback(events):
        received.extend(event.value for event in events)
        more.release()

    one.subscribe("a", callback)
    other.update_context("b", "k", "first")
    assert more.acquire(timeout=60)
    redact(log, "b:2", "[forgotten]")
    other.update_context("b", "k", "second")
    assert more.acquire(timeout=60)
    log.file(STREAM).path.unlink()
    other.update_context("b", "k", "third")
    assert more.acquire(timeout=60)
    one.unsubscribe("a")
    assert received == ["first", "second", "third"]
    assert other.get_context("b").data == {"k": "third"}


def test_what_ends_a_follower_is_told_when_its_session_leaves(log):
    one = manager(log)
    handed = threading.Event()

    def callback(_):
        handed.set()
        raise LogDamaged("The follower met its end.")

    one.subscribe("a", callback)
    manager(log).update_context("b", "k", 1)
    assert handed.wait(60)
    with pytest.raises(LogDamaged, match="met its end"):
        one.unsubscribe("a")
    assert one.get_context("b").sessions == ()


def test_a_follower_whose_file_is_gone_begins_anew_when_there_is_one_again(log, monkeypatch):
    state = fill(log, log.folder / "snapshot").state()
    asked, real = [], log.follow

    def follow_log(stream, *, after, **options):
        asked.append(after)
        if len(asked) == 1:
            raise NotFound("It was removed meanwhile.")
        return real(stream, after=after, **options)

    monkeypatch.setattr(log, "follow", follow_log)
    batch = next(follow(log, STREAM, lambda: False, state=state))
    assert asked == [state.seq, 0]
    assert batch.changes[0].seq == 1


def test_a_head_that_never_stands_still_is_said():
    class Restless(MemoryLog):
        def append(self, *_arguments, **_options):
            raise StaleHead("Somebody else was first.")

    busy = manager(Restless(shared=True), patience=0.0)
    with pytest.raises(LogBusy) as failure:
        busy.update_context("a", "k", 1)
    assert failure.value.remedy


def test_where_a_log_lets_it_a_change_is_decided_once_at_the_very_end(log, monkeypatch):
    one, other = manager(log), manager(a_log("files", log.folder.parent))
    one.update_context("a", "k", [0])
    other.get_context("b")
    other.update_context("b", "k", [0, 1])
    other.update_context("b", "k", [0, 1, 2])
    decided, real = [], shared_context.decide

    def decide(state, *arguments, **options):
        decided.append(state.seq)
        return real(state, *arguments, **options)

    monkeypatch.setattr(shared_context, "decide", decide)
    done = one.update_context("a", "k", [0, "mine"])
    assert (done.value, done.merged_with, done.version) == ([0, 1, 2, "mine"], "b", 4)
    assert decided == [3], "on what it had missed, read with nobody in between"


@pytest.mark.parametrize("later", [1, 3, 5])
def test_a_server_that_lost_its_last_second_is_read_again(later):
    """The epoch is the same, and there may be more events than were lost."""
    log, restored = (MemoryLog(shared=True, new_epoch=lambda: "e") for _ in range(2))
    one = manager(log)
    one.update_context("a", "base", 1)
    restored.append(STREAM, drafts_of(log), expected=0)
    for number in range(3):
        one.update_context("a", f"lost{number}", 1)
    log._streams = restored._streams
    other = manager(log)
    for number in range(later):
        other.update_context("b", f"new{number}", 1)
    expected = {"base": 1} | {f"new{number}": 1 for number in range(later)}
    assert one.get_context("a").data == expected
    assert one.update_context("a", "new0", 2).version == 2


def drafts_of(log):
    """The events of a log as drafts, to be appended elsewhere as they are."""
    names = Draft.__struct_fields__
    return [Draft(**{name: getattr(event, name) for name in names}) for event in log.read(STREAM)]


def test_a_durable_change_is_synced_with_the_gate_free_and_acknowledged_then(tmp_path):
    class Watched(Files):
        """Calls whose syncs let somebody else append meanwhile, or fail."""

        fails = False

        def datasync(self, descriptor):
            if self.fails:
                raise OSError(errno.EIO, "Input/output error")
            other.update_context("b", "k", "during")
            synced.append(descriptor)
            super().datasync(descriptor)

    synced = []
    other = manager(FileLog(tmp_path / "shared", shared=True, durable=False))
    other.update_context("b", "k", 0)
    files = Watched()
    one = manager(FileLog(tmp_path / "shared", shared=True, durable=True, files=files))
    one.get_context("a")
    assert one.update_context("a", "mine", 1).outcome == "committed"
    assert len(synced) == 1
    assert [event.session_id for event in one.events()] == ["b", "a", "b"]
    files.fails = True
    with pytest.raises(LogUnavailable, match="disk reported an error"):
        one.update_context("a", "mine", 2)
    files.fails = False
    assert one.get_context("a").data == {"k": "during", "mine": 2}, "not acknowledged, and there"
