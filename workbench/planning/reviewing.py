"""A plan of another program is submitted, noted on, and decided about; each is recorded once, whoever comes first.

program ─▶ plan.submitted ─▶ person: note.written … submission.decided ─▶ program ─▶ answer.delivered
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from workbench.domain.errors import StaleHead, UsageError
from workbench.domain.review.answer import LONGEST_NOTE, MOST_NOTES, Decision, answer, open_notes
from workbench.domain.review.lines import MOST_LINES, MOST_OF_A_PLAN
from workbench.domain.session import events as say
from workbench.domain.session.state import SessionState, Submission
from workbench.domain.text.cleaning import clean
from workbench.domain.text.outline import Document, document
from workbench.planning.session_log import SessionLog


def check_submission(text: str) -> None:
    """Raise UsageError for what is no plan to review: nothing, too much, or no text."""
    if not text.strip():
        raise UsageError("The plan is empty.", "Give its text.")
    if len(text) > MOST_OF_A_PLAN or text.count("\n") >= MOST_LINES:
        most = f"{MOST_OF_A_PLAN:,} characters and {MOST_LINES:,} lines"
        raise UsageError("The plan is too long to review.", f"{most} are the most: give a part of it.")


def submit(log: SessionLog, text: str, agent: str, *, waits: bool) -> Submission:
    """Record a plan as the next version. Raises UsageError as ``check_submission``.

    The same text again is a version only where somebody waits for the decision.
    """
    check_submission(text)

    def submitted(state: SessionState) -> say.PlanSubmitted | None:
        is_known = bool(state.submissions) and state.submissions[-1].text == text and not waits
        return None if is_known else say.PlanSubmitted(text=text, agent=agent, waits=waits)

    return _record(log, submitted, actor=agent or "person").submissions[-1]


def look(log: SessionLog, version: int) -> None:
    """Record that a person looked at a version."""
    _record(log, lambda state: say.PlanSeen(version=version) if state.looked_at < version else None)


def check_lines(version: Document, first: int, last: int) -> None:
    """Raise UsageError for lines that a plan has not, or that have no words."""
    if not 0 <= first <= last <= len(version.lines):
        which = f"is no line {first}" if first == last else f"are no lines {first}–{last}"
        raise UsageError(f"There {which}.", f"The last line is {len(version.lines)}.")
    if first and not "".join(version.lines[first - 1 : last]).strip():
        raise UsageError(f"Line {first} is empty.", "Note on the line beside it, or on the section.")


def write_note(log: SessionLog, version: int, first: int, last: int, text: str, *, note: str = "") -> str:
    """Record a note on lines, or change one that was not sent; "" takes it back. Return its name. Raises UsageError."""
    text = clean(text).strip()
    if len(text) > LONGEST_NOTE:
        raise UsageError(f"A note has {LONGEST_NOTE:,} characters at most.", "Write several.")

    def written(state: SessionState) -> say.NoteWritten:
        nonlocal note
        known = [one.id for one in state.notes]
        check_lines(document(_submission(state, version).text), first, last)
        if note and all(one.id != note for one in open_notes(state)):
            raise UsageError(f"There is no note {note[:20]} that can be changed.", "What was sent stays as it is.")
        if not note and not text:
            raise UsageError("The note is empty.", "Say what should change.")
        if not note and len(known) >= MOST_NOTES:
            raise UsageError(f"A review has {MOST_NOTES} notes at most.", "Send them.")
        name = note or f"N{len(known) + 1}"
        return say.NoteWritten(note=name, version=version, first=first, last=last, text=text)

    state = _record(log, written)
    return note or state.notes[-1].id


def write_notes(log: SessionLog, version: int, notes: Sequence[tuple[int, int, str]]) -> list[str]:
    """Record notes on lines, all of them or none; return their names. Raises UsageError."""
    if len(log.refresh().notes) + len(notes) > MOST_NOTES or any(len(text) > LONGEST_NOTE for _, _, text in notes):
        most = f"A review has {MOST_NOTES} notes at most, each with {LONGEST_NOTE:,} characters."
        raise UsageError("These are too many notes, or too long ones: none was kept.", most)
    if not all(text.strip() for _, _, text in notes):
        raise UsageError("A note is empty: none was kept.", "Say what should change.")
    return [write_note(log, version, first, last, text) for first, last, text in notes]


def decide(log: SessionLog, version: int, decision: Decision) -> Submission:
    """Record what a person decided about the newest version, with all their notes that were not sent.

    Raises UsageError where it was decided about already, or is not the newest any more.
    """

    def decided(state: SessionState) -> say.SubmissionDecided:
        one = _submission(state, version)
        if one.decided is not None:
            raise UsageError(f"Version {version} was {one.decided.decision} already.", "Wait for the next one.")
        if one is not state.submissions[-1]:
            raise UsageError(f"Version {version} is not the newest.", f"Look at version {len(state.submissions)}.")
        notes, known = open_notes(state), dict[int, Document]()
        for note in notes:
            known.setdefault(note.version, document(_submission(state, note.version).text))
        told = answer(one, decision, [(note, known[note.version]) for note in notes])
        names = tuple(note.id for note in notes)
        return say.SubmissionDecided(version=version, decision=decision, notes=names, answer=told)

    return _record(log, decided).submissions[version - 1]


def deliver(log: SessionLog, version: int) -> None:
    """Record that the answer to a version was given to its program."""
    _record(
        log,
        lambda state: None if _submission(state, version).is_delivered else say.AnswerDelivered(version=version),
        actor="workbench",
    )


def _submission(state: SessionState, version: int) -> Submission:
    if not 1 <= version <= len(state.submissions):
        raise UsageError(f"There is no version {version}.", f"The newest is {len(state.submissions)}.")
    return state.submissions[version - 1]


def _record(log: SessionLog, body: Callable[[SessionState], say.Body | None], *, actor: str = "person") -> SessionState:
    """Record what a state asks for, asked again where somebody else came first; return the state after it."""
    while True:
        state = log.refresh()
        wanted = body(state)
        if wanted is None:
            return state
        try:
            log.record([wanted], actor=actor, origin="given", seen=state)
        except StaleHead:
            continue
        return log.state
