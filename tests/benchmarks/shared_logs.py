"""What the benchmarks of the shared context have in common: where it is kept, and processes that take part.

--log files (the default) · --log redis://HOST:PORT     the same figures for either
--durable                                               acknowledged: survives the power too (files)
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from workbench.planning.ports import SystemClock, stamp
from workbench.sharing.coordinator import SessionCoordinator
from workbench.sharing.shared_context import SharedContextManager
from workbench.storage.backend import Backend, open_backend
from workbench.storage.files.workspace import open_workspace
from workbench.storage.log_address import parse_log_address
from workbench.storage.ports import EventLog

_FORK = multiprocessing.get_context("fork")


class Place(NamedTuple):
    """Where a shared context is kept."""

    log: str
    folder: Path
    durable: bool

    def backend(self) -> Backend:
        """Open it, as each process does for itself."""
        address = None if self.log == "files" else parse_log_address(self.log, "--log")
        return open_backend(open_workspace(self.folder, upwards=False), address)

    def open(self) -> EventLog:
        """Open its log."""
        return self.backend().shared_log(durable=self.durable)

    def manager(self) -> SharedContextManager:
        """Open the shared context."""
        return self._manager(self.backend())

    def coordinator(self, session: str) -> SessionCoordinator:
        """Open a session's part in it, with a life of its own."""
        backend = self.backend()
        return SessionCoordinator(session, self._manager(backend), backend.lives())

    def _manager(self, backend: Backend) -> SharedContextManager:
        clock, lives = SystemClock(), backend.lives()
        return SharedContextManager(
            backend.shared_log(durable=self.durable),
            person="ada",
            workspace="w-1",
            now=lambda: stamp(clock.now()),
            is_alive=lambda session: lives.holder(session) is not None,
            declare_dead=lives.declare_dead,
        )


def parsed(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """Parse the options that all of them take."""
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--log", default="files", metavar="files|URL")
    parser.add_argument("--durable", action="store_true")
    parser.add_argument("--folder", default=None, help="where on a real disk to measure")
    return parser.parse_args()


@contextmanager
def new_place(given: argparse.Namespace) -> Iterator[Place]:
    """Make a shared context that nobody has used."""
    with tempfile.TemporaryDirectory(dir=given.folder, prefix="shared-") as folder:
        yield Place(given.log, Path(folder), given.durable)


class Taking:
    """A process that takes part: a function that is told when to begin, by ``tell``, and answers with ``answer``."""

    def __init__(self, function: Callable[..., Any], *arguments: object) -> None:
        self._pipe, other = _FORK.Pipe()
        self._process = _FORK.Process(target=_run, args=(function, other, arguments), daemon=True)
        self._process.start()
        other.close()

    def answer(self) -> Any:
        """Wait for what the process says next."""
        return self._pipe.recv()

    def tell(self, what: object = None) -> None:
        """Tell the process something."""
        self._pipe.send(what)

    def join(self) -> None:
        """Wait for its end."""
        self._process.join()


def _run(function: Callable[..., Any], pipe: Connection, arguments: Sequence[object]) -> None:
    try:
        function(pipe, *arguments)
    finally:
        pipe.close()


def ready(taking: Sequence[Taking]) -> None:
    """Wait until every process has said something."""
    for one in taking:
        one.answer()


def cpu() -> float:
    """Return the seconds of computing that this process has used, all of its threads together."""
    return time.process_time()


def now_us() -> float:
    """Return a time that all processes of a machine read alike."""
    return time.clock_gettime(time.CLOCK_MONOTONIC) * 1e6


def summary(samples: Sequence[float]) -> dict[str, float]:
    """Return p50, p99 and mean of samples, in ms where they are in µs."""
    ordered = sorted(samples)
    return {
        "p50_ms": round(statistics.median(ordered) / 1e3, 3),
        "p99_ms": round(ordered[int(len(ordered) * 0.99)] / 1e3, 3),
        "mean_ms": round(statistics.fmean(ordered) / 1e3, 3),
    }
