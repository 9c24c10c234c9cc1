"""P12: 100 and 200 live sessions, of which one writes: nothing is lost, and what the readers cost.

    python -m tests.benchmarks.p12_many_sessions [--quick] [--log redis://HOST:PORT] [--durable] [--folder DIR]

Each session is a process that takes part and follows; one more changes the shared context at a steady pace. The
processor time of all readers together is set against the time that passed.
"""

from __future__ import annotations

import argparse
import time
from multiprocessing.connection import Connection

from tests.benchmarks.long_sessions import printed
from tests.benchmarks.shared_logs import Place, Taking, cpu, new_place, now_us, parsed, ready, summary
from workbench.storage.files.watching.stopping import Stop

_EVERY = 0.5
"""Seconds between two changes: a session that is hard at work."""
_MOST_CPU = 0.2
_MOST_MS = 50


def follow(pipe: Connection, place: Place, name: str) -> None:
    """Take part; answer with the µs of each change, its numbers, and the seconds of computing meanwhile."""
    shared = place.manager()
    shared.subscribe(name)
    stopped = Stop()
    changes = shared.watch(stopped)
    pipe.send("ready")
    taken: list[float] = []
    numbers: list[int] = []
    begun = 0.0
    for batch in changes:
        now = now_us()
        for event in batch:
            if event.key == "begin":
                begun = cpu()
            elif event.key == "time":
                taken.append(now - event.value["at"])
                numbers.append(event.value["number"])
            elif event.key == "end":  # not before all have seen the last change: who ends disturbs who reads
                stopped.set()
    pipe.send((taken, numbers, cpu() - begun))


def measure(place: Place, sessions: int, count: int) -> dict[str, object]:
    readers = [Taking(follow, place, f"session-{number}") for number in range(sessions)]
    ready(readers)
    writer = place.manager()
    writer.get_context("writer")
    writer.update_context("writer", "begin", sessions)
    begun = time.monotonic()
    for number in range(count):
        time.sleep(max(begun + (number + 1) * _EVERY - time.monotonic(), 0))
        writer.update_context("writer", "time", {"at": now_us(), "number": number})
    passed = time.monotonic() - begun
    time.sleep(_EVERY)
    writer.update_context("writer", "end", sessions)
    answers = [one.answer() for one in readers]
    for one in readers:
        one.join()
    computed = sum(seconds for _, _, seconds in answers)
    return {
        "sessions": sessions,
        "seen": summary([one for taken, _, _ in answers for one in taken]),
        "lost": sum(numbers != list(range(count)) for _, numbers, _ in answers),
        "readers_of_a_core": round(computed / passed, 3),
        "changes": count,
        "changes_per_s": 1 / _EVERY,
    }


def main() -> None:
    given = parsed(argparse.ArgumentParser(description=__doc__))
    figures = []
    for sessions in (20,) if given.quick else (100, 200):
        with new_place(given) as place:
            figures.append(measure(place, sessions, 10 if given.quick else 60))
    ok = all(
        one["lost"] == 0 and one["readers_of_a_core"] <= _MOST_CPU and one["seen"]["p99_ms"] < _MOST_MS
        for one in figures
    )
    printed(
        {
            "id": "P12",
            "log": given.log,
            "durable": given.durable,
            "figures": figures,
            "bar": {"lost": 0, "readers_of_a_core": _MOST_CPU, "p99_ms_on_a_quiet_machine": _MOST_MS},
            "ok": ok,
        }
    )


if __name__ == "__main__":
    main()
