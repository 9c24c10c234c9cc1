"""Lessons: proposed from what people wrote and from patterns, accepted by a person, given to sessions that they fit.

    Case …, Learned ─▶ proposed ─┐
    decisions of a person ───────┼─▶ standings ─▶ Standing … ─▶ fitting(goal) ─▶ lessons.given
    Case … of those given them ──┘      └ accepted, and misled twice: set aside

Pure but for ``LessonLog``, which keeps the decisions. What is only proposed is computed again each time and stands
nowhere else.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Literal

import msgspec
from msgspec.structs import replace

from workbench.domain.errors import LogDamaged, NotFound, StaleHead, UsageError
from workbench.domain.log.envelope import Event, Turn
from workbench.domain.log.ids import SessionId
from workbench.domain.session.events import Lesson
from workbench.domain.session.forgetting import MARK
from workbench.domain.shared import events as say
from workbench.domain.statements.splitting import split
from workbench.domain.text.cleaning import clean_name, shorten
from workbench.domain.text.words import stem_set, stems
from workbench.planning.learning.cases import Case
from workbench.planning.learning.patterns import Learned, Pattern
from workbench.planning.memory.recalling import LESSON
from workbench.sharing.shared_context import LESSONS
from workbench.storage.ports import EventLog

MOST_GIVEN = 10
"""Lessons that a session is given."""
MOST_MISLED = 2
"""Sessions that fared badly with a lesson until it is set aside, unless it helped more often."""
_FAR_OFF = 1.5
"""Real days by likely ones, or the other way round, from which a kind of step is to be estimated otherwise."""
_LONGEST = 500
"""Characters of a lesson."""
_SHARED_WORDS = 1 / 3
"""Share of the telling words of a goal, or of the lesson, that fit the goal of another session."""
Status = Literal["proposed", "accepted", "refused", "retired", "set aside"]
Deciding = Literal["accept", "reword", "refuse", "retire"]


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """A lesson, what was decided about it, and whether it helped."""

    id: str
    """As it is named on the command line."""
    text: str
    because: str
    """What it rests on, and on how many notes or sessions."""
    status: Status
    since: str = ""
    """When that was decided: UTC, ISO 8601; "" for what is proposed."""
    used: int = 0
    """Sessions that were given it since, and did not refuse it."""
    helped: int = 0
    """Those of them that fared well."""
    misled: int = 0
    """Those of them that fared badly."""
    note: str = ""
    """Why it is set aside; "" if it is not."""
    lesson: Lesson


# --- proposed ---------------------------------------------------------------------------------------------------------


def proposed(cases: Iterable[Case], learned: Learned) -> Iterator[Lesson]:
    """Yield what notes and patterns teach, each text once, with all that it rests on."""
    by_text: defaultdict[str, list[Lesson]] = defaultdict(list)
    for one in _of_notes(cases):
        by_text[one.text.casefold()].append(one)
    for same in by_text.values():
        notes = "one note" if len(same) == 1 else f"{len(same)} notes"
        covers = tuple(dict.fromkeys(event for one in same for event in one.covers))
        yield replace(same[0], why=f"{same[0].why}; it rests on {notes}", covers=covers)
    for pattern in learned.patterns:
        text = _taught_by(pattern)
        if text and text.casefold() not in by_text:
            why = f"{pattern.text} It rests on {pattern.cases} cases"
            yield _lesson(
                f"P{_digest(f'{pattern.kind} {pattern.subject.casefold()}')}", pattern.sessions[-1], text, why
            )


def _of_notes(cases: Iterable[Case]) -> Iterator[Lesson]:
    for case in cases:
        for note in () if case.private else case.notes:
            is_step = note.said_of == "forgotten"
            for number, said in enumerate(_parts(note.text)):
                name = f"L{_digest(f'{note.event} {number} {is_step and note.text}')}"
                why = f"{note.said_of} in {case.session}: “{shorten(said, 200)}”"
                lesson = _lesson(name, case.session, as_lesson(said, is_step=is_step), why)
                yield replace(lesson, time=note.time, covers=(note.event,))


def _lesson(name: str, session: str, text: str, why: str) -> Lesson:
    return Lesson(
        id=f"{LESSON}{name}", session=session, role="artefact", agent=None, time="", text=text, score=0.0, why=why
    )


def _digest(evidence: str) -> str:
    return hashlib.sha256(evidence.encode(errors="replace")).hexdigest()[:6]


def _taught_by(pattern: Pattern) -> str:
    match pattern.kind:
        case "feedback":
            return pattern.subject
        case "effort" if not 1 / _FAR_OFF < pattern.value < _FAR_OFF:
            return f"Estimate steps that begin with “{pattern.subject}” at {pattern.value:.1f} times the likely days."
        case _:
            return ""


def _parts(text: str) -> list[str]:
    spans = split(text)
    parts = (" ".join(text[start:end].split()).strip(" ;-•*") for start, end in spans)
    return [part for part in parts if part and part != MARK]


def as_lesson(said: str, *, is_step: bool = False) -> str:
    """Return what was written of a plan, in the person's words.

    ``is_step``: it names what was forgotten, and nothing besides.
    """
    words = shorten(" ".join(said.split()), _LONGEST)
    return f"Include a step: {words}" if is_step else words


# --- decided ----------------------------------------------------------------------------------------------------------


def standings(events: Iterable[Event], cases: Sequence[Case], learned: Learned) -> tuple[Standing, ...]:
    """Return every lesson, what was decided first. An event that says nothing of a lesson has no effect."""
    decided: dict[str, Standing] = {}
    for event in events:
        with suppress(LogDamaged):
            body = say.content(event)
            if isinstance(body, say.LessonAccepted | say.LessonRefused | say.LessonRetired):
                decided[body.lesson.id] = _standing_after(event, body, cases)
    known = {*decided, *(one.lesson.text.casefold() for one in decided.values())}
    new = (one for one in proposed(cases, learned) if known.isdisjoint((one.id, one.text.casefold())))
    return (*decided.values(), *(_standing(one, "proposed") for one in new))


def _standing_after(event: Event, body: say.Decision, cases: Sequence[Case]) -> Standing:
    lesson = body.lesson
    if isinstance(body, say.LessonRefused):
        return _standing(lesson, "refused", event.time)
    given = [case for case in cases if lesson.id in case.lessons and case.created >= event.time]
    helped, misled = (sum(case.fared == how for case in given) for how in ("well", "badly"))
    standing = _standing(lesson, "retired" if isinstance(body, say.LessonRetired) else "accepted", event.time)
    standing = replace(standing, used=len(given), helped=helped, misled=misled)
    if standing.status == "accepted" and misled >= max(MOST_MISLED, helped):
        names = [f"{case.session} ({_judged(case)})" for case in given if case.fared == "badly"]
        note = f"{len(names)} sessions that were given it fared badly: {', '.join(names)}"
        return replace(standing, status="set aside", note=note)
    return standing


def _judged(case: Case) -> str:
    return f"outcome {case.outcome}" if case.outcome else f"rated {case.stars}"


def _standing(lesson: Lesson, status: Status, since: str = "") -> Standing:
    name = lesson.id.removeprefix(LESSON)
    return Standing(id=name, text=lesson.text, because=lesson.why, status=status, since=since, lesson=lesson)


def decision(standing: Standing, deciding: Deciding, text: str = "") -> say.Decision:
    """Return a decision about a lesson as it is recorded. Raises UsageError for one that cannot be made."""
    match deciding:
        case "accept":
            return say.LessonAccepted(lesson=standing.lesson)
        case "reword":
            words = shorten(clean_name(text, _LONGEST), _LONGEST)
            if not words:
                raise UsageError("The lesson is empty.", "Give it in your own words.")
            return say.LessonAccepted(lesson=replace(standing.lesson, text=words))
        case "retire" if standing.status not in ("accepted", "set aside"):
            raise UsageError(f"{standing.id} is {standing.status}: only what was accepted is retired.", "Refuse it.")
        case "retire":
            return say.LessonRetired(lesson=standing.lesson)
        case _:
            return say.LessonRefused(lesson=standing.lesson)


def fitting(standings: Iterable[Standing], cases: Iterable[Case], goal: str) -> tuple[Lesson, ...]:
    """Return the accepted lessons that a session with this goal is given, the nearest first.

    A pattern fits every goal; what rests on notes fits where goals, or goal and lesson, have telling words in common.
    None rests on a private session, and none says that it was forgotten.
    """
    known = {case.session: case for case in cases}
    words = frozenset(stems(goal))
    near: list[tuple[float, Lesson]] = []
    for one in standings:
        source = known.get(one.lesson.session)
        if one.status != "accepted" or MARK in one.text or (source is not None and source.private):
            continue
        nearness = max(_nearness(words, source.goal if source else ""), _nearness(words, one.text))
        if one.id.startswith("P") or nearness >= _SHARED_WORDS:
            near.append((nearness, one.lesson))
    return tuple(lesson for _, lesson in sorted(near, key=lambda one: (-one[0], one[1].id))[:MOST_GIVEN])


def _nearness(words: frozenset[str], text: str) -> float:
    """Return the share of telling words that a goal has in common with a text; one alone counts if it is all."""
    mine, other = words - _SAYS_NOTHING, frozenset(stems(text)) - _SAYS_NOTHING
    mine, other = (frozenset(word for word in one if word.isalpha()) for one in (mine, other))
    common, least = len(mine & other), min(len(mine), len(other))
    return common / least if common >= min(2, max(least, 1)) else 0.0


_SAYS_NOTHING = stem_set(
    "include step add plan january february march april june july august september october november december"
)
"""Stems that do not say what a goal or a lesson is about."""


# --- kept -------------------------------------------------------------------------------------------------------------


class LessonLog:
    """What persons decided about lessons, in a stream of the workspace beside the shared one.

    Synchronous: call it off the event loop.
    """

    def __init__(self, log: EventLog, *, person: str, workspace: str, now: Callable[[], str]) -> None:
        """Use the log of what sessions share; it need not hold the stream. ``now``: the time as events carry it."""
        self._log = log
        self._person = person
        self._workspace = workspace
        self._now = now

    def events(self) -> tuple[Event, ...]:
        """Return all decisions, the oldest first. Raises LogError."""
        try:
            return tuple(self._log.read(LESSONS))
        except NotFound:
            return ()

    def record(self, body: say.Decision) -> None:
        """Append a decision; of two about one lesson, the later one holds. Raises LogError, UsageError."""
        turn = Turn(session=SessionId(body.lesson.session), person=self._person, workspace=self._workspace)
        now = self._now()
        draft = say.draft(
            replace(body, lesson=replace(body.lesson, time=body.lesson.time or now)), turn, actor="person", time=now
        )
        try:
            self._log.append(LESSONS, [draft], expected=None)
        except NotFound:
            with suppress(StaleHead):
                self._log.append(LESSONS, [draft], expected=0)
                return
            self._log.append(LESSONS, [draft], expected=None)  # another process began the stream
