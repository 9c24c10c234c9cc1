"""P25: what one operation on a plan costs afterwards: the checks and the difference, at 300 steps and at 30.

    python -m tests.benchmarks.p25_after_an_operation [--quick]

CPU time, both sizes in turns, medians. The steps are written in sentences that differ, in workstreams of ten.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from datetime import date, timedelta

from tests.benchmarks.long_sessions import printed
from workbench.domain.plan.changing.difference import difference_between
from workbench.domain.plan.changing.operations import SetField, applied
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.plan import Constraint, Criterion, Effort, Person, Plan, Risk, Section, Step

TODAY = date(2026, 11, 23)
BAR = 12.0
"""Times what it costs at 30 steps."""
_VERBS = (
    "Agree", "Book", "Build", "Collect", "Compare", "Deliver", "Describe", "Install", "Measure", "Paint", "Record",
)  # fmt: skip
_THINGS = ("barn", "bridge", "catalogue", "fence", "garden", "heating", "kitchen", "library", "menu", "oven", "tent")
_PLACES = ("east", "west", "north", "south", "upper", "lower", "inner", "outer")


def plan_of(count: int) -> Plan:
    """Return a plan of so many steps, with a constraint, a criterion and a risk for every ten of them."""
    chance = random.Random(25)
    steps = []
    for n in range(count):
        what = f"the {chance.choice(_PLACES)} {chance.choice(_THINGS)} {n + 1}"
        first = TODAY + timedelta(days=7 * (n // 5))
        first += timedelta(days=-first.weekday())
        steps.append(
            Step(
                id=f"S{n + 1}",
                title=f"{chance.choice(_VERBS)} {what}",
                outcome=f"A signed sheet about {what} with {n + 3} entries",
                check=f"Somebody else finds all {n + 3} entries of {what} on the sheet",
                owner=f"Person {n % 5}",
                effort=Effort(1, 2, 3),
                needs=(f"S{n - 4}",) if n >= 5 else (),
                start=first.isoformat(),
                end=(first + timedelta(days=4)).isoformat(),
                workstream=f"Part {n // 10}",
                answers=(f"K{n // 10 + 1}", f"C{n // 10 + 1}") if n % 10 == 9 else (),
            )
        )
    parts = range(count // 10)
    criteria = (
        Criterion(id=f"C{n + 1}", text=f"{n + 40} people use part {n}", measure="people", target=f"{n + 40}")
        for n in parts
    )
    constraints = (Constraint(id=f"K{n + 1}", text=f"Part {n} is never louder than {n + 50} dB") for n in parts)
    people = (Person(id=f"P{n}", text=f"Person {n}") for n in range(5))
    risks = (
        Risk(id=f"R{n + 1}", text=f"Rain stops part {n}", sign=f"{n} mm are announced", response=f"Tent {n} is put up")
        for n in parts
    )
    return Plan(
        title="Everything",
        sections=(
            Section(id="criteria", title="Success criteria", items=tuple(criteria)),
            Section(id="constraints", title="Constraints", items=tuple(constraints)),
            Section(id="people", title="People", items=tuple(people)),
            Section(id="steps", title="Steps", items=tuple(steps)),
            Section(id="risks", title="Risks", items=tuple(risks)),
        ),
    )


def work_after(plan: Plan) -> Callable[[], object]:
    """Return what follows an operation on a plan: its checks, and its difference."""
    new = applied(plan, [SetField(plan.steps[-1].id, "owner", "Person 1")])
    return lambda: (check_plan(new, today=TODAY), difference_between(plan, new))


def seconds(call: Callable[[], object]) -> float:
    """Return the CPU time of a call."""
    begun = time.process_time()
    call()
    return time.process_time() - begun


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer runs")
    runs = 3 if parser.parse_args().quick else 21
    small, large = work_after(plan_of(30)), work_after(plan_of(300))
    taken = [(seconds(small), seconds(large)) for _ in range(runs)]
    base, most = (statistics.median(one) for one in zip(*taken, strict=True))
    printed(
        {
            "id": "P25",
            "figures": {"steps_300_ms": round(most * 1000, 1), "findings": len(check_plan(plan_of(300), today=TODAY))},
            "baseline": {"steps_30_ms": round(base * 1000, 1)},
            "ratio": round(most / base, 2),
            "bar": BAR,
            "ok": most / base <= BAR,
            "runs": runs,
        }
    )


if __name__ == "__main__":
    main()
