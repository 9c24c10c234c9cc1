"""The first plan: what a person picked of a template, what they typed, and nothing besides.

goal, word for word ─────────────────────────────────┐
template ─▶ steps · risks · questions that are kept ─┤
outline ──▶ own steps, behind the template's ────────┼─▶ Plan, scheduled
commands ─▶ the day, the budget, days off ───────────┤
the day ──▶ days that the template has as distances ─┘
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

from msgspec.structs import replace

from workbench.domain.errors import UsageError
from workbench.domain.loop.begin import Begin
from workbench.domain.plan.plan import Bullet, Criterion, Effort, Item, Origin, Plan, Question, Risk, Section, Step
from workbench.domain.plan.telling.schedule_told import with_computed_dates
from workbench.domain.text.cleaning import shorten
from workbench.templates.placement import placed, with_steps
from workbench.templates.template import Template, split_choice

if TYPE_CHECKING:  # most plans begin with none of them
    from workbench.domain.commands import Parsed, Unread

_LONGEST_TITLE = 100
_ORDER = ("goal", "criteria", "constraints", "assumptions", "calendar", "people", "funds", "places", "steps", "risks",
          "decisions", "questions")  # fmt: skip
"""Sections as they are in a plan; others follow."""

_A_DAY = Effort(1.0, 1.0, 1.0)


def first_plan(begin: Begin, template: Template | None, goal: str, today: date) -> Plan:
    """Return the plan that a session begins with. Raises UsageError for an outline or a command that cannot be read."""
    plan = _picked(begin, template, goal)
    assumed = [step.id for step in plan.steps if step.effort is None and step.waiting is None]
    plan = _with_effort(plan, assumed)
    if begin.outline.strip():
        from workbench.domain.commands import read_outline

        own = _require_parsed(read_outline(begin.outline, plan, today), "The outline")
        plan, assumed = own.plan, [*assumed, *own.assumed]
    if begin.commands:
        from workbench.domain.commands import parse

        plan = _require_parsed(parse("\n".join(begin.commands), plan, today), "The commands").plan
    keys = kept_steps(begin, template) if template is not None else ()
    steps = {f"S{at}": template.steps[key] for at, key in enumerate(keys, 1)} if template is not None else {}
    plan, missed = placed(plan, steps, template.day if template is not None else "", today)
    plan = _with_assumptions(plan, assumed, missed)
    sections = sorted(plan.sections, key=lambda section: (*_ORDER, section.id).index(section.id))
    return with_computed_dates(None, replace(plan, sections=tuple(sections)), today)


def kept_steps(begin: Begin, template: Template) -> tuple[str, ...]:
    """Return the keys of the steps of a template that a person kept, in its order."""
    way = template.way(split_choice(begin.template)[1])
    return tuple(key for number, key in enumerate(way, start=1) if number in begin.keep) if begin.keep else way


def _picked(begin: Begin, template: Template | None, goal: str) -> Plan:
    """Return the plan of what was picked: the goal in the person's words, and of the template what is kept."""
    quoted = "\n".join(f"> {line}" if line.strip() else ">" for line in goal.strip().splitlines())
    title = shorten(goal.strip().splitlines()[0] if goal.strip() else "", _LONGEST_TITLE)
    sections = [Section(id="goal", title="Goal", text=quoted)]
    if template is not None:
        of = Origin("practice", begin.template or template.name)
        steps = tuple(_steps(template, kept_steps(begin, template), of))
        first = len(template.way(split_choice(begin.template)[1])) + 1
        picked = [one for number, one in enumerate(besides(template), first) if number in begin.keep]
        sections += [
            Section(id="criteria", title="Success criteria", items=_numbered(picked, Criterion, of)),
            Section(id="steps", title="Steps", items=steps),
            Section(id="risks", title="Risks", items=_numbered(picked, Risk, of)),
            Section(id="questions", title="Open questions", items=_numbered(picked, Question, of)),
        ]
    return Plan(title=title, sections=tuple(section for section in sections if section.items or section.text))


def besides(template: Template) -> tuple[Risk | Question | Criterion, ...]:
    """Return what a template has besides steps, in the order of its numbers after them; without ids."""
    risks = (
        Risk(
            id="",
            text=risk.text,
            likelihood=risk.likelihood,
            impact=risk.impact,
            sign=risk.sign,
            response=risk.response,
        )
        for risk in template.risks
    )
    questions = (Question(id="", text=text) for text in filter(None, (template.day, *template.questions)))
    measure, text = template.measure, template.measure[:1].upper() + template.measure[1:]
    criteria = (Criterion(id="", text=text, measure=measure, target=template.target),) if measure else ()
    return (*risks, *questions, *criteria)


def extra_item_lines(template: Template) -> tuple[str, ...]:
    """Return what a template has besides steps, a line each."""
    return tuple(_line_of(beside) for beside in besides(template))


def _line_of(one: Risk | Question | Criterion) -> str:
    match one:
        case Risk():
            return f"Risk: {one.text} {one.response}".rstrip()
        case Question():
            return f"Question: {one.text}"
        case Criterion():
            return f"It has worked by: {one.measure}{f' ({one.target})' if one.target else ''}"


def _numbered(picked: Sequence[Item], kind: type[Item], origin: Origin) -> tuple[Item, ...]:
    """Return the items of a kind with their ids and their origin."""
    items = [one for one in picked if isinstance(one, kind)]
    return tuple(replace(one, id=f"{kind.__name__[0]}{at}", origin=origin) for at, one in enumerate(items, 1))


def _steps(template: Template, kept: Sequence[str], origin: Origin) -> Iterator[Step]:
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
            origin=origin,
        )


def _with_effort(plan: Plan, assumed: Sequence[str]) -> Plan:
    """Return a plan in which steps without an effort take a day; a whole takes as long as its parts."""
    wholes = {step.parent for step in plan.steps}
    bare = (step for step in plan.steps if step.id in assumed and step.id not in wholes)
    return with_steps(plan, {step.id: replace(step, effort=_A_DAY) for step in bare})


def _require_parsed(said: Parsed | Unread, what: str) -> Parsed:
    from workbench.domain.commands import Unread

    if isinstance(said, Unread):
        raise UsageError(f"{what} cannot be read:\n{said}", "Correct the line; nothing of it was used.")
    return said


def _all_of(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _with_assumptions(plan: Plan, assumed: Sequence[str], missed: Sequence[str]) -> Plan:
    """Return a plan that says in a line what it assumes, and of which steps."""
    bare = [step.id for step in plan.steps if step.id in assumed and step.effort == _A_DAY]
    given = "was given one day" if len(bare) == 1 else "were given one day each"
    lines = [f"At the first draft, {_all_of(bare)} {given}: nothing was said."] if bare else []
    lines += [f"At the first draft, there was too little time for {_all_of(missed)}."] if missed else []
    items = tuple(Bullet(id=f"B{at}", text=text, origin=Origin("assumed")) for at, text in enumerate(lines, 1))
    section = Section(id="assumptions", title="Assumptions", items=items)
    return replace(plan, sections=(*plan.sections, section)) if items else plan
