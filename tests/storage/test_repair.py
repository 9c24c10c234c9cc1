"""Repairing a damaged session: what is sound is kept, and the damaged file is put away untouched."""

import pytest
from tests.chains import is_sound
from tests.event_drafts import anything, drafts
from workbench.domain.errors import LogBusy, LogDamaged, LogTooNew, NotFound
from workbench.storage import codec
from workbench.storage.files.log import FileLog


@pytest.fixture
def log(tmp_path):
    log = FileLog(tmp_path / "sessions", durable=False)
    for number in range(1, 6):
        log.append("s", drafts(number, number), expected=number - 1)
    log.append("s", drafts(6, 8), expected=5)
    return log


def lines_of(log):
    return (log.folder / "s.jsonl").read_bytes().splitlines(keepends=True)


def damaged(log, lines):
    (log.folder / "s.jsonl").write_bytes(b"".join(lines))
    return b"".join(lines)


def test_a_sound_file_is_left_as_it_is(log):
    before = lines_of(log)
    assert log.repair("s", takes_in=anything) == (8, 0, None)
    assert lines_of(log) == before


@pytest.mark.parametrize(("bad", "kept"), [(1, 0), (3, 2), (5, 4), (6, 5), (8, 5)])
def test_what_stands_before_the_damage_is_kept(log, bad, kept):
    epoch = log.head("s").epoch
    events = list(log.read("s"))
    lines = lines_of(log)
    lines[bad] = lines[bad].replace(b"ada", b"eve")
    before = damaged(log, lines)
    with pytest.raises(LogDamaged):
        list(log.read("s"))
    done = log.repair("s", takes_in=anything, keep_nothing=True)
    assert (done.kept, done.lost) == (kept, 8 - kept)
    assert done.aside.read_bytes() == before
    assert done.aside.stat().st_mode & 0o777 == 0o600
    assert log.trash.entries()[0].reason == "damaged"
    if not kept:
        with pytest.raises(NotFound):
            log.head("s")
        return
    assert list(log.read("s")) == events[:kept]
    assert log.head("s").epoch != epoch, "who saw more must start again"
    log.append("s", drafts(9, 9), expected=kept)
    assert is_sound(log, "s")


def test_a_garbled_header_costs_no_event(log):
    events = list(log.read("s"))
    lines = lines_of(log)
    damaged(log, [lines[0].replace(b"journal", b"jornual"), *lines[1:]])
    assert log.repair("s", takes_in=anything).kept == 8
    assert list(log.read("s")) == events


@pytest.mark.parametrize("content", [b"", b"\n", b"hello", b"\0" * 4096])
def test_a_file_with_nothing_to_keep_is_put_away(log, content):
    damaged(log, [content])
    with pytest.raises(LogDamaged, match=r"Nothing of .* can be kept"):
        log.repair("s", takes_in=anything)
    assert log.trash.entries() == []
    done = log.repair("s", takes_in=anything, keep_nothing=True)
    assert done.kept == 0
    assert done.aside.read_bytes() == content
    assert list(log.streams()) == []


def test_what_is_not_damaged_but_foreign_is_not_touched(log):
    foreign = codec.encode_header(codec.FileHeader(codec.FORMAT, codec.VERSION, "t", "e"))
    newer = codec.encode_header(codec.FileHeader(codec.FORMAT, 9, "s", "e"))
    for first, error in ((foreign, LogDamaged), (newer, LogTooNew)):
        before = damaged(log, [first, *lines_of(log)[1:]])
        with pytest.raises(error):
            log.repair("s", takes_in=anything)
        assert b"".join(lines_of(log)) == before


def test_a_session_that_is_driven_is_not_repaired(log):
    other = FileLog(log.folder)
    with other.drive("s"), pytest.raises(LogBusy):
        log.repair("s", takes_in=anything)
