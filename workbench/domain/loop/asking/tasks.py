"""What a role is asked, and what it answers, as typed values.

    state ──▶ Task ──▶ prompt (language models) or templates (no model) ──▶ JSON ──read_reply──▶ Reply ──▶ events

Prompts are rendered from the task; who plans without a model reads the task itself. Both answer with the same JSON:
what it must hold is in reply_schema.py, and replies.py reads it, whoever gave it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from workbench.domain.loop.begin import Begin
from workbench.domain.plan.plan import Amendment, Plan


class Approach(msgspec.Struct, frozen=True, kw_only=True):
    """One way to reach the goal, to be chosen by a person before any plan is drafted."""

    id: str
    """A1, A2, …"""
    title: str
    summary: str
    """Two or three sentences."""
    outline: tuple[str, ...] = ()
    """The main steps, a line each."""
    advantages: tuple[str, ...] = ()
    drawbacks: tuple[str, ...] = ()
    fits: str = ""
    """When this is the right choice."""
    template: str = ""
    """The template that it offers, ``move-system:cohorts``; "" where it is a model's own."""
    besides: tuple[str, ...] = ()
    """What that template has besides steps, a line each: risks, questions, how success is seen."""


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """A question of a role and the person's answer."""

    question: str
    answer: str
    """"" when it was skipped."""


Outcome = Literal["done", "partly", "not done", "not understood", "asked"]
"""What became of a request: ``asked`` where the person has to say more."""
FeedbackClass = Literal["add", "remove", "change", "question", "emphasise"]


class Feedback(msgspec.Struct, frozen=True, kw_only=True):
    """What a person said about an approach or a plan."""

    id: str
    """F1, F2, … in the order they came."""
    text: str
    section: str | None = None
    """The section it was pinned to; None when it speaks of the whole."""


class Handled(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a piece of feedback."""

    feedback: str
    """Its id."""
    kind: FeedbackClass
    sections: tuple[str, ...] = ()
    """Ids of the sections that were amended for it."""
    note: str = ""
    """What was done, or the answer where it was a question."""
    request: str = ""
    """What of the feedback was asked for, in the person's words; "" where a piece of feedback is handled as a whole."""
    outcome: Outcome | None = None
    """Whether it is done; None where nobody said."""

    @property
    def line(self) -> str:
        """What a person is told of it, as ``F2 done: S4 is Anna's now``."""
        return f"{self.feedback} {self.outcome or f'({self.kind})'}: {self.note}"


MODEL = "model"
"""The rule of what a verifier found by its own judgement."""
PAGE = "page"
"""The section of what it found in the words of the page alone: who writes the page mends it."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A gap, contradiction or unsound place in a plan."""

    rule: str
    """The check that found it (``steps.cycle``), or ``model`` for a verifier's own judgement."""
    severity: Literal["major", "minor"]
    text: str
    """What is wrong, in a sentence."""
    section: str | None = None
    item: str | None = None
    remedy: str = ""
    disputed: str = ""
    """Why the verifier calls a calculated finding wrong; "" where it does not."""


class Action(msgspec.Struct, frozen=True, kw_only=True):
    """A concrete thing somebody does for a step, with its check."""

    step: str
    """Id of the step."""
    text: str
    check: str = ""
    owner: str = ""
    due: str | None = None
    """ISO date."""


class Offered(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that may be asked for."""

    name: str
    description: str
    arguments: dict[str, Any]
    """JSON schema."""
    asks_first: bool = False
    """Whether the person is asked before it is used."""


class ToolCall(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A call of a tool, in place of an answer."""

    tool: str
    arguments: dict[str, Any]


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What everybody is told who works on a session."""

    goal: str
    today: str
    """ISO date."""
    tools: tuple[Offered, ...] = ()
    """What may be asked for before the answer."""
    left_out: tuple[str, ...] = ()
    """What of the inputs is not shown, as the model's window has no room for it; () where all is."""


class Said(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A statement of the person as a role is told it, and what became of it so far."""

    id: str
    source: str
    """goal, an answer (A1) or a piece of feedback (F1), with the section or item it was pinned to."""
    text: str
    """Word for word."""
    state: str = "open"
    items: tuple[str, ...] = ()
    """Ids of the items that act on it."""
    note: str = ""
    replaced: tuple[tuple[str, str], ...] = ()
    """Words of it that no longer hold, each with the statement that holds instead."""
    days: tuple[str, ...] = ()
    """Days that its words name beyond doubt, as ``3 July = Sat 2027-07-03``."""


class ProposeTask(Told, frozen=True, kw_only=True, tag="propose", tag_field="task"):
    """Offer approaches that really differ; ask only what changes the plan and cannot be assumed."""

    answers: tuple[Answered, ...] = ()
    feedback: tuple[Feedback, ...] = ()
    """What was said of earlier approaches."""
    previous: tuple[Approach, ...] = ()
    may_ask: bool = True
    """False once questions have been asked: then state assumptions instead."""
    begin: Begin | None = None
    """What the person chose and typed to begin with; None where nothing."""


class PlanTask(Told, frozen=True, kw_only=True, tag="plan", tag_field="task"):
    """Draft the first plan, or amend the current one where feedback and findings question it, and nowhere else."""

    iteration: int
    approach: Approach | None = None
    proposal: str = ""
    """The text of a proposal the session started from; "" where approaches were proposed."""
    source: str = ""
    """Name of the proposal's file, whose end tells what it is, for who plans without a model."""
    answers: tuple[Answered, ...] = ()
    constraints: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    feedback: tuple[Feedback, ...] = ()
    """Not yet handled."""
    findings: tuple[Finding, ...] = ()
    """Still open."""
    guidance: tuple[str, ...] = ()
    """Insights of earlier iterations of this session."""
    plan: Plan | None = None
    """The current plan; None for the first draft."""
    by_item: bool = False
    """Whether the answer changes items; else it writes whole sections, as who plans without a model does."""
    statements: tuple[Said, ...] = ()
    """What the person said and still holds, for who answers by item."""
    schedule: str = ""
    """The dates that the program computed, for who answers by item."""
    mends: bool = False
    """Whether only what is calculated or was found is to be mended."""
    only: tuple[str, ...] = ()
    """Ids of the items that the prompt shows; () for the whole plan."""
    near: tuple[str, ...] = ()
    """Ids of those that it shows beside them, in brief."""
    shown: Plan | None = None
    """The plan as the prompt has it, where that is an earlier version; a provider has kept that already."""
    changes: tuple[str, ...] = ()
    """What is different in ``plan`` from ``shown``, a line each."""
    begin: Begin | None = None
    """What the person chose and typed to begin with; None where nothing, and after the first draft."""


class VerifyTask(Told, frozen=True, kw_only=True, tag="verify", tag_field="task"):
    """Find gaps and contradictions of a plan against goal, constraints and feedback."""

    plan: Plan
    approach: Approach | None = None
    """That the person chose; None where the session began with a proposal."""
    statements: tuple[Said, ...] = ()
    """What the person said and still holds."""
    schedule: str = ""
    """The dates that the program computed."""
    page: str = ""
    """The page that is handed out, where that is what is verified, in place of the plan; else ""."""
    only: tuple[str, ...] = ()
    """As in PlanTask."""
    near: tuple[str, ...] = ()
    """As in PlanTask."""
    shown: Plan | None = None
    """As in PlanTask."""
    changes: tuple[str, ...] = ()
    """What is different in ``plan`` from ``shown``, a line each."""
    answers: tuple[Answered, ...] = ()
    """What was asked and answered: what was unclear in the goal, and is so no longer."""
    constraints: tuple[str, ...] = ()
    feedback: tuple[Feedback, ...] = ()
    """All feedback so far, handled or not."""
    known: tuple[Finding, ...] = ()
    """What the deterministic checks found already."""
    earlier: tuple[Finding, ...] = ()
    """What the verifier itself found in the version before."""
    done_for: tuple[tuple[str, ...], ...] = ()
    """The items that were changed for each of these; () where it is not asked again in a round."""


class ExecuteTask(Told, frozen=True, kw_only=True, tag="execute", tag_field="task"):
    """Turn the steps of a plan into concrete, checkable actions."""

    plan: Plan
    statements: tuple[Said, ...] = ()
    """What the goal has become: its statements and those that replaced words; () where nothing did."""
    schedule: str = ""
    """The dates that the program computed."""
    findings: tuple[Finding, ...] = ()
    only: tuple[str, ...] = ()
    """As in PlanTask."""
    changed: tuple[str, ...] = ()
    """Ids of the steps that are new or different since actions were named last; () where none were."""


class GenerateTask(Told, frozen=True, kw_only=True, tag="generate", tag_field="task"):
    """Write the deliverable: the page that the plan's readers need. The answer is the page, in Markdown."""

    plan: Plan
    statements: tuple[Said, ...] = ()
    """As in ExecuteTask."""
    schedule: str = ""
    """The dates that the program computed, of what is tight."""
    actions: tuple[Action, ...] = ()
    findings: tuple[Finding, ...] = ()
    document: str = ""
    """The deliverable as it stands; "" where there is none yet."""
    only: tuple[str, ...] = ()
    """As in PlanTask."""
    shown: Plan | None = None
    """As in PlanTask."""
    changes: tuple[str, ...] = ()
    """As in VerifyTask."""
    changed: tuple[str, ...] = ()
    """Ids of the items and sections that are new, different or gone since it was written."""
    references: str = ""
    """What the page can take from the program, a line each; "" for who writes by rules."""


class ChatTask(Told, frozen=True, kw_only=True, tag="chat", tag_field="task"):
    """Answer a person's message, as an agent that they added. The answer is text, and changes nothing of the plan."""

    agent: str
    """Its name, as the person wrote it."""
    instructions: str
    message: str
    constraints: tuple[str, ...] = ()
    plan: Plan | None = None
    insights: tuple[str, ...] = ()


class CondenseTask(msgspec.Struct, frozen=True, kw_only=True, tag="condense", tag_field="task"):
    """Say in fewer words what was said; the answer is text that stands in its place in later prompts."""

    said: tuple[str, ...]
    """Message by message, each with who said it and when."""
    max_tokens: int
    """About how long the answer may be."""


class WorkTask(Told, frozen=True, kw_only=True, tag="work", tag_field="task"):
    """Do a part of an agent's work beside it, with a copy of its context and a share of its tokens."""

    agent: str
    """For whom it works, as the person wrote it."""
    instructions: str
    """What that agent is told to be."""
    work: str
    """What is to be done."""
    constraints: tuple[str, ...] = ()
    plan: Plan | None = None


LoopTask = ProposeTask | PlanTask | VerifyTask | ExecuteTask | GenerateTask
Task = LoopTask | ChatTask | CondenseTask | WorkTask


class ProposeReply(msgspec.Struct, frozen=True, kw_only=True):
    """Answer to ProposeTask."""

    approaches: tuple[Approach, ...] = ()
    """() where only questions come first: the goal is too vague for any."""
    constraints: tuple[str, ...] = ()
    """What must hold, read from goal and answers, in the person's own words."""
    assumptions: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()


class PlanReply(msgspec.Struct, frozen=True, kw_only=True):
    """Answer to PlanTask."""

    title: str
    amendments: tuple[Amendment, ...]
    handled: tuple[Handled, ...] = ()
    insights: tuple[str, ...] = ()


class VerifyReply(msgspec.Struct, frozen=True, kw_only=True):
    """Answer to VerifyTask."""

    findings: tuple[Finding, ...]
    disputed: tuple[Disputed, ...] = ()
    """Findings of `known` that are wrong."""
    insights: tuple[str, ...] = ()


class StatementReply(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a statement."""

    id: str
    """U1, U2, …"""
    state: Literal["used", "partly", "answered", "declined"]
    """used: items act on all of it; partly: on some of it; answered: it was a question; declined: it is not done."""
    note: str = ""
    """The answer, the reason why not, or what is left of it. Not needed for what is used."""
    items: tuple[str, ...] = ()
    """Ids of the items that act on it."""


class Replaced(msgspec.Struct, frozen=True, kw_only=True):
    """Words of a statement that a later one replaces."""

    statement: str
    """Id of the earlier statement."""
    part: str
    """Its words that no longer hold, exactly as they stand there; the rest of it still holds."""
    by: str
    """Id of the later statement."""


class Removal(msgspec.Struct, frozen=True, kw_only=True):
    """An item that goes."""

    id: str
    because: tuple[str, ...] = ()
    """Ids of the statements (U1) and findings (V1) that ask for it. Without one, the person is asked first."""


class Prose(msgspec.Struct, frozen=True, kw_only=True):
    """The prose of a section, whole."""

    id: str
    """goal, approach or notes."""
    text: str
    """Markdown."""


class Disputed(msgspec.Struct, frozen=True, kw_only=True):
    """A calculated finding that is wrong."""

    finding: str
    """Its id: V1, V2, …"""
    reason: str
    """Why it is wrong, for the person."""


class ExecuteReply(msgspec.Struct, frozen=True, kw_only=True):
    """Answer to ExecuteTask."""

    actions: tuple[Action, ...]
    insights: tuple[str, ...] = ()


class GenerateReply(msgspec.Struct, frozen=True, kw_only=True):
    """Answer to GenerateTask: a text, and no JSON; older models' and the offline planner's JSON is read, too."""

    deliverable: str
    """Markdown: the document, or the sections of it that are written again."""
    insights: tuple[str, ...] = ()


class WorkReply(msgspec.Struct, frozen=True, kw_only=True):
    """Answer to WorkTask."""

    answer: str
    evidence: tuple[str, ...] = ()
    """Ids, as the prompt gives them, of what the answer rests on."""
    open_questions: tuple[str, ...] = ()


Reply = ProposeReply | PlanReply | VerifyReply | ExecuteReply | GenerateReply | WorkReply

_REPLIES: dict[type[Task], type[Reply]] = {
    ProposeTask: ProposeReply, PlanTask: PlanReply, VerifyTask: VerifyReply, ExecuteTask: ExecuteReply,
    GenerateTask: GenerateReply, WorkTask: WorkReply,
}  # fmt: skip


def reply_type(task: LoopTask | WorkTask) -> type[Reply]:
    """Return the type of the answer to a task that is answered in JSON; of a plan, the one that writes sections."""
    return _REPLIES[type(task)]


def reply_fields(task: Task) -> frozenset[str]:
    """Return the names of what the answer to a task holds; none where it is a text and nothing else."""
    kind = _REPLIES.get(type(task))
    return frozenset() if kind is None else frozenset(kind.__struct_fields__)


NOT_FOR_MODELS = frozenset(
    {"causes", "origin", "status", "started", "finished", "left", "progress", "tags", "notes", "other", "choice"}
)
"""Fields of items that a person, the world or the workbench sets: no model is asked for them."""
KINDS_NOT_IN_SECTIONS = frozenset({"Fund", "Place", "Row"})
"""Kinds of items that answers in whole sections do not have: those that are there stay."""
_FIELDS_NOT_IN_SECTIONS: Mapping[str, frozenset[str]] = {
    "Constraint": frozenset({"last", "sets"}),
    "Step": frozenset(
        {
            "also", "each", "duration", "duration_elapsed", "hours", "waits_working", "mode", "splits", "priority",
            "waits_hours", "repeat", "place", "decisions", "condition", "no_return", "fund", "basis", "optional",
            "not_covered",
        }
    ),
    "Decision": frozenset({"owner", "latest", "options", "assumed", "advice"}),
    "Person": frozenset({"capacity", "away_again"}),
    "WorkingTime": frozenset({"hours", "target"}),
    "DaysOff": frozenset({"again", "who"}),
}  # fmt: skip
"""The same of fields, by kind: who answers in sections writes each item whole, and would have to repeat them."""


NOT_BY_ITEM = NOT_FOR_MODELS - {"tags"} | {"start", "end", "answers"}
"""Fields that answers by item do not have: the program computes dates, too, and ``because`` names causes; only steps
say what they answer."""


def fields_not_in_sections(kind: str) -> frozenset[str]:
    """Return the fields of a kind of items that no model is asked for in an answer in whole sections."""
    return NOT_FOR_MODELS | _FIELDS_NOT_IN_SECTIONS.get(kind, frozenset())
