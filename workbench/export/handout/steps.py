"""The steps, by workstream or by the step that they are parts of; the actions of each below it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from workbench.domain.loop.last_round import last_said
from workbench.domain.loop.tasks import Action
from workbench.domain.plan.calendar import day_of
from workbench.domain.plan.figures import StepFigures, short_day
from workbench.domain.plan.markdown.fields import FIELDS
from workbench.domain.plan.plan import Fund, Step
from workbench.domain.plan.references import weekday_and_day
from workbench.export.figures import KINDS, STATUS, Table, day_range, nested, without_empty_columns
from workbench.export.handout.choice import ACTIONS, CHECKS
from workbench.export.handout.content import Content
from workbench.export.handout.money import cost_of
from workbench.export.markdown_tables import markdown_table, one_line

_COLUMNS = ("id", "step", "who", "when", "needs", "cost", "check")
_TITLE_WORDS = 20
_NEAR = timedelta(days=7)
"""A deadline that leaves less than this, five working days, is worth saying."""
_ONLY_IF = re.compile(r"^only if\s+", re.IGNORECASE)
_Row = tuple[StepFigures, Step, bool]
"""A step with its figures, and whether it is a part of the one above it."""


def steps(content: Content) -> Iterator[str]:
    """Yield a table for each group of steps in the order in which the groups begin, all with the same columns."""
    groups = _groups(content)
    actions = {} if ACTIONS in content.left_out else _actions(content)
    rows = {name: [row for one in group for row in _rows(content, *one, actions)] for name, group in groups.items()}
    every = without_empty_columns(Table("", _COLUMNS, tuple(row for group in rows.values() for row in group)))
    left = list(every.rows)
    if left:
        yield "## Steps"
    for at, (name, group) in enumerate(rows.items()):
        if name or at:
            yield f"### {one_line(name) or 'Other steps'}"
        yield markdown_table(Table("", every.columns, tuple(left[: len(group)])))
        del left[: len(group)]


def _groups(content: Content) -> dict[str, list[_Row]]:
    """Return the steps by workstream, else by the step that they are parts of; "" for those that have none."""
    plan_steps = {step.id: step for step in reversed(content.plan.steps)}
    wholes = {step.parent for step in content.plan.steps}
    has_streams = any(step.workstream for step in content.plan.steps)
    groups: dict[str, list[list[_Row]]] = {}
    name = ""
    for told, is_part in nested(content.figures.steps):
        step = plan_steps[told.step]
        if not is_part:
            name = step.workstream if has_streams else step.title if step.id in wholes else ""
        if step.status != "dropped":
            runs = groups.setdefault(name, [])
            if not is_part or not runs:
                runs.append([])
            runs[-1].append((told, step, is_part))
    for runs in groups.values():
        runs.sort(key=_begin)
    in_time = sorted(groups.items(), key=lambda group: _begin(group[1][0]))
    return {name: [row for run in runs for row in run] for name, runs in in_time}


def _begin(run: list[_Row]) -> date:
    """Return the day on which a step begins, with its parts; the last of all days where nobody knows it."""
    return min((told.start for told, _, _ in run if told.start), default=date.max)


def _actions(content: Content) -> dict[str, list[Action]]:
    """Return what the executor said of steps that are as they were then."""
    plan = content.state.plan
    said = last_said(content.state, plan, "actions") if plan is not None else None
    found: dict[str, list[Action]] = {}
    for action in said.standing(plan) if said is not None and plan is not None else ():
        found.setdefault(action.step, []).append(action)
    return found


def _rows(
    content: Content, told: StepFigures, step: Step, is_part: bool, actions: dict[str, list[Action]]
) -> Iterator[tuple[str, ...]]:
    """Yield a step, and below it what is done for it."""
    fund = f" ({step.fund})" if step.fund and step.cost and len(content.every(Fund)) > 1 else ""
    yield (
        f"└ {step.id}" if is_part else step.id,
        _title(told, step),
        ", ".join(step.owners),
        _when(content, told, step),
        ", ".join(filter(None, (FIELDS[Step]["Needs"].of(step), *step.decisions))),
        f"{cost_of(step)}{fund}",
        "" if CHECKS in content.left_out else step.check or step.outcome,
    )
    for action in actions.get(step.id, ()):
        owner = "" if action.owner == step.owner else action.owner
        due = day_of(action.due)
        by = "" if due is None or due == told.end else f"by {short_day(due, content.year)}"
        yield "", f"→ {action.text}", owner, by, "", "", action.check


def _title(told: StepFigures, step: Step) -> str:
    """Return at most so many words of a title, and whatever makes the step another than most."""
    title = one_line(step.title).split(" ")
    short = " ".join(title if len(title) <= _TITLE_WORDS else (*title[:_TITLE_WORDS], "…"))
    notes = (
        STATUS.get(step.status, step.status),
        "no way back after it" if step.no_return else "",
        f"only if {_ONLY_IF.sub('', step.condition.strip())}" if step.condition else "",
    )
    said = ", ".join(filter(None, notes))
    return f"{short}{KINDS[told.kind]}{f' ({said})' if said else ''}"


def _when(content: Content, told: StepFigures, step: Step) -> str:
    """Return ``2–5 Mar``, ``Sat 27 Mar 02:00-06:00``, or with a deadline that is near ``25–26 May, by Thu 28 May``."""
    first, last = told.start or told.end, told.end or told.start
    is_one_day = first is not None and first == last
    days = weekday_and_day(first, content.year) if first and is_one_day else day_range(first, last, content.year)
    by = day_of(step.deadline)
    is_near = by is not None and (last is None or by - last < _NEAR)
    until = f"by {weekday_and_day(by, content.year)}" if by and is_near and by != last else ""
    return ", ".join(filter(None, (" ".join(filter(None, (days, step.hours))), until)))
