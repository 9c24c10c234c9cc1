"""The trash of a workspace on a server: deleted sessions, under other names, until a person empties it."""

from __future__ import annotations

from workbench.storage.trash import Trashed


class RedisTrash:
    """Streams that were put away and can be brought back. Made by ``RedisStore.trash``."""

    def put(self, stream: str) -> Trashed:
        """Move a session into the trash. Raises NotFound, LogBusy while anybody drives it."""
        raise NotImplementedError

    def entries(self) -> list[Trashed]:
        """Return what is in the trash, the oldest first."""
        raise NotImplementedError

    def restore(self, name: str) -> str:
        """Take a session out of the trash, by its name there, and return its id.

        Raises NotFound, UsageError when a session with its id exists.
        """
        raise NotImplementedError

    def empty(self) -> int:
        """Remove everything in the trash for good; return how many sessions that were."""
        raise NotImplementedError
