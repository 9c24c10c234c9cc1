"""The archives of a stream: what was taken out of the front of its file, in files of the same format.

    archive/events-1-900.jsonl ─▶ events-901-1750.jsonl ─▶ ../events.jsonl, whose header says: after 1750, and its hash
        header, events 1 … 900         header: after 900, and its hash

An archive belongs to a stream by the hash of its last event, which the header of what follows names: a file that is
missing, damaged or of another history is recognised, and named. Archives are written once, and rewritten only where
something is forgotten that is there: the same events, under the same name.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from workbench.domain.errors import LogDamaged
from workbench.domain.log.envelope import Event, Head
from workbench.storage import codec
from workbench.storage.files.opening import Files, opened, replace_whole, reporting_errors
from workbench.storage.files.redaction import rewritten_file
from workbench.storage.files.stream import StreamFile
from workbench.storage.files.trash import Trash, numbered

_REMEDY = "Restore it from a copy. Everything after it can still be read and added to."


class Archives:
    """The archives of one stream, in a folder."""

    def __init__(self, folder: Path, stream: str, *, trash: Trash, files: Files) -> None:
        """Use a folder, which need not exist."""
        self.folder = folder
        self._stream = stream
        self._trash = trash
        self._files = files
        self._name = re.compile(rf"{re.escape(stream)}-(?P<first>\d+)-(?P<last>\d+)(-\d+)?\.jsonl", re.ASCII)

    def events(self, *, after: int, until: Head) -> Iterator[Event]:
        """Yield the events after ``after`` up to ``until``, checked against it. Raises LogDamaged, LogTooNew."""
        for file, end in reversed(list(self._parts(after, until))):
            yield from self._part(file, after, end)

    def _parts(self, after: int, until: Head) -> Iterator[tuple[StreamFile, Head]]:
        """Yield the archives that hold the events after ``after``, the last first, each with its end."""
        begin, found = until, self._list_archives()
        while begin.seq > after:
            file = self._ending_with(begin, [path for path, _, last in found if last == begin.seq])
            yield file, begin
            begin = self._begin(file, before=begin)

    def files(self, until: Head) -> list[Path]:
        """Return the archives that the stream consists of up to ``until``. Raises LogDamaged, LogTooNew."""
        return [file.path for file, _ in self._parts(0, until)]

    def _begin(self, file: StreamFile, before: Head) -> Head:
        with file.journal.reading() as archive:
            begin = file.origin(archive).head
        if begin.seq >= before.seq:
            raise LogDamaged(f"{file.path} says that it begins after event {begin.seq}.", _REMEDY)
        return begin

    def _part(self, file: StreamFile, after: int, end: Head) -> Iterator[Event]:
        with file.journal.reading() as archive:
            start = file.origin(archive)
            last = start.head
            for events, place in file.scan(archive.descriptor, start):
                last = place.head
                yield from events[max(after - events[0].seq + 1, 0) :]
        if (last.seq, last.hash) != (end.seq, end.hash):
            raise LogDamaged(f"{file.path} ends with event {last.seq}, which is not what the next file says.", _REMEDY)

    def _ending_with(self, end: Head, found: list[Path]) -> StreamFile:
        """Return the archive that ends with an event; a damaged one if that is the only one of such a name."""
        for path in found:
            if self._ends(path, end.hash):
                return self._file(path)
        if not found:
            raise LogDamaged(f"{self.folder / self._stream}-…-{end.seq}.jsonl, an archive, is missing.", _REMEDY)
        return self._file(found[0])

    def _list_archives(self) -> list[tuple[Path, int, int]]:
        """Return every archive with the first and the last event that its name says."""
        with reporting_errors(self.folder):
            names = self._files.names(self.folder)
        matched = filter(None, map(self._name.fullmatch, names))
        return [(self.folder / match.string, int(match["first"]), int(match["last"])) for match in matched]

    def _ends(self, path: Path, event_hash: str) -> bool:
        ending = codec.ending(event_hash)
        with reporting_errors(path), opened(self._files, path, os.O_RDONLY) as file:
            return self._files.read(file.descriptor, len(ending), max(file.size - len(ending), 0)) == ending

    def _file(self, path: Path) -> StreamFile:
        return StreamFile(path, self._stream, trash=self._trash, files=self._files, shared=True, remedy=_REMEDY)

    # writing

    def write(self, content: bytes, begin: Head, end: Head) -> Path:
        """Write an archive, sync it and publish it, then read it again and compare it; return its path.

        Raises OSError, and LogDamaged if it does not read as it should: then it is removed. Only for who keeps
        others from appending to the stream.
        """
        self._remove_asides()
        path = self._place_for(begin, end)
        replace_whole(self._files, path, content)
        interrupted = {
            last: one for one, first, last in self._list_archives() if first == begin.seq + 1 and last < end.seq
        }
        try:
            for event in self._part(self._file(path), begin.seq, end):  # all is checked where it is read
                if event.seq in interrupted and self._ends(interrupted[event.seq], event.hash):
                    self._files.unlink(interrupted[event.seq])  # nothing refers to it
        except LogDamaged:
            self._files.unlink(path)
            raise
        return path

    def redact(self, bodies: Mapping[str, msgspec.Raw], *, until: Head) -> None:
        """Write archives with other bodies, each in one rename. Only for who keeps others from appending."""
        self._remove_asides()
        for file, _ in self._parts(0, until):
            with file.journal.reading() as archive:
                header, _ = file.journal.header(archive.descriptor)
                lines, _ = file.whole(archive)
            if any(event.id in bodies for _, event in lines):
                replace_whole(self._files, file.path, rewritten_file(header, lines, bodies))

    def _remove_asides(self) -> None:
        for name in self._files.names(self.folder):
            if name.startswith(f".{self._stream}-") and name.endswith(".new"):
                self._files.unlink(self.folder / name)

    def _place_for(self, begin: Head, end: Head) -> Path:
        """Return a name that is free, or that the very same events have from an archiving that was interrupted."""
        names = numbered(f"{self._stream}-{begin.seq + 1}-{end.seq}")
        paths = (self.folder / f"{name}.jsonl" for name in names)
        return next(path for path in paths if not self._files.exists(path) or self._ends(path, end.hash))
