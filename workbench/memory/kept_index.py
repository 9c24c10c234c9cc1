"""The index of a long conversation, kept in a file: a new process reads it and adds only what is new.

    seal · safetensors: how many messages, a digest of them, and what the index computed of them

It is used only where the conversation begins with exactly these messages, so it never changes a result. It is a cache:
where that, or its seal, does not hold, everything is indexed again. It holds words of the session: it is removed where
the session is private, deleted, or forgets something.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from workbench.domain.log.envelope import UNREADABLE
from workbench.domain.session.items import Item
from workbench.models.embeddings import Embedder
from workbench.storage.files.cache_seal import SEAL_SIZE, CacheSeal
from workbench.storage.files.opening import LARGEST, Files, read_whole, replace_whole

if TYPE_CHECKING:  # numpy is imported when something is searched
    from numpy.typing import NDArray

    from workbench.memory.index import SearchIndex

SUFFIX = ".index"
_LEAST = 2_000
"""Messages below which indexing takes no time worth a file."""
_GROWTH = 8
"""The file is written again when an eighth of its messages is new: together the writes stay linear."""
_PORTION = 1_000
"""Messages that are encoded at once, which bounds the memory that a digest takes."""
_encode = msgspec.json.Encoder().encode


class KeptIndexes(Struct, frozen=True):
    """Where the indexes of a workspace are kept."""

    folder: Path
    files: Files
    seal: CacheSeal

    def for_asker(self, session: str, asker: str | None) -> KeptIndex:
        """Return the one of what an asker sees of a session: None for the person, "" for agents who never replied."""
        name = {None: "_person", "": "_others"}.get(asker, asker)
        return KeptIndex(self, session, f"{session}.{name}{SUFFIX}")


class KeptIndex(Struct):
    """One index in a file."""

    _place: KeptIndexes
    _session: str
    _name: str
    _messages: int = 0
    """How many the file holds."""

    def read(self, embedder: Embedder, items: Mapping[str, Item]) -> SearchIndex:
        """Return an index of the first of the items, as many as the file has; an empty one if it cannot be used."""
        from workbench.memory.index import SearchIndex

        if len(items) < _LEAST:
            return SearchIndex(embedder)
        try:
            tensors = _tensors(self._content(embedder))
            first = dict(islice(items.items(), len(tensors["row.seqs"])))
            if bytes(tensors["digest"]) != _digest(first.values()):
                raise ValueError("other messages")
            index = SearchIndex(embedder)
            index.restore(tensors, first)
        except (OSError, KeyError, *UNREADABLE):
            return SearchIndex(embedder)
        self._messages = len(index)
        return index

    def _content(self, embedder: Embedder) -> memoryview:
        """Return what the seal covers. Raises OSError, and ValueError if the seal does not hold."""
        data = memoryview(read_whole(self._place.files, self._path))
        seal, content = data[:SEAL_SIZE], data[SEAL_SIZE:]
        if not self._place.seal.holds(seal, content, *self._subject(embedder)):
            raise ValueError("another seal")
        return content

    def write(self, embedder: Embedder, index: SearchIndex, beside: Collection[str]) -> None:
        """Keep an index, without the items beside the conversation, if it has grown enough since the last time."""
        count = len(index) - len(beside)
        if count < _LEAST or _GROWTH * (count - self._messages) < count:
            return
        import numpy as np

        said = {name: item for name, item in index.items.items() if name not in beside}
        digest = np.frombuffer(_digest(said.values()), np.uint8)
        parts = _parts(index.tensors(said) | {"digest": digest})
        self._messages = count
        if sum(map(len, parts)) > LARGEST:
            return
        with suppress(OSError):
            seal = self._place.seal.of_parts(parts, *self._subject(embedder))
            replace_whole(self._place.files, self._path, seal, *parts, durable=False)

    def remove(self) -> None:
        """Remove the file."""
        with suppress(OSError):
            self._place.files.unlink(self._path)

    @property
    def _path(self) -> Path:
        return self._place.folder / self._name

    def _subject(self, embedder: Embedder) -> tuple[str, ...]:
        return ("index 3", self._session, self._name, embedder.name)


class _Tensor(msgspec.Struct, frozen=True):
    dtype: str
    shape: tuple[int, ...]
    data_offsets: tuple[int, int]


_TYPES = {"F64": "float64", "F32": "float32", "I64": "int64", "I32": "int32", "I8": "int8", "U8": "uint8"}
"""Of safetensors → of numpy."""


def _parts(tensors: Mapping[str, NDArray[Any]]) -> list[memoryview]:
    """Return arrays as safetensors, in parts that are the arrays themselves: its own writer copies them three times."""
    import numpy as np

    names = {name: dtype for dtype, name in _TYPES.items()}
    layout, end = {}, 0
    tensors = dict(sorted(tensors.items(), key=lambda one: -one[1].itemsize))  # numpy copies what is not aligned
    for name, tensor in tensors.items():
        start, end = end, end + tensor.nbytes
        layout[name] = _Tensor(names[tensor.dtype.name], tensor.shape, (start, end))
    header = _encode(layout)
    header += b" " * (-len(header) % 8)
    contents = (tensor.reshape(-1).view(np.uint8).data for tensor in tensors.values())
    return [memoryview(len(header).to_bytes(8, "little") + header), *contents]


def _tensors(content: memoryview) -> dict[str, NDArray[Any]]:
    """Return safetensors as arrays over the content itself: its own loader copies them twice."""
    import numpy as np

    start = 8 + int.from_bytes(content[:8], "little")
    layout = msgspec.json.decode(content[8:start], type=dict[str, _Tensor])
    data = content[start:]
    return {
        name: np.frombuffer(data[slice(*tensor.data_offsets)], _TYPES[tensor.dtype]).reshape(tensor.shape)
        for name, tensor in layout.items()
    }


def _digest(items: Iterable[Item]) -> bytes:
    rest, digest = iter(items), hashlib.sha256()
    while portion := list(islice(rest, _PORTION)):
        digest.update(_encode(portion))
    return digest.digest()
