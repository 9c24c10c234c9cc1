"""A plan of another program is submitted, noted on, and decided about; each is recorded once, whoever comes first.

program ─▶ plan.submitted ─▶ person: note.written … submission.decided ─▶ program ─▶ answer.delivered
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from workbench.domain.errors import StaleHead, UsageError
from workbench.domain.review.answer import Decision, answer, open_notes, submitted, version_of
from workbench.domain.review.lines import MOST_LINES, MOST_OF_A_PLAN
from workbench.domain.session import events as say
from workbench.domain.session.state import SessionState, Submission
from workbench.domain.text.cleaning import clean
from workbench.domain.text.outline import Document
from workbench.planning.session_log import SessionLog
from workbench.planning.trust.person import agent_around


def check_submission(text: str) -> None:
    """Raise UsageError for what is not a plan to review: nothing, too much, or no text."""
    if not text.strip():
        raise UsageError("The plan is empty.", "Give its text.")
    if len(text) > MOST_OF_A_PLAN or text.count("\n") >= MOST_LINES:
        most = f"{MOST_OF_A_PLAN:,} characters and {MOST_LINES:,} lines"
        raise UsageError("The plan is too long to review.", f"{most} are the most: give a part of it.")


def submit(log: SessionLog, text: str, agent: str, *, waits: bool) -> Submission:
    """Record a plan as the next version. Raises UsageError as ``check_submission``.

    The same text again is a version only if somebody waits for the decision.
    """
    check_submission(text)

    def wanted(state: SessionState) -> list[say.PlanSubmitted]:
        is_known = bool(state.submissions) and state.submissions[-1].text == text and not waits
        return [] if is_known else [say.PlanSubmitted(text=text, agent=agent, waits=waits)]

    _record(log, wanted, actor=agent or "person")
    return log.state.submissions[-1]


def look(log: SessionLog, version: int) -> None:
    """Record that a person looked at a version; what is shown in the shell of an agent is no look of theirs."""
    if not agent_around():
        _record(log, lambda state: [say.PlanSeen(version=version)] if state.looked_at < version else [])


def check_takes_notes(state: SessionState) -> None:
    """Raise UsageError if the newest version was approved: no answer would have a note."""
    if (decided := submitted(state, len(state.submissions)).decided) is not None and decided.decision == "approved":
        raise UsageError(
            "Notes cannot be added to an approved plan.", "Add the note to the next version, when there is one."
        )


def check_lines(version: Document, first: int, last: int) -> None:
    """Raise UsageError for lines that a plan has not, or that have no words."""
    if not 0 <= first <= last <= len(version.lines):
        which = f"is no line {first}" if first == last else f"are no lines {first}–{last}"
        raise UsageError(f"There {which}.", f"The last line is {len(version.lines)}.")
    if first and not "".join(version.lines[first - 1 : last]).strip():
        raise UsageError(f"Line {first} is empty.", "Add the note to the line beside it, or to the section.")


def write_notes(
    log: SessionLog, version: int, notes: Sequence[tuple[int, int, str]], *, anew: str = ""
) -> tuple[str, ...]:
    """Record notes on lines, all of them or none; return their names. Raises UsageError.

    ``again``: the note that this one replaces; it was not sent yet, and "" takes it back.
    """
    names: list[str] = []

    def written(state: SessionState) -> list[say.NoteWritten]:
        of, known = version_of(state, version), len(state.notes)
        check_takes_notes(state)
        if anew and all(note.id != anew for note in open_notes(state)):
            raise UsageError(f"There is no note {anew[:20]} that can be changed.", "What was sent stays as it is.")
        names[:] = [anew or f"N{known + number}" for number in range(1, len(notes) + 1)]
        bodies = []
        for name, (first, last, text) in zip(names, notes, strict=True):
            check_lines(of, first, last)
            wish = clean(text).strip()
            if not (wish or anew):
                raise UsageError("A note is empty.", "Say what should change.")
            bodies.append(say.NoteWritten(note=name, version=version, first=first, last=last, text=wish))
        return bodies

    _record(log, written)
    return tuple(names)


def decide(log: SessionLog, version: int, decision: Decision) -> str:
    """Record what a person decided about the newest version, with all their notes that were not sent.

    Return what its program is told. Raises UsageError if it was decided about already, or is not the newest.
    """
    told = ""

    def decided(state: SessionState) -> list[say.SubmissionDecided]:
        nonlocal told
        one, notes = submitted(state, version), open_notes(state)
        if one.decided is not None:
            raise UsageError(f"Version {version} was {one.decided.decision} already.", "Wait for the next one.")
        if one is not state.submissions[-1]:
            raise UsageError(f"Version {version} is not the newest.", f"Look at version {len(state.submissions)}.")
        told = answer(state, version, decision, notes)
        names = tuple(note.id for note in notes)
        return [say.SubmissionDecided(version=version, decision=decision, notes=names, answer=told)]

    _record(log, decided)
    return told


def decide_here(log: SessionLog, version: int, decision: Decision) -> tuple[str, bool]:
    """Decide about a version that is looked at with that; return the answer, and whether a program waits for it.

    Where none does, the answer is delivered to whoever decided.
    """
    waits = log.is_driven
    told = decide(log, version, decision)
    look(log, version)
    if not waits:
        deliver(log, version)
    return told, waits


def deliver(log: SessionLog, version: int) -> None:
    """Record that the answer to a version was given to its program."""

    def delivered(state: SessionState) -> list[say.AnswerDelivered]:
        return [] if submitted(state, version).is_delivered else [say.AnswerDelivered(version=version)]

    _record(log, delivered, actor="workbench")


def _record(log: SessionLog, asked: Callable[[SessionState], Sequence[say.Body]], *, actor: str = "person") -> None:
    """Record what a state asks for, asked again if somebody else came first."""
    while True:
        state = log.refresh()
        with suppress(StaleHead):
            if bodies := asked(state):
                log.record(bodies, actor=actor, origin="given", seen=state)
            return
