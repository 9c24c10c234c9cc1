"""Following the shared stream: batches of changes, as they are committed, across everything that can befall a file.

One that is not there yet is waited for. One that was replaced (redacted, repaired) is folded again, and continues after
what was told; one that went back raises LogWentBack, and a Follower reads it again from the start.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import takewhile
from typing import NamedTuple

from workbench.domain.errors import LogWentBack, NotFound, StaleHead, WorkbenchError
from workbench.domain.log.envelope import Head
from workbench.domain.shared.context import ContextEvent, Folding, SharedState, fold
from workbench.storage.files.watching.stopping import Stop
from workbench.storage.ports import EventLog

Callback = Callable[[Sequence[ContextEvent]], None]
_FIRST_PAUSE = 0.02
"""Seconds until it is first looked again whether there is a stream."""
_LONGEST_PAUSE = 1.0
"""Seconds between two such looks, as between those into a stream that nobody rings for."""


class Told(NamedTuple):
    """Changes that were committed, and what the stream comes to with them."""

    changes: Sequence[ContextEvent]
    state: SharedState


def follow(log: EventLog, stream: str, stopped: Callable[[], bool], *, state: SharedState) -> Iterator[Told]:
    """Yield batches of changes after a state of the stream until ``stopped()`` is true. Raises LogWentBack."""
    while not stopped():
        known = Head("", state.seq, state.hash) if state.seq else None
        try:
            for batch in log.follow(stream, after=state.seq, stopped=stopped, known=known):
                folding = Folding(state)
                told = tuple(map(folding.take, batch))
                state = folding.state()
                yield Told(told, state)
        except NotFound:
            state = SharedState()
            _wait_for(log, stream, stopped)
        except StaleHead:
            again = state_at(log, stream, state.seq)
            state = again if again.hash == state.hash else SharedState()


def _wait_for(log: EventLog, stream: str, stopped: Callable[[], bool]) -> None:
    """Wait until there is a stream, or ``stopped()``: a workspace may never share anything."""
    pause = _FIRST_PAUSE
    while not stopped():
        if isinstance(stopped, Stop):
            stopped.wait(pause)
        else:
            time.sleep(pause)
        with suppress(NotFound):
            log.epoch(stream)
            return
        pause = min(2 * pause, _LONGEST_PAUSE)


def state_at(log: EventLog, stream: str, seq: int) -> SharedState:
    """Return the state as of an event, or as of the last one before it; an empty one if there is no stream."""
    try:
        return fold(takewhile(lambda event: event.seq <= seq, log.read(stream)))
    except NotFound:
        return SharedState()


class Follower:
    """A thread that hands batches of changes to a callback until it is stopped."""

    def __init__(self, log: EventLog, stream: str, callback: Callback, *, state: SharedState) -> None:
        self.error: WorkbenchError | None = None
        """What ended it before it was stopped."""
        self._stopped = Stop()
        self._follow = partial(follow, log, stream, self._stopped)
        self._state = state
        self._callback = callback
        self._thread = threading.Thread(target=self._run, name="shared-context", daemon=True)

    def start(self) -> None:
        """Begin to follow."""
        self._thread.start()

    def stop(self) -> None:
        """End; when this returns the callback is not called again, unless it is the callback that stops its thread."""
        self._stopped.set()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _run(self) -> None:
        try:
            while not self._stopped():
                self._hand_over()
        except WorkbenchError as error:
            self.error = error

    def _hand_over(self) -> None:
        try:
            for told in self._follow(state=self._state):
                if self._stopped():
                    return
                self._callback(told.changes)
        except LogWentBack:
            self._state = SharedState()
