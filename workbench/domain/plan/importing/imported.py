"""What became of a file that was read as a plan: the plan, the fate of each line, guesses."""

from __future__ import annotations

from typing import Literal

import msgspec

from workbench.domain.plan.plan import Plan

FateKind = Literal["step", "field", "item", "heading", "prose", "structure", "not-placed", "blank"]
Format = Literal[
    "workbench", "markdown", "checklist", "spec-kit", "task-master", "csv", "json", "mermaid", "ms-project",
    "ganttproject", "icalendar", "text",
]  # fmt: skip


FULL = "the plan has as many steps as it can hold"
"""Why a task is not placed that is one too many."""


class Fate(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a line of the source became."""

    line: int
    """Counted from 1."""
    kind: FateKind
    of: str = ""
    """Id of the step or item that the line became, or is a field of; of prose, its section's; "" for others."""


class NotPlaced(msgspec.Struct, frozen=True, kw_only=True):
    """Something for which the plan has no place; it is in the section "Not placed"."""

    line: int
    text: str
    """The line, or the part of it."""
    why: str


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    """A plan that was read from a file, and how it was read."""

    plan: Plan
    format: Format
    lines: tuple[Fate, ...]
    """One for each line of the source."""
    guesses: tuple[str, ...] = ()
    """What was read as what without certainty: ``column “Wer” read as owner``."""
    not_placed: tuple[NotPlaced, ...] = ()
    given_ids: frozenset[str] = frozenset()
    """Ids of items that the source gave them itself, so that they are the same items when it is imported again."""
    source_ids: dict[str, str] = {}
    """What the source calls steps that have another id here, by the id here."""
