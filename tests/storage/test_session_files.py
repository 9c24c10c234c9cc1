"""A session's file: who may read it, what is in it, and what is said when it cannot be used."""

import errno
import json
import os
import socket
import zlib

import msgspec
import pytest
from tests.chains import is_sound
from tests.doctored import DEEP
from tests.event_drafts import draft, drafts
from workbench.domain.errors import (
    LogDamaged,
    LogTooNew,
    LogUnavailable,
    LogWentBack,
    NotFound,
    StaleHead,
)
from workbench.storage import codec
from workbench.storage.files.log import FileLog
from workbench.storage.files.opening import Files


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "sessions"


@pytest.fixture
def log(folder):
    return FileLog(folder, durable=False)


def written(folder, lines, name="s"):
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.jsonl"
    path.write_bytes(b"".join(lines))
    return path


def header(**changes):
    return codec.encode_header(
        msgspec.structs.replace(codec.FileHeader(codec.FORMAT, codec.VERSION, "s", "e"), **changes)
    )


def test_every_line_is_json_with_its_checksum_first(log, folder):
    log.append("s", drafts(1, 3), expected=0)
    lines = (folder / "s.jsonl").read_bytes().splitlines()
    parsed = [json.loads(line) for line in lines]
    assert [next(iter(line)) for line in parsed] == ["crc"] * 4
    assert [int(line["crc"], 16) for line in parsed] == [zlib.crc32(line[18:]) for line in lines]
    assert parsed[0]["format"] == "workbench-journal"
    assert [line.get("more", False) for line in parsed[1:]] == [True, True, False]
    assert [(line["table"], line["id"], line["doc"]["seq"]) for line in parsed[1:]] == [
        ("events", n, n) for n in (1, 2, 3)
    ]


def test_files_belong_to_their_owner_alone_whatever_the_umask(log, folder):
    before = os.umask(0o000)
    try:
        log.append("s", drafts(1, 1), expected=0)
        os.umask(0o277)
        log.append("t", drafts(1, 1, session="t"), expected=0)
    finally:
        os.umask(before)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}
    assert sorted(path.name for path in folder.iterdir()) == ["s.jsonl", "t.jsonl"]


@pytest.mark.parametrize(
    ("lines", "error", "words"),
    [
        ([], LogDamaged, "the file is empty"),
        ([header()[:40]], LogDamaged, "line 1"),
        ([b"hello\n"], LogDamaged, "line 1"),
        ([b'{"_default": {}}'], LogDamaged, "line 1"),
        ([codec.sealed(b'"a":1}')], LogDamaged, "not a journal's"),
        ([codec.sealed(b'"format":' + b"[" * 1500 + b"]" * 1500 + b"}")], LogDamaged, "not a journal's"),
        ([header(format="other")], LogDamaged, "'other'"),
        ([header()], LogDamaged, "no complete event"),
        ([header(version=codec.VERSION + 1)], LogTooNew, "newer version"),
        ([header(stream="t")], LogDamaged, "holds t, not s"),
        ([header(stream="")], LogDamaged, "holds no session"),
        ([header(), codec.sealed(b'"table":"events","id":1,"doc":{"seq":1}}')], LogDamaged, "no event"),
        ([header(), codec.sealed(b'"table":"events","id":1}')], LogDamaged, "no event"),
        ([header(), codec.sealed(b'"table":"events","id":1,"doc":' + DEEP + b"}")], LogDamaged, "no event"),
        ([header(), codec.sealed(b'"doc":"\xff"}')], LogDamaged, "no event"),
        ([header(), b"\n"], LogDamaged, "line 2"),
    ],
)
def test_a_file_that_is_no_session_says_so(log, folder, lines, error, words):
    written(folder, lines)
    log.append("t", [draft(session="t")], expected=0)
    for use in (
        lambda: list(log.read("s")),
        lambda: log.head("s"),
        lambda: log.append("s", drafts(1, 1), expected=None),
    ):
        with pytest.raises(error, match=words) as failure:
            use()
        assert failure.value.remedy
        assert str(folder / "s.jsonl") in failure.value.message
    assert list(log.streams()) == ["s", "t"]
    assert log.head("t").seq == 1


def test_a_missing_event_is_damage(log, folder):
    log.append("s", drafts(1, 3), expected=0)
    log.append("s", drafts(4, 4), expected=3)
    lines = (folder / "s.jsonl").read_bytes().splitlines(keepends=True)
    written(folder, lines[:2] + lines[3:])
    with pytest.raises(LogDamaged, match=r"line 3: event 2 is missing"):
        list(FileLog(folder).read("s"))


def test_damage_says_where_and_what_can_be_read(log, folder):
    for number in range(5):
        log.append("s", drafts(number + 1, number + 1), expected=number)
    path = folder / "s.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    lines[3] = lines[3].replace(b'"number":3', b'"number":8')
    path.write_bytes(b"".join(lines))
    reading = log.read("s")
    assert [next(reading).seq, next(reading).seq] == [1, 2]
    with pytest.raises(LogDamaged, match="line 4: its checksum does not hold; 2 records") as failure:
        next(reading)
    assert "workbench sessions repair s" in failure.value.remedy


def test_a_garbled_last_line_is_damage_and_is_not_cut(log, folder):
    log.append("s", drafts(1, 2), expected=0)
    path = folder / "s.jsonl"
    garbled = path.read_bytes().replace(b'"number":2', b'"number":3')
    path.write_bytes(garbled)
    with pytest.raises(LogDamaged):
        log.append("s", drafts(3, 3), expected=2)
    assert path.read_bytes() == garbled


def test_a_torn_tail_is_ignored_and_set_aside_by_the_next_writer(log, folder):
    log.append("s", drafts(1, 2), expected=0)
    path = folder / "s.jsonl"
    whole = path.read_bytes()
    torn = codec.sealed(b'"more":true,"table":"events","id":3,"doc":{}}') + b'{"crc":"0000'
    path.write_bytes(whole + torn)
    assert log.head("s").seq == 2
    assert path.read_bytes() == whole + torn, "a reader changes nothing"
    log.append("s", drafts(3, 3), expected=2)
    assert path.read_bytes().startswith(whole)
    assert is_sound(log, "s")
    (entry,) = log.trash.entries()
    assert (entry.stream, entry.reason) == ("s", "torn")
    assert (log.trash.folder / entry.name).read_bytes() == torn


@pytest.mark.parametrize("kind", ["folder", "pipe", "socket"])
def test_something_else_under_a_sessions_name(log, folder, kind, monkeypatch):
    folder.mkdir()
    path = folder / "s.jsonl"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        monkeypatch.chdir(folder)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind("s.jsonl")
    for use in (lambda: log.head("s"), lambda: log.append("s", drafts(1, 1), expected=None)):
        with pytest.raises(LogUnavailable) as failure:
            use()
        assert failure.value.remedy


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EACCES, "permission is denied"),
        (errno.EROFS, "read-only"),
        (errno.EMFILE, "too many files"),
        (errno.ELOOP, "the system says"),
    ],
)
def test_a_file_that_cannot_be_opened(folder, number, words):
    class Refusing(Files):
        def open(self, path, _flags):
            raise OSError(number, os.strerror(number), str(path))

    FileLog(folder).append("s", drafts(1, 1), expected=0)
    log = FileLog(folder, files=Refusing())
    for use in (
        lambda: list(log.read("s")),
        lambda: log.append("s", drafts(2, 2), expected=1),
        lambda: log.append("t", drafts(1, 1, session="t"), expected=0),
        lambda: log.drive("s").__enter__(),
        lambda: log.driver("s"),
    ):
        with pytest.raises(LogUnavailable, match=words) as failure:
            use()
        assert failure.value.remedy
    assert list(log.streams()) == ["s"]


def test_a_file_that_may_be_read_but_not_written(folder):
    class ReadOnly(Files):
        def open(self, path, flags):
            if flags & (os.O_RDWR | os.O_WRONLY):
                raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
            return super().open(path, flags)

    FileLog(folder).append("s", drafts(1, 2), expected=0)
    log = FileLog(folder, files=ReadOnly())
    assert log.head("s").seq == 2
    assert log.driver("s") is None
    with pytest.raises(LogUnavailable, match="read-only"):
        log.append("s", drafts(3, 3), expected=2)


def test_a_system_without_these_locks(log, monkeypatch):
    log.append("s", drafts(1, 1), expected=0)
    monkeypatch.delattr("fcntl.F_OFD_SETLK")
    monkeypatch.delattr("fcntl.flock")
    for use in (
        lambda: log.append("s", drafts(2, 2), expected=1),
        lambda: log.append("t", drafts(1, 1, session="t"), expected=0),
        lambda: log.drive("s").__enter__(),
        lambda: log.driver("s"),
    ):
        with pytest.raises(LogUnavailable, match="locks") as failure:
            use()
        assert "Linux" in failure.value.remedy
    assert [event.seq for event in log.read("s")] == [1], "reading needs no locks"
    assert list(log.streams()) == ["s"]


def test_following_a_file_that_is_removed_replaced_or_shortened(log, folder):
    path = folder / "s.jsonl"
    log.append("s", drafts(1, 2), expected=0)
    whole = path.read_bytes()

    def following():
        batches = log.follow("s", after=0, stopped=lambda: False)
        next(batches)
        return batches

    batches = following()
    path.write_bytes(whole[: whole.rindex(b'{"crc"')])
    with pytest.raises(LogWentBack):
        next(batches)
    path.write_bytes(whole)
    batches = following()
    (folder / "other").write_bytes(whole)
    (folder / "other").replace(path)
    with pytest.raises(StaleHead):
        next(batches)
    batches = following()
    path.unlink()
    with pytest.raises(NotFound):
        next(batches)


def test_following_waits_for_the_end_of_a_batch(log, folder):
    log.append("s", drafts(1, 1), expected=0)
    before = (folder / "s.jsonl").read_bytes()
    log.append("s", drafts(2, 3), expected=1)
    batch = (folder / "s.jsonl").read_bytes()[len(before) :]
    (folder / "s.jsonl").write_bytes(before)
    asked = 0

    def stopped():
        nonlocal asked
        asked += 1
        if asked == 3:
            (folder / "s.jsonl").write_bytes(before + batch[:-1])
        elif asked == 6:
            (folder / "s.jsonl").write_bytes(before + batch)
        return asked > 12

    assert [[event.seq for event in seen] for seen in FileLog(folder).follow("s", after=1, stopped=stopped)] == [[2, 3]]
    assert asked > 6
