"""Vectors that were computed once: kept beside a session's items, so that no other process embeds them again.

    texts of a session ─▶ known? ─ no ─▶ its file ─ not there, or another model's ─▶ Embedder ─▶ its file, again

Vectors are found by a digest of their text, and a file is of one model: its seal, the first 32 bytes, covers the
model's name. The files are a cache; what does not verify is computed, and what cannot be written is computed again next
time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from workbench.models.embeddings import Embedder
from workbench.storage.files.cache_seal import LARGEST_CACHE, PROCESS_SEAL, SEAL_SIZE, CacheSeal
from workbench.storage.files.opening import Files, read_whole, replace_whole

if TYPE_CHECKING:  # numpy is imported when something is embedded
    import numpy as np
    from numpy.typing import NDArray

    from workbench.models.embeddings import Vectors

_DIGEST = 16
"""Bytes; two texts of the same are not met with by chance."""


class KeptVectors:
    """An embedder that looks up what was kept before it computes. Safe for threads."""

    def __init__(self, embedder: Embedder, folder: Path, files: Files, seal: CacheSeal = PROCESS_SEAL) -> None:
        self._embedder = embedder
        self._folder = folder
        self._files = files
        self._seal = seal
        self._known: dict[bytes, NDArray[np.float32]] = {}
        self._lock = Lock()

    @property
    def name(self) -> str:
        """The embedder's."""
        return self._embedder.name

    @property
    def dimensions(self) -> int:
        """The embedder's."""
        return self._embedder.dimensions

    @property
    def additive(self) -> bool:
        """The embedder's."""
        return self._embedder.additive

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row for each text, as the embedder would. Raises ModelError."""
        import numpy as np

        digests = [_digest(text) for text in texts]
        new = [number for number, digest in enumerate(digests) if digest not in self._known]
        if len(new) == len(texts):
            return self._embedder.embed(texts)
        computed = dict(zip(new, self._embedder.embed([texts[number] for number in new]), strict=True)) if new else {}
        return np.stack(
            [computed[number] if number in computed else self._known[digest] for number, digest in enumerate(digests)]
        )

    def keep(self, session: str, texts: Iterable[str]) -> None:
        """Know the vectors of these texts, all that a session has, in this process and the next. Raises ModelError."""
        of_digest = {_digest(text): text for text in texts}
        with self._lock:
            if not of_digest:
                with suppress(OSError):
                    self._files.unlink(self._file(session))
            elif not of_digest.keys() <= self._known.keys():
                self._known |= self._read_kept(session)
                if missing := [digest for digest in of_digest if digest not in self._known]:
                    rows = self._embedder.embed([of_digest[digest] for digest in missing])
                    self._known |= zip(missing, rows, strict=True)
                    self._write(session, list(of_digest))

    def _read_kept(self, session: str) -> dict[bytes, NDArray[np.float32]]:
        import numpy as np
        from safetensors import SafetensorError
        from safetensors.numpy import load

        try:
            data = read_whole(self._files, self._file(session), LARGEST_CACHE)
            seal, content = data[:SEAL_SIZE], data[SEAL_SIZE:]
            if not self._seal.holds(seal, content, "vectors", session, self.name):
                return {}
            tensors = load(content)
            digests, vectors = tensors["digests"], tensors["vectors"]
        except (OSError, SafetensorError, KeyError, ValueError):
            return {}
        is_whole = digests.shape == (len(vectors), _DIGEST)
        is_whole &= vectors.dtype == np.float32 and vectors.shape == (len(vectors), self.dimensions)
        if not is_whole or not np.isfinite(vectors).all():
            return {}
        return dict(zip(map(bytes, digests), vectors, strict=True))

    def _write(self, session: str, digests: Sequence[bytes]) -> None:
        import numpy as np
        from safetensors.numpy import save

        tensors: dict[str, NDArray[Any]] = {
            "digests": np.frombuffer(b"".join(digests), np.uint8).reshape(-1, _DIGEST),
            "vectors": np.stack([self._known[digest] for digest in digests]),
        }
        with suppress(OSError):
            content = save(tensors)
            seal = self._seal.seal(content, "vectors", session, self.name)
            replace_whole(self._files, self._file(session), seal + content, durable=False)

    def _file(self, session: str) -> Path:
        return self._folder / f"{session}.safetensors"


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=_DIGEST).digest()
