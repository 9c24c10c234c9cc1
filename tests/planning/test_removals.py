"""What a reply removes without a cause, or leaves out in whole sections, stays until a person accepts that it goes."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.builders import (
    CHOOSE,
    CRITERIA,
    GOAL_SECTION,
    STEPS,
    Script,
    answering,
    begin,
    bodies_of,
    events_of,
    feedback,
    log_of,
    notes,
    other_handle,
    plan_reply,
    sections_reply,
    verify_reply,
)
from tests.replay.test_verification import verified
from workbench.domain.loop.asking.tasks import Finding, PlanReply
from workbench.domain.loop.deciding.gates import Answer
from workbench.domain.plan.changing.operations import Cause, Change, RemoveItem, RemoveSection
from workbench.domain.plan.plan import Amendment, Section, Step
from workbench.domain.session import events as say
from workbench.models.ports import Request
from workbench.planning.beside_the_loop.commanding import carry_out
from workbench.planning.policies import approving_all

TITLES = (
    "Copy the customers", "Switch invoices over", "Teach the support staff", "Print new letter paper",
    "Inform the tax office", "Close the old account", "Archive the contracts", "Thank the old provider",
    "Count the open refunds", "Rename the bank references", "Publish the new imprint",
)  # fmt: skip
ELEVEN = replace(STEPS, items=tuple(Step(id=f"S{n}", title=title) for n, title in enumerate(TITLES, start=1)))
TWO = replace(ELEVEN, items=(replace(ELEVEN.items[0], owner="Ann"), ELEVEN.items[2]))
KEEP, REMOVE = Answer(kind="keep"), Answer(kind="remove")


def after(*sections: Section, said: str = "Ann does the first step.", more: tuple[Answer, ...] = ()):
    """A session whose plan of eleven steps was answered with feedback, and that got these sections back."""
    script = Script().then("plan", plan_reply(GOAL_SECTION, CRITERIA, ELEVEN, notes("Words.")))
    manager = begin(script=script)
    asyncio.run(manager.run(answering(CHOOSE)))
    script.then("plan", sections_reply(*sections))
    asyncio.run(manager.run(answering(feedback(said), *more)))
    return manager


def removing(*removals: dict[str, Any], said: str = "Drop the letter paper.", script: Script | None = None):
    """A session whose plan of eleven steps was answered with feedback, and whose planner removed these by item."""
    script = (script or Script()).then("plan", plan_reply(GOAL_SECTION, CRITERIA, ELEVEN, notes("Words.")))
    manager = begin(script=script)
    asyncio.run(manager.run(answering(CHOOSE)))
    script.then("plan", plan_reply(remove=removals))
    asyncio.run(manager.run(answering(feedback(said))))
    return manager


def steps(manager) -> list[str]:
    return [step.id for step in manager.state.plan.steps]


def steps_after(manager, *answers) -> list[str]:
    asyncio.run(manager.run(answering(*answers)))
    return steps(manager)


def test_nine_steps_that_a_reply_left_out_are_there_and_asked_about():
    manager = after(TWO)
    state = manager.state
    assert steps(manager) == [step.id for step in ELEVEN.items]
    assert state.plan.steps[0].owner == "Ann", "what it changed is changed"
    assert state.gate.kind == "removal"
    assert state.gate.question == (
        "The planner takes out S2 “Switch invoices over”, S4 “Print new letter paper”, S5 “Inform the tax office” "
        "and 6 more, and names nothing that you said as its reason. Remove them?"
    )


def test_what_is_kept_stays_and_is_not_asked_again():
    manager = after(TWO, more=(KEEP,))
    assert manager.state.gate.kind == "checkpoint"
    assert steps(manager) == [step.id for step in ELEVEN.items]
    assert {one.item for one in manager.state.kept} == {step.id for step in ELEVEN.items} - {"S1", "S3"}


def test_what_is_removed_is_gone_in_a_version_of_its_own_that_the_verifier_looks_at():
    manager = after(TWO, more=(REMOVE,))
    assert steps(manager) == ["S1", "S3"]
    before, last = bodies_of(manager, say.PlanChanged)[-2:]
    assert (last.by, last.version) == ("person", before.version + 1)
    kinds = [event.kind for event in events_of(manager)]
    assert kinds[-4:-1] == ["plan.verified", "entity.stored", "iteration.completed"]
    assert bodies_of(manager, say.PlanVerified)[-1].by == "verifier"
    assert manager.state.gate.kind == "checkpoint"
    assert (manager.state.removals, manager.state.changing) == ((), ())
    assert {type(one.operation) for one in last.changes} == {RemoveItem}


@pytest.mark.parametrize("because", [["U1"], ["U2"], ["U1", "U2"], ["U2", "U77"]])
def test_what_a_statement_asks_to_remove_goes_at_once(because):
    manager = removing({"id": "S4", "because": because})
    assert "S4" not in steps(manager)
    assert manager.state.gate.kind == "checkpoint"
    [gone] = [one for one in bodies_of(manager, say.PlanChanged)[-1].changes if one.operation == RemoveItem("S4")]
    assert gone.cause == Cause("statement", ", ".join(one for one in because if one != "U77"))
    assert verified(events_of(manager)).verified


def test_what_a_finding_asks_to_remove_goes_at_once():
    found = Finding(rule="model", severity="major", text="Nobody reads paper.", item="S4")
    script = Script().then("verify", verify_reply(found))

    def mended(request: Request) -> str:
        number = 1 + request.task.findings.index(found)
        return plan_reply(remove=[{"id": "S4", "because": [f"V{number}"]}])

    script.then("plan", plan_reply(GOAL_SECTION, CRITERIA, ELEVEN), mended)
    manager = begin(script=script, max_iterations=1)
    asyncio.run(manager.run(answering(CHOOSE)))
    assert "S4" not in steps(manager)
    last = bodies_of(manager, say.PlanChanged)[-1]
    assert [one.cause for one in last.changes if one.operation == RemoveItem("S4")] == [
        Cause("finding", "Nobody reads paper.")
    ]


@pytest.mark.parametrize("because", [[], ["U77"], ["V9"], ["nobody said so"]])
def test_a_removal_without_a_cause_is_asked_about_before_anybody_looks(because):
    script = Script()
    manager = removing({"id": "S4", "because": because}, script=script)
    assert (manager.state.gate.kind, script.asked[-1]) == ("removal", "plan")
    assert manager.state.removals == (RemoveItem("S4"),)
    assert "S4" in steps(manager)
    assert steps_after(manager, REMOVE) == [step.id for step in ELEVEN.items if step.id != "S4"]
    assert script.asked[-1] == "verify", "who verifies sees the plan without it"
    assert verified(events_of(manager)).verified


def test_what_was_kept_is_not_asked_about_again_when_a_reply_removes_it_again():
    script = Script()
    manager = removing({"id": "S4"}, script=script)
    asyncio.run(manager.run(answering(KEEP)))
    script.then("plan", plan_reply(remove=[{"id": "S4"}]))
    asyncio.run(manager.run(answering(feedback("Be quick."))))
    assert manager.state.gate.kind == "checkpoint"
    assert "S4" in steps(manager)


def test_what_a_section_leaves_out_is_asked_about_whatever_was_said():
    manager = after(replace(ELEVEN, items=ELEVEN.items[:3] + ELEVEN.items[4:]), said="Drop the fourth step.")
    assert manager.state.removals == (RemoveItem("S4"),)


def test_what_a_section_leaves_out_goes_where_it_was_named_by_its_id():
    manager = after(replace(ELEVEN, items=ELEVEN.items[:3] + ELEVEN.items[4:]), said="Drop S4.")
    assert manager.state.removals == ()
    assert "S4" not in steps(manager)


def test_a_section_that_is_left_out_is_kept_with_what_stands_in_it():
    script = Script().then("plan", plan_reply(GOAL_SECTION, CRITERIA, ELEVEN, notes("Words.")))
    manager = begin(script=script)
    asyncio.run(manager.run(answering(CHOOSE)))
    gone = PlanReply(title="", amendments=(Amendment(section=TWO, remove=True),))
    script.then("plan", msgspec.json.encode(gone).decode())
    asyncio.run(manager.run(answering(feedback("Ann does the first step."))))
    assert manager.state.removals == (RemoveSection("steps"),)
    assert steps(manager) == [step.id for step in ELEVEN.items]
    asyncio.run(manager.run(answering(REMOVE)))
    assert manager.state.plan.section("steps") is None


def test_under_approve_all_nothing_is_removed_that_nobody_asked_for():
    script = Script().then("plan", plan_reply(GOAL_SECTION, CRITERIA, ELEVEN), sections_reply(TWO))
    manager = begin(script=script, max_iterations=2)
    state = asyncio.run(manager.run(approving_all()))
    assert state.status == "finished"
    assert steps(manager) == [step.id for step in ELEVEN.items]
    assert len(state.kept) == 9


def reported(manager, text):
    """Say how things stand from another process, as a command does."""
    log = other_handle(log_of(manager), manager.state.session)
    log.refresh()
    carry_out(log, text, date(2026, 1, 1))


def test_what_a_person_removes_at_the_gate_is_not_asked_about_any_more():
    manager = after(TWO)
    reported(manager, "remove S4")
    state = asyncio.run(manager.run(answering()))
    assert "S4" not in steps(manager)
    assert state.gate.kind == "removal"
    assert "S4" not in state.gate.question
    assert RemoveItem("S4") not in state.removals
    assert steps_after(manager, REMOVE) == ["S1", "S3"]


def test_a_rewind_brings_back_what_was_removed():
    manager = after(TWO, more=(REMOVE,))
    asyncio.run(manager.rewind())
    assert len(steps(manager)) == 11
    assert manager.state.removals[0] == RemoveItem("S2")


def test_removals_can_be_accepted_one_by_one_and_nothing_else_with_them():
    named = tuple(Change(RemoveItem(name), Cause("person")) for name in ("S2", "S1"))
    manager = after(TWO, more=(Answer(kind="remove", changes=named),))
    assert steps(manager) == [step.id for step in ELEVEN.items if step.id != "S2"], "S1 was not left out"
    assert {one.item for one in manager.state.kept} == {step.id for step in ELEVEN.items} - {"S1", "S2", "S3"}
    assert verified(events_of(manager)).verified
