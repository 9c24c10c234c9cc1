"""The state of a session: frozen, and sharing with the states before it what did not change.

Everything that is shown, searched, exported or sent to a model is read from here.

``gc=False``, here and on events: these values never lead back to themselves. A long session keeps tens of thousands of
them, and the garbage collector would look at each again and again while the session is opened.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from workbench.domain.log.envelope import Origin
from workbench.domain.log.growing import Growing
from workbench.domain.loop.agents import Agent
from workbench.domain.loop.asking.tasks import Action, Answered, Approach, Feedback, Finding, Handled
from workbench.domain.loop.begin import Begin
from workbench.domain.loop.deciding.gates import CheckpointReason, Gate
from workbench.domain.plan.changing.operations import Change, RemoveItem, RemoveSection
from workbench.domain.plan.plan import Plan
from workbench.domain.session import events as say
from workbench.domain.session.context import Summary
from workbench.domain.session.copies import Recent
from workbench.domain.shared.input import SHARED
from workbench.domain.statements.statement import Account, Settled, Statement, account

CHAT = "chat"
"""The task of an agent that answers a message."""
WORK = "work"
"""The task of a worker that an agent sent."""
TOOL = "tool"
"""In place of a reply's task, if it is a call of a tool."""
CONDENSE = "condense"
"""The task of saying the oldest part of a conversation in fewer words."""

Status = Literal["running", "waiting", "finished", "stopped", "failed"]


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """A place in the log."""

    seq: int
    time: str


class HistoryItem(msgspec.Struct, frozen=True, kw_only=True, gc=False):
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
    """given, if a person or a program stored it; derived, where the loop did."""


class ReadFile(msgspec.Struct, frozen=True, kw_only=True):
    """Lines of a file that a person named, or why it was not read."""

    id: str
    seq: int
    time: str
    read: say.FileRead


class PlanVersion(msgspec.Struct, frozen=True, kw_only=True):
    """A plan as it was after a change."""

    version: int
    plan: Plan
    changes: tuple[Change, ...]
    """What made it of the version before."""
    by: str
    """planner or person."""
    iteration: int
    change: float
    """Share of tokens that differ from the version before."""
    seq: int
    time: str


class ToolUse(msgspec.Struct, frozen=True, kw_only=True):
    """A call of a tool, and its result."""

    use: str
    role: str
    task: str
    tool: str
    arguments: dict[str, Any]
    message: str
    """Id of the reply that asks for it."""
    worker: str = ""
    permitted: bool = False
    lapsed: bool = False
    """Whether the log said that it was allowed, and nobody here had allowed it."""
    refused: bool = False
    started: bool = False
    result: say.ToolReturned | None = None
    id: str = ""
    """Id of the event with its result."""
    seq: int = 0
    time: str = ""


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
    window: int = 0
    """Tokens of its model's window; 0 if that was not recorded."""
    covers: tuple[str, ...] = ()
    """Of condense: ids of what the summary is to stand for."""
    worker: str = ""
    """Of work: whose call it is."""
    feedback: int = 0
    """Pieces of feedback that there were when it was started."""
    prompt_hash: str = ""


class Came(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Parts of an answer that arrived, and are not asked for again as long as the prompt is the same."""

    prompt_hash: str = ""
    parts: tuple[str, ...] = ()
    """Each as JSON."""


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
    """How a provider counted the last prompt of a role, beside how it was estimated here. All in tokens."""

    role: str
    model: str
    call: str
    reported: int
    estimated: int
    least: int
    """The lowest estimate among the prompts of this model, up to this one, that were all counted alike."""
    server_window: int = 0
    """What the server says of its window; 0 if it says nothing."""


class Asking(msgspec.Struct, frozen=True, kw_only=True):
    """A message that waits for an agent's answer."""

    agent: str
    message: str
    """Its id in the history."""


class Received(msgspec.Struct, frozen=True, kw_only=True):
    """A reply that nobody has read yet."""

    call: PendingCall
    text: str
    item: str = ""
    """Its id in the history."""
    tools_before: int = 0
    """Calls of tools before it: they count on if it cannot be used."""


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """Why the session cannot continue by itself."""

    error: str
    message: str
    remedy: str
    role: str = ""
    """Who has not answered; "" in sessions of older rules."""
    task: str = ""
    tries: int = 1
    """How often this call failed, one after another."""


class Spent(msgspec.Struct, frozen=True, kw_only=True):
    """The one number for calls, tokens, cost and time that every meter shows; what failed counts too."""

    calls: int = 0
    """Calls that came to an end, good or bad."""
    tool_calls: int = 0
    """Tools that were used."""
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    """Of the input tokens, those that providers had kept from earlier prompts."""
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
    passes: int = 0
    """How often the planner has answered in it."""
    looks: int = 0
    """How often the verifier has."""
    looked_at: int = 0
    """Version of the plan that the verifier saw last."""
    looked_after: int = 0
    """How often the planner had answered then."""
    first: int = 0
    """Version of the plan after the planner's first answer in it."""
    prepared: bool = False
    written: bool = False
    actions: tuple[Action, ...] = ()
    deliverable: str = ""
    insights: tuple[str, ...] = ()
    handled: tuple[Handled, ...] = ()
    """What became of the feedback that it took up."""
    heard: int = 0
    """Pieces of feedback that the planner was asked with, all of the session's up to there."""


class SharedSeen(msgspec.Struct, frozen=True, kw_only=True):
    """What a session has seen of the shared context."""

    epoch: str = ""
    """Of the shared stream's history; "" before it has looked."""
    seq: int = 0
    """Place in that stream up to which it looked."""
    values: dict[str, say.SharedValue] = {}
    """By key, the last changed last; deleted ones are gone."""
    unavailable: str = ""
    """Why the last look failed; "" if it did not."""


class Marked(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What a command of a person said of a statement or a finding."""

    seq: int
    """Of its event."""
    version: int
    """Of the plan, where its command changed that, too; 0 if it did not."""
    body: say.StatementMarked | say.FindingDisputed


class Progress(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What a session has arrived at. A rewind puts it back as it was; the rest of the state stays."""

    limit: int
    """Iterations after which it asks: max_iterations, and what a person added."""
    gate: Gate | None = None
    gate_event: str = ""
    """Id of the open gate's gate.opened; "" when none is open."""
    pending: PendingCall | None = None
    came: Came = Came()
    """Of the call that is awaited, or was interrupted."""
    received: Received | None = None
    rejected: str = ""
    """Why the last reply was not usable, for the model, while its repair is due; "" otherwise."""
    refused: str = ""
    """Id, in the history, of that reply; "" if it is not known."""
    failure: Failure | None = None
    last_failure: Failure | None = None
    """The one before, until a call of another task is answered: it tells how often the same one failed."""
    without: str = ""
    """The task that is left out, once, after a model failed at it; "" for none."""
    stopped: str = ""
    """Why the driving ended; "" while it continues."""
    finished: say.SessionFinished | None = None
    ending: Literal["", "save", "reject"] = ""
    """Decided, and not yet carried out."""
    ending_reason: str = ""
    proposal: str = ""
    proposal_source: str = ""
    """Name of its file; ``-`` where it came from none."""
    begin: Begin | None = None
    """What the person chose and typed before the first draft; None if nothing."""
    typed: tuple[str, ...] = ()
    """What of it they typed, in the order in which it came."""
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
    cut: tuple[str, ...] = ()
    """Sources of which the statements are known: goal, A1, F1."""
    statements: Growing[Statement] = Growing()
    """Everything that the person said, in order."""
    settled: Growing[Settled] = Growing()
    """What replies and the person said became of them, in order."""
    known_before: tuple[int, int] = (0, 0)
    """How many of ``statements`` and ``settled`` there were before the last feedback."""
    markings: Growing[Marked] = Growing()
    """What commands of the person said of statements and findings, in order."""
    wanted: tuple[str, ...] = ()
    """Tasks of roles that are asked outside of a round."""
    items_wanted: tuple[str, ...] = ()
    """Ids of further items that the planner asked to see before it mends."""
    last_look: Literal["", "due", "found", "mended"] = ""
    """Of the verifier, at the page that is handed out: it is due, it found something major, the planner mended that."""
    last_looked_at: int = 0
    """Version of the plan whose page it was; 0 before."""
    edit: str = ""
    """A plan edited by hand that is not yet a version."""
    removals: tuple[RemoveItem | RemoveSection, ...] = ()
    """What the planner left out, and what is kept until a person accepts that it goes."""
    changing: tuple[Change, ...] = ()
    """What a person decided to change, and what is not yet a version."""
    kept: tuple[RemoveItem | RemoveSection, ...] = ()
    """What a person refused to remove: it is not asked again."""
    versions: Growing[PlanVersion] = Growing()
    saved_version: int | None = None
    findings: tuple[Finding, ...] = ()
    """Open ones, as of the last verification."""
    dealt_with: tuple[Finding, ...] = ()
    """What the verifier judged in the last round, and does not hold for the plan as it is now."""
    current: Current | None = None
    checkpoint: CheckpointReason | None = None
    """A checkpoint that is due and not yet decided."""
    checkpoint_wanted: bool = False
    """Whether a person wants to be asked after this round, whatever the interval is."""
    iterations: Growing[say.IterationResult] = Growing()
    iteration_ends: Growing[Moment] = Growing()
    """Where each of them was completed or stored."""
    last_iteration_tokens: int = 0
    history: Growing[HistoryItem] = Growing()
    entities: Growing[Entity] = Growing()
    files: Growing[ReadFile] = Growing()
    """What was read of files that a person named, and what was not."""
    using: ToolUse | None = None
    """A call of a tool that has no result yet."""
    uses: Growing[ToolUse] = Growing()
    """Those that have one, in order."""
    tools_in_a_row: int = 0
    """Calls of tools since a model gave an answer that could be used."""
    researched: Growing[say.GapsResearched] = Growing()
    """What was looked up for gaps, in order."""
    asking: tuple[Asking, ...] = ()
    """Messages that wait for an answer, the oldest first."""
    searched_for: str = ""
    """Id of the call that other sessions were searched for last, moved on by calls that condense; "" for none."""
    searched_as: str = ""
    """Who is asked in that call: what was found is for nobody else."""
    retrieved: tuple[say.Quoted, ...] = ()
    """What that search found, best first."""
    workers: tuple[Worker, ...] = ()
    """Those that were sent, in order."""
    condensed: tuple[tuple[str, Summary], ...] = ()
    """(agent, the last summary of the conversation as it sees it)."""
    not_condensed: tuple[str, ...] = ()
    """Agents for whom no model could condense: the next time a note takes its place."""
    asks_again: bool = False
    """Whether a person has to approve again, before anything is spent, what was approved elsewhere (an origin, a file).

    An open gate is answered first: where that approves of going on, nothing more is asked."""

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
    def unheard(self) -> bool:
        """Whether a person gave feedback in this round since the planner was asked."""
        return self.current is not None and self.current.passes > 0 and self.current.heard < len(self.feedback)

    @property
    def accounts(self) -> tuple[Account, ...]:
        """Every statement, and what became of it in the current plan."""
        return self.accounts_in(self.plan)

    def accounts_in(self, plan: Plan | None) -> tuple[Account, ...]:
        """Return what became of every statement in a plan."""
        citing = ((item.id, item.causes) for item in (plan.items if plan is not None else ()) if item.causes)
        return account(tuple(self.statements), self.settled, citing)

    @property
    def told_now(self) -> frozenset[str]:
        """Ids of statements that the last feedback made, or of which something was said since."""
        statements, settled = self.known_before
        made = (one.id for one in self.statements[statements:])
        return frozenset((*made, *(one.statement for one in self.settled[settled:])))

    @property
    def open_findings(self) -> tuple[Finding, ...]:
        """The findings that nobody disputes."""
        return tuple(one for one in self.findings if not one.disputed)

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
    def named_files(self) -> tuple[ReadFile, ...]:
        """The lines of each named file as it was read last, in the order in which they were."""
        read = [one for one in self.files if not one.read.why_not]
        hashes = {(one.read.path, one.read.to): one.read.sha256 for one in read}
        newest = {(one.read.path, one.read.to, one.read.first): one for one in read}
        stands = (one for one in newest.values() if hashes[one.read.path, one.read.to] == one.read.sha256)
        return tuple(sorted(stands, key=lambda one: one.seq))

    @property
    def status(self) -> Status:
        """Where the session stands; ``running`` also when nobody drives it at the moment."""
        if self.finished is not None:
            return "finished"
        if self.failure is not None and self.gate is None:
            return "failed"
        if self.stopped:
            return "stopped"
        return "waiting" if self.gate is not None else "running"

    def summary_for(self, agent: str) -> Summary | None:
        """Return what stands for the oldest part of an agent's conversation; None if nothing does."""
        return next((summary for whose, summary in self.condensed if whose == agent), None)

    def entity(self, name: str) -> Entity | None:
        """Return the newest version of an entity, or None."""
        return next((entity for entity in reversed(self.entities) if entity.name == name), None)


class Way(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The way of a session through its decisions: if it can be rewound to, and forward again.

    behind ─▶ here ─▶ ahead      places are seqs: the last event before a person decided something
    p1 p2     tip                nothing rewound: the session is at its newest event
    p1        p2      tip        rewound by one: what was decided at p2 is undecided, and can be redone
    p1 p2     new                decided otherwise: the old tip is off the way, and still in the log
    """

    behind: Growing[int] = Growing()
    """The last decision last."""
    here: int = 0
    """The place that the session was rewound to and has not left since; 0 for its newest event."""
    ahead: tuple[int, ...] = ()
    """The nearest first."""

    def places(self, seq: int) -> tuple[int, ...]:
        """Return all of them in order, for a session whose newest event is ``seq``."""
        return (*self.behind, self.here or seq, *self.ahead)

    def decided(self, seq: int) -> Way:
        """Return the way after a decision that was made after event ``seq``."""
        return Way(behind=self.behind.appended(self.here or seq))

    def left(self) -> Way:
        """Return the way of a session that continues from where it was rewound to."""
        return replace(self, here=0, ahead=())

    def rewound(self, to: int, seq: int) -> Way | None:
        """Return the way of a session that is at one of its places; None where ``to`` is none of them."""
        places = self.places(seq)
        if to not in places:
            return None
        place = places.index(to)
        return Way(behind=Growing(places[:place]), here=to, ahead=places[place + 1 :])


class Point(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A place that the session can be rewound to: as it was before a person decided something."""

    seq: int
    """Of the last event up to there."""
    state: SessionState
    """As of that event, without points of its own."""


class Offered(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Changes that another program offers, and what a person decided about them."""

    id: str
    """``O1``"""
    client: str
    text: str
    """Commands."""
    reason: str
    version: int
    """Version of the plan that they were offered for."""
    time: str
    decided: Literal["", "accepted", "declined"] = ""
    note: str = ""
    """What the person said to it."""


class ClientMessage(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What another program said to the people of a session."""

    client: str
    text: str
    time: str


REVIEWED: dict[str, Status] = {"": "waiting", "approved": "finished", "sent back": "stopped", "stopped": "stopped"}
"""Where a reviewed plan stands, by what was decided about its newest submission."""


class Submission(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A version of a plan of another program, and what a person decided about it."""

    version: int
    text: str
    agent: str
    time: str
    decided: say.SubmissionDecided | None = None
    is_delivered: bool = False
    """Whether the program was given the answer."""


class LineNote(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A note of a person on lines of a submission."""

    id: str
    version: int
    first: int
    last: int
    text: str
    """"" if it was taken back."""
    time: str
    answered: int = 0
    """The submission with whose answer it was delivered; 0 as long as it was with none."""


class Verdict(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What a person said of the plan: a rating, or what became of it."""

    id: str
    """Id of the event it came with."""
    time: str
    body: say.RatingGiven | say.OutcomeLogged

    @property
    def texts(self) -> tuple[str, ...]:
        """Its note, and what was forgotten."""
        forgot = self.body.forgot if isinstance(self.body, say.OutcomeLogged) else ()
        return tuple(text for text in (self.body.note, *forgot) if text.strip())


class SessionState(Progress, frozen=True, kw_only=True):
    """Everything a session is, as of its last event."""

    session: str
    written_as: str
    """Id that what is derived is written with; in what a fork took over, its origin's."""
    goal: str
    name: str
    today: str
    """ISO date of the last day on which something came from outside."""
    first_day: str
    """ISO date on which the session began: what was said in it names days from then on."""
    options: say.Options
    person: str
    workspace: str
    created: str
    first_hash: str
    """Of its first event: tells a session from another one under its id."""
    updated: str
    seq: int
    """Seq of the last event."""
    trigger: str
    """Id of the last event that moves the loop: the cause of what is derived next."""
    turn: int
    rules: tuple[int, ...]
    """Numbers of the rules that it was planned under, ascending; the last one is in force (domain/log/rules.py)."""
    bounds: say.Bounds
    calls: int = 0
    """Calls started, failed ones included."""
    tool_calls: int = 0
    """Calls of tools that were asked for."""
    tools_allowed: tuple[str, ...] = ()
    """Tools that a person allowed for the session at a gate."""
    tools: say.ToolsOffered = say.ToolsOffered()
    """What models may ask for."""
    gates: int = 0
    """Gates opened."""
    private: bool = False
    """Whether no other session may find anything of this one."""
    agents: tuple[Agent, ...] = ()
    """Who can be talked to."""
    recall: bool = False
    """Whether other sessions are searched before the planner, or an agent, is asked."""
    research: say.ResearchSwitched = say.ResearchSwitched(on=False)
    """Whether gaps are looked up before the planner is asked, and where."""
    sharing: bool = False
    """Whether the shared context is looked at before a role or an agent is asked."""
    observed_for: str = ""
    """Id of the call that it was looked at for last; "" for none."""
    shared: SharedSeen = SharedSeen()
    """What this session has seen of the shared context."""
    marks: tuple[tuple[str, str, say.Quoted | None], ...] = ()
    """(session and item, excluded or pinned, what is pinned): what a person decided about items of others."""
    tokens_by: tuple[tuple[str, int], ...] = ()
    """Tokens spent by each role, agent and worker; they sum up to all that were spent."""
    counted: tuple[Counted, ...] = ()
    """For each role, its last call whose provider reported a count; the newest one is last."""
    cuts_accepted: tuple[str, ...] = ()
    """Models whose replies are used though their server cuts prompts: a person decided so."""
    searches: Growing[say.OthersSearched] = Growing()
    """What was found in other sessions; never part of the history, so it is not found again as if it were new."""
    spent: Spent = Spent()
    lessons: tuple[say.Lesson, ...] = ()
    """What it was given of earlier sessions' lessons, the nearest first."""
    practice: tuple[say.Practice, ...] = ()
    """What a language model is offered as reference, the nearest first."""
    rating: say.RatingGiven | None = None
    """The last one of the session as a whole."""
    outcome: say.OutcomeLogged | None = None
    offers: tuple[Offered, ...] = ()
    """What other programs offered, in order, decided or not."""
    client_messages: tuple[ClientMessage, ...] = ()
    """What they said; in no prompt."""
    submissions: tuple[Submission, ...] = ()
    """Of a reviewed plan, its versions in order; any other session has none."""
    notes: tuple[LineNote, ...] = ()
    """What a person wrote on them."""
    looked_at: int = 0
    """The newest submission that a person looked at."""
    verdicts: tuple[Verdict, ...] = ()
    """All ratings, those of single iterations too, and outcomes, in order."""
    forked: say.SessionForked | None = None
    """Where it comes from; None for a session that began by itself."""
    points: Growing[Point] = Growing()
    """Where it can be rewound to, and back."""
    way: Way = Way()
    """Which of them lead here, and which a rewind took back."""
    recent: Recent = Recent()
    """What the next event can copy from."""

    def tool(self, name: str) -> say.Tool | None:
        """Return a tool that models may ask for, or None."""
        return next((tool for tool in self.tools.tools if tool.name == name), None)

    @property
    def sources(self) -> tuple[ReadFile, ...]:
        """What was read of files, by research and by tools too: the lines that a plan may cite."""
        by_tools = (
            ReadFile(id=one.id, seq=one.seq, time=one.time, read=read)
            for one in self.uses
            for read in (one.result.read if one.result is not None else ())
        )
        return (*self.files, *by_tools)

    @property
    def status(self) -> Status:
        """Where the session stands; of a reviewed plan, whether it waits for the person."""
        if not self.submissions:
            return super().status
        decided = self.submissions[-1].decided
        return REVIEWED["" if decided is None else decided.decision]

    def __repr__(self) -> str:
        return f"<SessionState of {self.session}: {self.status}, event {self.seq}>"

    @property
    def recalled(self) -> tuple[say.Quoted, ...]:
        """What of other sessions the next prompt holds: what is pinned, and what was found and not excluded."""
        excluded = {name for name, mark, _ in self.marks if mark == "excluded"}
        pinned = {name: quoted for name, mark, quoted in self.marks if mark == "pinned" and quoted is not None}
        found = {f"{one.session} {one.id}": one for one in self.retrieved}
        return tuple(one for name, one in (pinned | found).items() if name not in excluded)

    @property
    def lessons_in_force(self) -> tuple[say.Lesson, ...]:
        """The lessons that the next prompt may hold: none without recall, and none that the person refused."""
        return tuple(one for one in self.lessons if self.recall and self.mark_of(one.session, one.id) != "excluded")

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

    def with_progress(self, progress: Progress) -> SessionState:
        """Return this session with what it, or an earlier state of it, had arrived at."""
        return replace(self, **{name: getattr(progress, name) for name in Progress.__struct_fields__})


def tokens_tree(state: SessionState) -> list[tuple[str, int]]:
    """Return who spent how many tokens: roles and agents, each with its workers indented after it."""
    by = dict(state.tokens_by)
    agents = {worker.worker: worker.agent for worker in state.workers}
    tree: list[tuple[str, int]] = []
    for who in dict.fromkeys(agents.get(name, name) for name in by):
        tree.append((who, by.get(who, 0)))
        tree += [(f"  {name}", tokens) for name, tokens in by.items() if agents.get(name) == who]
    return tree
