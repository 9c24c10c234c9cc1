"""Reading a session to walk through it: in a thread of its own, once, with word of how far it is.

    load (thread) ─▶ ReadSoFar(events) …  ─▶ Loaded(player)   or FollowingFailed(error)

From then on the recording is in memory: a state is folded from the nearest checkpoint, for the newest place wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from textual.message import Message

from workbench.domain.envelope import Event
from workbench.domain.errors import LogError, NotFound
from workbench.replay.player import Player
from workbench.replay.recording import Recording
from workbench.storage.session_file import read_session_file
from workbench.tui.following import FollowingFailed, Source
from workbench.tui.looking_back import in_portions
from workbench.tui.pauses import settle

Load = Callable[[Callable[[int], None]], Recording]
"""Reads a recording and tells how many events were read so far. Raises LogError and NotFound."""
_TOLD_EVERY = 2_048
"""Events between two words of how far it is."""


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
            player = Player(load(tell), clock)
        except _Stopped:
            return
        except (LogError, NotFound) as error:
            post(FollowingFailed(error))
            return
        settle()
        post(Loaded(player))

    return source


def loading(events: Callable[[], Iterable[Event]]) -> Load:
    """Return what reads a recording from a session's events, wherever they are."""
    return lambda tell: Recording.of(in_portions(events()), on_progress=tell)


def loading_file(file: Path) -> Load:
    """Return what reads a recording from a session file anywhere."""
    return loading(lambda: read_session_file(file))
