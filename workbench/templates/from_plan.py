"""A template of a plan: what would be done again, without people, dates and statements.

deadline 13 Mar, event 18 Apr ─▶ before = 36      not before 8 Jan, plan begins 4 Jan ─▶ not_before = 4
"""

from __future__ import annotations

from datetime import date

import msgspec

from workbench.domain.errors import UsageError
from workbench.domain.plan.figures import first_day
from workbench.domain.plan.plan import Criterion, Plan, Question, Risk, Step, deadline_of
from workbench.domain.plan.scheduling.calendar import day_of
from workbench.domain.text.cleaning import clean_json
from workbench.templates.template import Template, TemplateRisk, TemplateStep, on_lines


def template_from_plan(plan: Plan, name: str, today: date) -> Template:
    """Return the template that a plan comes to. Raises UsageError for a plan without steps.

    Days are distances from the plan's last day if something happens on it, else from its first, or from today.
    """
    steps = {step.id: step for step in plan.steps if step.status != "dropped"}
    if not steps:
        raise UsageError("The plan has no steps.", "Add some, and save the template then.")
    days = _Days(plan, steps, today)
    measured = next((item for item in plan.items if isinstance(item, Criterion)), None)
    made = Template(
        name=name,
        title=plan.title or name,
        measure=measured.measure if measured else "",
        target=measured.target if measured else "",
        day=days.question,
        questions=tuple(item.text for item in plan.items if isinstance(item, Question)),
        steps={key: days.step(step) for key, step in steps.items()},
        risks=tuple(_risk(item, steps) for item in plan.items if isinstance(item, Risk)),
    )
    try:
        return msgspec.convert(on_lines(clean_json(msgspec.to_builtins(made))), Template)
    except msgspec.ValidationError as error:
        raise UsageError(f"No template can hold all of this plan: {error}.", "Shorten it there.") from error


def _risk(risk: Risk, steps: dict[str, Step]) -> TemplateRisk:
    return TemplateRisk(
        text=risk.text,
        likelihood=risk.likelihood,
        impact=risk.impact,
        sign=risk.sign,
        response=risk.response,
        steps=tuple(key for key in risk.answers if key in steps),
    )


class _Days:
    """The steps of a plan, with their days as distances."""

    def __init__(self, plan: Plan, steps: dict[str, Step], today: date) -> None:
        last = deadline_of(plan)
        self._steps = steps
        self._first = first_day(plan) or today
        self._event = last if last and any(day_of(step.on) == last for step in steps.values()) else None

    @property
    def question(self) -> str:
        """What is asked while no day is set; "" if nothing happens on one."""
        return "On which day is it?" if self._event else ""

    def step(self, step: Step) -> TemplateStep:
        """Return a step as a template has it."""
        effort = step.effort
        return TemplateStep(
            title=step.title,
            outcome=step.outcome,
            check=step.check,
            effort=(effort.low, effort.likely, effort.high) if effort else None,
            waiting=step.waiting,
            needs=tuple(need for need in dict.fromkeys(step.needs) if need in self._steps),
            part_of=step.parent if step.parent in self._steps else "",
            **self._distances(step),
        )

    def _distances(self, step: Step) -> dict[str, int]:
        on, first, last = day_of(step.on), day_of(step.not_before), day_of(step.deadline)
        if self._event is not None:
            found = {"on": (self._event, on), "after": (self._event, first), "before": (last, self._event)}
        else:
            first = max((day for day in (on, first) if day), default=None)
            found = {"not_before": (self._first, first), "by": (self._first, last)}
        return {name: (end - begin).days for name, (begin, end) in found.items() if begin and end}
