"""Redacting a session's file: other bodies for some of its events, in a file that takes the old one's place.

The new file has a new epoch and a batch that says what was done. It is written aside, synced and renamed, under the
driver's lock and the gate: a crash leaves the old file or the new one, whole. Who has the old one open is told that it
was replaced, and starts again. Nothing goes into the trash, a torn batch neither: the old bodies are what nobody is to
find any more.

Archives come after the file that vouches for what they will say, one by one, each in one rename: until then they say
what they said, and doing it again finishes it. The last new epoch tells those who read them in between.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from workbench.domain.log.envelope import Draft, Event, Head, seal
from workbench.storage import codec
from workbench.storage.admission import check_redaction, redacted
from workbench.storage.files.opening import remove_asides, replace_whole, reporting_errors
from workbench.storage.files.stream import StreamFile


def redact(
    file: StreamFile, bodies: Mapping[str, msgspec.Raw], drafts: Sequence[Draft], *, expected: int
) -> tuple[Event, ...]:
    """Redact one stream's file, as ``Redactable.redact`` does."""
    with reporting_errors(file.path), file.drive():
        with file.journal.appending() as old:
            lines, end = file.whole(old)
            begin, _ = file.journal.header(old.descriptor)
            here = {event.id for _, event in lines}
            is_archived = not here.issuperset(bodies)
            older = {event.id for event in file.older_than(old, after=0)} if is_archived else set()
            check_redaction(file.stream, bodies, here | older, expected=expected, seq=end.seq)
            epoch = file.new_epoch()
            written = seal(drafts, Head(epoch, end.seq, end.hash))
            header = msgspec.structs.replace(begin, epoch=epoch)
            replace_whole(file.files, file.path, rewritten_file(header, lines, bodies) + codec.encode_events(written))
            remove_asides(file.files, file.path)
        file.journal.close()  # the last hold on the old file, as far as this process goes
        if is_archived:
            _redact_archives(file, bodies)
    return written


def _redact_archives(file: StreamFile, bodies: Mapping[str, msgspec.Raw]) -> None:
    """Redact what is before a file whose own events are redacted, and vouch for it."""
    with file.journal.appending() as now:
        if file.older is not None:
            file.older.redact(bodies, until=file.origin(now).head)
        lines, _ = file.whole(now)
        header, _ = file.journal.header(now.descriptor)
        header = msgspec.structs.replace(header, epoch=file.new_epoch())
        replace_whole(file.files, file.path, rewritten_file(header, lines, {}))
    file.journal.close()


def rewritten_file(
    header: codec.FileHeader, lines: Iterable[tuple[bytes, Event]], bodies: Mapping[str, msgspec.Raw]
) -> bytes:
    """Return the content of a file with other bodies for some of its events."""
    header = msgspec.structs.replace(header, version=max(header.version, codec.REDACTED))
    kept = (
        codec.encode_event(redacted(event, bodies), more=codec.is_unfinished(line))
        if event.id in bodies
        else line + b"\n"
        for line, event in lines
    )
    return b"".join([codec.encode_header(header), *kept])
