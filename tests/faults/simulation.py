"""Eight sessions on one shared context in one thread, whose steps are interleaved by a seed.

    python -m tests.faults.simulation SEED [STEPS]

    step ─▶ a session does one thing ─▶ … call of the system … ─▶ between() ─▶ a step of another, whole ─▶ goes on
                                                                     (who stands within a step is not chosen again)

A session dies in any call of the system, or between commit and acknowledgement; the disk refuses a call; a session naps
beyond its life's end and comes back; clocks are set back; the stream is archived all the time; its snapshot gets lost
and garbled; some follow far behind. Who meets a lock that another holds is told so at once: in one thread, waiting
would never end. The same seed gives the same log, byte for byte.
"""

import hashlib
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

from tests.faults.shared_checks import check_history, check_leases, check_once, check_state, check_versions
from tests.faults.simulated_session import LIST, Noted, Session, Watch
from tests.faults.simulated_system import Clock, FencingLives, Heart, Pulse, SteppedBell, SteppedFiles, SteppedLog
from tests.sharing.managers import manager

SESSIONS = 8
ARCHIVE_AT = 30_000
"""Bytes: some forty events."""
OFTEN = 0.02
"""How often another session goes on within a call of the system."""
DEEPEST = 4
"""Sessions that stand within a step at once."""
ENDED = 0.03
"""How often the life of who stands within a step ends meanwhile."""
SNAPSHOT_EVERY = 20
"""Events."""


class World:
    """One run."""

    def __init__(self, folder, seed):
        self.folder = folder / "shared"
        self.snapshot = self.folder / "shared_context.json"
        self.archive_at = ARCHIVE_AT
        self.chance = random.Random(seed)
        self.clock = Clock()
        self.noted = Noted()
        self.lives = FencingLives(self.clock, self.noted)
        self.tower = []
        self.figures = Counter()
        self.steps = 0
        self.sessions = [Session(f"s{number}", self) for number in range(SESSIONS)]
        self._within = []
        self._often = OFTEN
        bell = SteppedBell(self.tower, between=self.between, chance=self.chance)
        files = SteppedFiles(self.between)
        self.log = SteppedLog(
            self.folder, between=self.between, noted=self.noted, lives=self.lives, bell=bell, files=files
        )
        """As who neither writes nor dies has it."""
        self._slow = Watch(manager(self.log), self.log, bell, self.clock, after=0)
        self.noted.watches.append(self._slow)

    def run(self, steps):
        """Take so many steps, let everybody hear of the rest, and check all of it."""
        threads = SimpleNamespace(Thread=Heart, Condition=lambda: Pulse(self.between), current_thread=lambda: None)
        with (
            patch("workbench.sharing.coordinator.threading", threads),
            patch("workbench.sharing.coordinator.monotonic", self.clock),
            patch("workbench.sharing.view._SNAPSHOT_EVERY", SNAPSHOT_EVERY),
        ):
            while self.steps < steps:
                self.step()
            self._often = 0
            self._check()
        return self.figures

    def between(self):
        """Let another session go on here, sometimes."""
        if len(self._within) in range(1, DEEPEST) and self.chance.random() < self._often:
            self.figures["interleaved"] += 1
            if self.chance.random() < ENDED:
                self._within[-1].lose_life()
            self.step()

    def step(self):
        """Let one session that stands nowhere within a step do one thing."""
        self.steps += 1
        self.clock.passed += self.chance.expovariate(20)
        if self.chance.random() < 1 / 25:
            self._spoil_snapshot()
        if not self._within and self.noted.acknowledged and self.chance.random() < 1 / 100:
            self._slow.look()
        ready = [one for one in self.sessions if one not in self._within and one.paused_until <= self.steps]
        if ready:
            session = self.chance.choice(ready)
            self._within.append(session)
            session.step()
            self._within.pop()

    def _spoil_snapshot(self):
        if self.snapshot.exists():
            self.figures["snapshots spoiled"] += 1
            kept = self.snapshot.read_bytes()
            spoiled = self.chance.choice([None, b"", kept[: len(kept) // 2], kept.replace(b'"by"', b'"of"')])
            self.snapshot.unlink() if spoiled is None else self.snapshot.write_bytes(spoiled)

    def _check(self):
        log = self.log
        while self._slow.seq < log.head("events").seq:
            self._slow.look(patiently=False)
        seen = [(watch.after, watch.told) for watch in self.noted.watches]
        events = check_history(log, acknowledged=self.noted.acknowledged, seen=seen)
        assert len(events) - len(self.noted.acknowledged) <= self.noted.unanswered, "nothing is there that nobody said"
        check_state(log, events, snapshot=self.snapshot)
        check_once(events)
        check_versions(manager(log).events())
        check_leases(events)
        stands = set(manager(log).state().entry(LIST).value)
        assert self.noted.added - self.noted.removed <= stands, "what was added and not removed is there"
        for session in self.sessions:
            session.check(events)
        self.figures["events"] = len(events)
        self.figures["unacknowledged"] = len(events) - len(self.noted.acknowledged)
        self.figures["archives"] = len(log.archives("events"))

    def digest(self):
        """What the log is, byte for byte."""
        files = sorted([*self.folder.glob("events.jsonl"), *self.folder.glob("archive/events-*")])
        content = b"".join(path.name.encode() + path.read_bytes() for path in files)
        return hashlib.sha256(content).hexdigest()


def simulated(seed, steps):
    """Run a seed; return its figures and what its log is."""
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder), seed)
        try:
            return world.run(steps), world.digest()
        except BaseException as error:
            error.add_note(f"in step {world.steps} of `python -m tests.faults.simulation {seed} {steps}`")
            raise


def main() -> None:
    seed, *steps = (int(word) for word in sys.argv[1:])
    begun = time.monotonic()
    figures, digest = simulated(seed, steps[0] if steps else 1_500)
    print(f"{dict(figures)}\nlog {digest} in {time.monotonic() - begun:.1f} s")


if __name__ == "__main__":
    main()
