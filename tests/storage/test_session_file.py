"""Session files anywhere, under any name."""

import pytest
from tests.event_drafts import drafts
from workbench.domain.errors import LogDamaged, NotFound
from workbench.storage.files.log import FileLog
from workbench.storage.files.session_file import read_session_file
from workbench.storage.tinydb.databases import JournalDatabase


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
    JournalDatabase(tmp_path / "db.jsonl")
    with pytest.raises(LogDamaged, match="documents"):
        list(read_session_file(tmp_path / "db.jsonl"))
