"""The guided planner as a language model: typed task in, JSON of the reply type out, in a few pieces.

    Request.task ─▶ answer(task) ─▶ Reply ─▶ JSON ─▶ TextDelta* · Usage(cost 0) · Done

It reads the task, never the prompt that was rendered from it. The same task gives the same bytes: there is no clock, no
chance and no state in it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

import msgspec

from workbench.domain.errors import ModelRefused, UsageError
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
from workbench.guided.actions import execute
from workbench.guided.approaches import propose
from workbench.guided.brief import read_brief
from workbench.guided.conversation import chat, work
from workbench.guided.cores import Core, built_in
from workbench.guided.planning import plan
from workbench.guided.summary import generate
from workbench.guided.verification import verify
from workbench.models.ports import Done, Part, Request, TextDelta, Usage
from workbench.models.tokens import estimate_prompt, estimate_tokens

PIECE = 2_000
"""Characters of one piece of the stream."""


class GuidedModel:
    """The offline planner: deterministic rules, no network, no charge."""

    def __init__(self, playbooks: Sequence[Core] = ()) -> None:
        """Plan with the built-in cores, and with a person's playbooks before them."""
        self._playbooks = tuple(playbooks)

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

        Raises ModelRefused where it is to summarise, which is done by rule, and for a proposal that it cannot read.
        """
        try:
            text = await asyncio.to_thread(_text, request.task, self._playbooks)
        except UsageError as error:
            raise ModelRefused(error.message, error.remedy) from error
        for start in range(0, len(text), PIECE):
            yield TextDelta(text[start : start + PIECE])
        yield Usage(
            input_tokens=estimate_prompt(request.messages),
            output_tokens=estimate_tokens(text),
            cost=0.0,
            estimated=True,
        )
        yield Done(reason="stop", model=self.name)


def _text(task: Task, cores: Sequence[Core] = ()) -> str:
    if isinstance(task, ChatTask):
        return chat(task)
    if isinstance(task, WorkTask):
        return msgspec.json.encode(work(task)).decode()
    if isinstance(task, CondenseTask):
        raise ModelRefused("The offline planner writes no summaries.", "Condense by rule instead.")
    return msgspec.json.encode(answer(task, cores)).decode()


def answer(task: LoopTask, cores: Sequence[Core] = ()) -> Reply:
    """Return the reply to a task. ``cores``: a person's playbooks, which go before the built-in ones."""
    if isinstance(task, GenerateTask):
        return generate(task)
    known = task if isinstance(task, ProposeTask | PlanTask) else None
    answers = task.answers if isinstance(task, ProposeTask | PlanTask | VerifyTask) else ()
    brief = read_brief(task.goal, task.today, answers, cores=cores, ledger=known.facts if known else ())
    match task:
        case ProposeTask():
            return propose(task, brief)
        case PlanTask():
            return plan(task, brief)
        case VerifyTask():
            return verify(task, brief)
        case ExecuteTask():
            return execute(task, brief, (*cores, *built_in()))
