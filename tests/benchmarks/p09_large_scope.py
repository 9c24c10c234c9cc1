"""P9: a search across 100,000 items in one scope, against one pass over their vectors.

    python -m tests.benchmarks.p09_large_scope [--quick]

The pass is the product of the matrix with one vector: what reading all vectors once costs. Both take turns, in wall
time of one process; medians are compared. Items are talk of some 30 words with the frequencies of language.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np
from tests.benchmarks.large_scopes import queries_of, talk_of
from tests.benchmarks.retrieval import printed
from workbench.memory.index import SearchIndex
from workbench.models.embeddings import WordLlama


def seconds(action: Callable[[], object]) -> float:
    begun = time.perf_counter()
    action()
    return time.perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    count, runs = (10_000, 21) if parser.parse_args().quick else (100_000, 101)
    embedder = WordLlama()
    index = SearchIndex(embedder)
    building = seconds(lambda: index.add({one.id: one for one in talk_of(count, seed=7)}))
    queries = queries_of(runs, seed=8)
    vectors = np.random.default_rng(9).standard_normal((count, embedder.dimensions), np.float32)
    vector = vectors[0]
    first = seconds(lambda: index.search(queries[0], 10))
    times = [
        (seconds(lambda: vectors @ vector), seconds(lambda query=query: index.search(query, 10))) for query in queries
    ]
    one_pass, search = (statistics.median(arm) for arm in zip(*times, strict=True))
    ratio = round(search / one_pass, 2)
    printed(
        {
            "id": "P9",
            "figures": {
                "items": count,
                "search_ms": round(search * 1e3, 2),
                "first_search_ms": round(first * 1e3, 1),
                "indexed_a_second": round(count / building),
            },
            "baseline": {"one_pass_over_the_vectors_ms": round(one_pass * 1e3, 2)},
            "ratio": ratio,
            "bar": 4.0,
            "ok": ratio <= 4.0,
            "runs": runs,
        }
    )


if __name__ == "__main__":
    main()
