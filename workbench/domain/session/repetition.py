"""What a session repeats of a message: its words in statements, notes, changes and items.

    "Ask Zebulon about the clinic, and drop S2"  ┬▶ statements “Ask Zebulon about the clinic”
                                                 ├▶ notes      No step speaks of [“Ask Zebulon about the clinic”]
                                                 └▶ items      S11 [Ask Zebulon about the clinic]

Of texts that the workbench or a model made of a message, only what it says itself is its own: the longest runs of words
that both have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from workbench.domain.plan.changing.operations import Cause
from workbench.domain.plan.plan import Origin
from workbench.domain.session.state import SessionState
from workbench.domain.statements.statement import GOAL
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.text.words import stems

SHORTEST_REPETITION = 6
"""Characters. What is shorter stands for itself in too many other places."""
_TELLING = 2
"""Telling words that a run has to have, to be taken from this message and no other."""
_WORD = lazy_pattern(r"\w+")


def strings_of(value: object) -> Iterator[str]:
    """Yield every string of a JSON value; names of fields are none."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from strings_of(one)


def repetitions(state: SessionState, text: str) -> Iterator[str]:
    """Yield what a session repeats of a message, as it is there."""
    sources = frozenset(_sources(state, text))
    names = sources | {statement.id for statement in state.statements if statement.source in sources}
    words = " ".join(_WORD.findall(text.casefold()))
    for made in dict.fromkeys(_made_of(state, sources, names)):
        yield from _runs(made, f" {words} ")


def _sources(state: SessionState, text: str) -> Iterator[str]:
    """Yield the names that statements have for a message."""
    if text == state.goal:
        yield GOAL
    yield from (f"A{number}" for number, one in enumerate(state.answers, start=1) if one.answer == text)
    yield from (one.id for one in state.feedback if one.text == text)


def _made_of(state: SessionState, sources: frozenset[str], names: frozenset[str]) -> Iterator[str]:
    """Yield the texts that were made for a message: a report of how the work stands is no source, a person's edit is.

    ``names``: the sources, and ids of their statements.
    """

    def is_for(why: Origin | Cause | None) -> bool:
        if why is None:
            return False
        return bool(names & set(re.split(r"[,\s]+", why.source))) if sources else why.kind == "person"

    yield from (statement.text for statement in state.statements if statement.source in sources)
    for settled in state.settled:
        if settled.statement in names:
            yield from (settled.note, settled.part)
    for handled in state.handled:
        if handled.feedback in sources:
            yield from (handled.request, handled.note)
    for version in state.versions:
        changes = [change.operation for change in version.changes if is_for(change.cause)]
        items = [item for item in version.plan.items if is_for(item.origin)]
        yield from strings_of(msgspec.to_builtins([*changes, *items]))


def _runs(made: str, said: str) -> Iterator[str]:
    """Yield the longest runs of words of a text that a message says too; the last word may be cut off with "…".

    ``said``: the message's words, in lower case, a space before and after each.
    """
    words = list(_WORD.finditer(made))
    start = 0
    while start < len(words):
        run, end = "", start
        for end in range(start, len(words)):
            longer = f"{run} {words[end][0].casefold()}"
            is_cut = made.startswith("…", words[end].end())
            if (longer if is_cut else f"{longer} ") not in said:
                break
            run = longer
        else:
            end = len(words)
        repeated = made[words[start].start() : words[end - 1].end()] if end > start else ""
        if len(repeated) >= SHORTEST_REPETITION and len(stems(repeated)) >= _TELLING:
            yield repeated
        start = max(end, start + 1)
