"""What a session remembers: messages, and the artefacts that every role is handed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.builders import CRITERIA, GOAL, GOAL_SECTION, SESSION, STEPS, created, notes, plan_changed, told
from tests.session_events import ANY, finished, started
from workbench.domain.plan.plan import Plan
from workbench.domain.session import events as say
from workbench.domain.session.items import items, visible_to
from workbench.domain.session.session import fold


def changed(version, *sections):
    plan = Plan(title="Move billing", sections=sections)
    return plan_changed(version=version, plan=plan, by="planner", change=0.5)


def remembered(*bodies):
    return {item.id: item for item in items(fold(told(created(), *bodies)))}


def test_a_session_remembers_its_goal_first():
    [goal] = remembered().values()
    assert (goal.id, goal.text, goal.role, goal.agent) == (f"message:{SESSION}:1", GOAL, "user", None)
    assert (goal.session, goal.source) == (SESSION, "session")


def test_replies_to_tasks_are_remembered_as_the_artefacts_that_they_became():
    reply = finished(1, text='{"title": "Move billing", "amendments": []}')
    found = remembered(say.IterationBegun(number=1), started(1), reply, changed(1, GOAL_SECTION))
    assert [item.role for item in found.values()] == ["user", "artefact"]
    assert "runs with the new provider" in found["section:1.goal"].text


def test_a_section_is_remembered_under_the_version_that_last_changed_it_and_only_while_it_stands():
    found = remembered(
        changed(1, GOAL_SECTION, CRITERIA), changed(2, GOAL_SECTION, STEPS), changed(3, GOAL_SECTION, notes("New"))
    )
    assert [name for name in found if name.startswith("section")] == ["section:1.goal", "section:3.notes"]


def test_insights_are_numbered_within_their_iteration_even_where_a_program_stored_the_same_number_twice():
    result = say.IterationResult(iteration_num=7, plan="", key_insights=("First", "Second"))
    found = remembered(say.IterationStored(result=result), say.IterationStored(result=result))
    assert [name for name in found if name.startswith("insight")] == [
        "insight:1.1",
        "insight:1.2",
        "insight:2.1",
        "insight:2.2",
    ]


def test_an_agent_sees_what_people_said_and_artefacts_and_its_own_replies():
    state = fold(told(created(), say.EntityStored(name="budget", content="100 euros")))
    own = [item for item in items(state) if visible_to(item, "kahneman")]
    assert [item.role for item in own] == ["user", "artefact"]
    goal = own[0]
    reply = {name: type(goal)(**{**_fields(goal), "role": "assistant", "agent": name}) for name in ("kahneman", "nzia")}
    nobodys = type(goal)(**{**_fields(goal), "role": "assistant", "agent": None})
    assert visible_to(reply["kahneman"], "kahneman")
    assert not visible_to(reply["nzia"], "kahneman")
    assert not visible_to(nobodys, "kahneman")


def _fields(item):
    return {name: getattr(item, name) for name in item.__struct_fields__}


@given(st.lists(ANY, max_size=12))
def test_ids_are_unique_whatever_happens(bodies):
    state = fold(told(created(), *bodies))
    ids = [item.id for item in items(state)]
    assert len(ids) == len(set(ids))
    assert {item.session for item in items(state)} == {SESSION}
