"""P15: the state as of any event of a recording, against folding from the start.

    python -m tests.benchmarks.p15_seek [--quick]

Seeks go to places in random order, in CPU time of this process; folding goes to places spread evenly over the session.
Also what the checkpoints take in memory, beside the events themselves, and how long a long session takes to open and
what the slowest of many seeks in it takes, as somebody does who drags along its timeline.
"""

from __future__ import annotations

import argparse
import gc
import random
import statistics
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterable
from pathlib import Path

from tests.benchmarks.long_sessions import long_session, printed, written_by_the_product
from workbench.domain.log.envelope import Event
from workbench.domain.session.session import fold
from workbench.replay.recording import Recording
from workbench.storage.files.log import FileLog


def cpu_ms(action: Callable[[], object]) -> float:
    begun = time.process_time_ns()
    action()
    return (time.process_time_ns() - begun) / 1e6


def p99(times: Iterable[float]) -> float:
    return statistics.quantiles(times, n=100)[98]


def memory(action: Callable[[], object]) -> int:
    """Return the bytes that what an action returns takes, beside what was there before."""
    gc.collect()
    tracemalloc.start()
    kept = action()
    gc.collect()
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del kept
    return taken


def measured(events: list[Event], seeks: int, folds: int) -> dict[str, float]:
    """Return what opening, seeking in and folding a session take."""
    opened = statistics.median(cpu_ms(lambda: Recording.from_events(events)) for _ in range(3))
    recording = Recording.from_events(events)
    places = random.Random(15).choices(range(1, len(events) + 1), k=seeks)
    gc.collect()
    gc.freeze()
    sought = [cpu_ms(lambda seq=seq: recording.state_at(seq)) for seq in places]
    step = len(events) / folds
    folded = [cpu_ms(lambda seq=seq: fold(events[:seq])) for seq in (round(step * n) for n in range(1, folds + 1))]
    gc.unfreeze()
    recorded, final = memory(lambda: Recording.from_events(events)), memory(lambda: fold(events))
    return {
        "open_ms": round(opened, 1),
        "seek_p50_ms": round(statistics.median(sought), 3),
        "seek_p99_ms": round(p99(sought), 3),
        "seek_most_ms": round(max(sought), 3),
        "fold_p50_ms": round(statistics.median(folded), 3),
        "fold_p99_ms": round(p99(folded), 3),
        "recording_mb": round(recorded / 1e6, 2),
        "last_state_mb": round(final / 1e6, 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    cases = (
        [("small", 1_000), ("iterations", 1_000)]
        if quick
        else [("small", 10_000), ("iterations", 10_000), ("small", 100_000)]
    )
    figures: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        events = written_by_the_product(Path(folder))
        for kind, count in cases:
            log = FileLog(Path(folder) / f"{kind}-{count}", durable=False)
            session = long_session(log, events, count, small=kind == "small")
            figures[f"{kind}_{count}"] = measured(list(log.read(session)), 300 if quick else 3_000, 10 if quick else 50)
    ratio = {name: round(one["seek_p99_ms"] / one["fold_p99_ms"], 4) for name, one in figures.items()}
    bar = 0.1
    printed(
        {
            "id": "P15",
            "figures": figures,
            "baseline": {name: {"fold_p99_ms": one["fold_p99_ms"]} for name, one in figures.items()},
            "ratio": ratio,
            "bar": bar,
            "goal": 0.02,
            "ok": max(ratio.values()) <= bar,
        }
    )


if __name__ == "__main__":
    main()
