"""The index of a long conversation, kept in a file: a new process reads it and adds only what is new.

    seal · safetensors: digest of each item, its passages, their vectors, their terms

Only items that are the same now are taken from it, so it never changes a result. It is a cache: where its seal does
not hold, or it cannot be written, everything is indexed again. It holds words of the session: it is removed where the
session is private, deleted, or forgets something.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.domain.session.items import Item
from workbench.models.embeddings import Embedder
from workbench.storage.files.cache_seal import SEAL_SIZE, CacheSeal
from workbench.storage.files.opening import LARGEST, Files, read_whole, replace_whole

if TYPE_CHECKING:  # numpy is imported when something is searched
    from workbench.memory.index import SearchIndex

SUFFIX = ".index"
_LEAST = 2_000
"""Items below which indexing takes no time worth a file."""
_GROWTH = 8
"""The file is written again when an eighth of its items is new: together the writes stay linear."""
_DIGEST = 16
"""Bytes."""


@dataclass(frozen=True)
class KeptIndexes:
    """Where the indexes of a workspace are kept."""

    folder: Path
    files: Files
    seal: CacheSeal

    def of(self, session: str, asker: str | None) -> KeptIndex:
        """Return the one of what an asker sees of a session: None for the person, "" for agents who never replied."""
        name = {None: "_person", "": "_others"}.get(asker, asker)
        return KeptIndex(self, session, f"{session}.{name}{SUFFIX}")


@dataclass
class KeptIndex:
    """One index in a file."""

    _place: KeptIndexes
    _session: str
    _name: str
    _items: int = 0
    """How many the file holds."""

    def read(self, embedder: Embedder, items: Mapping[str, Item]) -> SearchIndex:
        """Return an index of those of the items that the file has; an empty one where it cannot be used."""
        from safetensors import SafetensorError
        from safetensors.numpy import load

        from workbench.memory.index import SearchIndex

        index = SearchIndex(embedder)
        if len(items) < _LEAST:
            return index
        with suppress(OSError, SafetensorError, KeyError, ValueError):
            tensors = load(self._content(embedder))
            names = {_digest(name, item): name for name, item in items.items()}
            kept = [names.get(bytes(digest), "") for digest in tensors.pop("digests")]
            index.restore(tensors, kept, items)
            self._items = len(index)
        return index

    def _content(self, embedder: Embedder) -> bytes:
        """Return what the seal covers. Raises OSError, and ValueError where the seal does not hold."""
        data = read_whole(self._place.files, self._path)
        seal, content = data[:SEAL_SIZE], data[SEAL_SIZE:]
        if not self._place.seal.holds(seal, content, *self._subject(embedder)):
            raise ValueError("another seal")
        return content

    def write(self, embedder: Embedder, index: SearchIndex) -> None:
        """Keep an index, where it has grown enough since it was written last."""
        if len(index) < _LEAST or _GROWTH * (len(index) - self._items) < len(index):
            return
        import numpy as np
        from safetensors.numpy import save

        rows = [_digest(name, index.items[name]) if name in index.items else bytes(_DIGEST) for name in index.names]
        digests = np.frombuffer(b"".join(rows), np.uint8).reshape(-1, _DIGEST)
        content = save(index.tensors() | {"digests": digests})
        self._items = len(index)
        if len(content) > LARGEST - SEAL_SIZE:
            return
        with suppress(OSError):
            seal = self._place.seal.of(content, *self._subject(embedder))
            replace_whole(self._place.files, self._path, seal + content, durable=False)

    def remove(self) -> None:
        """Remove the file."""
        with suppress(OSError):
            self._place.files.unlink(self._path)

    @property
    def _path(self) -> Path:
        return self._place.folder / self._name

    def _subject(self, embedder: Embedder) -> tuple[str, ...]:
        return ("index 1", self._session, self._name, embedder.name)


def _digest(name: str, item: Item) -> bytes:
    said = (name, item.session, item.role, item.agent or "", str(item.seq), item.time, item.text)
    return hashlib.blake2b("\0".join(said).encode(errors="surrogatepass"), digest_size=_DIGEST).digest()
