"""A request's messages as they go out: one system text, then user and assistant in turns.

    system, user, user, assistant, user ─▶ system · user (two joined) · assistant · user

Templates of Gemma and Mistral refuse two messages of one kind in a row. Where the model has no system role, its text
is at the head of the first user message. A schema that the server does not take is put into words, at the end of
the system text. No other word is added. Imports nothing of pydantic-ai before it is called.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

from workbench.domain.session.context import Message
from workbench.domain.text.patterns import lazy_pattern
from workbench.models.continuation import GO_ON
from workbench.models.schema_words import in_words

if TYPE_CHECKING:
    from pydantic_ai import messages as wire

_BETWEEN = "\n\n"
_BEFORE = "(What came before is not shown.)"
"""In place of a first user message where the conversation begins with a reply."""
_FILES = lazy_pattern(r'<input name="files">.*?</input>', re.DOTALL)
_PLAN, _CLOSED = '<input name="plan">', "</input>"
"""The beginnings of a turn that later prompts have, too."""


def turns(
    messages: Iterable[Message], *, schema: dict[str, Any] | None = None, takes_system: bool = True, so_far: str = ""
) -> list[tuple[str, str]]:
    """Return what is said as (role, text): system first if it is taken, then user and assistant in turns.

    ``schema`` is put into words; ``so_far`` is the beginning of a reply that is to be continued. A tool's result is
    given as a user's message, because a request names no call that it belongs to.
    """
    spoken = [(message.role, message.content) for message in messages]
    system = [text for role, text in spoken if role == "system"]
    system += [in_words(schema)] if schema is not None else []
    others = [("assistant" if role == "assistant" else "user", text) for role, text in spoken if role != "system"]
    if so_far:
        others += [("assistant", so_far), ("user", GO_ON)]
    if not others or others[0][0] == "assistant":
        others.insert(0, ("user", _BEFORE))
    if system and not takes_system:
        others.insert(0, ("user", _BETWEEN.join(system)))
    merged = list(_merged(others))
    return [("system", _BETWEEN.join(system)), *merged] if system and takes_system else merged


def _merged(spoken: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for role, group in groupby(spoken, key=lambda turn: turn[0]):
        yield role, _BETWEEN.join(text for _, text in group)


def as_prompts(spoken: Iterable[tuple[str, str]], *, marked: bool = False) -> list[wire.ModelMessage]:
    """Return turns as pydantic-ai's messages; ``marked``: where files and plan end, for who keeps beginnings."""
    from pydantic_ai import messages as wire

    turns = list(spoken)
    ends = _ends_of_beginnings(turns) if marked else {}

    def content(place: int, text: str) -> str | list[wire.UserContent]:
        if place not in ends:
            return text
        pieces: list[wire.UserContent] = []
        for start, end in pairwise((0, *ends[place])):
            pieces += (text[start:end], wire.CachePoint())
        return [*pieces, text[ends[place][-1] :]] if text[ends[place][-1] :] else pieces

    prompts: list[wire.ModelMessage] = []
    parts: list[wire.ModelRequestPart] = []
    for place, (role, text) in enumerate(turns):
        if role == "assistant":
            prompts += [wire.ModelRequest(parts), wire.ModelResponse([wire.TextPart(text)])]
            parts = []
        else:
            parts.append(wire.SystemPromptPart(text) if role == "system" else wire.UserPromptPart(content(place, text)))
    return [*prompts, wire.ModelRequest(parts)] if parts else prompts


def _ends_of_beginnings(turns: Sequence[tuple[str, str]]) -> dict[int, list[int]]:
    """Return where in which turn a beginning ends that is worth keeping: the files, and the last plan."""
    asked = [place for place, (role, _) in enumerate(turns) if role == "user"]
    files = [(place, found) for place in asked[:1] if (found := _FILES.match(turns[place][1]))]
    plans = [(place, end) for place in asked if (end := _end_of_plan(turns[place][1]))]
    ends: dict[int, list[int]] = {}
    for place, end in (*((place, found.end()) for place, found in files), *plans[-1:]):
        ends.setdefault(place, []).append(end)
    return ends


def _end_of_plan(text: str) -> int:
    """Return where the last plan of a turn ends; 0 if it has none."""
    begin = text.rfind(_PLAN, 0, max(text.rfind(_CLOSED), 0))
    return text.find(_CLOSED, begin + len(_PLAN)) + len(_CLOSED) if begin >= 0 else 0
