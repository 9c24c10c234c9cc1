"""Many live sessions on one shared context, a process each, for a while: nothing is lost, and how long it takes.

    python -m tests.faults.soak [--sessions 10] [--idle 0] [--seconds 60] [--rate 50] [--log redis://HOST:PORT]

    sessions that write, --rate events a second altogether ─┐
    --idle sessions that only live                          ├─▶ one log ─▶ a follower in each of them
                                                            ─┘
Every session has a life, a heart and a follower. At the end: what was acknowledged is in the log, once, in its place;
every follower was told exactly what the log holds behind its session's joining, up to the end; the state is the fold.
With idle sessions and no other number there is one that writes, twice a second, as in P12.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from tests.benchmarks.long_sessions import printed
from tests.benchmarks.shared_logs import Place, Taking, cpu, new_place, now_us, parsed, ready, summary
from tests.faults.shared_checks import check_history, check_leases, check_once, check_state, check_versions
from workbench.domain.shared.context import ContextEvent

COMMON = "everybody's key"
COMMON_EVERY = 5
"""Of a session's changes one is to the key that all of them change."""
END = "the end"
THE_END = "the-end"
"""The key that is set behind all others, and the session that sets it."""
ENOUGH = 240.0
"""Seconds behind the last change until its absence is a failure."""


class Course(NamedTuple):
    """What one session writes."""

    changes: int
    every: float
    """Seconds between two changes."""
    phase: float
    """Seconds until the first one."""


class Report(NamedTuple):
    """What one session saw, and what that cost."""

    told: list[tuple[int, str]]
    """Seq and hash of everything that its follower was told."""
    taken: list[float]
    """µs that changes of others took to get here."""
    computed: float
    memory_mb: float


class Hearing:
    """What a session's follower is told."""

    def __init__(self, session: str) -> None:
        self._session = session
        self.told: list[tuple[int, str]] = []
        self.taken: list[float] = []
        self.is_over = threading.Event()

    def take(self, events: Sequence[ContextEvent]) -> None:
        now = now_us()
        for event in events:
            self.told.append((event.seq, event.context_hash))
            if event.key == END:
                self.is_over.set()
            elif event.key and event.session_id != self._session:
                self.taken.append(now - event.value["at"])


def live(pipe: Connection, place: Place, name: str, course: Course) -> None:
    """Live as a session: write, say what was acknowledged, then what was seen up to the end; leave when told."""
    hearing = Hearing(name)
    coordinator = place.coordinator(name)
    coordinator.start(hearing.take)
    pipe.send("ready")
    begun = pipe.recv() / 1e6 + course.phase
    computed = cpu()
    acknowledged = {}
    for number in range(course.changes):
        time.sleep(max(begun + number * course.every - now_us() / 1e6, 0))
        coordinator.beat()
        key = name if number % COMMON_EVERY else COMMON
        event = coordinator.update_shared(key, {"by": name, "number": number, "at": now_us()}).event
        assert event is not None, "nobody refuses it"
        acknowledged[event.seq] = event.context_hash
    pipe.send(acknowledged)
    assert hearing.is_over.wait(ENOUGH), f"{name} does not see the end"
    pipe.send(Report(hearing.told, hearing.taken, cpu() - computed, memory_mb()))
    pipe.recv()
    coordinator.stop()


def memory_mb() -> float:
    """Return this process's part of the memory that it and others use (Linux)."""
    with Path("/proc/self/smaps_rollup").open() as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith("Pss:"))


def soak(place: Place, courses: Sequence[Course]) -> dict[str, Any]:
    """Let sessions live by their courses; check what they left, and return the figures."""
    place.backend()  # so that there is a workspace before they look for one
    names = [f"session-{number}" for number in range(len(courses))]
    sessions = [Taking(live, place, name, course) for name, course in zip(names, courses, strict=True)]
    ready(sessions)
    begun = now_us()
    for one in sessions:
        one.tell(begun)
    acknowledged = {seq: link for one in sessions for seq, link in one.answer().items()}
    passed = (now_us() - begun) / 1e6
    place.manager().update_context(THE_END, END, True)
    reports: list[Report] = [one.answer() for one in sessions]
    unseen = _check(place, names, acknowledged, reports)
    for one in sessions:
        one.tell()
        one.join()
    readers = [one for one, course in zip(reports, courses, strict=True) if not course.changes]
    return {
        "sessions": len(courses),
        "idle": len(readers),
        "seconds": round(passed, 1),
        "written": sum(course.changes for course in courses),
        "acknowledged": len(acknowledged),
        "seen": sum(len(one.told) for one in reports),
        "lost": unseen,
        "propagation": summary([us for one in reports for us in one.taken]),
        "all_of_a_core": round(sum(one.computed for one in reports) / passed, 3),
        "readers_of_a_core": round(sum(one.computed for one in readers) / passed, 3),
        "memory_mb_each": round(sum(one.memory_mb for one in reports) / len(reports), 1),
    }


def _check(place: Place, names: Sequence[str], acknowledged: dict[int, str], reports: Sequence[Report]) -> int:
    """Check the log and what was told of it; return how many events up to the end some session was not told of."""
    log = place.open()
    joined = {event.session: event.seq for event in log.read("events") if event.kind == "session.joined"}
    seen = [(joined[name], report.told) for name, report in zip(names, reports, strict=True)]
    events = check_history(log, acknowledged=acknowledged, seen=seen)
    check_once(events)
    check_versions(place.manager().events())
    check_leases(events)
    check_state(log, events, snapshot=place.folder / "shared_context.json")
    end = next(event.seq for event in events if event.session == THE_END)
    return sum(end - after - len(told) for after, told in seen)


def courses(sessions: int, idle: int, seconds: float, rate: float) -> list[Course]:
    """Return what each session writes: the writers in turns, the idle ones nothing."""
    every = sessions / rate
    writers = [Course(round(seconds / every), every, number / rate) for number in range(sessions)]
    return [*writers, *([Course(0, 0, 0)] * idle)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, help="that write: 10, or one where there are idle ones")
    parser.add_argument("--idle", type=int, default=0, help="sessions that write nothing")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rate", type=float, help="changes a second altogether: 50, or 2 where there are idle ones")
    given = parsed(parser)
    sessions = given.sessions or (1 if given.idle else 10)
    rate = given.rate or (2 if given.idle else 50)
    with new_place(given) as place:
        figures = soak(place, courses(sessions, given.idle, 5 if given.quick else given.seconds, rate))
    printed({"id": "soak", "log": given.log, "durable": given.durable, "rate": rate, **figures})
    sys.exit(figures["acknowledged"] != figures["written"] or figures["lost"] != 0)


if __name__ == "__main__":
    main()
