"""Session files anywhere, under any name."""

import pytest
from tests.doctored import DEEP, said, write_session
from tests.event_drafts import drafts
from tinydb import TinyDB, where
from workbench.domain.errors import LogDamaged, LogUnavailable, NotFound
from workbench.storage import codec
from workbench.storage.files.log import FileLog
from workbench.storage.files.session_file import read_session_file
from workbench.storage.tinydb import JournalStorage


def test_a_session_is_read_whatever_its_file_is_called(tmp_path):
    log = FileLog(tmp_path / "sessions", durable=False)
    events = log.append("s", drafts(1, 3), expected=0)
    copy = tmp_path / "A colleague's session (2).txt"
    copy.write_bytes((tmp_path / "sessions" / "s.jsonl").read_bytes())
    assert tuple(read_session_file(copy)) == events
    assert sorted(path.name for path in tmp_path.iterdir()) == [copy.name, "sessions"]


def test_what_is_no_session_says_so(tmp_path):
    with pytest.raises(NotFound):
        list(read_session_file(tmp_path / "none.jsonl"))
    (tmp_path / "other.jsonl").write_bytes(codec.encode_header(codec.FileHeader(codec.FORMAT, codec.PLAIN)))
    for read in (read_session_file, lambda path: TinyDB(path, storage=JournalStorage)):
        with pytest.raises(LogDamaged, match="holds no session"):
            list(read(tmp_path / "other.jsonl"))


def test_a_session_is_a_database_that_follows_it_and_refuses_to_write(tmp_path):
    log, path = FileLog(tmp_path, durable=False), tmp_path / "s.jsonl"
    log.append("s", drafts(1, 3), expected=0)
    events = TinyDB(path, storage=JournalStorage).table("events")
    assert [doc.doc_id for doc in events] == [1, 2, 3]
    assert events.get(where("body").number == 2)["id"] == "s:2"
    before = path.read_bytes()
    for change in (lambda: events.insert({"x": 1}), lambda: events.update({"x": 1}), events.truncate):
        with pytest.raises(LogUnavailable, match="cannot be changed by a database"):
            change()
    assert path.read_bytes() == before
    log.append("s", drafts(4, 4), expected=3)
    assert len(events) == 4


@pytest.mark.parametrize("body", [DEEP, b"1e400"], ids=["nested", "beyond numbers"])
def test_a_hostile_event_is_damage_to_a_database_too(tmp_path, body):
    path = write_session(tmp_path / "s.jsonl", said("x", b'{"n":' + body + b"}"))
    with pytest.raises(LogDamaged):
        TinyDB(path, storage=JournalStorage).table("events").all()
