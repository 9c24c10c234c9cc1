"""The days that move between two plans: of steps, and of the end of the whole."""

from __future__ import annotations

from datetime import date

import msgspec

from workbench.domain.plan.figures import Figures, figures
from workbench.domain.plan.plan import Plan


class MovedDate(msgspec.Struct, frozen=True, kw_only=True):
    """A day that is another one then."""

    step: str
    """Id of the step that ends on it; "" for the end of the plan."""
    was: date | None
    """None where there was none; so is ``now``."""
    now: date | None


def dates_between(before: Plan, after: Plan) -> tuple[MovedDate, ...]:
    """Return the days on which steps, and the plan, end in one plan and not in another."""
    old, new = figures(before), figures(after)
    ends, now = _ends(old), _ends(new)
    moved = [
        MovedDate(step=name, was=ends.get(name), now=now.get(name))
        for name in dict.fromkeys((*ends, *now))
        if ends.get(name) != now.get(name)
    ]
    if old.finish != new.finish:
        moved.append(MovedDate(step="", was=old.finish, now=new.finish))
    return tuple(moved)


def _ends(of: Figures) -> dict[str, date | None]:
    return {step.step: step.end for step in of.steps}
