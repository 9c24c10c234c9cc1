"""``workbench sessions changes``: what was done to a plan, change by change, and why."""

from __future__ import annotations

import argparse
from itertools import groupby

import msgspec

from workbench.cli.opening import session_of
from workbench.cli.output import Output, counted, local_time, picked
from workbench.domain.errors import NotFound
from workbench.domain.loop.answers.causes import cause_text
from workbench.domain.plan.changing.history import Made, changes_of
from workbench.domain.session.state import SessionState


def show_changes(options: argparse.Namespace) -> int:
    """Show the changes that made a plan, or those that made one line of it."""
    output = Output.from_options(options)
    state = session_of(options).state()
    made = [change for change in changes_of(state.versions) if not options.line or options.line in change.items]
    if options.line and not made:
        raise NotFound(
            f"No change made, changed or removed {options.line!r}.", "Name a line of the plan by its id, as S4."
        )
    if output.json_lines(_object(state, one) for one in made):
        return 0
    if not made:
        output.line("No plan is drafted yet.")
    times = {version.version: version.time for version in state.versions}
    for version in dict.fromkeys(one.version for one in made):
        of_version = [one for one in made if one.version == version]
        output.line(f"version {version} · {local_time(times[version])} · {counted(len(of_version), 'change')}", "bold")
        for cause, alike in groupby(
            of_version, key=lambda one: cause_text(one.change.cause, state.feedback, state.statements)
        ):
            output.line(f"  {cause}", "dim")
            for one in alike:
                output.line(f"  {one.name:<6} {one.text}")
    if made:
        output.line(f"Take one back: workbench resume {state.session} --undo {made[-1].name}", "dim")
    return 0


def _object(state: SessionState, made: Made) -> dict[str, object]:
    return {
        "schema": "workbench.change/1",
        "session": state.session,
        "change": made.name,
        **picked(made, "version", "text"),
        "items": sorted(made.items),
        **msgspec.to_builtins(picked(made.change, "cause", "operation")),
    }
