"""The planner's task: draft the first plan, carry out what is asked of a later one, and say so where nothing is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from workbench.domain.facts.uses import uses
from workbench.domain.loop.limits import MOST_OF_AN_EDIT
from workbench.domain.loop.tasks import Earlier, Feedback, FeedbackClass, Handled, InFile, PlanReply, PlanTask, Taught
from workbench.domain.loop.undo import is_undo, taken_back
from workbench.domain.plan.importing.matching import brought_in
from workbench.domain.plan.markdown.grammar import NUMBERED
from workbench.domain.plan.operations import AddItem, RemoveItem, RemoveSection, applied
from workbench.domain.plan.plan import Amendment, Constraint, Item, Origin, Plan, Question, Section, amend
from workbench.domain.requests import OFFER, Control, Request, read_requests
from workbench.domain.text.cleaning import shorten
from workbench.domain.text.words import stems
from workbench.guided.answered_later import answered, with_item
from workbench.guided.brief import Brief
from workbench.guided.composition import compose
from workbench.guided.cores import CoreApproach
from workbench.guided.phrases import capital, counted, listed
from workbench.guided.work import YOU


def plan(task: PlanTask, brief: Brief) -> PlanReply:
    """Answer a PlanTask with amendments of the sections that change, and of no other."""
    before = task.plan
    after = _first(task, brief) if before is None else before
    handled: list[Handled] = []
    taught: list[str] = []
    for lesson in task.lessons if before is None else ():
        after, learnt = _taught(after, lesson, brief)
        taught.append(learnt)
    for said in task.feedback:
        after, answers, left = answered(after, said, brief)
        handled += answers
        if left is not None:
            after, answers = _carried_out(after, left, brief, task.versions)
            handled += answers
    for one in task.in_files:
        if one.is_freeze:
            after = with_item(after, Constraint(id="", text=one.text, origin=Origin("file", one.source)), "constraints")
            continue
        asks = f"you said {one.against}. Which one holds?" if one.against else "should the plan take it up?"
        holds = "What you said holds." if one.against else "The plan goes without it."
        after = _with_question(after, f"{one.source} says “{one.text}”; {asks}", Origin("file", one.source), holds)
    if task.sources:
        after = _with_sources(after, task.sources)
    return PlanReply(
        title=after.title,
        amendments=differences(before, after),
        handled=tuple(handled),
        insights=(*taught, *_insights(before, after, handled)),
    )


def _first(task: PlanTask, brief: Brief) -> Plan:
    """Return the first plan; of a proposal, no line is missing in it."""
    text = task.proposal[:MOST_OF_AN_EDIT]
    if not text.strip():
        return compose(brief, task.approach)
    from workbench.plan_files import read_plan  # most goals come without a proposal

    imported = read_plan(text, today=brief.today)
    steps = imported.plan.steps
    titles = {section.id: section.title for section in imported.plan.sections}
    drafted = _with_limits_beside(compose(brief, task.approach, steps), imported.plan, brief)
    drafted = msgspec.structs.replace(
        drafted,
        sections=tuple(
            msgspec.structs.replace(section, title=titles.get("steps", section.title))
            if section.id == "steps"
            else section
            for section in drafted.sections
        ),
    )
    rest = (
        msgspec.structs.replace(section, items=tuple(item for item in section.items if item not in steps))
        for section in imported.plan.sections
    )
    left = tuple(section for section in rest if section.id != "steps" or section.items or section.text.strip())
    plan = msgspec.structs.replace(imported.plan, sections=left)
    return brought_in(drafted, msgspec.structs.replace(imported, plan=plan), source="the proposal")


def _with_limits_beside(drafted: Plan, proposed: Plan, brief: Brief) -> Plan:
    """Return a drafted plan with only those limits that a proposal does not set, under ids that it does not use."""
    there = [item for item in proposed.items if isinstance(item, Constraint)]
    highest = max((int(item.id[1:]) for item in there if NUMBERED.fullmatch(item.id)), default=0)
    facts = {one.id: one.fact for one in brief.facts}

    def is_set(limit: Constraint) -> bool:
        fact = facts.get(limit.origin.source) if limit.origin else None
        return any(
            (fact and uses(item, "\n", fact))
            or (limit.amount and limit.amount == item.amount)
            or (limit.day and limit.day == item.day)
            for item in there
        )

    def beside(items: tuple[Item, ...]) -> Iterator[Item]:
        number = highest
        for item in items:
            if not isinstance(item, Constraint):
                yield item
            elif not is_set(item):
                number += 1
                yield msgspec.structs.replace(item, id=f"K{number}")

    sections = (msgspec.structs.replace(section, items=tuple(beside(section.items))) for section in drafted.sections)
    return msgspec.structs.replace(drafted, sections=tuple(one for one in sections if one.items or one.text))


def _taught(plan: Plan, lesson: Taught, brief: Brief) -> tuple[Plan, str]:
    """Do what a lesson asks for, as far as it is a request that is understood, and say what that was."""
    source = f"{lesson.id.removeprefix('lesson:')}, {lesson.because.partition(':')[0]}"
    known = {item.id for item in plan.items}
    is_of_a_plan = re.search(r"\b[A-Z]\d{1,6}\b", lesson.text) is not None  # ids of another plan mean nothing here
    read = () if is_of_a_plan else read_requests(lesson.text, plan, today=brief.today)
    after = applied(plan, [operation for request in read for operation in request.operations])
    steps = [frozenset(stems(step.title)) for step in plan.steps]
    new = [item.id for item in after.items if item.id not in known]
    added = [frozenset(stems(step.title)) for step in after.steps if step.id in new]
    if not new or any(words <= step for words in added for step in steps):
        there = "a step does that already" if added else "the offline planner adds nothing for it"
        return plan, f"Lesson {source}: “{lesson.text}”: {there}."
    sections = tuple(
        msgspec.structs.replace(
            section,
            items=tuple(
                msgspec.structs.replace(item, origin=Origin("lesson", source)) if item.id in new else item
                for item in section.items
            ),
        )
        for section in after.sections
    )
    return msgspec.structs.replace(after, sections=sections), f"Lesson {source}: {listed(new)} added."


def _carried_out(
    plan: Plan, said: Feedback, brief: Brief, versions: Sequence[Earlier] = ()
) -> tuple[Plan, list[Handled]]:
    """Do what a piece of feedback asks for, request by request; what is not understood is asked back in the plan."""
    handled: list[Handled] = []
    read = read_requests(said.text, plan, today=brief.today, section=said.section or "")
    if versions and is_undo(read) and versions[-1].plan == plan:
        read = (taken_back(read[0], versions, brief.today),)
    requests = [_as_feedback(request, plan, brief) for request in read]
    for request in requests:
        after = applied(plan, request.operations)
        sections = tuple(section.id for section in after.sections if plan.section(section.id) != section)
        handled.append(
            Handled(
                feedback=said.id,
                kind=_kind_of(request),
                sections=sections,
                note=request.answer,
                request=request.text,
                outcome=request.outcome,
            )
        )
        plan = after
    for request in requests:
        is_open = request.outcome in ("asked", "not understood") and not request.control
        if is_open and (len(stems(request.text)) > 1 or OFFER.match(request.answer)):
            asked = request.answer if request.outcome == "asked" else _WHICH.format(request.text)
            plan = _with_question(plan, asked, Origin("feedback", said.id))
    return plan, handled


_ELSEWHERE: dict[Control, str] = {
    "undo": "Say “undo” by itself, and the last version is taken back, where there is one before this.",
    "finish": "The plan is saved at the gate, or with `workbench resume ID --finish`.",
    "give up": "Say what became of it with `workbench outcome ID failure`.",
    "other approaches": "The offline planner knows no other approach to this kind of work: say what should differ.",
    "language": "The offline planner does not write in other languages: a language model can.",
    "shorter": "The offline planner does not say lines in fewer words: say which lines should go.",
    "longer": "Which line should say more, and what? The offline planner knows no more of it.",
}


def _as_feedback(request: Request, plan: Plan, brief: Brief) -> Request:
    """Return a request to the workbench with what this planner makes of it: other approaches, or where it is made."""
    answer = _ELSEWHERE.get(request.control) if not request.operations else None
    ways = _other_ways(plan, brief) if request.control == "other approaches" else ()
    if ways:
        told = " · ".join(f"{way.title}: {way.summary.rstrip('.')}. Drawback: {way.drawback}" for way in ways)
        answer = f"Other approaches: {told} To plan with one, begin again with `workbench run` and choose it."
        return msgspec.structs.replace(request, outcome="done", answer=answer)
    return msgspec.structs.replace(request, outcome="not done", answer=answer) if answer else request


def _other_ways(plan: Plan, brief: Brief) -> tuple[CoreApproach, ...]:
    """Return the approaches to this kind of work that are not the plan's own."""
    own = plan.section("approach")
    ways = brief.core.approaches if brief.core else ()
    return tuple(
        way
        for way in ways
        if (not way.only or brief.has_said(way.only))
        and way.title.casefold() not in (own.text if own else "").casefold()
    )


_MOST_OF_A_QUESTION = 480
_WHICH = "Which line should change, and how? “{}”"


def _with_question(plan: Plan, text: str, origin: Origin, assumption: str = "") -> Plan:
    question = Question(id="", text=shorten(text, _MOST_OF_A_QUESTION), assumption=assumption, owner=YOU, origin=origin)
    return with_item(plan, question, "questions")


def _with_sources(plan: Plan, sources: Sequence[InFile]) -> Plan:
    """Name the files that research found, each with a line of it, unless the plan names it already."""
    old = plan.section("sources") or Section(id="sources", title="Sources")
    named = {line.partition(" — ")[0] for line in old.text.split("\n")}
    new = [f"- {one.source} — {one.text}" for one in sources if f"- {one.source}" not in named]
    if not new:
        return plan
    text = "\n".join([*filter(None, [old.text]), *new])
    return amend(plan, (Amendment(section=msgspec.structs.replace(old, text=text)),))


def _kind_of(request: Request) -> FeedbackClass:
    """Return the class of a request, by what it does."""
    if not request.operations:
        return "question"
    if all(isinstance(one, RemoveItem | RemoveSection) for one in request.operations):
        return "remove"
    return "add" if any(isinstance(one, AddItem) for one in request.operations) else "change"


def differences(before: Plan | None, after: Plan) -> tuple[Amendment, ...]:
    """Return the amendments that lead from one plan to the other."""
    amendments: list[Amendment] = []
    place: str | None = None
    for section in after.sections:
        if before is None or before.section(section.id) != section:
            amendments.append(Amendment(section=section, after=place))
        place = section.id
    if before is not None:
        amendments += [
            Amendment(section=section, remove=True) for section in before.sections if after.section(section.id) is None
        ]
    return tuple(amendments)


def _insights(before: Plan | None, after: Plan, handled: Sequence[Handled]) -> tuple[str, ...]:
    """Return what is true of this plan and worth remembering; that nothing was left to do is said, too."""
    questions = [item for item in after.items if isinstance(item, Question)]
    waits = "waits for you" if len(questions) == 1 else "wait for you"
    waiting = f"{counted(len(questions), 'question')} {waits}, {questions[0].id} first." if questions else ""
    if before is not None and before == after and not handled:
        return (f"Nothing is left that the offline planner can do. {capital(waiting)}".strip(),)
    unknown = [step.id for step in after.steps if step.effort is None and step.waiting is None and step.on is None]
    insights = [f"{one.feedback}: {one.note}" for one in handled]
    if unknown:
        insights.append(f"Nobody has said how long {', '.join(unknown)} take{'s' if len(unknown) == 1 else ''}.")
    return tuple(filter(None, [*insights, waiting]))
