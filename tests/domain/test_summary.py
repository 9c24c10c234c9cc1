"""A session in a line says what the fold of the whole session says, after every event and whatever the events are."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.builders import created, told
from tests.session_events import ANY, failed, opened, started
from workbench.domain.errors import LogDamaged
from workbench.domain.log.growing import as_list, from_list
from workbench.domain.session import events as say
from workbench.domain.session.session import apply
from workbench.domain.session.summary import Summary, summarise


def assert_agrees(summary, state):
    assert (summary.session, summary.goal, summary.name) == (state.session, state.goal, state.name)
    assert summary.status == state.status
    assert summary.iterations == len(state.iterations)
    assert (summary.events, summary.updated) == (state.seq, state.updated)


WELL_FORMED = ANY.filter(lambda body: not isinstance(body, say.ReplyRejected))
"""A rejection follows a received reply in every log; where it does not, a line need not know better."""


@given(st.lists(WELL_FORMED, max_size=25))
def test_agrees_with_the_fold_after_every_event(bodies):
    state = summary = None
    for event in told(created(), *bodies):
        state, summary = apply(state, event), summarise(summary, [event])
        assert_agrees(summary, state)


ODD = st.tuples(WELL_FORMED | st.just(created()), st.sampled_from(["", "", "", "mood.noted", "v9", "v-1", "[]"]))
"""Bodies, and what somebody made of their events."""


def doctored(event, how):
    match how:
        case "v9" | "v-1":
            return replace(event, v=int(how[1:]))
        case "[]":
            return replace(event, body=msgspec.Raw(b"[]"))
        case "":
            return event
        case kind:
            return replace(event, kind=kind)


@given(st.lists(ODD, max_size=25))
def test_agrees_with_the_fold_on_doctored_streams_as_far_as_the_fold_can_be_made(odd):
    events = told(created(), *(body for body, _ in odd))
    state = summary = None
    for event in map(doctored, events, ["", *(how for _, how in odd)]):
        try:
            state = apply(state, event)
        except LogDamaged:
            return
        summary = summarise(summary, [event])
        assert_agrees(summary, state)


def test_a_second_creation_is_damage_to_both():
    with pytest.raises(LogDamaged, match="a second time"):
        summarise(None, told(created(), created()))


@given(st.lists(WELL_FORMED, max_size=12), st.integers(1, 13))
def test_goes_on_from_a_summary_that_was_cached_as_json(bodies, at):
    events = told(created(), *bodies)
    cached = msgspec.json.encode(summarise(None, events[:at]), enc_hook=as_list)
    assert summarise(msgspec.json.decode(cached, type=Summary, dec_hook=from_list), events[at:]) == summarise(
        None, events
    )


def test_stopped_at_a_gate_about_a_bound_which_is_then_raised():
    bounds = say.BoundsChanged(bounds=say.Bounds(max_tokens=9))
    events = told(created(), opened(1, "checkpoint", "tokens"), say.SessionStopped(reason="closed"), bounds)
    assert summarise(None, events).status == "stopped"
    assert summarise(None, told(say.SessionResumed(), after=events)).status == "running"


def test_a_failure_of_the_pending_call_only():
    assert summarise(None, told(created(), started(2), failed(1))).status == "running"
    assert summarise(None, told(created(), started(1), failed(1))).status == "failed"


def test_nothing_is_known_before_the_creation():
    assert summarise(None, []) is None
    assert summarise(None, told(created(), say.SessionResumed())[1:]) is None
