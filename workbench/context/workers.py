"""Workers: a part of an agent's work done on the side, with a copy of its context and a part of its budget.

    parent's entries, tokens left ──dispatch──▶ Snapshot, one for each worker: frozen, with an allowance of its own
                                                   │  … works, in calls of its own (planning/working.py) …
    parent's view ◀──entry.from_report── Report ◀──┘  an answer, evidence, open questions, what was spent: capped

A worker acts for the agent that sent it and sees what that agent saw when it was sent. What the workers of one parent
may spend, and a reserve for the parent, never exceeds what the parent has left. The order in which reports come in
changes nothing: they stand in the order in which the workers were sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from workbench.context.entry import Entry
from workbench.context.receipts import digest
from workbench.domain.errors import UsageError
from workbench.domain.text.cleaning import shorten
from workbench.models.tokens import estimate_tokens

LEAST_ALLOWANCE = 500
"""Tokens below which a worker could do nothing useful."""
MOST_EVIDENCE = 50
MOST_QUESTIONS = 20
_QUESTION = 400
"""Characters of an open question."""


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker is given."""

    worker: str
    """``{parent}.{n}``: the n-th worker of its parent."""
    task: str
    session: str
    agent: str | None
    """For whom it works."""
    entries: tuple[Entry, ...]
    """The parent's context when it was sent, each entry labelled as the parent's."""
    hash: str
    """Of those entries."""
    allowance: int
    """Tokens that it may spend."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker brings back."""

    worker: str
    answer: str
    evidence: tuple[str, ...] = ()
    """Ids of the entries that the answer rests on."""
    open_questions: tuple[str, ...] = ()
    spent: int = 0
    """Tokens."""
    is_complete: bool = True
    """False where the allowance was used up before the work was done."""


def dispatch(
    parent: str,
    tasks: Sequence[str],
    entries: Iterable[Entry],
    *,
    session: str,
    agent: str | None,
    left: int,
    reserve: int,
) -> tuple[Snapshot, ...]:
    """Return what a worker for each task is given; they share equally what the parent has left above its reserve.

    Raises UsageError where that is too little for each of them.
    """
    copied = tuple(msgspec.structs.replace(entry, source="parent") for entry in entries)
    allowances = carve(left, [1] * len(tasks), reserve=reserve)
    return tuple(
        Snapshot(
            worker=f"{parent}.{number}",
            task=task,
            session=session,
            agent=agent,
            entries=copied,
            hash=digest(copied),
            allowance=allowance,
        )
        for number, (task, allowance) in enumerate(zip(tasks, allowances, strict=True), start=1)
    )


def carve(left: int, weights: Sequence[int], *, reserve: int) -> tuple[int, ...]:
    """Return allowances in proportion to weights of 1 or more; with the reserve they are at most what is left."""
    free = max(left - reserve, 0)
    allowances = tuple(free * weight // sum(weights) for weight in weights)
    if any(allowance < LEAST_ALLOWANCE for allowance in allowances):
        raise UsageError(
            f"{free:,} tokens are too few for {len(weights)} workers; each needs {LEAST_ALLOWANCE:,}.",
            "Send fewer workers, or raise the session's bound of tokens.",
        )
    return allowances


def capped(report: Report, max_tokens: int) -> Report:
    """Return a report whose answer takes at most so many tokens; lists are cut to what a parent can read."""
    answer, length = report.answer, len(report.answer)
    while estimate_tokens(answer) > max_tokens and length > 1:
        length = min(length - 1, length * max_tokens // estimate_tokens(answer))
        answer = shorten(report.answer, max(length, 1))
    return msgspec.structs.replace(
        report,
        answer=answer if estimate_tokens(answer) <= max_tokens else "",
        evidence=tuple(dict.fromkeys(report.evidence))[:MOST_EVIDENCE],
        open_questions=tuple(shorten(question, _QUESTION) for question in report.open_questions[:MOST_QUESTIONS]),
    )
