"""A session as a whole: how it begins, stops, ends, becomes another one, and what a person says of it."""

from __future__ import annotations

from datetime import date
from typing import Any

from msgspec.structs import replace

from workbench.domain import events as say
from workbench.domain.envelope import Event
from workbench.domain.errors import LogDamaged
from workbench.domain.folding.folds import Folds
from workbench.domain.folding.rewinding import with_point, without_approvals
from workbench.domain.folding.said import message, writer
from workbench.domain.growing import Growing
from workbench.domain.session_state import SessionState
from workbench.domain.tasks import Feedback


def created(event: Event, body: say.SessionCreated) -> SessionState:
    """Return the state that a session begins with. Raises LogDamaged where its day is none."""
    try:
        date.fromisoformat(body.today)
    except ValueError as error:
        raise LogDamaged(
            f"Session {event.session} was created on {body.today!r}, which is no date.",
            "Restore the file from a copy, or delete the session.",
        ) from error
    return SessionState(
        session=event.session,
        written_as=writer(event),
        goal=body.goal,
        name=body.name,
        today=body.today,
        options=body.options,
        person=event.person,
        workspace=event.workspace,
        created=event.time,
        updated=event.time,
        seq=event.seq,
        trigger=event.id,
        turn=event.turn,
        limit=body.options.max_iterations,
        bounds=body.options.bounds,
        private=body.options.private,
        recall=body.options.recall,
        sharing=body.options.shared,
        history=Growing([message(event, body.goal)]),
    )


def _resumed(state: SessionState, _event: Event, body: say.SessionResumed) -> dict[str, Any]:
    taken_up: dict[str, Any] = {"failure": None, "stopped": ""}
    if body.shared is not None:
        taken_up["sharing"] = body.shared
    if not body.model:
        return taken_up
    return taken_up | {"options": replace(state.options, model=body.model, base_url=body.base_url)}


def _renamed(_state: SessionState, _event: Event, body: say.SessionRenamed) -> dict[str, Any]:
    return {"name": body.name}


def _reopened(state: SessionState, event: Event, body: say.SessionReopened) -> dict[str, Any]:
    return with_point(state) | {
        "finished": None,
        "failure": None,
        "stopped": "",
        "checkpoint": None,
        "limit": max(state.limit, len(state.iterations) + 1),
        "feedback": (*state.feedback, Feedback(id=f"F{len(state.feedback) + 1}", text=body.text)),
        "history": state.history.appended(message(event, body.text)),
    }


def _stopped(state: SessionState, _event: Event, body: say.SessionStopped) -> dict[str, Any]:
    stopped: dict[str, Any] = {"stopped": body.reason or "stopped"}
    return stopped | (without_approvals(state) if body.asks_again else {})


def _finished(_state: SessionState, _event: Event, body: say.SessionFinished) -> dict[str, Any]:
    return {"finished": body, "ending": "", "checkpoint": None, "current": None}


def _forked(state: SessionState, event: Event, body: say.SessionForked) -> dict[str, Any]:
    """Go on as a session of its own: nothing that was approved before, and nothing that was under way, goes on."""
    return {
        "written_as": writer(event),
        "name": body.name,
        "forked": body,
        "private": state.private or body.private,
        **without_approvals(state),
        "chosen": "",
        "ending": "",
        "ending_reason": "",
        "finished": None,
        "failure": None,
        "stopped": "",
        "pending": None,
        "rating": None,
        "outcome": None,
        "way": state.way.left(),
    }


def _privacy_changed(_state: SessionState, _event: Event, body: say.PrivacyChanged) -> dict[str, Any]:
    return {"private": body.private}


def _rating_given(_state: SessionState, _event: Event, body: say.RatingGiven) -> dict[str, Any]:
    return {"rating": body}


def _outcome_logged(_state: SessionState, _event: Event, body: say.OutcomeLogged) -> dict[str, Any]:
    return {"outcome": body}


def _content_forgotten(_state: SessionState, _event: Event, _body: say.ContentForgotten) -> dict[str, Any]:
    return {}


def _unknown(_state: SessionState, _event: Event, _body: say.Unknown) -> dict[str, Any]:
    return {}


FOLDS: Folds = {
    say.SessionResumed: _resumed,
    say.SessionRenamed: _renamed,
    say.SessionReopened: _reopened,
    say.SessionStopped: _stopped,
    say.SessionFinished: _finished,
    say.SessionForked: _forked,
    say.PrivacyChanged: _privacy_changed,
    say.RatingGiven: _rating_given,
    say.OutcomeLogged: _outcome_logged,
    say.ContentForgotten: _content_forgotten,
    say.Unknown: _unknown,
}
