"""Values of the goal that a plan without a model does not have: said as they are, with what each can be made."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import lru_cache

import msgspec

from workbench.domain.loop.steps import plans_without_model
from workbench.domain.plan.plan import Constraint, Plan
from workbench.domain.session.state import SessionState
from workbench.domain.values.meanings import Chip, chips_of


def unused_values(state: SessionState) -> tuple[Chip, ...]:
    """Return the values of the goal that nothing in the plan has; () if a model reads the goal."""
    if state.plan is None or not plans_without_model(state):
        return ()
    return tuple(chip for chip in _chips(state.goal, state.created[:10]) if not _has(state.plan, chip))


def unused_values_text(chips: Sequence[Chip]) -> str:
    """Return in a sentence without its end which values of the goal are not used; "" for none."""
    told = [chip.told for chip in chips]
    listed = " and ".join(filter(None, (", ".join(told[:-1]), *told[-1:])))
    return f"Your goal names {listed}: not used" if told else ""


@lru_cache(maxsize=4)
def _chips(goal: str, day: str) -> tuple[Chip, ...]:
    return chips_of(goal, date.fromisoformat(day))


def _has(plan: Plan, chip: Chip) -> bool:
    """Tell whether a field of the plan is a value: its last day, or its amount of money as a limit."""
    amounts = (item.amount for item in plan.items if isinstance(item, Constraint) and item.amount is not None)
    limits = {f"{amount.amount:g} {amount.currency}" for amount in amounts}
    values = [meaning.command.removeprefix("budget ") for meaning in chip.meanings]
    days = [value.rpartition(" ")[2] for value in values]
    fields = msgspec.json.encode(plan.sections).decode()
    return any(value in limits or f'"{day}"' in fields for value, day in zip(values, days, strict=True))
