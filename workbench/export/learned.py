"""What saved sessions teach, as tables with bars and as JSON."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from workbench.planning.learning.lessons import Standing
from workbench.planning.learning.patterns import Kind, Learned, Pattern

TITLES: dict[Kind, tuple[str, str]] = {
    "approach": ("Approach against outcome", "fared well"),
    "rounds": ("Rounds until the plan is saved", "rounds"),
    "feedback": ("Feedback that recurs", "sessions"),
    "effort": ("Real by likely effort, by kind of step", "times"),
}
"""By kind: what the table is called, and its value."""


class LearnedObject(Learned, frozen=True, kw_only=True):
    """What saved sessions teach."""

    schema: Literal["workbench.learned/1"] = "workbench.learned/1"


class LessonObject(Standing, frozen=True, kw_only=True):
    """A lesson, what was decided about it, and whether it helped."""

    schema: Literal["workbench.lesson/1"] = "workbench.lesson/1"


class LearnedTable(msgspec.Struct, frozen=True, kw_only=True):
    """The rows of one kind, as they are laid out."""

    title: str
    value: str
    """What the value is called."""
    rows: tuple[tuple[Pattern, str, float], ...]
    """Each with its value in words, and its bar, 0 to 1."""


def learned_object(learned: Learned) -> dict[str, Any]:
    """Return what sessions teach as JSON values; docs/json/workbench.learned-1.json is their schema."""
    told: dict[str, Any] = msgspec.to_builtins(LearnedObject(**msgspec.structs.asdict(learned)))
    return told


def lesson_object(standing: Standing) -> dict[str, Any]:
    """Return a lesson as JSON values; docs/json/workbench.lesson-1.json is their schema."""
    told: dict[str, Any] = msgspec.to_builtins(LessonObject(**msgspec.structs.asdict(standing)))
    return told


def learned_tables(learned: Learned) -> tuple[LearnedTable, ...]:
    """Return the tables that have rows; the longest bar of each is 1, of shares 100 %."""
    tables = []
    for kind, (title, value) in TITLES.items():
        rows = [pattern for pattern in learned.patterns if pattern.kind == kind]
        most = 1.0 if kind == "approach" else max((one.value for one in rows), default=1.0) or 1.0
        told = tuple((row, _value_text(row), min(row.value / most, 1.0)) for row in rows)
        tables += [LearnedTable(title=title, value=value, rows=told)] if rows else []
    return tuple(tables)


def _value_text(pattern: Pattern) -> str:
    return f"{pattern.value:.0%}" if pattern.kind == "approach" else f"{pattern.value:g}"
