"""What can happen in a planning session: the bodies of its events, one frozen value for each kind.

    session    created · resumed · renamed · reopened · stopped · finished      bounds.changed · proposal.given
               forked · rewound                                                begin.given
    gate       opened · answered
    call       started · retried · noted · finished · failed · abandoned        reply.rejected · reply.mended
               conversation.condensed
    approaches.proposed · approach.chosen
    iteration  begun · completed · stored                                       guidance.recalled
    plan       changed · verified · saved           status.reported              actions.prepared · deliverable.written
    facts.read · statements.read · statement.marked · result.wanted
    agent        added · answered                    workers.sent · worker.reported
    message.given · entity.stored · rating.given · outcome.logged               others.searched
    tools.offered · tool.asked · tool.started · tool.returned                   consent.lapsed
    file.read · lessons.given · practice.given · research.switched · gaps.researched
    privacy.changed · recall.switched · item.marked · content.forgotten         shared.observed
    feedback.given · checkpoint.wanted
    changes.offered · offer.decided · client.said
    plan.submitted · plan.seen · note.written · submission.decided · answer.delivered      of a reviewed plan

Given events came from outside; derived ones follow from the events before them. Three kinds can be either: the loop
stores entities of its own, notes that a prompt does not fit (call.failed), and recalls guidance, which is given only
where the search failed, since a failure cannot be computed again.

A body's fields only grow, each new one with a default; any other change raises the kind's version and adds a step to
domain/log/bodies.py.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta

from workbench.domain.log import bodies
from workbench.domain.log.envelope import Draft, Origin, Turn
from workbench.domain.loop.agents import Agent
from workbench.domain.loop.asking.tasks import Action, Approach, Finding, Handled
from workbench.domain.loop.begin import Begin
from workbench.domain.loop.deciding.gates import Answer, CheckpointReason, Gate
from workbench.domain.plan.changing.operations import Change, RemoveItem, RemoveSection
from workbench.domain.session.context import Message, RecallSettings, Receipt, SentContext, Summary
from workbench.domain.shared.merge import ABSENT
from workbench.domain.statements.statement import Cut, Settled

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
Rules = Annotated[int, Meta(ge=1, le=10_000)]
"""Number of the rules that derive events from here on (domain/log/rules.py)."""


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
    every_round: bool = False
    """Whether executor and generator are asked in every round; else at the end, and when somebody wants it."""
    model: str = "guided"
    base_url: str = ""
    """Address of the model's server; "" for the provider's own."""
    server_from_settings: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether the address is what the settings name, and follows them. Unset if a person named it for the session,
    or an older workbench began it."""
    roles: dict[str, str] = {}
    """Model by role, if it is another one."""
    bounds: Bounds = Bounds()
    private: bool = False
    """Whether no other session may find anything of this one."""
    recall: bool = False
    """Whether other sessions are searched before the planner, or an agent, is asked."""
    context: RecallSettings = RecallSettings()
    """How each kind of message comes into a prompt."""
    shared: bool = False
    """Whether the shared context is looked at before a role or an agent is asked."""
    transcript: str | msgspec.UnsetType = msgspec.UNSET
    """Whose transcript the session is, and of which day; nothing is planned in it. Unset for every other session."""


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
    made_for: Count | None = None
    """Version of the plan that actions and deliverable were made of; None for ``plan_version``."""


class Body(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What an event says. Its class says how events of its kind behave."""

    kind: ClassVar[str]
    """The name in the log, ``noun.past-participle``: that of the class, so a class that is in files keeps its name."""
    v: ClassVar[int] = 1
    """The version of the body that this workbench writes."""
    origins: ClassVar[tuple[Origin, ...]] = ("given",)
    """How such an event may come about; the first is the default of ``draft``."""
    moves_loop: ClassVar[bool] = True
    """Whether it can be the cause of what is derived next."""
    ends_rewind: ClassVar[bool] = True
    """Whether a session that was rewound leaves that place with it, so that the rewind cannot be taken back."""
    survives_rewind: ClassVar[bool] = False
    """Whether what it says about prompts still holds after a rewind to a place before it."""

    def __init_subclass__(cls) -> None:
        cls.kind = bodies.kind_of(cls)


class Derived(Body, frozen=True, kw_only=True):
    """What follows from the events before it."""

    origins = ("derived",)


class Remark(Body, frozen=True, kw_only=True):
    """What is said beside the loop: it does not move it, and a session takes it if it was rewound to."""

    moves_loop = False
    ends_rewind = False


class SessionCreated(Body, frozen=True, kw_only=True):
    """A session begins."""

    goal: str
    name: str
    options: Options
    today: str
    """ISO date in the person's time zone; what the plan calls today."""
    workbench: str
    """Version that wrote it."""
    rules: Rules = 1


class SessionResumed(Body, frozen=True, kw_only=True):
    """A process took the session up again: the turn's number goes up, a failure may be tried again."""

    ends_rewind = False
    survives_rewind = True

    model: str = ""
    """The model it continues with, if that is another one; "" if model and address stay."""
    base_url: str = ""
    """Address of that model's server; "" for the provider's own."""
    server_from_settings: bool | msgspec.UnsetType = msgspec.UNSET
    """As in the options, of that model."""
    roles: dict[str, str] | None = None
    """Model by role from now on; None if that stays as it was."""
    shared: bool | None = None
    """Whether the shared context is looked at from now on; None if that stays as it was."""
    rules: Rules = 1


class DayBegun(Remark, frozen=True, kw_only=True):
    """It is a later day now than the session knew: what the plan calls today."""

    survives_rewind = True

    today: str
    """ISO date in the person's time zone."""


class SessionRenamed(Remark, frozen=True, kw_only=True):
    """The session has another name; its id stays."""

    name: str


class SessionReopened(Body, frozen=True, kw_only=True):
    """A finished session continues with feedback, for one more iteration."""

    text: str


class SessionStopped(Body, frozen=True, kw_only=True):
    """The driving ended before the session did."""

    ends_rewind = False

    reason: str
    asks_again: bool = False
    """Whether a person has to approve again before anything more is spent: it was brought in from elsewhere."""


class SessionFinished(Derived, frozen=True, kw_only=True):
    """The session came to its end."""

    reason: str
    """In words: converged, finished by you, rejected."""
    outcome: Literal["saved", "rejected"]


class SessionForked(Body, frozen=True, kw_only=True):
    """The session goes its own way from here: what is before this is a copy of another one's beginning."""

    survives_rewind = True

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
    """Whether the origin was private when this began, though it may not have been yet if it was forked."""
    rules: Rules = 1


class SessionRewound(Body, frozen=True, kw_only=True):
    """The session is where it was before. Nothing is deleted: what came since stays in the log."""

    ends_rewind = False
    survives_rewind = True

    to: Annotated[int, Meta(ge=1, le=MOST_COUNTED)]
    """Seq of the last event that counts again; what a person decided after it is undecided."""
    redo: bool = False
    """Whether it takes back a rewind."""


class BoundsChanged(Body, frozen=True, kw_only=True):
    """A person set other bounds, or those of a session from elsewhere were lowered to the person's own."""

    ends_rewind = False

    bounds: Bounds


class ProposalGiven(Body, frozen=True, kw_only=True):
    """The session starts from a proposal that exists already."""

    text: str
    source: str
    """File name without folders, or ``-``."""
    characters_said: Count = 0
    """How many of its characters stand in the conversation; 0 for all."""

    @property
    def said(self) -> str:
        """What of it is in the conversation."""
        more = len(self.text) - self.characters_said
        if not self.characters_said or more <= 0:
            return self.text
        return f"{self.text[: self.characters_said]}\n[{more:,} more characters: too long to stand here whole]"


class BeginGiven(Body, frozen=True, kw_only=True):
    """What a person chose and typed before the first draft: a template, steps of their own, values of the goal."""

    begin: Begin


class StatusReported(Body, frozen=True, kw_only=True):
    """A person said how the work stands, or what changes, and agreed to what that does to the plan."""

    text: str
    """In the person's words; "" if another program's commands are carried out."""
    changes: tuple[Change, ...]


class FeedbackGiven(Body, frozen=True, kw_only=True):
    """A person said what should change while roles worked, or after a stop: the planner's next call has it."""

    text: str


class CheckpointWanted(Body, frozen=True, kw_only=True):
    """A person wants to be asked after the round that is under way."""

    ends_rewind = False


class GateOpened(Derived, frozen=True, kw_only=True):
    """A person has to decide."""

    gate: Gate


class GateAnswered(Body, frozen=True, kw_only=True):
    """Somebody decided."""

    gate: str
    answer: Answer


class CallStarted(Derived, frozen=True, kw_only=True):
    """A model is about to be asked: the exact prompt, before a provider's client joins messages of one role."""

    call: str
    """c1, c2, … in order; another attempt is another call."""
    role: str
    task: str
    """propose, plan, verify, execute, generate, chat, work or condense: what the fold up to here makes of it."""
    attempt: Count
    """1, or 2 for the one repair of a reply that did not fit."""
    model: str
    messages: tuple[Message, ...]
    """In the order in which they are sent; what the session itself says is there by its id."""
    prompt_hash: str
    """sha256, hex, over the messages as JSON, each of its role and all of its text (``context.spoken``)."""
    parameters: dict[str, Any]
    estimated_tokens: int = 0
    """About how many tokens the prompt takes: what counts as spent when the call is never heard of again."""
    context: SentContext | None = None
    """What of conversation and memory the prompt holds; None if an older workbench recorded the call."""
    covers: tuple[str, ...] = ()
    """Of condense: ids of what the summary is to stand for."""
    worker: str = ""
    """Of work: whose call it is."""


class CallRetried(Body, frozen=True, kw_only=True):
    """An attempt to reach the model failed and another one follows."""

    moves_loop = False

    call: str
    reason: str
    wait: Seconds
    """Until then."""


class CallNoted(Body, frozen=True, kw_only=True):
    """Something that a person should know of a call: a prompt that was cut, a reply that was continued."""

    moves_loop = False

    call: str
    note: str
    """In a sentence."""
    came: str | msgspec.UnsetType = msgspec.UNSET
    """A part of the answer, whole, as JSON: after an interruption only the others are asked for. Unset for none."""


class CallFinished(Body, frozen=True, kw_only=True):
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
    cached_tokens: Count = 0
    """Of the input tokens, those that the provider had kept from an earlier prompt."""
    reasoning_tokens: Count = 0
    """About how many of the output tokens were reasoning, which is not part of the text."""
    server_window: Count | msgspec.UnsetType = msgspec.UNSET
    """What the server itself says of its window, in tokens. Unset if it says nothing."""
    is_continued: bool | msgspec.UnsetType = msgspec.UNSET
    """Set where two requests are counted together, so that the input tokens are not those of the prompt."""


class CallFailed(Body, frozen=True, kw_only=True):
    """The model has not answered."""

    origins = ("given", "derived")

    call: str
    error: str
    """Name of the error's class."""
    message: str
    remedy: str
    partial: str = ""
    """What was received before."""
    input_tokens: Count = 0
    """About what was spent; 0 if the prompt never reached the model."""
    output_tokens: Count = 0
    cost: Dollars | None = 0.0
    """US dollars; None when it may have been charged, and nobody knows how much."""
    seconds: Seconds = 0.0


class CallAbandoned(Body, frozen=True, kw_only=True):
    """A call came to nothing and is asked again: it was interrupted, or its prompt was refused as too long."""

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


class ReplyRejected(Derived, frozen=True, kw_only=True):
    """A reply did not fit its task."""

    call: str
    message: str
    """Why, for a person."""
    fault: str = ""
    """Why, and what to answer, for the model; "" if an older workbench said both in one."""


class ReplyMended(Derived, frozen=True, kw_only=True):
    """A reply was read although it was not quite as asked: what was put right, and what was left out."""

    moves_loop = False

    call: str
    notes: tuple[str, ...]
    """Each in a sentence."""


class ConversationCondensed(Derived, frozen=True, kw_only=True):
    """The oldest part of a conversation is said to an agent in fewer words from now on."""

    moves_loop = False

    agent: str
    """In whose view: a role, or an agent that is talked to."""
    summary: Summary
    receipt: Receipt


class FactsRead(Derived, frozen=True, kw_only=True):
    """A text of the person was read by rules, up to rules 13. Nothing writes it any more; old files have it."""

    moves_loop = False

    source: str
    """goal, the answer (A1) or the feedback (F1) that was read."""
    facts: tuple[dict[str, Any], ...] = ()
    dismissed: tuple[str, ...] = ()
    """Ids of earlier facts that it takes back."""


class StatementsRead(Derived, frozen=True, kw_only=True):
    """A text of the person was cut into statements: the goal, an answer, a piece of feedback."""

    moves_loop = False

    source: str
    """goal, the answer (A1) or the feedback (F1) that was cut."""
    statements: tuple[Cut, ...] = ()


class Marking(Remark, frozen=True, kw_only=True):
    """A command of a person that is about something beside the plan."""

    takes_back: bool = False
    """Whether it takes back what an earlier one said."""
    undoes: str = ""
    """Names of the commands that it undoes or makes again, as ``Deed`` has them; "" for none."""
    with_changes: bool = False
    """Whether it is part of a command that changes the plan, too."""
    number: Count = 0
    """Of the command among those that mark something; 0 if an older workbench recorded it."""


class StatementMarked(Marking, frozen=True, kw_only=True):
    """A person said what became of a statement."""

    settled: Settled


class FindingDisputed(Marking, frozen=True, kw_only=True):
    """A person said that a finding is wrong."""

    finding: Finding
    """With their reason as ``disputed``; if it is taken back, with the reason that was before."""
    before: str = ""
    """The reason that was before."""


class ResultWanted(Body, frozen=True, kw_only=True):
    """A person asked for what a role makes of the plan, outside of a round."""

    task: Literal["execute", "generate"]


class ApproachesProposed(Derived, frozen=True, kw_only=True):
    """There are approaches to choose from."""

    approaches: tuple[Approach, ...]
    constraints: tuple[str, ...]
    assumptions: tuple[str, ...]
    questions: tuple[str, ...]


class ApproachChosen(Derived, frozen=True, kw_only=True):
    """One approach was approved."""

    approach: Approach


class IterationBegun(Derived, frozen=True, kw_only=True):
    """An iteration starts."""

    number: Count


class GuidanceRecalled(Body, frozen=True, kw_only=True):
    """What earlier iterations of this session have to say to the next one."""

    origins = ("derived", "given")

    query: str
    source: Literal["search", "fallback", "none"]
    """search: this session's own memory; fallback: the last iteration's first insights, because the search failed or
    found nothing; none: there are no insights yet."""
    items: tuple[str, ...]
    note: str = ""
    """Why it is a fallback."""
    embedder: str = ""
    """What its memory was searched with; "" if it was not searched, or by an older workbench."""


class PlanChanged(Derived, frozen=True, kw_only=True):
    """The plan was changed, and is a new version; or it was found to be right as it is.

    Version 1 of the body held the whole plan, as ``plan``.
    """

    v = 2

    version: Count
    changes: tuple[Change, ...] = ()
    """What was done to the version before, in order; () if the plan stays as it is."""
    by: str
    """planner, or person for an edit by hand."""
    change: Share
    """Share of tokens that differ from the version before, 0 to 1."""
    handled: tuple[Handled, ...] = ()
    insights: tuple[str, ...] = ()
    removals: tuple[RemoveItem | RemoveSection, ...] = ()
    """What the planner wants to remove without a cause: it is kept until a person accepts that it goes."""
    settled: tuple[Settled, ...] = ()
    """What the planner says became of statements."""


class ItemsWanted(Derived, frozen=True, kw_only=True):
    """The planner, shown a part of the plan, asks to see further items before it answers."""

    items: tuple[str, ...]


class PlanVerified(Derived, frozen=True, kw_only=True):
    """The plan was examined by the checks and by the verifier."""

    findings: tuple[Finding, ...]
    insights: tuple[str, ...] = ()
    by: Literal["verifier", "checks"] = "verifier"
    """checks, where an edit by hand was examined by them alone."""


class PlanSaved(Derived, frozen=True, kw_only=True):
    """A version is kept as the result."""

    version: Count


class ActionsPrepared(Derived, frozen=True, kw_only=True):
    """The plan's steps are turned into concrete actions."""

    actions: tuple[Action, ...]
    insights: tuple[str, ...] = ()


class DeliverableWritten(Derived, frozen=True, kw_only=True):
    """The deliverable stands."""

    text: str
    insights: tuple[str, ...] = ()


class IterationCompleted(Derived, frozen=True, kw_only=True):
    """An iteration ended."""

    result: IterationResult
    checkpoint: CheckpointReason | None
    """Why a person is asked now; None when the next iteration follows at once."""


class IterationStored(Body, frozen=True, kw_only=True):
    """A program stored a result of its own (``store_iteration_result``)."""

    result: IterationResult


class MessageGiven(Body, frozen=True, kw_only=True):
    """Something that was said elsewhere belongs to the session from now on; a reply's agent is in the header."""

    moves_loop = False

    role: Literal["user", "assistant"]
    text: str
    said: str = ""
    """When, UTC, ISO 8601; "" for the moment of the event."""
    to: str = ""
    """Id of the agent that is to answer; "" if nobody is."""
    file: str = ""
    """sha256, hex, of the file that it was brought in from; "" if it was in none."""
    line: Count = 0
    """Its line there, from 1."""


class AgentAdded(Remark, frozen=True, kw_only=True):
    """There is somebody more to talk to; the same id again takes its place."""

    survives_rewind = True

    agent: Agent


class AgentAnswered(Derived, frozen=True, kw_only=True):
    """An agent's reply was taken as its answer."""

    moves_loop = False

    agent: str
    message: str
    """Id of the message that it answers, as it is in the history."""


class SentWorker(msgspec.Struct, frozen=True, kw_only=True):
    """A worker that an agent sent."""

    worker: str
    """``{agent}.{n}``: the n-th worker of its agent in this session."""
    work: str
    """What it is to do."""
    allowance: Count
    """Tokens that it may spend."""


class WorkersSent(Body, frozen=True, kw_only=True):
    """An agent lets workers do parts of its work: each with a copy of its context as of this event."""

    agent: str
    workers: tuple[SentWorker, ...]
    snapshot: str
    """sha256, hex, of what the agent saw then."""
    reserve: Count
    """Tokens that stay for the agent itself."""


class WorkerReported(Derived, frozen=True, kw_only=True):
    """A worker is back; what it did not spend is its agent's again."""

    moves_loop = False

    worker: str
    agent: str
    answer: str
    evidence: tuple[str, ...] = ()
    """Ids of the entries, in its agent's context, that the answer rests on."""
    open_questions: tuple[str, ...] = ()
    spent: Count = 0
    """Tokens."""
    is_complete: bool = True
    """False if its tokens were used up, or its model failed, before the work was done."""
    why: str = ""
    """Why it is not."""


class EntityStored(Body, frozen=True, kw_only=True):
    """A named piece of the session's memory; the same name again is its next version."""

    origins = ("given", "derived")
    moves_loop = False

    name: str
    content: str


class FileRead(Body, frozen=True, kw_only=True):
    """Lines of a file that a person named, as they were then; or why it was not read."""

    moves_loop = False

    path: str
    """In the project, with ``/``; of what was not read, as it was named."""
    sha256: str = ""
    """Of the whole file, hex; of a map of a folder, of all its lines."""
    size: Count = 0
    """Bytes of the whole file."""
    lines: Count = 0
    """Lines of the whole file; 0 for a map of a folder, whose lines nothing can cite."""
    first: Count = 0
    """The first of the lines that are here, from 1."""
    last: Count = 0
    text: str = ""
    """These lines, each after its number and a tab; of a map, without numbers."""
    to: str = ""
    """Id of the agent in whose message it was named: nobody else is shown it; "" for the planner and all agents."""
    why_not: str = ""
    """Why it was not read, in a sentence; "" if it was."""
    found_for: str = ""
    """The gap that research found it for; "" if a person named it."""


class ResearchSwitched(Remark, frozen=True, kw_only=True):
    """A person decided whether the project's files, and which search on the web, may be looked at for gaps."""

    survives_rewind = True

    on: bool
    web: str = ""
    """Host of the search that is asked; "" for none."""


class Source(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where something was found that a gap may be closed with."""

    gap: str
    kind: Literal["file", "session", "web"]
    ref: str
    """``path:first-last``, the id of an item of this session, or ``address:first-last``."""
    text: str = ""
    """Its first words."""


class GapsResearched(Body, frozen=True, kw_only=True):
    """What is not known was looked up, before the planner is asked. What was read is in events of its own."""

    moves_loop = False

    gaps: tuple[str, ...]
    found: tuple[Source, ...] = ()
    looked_at: Count = 0
    """Files of the project that were looked at."""
    unavailable: str = ""
    """What could not be looked at, in a sentence or more; "" if all was."""
    for_call: str = ""
    """Id of the next call, which it is for; "" if a person asked."""


class Tool(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that models may ask for, and that the loop performs."""

    name: str
    description: str
    """For the model: data, whoever wrote it."""
    parameters: dict[str, Any] = {}
    """JSON schema of its arguments."""
    read_only: bool = False
    """Whether it changes nothing and sends nothing: a person is asked before any other is used."""
    server: str = ""
    """The server that has it, as the person called it; "" for the workbench's own."""
    server_digest: str = ""
    """Digest of what that server is: its command and the accepted programs that it names, or its address."""


class ToolsOffered(Remark, frozen=True, kw_only=True):
    """Which tools models may ask for from now on."""

    survives_rewind = True

    tools: tuple[Tool, ...] = ()
    allowed: tuple[str, ...] = ()
    """Names of those that a person allowed beforehand."""
    unavailable: str = ""
    """Which servers could not be reached; "" if all were."""


ToolOutcome = Literal["done", "failed", "refused", "interrupted"]


class ToolAsked(Derived, frozen=True, kw_only=True):
    """A model's reply was a call of a tool."""

    use: str
    """t1, t2, … in order."""
    call: str
    """The call of the model that it answers."""
    role: str
    task: str
    tool: str
    arguments: dict[str, Any]
    message: str
    """Id of the reply, as it is in the history."""
    worker: str = ""


class ConsentLapsed(Remark, frozen=True, kw_only=True):
    """The log says that a tool may be used, but whoever drives the session now never allowed it here: ask again."""

    survives_rewind = True

    use: str
    """The call that has to wait for the person."""


class ToolStarted(Derived, frozen=True, kw_only=True):
    """A tool is about to be used."""

    use: str


class ToolReturned(Body, frozen=True, kw_only=True):
    """What a tool brought, or why it was not used."""

    origins = ("given", "derived")

    use: str
    outcome: ToolOutcome
    text: str
    """For the model: data, whoever wrote it."""
    read: tuple[FileRead, ...] = ()
    """Lines of files that are in the text, without them: they can be cited."""
    seconds: Seconds = 0.0


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


class OthersSearched(Remark, frozen=True, kw_only=True):
    """Other sessions were searched for this one: the only way in which anything of theirs comes here."""

    survives_rewind = True

    query: str
    reason: str
    """What it was needed for."""
    found: tuple[Quoted, ...]
    """Best first."""
    unavailable: str = ""
    """Why other sessions, or some of them, could not be searched; "" if all were."""
    for_call: str = ""
    """Id of the next call, which it is for, or which condenses for that one; "" if a person searched."""


class Lesson(Quoted, frozen=True, kw_only=True):
    """What earlier sessions taught: its text, why, and whose it is, the first session's that it rests on."""

    covers: tuple[str, ...] = ()
    """Ids of the events that it rests on: it is forgotten with any of them."""

    @property
    def said(self) -> str:
        """The lesson with what it rests on, as a prompt quotes it."""
        return f"{self.text} (because: {self.why})"


class LessonsGiven(Remark, frozen=True, kw_only=True):
    """What a person accepted of earlier sessions' lessons, and what fits this session, as it begins."""

    survives_rewind = True

    lessons: tuple[Lesson, ...] = ()
    """The nearest first."""
    unavailable: str = ""
    """Why there are none, if they could not be read; "" if they were."""


class Practice(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What practice knows of a kind of work: a template that the person chose, as reference for a model."""

    id: str
    name: str
    """The kind of work."""
    source: str = ""
    """Whose template it is; "" for one that comes with the workbench."""
    steps: tuple[tuple[str, str], ...] = ()
    """Id, ``template/step``, and words of each step in order."""

    @property
    def said(self) -> str:
        """The steps as a prompt quotes them."""
        source = f", from the {self.source}" if self.source else ""
        lines = (f"{name}: {words}" for name, words in self.steps)
        return "\n".join((f"{self.name}{source}: may be irrelevant; cite what you use", *lines))


class PracticeGiven(Remark, frozen=True, kw_only=True):
    """What practice knows of a goal's kind of work, as the session of a language model begins."""

    survives_rewind = True

    practice: tuple[Practice, ...] = ()
    """The nearest first."""


class SharedValue(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A key of the shared context, as a session saw it."""

    key: str
    value: Any = ABSENT
    """JSON; left out if the key was deleted, or is ``cut``."""
    version: Count
    session: str
    """Who changed it last."""
    time: str
    """When: UTC, ISO 8601."""
    cut: Count = 0
    """Bytes of a value that is too large to be in this log too; 0 if it is whole."""


class ChangesOffered(Remark, frozen=True, kw_only=True):
    """Another program offers changes of the plan. Nothing changes before a person accepts them."""

    offer: str
    """``O1``"""
    client: str
    text: str
    """Commands."""
    reason: str = ""
    version: Count = 0
    """Version of the plan that it was offered for."""


class OfferDecided(Remark, frozen=True, kw_only=True):
    """A person accepted or declined what was offered. What an accepted offer changes is in the next event."""

    offer: str
    accepted: bool
    note: str = ""
    """What the person has to say to it."""


class ClientSaid(Remark, frozen=True, kw_only=True):
    """Another program has something to say to the people of a session. No model is sent it."""

    client: str
    text: str


class PlanSubmitted(Remark, frozen=True, kw_only=True):
    """Another program's plan is to be reviewed. Nothing is read from it but lines and headings."""

    text: str
    """Markdown, as it was given."""
    agent: str = ""
    """The program; "" if nobody said."""
    waits: bool = False
    """Whether a process waits for what the person decides."""


class PlanSeen(Remark, frozen=True, kw_only=True):
    """A person looked at a submission: the next one is shown with what changed since."""

    version: Count


class NoteWritten(Remark, frozen=True, kw_only=True):
    """A person wrote a note on lines of a submission; the same name again replaces it."""

    note: str
    """``N1``"""
    version: Count
    first: Count
    """Line of the submission, from 1; 0 for the plan as a whole."""
    last: Count
    text: str
    """"" if it is taken back."""


class SubmissionDecided(Remark, frozen=True, kw_only=True):
    """A person decided about a submission."""

    version: Count
    decision: Literal["approved", "sent back", "stopped"]
    notes: tuple[str, ...] = ()
    """Names of the notes that go with it."""
    answer: str
    """What its program is told."""


class AnswerDelivered(Remark, frozen=True, kw_only=True):
    """The program was given the answer, with all its notes."""

    version: Count


class SharedObserved(Remark, frozen=True, kw_only=True):
    """What a session saw of the shared context before a call: what changed since it looked last, each key once."""

    survives_rewind = True

    epoch: str = ""
    """Of the shared stream's history."""
    seq: Count = 0
    """Place in that stream up to which it looked."""
    changes: tuple[SharedValue, ...] = ()
    """The last changed last."""
    anew: bool = False
    """Whether these are all the keys there are: it looks for the first time, or at another history."""
    unavailable: str = ""
    """Why it could not look; "" if it did."""
    for_call: str = ""
    """Id of the next call, which it is for, or which condenses for that one."""


class RecallSwitched(Remark, frozen=True, kw_only=True):
    """A person decided whether other sessions are searched for this one."""

    survives_rewind = True

    on: bool


class ItemMarked(Remark, frozen=True, kw_only=True):
    """A person decided about an item that was found in another session, from the very next prompt on."""

    survives_rewind = True

    session: str
    item: str
    mark: Literal["excluded", "pinned", ""]
    """excluded: never again in a prompt; pinned: in every one; "": as it was found."""


class PrivacyChanged(Remark, frozen=True, kw_only=True):
    """A person decided whether other sessions may find anything of this one."""

    private: bool


class RatingGiven(Remark, frozen=True, kw_only=True):
    """A person rated the plan."""

    stars: Stars
    """1 to 5."""
    note: str = ""
    round: Count = 0
    """The iteration that is rated; 0 for the session as a whole."""


class Took(msgspec.Struct, frozen=True):
    """What a step took in the world."""

    step: str
    """Its id in the plan."""
    days: Annotated[float, Meta(gt=0, le=10_000)]
    """Working days."""


class OutcomeLogged(Remark, frozen=True, kw_only=True):
    """What became of the plan in the world."""

    outcome: Literal["success", "partial", "failure"]
    note: str = ""
    forgot: tuple[str, ...] = ()
    """What the plan had not thought of, a text each."""
    took: tuple[Took, ...] = ()
    """Steps that took longer than planned, or less."""


class Redacted(msgspec.Struct, frozen=True, kw_only=True):
    """An event whose body was redacted."""

    event: str
    """Its id."""
    body: str
    """sha256 of its body as it is now, hex."""


class ContentForgotten(Remark, frozen=True, kw_only=True):
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

KINDS: dict[str, type[Body]] = {
    body.kind: body
    for body in (*Body.__subclasses__(), *Derived.__subclasses__(), *Remark.__subclasses__(), *Marking.__subclasses__())
    if body not in (Derived, Remark, Marking)
}
ENDS_REWIND = frozenset(kind for kind, body in KINDS.items() if body.ends_rewind)
SURVIVES_REWIND = frozenset(kind for kind, body in KINDS.items() if body.survives_rewind)

VERSIONS: dict[str, int] = {kind: body.v for kind, body in KINDS.items()}
"""The version of each kind's body that this workbench writes."""

KEEP_WHAT_IS_BEFORE = (
    "Everything before it can be read: `workbench sessions repair` keeps that, "
    "and of a file from elsewhere `workbench sessions import --sound-part`."
)
"""What to do about an event that cannot be read, wherever its session is from."""
UPDATE_FIRST = (
    "Update the workbench, and open the session again. Only if that does not help: `workbench sessions repair` keeps "
    "what is before the event, and of a file from elsewhere `workbench sessions import --sound-part` takes that in."
)
"""The same where a newer version may have written the event: a repair would cut off what that did."""
_KINDS = bodies.Kinds(KINDS, VERSIONS, remedy=UPDATE_FIRST)
content = _KINDS.content
"""Returns what an event says, as a typed value of the current version; Unknown for a newer version or kind.

Raises NotUnderstood, a LogDamaged, for an event whose body cannot be read."""


def draft(body: Body, turn: Turn, *, actor: str, cause: str, time: str, origin: Origin | None = None) -> Draft:
    """Return a body as the draft of an event of this turn, as ``Kinds.draft`` does. Raises UsageError."""
    return _KINDS.draft(body, turn, actor=actor, cause=cause, time=time, origin=origin or body.origins[0])
