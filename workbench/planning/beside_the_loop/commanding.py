"""A text of commands is carried out in a session, all of it or nothing, in whatever state the session is.

    text ─▶ worked_out ─▶ Commanded: the plan with its new dates, and statements that are settled ─▶ preview
                              └▶ carry_out ─▶ one batch of given events ─▶ the plan's next version

Who drives the session, a model's call that is under way, and an open gate do not matter: a change of a person is
taken into the plan before anything else happens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from workbench.domain.commands import Parsed, Unread, parse, read_outline
from workbench.domain.commands.errors import NoCommand
from workbench.domain.commands.printing import commands_between
from workbench.domain.commands.results import AddHolidays, Decide, Doubtful, Redo, Replan, Undo
from workbench.domain.errors import PlanUnsound, UsageError
from workbench.domain.loop.asking.tasks import Disputed, Finding
from workbench.domain.plan.changing.history import Deed, change_texts, deed_of, undo_and_redo, undone
from workbench.domain.plan.changing.operations import (
    AddItem,
    Cause,
    Change,
    Operation,
    SetField,
    applied,
    carried_out,
    operations_between,
)
from workbench.domain.plan.plan import Plan, Step
from workbench.domain.plan.scheduling.cycles import find_cycles
from workbench.domain.plan.scheduling.network import edges_left_out
from workbench.domain.plan.scheduling.rescheduling import replanned, rescheduled, with_steps
from workbench.domain.session import events as say
from workbench.domain.session.state import Marked, SessionState
from workbench.domain.statements.statement import Settled, without
from workbench.domain.text.cleaning import clean_name
from workbench.planning.beside_the_loop.public_holidays import with_holidays
from workbench.planning.beside_the_loop.reporting import next_number, record_changes
from workbench.planning.session_log import SessionLog

Marking = say.StatementMarked | say.FindingDisputed
_MOST_OF_A_NOTE = 400
_DATES = ("start", "end")
"""Fields that follow from others: what moves is told by itself."""


class Commanded(Struct, frozen=True):
    """What a text of commands does to a session."""

    before: Plan
    plan: Plan
    """The plan after it, with its new dates."""
    changes: tuple[Change, ...] = ()
    """What makes the one of the other."""
    marks: tuple[Marking, ...] = ()
    """What is said of statements and findings, to be recorded."""
    settled: tuple[Settled, ...] = ()
    """What becomes of these statements."""
    notes: tuple[str, ...] = ()
    """What happens besides, a sentence each."""
    doubts: tuple[Doubtful, ...] = ()
    """Values that could be read in another way."""
    decision: say.OfferDecided | None = None
    """What is decided about another program's offer."""

    @property
    def does_something(self) -> bool:
        """Whether anything changes."""
        return bool(self.changes or self.marks or self.decision)

    @property
    def disputed(self) -> tuple[Finding, ...]:
        """Findings that the person calls wrong, with the reason; without one where they take that back."""
        return tuple(mark.finding for mark in self.marks if isinstance(mark, say.FindingDisputed))

    @property
    def done(self) -> tuple[str, ...]:
        """What is done, a line each; without the dates that follow."""
        operations = [change.operation for change in self.changes]
        lines = change_texts([one for one in operations if getattr(one, "field", "") not in _DATES], self.before)
        settled = (f"{one.statement} {one.state} {', '.join(one.items)}".rstrip() for one in self.settled)
        disputed = (f"{'disputed' if one.disputed else 'disputed no more'}: {one.text}" for one in self.disputed)
        return (*lines, *settled, *disputed)


def worked_out(state: SessionState, text: str, today: date, *, me: str = "") -> Commanded:
    """Return what commands do to a session; nothing is recorded. ``me``: whose steps "mine" are.

    Raises NoCommand for a text that is none, with its place, and UsageError for a command that cannot be carried out.
    """
    if state.plan is None:
        raise UsageError("There is no plan yet.", f"Go on with: workbench resume {state.session}")
    before, _ = carried_out(state.plan, state.changing)
    parsed = parse(text, before, today, me=me, taken=_taken(state))
    if isinstance(parsed, Unread):
        raise NoCommand(parsed)
    if any(isinstance(action, Undo | Redo) for action in parsed.actions):
        return _gone_back(state, parsed)
    if any(isinstance(action, Decide) for action in parsed.actions):
        return _commands_for_offer(state, parsed, before, today)
    try:
        plan, notes = _with_dates(before, _dated_as_before(before, parsed.plan), today)
        for action in parsed.actions:
            if isinstance(action, Replan):
                plan = replanned(plan, today)
                notes = (*notes, *map(_left_out, edges_left_out(plan)))
            elif isinstance(action, AddHolidays):
                plan = with_holidays(state, plan, action.country)
    except PlanUnsound as error:
        raise UsageError(error.message, error.remedy) from error
    _check_dates(parsed, plan)
    settled = tuple(one for one in parsed.actions if isinstance(one, Settled))
    _check_known(state, settled)
    cause = Cause("replan") if parsed.actions == (Replan(),) and not parsed.operations else Cause("person")
    changes = tuple(Change(operation, cause) for operation in operations_between(before, plan, moved=parsed.moved))
    marks = (*(say.StatementMarked(settled=one) for one in settled), *_disputed_findings(state, parsed))
    return Commanded(before, plan, changes, marks, settled, (*parsed.notes, *notes), parsed.doubts)


def adding(state: SessionState, lines: str, today: date, place: str = "") -> str:
    """Return commands that add lines of one's own steps to the plan; ``place`` is where, such as ``below S3``.

    Raises NoCommand for a line that cannot be read, with its place.
    """
    if state.plan is None:
        return ""
    before, _ = carried_out(state.plan, state.changing)
    read = read_outline(lines, before, today, taken=_taken(state))
    if isinstance(read, Unread):
        raise NoCommand(read)
    commands = commands_between(before, read.plan)
    known = {step.id for step in before.steps}
    new = [step.id for step in read.plan.steps if step.id not in known]
    return "\n".join((*commands, f"move {' '.join(new)} {place}") if place and new else commands)


def _taken(state: SessionState) -> set[str]:
    return {item.id for version in state.versions for item in version.plan.items}


def carry_out(session: SessionLog, text: str, today: date, *, me: str = "") -> Commanded:
    """Carry commands out in a session; return what they did. Raises as ``worked_out`` does: then nothing is recorded.

    Where another process drives the session, that one changes the plan before its next step.
    """
    commanded = worked_out(session.refresh(), text, today, me=me)

    def bodies(state: SessionState) -> Sequence[say.Body]:
        nonlocal commanded
        commanded = worked_out(state, text, today, me=me)  # somebody may have changed the plan meanwhile
        said = "" if commanded.decision else text.strip()
        reported = (say.StatusReported(text=said, changes=commanded.changes),) if commanded.changes else ()
        decided = (commanded.decision,) if commanded.decision else ()
        number = next_number(state)
        marks = (replace(mark, number=number, with_changes=bool(reported)) for mark in commanded.marks)
        return (*decided, *reported, *marks)

    if commanded.does_something:
        record_changes(session, bodies)
    return commanded


def take_in(session: SessionLog, text: str, changes: Callable[[SessionState], tuple[Change, ...]]) -> None:
    """Record changes that a person agreed to, in whatever state the session is; ``text`` says what they come from.

    They are worked out again if somebody changed the plan meanwhile.
    """

    def bodies(state: SessionState) -> Sequence[say.Body]:
        made = changes(state)
        return (say.StatusReported(text=text, changes=made),) if made else ()

    record_changes(session, bodies)


def _commands_for_offer(state: SessionState, parsed: Parsed, before: Plan, today: date) -> Commanded:
    """Return what becomes of an offer: its commands on the plan as it is now, or nothing. Raises UsageError."""
    action, *others = parsed.actions
    if others or parsed.operations or not isinstance(action, Decide):
        raise UsageError(
            "An offer must be decided in a command of its own.",
            "Accept or decline one offer, with no other command beside it.",
        )
    offered = next((offer for offer in state.offers if offer.id == action.offer), None)
    if offered is None:
        raise UsageError(f"There is no offer {action.offer}.", f"List them: workbench offers {state.session}")
    if offered.decided:
        raise UsageError(f"{offered.id} was {offered.decided} already.", "`undo` takes the last change back.")
    note = clean_name(action.note, _MOST_OF_A_NOTE)
    decision = say.OfferDecided(offer=offered.id, accepted=action.is_accepted, note=note)
    if not action.is_accepted:
        return Commanded(before, before, decision=decision)
    done = as_client_changes(worked_out(state, offered.text, today), f"{offered.client} {offered.id}")
    since = f"It was offered for version {offered.version}; the plan is version {state.version} now."
    notes = done.notes if offered.version == state.version else (since, *done.notes)
    return msgspec.structs.replace(done, decision=decision, notes=notes)


def as_client_changes(done: Commanded, client: str) -> Commanded:
    """Return what commands do, as changes of another program's. Raises UsageError if they do more than change."""
    if done.marks or done.decision or any(change.cause.kind != "person" for change in done.changes):
        raise UsageError(
            "A program may change items of the plan only.", "Leave statements, decisions and undo to a person."
        )
    changes = tuple(Change(change.operation, Cause("client", client)) for change in done.changes)
    return msgspec.structs.replace(done, changes=changes)


def _with_dates(before: Plan, after: Plan, today: date) -> tuple[Plan, tuple[str, ...]]:
    """Return a changed plan with its new dates, and which steps must leave a given date, with why."""
    if after == before:
        return after, ()
    for circle in set(find_cycles(after.steps)) - set(find_cycles(before.steps)):
        chain = " → ".join((*circle, circle[0]))
        known = {step.id: step.needs for step in before.steps}
        needs = zip(circle, (circle[-1], *circle), strict=False)
        one, other = next((pair for pair in needs if pair[1] in known.get(pair[0], ())), (circle[0], circle[-1]))
        remedy = f"Take one of these dependencies out first, as in: `{one} needs not {other}`."
        raise UsageError(f"These steps wait for one another: {chain}.", remedy)
    steps = {step.id: step for step in after.steps}
    for name, need in set(edges_left_out(after)) - set(edges_left_out(before)):
        if need in steps:  # a circle of needs, wholes and parts
            near = [step for step in (steps[name], steps.get(steps[name].parent)) if step]
            ways = [f"`{step.id} needs not {one}`" for step in near for one in step.needs]
            remedy = (
                f"A part cannot need its whole, nor what needs that. Take one of these back first: {', '.join(ways)}."
            )
            raise UsageError(f"{name} would wait for itself.", remedy)
    if not before.steps:  # no day is known that the first ones could keep
        return replanned(after, today), ()
    moves = rescheduled(before, after, today=today)
    return moves.plan, tuple(f"{step} must move: {why}." for step, why in moves.forced.items())


def _dated_as_before(before: Plan, after: Plan) -> Plan:
    """Return a changed plan without the dates that a person said: they are worked out, and compared then."""
    old = {step.id: step for step in before.steps if step.start}
    steps = ((step, old[step.id]) for step in after.steps if step.id in old)
    said = {new.id: replace(new, start=was.start, end=was.end) for new, was in steps if _dates(new) != _dates(was)}
    return with_steps(after, said) if said else after


def _dates(step: Step) -> tuple[str | None, str | None]:
    return step.start, step.end


def _left_out(edge: tuple[str, str]) -> str:
    return f"Dated without the need of {edge[0]} for {edge[1]}, which nothing can wait for."


def _fields_set(operation: Operation) -> tuple[SetField, ...]:
    """Return what an operation sets of an item, of a new one too its dates."""
    if isinstance(operation, AddItem) and isinstance(item := operation.item, Step):
        return tuple(SetField(item.id, field, getattr(item, field)) for field in _DATES)
    return (operation,) if isinstance(operation, SetField) else ()


def _check_dates(parsed: Parsed, plan: Plan) -> None:
    """Raise UsageError for a start or an end that a person said and that is worked out to be another one."""
    steps = {step.id: step for step in plan.steps}
    said = (one for operation in parsed.operations for one in _fields_set(operation))
    for one in said:
        if one.field not in _DATES or one.item not in steps or not one.value:
            continue
        if getattr(steps[one.item], one.field) != one.value:
            words = ("not before", "on") if one.field == "start" else ("by",)
            ways = " or ".join(f"`{one.item} {word} {one.value}`" for word in words)
            raise UsageError(f"The {one.field} of {one.item} is worked out, not set.", f"Say {ways}.")


def _check_known(state: SessionState, settled: Sequence[Settled]) -> None:
    known = {statement.id for statement in state.statements}
    for one in settled:
        if one.statement not in known:
            hint = f"List them: workbench sessions show {state.session}"
            raise UsageError(f"There is no statement {one.statement}.", hint)


def _disputed_findings(state: SessionState, parsed: Parsed) -> tuple[Marking, ...]:
    """Return which findings a person calls wrong, with the reason; they are numbered as the session shows them."""
    found: list[Marking] = []
    for one in (action for action in parsed.actions if isinstance(action, Disputed)):
        number = int(one.finding[1:])
        if not 0 < number <= len(state.findings):
            hint = f"List them: workbench sessions show {state.session}"
            raise UsageError(f"There is no finding {one.finding}.", hint)
        finding = state.findings[number - 1]
        found.append(say.FindingDisputed(finding=replace(finding, disputed=one.reason), before=finding.disputed))
    return tuple(found)


def _gone_back(state: SessionState, parsed: Parsed) -> Commanded:
    """Return what takes commands back, or makes them again; all is then exactly as it was."""
    if len(parsed.actions) > 1 or parsed.operations:
        raise UsageError(
            "Undo and redo are commands of their own.", "Give the other commands before them or after them."
        )
    if state.plan is None or state.changing:
        raise UsageError("The last change is not in the plan yet.", "Try again in a moment.")
    action = parsed.actions[0]
    to_undo, to_redo = undo_and_redo(deeds_of(state))
    if isinstance(action, Undo) and action.to:
        return _back_to(state, action.to)
    if isinstance(action, Undo) and not to_undo:
        raise UsageError("There is nothing to undo: the plan is as it was first drafted.")
    if isinstance(action, Redo) and not to_redo:
        raise UsageError("There is nothing to redo.", "Redo takes back an undo, while nothing else was changed.")
    name = to_undo[-1] if isinstance(action, Undo) else to_redo[-1]
    changes = undone(state.versions, name) if name.isdecimal() else ()
    return _taken_back(state, changes, [marking for marking in state.markings if _deed_name(marking) == name], name)


def _back_to(state: SessionState, number: int) -> Commanded:
    """Return what makes all as it was when a version was made."""
    version = next((one for one in state.versions if one.version == number), None)
    if version is None or state.plan is None:
        raise UsageError(f"There is no version {number}.", f"Name one from 1 to {state.version}.")
    marks = [marking for marking in state.markings if marking.seq > version.seq and marking.version != number]
    places = {str(one.version): one.seq for one in state.versions} | {_deed_name(mark): mark.seq for mark in marks}
    later = ", ".join(name for name, seq in places.items() if seq > version.seq)
    operations = operations_between(state.plan, version.plan)
    return _taken_back(state, tuple(Change(operation, Cause("undo", later)) for operation in operations), marks, later)


def _taken_back(state: SessionState, changes: tuple[Change, ...], marks: Sequence[Marked], name: str) -> Commanded:
    """Return the changes, and what takes marks back, the last one first."""
    assert state.plan is not None  # noqa: S101 – both callers looked
    after = applied(state.plan, (change.operation for change in changes))
    bodies = tuple(replace(_inverse(mark.body), undoes=name) for mark in reversed(marks))
    settled = state.settled
    for body in bodies:
        if isinstance(body, say.StatementMarked):
            settled = without(settled, body.settled) if body.takes_back else settled.appended(body.settled)
    named = {body.settled.statement for body in bodies if isinstance(body, say.StatementMarked)}
    now = replace(state, settled=settled).accounts_in(after)
    told = tuple(
        Settled(statement=one.statement.id, state=one.state, note=one.note, items=one.items)
        for one in now
        if one.statement.id in named
    )
    return Commanded(state.plan, after, changes, bodies, told)


def _inverse(body: Marking) -> Marking:
    takes_back = not body.takes_back
    if isinstance(body, say.StatementMarked):
        return replace(body, takes_back=takes_back)
    finding = replace(body.finding, disputed=body.before)
    return replace(body, takes_back=takes_back, finding=finding, before=body.finding.disputed)


def _deed_name(mark: Marked) -> str:
    """Return what the command is called that made a mark; one that changed the plan, by its version."""
    number = mark.body.number
    return str(mark.version) if mark.version else f"m{number}" if number else f"e{mark.seq}"


def deeds_of(state: SessionState) -> tuple[Deed, ...]:
    """Return what was done in a session, in order: versions of the plan, and commands beside them."""
    deeds = [(version.seq, deed_of(version)) for version in state.versions]
    beside = {_deed_name(marking): marking for marking in state.markings if not marking.version}
    for name, one in beside.items():
        deeds.append((one.seq, Deed(name, frozenset(filter(None, one.body.undoes.split(", "))))))
    return tuple(deed for _, deed in sorted(deeds, key=lambda pair: pair[0]))


def goes_behind_save(state: SessionState, text: str, today: date) -> bool:
    """Tell whether a text of commands takes back something of the version that was saved last."""
    saved = state.saved_version
    if saved is None or state.plan is None:
        return False
    parsed = parse(text, state.plan, today)
    undo = next((one for one in parsed.actions if isinstance(one, Undo)), None) if isinstance(parsed, Parsed) else None
    if undo is None:
        return False
    if undo.to:
        return undo.to < saved
    last = next(iter(undo_and_redo(deeds_of(state))[0][::-1]), "")
    if last.isdecimal():
        return int(last) <= saved
    before = max((point.seq for point in state.points if point.state.saved_version != saved), default=0)
    return any(marking.seq <= before for marking in state.markings if _deed_name(marking) == last)


def way_back(state: SessionState) -> str:
    """Return the command that takes back what was done last: ``undo``, and after an undo ``redo``."""
    deeds = deeds_of(state)
    return "redo" if deeds and deeds[-1].name in undo_and_redo(deeds)[1] else "undo"
