"""What must hold of replies beyond their types: said to the model in the schema, and read by the same tables.

tables ─┬▶ reply_schema.py   patterns, enums, least counts
        └▶ replies.py        ids in another case, other names of fields, numbers out of range
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from workbench.domain.loop.answers.coercion import Rules
from workbench.domain.loop.answers.item_reply import CHANGES, change_name
from workbench.domain.loop.asking.tasks import MODEL, Finding
from workbench.domain.loop.limits import (
    MOST_CHARACTERS,
    MOST_DAYS,
    MOST_IN_A_LIST,
    MOST_NEEDS,
    MOST_OWNERS,
    is_countable,
)
from workbench.domain.plan.markdown.grammar import LETTERS
from workbench.domain.plan.plan import Effort

T = TypeVar("T")

_IDS: dict[tuple[str, str], str] = {
    **{(kind.__name__, "id"): letter for letter, kind in LETTERS.items()},
    ("Bullet", "id"): "BA",
    **{(kind, "answers"): "KCFG" for kind in ("Step", "Risk", "Decision", "Bullet")},
    ("Approach", "id"): "A",
    ("Step", "needs"): "S",
    ("Step", "parent"): "S",
    ("Lag", "step"): "S",
    ("Step", "fund"): "M",
    ("Step", "place"): "L",
    ("Step", "decisions"): "D",
    ("Handled", "feedback"): "F",
    ("StatementReply", "id"): "U",
    ("Removal", "id"): "".join(LETTERS),
    ("Replaced", "statement"): "U",
    ("Replaced", "by"): "U",
    ("Disputed", "finding"): "V",
    ("Finding", "item"): "".join(LETTERS),
    ("Action", "step"): "S",
}


def _with_changes(table: Mapping[tuple[str, str], T]) -> dict[tuple[str, str], T]:
    """Return a table of fields with the same of the types that change items."""
    names = {kind.__name__: change_name(kind) for kind in CHANGES}
    return {**table, **{(names[owner], name): one for (owner, name), one in table.items() if owner in names}}


IDS = _with_changes(_IDS)
"""Letters that the ids in a field begin with, by class and field."""

_DATES = {
    ("Criterion", "due"), ("Constraint", "day"), ("Constraint", "last"), ("Step", "not_before"), ("Step", "on"),
    ("Step", "deadline"), ("Step", "start"), ("Step", "end"), ("Days", "first"), ("Days", "last"), ("Action", "due"),
    ("Decision", "latest"), ("Row", "day"), ("Rule", "first"), ("Rule", "until"), ("Capacity", "first"),
    ("Capacity", "last"),
}  # fmt: skip
DATES = frozenset(_with_changes(dict.fromkeys(_DATES, True)))
"""Fields that hold an ISO date."""

WEEKDAYS = _with_changes(
    dict.fromkeys([(kind, "weekdays") for kind in ("Person", "WorkingTime", "Place", "Rule")], (1, 7))
)
"""Least and greatest number of fields that name days of the week."""

_RANGES: dict[tuple[str, str], tuple[float, float]] = {
    ("Person", "hours"): (0, 168),
    ("Step", "waiting"): (-MOST_DAYS, MOST_DAYS),
    ("Step", "left"): (-MOST_DAYS, MOST_DAYS),
    ("Step", "duration"): (-MOST_DAYS, MOST_DAYS),
    ("Lag", "days"): (-MOST_DAYS, MOST_DAYS),
}
RANGES = {**WEEKDAYS, **_with_changes(_RANGES)}
"""Least and greatest number, by class and field; that fewer days than none are wrong is for the checks to say."""

SECTION_IDS = frozenset({("Section", "id"), ("Amendment", "after"), ("Finding", "section")})
"""Fields that hold the id of a section."""


def _with_range(given: dict[str, Any]) -> dict[str, Any]:
    """Give an estimate that is its likely value alone the range that is usual: half of it to one and a half."""
    likely = given.get("likely")
    if isinstance(likely, bool) or not isinstance(likely, int | float):
        return given
    range_ = {"low": round(likely / 2, 6), "high": round(likely * 1.5, 6)}  # 0.6 and not 0.6000000000000001
    return range_ | {name: value for name, value in given.items() if value is not None}


def _as_judged(given: dict[str, Any]) -> dict[str, Any]:
    """Say of a finding that it is a verifier's own; nobody else's is in a reply."""
    return {**given, "rule": given.get("rule") or MODEL}


RULES = Rules(
    ids=IDS,
    numbered=frozenset({("Approach", "id")}),
    aliases={("PlanReply", "sections"): "amendments"},
    is_sound={Effort: is_countable},
    completed={Effort: _with_range, Finding: _as_judged},
    ranges=RANGES,
    most_characters=MOST_CHARACTERS,
    most_in_a_list=MOST_IN_A_LIST,
    most_in=_with_changes({("Step", "also"): MOST_OWNERS, ("Step", "needs"): MOST_NEEDS}),
)
