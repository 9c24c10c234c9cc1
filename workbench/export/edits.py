"""What commands do to a plan, before they are recorded: the operations, and the days that move."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from datetime import date
from typing import Any, Literal

import msgspec

from workbench.domain.commands import commands_between, field_texts
from workbench.domain.commands.errors import NoCommand
from workbench.domain.commands.results import Doubtful
from workbench.domain.errors import PlanUnsound, UsageError
from workbench.domain.loop.asking.tasks import Finding
from workbench.domain.loop.deciding.offers import Offer
from workbench.domain.loop.steps import plans_without_model
from workbench.domain.plan.changing.operations import Operation, applied
from workbench.domain.plan.figures import Figures, figures, short_day
from workbench.domain.plan.plan import Plan, Step
from workbench.domain.session.state import SessionState
from workbench.domain.statements.statement import Settled
from workbench.planning.beside_the_loop.commanding import Commanded


class MovedDate(msgspec.Struct, frozen=True, kw_only=True):
    """A day that is another one then."""

    step: str
    """Id of the step that ends on it; "" for the end of the plan."""
    was: date | None
    """None if there was none; so is ``now``."""
    now: date | None


def dates_between(before: Plan, after: Plan) -> tuple[MovedDate, ...]:
    """Return the days on which steps, and the plan, end in one plan and not in another."""
    old, new = figures(before), figures(after)
    ends, now = _ends(old), _ends(new)
    moved = [
        MovedDate(step=name, was=ends.get(name), now=now.get(name))
        for name in dict.fromkeys((*ends, *now))
        if ends.get(name) != now.get(name)
    ]
    if old.finish != new.finish:
        moved.append(MovedDate(step="", was=old.finish, now=new.finish))
    return tuple(moved)


def _ends(figures: Figures) -> dict[str, date | None]:
    return {step.step: step.end for step in figures.steps}


_MOST_OF_A_LINE = 200
"""Characters of commands that are shown as they are typed."""


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """A day that is another one then."""

    item: str
    """Id of the step that ends on it; "" for the end of the plan."""
    field: Literal["end"] = "end"
    before: date | None
    """None if there was none; so is ``after``."""
    after: date | None


class EditObject(msgspec.Struct, frozen=True, kw_only=True):
    """Commands, and what they do."""

    schema: Literal["workbench.edit/1"] = "workbench.edit/1"
    session: str
    version: int
    """Of the plan: the one that the commands are about; once they are recorded, the one that they made."""
    operations: tuple[Operation, ...]
    """All that changes in the plan, the new dates of steps too."""
    settled: tuple[Settled, ...]
    """What the person says became of statements."""
    disputed: tuple[Finding, ...]
    """Findings that the person calls wrong, with the reason as ``disputed``; without one if that is taken back."""
    moves: tuple[Move, ...]
    """Steps in the order of the plan; then the end of the plan, where it moves."""
    notes: tuple[str, ...]
    """What happens besides, and values that could be read in another way; a sentence each."""
    recorded: bool
    """Whether it is recorded; else the same command with ``--yes`` records it, where anything changes."""


def moves_of(commanded: Commanded) -> tuple[MovedDate, ...]:
    """Return the days that commands move."""
    return dates_between(commanded.before, commanded.plan) if commanded.changes else ()


def notes_of(commanded: Commanded) -> tuple[str, ...]:
    """Return what happens besides, and which values could be read in another way."""
    return (*commanded.notes, *(_doubt(doubt) for doubt in commanded.doubts))


def _doubt(one: Doubtful) -> str:
    """Return what is doubtful of a value: what else it may be, or what is not so."""
    told = "is read as one of two" if one.doubt.endswith("?") else "is doubtful"
    return f"“{one.text}” {told}: {one.doubt}"


def edit_object(session: str, version: int, commanded: Commanded, *, recorded: bool) -> dict[str, Any]:
    """Return commands as JSON values; docs/json/workbench.edit-1.json is their schema."""
    printed: dict[str, Any] = msgspec.to_builtins(
        EditObject(
            session=session,
            version=version,
            operations=tuple(change.operation for change in commanded.changes),
            settled=commanded.settled,
            disputed=commanded.disputed,
            moves=tuple(Move(item=move.step, before=move.was, after=move.now) for move in moves_of(commanded)),
            notes=notes_of(commanded),
            recorded=recorded,
        )
    )
    return printed


def repair_command(state: SessionState, offer: Offer) -> str:
    """Return a command line that carries out a repair, and works at an open gate as in a finished session."""
    plan = state.plan or Plan(title="")
    try:
        said = "; ".join(commands_between(plan, applied(plan, offer.repair.operations)))
    except PlanUnsound:
        said = ""
    if not said or len(said) > _MOST_OF_A_LINE:
        return f"workbench resume {state.session} --repair {offer.number}"
    return f"workbench edit {state.session} {shlex.quote(said)} --yes"


def refusal(state: SessionState, text: str, error: NoCommand) -> UsageError:
    """Return what to do about a sentence that is not a command, in two lines. Nothing is guessed."""
    nearest = error.unread.suggestion if " " in error.unread.suggestion else ""
    why = error.unread.why.partition(" Expected:")[0].rstrip(".")
    is_read = not plans_without_model(state)
    helps = "The planner understands sentences" if is_read else "A language model understands sentences"
    named = "" if is_read else " --model NAME"
    return UsageError(
        f"Not a command: {why}.{f' Nearest: {nearest}' if nearest else ''}\n"
        f"{helps}: workbench resume {state.session}{named} --feedback {shlex.quote(text[:200])}",
    )


def preview_line(commanded: Commanded) -> str:
    """Return in one line what commands do: ``S3 owner: Ben → Anna · 7 steps move · the end stays 3 May``."""
    return " · ".join(_preview(commanded))


def _preview(commanded: Commanded) -> Iterator[str]:
    if not commanded.does_something:
        yield "nothing changes"
        return
    done = commanded.done
    yield from done[:2]
    if len(done) > 2:
        yield f"{len(done) - 2} more"
    moves = moves_of(commanded)
    added = [one for change in commanded.changes if isinstance(one := getattr(change.operation, "item", None), Step)]
    if len(added) == 1:
        yield from field_texts(added[0])
    new = {one.id for one in added}
    steps = [move for move in moves if move.step and move.step not in new]
    if steps:
        yield f"{len(steps)} step{' moves' if len(steps) == 1 else 's move'}"
    for one in moves:
        if not one.step:
            moves_from = f"moves from {short_day(one.was)} to" if one.was else "is"
            yield f"the end {moves_from} {_day(one.now)}"
    yield from notes_of(commanded)


def _day(day: date | None) -> str:
    return short_day(day) if day else "no day"
