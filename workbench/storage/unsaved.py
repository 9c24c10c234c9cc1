"""What a process knew of a session whose log went back, kept as a session file in the trash of this machine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from workbench.domain.envelope import Event
from workbench.storage.files import reported
from workbench.storage.session_file import session_file
from workbench.storage.trash import Trash


def keep_unsaved(trash: Trash, stream: str, events: Sequence[Event]) -> Path:
    """Write all events of a session, from its first, to a file and return its path. Raises LogUnavailable."""
    with reported(trash.folder):
        return trash.keep(stream, "unsaved", session_file(events))
