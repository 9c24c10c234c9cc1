"""The planner without a model, behind the port of a language model: typed task in, JSON of the reply type out.

    Request.task ─▶ answer(task) ─▶ Reply ─▶ JSON ─▶ TextDelta* · Usage(cost 0) · Done

It reads the task, never the prompt that was rendered from it. The same task gives the same bytes: there is no clock, no
chance and no state in it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import msgspec

from workbench.domain.errors import ModelRefused, UsageError
from workbench.domain.loop.asking.tasks import (
    ChatTask,
    CondenseTask,
    ExecuteTask,
    GenerateTask,
    LoopTask,
    PlanTask,
    ProposeTask,
    Reply,
    Task,
    WorkReply,
    WorkTask,
)
from workbench.models.catalogue import GUIDED
from workbench.models.ports import Done, Part, Request, TextDelta, Usage
from workbench.models.tokens import estimate_prompt, estimate_tokens
from workbench.templates.answers import draft, execute, generate, verify
from workbench.templates.catalogue import Catalogue
from workbench.templates.proposing import propose

PIECE = 2_000
"""Characters of one piece of the stream."""
NOBODY = "Nobody answers here without a language model; what is planned stands in the plan."


class TemplateModel:
    """Templates and what a person types, as a plan: no network, no charge, nothing guessed."""

    def __init__(self, catalogue: Catalogue | None = None) -> None:
        """Offer the templates of a catalogue; the built-in ones alone without one."""
        self._catalogue = catalogue or Catalogue()

    @property
    def name(self) -> str:
        """Return the name recorded with every call."""
        return GUIDED

    @property
    def window(self) -> int:
        """Return how many tokens a request may have; nothing but the port needs a limit here."""
        return 200_000

    async def stream(self, request: Request) -> AsyncIterator[Part]:
        """Answer a request with its task's reply, as JSON or as text.

        Raises ModelRefused if it is to summarise, and for an outline, a command, a template
        or a proposal that cannot be read.
        """
        try:
            text = await asyncio.to_thread(_text, request.task, self._catalogue)
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


def _text(task: Task, catalogue: Catalogue) -> str:
    if isinstance(task, ChatTask):
        return NOBODY
    if isinstance(task, CondenseTask):
        raise ModelRefused("Without a language model, nothing is summarised.", "Use a language model.")
    if isinstance(task, WorkTask):
        return msgspec.json.encode(WorkReply(answer=NOBODY, open_questions=(task.work,))).decode()
    return msgspec.json.encode(answer(task, catalogue)).decode()


def answer(task: LoopTask, catalogue: Catalogue) -> Reply:
    """Return the reply to a task. Raises UsageError for what a person gave and cannot be read."""
    match task:
        case ProposeTask():
            return propose(task, catalogue)
        case PlanTask():
            return draft(task, catalogue)
        case ExecuteTask():
            return execute(task)
        case GenerateTask():
            return generate(task)
        case _:
            return verify(task)
