"""Plans of other programs that are reviewed: submissions, notes on their lines, decisions, answers.

Of what a file from elsewhere may have twice, or about nothing, the first counts.
"""

from __future__ import annotations

from msgspec.structs import replace

from workbench.domain.log.envelope import Event
from workbench.domain.session import events as say
from workbench.domain.session.folding.folds import Folds
from workbench.domain.session.state import LineNote, SessionState, Submission

folds: Folds[SessionState] = Folds()


@folds.of(say.PlanSubmitted)
def _plan_submitted(state: SessionState, event: Event, body: say.PlanSubmitted) -> SessionState:
    number = len(state.submissions) + 1
    submitted = Submission(version=number, text=body.text, agent=body.agent, time=event.time)
    return replace(state, submissions=(*state.submissions, submitted))


@folds.of(say.PlanSeen)
def _plan_seen(state: SessionState, _event: Event, body: say.PlanSeen) -> SessionState:
    return replace(state, looked_at=max(state.looked_at, min(body.version, len(state.submissions))))


@folds.of(say.NoteWritten)
def _note_written(state: SessionState, event: Event, body: say.NoteWritten) -> SessionState:
    notes = {note.id: note for note in state.notes}
    if body.note in notes and notes[body.note].answered:
        return state
    notes[body.note] = LineNote(
        id=body.note, version=body.version, first=body.first, last=body.last, text=body.text, time=event.time
    )
    return replace(state, notes=tuple(notes.values()))


@folds.of(say.SubmissionDecided)
def _submission_decided(state: SessionState, _event: Event, body: say.SubmissionDecided) -> SessionState:
    newest = state.submissions[-1] if state.submissions else None
    if newest is None or newest.version != body.version or newest.decided is not None:
        return state
    return replace(state, submissions=(*state.submissions[:-1], replace(newest, decided=body)))


@folds.of(say.AnswerDelivered)
def _answer_delivered(state: SessionState, _event: Event, body: say.AnswerDelivered) -> SessionState:
    submissions = {submission.version: submission for submission in state.submissions}
    given = submissions.get(body.version)
    if given is None or given.decided is None:
        return state
    submissions[body.version] = replace(given, is_delivered=True)
    sent = given.decided.notes
    notes = (replace(one, answered=body.version) if one.id in sent and not one.answered else one for one in state.notes)
    return replace(state, submissions=tuple(submissions.values()), notes=tuple(notes))
