"""``workbench sessions import``: a session's file from a colleague, another machine, a backup."""

from __future__ import annotations

import argparse

from workbench.bootstrap import Imported
from workbench.cli.opening import open_workspace
from workbench.cli.output import Output, counted
from workbench.cli.sessions import done
from workbench.domain.text.cleaning import clean_name


def import_session(options: argparse.Namespace) -> int:
    """Take in a session's file, and say what became of it."""
    imported = open_workspace(options).import_session(
        options.file, name=options.name, sound_part=options.sound_part, new_id=options.new_id
    )
    if imported.lost and not options.json:
        lines = counted(imported.lost, "line")
        Output.of(options).note(
            f"{lines} of {clean_name(options.file, 200)}, damaged or after the damage, were left out."
        )
    if imported.rules_change:
        Output.of(options).note(imported.rules_change)
    return done(
        options,
        _told(imported),
        session=imported.session,
        events=imported.events,
        lost=imported.lost,
        imported=imported.behind is None,
    )


def _told(imported: Imported) -> str:
    if imported.behind is None:
        events = counted(imported.events, "event")
        rests = f" It goes on when you say so: workbench resume {imported.session}." if imported.stopped else ""
        look = f"Look at it with: workbench sessions show {imported.session}"
        return f"Imported {imported.session}, {events}.{rests} {look}"
    more = f", and went on for {counted(imported.behind, 'event')}" if imported.behind else ""
    return f"{imported.session} is here already, event for event the same{more}. Nothing was done."
