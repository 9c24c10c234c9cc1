"""One text that is considered for a prompt: what it says, whose it is, why it is there, and why not.

    state.history, .workers, .condensed, .shared ──from_…──▶ Entry ◀──found── Item of this session, Quoted of another
                                                               │
       gather, fit, condense: the same entries, fewer of them ─┼─▶ Message      what is sent (gathering.py in planning)
                                                               ├─▶ Considered   what the ledger keeps of it: no text
       screens, command line, comparing ◀── Entry ◀── ledger ──┘                (replay/contexts.py reads it back)

What an entry says is data; where it comes from is said by its fields, and never by its text. A call of a tool and its
result are entries too, bound to each other by the call's id.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from msgspec.structs import asdict, replace

from workbench.domain.session.context import Considered, Source, Summary
from workbench.domain.session.events import Lesson, Practice, Quoted, SharedValue
from workbench.domain.session.items import Item
from workbench.domain.session.state import HistoryItem, ReadFile, ToolUse, Worker
from workbench.domain.shared.input import SHARED
from workbench.domain.text.cleaning import shorten
from workbench.models.tokens import estimate_tokens

ELSEWHERE: frozenset[str] = frozenset({"semantic", "shared", "lesson"})
"""Sources that may bring what belongs to another session."""

UNSEARCHED: frozenset[str] = frozenset({"shared", "file", "research", "lesson", "practice"})
"""Sources whose entries no search found: they are near to nothing, and each says something of its own."""

TOOL_RESULT = "tool:"
"""Before the id of a tool's use, in the id of its result."""
MOST_SHOWN = 2_000
"""Characters of a shared value in a prompt."""
FRAME_TOKENS = 4
"""Tokens that mark role and borders of a message."""
LABEL_TOKENS = 24
"""Tokens of the label under which something that was not said here is quoted: source, session, time."""


class Entry(Considered, frozen=True, kw_only=True):
    """A text with all that is known of it. Its id is ``foreign`` if another session's is about to be sent."""

    session: str
    """Whose it is: the session it was said or made in."""
    seq: int
    """Its place in its session's log; 0 if only that session knows."""
    time: str
    """UTC, ISO 8601."""
    text: str
    makes: tuple[str, ...] = ()
    """Ids of the calls of tools that it makes; only an assistant's entry makes calls."""
    answers: str = ""
    """Id of the call whose result it is; only a tool's entry answers one."""
    relevance: float = 0.0
    """How near its search came to what was asked; comparable between searches, unlike the score."""
    by: str = ""
    """Of a summary or a note: the model or the rule that wrote it."""
    covers: tuple[str, ...] = ()
    """Of a summary: the ids of all that it stands for, those of summaries within it unfolded."""

    def __post_init__(self) -> None:
        """Refuse what no conversation has, so that nobody downstream has to think of it."""
        if self.makes and self.role != "assistant":
            raise ValueError(f"entry {self.id}: only an assistant makes calls")
        if (self.role == "tool") != (self.answers != ""):
            raise ValueError(f"entry {self.id}: a tool answers one call, and nobody else does")
        if (self.role == "summary") != bool(self.covers):
            raise ValueError(f"entry {self.id}: a summary covers something, and nothing else does")

    @property
    def bytes(self) -> int:
        """Length of its text as UTF-8."""
        return len(self.text) if self.text.isascii() else len(self.text.encode(errors="replace"))

    @property
    def kind(self) -> str:
        """What it is to the settings of recall: its role, or where it comes from if nobody searched for it."""
        return self.source if self.source in UNSEARCHED else self.role

    @property
    def leaves(self) -> tuple[str, ...]:
        """Ids of the originals that it shows: its own, or those that it covers."""
        return self.covers or (self.id,)

    def recorded(self, session: str) -> Considered:
        """Return what the ledger of a call of ``session`` keeps of it."""
        fields = {name: getattr(self, name) for name in Considered.__struct_fields__}
        if self.session == session:
            return Considered(**fields | {"session": ""})
        return Considered(**fields | {"id": self.id.removeprefix(foreign(self.session, ""))})


def size(text: str, source: Source = "session") -> int:
    """Return about how many tokens a text takes as an entry of a prompt."""
    label = 0 if source in ("session", "summary", "parent") else LABEL_TOKENS
    return estimate_tokens(text) + FRAME_TOKENS + label


def from_item(item: Item) -> Entry:
    """Return an item of a session's memory as an entry of that session's own."""
    return Entry(**asdict(item), tokens=size(item.text, item.source), source=item.source)


@lru_cache(maxsize=4096)
def from_history(said: HistoryItem, session: str) -> Entry:
    """Return a message of a session's history as an entry, under the id that it has as an item.

    Each prompt holds most messages of the one before.
    """
    fields: dict[str, Any] = {name: getattr(said, name) for name in ("agent", "role", "seq", "time", "text")}
    return Entry(id=f"message:{said.id}", session=session, tokens=size(said.text), **fields)


def foreign(session: str, item_id: str) -> str:
    """Return the id of an entry of another session: two sessions may each have an ``insight:1.1``."""
    return f"{session} {item_id}"


def _artefact(name: str, session: str, source: Source, text: str, reason: str, **more: Any) -> Entry:
    """Return what is not a message as an entry: quoted under the label of where it comes from."""
    known: dict[str, Any] = {"role": "artefact", "seq": 0, "time": "", "tokens": size(text, source), **more}
    return Entry(id=name, session=session, source=source, text=text, reason=reason, **known)


def from_shared(shared: SharedValue, rank: int) -> Entry:
    """Return a key of the shared context as an entry: of whoever changed it last."""
    told = f"[{shared.cut:,} bytes, too long to be quoted]"
    shown = told if shared.cut else shorten(json.dumps(shared.value, ensure_ascii=False), MOST_SHOWN)
    reason = f"shared, version {shared.version}"
    name, text = f"{SHARED}{shared.key}", f"{shared.key} = {shown}"
    return _artefact(name, shared.session, "shared", text, reason, time=shared.time, rank=rank)


def from_lesson(lesson: Lesson, rank: int) -> Entry:
    """Return a lesson that the session was given as an entry, with what it rests on."""
    name, reason = foreign(lesson.session, lesson.id), f"because: {lesson.why}"
    return _artefact(name, lesson.session, "lesson", lesson.said, reason, time=lesson.time, rank=rank)


def from_practice(practice: Practice, session: str, rank: int) -> Entry:
    """Return what practice knows of a kind of work as an entry: a reference."""
    reason = f"the goal may be such work: {practice.name}"
    return _artefact(f"practice:{practice.id}", session, "practice", practice.said, reason, rank=rank)


def from_file(file: ReadFile, session: str, rank: int) -> Entry:
    """Return lines of a file that a person named as an entry; named in a message, they are its agent's alone."""
    read = file.read
    what = f"lines {read.first}-{read.last} of {read.lines}" if read.lines else "a map of the folder"
    text = f"{read.path}, {what}:\n{read.text}"
    reason = f"found for: {shorten(read.found_for, 80)}" if read.found_for else "you named it"
    place: dict[str, Any] = {"agent": read.to or None, "seq": file.seq, "time": file.time, "rank": rank}
    return _artefact(f"file:{file.id}", session, "research" if read.found_for else "file", text, reason, **place)


def from_summary(summary: Summary, session: str, agent: str | None) -> Entry:
    """Return a recorded summary as the entry that is first in the view that it was made of."""
    fields: dict[str, Any] = {name: getattr(summary, name) for name in ("id", "seq", "time", "text", "by", "covers")}
    reason = f"stands for {len(summary.covers)} earlier messages"
    known: dict[str, Any] = {"role": "summary", "source": "summary", "tokens": size(summary.text), "reason": reason}
    return Entry(session=session, agent=agent, **known, **fields)


def from_report(worker: Worker, session: str) -> Entry | None:
    """Return a worker's report as an entry of its agent's view; None while it is not back.

    It is where the worker was sent, so the order in which reports come in changes nothing.
    """
    report, moment = worker.report, worker.reported
    if report is None or moment is None:
        return None
    unfinished = [] if report.is_complete else [f"It was not done: {report.why}"]
    answer = report.answer or "The worker brought no answer."
    text = "\n".join([answer, *(f"Open: {question}" for question in report.open_questions), *unfinished])
    reason = f"was sent to: {shorten(worker.work, 80)}"
    place: dict[str, Any] = {"agent": worker.agent, "seq": worker.seq, "time": moment.time}
    return _artefact(f"worker:{worker.worker}", session, "worker", text, reason, **place)


def from_tool(use: ToolUse, session: str) -> Entry:
    """Return the result of a tool as an entry of the view of who asked for it."""
    text = use.result.text if use.result is not None else ""
    place: dict[str, Any] = {"agent": use.role, "seq": use.seq, "time": use.time, "answers": use.use}
    reason = f"{use.tool} was asked for"
    return _artefact(f"{TOOL_RESULT}{use.use}", session, "session", text, reason, **place, role="tool")


def found(
    entry: Entry,
    *,
    rank: int,
    relevance: float,
    reason: str,
    score: float = 0.0,
    parts: Mapping[str, float] | None = None,
) -> Entry:
    """Return an entry as a search found it: quoted under a label, with the reason."""
    place: dict[str, Any] = {
        "rank": rank,
        "relevance": relevance,
        "reason": reason,
        "score": score,
        "parts": dict(parts or {}),
    }
    return replace(entry, tokens=size(entry.text, "semantic"), source="semantic", **place)


def from_quoted(one: Quoted, rank: int) -> Entry:
    """Return an item of another session as the recorded search across found it."""
    fields: dict[str, Any] = {name: getattr(one, name) for name in ("session", "role", "agent", "time", "text")}
    entry = Entry(id=foreign(one.session, one.id), seq=0, tokens=0, **fields)
    return found(entry, rank=rank, relevance=one.relevance, reason=one.why, score=one.score, parts=one.parts)


def is_visible(entry: Entry, session: str, agent: str | None) -> bool:
    """Tell whether an entry may be in a view: a session's own (agent None), or that of one of its agents.

    An agent sees what people said, artefacts, and its own replies, calls, results and workers' reports; of other
    sessions only what is labelled so. A summary belongs to the view that it was made of.
    """
    if entry.session != session and entry.source not in ELSEWHERE:
        return False
    if entry.role == "summary":
        return entry.agent == agent
    is_shared = entry.role in ("user", "artefact") and (
        entry.agent is None or entry.source not in ("worker", "file", "research")
    )
    return agent is None or is_shared or entry.agent == agent
