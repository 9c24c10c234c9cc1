"""Why each change was made, where new lines come from, and that a reply resets nothing that no model is asked for."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace
from tests.builders import CHOOSE, CRITERIA, GOAL_SECTION, Script, answering, begin, bodies_of, feedback, plan_reply
from tests.planning.test_removals import ELEVEN
from workbench.domain.loop.gates import Answer
from workbench.domain.plan.operations import AddItem, Cause, Change, SetField
from workbench.domain.plan.plan import Origin, Section, Step
from workbench.domain.session import events as say
from workbench.planning.iteration_manager import IterationManager

DONE = Answer(kind="change", changes=(Change(SetField("S1", "status", "done"), Cause("person")),))
MORE = replace(
    ELEVEN,
    items=(
        replace(ELEVEN.items[0], title="Switch customers over today"),
        *ELEVEN.items[1:],
        Step(id="S12", title="Tell the auditors", outcome="They know", check="They say so", owner="Ann"),
    ),
)


def after(second: Section, *, said: str) -> IterationManager:
    """A session whose first step is done, by hand, and whose planner then answers feedback with this section."""
    script = Script().then("plan", plan_reply(GOAL_SECTION, CRITERIA, ELEVEN))
    manager = begin(script=script, max_iterations=1)
    asyncio.run(manager.run(answering(CHOOSE, DONE)))
    script.then("plan", plan_reply(second))
    asyncio.run(manager.run(answering(feedback(said))))
    return manager


def step(manager: IterationManager, name: str) -> Step:
    assert manager.state.plan is not None
    return next(one for one in manager.state.plan.steps if one.id == name)


def test_what_no_model_is_asked_for_stays_as_it_was():
    manager = after(MORE, said="Be clearer about S1.")
    assert step(manager, "S1").title == "Switch customers over today"
    assert step(manager, "S1").status == "done"
    assert step(manager, "S1").origin == Origin("model")


@pytest.mark.parametrize(
    ("said", "expected"),
    [("Tell the auditors, please.", Cause("feedback", "F1")), ("Make it nicer.", Cause("planner"))],
)
def test_a_new_line_says_where_it_comes_from_and_its_change_why(said, expected):
    manager = after(MORE, said=said)
    last = bodies_of(manager, say.PlanChanged)[-1]
    [added] = [one for one in last.changes if isinstance(one.operation, AddItem)]
    assert added.operation.item.id == "S12"
    assert added.cause == expected
    assert step(manager, "S12").origin == (
        Origin("feedback", f"{expected.source}, G3") if expected.source else Origin("model")
    )


def test_what_a_person_changes_has_the_person_for_its_cause():
    manager = after(MORE, said="Make it nicer.")
    by_hand = [body for body in bodies_of(manager, say.PlanChanged) if body.by == "person"]
    assert [one.cause for body in by_hand for one in body.changes] == [Cause("person")]
