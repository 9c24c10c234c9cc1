"""Plans that the guided planner did not write: edited by hand, by a language model, circular, half empty."""

from __future__ import annotations

import pytest
from tests.guided.feedback import CASES
from tests.guided.goals import TODAY
from tests.guided.plans import DAY, applied, plan_reply
from workbench.domain.loop.tasks import ExecuteTask, Feedback, GenerateTask, PlanTask, VerifyTask
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.plan import Plan, Risk, Section, Step
from workbench.guided.model import answer


def _steps(*steps: Step) -> Section:
    return Section(id="steps", title="Steps", items=steps)


PLANS = {
    "nothing": Plan(title="Nothing"),
    "circular": Plan(
        title="Circle",
        sections=(_steps(Step(id="S1", title="A", needs=("S2",)), Step(id="S2", title="B", needs=("S1",))),),
    ),
    "strange ids": Plan(
        title="Strange",
        sections=(
            _steps(Step(id="step-a", title="A", needs=("nowhere",)), Step(id="S1", title="Only", start="soon")),
            Section(id="actions", title="Actions"),
            Section(id="schedule", title="Schedule"),
            Section(id="risks", title="Risks", items=(Risk(id="Rx", text="rain"),)),
        ),
    ),
}


@pytest.mark.parametrize("name", PLANS)
def test_every_task_is_answered_for_a_plan_of_any_making(name):
    for case in CASES:
        said = (Feedback(id="F1", text=case.text),)
        plan = applied(
            PLANS[name], plan_reply(PlanTask(goal="x", today=TODAY, iteration=2, plan=PLANS[name], feedback=said))
        )
        findings = check_plan(plan, today=DAY)
        plan = applied(plan, plan_reply(PlanTask(goal="x", today=TODAY, iteration=3, plan=plan, findings=findings)))

        assert answer(VerifyTask(goal="x", today=TODAY, plan=plan)).insights
        assert answer(ExecuteTask(goal="x", today=TODAY, plan=plan)).insights
        assert answer(GenerateTask(goal="x", today=TODAY, plan=plan)).deliverable


def test_what_the_checks_find_in_a_persons_plan_is_left_to_the_person():
    for plan in PLANS.values():
        findings = check_plan(plan, today=DAY)
        reply = plan_reply(PlanTask(goal="x", today=TODAY, iteration=3, plan=plan, findings=findings))
        assert applied(plan, reply) == plan
