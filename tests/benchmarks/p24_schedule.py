"""P24: the schedule of a plan with calendars and people, beside the plain critical path of the same steps.

    python -m tests.benchmarks.p24_schedule [--quick]

300 steps of ten people in one pass and in 50 tries, and 3,000 steps; CPU time. The critical path is the workbench's
own, as it was before it knew calendars and people. Garbage is looked for as seldom as in the program (``__main__``).
"""

from __future__ import annotations

import argparse
import gc
import random
import statistics
import time
from collections.abc import Callable
from datetime import date, timedelta

from tests.benchmarks.long_sessions import printed
from tests.domain.critical_path import critical_path
from workbench.domain.plan.plan import Days, DaysOff, Effort, Person, Plan, Section, Step
from workbench.domain.plan.scheduling.schedule import schedule
from workbench.domain.plan.scheduling.work_times import WorkTimes

START = date(2026, 11, 23)
BARS = {"one_pass": 3.0, "tries": 150.0, "large": 15.0}
"""Times the critical path; the large plan, times the small one."""


def plan_of(count: int) -> Plan:
    """Return a plan of so many steps: each needs up to three of the 30 before it."""
    chance = random.Random(24)
    people = [
        Person(
            id=f"P{n}",
            text=f"person {n}",
            hours=chance.choice([None, 20, 30]),
            away=tuple(_days(chance.randint(0, 700), 10) for _ in range(4)),
        )
        for n in range(10)
    ]
    steps = [
        Step(
            id=f"S{n}",
            title=f"Step {n}",
            owner=f"person {chance.randrange(10)}",
            effort=Effort(1, chance.randint(1, 5), 8),
            needs=tuple(f"S{m}" for m in sorted(chance.sample(range(max(0, n - 30), n), min(n, chance.randint(0, 3))))),
        )
        for n in range(count)
    ]
    holidays = DaysOff(id="H1", text="Holidays", days=tuple(_days(n * 37, 0) for n in range(40)))
    return Plan(title="", sections=(Section(id="all", title="", items=(holidays, *people, *steps)),))


def _days(first: int, count: int) -> Days:
    day = START + timedelta(days=first)
    return Days(day.isoformat(), (day + timedelta(days=count)).isoformat())


def seconds(call: Callable[[], object], runs: int) -> float:
    """Return the median of the CPU time that a call takes."""
    taken = []
    for _ in range(runs):
        begun = time.process_time()
        call()
        taken.append(time.process_time() - begun)
    return statistics.median(taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer runs")
    runs = 3 if parser.parse_args().quick else 15
    gc.set_threshold(50_000)
    small, large = plan_of(300), plan_of(3_000)
    times = WorkTimes.from_plan(small)
    base = seconds(lambda: critical_path(small.steps, START), runs)

    def planned(plan: Plan, tries: int) -> Callable[[], object]:
        return lambda: schedule(plan.steps, start=START, deadline=None, times=times, tries=tries)

    one_pass = seconds(planned(small, 0), runs)
    tries = seconds(planned(small, 50), max(1, runs // 3))
    thousands = seconds(planned(large, 0), max(1, runs // 3))
    ratios = {"one_pass": one_pass / base, "tries": tries / base, "large": thousands / one_pass}
    printed(
        {
            "benchmark": "P24",
            "critical_path_ms": round(base * 1000, 2),
            "one_pass_ms": round(one_pass * 1000, 2),
            "tries_ms": round(tries * 1000, 1),
            "large_ms": round(thousands * 1000, 1),
            **{name: round(ratio, 2) for name, ratio in ratios.items()},
            "bars": BARS,
            "met": all(ratios[name] <= bar for name, bar in BARS.items()),
        }
    )


if __name__ == "__main__":
    main()
