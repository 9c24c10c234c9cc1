"""A role that has not answered: what a person, or a policy, can do about it. Nothing that was paid for is lost."""

from __future__ import annotations

import asyncio

import pytest
from tests.builders import CHOOSE, FINISH, Script, answering, begin
from workbench.domain.errors import ModelUnreachable
from workbench.domain.loop.agents import new_agent
from workbench.domain.loop.deciding.gates import Answer
from workbench.planning.policies import approving_all, nobody

GONE = ModelUnreachable("host.example did not answer.", "Start it.")
WITHOUT, AGAIN, STOP = (Answer(kind=kind) for kind in ("without", "again", "stop"))


def choices(state):
    return [choice.kind for choice in state.gate.choices]


@pytest.mark.parametrize(
    ("task", "expected"),
    [
        ("propose", ["again", "stop"]),
        ("plan", ["again", "stop"]),
        ("verify", ["again", "without", "finish", "stop"]),
        ("execute", ["again", "without", "finish", "stop"]),
        ("generate", ["again", "without", "finish", "stop"]),
    ],
)
async def test_each_role_that_fails_leaves_its_choices(task, expected):
    manager = begin(script=Script().then(task, GONE), max_iterations=1)
    answers = (CHOOSE, FINISH) if task in ("execute", "generate") else (CHOOSE,)
    state = await manager.run(nobody if task == "propose" else answering(*answers))
    assert (state.status, state.gate.kind, choices(state)) == ("waiting", "failure", expected)
    assert "host.example did not answer. Start it." in state.gate.question


async def test_asked_again_it_goes_on_and_keeps_what_was_there():
    script = Script().then("execute", GONE)
    manager = begin(script=script, max_iterations=1)
    state = await manager.run(answering(CHOOSE, FINISH, AGAIN))
    assert state.status == "finished"
    assert script.asked == ["propose", "plan", "verify", "execute", "execute", "generate", "verify"]


async def test_saving_waits_for_a_person_where_who_writes_the_hand_out_fails():
    manager = begin(script=Script().then("execute", GONE), max_iterations=1)
    await manager.run(answering(CHOOSE))
    assert await asyncio.wait_for(manager.save_plan(), 3) == 0
    assert manager.state.gate.kind == "failure"


async def test_under_a_policy_it_is_tried_again_once_and_then_left_out():
    script = Script().then("verify", GONE, GONE)
    manager = begin(script=script, max_iterations=1)
    state = await manager.run(approving_all())
    assert state.status == "finished"
    assert script.asked == ["propose", "plan", "verify", "verify", "execute", "generate", "verify"]


async def test_under_a_policy_what_cannot_be_left_out_waits_for_a_person():
    manager = begin(script=Script().then("plan", GONE, GONE), max_iterations=1)
    state = await manager.run(approving_all())
    assert (state.status, state.gate.tries) == ("waiting", 2)
    assert "for the second time" in state.gate.question


async def test_a_failed_answer_of_an_agent_is_asked_about_after_the_gate_that_is_open():
    script = Script().then("chat", GONE, "Here I am.")
    manager = begin(script=script, max_iterations=1)
    await manager.run(answering(CHOOSE))
    manager.add_agent(new_agent("nova", "You are Nova."))
    assert await manager.ask("nova", "Are you there?") == ""
    state = await manager.run(answering(FINISH))
    assert (state.gate.kind, choices(state)) == ("failure", ["again", "without", "finish", "stop"])
    state = await manager.run(answering(AGAIN))
    assert (state.status, "nova" in [one.agent for one in state.history]) == ("finished", True)
