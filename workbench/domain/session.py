"""The state of a session: a fold over its events, and nothing else.

    events ──fold──▶ SessionState ──next_step (steps.py)──▶ what happens next

State is frozen and shares what did not change; what only grows is a ``Growing`` sequence. Everything that is shown,
searched, exported or sent to a model is read from here, so replay, recovery and forks need no code of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from workbench.domain import events as say
from workbench.domain.agents import Agent
from workbench.domain.context import Summary
from workbench.domain.envelope import Event, Origin
from workbench.domain.errors import InvalidId, LogDamaged
from workbench.domain.gates import BOUND_REASONS, Answer, CheckpointReason, Gate
from workbench.domain.growing import Growing
from workbench.domain.ids import SessionId, entity_prefix
from workbench.domain.merge import ABSENT
from workbench.domain.plan import Plan
from workbench.domain.shared_input import SHARED
from workbench.domain.tasks import Action, Answered, Approach, Feedback, Finding, Handled
from workbench.domain.way import Way

CHAT = "chat"
"""The task of an agent that answers a message."""
WORK = "work"
"""The task of a worker that an agent sent."""
CONDENSE = "condense"
"""The task of saying the oldest part of a conversation in fewer words."""

Status = Literal["running", "waiting", "finished", "stopped", "failed"]


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """A place in the log."""

    seq: int
    time: str


class HistoryItem(msgspec.Struct, frozen=True, kw_only=True):
    """A message of the session's one history."""

    id: str
    """Id of the event it came with."""
    seq: int
    role: Literal["user", "assistant"]
    agent: str | None
    """Who replied; None for the person, and for a reply of which nobody knows whose it is."""
    text: str
    time: str
    task: str = ""
    """The loop's task that a reply answers: what it says became artefacts; "" for what was simply said."""


class Entity(msgspec.Struct, frozen=True, kw_only=True):
    """A version of a named piece of memory."""

    id: str
    seq: int
    name: str
    content: str
    time: str
    origin: Origin = "given"
    """given, where a person or a program stored it; derived, where the loop did."""


class PlanVersion(msgspec.Struct, frozen=True, kw_only=True):
    """A plan as it was after a change."""

    version: int
    plan: Plan
    by: str
    """planner or person."""
    iteration: int
    change: float
    """Share of tokens that differ from the version before."""
    seq: int
    time: str


class PendingCall(msgspec.Struct, frozen=True, kw_only=True):
    """A call that was started and has no result in the log."""

    call: str
    role: str
    task: str
    attempt: int
    event: str
    """Id of its call.started."""
    model: str = ""
    estimated_tokens: int = 0
    """About how many tokens its prompt takes."""
    covers: tuple[str, ...] = ()
    """Of condense: ids of what the summary is to stand for."""
    worker: str = ""
    """Of work: whose call it is."""


class Worker(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who does a part of an agent's work beside it."""

    worker: str
    agent: str
    work: str
    allowance: int
    """Tokens that it may spend."""
    seq: int
    """Place in the log of its sending: it sees what its agent saw then."""
    spent: int = 0
    failed: str = ""
    """Why it has no answer; "" while it may still have one."""
    report: say.WorkerReported | None = None
    reported: Moment | None = None


class Counted(msgspec.Struct, frozen=True, kw_only=True):
    """How a provider counted the last prompt of a role, beside how it was estimated here."""

    role: str
    model: str
    reported: int
    estimated: int


class Asking(msgspec.Struct, frozen=True, kw_only=True):
    """A message that waits for an agent's answer."""

    agent: str
    message: str
    """Its id in the history."""


class Received(msgspec.Struct, frozen=True, kw_only=True):
    """A reply that nobody has read yet."""

    call: PendingCall
    text: str


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """Why the session cannot go on by itself."""

    error: str
    message: str
    remedy: str


class Spent(msgspec.Struct, frozen=True, kw_only=True):
    """The one number for calls, tokens, cost and time that every meter shows; what failed counts too."""

    calls: int = 0
    """Calls that came to an end, good or bad."""
    input_tokens: int = 0
    output_tokens: int = 0
    known_cost: float = 0.0
    """US dollars of the calls whose price is known."""
    unpriced_calls: int = 0
    seconds: float = 0.0
    """Time in calls."""
    last_call_tokens: int = 0
    """Prompt and reply of the last call: what fills the model's window."""

    @property
    def tokens(self) -> int:
        """Input and output together."""
        return self.input_tokens + self.output_tokens

    @property
    def cost(self) -> float | None:
        """US dollars; None (shown as n/a) when the price of any call is unknown."""
        return None if self.unpriced_calls else self.known_cost


class Current(msgspec.Struct, frozen=True, kw_only=True):
    """The iteration that is under way."""

    number: int
    tokens_before: int
    """Tokens spent when it began."""
    plan_before: Plan | None
    guidance: say.GuidanceRecalled | None = None
    planned: bool = False
    verified: bool = False
    prepared: bool = False
    written: bool = False
    actions: tuple[Action, ...] = ()
    deliverable: str = ""
    insights: tuple[str, ...] = ()
    handled: tuple[Handled, ...] = ()
    """What became of the feedback that it took up."""


class SharedSeen(msgspec.Struct, frozen=True, kw_only=True):
    """What a session has seen of the shared context."""

    epoch: str = ""
    """Of the shared stream's history; "" before it has looked."""
    seq: int = 0
    """Place in that stream up to which it looked."""
    values: dict[str, say.SharedValue] = {}
    """By key, the last changed last; deleted ones are gone."""
    unavailable: str = ""
    """Why the last look failed; "" where it did not."""


class Point(msgspec.Struct, frozen=True, kw_only=True):
    """A place that the session can be rewound to: as it stood before a person decided something."""

    seq: int
    """Of the last event up to there."""
    state: SessionState
    """As of that event, without points of its own."""


class SessionState(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a session is, as of its last event."""

    session: str
    written_as: str
    """Id that what is derived is written with; in what a fork took over, its origin's."""
    goal: str
    name: str
    today: str
    """ISO date."""
    options: say.Options
    person: str
    workspace: str
    created: str
    updated: str
    seq: int
    """Seq of the last event."""
    trigger: str
    """Id of the last event that moves the loop: the cause of what is derived next."""
    turn: int
    limit: int
    """Iterations after which it asks: max_iterations, and what a person added."""
    bounds: say.Bounds
    calls: int = 0
    """Calls started, failed ones included."""
    gates: int = 0
    """Gates opened."""

    gate: Gate | None = None
    gate_event: str = ""
    """Id of the open gate's gate.opened; "" when none is open."""
    pending: PendingCall | None = None
    received: Received | None = None
    rejected: str = ""
    """Why the last reply was not usable, while its repair is due; "" otherwise."""
    failure: Failure | None = None
    stopped: str = ""
    """Why the driving ended; "" while it goes on."""
    finished: say.SessionFinished | None = None
    ending: Literal["", "save", "reject"] = ""
    """Decided, and not yet carried out."""
    ending_reason: str = ""

    proposal: str = ""
    approaches: tuple[Approach, ...] = ()
    approaches_stale: bool = False
    """True when answers or feedback came after they were proposed."""
    asked: bool = False
    """True once questions were asked: they are asked once."""
    questions: tuple[str, ...] = ()
    """Still to ask."""
    answers: Growing[Answered] = Growing()
    chosen: str = ""
    """Id of the approach a person chose."""
    approach: Approach | None = None
    proposal_stored: bool = False
    """True once the proposal is an entity of the session."""
    constraints: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    feedback: tuple[Feedback, ...] = ()
    handled: tuple[Handled, ...] = ()
    edit: str = ""
    """A plan edited by hand that is not yet a version."""

    versions: Growing[PlanVersion] = Growing()
    saved_version: int | None = None
    findings: tuple[Finding, ...] = ()
    """Open ones, as of the last verification."""
    current: Current | None = None
    checkpoint: CheckpointReason | None = None
    """A checkpoint that is due and not yet decided."""
    iterations: Growing[say.IterationResult] = Growing()
    iteration_ends: Growing[Moment] = Growing()
    """Where each of them was completed or stored."""
    last_iteration_tokens: int = 0

    history: Growing[HistoryItem] = Growing()
    entities: Growing[Entity] = Growing()
    private: bool = False
    """Whether no other session may find anything of this one."""
    agents: tuple[Agent, ...] = ()
    """Who can be talked to."""
    asking: tuple[Asking, ...] = ()
    """Messages that wait for an answer, the oldest first."""
    recall: bool = False
    """Whether other sessions are searched before the planner, or an agent, is asked."""
    searched_for: str = ""
    """Id of the call that other sessions were searched for last, moved on by calls that condense; "" for none."""
    searched_as: str = ""
    """Who is asked in that call: what was found is for nobody else."""
    retrieved: tuple[say.Quoted, ...] = ()
    """What that search found, best first."""
    sharing: bool = False
    """Whether the shared context is looked at before a role or an agent is asked."""
    observed_for: str = ""
    """Id of the call that it was looked at for last; "" for none."""
    shared: SharedSeen = SharedSeen()
    """What this session has seen of the shared context."""
    marks: tuple[tuple[str, str, say.Quoted | None], ...] = ()
    """(session and item, excluded or pinned, what is pinned): what a person decided about items of others."""
    workers: tuple[Worker, ...] = ()
    """Those that were sent, in order."""
    tokens_by: tuple[tuple[str, int], ...] = ()
    """Tokens spent by each role, agent and worker; they sum up to all that were spent."""
    condensed: tuple[tuple[str, Summary], ...] = ()
    """(agent, the last summary of the conversation as it sees it)."""
    not_condensed: tuple[str, ...] = ()
    """Agents for whom no model could condense: the next time it is done by rule."""
    counted: tuple[Counted, ...] = ()
    """For each role, its last call whose provider reported a count."""
    searches: Growing[say.OthersSearched] = Growing()
    """What was found in other sessions; never part of the history, so it is not found again as if it were new."""
    spent: Spent = Spent()
    rating: say.RatingGiven | None = None
    outcome: say.OutcomeLogged | None = None

    forked: say.SessionForked | None = None
    """Where it comes from; None for a session that began by itself."""
    asks_again: bool = False
    """Whether a person has to approve anew, before anything is spent, what was approved elsewhere (an origin, a file).

    An open gate is answered first: where that approves of going on, nothing more is asked."""
    points: Growing[Point] = Growing()
    """Where it can be rewound to, and back."""
    way: Way = Way()
    """Which of them lead here, and which a rewind took back."""

    @property
    def plan(self) -> Plan | None:
        """The current plan; None before the first draft."""
        return self.versions[-1].plan if self.versions else None

    @property
    def version(self) -> int:
        """Number of the current plan; 0 before the first draft."""
        return self.versions[-1].version if self.versions else 0

    @property
    def open_feedback(self) -> tuple[Feedback, ...]:
        """Feedback that no reply has handled yet."""
        done = {handled.feedback for handled in self.handled}
        return tuple(feedback for feedback in self.feedback if feedback.id not in done)

    @property
    def insights(self) -> tuple[str, ...]:
        """Insights of all iterations, in order, each once."""
        return tuple(dict.fromkeys(insight for result in self.iterations for insight in result.key_insights))

    @property
    def given_entities(self) -> tuple[Entity, ...]:
        """The newest version of each entity that a person or a program stored, in the order of their names."""
        newest = {entity.name: entity for entity in self.entities}
        return tuple(newest[name] for name in sorted(newest) if newest[name].origin == "given")

    @property
    def status(self) -> Status:
        """Where the session stands; ``running`` also when nobody drives it at the moment."""
        if self.finished is not None:
            return "finished"
        if self.failure is not None:
            return "failed"
        if self.stopped:
            return "stopped"
        return "waiting" if self.gate is not None else "running"

    @property
    def recalled(self) -> tuple[say.Quoted, ...]:
        """What of other sessions the next prompt holds: what is pinned, and what was found and not excluded."""
        excluded = {name for name, mark, _ in self.marks if mark == "excluded"}
        pinned = {name: quoted for name, mark, quoted in self.marks if mark == "pinned" and quoted is not None}
        found = {f"{one.session} {one.id}": one for one in self.retrieved}
        return tuple(one for name, one in (pinned | found).items() if name not in excluded)

    def summary_for(self, agent: str) -> Summary | None:
        """Return what stands for the oldest part of an agent's conversation; None where nothing does."""
        return next((summary for whose, summary in self.condensed if whose == agent), None)

    def marked(self, session: str, mark: Literal["excluded", "pinned"]) -> frozenset[str]:
        """Return the ids of a session's items that a person excluded, or pinned, for this one."""
        names = (name.partition(" ") for name, given, _ in self.marks if given == mark)
        return frozenset(item for whose, _, item in names if whose == session)

    def mark_of(self, session: str, item: str) -> str:
        """Return the mark on an item; on a key of the shared context it is the same, whoever changed that."""
        name = f"{self.session if item.startswith(SHARED) else session} {item}"
        return next((mark for known, mark, _ in self.marks if known == name), "")

    def agent(self, agent_id: str) -> Agent | None:
        """Return somebody to talk to, or None."""
        return next((agent for agent in self.agents if agent.id == agent_id), None)

    def entity(self, name: str) -> Entity | None:
        """Return the newest version of an entity, or None."""
        return next((entity for entity in reversed(self.entities) if entity.name == name), None)


def _created(event: Event, body: say.SessionCreated) -> SessionState:
    try:
        date.fromisoformat(body.today)
    except ValueError as error:
        raise LogDamaged(
            f"Session {event.session} was created on {body.today!r}, which is no date.",
            "Restore the file from a copy, or delete the session.",
        ) from error
    return SessionState(
        session=event.session,
        written_as=_writer(event),
        goal=body.goal,
        name=body.name,
        today=body.today,
        options=body.options,
        person=event.person,
        workspace=event.workspace,
        created=event.time,
        updated=event.time,
        seq=event.seq,
        trigger=event.id,
        turn=event.turn,
        limit=body.options.max_iterations,
        bounds=body.options.bounds,
        private=body.options.private,
        recall=body.options.recall,
        sharing=body.options.shared,
        history=Growing([_message(event, body.goal)]),
    )


def _writer(event: Event) -> str:
    """Return the session that an event was written in: a fork keeps the ids of what it took over."""
    writer = event.id.rpartition(":")[0]
    try:
        return str(SessionId(writer))
    except InvalidId:  # numbered by whoever wrote it
        return event.session


def _message(event: Event, text: str, number: int = 1) -> HistoryItem:
    """Return what a person said; ``number`` tells several messages of one event apart."""
    item_id = event.id if number == 1 else f"{event.id}#{number}"
    return HistoryItem(id=item_id, seq=event.seq, role="user", agent=None, text=text, time=event.time)


def _reply(event: Event, text: str, call: PendingCall) -> HistoryItem:
    task = "" if call.task == CHAT else call.task
    return HistoryItem(
        id=event.id, seq=event.seq, role="assistant", agent=call.role, text=text, time=event.time, task=task
    )


def _resumed(state: SessionState, _event: Event, body: say.SessionResumed) -> dict[str, Any]:
    taken_up: dict[str, Any] = {"failure": None, "stopped": ""}
    if body.shared is not None:
        taken_up["sharing"] = body.shared
    if not body.model:
        return taken_up
    return taken_up | {"options": replace(state.options, model=body.model, base_url=body.base_url)}


def _renamed(_state: SessionState, _event: Event, body: say.SessionRenamed) -> dict[str, Any]:
    return {"name": body.name}


def _reopened(state: SessionState, event: Event, body: say.SessionReopened) -> dict[str, Any]:
    return _with_point(state) | {
        "finished": None,
        "failure": None,
        "stopped": "",
        "checkpoint": None,
        "limit": max(state.limit, len(state.iterations) + 1),
        "feedback": (*state.feedback, Feedback(id=f"F{len(state.feedback) + 1}", text=body.text)),
        "history": state.history.appended(_message(event, body.text)),
    }


def _stopped(state: SessionState, _event: Event, body: say.SessionStopped) -> dict[str, Any]:
    stopped: dict[str, Any] = {"stopped": body.reason or "stopped"}
    return stopped | (_without_approvals(state) if body.asks_again else {})


def _finished(_state: SessionState, _event: Event, body: say.SessionFinished) -> dict[str, Any]:
    return {"finished": body, "ending": "", "checkpoint": None, "current": None}


def _forked(state: SessionState, event: Event, body: say.SessionForked) -> dict[str, Any]:
    """Go on as a session of its own: nothing that was approved before, and nothing that was under way, goes on."""
    return {
        "written_as": _writer(event),
        "name": body.name,
        "forked": body,
        "private": state.private or body.private,
        **_without_approvals(state),
        "chosen": "",
        "ending": "",
        "ending_reason": "",
        "finished": None,
        "failure": None,
        "stopped": "",
        "pending": None,
        "rating": None,
        "outcome": None,
        "way": state.way.left(),
    }


def _without_approvals(state: SessionState) -> dict[str, Any]:
    """Ask anew before anything is spent, wherever the session is rewound to."""
    points = (replace(point, state=replace(point.state, asks_again=True)) for point in state.points)
    return {"asks_again": True, "points": Growing(points)}


def _rewound(state: SessionState, event: Event, body: say.SessionRewound) -> dict[str, Any]:
    """Stand where the session stood at a point. What is decided there is asked anew, under a gate id of its own.

    What was spent stays spent, and what concerns the session as a whole (its name, marks, verdicts) stays as it is.
    """
    way = state.way.rewound(body.to, state.seq)
    target = next((point for point in state.points if point.seq == body.to), None)
    if way is None or (target is None and body.to != state.seq):  # unknown, in a file from somebody else
        return {}
    points = state.points
    if not state.way.here:
        points = points.appended(Point(seq=state.seq, state=_without_points(state)))
    back: dict[str, Any] = {name: getattr(target.state if target else state, name) for name in _LEFT_BEHIND}
    if way.ahead and back["gate"] is not None:
        back |= {"gate": replace(back["gate"], id=f"g{state.gates + 1}"), "gate_event": event.id}
        back |= {"gates": state.gates + 1}
    return back | {"points": points, "way": way}


_LEFT_BEHIND = (
    *("gate", "gate_event", "pending", "received", "rejected", "failure", "stopped", "finished"),
    *("ending", "ending_reason", "proposal", "approaches", "approaches_stale", "asked", "questions", "answers"),
    *("chosen", "approach", "proposal_stored", "constraints", "assumptions", "feedback", "handled", "edit"),
    *("versions", "saved_version", "findings", "current", "checkpoint", "iterations", "iteration_ends", "limit"),
    *("last_iteration_tokens", "history", "entities", "asking", "searched_for", "searched_as", "retrieved"),
    *("workers", "condensed", "not_condensed", "asks_again"),
)
"""What is again as it was, when a session is rewound: everything that its course led to."""


def _without_points(state: SessionState, **changes: Any) -> SessionState:
    return replace(state, points=_NO_POINTS, way=_NO_WAY, **changes)


_NO_POINTS: Growing[Point] = Growing()
_NO_WAY = Way()


def _with_point(state: SessionState) -> dict[str, Any]:
    """Return how a session remembers where it stands, before a decision moves it on: with nothing under way."""
    way = state.way.decided(state.seq)
    if state.way.here:  # it has that point already
        return {"way": way}
    at_rest = _without_points(state, pending=None, received=None, rejected="", asking=())
    return {"way": way, "points": state.points.appended(Point(seq=state.seq, state=at_rest))}


def _bounds_changed(state: SessionState, _event: Event, body: say.BoundsChanged) -> dict[str, Any]:
    bound_gate = state.gate is not None and state.gate.reason in BOUND_REASONS
    return {"bounds": body.bounds} | ({"gate": None, "gate_event": ""} if bound_gate else {})


def _proposal_given(state: SessionState, event: Event, body: say.ProposalGiven) -> dict[str, Any]:
    return {"proposal": body.text, "history": state.history.appended(_message(event, body.text))}


def _gate_opened(state: SessionState, event: Event, body: say.GateOpened) -> dict[str, Any]:
    return {"gate": body.gate, "gate_event": event.id, "gates": state.gates + 1}


def _gate_answered(state: SessionState, event: Event, body: say.GateAnswered) -> dict[str, Any]:
    gate = state.gate
    if gate is None or gate.id != body.gate:
        return {}
    closed: dict[str, Any] = {"gate": None, "gate_event": "", **_with_point(state)}
    if gate.kind != "question" and body.answer.kind not in ("edit", "stop"):  # none of them approves of going on
        closed["asks_again"] = False
    return closed | _DECISIONS[gate.kind](state, event, gate, body.answer)


def _approach_decided(state: SessionState, event: Event, _gate: Gate, answer: Answer) -> dict[str, Any]:
    if answer.kind == "choose":
        known = any(approach.id == answer.choice for approach in state.approaches)
        return {"chosen": answer.choice if known else ""}  # unknown, in a file from somebody else: it is asked again
    if answer.kind == "reject":
        reason = answer.text.strip() or "rejected by you"
        return {"ending": "reject", "ending_reason": reason}
    if answer.kind == "feedback":
        return _with_feedback(state, event, answer) | {"approaches_stale": True}
    return {}


def _question_decided(state: SessionState, event: Event, gate: Gate, answer: Answer) -> dict[str, Any]:
    text = answer.text if answer.kind == "answer" else ""
    answered = Answered(question=state.questions[0] if state.questions else gate.question, answer=text)
    decided: dict[str, Any] = {"questions": state.questions[1:], "answers": state.answers.appended(answered)}
    if text:
        decided |= {"approaches_stale": True, "history": state.history.appended(_message(event, text))}
    return decided


def _checkpoint_decided(state: SessionState, event: Event, gate: Gate, answer: Answer) -> dict[str, Any]:
    match answer.kind:
        case "continue" if gate.reason in BOUND_REASONS:
            return {"bounds": _raised(state.bounds, state.spent, gate)}
        case "continue":
            more = state.options.checkpoint_interval if gate.reason == "last" else 0
            return {"checkpoint": None, "limit": state.limit + more}
        case "feedback":
            room = max(state.limit, len(state.iterations) + 1)
            return _with_feedback(state, event, answer) | {"checkpoint": None, "limit": room}
        case "edit":
            return {"edit": answer.text}
        case "finish":
            reason = "converged" if gate.reason == "converged" else _FINISH_REASONS.get(event.actor, "finished by you")
            return {"ending": "save", "ending_reason": reason}
        case "stop":
            return {"stopped": "stopped by you"}
        case _:
            return {}


_FINISH_REASONS = {"policy": "all iterations are done"}


def _raised(bounds: say.Bounds, spent: Spent, gate: Gate) -> say.Bounds:
    """Return bounds of which the one that was asked about leaves as much again; a cost nobody knows is not bounded.

    Tokens leave at least what the next call needs.
    """
    match gate.reason:
        case "tokens" if bounds.max_tokens is not None:
            more = max(bounds.max_tokens, gate.needs)
            return replace(bounds, max_tokens=max(bounds.max_tokens, spent.tokens) + more)
        case "cost" if bounds.max_cost is not None:
            cost = None if spent.cost is None else max(bounds.max_cost, spent.cost) + bounds.max_cost
            return replace(bounds, max_cost=cost)
        case "time" if bounds.max_time is not None:
            return replace(bounds, max_time=max(bounds.max_time, spent.seconds) + bounds.max_time)
        case "calls" if bounds.max_calls is not None:
            return replace(bounds, max_calls=max(bounds.max_calls, spent.calls) + bounds.max_calls)
        case _:
            return bounds


def _with_feedback(state: SessionState, event: Event, answer: Answer) -> dict[str, Any]:
    said: list[tuple[str | None, str]] = [(None, answer.text)] if answer.text.strip() else []
    said += [(note.section, note.text) for note in answer.notes if note.text.strip()]
    new = [
        Feedback(id=f"F{len(state.feedback) + n}", text=text, section=section)
        for n, (section, text) in enumerate(said, start=1)
    ]
    messages = [_message(event, text, n) for n, (_, text) in enumerate(said, start=1)]
    return {"feedback": (*state.feedback, *new), "history": state.history.appended(*messages)}


_DECISIONS: dict[str, Callable[[SessionState, Event, Gate, Answer], dict[str, Any]]] = {
    "approach": _approach_decided,
    "question": _question_decided,
    "checkpoint": _checkpoint_decided,
}


def _call_started(state: SessionState, event: Event, body: say.CallStarted) -> dict[str, Any]:
    pending = PendingCall(
        call=body.call,
        role=body.role,
        task=body.task,
        attempt=body.attempt,
        event=event.id,
        model=body.model,
        estimated_tokens=body.estimated_tokens,
        covers=body.covers,
        worker=body.worker,
    )
    kept = _looks_kept(state, body.call) if body.task == CONDENSE else {}
    return {"pending": pending, "calls": state.calls + 1, **kept}


def _looks_kept(state: SessionState, call: str) -> dict[str, Any]:
    """Keep what was looked at outside for the call that condensing is for: that one comes next."""
    following = f"c{state.calls + 2}"
    return {name: following for name in ("searched_for", "observed_for") if getattr(state, name) == call}


def _call_retried(_state: SessionState, _event: Event, _body: say.CallRetried) -> dict[str, Any]:
    return {}


def _spend(spent: Spent, body: say.CallFinished | say.CallFailed | say.CallAbandoned) -> Spent:
    """Return what is spent after a call that came to an end, whatever end that was."""
    return replace(
        spent,
        calls=spent.calls + 1,
        input_tokens=spent.input_tokens + body.input_tokens,
        output_tokens=spent.output_tokens + body.output_tokens,
        known_cost=spent.known_cost + (body.cost or 0.0),
        unpriced_calls=spent.unpriced_calls + (body.cost is None),
        seconds=spent.seconds + body.seconds,
        last_call_tokens=body.input_tokens + body.output_tokens,
    )


def _call_finished(state: SessionState, event: Event, body: say.CallFinished) -> dict[str, Any]:
    spent = _spend(state.spent, body)
    pending = state.pending
    if pending is None or pending.call != body.call:
        return {"spent": spent} | _spent_by(state, "unknown", body)
    return {
        "spent": spent,
        **_spent_by(state, pending.worker or pending.role, body),
        "counted": state.counted if body.estimated else _with_counted(state, pending, body.input_tokens),
        "pending": None,
        "received": Received(call=pending, text=body.text),
        "history": state.history.appended(_reply(event, body.text, pending)),
    }


def _with_counted(state: SessionState, pending: PendingCall, reported: int) -> tuple[Counted, ...]:
    counted = Counted(role=pending.role, model=pending.model, reported=reported, estimated=pending.estimated_tokens)
    return (*(one for one in state.counted if one.role != pending.role), counted)


def _call_failed(state: SessionState, _event: Event, body: say.CallFailed) -> dict[str, Any]:
    changes = {"spent": _spend(state.spent, body)} | _spent_by(state, _spender(state, body.call), body)
    pending = state.pending
    if pending is None or pending.call != body.call:
        return changes
    changes["pending"] = None
    if pending.task == CONDENSE:
        return changes | _by_rule(state, pending.role)
    if pending.task == WORK:
        workers = changes.get("workers", state.workers)
        return changes | {"workers": _with_worker(workers, pending.worker, failed=body.message)}
    return changes | {"failure": Failure(error=body.error, message=body.message, remedy=body.remedy)}


def _spender(state: SessionState, call: str) -> str:
    """Return who spends on a call: a worker, else the role or agent that is asked."""
    pending = state.pending
    return "unknown" if pending is None or pending.call != call else pending.worker or pending.role


def _spent_by(
    state: SessionState, who: str, body: say.CallFinished | say.CallFailed | say.CallAbandoned
) -> dict[str, Any]:
    """Return the tokens of each spender after a call that came to an end."""
    tokens = body.input_tokens + body.output_tokens
    by = dict(state.tokens_by)
    changes: dict[str, Any] = {"tokens_by": tuple((by | {who: by.get(who, 0) + tokens}).items())}
    worker = next((one for one in state.workers if one.worker == who), None)
    if worker is None:
        return changes
    return changes | {"workers": _with_worker(state.workers, who, spent=worker.spent + tokens)}


def _with_worker(workers: tuple[Worker, ...], name: str, **changes: Any) -> tuple[Worker, ...]:
    return tuple(replace(one, **changes) if one.worker == name else one for one in workers)


def _by_rule(state: SessionState, agent: str) -> dict[str, Any]:
    """Nothing waits for a summary that no model could write: the next one is made by rule."""
    return {"not_condensed": tuple(dict.fromkeys((*state.not_condensed, agent)))}


def _call_abandoned(state: SessionState, _event: Event, body: say.CallAbandoned) -> dict[str, Any]:
    changes = {"spent": _spend(state.spent, body)} | _spent_by(state, _spender(state, body.call), body)
    return changes | ({"pending": None} if _is_pending(state, body.call) else {})


def _is_pending(state: SessionState, call: str) -> bool:
    """Tell whether a result is the awaited one, and not one of a call that was given up meanwhile."""
    return state.pending is not None and state.pending.call == call


def _reply_rejected(state: SessionState, _event: Event, body: say.ReplyRejected) -> dict[str, Any]:
    received = state.received
    if received is not None and received.call.task == CONDENSE:
        return {"received": None} | _by_rule(state, received.call.role)
    if received is not None and received.call.attempt > 1:
        remedy = "Resume to ask once more, or use another model."
        failure = Failure(error="ModelReplyInvalid", message=body.message, remedy=remedy)
        return {"received": None, "rejected": "", "failure": failure}
    return {"received": None, "rejected": body.message}


def _conversation_condensed(state: SessionState, _event: Event, body: say.ConversationCondensed) -> dict[str, Any]:
    condensed = (*(one for one in state.condensed if one[0] != body.agent), (body.agent, body.summary))
    not_condensed = tuple(one for one in state.not_condensed if one != body.agent)
    is_reply = state.received is not None and state.received.call.task == CONDENSE
    read: dict[str, Any] = {"received": None} if is_reply else {}
    return read | {"condensed": condensed, "not_condensed": not_condensed}


def _approaches_proposed(state: SessionState, _event: Event, body: say.ApproachesProposed) -> dict[str, Any]:
    return {
        "received": None,
        "rejected": "",
        "approaches": body.approaches,
        "approaches_stale": False,
        "chosen": "",
        "constraints": body.constraints,
        "assumptions": body.assumptions,
        "questions": () if state.asked else body.questions,
        "asked": True,
    }


def _approach_chosen(_state: SessionState, _event: Event, body: say.ApproachChosen) -> dict[str, Any]:
    return {"approach": body.approach}


def _iteration_begun(state: SessionState, _event: Event, body: say.IterationBegun) -> dict[str, Any]:
    return {"current": Current(number=body.number, tokens_before=state.spent.tokens, plan_before=state.plan)}


def _in_current(state: SessionState, **changes: Any) -> dict[str, Any]:
    if state.current is None:
        return {}
    more = changes.pop("insights", ())
    return {"current": replace(state.current, insights=(*state.current.insights, *more), **changes)}


def _guidance_recalled(state: SessionState, _event: Event, body: say.GuidanceRecalled) -> dict[str, Any]:
    return _in_current(state, guidance=body)


def _plan_changed(state: SessionState, event: Event, body: say.PlanChanged) -> dict[str, Any]:
    iteration = state.current.number if state.current else len(state.iterations)
    changes: dict[str, Any] = {"handled": (*state.handled, *body.handled)}
    if body.version > state.version:
        version = PlanVersion(
            version=body.version,
            plan=body.plan,
            by=body.by,
            iteration=iteration,
            change=body.change,
            seq=event.seq,
            time=event.time,
        )
        changes["versions"] = state.versions.appended(version)
    if body.by == "person":
        return changes | {"edit": "", "checkpoint": _checkpoint_behind_edit(state)}
    handled = (*state.current.handled, *body.handled) if state.current else ()
    read = {"received": None, "rejected": ""}
    return changes | read | _in_current(state, planned=True, insights=body.insights, handled=handled)


def _checkpoint_behind_edit(state: SessionState) -> CheckpointReason | None:
    """Return why the checkpoint is asked again: that the plan had converged says nothing of what it is now."""
    if state.checkpoint != "converged":
        return state.checkpoint
    return "last" if len(state.iterations) >= state.limit else "interval"


def _plan_verified(state: SessionState, _event: Event, body: say.PlanVerified) -> dict[str, Any]:
    if body.by == "checks":
        return {"findings": body.findings}
    read = {"received": None, "rejected": "", "findings": body.findings}
    return read | _in_current(state, verified=True, insights=body.insights)


def _plan_saved(_state: SessionState, _event: Event, body: say.PlanSaved) -> dict[str, Any]:
    return {"saved_version": body.version}


def _actions_prepared(state: SessionState, _event: Event, body: say.ActionsPrepared) -> dict[str, Any]:
    read = {"received": None, "rejected": ""}
    return read | _in_current(state, prepared=True, actions=body.actions, insights=body.insights)


def _deliverable_written(state: SessionState, _event: Event, body: say.DeliverableWritten) -> dict[str, Any]:
    read = {"received": None, "rejected": ""}
    return read | _in_current(state, written=True, deliverable=body.text, insights=body.insights)


def _iteration_completed(state: SessionState, event: Event, body: say.IterationCompleted) -> dict[str, Any]:
    tokens = state.spent.tokens - state.current.tokens_before if state.current else 0
    return {
        "iterations": state.iterations.appended(body.result),
        "iteration_ends": state.iteration_ends.appended(Moment(seq=event.seq, time=event.time)),
        "checkpoint": body.checkpoint,
        "current": None,
        "last_iteration_tokens": tokens,
    }


def _iteration_stored(state: SessionState, event: Event, body: say.IterationStored) -> dict[str, Any]:
    return {
        "iterations": state.iterations.appended(body.result),
        "iteration_ends": state.iteration_ends.appended(Moment(seq=event.seq, time=event.time)),
    }


def _agent_added(state: SessionState, _event: Event, body: say.AgentAdded) -> dict[str, Any]:
    return {"agents": (*(one for one in state.agents if one.id != body.agent.id), body.agent)}


def _agent_answered(state: SessionState, _event: Event, body: say.AgentAnswered) -> dict[str, Any]:
    return {"received": None, "asking": tuple(one for one in state.asking if one.message != body.message)}


def _workers_sent(state: SessionState, event: Event, body: say.WorkersSent) -> dict[str, Any]:
    if state.agent(body.agent) is None:  # unknown, in a file from somebody else: nobody can work for it
        return {}
    known = {one.worker for one in state.workers}
    new = (
        Worker(worker=one.worker, agent=body.agent, work=one.work, allowance=one.allowance, seq=event.seq)
        for one in body.workers
        if one.worker not in known
    )
    return {"workers": (*state.workers, *new)}


def _worker_reported(state: SessionState, event: Event, body: say.WorkerReported) -> dict[str, Any]:
    read: dict[str, Any] = {}
    if state.received is not None and state.received.call.worker == body.worker:
        read = {"received": None}
    moment = Moment(seq=event.seq, time=event.time)
    return read | {"workers": _with_worker(state.workers, body.worker, report=body, reported=moment)}


def _message_given(state: SessionState, event: Event, body: say.MessageGiven) -> dict[str, Any]:
    said = HistoryItem(
        id=event.id,
        seq=event.seq,
        role=body.role,
        agent=event.agent if body.role == "assistant" else None,
        text=body.text,
        time=body.said or event.time,
    )
    asking = state.asking
    if any(agent.id == body.to for agent in state.agents):  # unknown, in a file from somebody else: nobody can answer
        asking = (*asking, Asking(agent=body.to, message=said.id))
    return {"history": state.history.appended(said), "asking": asking}


def _entity_stored(state: SessionState, event: Event, body: say.EntityStored) -> dict[str, Any]:
    entity = Entity(
        id=event.id, seq=event.seq, name=body.name, content=body.content, time=event.time, origin=event.origin
    )
    stored = state.proposal_stored or body.name == f"{entity_prefix(SessionId(state.written_as))}_proposal"
    return {"entities": state.entities.appended(entity), "proposal_stored": stored}


def _others_searched(state: SessionState, event: Event, body: say.OthersSearched) -> dict[str, Any]:
    searches = state.searches.appended(body)
    if not body.for_call:
        return {"searches": searches}
    searched = {"searched_for": body.for_call, "searched_as": event.agent or ""}
    return {"searches": searches, "retrieved": body.found, **searched}


def _shared_observed(state: SessionState, _event: Event, body: say.SharedObserved) -> dict[str, Any]:
    looked = {"observed_for": body.for_call}
    if body.unavailable:
        return looked | {"shared": replace(state.shared, unavailable=body.unavailable)}
    values = {} if body.anew else dict(state.shared.values)
    for change in body.changes:
        values.pop(change.key, None)
        if change.value is not ABSENT or change.cut:
            own = change.session == state.written_as
            values[change.key] = replace(change, session=state.session) if own else change
    return looked | {"shared": SharedSeen(epoch=body.epoch, seq=body.seq, values=values)}


def _recall_switched(_state: SessionState, _event: Event, body: say.RecallSwitched) -> dict[str, Any]:
    return {"recall": body.on} if body.on else {"recall": False, "retrieved": ()}


def _item_marked(state: SessionState, _event: Event, body: say.ItemMarked) -> dict[str, Any]:
    whose = state.session if body.session == state.written_as else body.session
    name = f"{whose} {body.item}"
    others = tuple(mark for mark in state.marks if mark[0] != name)
    if not body.mark:
        return {"marks": others}
    found = (one for search in reversed(state.searches) for one in search.found)
    quoted = next((one for one in found if (one.session, one.id) == (body.session, body.item)), None)
    return {"marks": (*others, (name, body.mark, quoted if body.mark == "pinned" else None))}


def _privacy_changed(_state: SessionState, _event: Event, body: say.PrivacyChanged) -> dict[str, Any]:
    return {"private": body.private}


def _rating_given(_state: SessionState, _event: Event, body: say.RatingGiven) -> dict[str, Any]:
    return {"rating": body}


def _outcome_logged(_state: SessionState, _event: Event, body: say.OutcomeLogged) -> dict[str, Any]:
    return {"outcome": body}


def _content_forgotten(_state: SessionState, _event: Event, _body: say.ContentForgotten) -> dict[str, Any]:
    return {}


def _unknown(_state: SessionState, _event: Event, _body: say.Unknown) -> dict[str, Any]:
    return {}


_FOLDS: dict[type, Callable[[SessionState, Event, Any], dict[str, Any]]] = {
    say.SessionResumed: _resumed,
    say.SessionRenamed: _renamed,
    say.SessionReopened: _reopened,
    say.SessionStopped: _stopped,
    say.SessionFinished: _finished,
    say.SessionForked: _forked,
    say.SessionRewound: _rewound,
    say.BoundsChanged: _bounds_changed,
    say.ProposalGiven: _proposal_given,
    say.GateOpened: _gate_opened,
    say.GateAnswered: _gate_answered,
    say.CallStarted: _call_started,
    say.CallRetried: _call_retried,
    say.CallFinished: _call_finished,
    say.CallFailed: _call_failed,
    say.CallAbandoned: _call_abandoned,
    say.ReplyRejected: _reply_rejected,
    say.ConversationCondensed: _conversation_condensed,
    say.ApproachesProposed: _approaches_proposed,
    say.ApproachChosen: _approach_chosen,
    say.IterationBegun: _iteration_begun,
    say.GuidanceRecalled: _guidance_recalled,
    say.PlanChanged: _plan_changed,
    say.PlanVerified: _plan_verified,
    say.PlanSaved: _plan_saved,
    say.ActionsPrepared: _actions_prepared,
    say.DeliverableWritten: _deliverable_written,
    say.IterationCompleted: _iteration_completed,
    say.IterationStored: _iteration_stored,
    say.MessageGiven: _message_given,
    say.AgentAdded: _agent_added,
    say.AgentAnswered: _agent_answered,
    say.WorkersSent: _workers_sent,
    say.WorkerReported: _worker_reported,
    say.EntityStored: _entity_stored,
    say.OthersSearched: _others_searched,
    say.SharedObserved: _shared_observed,
    say.PrivacyChanged: _privacy_changed,
    say.RecallSwitched: _recall_switched,
    say.ItemMarked: _item_marked,
    say.RatingGiven: _rating_given,
    say.OutcomeLogged: _outcome_logged,
    say.ContentForgotten: _content_forgotten,
    say.Unknown: _unknown,
}

_ASIDE = frozenset(
    {
        "session.renamed",
        "rating.given",
        "outcome.logged",
        "message.given",
        "agent.added",
        "agent.answered",
        "worker.reported",
        "entity.stored",
        "others.searched",
        "shared.observed",
        "privacy.changed",
        "recall.switched",
        "item.marked",
        "content.forgotten",
        "call.retried",
        "conversation.condensed",
    }
)
"""Kinds that do not move the loop, so that nothing is derived because of them; unknown ones do not either."""


_STAYS = frozenset(
    {
        "session.resumed",
        "session.renamed",
        "session.stopped",
        "session.rewound",
        "bounds.changed",
        "rating.given",
        "outcome.logged",
        "agent.added",
        "others.searched",
        "shared.observed",
        "privacy.changed",
        "recall.switched",
        "item.marked",
        "content.forgotten",
    }
)


def moves_on(kind: str) -> bool:
    """Tell whether a session leaves the place that it was rewound to with an event of a kind.

    Behind any other one the rewind can be taken back.
    """
    return kind in say.KINDS and kind not in _STAYS


def created_twice(event: Event) -> LogDamaged:
    """Return the error for a creation in the middle of a session: what came before would silently be gone."""
    return LogDamaged(
        f"Session {event.session} is created once more by its event {event.seq}.",
        say.KEEP_WHAT_IS_BEFORE,
    )


def apply(state: SessionState | None, event: Event) -> SessionState:
    """Return the state after one more event. Raises LogDamaged when a session is not created first, and once."""
    body = say.content(event)
    if isinstance(body, say.SessionCreated):
        if state is not None:
            raise created_twice(event)
        return _created(event, body)
    if state is None:
        raise LogDamaged(
            f"Session {event.session} begins with {event.kind!r} instead of its creation.",
            "Restore the file from a copy, or delete the session.",
        )
    changes = _FOLDS[type(body)](state, event, body)
    if state.way.here and moves_on(event.kind):
        changes = {"way": state.way.left()} | changes
    asks = isinstance(body, say.MessageGiven) and body.to != ""
    is_aside = (event.kind in _ASIDE and not asks) or isinstance(body, say.Unknown)
    trigger = state.trigger if is_aside else event.id
    return replace(state, seq=event.seq, updated=event.time, turn=event.turn, trigger=trigger, **changes)


def tokens_tree(state: SessionState) -> list[tuple[str, int]]:
    """Return who spent how many tokens: roles and agents, each with its workers indented behind it."""
    by = dict(state.tokens_by)
    agents = {worker.worker: worker.agent for worker in state.workers}
    tree: list[tuple[str, int]] = []
    for who in dict.fromkeys(agents.get(name, name) for name in by):
        tree.append((who, by.get(who, 0)))
        tree += [(f"  {name}", tokens) for name, tokens in by.items() if agents.get(name) == who]
    return tree


def fold(events: Iterable[Event], state: SessionState | None = None) -> SessionState:
    """Return the state after ``events``, from the beginning or from an earlier ``state``.

    Raises LogDamaged where there is no event at all, or the first one is not a creation.
    """
    for event in events:
        state = apply(state, event)
    if state is None:
        raise LogDamaged("The session has no events.", "Delete it, or restore the file from a copy.")
    return state
