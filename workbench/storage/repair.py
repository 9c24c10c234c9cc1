"""Repairing a damaged session file: what is sound up to the damage is kept, the file itself is put away untouched.

    damaged file ─▶ lines ─▶ checksums, numbers and hash chain hold? ─▶ the longest prefix of whole batches
         │                                                                    │
         ╰──▶ trash/{id}.damaged-….jsonl (a second name)                      ╰──▶ new file, new epoch, old name

A new epoch, because readers that saw events behind the damage must start again.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from workbench.domain.envelope import body_digest, chained, genesis
from workbench.domain.errors import LogDamaged, LogTooNew
from workbench.storage import codec
from workbench.storage.files import replace_whole, reported
from workbench.storage.stream_file import StreamFile


class Repair(NamedTuple):
    """What a repair did."""

    kept: int
    """Events that are in the session now."""
    lost: int
    """Lines of the damaged file, whole or not, that could not be kept."""
    aside: Path | None
    """Where the damaged file is now; None when nothing was damaged and nothing was done."""


def repair(file: StreamFile) -> Repair:
    """Repair one stream's file, if it is damaged. When nothing can be kept, the stream is gone and only its file kept.

    Raises LogBusy when the session is driven or written by another process, LogTooNew, NotFound, LogUnavailable.
    """
    with reported(file.path), file.drive(), file.journal.appending() as damaged:
        data = _whole(file, damaged.descriptor)
        header, rest = _parted(data.removesuffix(b"\n").split(b"\n"))
        _refuse_foreign(file, header)
        kept = list(_sound(rest, file.stream))
        while kept and codec.is_unfinished(kept[-1]):
            kept.pop()
        lost = len(rest) - len(kept)
        if header is not None and kept and _is_only_torn(rest[len(kept) :], data):
            return Repair(len(kept), 0, None)
        aside = file.trash.keep(file.stream, "damaged", file.path)
        if kept:
            fresh = codec.FileHeader(codec.FORMAT, codec.VERSION, file.stream, file.new_epoch())
            replace_whole(file.files, file.path, codec.encode_header(fresh) + b"".join(line + b"\n" for line in kept))
        else:
            file.files.unlink(file.path)
            file.files.sync_folder(file.path.parent)
        return Repair(len(kept), lost, aside)


def _whole(file: StreamFile, descriptor: int) -> bytes:
    portions = []
    offset = 0
    while portion := file.files.read(descriptor, 1 << 24, offset):
        portions.append(portion)
        offset += len(portion)
    return b"".join(portions)


def _parted(lines: list[bytes]) -> tuple[codec.FileHeader | None, list[bytes]]:
    """Return the header, None when it is unreadable, and the lines that may be events."""
    first, *rest = lines
    if codec.first_garbled([first]) is not None:
        joined = first.find(b'{"crc":"', 1)  # where only the line's end is gone, an event follows on the same line
        return None, [first[joined:], *rest] if joined > 0 else rest
    try:
        return codec.decode_header(first), rest
    except msgspec.DecodeError:
        return None, lines


def _refuse_foreign(file: StreamFile, header: codec.FileHeader | None) -> None:
    if header is None:
        return
    if header.version > codec.VERSION:
        raise LogTooNew(f"{file.path} was written by a newer version of the workbench.", "Update the workbench.")
    if header.stream != file.stream:
        raise LogDamaged(
            f"{file.path} holds {header.stream}, not {file.stream}.", f"Rename it to {header.stream}.jsonl."
        )


def _sound(lines: list[bytes], stream: str) -> Iterator[bytes]:
    """Yield the lines of events up to the first that does not hold by itself or does not follow the one before it."""
    previous = genesis(stream)
    for seq, line in enumerate(lines, 1):
        if codec.first_garbled([line]) is not None:
            return
        try:
            (event,) = codec.decode_events([line])
        except (msgspec.DecodeError, UnicodeDecodeError):
            return
        linked = chained(previous, event)
        if event.seq != seq or event.hash != linked or body_digest(event.body) != event.body_hash:
            return
        previous = linked
        yield line


def _is_only_torn(rest: list[bytes], data: bytes) -> bool:
    """Tell whether what cannot be kept is an unfinished batch, which the next writer cuts off by itself."""
    terminated = rest if data.endswith(b"\n") else rest[:-1]
    return all(map(codec.is_unfinished, terminated))
