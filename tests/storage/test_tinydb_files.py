"""Databases and sessions as files: shared, full, damaged, of another kind, opened for reading only."""

import errno
import os
import subprocess
import sys
import threading
from contextlib import suppress
from functools import partial

import pytest
from tests.event_drafts import drafts
from tests.faults.faulty_files import FaultyFiles
from tinydb import TinyDB, where
from tinydb.middlewares import CachingMiddleware
from workbench.domain.errors import LogBusy, LogDamaged, LogUnavailable, NotFound, WorkbenchError
from workbench.storage import codec
from workbench.storage.files import locks
from workbench.storage.files.log import FileLog
from workbench.storage.files.opening import Files
from workbench.storage.tinydb.databases import JournalDatabase, JournalStorage


@pytest.mark.parametrize("kind", [TinyDB, JournalDatabase])
def test_a_middleware_in_between(tmp_path, kind):
    path = tmp_path / "cached.jsonl"
    with kind(path, storage=CachingMiddleware(JournalStorage), durable=False) as db:
        db.insert_multiple({"n": n} for n in range(5))
        db.upsert({"n": 9}, where("n") == 4)
        assert db.search(where("n") == 9)
    assert [doc["n"] for doc in JournalDatabase(path)] == [0, 1, 2, 3, 9]


@pytest.mark.parametrize("kind", [JournalDatabase, partial(TinyDB, storage=JournalStorage)])
def test_folders_are_created_where_that_is_asked_for(tmp_path, kind):
    file = tmp_path / "a" / "b" / "c.jsonl"
    with pytest.raises(FileNotFoundError) as missing:
        kind(file)
    assert isinstance(missing.value, NotFound)
    assert missing.value.remedy
    assert (missing.value.errno, missing.value.filename) == (errno.ENOENT, str(file))
    assert list(tmp_path.iterdir()) == []
    kind(file, create_dirs=True).insert({"x": 1})
    assert kind(str(file)).all() == [{"x": 1}]
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_name_without_a_folder_is_in_the_current_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    JournalDatabase("db.jsonl", create_dirs=True).insert({"x": 1})
    assert JournalDatabase("db.jsonl", access_mode="r").all() == [{"x": 1}]


@pytest.mark.parametrize("create_dirs", [False, True])
def test_a_missing_file_that_is_only_read_is_not_created(tmp_path, create_dirs):
    for file in (tmp_path / "none.jsonl", tmp_path / "a" / "none.jsonl"):
        with pytest.raises(FileNotFoundError):
            JournalDatabase(file, access_mode="r", create_dirs=create_dirs)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_may_not_be_used_is_a_permission_error(tmp_path):
    class Denying(Files):
        def open(self, path, _flags):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    JournalDatabase(tmp_path / "db.jsonl").insert({"x": 1})
    with pytest.raises(PermissionError) as denied:
        JournalDatabase(tmp_path / "db.jsonl", files=Denying())
    assert isinstance(denied.value, LogUnavailable)
    assert denied.value.errno == errno.EACCES
    assert "permission is denied" in str(denied.value)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("kind", ["folder", "pipe", "device"])
def test_what_is_no_file_is_an_error_of_the_system(tmp_path, kind):
    path = tmp_path / "db.jsonl"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    for mode in ("r", "r+"):
        with pytest.raises(OSError, match="not a regular file"):
            JournalDatabase(path, access_mode=mode)


def test_writing_to_a_database_that_is_only_read_is_an_os_error(tmp_path):
    JournalDatabase(tmp_path / "db.jsonl").insert({"x": 1})
    with pytest.raises(OSError, match="opened for reading only"):
        JournalDatabase(tmp_path / "db.jsonl", access_mode="r").insert({"x": 2})


def test_a_database_may_be_named_by_a_link(tmp_path):
    JournalDatabase(tmp_path / "db.jsonl").insert({"x": 1})
    (tmp_path / "link.jsonl").symlink_to("db.jsonl")
    JournalDatabase(tmp_path / "link.jsonl").insert({"x": 2})
    assert len(JournalDatabase(tmp_path / "db.jsonl")) == 2


def test_an_empty_file_is_an_empty_database(tmp_path):
    path = tmp_path / "empty.jsonl"
    path.touch()
    db = JournalDatabase(path, durable=False)
    assert db.tables() == set()
    db.insert_multiple([{"x": 1}, {"x": 2}])
    db.insert({"x": 3})
    assert [doc["x"] for doc in JournalDatabase(path)] == [1, 2, 3]
    assert codec.decode_header(path.read_bytes().splitlines()[0]).format == codec.FORMAT


@pytest.mark.parametrize("content", [b'{"_default": {}}', codec.sealed(b'"format":"x","version":1}')])
def test_a_file_of_another_kind(tmp_path, content):
    (tmp_path / "other.json").write_bytes(content)
    with pytest.raises(LogDamaged) as failure:
        JournalDatabase(tmp_path / "other.json")
    assert failure.value.remedy


def test_threads_insert_without_losing_or_doubling(tmp_path):
    db = JournalDatabase(tmp_path / "db.jsonl", durable=False)
    threads = [threading.Thread(target=lambda: [db.insert({"x": 1}) for _ in range(100)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [doc.doc_id for doc in db] == list(range(1, 401))


def test_a_session_is_a_database_that_is_only_read(tmp_path):
    log = FileLog(tmp_path / "sessions", durable=False)
    log.append("s", drafts(1, 3), expected=0)
    path = tmp_path / "sessions" / "s.jsonl"
    for db in (TinyDB(path, storage=JournalStorage), JournalDatabase(path), JournalDatabase(path, access_mode="r")):
        assert db.tables() == {"events"}
        events = db.table("events")
        assert [doc.doc_id for doc in events] == [1, 2, 3]
        assert events.get(where("body").number == 2)["id"] == "s:2"
        assert events.search(where("body").number > 1) == [doc for doc in events if doc["seq"] > 1]
        before = path.read_bytes()
        for change in (
            lambda events=events: events.insert({"x": 1}),
            lambda events=events: events.update({"x": 1}),
            lambda db=db: db.insert({"x": 1}),
            lambda db=db: db.drop_tables(),
        ):
            with pytest.raises(LogUnavailable) as failure:
                change()
            assert failure.value.remedy
        assert path.read_bytes() == before
    log.append("s", drafts(4, 4), expected=3)
    assert len(events.search(where("body").number > 1)) == 3, "a database follows the session"


def test_a_full_disk_changes_nothing(tmp_path):
    counting = FaultyFiles()
    JournalDatabase(tmp_path / "count.jsonl", files=counting).insert({"x": 1})
    for index, name in enumerate(counting.calls):
        path = tmp_path / f"{index}.jsonl"
        with suppress(WorkbenchError):
            JournalDatabase(path, files=FaultyFiles(index, errno.ENOSPC)).insert({"x": 1})
        assert JournalDatabase(path).all() == [], name
        JournalDatabase(path).insert({"x": 2})
        assert JournalDatabase(path).all() == [{"x": 2}], name


def test_a_database_whose_gate_is_held(tmp_path):
    path = tmp_path / "db.jsonl"
    db = JournalDatabase(path, patience=0.05)
    descriptor = os.open(path, os.O_RDWR)
    with locks.gate(descriptor, path, patience=1), pytest.raises(LogBusy, match=str(os.getpid())):
        db.insert({"x": 1})
    os.close(descriptor)
    assert db.insert({"x": 1}) == 1


def test_two_processes_insert_into_one_table(tmp_path):
    path = tmp_path / "db.jsonl"
    JournalDatabase(path)
    script = (
        "import sys; from workbench.storage.tinydb.databases import JournalDatabase; "
        "db = JournalDatabase(sys.argv[1], durable=False); [db.insert({'x': 1}) for _ in range(300)]"
    )
    processes = [subprocess.Popen([sys.executable, "-c", script, str(path)]) for _ in range(2)]
    assert [process.wait() for process in processes] == [0, 0]
    assert [doc.doc_id for doc in JournalDatabase(path)] == list(range(1, 601))
