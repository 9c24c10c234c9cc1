"""A workspace on a Redis or Valkey server: its logs, lives and trash, over one connection and under the same drivers.

Import this module only where such a workspace is opened: it brings redis-py along.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from workbench.domain.log.ids import SessionId
from workbench.storage import codec
from workbench.storage.files.trash import Trash, utc_now
from workbench.storage.redis.driving import Drivers
from workbench.storage.redis.keys import Group, Keys
from workbench.storage.redis.link import RedisLink
from workbench.storage.redis.lives import RedisLives
from workbench.storage.redis.log import RedisLog
from workbench.storage.redis.trash import RedisTrash

PATIENCE = 10.0
"""Seconds to wait for a server that answered before and does not any more."""


class RedisStore:
    """One workspace on one server."""

    def __init__(
        self,
        url: str,
        workspace: str,
        *,
        patience: float = PATIENCE,
        driver_ttl: float = 5.0,
        new_epoch: Callable[[], str] = codec.random_epoch,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        """Use a server, which is first asked for something when it is needed; ``workspace`` is the namespace.

        ``url``: ``redis://user:password@host:port/number``, ``rediss://`` for TLS, ``unix:///path?db=number``.
        Patience: seconds to wait for a server that answered before and does not any more. Driver's TTL: seconds after
        which a driver that says nothing may be replaced. Raises SettingsError for an unusable url, InvalidId.
        """
        self.workspace = str(SessionId(workspace))
        self.keys = Keys(self.workspace)
        self.link = RedisLink(url, patience=patience, run_key=self.keys.run)
        self._drivers = Drivers(self.link, ttl=driver_ttl)
        self._patience = patience
        self._new_epoch = new_epoch
        self._now = now

    def log(self, unsaved: Trash | None = None) -> RedisLog:
        """Return the log of the workspace's sessions; ``unsaved`` is where this machine keeps what the server lost."""
        return self._log("sessions", unsaved)

    def shared_log(self) -> RedisLog:
        """Return the log of what the workspace's sessions share."""
        return self._log("shared")

    def _log(self, group: Group, unsaved: Trash | None = None) -> RedisLog:
        return RedisLog(
            self.link,
            self.keys,
            self._drivers,
            group=group,
            patience=self._patience,
            new_epoch=self._new_epoch,
            unsaved=unsaved,
        )

    def lives(self) -> RedisLives:
        """Return which of the workspace's sessions are open somewhere."""
        return RedisLives(self.link, self.keys, self._drivers)

    def trash(self) -> RedisTrash:
        """Return where deleted sessions go."""
        return RedisTrash(self.link, self.keys, self._drivers, now=self._now)

    def close(self) -> None:
        """Let go of the connections; the next call opens them again."""
        self.link.close()
