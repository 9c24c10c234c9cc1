"""What can happen in a planning session: the bodies of its events, one frozen value for each kind.

    session    created · resumed · renamed · reopened · stopped · finished      bounds.changed · proposal.given
               forked · rewound
    gate       opened · answered
    call       started · retried · finished · failed · abandoned                reply.rejected · conversation.condensed
    approaches.proposed · approach.chosen
    iteration  begun · completed · stored                                       guidance.recalled
    plan       changed · verified · saved                                       actions.prepared · deliverable.written
    agent        added · answered                    workers.sent · worker.reported
    message.given · entity.stored · rating.given · outcome.logged               others.searched
    privacy.changed · recall.switched · item.marked · content.forgotten         shared.observed

Given kinds came from outside; derived kinds follow from what stands before them (``ORIGINS``; guidance.recalled is
given only when the search failed, since a failure cannot be computed again). A body's fields only grow, each new one
with a default; any other change raises the kind's version and adds a step to domain/upgrades.py.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from workbench.domain import bodies
from workbench.domain.agents import Agent
from workbench.domain.context import RecallSettings, Receipt, SentContext, Summary
from workbench.domain.envelope import Draft, Event, Origin, Turn
from workbench.domain.gates import Answer, CheckpointReason, Gate
from workbench.domain.merge import ABSENT
from workbench.domain.plan import Plan
from workbench.domain.tasks import Action, Approach, Finding, Handled

MOST_COUNTED = 2**53
"""Up to where a whole number of JSON is exact everywhere."""
MOST_DOLLARS = 1e9

Count = Annotated[int, Meta(ge=0, le=MOST_COUNTED)]
"""What is counted. These types have limits so that no file can make a sum infinite, or have something divided by 0."""
Dollars = Annotated[float, Meta(ge=0, le=MOST_DOLLARS)]
Seconds = Annotated[float, Meta(ge=0, le=1e9)]
Share = Annotated[float, Meta(ge=0, le=1)]
Iterations = Annotated[int, Meta(ge=1, le=10_000)]
Stars = Annotated[int, Meta(ge=1, le=5)]


class Bounds(msgspec.Struct, frozen=True, kw_only=True):
    """How much a session may spend before it pauses and asks; None: no bound."""

    max_tokens: Count | None = None
    """Input and output tokens of all calls together."""
    max_cost: Dollars | None = None
    """US dollars."""
    max_time: Seconds | None = None
    """Seconds spent in calls."""
    max_calls: Count | None = None
    """Calls of models."""


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """How a session runs."""

    max_iterations: Iterations = 5
    checkpoint_interval: Iterations = 2
    """A checkpoint after every so many iterations."""
    model: str = "guided"
    base_url: str = ""
    """Address of the model's server; "" for the provider's own."""
    bounds: Bounds = Bounds()
    private: bool = False
    """Whether no other session may find anything of this one."""
    recall: bool = False
    """Whether other sessions are searched before the planner, or an agent, is asked."""
    context: RecallSettings = RecallSettings()
    """How each kind of message comes into a prompt."""
    shared: bool = False
    """Whether the shared context is looked at before a role or an agent is asked."""


class PromptMessage(msgspec.Struct, frozen=True, kw_only=True):
    """One message of a prompt, as it was sent."""

    role: str
    content: str = ""
    item: str = ""
    """Id of the message of this session whose text it is, word for word; "" where ``content`` says it."""


class IterationResult(msgspec.Struct, frozen=True, kw_only=True):
    """What an iteration ended in."""

    iteration_num: Count
    plan: str
    """Markdown."""
    key_insights: tuple[str, ...] = ()
    verification: tuple[Finding, ...] = ()
    """Findings that were open at its end."""
    actions: tuple[Action, ...] = ()
    deliverable: str = ""
    handled: tuple[Handled, ...] = ()
    """What became of the feedback that it took up."""
    change: Share = 1.0
    """Share of the plan's tokens that differ from the last iteration's plan, 0 to 1."""
    plan_version: Count | None = None
    """None for results that were stored by a program instead of by the loop."""


class _Body(msgspec.Struct, frozen=True, kw_only=True):
    """What an event says."""


class SessionCreated(_Body, frozen=True, kw_only=True):
    """A session begins."""

    goal: str
    name: str
    options: Options
    today: str
    """ISO date in the person's time zone; what the plan calls today."""
    workbench: str
    """Version that wrote it."""


class SessionResumed(_Body, frozen=True, kw_only=True):
    """A process took the session up again: the turn's number goes up, a failure may be tried again."""

    model: str = ""
    """The model it goes on with, where that is another one; "" where model and address stay."""
    base_url: str = ""
    """Address of that model's server; "" for the provider's own."""
    shared: bool | None = None
    """Whether the shared context is looked at from now on; None where that stays as it was."""


class SessionRenamed(_Body, frozen=True, kw_only=True):
    """The session has another name; its id stays."""

    name: str


class SessionReopened(_Body, frozen=True, kw_only=True):
    """A finished session goes on with feedback, for one more iteration."""

    text: str


class SessionStopped(_Body, frozen=True, kw_only=True):
    """The driving ended before the session did."""

    reason: str
    asks_again: bool = False
    """Whether a person has to approve anew before anything more is spent: it was brought in from elsewhere."""


class SessionFinished(_Body, frozen=True, kw_only=True):
    """The session came to its end."""

    reason: str
    """In words: converged, finished by you, rejected."""
    outcome: Literal["saved", "rejected"]


class SessionForked(_Body, frozen=True, kw_only=True):
    """The session goes its own way from here: what stands before this is a copy of another one's beginning."""

    origin: str
    """Id of the session that it comes from."""
    at: Annotated[int, Meta(ge=1, le=MOST_COUNTED)]
    """Seq of the last event that was copied."""
    hash: str
    """Of that event, in the origin: what the chain there says of everything up to it."""
    name: str
    forgotten: tuple[str, ...] = ()
    """Ids of those copies that say less than what was written: it was forgotten in the origin."""
    private: bool = False
    """Whether the origin was private when this began, though it may not have been yet where it was forked."""


class SessionRewound(_Body, frozen=True, kw_only=True):
    """The session stands where it stood before. Nothing is deleted: what came since stays in the log."""

    to: Annotated[int, Meta(ge=1, le=MOST_COUNTED)]
    """Seq of the last event that counts again; what a person decided behind it is undecided."""
    redo: bool = False
    """Whether it takes back a rewind."""


class BoundsChanged(_Body, frozen=True, kw_only=True):
    """A person set other bounds."""

    bounds: Bounds


class ProposalGiven(_Body, frozen=True, kw_only=True):
    """The session starts from a proposal that exists already."""

    text: str
    source: str
    """File name without folders, or ``-``."""


class GateOpened(_Body, frozen=True, kw_only=True):
    """A person has to decide."""

    gate: Gate


class GateAnswered(_Body, frozen=True, kw_only=True):
    """Somebody decided."""

    gate: str
    answer: Answer


class CallStarted(_Body, frozen=True, kw_only=True):
    """A model is about to be asked: the exact prompt."""

    call: str
    """c1, c2, … in order; another attempt is another call."""
    role: str
    task: str
    """propose, plan, verify, execute, generate, chat, work or condense: what the fold up to here makes of it."""
    attempt: Count
    """1, or 2 for the one repair of a reply that did not fit."""
    model: str
    messages: tuple[PromptMessage, ...]
    prompt_hash: str
    """sha256 over the messages as JSON, hex."""
    parameters: dict[str, Any]
    estimated_tokens: int = 0
    """About how many tokens the prompt takes: what counts as spent when the call is never heard of again."""
    context: SentContext | None = None
    """What of conversation and memory the prompt holds; None where an older workbench recorded the call."""
    covers: tuple[str, ...] = ()
    """Of condense: ids of what the summary is to stand for."""
    worker: str = ""
    """Of work: whose call it is."""


class CallRetried(_Body, frozen=True, kw_only=True):
    """An attempt to reach the model failed and another one follows."""

    call: str
    reason: str
    wait: Seconds
    """Until then."""


class CallFinished(_Body, frozen=True, kw_only=True):
    """The model has answered: the reply as received, cleaned."""

    call: str
    text: str
    input_tokens: Count
    output_tokens: Count
    cost: Dollars | None
    """US dollars; None when unknown."""
    estimated: bool
    """True when the tokens were counted here because the provider reported none."""
    seconds: Seconds
    model: str
    """As the provider reports it."""
    reason: str
    """stop, length or tool."""


class CallFailed(_Body, frozen=True, kw_only=True):
    """The model has not answered."""

    call: str
    error: str
    """Name of the error's class."""
    message: str
    remedy: str
    partial: str = ""
    """What was received before."""
    input_tokens: Count = 0
    """About what was spent; 0 where the prompt never reached the model."""
    output_tokens: Count = 0
    cost: Dollars | None = 0.0
    """US dollars; None when it may have been charged, and nobody knows how much."""
    seconds: Seconds = 0.0


class CallAbandoned(_Body, frozen=True, kw_only=True):
    """Nobody knows what became of a call: it may have been paid for, and is asked again."""

    call: str
    reason: str
    partial: str = ""
    input_tokens: Count = 0
    """About what was spent."""
    output_tokens: Count = 0
    cost: Dollars | None = 0.0
    """US dollars; None when it may have been charged, and nobody knows how much."""
    seconds: Seconds = 0.0
    """0 where the process ended, and nobody measured."""


class ReplyRejected(_Body, frozen=True, kw_only=True):
    """A reply did not fit its task."""

    call: str
    message: str


class ConversationCondensed(_Body, frozen=True, kw_only=True):
    """The oldest part of a conversation is said to an agent in fewer words from now on."""

    agent: str
    """In whose view: a role, or an agent that is talked to."""
    summary: Summary
    receipt: Receipt


class ApproachesProposed(_Body, frozen=True, kw_only=True):
    """There are approaches to choose from."""

    approaches: tuple[Approach, ...]
    constraints: tuple[str, ...]
    assumptions: tuple[str, ...]
    questions: tuple[str, ...]


class ApproachChosen(_Body, frozen=True, kw_only=True):
    """One approach was approved."""

    approach: Approach


class IterationBegun(_Body, frozen=True, kw_only=True):
    """An iteration starts."""

    number: Count


class GuidanceRecalled(_Body, frozen=True, kw_only=True):
    """What earlier iterations of this session have to say to the next one."""

    query: str
    source: Literal["search", "fallback", "none"]
    """search: this session's own memory; fallback: the last iteration's first insights, because the search failed or
    found nothing; none: there are no insights yet."""
    items: tuple[str, ...]
    note: str = ""
    """Why it is a fallback."""
    embedder: str = ""
    """What its memory was searched with; "" where it was not searched, or by an older workbench."""


class PlanChanged(_Body, frozen=True, kw_only=True):
    """There is a new version of the plan."""

    version: Count
    plan: Plan
    by: str
    """planner, or person for an edit by hand."""
    change: Share
    """Share of tokens that differ from the version before, 0 to 1."""
    handled: tuple[Handled, ...] = ()
    insights: tuple[str, ...] = ()


class PlanVerified(_Body, frozen=True, kw_only=True):
    """The plan was examined by the checks and by the verifier."""

    findings: tuple[Finding, ...]
    insights: tuple[str, ...] = ()
    by: Literal["verifier", "checks"] = "verifier"
    """checks, where an edit by hand was examined by them alone."""


class PlanSaved(_Body, frozen=True, kw_only=True):
    """A version is kept as the result."""

    version: Count


class ActionsPrepared(_Body, frozen=True, kw_only=True):
    """The plan's steps are turned into concrete actions."""

    actions: tuple[Action, ...]
    insights: tuple[str, ...] = ()


class DeliverableWritten(_Body, frozen=True, kw_only=True):
    """The deliverable stands."""

    text: str
    insights: tuple[str, ...] = ()


class IterationCompleted(_Body, frozen=True, kw_only=True):
    """An iteration ended."""

    result: IterationResult
    checkpoint: CheckpointReason | None
    """Why a person is asked now; None when the next iteration follows at once."""


class IterationStored(_Body, frozen=True, kw_only=True):
    """A program stored a result of its own (``store_iteration_result``)."""

    result: IterationResult


class MessageGiven(_Body, frozen=True, kw_only=True):
    """Something that was said elsewhere belongs to the session from now on; a reply's agent stands in the header."""

    role: Literal["user", "assistant"]
    text: str
    said: str = ""
    """When, UTC, ISO 8601; "" for the moment of the event."""
    to: str = ""
    """Id of the agent that is to answer; "" where nobody is."""


class AgentAdded(_Body, frozen=True, kw_only=True):
    """There is somebody more to talk to; the same id again takes its place."""

    agent: Agent


class AgentAnswered(_Body, frozen=True, kw_only=True):
    """An agent's reply was taken as its answer."""

    agent: str
    message: str
    """Id of the message that it answers, as it stands in the history."""


class SentWorker(msgspec.Struct, frozen=True, kw_only=True):
    """A worker that an agent sent."""

    worker: str
    """``{agent}.{n}``: the n-th worker of its agent in this session."""
    work: str
    """What it is to do."""
    allowance: Count
    """Tokens that it may spend."""


class WorkersSent(_Body, frozen=True, kw_only=True):
    """An agent lets workers do parts of its work: each with a copy of its context as of this event."""

    agent: str
    workers: tuple[SentWorker, ...]
    snapshot: str
    """sha256, hex, of what the agent saw then."""
    reserve: Count
    """Tokens that stay for the agent itself."""


class WorkerReported(_Body, frozen=True, kw_only=True):
    """A worker is back; what it did not spend is its agent's again."""

    worker: str
    agent: str
    answer: str
    evidence: tuple[str, ...] = ()
    """Ids of the entries, in its agent's context, that the answer rests on."""
    open_questions: tuple[str, ...] = ()
    spent: Count = 0
    """Tokens."""
    is_complete: bool = True
    """False where its tokens were used up, or its model failed, before the work was done."""
    why: str = ""
    """Why it is not."""


class EntityStored(_Body, frozen=True, kw_only=True):
    """A named piece of the session's memory; the same name again is its next version."""

    name: str
    content: str


class Quoted(msgspec.Struct, frozen=True, kw_only=True):
    """An item of another session, as it was found."""

    id: str
    session: str
    """Whose it is."""
    role: Literal["user", "assistant", "artefact"]
    agent: str | None
    time: str
    text: str
    score: float
    why: str
    """Why it was found, in words."""
    parts: dict[str, float] = {}
    """What the score is the sum of, by name."""
    relevance: float = 0.0
    """How near it comes to what was asked by itself, 0 to 3; compares between searches, unlike the score."""


class OthersSearched(_Body, frozen=True, kw_only=True):
    """Other sessions were searched for this one: the only way in which anything of theirs comes here."""

    query: str
    reason: str
    """What it was needed for."""
    found: tuple[Quoted, ...]
    """Best first."""
    unavailable: str = ""
    """Why other sessions, or some of them, could not be searched; "" where all were."""
    for_call: str = ""
    """Id of the next call, which it is for, or which condenses for that one; "" where a person searched."""


class SharedValue(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A key of the shared context, as a session saw it."""

    key: str
    value: Any = ABSENT
    """JSON; left out where the key was deleted, or is ``cut``."""
    version: Count
    session: str
    """Who changed it last."""
    time: str
    """When: UTC, ISO 8601."""
    cut: Count = 0
    """Bytes of a value that is too large to stand in this log too; 0 where it is whole."""


class SharedObserved(_Body, frozen=True, kw_only=True):
    """What a session saw of the shared context before a call: what changed since it looked last, each key once."""

    epoch: str = ""
    """Of the shared stream's history."""
    seq: Count = 0
    """Place in that stream up to which it looked."""
    changes: tuple[SharedValue, ...] = ()
    """The last changed last."""
    anew: bool = False
    """Whether these are all the keys there are: it looks for the first time, or at another history."""
    unavailable: str = ""
    """Why it could not look; "" where it did."""
    for_call: str = ""
    """Id of the next call, which it is for, or which condenses for that one."""


class RecallSwitched(_Body, frozen=True, kw_only=True):
    """A person decided whether other sessions are searched for this one."""

    on: bool


class ItemMarked(_Body, frozen=True, kw_only=True):
    """A person decided about an item that was found in another session, from the very next prompt on."""

    session: str
    item: str
    mark: Literal["excluded", "pinned", ""]
    """excluded: never again in a prompt; pinned: in every one; "": as it was found."""


class PrivacyChanged(_Body, frozen=True, kw_only=True):
    """A person decided whether other sessions may find anything of this one."""

    private: bool


class RatingGiven(_Body, frozen=True, kw_only=True):
    """A person rated the plan."""

    stars: Stars
    """1 to 5."""
    note: str = ""


class OutcomeLogged(_Body, frozen=True, kw_only=True):
    """What became of the plan in the world."""

    outcome: Literal["success", "partial", "failure"]
    note: str = ""


class Redacted(msgspec.Struct, frozen=True, kw_only=True):
    """An event whose body was redacted."""

    event: str
    """Its id."""
    body: str
    """sha256 of its body as it stands now, hex."""


class ContentForgotten(_Body, frozen=True, kw_only=True):
    """A person had an item forgotten: these events say it no more. What it said stands nowhere, nor here."""

    item: str
    """Its id."""
    session: str = ""
    """Whose item it is, where it was quoted here; "" for this session's own."""
    part: bool = False
    """Whether only a part of it was forgotten."""
    redacted: tuple[Redacted, ...] = ()


Unknown = bodies.Unknown
"""An event of a kind, or of a version, that this workbench does not know."""

Body = (
    SessionCreated
    | SessionResumed
    | SessionRenamed
    | SessionReopened
    | SessionStopped
    | SessionFinished
    | SessionForked
    | SessionRewound
    | BoundsChanged
    | ProposalGiven
    | GateOpened
    | GateAnswered
    | CallStarted
    | CallRetried
    | CallFinished
    | CallFailed
    | CallAbandoned
    | ReplyRejected
    | ConversationCondensed
    | ApproachesProposed
    | ApproachChosen
    | IterationBegun
    | GuidanceRecalled
    | PlanChanged
    | PlanVerified
    | PlanSaved
    | ActionsPrepared
    | DeliverableWritten
    | IterationCompleted
    | IterationStored
    | MessageGiven
    | AgentAdded
    | AgentAnswered
    | WorkersSent
    | WorkerReported
    | EntityStored
    | OthersSearched
    | SharedObserved
    | PrivacyChanged
    | RecallSwitched
    | ItemMarked
    | RatingGiven
    | OutcomeLogged
    | ContentForgotten
)

KINDS: dict[str, type[Body]] = {
    "session.created": SessionCreated,
    "session.resumed": SessionResumed,
    "session.renamed": SessionRenamed,
    "session.reopened": SessionReopened,
    "session.stopped": SessionStopped,
    "session.finished": SessionFinished,
    "session.forked": SessionForked,
    "session.rewound": SessionRewound,
    "bounds.changed": BoundsChanged,
    "proposal.given": ProposalGiven,
    "gate.opened": GateOpened,
    "gate.answered": GateAnswered,
    "call.started": CallStarted,
    "call.retried": CallRetried,
    "call.finished": CallFinished,
    "call.failed": CallFailed,
    "call.abandoned": CallAbandoned,
    "reply.rejected": ReplyRejected,
    "conversation.condensed": ConversationCondensed,
    "approaches.proposed": ApproachesProposed,
    "approach.chosen": ApproachChosen,
    "iteration.begun": IterationBegun,
    "guidance.recalled": GuidanceRecalled,
    "plan.changed": PlanChanged,
    "plan.verified": PlanVerified,
    "plan.saved": PlanSaved,
    "actions.prepared": ActionsPrepared,
    "deliverable.written": DeliverableWritten,
    "iteration.completed": IterationCompleted,
    "iteration.stored": IterationStored,
    "message.given": MessageGiven,
    "agent.added": AgentAdded,
    "agent.answered": AgentAnswered,
    "workers.sent": WorkersSent,
    "worker.reported": WorkerReported,
    "entity.stored": EntityStored,
    "others.searched": OthersSearched,
    "shared.observed": SharedObserved,
    "privacy.changed": PrivacyChanged,
    "recall.switched": RecallSwitched,
    "item.marked": ItemMarked,
    "rating.given": RatingGiven,
    "outcome.logged": OutcomeLogged,
    "content.forgotten": ContentForgotten,
}

VERSIONS: dict[str, int] = dict.fromkeys(KINDS, 1)
"""The version of each kind's body that this workbench writes."""

GIVEN: frozenset[type[Body]] = frozenset(
    {
        SessionCreated,
        SessionResumed,
        SessionRenamed,
        SessionReopened,
        SessionStopped,
        SessionForked,
        SessionRewound,
        BoundsChanged,
        ProposalGiven,
        GateAnswered,
        CallRetried,
        CallFinished,
        CallFailed,
        CallAbandoned,
        IterationStored,
        MessageGiven,
        AgentAdded,
        WorkersSent,
        EntityStored,
        OthersSearched,
        SharedObserved,
        PrivacyChanged,
        RecallSwitched,
        ItemMarked,
        RatingGiven,
        OutcomeLogged,
        ContentForgotten,
    }
)
"""Kinds that come from outside, unless the writer says otherwise (the loop derives its own entities)."""

KEEP_WHAT_IS_BEFORE = (
    "Everything before it can be read: `workbench sessions repair` keeps that, "
    "and of a file from elsewhere `workbench sessions import --sound-part`."
)
"""What to do about an event that cannot be read, wherever its session is from."""
_KINDS: bodies.Kinds[Body] = bodies.Kinds(KINDS, VERSIONS, given=GIVEN, remedy=KEEP_WHAT_IS_BEFORE)


def content(event: Event) -> Body | Unknown:
    """Return what an event says, as a typed value of the current version.

    An event of a newer version or kind gives Unknown; an event whose body cannot be read raises LogDamaged.
    """
    return _KINDS.content(event)


def draft(
    body: Body,
    turn: Turn,
    *,
    actor: str,
    cause: str,
    time: str,
    origin: Origin | None = None,
) -> Draft:
    """Return a body as the draft of an event of this turn, as ``Kinds.draft`` does. Raises UsageError."""
    return _KINDS.draft(body, turn, actor=actor, cause=cause, time=time, origin=origin)
