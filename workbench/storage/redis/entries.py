"""The entries of a stream on a server: a journal's lines under the id ``{seq}-0``, checked as a file's are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from workbench.domain.errors import LogDamaged, LogTooNew, NotFound, StaleHead, Vanished
from workbench.domain.log.envelope import UNREADABLE, Event, Head, followed, genesis
from workbench.storage import codec

PLACE = ("header", "seq", "hash")
"""The fields of a stream's head that say where it ends."""

Entry = tuple[bytes, Sequence[bytes]]
"""An entry's id, and its fields and their values in turn."""


PLACE_REPLY = tuple[bytes | None, bytes | None, bytes | None]
"""What a server answers when it is asked for them."""
ENTRIES_REPLY = list[Entry]
"""What a server answers when it is asked for entries."""


class Place(NamedTuple):
    """The end of a stream, as the server has it."""

    header: bytes
    """The first line of the journal that the stream would be; names its history."""
    head: Head


class StreamName(NamedTuple):
    """One stream, for what is said about it."""

    stream: str
    address: str
    is_shared: bool
    """Its events may belong to sessions of other names."""

    def place(self, header: bytes | None, seq: bytes | None, link: bytes | None) -> Place:
        """Read what the server knows of the end of a stream. Raises NotFound, LogDamaged, LogTooNew."""
        if header is None:
            raise unknown(self.stream)
        try:
            if codec.first_garbled([header]) is not None:
                raise self.damaged(1, "its header's checksum does not hold")
            known = codec.decode_header(header)
            if known.format == codec.FORMAT and known.version > codec.VERSION:
                raise LogTooNew(
                    f"{self} was written by a newer version of the workbench (format {known.version}; this one knows "
                    f"{codec.VERSION}).",
                    "Update the workbench to open it.",
                )
            if (known.format, known.stream) != (codec.FORMAT, self.stream):
                raise self.damaged(1, f"its header belongs to {known.stream or known.format!r}")
            return Place(header, Head(known.epoch, int(seq or b""), (link or b"").decode()))
        except UNREADABLE as error:
            raise self.damaged(1, "what is known of its end cannot be read") from error

    def checked(self, lines: Sequence[bytes], before: Head) -> list[Event]:
        """Return lines as the events that follow ``before``. Raises LogDamaged."""
        bad = codec.first_garbled(lines)
        events: list[Event] = []
        try:
            for event, holds in followed(codec.decode_events(lines[:bad]), before):
                if not holds or (event.session != self.stream and not self.is_shared):
                    raise self._damage_error(event, before.seq + len(events) + 1, holds=holds)
                events.append(event)
        except UNREADABLE as error:
            raise self.damaged(before.seq + len(events) + 1, f"it is no event ({error})") from error
        if bad is not None:
            raise self.damaged(before.seq + bad + 1, "its checksum does not hold")
        return events

    def _damage_error(self, event: Event, seq: int, *, holds: bool) -> LogDamaged:
        if holds:
            return self.damaged(seq, f"it belongs to the session {event.session!r}")
        if event.seq != seq:
            return self.damaged(seq, "it is missing")
        return self.damaged(seq, "it was changed, or does not follow the one before it")

    def anchor(self, seq: int, entries: Sequence[Entry]) -> Head:
        """Return the place after event ``seq``, whose entry is the first of these. Raises LogDamaged."""
        if seq == 0:
            return Head("", 0, genesis(self.stream))
        event = self.decoded(line_of(*entries[:1]), seq)
        return Head("", seq, event.hash)

    def decoded(self, line: bytes, seq: int) -> Event:
        """Return the one event of an entry that is looked for by itself. Raises LogDamaged."""
        if codec.first_garbled([line]) is not None:
            raise self.damaged(seq, "its checksum does not hold" if line else "it is missing")
        try:
            event, _ = next(codec.decode_events([line]))
        except UNREADABLE as error:
            raise self.damaged(seq, f"it is no event ({error})") from error
        if event.seq != seq:
            raise self.damaged(seq, "it is missing")
        return event

    def damaged(self, seq: int, why: str) -> LogDamaged:
        """Return an error that says where the stream is damaged."""
        before = "1 event" if seq == 2 else f"{seq - 1} events"
        return LogDamaged(
            f"{self} is damaged at event {seq}: {why}; {before} before it can be read.",
            "Restore it from a backup of the server.",
        )

    def removed(self) -> NotFound:
        """Return an error that says that there is no such stream any more."""
        return Vanished(f"Session {self.stream} was removed meanwhile.", "Look into `workbench sessions trash`.")

    def replaced(self) -> StaleHead:
        """Return an error that says that the stream is another one than it was, or ends earlier than it did."""
        return StaleHead(f"{self} was replaced meanwhile.", "Open the session again.")

    def __str__(self) -> str:
        return f"{self.stream} at {self.address}"


def line_of(entry: Entry | None = None) -> bytes:
    """Return an entry's line; b"" if there is none."""
    fields = entry[1] if entry else ()
    return next((line for name, line in zip(fields[::2], fields[1::2], strict=True) if name == b"line"), b"")


def entry_id(seq: int) -> str:
    """Return the id of an event's entry."""
    return f"{seq}-0"


def unknown(stream: str) -> NotFound:
    """Return an error that says that there is no such stream."""
    return Vanished(f"There is no session {stream} any more.", "Look at what `workbench sessions list` shows.")
