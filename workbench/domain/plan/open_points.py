"""What a plan leaves open, as questions to the person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from workbench.domain.plan.checks.case import listed
from workbench.domain.plan.plan import Plan, Step
from workbench.domain.plan.step_work import own_minutes

MOST_QUESTIONS = 5


def questions_of(plan: Plan) -> tuple[str, ...]:
    """Return what a plan does not say and a person can, what matters most first."""
    return tuple(islice(_questions(plan), MOST_QUESTIONS))


def _questions(plan: Plan) -> Iterator[str]:
    parents = {step.parent for step in plan.steps}
    steps = [step for step in plan.steps if step.status not in ("done", "dropped") and step.id not in parents]
    if not plan.steps:
        yield "No line reads like a step. What is to be done?"
        return
    if not steps:
        yield "No step is open. What is left to do?"
        return
    work = [step for step in steps if not step.milestone and step.waiting is None]
    if without := [step for step in work if not step.owner]:
        yield f"{_named(without)} {_verb(without, 'has', 'have')} no owner. Who does {_them(without)}?"
    untimed = (step for step in work if step.effort is None and own_minutes(step) is None)
    if without := [step for step in untimed if step.duration is None and not (step.start and step.end)]:
        yield f"{_named(without)} {_verb(without, 'has', 'have')} no estimate. How long does {_each(without)} take?"
    if not any(step.deadline or step.on or step.end for step in steps):
        yield "No open step has a deadline or a day of its own. When does it all have to be done?"
    elif without := [step for step in steps if step.milestone and not (step.deadline or step.on)]:
        verb = _verb(without, "is a milestone", "are milestones")
        yield f"{_named(without)} {verb} without a date. When is {_each(without)} due?"
    if len(steps) > 1 and not any(step.needs for step in plan.steps):
        yield "No step names another that it needs. Is the order of the file the order of the work?"
    if not any(step.outcome or step.check for step in steps):
        yield (
            f"{_named(steps)} {_verb(steps, 'has', 'have')} neither an outcome nor a check. What will exist when "
            f"{_each(steps)} is done, and how can somebody else tell?"
        )


def _named(steps: Sequence[Step]) -> str:
    return listed([step.id for step in steps])


def _verb(steps: Sequence[Step], one: str, more: str) -> str:
    return one if len(steps) == 1 else more


def _them(steps: Sequence[Step]) -> str:
    return "it" if len(steps) == 1 else "them"


def _each(steps: Sequence[Step]) -> str:
    return "it" if len(steps) == 1 else "each"
