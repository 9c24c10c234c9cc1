"""A session as a whole: how it begins, stops, ends, becomes another one, and what a person says of it."""

from __future__ import annotations

from msgspec.structs import replace

from workbench.domain.errors import LogDamaged
from workbench.domain.log import rules
from workbench.domain.log.envelope import Event
from workbench.domain.log.growing import Growing
from workbench.domain.loop.asking.tasks import Feedback
from workbench.domain.session import events as say
from workbench.domain.session.folding.folds import Folds, message, writer
from workbench.domain.session.folding.rewinding import with_point, without_approvals
from workbench.domain.session.state import SessionState, Verdict
from workbench.domain.values.calendar_words import plannable_day

folds: Folds[SessionState] = Folds()


def created(event: Event, body: say.SessionCreated) -> SessionState:
    """Return the state that a session begins with. Raises LogDamaged if its day is none, LogTooNew."""
    _check_day(event, body.today)
    return SessionState(
        session=event.session,
        written_as=writer(event),
        goal=body.goal,
        name=body.name,
        today=body.today,
        first_day=body.today,
        options=body.options,
        person=event.person,
        workspace=event.workspace,
        created=event.time,
        first_hash=event.hash,
        updated=event.time,
        seq=event.seq,
        trigger=event.id,
        turn=event.turn,
        rules=rules.extended((), event.id, body.rules),
        limit=body.options.max_iterations,
        bounds=body.options.bounds,
        private=body.options.private,
        recall=body.options.recall,
        sharing=body.options.shared,
        history=Growing([message(event, body.goal)]),
    )


def _check_day(event: Event, day: str) -> None:
    if plannable_day(day) is None:
        raise LogDamaged(
            f"Event {event.id} was recorded on {day!r}, which is no date of a plan.",
            "Restore the file from a copy, or delete the session.",
        )


@folds.of(say.DayBegun)
def _day_begun(state: SessionState, event: Event, body: say.DayBegun) -> SessionState:
    _check_day(event, body.today)
    return replace(state, today=body.today)


@folds.of(say.SessionResumed)
def _resumed(state: SessionState, event: Event, body: say.SessionResumed) -> SessionState:
    in_force = rules.extended(state.rules, event.id, body.rules)
    options = state.options
    if body.model:
        named = {name: getattr(body, name) for name in ("model", "base_url", "server_from_settings")}
        options = replace(options, **named)
    options = options if body.roles is None else replace(options, roles=body.roles)
    sharing = state.sharing if body.shared is None else body.shared
    if state.gate is not None and state.gate.kind == "failure":
        received = None if body.model else state.received  # another model is asked again, too, where a prompt was cut
        state = replace(state, gate=None, gate_event="", received=received)  # to resume is to ask again
    return replace(state, rules=in_force, failure=None, stopped="", sharing=sharing, options=options)


@folds.of(say.SessionReopened)
def _reopened(state: SessionState, event: Event, body: say.SessionReopened) -> SessionState:
    way, points = with_point(state)
    return replace(
        state,
        way=way,
        points=points,
        finished=None,
        failure=None,
        stopped="",
        checkpoint=None,
        limit=max(state.limit, len(state.iterations) + 1),
        known_before=(len(state.statements), len(state.settled)),
        feedback=(*state.feedback, Feedback(id=f"F{len(state.feedback) + 1}", text=body.text)),
        history=state.history.appended(message(event, body.text)),
    )


@folds.of(say.SessionStopped)
def _stopped(state: SessionState, _event: Event, body: say.SessionStopped) -> SessionState:
    stopped = replace(state, stopped=body.reason or "stopped")
    return without_approvals(stopped) if body.asks_again else stopped


@folds.of(say.SessionFinished)
def _finished(state: SessionState, _event: Event, body: say.SessionFinished) -> SessionState:
    return replace(state, finished=body, ending="", checkpoint=None, current=None)


@folds.of(say.SessionForked)
def _forked(state: SessionState, event: Event, body: say.SessionForked) -> SessionState:
    """Go on as a session of its own: nothing that was approved before, and nothing that was under way, goes on."""
    return replace(
        without_approvals(state),
        written_as=writer(event),
        rules=rules.extended(state.rules, event.id, body.rules),
        name=body.name,
        forked=body,
        private=state.private or body.private,
        chosen="",
        ending="",
        ending_reason="",
        wanted=(),
        last_look="",
        finished=None,
        failure=None,
        stopped="",
        pending=None,
        rating=None,
        outcome=None,
        verdicts=(),
        way=state.way.left(),
    )


folds.of(say.SessionRenamed)(lambda state, _event, body: replace(state, name=body.name))
folds.of(say.PrivacyChanged)(lambda state, _event, body: replace(state, private=body.private))


def _verdict(event: Event, body: say.RatingGiven | say.OutcomeLogged) -> Verdict:
    return Verdict(id=event.id, time=event.time, body=body)


@folds.of(say.RatingGiven)
def _rated(state: SessionState, event: Event, body: say.RatingGiven) -> SessionState:
    rating = state.rating if body.round else body
    return replace(state, rating=rating, verdicts=(*state.verdicts, _verdict(event, body)))


@folds.of(say.OutcomeLogged)
def _outcome_logged(state: SessionState, event: Event, body: say.OutcomeLogged) -> SessionState:
    return replace(state, outcome=body, verdicts=(*state.verdicts, _verdict(event, body)))
