"""From a command's options to the workspace it works in."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.bootstrap import Session, Workspace, sample_sessions, workspace_exists
from workbench.cli.options import folder_of, named_settings, settings_of
from workbench.cli.output import counted
from workbench.domain.errors import NotFound
from workbench.domain.log.envelope import Event
from workbench.storage.files.log import SUFFIX
from workbench.storage.log_address import parse_log_address

if TYPE_CHECKING:  # most commands open no recording
    from workbench.replay.opening import OnProgress, Opened


def open_workspace(options: argparse.Namespace) -> Workspace:
    """Open the nearest workspace, or create one: for commands that begin something."""
    workspace = Workspace.open(folder_of(options), options=named_settings(options))
    workspace.parts.allowed_tools = tuple(getattr(options, "allow_tools", ()))
    return workspace


def existing_workspace(options: argparse.Namespace) -> Workspace:
    """Open the nearest workspace. Raises NotFound if there is none: a question creates nothing."""
    if not has_workspace(options):
        raise NotFound(
            "There is no workspace here or in a folder above.",
            'Begin one with `workbench run "…"`, or name its folder with --workspace.',
        )
    return open_workspace(options)


def session_of(options: argparse.Namespace) -> Session:
    """Return the session that a command names. Raises InvalidId, NotFound."""
    return existing_workspace(options).session(options.session)


def has_workspace(options: argparse.Namespace) -> bool:
    """Return whether there is a workspace: here, in a folder above, or one that is named on a server."""
    if workspace_exists(folder_of(options)):
        return True
    settings = settings_of(options)
    return bool(settings.log and parse_log_address(settings.log, settings.sources["log"]).workspace)


def is_file(session: str) -> bool:
    """Tell whether a session is named by its file, and not by its id."""
    return session.endswith(".jsonl") or "/" in session


def _found(options: argparse.Namespace, session: str) -> Session | Path:
    """Return the session that is named, else the file: one from elsewhere, or a sample. Raises InvalidId, NotFound."""
    if is_file(session):
        return Path(session)
    samples = sample_sessions()
    try:
        return existing_workspace(options).session(session)
    except NotFound:
        if session not in samples:
            raise
        return samples[session]


def events_of(options: argparse.Namespace, session: str) -> Iterator[Event]:
    """Return the events of a session, of a session file anywhere, or of a sample. Raises as reading a log does."""
    from workbench.storage.files.session_file import read_session_file

    found = _found(options, session)
    return read_session_file(found) if isinstance(found, Path) else found.events()


def file_of(options: argparse.Namespace, session: str) -> Path | None:
    """Return the file that a session is read from; None if a server keeps it, or it has vanished meanwhile."""
    try:
        found = _found(options, session)
    except NotFound:
        return None
    if isinstance(found, Path):
        return found
    workspace = existing_workspace(options)
    return workspace.folder.sessions / f"{session}{SUFFIX}" if workspace.backend is workspace.folder else None


def where_damaged(session: str, opened: Opened) -> str:
    """Say where a recording's file is damaged, as the first part of a sentence."""
    damage = opened.recording.damages[0]
    places = f", and in {counted(len(opened.further), 'further place')}" if opened.further else ""
    event = f", where event {damage.seq} should be" if damage.line > 1 else ""
    return f"{session} is damaged at line {damage.line}{event}{places}: {damage.why}"


def recording_of(options: argparse.Namespace, session: str, *, on_progress: OnProgress | None = None) -> Opened:
    """Open the recording of a session, of a session file anywhere, or of a sample, also if it is damaged."""
    from workbench.replay.opening import open_recording, open_recording_file

    found = _found(options, session)
    if isinstance(found, Path):
        return open_recording_file(found, on_progress=on_progress)
    return open_recording(found.events, found.salvage, on_progress=on_progress)
