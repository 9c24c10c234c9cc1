"""A timeline shows every tick where it belongs, says in words where it stands, and takes a click to what is drawn."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.builders import created, told
from tests.tui.replays import two_rounds
from workbench.domain.errors import UsageError
from workbench.domain.log.envelope import Damage
from workbench.domain.session import events as say
from workbench.replay.player import AS_RECORDED
from workbench.replay.recording import Recording
from workbench.tui.replay.forms import place_named
from workbench.tui.widgets.timeline import SIGNS, Track, clock_time, place_line, playing_words, rounds_of

UNICODE, ASCII = SIGNS["unicode"], SIGNS["ascii"]


def renamed(count: int) -> list[say.Body]:
    return [say.SessionRenamed(name=f"Name {number}") for number in range(count)]


def recording_of(length: int) -> Recording:
    return Recording.of(told(created(), *renamed(length - 1)))


def with_rounds(length: int, *begin: int) -> Recording:
    """A recording with rounds that begin at these events."""
    bodies = renamed(length - 1)
    for number, seq in enumerate(begin, 1):
        bodies[seq - 2] = say.IterationBegun(number=number)
    return Recording.of(told(created(), *bodies))


def test_what_was_played_is_thick_and_what_is_to_come_thin() -> None:
    assert Track(recording_of(11), 11, UNICODE).line(6, ()).plain == "━━━━━●─────"
    assert Track(recording_of(11), 11, ASCII).line(6, ()).plain == "=====@-----"


def test_rounds_stand_there_with_their_numbers() -> None:
    assert Track(with_rounds(21, 6, 16), 21, UNICODE).line(1, ()).plain == "●────1─────────2─────"


def test_a_round_whose_number_has_no_room_is_a_line() -> None:
    begin = range(3, 30, 2)
    assert Track(with_rounds(31, *begin), 16, UNICODE).line(1, ()).plain == "●123456789││││14"


def test_each_kind_of_tick_has_a_sign_of_its_own() -> None:
    for signs in (UNICODE, ASCII):
        others = [signs.played, signs.to_come, signs.place, signs.mark]
        assert len({*signs.ticks, *others}) == len(signs.ticks) + len(others)
    assert all(sign.isascii() for sign in (ASCII.ticks, ASCII.played, ASCII.to_come, ASCII.place, ASCII.mark))
    assert all(sign.isascii() for sign in (ASCII.plays, ASCII.pauses))


def test_the_ticks_of_a_session() -> None:
    track = Track(Recording.of(two_rounds()), 12, UNICODE)
    assert track.line(12, ()).plain == "━1━•━▲━2━•━●"
    lane = track.others_line(12)
    assert lane is not None
    assert lane.plain == "┄┄≠┄┄┄┄┄≠┄┄┄"
    assert track.told_at(5)[0].text.startswith("asks: The plan changed by 18 %")
    assert track.told_at(0) == ()


def test_the_most_important_of_a_cell_is_drawn_and_all_are_told() -> None:
    track = Track(Recording.of(two_rounds()), 2, UNICODE)
    assert track.line(12, ()).plain[0] == "2"
    assert len(track.told_at(0)) > 3


def test_marks_are_drawn_but_not_over_the_place() -> None:
    assert Track(recording_of(11), 11, UNICODE).line(6, (3, 6, 9)).plain == "━━▾━━●──▾──"


def test_a_damaged_place_is_a_cross() -> None:
    recording = Recording.of(told(created(), *renamed(9)), damages=[Damage(line=12, seq=11, why="it is garbled")])
    assert Track(recording, 10, UNICODE).line(1, ()).plain == "●────────✕"
    assert Track(recording, 10, ASCII).line(1, ()).plain == "@--------x"
    assert Track(recording, 10, ASCII).line(10, ()).plain == "=========x"


@given(length=st.integers(1, 400), width=st.integers(1, 200), data=st.data())
@example(length=1, width=1, data=None)
def test_every_event_has_a_cell_and_every_cell_an_event(length: int, width: int, data: st.DataObject | None) -> None:
    track = Track(recording_of(length), width, UNICODE)
    cells = [track.cell_of(seq) for seq in range(1, length + 1)]
    assert cells == sorted(cells)
    assert cells[0] == 0
    assert cells[-1] == (width - 1 if length > 1 else 0)
    cell = 0 if data is None else data.draw(st.integers(-5, width + 5))
    seq = track.seq_at(cell)
    assert 1 <= seq <= length
    if cell in cells:
        assert track.cell_of(seq) == cell
    if length > 1 and not 0 <= cell < width:
        assert seq in (1, length)


def test_a_click_on_a_tick_goes_to_it() -> None:
    recording = with_rounds(300, 137)
    track = Track(recording, 20, UNICODE)
    assert track.seq_at(track.cell_of(137)) == 137


# --- in words ---------------------------------------------------------------------------------------------------------


def test_the_place_in_words() -> None:
    recording = Recording.of(two_rounds())
    line = place_line(recording, rounds_of(recording), 9, "‖ paused", 100).plain
    assert line == "‖ paused   event  9 of 12 · 09:30:08 · round 2 · saw in the shared context: deadline"
    line = place_line(recording, rounds_of(recording), 1, "‖ paused", 100).plain
    assert line == "‖ paused   event  1 of 12 · 09:30:00 · goal: Move our billing to the new provider by 30 June"


def test_where_there_is_little_room_the_round_gives_way() -> None:
    recording = Recording.of(two_rounds())
    line = place_line(recording, rounds_of(recording), 9, "‖ paused", 54).plain
    assert line == "‖ paused   event  9 of 12 · 09:30:08 · saw in the sha…"


def test_what_cannot_be_read_is_said() -> None:
    events = told(created(), *renamed(9))
    recording = Recording.of([event for event in events if event.seq != 5])
    assert "event  5 of 10 · what stood here cannot be read" in place_line(recording, [], 5, "", 100).plain


def test_whether_it_plays_and_how_fast() -> None:
    assert playing_words(UNICODE, 5.0, is_playing=True) == "▸ 5×"
    assert playing_words(UNICODE, 0.5, is_playing=True) == "▸ 0.5×"
    assert playing_words(UNICODE, AS_RECORDED, is_playing=True) == "▸ as was"
    assert playing_words(ASCII, 5.0, is_playing=False) == "| paused"


def test_a_time_that_is_none_is_left_out() -> None:
    assert clock_time("2026-03-02T09:30:00Z") == "09:30:00"
    assert clock_time("yesterday") == ""


# --- going to a place that is named -----------------------------------------------------------------------------------


def at(*times: str) -> Recording:
    events = told(created(), *renamed(len(times) - 1))
    return Recording.of(replace(event, time=time) for event, time in zip(events, times, strict=True))


SPREAD = at("2026-03-02T22:00:00Z", "2026-03-02T22:10:30Z", "2026-03-02T23:59:59Z", "2026-03-03T01:00:00Z")


@pytest.mark.parametrize(
    ("named", "seq"),
    [
        ("3", 3),
        (" 1 ", 1),
        ("22:00", 1),
        ("22:05", 2),
        ("22:10:30", 2),
        ("22:10:31", 3),
        ("0:30", 4),
        ("01:00", 4),
    ],
)
def test_a_place_is_named_by_number_or_time(named: str, seq: int) -> None:
    assert place_named(SPREAD, named) == seq


@pytest.mark.parametrize(
    "named", ["", "0", "5", "-1", "²", "noon", "12", "1:2:3:4", "24:00", "22:60", "02:00", "21:59"]
)
def test_a_place_that_is_none_is_refused(named: str) -> None:
    with pytest.raises(UsageError):
        place_named(SPREAD, named)


def test_where_no_event_has_a_time_only_numbers_name_a_place() -> None:
    recording = at("never", "never")
    assert place_named(recording, "2") == 2
    with pytest.raises(UsageError, match="no such time"):
        place_named(recording, "12:00")


def test_a_large_number_may_be_written_with_commas() -> None:
    assert place_named(recording_of(1_200), "1,104") == 1104
