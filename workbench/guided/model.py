"""The guided planner as a language model: typed task in, JSON of the reply type out, in a few pieces.

    Request.task ─▶ answer(task) ─▶ Reply ─▶ JSON ─▶ TextDelta* · Usage(cost 0) · Done

It reads the task, never the prompt that was rendered from it. The same task gives the same bytes: there is no clock, no
chance and no state in it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import msgspec

from workbench.domain.errors import ModelRefused
from workbench.domain.loop.tasks import (
    ChatTask,
    CondenseTask,
    ExecuteTask,
    GenerateTask,
    LoopTask,
    PlanTask,
    ProposeTask,
    Reply,
    Task,
    VerifyTask,
    WorkTask,
)
from workbench.models.ports import Done, Part, Request, TextDelta, Usage
from workbench.models.tokens import estimate_prompt, estimate_tokens

PIECE = 2_000
"""Characters of one piece of the stream."""


class GuidedModel:
    """The offline planner: deterministic rules, no network, no charge."""

    @property
    def name(self) -> str:
        """Return the name recorded with every call."""
        return "guided"

    @property
    def window(self) -> int:
        """Return how many tokens a request may have; nothing but the port needs a limit here."""
        return 200_000

    async def stream(self, request: Request) -> AsyncIterator[Part]:
        """Answer a request with its task's reply, as JSON or as text: any goal gives a plan.

        Raises ModelRefused where it is to summarise: that is done by rule, without any model.
        """
        text = await asyncio.to_thread(_text, request.task)
        for start in range(0, len(text), PIECE):
            yield TextDelta(text[start : start + PIECE])
        yield Usage(
            input_tokens=estimate_prompt(request.messages),
            output_tokens=estimate_tokens(text),
            cost=0.0,
            estimated=True,
        )
        yield Done(reason="stop", model=self.name)


def _text(task: Task) -> str:
    if isinstance(task, ChatTask):
        from workbench.guided.chatting import chat

        return chat(task)
    if isinstance(task, WorkTask):
        from workbench.guided.chatting import work

        return msgspec.json.encode(work(task)).decode()
    if isinstance(task, CondenseTask):
        raise ModelRefused("The offline planner writes no summaries.", "Condense by rule instead.")
    return msgspec.json.encode(answer(task)).decode()


def answer(task: LoopTask) -> Reply:
    """Return the reply to a task; the rules for it are loaded when first needed, as their patterns take a while."""
    match task:
        case ProposeTask():
            from workbench.guided.approaches import propose

            return propose(task)
        case PlanTask():
            from workbench.guided.planning import plan

            return plan(task)
        case VerifyTask():
            from workbench.guided.verifying import verify

            return verify(task)
        case ExecuteTask():
            from workbench.guided.acting import execute

            return execute(task)
        case GenerateTask():
            from workbench.guided.writing import generate

            return generate(task)
