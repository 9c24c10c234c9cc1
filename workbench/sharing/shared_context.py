"""What sessions of one project share: keys and values that every session may read and change at any moment.

Nothing is locked while a session thinks. What a session is shown is what its next change starts from. A change that
meets one its session had not seen is merged (domain/shared/merge.py) and recorded with what lost; only what cannot be
let in is refused. Where somebody else appended first, it is decided again. Synchronous, and safe to use from several
threads: call it from worker threads.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from workbench.domain.errors import LogBusy, NotFound, StaleHead, UsageError
from workbench.domain.log.envelope import Draft, Event, Head, Turn
from workbench.domain.log.ids import SessionId
from workbench.domain.shared import events as say
from workbench.domain.shared.context import NOTHING, ContextEvent, Entry, SharedContext, SharedState, decide
from workbench.domain.shared.input import MOST_MEMBERS, check_owner, clean_key, clean_value
from workbench.domain.shared.leases import Kind, Lease, clean_lease, key_of
from workbench.domain.shared.merge import ABSENT
from workbench.sharing.following import Callback, Follower, Told, follow, state_at
from workbench.sharing.outcome import Claim, IsAlive, Outcome, Stands, decided, released
from workbench.sharing.snapshot import Snapshot
from workbench.sharing.view import SharedView
from workbench.storage.ports import Decide, Deciding, EventLog

STREAM = "events"
"""The stream's name in its log, and so its file's."""
LESSONS = "lessons"
"""The stream beside it, in which persons decide about lessons; no session reads or writes it."""
DEFAULT_PATIENCE = 10.0
"""Seconds that a change is tried again after a head that keeps moving."""


class Cursor(NamedTuple):
    """A place in the shared stream. Another epoch means another history: read again from the start."""

    epoch: str = ""
    seq: int = 0


class Pending(NamedTuple):
    """What happened after a cursor."""

    events: tuple[ContextEvent, ...]
    cursor: Cursor
    resynchronised: bool
    """Whether the cursor was of another history, so that the events are all there are."""


class Observed(NamedTuple):
    """What stands otherwise than at a cursor."""

    changed: tuple[tuple[str, Entry], ...]
    """Key and how it stands now, the last changed last; a deleted one has no value."""
    cursor: Cursor
    anew: bool
    """Whether the cursor was of another history, or of none: these are all the keys there are."""


class SharedContextManager:
    """The shared context of a project, for the sessions of this process."""

    def __init__(
        self,
        log: EventLog,
        *,
        person: str,
        workspace: str,
        now: Callable[[], str],
        actor: str = "workbench",
        snapshot: Snapshot | None = None,
        is_alive: IsAlive = lambda _session: True,
        declare_dead: Callable[[str], None] = lambda _session: None,
        patience: float = DEFAULT_PATIENCE,
    ) -> None:
        """Use a log whose streams may hold the events of several sessions; it need not hold the stream yet.

        ``now`` gives the time as events carry it, for display; ``actor`` is who changes things through this manager;
        ``is_alive`` tells whether a session is open anywhere: what a dead one holds can be claimed, once it is
        declared dead, so that nothing more comes from it.
        """
        self._log = log
        self._deciding = log if isinstance(log, Deciding) else None
        self._person = person
        self._workspace = workspace
        self._now = now
        self._actor = actor
        self._is_alive = is_alive
        self._declare_dead = declare_dead
        self._patience = patience
        self._lock = threading.RLock()
        self._view = SharedView(log, STREAM, snapshot)
        self._seen: dict[SessionId, dict[str, Entry]] = {}
        self._seen_in = self._view.history
        self._followers: dict[SessionId, Follower] = {}

    # looking

    def get_context(self, session: str) -> SharedContext:
        """Return the shared context as it is now; it is what the session's next change starts from."""
        session = SessionId(session)
        with self._lock:
            state = self._view.refresh()
            self._seen[session] = dict(state.entries)
            return state.context()

    def state(self) -> SharedState:
        """Return everything the stream comes to, for nobody in particular."""
        with self._lock:
            return self._view.refresh()

    def events(self, *, after: int = 0) -> Iterator[ContextEvent]:
        """Yield every change with a seq greater than ``after`` as it is shown: the audit trail."""
        with self._lock:
            self._view.refresh()
            return iter(tuple(self._view.told(after=after)))

    def get_pending_events(self, session: str, after: Cursor | None = None) -> Pending:
        """Return what happened after a cursor; the session has seen it then."""
        session = SessionId(session)
        after = after or Cursor()
        with self._lock:
            state = self._view.refresh()
            is_other = after.epoch not in ("", self._view.epoch)
            events = tuple(self._view.told(after=0 if is_other else after.seq))
            self._note(session, events)
            return Pending(events, Cursor(self._view.epoch, state.seq), is_other)

    def observe(self, session: str, after: Cursor | None = None) -> Observed:
        """Return what stands otherwise than at a cursor, each key once; the session has seen it then."""
        session = SessionId(session)
        after = after or Cursor()
        with self._lock:
            state = self._view.refresh()
            is_other = after.epoch != self._view.epoch
            changed = tuple(state.changed_since(0 if is_other else after.seq))
            seen = {} if is_other else self._seen.get(session, {})
            self._seen[session] = {**seen, **dict(changed)}
            return Observed(changed, Cursor(self._view.epoch, state.seq), is_other)

    def watch(self, stopped: Callable[[], bool], *, after: int | None = None) -> Iterator[Sequence[ContextEvent]]:
        """Yield batches of changes after ``after`` (None: from now on); ``stopped`` as for ``EventLog.follow``."""
        return (told.changes for told in self.follow(stopped, after=after))

    def follow(self, stopped: Callable[[], bool], *, after: int | None = None) -> Iterator[Told]:
        """Yield what ``watch`` yields, each batch with everything that the stream comes to after it."""
        state = self.state() if after is None else state_at(self._log, STREAM, after)
        return follow(self._log, STREAM, stopped, state=state)

    # changing

    def update_context(
        self, session: str, key: str, value: Any, base_version: int | None = None, *, passing: bool = False
    ) -> Outcome:
        """Set a key. ``base_version`` is the version the change starts from, by default the one the session saw last.

        ``passing``: the session exists for this change only. What cannot be let in is refused. Raises InvalidId and
        LogError.
        """
        own = SessionId(session)
        try:
            return self._change(own, key, clean_value(value), base_version, passing=passing)
        except UsageError as error:
            return Outcome.refused(key, error)

    def delete(self, session: str, key: str, base_version: int | None = None, *, passing: bool = False) -> Outcome:
        """Delete a key, unless somebody changed it since: then it stays, and the deletion is recorded."""
        own = SessionId(session)
        try:
            self._check_there(clean_key(key))
            return self._change(own, key, ABSENT, base_version, passing=passing)
        except UsageError as error:
            return Outcome.refused(key, error)

    def _check_there(self, key: str) -> None:
        if self.state().entry(key).value is ABSENT:
            raise UsageError(f"Nothing is shared as {key!r}.", "See what there was with `workbench shared log`.")

    def undo(self, session: str, event_id: str, *, passing: bool = False) -> Outcome:
        """Take one change back, and keep what others changed since if it can be. Raises NotFound."""
        own = SessionId(session)
        done = next((event for event in self.events() if event.event_id == event_id), None)
        if done is None:
            raise NotFound(f"There is no event {event_id!r}.", "See `workbench shared log`.")
        if not done.key:
            return Outcome.refused("", UsageError(f"{event_id} changed no key.", "Name a change to a key."))
        made = Entry(value=done.value, version=done.version)

        try:
            check_owner(done.key, own)
        except UsageError as error:
            return Outcome.refused(done.key, UsageError(error.message, "Undo a change to another key."))

        def taken_back(state: SharedState) -> say.Change:
            return decide(state, done.key, done.previous_value, made, undone=event_id, passing=passing)

        try:
            return self._commit_change(own, done.key, taken_back)
        except UsageError as error:
            return Outcome.refused(done.key, error)

    def _change(self, session: SessionId, key: str, value: Any, base_version: int | None, *, passing: bool) -> Outcome:
        name = clean_key(key)
        check_owner(name, session)

        def changed(state: SharedState) -> say.Change:
            return decide(state, name, value, self._base(session, name, base_version, state), passing=passing)

        return self._commit_change(session, name, changed)

    def _base(self, session: SessionId, key: str, version: int | None, state: SharedState) -> Entry:
        """Return a key as the session saw it last in this history, or as it was in the version that is named."""
        if self._seen_in != self._view.history:
            self._seen_in = self._view.history
            self._seen.clear()
        seen = self._seen.get(session, {}).get(key, NOTHING)
        if version is None or version == seen.version:
            return seen
        now = state.entry(key)
        if version in (0, now.version):
            return now if version else NOTHING
        for event in self._view.told() if 0 < version < now.version else ():
            if (event.key, event.version) == (key, version):
                return Entry(value=event.value, version=version)
        raise UsageError(f"{key} has no version {version}: the last one is {now.version}.", "Name one that it had.")

    def _commit_change(self, session: SessionId, key: str, decided: Callable[[SharedState], say.Change]) -> Outcome:
        with self._lock:
            met = NOTHING

            def body(state: SharedState) -> say.Change:
                nonlocal met
                met = state.entry(key)
                return decided(state)

            event = self._commit(session, body)
            self._note(session, [event])
            return Outcome.from_event(event, met.session)

    def _commit(self, session: SessionId, body: Callable[[SharedState], say.Body]) -> ContextEvent:
        """Append what follows from the state; decided again as often as somebody else was first, if that can be."""
        turn = Turn(session=session, person=self._person, workspace=self._workspace)
        until = time.monotonic() + self._patience
        if not self._view.epoch:
            self._view.refresh()  # else the first try were decided on nothing

        def decided(missed: Sequence[Event]) -> list[Draft]:
            if missed:
                self._view.take(missed)
            return [say.draft(body(self._view.state), turn, actor=self._actor, time=self._now())]

        while True:
            try:
                events = self._append(decided)
            except (StaleHead, NotFound) as error:
                if time.monotonic() >= until:
                    raise LogBusy("Other sessions change the shared context too fast.", "Try again.") from error
                self._view.refresh()
                continue
            return self._view.take(events)[-1]

    def _append(self, decided: Decide) -> Sequence[Event]:
        """Append what is decided: where the log lets it, at its very end, else on what this process has read."""
        state = self._view.state
        if self._deciding is not None and self._view.epoch:
            known = Head(self._view.epoch, state.seq, state.hash)
            return self._deciding.append_decided(STREAM, decided, known=known)
        return self._log.append(STREAM, decided(()), expected=state.seq)

    def _note(self, session: SessionId, events: Sequence[ContextEvent]) -> None:
        with self._lock:
            seen = self._seen.setdefault(session, {})
            for event in events:
                if event.key and event.version > seen.get(event.key, NOTHING).version:
                    seen[event.key] = Entry(
                        value=event.value,
                        version=event.version,
                        session=event.session_id,
                        event=event.event_id,
                        seq=event.seq,
                        time=event.timestamp,
                    )

    # claiming

    def claim(self, session: str, kind: str, name: str, *, queue: bool = False) -> Claim:
        """Claim a file or a task for a session that takes part; ``queue``: wait for it if another one has it.

        It is granted if it is free, or held by a session that is open nowhere any more. Raises InvalidId, LogError.
        """
        own = SessionId(session)
        try:
            of, named = clean_lease(kind, name)
            return self._claim(own, of, named, waits=queue)
        except Stands as stands:
            return stands.claim
        except UsageError as error:
            return Claim.impossible(kind, name, error)

    def _claim(self, session: SessionId, kind: Kind, name: str, *, waits: bool) -> Claim:
        met: Lease | None = None

        def body(state: SharedState) -> say.OfLease:
            nonlocal met
            met = state.leases.get(key_of(kind, name))
            claimed = decided(state, session, kind, name, self._is_alive, waits=waits)
            if met is not None and isinstance(claimed, say.LeaseClaimed):
                self._declare_dead(met.session)
            return claimed

        with self._lock:
            self._view.refresh()
            event = self._commit(session, body)
            return Claim.from_event(event, kind, name, met, self._view.state)

    def release(self, session: str, kind: str, name: str) -> Claim:
        """Give a claim back, or wait for it no more; the first that waits gets it. Raises InvalidId, LogError."""
        own = SessionId(session)
        try:
            of, named = clean_lease(kind, name)
            with self._lock:
                self._view.refresh()
                event = self._commit(own, lambda now: released(now, own, of, named))
                return Claim(outcome="released", kind=of, name=named, holder=event.holder, event=event)
        except UsageError as error:
            return Claim.impossible(kind, name, error)

    # taking part

    def subscribe(self, session: str, callback: Callback | None = None) -> Cursor:
        """Let a session take part, from the place that is returned on.

        With a callback, a thread hands it batches of changes as they are committed, its own too, and in their order.
        Raises UsageError if a thread of the session runs already, or if too many sessions take part.
        """
        own = SessionId(session)
        with self._lock:
            if own in self._followers:
                raise UsageError(f"{own} is a member already.", "Unsubscribe it first.")
            event = self.join(own)
            if callback is not None:

                def hand_over(events: Sequence[ContextEvent]) -> None:
                    self._note(own, events)
                    callback(events)

                follower = Follower(self._log, STREAM, hand_over, state=self._view.state)
                self._followers[own] = follower
                follower.start()
            return Cursor(self._log.head(STREAM).epoch, event.seq)

    def join(self, session: str) -> ContextEvent:
        """Say that a session takes part from now on; what it held in an earlier life is free. Raises UsageError."""
        own = SessionId(session)

        def joining(state: SharedState) -> say.SessionJoined:
            if own not in state.members and len(state.members) >= MOST_MEMBERS:
                raise UsageError(f"{MOST_MEMBERS:,} sessions take part already.", "End some of them first.")
            return say.SessionJoined()

        return self._commit(own, joining)

    def unsubscribe(self, session: str, reason: str = "") -> None:
        """Let a session take part no more: its callback is not called again. Raises the error that ended its thread."""
        own = SessionId(session)
        with self._lock:
            follower = self._followers.pop(own, None)
        if follower is not None:
            follower.stop()
        with self._lock:
            self._seen.pop(own, None)
            if own in self._view.refresh().members:
                self._commit(own, lambda _: say.SessionLeft(reason=reason))
        if follower is not None and follower.error is not None:
            raise follower.error

    def close(self) -> None:
        """Let the sessions take part no more that a thread here hands changes to. Raises as ``unsubscribe``."""
        for session in list(self._followers):
            self.unsubscribe(session)
