"""A recording's state is the fold of the events so far, however one came there; its ticks and times are the log's."""

from __future__ import annotations

import asyncio
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import begin, created, events_of, told
from tests.properties.sessions import Play, courses
from tests.properties.test_session import relaxed
from workbench.domain.log.envelope import Damage
from workbench.domain.loop.workflow import next_step
from workbench.domain.session import events as say
from workbench.domain.session.session import fold
from workbench.planning.policies import approving_all
from workbench.replay.recording import APART, Recording
from workbench.storage.files.session_file import read_session_file

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
    recording = Recording.from_events(events)
    assert recording.events == tuple(events)
    for seq in data.draw(st.lists(st.integers(1, len(events)), max_size=8)):
        assert recording.state_at(seq) == fold(events[:seq])


@relaxed(60)
@given(st.data())
def test_a_seek_path_across_checkpoints_changes_no_state_that_was_seen(data):
    events = long_session()
    recording = Recording.from_events(events)
    path = data.draw(st.lists(st.integers(1, recording.length), max_size=12))
    seen = [(seq, recording.state_at(seq)) for seq in path]
    for seq, state in seen:
        assert state == fold(events[:seq])


@pytest.mark.cases(2)
@pytest.mark.parametrize("file", SAMPLES, ids=lambda file: file.stem)
def test_every_state_of_a_sample_is_there(file):
    events = list(read_session_file(file))
    recording = Recording.from_events(events)
    assert [recording.state_at(seq) for seq in range(1, recording.length + 1)] == [
        fold(events[:seq]) for seq in range(1, len(events) + 1)
    ]


@relaxed(60)
@given(courses)
def test_ticks_stand_in_order_on_events_of_the_recording(course):
    play = Play(course)
    recording = Recording.from_events(play.log.read(play.run().session))
    seqs = [tick.seq for tick in recording.ticks]
    assert seqs == sorted(seqs)
    assert set(seqs) <= set(range(1, recording.length + 1))
    plans = [tick for tick in recording.ticks if tick.kind == "plan"]
    assert len(plans) == len(recording.state_at(recording.length).versions)


def gapped():
    """A recording of events 1 to 3 and, behind a damage, 6 and 7."""
    events = told(created(), *(say.SessionRenamed(name=f"{number}") for number in range(2, 8)))
    recording = Recording.from_events(events[:3], damages=[Damage(5, 4, "its checksum does not hold")])
    return events, recording


def test_beyond_the_damage_the_fold_goes_on_over_the_gap():
    events, recording = gapped()
    beyond = recording.beyond(events[5:], [Damage(9, 8, "it was changed")])
    assert [(tick.seq, tick.kind) for tick in beyond.ticks] == [(4, "damage"), (7, "damage")]
    assert (beyond.length, len(beyond.events)) == (7, 5)
    state = fold([*events[:3], *events[5:]])
    assert beyond.state_at(7) == state
    assert beyond.state_at(6) == fold([*events[:3], events[5]])
    assert beyond.state_at(4) == beyond.state_at(5) == beyond.state_at(3) == fold(events[:3])
    assert [beyond.event_at(seq) for seq in range(1, 8)] == [*events[:3], None, None, *events[5:]]
    assert beyond.place(5) == beyond.place(3)
    assert beyond.times[2] < beyond.times[3]
    assert recording.length == 3, "the recording up to the damage stays as it is"


@relaxed(80)
@given(courses, st.data())
def test_over_any_gap_there_is_a_state_and_the_loop_a_next_step(course, data):
    """States behind a damage are shown like any other: nothing that shows them may stumble over one."""
    play = Play(course)
    events = list(play.log.read(play.run().session))
    gap = data.draw(st.integers(1, len(events)))
    behind = events[gap + data.draw(st.integers(1, 3)) :]
    beyond = Recording.from_events(events[:gap], damages=[Damage(gap + 2, gap + 1, "gone")]).beyond(behind)
    readable = beyond.events[gap:]
    assert {event.seq for event in behind} == {event.seq for event in readable} | {
        damage.seq for damage in beyond.damages if damage.why.startswith("copies")
    }
    assert beyond.state_at(beyond.length) == fold(readable, fold(events[:gap]))
    for event in readable:
        state = beyond.state_at(event.seq)
        next_step(state)
        assert state.seq == event.seq
