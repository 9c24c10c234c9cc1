"""Rotation: a stream's file that has grown large begins again, after an archive of what it held.

The archive is written and synced, then read again; only then the file is replaced, in one rename, by one that begins
after it. A crash before that leaves the file as it was, and an archive that nothing refers to; after it, what was
archived is read from there. The history is the same one, so cursors and snapshots stay valid.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from workbench.domain.errors import WorkbenchError
from workbench.storage import codec
from workbench.storage.files.archives import Archives
from workbench.storage.files.opening import remove_asides, replace_whole, reporting_errors
from workbench.storage.files.stream import StreamFile


class Rotation:
    """When a stream's file is archived: as soon as an append has made it larger than so many bytes."""

    def __init__(self, file: StreamFile, archives: Archives, *, larger_than: int) -> None:
        self._file = file
        self._archives = archives
        self._larger_than = self._next = larger_than

    def appended(self) -> None:
        """Archive if it is time; what is in the way is no fault of the append, and is tried again later."""
        size = self._file.size
        if size <= self._next:
            return
        try:
            rotate(self._file, self._archives, larger_than=self._larger_than)
        except WorkbenchError:
            self._next = size + self._larger_than // 8  # so much larger, it is tried again
        else:
            self._next = self._larger_than


def rotate(file: StreamFile, archives: Archives, *, larger_than: int) -> Path | None:
    """Archive what a file holds, if it has more bytes than that; return the archive, None if nothing was done.

    Raises LogError; then nothing is lost, and the file can be appended to as before.
    """
    with reporting_errors(file.path):
        with file.journal.appending() as full:
            if full.size <= larger_than:
                return None
            header, _ = file.journal.header(full.descriptor)
            begin, end = file.origin(full), file.caught_up(full)
            if begin.seq == end.seq:
                return None
            remove_asides(file.files, file.path)
            if full.size > end.offset:
                file.trash.keep(file.stream, "torn", file.journal.torn(full, end.position))
            content = file.files.read(full.descriptor, end.offset, 0)
            archive = archives.write(content, begin.head, end.head)
            fresh = msgspec.structs.replace(
                header, version=max(header.version, codec.CONTINUED), seq=end.seq, hash=end.hash
            )
            replace_whole(file.files, file.path, codec.encode_header(fresh))
        file.journal.close()  # what it still holds open is the file that was
    return archive
