"""The steps, by workstream or by the step that they are parts of; the actions of each below it."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.domain.loop.last_round import last_said
from workbench.domain.loop.tasks import Action
from workbench.domain.plan.calendar import day_of
from workbench.domain.plan.figures import StepFigures, short_day
from workbench.domain.plan.markdown.fields import FIELDS
from workbench.domain.plan.plan import Step
from workbench.export.figures import KINDS, STATUS, Table, day_range, nested, without_empty_columns
from workbench.export.handout.content import Content, few_words
from workbench.export.markdown_tables import markdown_table, one_line

_COLUMNS = ("id", "step", "who", "when", "needs", "check")


def steps(content: Content) -> Iterator[str]:
    """Yield a table for each group of steps, all with the same columns."""
    groups = _groups(content)
    actions = _actions(content) if content.room.has_actions else {}
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


def _groups(content: Content) -> dict[str, list[tuple[StepFigures, Step, bool]]]:
    """Return the steps by workstream, else by the step that they are parts of; "" for those that have none."""
    plan_steps = {step.id: step for step in reversed(content.plan.steps)}
    wholes = {step.parent for step in content.plan.steps}
    has_streams = any(step.workstream for step in content.plan.steps)
    groups: dict[str, list[tuple[StepFigures, Step, bool]]] = {}
    name = ""
    for told, is_part in nested(content.figures.steps):
        step = plan_steps[told.step]
        if not is_part:
            name = step.workstream if has_streams else step.title if step.id in wholes else ""
        if step.status != "dropped":
            groups.setdefault(name, []).append((told, step, is_part))
    return groups


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
    needs = ", ".join(filter(None, (FIELDS[Step]["Needs"].of(step), *step.decisions)))
    who = ", ".join(step.owners)
    yield (
        f"└ {step.id}" if is_part else step.id,
        content.short(_title(told, step)),
        content.short(who),
        _when(content, told, step),
        content.short(needs),
        few_words(step.check or step.outcome, content.room.check) if content.room.check else "",
    )
    for action in actions.get(step.id, ()):
        owner = "" if action.owner == step.owner else action.owner
        due = day_of(action.due)
        by = "" if due is None or due == told.end else f"by {short_day(due, content.year)}"
        yield "", f"→ {content.short(action.text)}", content.short(owner), by, "", content.short(action.check)


def _title(told: StepFigures, step: Step) -> str:
    notes = [
        STATUS.get(step.status, step.status),
        f"only if {step.condition}" if step.condition else "",
        "no way back after it" if step.no_return else "",
    ]
    said = ", ".join(filter(None, notes))
    return f"{step.title}{KINDS[told.kind]}{f' ({said})' if said else ''}"


def _when(content: Content, told: StepFigures, step: Step) -> str:
    """Return ``2–5 Mar``, with hours and the last day where it has some: ``27 Mar 02:00-06:00, by 28 Mar``."""
    days = day_range(told.start, told.end, content.year)
    by = day_of(step.deadline)
    when = " ".join(filter(None, (days, step.hours)))
    return ", ".join(filter(None, (when, f"by {short_day(by, content.year)}" if by else "")))
