"""Playing shows every event once and in order, at its time by the clock that is handed in, whatever is pressed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from msgspec.structs import replace
from tests.builders import created, told
from tests.properties.test_session import relaxed
from workbench.domain.session import events as say
from workbench.domain.session.session import fold
from workbench.replay.player import AS_RECORDED, FASTEST, LONGEST_PAUSE, SHORTEST_PAUSE, SLOWEST, Player
from workbench.replay.recording import Recording

START = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
SPEEDS = st.floats(SLOWEST, FASTEST) | st.just(AS_RECORDED)


class Clock:
    """Stands still until it is moved."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def at(*seconds):
    """A recording with an event at each of these seconds."""
    names = (say.SessionRenamed(name=f"Name {number}") for number in range(1, len(seconds)))
    times = [(START + timedelta(seconds=each)).isoformat() for each in seconds]
    return Recording.from_events(
        replace(event, time=time) for event, time in zip(told(created(), *names), times, strict=True)
    )


def playing(*seconds, speed=1.0):
    clock = Clock()
    player = Player(at(*seconds), clock)
    player.set_speed(speed)
    player.play()
    return player, clock


def watched(player, clock):
    """Return (clock, event) for every change until it ends, as a screen sees them that sleeps until the next is due."""
    seen = [(0.0, player.position)]
    begun = clock.now
    while (wait := player.due_in()) is not None:
        assert len(seen) <= player.recording.length, "who waited until something is due finds it due"
        clock.now += wait
        seen.append((clock.now - begun, player.advance()))
    return seen


def test_each_event_comes_at_its_time_and_the_end_pauses():
    player, clock = playing(0, 1, 1.5, 3)
    assert watched(player, clock) == [(0, 1), (1, 2), (1.5, 3), (3, 4)]
    assert not player.is_playing


def test_long_pauses_are_cut_and_moments_are_spread_before_the_speed_applies():
    player, clock = playing(0, 3600, 3600, speed=2.0)
    assert watched(player, clock) == [
        (0, 1),
        (LONGEST_PAUSE / 2, 2),
        (pytest.approx((LONGEST_PAUSE + SHORTEST_PAUSE) / 2), 3),
    ]


def test_seeking_and_stepping_begin_a_pause_anew_and_go_on_playing():
    player, clock = playing(0, 1, 2, 3)
    clock.now += 0.9
    assert player.seek(3) == 3
    assert player.due_in() == 1
    assert player.step(-1) == 2
    assert player.due_in() == 1
    assert player.is_playing


def test_the_end_pauses_whoever_gets_there_and_play_begins_again():
    player, _ = playing(0, 1, 2)
    player.seek(3)
    assert (player.is_playing, player.due_in()) == (False, None)
    player.play()
    assert (player.position, player.is_playing) == (1, True)
    assert player.step(99) == 3
    assert not player.is_playing


@relaxed(60)
@given(st.lists(st.floats(0, 1e4), max_size=30), SPEEDS)
def test_played_to_its_end_a_recording_shows_every_moment_once_and_ends_as_folding_does(pauses, speed):
    recording = at(*accumulate(pauses, initial=0))
    clock = Clock()
    player = Player(recording, clock)
    player.set_speed(speed)
    player.play()
    seen = [seq for _, seq in watched(player, clock)]
    assert seen == sorted(set(seen))
    assert seen[-1] == recording.length
    if speed != AS_RECORDED:
        assert seen == list(range(1, recording.length + 1))
    for seq in seen:
        assert recording.state_at(seq) == fold(recording.events[:seq])


class AnyKeys(RuleBasedStateMachine):
    """Keys in any order, with any time between: only a person's own moves go back, and nothing is passed over."""

    @initialize(pauses=st.lists(st.floats(0, 30), min_size=1, max_size=12))
    def open(self, pauses):
        self.clock = Clock()
        self.recording = at(*accumulate(pauses, initial=0))
        self.player = Player(self.recording, self.clock)

    @rule(seconds=st.floats(0, 20))
    def time_passes(self, seconds):
        due = self.player.due_in()
        before = self.player.position
        self.clock.now += seconds
        after = self.player.advance()
        if due is None:
            assert after == before
        elif seconds < due - 1e-5:
            assert after == before, "nothing comes early"
        else:
            assert after > before or seconds < due + 1e-5, "and nothing late"

    @rule()
    def the_next_is_due(self):
        due = self.player.due_in()
        if due is None:
            return
        before = self.player.position
        self.clock.now += due
        after = self.player.advance()
        if self.player.speed == AS_RECORDED:
            assert after > before
        else:
            assert after == before + 1, "one after the other"

    @rule()
    def pause(self):
        self._moves_only_by_time(self.player.pause)
        assert not self.player.is_playing

    @rule()
    def pause_and_play(self):
        self.player.advance()
        due = self.player.due_in()
        if due is None:
            return
        self.player.pause()
        self.clock.now += 7
        self.player.play()
        assert self.player.due_in() == pytest.approx(due, abs=1e-5)

    def _moves_only_by_time(self, action):
        due = self.player.advance()
        action()
        assert self.player.position == due

    @rule()
    def play(self):
        before = self.player.advance()
        self.player.play()
        assert self.player.position == (1 if before == self.recording.length else before)

    @rule(data=st.data())
    def seek(self, data):
        seq = data.draw(st.integers(1, self.recording.length))
        assert self.player.seek(seq) == self.player.position == seq

    @rule(by=st.integers(-15, 15))
    def step(self, by):
        before = self.player.advance()
        assert self.player.step(by) == min(max(before + by, 1), self.recording.length)

    @invariant()
    def at_the_end_nothing_is_due(self):
        if hasattr(self, "player") and self.player.position == self.recording.length:
            assert self.player.due_in() is None


TestAnyKeys = AnyKeys.TestCase
TestAnyKeys.settings = relaxed(60)
