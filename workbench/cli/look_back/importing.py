"""``workbench sessions import``: a session's file from a colleague or a backup, or a coding agent's transcript."""

from __future__ import annotations

import argparse

from workbench.bootstrap import Imported
from workbench.cli.look_back.sessions import done
from workbench.cli.opening import open_workspace
from workbench.cli.output import Output, counted
from workbench.domain.errors import UsageError
from workbench.domain.text.cleaning import clean_name
from workbench.planning.memory.transcripts import Transcript, read_transcript


def import_session(options: argparse.Namespace) -> int:
    """Take in a session's file, or a transcript, and say what became of it."""
    if (transcript := _transcript_in(options.file)) is not None:
        return _import_transcript(transcript, options)
    imported = open_workspace(options).import_session(
        options.file, name=options.name, sound_part=options.sound_part, new_id=options.new_id
    )
    if imported.lost and not options.json:
        lines = counted(imported.lost, "line")
        Output.from_options(options).note(
            f"{lines} of {clean_name(options.file, 200)} were left out: they are damaged, or come after the damage."
        )
    if imported.rules_change:
        Output.from_options(options).note(imported.rules_change)
    return done(
        options,
        _import_summary(imported),
        session=imported.session,
        events=imported.events,
        lost=imported.lost,
        imported=imported.behind is None,
    )


def _transcript_in(file: str) -> Transcript | None:
    try:
        return read_transcript(file)
    except OSError:
        return None  # importing it as a session says what is wrong with it


def _import_transcript(transcript: Transcript, options: argparse.Namespace) -> int:
    if options.sound_part or options.new_id:
        raise UsageError("--sound-part and --new-id are for a session's file.", "Leave them out for a transcript.")
    session, new = open_workspace(options).import_transcript(transcript, name=options.name)
    for why in () if options.json else transcript.left_out:
        Output.from_options(options).note(why)
    told = f"{session}: {counted(new, 'new message')} of a transcript ({transcript.label}), to be read and searched."
    return done(options, told, session=session, imported=new > 0, kept=new, lost=len(transcript.left_out))


def _import_summary(imported: Imported) -> str:
    if imported.behind is None:
        events = counted(imported.events, "event")
        rests = f" It goes on when you say so: workbench resume {imported.session}." if imported.stopped else ""
        look = f"Look at it with: workbench sessions show {imported.session}"
        return f"Imported {imported.session}, {events}.{rests} {look}"
    more = f", and went on for {counted(imported.behind, 'event')}" if imported.behind else ""
    return f"{imported.session} is here already, event for event the same{more}. Nothing was done."
