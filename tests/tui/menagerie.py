"""A model for several sessions at once: what it answers carries the mark of the session that asked.

    prompt of a session about ZEBRA ─▶ every text of the reply says ZEBRA      shut / open: its replies wait, or come
                                                                               next: what goes wrong with the next ones

A prompt that holds the marks of two sessions is kept as a stray.
"""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict, deque
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from tests.builders import approach, propose_reply, standard_reply
from workbench.domain.errors import ModelDenied, ModelRefused, ModelUnreachable
from workbench.domain.loop.asking.tasks import ChatTask, ProposeTask
from workbench.models.ports import Done, Part, Request, Retried, TextDelta, Usage

MARKS = (
    "ZEBRA", "OKAPI", "TAPIR", "QUOKKA", "LEMUR", "BADGER", "HERON", "OTTER", "IBEX", "MARMOT", "PUFFIN", "GECKO",
    "EGRET", "STOAT", "CONDOR", "DINGO", "GIBBON", "HYENA", "JACKAL", "KAKAPO", "LLAMA", "MANATEE", "NARWHAL", "OCELOT",
)  # fmt: skip
"""A word for each session; nothing else on a screen says it."""
_ANY_MARK = re.compile("|".join(MARKS), re.IGNORECASE)

TROUBLES = ("unreachable", "denied", "refused", "defect", "garbage", "hostile", "cut", "endless", "retried", "slow")
"""What can go wrong with a reply."""
HOSTILE = "[@click=app.quit]{}[/] \x1b]52;c;aGk=\x07\x1b[2J [/x] list[int] \u202e \x00"
_MARKED_FIELDS = {"title", "text", "summary", "note", "deliverable", "outcome", "check", "insights", "questions"}
_PIECE = 200


def marks_in(text: str) -> set[str]:
    """Return the marks that a text says."""
    return {found.upper() for found in _ANY_MARK.findall(text)}


_QUOTED = re.compile(r'<input name="(?:from_other_sessions|shared_context)">.*?</input>', re.DOTALL)
"""What other sessions remember, or share with all, may stand in a prompt in these places, with whose it is."""


class Menagerie:
    """Answers every session with texts of its own."""

    name = "menagerie"
    window = 100_000

    def __init__(self) -> None:
        self.shut: set[str] = set()
        """Marks whose replies wait."""
        self.next: defaultdict[str, deque[str]] = defaultdict(deque)
        """Mark → what goes wrong with its next replies."""
        self.strays: list[list[str]] = []
        """Of each prompt that holds two marks, the lines that say them."""

    async def stream(self, request: Request) -> AsyncIterator[Part]:
        """Answer, in the way that comes next for the session that asks."""
        asked = _QUOTED.sub("", "\n".join(message.content for message in request.messages))
        marks = marks_in(asked)
        if len(marks) > 1:
            self.strays.append([line for line in asked.splitlines() if marks_in(line)])
        mark = min(marks, default="")
        trouble = self.next[mark].popleft() if self.next[mark] else ""
        if trouble == "retried":
            yield Retried(reason=f"{mark} is busy", wait=1.0)
        self._fail(trouble)
        text = _said(request, mark, trouble)
        while trouble == "endless":
            yield TextDelta(f"{mark} and so on ")
            await asyncio.sleep(0.01)
        for at in range(0, len(text), _PIECE):
            await self._opened(mark)
            yield TextDelta(text[at : at + _PIECE])
            await asyncio.sleep(0.02 if trouble == "slow" else 0)
        await self._opened(mark)
        yield Usage(input_tokens=1200, output_tokens=300, cost=0.02, is_continued=True)  # made up: not of the prompt
        if trouble != "cut":
            yield Done(reason="stop", model=self.name)

    async def _opened(self, mark: str) -> None:
        while mark in self.shut:  # noqa: ASYNC110 - another thread opens it
            await asyncio.sleep(0.002)

    @staticmethod
    def _fail(trouble: str) -> None:
        match trouble:
            case "unreachable":
                raise ModelUnreachable("The line is dead.", "Check the network.")
            case "denied":
                raise ModelDenied("The key is wrong.", "Set another key.")
            case "refused":
                raise ModelRefused("It does not want to.", "Ask for something else.")
            case "defect":
                raise ZeroDivisionError


def _said(request: Request, mark: str, trouble: str) -> str:
    match trouble:
        case "garbage":
            return f"{mark}: list[int] and [/x], no JSON at all"
        case "hostile":
            return HOSTILE.format(mark)
        case "cut":
            return _reply(request, mark)[:_PIECE]
    return _reply(request, mark)


def _reply(request: Request, mark: str) -> str:
    if isinstance(request.task, ChatTask):
        return f"{mark} is well"
    if isinstance(request.task, ProposeTask):
        asks = ("How many?",) if request.task.may_ask else ()
        said = propose_reply(approach(1), approach(2), approach(3), questions=asks)
    else:
        said = standard_reply(request)
    return msgspec.json.encode(_marked(msgspec.json.decode(said), mark)).decode()


def _marked(value: Any, mark: str, field: str = "") -> Any:
    """Let every text that people read begin with the mark."""
    if isinstance(value, dict):
        return {name: _marked(one, mark, name) for name, one in value.items()}
    if isinstance(value, list):
        return [_marked(one, mark, field) for one in value]
    return f"{mark} {value}" if isinstance(value, str) and value and field in _MARKED_FIELDS else value
