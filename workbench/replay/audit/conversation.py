"""What was said in a session, message by message, read from its events: by whom, and in reply to what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from workbench.domain.log.envelope import Event
from workbench.domain.loop.begin import Begin
from workbench.domain.loop.deciding.gates import BOUND_REASONS, Answer, Gate
from workbench.domain.session import events as say

CHAT, CONDENSE, WORK = "chat", "condense", "work"
"""Tasks whose replies are not the loop's own work: an answer, a summary, and a worker's report."""
RESULT = "tool:"
"""Before the id of a tool's use, in the id of its result."""
ASKED_ANEW = ""
"""In place of the id of a gate that a rewind opened again, under an id that no event names."""


class Said(NamedTuple):
    """A message."""

    id: str
    """``message:{event}``, as prompts name it."""
    role: str
    agent: str | None
    """Who replied; None for people, and where the log does not agree with itself on who it was."""
    text: str
    seq: int
    time: str
    task: str = ""
    """What it replies to, where that is the loop's own work, or a call of a tool."""
    answers: str = ""
    """Of a tool's result: the message that asks for it; "" for anything else."""


class Conversation(Struct):
    """Everything that was said up to an event."""

    said: dict[str, Said] = field(default_factory=dict)
    answered: say.CallStarted | None = None
    """The last call that was answered."""
    reply: str = ""
    """Id of what it was answered with."""
    _pending: say.CallStarted | None = None
    _gate: Gate | None = None
    _asked: say.ToolAsked | None = None

    def take(self, event: Event, body: say.Body | say.Unknown) -> tuple[Said, ...]:
        """Take in the next event; return what it says."""
        match body:
            case say.GateOpened():
                self._gate = body.gate
            case say.SessionRewound() if self._gate is not None:
                self._gate = replace(self._gate, id=ASKED_ANEW)
            case say.BoundsChanged() if self._gate is not None and self._gate.reason in BOUND_REASONS:
                self._gate = None
            case say.CallStarted():
                self._pending = body
            case say.CallFinished() if self._pending is not None and self._pending.call == body.call:
                self.answered, self._pending = self._pending, None
                self.reply = f"message:{event.id}"
            case say.CallFailed() | say.CallAbandoned():
                self._pending = None
            case say.ToolAsked():
                self._asked = body
            case _:
                pass
        new = tuple(self._messages(event, body))
        self.said.update((one.id, one) for one in new)
        return new

    def _messages(self, event: Event, body: say.Body | say.Unknown) -> Iterator[Said]:
        match body:
            case say.SessionCreated():
                yield _by_person(event, body.goal)
            case say.StatusReported(text=""):  # what another program did is no message of the person
                pass
            case say.SessionReopened() | say.StatusReported() | say.FeedbackGiven():
                yield _by_person(event, body.text)
            case say.ProposalGiven():
                yield _by_person(event, body.said)
            case say.BeginGiven() if typed := _typed(body.begin):
                yield _by_person(event, typed)
            case say.GateAnswered() if self._gate is not None and self._gate.id in (body.gate, ASKED_ANEW):
                for number, text in enumerate(_said_with_decision(self._gate, body.answer), start=1):
                    yield _by_person(event, text, "" if number == 1 else f"#{number}")
                self._gate = None
            case say.CallFinished() if self.answered is not None and self.answered.call == body.call:
                agent = self.answered.role if event.agent == self.answered.role else None
                task = "" if self.answered.task == CHAT else self.answered.task
                yield Said(f"message:{event.id}", "assistant", agent, body.text, event.seq, event.time, task)
            case say.ToolReturned() if self._asked is not None and self._asked.use == body.use:
                asked, self._asked = self._asked, None
                if asked.worker:
                    return
                call = self.said.get(f"message:{asked.message}")
                if call is not None and call.agent == asked.role:  # it is a part of what its agent sees from now on
                    yield call._replace(task="")
                result = f"{RESULT}{body.use}"
                answers = f"message:{asked.message}"
                yield Said(result, "tool", asked.role, body.text, event.seq, event.time, answers=answers)
            case say.MessageGiven():
                agent = event.agent if body.role == "assistant" else None
                time = body.said or event.time
                yield Said(f"message:{event.id}", body.role, agent, body.text, event.seq, time)
            case _:
                pass


def _by_person(event: Event, text: str, number: str = "") -> Said:
    return Said(f"message:{event.id}{number}", "user", None, text, event.seq, event.time)


def _typed(begin: Begin) -> str:
    """Return what a person typed to begin with, a line each."""
    outline = [begin.outline.strip("\n")] if begin.outline.strip("\n") else []
    return "\n".join([*outline, *filter(None, begin.commands)])


def _said_with_decision(gate: Gate, answer: Answer) -> Iterator[str]:
    """Yield what a person said with a decision, in the order in which it counts as said."""
    if gate.kind == "question" and answer.kind == "answer" and answer.text:
        yield answer.text
    if gate.kind == "approach" and answer.kind == "choose" and answer.begin and (typed := _typed(answer.begin)):
        yield typed
    if gate.kind in ("approach", "checkpoint") and answer.kind == "feedback":
        yield from (text for text in (answer.text, *(note.text for note in answer.notes)) if text.strip())
