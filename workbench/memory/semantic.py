"""The semantic arm: vectors of a scope's passages, compared exactly, all of them.

    passages ─▶ Embedder ─▶ one matrix ─┐
    query ─▶ vector ────────────────────┴▶ inner products, in one pass over the matrix

A scope is small enough to compare everything: 100,000 vectors take hundredths of a second, and there is nothing to
tune, to rebuild, or to miss by approximating.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from workbench.models.embeddings import Embedder

_DIGITS = 5
"""Digits of a similarity that count: float32 products of equal rows differ in the seventh, by where the row stands."""


class QueryVectors(Struct, frozen=True):
    """A query as vectors."""

    ranking: NDArray[np.float32]
    """What its telling words mean: what is ranked by."""
    whole: NDArray[np.float32]
    """What it means as it is: nearness to it compares between queries."""


class SemanticIndex:
    """The vectors of passages, in the order in which they were added."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors = np.zeros((0, embedder.dimensions), np.float32)
        """Grown in steps; what lies after the first ``_used`` rows is not set."""
        self._used = 0

    def reserve(self, count: int) -> None:
        """Make room for so many passages more, so that vectors are not moved while they come in portions."""
        if len(self._vectors) < self._used + count:
            self._grow(self._used + count)

    def add(self, texts: Sequence[str]) -> None:
        """Add passages at the end. Raises ModelUnknown."""
        self._append(self._embedder.embed(texts))

    def _append(self, rows: NDArray[np.float32]) -> None:
        needed = self._used + len(rows)
        if needed > len(self._vectors):
            self._grow(needed + needed // 4)
        self._vectors[self._used : needed] = rows
        self._used = needed

    def _grow(self, rows: int) -> None:
        grown = np.empty((rows, self._embedder.dimensions), np.float32)
        grown[: self._used] = self._vectors[: self._used]
        self._vectors = grown

    def tensors(self, passages: NDArray[np.bool_]) -> dict[str, NDArray[np.float32]]:
        """Return the vectors of some passages, as ``restore`` reads them."""
        used = self._vectors[: self._used]
        return {"vectors": used if passages.all() else used[passages]}

    def restore(self, tensors: Mapping[str, NDArray[Any]]) -> None:
        """Take over vectors. Raises ValueError if they are of another size."""
        vectors = tensors["vectors"]
        if vectors.shape[1:] != (self._embedder.dimensions,) or vectors.dtype != np.float32:
            raise ValueError("vectors of another size")
        self._append(vectors)

    def blank(self, passages: range) -> None:
        """Let some consecutive passages be near nothing; their numbers stay."""
        self._vectors[passages.start : passages.stop] = 0

    def query_vectors(self, query: str, asked: Sequence[str], weights: Sequence[float]) -> QueryVectors:
        """Return the query's vectors; weights say how telling each word is, for embedders that are additive."""
        if not self._embedder.additive or not any(weights):
            (whole,) = self._embedder.embed([query])
            return QueryVectors(whole, whole)
        rows = self._embedder.embed([query, *asked])
        weighted = np.asarray(weights, np.float32) @ rows[1:]
        return QueryVectors(weighted / max(float(np.linalg.norm(weighted)), 1e-9), rows[0])

    def scores(self, vector: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return how near every passage is to a vector, -1 to 1: one pass over the matrix."""
        return np.asarray(self._vectors[: self._used] @ vector, np.float64).round(_DIGITS)

    def closeness(self, vector: NDArray[np.float32], passages: range) -> float:
        """Return how near the nearest of some consecutive passages is, -1 to 1."""
        return round(float((self._vectors[passages.start : passages.stop] @ vector).max()), _DIGITS)
