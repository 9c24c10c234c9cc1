"""The steps, by workstream or by the step that they are parts of; the actions of each below it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from msgspec.structs import replace

from workbench.domain.handout.choice import ACTIONS, CHECKS, MERGED, NEEDS, NOTES, WORK, begun_by_row
from workbench.domain.handout.content import Content, part, table
from workbench.domain.handout.money import cost_of
from workbench.domain.handout.names import number_of, numbers_in
from workbench.domain.loop.asking.last_round import last_said
from workbench.domain.loop.asking.tasks import Action
from workbench.domain.plan.figures import StepFigures
from workbench.domain.plan.markdown.fields import FIELDS
from workbench.domain.plan.markdown.values import rule
from workbench.domain.plan.plan import Step
from workbench.domain.plan.references import filler
from workbench.domain.plan.scheduling.calendar import day_of
from workbench.domain.plan.telling.figures_told import KINDS, STATUS, day_range, nested
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.text.tables import one_line

_COLUMNS = ("no.", "step", "who", "work", "when", "needs", "cost", "check")
_NUMBERED = lazy_pattern(r"\d{1,4}")
"""How workstreams begin that their planner has put in order."""
_ONLY_IF = lazy_pattern(r"^(?:only )?if\s+", re.IGNORECASE)
_Row = tuple[StepFigures, Step, bool]
"""A step with its figures, and whether it is a part of the one above it."""


def steps(content: Content) -> Iterator[str]:
    """Yield each group of steps below a row with its name, in the order in which they begin; nothing without steps."""
    actions = {} if ACTIONS in content.left_out else _actions(content)
    conditions: dict[str, str] = {}
    rows: list[tuple[str, ...]] = []
    for name, group in _groups(content).items():
        if name or rows:
            rows.append(("", f"**{name or 'Other steps'}**", *[""] * (len(_COLUMNS) - 2)))
        short = [one for one in group if one[1].id in content.left_out]
        short = short if len(short) > 1 else []
        rows += [row for one in group if one not in short for row in _rows(content, one, actions, conditions)]
        rows += [_together(content, short)] if short else []
    yield from part("## Steps", table(_COLUMNS, rows))


def _groups(content: Content) -> dict[str, list[_Row]]:
    """Return the steps in time, by workstream, else by the step that they are parts of; "" for those without one."""
    plan_steps = {step.id: step for step in reversed(content.plan.steps)}
    wholes = {step.parent for step in content.plan.steps}
    has_streams = any(step.workstream for step in content.plan.steps)
    in_hours = {step.id for step in begun_by_row(content.plan).values()} if MERGED in content.left_out else ()
    groups: dict[str, list[_Row]] = {}
    name = ""
    for told, is_part in nested(sorted(content.figures.steps, key=lambda told: told.start or date.max)):
        step = plan_steps[told.step]
        if not is_part:
            name = step.workstream if has_streams else step.title if step.id in wholes else ""
        if step.status != "dropped" and step.id not in in_hours:
            groups.setdefault(name, []).append((told, step, is_part))
    numbers = {name: int(match[0]) for name in groups if (match := _NUMBERED.match(name))}
    return dict(sorted(groups.items(), key=lambda group: numbers[group[0]])) if len(numbers) == len(groups) else groups


def _actions(content: Content) -> dict[str, list[Action]]:
    """Return what the executor said of steps that are as they were then."""
    plan = content.state.plan
    said = last_said(content.state, plan, "actions") if plan is not None else None
    found: dict[str, list[Action]] = {}
    fill = filler(content.plan)
    for action in said.standing(plan) if said is not None and plan is not None else ():
        found.setdefault(action.step, []).append(replace(action, text=fill(action.text), check=fill(action.check)))
    return found


def _rows(
    content: Content, row: _Row, actions: dict[str, list[Action]], conditions: dict[str, str]
) -> Iterator[tuple[str, ...]]:
    """Yield a step, and below it its note and what is done for it.

    A condition that a step before it has is told by its id, and an action that says the title again is left out.
    """
    told, step, is_part = row
    yield (
        f"└ {number_of(step.id)}" if is_part else number_of(step.id),
        _title(told, step, conditions.setdefault(step.condition, step.id)),
        ", ".join(step.owners),
        "" if step.effort is None or WORK in content.left_out else FIELDS[Step]["Effort"].text_of(step),
        _dates_text(content, told, step),
        "" if NEEDS in content.left_out else _needs(step),
        cost_of(step, content.plan),
        "" if CHECKS in content.left_out else step.check or (step.outcome and f"Outcome: {step.outcome}"),
    )
    if step.notes and NOTES not in content.left_out:
        yield "", f"Note: {step.notes}", *[""] * (len(_COLUMNS) - 2)
    for action in actions.get(step.id, ()):
        if one_line(action.text) == one_line(step.title):
            continue
        owner = "" if action.owner == step.owner else action.owner
        by = f"by {content.day(action.due)}" if action.due and day_of(action.due) != told.end else ""
        yield "", f"→ {action.text}", owner, "", by, "", "", action.check


def _together(content: Content, short: list[_Row]) -> tuple[str, ...]:
    """Return one row for steps that there is no room for: their numbers, how many, who and when."""
    owners = dict.fromkeys(owner for _, step, _ in short for owner in step.owners)
    days = sorted(day for told, _, _ in short for day in (told.start, told.end) if day)
    when = day_range(days[0], days[-1], content.beside(days[-1])) if days else ""
    numbers = ", ".join(number_of(step.id) for _, step, _ in short)
    return numbers, f"{len(short)} smaller steps", ", ".join(owners), "", when, "", "", ""


def _needs(step: Step) -> str:
    """Return the steps and decisions that a step needs, by their numbers."""
    decisions = (f"decision {number_of(name)}" for name in step.decisions)
    return ", ".join(filter(None, (numbers_in(FIELDS[Step]["Needs"].text_of(step)), *decisions)))


def way_back(step: Step) -> str:
    """Return the mark of a point of no return; "" for any other step."""
    return " (**no way back after it**)" if step.no_return else ""


def _title(told: StepFigures, step: Step, first: str) -> str:
    """Return the title with whatever makes the step another than most; ``first`` has the same condition."""
    condition = _ONLY_IF.sub("", step.condition.strip()) if first == step.id else f"needed, as {number_of(first)}"
    only_if = f"only if {condition}" if step.condition else ""
    said = ", ".join(filter(None, (STATUS.get(step.status, step.status), only_if)))
    return f"{one_line(step.title)}{KINDS[told.kind]}{f' ({said})' if said else ''}{way_back(step)}"


def _dates_text(content: Content, told: StepFigures, step: Step) -> str:
    """Return ``2–5 Mar``, ``Sat 27 Mar 02:00-06:00``, or with a deadline ``25–26 May, by Thu 28 May``; then repeats."""
    first, last, by = told.start or told.end, told.end or told.start, day_of(step.deadline)
    is_one_day = first is not None and first == last
    days = content.weekday(first) if first and is_one_day else day_range(first, last, content.beside(last))
    until = f"by {content.weekday(by)}" if by and (by != last or step.on is None) else ""
    return ", ".join(filter(None, (f"{days} {step.hours}".strip(), until, rule(step.repeat, content.day))))
