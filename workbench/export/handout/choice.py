"""What a page that would be too long leaves out, the least valuable first.

Decisions, steps with who, when and needs, and the days that count are never left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection

from workbench.domain.plan.plan import (
    Bullet,
    Constraint,
    Criterion,
    DaysOff,
    Decision,
    Item,
    Place,
    Plan,
    Question,
    Risk,
)
from workbench.export.pictures import LEVELS

CHECKS, ACTIONS, PEOPLE = "checks of steps", "actions", "people"
"""Things that are left out as a whole, as the page names them."""
_QUESTIONS, _RISKS, _ASSUMPTIONS = 5, 6, 10
"""How many of each are worth more than anything else that can be left out."""
_DAY = re.compile(r"\b\d{1,2}\.? (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)|\b\d{4}-\d\d-\d\d\b")
_KINDS: dict[type[Item], str] = {
    Criterion: "criteria",
    Constraint: "limits",
    Place: "places",
    DaysOff: "days off",
    Question: "questions",
    Risk: "risks",
    Bullet: "assumptions",
    Decision: "decisions taken",
}


def least_valuable_first(plan: Plan) -> list[str]:
    """Return ids of items, and names of other things, in the order in which a page leaves them out."""
    questions, risks = by_need(plan), gravest_first(plan)
    scope, assumptions = (_bullets(plan, section) for section in ("scope", "assumptions"))
    groups: tuple[Collection[Item], ...] = (
        *([item for item in plan.items if isinstance(item, kind)] for kind in (Criterion, Constraint, Place, DaysOff)),
        questions[_QUESTIONS:],
        risks[_RISKS:],
        scope,
        [item for item in plan.items if isinstance(item, Decision) and not is_open(item)],
        assumptions[_ASSUMPTIONS:],
        assumptions[:_ASSUMPTIONS],
        questions[:_QUESTIONS],
        risks[:_RISKS],
    )
    items = [item.id for group in groups for item in reversed(list(group))]
    return [ACTIONS, CHECKS, *items[: -_QUESTIONS - _RISKS], PEOPLE, *items[-_QUESTIONS - _RISKS :]]


def in_the_whole_plan(plan: Plan, left_out: Collection[str]) -> str:
    """Say in a line what a page leaves out: ``checks of steps, 4 criteria, 6 questions``; "" for nothing."""
    counts = Counter(_KINDS[type(item)] for item in plan.items if item.id in left_out)
    wholes = (name for name in (ACTIONS, CHECKS, PEOPLE) if name in left_out)
    return ", ".join((*wholes, *(f"{count} {name}" for name, count in counts.items())))


def is_open(decision: Decision) -> bool:
    """Tell whether a decision has still to be taken."""
    return bool(decision.latest or decision.options or decision.owner)


def by_need(plan: Plan) -> list[Question]:
    """Return the questions: first those that name a day, then those with the most causes that open decisions have."""
    causes = Counter(
        cause for item in plan.items if isinstance(item, Decision) and is_open(item) for cause in item.causes
    )
    questions = [item for item in plan.items if isinstance(item, Question)]
    return sorted(questions, key=lambda item: (not _DAY.search(item.text), -sum(causes[one] for one in item.causes)))


def gravest_first(plan: Plan) -> list[Risk]:
    """Return the risks by likelihood and impact."""
    risks = [item for item in plan.items if isinstance(item, Risk)]
    return sorted(risks, key=lambda risk: -LEVELS.index(risk.likelihood) - LEVELS.index(risk.impact))


def _bullets(plan: Plan, section_id: str) -> list[Bullet]:
    section = plan.section(section_id)
    return [item for item in section.items if isinstance(item, Bullet)] if section else []
