"""The shared stream as one process reads it: its state, kept up with the log, and every event as it is shown.

Not safe to use from several threads by itself: the manager holds its lock.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from workbench.domain.errors import NotFound
from workbench.domain.log.envelope import Event
from workbench.domain.shared.context import ContextEvent, Folding, SharedState
from workbench.sharing.snapshot import Snapshot
from workbench.storage.ports import EventLog, Placed

_RECENT = 1_000
"""Events that are kept as they are shown."""
_SNAPSHOT_EVERY = 200
"""Events between two snapshots, and after one at least: so many can be told without reading what was before."""


class SharedView:
    """The state of the shared stream, as of the last event this process has read."""

    def __init__(self, log: EventLog, stream: str, snapshot: Snapshot | None) -> None:
        self._log = log
        self._stream = stream
        self._snapshot = snapshot
        self._kept_at = 0
        self.state = self._earlier = SharedState()
        self.history = 0
        """Counts histories: another one begins where what was read is not there any more, but not with a redaction."""
        self.epoch = ""
        """Of the history that the state is of; "" before there is one."""
        self._recent: deque[ContextEvent] = deque(maxlen=_RECENT)

    def refresh(self) -> SharedState:
        """Catch up with the log and return the state; an empty one if nobody has shared anything yet."""
        kept = self._snapshot.load() if self._snapshot and not self.epoch else None
        if kept is not None and isinstance(self._log, Placed):
            self._log.begin_at(self._stream, kept[2])
        try:
            head = self._log.head(self._stream)
        except NotFound:
            self.history += self.state.seq > 0
            self._begin(SharedState(), "")
            return self.state
        if (head.epoch, head.seq, head.hash) == (self.epoch, self.state.seq, self.state.hash):
            return self.state
        is_there = self.state.seq == 0 or self._stands(self.state)
        self.history += not is_there
        if head.epoch != self.epoch or not is_there:
            kept = kept or (self._snapshot.load() if self._snapshot else None)
            state, of, _ = kept or (SharedState(), "", None)
            is_kept = of == head.epoch and self._stands(state)
            self._begin(state if is_kept else SharedState(), head.epoch)
        if self.state.seq < head.seq:
            events = self._log.read(self._stream, after=self.state.seq)
            self.take(islice(events, max(head.seq - _SNAPSHOT_EVERY - self.state.seq, 0)))
            self.take(events)
        return self.state

    def _stands(self, state: SharedState) -> bool:
        """Tell whether the last event of a state is in the log, under whatever epoch.

        A server that lost its last second goes on in the same epoch, and soon has as many events again.
        """
        event = next(self._log.read(self._stream, after=state.seq - 1), None) if state.seq > 0 else None
        return event is not None and (event.seq, event.hash) == (state.seq, state.hash)

    def _begin(self, state: SharedState, epoch: str) -> None:
        self.state, self.epoch, self._earlier = state, epoch, state
        self._kept_at = state.seq
        self._recent.clear()

    def take(self, events: Iterable[Event]) -> Sequence[ContextEvent]:
        """Fold events that follow the state; return those of them that are kept as recent."""
        folding = Folding(self.state)
        told: deque[ContextEvent] = deque(map(folding.take, events), maxlen=_RECENT)
        self.state = folding.state()
        self._recent.extend(told)
        if self.state.seq - self._earlier.seq >= _SNAPSHOT_EVERY:
            earlier, self._earlier = self._earlier, self.state
            if self._snapshot and self.epoch and earlier.seq > self._kept_at:
                self._kept_at = earlier.seq
                self._keep(self._snapshot, earlier)
        return told

    def _keep(self, snapshot: Snapshot, earlier: SharedState) -> None:
        """Keep an earlier state: what came since is read by who begins with it, and so can be told.

        Not of a history that was redacted or repaired meanwhile, whose copies were removed.
        """
        # before its last event, by which is told whether the state still stands
        place = self._log.place(self._stream, earlier.seq - 1) if isinstance(self._log, Placed) else None
        snapshot.keep(earlier, self.epoch, place)
        if self._log.head(self._stream).epoch != self.epoch:
            snapshot.remove()

    def told(self, *, after: int = 0) -> Iterator[ContextEvent]:
        """Yield the events after ``after`` as they are shown. From memory where it reaches back so far."""
        if self._recent and self._recent[0].seq <= after + 1:
            yield from [event for event in self._recent if event.seq > after]
            return
        if after >= self.state.seq:
            return
        folding = Folding(SharedState())
        for event in self._log.read(self._stream):
            shown = folding.take(event)
            if shown.seq > after:
                yield shown
