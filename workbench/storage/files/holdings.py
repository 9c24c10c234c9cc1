"""The streams of a workspace in its own files, to be copied from and to.

A stream that is new here is written whole, beside its place, and linked into it: it is there or it is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from workbench.domain.errors import LogBusy, NotFound, UsageError
from workbench.domain.log.envelope import Event, Head
from workbench.storage import codec
from workbench.storage.files.lives import FileLives
from workbench.storage.files.log import FileLog
from workbench.storage.files.opening import create_whole, reporting_errors
from workbench.storage.files.stream import StreamFile
from workbench.storage.files.trash import Trash
from workbench.storage.holdings import Held, draft_of


class FolderHoldings:
    """The streams in one ``.workbench`` folder."""

    def __init__(self, root: Path, sessions: FileLog, shared: FileLog, lives: FileLives, trash: Trash) -> None:
        self.where = str(root)
        self.sessions = sessions
        self.lives = lives
        self._shared = shared
        self._trash = trash

    def held(self) -> list[Held]:
        """Return every stream, sessions first."""
        sessions = [Held("session", stream) for stream in self.sessions.streams()]
        shared = [Held("shared", stream) for stream in self._shared.streams()]
        trashed = [entry for entry in self._trash.entries() if entry.reason == "deleted"]
        return [*sessions, *shared, *(Held("deleted", Path(one.name).stem, one.when) for one in trashed)]

    def left(self) -> list[str]:
        """Return the names of damaged files and torn batches in the trash."""
        return [entry.name for entry in self._trash.entries() if entry.reason != "deleted"]

    def head(self, one: Held) -> Head | None:
        """Return the end of a stream; None if it is not here."""
        try:
            return self._file(one).head().head
        except NotFound:
            return None

    def events(self, one: Held) -> Iterator[Event]:
        """Yield a stream's events, their chain checked."""
        return self._file(one).events()

    def take_in(self, one: Held, events: Iterator[Event], *, behind: Head | None, has_redacted: bool) -> None:
        """Store events as they are after a stream's end, or as a new one."""
        if behind is not None:
            self._append(one, events, behind.seq)
            return
        file = self._file(one)
        version = codec.REDACTED if has_redacted else codec.PLAIN
        header = codec.encode_header(codec.FileHeader(codec.FORMAT, version, file.stream, codec.random_epoch()))
        with reporting_errors(file.path):
            try:
                create_whole(
                    file.files, file.path, header + b"".join(codec.encode_event(event, more=False) for event in events)
                )
            except FileExistsError:
                raise LogBusy(f"{file.path} was created by somebody else meanwhile.", "Try again.") from None

    def _append(self, one: Held, events: Iterator[Event], seq: int) -> None:
        log = self._shared if one.part == "shared" else self.sessions
        while portion := list(islice(events, 500)):  # are appended together
            if any(event.redacted for event in portion):
                raise UsageError(
                    f"What is missing of {one} in {self.where} was redacted since.",
                    "Delete it there, and migrate again.",
                )
            log.append(one.stream, [draft_of(event) for event in portion], expected=seq)
            seq += len(portion)

    def publish(self, one: Held) -> None:
        """Do nothing: what is in its place can be found."""

    def _file(self, one: Held) -> StreamFile:
        match one.part:
            case "session":
                return self.sessions.file(one.name)
            case "shared":
                return self._shared.file(one.name)
            case "deleted":
                path = self._trash.folder / f"{one.name}.jsonl"
                return StreamFile(path, one.stream, trash=self._trash, files=self._trash.files)
