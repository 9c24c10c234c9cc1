"""Why each change was made, where new lines come from, and that a reply resets nothing that no model is asked for."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from tests.builders import CHOOSE, CRITERIA, GOAL_SECTION, Script, answering, begin, bodies_of, feedback, plan_reply
from tests.planning.test_removals import ELEVEN
from workbench.domain.loop.deciding.gates import Answer
from workbench.domain.plan.changing.operations import AddItem, Cause, Change, SetField
from workbench.domain.plan.plan import Origin, Step
from workbench.domain.session import events as say
from workbench.planning.iteration_manager import IterationManager

DONE = Answer(kind="change", changes=(Change(SetField("S1", "status", "done"), Cause("person")),))
AUDITORS = {"id": "new1", "title": "Tell the auditors", "outcome": "They know", "check": "They say so", "owner": "Ann"}


def after(*steps: dict[str, Any], said: str = "Tell the auditors, please.") -> IterationManager:
    """A session whose first step is done, by hand, and whose planner then answers feedback with these steps."""
    script = Script().then("plan", plan_reply(GOAL_SECTION, CRITERIA, ELEVEN))
    manager = begin(script=script, max_iterations=1)
    asyncio.run(manager.run(answering(CHOOSE, DONE)))
    script.then("plan", json.dumps({"steps": steps, "statements": []}))
    asyncio.run(manager.run(answering(feedback(said))))
    return manager


def step(manager: IterationManager, name: str) -> Step:
    assert manager.state.plan is not None
    return next(one for one in manager.state.plan.steps if one.id == name)


@pytest.mark.parametrize(
    ("because", "cause", "origin", "causes"),
    [
        (["U2"], Cause("statement", "U2"), Origin("feedback", "F1, U2"), ("U2",)),
        (["U1"], Cause("statement", "U1"), Origin("goal", "U1"), ("U1",)),
        (["U2", "U1", "U2"], Cause("statement", "U2, U1"), Origin("feedback", "F1, U2, U1"), ("U2", "U1")),
        (["U2", "U99"], Cause("statement", "U2"), Origin("feedback", "F1, U2"), ("U2",)),
        (["U99"], Cause("planner"), Origin("model"), ()),
        ([], Cause("planner"), Origin("model"), ()),
    ],
)
def test_a_new_line_says_where_it_comes_from_and_its_change_why(because, cause, origin, causes):
    manager = after(AUDITORS | {"because": because})
    last = bodies_of(manager, say.PlanChanged)[-1]
    [added] = [one for one in last.changes if isinstance(one.operation, AddItem)]
    assert added.operation.item.id == "S12"
    assert added.cause == cause
    assert (step(manager, "S12").origin, step(manager, "S12").causes) == (origin, causes)


def test_what_a_change_names_is_its_cause_and_stays_with_the_item():
    manager = after({"id": "S2", "title": "Switch over", "because": ["U2"]})
    last = bodies_of(manager, say.PlanChanged)[-1]
    changed = {one.operation.field: one.cause for one in last.changes if isinstance(one.operation, SetField)}
    assert changed["title"] == changed["causes"] == Cause("statement", "U2")
    assert step(manager, "S2").causes == ("U2",)
    assert [one.items for one in manager.state.accounts if one.statement.id == "U2"] == [("S2",)]


def test_dates_are_the_programs_and_say_so():
    manager = after({"id": "S2", "needs": ["S1"], "start": "1999-01-01", "end": "1999-01-02"})
    last = bodies_of(manager, say.PlanChanged)[-1]
    dated = {one.cause for one in last.changes if getattr(one.operation, "field", "") in ("start", "end")}
    assert dated <= {Cause("calculated")}
    assert step(manager, "S2").start != "1999-01-01"


def test_what_a_person_changes_has_the_person_for_its_cause():
    manager = after(AUDITORS)
    by_hand = [body for body in bodies_of(manager, say.PlanChanged) if body.by == "person"]
    assert [one.cause for body in by_hand for one in body.changes] == [Cause("person")]
