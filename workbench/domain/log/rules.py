"""Which rules derive a session's events: a number that a change of prompts, checks or ranking raises.

Created, resumed or forked, a session names its rules. Events of the current rules can be derived again and compared.
Those of older rules cannot: they are *recorded*.
"""

from __future__ import annotations

from collections.abc import Iterable

from workbench.domain.errors import LogDamaged, LogTooNew
from workbench.domain.log.envelope import Event
from workbench.domain.session import events as say

CURRENT = 21
"""Raise it when the same given events no longer lead to the same derived events, byte for byte; then make the sample
sessions again (docs/architecture.md, "Change what is derived")."""

Stretches = tuple[int, ...]
"""Numbers of the rules that a session was planned under, each once, ascending; the last one is in force."""
_NAMES_RULES = frozenset({"session.created", "session.resumed", "session.forked"})


def extended(stretches: Stretches, event: str, number: int) -> Stretches:
    """Return the stretches after an event that names its rules.

    ``event`` is its id. Raises LogTooNew for rules newer than CURRENT, LogDamaged for rules older than those in force.
    """
    if number > CURRENT:
        raise LogTooNew(
            f"Event {event} was recorded by a newer version of the workbench (rules {number}; this one knows rules "
            f"up to {CURRENT}).",
            "Update the workbench to open it.",
        )
    if stretches and number < stretches[-1]:
        raise LogDamaged(
            f"Event {event} goes back from rules {stretches[-1]} to rules {number}.", say.KEEP_WHAT_IS_BEFORE
        )
    return stretches if number in stretches else (*stretches, number)


def stretches_of(events: Iterable[Event]) -> Stretches:
    """Return the rules that a session was planned under; () for one without events. Raises as ``extended`` does."""
    stretches: Stretches = ()
    for event in events:
        if event.kind in _NAMES_RULES:
            body = say.content(event)
            if isinstance(body, say.SessionCreated | say.SessionResumed | say.SessionForked):
                stretches = extended(stretches, event.id, body.rules)
    return stretches


def older(stretches: Stretches) -> Stretches:
    """Return those of the rules under which events cannot be derived again."""
    return tuple(number for number in stretches if number < CURRENT)


def is_older(stretches: Stretches) -> bool:
    """Return whether the rules in force are older, so that nothing that follows can be derived again."""
    return stretches[-1] < CURRENT


def named(numbers: Stretches) -> str:
    """Return "rules 1", "rules 1 and 2" or "rules 1, 2 and 3"."""
    *first, last = map(str, numbers)
    return f"rules {', '.join(first)} and {last}" if first else f"rules {last}"


def told(stretches: Stretches) -> str:
    """Return under which rules a session was planned, and what that means for older ones, in a sentence."""
    sentence = f"Planned under {named(stretches)}"
    if not older(stretches):
        return f"{sentence}."
    return f"{sentence}: events under {named(older(stretches))} are recorded, and cannot be executed again."


def rules_change_text(before: Stretches, now: Stretches) -> str:
    """Return what a person is told when newer rules begin to apply to a session; "" if the same ones stay."""
    if before[-1] == now[-1]:
        return ""
    return f"This session was planned under {named(before)}; from here on rules {now[-1]} apply."
