"""The planner's task: draft the first plan, amend a later one, and stop when nothing questions it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from workbench.domain.loop.tasks import Handled, PlanReply, PlanTask, VerifyTask
from workbench.domain.plan.plan import Amendment, Constraint, Item, Origin, OriginKind, Plan, Section
from workbench.guided.drafting import draft, first_things
from workbench.guided.editing import settled
from workbench.guided.insights import plan_insights
from workbench.guided.limits import deadline_of
from workbench.guided.setting import read_setting
from workbench.guided.verifying import MENDS, verify


def plan(task: PlanTask) -> PlanReply:
    """Answer a PlanTask with amendments of the sections that change, and of no other."""
    handled: tuple[Handled, ...] = ()
    before = task.plan
    after = draft(task) if before is None else before
    if before is None:
        after = _with_origins(_looked_through(after, task), task)
    if before is None and not task.feedback:
        return _reply(None, after, handled, task)
    from workbench.guided.amending import amended

    after, handled = amended(after, task)
    return _reply(before, after, handled, task)


def _looked_through(plan: Plan, task: PlanTask) -> Plan:
    """Return a first draft without what the verifier would find in it: nobody has seen it yet."""
    setting = read_setting(task.goal, task.today, answers=task.answers, constraints=task.constraints)
    mended = plan
    for finding in verify(VerifyTask(goal=task.goal, today=task.today, plan=plan)).findings:
        mended = MENDS[finding.rule](mended, finding, setting)
    return settled(
        plan,
        mended,
        today=setting.today,
        deadline=deadline_of(mended, setting.today),
        first_things=first_things(setting),
    )


def _with_origins(plan: Plan, task: PlanTask) -> Plan:
    """Return a first draft whose items say where they come from."""
    goal = task.goal.casefold()

    def of(section: Section, item: Item) -> Item:
        if isinstance(item, Constraint):
            is_yours = item.text.partition(" (")[0].casefold() in goal
            return replace(item, origin=Origin("goal" if is_yours else "answer"))
        kind = "file" if task.proposal.strip() and section.id == "steps" else _ORIGINS.get(section.id, "practice")
        return item if item.origin else replace(item, origin=Origin(kind))

    return replace(
        plan,
        sections=tuple(
            replace(section, items=tuple(of(section, item) for item in section.items)) for section in plan.sections
        ),
    )


_ORIGINS: Mapping[str, OriginKind] = {"assumptions": "assumed", "decisions": "answer"}
"""Of the items of a section; those of the others are practice."""


def _reply(before: Plan | None, after: Plan, handled: tuple[Handled, ...], task: PlanTask) -> PlanReply:
    return PlanReply(
        title=after.title,
        amendments=_differences(before, after),
        handled=handled,
        insights=plan_insights(before, after, handled, task),
    )


def _differences(before: Plan | None, after: Plan) -> tuple[Amendment, ...]:
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
