"""What can still be read of a damaged session file, to be looked at: nothing is written, repaired or moved."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from workbench.domain.errors import LogDamaged
from workbench.domain.log.envelope import UNREADABLE, Damage, Event
from workbench.storage import codec
from workbench.storage.files.damage.soundness import Examination, TakesIn, as_session, parted
from workbench.storage.files.journal import Journal, complete_batches
from workbench.storage.files.opening import Files, read_open


class Salvage(Struct, frozen=True):
    """What a session file still holds."""

    before: tuple[Event, ...]
    """In front of the first place where an event cannot be read."""
    damages: tuple[Damage, ...]
    """Every place that is damaged, in order; () for a file that is sound."""
    behind: tuple[Event, ...]
    """The others that can be read: they are unchanged, and can be taken in one after the other."""

    @property
    def why_nothing(self) -> str:
        """Why there is nothing in front of the first damage, as the second half of a sentence."""
        return f"at line {self.damages[0].line}, {self.damages[0].why}" if self.damages else "it holds no event"


MOST_DAMAGES = 10_000
"""Places that are named at most: of a file in which every line is damaged, the others say nothing new."""


def salvage(path: Path, *, takes_in: TakesIn = as_session, beyond: bool = True) -> Salvage:
    """Read whatever can be read of a session file, whatever it is called; not ``beyond`` its first damage.

    ``takes_in`` is shown each event with what it returned for the one before, and raises LogDamaged at one that could
    not be shown. Raises LogDamaged if that is nothing at all, NotFound, LogTooNew, LogUnavailable.
    """
    journal = Journal(path, files=Files())
    with journal.reading() as file:
        lines = complete_batches(read_open(journal.files, file, path))
        header, rest = parted(lines) if lines else (None, [])
        if header is not None:
            journal.header(file.descriptor)  # refuses what is newer, or no journal
    begin = header or codec.FileHeader(codec.FORMAT, codec.PLAIN, _stream_of(rest))
    if not begin.stream:
        raise LogDamaged(f"{path} holds no session that can be read.", "Restore the file from a copy.")
    found = _examined(rest, Examination(begin, takes_in, first_line=1 + len(lines) - len(rest)), beyond)
    return found if header is not None else replace(found, damages=(_NO_HEADER, *found.damages))


_NO_HEADER = Damage(1, 1, "it does not begin like a file of the workbench")


def _stream_of(lines: list[bytes]) -> str:
    """Return the session that the first readable event belongs to; "" if none is readable."""
    for line in lines:
        if codec.first_garbled([line]) is None:
            with suppress(*UNREADABLE):
                event, _ = next(codec.decode_events([line]))
                return event.session
    return ""


def _examined(lines: list[bytes], examination: Examination, beyond: bool) -> Salvage:
    before: list[Event] = []
    damages: list[Damage] = []
    behind: list[Event] = []
    for found in examination.examine(lines):
        if damages and not beyond:
            break
        if isinstance(found, Damage):
            if len(damages) < MOST_DAMAGES:
                damages.append(found)
        else:
            (behind if damages else before).append(found)
    return Salvage(tuple(before), tuple(damages), tuple(behind))
