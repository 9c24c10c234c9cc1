"""Ten sound plans from ten walks of life, as Markdown beside this file, dated by the critical path.

They are what the checks must have nothing to say about.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

from workbench.domain.loop.asking.tasks import Feedback, Handled
from workbench.domain.plan.markdown import from_markdown
from workbench.domain.plan.plan import Constraint, Plan
from workbench.domain.plan.scheduling.schedule import with_dates

TODAY = date(2026, 11, 23)
_FOLDER = Path(__file__).parent / "sound_plans"
_STARTS = {"kitchen_renovation": date(2027, 6, 7), "wedding": date(2027, 1, 4), "conference": date(2027, 1, 11)}


@dataclass(frozen=True)
class PlanCase:
    """What the checks are given."""

    plan: Plan
    constraints: tuple[str, ...]
    feedback: tuple[Feedback, ...] = ()
    handled: tuple[Handled, ...] = ()


def names() -> list[str]:
    return sorted(path.stem for path in _FOLDER.glob("*.md"))


@cache
def sound(name: str) -> PlanCase:
    plan = from_markdown((_FOLDER / f"{name}.md").read_text(encoding="utf-8"), Plan(title=""))
    plan = with_dates(plan, start=_STARTS.get(name, TODAY), deadline=None)
    feedback = Feedback(id="F1", text="Name an owner for every step")
    return PlanCase(
        plan=plan,
        constraints=tuple(item.text for item in plan.items if isinstance(item, Constraint)),
        feedback=(feedback,),
        handled=(Handled(feedback="F1", kind="change", sections=("steps",), note="Every step has an owner."),),
    )
