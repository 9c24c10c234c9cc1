"""A session file anywhere: one from a colleague, a download, a sample. It is read, and nothing else."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from workbench.domain.errors import LogDamaged, NotFound
from workbench.domain.log.envelope import Event
from workbench.domain.log.ids import SessionId
from workbench.storage import codec
from workbench.storage.files.damage.salvage import salvage
from workbench.storage.files.damage.soundness import parted
from workbench.storage.files.journal import Journal, complete_batches
from workbench.storage.files.opening import Files, read_whole, reporting_errors
from workbench.storage.files.stream import StreamFile
from workbench.storage.files.trash import Trash
from workbench.storage.places import FOLDER_NAME

_AGAIN = "Restore it from a copy, or get it once more from who has the session."


class NoSession(LogDamaged):
    """A file of the workbench that holds something else than a session."""


def read_session_file(path: Path) -> Iterator[Event]:
    """Yield the events of a session file, whatever the file is called.

    Raises NotFound, also for what is not a file, LogDamaged with what helps against that, LogTooNew, LogUnavailable.
    """
    files = Files()
    with reporting_errors(path):
        if not files.is_regular(path):
            what = "is not a file" if files.exists(path) else "does not exist"
            raise NotFound(f"{path} {what}.", "Name a session's file, or a session by its id.")
    try:
        yield from opened_session_file(path).events()
    except NoSession:
        raise
    except LogDamaged as error:
        raise LogDamaged(error.message, _remedy(path)) from error


def _remedy(path: Path) -> str:
    """Return what can be done about a damaged file in the place where it is."""
    kept = path.absolute().parent
    is_own = (kept.name, kept.parent.name) == ("sessions", FOLDER_NAME)
    if not has_sound_part(path):
        if can_be_shown(path):
            file = shlex.quote(str(path))
            return f"Look at what of it can be read: `workbench replay {file}`."
        aside = f" Or run `workbench sessions repair {path.stem} --keep-nothing`: it puts the file into the trash."
        return _AGAIN + (aside if is_own else "")
    if is_own:
        return f"Run `workbench sessions repair {path.stem}`: it keeps what is sound, the damaged file in the trash."
    file = shlex.quote(str(path))
    return (
        f"Take in what is sound with `workbench sessions import --sound-part {file}`, "
        f"or look at what follows it, too: `workbench replay {file}`."
    )


def can_be_shown(path: Path) -> bool:
    """Tell whether anything of a damaged file can be shown. Raises as ``salvage``, but no LogDamaged."""
    return _readable(path) > 0


def has_sound_part(path: Path) -> bool:
    """Tell whether a whole batch is in front of a file's damage, to be kept or taken in. Raises as ``salvage``."""
    readable = _readable(path)
    if not readable:
        return False
    with reporting_errors(path):
        _, lines = parted(complete_batches(read_whole(Files(), path)))
    return not all(map(codec.is_unfinished, lines[:readable]))


def _readable(path: Path) -> int:
    """Return how many events in front of a file's damage can be read."""
    try:
        return len(salvage(path, beyond=False).before)
    except LogDamaged:
        return 0


def torn_bytes(path: Path) -> int:
    """Return how many bytes at the end are a torn batch, never acknowledged. Raises NotFound, LogUnavailable."""
    with reporting_errors(path):
        data = read_whole(Files(), path)
    return len(data) - sum(len(line) + 1 for line in complete_batches(data))


def opened_session_file(path: Path) -> StreamFile:
    """Return a session file for reading; what to do if it is damaged, says who reads it. Raises as reading does."""
    journal = Journal(path, files=Files())
    with journal.reading() as file:
        header, _ = journal.header(file.descriptor)
    if not header.stream:
        raise NoSession(f"{path} holds no session.", "Name a session's file, or a session by its id.")
    return StreamFile(path, SessionId(header.stream), trash=Trash(path.parent))


def session_file(events: Sequence[Event]) -> bytes:
    """Return the file of a session that has these events, all of them: the same, its epoch too, for the same events."""
    version = codec.REDACTED if any(event.redacted for event in events) else codec.PLAIN
    lines = b"".join(codec.encode_event(event, more=False) for event in events)
    header = codec.FileHeader(codec.FORMAT, version, events[0].session, hashlib.sha256(lines).hexdigest()[:16])
    return codec.encode_header(header) + lines


def keep_unsaved(trash: Trash, stream: str, events: Sequence[Event]) -> Path:
    """Write all events of a session, from its first, to a file and return its path. Raises LogUnavailable."""
    with reporting_errors(trash.folder):
        return trash.keep(stream, "unsaved", session_file(events))
