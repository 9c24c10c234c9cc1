"""Saved sessions as TinyDB databases, for queries: ``TinyDB(path, storage=JournalStorage).table("events")``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from tinydb.storages import Storage

from workbench.domain.errors import LogDamaged, LogUnavailable
from workbench.domain.log.envelope import UNREADABLE
from workbench.storage.files.session_file import opened_session_file


class JournalStorage(Storage):
    """A TinyDB storage that reads a session's file: its events are the table ``events``, each under its seq.

    It reads again for each query, so that it follows a session which continues. Raises NotFound, LogUnavailable,
    LogDamaged and LogTooNew.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Open the file of a session."""
        super().__init__()
        self._file = opened_session_file(Path(path))

    def read(self) -> dict[str, dict[str, Any]]:
        """Return the events as they are in the file."""
        try:
            return {
                "events": {
                    str(event.seq): msgspec.json.decode(msgspec.json.encode(event)) for event in self._file.events()
                }
            }
        except UNREADABLE as error:
            raise LogDamaged(f"An event cannot be read: {error}.", "Restore the file from a copy.") from error

    def write(self, data: Mapping[str, Mapping[Any, Any]]) -> None:  # noqa: ARG002 - TinyDB's own signature
        """Refuse: events are appended through the log alone, which numbers and chains them. Raises LogUnavailable."""
        raise LogUnavailable(
            f"{self._file.path} is a session, whose events cannot be changed by a database.",
            "Append to it through the workbench, or copy its documents to a database of your own.",
        )
