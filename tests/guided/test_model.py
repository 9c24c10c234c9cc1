"""The guided planner speaks the port, and answers each of the five tasks with JSON of its reply type."""

from __future__ import annotations

import msgspec
import pytest
from workbench.domain.loop.tasks import (
    ExecuteReply,
    ExecuteTask,
    GenerateReply,
    GenerateTask,
    PlanReply,
    PlanTask,
    ProposeReply,
    ProposeTask,
    Task,
    VerifyReply,
    VerifyTask,
    read_reply,
)
from workbench.domain.plan.plan import Plan, amend
from workbench.domain.session.context import Message
from workbench.guided import GuidedModel
from workbench.guided.model import answer
from workbench.models.ports import Done, Request, TextDelta, Usage

GOAL = "Move our billing to the new provider by 30 June without downtime"
TODAY = "2026-11-23"


def _plan() -> Plan:
    reply = answer(PlanTask(goal=GOAL, today=TODAY, iteration=1))
    assert isinstance(reply, PlanReply)
    return amend(Plan(title=""), reply.amendments, title=reply.title)


TASKS = {
    ProposeReply: lambda: ProposeTask(goal=GOAL, today=TODAY),
    PlanReply: lambda: PlanTask(goal=GOAL, today=TODAY, iteration=1),
    VerifyReply: lambda: VerifyTask(goal=GOAL, today=TODAY, plan=_plan()),
    ExecuteReply: lambda: ExecuteTask(goal=GOAL, today=TODAY, plan=_plan()),
    GenerateReply: lambda: GenerateTask(goal=GOAL, today=TODAY, plan=_plan()),
}


async def _streamed(task: Task) -> list[object]:
    request = Request(role="planner", task=task, messages=(Message(role="user", content="Please plan." * 10),))
    return [part async for part in GuidedModel().stream(request)]


@pytest.mark.parametrize("reply_type", TASKS, ids=lambda reply: reply.__name__)
async def test_each_task_is_answered_with_json_of_its_reply(reply_type):
    task = TASKS[reply_type]()

    parts = await _streamed(task)

    text = "".join(part.text for part in parts if isinstance(part, TextDelta))
    assert isinstance(read_reply(task, text), reply_type)
    assert msgspec.json.decode(text)


async def test_usage_is_free_and_estimated_and_done_comes_last():
    parts = await _streamed(TASKS[PlanReply]())

    assert parts[-1] == Done(reason="stop", model="guided")
    usage = parts[-2]
    assert isinstance(usage, Usage)
    assert (usage.cost, usage.estimated) == (0.0, True)
    assert usage.input_tokens > 0
    assert usage.output_tokens > 100


async def test_long_answers_come_in_pieces():
    parts = await _streamed(TASKS[PlanReply]())

    assert sum(isinstance(part, TextDelta) for part in parts) > 1


@pytest.mark.parametrize("reply_type", TASKS, ids=lambda reply: reply.__name__)
def test_the_same_task_gives_the_same_bytes(reply_type):
    first = msgspec.json.encode(answer(TASKS[reply_type]()))

    assert msgspec.json.encode(answer(TASKS[reply_type]())) == first
