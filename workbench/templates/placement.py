"""Days of a template's steps: its distances, counted from the day that all is for and from the plan's beginning.

a command set the day ─▶ on the day · not before · deadlines, as far as they can still be kept
the day that it is for ─▶ planned back from it; what is too late for that, as early as it can be
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, timedelta

from msgspec.structs import replace

from workbench.domain.errors import PlanUnsound
from workbench.domain.plan.plan import Constraint, Item, Origin, Plan, Question, Section, Step, WorkingTime, deadline_of
from workbench.domain.plan.scheduling.schedule import schedule
from workbench.domain.plan.scheduling.work_times import WorkTimes
from workbench.domain.values.calendar_words import plannable_day
from workbench.templates.template import TemplateStep


def placed(plan: Plan, says: Mapping[str, TemplateStep], question: str, today: date) -> tuple[Plan, tuple[str, ...]]:
    """Return a plan with the days that a template has as distances, and the steps for which it is too late.

    ``says``: what the template says of steps, by their id. ``question``: what it asks for while no day is set. Days
    that the person gave a step stay. Where the day is one that it is for, the plan is dated back from it, and what is
    too late for that is as early as it can be; a deadline alone leaves every step as early as it can be.
    """
    day = deadline_of(plan)
    if day is not None and question:
        plan = _without_question(plan, question)
    says = {step.id: says[step.id] for step in plan.steps if step.id in says}
    plan = with_steps(
        plan, {step.id: _on_its_day(step, says[step.id], day, today) for step in plan.steps if step.id in says}
    )
    ends = _earliest_ends(plan, today)
    lasts = {name: last for name, one in says.items() if (last := _last_day(one, day, today)) is not None}
    open_ = [step for step in plan.steps if step.id in lasts and step.deadline is None and step.on is None]
    late = tuple(step.id for step in open_ if ends.get(step.id, today) > lasts[step.id])
    met = (step for step in open_ if step.id not in late)
    plan = with_steps(plan, {step.id: replace(step, deadline=lasts[step.id].isoformat()) for step in met})
    if day is None or day != _day_of_the_goal(plan) or not ends:
        return plan, late
    return _planned_back(plan), (*late, *(name for name in _too_late(plan, ends, day, says) if name not in late))


def _too_late(plan: Plan, ends: Mapping[str, date], day: date, says: Mapping[str, TemplateStep]) -> Iterator[str]:
    """Yield the steps that cannot be done by their own deadline, or by the day that awaits them."""
    awaited = _awaited(plan, says)
    for step in plan.steps:
        lasts = [*([step.deadline] if step.deadline else []), *([day.isoformat()] if step.id in awaited else [])]
        if step.id in ends and ends[step.id].isoformat() > min(lasts, default="9999"):
            yield step.id


def _day_of_the_goal(plan: Plan) -> date | None:
    """Return the day that the person said the plan is for."""
    days = (item.day for item in plan.items if isinstance(item, Constraint) and item.sets == "goal-day")
    return next(filter(None, map(plannable_day, days)), None)


def _awaited(plan: Plan, says: Mapping[str, TemplateStep]) -> list[str]:
    """Return the steps that have to be done by the day: what happens on it, else all that are not for afterwards."""
    events = [name for name, one in says.items() if one.on == 0]
    later = {name for name, one in says.items() if one.after is not None or (one.on or 0) > 0}
    return events or [step.id for step in plan.steps if step.id not in later]


def with_steps(plan: Plan, steps: Mapping[str, Step]) -> Plan:
    """Return a plan with other steps instead of those of the same ids."""
    return replace(plan, sections=tuple(_with_items(section, steps) for section in plan.sections)) if steps else plan


def _with_items(section: Section, items: Mapping[str, Item]) -> Section:
    return replace(section, items=tuple(items.get(item.id, item) for item in section.items))


def _on_its_day(step: Step, says: TemplateStep, day: date | None, today: date) -> Step:
    """Return a step on its day, and not before its first one."""
    firsts = [today + timedelta(says.not_before)] if says.not_before is not None else []
    firsts += [day + timedelta(says.after)] if day and says.after is not None else []
    if step.not_before is None and firsts:
        step = replace(step, not_before=max(firsts).isoformat())
    if step.on is None and step.deadline is None and day and says.on is not None:
        step = replace(step, on=(day + timedelta(says.on)).isoformat())
    return step


def _last_day(says: TemplateStep, day: date | None, today: date) -> date | None:
    lasts = [today + timedelta(says.by)] if says.by is not None else []
    lasts += [day - timedelta(says.before)] if day and says.before is not None else []
    return min(lasts, default=None)


def _earliest_ends(plan: Plan, today: date) -> dict[str, date]:
    """Return when steps end at the earliest; none if the plan cannot be calculated."""
    try:
        rows = schedule(plan.steps, start=today, deadline=None, times=WorkTimes.from_plan(plan)).rows
    except PlanUnsound:
        return {}  # a check says what is unsound
    return {row.step: row.end for row in rows}


def _planned_back(plan: Plan) -> Plan:
    """Return a plan in which every step is as late as it can be for the day."""
    own = next((item for item in plan.items if isinstance(item, WorkingTime)), None)
    if own is not None:
        backward = replace(own, backward=True)
        return replace(plan, sections=tuple(_with_items(section, {own.id: backward}) for section in plan.sections))
    own = WorkingTime(id="W1", text="Planned back from its day", backward=True, origin=Origin("calculated"))
    calendar = plan.section("calendar") or Section(id="calendar", title="Calendar")
    others = tuple(section for section in plan.sections if section is not calendar)
    return replace(plan, sections=(*others, replace(calendar, items=(own, *calendar.items))))


def _without_question(plan: Plan, text: str) -> Plan:
    """Return a plan without a question that a day has answered."""
    sections = (
        replace(
            section,
            items=tuple(item for item in section.items if not (isinstance(item, Question) and item.text == text)),
        )
        for section in plan.sections
    )
    return replace(plan, sections=tuple(one for one in sections if one.items or one.text))
