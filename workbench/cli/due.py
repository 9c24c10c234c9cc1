"""``workbench due``: what is late, due today, soon or at risk, over all plans of the workspace."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from datetime import date, datetime
from typing import Literal

import msgspec

from workbench.bootstrap import Workspace
from workbench.cli.opening import existing_workspace
from workbench.cli.output import Output, counted
from workbench.domain.errors import WorkbenchError
from workbench.domain.plan.due import DueStep, Standing, due_steps
from workbench.domain.session.standing import standing_of
from workbench.domain.session.state import SessionState
from workbench.domain.text.quoting import quoted
from workbench.export.markdown import plan_version

LATE = 4
"""Exit code where something is late."""


class DueObject(DueStep, frozen=True, kw_only=True):
    """A line of ``workbench due --json``."""

    schema: Literal["workbench.due/1"] = "workbench.due/1"
    session: str
    plan: str
    """The plan's title."""
    standing: Standing


def show_due(options: argparse.Namespace) -> int:
    """List the steps that want attention; exit code 4 where one is late."""
    output, today = Output.of(options), options.today or datetime.now().astimezone().date()
    due: list[DueObject] = []
    plans = 0
    for state in _states(existing_workspace(options), tuple(options.plan), output):
        plans += 1
        due += _due_of(state, today, options.days)
    if output.json_lines(map(msgspec.to_builtins, due)):
        pass
    elif options.report:
        output.markdown(quoted(_report(due, today, options.days, plans)))
    else:
        _print(due, today, plans, output)
    return LATE if any(row.kind == "late" for row in due) else 0


def _states(workspace: Workspace, named: tuple[str, ...], output: Output) -> Iterator[SessionState]:
    """Yield the sessions with a plan that is carried out: those named, or all that are agreed and not private."""
    if named:
        yield from (workspace.session(session).state() for session in named)
        return
    for listed in workspace.sessions():
        try:
            state = workspace.session(listed.session).state()
        except WorkbenchError as error:
            output.note(f"{listed.session} cannot be read: {error.message}")
            continue
        if not state.private and standing_of(state) in ("agreed", "under way"):
            yield state


def _due_of(state: SessionState, today: date, soon: int) -> list[DueObject]:
    if state.plan is None:
        return []
    agreed = plan_version(state, state.saved_version) if state.saved_version else None
    rows = due_steps(state.plan, today, soon=soon, baseline=agreed.plan if agreed else None)
    title, stands = state.plan.title or state.name, standing_of(state)
    return [
        DueObject(session=state.session, plan=title, standing=stands, **msgspec.structs.asdict(row)) for row in rows
    ]


def _print(due: list[DueObject], today: date, plans: int, output: Output) -> None:
    if not due:
        output.line(f"Nothing is due: {counted(plans, 'plan')} looked at, as of {today.isoformat()}.")
        if not plans:
            output.note("Only plans that were saved are looked at. Name another one with --plan ID.")
        return
    for session in dict.fromkeys(row.session for row in due):
        rows = [row for row in due if row.session == session]
        output.heading(f"{rows[0].plan} · {session}")
        cells = [(row.kind, f"{row.step} {row.title}", row.owner, row.end, _why(row)) for row in rows]
        output.table(("", "step", "who", "ends", "why"), cells)


def _why(row: DueObject) -> str:
    return f"{row.why}; agreed was {row.was}" if row.was else row.why


def _report(due: list[DueObject], today: date, days: int, plans: int) -> str:
    """Return the report of a week in Markdown."""
    lines = [f"# Due as of {today.isoformat()}", "", f"{counted(plans, 'plan')}, the next {counted(days, 'day')}."]
    for session in dict.fromkeys(row.session for row in due):
        rows = [row for row in due if row.session == session]
        lines += ["", f"## {rows[0].plan}", "", f"Session {session}, {rows[0].standing}.", ""]
        lines += [f"- **{row.kind}** {row.step} {row.title} ({row.owner or 'nobody'}): {_why(row)}." for row in rows]
    return "\n".join(lines if due else [*lines, "", "Nothing is due."]) + "\n"
