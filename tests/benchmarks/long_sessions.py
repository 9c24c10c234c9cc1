"""Sessions as long as a benchmark needs, made of events that the product itself wrote.

One real session is run offline; its first iteration is then repeated, or its small events alone, until the session is
long enough. The events are sealed anew, so numbers and hash chain hold.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path

import msgspec
from workbench.domain.log.envelope import Draft, Event
from workbench.domain.session.copies import in_full
from workbench.storage.files.log import FileLog

GOAL = "Move our billing to the new provider by 30 June without downtime"
SESSION = "long-session-0000"
_PORTION = 500
"""Events in a batch while a session is made."""
_SMALL = 600
"""Bytes of a body."""


def written_by_the_product(folder: Path) -> list[Event]:
    """Run one session in a folder, offline, and return its events."""
    command = [sys.executable, "-m", "workbench", "run", GOAL, "--approve", "all"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    log = FileLog(folder / ".workbench" / "sessions")
    (session,) = log.streams()
    return list(in_full(log.read(session)))


def draft_of(event: Event, session: str = SESSION) -> Draft:
    """Return what an event says, for another place in another session."""
    values = {name: getattr(event, name) for name in Draft.__struct_fields__}
    return Draft(**values | {"id": "", "session": session})


def long_session(log: FileLog, events: Sequence[Event], count: int, *, small: bool) -> str:
    """Write a session of ``count`` events and return its id."""
    first, *rest = events
    kinds = [event.kind for event in rest]
    begun, ended = kinds.index("iteration.begun"), kinds.index("iteration.completed")
    repeated = [event for event in rest if len(bytes(event.body)) < _SMALL] if small else rest[begun : ended + 1]
    drafts = iter([draft_of(first), *islice(cycle(map(draft_of, repeated)), count - 1)])
    seq = 0
    for portion in _portions(drafts):
        seq = log.append(SESSION, portion, expected=seq)[-1].seq
    return SESSION


def _portions(drafts: Iterator[Draft]) -> Iterator[list[Draft]]:
    while portion := list(islice(drafts, _PORTION)):
        yield portion


def line_size(path: Path, count: int) -> int:
    """Return the mean length of a line in bytes."""
    return path.stat().st_size // count


def printed(figures: dict[str, object]) -> None:
    """Print one line of JSON."""
    sys.stdout.write(msgspec.json.encode(figures).decode() + "\n")
