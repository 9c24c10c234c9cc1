"""P3: a durable append to a session against write + fdatasync of the same bytes; event 100,000 against event 10.

    python -m tests.benchmarks.p03_append [--quick] [--folder DIR]

Three arms take turns, so that the disk's moods fall on all of them: the bytes alone into a plain file; an append to a
short session; the same append to a session of 100,000 events. Medians are compared. DIR must be on a real disk.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from tests.benchmarks.long_sessions import SESSION, draft_of, long_session, printed, written_by_the_product
from workbench.domain.log.envelope import Draft
from workbench.storage.files.log import FileLog


def seconds(action: Callable[[], object]) -> float:
    begun = time.perf_counter()
    action()
    return time.perf_counter() - begun


class Arms:
    """The same event, appended by the product to two sessions, and as mere bytes to a file."""

    def __init__(self, folder: Path, draft: Draft, long_count: int) -> None:
        self._draft = draft
        self._number = 0
        events = written_by_the_product(folder)
        self._logs = []
        for name, count in (("short", 10), ("long", long_count)):
            long_session(FileLog(folder / name, durable=False), events, count, small=True)
            log = FileLog(folder / name)
            self._append(log)  # opens the session, as whoever drives it has
            self._logs.append(log)
        before = (folder / "short" / f"{SESSION}.jsonl").stat().st_size
        self._append(self._logs[0])
        self._line = b"x" * ((folder / "short" / f"{SESSION}.jsonl").stat().st_size - before)
        self._plain = os.open(folder / "plain", os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def _append(self, log: FileLog) -> None:
        self._number += 1
        body = msgspec.Raw(b'{"number":"%09d","text":"%b"}' % (self._number, b"x" * 200))
        log.append(SESSION, [msgspec.structs.replace(self._draft, body=body)], expected=None)

    def _write(self) -> None:
        os.write(self._plain, self._line)
        os.fdatasync(self._plain)

    def round(self) -> tuple[float, float, float]:
        short, long = self._logs
        return seconds(self._write), seconds(lambda: self._append(short)), seconds(lambda: self._append(long))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--folder", default=None, help="where on a real disk to measure")
    given = parser.parse_args()
    long_count, rounds = (10_000, 200) if given.quick else (100_000, 3000)
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        draft = draft_of(written_by_the_product(_made(Path(folder) / "one"))[-2])
        arms = Arms(_made(Path(folder) / "two"), draft, long_count)
        for _ in range(20):
            arms.round()
        plain, short, long = (
            statistics.median(times) * 1e6 for times in zip(*(arms.round() for _ in range(rounds)), strict=True)
        )
    ratio = {"append": round(short / plain, 2), "long_against_short": round(long / short, 2)}
    printed(
        {
            "id": "P3",
            "figures": {"append_at_10_us": round(short), f"append_at_{long_count}_us": round(long)},
            "baseline": {"write_fdatasync_us": round(plain)},
            "ratio": ratio,
            "bar": {"append": 1.5, "long_against_short": 1.2},
            "ok": ratio["append"] <= 1.5 and ratio["long_against_short"] <= 1.2,
            "runs": rounds,
        }
    )


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


if __name__ == "__main__":
    main()
