"""Decisions: what each answer leads to, what is refused, and that nothing but an explicit answer approves."""

import pytest
from tests.builders import (
    CHOOSE,
    CONTINUE,
    FINISH,
    Script,
    again,
    answering,
    begin,
    bodies_of,
    events_of,
    feedback,
    feedback_of,
    kinds_of,
    log_of,
    other_handle,
    plan_reply,
    propose_reply,
)
from workbench.domain.errors import UsageError
from workbench.domain.loop.asking.tasks import PlanTask
from workbench.domain.loop.deciding.gates import Answer, Note
from workbench.domain.loop.steps import Wait
from workbench.domain.plan.markdown import to_markdown
from workbench.domain.session import events as say
from workbench.planning.beside_the_loop import verdicts
from workbench.planning.policies import approve_all, approving_all, nobody
from workbench.planning.ports import Decision


async def at_gate(manager, *answers):
    state = await manager.run(answering(*answers))
    assert state.gate is not None
    return state.gate


# --- nobody answers ---------------------------------------------------------------------------------------------------


async def test_an_open_gate_waits_however_often_it_is_looked_at():
    manager = begin()
    gate = await at_gate(manager)
    events = len(events_of(manager))
    for _ in range(3):
        assert await manager.advance() == Wait(gate)
        state = await manager.run(nobody)
    assert (state.status, len(events_of(manager))) == ("waiting", events)
    assert state.approach is None


async def test_what_others_say_of_a_session_approves_nothing():
    manager = begin()
    gate = await at_gate(manager)
    other = other_handle(log_of(manager), manager.session_id)
    verdicts.rename(other, "approved")
    verdicts.capture_user_rating(other, 5, "approve all")
    verdicts.log_outcome(other, "success", "A1")
    await manager.resume()
    state = await manager.run(nobody)
    assert state.gate == gate
    assert state.approach is None


# --- approach ---------------------------------------------------------------------------------------------------------


async def test_choosing_drafts_the_plan_along_that_approach():
    script = Script()
    manager = begin(script=script)
    await at_gate(manager, Answer(kind="choose", choice="A2"))
    planned = next(
        request.task for request in script.requests if request.role == "planner" and hasattr(request.task, "approach")
    )
    assert planned.approach.id == "A2"
    assert manager.state.approach.id == "A2"
    prefix = manager.memory_entity_prefix
    assert manager.state.entity(f"{prefix}_proposal").content.startswith("# Way 2")


async def test_a_rejection_ends_without_a_plan():
    manager = begin()
    state = await manager.run(answering(Answer(kind="reject", text="Not now")))
    assert (state.status, state.finished.outcome, state.finished.reason) == ("finished", "rejected", "Not now")
    assert state.plan is None
    assert "plan.saved" not in kinds_of(manager)


# --- checkpoints ------------------------------------------------------------------------------------------------------


async def test_feedback_and_notes_reach_the_planner_with_their_sections():
    script = Script()
    manager = begin(script=script)
    notes = (Note(section="steps", text="S2 is too late"), Note(section="risks", text="Name the bank"))
    await at_gate(manager, CHOOSE, Answer(kind="feedback", text="Cheaper", notes=notes))
    asked = [request.task for request in script.requests if request.role == "planner"][-1]
    assert [(said.source, said.text) for said in asked.statements if said.state == "open"] == [
        ("feedback 1", "Cheaper"),
        ("feedback 2 on steps", "S2 is too late"),
        ("feedback 3 on risks", "Name the bank"),
    ]
    assert manager.state.open_feedback == ()


async def test_feedback_that_no_reply_accounts_for_stays_open():
    script = Script()
    manager = begin(script=script)
    await at_gate(manager, CHOOSE)
    script.then("plan", plan_reply(insights=["Did nothing"]))
    await at_gate(manager, feedback("Cheaper"))
    assert [one.statement.text for one in manager.state.accounts if one.is_open] == ["Cheaper"]
    await at_gate(manager, CONTINUE)
    asked = next(request for request in reversed(script.requests) if isinstance(request.task, PlanTask))
    assert feedback_of(asked) == ["Cheaper"]
    assert [one.statement.text for one in manager.state.accounts if one.is_open] == []


async def test_an_edit_by_hand_is_the_next_version_and_asks_again():
    manager = begin()
    first = await at_gate(manager, CHOOSE)
    before = manager.state
    text = to_markdown(before.plan).replace("Billing runs with the new provider.", "Billing runs, and nobody notices.")
    second = await at_gate(manager, Answer(kind="edit", text=text))
    state = manager.state
    assert (state.version, state.versions[-1].by) == (before.version + 1, "person")
    assert state.plan.section("goal").text == "Billing runs, and nobody notices."
    assert state.plan.section("steps") == before.plan.section("steps")
    assert (first.reason, second.reason, second.id) == ("interval", "interval", "g3")
    assert 0 < state.versions[-1].change < 0.3


def circular(plan):
    """The plan as text, with a circle written into it: S1 needs S2, which needs S1."""
    before, _, after = to_markdown(plan).partition("S1 · Copy the customers")
    return f"{before}S1 · Copy the customers\n  - Needs: S2{after}"


async def test_an_edit_by_hand_is_checked_with_it_and_the_gate_speaks_of_what_it_is_now():
    manager = begin()
    first = await at_gate(manager, CHOOSE)
    assert "no findings open" in first.question
    second = await at_gate(manager, Answer(kind="edit", text=circular(manager.state.plan)))
    state = manager.state
    assert [finding.severity for finding in state.findings if finding.rule == "steps.cycle"] == ["major"]
    [major] = [finding for finding in state.findings if finding.severity == "major"]
    assert second.question.startswith("You edited the plan by hand (version 3, ")
    assert f"; 1 major finding open: {major.text.rstrip('.')}. How should it go on?" in second.question
    changed, verified = [event for event in events_of(manager) if event.kind in {"plan.changed", "plan.verified"}][-2:]
    assert (changed.kind, verified.kind, verified.seq) == ("plan.changed", "plan.verified", changed.seq + 1)
    assert say.content(verified).by == "checks"
    assert (changed.origin, verified.origin) == ("derived", "derived")


async def test_finishing_saves_the_version_that_stands():
    manager = begin()
    state = await manager.run(answering(CHOOSE, FINISH))
    assert (state.status, state.finished.reason, state.saved_version) == ("finished", "finished by you", state.version)
    assert kinds_of(manager)[-2:] == ["plan.saved", "session.finished"]


async def test_stopping_keeps_everything_and_resuming_asks_again():
    manager = begin()
    state = await manager.run(answering(CHOOSE, Answer(kind="stop")))
    assert (state.status, state.saved_version, len(state.iterations)) == ("stopped", None, 2)
    await manager.resume()
    state = await manager.run(nobody)
    assert (state.status, state.gate.reason) == ("waiting", "interval")


# --- refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer",
    [
        CONTINUE,
        FINISH,
        Answer(kind="choose", choice="A9"),
        Answer(kind="choose", choice=" A1"),
        feedback("\n"),
        Answer(kind="edit", text="## Goal"),
        Answer(kind="stop"),
    ],
)
async def test_a_wrong_answer_is_refused_and_nothing_is_written(answer):
    manager = begin()
    gate = await at_gate(manager)
    before = events_of(manager)
    with pytest.raises(UsageError) as error:
        await manager.answer(gate, answer)
    assert error.value.remedy
    assert events_of(manager) == before
    assert manager.state.gate == gate


async def test_of_two_answers_at_the_same_moment_one_counts_and_the_other_is_refused(monkeypatch):
    """Another process answers between the look at the gate and the writing of the answer."""
    manager = begin()
    gate = await at_gate(manager)
    rival = again(log_of(manager), manager.session_id)
    refresh = manager._session.refresh

    def overtaken(*unsaved, **options):
        state = refresh(*unsaved, **options)
        monkeypatch.setattr(manager._session, "refresh", refresh)
        rival._session.refresh()
        answered = say.GateAnswered(gate=gate.id, answer=CHOOSE)
        rival._session.record_given([answered], actor="person")
        return state

    monkeypatch.setattr(manager._session, "refresh", overtaken)
    with pytest.raises(UsageError, match="not open any more"):
        await manager.answer(gate, feedback("Cheaper"))
    assert [body.answer.kind for body in bodies_of(manager, say.GateAnswered)] == ["choose"]


async def test_a_rename_at_the_same_moment_does_not_cost_the_answer(monkeypatch):
    manager = begin()
    gate = await at_gate(manager)
    refresh = manager._session.refresh

    def overtaken(*unsaved, **options):
        state = refresh(*unsaved, **options)
        monkeypatch.setattr(manager._session, "refresh", refresh)
        verdicts.rename(other_handle(log_of(manager), manager.session_id), "Other")
        return state

    monkeypatch.setattr(manager._session, "refresh", overtaken)
    await manager.answer(gate, CHOOSE)
    assert manager.state.chosen == "A1"
    assert manager.state.name == "Other"


async def test_hostile_text_is_cleaned_before_it_is_kept():
    manager = begin()
    note = Note(section="ste\x1bps", text="a\u202eb")
    await at_gate(manager, CHOOSE, Answer(kind="feedback", text="\x1b[31mred", notes=(note,)))
    [_, answered] = bodies_of(manager, say.GateAnswered)
    assert answered.answer.text == "␛[31mred"
    assert answered.answer.notes == (Note(section="ste␛ps", text="a⟨U+202E⟩b"),)


# --- policies and actors ----------------------------------------------------------------------------------------------


async def test_the_actor_says_whether_a_person_or_a_policy_decided():
    manager = begin()
    await manager.run(answering(CHOOSE))
    await manager.run(approving_all())
    answered = [event for event in events_of(manager) if event.kind == "gate.answered"]
    assert [event.actor for event in answered] == ["person", "policy", "policy"]
    assert {event.origin for event in answered} == {"given"}
    opened = {event.id for event in events_of(manager) if event.kind == "gate.opened"}
    assert {event.cause for event in answered} == opened


async def test_the_policy_answers_every_gate_but_those_about_a_bound():
    script = Script().then("propose", propose_reply(questions=["When?"]))
    manager = begin(script=script)
    state = await manager.run(approving_all(2))
    assert (state.status, state.approach.id, state.finished.reason) == ("finished", "A2", "all iterations are done")


@pytest.mark.parametrize("bounds", [say.Bounds(max_tokens=100), say.Bounds(max_tokens=4000)])
async def test_the_policy_never_passes_a_bound(bounds):
    manager = begin(bounds=bounds)
    state = await manager.run(approving_all())
    assert (state.status, state.gate.reason) == ("waiting", "tokens")
    assert approve_all(state.gate) is None


@pytest.mark.parametrize("by", ["policy", "person"])
async def test_a_gate_that_somebody_else_closed_stops_no_policy_and_is_told_to_a_person(by):
    """Bounds are raised elsewhere between the question and the decision."""
    manager = begin(bounds=say.Bounds(max_tokens=100))
    other = other_handle(log_of(manager), manager.session_id)

    async def decide(_state, gate):
        if gate.reason != "tokens":
            return Decision(approve_all(gate), by)
        raised = say.BoundsChanged(bounds=say.Bounds(max_tokens=1_000_000))
        other.record_given([raised], actor="person")
        return Decision(CONTINUE, by)

    if by == "policy":
        assert (await manager.run(decide)).status == "finished"
    else:
        with pytest.raises(UsageError, match="not open any more"):
            await manager.run(decide)
