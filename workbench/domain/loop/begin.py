"""What a person gives a session to begin with: a template, steps of their own, and values of the goal.

A template, with the steps of it that are kept ──┐
own steps, a line each                           ├─▶ Begin ─▶ the first plan, without a model
commands: the deadline, the budget, days off     ┘         └▶ reference and statements, with one
"""

from __future__ import annotations

import msgspec


class Begin(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a person chose and typed before the first draft."""

    template: str = ""
    """Name and variant, ``move-system:cohorts``; "" for none."""
    text: str = ""
    """The template's TOML as it was when it was chosen, so that no change of a file changes a session; "" for none."""
    keep: tuple[str, ...] = ()
    """Keys of the template's steps that are kept, in the template's order; () for all of the variant."""
    outline: str = ""
    """Steps of one's own, a line each, as ``read_outline`` reads them."""
    commands: tuple[str, ...] = ()
    """Commands for values of the goal: ``deadline 30 June 2027``, ``budget 40,000 EUR``."""

    def __bool__(self) -> bool:
        """Tell whether anything was given."""
        return bool(self.template or self.outline.strip() or self.commands)
