"""One stream of events on a server: appended to by any process, read in portions.

Events are sealed here, after a place that was read, and stored only where that very place is still the end. What was
not answered is sent again, and the script knows its own batch by a token: it is stored once. Reading ends where the
stream ended when its first portion was read.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from workbench.domain.errors import Fenced, LogBusy, NotFound, StaleHead
from workbench.domain.log.envelope import Draft, Event, Head, genesis, seal
from workbench.storage import codec
from workbench.storage.admission import already_stored, check_redaction, in_order, redacted, went_back
from workbench.storage.redis.driving import Fence
from workbench.storage.redis.entries import (
    ENTRIES_REPLY,
    PLACE,
    PLACE_REPLY,
    Entry,
    Place,
    StreamName,
    entry_id,
    line_of,
)
from workbench.storage.redis.keys import StreamKeys
from workbench.storage.redis.link import Argument, RedisLink

_FOUND_REPLY = list[tuple[bytes, ENTRIES_REPLY]]


class RedisStream:
    """The events of one stream."""

    def __init__(
        self,
        link: RedisLink,
        name: StreamName,
        keys: StreamKeys,
        *,
        streams: str,
        patience: float,
        new_epoch: Callable[[], str],
    ) -> None:
        """Use a stream, which need not exist yet; ``streams`` is the key that its name is kept under."""
        self.link = link
        self.name = name
        self.keys = keys
        self._streams = streams
        self._patience = patience
        self._new_epoch = new_epoch
        self._seen: Place | None = None
        """A cache: where the stream ended when this process last wrote or looked."""

    # writing

    def append(
        self,
        drafts: Sequence[Draft],
        *,
        expected: int | None,
        fences: Sequence[tuple[Fence, str]],
        link: str = "",
        known: Head | None = None,
    ) -> tuple[Event, ...]:
        """Append a batch, as EventLog.append does, under the drives of these sessions. Raises also Fenced.

        ``link`` is the hash of the head that the writer believes in, if that has to be this very one.
        """
        place = self._seen
        if place is None or expected not in (None, place.head.seq) or link not in ("", place.head.hash):
            place = self._place_for(expected)
        is_first = expected in (None, place.head.seq)
        deadline = time.monotonic() + self._patience
        while True:
            if known is not None and (place.head.seq, place.head.hash) != (known.seq, known.hash):
                self.require(known)
            if link and (place.head.seq, place.head.hash) != (expected, link):
                raise StaleHead(f"{self.name.stream} ends with another event by now.", "Read it again.")
            stored = {}
            if not is_first:
                at = place.head.seq
                stored = already_stored(drafts, stream=self.name.stream, expected=expected, seq=at, history=self)
            fresh = [draft for index, draft in enumerate(drafts) if index not in stored]
            events = seal(fresh, place.head)
            answer = self._send(place, fresh, events, fences) if fresh else [b"stored"]
            match answer:
                case [b"stored"]:
                    self._seen = _place_after(place, events)
                    return in_order(drafts, stored, events)
                case [b"fenced", int(index)]:
                    raise Fenced(
                        f"This process was declared dead, and another one drives session {fences[index - 1][1]} now.",
                        "Continue by resuming the session.",
                    )
                case [b"behind", header, seq, end]:
                    place = self.name.place(header, seq, end)
                case _:
                    place = self._place_for(expected)
            is_first = False
            if time.monotonic() > deadline:
                raise LogBusy(f"Others append to {self.name} all the time.", "Try again in a moment.")

    def _place_for(self, expected: int | None) -> Place:
        try:
            return self.place()
        except NotFound:
            if expected != 0:
                raise
        epoch = self._new_epoch()
        return Place(self._header(codec.PLAIN, epoch), Head(epoch, 0, genesis(self.name.stream)))

    def _send(
        self, place: Place, drafts: Sequence[Draft], events: Sequence[Event], fences: Sequence[tuple[Fence, str]]
    ) -> Any:
        args: list[Argument] = [self.name.stream, *_as_args(place), _new_batch(), events[-1].hash, len(fences)]
        for fence, _ in fences:
            args += [fence.epoch, fence.token]
        for draft, event, line in zip(drafts, events, _lines(events), strict=True):
            args += [event.id, "given" if draft.id else "", line]
        return self.link.run("append", (*self.keys, self._streams, *(fence.key for fence, _ in fences)), args)

    def redact(self, bodies: Mapping[str, msgspec.Raw], drafts: Sequence[Draft], *, expected: int) -> tuple[Event, ...]:
        """Give stored events other bodies, as Redactable.redact does, while the caller drives the stream."""
        while True:
            place = self.place()
            stored = {event.id: (line, event) for line, event in self._find_by_ids(bodies)}
            check_redaction(self.name.stream, bodies, stored, expected=expected, seq=place.head.seq)
            epoch = self._new_epoch()
            events = seal(drafts, place.head)
            end = _place_after(Place(self._header(codec.REDACTED, epoch), place.head), events)
            args: list[Argument] = [*_as_args(place), end.header, _new_batch(), end.head.hash, len(stored)]
            for line, event in stored.values():
                replaced = codec.encode_event(redacted(event, bodies), more=codec.is_unfinished(line))
                args += [event.seq, replaced[:-1]]
            for event, line in zip(events, _lines(events), strict=True):
                args += [event.id, line]
            match self.link.run("redact", (*self.keys, self.keys.rewritten), args):
                case [b"stored"]:
                    self._seen = None
                    return events
                case [b"missing"]:
                    raise self.name.removed()

    def _header(self, version: int, epoch: str) -> bytes:
        return codec.encode_header(codec.FileHeader(codec.FORMAT, version, self.name.stream, epoch))[:-1]

    # reading

    def place(self) -> Place:
        """Return where the stream ends. Raises NotFound, LogDamaged, LogTooNew."""
        self._seen = self.name.place(*self.link.command("HMGET", self.keys.head, *PLACE, shape=PLACE_REPLY))
        return self._seen

    def require(self, known: Head) -> None:
        """Check that the stream contains the event of a head. Raises LogWentBack, NotFound."""
        if known.seq > 0:
            _, entries = self._portion(known.seq, 0)
            self._check_contained(entries, known)

    def _check_contained(self, entries: Sequence[Entry], known: Head) -> None:
        line = line_of(*entries[:1])
        if not line or self.name.decoded(line, known.seq).hash != known.hash:
            raise went_back(self.name, known)

    def events(self, *, after: int = 0, known: Head | None = None) -> Iterator[Event]:
        """Yield the events with a seq greater than ``after``, in order, up to where the stream ends now.

        Raises also StaleHead when the stream is replaced in the middle of it.
        """
        for before, lines in self._portions(max(after, 0), known):
            yield from self.name.checked(lines, before)

    def named(self, ids: Collection[str]) -> Mapping[str, Event]:
        """Return the events among these ids that the stream holds."""
        return {event.id: event for _, event in self._find_by_ids(ids)}

    def _find_by_ids(self, ids: Collection[str]) -> list[tuple[bytes, Event]]:
        events = []
        keys = (self.keys.ids, self.keys.events)
        for seq, entries in self.link.run("find", keys, list(ids), shape=_FOUND_REPLY) if ids else ():
            line = line_of(*entries)
            events.append((line, self.name.decoded(line, int(seq))))
        return events

    def _portions(self, after: int, known: Head | None = None) -> Iterator[tuple[Head, list[bytes]]]:
        """Yield the lines after event ``after`` in portions, each after the place before it.

        Ends where the stream ended when the first of them was read, which is the end of a batch.
        """
        end: Place | None = None
        count = 32
        while end is None or after < end.head.seq:
            now, entries = self._portion(after, count)
            if end is None and known is not None and known.seq > 0:
                self._check_contained(entries, known)
            end = end or now
            if now.header != end.header:
                raise self.name.replaced()
            if after >= end.head.seq:
                return
            before = self.name.anchor(after, entries)
            lines = [line_of(entry) for entry in entries[after > 0 :]][: end.head.seq - after]
            after += len(lines)
            if not lines:
                raise self.name.damaged(after + 1, "it is missing")
            yield before, lines
            if after == end.head.seq and not lines[-1].endswith(codec.ending(end.head.hash)[:-1]):
                raise self.name.damaged(after, "it is not where the stream ends")
            count = min(count * 4, 512)

    def _portion(self, after: int, count: int) -> tuple[Place, list[Entry]]:
        """Return the end of the stream and, as of the same moment, entries from event ``after`` on, that one too."""
        args = (entry_id(max(after, 1)), count + 1)
        place, entries = self.link.run(
            "read", (self.keys.head, self.keys.events), args, shape=tuple[PLACE_REPLY, ENTRIES_REPLY]
        )
        return self.name.place(*place), entries


def _place_after(place: Place, events: Sequence[Event]) -> Place:
    last = Head(place.head.epoch, events[-1].seq, events[-1].hash) if events else place.head
    return Place(place.header, last)


def _as_args(place: Place) -> list[Argument]:
    return [place.header, place.head.seq, place.head.hash]


def _lines(events: Sequence[Event]) -> Iterator[bytes]:
    for event in events:
        yield codec.encode_event(event, more=event is not events[-1])[:-1]


def _new_batch() -> str:
    return os.urandom(6).hex()
