"""What of a batch is in a file already, as who holds the file's gate finds it, without opening it a second time."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.domain.envelope import Draft, Event
from workbench.domain.errors import LogDamaged, LogTooNew, StaleHead
from workbench.storage.admission import already_stored
from workbench.storage.files import OpenFile

if TYPE_CHECKING:
    from workbench.storage.stream_file import Cursor, StreamFile


@dataclass(frozen=True, slots=True)
class _Standing:
    """A stream up to the end of a file that is open."""

    file: StreamFile
    opened: OpenFile

    def events(self, *, after: int = 0) -> Iterator[Event]:
        return self.file.events_in(self.opened, after=after)

    def named(self, ids: Collection[str]) -> Mapping[str, Event]:
        return self.file.named(ids)


def stored_in(
    file: StreamFile, opened: OpenFile, end: Cursor, drafts: Sequence[Draft], expected: int | None
) -> Mapping[int, Event]:
    """Return the stored events of drafts, as ``already_stored`` does. Raises StaleHead."""
    try:
        return already_stored(
            drafts, stream=file.stream, expected=expected, seq=end.seq, history=_Standing(file, opened)
        )
    except (LogDamaged, LogTooNew) as error:
        if expected is None or expected >= end.begin:
            raise
        # what would tell a retry is in an archive that cannot be read: whoever begins so far back reads on first
        raise StaleHead(f"{file.stream} ends with event {end.seq}, not {expected}.", "Read on.") from error
