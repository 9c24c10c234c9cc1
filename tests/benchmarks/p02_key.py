"""P2: a key in the input until the end of the screen update that shows it, a session of 10,000 events open.

    python -m tests.benchmarks.p02_key [--quick] [--harlequin PROGRAM]

Every program runs in a pseudo-terminal of its own; each of its starts is typed into at the pace of a quick typist, and
the starts take turns. An update ends where the program tells the terminal so (DEC mode 2026). The baseline is a Textual
app with nothing but one line of input. The median over all keys is compared.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.long_sessions import long_session, printed, written_by_the_product
from tests.benchmarks.terminals import running
from workbench.bootstrap import Workspace

BAR = 3.0
TYPED = "select what we plan next and then look at it again"
PACE = 0.08
"""Seconds between two keys."""
SETTLED = 0.3
"""Seconds without a byte after which a program that was started rests: cursors blink every half second."""
EMPTY_APP = """
from textual.app import App
from textual.widgets import Input

class EmptyApp(App):
    def compose(self):
        yield Input(placeholder="nothing here")

EmptyApp().run()
"""


@dataclass(frozen=True)
class Arm:
    """A program, and what stands on its screen when it can be typed into."""

    command: Sequence[str]
    words: Sequence[str]
    goes: str = ""
    """The key that goes to the input, where the focus is elsewhere."""

    def keys(self, cwd: Path, typed: str) -> Iterator[float]:
        """Start it and type; yield the seconds that each key took."""
        with running(self.command, cwd=cwd) as terminal:
            terminal.appeared(self.words)
            terminal.quiet(SETTLED)
            if self.goes:
                terminal.press(self.goes)
                terminal.quiet(SETTLED)
            for end in range(1, len(typed) + 1):
                terminal.forget()
                pressed = time.perf_counter()
                terminal.press(typed[end - 1])
                yield terminal.appeared([typed[:end]], whole=True) - pressed
                terminal.quiet(PACE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--harlequin", metavar="PROGRAM", help="harlequin, installed in an environment of its own")
    given = parser.parse_args()
    events, starts, typed = (1_000, 1, TYPED[:20]) if given.quick else (10_000, 5, TYPED)
    harlequin = given.harlequin and shutil.which(given.harlequin)
    with tempfile.TemporaryDirectory() as folder:
        session = long_session(Workspace.open(folder).log, written_by_the_product(Path(folder)), events, small=False)
        arms = {
            "empty": Arm([sys.executable, "-c", EMPTY_APP], ["nothing here"]),
            "workbench": Arm([str(Path(sys.executable).parent / "workbench"), "open", session], ["Plan v"], goes="f"),
        }
        if harlequin is not None:
            arms["harlequin"] = Arm([harlequin, "--locale", "C", "--no-write-history"], ["Run Query", "memory"])
        times: dict[str, list[float]] = {name: [] for name in arms}
        for _ in range(starts):
            for name, arm in arms.items():
                times[name] += arm.keys(Path(folder), typed)
    p50 = {name: statistics.median(taken) for name, taken in times.items()}
    p95 = {name: statistics.quantiles(taken, n=20)[-1] for name, taken in times.items()}
    others = [name for name in arms if name != "empty"]
    ratio = {name: round(p50[name] / p50["empty"], 2) for name in others}
    printed(
        {
            "id": "P2",
            "figures": {f"{name}_p50_ms": round(p50[name] * 1e3, 2) for name in others}
            | {f"{name}_p95_ms": round(p95[name] * 1e3, 2) for name in others},
            "baseline": {"empty_p50_ms": round(p50["empty"] * 1e3, 2), "empty_p95_ms": round(p95["empty"] * 1e3, 2)},
            "ratio": ratio if harlequin else ratio | {"harlequin": "n/a"},
            "bar": BAR,
            "ok": ratio["workbench"] <= BAR,
            "events": events,
            "keys": len(times["empty"]),
        }
    )


if __name__ == "__main__":
    main()
