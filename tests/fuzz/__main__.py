"""Fuzz the readers of files: ``python -m tests.fuzz [READER …] [--cases 20000] [--seed S] [--case N] [--all]``."""

from __future__ import annotations

import argparse
import faulthandler
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.cases import Failure, peak_memory, run_cases
from tests.fuzz.readers import READERS


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("readers", nargs="*", metavar="READER", help=f"of {', '.join(READERS)}; all by default")
    parser.add_argument("--cases", type=int, default=20_000, help="how many for each reader")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--case", type=int, help="run this one alone")
    parser.add_argument("--all", action="store_true", help="go on behind failures")
    options = parser.parse_args()
    unknown = set(options.readers) - set(READERS)
    if unknown:
        parser.error(f"there is no reader {', '.join(sorted(unknown))}")
    warnings.simplefilter("error")
    first, last = (0, options.cases) if options.case is None else (options.case, options.case + 1)
    failed = 0
    for name in options.readers or READERS:
        begun, start = time.process_time(), first
        while start < last:
            with tempfile.TemporaryDirectory() as folder:
                at = [start]
                try:
                    run_cases(READERS[name], Path(folder), _shown(name, start, last, at), seed=options.seed)
                except Failure as failure:
                    failed += 1
                    print(f"\n{failure}", flush=True)
                    if not options.all:
                        return 1
            start = at[0] + 1
        seconds = time.process_time() - begun
        print(f"\r{name}: {last - first:,} cases, {seconds:.1f} s, {peak_memory() / 1e6:.0f} MB", flush=True)
    return 1 if failed else 0


def _shown(name: str, first: int, last: int, at: list[int]) -> Iterator[int]:
    """Yield the numbers of cases; show progress, and end the process where one blocks for a minute."""
    for number in range(first, last):
        at[0] = number
        faulthandler.dump_traceback_later(60, exit=True)
        if sys.stderr.isatty() and number % 500 == 0:
            sys.stderr.write(f"\r{name}: {number:,} of {last:,}")
        yield number
    faulthandler.cancel_dump_traceback_later()


if __name__ == "__main__":
    sys.exit(main())
