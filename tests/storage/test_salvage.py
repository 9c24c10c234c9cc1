"""Looking at a damaged session file: what is before the damage is what was there; what is behind is told apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.doctored import CREATED, said, sealed
from tests.event_drafts import anything, drafts
from tests.properties.test_session import relaxed
from workbench.domain.errors import LogDamaged, LogTooNew, NotFound
from workbench.domain.log.envelope import Damage, Head, genesis, seal
from workbench.storage import codec
from workbench.storage.files.damage.salvage import Salvage, salvage
from workbench.storage.files.session_file import read_session_file

HEADER = codec.encode_header(codec.FileHeader(codec.FORMAT, codec.PLAIN, "s", "e"))
EVENTS = seal(drafts(1, 8), Head("e", 0, genesis("s")))
LINES = [HEADER, *(codec.encode_event(event, more=event.seq in {6, 7}) for event in EVENTS)]
"""Line n + 1 is event n; the last three are one batch."""


def garbled(line):
    return line.replace(b"ada", b"eve")


def resealed(line):
    """A line that was changed by somebody who can write checksums."""
    return codec.sealed(garbled(line)[len(b'{"crc":"00000000",') : -1])


@pytest.fixture
def look(tmp_path):
    path = tmp_path / "whatever it is called.jsonl"

    def look(*lines, takes_in=anything, beyond=True):
        path.write_bytes(b"".join(lines))
        before = path.read_bytes()
        try:
            return salvage(path, takes_in=takes_in, beyond=beyond)
        finally:
            assert path.read_bytes() == before
            assert list(path.parent.iterdir()) == [path]

    return look


def numbers(events):
    return [event.seq for event in events]


def changed(place, *lines):
    kept = list(LINES)
    kept[place : place + 1] = lines
    return kept


def test_a_file_that_begins_behind_an_archive_is_proven_from_there(look):
    header = codec.FileHeader(codec.FORMAT, codec.CONTINUED, "s", "e", 2, EVENTS[1].hash)
    assert look(codec.encode_header(header), *LINES[3:]) == Salvage(EVENTS[2:], (), ())
    wrong = codec.FileHeader(codec.FORMAT, codec.CONTINUED, "s", "e", 2, EVENTS[0].hash)
    assert [one.seq for one in look(codec.encode_header(wrong), *LINES[3:]).damages] == [3]


def test_of_a_batch_whose_end_is_damaged_the_beginning_is_shown(look):
    found = look(*changed(8, garbled(LINES[8])))
    assert numbers(found.before) == [1, 2, 3, 4, 5, 6, 7]
    assert [one.seq for one in found.damages] == [8]


def test_each_place_is_named_and_the_events_between_are_kept(look):
    lines = changed(2, b"\x00" * 40 + b"\n")
    lines[5] = garbled(lines[5])
    lines[6] = garbled(lines[6])
    found = look(*lines)
    assert [(one.line, one.seq) for one in found.damages] == [(3, 2), (6, 5), (7, 6)]
    assert (numbers(found.before), numbers(found.behind)) == ([1], [3, 4, 7, 8])


def test_a_changed_header_is_said_and_a_changed_body_is_left_out(look):
    found = look(*changed(4, resealed(LINES[4])))
    assert found.damages == (Damage(5, 4, "it was changed, or does not follow the one before it"),)
    assert numbers(found.behind) == [4, 5, 6, 7, 8]
    body = codec.sealed(LINES[4].replace(b'{"number":4}', b'{"number":9}')[len(b'{"crc":"00000000",') : -1])
    found = look(*changed(4, body))
    assert found.damages == (Damage(5, 4, "it was changed"),)
    assert numbers(found.behind) == [5, 6, 7, 8]


def test_the_chain_is_checked_behind_the_damage_too(look):
    lines = changed(2, garbled(LINES[2]))
    lines[6] = resealed(lines[6])
    assert [(one.seq, one.why) for one in look(*lines).damages] == [
        (2, "its checksum does not hold"),
        (6, "it was changed, or does not follow the one before it"),
    ]


def test_an_event_of_another_session_and_what_is_no_event_are_left_out(look):
    other = seal(drafts(4, 4, session="t"), Head("e", 3, EVENTS[2].hash))
    found = look(*changed(4, codec.encode_events(other)))
    assert found.damages == (Damage(5, 4, "it belongs to the session 't'"),)
    found = look(*changed(4, codec.sealed(b'"table":"events","id":4,"doc":{}}')))
    assert found.damages[0].why.startswith("it is no event (")
    assert numbers(found.behind) == [5, 6, 7, 8]


@pytest.mark.parametrize(
    ("first", "line"),
    [(HEADER.replace(b"journal", b"jornual"), 5), (HEADER[:-1] + b"?", 4), (b"", 4)],
    ids=["garbled", "ran into the first event", "missing"],
)
def test_a_header_that_is_damaged_hides_no_event(look, first, line):
    found = look(first, *LINES[1:4], garbled(LINES[4]), *LINES[5:])
    assert found.damages[0] == Damage(1, 1, "it does not begin like a file of the workbench")
    assert numbers(found.before) == [1, 2, 3]
    assert (found.damages[1].line, found.damages[1].seq) == (line, 4)
    assert numbers(found.behind) == [5, 6, 7, 8]


def test_whose_session_it_is_says_no_garbled_event(look):
    found = look(garbled(HEADER).replace(b"journal", b"jornual"), LINES[1].replace(b'"s"', b'"t"'), *LINES[2:])
    assert [(one.line, one.seq) for one in found.damages] == [(1, 1), (2, 1)]
    assert numbers(found.behind) == [2, 3, 4, 5, 6, 7, 8]


def test_what_is_newer_or_no_session_is_named_as_such(look, tmp_path):
    with pytest.raises(LogTooNew, match="newer version"):
        look(codec.encode_header(codec.FileHeader(codec.FORMAT, codec.VERSION + 1, "s", "e")), *LINES[1:])
    with pytest.raises(LogDamaged, match="its format is 'x'"):
        look(codec.encode_header(codec.FileHeader("x", 1, "s", "e")))
    with pytest.raises(LogDamaged, match="no session"):
        look(codec.encode_header(codec.FileHeader(codec.FORMAT, 1)), codec.sealed(b'"table":"notes"}'))
    with pytest.raises(NotFound):
        salvage(tmp_path / "missing.jsonl")


def session_lines(*events):
    return [HEADER, *(codec.encode_events([event]) for event in sealed("s", *events))]


def test_an_event_that_cannot_be_shown_is_a_damage_and_the_next_goes_on_without_it(tmp_path):
    path = tmp_path / "s.jsonl"
    named = said("session.renamed", {"name": "Other"})
    path.write_bytes(b"".join(session_lines(said("session.created", CREATED), said("session.renamed", {}), named)))
    found = salvage(path)
    assert (numbers(found.before), numbers(found.behind)) == ([1], [3])
    (damage,) = found.damages
    assert (damage.line, damage.seq) == (3, 2)
    assert "does not say what its kind should" in damage.why
    assert not damage.why.endswith("."), "it is a part of a sentence"


def test_without_its_creation_nothing_of_a_session_can_be_shown(tmp_path):
    path = tmp_path / "s.jsonl"
    lines = session_lines(said("session.created", CREATED), *[said("session.renamed", {"name": "Other"})] * 3)
    path.write_bytes(b"".join([lines[0], garbled(lines[1]), *lines[2:]]))
    found = salvage(path)
    assert (found.before, found.behind) == ((), ())
    assert len(found.damages) == 2


@relaxed(150)
@given(data=st.data())
def test_wherever_bytes_are_changed_what_is_shown_was_written_and_what_is_not_is_named(tmp_path_factory, data):
    whole = b"".join(LINES)
    content = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 3))):
        begin = data.draw(st.integers(len(HEADER), len(content)))
        end = data.draw(st.integers(begin, min(begin + 900, len(content))))
        content[begin:end] = data.draw(
            st.sampled_from([b"", b"\n", b"\0" * (end - begin), b"x"]) | st.binary(max_size=9)
        )
    path = tmp_path_factory.mktemp("damaged") / "s.jsonl"
    path.write_bytes(content)
    read = []
    try:
        read += read_session_file(path)
        is_sound = True
    except LogDamaged:
        is_sound = False
    try:
        found = salvage(path, takes_in=anything)
    except LogDamaged:
        assert not read
        return
    assert list(found.before[: len(read)]) == read, "all that reading gives is proven"
    assert is_sound == (not found.damages and bool(found.before))
    assert found.before == EVENTS[: len(found.before)]
    assert all(event == EVENTS[event.seq - 1] for event in found.behind)
    shown = numbers(found.before + found.behind)
    assert shown == sorted(set(shown))
    assert found.damages or shown == list(range(1, len(shown) + 1)), "what is not shown is named"


def test_of_a_file_of_damages_some_are_named_and_for_an_import_one(look, monkeypatch):
    monkeypatch.setattr("workbench.storage.files.damage.salvage.MOST_DAMAGES", 3)
    lines = *LINES[:4], *[b"\n"] * 9, *LINES[4:]
    found = look(*lines)
    assert [one.line for one in found.damages] == [5, 6, 7]
    assert (numbers(found.before), numbers(found.behind)) == ([1, 2, 3], [4, 5, 6, 7, 8])
    assert look(*lines, beyond=False) == Salvage(EVENTS[:3], found.damages[:1], ())
