"""One session's part in the shared context: it lives, says what it is at, sees what others say, and claims things.

Its life is a lock. Under a key of its own it publishes what it is at, observes what others changed once for each step,
and beats while it works; a lease that it waits for is taken when its holder dies. Whatever befalls the shared context,
planning goes on: what the loop asks for (publish, observe) never raises, and says why there was nothing. Where sharing
is switched off, values stay with this session. Synchronous: for worker threads.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from time import monotonic
from typing import Any

from workbench.domain.errors import Fenced, LogBusy, LogUnavailable, WorkbenchError
from workbench.domain.log.ids import SessionId
from workbench.domain.shared.input import OWN
from workbench.domain.shared.leases import Lease
from workbench.domain.shared.merge import ABSENT
from workbench.sharing.following import Callback
from workbench.sharing.outcome import Claim, Outcome
from workbench.sharing.shared_context import Cursor, Observed, SharedContextManager
from workbench.storage.ports import Lives

BEAT_EVERY = 2.0
"""Seconds between two heartbeats of a session that works."""
LOOK_EVERY = 0.5
"""Seconds between two looks at whether the holder of a lease that is waited for is alive."""
STOP_WITHIN = 3.0
"""Seconds that closing a session waits for a log that does not answer."""
OFF = "The shared context is switched off."


class SessionCoordinator:
    """What one session has of the shared context, in the process that has the session open."""

    def __init__(self, session: str, shared: SharedContextManager | None, lives: Lives | None) -> None:
        """Without a shared context nothing is shared: values that are set stay here, and are gone with this object."""
        self.session = SessionId(session)
        self.problem = ""
        """Why the last thing that the loop asked for did not work; "" if it did."""
        self.elsewhere = ""
        """Who has the session open, if that is not this process; "" if it is."""
        self._shared = shared
        self._lives = lives
        self._local: dict[str, Any] = {}
        self._published: Mapping[str, Any] | None = None
        """What this session said last that it is at; empty if it withdrew that."""
        self._life = ExitStack()
        self._on_changes: Callback | None = None
        self._course: Mapping[str, Any] | None = None
        """What it said last, or would have."""
        self._is_open = False
        """Whether it is to take part."""
        self._is_started = False
        self._has_life = False
        self._is_working = False
        self._beaten = -BEAT_EVERY
        self._wake = threading.Condition()
        self._heart: threading.Thread | None = None

    @property
    def is_on(self) -> bool:
        """Whether anything is shared."""
        return self._shared is not None

    # --- life ---------------------------------------------------------------------------------------------------------

    def start(self, on_changes: Callback | None = None) -> None:
        """Take part: the session is seen by others from now on, and seen to have crashed should this process die.

        With ``on_changes`` a thread hands over batches of changes as they are committed. Where another process has the
        session open, that one takes part (``elsewhere`` says which), and this one only publishes and observes. What
        cannot be now is tried again until it stops. Raises UsageError if too many take part, LogError.
        """
        if self._shared is None or self._is_open:
            return
        self._is_open, self._on_changes = True, on_changes
        try:
            self._begin(self._shared)
        except WorkbenchError as error:
            self.problem = error.message
            raise
        finally:
            self._heart = threading.Thread(target=self._beat_on, name=f"heartbeat {self.session}", daemon=True)
            self._heart.start()

    def _begin(self, shared: SharedContextManager) -> None:
        with ExitStack() as life:
            if self._lives is not None:
                try:
                    life.enter_context(self._lives.live(self.session))
                except LogBusy as busy:
                    self.elsewhere = busy.message
                    return
            shared.subscribe(self.session, self._on_changes)
            self._life = life.pop_all()
        self._is_started = self._has_life = True
        self.elsewhere = self.problem = ""
        self._published = None

    def stop(self, reason: str = "") -> None:
        """Take part no more; what the session has claimed is free. Raises LogError, and has ended then all the same.

        A log that does not answer is not waited for longer than a moment: others then see the session as crashed.
        """
        with self._wake:
            if self._shared is None or not self._is_open:
                return
            self._is_open = False
            self._wake.notify_all()
        failed: list[WorkbenchError] = []
        leaving = threading.Thread(
            target=self._leave, args=(self._shared, reason, failed), name=f"leaving {self.session}", daemon=True
        )
        leaving.start()
        leaving.join(STOP_WITHIN)
        self._is_started = False
        if leaving.is_alive():
            raise LogUnavailable(
                "The shared context does not answer, so other sessions are not told that this one is closed.",
                "To them it looks crashed until it is opened again.",
            )
        if failed:
            raise failed[0]

    def _leave(self, shared: SharedContextManager, reason: str, failed: list[WorkbenchError]) -> None:
        if self._heart is not None and self._heart is not threading.current_thread():
            self._heart.join()
        try:
            if self._is_started:
                with self._life:
                    shared.unsubscribe(self.session, reason)
            elif self._published and self.session not in shared.state().members:
                self.withdraw()  # whoever had it open is gone: nobody else would take it back
        except WorkbenchError as error:
            failed.append(error)
        self._published = None

    def beat(self) -> None:
        """Note that something is done in this session now; often is not dearer than once in two seconds."""
        now = monotonic()
        if self._lives is None or not self._is_started or now - self._beaten < BEAT_EVERY:
            return
        self._beaten = now
        with suppress(WorkbenchError):  # a heartbeat that is missed makes the session look idle, and no more
            self._lives.beat(self.session)

    def _beat_on(self) -> None:
        """Beat while the session works, and take what it waits for when whoever holds that has died."""
        waits: list[Lease] = []
        while True:
            with self._wake:
                self._wake.wait(LOOK_EVERY if waits else BEAT_EVERY)
                if not self._is_open:
                    return
            try:
                waits = self._do_due_work()
            except Exception as error:  # noqa: BLE001 - whatever befalls one look, there is another one
                self.problem = error.message if isinstance(error, WorkbenchError) else type(error).__name__

    def _do_due_work(self) -> list[Lease]:
        """Do what is due, and return the leases that the session waits for."""
        if self._shared is None:
            return []
        if not self._is_started:
            self._begin(self._shared)
        if not self._is_started:
            return []
        if self._is_working:
            self.beat()
        if self._lives is not None and not (self._has_life and self._lives.is_held(self.session)):
            self._come_back()
        if self._published is None and self._course is not None:
            self.publish(self._course, works=self._is_working)
        waits = [lease for lease in self._shared.state().leases.values() if self.session in lease.waiting]
        for lease in waits:
            self.claim(lease.kind, lease.name, queue=True)
        return waits

    def _come_back(self) -> None:
        """Live again, after a pause in which this session was declared dead: what it held is others' or nobody's."""
        with self._wake:
            if not self._is_started or self._lives is None or self._shared is None:
                return
            self._has_life = False
            self._life.close()
            with ExitStack() as life:  # who cannot say so now does not live either, and tries it again
                life.enter_context(self._lives.live(self.session))
                self._shared.join(self.session)
                self._life = life.pop_all()
            self._has_life = True
            self._published = None

    # --- what the loop asks for ---------------------------------------------------------------------------------------

    def publish(self, course: Mapping[str, Any], *, works: bool) -> None:
        """Say what this session is at, under its own key, if that is something else than before.

        Nothing is said of a session that takes part nowhere: nobody would take it back.
        """
        self._is_working, self._course = works, course
        self.beat()
        takes_part = self._is_started or self.elsewhere
        if self._shared is None or not takes_part or course == self._published:
            return
        try:
            done = self._publish_course(self._shared, course)
        except WorkbenchError as error:
            self.problem = error.message
            return
        self._published = course
        self.problem = done.why

    def _publish_course(self, shared: SharedContextManager, course: Mapping[str, Any]) -> Outcome:
        try:
            return shared.update_context(self.session, OWN + self.session, dict(course))
        except Fenced:
            self._come_back()
            return shared.update_context(self.session, OWN + self.session, dict(course))

    def withdraw(self) -> None:
        """Say no longer what this session is at: what it said of that is deleted."""
        self._is_working = False
        if self._shared is None or self._published == {}:
            return
        own = OWN + self.session
        try:
            said = self._shared.state().entry(own)
            if said.value is not ABSENT:
                self._shared.delete(self.session, own, said.version)
        except WorkbenchError as error:
            self.problem = error.message
            return
        self._published = {}
        self.problem = ""

    def observe(self, after: Cursor) -> tuple[Observed | None, str]:
        """Return what others changed since a cursor, or why that cannot be known."""
        if self._shared is None:
            return None, OFF
        try:
            observed = self._shared.observe(self.session, after)
        except WorkbenchError as error:
            self.problem = error.message
            return None, error.message
        self.problem = ""
        own = OWN + self.session
        return observed._replace(changed=tuple(one for one in observed.changed if one[0] != own)), ""

    # --- what a person or a program asks for --------------------------------------------------------------------------

    def update_shared(self, key: str, value: object) -> Outcome:
        """Set a key for all sessions; where sharing is off, for this one. Raises LogError."""
        if self._shared is None:
            self._local[key] = value
            return Outcome(outcome="committed", key=key, value=value, rule="local")
        return self._shared.update_context(self.session, key, value)

    def get_shared(self, key: str, default: object = None) -> object:
        """Return a key's value as it is now, else ``default``. Raises LogError."""
        if self._shared is None:
            return self._local.get(key, default)
        return self._shared.get_context(self.session).data.get(key, default)

    def claim(self, kind: str, name: str, *, queue: bool = False) -> Claim:
        """Claim a file or a task. Raises LogError."""
        if self._shared is None:
            return Claim(outcome="granted", kind=kind, name=name, holder=self.session)
        return self._shared.claim(self.session, kind, name, queue=queue)

    def release(self, kind: str, name: str) -> Claim:
        """Give a claim back. Raises LogError."""
        if self._shared is None:
            return Claim(outcome="released", kind=kind, name=name)
        return self._shared.release(self.session, kind, name)
