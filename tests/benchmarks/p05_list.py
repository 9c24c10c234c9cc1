"""P5: listing 1,000 sessions against reading one line of each of their files.

    python -m tests.benchmarks.p05_list [--quick]

Both take turns, in wall time on warm caches; medians are compared. Also shown: the same when 10 of the sessions grew
since the last list, and the first list of all, which has to read every file once.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.long_sessions import draft_of, printed, written_by_the_product
from workbench.bootstrap import Workspace
from workbench.domain.log.envelope import Event


def seconds(action: Callable[[], object]) -> float:
    begun = time.perf_counter()
    action()
    return time.perf_counter() - begun


def read_one_line_of_each(folder: Path) -> int:
    total = 0
    for path in folder.iterdir():
        with path.open("rb") as lines:
            total += len(next(lines))
    return total


def grow(workspace: Workspace, events: list[Event]) -> None:
    for number in range(10):
        workspace.log.append(f"session-{number * 7}", [draft_of(events[-2], f"session-{number * 7}")], expected=None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    count, runs = (100, 5) if parser.parse_args().quick else (1000, 21)
    with tempfile.TemporaryDirectory() as folder:
        events = written_by_the_product(Path(folder))
        workspace = Workspace.open(folder)
        for session in list(workspace.log.streams()):
            workspace.session(session).delete()
        sessions = Path(folder) / ".workbench" / "sessions"
        for number in range(count):
            workspace.log.append(
                f"session-{number}", [draft_of(event, f"session-{number}") for event in events], expected=0
            )
        first = seconds(workspace.sessions)
        plain, listed, grown = [], [], []
        for _ in range(runs):
            plain.append(seconds(lambda: read_one_line_of_each(sessions)))
            listed.append(seconds(workspace.sessions))
            grow(workspace, events)
            grown.append(seconds(workspace.sessions))
    ratio = round(statistics.median(listed) / statistics.median(plain), 2)
    printed(
        {
            "id": "P5",
            "figures": {
                "sessions": count,
                "list_ms": round(statistics.median(listed) * 1e3, 1),
                "list_when_10_grew_ms": round(statistics.median(grown) * 1e3, 1),
                "first_list_ms": round(first * 1e3, 1),
            },
            "baseline": {"one_line_of_each_ms": round(statistics.median(plain) * 1e3, 1)},
            "ratio": ratio,
            "bar": 2.0,
            "ok": ratio <= 2.0,
            "runs": runs,
        }
    )


if __name__ == "__main__":
    main()
