"""A disk that is full or broken, and a process that dies, at each step: what was acknowledged stays, whole."""

import errno

import msgspec
import pytest
from tests.chains import is_sound
from tests.event_drafts import anything, draft, drafts
from tests.faults.faulty_files import Died, FaultyFiles
from workbench.domain.errors import LogError, LogUnavailable, StaleHead
from workbench.storage.files.log import FileLog
from workbench.storage.files.workspace import open_workspace

FAULTS = [errno.ENOSPC, errno.EIO, Died]


def steps_of(action, prepare):
    """Yield a FaultyFiles for each call that an action makes, which fails there."""
    counting = FaultyFiles()
    action(prepare("count"), counting)
    assert counting.calls
    for fault in FAULTS:
        for index, name in enumerate(counting.calls):
            folder = prepare(f"{index}-{name}-{getattr(fault, '__name__', fault)}")
            yield folder, FaultyFiles(index, fault), name


def attempt(action, folder, files):
    """Run an action on a faulty disk; return its answer, or None when it failed as it should."""
    try:
        return action(folder, files)
    except (Died, LogUnavailable):
        return None


def append(folder, files):
    log = FileLog(folder, files=files)
    return log.append("s", drafts(3, 5), expected=2)


def test_an_append_is_whole_or_nothing(tmp_path):
    def prepare(name):
        FileLog(tmp_path / name / "sessions").append("s", drafts(1, 2), expected=0)
        return tmp_path / name / "sessions"

    outcomes = set()
    for folder, files, name in steps_of(append, prepare):
        done = attempt(append, folder, files)
        log = FileLog(folder)
        seqs = [event.seq for event in log.read("s")]
        assert seqs in ([1, 2], [1, 2, 3, 4, 5]), name
        assert done is None, "every call of an append counts"
        retried = log.append("s", drafts(3, 5), expected=2)
        assert [event.seq for event in log.read("s")] == [1, 2, 3, 4, 5]
        assert [event.seq for event in retried] == [3, 4, 5]
        assert is_sound(log, "s")
        outcomes.add((name, len(seqs)))
    assert {("write", 2), ("datasync", 2), ("datasync", 5)} <= outcomes, "5: it died after writing and before syncing"


def test_a_torn_batch_is_cut_at_no_cost_to_what_is_whole(tmp_path):
    def prepare(name):
        log = FileLog(tmp_path / name / "sessions")
        log.append("s", drafts(1, 2), expected=0)
        path = log.folder / "s.jsonl"
        path.write_bytes(path.read_bytes() + b'{"crc":"12345678","more":true,"table')
        return log.folder

    for folder, files, name in steps_of(append, prepare):
        attempt(append, folder, files)
        log = FileLog(folder)
        assert [event.seq for event in log.read("s")] in ([1, 2], [1, 2, 3, 4, 5]), name
        log.append("s", drafts(3, 5), expected=2)
        assert is_sound(log, "s")


def test_a_creation_is_whole_or_nothing(tmp_path):
    def create(folder, files):
        return FileLog(folder, files=files).append("s", drafts(1, 3), expected=0)

    for folder, files, _ in steps_of(create, lambda name: tmp_path / name / "sessions"):
        attempt(create, folder, files)
        log = FileLog(folder)
        assert list(log.streams()) in ([], ["s"])
        assert [event.seq for event in log.append("s", drafts(1, 3), expected=0)] == [1, 2, 3]
        with pytest.raises(StaleHead):
            log.append("s", [draft(9)], expected=0)
        assert is_sound(log, "s")


def test_a_repair_loses_nothing_wherever_it_stops(tmp_path):
    def prepare(name):
        log = FileLog(tmp_path / name / "sessions")
        for number in range(1, 5):
            log.append("s", drafts(number, number), expected=number - 1)
        path = log.folder / "s.jsonl"
        path.write_bytes(path.read_bytes().replace(b'"number":3', b'"number":8'))
        return log.folder

    def repair(folder, files):
        return FileLog(folder, files=files).repair("s", takes_in=anything)

    for folder, files, name in steps_of(repair, prepare):
        damaged = (folder / "s.jsonl").read_bytes()
        attempt(repair, folder, files)
        log = FileLog(folder)
        log.repair("s", takes_in=anything)
        assert [event.seq for event in log.read("s")] == [1, 2], name
        kept = [(log.trash.folder / entry.name).read_bytes() for entry in log.trash.entries()]
        assert damaged in kept


def test_deleting_and_restoring_lose_nothing_wherever_they_stop(tmp_path):
    def prepare(name):
        start = tmp_path / name
        start.mkdir()
        open_workspace(start).log().append("s", drafts(1, 3), expected=0)
        return start

    def there_and_back(start, files):
        workspace = open_workspace(start, files=files)
        return workspace.restore(workspace.trash("s").name)

    for start, files, name in steps_of(there_and_back, prepare):
        attempt(there_and_back, start, files)
        workspace = open_workspace(start)
        if not list(workspace.log().streams()):
            workspace.restore(workspace.trashed()[0].name)
        assert [event.seq for event in workspace.log().read("s")] == [1, 2, 3], name


def test_a_workspace_that_was_half_created_is_completed(tmp_path):
    def create(start, files):
        return open_workspace(start, files=files)

    def prepare(name):
        (tmp_path / name).mkdir()
        return tmp_path / name

    for start, files, _ in steps_of(create, prepare):
        attempt(create, start, files)
        workspace = open_workspace(start)
        assert workspace.id == open_workspace(start).id
        assert workspace.log().append("s", drafts(1, 1), expected=0)


@pytest.mark.parametrize("portion", [1, 7, 100])
def test_short_writes_make_the_same_file(tmp_path, portion):
    contents = []
    for name, files in (("whole", FaultyFiles()), ("short", FaultyFiles(portion=portion))):
        log = FileLog(tmp_path / name / "sessions", files=files, new_epoch=lambda: "e")
        log.append("s", drafts(1, 2), expected=0)
        log.append("s", drafts(3, 4), expected=2)
        contents.append((log.folder / "s.jsonl").read_bytes())
    assert contents[0] == contents[1]
    assert files.calls.count("write") > 4


def test_a_disk_that_fills_up_in_the_middle_of_a_batch(tmp_path):
    class Filling(FaultyFiles):
        def write(self, descriptor, data):
            if len(data) < 900:
                raise OSError(errno.ENOSPC, "No space left on device")
            return super().write(descriptor, data[:100])

    folder = tmp_path / "sessions"
    FileLog(folder).append("s", drafts(1, 2), expected=0)
    before = (folder / "s.jsonl").read_bytes()
    with pytest.raises(LogUnavailable, match="the disk is full") as failure:
        FileLog(folder, files=Filling()).append("s", drafts(3, 5), expected=2)
    assert "Free some space" in failure.value.remedy
    assert (folder / "s.jsonl").read_bytes() == before


def test_a_batch_that_cannot_even_be_cut_off_is_found_by_the_retry(tmp_path):
    class Broken(FaultyFiles):
        def datasync(self, descriptor):
            raise OSError(errno.EIO, "Input/output error", descriptor)

        def truncate(self, descriptor, size):
            raise OSError(errno.EIO, "Input/output error", descriptor, size)

    folder = tmp_path / "sessions"
    FileLog(folder).append("s", drafts(1, 2), expected=0)
    with pytest.raises(LogError):
        FileLog(folder, files=Broken()).append("s", drafts(3, 3), expected=2)
    assert [event.seq for event in FileLog(folder).append("s", drafts(3, 3), expected=2)] == [3]
    assert FileLog(folder).head("s").seq == 3


SECRET = b"sk-4711-secret"


def test_a_redaction_is_whole_or_nothing_and_leaves_no_copy(tmp_path):
    """Wherever it stops: nothing acknowledged is lost, the file is the old one or the new one; and once it was done
    again, the secret is in no file."""

    def prepare(name):
        log = FileLog(tmp_path / name / "sessions")
        log.append("s", [draft(1), draft(body=b'{"text":"%b"}' % SECRET), draft(3)], expected=0)
        return log.folder

    def redact(folder, files):
        bodies = {"s:2": msgspec.Raw(b'{"text":"[forgotten]"}')}
        return FileLog(folder, files=files).redact("s", bodies, drafts(4, 4), expected=3)

    outcomes = set()
    for folder, files, name in steps_of(redact, prepare):
        before = (folder / "s.jsonl").read_bytes()
        done = attempt(redact, folder, files)
        log = FileLog(folder)
        assert is_sound(log, "s")
        assert log.driver("s") is None
        is_old = (folder / "s.jsonl").read_bytes() == before
        if not is_old:
            assert [event.seq for event in log.read("s")] == [1, 2, 3, 4], name
        assert is_old or done is None or name == "unlink", "of flock's record, which is over with its process"
        if is_old:
            redact(folder, FaultyFiles())
        left = {path.name for path in folder.parent.rglob("*") if path.is_file() and SECRET in path.read_bytes()}
        assert left == set(), name
        outcomes.add((name, is_old))
    assert {("write", True), ("replace", True), ("sync_folder", False)} <= outcomes
