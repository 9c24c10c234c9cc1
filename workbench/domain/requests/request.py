"""A request as a value: what a person asked for, what does it, and the answer in one line."""

from __future__ import annotations

from typing import Literal

import msgspec

from workbench.domain.loop.tasks import Outcome
from workbench.domain.plan.operations import Operation
from workbench.domain.plan.plan import Plan

Control = Literal[
    "",
    "approve",
    "undo",
    "finish",
    "other approaches",
    "dismiss",
    "language",
    "shorter",
    "longer",
    "question",
    "give up",
    "replan",
]
"""What is asked of the workbench and not of the plan; "" for a change of the plan."""


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a person asked for."""

    text: str
    """As it stands in the message."""
    start: int
    """Index of its first character in the message."""
    end: int
    """Index after its last character."""
    outcome: Outcome
    answer: str
    """One sentence: what is done and which dates move, why not, or what the person is asked."""
    operations: tuple[Operation, ...] = ()
    """On the plan as the requests before it leave it."""
    control: Control = ""


class Reply(msgspec.Struct, frozen=True):
    """What a form makes of a clause, before steps are dated again."""

    answer: str
    """Without its full stop."""
    plan: Plan | None = None
    """What it makes of the plan; None where that stays as it is."""
    outcome: Outcome = "done"
    control: Control = ""
    about: tuple[str, ...] = ()
    """Ids of the items that it speaks of: what "it" means in the next request."""
    is_weak: bool = False
    """Whether the words alone do not say that it is meant: it is offered, and done after a yes."""


class Unclear(Exception):
    """A request that cannot be carried out as it was said: the person is asked, or told why."""

    def __init__(
        self,
        answer: str,
        outcome: Outcome = "asked",
        about: tuple[str, ...] = (),
        *,
        is_other: bool = False,
        is_guess: bool = False,
    ) -> None:
        super().__init__(answer)
        self.reply = Reply(answer, outcome=outcome, about=about)
        self.is_other = is_other
        """Whether the words may mean something else, so that other forms are tried."""
        self.is_guess = is_guess
        """Whether one item comes near, so that its reading can be offered."""
        self.action: object = None
        """What asks; None where no form fits."""
