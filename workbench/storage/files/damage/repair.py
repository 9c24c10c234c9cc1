"""Repairing a damaged session file: the longest prefix of sound whole batches is kept, the file itself is put away.

The new file has the old name and a new epoch, because readers that saw events after the damage must start again. What
is called sound here can be opened: the events of a session are folded, so that a body that does not fit its kind counts
as damage too.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import msgspec

from workbench.domain.errors import LogDamaged, LogTooNew
from workbench.domain.log.envelope import Damage
from workbench.storage import codec
from workbench.storage.files.damage.soundness import Examination, TakesIn, as_session, parted
from workbench.storage.files.opening import read_open, replace_whole, reporting_errors
from workbench.storage.files.stream import StreamFile


class Repair(NamedTuple):
    """What a repair did."""

    kept: int
    """Events that are in the session now."""
    lost: int
    """Lines of the damaged file, whole or not, that could not be kept."""
    aside: Path | None
    """Where the damaged file is now; None when nothing was damaged and nothing was done."""


def repair(file: StreamFile, *, takes_in: TakesIn = as_session, keep_nothing: bool = False) -> Repair:
    """Repair one stream's file, if it is damaged.

    ``takes_in`` is shown each event with what it returned for the one before, and raises LogDamaged at one that the
    stream's readers could not take in. ``keep_nothing``: if nothing is sound, the whole file goes into the trash.
    Raises LogDamaged if nothing is sound and that is not wanted, LogBusy when the session is driven or written by
    another process, LogTooNew, NotFound, LogUnavailable.
    """
    with reporting_errors(file.path), file.drive(), file.journal.appending() as damaged:
        data = read_open(file.files, damaged, file.path)
        header, rest = parted(data.removesuffix(b"\n").split(b"\n"))
        _refuse_foreign(file, header)
        begin = header or codec.FileHeader(codec.FORMAT, codec.PLAIN, file.stream)
        kept, why = _sound(rest, file, begin, takes_in)
        while kept and codec.is_unfinished(kept[-1]):
            kept.pop()
        lost = len(rest) - len(kept)
        if header is not None and kept and _is_only_torn(rest[len(kept) :], data):
            return Repair(len(kept), 0, None)
        if not kept and not keep_nothing:
            raise _nothing_sound(file, why)
        aside = file.trash.keep(file.stream, "damaged", file.path)
        if kept:
            version = codec.REDACTED if any(one.redacted for one, _ in codec.decode_events(kept)) else codec.PLAIN
            version = codec.CONTINUED if begin.seq else version
            fresh = msgspec.structs.replace(begin, version=version, epoch=file.new_epoch(), repaired=begin.epoch)
            replace_whole(file.files, file.path, codec.encode_header(fresh) + b"".join(line + b"\n" for line in kept))
        else:
            file.files.unlink(file.path)
            file.files.sync_folder(file.path.parent)
        return Repair(len(kept), lost, aside)


def _refuse_foreign(file: StreamFile, header: codec.FileHeader | None) -> None:
    if header is None:
        return
    if header.version > codec.VERSION:
        raise LogTooNew(f"{file.path} was written by a newer version of the workbench.", "Update the workbench.")
    if header.stream != file.stream:
        raise LogDamaged(
            f"{file.path} holds {header.stream}, not {file.stream}.", f"Rename it to {header.stream}.jsonl."
        )


def _sound(lines: list[bytes], file: StreamFile, begin: codec.FileHeader, takes_in: TakesIn) -> tuple[list[bytes], str]:
    """Return the lines up to the first that is not sound, and why that one is not; "" if all are."""
    for count, found in enumerate(Examination(begin, takes_in, shared=file.shared).examine(lines)):
        if isinstance(found, Damage):
            return lines[:count], f"in the place of event {found.seq}, {found.why}"
    return lines, ""


def _nothing_sound(file: StreamFile, why: str) -> LogDamaged:
    why = (why or "there is no event").rstrip(".")
    return LogDamaged(
        f"Nothing of {file.path} can be kept, as there is no complete batch before its first damage: {why}.",
        "Restore the file from a copy; or repair it with --keep-nothing, which puts it into the trash as it is.",
    )


def _is_only_torn(rest: list[bytes], data: bytes) -> bool:
    """Tell whether what cannot be kept is an unfinished batch, which the next writer cuts off by itself."""
    terminated = rest if data.endswith(b"\n") else rest[:-1]
    return all(map(codec.is_unfinished, terminated))
