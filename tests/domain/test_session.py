"""The fold: what each event does to a session's state."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.builders import CHOOSE, approach, created, told
from tests.session_events import (
    ANY,
    ASIDE,
    BOUNDS,
    abandoned,
    answered,
    failed,
    finished,
    opened,
    result,
    started,
)
from workbench.domain.errors import LogDamaged
from workbench.domain.loop.deciding.gates import Answer, Note
from workbench.domain.session import events as say
from workbench.domain.session.session import apply, fold


def state_of(*bodies, **options):
    return fold(told(created(**options), *bodies))


# --- beginnings -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("events", [[], told(created(), say.SessionRenamed(name="x"))[1:]])
def test_what_does_not_begin_with_a_creation_is_damaged(events):
    with pytest.raises(LogDamaged) as error:
        fold(events)
    assert error.value.remedy


def test_a_day_that_is_none_is_damage():
    """Plans are checked against it: a file from somebody else may say anything."""
    with pytest.raises(LogDamaged, match="no date"):
        fold(told(replace(created(), today="someday")))


def test_a_second_creation_is_damage_and_does_not_begin_anew():
    with pytest.raises(LogDamaged, match="created a second time by its event 3"):
        state_of(say.SessionRenamed(name="x"), created())


def test_a_choice_that_is_not_among_the_approaches_is_no_choice():
    """In a file from somebody else; the gate would open for ever."""
    offered = say.ApproachesProposed(approaches=(approach(1),), constraints=(), assumptions=(), questions=())
    unknown = answered(1, Answer(kind="choose", choice="ZZ"))
    assert state_of(offered, opened(1, "approach"), unknown).chosen == ""
    assert state_of(opened(1, "approach"), unknown).chosen == ""
    chosen = state_of(offered, opened(1, "approach"), answered(1, CHOOSE))
    assert chosen.chosen == "A1"
    others = say.ApproachesProposed(approaches=(approach(2),), constraints=(), assumptions=(), questions=())
    assert state_of(offered, opened(1, "approach"), answered(1, CHOOSE), others).chosen == ""


# --- calls ------------------------------------------------------------------------------------------------------------


def test_a_reply_is_received_counted_and_part_of_the_one_history():
    state = state_of(started(1), finished(1, text="answer"))
    assert state.pending is None
    assert state.received.text == "answer"
    assert (state.history[-1].role, state.history[-1].agent, state.history[-1].text) == (
        "assistant",
        "planner",
        "answer",
    )
    assert (state.spent.tokens, state.spent.cost, state.spent.seconds, state.calls) == (15, 0.5, 2.0, 1)


@pytest.mark.parametrize("late", [finished(1), failed(1), abandoned(1)])
def test_a_result_of_a_call_that_was_given_up_changes_nothing_of_the_next_one(late):
    """Two processes without a driver's lock: the first one's result comes when the second one asks already."""
    before = state_of(started(1), abandoned(1), started(2))
    after = apply(before, told(late, after=told(created(), started(1), abandoned(1), started(2)))[-1])
    assert after.pending == before.pending
    assert after.received is None
    assert after.failure is None
    assert after.history == before.history


def test_a_first_unusable_reply_is_repaired_and_a_second_is_a_failure():
    rejected = say.ReplyRejected(call="c1", message="No JSON.")
    state = state_of(started(1), finished(1), rejected)
    assert (state.rejected, state.failure) == ("No JSON.", None)
    state = state_of(started(1), finished(1), rejected, started(2, attempt=2), finished(2), rejected)
    assert (state.rejected, state.failure.error) == ("", "ModelReplyInvalid")
    assert state.failure.remedy


# --- gates ------------------------------------------------------------------------------------------------------------


def test_notes_become_feedback_on_their_sections_and_blank_ones_do_not():
    notes = (Note(section="steps", text="Too late"), Note(section="risks", text=" "))
    state = state_of(opened(1, "checkpoint", "last"), answered(1, Answer(kind="feedback", notes=notes)))
    assert [(said.id, said.section, said.text) for said in state.feedback] == [("F1", "steps", "Too late")]
    assert state.limit >= len(state.iterations) + 1


def test_an_answer_to_another_gate_is_without_effect():
    state = state_of(opened(2, "approach"), answered(1, CHOOSE))
    assert state.chosen == ""
    assert state.gate.id == "g2"


@pytest.mark.parametrize(
    ("answer", "stale"), [(Answer(kind="answer", text="In May"), True), (Answer(kind="skip"), False)]
)
def test_questions_are_answered_one_after_the_other(answer, stale):
    proposed = say.ApproachesProposed(
        approaches=(approach(),), constraints=(), assumptions=(), questions=("When?", "Who?")
    )
    state = state_of(proposed, opened(1, "question"), answered(1, answer))
    assert state.questions == ("Who?",)
    assert [(one.question, one.answer) for one in state.answers] == [("When?", answer.text)]
    assert state.approaches_stale is stale


# --- bounds -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reason", "raised"),
    [
        ("tokens", replace(BOUNDS, max_tokens=25)),
        ("cost", replace(BOUNDS, max_cost=0.75)),
        ("time", replace(BOUNDS, max_time=3.5)),
    ],
)
def test_going_on_raises_the_bound_that_was_asked_about_and_no_other(reason, raised):
    state = state_of(
        started(1), finished(1), opened(1, "checkpoint", reason), answered(1, Answer(kind="continue")), bounds=BOUNDS
    )
    assert state.bounds == raised


# --- plans, iterations, endings ---------------------------------------------------------------------------------------


def test_a_reopened_session_goes_on_whatever_had_ended_it():
    ended = [say.SessionFinished(reason="finished by you", outcome="saved"), say.SessionStopped(reason="closed")]
    state = state_of(*ended, say.SessionReopened(text="Add a rollback"), max_iterations=1)
    assert state.status == "running"
    assert state.open_feedback[0].text == "Add a rollback"
    assert state.limit == 1
    done = [say.IterationStored(result=result(1)), *ended, say.SessionReopened(text="x")]
    assert state_of(*done, max_iterations=1).limit == 2


def test_the_first_ending_counts_before_failures_and_stops():
    bodies = [started(1), failed(1), say.SessionStopped(reason="")]
    assert state_of(*bodies).status == "failed"
    assert state_of(say.SessionStopped(reason="")).status == "stopped"
    assert state_of(*bodies, say.SessionFinished(reason="x", outcome="saved")).status == "finished"


# --- causes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("body", ASIDE)
def test_what_does_not_move_the_loop_causes_nothing(body):
    events = told(created(), body)
    assert fold(events).trigger == events[0].id


def test_an_unknown_event_is_without_effect():
    events = told(created(), say.SessionRenamed(name="x"))
    before = fold(events[:1])
    after = apply(before, replace(events[1], kind="mood.noted", v=3))
    assert after == replace(before, seq=2, updated=events[1].time)


# --- prefixes ---------------------------------------------------------------------------------------------------------


@given(st.lists(ANY, max_size=25), st.integers(0, 25))
def test_the_fold_of_a_prefix_goes_on_to_the_same_state_and_stays_as_it_was(bodies, at):
    events = told(created(), *bodies)
    at = min(at + 1, len(events))
    prefix = fold(events[:at])
    seen = repr(prefix)
    assert fold(events[at:], prefix) == fold(events)
    assert repr(prefix) == seen
    assert fold(events[:at]) == prefix
