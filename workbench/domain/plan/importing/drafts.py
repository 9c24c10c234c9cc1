"""A step while a file is read: what is said of it, and where."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from workbench.domain.plan.plan import Lag


@dataclass(slots=True, eq=False)
class StepDraft:
    """A step as it is read."""

    line: int
    """Counted from 0."""
    title: str
    values: dict[str, Any] = field(default_factory=dict)
    """Fields of the step, by name."""
    ids: list[str] = field(default_factory=list)
    """What the source calls it, as ``T012``."""
    number: str = ""
    """Its number in a numbered list."""
    group: object = None
    """The list or table it stands in: numbers name steps of the same group first."""
    needs: list[tuple[int, str]] = field(default_factory=list)
    """What it needs, in the source's words, with the line that says so."""
    lags: list[Lag] = field(default_factory=list)
    """How long after what it needs, in the source's words."""
    hints: list[str] = field(default_factory=list)
    """What it may need; nothing is said about those that are unknown."""
    blocks: list[str] = field(default_factory=list)
    """What needs it."""
    tags: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    cut: list[tuple[str, str]] = field(default_factory=list)
    """What was read as fields: how it is noted, where the fields do not say these words."""
    parent: StepDraft | None = None
    whole: str = ""
    """Id of the step that it is a part of, where the source gives it."""
    workstream: str = ""
    id: str = ""

    guesses: list[str] = field(default_factory=list)
    """What was read of it without certainty."""

    def give(self, name: str, value: Any) -> bool:
        """Set a field that is not set yet; tell whether a value was given."""
        if value in (None, "", ()):
            return False
        self.values.setdefault(name, value)
        return True

    def take_over(self, line: StepDraft) -> None:
        """Let the line of a step say what is not known yet, and its title."""
        self.title = line.title
        self.values = {**line.values, **self.values}
        for name in ("ids", "tags", "needs", "hints", "notes", "cut", "guesses"):
            getattr(self, name).extend(getattr(line, name))

    def cut_off(self, text: str) -> None:
        """Note what was read as fields, and is not in the title any more."""
        self.cut += [(part, part) for part in re.split(r"[,;|]\s+", text)]

    def need(self, texts: Iterable[str]) -> None:
        """Note what it needs, in the source's words."""
        self.needs += [(self.line, text) for text in texts]

    @property
    def top(self) -> StepDraft:
        """The step that this one is a part of; itself where it is none."""
        return self.parent or self
