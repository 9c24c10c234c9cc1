"""The laws of a session, whatever model and people do: it ends, it is the fold of its log, and its events say all."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, example, given, settings
from tests.builders import FixedClock, as_draft
from tests.domain.test_summary import assert_agrees
from tests.memory_log import MemoryLog
from tests.properties.sessions import Course, Play, courses
from workbench.domain.log.envelope import Head, first_broken_link, genesis
from workbench.domain.loop.steps import Rest, Wait
from workbench.domain.loop.workflow import next_step
from workbench.domain.session import events as say
from workbench.domain.session.copies import in_full
from workbench.domain.session.session import apply, fold
from workbench.domain.session.summary import summarise
from workbench.planning.session_log import SessionLog

MOST_STEPS = 400
"""More than any of these courses needs: three iterations, five answers that lead to more, two resumes, repairs."""


def relaxed(examples):
    unhurried = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]
    return settings(deadline=None, suppress_health_check=unhurried, max_examples=examples)


@pytest.fixture(autouse=True)
def no_endless_loop(monkeypatch):
    """A loop that does not end fails instead of hanging."""
    taken = Counter()
    refresh = SessionLog.refresh

    def counted(self, *arguments, **options):
        taken[id(self)] += 1
        assert taken[id(self)] < 10 * MOST_STEPS
        return refresh(self, *arguments, **options)

    monkeypatch.setattr(SessionLog, "refresh", counted)
    yield
    taken.clear()


@relaxed(150)
@given(courses)
@example(Course(replies=[None, None], answers=[], asides=["rename"] * 20))
def test_every_course_of_a_session_keeps_the_laws(course):
    play = Play(course)
    state = play.run()
    events = list(play.log.read(state.session))

    assert play.steps < MOST_STEPS
    assert isinstance(next_step(state), Rest | Wait), "it ends"
    assert next_step(state) == next_step(state), "next_step is pure"
    assert state == fold(events[: state.seq]), "what the manager holds is the fold of what it has seen"
    assert_complete_envelopes(events, state.session)
    assert_every_reply_is_read_once(list(in_full(events)))
    assert_summary_agrees(events)


def assert_complete_envelopes(events, session):
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert first_broken_link(events, Head("", 0, genesis(session))) is None
    known = set()
    for event in events:
        known.add(event.id)
        assert event.cause in known, "a cause comes before, and the first event is its own"
        assert event.session == session
        assert event.time.endswith("Z")
        assert event.actor
        assert event.person in {"ada", "grace"}
    aside = {event.id for event in events if event.kind in {"session.renamed", "rating.given", "outcome.logged"}}
    assert not any(event.cause in aside for event in events if event.origin == "derived")


def _standing(events, used):
    """Return how many actions and documents stand as they were: nothing changed, and nobody was asked."""
    unread, standing = False, 0
    for event in events:
        if event.kind == "call.finished":
            unread = True
        elif event in used:
            standing += not unread and event.kind in {"actions.prepared", "deliverable.written"}
            unread = False
    return standing


def assert_every_reply_is_read_once(events):
    """Each call has one start and one end, and what was received is read: used or rejected.

    What a person goes on without is written in the place of a reply.
    """
    started = [say.content(event).call for event in events if event.kind == "call.started"]
    ended = [say.content(event).call for event in events if event.kind in {"call.finished", "call.failed"}]
    assert started == ended == [f"c{n}" for n in range(1, len(started) + 1)]
    read = {
        "approaches.proposed", "reply.rejected", "plan.changed", "plan.verified", "actions.prepared",
        "deliverable.written",
    }  # fmt: skip
    used = [
        event
        for event in events
        if event.kind in read and getattr(say.content(event), "by", "") not in {"person", "checks"}
    ]
    left_out = [event for event in events if event.kind == "gate.answered" and _answer(event).kind == "without"]
    finished = sum(event.kind == "call.finished" for event in events)
    assert len(used) == len(left_out) + finished + _standing(events, used)


def _answer(event):
    return say.content(event).answer


def assert_summary_agrees(events):
    state = summary = None
    for event in events:
        state, summary = apply(state, event), summarise(summary, [event])
        assert_agrees(summary, state)


@relaxed(40)
@given(courses)
def test_an_older_state_stays_as_it_was_and_goes_on_to_the_same_end(course):
    play = Play(course)
    state = play.run()
    events = list(play.log.read(state.session))
    middle = len(events) // 2 or 1
    prefix = fold(events[:middle])
    before = repr(prefix)
    step = next_step(prefix)
    assert fold(events[middle : state.seq], prefix) == state
    assert repr(prefix) == before
    assert next_step(prefix) == step


@relaxed(40)
@given(courses)
def test_every_prefix_can_be_opened_and_knows_its_next_step(course):
    """Also in the middle of a batch, where a fork or a repair may cut."""
    play = Play(course)
    events = list(play.log.read(play.run().session))
    state = None
    for event in events:
        state = apply(state, event)
        next_step(state)
    log = MemoryLog()
    log.append(state.session, [as_draft(event) for event in events], expected=0)
    assert SessionLog(log, state.session, person="ada", clock=FixedClock()).state == state
