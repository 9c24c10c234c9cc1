"""What executor and generator said last, and what of the plan changed since: they are asked about that alone.

iterations, versions ─▶ what was said last, and the plan it was said of ─▶ changed ─▶ the task
                                   reply, with what still stands of before ◀────────────┘
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from workbench.domain.loop.tasks import Action
from workbench.domain.plan.plan import Item, Plan
from workbench.domain.session.events import IterationResult
from workbench.domain.session.state import SessionState
from workbench.domain.text.document import with_sections

_Spoken = tuple[IterationResult, Plan]


def changed_steps(state: SessionState, plan: Plan) -> tuple[str, ...]:
    """Return the steps that are new or different since actions were named last; () where none were."""
    before = _last(state, lambda result: bool(result.actions))
    return () if before is None else _changed(before[1].steps, plan.steps)


def standing_actions(state: SessionState, plan: Plan) -> tuple[Action, ...]:
    """Return the actions of before whose steps are as they were."""
    before = _last(state, lambda result: bool(result.actions))
    if before is None:
        return ()
    stands = {step.id for step in plan.steps} - set(_changed(before[1].steps, plan.steps))
    return tuple(action for action in before[0].actions if action.step in stands)


def with_standing(state: SessionState, plan: Plan, actions: Iterable[Action]) -> tuple[Action, ...]:
    """Return new actions with those of before that still stand, in the order of the plan's steps."""
    new = tuple(actions)
    named = {action.step for action in new}
    kept = [action for action in standing_actions(state, plan) if action.step not in named]
    if not kept:
        return new
    places = {step.id: place for place, step in enumerate(plan.steps)}
    return tuple(sorted((*kept, *new), key=lambda action: places.get(action.step, len(places))))


def document_before(state: SessionState) -> str:
    """Return the deliverable that was written last; "" where there is none."""
    before = _last(state, lambda result: bool(result.deliverable.strip()))
    return "" if before is None else before[0].deliverable


def changed_since_written(state: SessionState, plan: Plan) -> tuple[str, ...]:
    """Return the items and sections that are new, different or gone since the deliverable was written."""
    before = _last(state, lambda result: bool(result.deliverable.strip()))
    if before is None:
        return ()
    old = before[1]
    texts = {section.id: (section.title, section.text) for section in old.sections}
    sections = [one.id for one in plan.sections if texts.get(one.id) != (one.title, one.text)]
    there = {item.id for item in plan.items} | {section.id for section in plan.sections}
    gone = [one.id for one in (*old.sections, *old.items) if one.id not in there]
    return (*sections, *_changed(old.items, plan.items), *gone)


def is_written(state: SessionState, plan: Plan, actions: tuple[Action, ...]) -> bool:
    """Tell whether the deliverable says all that there is to say: nothing that it is made of has changed."""
    before = _last(state, lambda result: bool(result.deliverable.strip()))
    if before is None or changed_since_written(state, plan):
        return False
    return (before[0].actions, before[0].verification) == (actions, state.findings)


def whole_document(state: SessionState, written: str) -> str:
    """Return the deliverable of which these sections, or all of it, are written again."""
    before = document_before(state)
    return with_sections(before, written) if before else written


def _last(state: SessionState, has_spoken: Callable[[IterationResult], bool]) -> _Spoken | None:
    result = next((one for one in reversed(state.iterations) if has_spoken(one)), None)
    plans = (one.plan for one in reversed(state.versions) if result and one.version == result.plan_version)
    plan = next(plans, None)
    return None if result is None or plan is None else (result, plan)


def _changed(old: Iterable[Item], new: Iterable[Item]) -> tuple[str, ...]:
    """Return the items that are new or different, wherever they come from."""
    before = {item.id: replace(item, origin=None) for item in old}
    return tuple(item.id for item in new if before.get(item.id) != replace(item, origin=None))
