"""What a text of commands comes to: operations on the plan, and what its caller does besides.

parse ─▶ Parsed   operations, each a change that a person makes; actions; values in doubt; notes
      └▶ Unread   one error stops all commands of the text (errors.py)
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from workbench.domain.plan.operations import Cause, Change, Operation
from workbench.domain.plan.plan import Plan


class Action(msgspec.Struct, frozen=True, tag_field="do"):
    """Something that a command asks for and no operation on the plan does."""


class DismissStatement(Action, frozen=True, tag="dismiss"):
    """``U4 dismiss``: what was said is not to be used."""

    statement: str


class UseStatement(Action, frozen=True, tag="use"):
    """``U7 used in S3``: what was said stands in these items."""

    statement: str
    items: tuple[str, ...]


class AddHolidays(Action, frozen=True, tag="holidays"):
    """``holidays DE-BY``: their days are looked up by the caller."""

    country: str


class Replan(Action, frozen=True, tag="replan"):
    """``replan``: date all open steps again."""


class Undo(Action, frozen=True, tag="undo"):
    """``undo``, ``undo to v3``."""

    to: int = 0
    """Number of a version; 0 for the one before the last change."""


class Redo(Action, frozen=True, tag="redo"):
    """``redo``."""


AnyAction = DismissStatement | UseStatement | AddHolidays | Replan | Undo | Redo


@dataclass(frozen=True, slots=True)
class Doubtful:
    """A value that can be read in another way: it is shown, and was read as the plan has it."""

    text: str
    start: int
    """Index of its first character."""
    end: int
    doubt: str
    """As in ``5 June 2027, or 6 May 2027?``."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A text in which all is a command."""

    plan: Plan
    """The plan after the operations; steps are not dated again."""
    operations: tuple[Operation, ...] = ()
    actions: tuple[AnyAction, ...] = ()
    doubts: tuple[Doubtful, ...] = ()
    notes: tuple[str, ...] = ()
    """What a command does besides: ``S4 needed S3, and needs it no more.``."""
    assumed: tuple[str, ...] = ()
    """Ids of new steps whose effort nobody said: one day is assumed."""

    @property
    def changes(self) -> tuple[Change, ...]:
        """The operations as changes that a person makes: what ``Session.report`` records."""
        return tuple(Change(operation, Cause("person")) for operation in self.operations)
