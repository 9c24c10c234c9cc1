"""Whether the chain of a stored stream holds, line by line: reading checks it too, and stops with an error."""

from __future__ import annotations

from workbench.domain.log.envelope import UNREADABLE, Event, followed
from workbench.storage import codec
from workbench.storage.files.log import FileLog
from workbench.storage.files.stream import StreamFile
from workbench.storage.redis.log import RedisLog
from workbench.storage.redis.stream import RedisStream


def first_broken(log: FileLog | RedisLog, stream: str) -> Event | None:
    """Return the first event whose number, body or chain does not hold; None when all do. Raises LogDamaged."""
    return _in_file(log.file(stream)) if isinstance(log, FileLog) else _on_server(log._stream(stream))


def _in_file(file: StreamFile) -> Event | None:
    with file.journal.reading() as opened:
        for _ in file.older_than(opened, after=0):
            pass  # each is checked where it is read
        start = file.origin(opened)
        lines = (line for block in file.journal.blocks(opened.descriptor, start.position) for line in block.lines)
        links = followed(codec.decode_events(lines), start.head)
        seq = start.seq
        try:
            for seq, (event, holds) in enumerate(links, start.seq + 1):  # noqa: B007  # said in the error
                if not holds:
                    return event
        except UNREADABLE as error:
            raise file._no_event(start, seq + 1, error) from error
    return None


def _on_server(stream: RedisStream) -> Event | None:
    for before, lines in stream._portions(0):
        bad = codec.first_garbled(lines)
        sound = before.seq
        try:
            for event, holds in followed(codec.decode_events(lines[:bad]), before):
                if not holds:
                    return event
                sound += 1
        except UNREADABLE as error:
            raise stream.name.damaged(sound + 1, f"it is no event ({error})") from error
        if bad is not None:
            raise stream.name.damaged(before.seq + bad + 1, "its checksum does not hold")
    return None
