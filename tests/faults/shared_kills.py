"""A campaign of kill -9 against processes that share: ``python -m tests.faults.shared_kills 300 [SEED]``.

    a survivor that changes what is shared, all the time         ─┐
    lives, one after the other, each killed somewhere:            ├─▶ one log and its archives ─▶ two followers
      in any call of the system · behind an append · from outside ─┘

Every few kills, and at the end: what was acknowledged is in the log, once, in its place; seq is dense and the chain
holds; the state is the fold of the log; each follower saw exactly what the log holds, in its order.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from tests.faults.shared_checks import check_history, check_once, check_state, check_versions
from tests.faults.sharing_life import opened
from tests.sharing.managers import manager

ROOT = Path(__file__).parents[2]
CHECK_EVERY = 25
FAULTS = ("files", "ack", "files", "outside")
MOST_CALLS = 400
"""Of the system, in a life that ends in one of them."""
MOST_ACKS = 30


@dataclass
class Figures:
    """What happened in a campaign."""

    kills: int = 0
    events: int = 0
    acknowledged: int = 0
    unacknowledged: int = 0
    """Changes that are in the log though nobody was told."""
    archives: int = 0
    by_fault: Counter[str] = field(default_factory=Counter)


class Campaign:
    """Processes that share one context, killed at seeded random places."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.figures = Figures()
        self._folder, self._runtime = folder / "shared", folder / "r"
        self._chance = random.Random(seed)
        self._acks: dict[int, str] = {}
        manager(opened(self._folder, self._runtime)).update_context("first", "first", 1)
        self._seen = [folder / f"seen-{number}" for number in range(2)]
        self._followers = [self._started("sharing_follower", path) for path in self._seen]
        self._survivor_acks = folder / "survivor"
        self._survivor = self._started("sharing_life", self._survivor_acks, "survivor", "slow", "0")

    def _started(self, module: str, out: Path, *arguments: str) -> subprocess.Popen[str]:
        with out.open("w") as file:
            return subprocess.Popen(self._command(module, *arguments), cwd=ROOT, stdout=file, text=True)

    def _command(self, module: str, *arguments: str) -> list[str]:
        return [sys.executable, "-m", f"tests.faults.{module}", str(self._folder), str(self._runtime), *arguments]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in (self._survivor, *self._followers):
            process.kill()
            process.wait()

    def run(self, kills: int) -> Figures:
        """Kill so many lives, and check what they left."""
        while self.figures.kills < kills:
            self._life(f"life-{self.figures.kills}")
            self.figures.kills += 1
            if self.figures.kills % CHECK_EVERY == 0:
                self._check()
        self._survivor.kill()
        self._survivor.wait()
        manager(opened(self._folder, self._runtime)).update_context("last", "the end", 1)
        for follower in self._followers:
            assert follower.wait(timeout=60) == 0, "it sees the end"
        self._check()
        return self.figures

    def _life(self, name: str) -> None:
        """Let a process live until it dies of its fault, or is killed behind so many acknowledgements."""
        fault = FAULTS[self.figures.kills % len(FAULTS)]
        self.figures.by_fault[fault] += 1
        place = {
            "files": f"files:{self._chance.randrange(10, MOST_CALLS)}",
            "ack": f"ack:{self._chance.randint(1, MOST_ACKS)}",
            "outside": "none",
        }[fault]
        back = self._chance.choice(["0", "0", "3600", "-60"])
        command = self._command("sharing_life", name, place, back)
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            lines = []
            if fault == "outside":
                lines = [process.stdout.readline() for _ in range(self._chance.randint(1, MOST_ACKS))]
                time.sleep(self._chance.uniform(0, 0.002))
                process.kill()
            lines += process.stdout.readlines()
        assert process.returncode == -9, f"{name} ended by itself ({place})"
        self._acks |= acknowledged(lines)

    def _check(self) -> None:
        log = opened(self._folder, self._runtime)
        acks = self._acks | acknowledged(self._survivor_acks.read_text().splitlines(keepends=True))
        seen = [path.read_text().splitlines(keepends=True) for path in self._seen]
        whole = [[line.split() for line in lines if line.endswith("\n")] for lines in seen]
        told = [(0, [(int(seq), link) for seq, link in words]) for words in whole]
        events = check_history(log, acknowledged=acks, seen=told)
        check_state(log, events, snapshot=self._folder / "shared_context.json")
        check_once(events)
        check_versions(manager(log).events())
        self.figures.events, self.figures.acknowledged = len(events), len(acks)
        self.figures.unacknowledged = len(events) - len(acks)
        self.figures.archives = len(list((self._folder / "archive").glob("events-*")))


def acknowledged(lines: list[str]) -> dict[int, str]:
    """Return seq and hash of what was acknowledged; a line that a death cut off is none."""
    words = [line.split() for line in lines if line.endswith("\n")]
    return {int(seq): link for _, seq, link in words}


def main() -> None:
    kills, *seed = (int(word) for word in sys.argv[1:])
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, Campaign(Path(folder), seed[0] if seed else 7) as campaign:
        figures = campaign.run(kills)
    print(f"{figures} in {time.monotonic() - begun:.1f} s")


if __name__ == "__main__":
    main()
