"""Taking a session's file from anywhere into a workspace, under its own id.

A file from somebody else is data: nothing of it is run, and nothing is written but the session that it holds. Its
events stay as they are, byte for byte, so that what was exported can be compared with what was imported; that they came
from elsewhere is told by the workspace that each of them names. One that would continue by itself is stopped by whoever
takes it in (bootstrap): a file's approvals spend nothing before a person here resumes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from workbench.domain.errors import LogDamaged, NotFound, NotUnderstood, UsageError
from workbench.domain.log.envelope import Event, Head, first_broken_link, genesis
from workbench.domain.log.ids import SessionId
from workbench.storage.files.damage.salvage import salvage
from workbench.storage.files.log import SUFFIX, FileLog
from workbench.storage.files.opening import LARGEST, Files, create_whole, read_whole, reporting_errors
from workbench.storage.files.session_file import NoSession, has_sound_part, opened_session_file
from workbench.storage.holdings import Held, Holdings

_AGAIN = "Get the file once more, from who has the session."
_NOTHING = "Nothing sound is in"


class Readable(NamedTuple):
    """What a file holds of a session."""

    events: list[Event]
    lost: int
    """Lines that were left out, as they are damaged or stand after the damage."""


def read_to_import(path: Path, *, sound_part: bool = False) -> Readable:
    """Return the events of a session file, all of them checked; with ``sound_part`` those before its first damage.

    Raises NotFound, UsageError for what is not a session's file or too large, LogDamaged, LogTooNew, LogUnavailable.
    """
    files = Files()
    with reporting_errors(path):
        if not files.exists(path):
            raise NotFound(
                f"There is no file {path}.", "Name one that `workbench sessions export --format jsonl` wrote."
            )
        if not files.is_regular(path):
            raise UsageError(f"{path} is not a file.", "Name a session's file.")
        size = files.status(path).st_size
    if size > LARGEST:
        raise UsageError(
            f"{path} is too large for a session's file: {size:,} bytes, and {LARGEST:,} are the most.",
            "Look at what it is before you do anything with it.",
        )
    return _sound_part(path) if sound_part else Readable(_read_sound(path), 0)


def _read_sound(path: Path) -> list[Event]:
    try:
        session, events = _read_journal(path)
    except NoSession:
        raise
    except LogDamaged as error:
        raise LogDamaged(error.message, _remedy(path)) from error
    return _check_importable(path, session, events)


def _remedy(path: Path) -> str:
    """Return what can be done about a damaged file: of one in which nothing is sound, no part can be taken in."""
    part = "Import what is sound of it with --sound-part, or get the file once more."
    return part if has_sound_part(path) else _AGAIN


def _read_journal(path: Path) -> tuple[str, list[Event]]:
    file = opened_session_file(path)
    with file.journal.reading() as opened:
        events = list(file.events_in(opened, after=0))
        if opened.size > file.caught_up(opened).offset:
            raise LogDamaged(f"{path} ends in the middle of the batch after event {len(events)}.")
    return file.stream, events


def _check_importable(path: Path, session: str, events: list[Event]) -> list[Event]:
    """Return events that can be stored again and opened as a session. Raises LogDamaged."""
    from workbench.domain.session.forgetting import first_unvouched  # listing sessions must import neither
    from workbench.domain.session.session import fold

    broken = first_broken_link(events, Head("", 0, genesis(session)))
    if broken is not None:
        raise LogDamaged(f"Event {broken.seq} of {path} is not written as a workbench writes it.", _AGAIN)
    if len({event.id for event in events}) < len(events):
        raise LogDamaged(f"Two events of {path} have the same id.", _AGAIN)
    try:
        fold(events)
    except LogDamaged as error:
        first = "Update the workbench, and import it again. " if isinstance(error, NotUnderstood) else ""
        raise LogDamaged(f"{path} cannot be opened as a session: {error.message}", first + _remedy(path)) from error
    forged = first_unvouched(events)
    if forged is not None:
        raise LogDamaged(
            f"Event {forged.seq} of {path} has been changed, and no event says that anything was forgotten.", _AGAIN
        )
    return events


def _sound_part(path: Path) -> Readable:
    """Repair a copy of the file, and return what is in it then."""
    session = _session_in(path)
    with TemporaryDirectory(prefix="workbench-import-") as place:
        log = FileLog(Path(place) / "sessions", durable=False)
        with reporting_errors(path):
            create_whole(Files(), log.folder / f"{session}{SUFFIX}", read_whole(Files(), path), durable=False)
        try:
            done = log.repair(session)
        except LogDamaged as error:
            raise LogDamaged(f"{_NOTHING} {path}: no batch before its first damage is whole.", _AGAIN) from error
        return Readable(_check_importable(path, session, list(log.read(session))), done.lost)


def _session_in(path: Path) -> SessionId:
    """Return whose file it is, whatever of it is damaged. Raises LogDamaged if not even its first event is whole."""
    try:
        found = salvage(path, beyond=False)
    except LogDamaged as error:
        raise LogDamaged(f"{_NOTHING} {path}: no event in it can be read.", _AGAIN) from error
    if not found.before:
        raise LogDamaged(f"{_NOTHING} {path}: {found.why_nothing}.", _AGAIN)
    return SessionId(found.before[0].session)


def take_in(events: Sequence[Event], target: Holdings) -> int | None:
    """Store a session's events as they are. Where it is there already, return how many events follow these; else None.

    Raises UsageError if a session of that id says something else, LogBusy, LogDamaged, LogUnavailable.
    """
    one = Held("session", events[0].session)
    there = target.head(one)
    if there is not None:
        _compare(events, target, one)
        if one in target.held():
            return _missing_count(events, there, one)
    stored = 0 if there is None else there.seq  # on a server, an import may have been interrupted
    has_redacted = any(event.redacted for event in events)
    target.take_in(one, iter(events[stored:]), behind=there, has_redacted=has_redacted)
    _compare(events, target, one)
    target.publish(one)
    return None


def _compare(events: Sequence[Event], target: Holdings, one: Held) -> None:
    for seq, (mine, other) in enumerate(zip_longest(events, target.events(one)), 1):
        if mine is not None and other is not None and mine != other:
            why = "is redacted in one of them only" if mine.hash == other.hash else "is another one"
            raise _another(one, f"event {seq} {why}")


def _missing_count(events: Sequence[Event], stored: Head, one: Held) -> int:
    if stored.seq < len(events):
        raise _another(one, f"it ends with event {stored.seq}, the file with event {len(events)}")
    return stored.seq - len(events)


def _another(one: Held, why: str) -> UsageError:
    return UsageError(
        f"A {one} with other contents exists already: {why}.",
        "Import the file as a copy with --new-id, or delete that session first.",
    )
