"""Where a workspace's logs are kept: in its own folder, for one machine, or on a server, for several.

The folder exists in both cases: settings and caches are each machine's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from workbench.storage.files.repair import Repair
from workbench.storage.files.salvage import Salvage
from workbench.storage.files.trash import Trashed
from workbench.storage.files.workspace import WorkspaceFolder
from workbench.storage.holdings import Holdings
from workbench.storage.log_address import LogAddress
from workbench.storage.ports import DriverLocks, EventLog, Listable, Lives, Redactable


class SessionsLog(EventLog, DriverLocks, Redactable, Listable[Any], Protocol):
    """Everything that is asked of a log of sessions."""


class Backend(Protocol):
    """The logs of one workspace, and what can be done with whole sessions."""

    @property
    def id(self) -> str:
        """The workspace's id, which every event records: the same on each machine that has these logs."""

    @property
    def waking(self) -> str:
        """How those who follow notice what was appended, in words."""

    def log(self) -> SessionsLog:
        """Return the log of the workspace's sessions."""

    def shared_log(self, *, durable: bool = False) -> EventLog:
        """Return the log of what the workspace's sessions share."""

    def lives(self) -> Lives:
        """Return which of the workspace's sessions are open somewhere."""

    def trash(self, stream: str) -> Trashed:
        """Move a session into the trash. Raises NotFound, LogBusy while another process drives it."""

    def trashed(self) -> list[Trashed]:
        """Return what is in the trash, the oldest first."""

    def restore(self, name: str) -> str:
        """Take a deleted session out of the trash, by its name there, and return its id.

        Raises NotFound, UsageError when it is no deleted session, or when a session with its id exists.
        """

    def empty_trash(self) -> int:
        """Remove everything in the trash for good; return how many things that were."""

    def copies(self, holds: Callable[[str], bool], *, of: str | None) -> list[str]:
        """Return the names of what caches and the trash hold that ``holds`` says yes to, when shown its text.

        In the trash only those of the session ``of``, or any where that is None: what somebody deleted and could
        restore is not lost because it shares a word. Raises LogUnavailable.
        """

    def remove(self, copies: Iterable[str]) -> None:
        """Remove copies, by their names, for good."""

    def holdings(self) -> Holdings:
        """Return the same logs as whole streams, to be copied."""

    def repair(self, stream: str, *, keep_nothing: bool) -> Repair:
        """Keep what can be read of a damaged session. Raises LogDamaged, and UsageError where nothing can be repaired.

        ``keep_nothing``: where nothing is sound, the session goes into the trash as it is.
        """

    def salvage(self, stream: str) -> Salvage:
        """Return what can be read of a damaged session, more than reading gives. Raises NotFound, LogError."""


def open_backend(folder: WorkspaceFolder, address: LogAddress | None) -> Backend:
    """Return where a workspace's logs are kept: in its folder, or on a server. Raises SettingsError."""
    if address is None:
        return folder
    from workbench.storage.redis.backend import RedisBackend  # with redis-py, which files do not pay for

    return RedisBackend(folder, address.of(folder.id))


def open_holdings(folder: WorkspaceFolder, address: LogAddress | None) -> Holdings:
    """Return what a workspace's logs hold, to be copied. Raises SettingsError."""
    if address is None:
        return folder.holdings()
    from workbench.storage.redis.holdings import RedisHoldings

    return RedisHoldings(address.of(folder.id))
