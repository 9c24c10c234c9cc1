"""P4: opening a session (reading, checking and folding its events) against json.loads of the same lines.

    python -m tests.benchmarks.p04_open [--quick]

Both take turns on the same file, in CPU time of this process; medians are compared. Two kinds of sessions: ``small``
events (gates, answers, choices: some hundred bytes) and whole ``iterations`` as the product writes them (prompts and
plans, several kilobytes an event).
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.long_sessions import line_size, long_session, printed, written_by_the_product
from workbench.domain.session.session import fold
from workbench.storage.files.log import FileLog


def cpu_seconds(action: Callable[[], object]) -> float:
    gc.collect()
    begun = time.process_time()
    kept = action()
    taken = time.process_time() - begun
    del kept
    return taken


def compared(folder: Path, session: str, runs: int) -> tuple[float, float, float]:
    """Return the median seconds of json.loads, of reading alone, and of opening."""
    path = folder / f"{session}.jsonl"

    def parse() -> None:
        with path.open("rb") as lines:
            for line in lines:
                json.loads(line)

    def read() -> None:
        for _ in FileLog(folder).read(session):
            pass

    def opened() -> object:
        return fold(FileLog(folder).read(session))

    times = [(cpu_seconds(parse), cpu_seconds(read), cpu_seconds(opened)) for _ in range(runs)]
    parse_median, read_median, open_median = (statistics.median(arm) for arm in zip(*times, strict=True))
    return parse_median, read_median, open_median


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    cases = (
        [("small", 1_000), ("iterations", 320)]
        if quick
        else [("small", 10_000), ("small", 100_000), ("iterations", 10_000)]
    )
    figures, baseline, ratio = {}, {}, {}
    with tempfile.TemporaryDirectory() as folder:
        events = written_by_the_product(Path(folder))
        for kind, count in cases:
            place = Path(folder) / f"{kind}-{count}"
            session = long_session(FileLog(place, durable=False), events, count, small=kind == "small")
            parse, read, opened = compared(place, session, 5 if quick else 7)
            name = f"{kind}_{count}"
            baseline[name] = {"json_loads_ms": round(parse * 1e3, 1)}
            figures[name] = {
                "open_ms": round(opened * 1e3, 1),
                "read_ms": round(read * 1e3, 1),
                "bytes_a_line": line_size(place / f"{session}.jsonl", count),
            }
            ratio[name] = round(opened / parse, 2)
    printed(
        {
            "id": "P4",
            "figures": figures,
            "baseline": baseline,
            "ratio": ratio,
            "bar": 2.0,
            "ok": max(ratio.values()) <= 2.0,
        }
    )


if __name__ == "__main__":
    main()
