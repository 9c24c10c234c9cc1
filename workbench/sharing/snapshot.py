"""The shared context as a file: a cache of the fold, so that opening it reads only what was appended since.

    shared_context.json    seal                             of the rest (storage/files/cache_seal.py)
                           context_id, created_at, last_updated, sessions, data, version      as people read it
                           epoch, seq, hash        after which event of which history it stands
                           keys, members, leases   what else the fold knows

It may be deleted. It is used only where its seal holds and the very event it names still is in the log.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from workbench.domain.log.envelope import UNREADABLE
from workbench.domain.shared.context import Entry, Member, SharedState
from workbench.domain.shared.leases import Lease
from workbench.domain.shared.merge import ABSENT
from workbench.domain.text.cleaning import clean_json
from workbench.storage.files.cache_seal import LARGEST_CACHE, PROCESS_SEAL, CacheSeal
from workbench.storage.files.opening import Files, read_whole, replace_whole

FORMAT = "workbench.shared-context/2"
_SUBJECT = "shared"


class _Kept(msgspec.Struct, frozen=True, kw_only=True):
    schema: str
    context_id: str
    created_at: str
    last_updated: str
    sessions: list[str]
    data: dict[str, Any]
    version: int
    epoch: str
    seq: int
    hash: str
    keys: dict[str, Entry]
    """Without their values, which are in ``data``."""
    members: list[Member]
    leases: list[Lease] = []
    place: Any = None
    """Where its log reads on from; None if it does not say."""


class Snapshot:
    """The file that a state is kept in."""

    def __init__(self, path: Path, files: Files | None = None, *, seal: CacheSeal = PROCESS_SEAL) -> None:
        """Use a file, which need not exist."""
        self.path = path
        self._files = files or Files()
        self._seal = seal

    def keep(self, state: SharedState, epoch: str, place: object = None) -> None:
        """Keep a state of a history, and where its log reads on from.

        A file that cannot be written costs time at the next opening, and nothing else.
        """
        context = state.context()
        kept = _Kept(
            schema=FORMAT,
            context_id=state.context_id,
            created_at=state.created_at,
            last_updated=state.last_updated,
            sessions=list(context.sessions),
            data=context.data,
            version=state.changes,
            epoch=epoch,
            seq=state.seq,
            hash=state.hash,
            keys={key: replace(entry, value=ABSENT) for key, entry in state.entries.items()},
            members=list(state.members.values()),
            leases=list(state.leases.values()),
            place=place,
        )
        with suppress(OSError):
            content = self._seal.sealed_object(msgspec.json.encode(kept), _SUBJECT)
            replace_whole(self._files, self.path, content + b"\n", durable=False)

    def remove(self) -> None:
        """Remove the file."""
        with suppress(OSError):
            self._files.unlink(self.path)

    def load(self) -> tuple[SharedState, str, object] | None:
        """Return the state that is kept, its history's epoch, and where its log reads on from.

        None if there is no file that can be used.
        """
        try:
            data = read_whole(self._files, self.path, LARGEST_CACHE).removesuffix(b"\n")
            content = self._seal.opened_object(data, _SUBJECT)
            if content is None:
                return None
            kept = msgspec.convert(clean_json(msgspec.json.decode(content)), _Kept)
        except (OSError, *UNREADABLE):
            return None
        if kept.schema != FORMAT:
            return None
        entries = {key: replace(entry, value=kept.data.get(key, ABSENT)) for key, entry in kept.keys.items()}
        state = SharedState(
            seq=kept.seq,
            hash=kept.hash,
            context_id=kept.context_id,
            created_at=kept.created_at,
            last_updated=kept.last_updated,
            changes=kept.version,
            live=sum(entry.value is not ABSENT for entry in entries.values()),
            entries=entries,
            members={member.session: member for member in kept.members},
            leases={lease.key: lease for lease in kept.leases},
        )
        return state, kept.epoch, kept.place
