"""The first plan: what a person picked of a template, what they typed, and nothing besides.

goal, word for word ─────────────────────────────────┐
template ─▶ kept steps · risks · questions ──────────┤
outline ──▶ own steps, behind the template's ────────┼─▶ Plan, scheduled
commands ─▶ the day, the budget, days off ───────────┤
the day ──▶ days that the template has as distances ─┘
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta

from msgspec.structs import replace

from workbench.domain.commands import Parsed, Unread, parse, read_outline
from workbench.domain.errors import PlanUnsound, UsageError
from workbench.domain.loop.begin import Begin
from workbench.domain.plan.plan import (
    Bullet,
    Criterion,
    Effort,
    Item,
    Origin,
    Plan,
    Question,
    Risk,
    Section,
    Step,
    WorkingTime,
    deadline_of,
)
from workbench.domain.plan.schedule import WorkTimes, schedule
from workbench.domain.plan.schedule_told import with_computed_dates
from workbench.domain.text.cleaning import shorten
from workbench.templates.template import Template, TemplateStep, split_choice

MOST_RISKS = 3
_LONGEST_TITLE = 100
_ORDER = ("goal", "criteria", "constraints", "assumptions", "calendar", "people", "funds", "places", "steps", "risks",
          "decisions", "questions")  # fmt: skip
"""Sections as they stand in a plan; others follow."""

_PLANNED_BACK = WorkingTime(id="W1", text="Planned back from its day", backward=True, origin=Origin("calculated"))


def first_plan(begin: Begin, template: Template | None, goal: str, today: date) -> Plan:
    """Return the plan that a session begins with. Raises UsageError for an outline or a command that cannot be read."""
    plan = _picked(begin, template, goal)
    assumed = [step.id for step in plan.steps if step.effort is None and step.waiting is None]
    plan = _with_effort(plan, assumed)
    if begin.outline.strip():
        own = _read(read_outline(begin.outline, plan, today), "The outline")
        plan, assumed = own.plan, [*assumed, *own.assumed]
    if begin.commands:
        plan = _read(parse("\n".join(begin.commands), plan, today), "The commands").plan
    missed: tuple[str, ...] = ()
    if template is not None:
        plan, missed = _placed(plan, template, _keys(begin, template), today)
    plan = _with_assumptions(plan, assumed, missed)
    sections = sorted(plan.sections, key=lambda section: (*_ORDER, section.id).index(section.id))
    return with_computed_dates(None, replace(plan, sections=tuple(sections)), today)


def kept_steps(begin: Begin, template: Template) -> tuple[str, ...]:
    """Return the keys of the steps of a template that a person kept, in its order."""
    way = template.way(split_choice(begin.template)[1])
    return tuple(key for number, key in enumerate(way, start=1) if number in begin.keep) if begin.keep else way


def _keys(begin: Begin, template: Template) -> dict[str, TemplateStep]:
    """Return what the template says of each of its steps in the plan, by the step's id."""
    return {f"S{at}": template.steps[key] for at, key in enumerate(kept_steps(begin, template), 1)}


def _picked(begin: Begin, template: Template | None, goal: str) -> Plan:
    """Return the plan of what was picked: the goal in the person's words, and of the template what is kept."""
    quoted = "\n".join(f"> {line}" if line.strip() else ">" for line in goal.strip().splitlines())
    title = shorten(goal.strip().splitlines()[0] if goal.strip() else "", _LONGEST_TITLE)
    sections = [Section(id="goal", title="Goal", text=quoted)]
    if template is not None:
        of = Origin("practice", begin.template or template.name)
        sections += [
            Section(id="criteria", title="Success criteria", items=tuple(_criteria(template, of))),
            Section(id="steps", title="Steps", items=tuple(_steps(template, kept_steps(begin, template), of))),
            Section(id="risks", title="Risks", items=tuple(_risks(template, kept_steps(begin, template), of))),
            Section(id="questions", title="Open questions", items=tuple(_questions(template, of))),
        ]
    return Plan(title=title, sections=tuple(one for one in sections if one.items or one.text))


def _criteria(template: Template, of: Origin) -> Iterator[Criterion]:
    if template.measure:
        yield Criterion(id="C1", text=template.title, measure=template.measure, target=template.target, origin=of)


def _steps(template: Template, kept: Sequence[str], of: Origin) -> Iterator[Step]:
    """Yield the kept steps; what a left-out one needs, those need that needed it."""
    ids = {key: f"S{at}" for at, key in enumerate(kept, 1)}
    for key, name in ids.items():
        step = template.steps[key]
        yield Step(
            id=name,
            title=step.title,
            outcome=step.outcome,
            check=step.check,
            effort=Effort(*step.effort) if step.effort else None,
            waiting=step.waiting,
            needs=tuple(ids[need] for need in template.needs(key, kept)),
            parent=ids.get(step.part_of, ""),
            origin=of,
        )


def _risks(template: Template, kept: Sequence[str], of: Origin) -> Iterator[Risk]:
    fitting = [risk for risk in template.risks if not risk.steps or set(risk.steps) & set(kept)]
    for at, risk in enumerate(fitting[:MOST_RISKS], 1):
        yield Risk(
            id=f"R{at}",
            text=risk.text,
            likelihood=risk.likelihood,
            impact=risk.impact,
            sign=risk.sign,
            response=risk.response,
            origin=of,
        )


def _questions(template: Template, of: Origin) -> Iterator[Question]:
    for at, text in enumerate(filter(None, (template.day, *template.questions)), 1):
        yield Question(id=f"Q{at}", text=text, origin=of)


def _with_effort(plan: Plan, assumed: Sequence[str]) -> Plan:
    """Return a plan in which steps without an effort take a day; a whole takes as long as its parts."""
    wholes = {step.parent for step in plan.steps}
    day = Effort(1.0, 1.0, 1.0)
    return _with_steps(
        plan,
        {step.id: replace(step, effort=day) for step in plan.steps if step.id in assumed and step.id not in wholes},
    )


def _read(said: Parsed | Unread, what: str) -> Parsed:
    if isinstance(said, Unread):
        raise UsageError(f"{what} cannot be read:\n{said}", "Correct the line; nothing of it was used.")
    return said


def _placed(
    plan: Plan, template: Template, steps: Mapping[str, TemplateStep], today: date
) -> tuple[Plan, tuple[str, ...]]:
    """Return the plan with the days that its template has as distances, and the steps whose distance is too short."""
    day = deadline_of(plan)
    if day is not None and template.day:
        plan = _without_question(plan, template.day)
    known = {step.id: step for step in plan.steps}
    set_ = {name: _with_days(known[name], says, day, today) for name, says in steps.items() if name in known}
    plan = _with_steps(plan, set_)
    ends = _earliest_ends(plan, today)
    lasts = {name: last for name, says in steps.items() if (last := _last_day(says, day, today)) and name in known}
    open_ = {name: last for name, last in lasts.items() if known[name].deadline is None and known[name].on is None}
    late = tuple(name for name, last in open_.items() if ends.get(name, today) > last)
    met = {name: last for name, last in open_.items() if name not in late}
    known = {step.id: step for step in plan.steps}
    plan = _with_steps(plan, {name: replace(known[name], deadline=last.isoformat()) for name, last in met.items()})
    return (plan if late or not met else _backward(plan, steps, day, ends)), late


def _with_days(step: Step, says: TemplateStep, day: date | None, today: date) -> Step:
    """Return a step on its day, and not before its first one; what the person said of it stays."""
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
    """Return when steps end at the earliest; none where a need of them cannot be."""
    try:
        rows = schedule(plan.steps, start=today, deadline=None, times=WorkTimes.of(plan)).rows
    except PlanUnsound:
        return {}  # a check says what is unsound
    return {row.step: row.end for row in rows}


def _backward(plan: Plan, steps: Mapping[str, TemplateStep], day: date | None, ends: Mapping[str, date]) -> Plan:
    """Return a plan that is for one day planned back from it, where everything can be ready by then."""
    on = [name for name, says in steps.items() if says.on == 0]
    if day is None or not on or any(ends.get(name, day) > day for name in on):
        return plan
    own = Section(id="calendar", title="Calendar", items=(_PLANNED_BACK,))
    return plan if plan.section("calendar") else replace(plan, sections=(*plan.sections, own))


def _without_question(plan: Plan, text: str) -> Plan:
    """Return a plan without a question that a day has answered."""

    def left(items: tuple[Item, ...]) -> tuple[Item, ...]:
        return tuple(item for item in items if not (isinstance(item, Question) and item.text == text))

    sections = (replace(section, items=left(section.items)) for section in plan.sections)
    return replace(plan, sections=tuple(one for one in sections if one.items or one.text))


def _with_assumptions(plan: Plan, assumed: Sequence[str], missed: Sequence[str]) -> Plan:
    """Return a plan that says in a line what it assumes, and of which steps."""
    names = {step.id for step in plan.steps}
    wholes = {step.parent for step in plan.steps}
    ids = [name for name in assumed if name in names and name not in wholes]
    lines = []
    if ids:
        count = "1 effort is assumed: one day" if len(ids) == 1 else f"{len(ids)} efforts are assumed: one day each"
        lines.append(f"{count} ({', '.join(ids)}).")
    if missed:
        lines.append(f"Too late for the usual time before the day: {', '.join(missed)}.")
    items = tuple(Bullet(id=f"B{at}", text=text, origin=Origin("assumed")) for at, text in enumerate(lines, 1))
    section = Section(id="assumptions", title="Assumptions", items=items)
    return replace(plan, sections=(*plan.sections, section)) if items else plan


def _with_steps(plan: Plan, steps: Mapping[str, Step]) -> Plan:
    if not steps:
        return plan
    return replace(
        plan,
        sections=tuple(
            replace(section, items=tuple(steps.get(item.id, item) for item in section.items))
            for section in plan.sections
        ),
    )
