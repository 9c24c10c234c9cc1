"""A journal: one file of checksummed lines, appended to in whole batches, read without locks.

    header ─ batch ─ batch ─ … ─ batch ─ torn tail?   readers stop before it; the next writer sets it aside, cuts it off

What counts as what: the unterminated end of the last line, and the lines of its batch before it, are *torn*: such a
batch was never acknowledged, since acknowledging comes after its last byte. Every other line whose checksum does not
hold is *damage*, the last line too, and is reported and never cut: it may have been acknowledged.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from workbench.domain.errors import LogDamaged, LogTooNew
from workbench.domain.log.envelope import UNREADABLE
from workbench.named_files import too_large
from workbench.storage import codec
from workbench.storage.files.locking.lock_choice import locks_of
from workbench.storage.files.locking.locks import Locks, gate
from workbench.storage.files.opening import LARGEST, Files, Kept, OpenFile, opened, reporting_errors, write_all

_READ_SIZE = 1 << 20
DEFAULT_PATIENCE = 10.0
"""Seconds that an append waits for another process before it says which one it waits for."""


class Position(NamedTuple):
    """The end of a complete batch, or of the header."""

    offset: int
    """Bytes from the start of the file."""
    lines: int
    """Lines before it, the header's included."""


class Block(NamedTuple):
    """Complete batches that were read together."""

    lines: list[bytes]
    """Without their newlines; every checksum holds."""
    end: Position


class Journal:
    """A file of checksummed lines."""

    def __init__(self, path: Path, *, files: Files, patience: float = DEFAULT_PATIENCE, remedy: str = "") -> None:
        self.path = path
        self.files = files
        self._patience = patience
        self._remedy = remedy
        """What to do when the file is damaged."""
        self._turn = threading.Lock()
        self._writer: tuple[Kept, Locks] | None = None

    @contextmanager
    def reading(self) -> Iterator[OpenFile]:
        """Open the file for reading. Raises NotFound, LogUnavailable."""
        with reporting_errors(self.path), opened(self.files, self.path, os.O_RDONLY) as file:
            yield file

    @contextmanager
    def appending(self) -> Iterator[OpenFile]:
        """Hold the file's gate and yield the file as it is then. Raises NotFound, LogBusy, LogUnavailable.

        It stays open for the next append; since its lock is then the process's, threads take turns.
        """
        with self._turn, reporting_errors(self.path):
            while True:
                kept, locks = self._kept_open()
                with gate(locks, self.path, patience=self._patience):
                    named = self._identity()
                    if named is not None and (named.st_ino, named.st_dev) == (kept.inode, kept.device):
                        yield kept._replace(size=named.st_size)
                        return
                self._let_go()

    def _kept_open(self) -> tuple[OpenFile, Locks]:
        if self._writer is None or self._writer[0].is_inherited():
            self._let_go()
            kept = Kept(self.files, self.path, os.O_RDWR | os.O_APPEND)
            self._writer = kept, locks_of(self.files, self.path, kept.file.descriptor)
        kept, locks = self._writer
        return kept.file, locks

    def close(self) -> None:
        """Let go of the file; the next append opens it again."""
        with self._turn:
            self._let_go()

    def _let_go(self) -> None:
        if self._writer is not None:
            kept, locks = self._writer
            locks.close()
            kept.close()
            self._writer = None

    def _identity(self) -> os.stat_result | None:
        try:
            return self.files.identity(self.path)
        except FileNotFoundError:
            return None

    def is_current(self, descriptor: int) -> bool:
        """Tell whether an open file is still the one under this journal's path: it may have been replaced or moved."""
        named = self._identity()
        return named is not None and os.path.samestat(named, os.fstat(descriptor))

    def header(self, descriptor: int) -> tuple[codec.FileHeader, Position]:
        """Return the first line, and the position after it. Raises LogDamaged, LogTooNew."""
        line, newline, _ = self.files.read(descriptor, 4096, 0).partition(b"\n")
        if not line:
            raise self.damaged(1, "the file is empty", readable=0)
        if not newline or codec.first_garbled([line]) is not None:
            raise self.damaged(1, "it does not begin like a file of the workbench", readable=0)
        try:
            header = codec.decode_header(line)
        except UNREADABLE:
            raise self.damaged(1, "its first line is not a journal's", readable=0) from None
        if header.format != codec.FORMAT:
            raise self.damaged(1, f"its format is {header.format!r}", readable=0)
        if header.version > codec.VERSION:
            raise LogTooNew(
                f"{self.path} was written by a newer version of the workbench (format {header.version}; this one knows "
                f"{codec.VERSION}).",
                "Update the workbench to open it.",
            )
        return header, Position(len(line) + 1, 1)

    def blocks(self, descriptor: int, start: Position) -> Iterator[Block]:
        """Yield the batches after a position, up to a torn tail. Raises LogDamaged, UnusableFile beyond LARGEST."""
        # one byte more than there is, so that a short tail, the usual case, costs one call and no large buffer
        size, position = min(_READ_SIZE, max(os.fstat(descriptor).st_size - start.offset, 0) + 1), start
        while True:
            data = self.files.read(descriptor, size, position.offset)
            lines = complete_batches(data)
            bad = codec.first_garbled(lines)
            first = position.lines + 1
            if bad is not None:
                lines = _without_unfinished(lines[:bad])
            if lines:
                position = Position(position.offset + sum(map(len, lines)) + len(lines), position.lines + len(lines))
                yield Block(lines, position)
            if bad is not None:
                raise self.damaged(first + bad, "its checksum does not hold", readable=position.lines - 1)
            if len(data) < size:
                return
            if not lines and size > LARGEST:
                raise too_large(self.path, LARGEST)
            size = _READ_SIZE if lines else size * 2

    def damaged(self, line: int, why: str, readable: int) -> LogDamaged:
        """Return an error that says where the file is damaged and how much can be read before that place."""
        records = "1 record" if readable == 1 else f"{readable} records"
        before = f"; {records} before it can be read" if line > 1 else ""
        return LogDamaged(f"{self.path} is damaged at line {line}: {why}{before}.", self._remedy)

    def append(self, descriptor: int, end: int, lines: bytes, *, durable: bool) -> None:
        """Write a batch after byte ``end``, or nothing: what is not written whole is cut off again. Raises OSError."""
        try:
            write_all(self.files, descriptor, lines)
            if durable:
                self.files.datasync(descriptor)
        except BaseException:
            with suppress(OSError):  # then it stays, not acknowledged: the next writer cuts it, or a retry finds it
                self.files.truncate(descriptor, end)
            raise

    def torn(self, file: OpenFile, end: Position) -> bytes:
        """Return what is after the last complete batch."""
        return self.files.read(file.descriptor, file.size - end.offset, end.offset)


def complete_batches(data: bytes) -> list[bytes]:
    """Return the lines of some content without the batch, if any, that is torn at its end."""
    lines = data.split(b"\n")
    lines.pop()
    return _without_unfinished(lines)


def _without_unfinished(lines: list[bytes]) -> list[bytes]:
    while lines and codec.is_unfinished(lines[-1]):
        lines.pop()
    return lines
