"""A recording's state is the fold of the events so far, however one came there; its ticks and times are the log's."""

from __future__ import annotations

import asyncio
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import begin, events_of
from tests.properties.sessions import Play, courses
from tests.properties.test_session import relaxed
from workbench.domain.errors import LogDamaged, UsageError
from workbench.domain.session import fold
from workbench.planning.policies import approving_all
from workbench.replay.recording import APART, Recording
from workbench.storage.session_file import read_session_file

SAMPLES = sorted((Path(__file__).parents[2] / "sessions").glob("*.jsonl"))


@cache
def long_session():
    """A session with several checkpoints."""
    manager = begin(max_iterations=18, checkpoint_interval=2)
    asyncio.run(manager.run(approving_all()))
    events = tuple(events_of(manager))
    assert len(events) > 3 * APART
    return events


@relaxed(40)
@given(courses, st.data())
def test_seeking_equals_folding_from_the_start_for_any_session_and_path(course, data):
    play = Play(course)
    events = list(play.log.read(play.run().session))
    recording = Recording.of(events)
    assert recording.events == tuple(events)
    for seq in data.draw(st.lists(st.integers(1, len(events)), max_size=8)):
        assert recording.state_at(seq) == fold(events[:seq])


@relaxed(60)
@given(st.data())
def test_a_seek_path_across_checkpoints_changes_no_state_that_was_seen(data):
    events = long_session()
    recording = Recording.of(events)
    path = data.draw(st.lists(st.integers(1, recording.length), max_size=12))
    seen = [(seq, recording.state_at(seq)) for seq in path]
    for seq, state in seen:
        assert state == fold(events[:seq])


@pytest.mark.parametrize("file", SAMPLES, ids=lambda file: file.stem)
def test_every_state_of_a_sample_is_there(file):
    events = list(read_session_file(file))
    recording = Recording.of(events)
    assert [recording.state_at(seq) for seq in range(1, recording.length + 1)] == [
        fold(events[:seq]) for seq in range(1, len(events) + 1)
    ]


@pytest.mark.parametrize("outside", [-1, 0, 1])
def test_a_place_outside_is_refused_with_the_places_there_are(outside):
    recording = Recording.of(long_session())
    seq = outside if outside < 1 else recording.length + 1
    with pytest.raises(UsageError, match=f"There is no event {seq}. Name one from 1 to {recording.length}."):
        recording.state_at(seq)
    with pytest.raises(UsageError):
        recording.elapsed(seq)
    with pytest.raises(UsageError):
        recording.event_at(seq)


def test_no_event_at_all_is_damage():
    with pytest.raises(LogDamaged, match="no events"):
        Recording.of([])


def test_progress_is_told_in_rising_numbers_up_to_the_end():
    told = []
    recording = Recording.of(long_session(), on_progress=told.append)
    assert told == sorted(set(told))
    assert told[-1] == recording.length
    assert len(told) > 3
