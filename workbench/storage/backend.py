"""Where a workspace's logs are kept: in its own folder, for one machine, or on a server, for several.

The folder exists in both cases: settings and caches are each machine's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from workbench.storage.files.workspace import WorkspaceFolder
from workbench.storage.holdings import Holdings
from workbench.storage.log_address import LogAddress

if TYPE_CHECKING:  # with redis-py, which files do not pay for
    from workbench.storage.files.log import FileLog
    from workbench.storage.redis.backend import RedisBackend
    from workbench.storage.redis.log import RedisLog

Backend: TypeAlias = "WorkspaceFolder | RedisBackend"
"""The logs of one workspace, and what can be done with whole sessions."""
SessionsLog: TypeAlias = "FileLog | RedisLog"
"""The log of a workspace's sessions."""


def open_backend(folder: WorkspaceFolder, address: LogAddress | None) -> Backend:
    """Return where a workspace's logs are kept: in its folder, or on a server. Raises SettingsError."""
    if address is None:
        return folder
    from workbench.storage.redis.backend import RedisBackend

    return RedisBackend(folder, address.with_workspace(folder.id))


def open_holdings(folder: WorkspaceFolder, address: LogAddress | None) -> Holdings:
    """Return what a workspace's logs hold, to be copied. Raises SettingsError."""
    return open_backend(folder, address).holdings()
