"""P14: a change that meets another one (detected, merged, committed) against an uncontended put.

    python -m tests.benchmarks.p14_merge [--quick] [--log redis://HOST:PORT] [--durable] [--folder DIR]

Both are one call of ``update_context``, in turns, on values of the same size: the put starts from what its session saw
last; the conflict from a version behind which another session, in another manager as if in another process, has
changed the same object.
"""

from __future__ import annotations

import argparse
import gc

from tests.benchmarks.long_sessions import printed
from tests.benchmarks.shared_logs import Place, new_place, now_us, parsed, summary
from workbench.sharing.shared_context import SharedContextManager

_PARTS = 20
"""Members of the object that both change."""


def value_of(who: str, number: int) -> dict[str, object]:
    return {f"part-{part}": f"{who} {number}" for part in range(_PARTS)}


def timed(shared: SharedContextManager, session: str, key: str, value: object, outcome: str) -> float:
    begun = now_us()
    done = shared.update_context(session, key, value)
    taken = now_us() - begun
    assert done.outcome == outcome
    return taken


def measure(place: Place, rounds: int) -> tuple[list[float], list[float]]:
    """Return the µs of puts and of conflicts."""
    one, two = place.manager(), place.manager()
    one.get_context("one")
    puts, conflicts = [], []
    for number in range(rounds):
        one.update_context("one", "common", value_of("base", number))
        two.get_context("two")
        theirs = value_of("base", number) | {"part-0": f"theirs {number}", f"of-one-{number}": number}
        mine = value_of("base", number) | {"part-1": f"mine {number}", f"of-two-{number}": number}
        puts.append(timed(one, "one", "own", theirs, "committed"))
        one.update_context("one", "common", theirs)
        conflicts.append(timed(two, "two", "common", mine, "merged"))
        one.get_context("one")
    return puts, conflicts


def main() -> None:
    given = parsed(argparse.ArgumentParser(description=__doc__))
    rounds = 400 if given.quick else 4000
    with new_place(given) as place:
        measure(place, 50)
        gc.collect()
        puts, conflicts = map(summary, measure(place, rounds))
    ratio = round(conflicts["p99_ms"] / puts["p99_ms"], 2)
    printed(
        {
            "id": "P14",
            "log": given.log,
            "durable": given.durable,
            "figures": {"conflict": conflicts},
            "baseline": {"put": puts},
            "ratio": {"p99": ratio, "p50": round(conflicts["p50_ms"] / puts["p50_ms"], 2)},
            "bar": {"p99": 3},
            "ok": ratio <= 3,
            "runs": rounds,
        }
    )


if __name__ == "__main__":
    main()
