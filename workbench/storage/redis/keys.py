"""What a workspace's keys on a server are called: all with one hash tag, so that a script may touch them together.

workbench:{w-1}:sessions:streams            set: the names of the streams
workbench:{w-1}:sessions:<stream>:head      hash: header (a journal's first line), seq, hash, size in bytes
workbench:{w-1}:sessions:<stream>:events    stream: entry <seq>-0 with line (as in a journal) and batch
workbench:{w-1}:sessions:<stream>:ids       hash: event id ─▶ seq
workbench:{w-1}:sessions:<stream>:driver    string with a time to live: who drives it
workbench:{w-1}:sessions:<stream>:fence     hash: epoch (counts drives), token (of the one that counts)
workbench:{w-1}:shared:…                    the same for what sessions share
workbench:{w-1}:lives:<session>:driver …    driver and fence of a session that is open somewhere
workbench:{w-1}:run                         string: which of the server's processes was met last
workbench:{w-1}:beats                       sorted set: session ─▶ milliseconds of the server's clock
workbench:{w-1}:trash                       set: the names of what is in the trash
workbench:{w-1}:trash:<name>:head …         head, events and ids of such a stream
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Group = Literal["sessions", "shared"]


class StreamKeys(NamedTuple):
    """The keys of one stream."""

    head: str
    events: str
    ids: str

    @property
    def driver(self) -> str:
        """Who drives it."""
        return self.head.removesuffix("head") + "driver"

    @property
    def fence(self) -> str:
        """Which drive counts."""
        return self.head.removesuffix("head") + "fence"

    @property
    def rewritten(self) -> str:
        """Where its events are rewritten while they are redacted."""
        return self.head.removesuffix("head") + "anew"


class LifeKeys(NamedTuple):
    """The keys of a session that may be open somewhere."""

    head: str
    """What is there when anything ever lived: no stream is needed for a life."""
    driver: str
    fence: str


class Keys:
    """The keys of one workspace."""

    def __init__(self, workspace: str) -> None:
        self._base = f"workbench:{{{workspace}}}"
        self.beats = f"{self._base}:beats"
        self.trash = f"{self._base}:trash"
        self.run = f"{self._base}:run"

    def streams(self, group: Group) -> str:
        """Return the key of the names of a group's streams."""
        return f"{self._base}:{group}:streams"

    def stream(self, group: Group, stream: str) -> StreamKeys:
        """Return the keys of a stream."""
        return _stream_keys(f"{self._base}:{group}:{stream}")

    def life(self, session: str) -> LifeKeys:
        """Return the keys of a session's life."""
        base = f"{self._base}:lives:{session}"
        return LifeKeys(head=self.beats, driver=f"{base}:driver", fence=f"{base}:fence")

    def trashed(self, name: str) -> StreamKeys:
        """Return the keys of a stream in the trash."""
        return _stream_keys(f"{self.trash}:{name}")


def _stream_keys(base: str) -> StreamKeys:
    return StreamKeys(f"{base}:head", f"{base}:events", f"{base}:ids")
