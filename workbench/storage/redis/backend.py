"""A workspace whose logs are on a server, so that sessions on several machines have one list, one trash, one context.

RedisBackend ─▶ RedisStore        the sessions' log, the shared one and the trash
             ─▶ RedisListing      the same sessions, listed by the ends of their streams
             ─▶ WorkspaceFolder   the caches of this machine, and what it knew of sessions that went back
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from workbench.domain.errors import UsageError
from workbench.domain.log.envelope import Event, Head
from workbench.storage import codec
from workbench.storage.files.repair import Repair
from workbench.storage.files.salvage import Salvage
from workbench.storage.files.trash import Trashed
from workbench.storage.files.workspace import WorkspaceFolder
from workbench.storage.holdings import Held
from workbench.storage.log_address import LogAddress
from workbench.storage.ports import Stamp
from workbench.storage.redis.entries import PLACE, PLACE_REPLY
from workbench.storage.redis.holdings import RedisHoldings
from workbench.storage.redis.keys import Keys
from workbench.storage.redis.link import RedisLink
from workbench.storage.redis.lives import RedisLives
from workbench.storage.redis.log import RedisLog
from workbench.storage.redis.store import RedisStore

_PORTION = 500
"""Events of a stream that are summarised together."""
_TRASH = "trash/"
"""What the names of copies in the trash begin with."""


class RedisBackend:
    """The logs of one workspace on one server."""

    waking = "the server tells each follower as soon as something is appended"

    def __init__(self, folder: WorkspaceFolder, address: LogAddress) -> None:
        """Use the streams of the workspace that an address names; ``folder`` is where this machine's caches are.

        Nothing is asked of the server yet. Raises SettingsError.
        """
        self._holdings = RedisHoldings(address)
        self.id = address.workspace
        self._folder = folder
        self._store = RedisStore(address.url, address.workspace)
        self._trash = self._store.trash()
        self._link = self._store.link
        self._keys = self._store.keys

    def log(self) -> RedisLog:
        """Return the log of the workspace's sessions."""
        return self._store.log(self._folder.unsaved)

    def listing(self) -> RedisListing:
        """Return the sessions to be listed."""
        return RedisListing(self._store.log(), self._link, self._keys)

    def shared_log(self, *, durable: bool = False) -> RedisLog:  # noqa: ARG002  # the server's appendfsync decides
        """Return the log of what the workspace's sessions share; how durable it is, the server's settings say."""
        return self._store.shared_log()

    def close(self) -> None:
        """Let go of the connections."""
        self._store.close()
        self._holdings.close()

    def lives(self) -> RedisLives:
        """Return which of the workspace's sessions are open somewhere, on any machine."""
        return self._store.lives()

    def trash(self, stream: str) -> Trashed:
        """Move a session into the trash."""
        return self._trash.put(stream)

    def trashed(self) -> list[Trashed]:
        """Return what is in the trash, the oldest first."""
        return [*self._trash.entries(), *self._folder.trashed()]

    def restore(self, name: str) -> str:
        """Take a deleted session out of the trash, by its name there, and return its id."""
        return self._trash.restore(name)

    def empty_trash(self) -> int:
        """Remove everything in the trash for good; return how many sessions that were."""
        return self._trash.empty() + self._folder.empty_trash()

    def copies(self, holds: Callable[[str], bool], *, of: str | None) -> list[str]:
        """Return the names of this machine's caches, and of what is in the trash, that hold a text."""
        put_away = [one.name for one in self._trash.entries() if of in (one.stream, None)]
        return [*self._folder.copies(holds, of=of), *(_TRASH + name for name in put_away if holds(self._text(name)))]

    def _text(self, name: str) -> str:
        events = self._holdings.events(Held("deleted", name))
        return b"".join(codec.encode_event(event, more=False) for event in events).decode("utf-8", "replace")

    def remove(self, copies: Iterable[str]) -> None:
        """Remove copies, by the names that ``copies`` gives them, for good."""
        names = set(copies)
        on_server = names & {_TRASH + entry.name for entry in self._trash.entries()}
        self._folder.remove(names - on_server)
        for name in on_server:
            put_away = name.removeprefix(_TRASH)
            self._link.together([("UNLINK", *self._keys.trashed(put_away)), ("SREM", self._keys.trash, put_away)])

    def holdings(self) -> RedisHoldings:
        """Return the same logs as whole streams, to be copied."""
        return self._holdings

    def repair(self, stream: str, *, keep_nothing: bool) -> Repair:  # noqa: ARG002  # as for files
        """Raise UsageError: half a batch never gets onto a server, and what was changed there cannot be told apart."""
        raise UsageError(
            f"There is nothing to repair in {stream}: its log is on a server, which takes whole batches only.",
            "If it is damaged all the same, restore a backup of the server.",
        )

    def salvage(self, stream: str) -> Salvage:  # noqa: ARG002  # as for files
        """Return nothing: a server gives what reading gives, and no more."""
        return Salvage((), (), ())


class RedisListing:
    """The sessions on a server, each stamped with the end of its stream: what was summarised is not sent again."""

    cursor_type = Head

    def __init__(self, log: RedisLog, link: RedisLink, keys: Keys) -> None:
        self._log = log
        self._link = link
        self._keys = keys

    def stamps(self) -> Iterator[tuple[str, Stamp]]:
        """Yield each stream with its stamp: one question for the names, and one for all their ends."""
        names = list(self._log.streams())
        ends = self._link.together(
            [("HMGET", self._keys.stream("sessions", name).head, *PLACE) for name in names], shape=PLACE_REPLY
        )
        for name, (header, seq, link) in zip(names, ends, strict=True):
            if header is not None:  # else it was deleted in this moment
                content = b":".join((header, seq or b"", link or b"")).decode("utf-8", "replace")
                yield name, Stamp(content, int(seq or 0), 0)

    def since(self, stream: str, cursor: Head | None) -> Iterator[tuple[Sequence[Event], Head]]:
        """Yield what stands behind a cursor, in portions, each with the place behind it."""
        epoch = self._log.head(stream).epoch
        events = self._behind(stream, cursor) if cursor is not None and cursor.epoch == epoch else None
        events = self._log.read(stream) if events is None else events
        while portion := list(islice(events, _PORTION)):
            yield portion, Head(epoch, portion[-1].seq, portion[-1].hash)

    def _behind(self, stream: str, cursor: Head) -> Iterator[Event] | None:
        """Return the events behind a cursor; None where the very event it stands behind is not there."""
        events = self._log.read(stream, after=cursor.seq - 1)
        last = next(events, None)
        return events if last is not None and last.hash == cursor.hash else None
