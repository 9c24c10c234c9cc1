"""What executor and generator said last, and what of the plan changed since: they are asked about that alone.

iterations, versions ─▶ LastSaid ─▶ the task names what changed ─▶ reply, with what still stands of before
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from msgspec.structs import replace

from workbench.domain.loop.asking.tasks import Action
from workbench.domain.plan.plan import Item, Plan
from workbench.domain.session.events import IterationResult
from workbench.domain.session.state import SessionState


class LastSaid(NamedTuple):
    """The last iteration in which a role said something."""

    result: IterationResult
    changed: tuple[str, ...]
    """Items and sections that are new, different or gone since."""

    def standing(self, plan: Plan, new: Iterable[Action] = ()) -> tuple[Action, ...]:
        """Return new actions with those of before whose steps are as they were, in the order of the steps."""
        said = tuple(new)
        stands = {step.id for step in plan.steps}.difference(self.changed, (action.step for action in said))
        kept = [action for action in self.result.actions if action.step in stands]
        places = {step.id: place for place, step in enumerate(plan.steps)}
        return tuple(sorted((*kept, *said), key=lambda one: places.get(one.step, len(places)))) if kept else said


def last_said(state: SessionState, plan: Plan, what: Literal["actions", "deliverable"]) -> LastSaid | None:
    """Return the last actions, or the last deliverable, that a plan of this session has; None if it has none."""
    result = next((iteration for iteration in reversed(state.iterations) if getattr(iteration, what)), None)
    versions = (
        version.plan
        for version in reversed(state.versions)
        if result and version.version == (result.made_for or result.plan_version)
    )
    old = next(versions, None)
    return None if result is None or old is None else LastSaid(result, tuple(_changed_parts(old, plan)))


def older_version(state: SessionState, what: Literal["actions", "deliverable"]) -> int | None:
    """Return the version that the last actions or deliverable were made for; None if the plan is as it was then."""
    said = last_said(state, state.plan, what) if state.plan is not None else None
    return (said.result.made_for or said.result.plan_version) or None if said is not None and said.changed else None


def _changed_parts(old: Plan, new: Plan) -> Iterable[str]:
    before, after = _parts(old), _parts(new)
    yield from (name for name, part in after.items() if before.get(name) != part)
    yield from (name for name in before if name not in after)


def _parts(plan: Plan) -> dict[str, Item | tuple[str, str]]:
    """Return what a plan says by the id of item and section, wherever it comes from."""
    sections = {section.id: (section.title, section.text) for section in plan.sections}
    return {**sections, **{item.id: replace(item, origin=None) for item in plan.items}}
