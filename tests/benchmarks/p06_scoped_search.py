"""P6: a search in a scope of 5,000 items, alone and with 1,000 other scopes present in the same process.

    python -m tests.benchmarks.p06_scoped_search [--quick]

    process A: the scope ───────────────────┐
    process B: the scope and 1,000 others ──┴▶ the same query in turns, wall time, medians; results must be equal

The others share nothing with the scope but the embedder's table, so this shows what their memory costs. Sessions that
are only files cost nothing: no search opens them.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import time
from multiprocessing.connection import Connection

from tests.benchmarks.large_scopes import queries_of, talk_of
from tests.benchmarks.retrieval import printed
from workbench.memory.found import Found
from workbench.memory.index import SearchIndex
from workbench.models.embeddings import WordLlama


def searching(pipe: Connection, count: int, others: int) -> None:
    """Build a scope and others, then answer each query with the seconds it took and what was found; "" ends it."""
    embedder = WordLlama()
    index = SearchIndex(embedder)
    index.add({one.id: one for one in talk_of(count, seed=7)})
    present = [SearchIndex(embedder) for _ in range(others)]
    for number, other in enumerate(present):
        other.add({one.id: one for one in talk_of(50, seed=100 + number)})
    pipe.send(len(present))
    while query := pipe.recv():
        begun = time.perf_counter()
        found = index.search(query, 10)
        pipe.send((time.perf_counter() - begun, found))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    count, others, runs = (500, 20, 60) if parser.parse_args().quick else (5_000, 1_000, 600)
    context = multiprocessing.get_context("spawn")
    pipes = []
    for present in (0, others):
        ours, theirs = context.Pipe()
        context.Process(target=searching, args=(theirs, count, present), daemon=True).start()
        ours.recv()
        pipes.append(ours)
    seconds: list[list[float]] = [[], []]
    same = True
    for number, query in enumerate(queries_of(runs, seed=8)):
        answers: dict[int, tuple[Found, ...]] = {}
        for process in (0, 1) if number % 2 else (1, 0):
            pipes[process].send(query)
            taken, answers[process] = pipes[process].recv()
            seconds[process].append(taken)
        same = same and answers[0] == answers[1]
    for pipe in pipes:
        pipe.send("")
    alone, beside = (statistics.median(times) for times in seconds)
    ratio = round(beside / alone, 3)
    printed(
        {
            "id": "P6",
            "figures": {
                "items": count,
                "others": others,
                "search_ms": round(beside * 1e3, 2),
                "same_results": same,
            },
            "baseline": {"alone_ms": round(alone * 1e3, 2)},
            "ratio": ratio,
            "bar": 1.1,
            "ok": ratio <= 1.1 and same,
            "runs": runs,
        }
    )


if __name__ == "__main__":
    main()
