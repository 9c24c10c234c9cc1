"""Learning from the sessions of a workspace: cases, read once and cached; patterns; lessons and what was decided.

session logs ─▶ Catalogue, cache/learning.json ─▶ Case … ─┬▶ analyze_learning_patterns ─▶ Learned
stream of decisions ──────────────────────────────────────┴▶ Standing …
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from workbench.bootstrap.parts import Parts
from workbench.domain.errors import NotFound, UsageError
from workbench.domain.log.envelope import Event
from workbench.domain.session.events import Lesson
from workbench.domain.session.session import SessionState, fold
from workbench.domain.shared.events import LessonAccepted
from workbench.planning.learning.cases import Case, case_of
from workbench.planning.learning.lessons import Deciding, LessonLog, Standing, decision, fitting, standings
from workbench.planning.learning.patterns import Learned, analyze_learning_patterns
from workbench.planning.memory.recalling import LESSON, mark_item
from workbench.planning.trust.consents import lesson_consent
from workbench.storage.catalogue import Catalogue

_NOT_YOURS = "It was accepted in this folder, but not by you on this machine: it acts once you accept it."
_CASES = "3"
"""Raised when ``Case`` says something else, so that caches of older ones are made again."""
_decode = msgspec.json.Decoder(Case | None).decode


class Learning:
    """What the sessions of a workspace teach. It reads files: call it off the event loop."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._log = LessonLog(
            parts.backend.shared_log(durable=True), person=parts.person, workspace=parts.backend.id, now=parts.now
        )
        self.waiting = 0
        """Lessons that fitted the goal asked about last and that only somebody else accepted."""

    def cases(self) -> list[Case]:
        """Return what each session teaches, the oldest first; one that cannot be read teaches nothing."""
        catalogue: Catalogue[Any] = Catalogue(
            self._parts.backend.log(),
            self._parts.folder.cache / "learning.json",
            _Folding().summarised,
            version=_CASES,
            accept=_decode,
            seal=self._parts.seal,
            files=self._parts.folder.files,
        )
        cases = (entry.summary for entry in catalogue.entries() if entry.summary is not None)
        return sorted(cases, key=lambda case: (case.created, case.session))

    def learned(self) -> Learned:
        """Return the patterns over all sessions that are not private."""
        return analyze_learning_patterns(self.cases())

    def lessons(self) -> tuple[Standing, ...]:
        """Return every lesson, proposed or decided about."""
        cases = self.cases()
        return self._with_consent(standings(self._log.events(), cases, analyze_learning_patterns(cases)))

    def decide(self, lesson: str, deciding: Deciding, text: str = "") -> Standing:
        """Record what a person decided about a lesson, and return it. Raises NotFound, UsageError, LogError."""
        decided = decision(self._find_lesson(lesson), deciding, text)
        if isinstance(decided, LessonAccepted):
            self._parts.consents.give(lesson_consent(decided.lesson))
        self._log.record(decided)
        return self._find_lesson(lesson)

    def _with_consent(self, found: Sequence[Standing]) -> tuple[Standing, ...]:
        """Return lessons as they are for this person: what only somebody else accepted is proposed."""
        return tuple(
            replace(one, status="proposed", note=_NOT_YOURS)
            if one.status == "accepted" and not self._parts.consents.has(lesson_consent(one.lesson))
            else one
            for one in found
        )

    def refuse_here(self, lesson: str, session: str) -> None:
        """Keep a lesson out of one session from now on. Raises NotFound, UsageError."""
        log = self._parts.open_log(self._parts.known(session))
        found = next((one for one in log.state.lessons if one.id.casefold() == f"{LESSON}{lesson}".casefold()), None)
        if found is None:
            raise UsageError(f"{session} was given no lesson {lesson!r}.", f"See `workbench context {session}`.")
        mark_item(log, found.session, found.id, "excluded")

    def _find_lesson(self, lesson: str) -> Standing:
        found = next((one for one in self.lessons() if one.id.casefold() == lesson.casefold()), None)
        if found is None:
            raise NotFound(f"There is no lesson {lesson!r}.", "See `workbench lessons`.")
        return found

    def fitting(self, goal: str) -> tuple[Lesson, ...]:
        """Return what a session with this goal is given. Nothing but the decisions is read if there are none."""
        events = self._log.events()
        if not events:
            return ()
        cases = self.cases()
        found = standings(events, cases, analyze_learning_patterns(()))
        given = fitting(self._with_consent(found), cases, goal)
        self.waiting = len(fitting(found, cases, goal)) - len(given)
        return given


class _Folding:
    """Folds the sessions that a catalogue reads, one after another, each from its first event."""

    def __init__(self) -> None:
        self._state: SessionState | None = None

    def summarised(self, _before: Mapping[str, Any] | None, events: Sequence[Event]) -> dict[str, Any]:
        """Return the case behind a portion of a session's events.

        Raises ValueError if what comes before them is not known: the catalogue then reads the session whole.
        """
        if events[0].seq == 1:
            self._state = None
        elif self._state is None or self._state.seq + 1 != events[0].seq or self._state.session != events[0].session:
            raise ValueError("the beginning of the session is not known")
        self._state = fold(events, self._state)
        case: dict[str, Any] = msgspec.to_builtins(case_of(self._state))
        return case
