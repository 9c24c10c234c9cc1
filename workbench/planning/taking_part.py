"""A session's part in the shared context, as its loop plays it: what it looks at, and what it says of itself.

    Observe ─▶ coordinator.observe(cursor of the state) ─▶ SharedObserved, in the session's own log
    state, step ─▶ course_of ─▶ coordinator.publish, under the session's own key

What others share is data: it is shown, and quoted in prompts under its label. Nothing that is there answers a gate,
approves or changes anything here.
"""

from __future__ import annotations

from typing import Any

import msgspec

from workbench.domain.loop.steps import Call, Observe, Rest, Step, Wait
from workbench.domain.session import events as say
from workbench.domain.session.session import SessionState
from workbench.domain.shared.context import Entry
from workbench.domain.shared.merge import ABSENT
from workbench.domain.text.cleaning import clean, shorten
from workbench.sharing.coordinator import OFF, SessionCoordinator
from workbench.sharing.shared_context import Cursor

MOST_OF_A_VALUE = 4_096
"""Bytes of a value as JSON that is recorded with what a session saw; a longer one is in the shared log alone."""
MOST_OF_A_LOOK = 65_536
"""Bytes of all values that are recorded with one look."""
MOST_DECISIONS = 20
_MOST_OF_A_DECISION = 200

_PHASES = {
    "propose": "proposing", "plan": "planning", "verify": "verifying", "execute": "executing", "generate": "writing",
    "chat": "answering", "work": "working", "condense": "condensing",
}  # fmt: skip
"""What a session is at while a task is under way."""


def observe_shared(coordinator: SessionCoordinator | None, state: SessionState, step: Observe) -> say.SharedObserved:
    """Look at what changed since the session looked last. Whatever befalls that, planning goes on, and it is said."""
    nothing = say.SharedObserved(for_call=step.for_call)
    if coordinator is None:
        return msgspec.structs.replace(nothing, unavailable=OFF)
    seen, why_not = coordinator.observe(Cursor(state.shared.epoch, state.shared.seq))
    if seen is None:
        return msgspec.structs.replace(nothing, unavailable=clean(why_not))
    room = MOST_OF_A_LOOK
    changes: list[say.SharedValue] = []
    known = state.shared.values  # the deletion of a key that this session never saw says nothing to it
    there = [(key, entry) for key, entry in seen.changed if entry.value is not ABSENT or key in known]
    for key, entry in reversed(there):  # if there is not room for all, the last changed are whole
        size = 0 if entry.value is ABSENT else len(msgspec.json.encode(entry.value))
        is_whole = size <= min(room, MOST_OF_A_VALUE)
        room -= size if is_whole else 0
        changes.append(_value(key, entry, 0 if is_whole else size))
    return say.SharedObserved(
        epoch=seen.cursor.epoch,
        seq=seen.cursor.seq,
        changes=tuple(reversed(changes)),
        anew=seen.anew,
        for_call=step.for_call,
    )


def _value(key: str, entry: Entry, cut: int) -> say.SharedValue:
    return say.SharedValue(
        key=key,
        value=ABSENT if cut else entry.value,
        version=entry.version,
        session=entry.session,
        time=entry.time,
        cut=cut,
    )


def course_of(state: SessionState, step: Step) -> dict[str, Any] | None:
    """Return what a session says of itself to others; None if a step says nothing new of it."""
    match step:
        case Call():
            phase = _PHASES.get(step.name, step.name)
        case Wait():
            phase = "asks"
        case Rest():
            phase = state.status
        case _:
            return None
    current = state.current.number if state.current else len(state.iterations)
    return {
        "goal": shorten(state.name, _MOST_OF_A_DECISION),
        "phase": phase,
        "iteration": current,
        "of": state.limit,
        "question": shorten(state.gate.question, _MOST_OF_A_DECISION) if state.gate is not None else "",
        "plan": state.version,
        "decisions": _decisions(state),
    }


def _decisions(state: SessionState) -> list[str]:
    """Return what was decided in a session, in its order: approach, answers, feedback, a plan that was saved.

    Words that the person replaced since are left out; an approach speaks with the figures of its time.
    """
    chosen = None if any(account.replaced for account in state.accounts) else state.approach
    approach = [f"approach: {chosen.title}"] if chosen is not None else []
    answers = [
        f"{one.question} {_still_held(state, f'A{number}', one.answer)}"
        for number, one in enumerate(state.answers, start=1)
        if one.answer
    ]
    feedback = [f"feedback: {_still_held(state, one.id, one.text)}" for one in state.feedback]
    saved = [f"plan version {state.saved_version} is saved"] if state.saved_version is not None else []
    decisions = [*answers, *approach, *feedback, *saved]
    return [shorten(" ".join(decision.split()), _MOST_OF_A_DECISION) for decision in decisions][-MOST_DECISIONS:]


def _still_held(state: SessionState, source: str, text: str) -> str:
    """Return what a person said without the words that they replaced since."""
    for account in state.accounts:
        for part in account.replaced if account.statement.source == source else ():
            text = text.replace(part.part or account.statement.text, "")
    return text
