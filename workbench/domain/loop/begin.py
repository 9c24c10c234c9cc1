"""What a person gives a session to begin with: a template, steps of their own, and values of the goal.

A template, with the steps of it that are kept ──┐
own steps, a line each                           ├─▶ Begin ─▶ the first plan, without a model
commands: the deadline, the budget, days off     ┘         └▶ reference and statements, with one
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec


class Begin(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a person chose and typed before the first draft."""

    template: str = ""
    """Name and variant, ``move-system:cohorts``; "" for none."""
    keep: tuple[int, ...] = ()
    """Numbers of what is kept of the template: its steps from 1 in the variant's order, after them what it has besides
    (risks, questions, how success is seen); () for all of its steps, and nothing besides."""
    outline: str = ""
    """Steps of one's own, a line each, as ``read_outline`` reads them."""
    commands: tuple[str, ...] = ()
    """Commands for values of the goal: ``deadline 30 June 2027``, ``budget 40,000 EUR``."""
    unasked: bool = False
    """Whether nobody is there to choose a template: without one the plan begins empty, and none is looked for."""

    @property
    def typed(self) -> str:
        """What of it the person typed, a line each."""
        return "\n".join(filter(None, (self.outline.strip("\n"), *self.commands)))

    @property
    def is_chosen(self) -> bool:
        """Whether it says which steps the plan begins with, so that nobody has to be asked."""
        return bool(self.template or self.outline.strip() or self.unasked)

    def kept(self, steps: Sequence[str]) -> tuple[str, ...]:
        """Return those of a template's steps that are kept."""
        return tuple(step for number, step in enumerate(steps, 1) if not self.keep or number in self.keep)

    def then(self, later: Begin) -> Begin:
        """Return this with what was given later: another template takes its place, own lines are added."""
        chosen = later if later.template else self
        return Begin(
            template=chosen.template,
            keep=chosen.keep,
            outline="\n".join(filter(None, (self.outline, later.outline))),
            commands=(*self.commands, *later.commands),
            unasked=self.unasked or later.unasked,
        )

    def __bool__(self) -> bool:
        """Tell whether anything was given."""
        return bool(self.template or self.outline.strip() or self.commands or self.unasked)
