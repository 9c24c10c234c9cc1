"""P13: shared updates of four writers in a second, against raw locked appends of the same bytes.

    python -m tests.benchmarks.p13_throughput [--quick] [--log redis://HOST:PORT] [--durable] [--folder DIR]

Four processes each change a key of their own as fast as they can; four others each take a lock, write as many bytes to
a plain file and give the lock back, with fdatasync where the log is durable too. In turns, three times; medians.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import statistics
from multiprocessing.connection import Connection
from pathlib import Path

from tests.benchmarks.long_sessions import printed
from tests.benchmarks.shared_logs import Place, Taking, new_place, now_us, parsed, ready

_WRITERS = 4
_BAR = 0.5


def change(pipe: Connection, place: Place, name: str, count: int) -> None:
    """Change a key of the session's own; answer with when that began and ended."""
    shared = place.manager()
    shared.get_context(name)
    pipe.send("ready")
    pipe.recv()
    begun = now_us()
    for number in range(count):
        shared.update_context(name, name, number)
    pipe.send((begun, now_us()))


def write(pipe: Connection, path: Path, size: int, count: int, durable: bool) -> None:  # in a process
    """Write lines under a lock; answer with when that began and ended."""
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    line = b"x" * size
    pipe.send("ready")
    pipe.recv()
    begun = now_us()
    for _ in range(count):
        fcntl.flock(file, fcntl.LOCK_EX)
        os.write(file, line)
        if durable:
            os.fdatasync(file)
        fcntl.flock(file, fcntl.LOCK_UN)
    pipe.send((begun, now_us()))


def rate(writers: list[Taking], count: int) -> float:
    """Let them all begin at once; return how much they did in a second."""
    ready(writers)
    for one in writers:
        one.tell()
    spans = [one.answer() for one in writers]
    return len(writers) * count / (max(end for _, end in spans) - min(begin for begin, _ in spans)) * 1e6


def main() -> None:
    given = parsed(argparse.ArgumentParser(description=__doc__))
    count = 200 if given.quick else 1500
    shared_rates, raw_rates = [], []
    with new_place(given) as sample:
        one = sample.manager()
        one.get_context("a")
        sizes = [len(repr(event.as_object())) for event in [one.update_context("a", "a", 0).event] if event]
        log = sample.folder / ".workbench" / "shared" / "events.jsonl"
        if log.exists():
            before = log.stat().st_size
            one.update_context("a", "a", 1)
            sizes = [log.stat().st_size - before]
    for _ in range(3):
        with new_place(given) as place:
            shared_rates.append(
                rate([Taking(change, place, f"writer-{number}", count) for number in range(_WRITERS)], count)
            )
            raw = place.folder / "raw"
            raw_rates.append(rate([Taking(write, raw, sizes[0], count, given.durable) for _ in range(_WRITERS)], count))
    ratio = round(statistics.median(shared_rates) / statistics.median(raw_rates), 3)
    printed(
        {
            "id": "P13",
            "log": given.log,
            "durable": given.durable,
            "figures": {"updates_per_s": round(statistics.median(shared_rates))},
            "baseline": {"raw_locked_appends_per_s": round(statistics.median(raw_rates)), "bytes": sizes[0]},
            "ratio": ratio,
            "bar": _BAR,
            "ok": ratio >= _BAR,
            "runs": 3 * _WRITERS * count,
        }
    )


if __name__ == "__main__":
    main()
