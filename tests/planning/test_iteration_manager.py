"""The manager in the seed's words: each does what it says, and refuses what it cannot do."""

import pytest
from tests.builders import (
    CHOOSE,
    FINISH,
    GOAL,
    SESSION,
    FixedClock,
    Script,
    again,
    answering,
    begin,
    bodies_of,
    events_of,
    feedback,
    log_of,
)
from tests.memory_log import MemoryLog
from workbench.domain.errors import InvalidGoal, StaleHead, UsageError
from workbench.domain.loop.deciding.gates import Answer
from workbench.domain.session import events as say
from workbench.models.scripted import CallableModel
from workbench.planning.iteration_manager import IterationManager
from workbench.planning.ports import SystemClock, stamp
from workbench.planning.services import Services

# --- beginning --------------------------------------------------------------------------------------------------------


def test_a_new_session_says_everything_about_itself():
    manager = begin(name="Billing\x1b", bounds=say.Bounds(max_tokens=9), model_name="scripted:file.jsonl")
    [event] = events_of(manager)
    assert (event.id, event.cause, event.seq, event.turn) == (f"{SESSION}:1", f"{SESSION}:1", 1, 1)
    assert (event.person, event.workspace, event.actor, event.origin) == ("ada", "w-1", "person", "given")
    assert event.time == "2026-03-02T09:30:00.000000Z"
    [created] = bodies_of(manager, say.SessionCreated)
    assert (created.goal, created.name, created.today, created.workbench) == (GOAL, "Billing␛", "2026-03-02", "0")
    assert created.options == say.Options(
        max_iterations=3, checkpoint_interval=2, model="scripted:file.jsonl", bounds=say.Bounds(max_tokens=9)
    )
    assert manager.session_id == SESSION
    assert manager.memory_entity_prefix == f"planning_session_{SESSION}"
    assert (manager.current_iteration, list(manager.iteration_history)) == (0, [])


@pytest.mark.parametrize("goal", ["", "  \n", "x" * 100_000])
def test_an_unusable_goal_writes_nothing(goal):
    log = MemoryLog()
    with pytest.raises(InvalidGoal):
        begin(goal, log=log)
    assert list(log.streams()) == []


def test_an_id_that_is_taken_is_never_taken_twice():
    log = MemoryLog()
    begin(log=log, name="one")
    with pytest.raises(StaleHead):
        begin(log=log, name="two")
    services = Services(log=log, model=CallableModel(Script()))
    others = {IterationManager(GOAL, services=services).session_id for _ in range(20)}
    assert len(others) == 20


# --- proposals --------------------------------------------------------------------------------------------------------


async def test_a_session_may_start_from_a_proposal_and_asks_for_no_approach():
    script = Script()
    manager = begin(script=script)
    manager.initialize_from_proposal("  # Ours\x1b\n\nStep by step ", source="/home/ada/ours.md\x1b")
    [given] = bodies_of(manager, say.ProposalGiven)
    assert given.text == "# Ours␛\n\nStep by step"
    state = await manager.run(answering())
    assert script.asked[0] == "plan"
    assert script.requests[0].task.proposal == given.text
    assert state.entity(f"planning_session_{SESSION}_proposal").content == given.text
    assert state.gate.reason == "interval"


# --- the loop in small steps ------------------------------------------------------------------------------------------


async def test_propose_approve_and_call_each_role_in_turn():
    script = Script()
    manager = begin(script=script, max_iterations=1)
    state = await manager.propose_approach()
    assert [approach.id for approach in state.approaches] == ["A1", "A2", "A3"]
    state = await manager.get_approval(Answer(kind="choose", choice="A3"))
    assert state.chosen == "A3"
    for call, task, current in (
        (manager.call_planner, "plan", 1),
        (manager.call_verifier, "verify", 1),
        (manager.call_executor, "execute", 1),
        (manager.call_generator, "generate", 1),
    ):
        await call()
        assert script.asked[-1] == task
        assert manager.current_iteration == current
    state = await manager.propose_approach()
    assert state.gate.reason == "last"
    assert await manager.save_plan() == 1
    assert manager.state.status == "finished"
    assert manager.current_iteration == 1


async def test_feedback_is_processed_at_the_open_gate():
    manager = begin()
    with pytest.raises(UsageError, match="No gate is open"):
        await manager.process_user_feedback("Cheaper")
    await manager.propose_approach()
    state = await manager.process_user_feedback("Cheaper")
    assert [said.text for said in state.feedback] == ["Cheaper"]
    assert state.approaches_stale


# --- other handles ----------------------------------------------------------------------------------------------------


async def test_a_second_manager_goes_on_where_the_first_one_stopped():
    script = Script()
    first = begin(script=script)
    await first.run(answering(CHOOSE))
    second = again(log_of(first), first.session_id, script=script)
    assert second.state == first.state
    state = await second.run(answering(feedback("Cheaper"), FINISH))
    assert state.status == "finished"
    assert (await first.run(answering())).status == "finished", "the first one sees it as soon as it looks"
    assert first.state == second.state


def test_the_system_s_clock_has_a_time_zone_and_only_grows():
    clock = SystemClock()
    assert clock.now().tzinfo is not None
    assert clock.monotonic() <= clock.monotonic()
    assert stamp(FixedClock().now()) == "2026-03-02T09:30:00.000000Z"
