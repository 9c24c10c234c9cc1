"""What each round of a session spent, call by call, and which insights later rounds were given.

events ─▶ rounds_of ─▶ Rounds       the calls of all rounds add up to the session's meter
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from workbench.domain.log.envelope import Event
from workbench.domain.session import events as say
from workbench.domain.session.copies import outline

_KINDS = frozenset(
    kind.kind
    for kind in (
        say.IterationBegun,
        say.GuidanceRecalled,
        say.CallStarted,
        say.CallFinished,
        say.CallFailed,
        say.CallAbandoned,
    )
)


class CallFigures(msgspec.Struct, frozen=True, kw_only=True):
    """What a call read, wrote and cost."""

    call: str
    role: str
    model: str
    read: int
    """Tokens of its prompt."""
    written: int
    """Tokens of its reply."""
    cost: float | None
    """US dollars; None when unknown."""
    seconds: float
    failed: bool = False


class Rounds(msgspec.Struct, frozen=True, kw_only=True):
    """The rounds of a session."""

    calls: dict[int, tuple[CallFigures, ...]] = {}
    """By the number of their round; 0 for what came before the first one."""
    used: dict[str, tuple[int, ...]] = {}
    """Insight → the later rounds that it was given to."""


def rounds_of(events: Iterable[Event]) -> Rounds:
    """Return what the rounds of a session spent, and what they were given."""
    number = 0
    started: dict[str, say.CallStarted] = {}
    calls: dict[int, list[CallFigures]] = {}
    used: dict[str, list[int]] = {}
    for event in events:
        if event.kind not in _KINDS:
            continue
        body = say.content(outline(event))
        if isinstance(body, say.IterationBegun):
            number = body.number
        elif isinstance(body, say.GuidanceRecalled):
            for insight in body.items:
                used.setdefault(insight, []).append(number)
        elif isinstance(body, say.CallStarted):
            started[body.call] = body
        elif isinstance(body, say.CallFinished | say.CallFailed | say.CallAbandoned) and body.call in started:
            begun = started[body.call]
            figures = CallFigures(
                call=body.call,
                role=begun.role,
                model=begun.model,
                read=body.input_tokens,
                written=body.output_tokens,
                cost=body.cost,
                seconds=body.seconds,
                failed=not isinstance(body, say.CallFinished),
            )
            calls.setdefault(number, []).append(figures)
    return Rounds(
        calls={key: tuple(of_round) for key, of_round in calls.items()},
        used={insight: tuple(dict.fromkeys(rounds)) for insight, rounds in used.items()},
    )
