"""The deliverable: a brief of one to two pages for those who read the plan and do not carry it out.

in short · what will be true · milestones · who does what first · what must hold · risks · decisions needed
"""

from __future__ import annotations

from datetime import date

from workbench.domain.errors import PlanUnsound
from workbench.domain.loop.tasks import Action, GenerateReply, GenerateTask
from workbench.domain.plan.plan import Bullet, Constraint, Criterion, Plan, Question, Risk, Section, Step
from workbench.guided.dates import spoken
from workbench.guided.drafting import WEEKLY_LOOK
from workbench.guided.limits import deadline_of
from workbench.guided.rendering import schedule_of
from workbench.guided.timing import day_of
from workbench.guided.wording import counted, listed, lower_first, sentence

FOOTER = (
    "*Written by the offline guided planner from the plan above: fixed rules and tables of planning practice, not a "
    "language model. Nothing left this machine.*"
)
_WEIGHT = {"low": 1, "medium": 2, "high": 3}
MOST = 5
"""Rows of a table; a brief that lists everything is the plan once more."""


def generate(task: GenerateTask) -> GenerateReply:
    """Answer a GenerateTask with a brief in Markdown."""
    plan, today = task.plan, date.fromisoformat(task.today)
    parts = [
        f"# {plan.title}",
        _in_short(plan, today),
        _part("What will be true", _criteria(plan)),
        _part("Milestones", _milestones(plan)),
        _part("Who does what first", _first(plan, task.actions)),
        _part("What must hold", _constraints(plan)),
        _part("What could stop us", _risks(plan)),
        _part("Decisions needed", _decisions(plan)),
        _part("Not part of this", _excluded(plan)),
        _part(
            "Known weaknesses of the plan",
            [f"- {finding.text} {finding.remedy}".rstrip() for finding in task.findings[:MOST]],
        ),
        "---",
        FOOTER.replace("the plan above", f"a plan of {counted(len(plan.steps), 'step')}"),
    ]
    return GenerateReply(
        deliverable="\n\n".join(part for part in parts if part) + "\n", insights=_insights(plan, today)
    )


def _part(title: str, lines: list[str]) -> str:
    return f"## {title}\n\n" + "\n".join(lines) if lines else ""


def _in_short(plan: Plan, today: date) -> str:
    approach = plan.section("approach")
    way = approach.text.split("\n\n", maxsplit=1)[0].replace("**", "") if approach else ""
    return "\n\n".join(part for part in (way, _timing(plan, today)) if part)


def _timing(plan: Plan, today: date) -> str:
    """Return when it is finished, and how that stands against the date given."""
    deadline = deadline_of(plan, today)
    try:
        dates = schedule_of(plan, deadline)
    except PlanUnsound:
        return "The dates do not hold yet: some steps wait for one another."
    if not plan.steps:
        return ""
    fixed = day_of(plan.steps)
    if deadline is not None and dates.slack_days is not None and dates.slack_days < 0:
        return (
            f"**As it stands it does not fit:** the work ends on {spoken(dates.finish)}, "
            f"{counted(-dates.slack_days, 'working day')} after {deadline.isoformat()}."
        )
    if deadline is not None and fixed is not None:
        return (
            f"The day is {spoken(deadline)}; kept in hand before it: {counted(dates.slack_days or 0, 'working day')}."
        )
    finish = f"{counted(len(plan.steps), 'step')}, finished on {spoken(dates.finish)}"
    if deadline is None:
        return f"{finish}; no date was given to hold this against."
    return f"{finish}: {counted(dates.slack_days or 0, 'working day')} before {deadline.isoformat()}."


def _criteria(plan: Plan) -> list[str]:
    return [
        f"- **{item.text}**: {lower_first(item.measure)}; target: {item.target}"
        + (f", by {item.due}." if item.due else ".")
        for item in plan.items
        if isinstance(item, Criterion)
    ][: MOST + 1]


def _milestones(plan: Plan) -> list[str]:
    """Return a table with the last step of each workstream, in the order of their dates."""
    last: dict[str, Step] = {}
    for step in plan.steps:
        if step.title == WEEKLY_LOOK.title:
            continue
        kept = last.get(step.workstream)
        if kept is None or (step.end or "") >= (kept.end or ""):
            last[step.workstream] = step
    steps = sorted(last.values(), key=lambda step: step.end or "")
    if not steps:
        return []
    rows = [
        f"| {step.end or '–'} | {_cell(step.title)} ({step.id}) | {_cell(step.outcome)} | {_cell(step.owner)} |"
        for step in steps[:7]
    ]
    return ["| Date | Milestone | What there is then | Owner |", "| --- | --- | --- | --- |", *rows]


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|") or "–"


def _first(plan: Plan, actions: tuple[Action, ...]) -> list[str]:
    soon = sorted((action for action in actions if action.due), key=lambda action: action.due or "")[:MOST]
    if soon:
        return [f"- {action.due}, {action.owner}: {action.text}" for action in soon]
    section = plan.section("actions")
    return [f"- {item.text}" for item in section.items if isinstance(item, Bullet)][:MOST] if section else []


def _constraints(plan: Plan) -> list[str]:
    lines = []
    for item in plan.items:
        if isinstance(item, Constraint):
            kept = [step.id for step in plan.steps if item.id in step.answers]
            lines.append(f"- {sentence(item.text)}" + (f" Checked in {listed(kept)}." if kept else ""))
    return lines[: MOST + 3]


def _risks(plan: Plan) -> list[str]:
    risks = [item for item in plan.items if isinstance(item, Risk)]
    worst = sorted(risks, key=lambda risk: -_WEIGHT[risk.likelihood] * _WEIGHT[risk.impact])[:3]
    return [
        f"- **{sentence(risk.text)}** First sign: {lower_first(sentence(risk.sign))} "
        f"Then: {lower_first(sentence(risk.response))}"
        for risk in worst
    ]


def _decisions(plan: Plan) -> list[str]:
    return [
        f"- {item.owner or 'To be answered'}: {item.text}"
        + (f" Until then: {lower_first(sentence(item.assumption))}" if item.assumption else "")
        for item in plan.items
        if isinstance(item, Question)
    ][:MOST]


def _excluded(plan: Plan) -> list[str]:
    scope = plan.section("scope") or Section(id="scope", title="Scope")
    return [f"- {sentence(item.text)}" for item in scope.items if isinstance(item, Bullet) and item.priority == "won't"]


def _insights(plan: Plan, today: date) -> tuple[str, ...]:
    questions = [item for item in plan.items if isinstance(item, Question)]
    insights = [_timing(plan, today).replace("**", "")] if plan.steps else []
    if questions:
        count = len(questions)
        insights.append(
            f"{counted(count, 'question')} {'waits' if count == 1 else 'wait'} for an answer: "
            f"{listed([one.id for one in questions])}."
        )
    return tuple(insights)
