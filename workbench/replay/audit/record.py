"""Who said what, read from the events themselves: the ground on which prompts are judged.

Written apart from the fold and from everything that gathers prompts: a mistake there is not repeated here.
"""

from __future__ import annotations

import json
from typing import NamedTuple

import msgspec
from msgspec import Struct, field

from workbench.domain.log.envelope import Event, body_digest
from workbench.domain.session import events as say
from workbench.domain.session.context import Summary
from workbench.domain.text.cleaning import shorten
from workbench.models.tokens import estimate_tokens
from workbench.replay.audit.conversation import CONDENSE, Conversation, Said
from workbench.replay.audit.passages import Passages, Words, spaced, strings

SHARED = "shared:"
"""Before a key of the shared context, in the id of its entry."""
FILE = "file:"
"""Before the id of an event that lines of a file came with, in the id of their entry."""
LESSON = "lesson:"
"""Before a lesson's id, in the id of its entry."""
PRACTICE = "practice:"
"""Before a core's id, in the id of its entry."""
REPORT = "worker:"
"""Before a worker's id, in the id of what it reported."""
PEOPLE = "people"
"""Whose passages are what a person said, or told an agent to be."""


class Stored(NamedTuple):
    """An entity that a person or a program stored."""

    id: str
    text: str
    spaced: str
    time: str


class Shared(NamedTuple):
    """A key of the shared context, as the session saw it last."""

    session: str
    """Who changed it last."""
    text: str
    """As a prompt quotes it."""
    time: str
    version: int


class File(NamedTuple):
    """Lines of a file that a person named."""

    id: str
    to: str
    """Agent that alone is shown it; "" for who plans and for all agents."""
    sha256: str
    text: str
    """As a prompt quotes it."""
    time: str
    found_for: str = ""
    """The gap that research found it for; "" if a person named it."""


class Reported(NamedTuple):
    """What a worker brought back."""

    agent: str
    text: str
    """As its agent is shown it."""
    time: str
    seq: int


class Record(Struct):
    """A session up to an event."""

    session: str
    conversation: Conversation = field(default_factory=Conversation)
    entities: dict[str, Stored] = field(default_factory=dict)
    """The newest of each name."""
    files: dict[tuple[str, str, int], File] = field(default_factory=dict)
    """By path, agent and first line, as each was read last."""
    insights: set[str] = field(default_factory=set)
    found: dict[tuple[str, str], say.Quoted] = field(default_factory=dict)
    """Of all searches, by session and id; the newest."""
    brought: dict[tuple[str, str], tuple[int, say.Quoted]] = field(default_factory=dict)
    """What the last search for a call found, each with its place."""
    excluded: set[tuple[str, str]] = field(default_factory=set)
    pinned: dict[tuple[str, str], say.Quoted | None] = field(default_factory=dict)
    """None for an item of this session, and for one that no search had found."""
    recall: bool = False
    sharing: bool = False
    shared: dict[str, Shared] = field(default_factory=dict)
    """By the id of its entry, the last changed last."""
    lessons: dict[tuple[str, str], tuple[int, say.Lesson]] = field(default_factory=dict)
    """What the session was given, by session and id, each with its place."""
    practice: dict[str, tuple[int, say.Practice]] = field(default_factory=dict)
    """What was offered as reference, by the id of its entry, each with its place."""
    summaries: dict[str, Summary] = field(default_factory=dict)
    """The last one of each agent's conversation."""
    agents: dict[str, str] = field(default_factory=dict)
    """What each agent is told to be."""
    sent: dict[str, tuple[str, int]] = field(default_factory=dict)
    """(agent, place in the log) of each worker's sending."""
    reports: dict[str, Reported] = field(default_factory=dict)
    """By worker."""
    asking: list[tuple[str, str]] = field(default_factory=list)
    """(agent, message) of what waits for an answer, the oldest first."""
    condensing: tuple[say.CallStarted, str] | None = None
    """The last call that was to summarise and was answered, with the answer."""
    complaints: dict[str, str] = field(default_factory=dict)
    """By role: why its last reply could not be used."""
    refused: dict[str, str] = field(default_factory=dict)
    """By role: id of that reply."""
    forgotten: set[object] = field(default_factory=set)
    """Ids of messages, entities and summaries, and keys of quotations, whose words were forgotten since."""
    words: Words = field(default_factory=Words)
    people: Passages = field(default_factory=Passages)
    others: Passages = field(default_factory=Passages)
    """Replies, by who gave them, and quotations, by whose they are."""
    _tokens: dict[str, int] = field(default_factory=dict)
    _tool_of: str = ""
    """Who asked for a tool last."""

    @property
    def said(self) -> dict[str, Said]:
        """Messages by id."""
        return self.conversation.said

    def covered(self, item: str) -> Said | Reported:
        """Return a message or a report that a summary covers; it was looked up before, else `KeyError`."""
        return self.reports[item.removeprefix(REPORT)] if item.startswith(REPORT) else self.said[item]

    def tokens(self, text: str) -> int:
        """Return about how many tokens a text of the session takes, counted once for all prompts that it is in."""
        if text not in self._tokens:
            self._tokens[text] = estimate_tokens(text)
        return self._tokens[text]

    def take(self, event: Event, body: say.Body | say.Unknown) -> None:
        """Take in the next event."""
        match body:
            case say.SessionCreated():
                self.recall, self.sharing = body.options.recall, body.options.shared
            case say.SessionResumed() if body.shared is not None:
                self.sharing = body.shared
            case say.SessionForked():
                self._go_on_as(event.session)
            case say.AgentAdded():
                self.agents[body.agent.id] = body.agent.instructions
                self.people.add(body.agent.instructions, PEOPLE)
            case say.AgentAnswered():
                self.asking = [one for one in self.asking if one[1] != f"message:{body.message}"]
            case say.WorkersSent() if body.agent in self.agents:
                self.sent |= {worker.worker: (body.agent, event.seq) for worker in body.workers}
            case say.WorkerReported():
                self._report(event, body)
            case say.ToolReturned():
                self.words.add([body.text], self._tool_of)
            case say.ToolAsked():
                self._tool_of = body.role
            case say.EntityStored():
                self._store(event, body)
            case say.FileRead() if not body.why_not:
                self._take_file(event, body)
            case say.IterationCompleted() | say.IterationStored():
                self.insights.update(body.result.key_insights)
            case say.ConversationCondensed():
                self.summaries[body.agent] = body.summary
                self._forget(event, body.summary.id)
            case say.OthersSearched() | say.RecallSwitched() | say.ItemMarked():
                self._recall(event, body)
            case say.SharedObserved():
                self._observe(event, body)
            case say.LessonsGiven():
                self._teach(event, body)
            case say.PracticeGiven():
                self.practice = {f"{PRACTICE}{one.id}": (rank, one) for rank, one in enumerate(body.practice, start=1)}
            case say.ReplyRejected() if self.conversation.answered is not None:
                self.complaints[self.conversation.answered.role] = body.fault or body.message
                self.refused[self.conversation.answered.role] = self.conversation.reply
            case say.MessageGiven() if body.to in self.agents:
                self.asking.append((body.to, f"message:{event.id}"))
            case _:
                pass
        for said in self.conversation.take(event, body):
            self._say(event, said)
        answered = self.conversation.answered
        if answered is not None and answered.task == CONDENSE and isinstance(body, say.CallFinished):
            self.condensing = (answered, body.text)
        if not isinstance(body, _NOT_SHARED):
            self.words.add(strings(msgspec.json.decode(event.body)))

    def _go_on_as(self, session: str) -> None:
        """Call what a fork took over this session's own: until here it was its origin's."""
        before, self.session = self.session, session
        self.excluded = {(session if whose == before else whose, item) for whose, item in self.excluded}
        self.pinned = {(session if whose == before else whose, item): one for (whose, item), one in self.pinned.items()}
        self.shared = {
            name: one._replace(session=session) if one.session == before else one for name, one in self.shared.items()
        }

    def _say(self, event: Event, said: Said) -> None:
        self.said[said.id] = said
        self._forget(event, said.id)
        if said.role == "user":
            self.words.add([said.text])
            self.people.add(said.text, PEOPLE)
        elif said.role == "tool" or not said.task:
            self.words.add([said.text], said.agent or NOBODY)
            self.others.add(said.text, said.agent or NOBODY)

    def _report(self, event: Event, body: say.WorkerReported) -> None:
        answer = body.answer or "The worker brought no answer."
        open_questions = [f"Open: {question}" for question in body.open_questions]
        undone = [] if body.is_complete else [f"It was not done: {body.why}"]
        text = "\n".join([answer, *open_questions, *undone])
        agent = self.sent.get(body.worker, ("", 0))[0]
        self.reports[body.worker] = Reported(agent, text, event.time, event.seq)
        self.words.add([text], agent or NOBODY)
        self.others.add(text, agent or NOBODY)
        self._forget(event, f"{REPORT}{body.worker}")

    def _store(self, event: Event, body: say.EntityStored) -> None:
        self.entities.pop(body.name, None)
        if event.origin == "given":
            self.entities[body.name] = Stored(f"entity:{event.id}", body.content, spaced(body.content), event.time)
            self._forget(event, f"entity:{event.id}")

    def _take_file(self, event: Event, body: say.FileRead) -> None:
        span = f"lines {body.first}-{body.last} of {body.lines}" if body.lines else "a map of the folder"
        text = f"{body.path}, {span}:\n{body.text}"
        name = f"{FILE}{event.id}"
        self.files = {  # what was read of the file as it was before is shown no more
            key: one for key, one in self.files.items() if key[:2] != (body.path, body.to) or one.sha256 == body.sha256
        }
        self.files[body.path, body.to, body.first] = File(name, body.to, body.sha256, text, event.time, body.found_for)
        self.others.add(body.text, body.to or FILE)
        self._forget(event, name)

    def _recall(self, event: Event, body: say.OthersSearched | say.RecallSwitched | say.ItemMarked) -> None:
        match body:
            case say.OthersSearched():
                found = {(one.session, one.id): one for one in body.found}
                self.found |= found
                if body.for_call:
                    self.brought = {key: (place, one) for place, (key, one) in enumerate(found.items(), start=1)}
                for key, one in found.items():
                    self.others.add(one.text, f"session {one.session}")
                    self._forget(event, key)
            case say.RecallSwitched():
                self.recall = body.on
                self.brought = self.brought if body.on else {}
            case say.ItemMarked():
                key = (body.session, body.item)
                self.excluded.discard(key)
                self.pinned.pop(key, None)
                if body.mark == "excluded":
                    self.excluded.add(key)
                elif body.mark == "pinned":
                    self.pinned[key] = self.found.get(key)

    def _observe(self, event: Event, body: say.SharedObserved) -> None:
        if body.anew:
            self.shared.clear()
        for change in body.changes:
            name = f"{SHARED}{change.key}"
            self.shared.pop(name, None)
            if change.value is msgspec.UNSET and not change.cut:
                continue
            told = json.dumps(change.value, ensure_ascii=False) if not change.cut else ""
            text = shorten(told, 2_000) if told else f"[{change.cut:,} bytes, too long to be quoted]"
            if not change.key.startswith("sessions/"):  # what sessions are at no prompt quotes
                self.shared[name] = Shared(change.session, f"{change.key} = {text}", change.time, change.version)
            if change.session == self.session:
                self.words.add(strings(change.value))
            else:
                self.others.add(told, f"session {change.session}")
            self._forget(event, name if change.session == self.session else (change.session, name))

    def _teach(self, event: Event, body: say.LessonsGiven) -> None:
        self.lessons = {(one.session, one.id): (rank, one) for rank, one in enumerate(body.lessons, start=1)}
        for key, (_, one) in self.lessons.items():
            self.others.add(one.said, f"session {one.session}")
            self._forget(event, key)

    def _forget(self, event: Event, key: object) -> None:
        if is_forgotten(event):
            self.forgotten.add(key)
        else:
            self.forgotten.discard(key)


NOBODY = "?"
"""Whose a reply is of which the log does not say whose it is; no agent's id, as those are slugs."""

_NOT_SHARED = (
    say.ToolAsked, say.ToolReturned, say.CallStarted, say.CallRetried, say.CallNoted, say.CallFinished,
    say.CallFailed, say.CallAbandoned, say.ReplyRejected, say.ReplyMended,
    say.ConversationCondensed, say.MessageGiven, say.WorkerReported, say.AgentAdded, say.OthersSearched,
    say.LessonsGiven, say.SharedObserved, say.FileRead, say.GapsResearched, say.GuidanceRecalled, say.Unknown,
)  # fmt: skip
"""Events whose words are not everybody's: prompts and replies, what is quoted, what an agent is told to be."""


def is_forgotten(event: Event) -> bool:
    """Tell whether an event says something else now than when it was written: then its words prove nothing any more.

    The one place where that is decided. Whether it may is the log's own rule (``log.chain``): nobody can change a body
    unseen.
    """
    return body_digest(event.body) != event.body_hash
