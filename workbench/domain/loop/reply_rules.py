"""What must hold of replies beyond their types: said to the model in the schema, and read by the same tables.

tables ─┬▶ reply_schema.py   patterns, enums, least counts
        └▶ replies.py        ids in another case, other names of fields, numbers out of range
"""

from __future__ import annotations

from workbench.domain.loop.coercion import Rules
from workbench.domain.loop.limits import MOST_CHARACTERS, MOST_DAYS, MOST_IN_A_LIST, is_countable
from workbench.domain.loop.tasks import KINDS_NOT_YET_FOR_MODELS
from workbench.domain.plan.markdown.grammar import LETTERS
from workbench.domain.plan.plan import Effort

IDS: dict[tuple[str, str], str] = {
    **{(kind.__name__, "id"): letter for letter, kind in LETTERS.items()},
    **{(kind, "answers"): "KCFG" for kind in ("Step", "Risk", "Decision", "Bullet")},
    ("Approach", "id"): "A",
    ("Step", "needs"): "S",
    ("Step", "parent"): "S",
    ("Lag", "step"): "S",
    ("Handled", "feedback"): "F",
    ("Finding", "item"): "".join(
        letter for letter, kind in LETTERS.items() if kind.__name__ not in KINDS_NOT_YET_FOR_MODELS
    ),
    ("Action", "step"): "S",
}
"""Letters that the ids in a field begin with, by class and field."""

DATES = frozenset(
    {
        ("Criterion", "due"), ("Constraint", "day"), ("Step", "not_before"), ("Step", "on"), ("Step", "deadline"),
        ("Step", "start"), ("Step", "end"), ("Days", "first"), ("Days", "last"), ("Action", "due"),
    }
)  # fmt: skip
"""Fields that hold an ISO date."""

WEEKDAYS = {("Person", "weekdays"): (1, 7), ("WorkingTime", "weekdays"): (1, 7)}
"""Least and greatest number of fields that name days of the week."""

RANGES: dict[tuple[str, str], tuple[float, float]] = {
    **WEEKDAYS,
    ("Person", "hours"): (0, 168),
    ("Step", "waiting"): (-MOST_DAYS, MOST_DAYS),
    ("Step", "left"): (-MOST_DAYS, MOST_DAYS),
    ("Lag", "days"): (-MOST_DAYS, MOST_DAYS),
}
"""Least and greatest number, by class and field; that fewer days than none are wrong is for the checks to say."""

SECTION_IDS = frozenset({("Section", "id"), ("Amendment", "after"), ("Finding", "section")})
"""Fields that hold the id of a section."""

RULES = Rules(
    ids=IDS,
    numbered=frozenset({("Approach", "id")}),
    aliases={("PlanReply", "sections"): "amendments"},
    is_sound={Effort: is_countable},
    ranges=RANGES,
    most_characters=MOST_CHARACTERS,
    most_in_a_list=MOST_IN_A_LIST,
)
