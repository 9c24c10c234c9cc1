"""``workbench import``: a plan from a file, as a preview, or brought into a session's plan."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path

from msgspec import Struct

from workbench.bootstrap import Session
from workbench.cli.opening import session_of
from workbench.cli.output import Output, counted
from workbench.cli.reading import STANDARD_INPUT, read_plan_file
from workbench.domain.errors import PlanUnsound, UsageError
from workbench.domain.loop.steps import OFFLINE
from workbench.domain.plan.changing.history import told
from workbench.domain.plan.changing.merging import carried_over
from workbench.domain.plan.changing.operations import Cause, Change, Operation, applied, carried_out, operations_between
from workbench.domain.plan.importing.imported import Imported
from workbench.domain.plan.importing.matching import Merge
from workbench.domain.plan.plan import Plan
from workbench.domain.plan.scheduling.rescheduling import is_report, rescheduled, with_steps
from workbench.domain.session.session import SessionState
from workbench.domain.text.cleaning import clean_name, shorten
from workbench.export.imported import (
    ITEM_COLUMNS,
    Preview,
    import_object,
    item_rows,
    left_out,
    schedule_lines,
    step_table,
    what_became_of_lines,
    what_was_read,
)
from workbench.export.markdown import version_of
from workbench.export.returned import written_from
from workbench.plan_files import read_plan

WAITING = 3
"""Exit code: a person has to agree first."""
_SHOWN = 40
"""Lines without a place, and changes, that are shown; a program gets all of them."""
_LONGEST_CELL = 70
"""Characters of a text in the tables."""


def import_file(options: argparse.Namespace) -> int:
    """Show what a file is read as; with a session, what it changes there, and with consent change it."""
    output = Output.from_options(options)
    if options.yes and not options.session:
        raise UsageError("There is no session to bring it into.", "Name one with --session ID.")
    text = read_plan_file(options.file)
    name = "-" if options.file == STANDARD_INPUT else clean_name(Path(options.file).name, 80)
    today: date = options.today or datetime.now(UTC).astimezone().date()
    source = "" if name == "-" else name
    if not options.session:
        return _preview(text, name, today, options, output)
    session = session_of(options)
    return _bring_in(session, partial(_compared, text=text, source=source, today=today), name, options, output)


def _preview(text: str, name: str, today: date, options: argparse.Namespace, output: Output) -> int:
    """Show a plan and its schedule, and begin a session from it if the person wants that."""
    imported = read_plan(text, name="" if name == "-" else name, today=today)
    preview = Preview.from_imported(imported, today)
    if output.as_json:
        output.json(import_object(imported, name, preview=preview))
    else:
        _show(imported, name, output, preview)
        output.line()
    if options.begin is not None or output.asks("Begin a session from it?"):
        goal = options.begin or imported.plan.title or f"Carry out the plan of {name}"
        return begin_with(goal, text, name, options, reads=bool(options.begin))
    if not output.as_json:
        named = shlex.quote(clean_name(options.file, 200))
        output.line(f"Nothing was written. Begin a session from it: workbench import {named} --begin", "bold")
    return 0


def begin_with(
    goal: str, text: str, name: str, options: argparse.Namespace, *, is_kept: bool = True, reads: bool = False
) -> int:
    """Begin a session with a file's plan, which no model is asked to write again if it is to be kept.

    ``reads``: whether the goal is the person's own, and may name files.
    """
    from workbench.cli.parser import build_parser  # most imports begin nothing
    from workbench.cli.plan.run import begin_session

    run = build_parser().parse_args(["run", *(["--model", OFFLINE] if is_kept else [])])
    run.workspace, run.log, run.json = options.workspace, options.log, options.json
    return begin_session(run, goal, text, name, reads=reads)


class _Compared(Struct, frozen=True):
    """A file, and what it changes in a session's plan."""

    imported: Imported
    plan: Plan
    operations: tuple[Operation, ...]
    notes: tuple[str, ...] = ()
    """What a person should know of how they were compared."""

    def told(self) -> tuple[str, ...]:
        """Return the changes in words."""
        plan, words = self.plan, []
        for operation in self.operations:
            words.append(told(operation, plan))
            plan = applied(plan, (operation,))
        return tuple(words)


def _compared(state: SessionState, text: str, source: str, today: date) -> _Compared:
    """Compare a file with a session's plan. Raises UsageError for a session without one."""
    if state.plan is None:
        raise UsageError(
            "The session has no plan to bring it into.", "Begin one from the file: workbench import FILE --begin"
        )
    of = version_of(text, state)
    imported = read_plan(text, name=source, today=today, base=of.plan if of else state.plan)
    was = None
    if of is None and (was := written_from(text, imported, state, source=source, today=today)) is not None:
        of = was.version
        imported = read_plan(text, name=source, today=today, base=of.plan if of else state.plan)
    now, _ = carried_out(state.plan, state.changing)
    base = now if of is None else of.plan
    merge = Merge(base, imported, source or "a file", was.imported if was else None, is_export=of is not None)
    operations = operations_between(base, merge.plan())
    notes = list(merge.not_taken(now)) if of is None else []
    if of is not None and of.version != state.version:
        carried = carried_over(base, operations, now)
        operations = carried.operations
        notes = [f"The file is of version {of.version}: what it changes was carried over to version {state.version}."]
        notes += [f"It takes back what was changed since: {told(one, base)}." for one in carried.overridden]
        notes += [f"It has no place any more: {told(one, base)}." for one in carried.unplaced]
    gone = merge.missing(now) if was or of else []
    if gone:
        remove = f"workbench edit {state.session} 'remove {gone[0]}'"
        notes.append(f"Not in the file any more: {', '.join(gone)}. What is missing stays; to take it out: {remove}")
    moved = _with_dates(now, applied(now, operations), today, merge.dated() if of is None else set())
    return _Compared(imported, now, operations_between(now, moved), tuple(notes))


def _with_dates(now: Plan, changed: Plan, today: date, dated: set[str]) -> Plan:
    """Return a changed plan with the dates that follow, if they can be calculated.

    How the work stands moves nothing, as the file would say otherwise then; nor does a step that is ``dated`` there.
    """
    if changed == now or is_report(now, changed):
        return changed
    try:
        moved = rescheduled(now, changed, today=today).plan
    except PlanUnsound:
        return changed
    return with_steps(moved, {step.id: step for step in changed.steps if step.id in dated})


def _bring_in(
    session: Session,
    compare: Callable[[SessionState], _Compared],
    name: str,
    options: argparse.Namespace,
    output: Output,
) -> int:
    cause, compared = Cause("import", name), compare(session.state())

    def again(state: SessionState) -> tuple[Change, ...]:
        return tuple(Change(operation, cause) for operation in compare(state).operations)

    changes, version = compared.told(), None
    if not output.as_json:
        _show(compared.imported, name, output)
        _show_changes(changes, session.id, output)
    for note in compared.notes:
        output.note(note)
    if changes and options.yes:
        state = session.take_in(f"Import of {name}: {counted(len(changes), 'change')}", again)
        version = None if state.changing else state.version
    if output.as_json:
        output.json(import_object(compared.imported, name, session=session.id, changes=changes, version=version))
    elif version is not None:
        output.line(f"Brought in: version {version}. Take it back: workbench edit {session.id} undo --yes")
    elif changes and options.yes:
        output.line("Brought in: the process that drives the session changes the plan before the next step.")
    if changes and not options.yes:
        agree = f"workbench import {options.file} --session {session.id} --yes"
        output.note(f"Nothing was written. Agree with --yes: {agree}")
        return WAITING
    return 0


# --- what is shown ----------------------------------------------------------------------------------------------------


def _show(imported: Imported, name: str, output: Output, preview: Preview | None = None) -> None:
    title = f" · {imported.plan.title}" if imported.plan.title else ""
    output.line(f"{name}{title}", "bold")
    output.line(f"Read as {what_was_read(imported)}.")
    output.line(f"Lines: {what_became_of_lines(imported)}.")
    if imported.plan.steps:
        table = step_table(imported, preview)
        output.heading(table.title)
        output.table(table.columns, [[_cell(text) for text in row] for row in table.rows])
    if preview is not None and imported.plan.steps:
        output.heading("Schedule")
        for line in schedule_lines(preview):
            output.line(f"  {line}")
        for conflict in preview.conflicts[:_SHOWN]:
            output.line(f"  {conflict}", "red")
        _show_rest(len(preview.conflicts), output)
    if items := list(item_rows(imported)):
        output.heading("Other items")
        output.table(ITEM_COLUMNS, [[_cell(text) for text in row] for row in items])
    if beyond := left_out(imported):
        output.note(beyond)
    if imported.guesses:
        output.heading("Guessed")
        for guess in imported.guesses:
            output.line(f"  {guess}")
    if imported.not_placed:
        output.heading(f"Not placed: {counted(len(imported.not_placed), 'line')}, kept in a section of that name")
        for one in imported.not_placed[:_SHOWN]:
            output.line(f"  line {one.line}: {_cell(one.text)} ({one.why})")
        _show_rest(len(imported.not_placed), output)


def _show_changes(changes: tuple[str, ...], session: str, output: Output) -> None:
    if not changes:
        output.heading(f"Changes nothing in {session}.")
        return
    output.heading(f"Changes in {session}: {len(changes):,}")
    for change in changes[:_SHOWN]:
        output.line(f"  {shorten(' '.join(change.split()), 2 * _LONGEST_CELL)}")
    _show_rest(len(changes), output)


def _show_rest(count: int, output: Output) -> None:
    if count > _SHOWN:
        output.line(f"  and {count - _SHOWN:,} more", "dim")


def _cell(text: str) -> str:
    indent = "  " if text.startswith("  ") else ""
    return indent + shorten(" ".join(text.split()), _LONGEST_CELL)
