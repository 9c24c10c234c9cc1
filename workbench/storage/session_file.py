"""A session file anywhere: one from a colleague, a download, a sample. It is read, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from workbench.domain.envelope import Event
from workbench.domain.errors import LogDamaged
from workbench.domain.ids import SessionId
from workbench.storage.files import Files
from workbench.storage.journal import Journal
from workbench.storage.stream_file import StreamFile
from workbench.storage.trash import Trash


def read_session_file(path: Path) -> Iterator[Event]:
    """Yield the events of a session file, whatever the file is called.

    Raises NotFound, LogDamaged, LogTooNew, LogUnavailable.
    """
    journal = Journal(path, files=Files())
    with journal.reading() as file:
        header, _ = journal.header(file.descriptor)
    if not header.stream:
        raise LogDamaged(f"{path} holds documents, not a session.", "Open it with TinyDB.")
    yield from StreamFile(path, SessionId(header.stream), trash=Trash(path.parent)).events()
