"""The steps of a session's loop: what can happen next, each with what it needs.

    Record    events that follow from those before: no outside effect
    Call      one request to a model
    Recall    one search of this session's memory
    Search    one search of other sessions, on the record, where recall is on
    Research  one look for gaps into project files and memory, if a person allowed it
    Observe   one look at the shared context, on the record, if it is on
    UseTool   one use of a tool that a model asked for, and that may be used
    Judge     a summary, or a worker's report, came back: it is used or refused
    Report    a worker failed or has spent its tokens: its agent is told what there is
    Abandon   the process that made a call is gone: that is recorded, and the call is made again
    Wait      a gate is open: a person decides
    Rest      finished, stopped or failed

A step has at most one outside effect, between two batches of events: what is about to be done, and what came back.
So a session continues wherever it stopped, headless and interactive use are the same code, and derived events can be
derived again from the given ones.
"""

from __future__ import annotations

from msgspec import Struct

from workbench.domain.loop.asking.tasks import Task
from workbench.domain.loop.deciding.gates import Gate
from workbench.domain.session import events as say
from workbench.domain.session.state import HistoryItem, PendingCall, Received, SessionState, ToolUse, Worker

ROLES: dict[str, str] = {
    "propose": "planner", "plan": "planner", "verify": "verifier", "execute": "executor", "generate": "generator",
}  # fmt: skip
"""Which role does which task."""
OFFLINE = "guided"
"""The name of the offline planner among the models."""


def plans_without_model(state: SessionState) -> bool:
    """Tell whether templates and the person's outline plan a session, and no language model."""
    return state.options.roles.get("planner", state.options.model) == OFFLINE


class Record(Struct, frozen=True):
    """Append these derived events, in one batch."""

    bodies: tuple[say.Body, ...]


class Call(Struct, frozen=True):
    """Ask a model."""

    name: str
    """The task's name: propose, plan, verify, execute, generate, chat, work or condense."""
    role: str
    task: Task
    attempt: int = 1
    complaint: str = ""
    """Why the first reply was not usable; "" for a first attempt."""
    refused: HistoryItem | None = None
    """That reply; None for a first attempt."""
    message: str = ""
    """Of chat: id, in the history, of the message to answer."""
    covers: tuple[str, ...] = ()
    """Of condense: ids of what the answer is to stand for."""
    worker: Worker | None = None
    """Of work: who works."""


class Recall(Struct, frozen=True):
    """Search this session's own memory for what guides the next iteration."""

    query: str
    max_results: int
    fallback: tuple[str, ...]
    """The last iteration's first insights, for when the search fails or finds nothing."""


class Search(Struct, frozen=True):
    """Search what other sessions remember, for the call that comes next."""

    query: str
    max_results: int
    reason: str
    """What it is for, in words."""
    agent: str
    """Who is asked then, and gets of the replies only those of its namesakes."""
    for_call: str


class Research(Struct, frozen=True):
    """Look gaps up in the project's files, this session's memory and, where a person named a search, on the web."""

    gaps: tuple[str, ...]
    for_call: str


class Observe(Struct, frozen=True):
    """Look at what sessions share, for the call that comes next."""

    for_call: str


class UseTool(Struct, frozen=True):
    """Use a tool that a model asked for: it only reads, or a person allowed it."""

    using: ToolUse


class Judge(Struct, frozen=True):
    """A summary or a worker's report came back: planning/ decides, where contexts are made, what becomes of it."""

    received: Received


class Report(Struct, frozen=True):
    """A worker has failed, or has nothing left to spend: its agent is told what there is."""

    worker: Worker
    why: str


class Abandon(Struct, frozen=True):
    """A call was started by a process that is gone, and no reply is in the log."""

    call: PendingCall


class Wait(Struct, frozen=True):
    """A gate is open."""

    gate: Gate


class Rest(Struct, frozen=True):
    """Nothing happens by itself any more."""

    reason: str


Step = Record | Call | Recall | Search | Research | Observe | UseTool | Judge | Report | Abandon | Wait | Rest
