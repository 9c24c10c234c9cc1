"""Actions that somebody can take, and a brief that somebody else can read."""

from __future__ import annotations

import msgspec
import pytest
from tests.guided.goals import GOALS, TODAY
from tests.guided.plans import plan_of
from workbench.domain.loop.tasks import ExecuteReply, ExecuteTask, Finding, GenerateTask
from workbench.domain.plan.plan import Plan, Section, Step
from workbench.guided.acting import execute
from workbench.guided.editing import replace_item
from workbench.guided.writing import generate


def _acted(key: str, findings: tuple[Finding, ...] = ()) -> ExecuteReply:
    return execute(ExecuteTask(goal=GOALS[key].text, today=TODAY, plan=plan_of(key), findings=findings))


@pytest.mark.parametrize("key", GOALS)
def test_each_step_has_one_to_three_actions_with_check_owner_and_day(key):
    reply = _acted(key)

    for step in plan_of(key).steps:
        actions = [action for action in reply.actions if action.step == step.id]
        assert 1 <= len(actions) <= 3
        for action in actions:
            assert all((action.text, action.check, action.owner, action.due))
            assert step.start <= action.due <= step.end
    assert len({action.text for action in reply.actions}) == len(reply.actions)


def test_a_finding_about_a_step_becomes_an_action():
    finding = Finding(rule="model", severity="major", text="Nobody tested it.", item="S5", remedy="Test it.")

    reply = _acted("billing", (finding,))

    assert any(action.step == "S5" and "nobody tested it. Test it." in action.text for action in reply.actions)


@pytest.mark.parametrize("key", GOALS)
def test_the_brief_says_what_when_who_and_what_could_stop_it(key):
    plan = plan_of(key)
    text = generate(GenerateTask(goal=GOALS[key].text, today=TODAY, plan=plan, actions=_acted(key).actions)).deliverable

    for heading in ("What will be true", "Milestones", "Who does what first", "What could stop us"):
        assert f"## {heading}" in text
    assert ("## Decisions needed" in text) == bool(plan.section("questions").items)
    assert text.startswith(f"# {plan.title}")
    assert "offline guided planner" in text
    assert len(text.split()) < 1_100


def test_a_plan_that_does_not_fit_says_so_in_the_brief():
    plan = plan_of("billing")
    for step in plan.steps:
        longer = msgspec.structs.replace(step.effort, low=60, likely=60, high=60)
        plan = replace_item(plan, msgspec.structs.replace(step, effort=longer))

    text = generate(GenerateTask(goal=GOALS["billing"].text, today=TODAY, plan=plan)).deliverable

    assert "As it stands it does not fit" in text


def test_known_weaknesses_are_not_hidden():
    finding = Finding(rule="model", severity="minor", text="One owner carries it.", remedy="Name a second one.")
    text = generate(
        GenerateTask(goal=GOALS["billing"].text, today=TODAY, plan=plan_of("billing"), findings=(finding,))
    ).deliverable

    assert "One owner carries it. Name a second one." in text


def test_plans_that_are_empty_or_circular_still_give_a_brief():
    circular = Plan(
        title="Loop",
        sections=(
            Section(
                id="steps",
                title="Steps",
                items=(Step(id="S1", title="A", needs=("S2",)), Step(id="S2", title="B | C", needs=("S1",))),
            ),
        ),
    )
    for plan in (Plan(title="Nothing"), circular):
        task = GenerateTask(goal="x", today=TODAY, plan=plan)
        assert generate(task).deliverable.startswith(f"# {plan.title}")
        assert execute(ExecuteTask(goal="x", today=TODAY, plan=plan)).insights
