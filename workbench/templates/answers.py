"""What the roles of a session answer without a model: the first plan, calculated findings, what can begin, the page.

After the first plan nothing is changed by what a person says in sentences: it is kept, with how to say it exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from workbench.domain.loop.asking.tasks import (
    Action,
    ExecuteReply,
    ExecuteTask,
    Feedback,
    GenerateReply,
    GenerateTask,
    Handled,
    PlanReply,
    PlanTask,
    VerifyReply,
    VerifyTask,
)
from workbench.domain.loop.begin import Begin
from workbench.domain.loop.limits import MOST_OF_AN_EDIT
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.plan import Amendment, Constraint, Criterion, Plan, Question, Risk, Step
from workbench.templates.catalogue import Catalogue
from workbench.templates.composition import first_plan
from workbench.templates.proposing import template_of

FIRST_STEPS = 3
"""Steps that can begin, of which actions are made."""


def draft(task: PlanTask, catalogue: Catalogue) -> PlanReply:
    """Answer a PlanTask with the first plan, and then with no change. Raises UsageError as ``first_plan`` does."""
    if task.plan is None:
        plan = _first(task, catalogue)
        sections = tuple(Amendment(section=section) for section in plan.sections)
        return PlanReply(title=plan.title, amendments=sections, handled=_handled(task))
    return PlanReply(title=task.plan.title, amendments=(), handled=_handled(task))


def _first(task: PlanTask, catalogue: Catalogue) -> Plan:
    """Return the first plan; of a proposal, no line is missing in it."""
    begin, today = task.begin or Begin(), date.fromisoformat(task.today)
    if task.approach is not None and task.approach.template and not begin.template:
        begin = Begin(template=task.approach.template, outline=begin.outline, commands=begin.commands)
    plan = first_plan(begin, template_of(begin, catalogue), task.goal, today)
    if not task.proposal.strip():
        return plan
    from workbench.domain.plan.importing.matching import brought_in  # most goals come without a proposal
    from workbench.plan_files import read_plan

    imported = read_plan(task.proposal[:MOST_OF_AN_EDIT], name=task.source, today=today)
    return brought_in(plan, imported, source=task.source or "the proposal")


def _handled(task: PlanTask) -> tuple[Handled, ...]:
    return tuple(_kept_unhandled(said) for said in task.feedback)


def _kept_unhandled(said: Feedback) -> Handled:
    """Return what became of a sentence: it is kept, and its second line is the command that it resembles most."""
    from workbench.domain.commands.examples import nearest_example

    kept = "Kept in your words; without a language model, a command changes the plan."
    note = f"{kept}\nFor example: {nearest_example(said.text)}"
    return Handled(feedback=said.id, kind="change", note=note, outcome="not done")


def verify(task: VerifyTask) -> VerifyReply:
    """Answer a VerifyTask with the calculated findings that are not known yet."""
    known = {finding.text for finding in task.known}
    found = check_plan(task.plan, today=date.fromisoformat(task.today))
    return VerifyReply(findings=tuple(finding for finding in found if finding.text not in known))


def execute(task: ExecuteTask) -> ExecuteReply:
    """Answer an ExecuteTask with the first steps that can begin."""
    ready = sorted(_ready(task.plan), key=lambda step: step.start or "9999")[:FIRST_STEPS]
    return ExecuteReply(
        actions=tuple(
            Action(step=one.id, text=one.title, check=one.check, owner=one.owner, due=one.end) for one in ready
        )
    )


def _ready(plan: Plan) -> Iterator[Step]:
    """Yield the steps that are to do and wait for no other; of a step with parts, its parts."""
    ended = {step.id for step in plan.steps if step.status in ("done", "dropped")}
    left_out = {step.parent for step in plan.steps} | plan.conditional
    needs = {step.id: set(step.needs) for step in plan.steps}
    for step in plan.steps:
        waits_for = needs[step.id] | needs.get(step.parent, set())
        if step.status == "todo" and step.id not in left_out and waits_for <= ended:
            yield step


def generate(task: GenerateTask) -> GenerateReply:
    """Answer a GenerateTask with a page in Markdown: what the plan says, and nothing else."""
    items = task.plan.items
    parts = [
        f"# {task.plan.title}",
        _part("When it has worked", [f"{item.text}: {item.measure}" for item in items if isinstance(item, Criterion)]),
        _part("What must hold", [one.text for one in items if isinstance(one, Constraint)]),
        _steps(task.plan),
        _part("First", [f"{action.text} ({action.step})" for action in task.actions]),
        _part("What could go wrong", [f"{one.text} {one.response}" for one in items if isinstance(one, Risk)]),
        _part("Not known yet", [one.text for one in items if isinstance(one, Question)]),
    ]
    return GenerateReply(deliverable="\n\n".join(filter(None, parts)) + "\n")


def _part(title: str, lines: list[str]) -> str:
    return "\n".join([f"## {title}", "", *(f"- {line}" for line in lines)]) if lines else ""


def _steps(plan: Plan) -> str:
    rows = [f"| {step.id} | {step.title.replace('|', '/')} | {step.owner} | {_days(step)} |" for step in plan.steps]
    return "\n".join(["## Steps", "", "| | step | who | when |", "|---|---|---|---|", *rows]) if rows else ""


def _days(step: Step) -> str:
    return f"{step.start} to {step.end}" if step.start and step.end else step.on or step.deadline or "no date"
