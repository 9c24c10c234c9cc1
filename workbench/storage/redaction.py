"""Redacting a session's file: other bodies for some of its events, in a file that takes the old one's place.

    file ─▶ lines, all checked ─▶ redacted ones anew ─▶ + a batch that says so ─▶ new file, new epoch, old name
                                                                                        │
                                     what a crash left beside it of older bodies goes ◀─╯

The new file is written aside, synced and renamed, under the driver's lock and the gate: a crash leaves the old file or
the new one, whole. Who has the old one open is told that it was replaced, and starts again. Nothing goes into the
trash, a torn batch neither: the old bodies are what nobody is to find any more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from workbench.domain.envelope import Draft, Event, Head, seal
from workbench.storage import codec
from workbench.storage.admission import check_redaction, redacted
from workbench.storage.files import remove_asides, replace_whole, reported
from workbench.storage.stream_file import StreamFile


def redact(
    file: StreamFile, bodies: Mapping[str, msgspec.Raw], drafts: Sequence[Draft], *, expected: int
) -> tuple[Event, ...]:
    """Redact one stream's file, as ``Redactable.redact`` does."""
    with reported(file.path), file.drive():
        with file.journal.appending() as old:
            lines, end = file.whole(old)
            begin, _ = file.journal.header(old.descriptor)
            check_redaction(file.stream, bodies, {event.id for _, event in lines}, expected=expected, seq=end.seq)
            epoch = file.new_epoch()
            written = seal(drafts, Head(epoch, end.seq, end.hash))
            version = max(begin.version, codec.REDACTED)
            header = msgspec.structs.replace(begin, version=version, epoch=epoch)
            kept = (
                _anew(line, redacted(event, bodies)) if event.id in bodies else line + b"\n" for line, event in lines
            )
            replace_whole(
                file.files, file.path, b"".join([codec.encode_header(header), *kept, codec.encode_events(written)])
            )
            remove_asides(file.files, file.path)
        file.journal.close()  # the last hold on the old file, as far as this process goes
    return written


def _anew(line: bytes, event: Event) -> bytes:
    return codec.encode_event(event, more=codec.is_unfinished(line))
