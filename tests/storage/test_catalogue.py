"""The list of sessions: right after every change, read from stamps, and never in the way."""

import errno
import os

import pytest
from tests.event_drafts import drafts
from workbench.domain.errors import LogDamaged, LogTooNew, LogUnavailable
from workbench.storage import codec
from workbench.storage.catalogue import Catalogue
from workbench.storage.files.log import FileLog
from workbench.storage.files.opening import Files


@pytest.fixture
def log(tmp_path):
    log = FileLog(tmp_path / "sessions", durable=False)
    for name in ("b", "a", "c"):
        log.append(name, drafts(1, 3, session=name), expected=0)
    return log


class Counting:
    """A summary that counts events, and remembers which it was shown."""

    def __init__(self):
        self.shown = []

    def __call__(self, before, events):
        self.shown.append((None if before is None else before["count"], [event.seq for event in events]))
        return {"count": (before or {"count": 0})["count"] + len(events), "last": events[-1].id}


@pytest.fixture
def counting():
    return Counting()


@pytest.fixture
def listed(log, tmp_path, counting):
    def entries(version="1", log=log, files=None):
        counting.shown.clear()
        catalogue = Catalogue(log, tmp_path / "cache" / "sessions.json", counting, version=version, files=files)
        return {entry.stream: entry for entry in catalogue.entries()}

    return entries


def test_sessions_are_listed_with_their_summaries(listed, log):
    entries = listed()
    assert list(entries) == ["a", "b", "c"]
    assert entries["a"].summary == {"count": 3, "last": "a:3"}
    assert entries["a"].error is None
    status = (log.folder / "a.jsonl").stat()
    assert (entries["a"].size, entries["a"].changed) == (status.st_size, pytest.approx(status.st_mtime))


def test_what_did_not_change_is_not_read(listed, counting):
    first = listed()

    class Blind(Files):
        def open(self, path, flags):
            assert path.name == "sessions.json", "of a session, not even its file is opened"
            return super().open(path, flags)

    assert listed(files=Blind()) == first
    assert counting.shown == []


@pytest.mark.parametrize(
    "content", [b"", b"{", b"\xff", b'{"version":"1","sessions":{"a":[]}}', b'{"version":"0","sessions":{}}']
)
def test_a_cache_that_cannot_be_used_is_built_anew(listed, tmp_path, content):
    first = listed()
    (tmp_path / "cache" / "sessions.json").write_bytes(content)
    assert listed() == first
    (tmp_path / "cache" / "sessions.json").unlink()
    assert listed() == first
    assert listed(version="2") == first


def test_a_damaged_session_is_listed_with_its_error(listed, log, counting):
    listed()
    path = log.folder / "b.jsonl"
    path.write_bytes(path.read_bytes().replace(b"ada", b"eve"))
    os.utime(path, (1, 1))  # not within the same tick of the disk's clock
    (log.folder / "c.jsonl").write_bytes(codec.encode_header(codec.FileHeader(codec.FORMAT, 9, "c", "e")))
    for _ in range(2):
        entries = listed()
        assert isinstance(entries["b"].error, LogDamaged)
        assert "repair b" in entries["b"].error.remedy
        assert entries["b"].summary is None
        assert isinstance(entries["c"].error, LogTooNew)
        assert entries["a"].summary["count"] == 3
    assert counting.shown == [], "not even the damaged one is read twice"
    FileLog(log.folder).repair("b", keep_nothing=True)
    assert "b" not in listed()


def test_a_session_without_permission_is_listed_with_its_error(listed, log):
    class Refusing(Files):
        def open(self, path, flags):
            if path.name == "b.jsonl":
                raise OSError(errno.EACCES, os.strerror(errno.EACCES))
            return super().open(path, flags)

    refused = FileLog(log.folder, files=Refusing())
    entries = listed(log=refused)
    assert isinstance(entries["b"].error, LogUnavailable)
    assert entries["a"].summary["count"] == 3
    assert listed()["b"].summary["count"] == 3, "it is asked again when permission may have been given"


def test_no_folder_and_no_readable_folder(tmp_path, counting):
    def entries():
        return Catalogue(FileLog(tmp_path / "s"), tmp_path / "cache.json", counting, version="1").entries()

    assert entries() == []
    (tmp_path / "s").write_text("x")
    with pytest.raises(LogUnavailable):
        entries()
