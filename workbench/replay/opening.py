"""Opening a recording, also of a file that is damaged."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec import Struct

from workbench.domain.errors import LogDamaged
from workbench.domain.log.envelope import Damage, Event
from workbench.replay.recording import Recording
from workbench.storage.files.damage.salvage import Salvage, salvage
from workbench.storage.files.session_file import read_session_file

OnProgress = Callable[[int], None]


class Opened(Struct, frozen=True):
    """A recording, and what its file holds after the damage, if it is damaged."""

    recording: Recording
    """Of a damaged file, up to the damage."""
    behind: tuple[Event, ...] = ()
    """Events that can be read after it."""
    further: tuple[Damage, ...] = ()

    def beyond(self) -> Recording:
        """Return the recording of everything that can be read: not for an event loop."""
        return self.recording.beyond(self.behind, self.further)


def open_recording_file(path: Path, *, on_progress: OnProgress | None = None) -> Opened:
    """Open a session file from anywhere. Raises as ``open_recording`` does, and NotFound, LogUnavailable."""
    return open_recording(lambda: read_session_file(path), lambda: _salvaged(path), on_progress=on_progress)


def _salvaged(path: Path) -> Salvage:
    """Return what can be read of a file. Raises LogDamaged if that is nothing: no remedy of damages helps then."""
    found = salvage(path)
    if found.before:
        return found
    raise LogDamaged(f"No part of {path} can be shown: {found.why_nothing}.", "Restore the file from a copy.")


def open_recording(
    read: Callable[[], Iterable[Event]], salvaged: Callable[[], Salvage], *, on_progress: OnProgress | None = None
) -> Opened:
    """Open a recording of what ``read`` gives, and where that is damaged, of what is ``salvaged``.

    It reads and folds the whole session: not for an event loop. Raises LogDamaged if not even the first event can
    be shown, LogTooNew.
    """
    try:
        return Opened(Recording.from_events(read(), on_progress=on_progress))
    except LogDamaged:
        found = salvaged()
        if not (found.damages and found.before):
            raise
    first, *further = found.damages
    return Opened(
        Recording.from_events(found.before, damages=[first], on_progress=on_progress), found.behind, tuple(further)
    )
