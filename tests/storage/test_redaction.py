"""A redacted session file: what is forgotten stands nowhere in it, the rest is as it was, and no trick passes."""

import os
from contextlib import suppress

import msgspec
import pytest
from tests.chains import is_sound
from tests.event_drafts import anything, draft, drafts, numbers
from workbench.domain.errors import LogDamaged, LogTooNew
from workbench.domain.log.envelope import body_digest
from workbench.storage import codec
from workbench.storage.files import journal
from workbench.storage.files.log import FileLog
from workbench.storage.tinydb import JournalStorage

SECRET = b"sk-4711-secret"
CLEAN = msgspec.Raw(b'{"number":2,"text":"[forgotten]"}')


@pytest.fixture
def log(tmp_path):
    log = FileLog(tmp_path / "sessions", durable=False)
    log.append("s", drafts(1, 1), expected=0)
    log.append("s", [draft(body=b'{"number":2,"text":"%b"}' % SECRET), draft(3), draft(4)], expected=1)
    return log


def file_of(log):
    return log.folder / "s.jsonl"


def lines_of(log):
    return file_of(log).read_bytes().splitlines(keepends=True)


def redact(log, **bodies):
    return log.redact("s", bodies or {"s:2": CLEAN}, drafts(5, 5), expected=log.head("s").seq)


def files_below(folder):
    files = (path for path in folder.rglob("*") if path.is_file() and path.parent.name != ".locks")
    return {path.relative_to(folder): path.read_bytes() for path in files}


def test_the_secret_is_in_no_file_and_every_other_line_is_byte_for_byte_as_it_was(log):
    before = lines_of(log)
    redact(log)
    after = lines_of(log)
    assert (after[1], after[3], after[4]) == (before[1], before[3], before[4])
    assert codec.is_unfinished(after[2])
    assert after[2].endswith(before[2][-73:]), "the same hash ends it"
    assert list(files_below(log.folder.parent)) == [file_of(log).relative_to(log.folder.parent)]
    assert SECRET not in file_of(log).read_bytes()
    assert file_of(log).stat().st_mode & 0o777 == 0o600
    assert is_sound(FileLog(log.folder), "s")
    assert numbers(FileLog(log.folder).read("s")) == [1, 2, 3, 4, 5]


def test_what_lies_beside_it_of_older_bodies_goes(log):
    (log.folder / ".s.jsonl.0123456789ab.new").write_bytes(SECRET)
    (log.folder / ".t.jsonl.0123456789ab.new").write_bytes(b"another session's")
    with file_of(log).open("ab") as file:
        file.write(codec.sealed(b'"more":true,"text":"%b"}' % SECRET) + b'{"crc":"' + SECRET)
    redact(log)
    assert sorted(map(str, files_below(log.folder))) == [".t.jsonl.0123456789ab.new", "s.jsonl"]
    assert SECRET not in file_of(log).read_bytes()
    assert log.trash.entries() == []


def test_nothing_in_this_process_holds_the_old_file(log):
    inode = file_of(log).stat().st_ino
    redact(log)

    def inode_of(descriptor):
        with suppress(OSError):
            return os.fstat(int(descriptor)).st_ino

    assert inode not in {inode_of(descriptor) for descriptor in os.listdir("/proc/self/fd")}  # noqa: PTH208  # numbers


def test_only_a_redacted_file_is_of_the_newer_version(log, monkeypatch):
    assert codec.decode_header(lines_of(log)[0][:-1]).version == 1
    older = type("codec", (), {**vars(codec), "VERSION": 1})
    monkeypatch.setattr(journal, "codec", older)
    assert len(list(FileLog(log.folder).read("s"))) == 4
    redact(log)
    with pytest.raises(LogTooNew, match="newer version of the workbench"):
        list(FileLog(log.folder).read("s"))
    monkeypatch.undo()
    assert codec.decode_header(lines_of(log)[0][:-1]).version == 2


def doctored(log, line, **changes):
    """Let a line of the file say something else, with a checksum that holds."""
    lines = lines_of(log)
    members = msgspec.json.decode(lines[line])
    del members["crc"]
    members["doc"].update(changes)
    lines[line] = codec.sealed(msgspec.json.encode(members)[1:])
    file_of(log).write_bytes(b"".join(lines))


@pytest.mark.parametrize(
    "changes",
    [
        {"body": {"number": 2, "text": "put in"}},
        {"redacted": "0" * 64},
        {"redacted": ""},
        {"redacted": body_digest(b'{"number":2,"text":"put in"}')},
    ],
)
def test_a_redacted_body_is_the_one_its_event_names(log, changes):
    redact(log)
    doctored(log, 2, **changes)
    with pytest.raises(LogDamaged, match="was changed"):
        list(FileLog(log.folder).read("s"))


def test_a_damaged_file_is_not_redacted(log):
    doctored(log, 4, body={"number": 9})
    before = file_of(log).read_bytes()
    with pytest.raises(LogDamaged):
        log.redact("s", {"s:2": CLEAN}, drafts(5, 5), expected=4)
    assert file_of(log).read_bytes() == before


def test_repair_keeps_redacted_events_and_the_version(log):
    redact(log)
    log.append("s", drafts(6, 6), expected=5)
    lines = lines_of(log)
    lines[-1] = lines[-1].replace(b"ada", b"eve")
    file_of(log).write_bytes(b"".join(lines))
    assert log.repair("s", takes_in=anything).kept == 5
    assert [event.redacted != "" for event in log.read("s")] == [False, True, False, False, False]
    assert codec.decode_header(lines_of(log)[0][:-1]).version == 2


def test_other_handles_see_what_it_says_now_and_go_on(log):
    other = FileLog(log.folder, durable=False)
    reader = JournalStorage(file_of(log))
    cursor = other.file("s").head()
    assert len(list(other.read("s"))) == 4
    redact(log)
    assert next(bytes(event.body) for event in other.read("s", after=1)) == bytes(CLEAN)
    assert other.head("s") == log.head("s")
    (portion,) = other.file("s").since(cursor)
    assert portion[0][0].seq == 1, "from the start, as the history is another one"
    assert reader.read()["events"]["2"]["body"]["text"] == "[forgotten]"
    assert other.append("s", drafts(6, 6), expected=5)[0].seq == 6
    assert is_sound(log, "s")


def test_a_new_file_under_an_old_number_is_another_history(log):
    """A disk gives the number of a file that is gone to the next one: what was remembered of it must not count."""
    log.append("t", drafts(1, 1, session="t"), expected=0)
    other = FileLog(log.folder, durable=False)
    old = other.head("t")
    log.append("t", drafts(2, 2, session="t"), expected=1)
    log.redact("t", {"t:2": CLEAN}, drafts(3, 3, session="t"), expected=2)
    file = other.file("t")
    inode = file.path.stat().st_ino
    file._marks = [msgspec.structs.replace(mark, inode=inode) for mark in file._marks]
    assert other.head("t") == log.head("t")
    assert other.head("t").epoch != old.epoch
