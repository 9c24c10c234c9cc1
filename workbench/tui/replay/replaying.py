"""Reading a session to walk through it: in a thread of its own, once, with word of how far it is.

    load (thread) ─▶ ReadSoFar(events) …  ─▶ Loaded(player, opened)   or FollowingFailed(error)
                                                           └─ damaged, and more after it: beyond() ─▶ another player

From then on the recording is in memory: a state is folded from the nearest checkpoint, for the newest place wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from textual.message import Message

from workbench.domain.errors import LogError, NotFound
from workbench.domain.log.envelope import Event
from workbench.replay.opening import OnProgress, Opened, open_recording
from workbench.replay.player import Player
from workbench.storage.files.damage.salvage import Salvage, salvage
from workbench.storage.files.session_file import read_session_file
from workbench.tui.pauses import settle
from workbench.tui.session.following import FollowingFailed, Source
from workbench.tui.session.records.looking_back import in_portions

Load = Callable[[OnProgress], Opened]
"""Reads a session and tells how many events were read so far. Raises LogError and NotFound."""
_TOLD_EVERY = 2_048  # events between two words of how far it is


@dataclass(frozen=True, slots=True)
class Replayed:
    """A session to be replayed."""

    name: str
    """What it is called before it is read: its id, or the name of its file."""
    load: Load
    in_workspace: bool = True
    """Whether it is one of the workspace's own; else no workspace is needed to look at it."""

    @property
    def mode(self) -> str:
        """The application's mode in which it is shown."""
        return f"replay-{self.name}"


@dataclass
class ReadSoFar(Message):
    """Some of the session was read."""

    events: int


@dataclass
class Loaded(Message):
    """The session was read: this plays it."""

    player: Player
    opened: Opened


class _Stopped(Exception):
    """Nobody waits for the recording any more."""


def reading(load: Load, clock: Callable[[], float]) -> Source:
    """Return the source that reads a recording and posts a player of it, which goes by ``clock``."""

    def source(stopped: Callable[[], bool], post: Callable[[Message], object]) -> None:
        def tell(events: int) -> None:
            if stopped():
                raise _Stopped
            if events and events % _TOLD_EVERY == 0:
                post(ReadSoFar(events))

        try:
            opened = load(tell)
            player = Player(opened.recording, clock)
        except _Stopped:
            return
        except (LogError, NotFound) as error:
            post(FollowingFailed(error))
            return
        settle()
        post(Loaded(player, opened))

    return source


def loading(events: Callable[[], Iterable[Event]], salvaged: Callable[[], Salvage]) -> Load:
    """Return what reads a session from its events and, where they are damaged, from what is ``salvaged`` of them."""
    return lambda tell: open_recording(lambda: in_portions(events()), salvaged, on_progress=tell)


def loading_file(file: Path) -> Load:
    """Return what reads a session from its file, wherever that is."""
    return loading(lambda: read_session_file(file), lambda: salvage(file))


def beyond(opened: Opened, before: Player, clock: Callable[[], float]) -> Player:
    """Return a player of what is before the damage and after it, on the first event behind; for a thread."""
    player = Player(opened.beyond(), clock)
    player.seek(opened.behind[0].seq)
    player.set_speed(before.speed)
    player.marks = before.marks
    return player
