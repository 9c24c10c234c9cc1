"""What happens next, from states alone: no log, no model, no clock."""

import pytest
from msgspec.structs import replace
from tests.builders import (
    FIRST_DRAFT,
    approach,
    created,
    execute_reply,
    generate_reply,
    notes,
    plan_changed,
    propose_reply,
    sections_reply,
    told,
    verify_reply,
)
from tests.session_events import answered, failed, finished, opened, result, started
from workbench.domain.loop.deciding.gates import Answer
from workbench.domain.loop.steps import Abandon, Call, Record, Rest, Wait
from workbench.domain.loop.workflow import next_step
from workbench.domain.plan.changing.operations import applied
from workbench.domain.plan.plan import Plan
from workbench.domain.session import events as say
from workbench.domain.session.session import fold

READ = say.StatementsRead(source="goal")
PLAN = Plan(title="Move billing", sections=FIRST_DRAFT)
PROPOSED = say.ApproachesProposed(
    approaches=(approach(1), approach(2)), constraints=("No downtime",), assumptions=("Two people",), questions=()
)
CHOSEN = say.ApproachChosen(approach=approach(1))
STORED = say.EntityStored(name="planning_session_move-billing-provider-x1y2_proposal", content="…")
BEGUN = say.IterationBegun(number=1)
GUIDED = say.GuidanceRecalled(query="q", source="none", items=())
DRAFTED = plan_changed(version=1, plan=PLAN, by="planner", change=1.0, insights=("i",))
VERIFIED = say.PlanVerified(findings=())
PREPARED = say.ActionsPrepared(actions=())
WRITTEN = say.DeliverableWritten(text="# D")
COURSE = (PROPOSED, CHOSEN, STORED, BEGUN, GUIDED, DRAFTED, VERIFIED, PREPARED, WRITTEN)


def state_of(*bodies, **options):
    return fold(told(created(**options), READ, *bodies))


def step_of(*bodies, **options):
    return next_step(state_of(*bodies, **options))


def recorded(*bodies, **options):
    step = step_of(*bodies, **options)
    assert isinstance(step, Record)
    return step.bodies


# --- the course -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("length", "name", "role"),
    [
        (0, "propose", "planner"),
        (5, "plan", "planner"),
        (6, "verify", "verifier"),
        (7, "execute", "executor"),
        (8, "generate", "generator"),
    ],
)
def test_each_role_has_its_turn(length, name, role):
    step = step_of(*COURSE[:length])
    assert isinstance(step, Call)
    assert (step.name, step.role, step.attempt, step.complaint) == (name, role, 1, "")


@pytest.mark.parametrize(
    ("bodies", "expected"),
    [
        ([started(1)], Abandon),
        ([started(1), finished(1)], Record),
        ([opened(1, "approach")], Wait),
        ([started(1), failed(1)], Record),
        ([started(1), failed(1), opened(1, "failure")], Wait),
        ([say.SessionStopped(reason="closed")], Rest),
        ([started(1), say.SessionFinished(reason="done", outcome="saved")], Rest),
        ([opened(1, "approach"), say.SessionStopped(reason="closed")], Rest),
        ([opened(1, "approach"), started(1)], Abandon),
    ],
)
def test_what_comes_first(bodies, expected):
    assert isinstance(step_of(*bodies), expected)


# --- replies ----------------------------------------------------------------------------------------------------------


def reading(text, *before, task):
    return recorded(*before, started(1, task), finished(1, text=text))


def test_an_amended_plan_keeps_the_very_objects_of_what_was_not_named():
    state = state_of(*COURSE[:6], started(1, "plan"), finished(1, text=sections_reply(notes("New"))))
    [changed] = next_step(state).bodies
    plan = applied(state.plan, (one.operation for one in changed.changes))
    assert [section.id for section in plan.sections] == ["goal", "criteria", "steps", "notes"]
    for section in plan.sections[:3]:
        assert section is state.plan.section(section.id)
    assert changed.version == 2


@pytest.mark.parametrize(
    ("task", "text", "kind", "before"),
    [
        ("propose", propose_reply(), say.ApproachesProposed, 0),
        ("plan", sections_reply(*FIRST_DRAFT, title="P"), say.PlanChanged, 5),
        ("verify", verify_reply(), say.PlanVerified, 6),
        ("execute", execute_reply(), say.ActionsPrepared, 7),
        ("generate", generate_reply(), say.DeliverableWritten, 8),
    ],
)
def test_each_reply_becomes_one_event(task, text, kind, before):
    [body] = reading(text, *COURSE[:before], task=task)
    assert isinstance(body, kind)


@pytest.mark.parametrize("approaches", [(approach(1), approach(1)), (replace(approach(1), id=""),)])
def test_approaches_get_an_id_each(approaches):
    mended, proposed = reading(propose_reply(*approaches), task="propose")
    assert "put into the form" in mended.notes[0]
    assert [one.id for one in proposed.approaches] == [f"A{n}" for n in range(1, len(approaches) + 1)]


def test_a_reply_without_an_approach_is_refused_for_people_and_for_the_model():
    [rejected] = reading('{"approaches": []}', task="propose")
    assert rejected.message.startswith("m answered, but the planner cannot use it.")
    assert "Answer with" not in rejected.message
    assert "holds only `approaches`" in rejected.fault


def test_questions_come_alone_once_and_are_followed_by_approaches():
    text = '{"approaches": [], "questions": ["What would be better?"]}'
    [asked] = reading(text, task="propose")
    assert (asked.approaches, asked.questions) == ((), ("What would be better?",))
    course = (started(1, "propose"), finished(1, text=text), asked)
    assert gate_after(*course).question == "What would be better?"
    skipped = (*course, opened(1, "question"), answered(1, Answer(kind="skip")))
    again = step_of(*skipped)
    assert (again.name, again.task.may_ask) == ("propose", False)
    [rejected] = reading(text, *skipped, task="propose")
    assert "at least one approach" in rejected.message


# --- cut in the middle of what is written together --------------------------------------------------------------------


def test_an_iteration_is_completed_once_wherever_a_copy_ends():
    entity, completed = recorded(*COURSE)
    assert recorded(*COURSE, entity) == (completed,)


def test_a_plan_is_saved_once_wherever_a_copy_ends():
    ending = [*COURSE, opened(1, "checkpoint", "last"), answered(1, Answer(kind="finish"))]
    saved, done = recorded(*ending)
    assert saved == say.PlanSaved(version=1)
    assert recorded(*ending, saved) == (done,)


# --- edits ------------------------------------------------------------------------------------------------------------


def test_an_edit_that_cannot_be_read_leaves_the_plan_as_it_is():
    edited = [opened(1, "checkpoint", "last"), answered(1, Answer(kind="edit", text="no section"))]
    [changed] = recorded(*COURSE, *edited)
    assert (changed.version, changed.changes, changed.by) == (1, (), "person")


# --- gates ------------------------------------------------------------------------------------------------------------


def gate_after(*bodies, **options):
    [body] = recorded(*bodies, **options)
    return body.gate


def test_what_going_on_costs_is_said():
    begun = [PROPOSED, CHOSEN, STORED, BEGUN, GUIDED, started(1), finished(1, tokens=(9000, 1000)), *COURSE[5:]]
    completed = say.IterationCompleted(result=result(1), checkpoint="interval")
    gate = gate_after(*begun, completed, model="openai:x")
    assert gate.choices[0].consequence == "the next iteration, about 10,000 tokens"
    assert gate.choices[1].consequence == "the plan is amended, about 10,000 tokens"
    assert gate.choices[3].consequence == "version 1 is saved and the session ends"
    last = gate_after(*begun, replace(completed, checkpoint="last"), checkpoint_interval=1, model="openai:x")
    assert last.choices[0].consequence == "one more iteration, about 10,000 tokens"
    assert (
        last.question == "Iteration 1 drafted the plan; no findings open. That was the last iteration. Save the plan?"
    )


def test_of_a_free_model_no_tokens_are_named():
    begun = [PROPOSED, CHOSEN, STORED, BEGUN, GUIDED, started(1), finished(1, cost=0.0), *COURSE[5:]]
    completed = say.IterationCompleted(result=result(1), checkpoint="interval")
    gate = gate_after(*begun, completed, model="openai:x")
    assert [choice.consequence for choice in gate.choices[:2]] == ["the next iteration", "the plan is amended"]


def test_without_a_model_another_round_is_not_offered_and_feedback_is_kept():
    begun = [PROPOSED, CHOSEN, STORED, BEGUN, GUIDED, started(1), finished(1, cost=0.0), *COURSE[5:]]
    gate = gate_after(*begun, say.IterationCompleted(result=result(1), checkpoint="drafted"))
    assert [one.kind for one in gate.choices] == ["feedback", "edit", "finish", "stop"]
    assert gate.choices[0].consequence == "it is kept; commands change the plan"
    assert gate.question.endswith("Change it by commands, or save it?")
