"""``workbench due``: what is late, due today, soon or at risk, over all plans of the workspace."""

from __future__ import annotations

import argparse
from datetime import date, datetime
from typing import Literal

import msgspec

from workbench.bootstrap import Workspace
from workbench.cli.opening import existing_workspace
from workbench.cli.output import Output, counted
from workbench.domain.plan.due import DueStep, Standing, due_of
from workbench.domain.session.standing import OpenPlan, open_plan
from workbench.domain.text.quoting import quoted

LATE = 4
"""Exit code if something is late."""


class DueObject(DueStep, frozen=True, kw_only=True):
    """A line of ``workbench due --json``."""

    schema: Literal["workbench.due/1"] = "workbench.due/1"
    session: str
    plan: str
    """The plan's title."""
    standing: Standing


def show_due(options: argparse.Namespace) -> int:
    """List the steps that want attention; exit code 4 if one is late."""
    output, today = Output.from_options(options), options.today or datetime.now().astimezone().date()
    workspace, named = existing_workspace(options), tuple(options.plan)
    every = (
        [open_plan(workspace.session(session).state()) for session in named]
        if named
        else _open_plans(workspace, output)
    )
    due = [_due(plan, row) for plan in every for row in due_of(plan.steps, today, soon=options.days)]
    plans = len(every)
    if output.json_lines(map(msgspec.to_builtins, due)):
        pass
    elif options.report:
        output.markdown(quoted(_report(due, today, options.days, plans)))
    else:
        _print(due, today, plans, output)
    return LATE if any(row.kind == "late" for row in due) else 0


def _open_plans(workspace: Workspace, output: Output) -> list[OpenPlan]:
    """Return the plans that are agreed or under way and not private; say which sessions cannot be read."""
    plans, unreadable = workspace.open_plans()
    for session, why in unreadable:
        output.note(f"{session} cannot be read: {why}")
    return plans


def _due(plan: OpenPlan, row: DueStep) -> DueObject:
    return DueObject(session=plan.session, plan=plan.title, standing=plan.standing, **msgspec.structs.asdict(row))


def _print(due: list[DueObject], today: date, plans: int, output: Output) -> None:
    if not due:
        output.line(f"Nothing is due: {counted(plans, 'plan')} looked at, as of {today.isoformat()}.")
        if not plans:
            output.note("Only plans that were saved are looked at. Name another one with --plan ID.")
        return
    for session in dict.fromkeys(row.session for row in due):
        rows = [row for row in due if row.session == session]
        output.heading(f"{rows[0].plan} · {session}")
        cells = [(row.kind, f"{row.step} {row.title}", row.owner, row.end, _reason(row)) for row in rows]
        output.table(("", "step", "who", "ends", "why"), cells)


def _reason(row: DueObject) -> str:
    return f"{row.why}; agreed was {row.was}" if row.was else row.why


def _report(due: list[DueObject], today: date, days: int, plans: int) -> str:
    """Return the report of a week in Markdown."""
    lines = [f"# Due as of {today.isoformat()}", "", f"{counted(plans, 'plan')}, the next {counted(days, 'day')}."]
    for session in dict.fromkeys(row.session for row in due):
        rows = [row for row in due if row.session == session]
        lines += ["", f"## {rows[0].plan}", "", f"Session {session}, {rows[0].standing}.", ""]
        lines += [f"- **{row.kind}** {row.step} {row.title} ({row.owner or 'nobody'}): {_reason(row)}." for row in rows]
    return "\n".join(lines if due else [*lines, "", "Nothing is due."]) + "\n"
