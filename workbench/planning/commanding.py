"""A text of commands is carried out in a session, all of it or nothing, in whatever state the session is.

    text ─▶ worked_out ─▶ Commanded: the plan with its new dates, and statements that are settled ─▶ preview
                              └▶ carry_out ─▶ one batch of given events ─▶ the plan's next version

Who drives the session, a model's call that is under way, and an open gate do not matter: a change of a person is
taken into the plan before anything else happens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from msgspec.structs import replace

from workbench.domain.commands import Parsed, Unread, parse
from workbench.domain.commands.errors import NoCommand
from workbench.domain.commands.results import AddHolidays, Doubtful, Redo, Replan, Undo
from workbench.domain.errors import PlanUnsound, UsageError
from workbench.domain.loop.tasks import Disputed, Finding
from workbench.domain.plan.history import told_in_order, undo_and_redo, undone
from workbench.domain.plan.operations import Cause, Change, applied, carried_out, operations_between
from workbench.domain.plan.plan import Plan
from workbench.domain.plan.rescheduling import replanned, rescheduled
from workbench.domain.session import events as say
from workbench.domain.session.state import SessionState
from workbench.domain.statements.statement import Settled
from workbench.planning.public_holidays import with_holidays
from workbench.planning.reporting import record_changes
from workbench.planning.session_log import SessionLog

_DATES = ("start", "end")
"""Fields that follow from others: what moves is told by itself."""


@dataclass(frozen=True, slots=True)
class Commanded:
    """What a text of commands does to a session."""

    before: Plan
    plan: Plan
    """The plan after it, with its new dates."""
    changes: tuple[Change, ...] = ()
    """What makes the one of the other."""
    settled: tuple[Settled, ...] = ()
    """What a person says became of statements."""
    disputed: tuple[Finding, ...] = ()
    """Findings that the person calls wrong."""
    notes: tuple[str, ...] = ()
    """What happens besides, a sentence each."""
    doubts: tuple[Doubtful, ...] = ()
    """Values that could be read in another way."""

    @property
    def does_something(self) -> bool:
        """Whether anything changes."""
        return bool(self.changes or self.settled or self.disputed)

    @property
    def done(self) -> tuple[str, ...]:
        """What is done, a line each; without the dates that follow."""
        operations = [change.operation for change in self.changes]
        lines = told_in_order([one for one in operations if getattr(one, "field", "") not in _DATES], self.before)
        settled = (f"{one.statement} {one.state} {', '.join(one.items)}".rstrip() for one in self.settled)
        return (*lines, *settled, *(f"disputed: {one.text}" for one in self.disputed))


def worked_out(state: SessionState, text: str, today: date, *, me: str = "") -> Commanded:
    """Return what commands do to a session; nothing is recorded. ``me``: whose steps "mine" are.

    Raises NoCommand for a text that is none, with its place, and UsageError for a command that cannot be carried out.
    """
    if state.plan is None:
        raise UsageError("There is no plan yet.", f"Go on with: workbench resume {state.session}")
    before, _ = carried_out(state.plan, state.changing)
    taken = {item.id for version in state.versions for item in version.plan.items}
    parsed = parse(text, before, today, me=me, taken=taken)
    if isinstance(parsed, Unread):
        raise NoCommand(parsed)
    if any(isinstance(action, Undo | Redo) for action in parsed.actions):
        return _gone_back(state, parsed)
    try:
        plan, notes = _with_dates(before, parsed.plan, today)
        for action in parsed.actions:
            if isinstance(action, Replan):
                plan = replanned(plan, today)
            elif isinstance(action, AddHolidays):
                plan = with_holidays(state, plan, action.country)
    except PlanUnsound as error:
        raise UsageError(error.message, error.remedy) from error
    settled = tuple(one for one in parsed.actions if isinstance(one, Settled))
    _check_known(state, settled)
    cause = Cause("replan") if parsed.actions == (Replan(),) and not parsed.operations else Cause("person")
    changes = tuple(Change(operation, cause) for operation in operations_between(before, plan))
    return Commanded(before, plan, changes, settled, _disputed(state, parsed), (*parsed.notes, *notes), parsed.doubts)


def carry_out(session: SessionLog, text: str, today: date, *, me: str = "") -> Commanded:
    """Carry commands out in a session; return what they did. Raises as ``worked_out`` does: then nothing is recorded.

    Where another process drives the session, that one changes the plan before its next step.
    """
    commanded = worked_out(session.refresh(), text, today, me=me)

    def bodies(state: SessionState) -> Sequence[say.Body]:
        nonlocal commanded
        commanded = worked_out(state, text, today, me=me)  # somebody may have changed the plan meanwhile
        reported = (say.StatusReported(text=text.strip(), changes=commanded.changes),) if commanded.changes else ()
        settled = (say.StatementMarked(settled=one) for one in commanded.settled)
        return (*reported, *settled, *(say.FindingDisputed(finding=one) for one in commanded.disputed))

    if commanded.does_something:
        record_changes(session, bodies)
    return commanded


def _with_dates(before: Plan, after: Plan, today: date) -> tuple[Plan, tuple[str, ...]]:
    """Return a changed plan with its new dates, and which steps must leave a given date, with why."""
    if after == before:
        return after, ()
    moves = rescheduled(before, after, today=today)
    return moves.plan, tuple(f"{step} must move: {why}." for step, why in moves.forced.items())


def _check_known(state: SessionState, settled: Sequence[Settled]) -> None:
    known = {one.id for one in state.statements}
    for one in settled:
        if one.statement not in known:
            hint = f"List them: workbench statements {state.session}"
            raise UsageError(f"There is no statement {one.statement}.", hint)


def _disputed(state: SessionState, parsed: Parsed) -> tuple[Finding, ...]:
    """Return the findings that a person calls wrong, with the reason; they are numbered as the session shows them."""
    found = []
    for one in (action for action in parsed.actions if isinstance(action, Disputed)):
        number = int(one.finding[1:])
        if not 0 < number <= len(state.findings):
            hint = f"List them: workbench sessions show {state.session}"
            raise UsageError(f"There is no finding {one.finding}.", hint)
        found.append(replace(state.findings[number - 1], disputed=one.reason))
    return tuple(found)


def _gone_back(state: SessionState, parsed: Parsed) -> Commanded:
    """Return what takes changes back, or makes them again; the plan is then exactly as it was."""
    if len(parsed.actions) > 1 or parsed.operations:
        raise UsageError("Undo and redo stand alone.", "Give the other commands before them or after them.")
    if state.plan is None or state.changing:
        raise UsageError("The last change is not in the plan yet.", "Try again in a moment.")
    action = parsed.actions[0]
    to_undo, to_redo = undo_and_redo(state.versions)
    if isinstance(action, Undo) and action.to:
        changes = _back_to(state, action.to)
    elif isinstance(action, Undo):
        if not to_undo:
            raise UsageError("There is nothing to undo: the plan is as it was first drafted.")
        changes = undone(state.versions, str(to_undo[-1]))
    else:
        if not to_redo:
            raise UsageError("There is nothing to redo.", "Redo takes back an undo, while nothing else was changed.")
        changes = undone(state.versions, str(to_redo[-1]))
    after = applied(state.plan, (change.operation for change in changes))
    return Commanded(state.plan, after, changes)


def _back_to(state: SessionState, number: int) -> tuple[Change, ...]:
    """Return what makes a plan what it was in a version."""
    known = {version.version: version.plan for version in state.versions}
    if number not in known or state.plan is None:
        raise UsageError(f"There is no version {number}.", f"Name one from 1 to {state.version}.")
    later = ", ".join(str(name) for name in known if name > number)
    operations = operations_between(state.plan, known[number])
    return tuple(Change(operation, Cause("undo", later)) for operation in operations)
