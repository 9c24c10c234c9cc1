"""The ledger of a call, entry by entry: whether it may be there, whether it is true, and whether all adds up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct

from workbench.domain.session import events as say
from workbench.domain.session.context import Considered, SentContext
from workbench.domain.text.cleaning import shorten
from workbench.replay.audit.prompt import LEFT_OUT, NOTE, Quotation
from workbench.replay.audit.record import FILE, LESSON, PRACTICE, REPORT, SHARED, File, Record

Broken = tuple[str, str]
"""A rule's name, and what is wrong."""

_PLANNING = frozenset({"propose", "plan"})
_QUOTING = _PLANNING | {"chat"}
FRAME, _LABEL = 4, 24
"""Tokens of a message's borders, and of the label of what is quoted."""


class _Known(NamedTuple):
    """What the log says of an entry."""

    text: str
    role: str
    agent: str | None = None
    time: str = ""
    rank: int | None = None
    """Its place among its kind; None if only a search, which is not repeated here, could say."""
    reason: str = ""


class LedgerCheck(Struct, frozen=True):
    """One call's ledger, beside the record up to that call."""

    record: Record
    call: say.CallStarted
    context: SentContext

    def shown(self, one: Considered) -> Broken | None:
        """Return the first rule that an entry of this conversation breaks; None if it may be there."""
        source = "summary" if _is_summary(one) else "worker" if _is_report(one) else "session"
        return self._not_of_this_conversation(one) or _mislabelled(one, "parent" if self.call.worker else source)

    def _not_of_this_conversation(self, one: Considered) -> Broken | None:
        if self.is_foreign(one):
            return "scope.session", f"{one.id} is of {one.session}"
        if one.role == "tool":
            return self._not_behind_its_call(one)
        if _is_summary(one):
            summary = self.record.summaries.get(self.call.role)
            if summary is None or summary.id != one.id:
                return "summary.text", f"{one.id} is not the summary that was recorded for {self.call.role}"
            hidden = next((leaf for leaf in summary.covers if self._is_excluded(leaf)), None)
            return ("scope.excluded", f"{one.id} tells of {hidden}, which was excluded") if hidden else None
        if _is_report(one):
            return self._not_reported(one.id)
        return None if one.id == NOTE else self.may_be_said(one.id) or self._behind_its_sending(one.id)

    def _not_behind_its_call(self, one: Considered) -> Broken | None:
        said = self.record.said.get(one.id)
        listed = [entry.id for entry in self.context.conversation]
        before = listed[listed.index(one.id) - 1] if listed.index(one.id) else ""
        if said is None or not said.answers or said.answers != before:
            return "pairs.split", f"{one.id} is a tool's result, and no call of it is in the prompt"
        return self.may_be_said(one.id)

    def _not_reported(self, item: str) -> Broken | None:
        report = self.record.reports.get(item.removeprefix(REPORT))
        is_own = report is not None and report.agent == self.call.role
        return None if is_own else ("scope.agent", f"{item} did not report to {self.call.role}")

    def may_be_covered(self, item: str) -> Broken | None:
        """Return the rule that a message or a report breaks in a summary for this call's role."""
        return self._not_reported(item) if item.startswith(REPORT) else self.may_be_said(item)

    def _behind_its_sending(self, item: str) -> Broken | None:
        """Return what a worker breaks that is shown what was said since it was sent."""
        if not self.call.worker:
            return None
        agent, sent = self.record.sent.get(self.call.worker, ("", 0))
        if agent != self.call.role:
            return "scope.agent", f"{self.call.worker} was not sent by {self.call.role}"
        is_later = self.record.said[item].seq > sent
        return ("scope.session", f"{item} was said after {self.call.worker} was sent") if is_later else None

    def may_be_said(self, item: str) -> Broken | None:
        """Return the rule that a message of this session breaks in a prompt for this call's role."""
        said = self.record.said.get(item)
        if said is None:
            return "scope.session", f"{item} was not said in this session before"
        if said.task:
            return "scope.task", f"{item} is {said.agent}'s reply to {said.task}"
        if said.role in ("assistant", "tool") and said.agent != self.call.role:
            return "scope.agent", f"{item} is a reply of {said.agent or 'nobody that is known'}"
        return ("scope.excluded", f"{item} was excluded") if self._is_excluded(item) else None

    def retrieved(self, one: Considered) -> Broken | None:
        """Return the first rule that an entry of what was recalled breaks; None if it may be there."""
        if one.role == "tool":
            return "pairs.split", f"{one.id} is a tool's result, and no call of it is in the prompt"
        source = self._source(one)
        if (source != "semantic" or self.is_foreign(one)) and self.call.task not in (
            _PLANNING if source == "practice" else _QUOTING
        ):
            name = f"{one.id} of {one.session}" if source == "semantic" else one.id
            return "scope.caller", f"{name} is quoted to {self.call.role}, who is to {self.call.task}"
        if source == "semantic":
            broken = self._not_from_elsewhere(one) if self.is_foreign(one) else self._not_from_here(one)
        else:
            broken = self._not_taught(one) if source == "lesson" else self._not_seen(one)
        return broken or _mislabelled(one, source)

    def _source(self, one: Considered) -> str:
        """Return what something that was recalled has to be called."""
        if is_file(one):
            file = self._file(one)
            return "research" if file is not None and file.found_for else "file"
        if is_practice(one):
            return "practice"
        return "shared" if is_shared(one) else "lesson" if is_lesson(one) else "semantic"

    def _not_from_elsewhere(self, one: Considered) -> Broken | None:
        key, role = (one.session, one.id), self.call.role
        name = f"{one.id} of {one.session}"
        if key in self.record.excluded:
            return "scope.excluded", f"{name} was excluded"
        quoted = self._quoted(one)
        if quoted is None:
            rule = "scope.retrieved" if self.record.recall else "scope.recall"
            return rule, f"{name} was not found for this call, and is not pinned"
        if quoted.role == "assistant" and quoted.agent != role:
            return "scope.agent", f"{name} is a reply of {quoted.agent or 'nobody that is known'}"
        return None

    def _not_taught(self, one: Considered) -> Broken | None:
        if (one.session, one.id) in self.record.excluded:
            return "scope.excluded", f"{one.id} was refused"
        if (one.session, one.id) not in self.record.lessons:
            return "scope.retrieved", f"{one.id} of {one.session} is no lesson that this session was given"
        return None if self.record.recall else ("scope.recall", f"{one.id} is of {one.session}")

    def _not_seen(self, one: Considered) -> Broken | None:
        if any(item == one.id for _, item in self.record.excluded):
            return "scope.excluded", f"{one.id} was excluded"
        if is_file(one):
            return self._not_read(one)
        if is_practice(one):
            is_given = one.id in self.record.practice and not self.is_foreign(one)
            return None if is_given else ("scope.retrieved", f"{one.id} is no practice that this session was given")
        seen = self.record.shared.get(one.id) if self.record.sharing else None
        is_seen = seen is not None and seen.session == (one.session or self.record.session)
        return None if is_seen else ("scope.retrieved", f"{one.id} is not what this session saw in the shared context")

    def _not_read(self, one: Considered) -> Broken | None:
        file = self._file(one)
        if file is None or one.session not in ("", self.record.session):
            return "scope.retrieved", f"{one.id} is not what was read of a file last"
        is_own = file.to in ("", self.call.role)
        return None if is_own else ("scope.agent", f"{one.id} was named in a message to {file.to}")

    def _file(self, one: Considered) -> File | None:
        return next((file for file in self.record.files.values() if file.id == one.id), None)

    def _not_from_here(self, one: Considered) -> Broken | None:
        if one.id.startswith("entity:"):
            if self._is_excluded(one.id):
                return "scope.excluded", f"{one.id} was excluded"
            return None if self._known(one) else ("scope.retrieved", f"{one.id} is not what this session stores now")
        return self.may_be_said(one.id)

    def description(self, one: Considered, section: str, *, dropped: bool) -> Broken | None:
        """Return where an entry says something else of an item than the log does."""
        known = self._known(one)
        if known is None:
            return "ledger.entry", f"{one.id} is not known"
        if (one.section, bool(one.why_not)) != (section, dropped):
            return "ledger.entry", f"{one.id} is listed where it does not stand"
        if (one.role, one.agent) != (known.role, known.agent):
            return "ledger.entry", f"{one.id} is of {known.agent or known.role}, not of {one.agent or one.role}"
        if one.pinned != self._is_pinned(one, section):
            return "ledger.entry", f"{one.id} is {'not ' * one.pinned}pinned"
        if not self._is_scored(one, known, section):
            return "ledger.entry", f"{one.id} was found otherwise"
        label = _LABEL if section == "relevant_history" or _is_report(one) else 0
        tokens = self.record.tokens(known.text) + FRAME + label
        if one.tokens != tokens and self.key(one) not in self.record.forgotten:
            return "ledger.tokens", f"{one.id} takes {tokens:,} tokens, not {one.tokens:,}"
        return None

    def sums(self) -> Iterator[Broken]:
        """Yield where the sums are wrong."""
        entries = {"current_conversation": self.context.conversation, "relevant_history": self.context.relevant}
        for name, listed in entries.items():
            tokens = sum(one.tokens for one in listed)
            if self.context.tokens.get(name, 0) != tokens:
                yield "ledger.sum", f"{name} sums up to {tokens:,} tokens, not {self.context.tokens.get(name, 0):,}"
        whole = sum(self.context.tokens.values())
        if whole != self.call.estimated_tokens:
            yield "ledger.sum", f"the sections sum up to {whole:,} tokens, not {self.call.estimated_tokens:,}"
        limit, window = self.context.limit, self.context.window
        if window and not self.call.estimated_tokens <= limit <= window:
            yield "ledger.limit", f"{self.call.estimated_tokens:,} tokens, {limit:,} of {window:,} are allowed"
        keys = [self.key(one) for one in (*self.context.conversation, *self.context.relevant, *self.context.dropped)]
        for key in dict.fromkeys(key for key in keys if keys.count(key) > 1) if len(set(keys)) < len(keys) else ():
            yield "ledger.unique", f"{key if isinstance(key, str) else ' '.join(reversed(key))} is listed twice"

    def quotation(self, one: Considered) -> Quotation | None:
        """Return an entry as the prompt has to quote it; None for one that nobody knows."""
        known = self._known(one)
        if known is None:
            return None
        return Quotation(one.session or self.record.session, known.agent or known.role, known.text, known.time)

    def key(self, one: Considered) -> str | tuple[str, str]:
        """Return what an entry is known under: an id, of another session with that."""
        return (one.session, one.id) if self.is_foreign(one) else one.id

    def is_foreign(self, one: Considered) -> bool:
        """Tell whether an entry is of another session."""
        return one.session not in ("", self.record.session)

    def _is_excluded(self, item: str) -> bool:
        return (self.record.session, item) in self.record.excluded

    def _quoted(self, one: Considered) -> say.Quoted | None:
        key = (one.session, one.id)
        return self.record.pinned.get(key) or self.record.brought.get(key, (0, None))[1]

    def _known(self, one: Considered) -> _Known | None:
        record = self.record
        if is_shared(one) and (seen := record.shared.get(one.id)) is not None:
            rank = list(reversed(record.shared)).index(one.id) + 1
            return _Known(seen.text, "artefact", None, seen.time, rank, f"shared, version {seen.version}")
        if is_file(one) and (file := self._file(one)) is not None:
            shown = [other.id for other in record.files.values() if other.to in ("", self.call.role)]
            rank = shown.index(one.id) + 1 if one.id in shown else 0
            why = f"found for: {shorten(file.found_for, 80)}" if file.found_for else "you named it"
            return _Known(file.text, "artefact", file.to or None, file.time, rank, why)
        if is_practice(one):
            rank, given = record.practice.get(one.id, (0, None))
            why = f"the goal may be such work: {given.name}" if given else ""
            return _Known(given.said, "artefact", rank=rank, reason=why) if given else None
        if is_lesson(one):
            rank, lesson = record.lessons.get((one.session, one.id), (0, None))
            return (
                _Known(lesson.said, "artefact", None, lesson.time, rank, f"because: {lesson.why}") if lesson else None
            )
        if self.is_foreign(one):
            quoted = self._quoted(one)
            return _Known(quoted.text, quoted.role, quoted.agent, quoted.time) if quoted else None
        if one.id == NOTE:
            return _Known(LEFT_OUT, "artefact")
        summary = record.summaries.get(self.call.role)
        if summary is not None and summary.id == one.id:
            return _Known(summary.text, "summary", self.call.role)
        if _is_report(one) and (report := record.reports.get(one.id.removeprefix(REPORT))) is not None:
            return _Known(report.text, "artefact", report.agent, report.time)
        if (said := record.said.get(one.id)) is not None:
            return _Known(said.text, said.role, said.agent, said.time)
        stored = next((entity for entity in record.entities.values() if entity.id == one.id), None)
        return _Known(stored.text, "artefact", None, stored.time) if stored else None

    def _is_pinned(self, one: Considered, section: str) -> bool:
        if self.is_foreign(one):
            return self.record.pinned.get((one.session, one.id)) is not None
        return section == "current_conversation" and (self.record.session, one.id) in self.record.pinned

    def _is_scored(self, one: Considered, known: _Known, section: str) -> bool:
        if section == "current_conversation":
            return (one.rank, one.score, one.parts) == (0, 0.0, {})
        if known.rank is not None:
            return (one.rank, one.score, one.parts, one.reason) == (known.rank, 0.0, {}, known.reason)
        quoted = self._quoted(one) if self.is_foreign(one) else None
        if quoted is None:
            return one.rank > 0
        place, _ = self.record.brought.get((one.session, one.id), (0, quoted))
        why = one.reason if one.pinned else quoted.why
        return (one.rank, one.score, one.parts, one.reason) == (place, quoted.score, quoted.parts, why)


def is_shared(one: Considered) -> bool:
    """Tell whether an entry is a key of the shared context."""
    return one.id.startswith(SHARED)


def is_file(one: Considered) -> bool:
    """Tell whether an entry is of a file that a person named."""
    return one.id.startswith(FILE)


def is_lesson(one: Considered) -> bool:
    """Tell whether an entry is a lesson of earlier sessions."""
    return one.id.startswith(LESSON)


def is_practice(one: Considered) -> bool:
    """Tell whether an entry is what practice knows of a kind of work."""
    return one.id.startswith(PRACTICE)


def _is_summary(one: Considered) -> bool:
    return one.role == "summary" or one.id.startswith("summary:")


def _is_report(one: Considered) -> bool:
    return one.id.startswith(REPORT)


def _mislabelled(one: Considered, source: str) -> Broken | None:
    return None if one.source == source else ("scope.label", f"{one.id} is called {one.source}")
