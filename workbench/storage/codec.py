r"""The lines of a journal: JSON with a checksum as the fixed-width first member.

    {"crc":"9b49dcbb","format":"workbench-journal","version":1,"stream":"s","epoch":"e"}      the first line
    {"crc":"51b2c0aa","format":…,"version":3,"stream":"s","epoch":"e","seq":900,"hash":"…"}   … that begins after 900
    {"crc":"5d0c1f77","more":true,"table":"events","id":1,"doc":{…}}                          a batch of two
    {"crc":"a2fa947b","table":"events","id":2,"doc":{…}}
     ╰─────────────╯╰ the CRC-32 runs over the bytes from here to the end of the line

Every line of a batch but its last says ``more``, so that an unfinished batch is recognised as one. This framing, and
the meaning of ``format`` and ``version``, stay the same in every version: a newer file is called newer, not damaged.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated
from zlib import crc32

import msgspec

from workbench.domain.log.envelope import Event

FORMAT = "workbench-journal"
VERSION = 3
"""The newest that this workbench reads."""
PLAIN = 1
"""What a file is that holds nothing a workbench of version 1 would misread."""
REDACTED = 2
"""What a file is with redacted events: to a workbench of version 1 they would look damaged."""
CONTINUED = 3
"""What a file is that begins after events which are in archives: earlier versions would take it for damaged."""

_CHECKED = len(b'{"crc":"00000000",')
"""Where the bytes begin that a line's checksum covers."""
_MORE = b'"more":true,'

_encode = msgspec.json.Encoder().encode


class FileHeader(msgspec.Struct, frozen=True, omit_defaults=True):
    """The first line of a journal."""

    format: str
    version: int
    stream: str = ""
    """The event stream the file holds; "" if a file is of another kind."""
    epoch: str = ""
    """Names one continuous history of the file; another one after a repair."""
    seq: Annotated[int, msgspec.Meta(ge=0)] = 0
    """Of the event that the file begins after, which ends an archive; 0 where the file begins with event 1."""
    hash: str = ""
    """Of that event."""
    repaired: str = ""
    """Epoch of the damaged file that a repair made this one of: events may be missing that its readers know."""


def random_epoch() -> str:
    """Return a name for a new continuous history."""
    return os.urandom(8).hex()


class _EventLine(msgspec.Struct, frozen=True, gc=False):
    doc: Event


decode_header = msgspec.json.Decoder(FileHeader).decode
"""Reads the first line of a journal. Raises envelope.UNREADABLE."""
_decode_event = msgspec.json.Decoder(_EventLine).decode


def sealed(members: bytes) -> bytes:
    """Return a line from its members: everything after the checksum, the closing brace included."""
    return b'{"crc":"%08x",%b\n' % (crc32(members), members)


def first_garbled(lines: Iterable[bytes]) -> int | None:
    """Return the index of the first line whose checksum does not hold; None when all hold."""
    for index, line in enumerate(lines):
        if not line.startswith(b'{"crc":"%08x",' % crc32(line[_CHECKED:])):
            return index
    return None


def is_unfinished(line: bytes) -> bool:
    """Tell whether further lines of the same batch follow this one."""
    return line.startswith(_MORE, _CHECKED)


def encode_header(header: FileHeader) -> bytes:
    """Return the first line of a journal."""
    return sealed(_encode(header)[1:])


def encode_events(events: Sequence[Event]) -> bytes:
    """Return events as the lines of one batch of the table ``events``, each under its seq."""
    last = len(events) - 1
    return b"".join(encode_event(event, more=index < last) for index, event in enumerate(events))


def encode_event(event: Event, *, more: bool) -> bytes:
    """Return one event as a line; ``more``: further lines of its batch follow."""
    return sealed(b'%b"table":"events","id":%d,"doc":%b}' % (_MORE if more else b"", event.seq, _encode(event)))


def ending(event_hash: str) -> bytes:
    """Return how the line of an event with this hash ends: enough to recognise the place after it."""
    return b'"hash":"%b"}}\n' % event_hash.encode()


def decode_events(lines: Iterable[bytes]) -> Iterator[tuple[Event, bytes]]:
    """Read lines as events, each with its header as it is there, for ``followed``. Raises envelope.UNREADABLE.

    A line has the members that ``encode_event`` writes and no others: of two with one name, each reader of JSON takes
    the one that it likes.
    """
    for line in lines:
        event = _decode_event(line).doc
        header = _stored_header(line, event)
        if not header and line != encode_event(event, more=is_unfinished(line))[:-1]:
            raise ValueError("its members are not those that the workbench writes")
        yield event, header


def _stored_header(line: bytes, event: Event) -> bytes:
    """Return the header of a line's event as it is there; b"" if something is between or around its members.

    For checking the chain without writing headers again.
    """
    if event.redacted:
        return b""
    begin, tail = b'"table":"events","id":%d,"doc":' % event.seq, b',"hash":"%b"}}' % event.hash.encode()
    at = _CHECKED + len(_MORE) if line.startswith(_MORE, _CHECKED) else _CHECKED
    end = line.find(b',"body":')
    whole = len(line) == end + 8 + len(event.body) + len(tail) and line.endswith(tail) and line.startswith(begin, at)
    return line[at + len(begin) : end] + b"}" if whole else b""
