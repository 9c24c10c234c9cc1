"""TinyDB over a journal: saved sessions open as databases, and databases grow by what changed.

    TinyDB(path, storage=JournalStorage)     any table class: what was changed is found by comparing, and appended
    JournalDatabase(path)                    the table hands over only what it changed: an insert costs the same always

On a session's file both give its ``events`` table to queries, and refuse to write: sessions are appended to through the
event log, which keeps their numbers and their chain. Documents are kept as the JSON that stands in the file, and are
decoded again for everyone who asks, so that nobody changes another's copy.
"""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tinydb import TinyDB
from tinydb.queries import QueryLike
from tinydb.storages import Storage
from tinydb.table import Document, Table

from workbench.domain.errors import LogUnavailable, NotFound
from workbench.domain.log.envelope import UNREADABLE
from workbench.storage import codec
from workbench.storage.files.journal import DEFAULT_PATIENCE, Journal, Position
from workbench.storage.files.opening import Files, OpenFile, create_whole, reported
from workbench.storage.tinydb.table_change import Documents, TableChange, differences, encoded

_EMPTY = Position(0, 0)


class DatabaseUnavailable(LogUnavailable, OSError):
    """The file cannot be used. As every OSError it has ``errno`` and ``filename``."""


class DatabaseDenied(DatabaseUnavailable, PermissionError):
    """The file may not be read or written."""


class DatabaseMissing(NotFound, FileNotFoundError):
    """There is no such file, or no folder to create it in. As every OSError it has ``errno`` and ``filename``."""


@contextmanager
def _as_with_tinydb(path: Path) -> Iterator[None]:
    """Raise what keeps a file from being used as an OSError, as TinyDB's own storage does."""
    try:
        yield
    except (DatabaseMissing, DatabaseUnavailable):
        raise
    except (NotFound, LogUnavailable) as error:
        cause = error.__cause__
        same: DatabaseMissing | DatabaseUnavailable
        if isinstance(error, NotFound):
            same = DatabaseMissing(error.message, "Create it first, or name another file.")
        elif isinstance(cause, PermissionError):
            same = DatabaseDenied(error.message, error.remedy)
        else:
            same = DatabaseUnavailable(error.message, error.remedy)
        same.errno = cause.errno if isinstance(cause, OSError) else errno.EBADF
        same.filename = str(path)
        raise same from error


class JournalStorage(Storage):
    """A TinyDB storage that appends a line for each document that changed.

    Raises DatabaseMissing, DatabaseDenied and DatabaseUnavailable, which are OSErrors as those of TinyDB's own storage
    are, LogDamaged, LogTooNew and LogBusy. A document that is not JSON raises TypeError or ValueError, as with TinyDB's
    own storage, and changes nothing.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        access_mode: str = "r+",
        create_dirs: bool = False,
        durable: bool = True,
        patience: float = DEFAULT_PATIENCE,
        new_epoch: Callable[[], str] = codec.random_epoch,
        files: Files | None = None,
    ) -> None:
        """Open a file, or create it, unless ``access_mode`` is "r": then it must exist and is only read."""
        super().__init__()
        if access_mode not in ("r", "r+"):
            raise ValueError(f"access_mode is {access_mode!r}; it can be 'r' or 'r+'.")
        self._journal = Journal(Path(path), files=files or Files(), patience=patience, remedy="Restore it from a copy.")
        self._writable = access_mode == "r+"
        self._durable = durable
        self._new_epoch = new_epoch
        self._tables: dict[str, dict[str, bytes]] = {}
        self._history: tuple[int, str] | None = None
        self._end = _EMPTY
        self._changing: OpenFile | None = None
        self._lock = threading.RLock()
        self.generation = 0
        """Counts how often something appeared that was not written through this object."""
        if self._writable:
            self._create(create_dirs=create_dirs)
        self.refresh()

    def _create(self, *, create_dirs: bool) -> None:
        path, files = self._journal.path, self._journal.files
        with _as_with_tinydb(path), reported(path):
            if files.exists(path):
                return
            if not create_dirs and not files.exists(path.parent):
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path.parent))
            try:
                create_whole(files, path, self._first_line(), durable=self._durable)
            except FileExistsError:
                return  # another process created it meanwhile

    def _first_line(self) -> bytes:
        return codec.encode_header(codec.FileHeader(codec.FORMAT, codec.PLAIN, epoch=self._new_epoch()))

    # TinyDB's protocol

    def read(self) -> dict[str, dict[str, Any]] | None:
        """Return all tables, as copies; None when there are none."""
        with self._lock:
            self.refresh()
            return {name: dict(Documents(held).items()) for name, held in self._tables.items()} or None

    def write(self, data: Mapping[str, Mapping[Any, Any]]) -> None:
        """Make the tables what ``data`` says, by appending what differs."""
        with self.exclusive():
            records = [codec.Record(name, dropped=True) for name in self._tables if name not in data]
            for name, documents in data.items():
                records += differences(name, self._tables.get(name), encoded(documents))
            self._append(records)

    # what JournalTable needs beyond it

    def documents(self, name: str) -> Mapping[str, Any]:
        """Return the documents of a table, each decoded when it is asked for."""
        with self._lock:
            self.refresh()
            return Documents(self._tables.get(name, {}))

    def change(self, name: str, updater: Callable[[Any], None], id_class: Callable[[str], Any]) -> None:
        """Let an updater change a table, and append what it changed; nothing when it raises."""
        with self.exclusive():
            held = self._tables.get(name)
            change = TableChange(held or {}, id_class)
            updater(change)
            self._append(change.records(name, is_new=held is None))

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Keep other threads and processes from writing for a while; what they wrote before is seen."""
        with self._lock:
            if self._changing is not None:
                yield
                return
            with _as_with_tinydb(self._journal.path):
                self._refuse_unwritable()
            with _as_with_tinydb(self._journal.path), self._journal.appending() as file:
                self._changing = file
                try:
                    self._refresh_from(file)
                    yield
                finally:
                    self._changing = None

    def refresh(self) -> None:
        """Take in what was appended since; all of it when the file is another one."""
        with self._lock:
            if self._changing is None:
                with _as_with_tinydb(self._journal.path), self._journal.reading() as file:
                    self._refresh_from(file)

    def _refuse_unwritable(self) -> None:
        path = self._journal.path
        if not self._writable:
            raise LogUnavailable(f"{path} was opened for reading only.", 'Open it with access_mode="r+".')
        with self._journal.reading() as file:
            is_session = file.size > 0 and self._journal.header(file.descriptor)[0].stream
        if is_session:
            raise LogUnavailable(
                f"{path} is a session, whose events cannot be changed by a database.",
                "Append to it through the workbench, or copy its documents to a database of your own.",
            )

    def _refresh_from(self, file: OpenFile) -> None:
        if file.size == 0:
            self._restart(None, _EMPTY)
            return
        header, start = self._journal.header(file.descriptor)
        if self._history != (file.inode, header.epoch) or file.size < self._end.offset:
            self._restart((file.inode, header.epoch), start)
        for block in self._journal.blocks(file.descriptor, self._end):
            self._apply(self._decoded(block.lines))
            self._end = block.end
            self.generation += 1

    def _restart(self, history: tuple[int, str] | None, start: Position) -> None:
        self._tables, self._history, self._end = {}, history, start

    def _decoded(self, lines: list[bytes]) -> list[codec.Record]:
        try:
            return codec.decode_records(lines)
        except UNREADABLE as error:
            why = f"one of the next {len(lines)} lines is no record ({error})"
            raise self._journal.damaged(self._end.lines + 1, why, readable=self._end.lines - 1) from error

    def _append(self, records: list[codec.Record]) -> None:
        file = self._changing
        if not records or file is None:
            return
        lines = codec.encode_batch(records)
        first_line = self._first_line() if self._end == _EMPTY else b""
        descriptor, end = file.descriptor, self._end.offset
        with reported(self._journal.path):
            if file.size > end:
                self._journal.files.truncate(descriptor, end)
            self._journal.append(descriptor, end, first_line + lines, durable=self._durable)
        if first_line:
            self._history = (file.inode, codec.decode_header(first_line).epoch)
        self._apply(records)
        self._end = Position(end + len(first_line + lines), self._end.lines + len(records) + bool(first_line))
        self._changing = file._replace(size=self._end.offset)

    def _apply(self, records: Iterable[codec.Record]) -> None:
        tables = self._tables
        for name, key, doc, dropped in records:
            if dropped:
                tables.pop(name, None)
            elif key is None:
                tables[name] = {}
            elif doc is None:
                tables.setdefault(name, {}).pop(str(key), None)
            else:
                tables.setdefault(name, {})[str(key)] = doc


class JournalTable(Table):
    """A TinyDB table that hands its storage only what changed."""

    _seen = 0

    def insert(self, document: Mapping[str, Any]) -> int:
        """Insert a new document and return its id."""
        with self._exclusive():
            return super().insert(document)

    def insert_multiple(self, documents: Iterable[Mapping[str, Any]]) -> list[int]:
        """Insert documents in one batch and return their ids."""
        with self._exclusive():
            return super().insert_multiple(documents)

    def upsert(self, document: Mapping[str, Any], cond: QueryLike | None = None) -> list[int]:
        """Update the documents that match, or insert this one; return the ids."""
        with self._exclusive():
            return super().upsert(document, cond)

    def search(self, cond: QueryLike) -> list[Document]:
        """Return the documents that match, those included that another process appended."""
        if isinstance(self._storage, JournalStorage):
            self._storage.refresh()
            self._notice()
        return super().search(cond)

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        if not isinstance(self._storage, JournalStorage):  # a middleware stands between
            yield
            return
        with self._storage.exclusive():
            self._notice()
            yield

    def _notice(self) -> None:
        """Forget the next id and the cached answers when something was written past this table."""
        storage = self._storage
        if isinstance(storage, JournalStorage) and self._seen != storage.generation:
            self._seen = storage.generation
            self._next_id = None
            self.clear_cache()

    def _read_table(self) -> Any:
        if isinstance(self._storage, JournalStorage):
            return self._storage.documents(self.name)
        return super()._read_table()

    def _update_table(self, updater: Callable[[dict[int, Mapping[str, Any]]], None]) -> None:
        if isinstance(self._storage, JournalStorage):
            self._storage.change(self.name, updater, self.document_id_class)
            self.clear_cache()
        else:
            super()._update_table(updater)


class JournalDatabase(TinyDB):
    """A TinyDB on a journal whose inserts cost the same at document 10 as at document 100,000."""

    table_class = JournalTable
    default_storage_class = JournalStorage  # type: ignore[assignment]  # TinyDB declares its own storage, not Storage
