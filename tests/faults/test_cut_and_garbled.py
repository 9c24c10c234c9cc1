"""Files cut off, or garbled, at any byte: a clean prefix, or what is wrong and how to repair it."""

import random

import pytest
from tests.chains import is_sound
from tests.event_drafts import anything, draft
from workbench.domain.errors import LogDamaged, NotFound
from workbench.storage.files.log import FileLog

OFFSETS = 300


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """A session of 60 events in batches of one to four, and where its batches end."""
    log = FileLog(tmp_path_factory.mktemp("original") / "sessions", durable=False)
    chance = random.Random(2)
    seq = 0
    ends = []
    while seq < 60:
        size = chance.randint(1, 4)
        body = b'{"text":"%s"}' % (b"x" * chance.randint(0, 300))
        log.append("s", [draft(body=body)] * size, expected=seq)
        seq += size
        ends.append(seq)
    return (log.folder / "s.jsonl").read_bytes(), list(log.read("s")), ends


@pytest.fixture
def log(tmp_path):
    log = FileLog(tmp_path / "sessions", durable=False)
    log.folder.mkdir()
    return log


def prefix_or_repaired(log, content, events, ends):
    """Return how many events can be read, and whether that took a repair; prove the rest of the promise on the way."""
    (log.folder / "s.jsonl").write_bytes(content)
    read, error = read_until_damage(log)
    assert read == events[: len(read)]
    if error is not None:
        assert str(log.folder / "s.jsonl") in error.message
        assert "repair s" in error.remedy
        done = log.repair("s", takes_in=anything, keep_nothing=True)
        assert done.aside.read_bytes() == content
        assert done.kept >= len(read)
        if done.kept == 0:
            with pytest.raises(NotFound):
                log.head("s")
            return 0, True
        read = list(log.read("s"))
    assert read == events[: len(read)]
    assert len(read) in ends, "whole batches only"
    log.append("s", [draft(99)], expected=len(read))
    assert is_sound(log, "s")
    return len(read), error is not None


def read_until_damage(log):
    read = []
    try:
        read.extend(log.read("s"))
    except LogDamaged as error:
        return read, error
    return read, None


def test_cut_off_anywhere(log, original):
    content, events, ends = original
    chance = random.Random(3)
    kept = set()
    for _ in range(OFFSETS):
        cut = chance.randrange(len(content))
        count, repaired = prefix_or_repaired(log, content[:cut], events, ends)
        whole_lines = content[:cut].count(b"\n") - 1
        assert count == max([end for end in ends if end <= whole_lines], default=0)
        assert repaired == (count == 0), "a cut is a torn tail, not damage, as long as there is an event before it"
        kept.add(count)
    assert len(kept) > len(ends) / 2


@pytest.mark.parametrize("garble", ["flip", "newline", "zeros", "delete", "insert"])
def test_garbled_anywhere(log, original, garble):
    content, events, ends = original
    chance = random.Random(garble)
    for _ in range(OFFSETS // 5):
        place = chance.randrange(len(content))
        changed = {
            "flip": content[:place] + bytes([content[place] ^ 1 << chance.randrange(8)]) + content[place + 1 :],
            "newline": content[:place] + b"\n" + content[place + 1 :],
            "zeros": content[:place] + b"\0" * min(512, len(content) - place) + content[place + 512 :],
            "delete": content[:place] + content[place + chance.randint(1, 600) :],
            "insert": content[:place] + b"\xff\n" + content[place:],
        }[garble]
        count, repaired = prefix_or_repaired(log, changed, events, ends)
        line = content[:place].count(b"\n")
        sound = max([end for end in ends if end <= line - 1], default=0)
        assert count >= sound, "everything before the damage is there"
        assert repaired or count < len(events) or changed == content
