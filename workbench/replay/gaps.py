"""What is missing in front of an event that does not follow: what the session would have recorded there by itself."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from workbench.domain.errors import LogDamaged
from workbench.domain.log.envelope import Draft, Event
from workbench.domain.loop.steps import Abandon, Observe, Research, Search, UseTool, Wait
from workbench.domain.loop.workflow import next_step
from workbench.domain.session import events as say
from workbench.domain.session.copies import Recent
from workbench.domain.session.session import SessionState, said_after
from workbench.planning.session_log import drafts_of
from workbench.replay.likeness import compared
from workbench.replay.reexecution import Reexecution

BY_PLACE = ("cause", "id", "body.messages", "body.prompt_hash", "body.context")
"""What of an event depends on which numbers other events have."""
_BEHIND = 3
"""Events after an event among which one that should stand before it is looked for."""


def missing_before(before: Reexecution, events: Sequence[Event], expected: Sequence[Draft]) -> tuple[Draft, ...]:
    """Return what the first of ``events`` follows from, and what is not there; () where nothing makes it follow.

    ``before`` is executed up to it; ``expected`` was to be recorded there at once, if that is known.
    """
    event = events[0]
    execution = before.from_here(before.state)
    execution.batch = tuple(expected)
    missing: list[Draft] = []
    try:
        while len(missing) < 3:
            drafts = execution.batch or execution.follows(event, execution.remembers(event))
            drafts = drafts or _look_ahead(execution.state, events)
            if not drafts:
                return ()
            missing.append(drafts[0])
            stands = msgspec.structs.replace(as_event(event, drafts[0]), id=event.cause)
            execution.go_on(stands, said_after(execution.state, stands))
            execution.batch = drafts[1:]
            if _goes_on(execution, events, is_telling=not (event.origin == "given" and expected)):
                is_behind = any(
                    is_like(behind, missing[0], execution.recent, BY_PLACE) for behind in events[1 : 1 + _BEHIND]
                )
                return () if is_behind else tuple(missing)
    except LogDamaged:
        return ()
    return ()


def _look_ahead(state: SessionState | None, events: Sequence[Event]) -> tuple[Draft, ...]:
    """Return the look outside that the loop is about to take, where it takes such a look further on, too."""
    if state is None:
        return ()
    match next_step(state):
        case Search() as step:
            agent: str | None = step.agent
            body: say.Body = say.OthersSearched(query=step.query, reason=step.reason, found=(), for_call=step.for_call)
        case Observe() as step:
            agent, body = None, say.SharedObserved(for_call=step.for_call)
        case Research() as step:
            agent, body = None, say.GapsResearched(gaps=step.gaps, for_call=step.for_call)
        case _:
            return ()
    by = events[0]
    drafts = drafts_of(state, [body], person=by.person, time=by.time, actor="workbench", agent=agent, origin="given")
    return tuple(drafts) if any(event.kind == drafts[0].kind for event in events) else ()


def _goes_on(execution: Reexecution, events: Sequence[Event], *, is_telling: bool) -> bool:
    """Tell whether the first event follows; where that tells nothing, whether a derived one after it does, too.

    A name or a rating may be given anywhere.
    """
    trial = execution.from_here(execution.state)
    trial.batch = execution.batch
    for event in events[: 1 + _BEHIND]:
        finding = trial.take(event)
        is_unlike = finding is not None and finding.sort in ("unlike", "misplaced")
        if finding is not None and is_unlike and not finding.unlike.where.startswith(BY_PLACE):
            return False
        if is_telling or event.origin == "derived":
            return True
    return False


def is_like(event: Event, draft: Draft, recent: Recent, but_for: tuple[str, ...] = ()) -> bool:
    """Tell whether an event says what a draft does, where it copies from what is recent, but for some places."""
    try:
        unlike = compared(recent.whole(event), draft).unlike
    except LogDamaged:
        return False
    return unlike is None or unlike.where.startswith(but_for)


def awaited(state: SessionState) -> str:
    """Return what from outside a session waits for; "" where something follows by itself, or nothing ever does."""
    match next_step(state):
        case Wait(gate):
            return f"an answer to its gate {gate.id}"
        case UseTool(using):
            return f"what came of the call {using.use} of a tool"
        case Abandon(call):
            return f"what came of call {call.call}"
        case _:
            return ""


def as_event(event: Event, draft: Draft) -> Event:
    """Return what should stand in the place of an event."""
    return msgspec.structs.replace(
        event, kind=draft.kind, v=draft.v, origin=draft.origin, agent=draft.agent, turn=draft.turn, body=draft.body
    )
