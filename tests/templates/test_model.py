"""What each role answers without a language model: nothing that nobody picked, typed or calculated."""

from __future__ import annotations

import msgspec
import pytest
from workbench.domain.errors import ModelRefused
from workbench.domain.loop.asking.tasks import (
    ChatTask,
    CondenseTask,
    ExecuteTask,
    Feedback,
    PlanTask,
    ProposeTask,
    VerifyTask,
    WorkTask,
)
from workbench.domain.loop.begin import Begin
from workbench.domain.plan.plan import Plan, amend
from workbench.models.ports import Request, TextDelta
from workbench.templates.catalogue import Catalogue
from workbench.templates.model import NOBODY, TemplateModel, answer
from workbench.templates.proposing import MOST_OFFERED, OWN_STEPS

GOAL = "Move our billing to the new provider"
KNOWN = Catalogue()


def proposed(**fields):
    return answer(ProposeTask(goal=GOAL, today="2027-01-11", **fields), KNOWN).approaches


def planned(**fields):
    return answer(PlanTask(goal=GOAL, today="2027-01-11", iteration=1, **fields), KNOWN)


def a_plan() -> Plan:
    reply = planned(begin=Begin(template="move-system:cohorts"))
    return amend(Plan(title=reply.title), reply.amendments)


async def streamed(task) -> str:
    request = Request(role="planner", task=task, messages=())
    return "".join([part.text async for part in TemplateModel().stream(request) if isinstance(part, TextDelta)])


def test_variants_of_the_nearest_templates_are_offered_and_last_ones_own_steps():
    offered = proposed()
    assert [one.template for one in offered[:3]] == [
        f"move-system:{way}" for way in ("cohorts", "parallel", "one-switch")
    ]
    assert len(offered) == MOST_OFFERED + 1
    assert (offered[-1].title, offered[-1].template) == (OWN_STEPS, "")
    assert [one.id for one in offered] == ["A1", "A2", "A3", "A4", "A5", "A6"]
    assert offered[0].outline[0].startswith("List everything that moves")


def test_an_approach_that_offers_a_template_is_drafted_from_it():
    by_approach, by_begin = planned(approach=proposed()[0]), planned(begin=Begin(template="move-system:cohorts"))
    assert by_approach == by_begin
    assert planned(approach=proposed()[-1]).amendments[-1].section.id == "goal"


def test_sentences_change_nothing_and_are_answered_with_a_command():
    reply = planned(plan=a_plan(), feedback=(Feedback(id="F1", text="S3 should belong to Anna"),))
    assert reply.amendments == ()
    (handled,) = reply.handled
    assert (handled.outcome, handled.kind, len(handled.note.splitlines())) == ("not done", "change", 2)
    assert "S3 " in handled.note


def test_the_first_three_steps_that_can_begin_are_the_actions():
    actions = answer(ExecuteTask(goal=GOAL, today="2027-01-11", plan=a_plan()), KNOWN).actions
    assert [action.step for action in actions] == ["S1"]
    outline = "\n".join(f"Step {number} 1d needs none" for number in range(5))
    reply = planned(begin=Begin(outline=outline))
    plan = amend(Plan(title=""), reply.amendments)
    assert len(answer(ExecuteTask(goal=GOAL, today="2027-01-11", plan=plan), KNOWN).actions) == 3


def test_the_verifier_adds_calculated_findings_that_are_not_known():
    task = VerifyTask(goal=GOAL, today="2027-01-11", plan=a_plan())
    found = answer(task, KNOWN).findings
    assert [one.rule for one in found] == ["steps.owner"]
    assert answer(msgspec.structs.replace(task, known=found), KNOWN).findings == ()


async def test_nobody_answers_and_nothing_is_summarised():
    person = {"goal": GOAL, "today": "2027-01-11", "agent": "Ada", "instructions": "Be Ada."}
    assert await streamed(ChatTask(message="Hello?", **person)) == NOBODY
    assert msgspec.json.decode(await streamed(WorkTask(work="Count", **person)))["open_questions"] == ["Count"]
    with pytest.raises(ModelRefused):
        await streamed(CondenseTask(said=("a",), max_tokens=10))
    with pytest.raises(ModelRefused, match="no template"):
        await streamed(PlanTask(goal=GOAL, today="2027-01-11", iteration=1, begin=Begin(template="bees")))
