"""What a page that would be too long leaves out, the least valuable first.

Decisions with options and advice, steps with who and when, and points at which one may stop always stay.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from workbench.domain.plan.plan import (
    Bullet,
    Constraint,
    Criterion,
    DaysOff,
    Decision,
    Item,
    Plan,
    Question,
    Risk,
    Row,
    Step,
    name_key,
)
from workbench.export.pictures import LEVELS

CHECKS, ACTIONS, PEOPLE, COSTS, ADVICE = "checks", "actions", "people", "costs", "more advice"
"""Things that are left out as a whole, as the page names them."""
DATES, MERGED = "dates", "merged"
"""What the summary says of dates, too; that steps which a row of the timetable begins stand there only."""
PROSE = ("assumptions", "scope")
"""Sections whose prose and bullets say what the plan assumes and leaves out."""
_QUESTIONS, _RISKS, _ASSUMPTIONS = 5, 6, 10
"""How many of each are worth more than anything else that can be left out."""
_DAY = re.compile(r"\b\d{1,2}\.? (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)|\b\d{4}-\d\d-\d\d\b")


def least_valuable_first(plan: Plan) -> list[tuple[str, str]]:
    """Return ids of items, and names of other things, each with what it is, in the order in which they are left out."""
    questions, risks, begun = by_need(plan), gravest_first(plan), begun_by_row(plan)
    rows = sorted((item for item in plan.items if isinstance(item, Row)), key=lambda row: (row.day, row.time))
    prose = (section for name in PROSE if (section := plan.section(name)))
    assumed = [item for section in prose for item in section.items if isinstance(item, Bullet)]
    ordered: tuple[tuple[str, Sequence[Item | str]], ...] = (
        ("", [CHECKS, ACTIONS]),
        ("criteria", [item for item in plan.items if isinstance(item, Criterion)]),
        ("limits", [item for item in plan.items if isinstance(item, Constraint | DaysOff)]),
        ("questions", questions[_QUESTIONS:]),
        ("risks", risks[_RISKS:]),
        ("assumptions", assumed[_ASSUMPTIONS:]),
        ("decisions taken", [item for item in plan.items if isinstance(item, Decision) and not is_open(item)]),
        ("assumptions", assumed[:_ASSUMPTIONS]),
        ("", [COSTS, PEOPLE, MERGED]),
        ("questions", questions[:_QUESTIONS]),
        ("", [ADVICE, DATES]),
        ("hours", [row for row in rows if not row.stop and row.id not in begun]),
        ("risks", risks[:_RISKS]),
    )
    return [
        (item, item) if isinstance(item, str) else (item.id, name) for name, group in ordered for item in group[::-1]
    ]


def in_the_whole_plan(left_out: Sequence[tuple[str, str]]) -> str:
    """Say in a line what a page leaves out: ``checks, 4 criteria, 6 questions``; "" for nothing."""
    counts = Counter(name for key, name in left_out if key not in (MERGED, DATES))
    wholes = {key for key, name in left_out if key == name}
    return ", ".join(name if name in wholes else f"{count} {name}" for name, count in counts.items())


def is_open(decision: Decision) -> bool:
    """Tell whether a decision has still to be taken."""
    return bool(decision.latest or decision.options or decision.owner)


def begun_by_row(plan: Plan) -> dict[str, Step]:
    """Return the steps that begin with a row of the timetable, at its day and time and by one of its people."""
    rows = {(row.day, row.time): row for row in plan.items if isinstance(row, Row) and row.time}
    begun: dict[str, Step] = {}
    for step in plan.steps:
        row = rows.get((step.on or step.start or "", step.hours.partition("-")[0].strip()))
        who = {name_key(name) for name in row.who.split(",")} if row else set()
        is_plain = not (step.parent or step.condition) and step.status != "dropped"
        if row and is_plain and any(name_key(owner) in who for owner in step.owners):
            begun.setdefault(row.id, step)
    return begun


def by_need(plan: Plan) -> list[Question]:
    """Return the questions: first those that name a day, then those with the most causes that open decisions have."""
    decisions = (item for item in plan.items if isinstance(item, Decision) and is_open(item))
    causes = Counter(cause for item in decisions for cause in item.causes)
    questions = [item for item in plan.items if isinstance(item, Question)]
    return sorted(questions, key=lambda item: (not _DAY.search(item.text), -sum(causes[one] for one in item.causes)))


def gravest_first(plan: Plan) -> list[Risk]:
    """Return the risks by likelihood and impact."""
    risks = [item for item in plan.items if isinstance(item, Risk)]
    return sorted(risks, key=lambda risk: -LEVELS.index(risk.likelihood) - LEVELS.index(risk.impact))
