"""The trash: what was deleted, and what a repair could not keep, until a person empties it.

trash/{id}.deleted-20261121T221829000000Z.jsonl     a session a person deleted
trash/{id}.damaged-20261121T221829000000Z.jsonl     a damaged file, untouched, as it was before its repair
trash/{id}.torn-20261121T221829000000Z.jsonl        the unfinished batch that a next writer cut off
trash/{id}.unsaved-20261121T221829000000Z.jsonl     what a process knew of a session whose log went back
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Literal, NamedTuple

from workbench.domain.errors import InvalidId
from workbench.domain.log.ids import SessionId
from workbench.domain.text.patterns import lazy_pattern
from workbench.storage.files.opening import Files, create_whole, reporting_errors

Reason = Literal["deleted", "damaged", "torn", "unsaved"]

_NAME = lazy_pattern(
    r"(?P<stream>[a-z0-9-]+)\.(?P<reason>deleted|damaged|torn|unsaved)-(?P<stamp>\d{8}T\d{12}Z)(?:-\d+)?\.jsonl",
    re.ASCII,
)
_STAMP = "%Y%m%dT%H%M%S%fZ"


def utc_now() -> datetime:
    """Return the time of day."""
    return datetime.now(UTC)


def numbered(name: str) -> Iterator[str]:
    """Yield a name, then the same with 2, 3, … after it."""
    yield name
    yield from (f"{name}-{number}" for number in count(2))


def trash_names(stream: str, reason: Reason, when: datetime) -> Iterator[str]:
    """Yield names for something in the trash, the first that is free to be taken; there is always another one."""
    return numbered(f"{stream}.{reason}-{when.strftime(_STAMP)}")


class Trashed(NamedTuple):
    """One file in the trash."""

    name: str
    """Its file name, unique."""
    stream: str
    """The session it comes from."""
    reason: Reason
    when: str
    """UTC, ISO 8601 with microseconds."""
    size: int
    """Bytes."""


class Trash:
    """A folder of files that were put away and can still be looked at."""

    def __init__(self, folder: Path, *, files: Files | None = None, now: Callable[[], datetime] = utc_now) -> None:
        self.folder = folder
        self.files = files or Files()
        self._now = now

    def keep(self, stream: str, reason: Reason, source: Path | bytes) -> Path:
        """Put bytes away, or a file, which keeps its own name too, to be removed; return where. Raises OSError."""
        self.files.make_folder(self.folder)
        for name in trash_names(stream, reason, self._now()):
            path = self.folder / f"{name}.jsonl"
            try:
                if isinstance(source, bytes):
                    create_whole(self.files, path, source)
                else:
                    self.files.link(source, path)
                    self.files.sync_folder(self.folder)
            except FileExistsError:
                continue
            return path
        raise AssertionError  # the names never end

    def entries(self) -> list[Trashed]:
        """Return what is in the trash, the oldest first."""
        with reporting_errors(self.folder):
            found = [self._entry(name, status) for name, status in self.files.entries(self.folder)]
        return sorted((entry for entry in found if entry), key=lambda entry: (entry.when, entry.name))

    def _entry(self, name: str, status: os.stat_result) -> Trashed | None:
        parts = _NAME.fullmatch(name)
        if parts is None or not stat.S_ISREG(status.st_mode):
            return None
        try:
            stream = SessionId(parts["stream"])
            when = datetime.strptime(parts["stamp"], _STAMP).strftime("%Y-%m-%dT%H:%M:%S.%fZ")  # noqa: DTZ007  # Z is UTC
        except (InvalidId, ValueError):  # a name like ours, with the 99th month or an id that nothing has
            return None
        return Trashed(name, stream, parts["reason"], when, status.st_size)  # type: ignore[arg-type]  # the pattern lists the reasons

    def empty(self) -> int:
        """Remove everything in the trash for good; return how many files that were."""
        entries = self.entries()
        with reporting_errors(self.folder):
            for entry in entries:
                self.files.unlink(self.folder / entry.name)
        return len(entries)
