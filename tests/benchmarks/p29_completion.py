"""P29: what may come next behind every beginning of every example of a command, in a plan of 300 steps.

    python -m tests.benchmarks.p29_completion [--quick]

CPU time of each; the grammar is loaded before. ``parse`` is what a whole example takes. Bar: p99 below 20 ms.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from datetime import date

from tests.benchmarks.long_sessions import printed
from tests.commands.plans import long_plan
from workbench.domain.commands import complete, parse
from workbench.domain.commands.examples import EXAMPLES

TODAY = date(2026, 11, 29)
BAR = 20.0
"""Milliseconds."""


def seconds(call: Callable[[], object]) -> float:
    """Return the CPU time that a call takes."""
    begun = time.process_time()
    call()
    return time.process_time() - begun


def milliseconds(times: list[float], share: float) -> float:
    """Return the time that so large a share of the calls stays below."""
    return round(sorted(times)[int((len(times) - 1) * share)] * 1000, 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="every seventh beginning")
    every = 7 if parser.parse_args().quick else 1
    plan = long_plan()
    commands = [command for group in EXAMPLES.values() for command, _ in group]
    first = seconds(lambda: complete("", plan, TODAY))
    beginnings = [command[:end] for command in commands for end in range(len(command) + 1)][::every]
    times = [seconds(lambda text=text: complete(text, plan, TODAY)) for text in beginnings]
    whole = [seconds(lambda text=text: parse(text, plan, TODAY, me="Person 1")) for text in commands]
    printed(
        {
            "benchmark": "P29",
            "beginnings": len(beginnings),
            "first_ms": round(first * 1000, 1),
            "p50_ms": milliseconds(times, 0.5),
            "p99_ms": (p99 := milliseconds(times, 0.99)),
            "most_ms": milliseconds(times, 1.0),
            "parse_p50_ms": milliseconds(whole, 0.5),
            "parse_p99_ms": milliseconds(whole, 0.99),
            "bar": BAR,
            "met": p99 < BAR,
        }
    )


if __name__ == "__main__":
    main()
