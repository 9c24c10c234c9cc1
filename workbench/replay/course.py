"""The course of a session, an event a line: what ``workbench replay --plain`` prints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import msgspec

from workbench.domain.log.envelope import Event, Moment
from workbench.domain.loop.asking.tool_calls import tool_use_text
from workbench.domain.plan.changing.change import percent
from workbench.domain.session import events as say
from workbench.domain.session.copies import outline
from workbench.domain.session.named_files import reading_line, research_text
from workbench.domain.session.session import SessionState, apply
from workbench.domain.text.cleaning import clean_name, shorten

B = TypeVar("B")
_COUNTED = frozenset({say.PlanVerified.kind, say.DeliverableWritten.kind, say.IterationCompleted.kind})
"""Kinds whose line counts what they may copy."""


def course(events: Iterable[Event]) -> Iterator[tuple[Moment, SessionState]]:
    """Yield each event as a line, with the state it led to. Raises LogDamaged if the session cannot be folded."""
    state: SessionState | None = None
    for event in events:
        told = moment_after(state, event)
        state = apply(state, event)
        yield told, state


def moment_after(state: SessionState | None, event: Event) -> Moment:
    """Return the event after a state, told in one line. Raises LogDamaged."""
    return moment(event if state is None or event.kind not in _COUNTED else state.recent.whole(event))


def moment(event: Event) -> Moment:
    """Return an event told in one line; one that copies what it is told by has to be in full."""
    body = say.content(event if event.kind in _COUNTED else outline(event))
    text = clean_name(_TOLD.get(type(body), _fields)(body), 400)
    return Moment(event.seq, event.time, event.kind, clean_name(event.actor), event.origin, text)


def _fields(body: msgspec.Struct) -> str:
    """Return what the fields say: the line of a kind that has none of its own below."""
    return ", ".join(f"{name}: {_plain(value)}" for name, value in msgspec.to_builtins(body).items())


def _plain(value: object) -> str:
    """Return a value of a field in words."""
    match value:
        case dict():
            return " ".join(map(_plain, value.values()))
        case list() | tuple():
            return "; ".join(map(_plain, value)) or "none"
        case None:
            return "none"
        case _:
            return str(value)


def _gate(body: say.GateOpened) -> str:
    choices = ", ".join(choice.label for choice in body.gate.choices)
    return f"asks: {body.gate.question} ({choices})"


def _answer(body: say.GateAnswered) -> str:
    answer = body.answer
    notes = f" and {len(answer.notes)} notes on sections" if answer.notes else ""
    if answer.kind == "edit":
        return "edited the plan by hand"
    if answer.kind == "change":
        why = ", ".join(dict.fromkeys(f"{one.cause.kind} {one.cause.source}".strip() for one in answer.changes))
        return f"changed the plan in {len(answer.changes)} places: {why}"
    detail = answer.choice or shorten(answer.text, 200)
    return f"{answer.kind}{': ' if detail else ''}{detail}{notes}"


def _reply(body: say.CallFinished) -> str:
    cost = "price n/a" if body.cost is None else f"${body.cost:.4f}" if body.cost else "free"
    about = "about " if body.estimated else ""
    parts = ((body.cached_tokens, "cached"), (body.reasoning_tokens, "for reasoning"))
    of_them = ", ".join(f"{count:,} {what}" for count, what in parts if count)
    tokens = f"{about}{body.input_tokens + body.output_tokens:,} tokens{f' ({of_them})' if of_them else ''}"
    return f"{body.model} replied: {tokens}, {cost}, {body.seconds:.1f} s"


def _beginning_text(body: say.BeginGiven) -> str:
    given = body.begin
    own = sum(bool(line.strip()) for line in given.outline.splitlines())
    parts = [f"the template {given.template}" if given.template else "", f"{own} own steps" if own else ""]
    return f"begins with {', '.join([*filter(None, parts), *given.commands])}"


def _bounds(body: say.BoundsChanged) -> str:
    bounds = body.bounds
    named = (
        None if bounds.max_tokens is None else f"{bounds.max_tokens:,} tokens",
        None if bounds.max_cost is None else f"${bounds.max_cost:.2f}",
        None if bounds.max_time is None else f"{bounds.max_time:.0f} s",
        None if bounds.max_calls is None else f"{bounds.max_calls:,} calls",
    )
    return f"bounded by {', '.join(bound for bound in named if bound) or 'nothing'}"


def _proposed(body: say.ApproachesProposed) -> str:
    told = "; ".join(f"{approach.id} {approach.title}" for approach in body.approaches)
    asked = f"; {len(body.questions)} questions" if body.questions else ""
    return f"proposes {told}{asked}"


def _observed(body: say.SharedObserved) -> str:
    if body.unavailable:
        return f"could not look at the shared context: {body.unavailable}"
    keys = ", ".join(change.key for change in body.changes)
    return f"saw in the shared context: {keys}" if keys else "saw nothing new in the shared context"


def _guidance(body: say.GuidanceRecalled) -> str:
    if body.source == "none":
        return body.note
    kind = {"search": "found in this session", "fallback": "FALLBACK"}[body.source]
    return f"{kind}: {len(body.items)} insights. {body.note}".strip()


def _plan(body: say.PlanChanged) -> str:
    handled = ", ".join(dict.fromkeys(f"{one.feedback} ({one.outcome or one.kind})" for one in body.handled))
    took_up = f"; took up {handled}" if handled else ""
    what = (
        f"plan version {body.version} by {body.by}, changed {percent(body.change)}" if body.change else "plan unchanged"
    )
    return f"{what}{took_up}"


def _verified(body: say.PlanVerified) -> str:
    major = sum(finding.severity == "major" for finding in body.findings)
    return f"{major} major and {len(body.findings) - major} minor findings"


def _completed(body: say.IterationCompleted) -> str:
    result = body.result
    told = f"iteration {result.iteration_num} changed {percent(result.change)}, {len(result.key_insights)} insights"
    return f"{told}; checkpoint: {body.checkpoint}" if body.checkpoint else told


def _reported(body: say.StatusReported) -> str:
    """Return what was reported; of another program, what became of its commands is told by the changes."""
    by = " ".join(dict.fromkeys(one.cause.source for one in body.changes))
    return f"reported: {body.text}" if body.text else f"changed {len(body.changes)} fields for {by}"


def _forgotten(body: say.ContentForgotten) -> str:
    what = f"a part of {body.item}" if body.part else body.item
    whose = f" of {body.session}, quoted here," if body.session else ""
    count = len(body.redacted)
    return f"forgot {what}{whose} in {count:,} event{'' if count == 1 else 's'}"


def _tools(body: say.ToolsOffered) -> str:
    offered = f"models may ask for {', '.join(one.name for one in body.tools) or 'no tools'}"
    return f"{offered}. {body.unavailable}" if body.unavailable else offered


def _entry(body: type[B], tell: Callable[[B], str]) -> tuple[type, Callable[[Any], str]]:
    """Return an entry of the table below. mypy checks that it tells of that body."""
    return body, tell


_TOLD = dict(
    (
        _entry(say.SessionCreated, lambda body: f"goal: {body.goal}"),
        _entry(
            say.SessionResumed, lambda body: "took the session up again" + (f" with {body.model}" if body.model else "")
        ),
        _entry(say.DayBegun, lambda body: f"the day is {body.today}"),
        _entry(say.SessionRenamed, lambda body: f"renamed to {body.name}"),
        _entry(say.SessionReopened, lambda body: f"reopened with feedback: {body.text}"),
        _entry(say.SessionStopped, lambda body: f"stopped: {body.reason}"),
        _entry(say.SessionFinished, lambda body: f"finished: {body.reason}"),
        _entry(say.SessionForked, lambda body: f"forked from {body.origin} after its event {body.at:,}"),
        _entry(say.SessionRewound, lambda body: f"{'forward' if body.redo else 'back'} to event {body.to:,}"),
        _entry(say.BoundsChanged, _bounds),
        _entry(say.ProposalGiven, lambda body: f"starts from the proposal {body.source}"),
        _entry(say.BeginGiven, _beginning_text),
        _entry(say.GateOpened, _gate),
        _entry(say.GateAnswered, _answer),
        _entry(
            say.CallStarted,
            lambda body: f"{body.role} is asked to {body.task}" + (", again" if body.attempt > 1 else ""),
        ),
        _entry(say.CallRetried, lambda body: f"tries again in {body.wait:.1f} s: {body.reason}"),
        _entry(say.CallNoted, lambda body: body.note),
        _entry(say.CallFinished, _reply),
        _entry(say.CallFailed, lambda body: f"call failed: {body.message}"),
        _entry(say.CallAbandoned, lambda body: f"call abandoned: {body.reason}"),
        _entry(say.ReplyRejected, lambda body: f"reply not usable: {body.message}"),
        _entry(say.ReplyMended, lambda body: f"reply read, with changes: {' '.join(body.notes)}"),
        _entry(
            say.ConversationCondensed,
            lambda body: (
                f"{body.summary.by} says {len(body.summary.covers)} earlier messages in fewer words, for {body.agent}: "
                f"{body.receipt.tokens_before:,} → {body.receipt.tokens_after:,} tokens"
            ),
        ),
        _entry(say.ApproachesProposed, _proposed),
        _entry(say.ApproachChosen, lambda body: f"approach {body.approach.id} is approved: {body.approach.title}"),
        _entry(say.IterationBegun, lambda body: f"iteration {body.number} begins"),
        _entry(say.GuidanceRecalled, _guidance),
        _entry(say.PlanChanged, _plan),
        _entry(say.PlanVerified, _verified),
        _entry(say.StatusReported, _reported),
        _entry(
            say.StatementsRead, lambda body: f"cut {body.source} into {', '.join(one.id for one in body.statements)}"
        ),
        _entry(say.FeedbackGiven, lambda body: f"feedback meanwhile: {body.text}"),
        _entry(say.CheckpointWanted, lambda _body: "wants to be asked after this round"),
        _entry(say.PlanSaved, lambda body: f"plan version {body.version} is saved"),
        _entry(say.ActionsPrepared, lambda body: f"{len(body.actions)} actions"),
        _entry(say.DeliverableWritten, lambda body: f"deliverable of {len(body.text.split()):,} words"),
        _entry(say.IterationCompleted, _completed),
        _entry(say.IterationStored, lambda body: f"iteration {body.result.iteration_num} stored by a program"),
        _entry(
            say.MessageGiven, lambda body: f"asks {body.to}: {body.text}" if body.to else f"brought in: {body.text}"
        ),
        _entry(say.AgentAdded, lambda body: f"{body.agent.name} can be talked to"),
        _entry(say.AgentAnswered, lambda body: f"{body.agent} answered"),
        _entry(
            say.WorkersSent,
            lambda body: (
                f"{body.agent} sends {len(body.workers)} workers: "
                + "; ".join(f"{one.worker} {one.work}" for one in body.workers)
            ),
        ),
        _entry(
            say.WorkerReported,
            lambda body: f"{body.worker} reports{'' if body.is_complete else ' what there is'}: {body.answer}",
        ),
        _entry(say.FileRead, reading_line),
        _entry(say.ToolsOffered, _tools),
        _entry(say.ToolAsked, tool_use_text),
        _entry(say.ConsentLapsed, lambda body: f"{body.use} was not allowed here: the person is asked"),
        _entry(say.ToolStarted, lambda body: f"{body.use} is carried out"),
        _entry(say.ToolReturned, lambda body: f"{body.use} {body.outcome}: {body.text}"),
        _entry(
            say.ResearchSwitched, lambda body: f"research is {'on' if body.on else 'off'}{body.web and ', web too'}"
        ),
        _entry(say.GapsResearched, research_text),
        _entry(say.EntityStored, lambda body: f"remembers {body.name}"),
        _entry(
            say.OthersSearched, lambda body: f"found {len(body.found)} in other sessions, {body.reason}: {body.query}"
        ),
        _entry(say.SharedObserved, _observed),
        _entry(
            say.LessonsGiven,
            lambda body: (
                f"lessons could not be read: {body.unavailable}"
                if body.unavailable
                else f"is given {len(body.lessons)} lessons: {'; '.join(one.text for one in body.lessons)}"
            ),
        ),
        _entry(say.PracticeGiven, lambda body: f"offers practice: {'; '.join(one.name for one in body.practice)}"),
        _entry(say.RecallSwitched, lambda body: f"recall of other sessions is {'on' if body.on else 'off'}"),
        _entry(say.ItemMarked, lambda body: f"{body.mark or 'unmarked'}: {body.item} of {body.session}"),
        _entry(say.PrivacyChanged, lambda body: "private from now on" if body.private else "not private any more"),
        _entry(
            say.RatingGiven,
            lambda body: f"rated {body.stars} of 5 {f'in round {body.round} ' if body.round else ''}{body.note}",
        ),
        _entry(say.OutcomeLogged, lambda body: f"outcome: {body.outcome} {body.note}"),
        _entry(say.ChangesOffered, lambda body: f"{body.client} offers {body.offer}: {body.text}"),
        _entry(
            say.OfferDecided,
            lambda body: f"{'accepted' if body.accepted else 'declined'} {body.offer} {body.note}".rstrip(),
        ),
        _entry(say.ClientSaid, lambda body: f"{body.client} says: {body.text}"),
        _entry(say.PlanSubmitted, lambda body: f"{body.agent or 'somebody'} submits a plan: {body.text}"),
        _entry(say.NoteWritten, lambda body: f"{body.note} on line {body.first} of v{body.version}: {body.text}"),
        _entry(say.SubmissionDecided, lambda body: f"v{body.version} {body.decision}: {body.answer}"),
        _entry(say.ContentForgotten, _forgotten),
        _entry(say.Unknown, lambda body: f"an event of a newer kind ({body.kind}, version {body.v}), kept"),
    )
)
