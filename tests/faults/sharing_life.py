"""A process that changes the shared context until it is killed, or ends itself where it is told to.

    sharing_life.py FOLDER RUNTIME NAME FAULT BACK

FAULT: ``none``; ``slow``: none, with a rest behind each change; ``files:N``: dies in its N-th call of the system, in
the middle of it where that writes; ``stop:N``: stands still there, holding what it holds; ``ack:N``: dies between its
N-th append and the acknowledgement.
BACK: seconds that its clock is set back by. It says ``ack SEQ HASH`` for every change that was acknowledged.
"""

import os
import random
import signal
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from tests.faults.faulty_files import Died, FaultyFiles
from tests.sharing.managers import manager
from workbench.sharing.snapshot import Snapshot
from workbench.storage.files.log import FileLog
from workbench.storage.files.watching.bell import Bell

ARCHIVE_AT = 15_000
"""Bytes: some twenty changes."""
ENOUGH = 20_000
"""Changes of a life that nobody ends."""
REST = 0.02


class FatalFiles(FaultyFiles):
    """A system whose N-th call is the last one, or the one that takes its time."""

    def __init__(self, fail_at, number):
        super().__init__(fail_at, Died)
        self._number = number

    def _step(self, name):
        self.calls.append(name)
        if len(self.calls) - 1 == self._fail_at:
            os.kill(os.getpid(), self._number)

    def write(self, descriptor, data):
        """Half of the data is written before a death; who stands still has written nothing."""
        if self._number == signal.SIGKILL:
            return super().write(descriptor, data)
        self._step("write")
        return os.write(descriptor, data)


class FatalLog(FileLog):
    """A log that dies with its N-th append done, and nobody told."""

    fatal = 0

    def append(self, stream, drafts, *, expected, **options):
        return self._acknowledged(super().append(stream, drafts, expected=expected, **options))

    def append_decided(self, stream, decide, *, known):
        return self._acknowledged(super().append_decided(stream, decide, known=known))

    def _acknowledged(self, events):
        self.fatal -= 1
        if self.fatal == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return events


def opened(folder, runtime, fault="none", **options):
    """The shared log as one process has it."""
    kind, _, number = fault.partition(":")
    number_of_signal = {"files": signal.SIGKILL, "stop": signal.SIGSTOP}.get(kind)
    files = FatalFiles(int(number), number_of_signal) if number_of_signal else None
    fields = {"shared": True, "durable": False, "archive_at": ARCHIVE_AT, "bell": Bell(folder, runtime=runtime)}
    log = FatalLog(folder, files=files, **(fields | options))
    log.fatal = int(number) if kind == "ack" else 0
    return log


def set_back(seconds):
    """Let this process's clocks for people be late; what measures time passing goes on."""
    now, now_ns = time.time, time.time_ns
    time.time = lambda: now() - seconds
    time.time_ns = lambda: now_ns() - seconds * 10**9


def main() -> None:
    folder, runtime, name, fault, back = sys.argv[1:]
    set_back(int(back))
    log = opened(Path(folder), Path(runtime), fault)
    shared = manager(
        log,
        now=lambda: datetime.fromtimestamp(time.time(), UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        snapshot=Snapshot(Path(folder) / "shared_context.json"),
    )
    chance = random.Random(name)
    shared.get_context(name)
    for number in range(ENOUGH):
        key = chance.choice([name, "everybody's"])
        done = shared.update_context(name, key, {"by": name, "number": number})
        print("ack", done.event.seq, done.event.context_hash, flush=True)
        if fault == "slow":
            time.sleep(REST)


if __name__ == "__main__":
    main()
