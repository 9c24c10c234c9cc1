"""Requests for the tests of models."""

from workbench.domain.loop.answers.reply_schema import reply_schema
from workbench.domain.loop.asking.tasks import PlanTask, ProposeTask
from workbench.domain.session.context import Message
from workbench.models.ports import Parameters, Request


def propose(goal="Move our billing", *, parameters=None, schema=True, messages=()):
    """A planner's request for approaches."""
    task = ProposeTask(goal=goal, today="2026-03-02")
    return Request(
        role="planner",
        task=task,
        messages=messages or (Message(role="system", content="Plan."), Message(role="user", content=goal)),
        schema=reply_schema(task) if schema else None,
        parameters=parameters or Parameters(total=30),
    )


def plan(goal="Move our billing", iteration=1):
    """A planner's request for a first draft."""
    task = PlanTask(goal=goal, today="2026-03-02", iteration=iteration)
    return Request(role="planner", task=task, messages=(Message(role="user", content=goal),), schema=reply_schema(task))
