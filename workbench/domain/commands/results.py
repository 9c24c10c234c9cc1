"""What a text of commands comes to: operations on the plan, and what its caller does besides.

parse ─▶ Parsed   operations, each a change that a person makes; actions; values in doubt; notes
      └▶ Unread   one error stops all commands of the text (errors.py)
"""

from __future__ import annotations

from msgspec import Struct

from workbench.domain.loop.asking.tasks import Disputed
from workbench.domain.plan.changing.operations import Operation
from workbench.domain.plan.plan import Plan
from workbench.domain.statements.statement import Settled


class AddHolidays(Struct, frozen=True):
    """``holidays DE-BY``: their days are looked up by the caller."""

    country: str


class Replan(Struct, frozen=True):
    """``replan``: date all open steps again."""


class Undo(Struct, frozen=True):
    """``undo``, ``undo to v3``."""

    to: int = 0
    """Number of a version; 0 for the one before the last change."""


class Redo(Struct, frozen=True):
    """``redo``."""


class Decide(Struct, frozen=True):
    """``O1 accept``, ``O1 decline "Not now"``: what another program offers."""

    offer: str
    is_accepted: bool
    note: str = ""


Action = Settled | Disputed | Decide | AddHolidays | Replan | Undo | Redo
"""Something that a command asks for and no operation on the plan does; ``Settled`` is what becomes of a statement,
and ``Disputed`` a finding that the person calls wrong."""


class Doubtful(Struct, frozen=True):
    """A value that can be read in another way: it is shown, and was read as the plan has it."""

    text: str
    start: int
    """Index of its first character."""
    end: int
    doubt: str
    """As in ``5 June 2027, or 6 May 2027?``."""


class Parsed(Struct, frozen=True):
    """A text in which all is a command."""

    plan: Plan
    """The plan after the operations; steps are not dated again."""
    operations: tuple[Operation, ...] = ()
    actions: tuple[Action, ...] = ()
    doubts: tuple[Doubtful, ...] = ()
    notes: tuple[str, ...] = ()
    """What a command does besides: ``S4 needed S3, and needs it no more.``."""
    assumed: tuple[str, ...] = ()
    """Ids of new steps whose effort nobody said: one day is assumed."""
    moved: tuple[str, ...] = ()
    """Ids of items that a command moves within their list."""
