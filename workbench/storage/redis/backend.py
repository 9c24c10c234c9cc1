"""A workspace whose logs are on a server, so that sessions on several machines have one list, one trash, one context.

The caches of this machine, and what it knew of sessions that went back, stay in its folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from workbench.domain.errors import UsageError
from workbench.storage import codec
from workbench.storage.files.damage.repair import Repair
from workbench.storage.files.damage.salvage import Salvage
from workbench.storage.files.trash import Trashed
from workbench.storage.files.workspace import WorkspaceFolder
from workbench.storage.holdings import Held
from workbench.storage.log_address import LogAddress
from workbench.storage.redis.holdings import RedisHoldings
from workbench.storage.redis.lives import RedisLives
from workbench.storage.redis.log import RedisLog
from workbench.storage.redis.store import RedisStore

_TRASH = "trash/"
"""What the names of copies in the trash begin with."""


class RedisBackend:
    """The logs of one workspace on one server."""

    waking = "the server tells each follower as soon as something is appended"

    def __init__(self, folder: WorkspaceFolder, address: LogAddress) -> None:
        """Use the streams that an address names, and this machine's ``folder``. Raises SettingsError."""
        self._holdings = RedisHoldings(address)
        self.id = address.workspace
        self._folder = folder
        self._store = RedisStore(address.url, address.workspace)
        self._trash = self._store.trash()

    def log(self) -> RedisLog:
        """Return the log of the workspace's sessions."""
        return self._store.log(self._folder.bin)

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
        put_away = [entry.name for entry in self._trash.entries() if of in (entry.stream, None)]
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
            self._trash.remove(name.removeprefix(_TRASH))

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
