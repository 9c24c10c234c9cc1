"""What the application knows of the shared context: followed in one thread, however many sessions are open.

    shared stream ─▶ _follow (thread) ─▶ the last changes in a ring, the state ─┐
    lives, heartbeats ─▶ _look_around (thread, now and again) ─▶ who is there ─┴▶ SharedChanged ─▶ the screen in front
                                                                                         │
                                     one message until somebody looked ◀── seen() ◀──────┘

Sequence numbers of the stream are dense, so that what is not in the ring is counted by them: nothing is lost silently.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from textual.message import Message

from workbench.domain.errors import SettingsError, WorkbenchError
from workbench.domain.shared.context import ContextEvent
from workbench.domain.shared.merge import ABSENT
from workbench.storage.files.watching.stopping import Stop

if TYPE_CHECKING:  # opened with the workspace, after the first paint
    from workbench.bootstrap import Workspace
    from workbench.domain.shared.context import Entry, SharedState
    from workbench.sharing.presence import Presence, SessionInfo
    from workbench.sharing.shared_context import SharedContextManager

MOST_SHOWN = 200
"""Changes that are kept to be shown."""
_AT_MOST_EVERY = 0.05  # seconds between two batches: a screen shows twenty pictures a second
_BURST_EVERY = 0.5
"""Seconds between two batches that each replace everything that is shown: nobody reads twenty such lists a second."""
_LOOK_EVERY, _FIRST_LOOK = 0.75, 0.02  # seconds between two looks at who is there: a crash is seen within one
_AGAIN_AFTER = 1.5  # seconds until following is begun again after an error
_MOST_READ_BACK = 2_000
"""Changes up to which a stream is read from its start; of a longer one, what comes from now on is shown."""


class SharedChanged(Message, bubble=False):
    """There is something new in the shared context."""


@dataclass(frozen=True, slots=True)
class SharedSeen:
    """What there is to see of the shared context at a moment."""

    changes: tuple[ContextEvent, ...] = ()
    """The last ones, the newest at the end."""
    seq: int = 0
    """Of the last event of the stream."""
    present: tuple[SessionInfo, ...] = ()
    """The sessions that take part. What changes all the time is left out: when each was last seen, and its changes."""
    is_looked: bool = True
    """Whether somebody has looked who takes part."""
    values: tuple[tuple[str, Entry], ...] = ()
    """Every key that has a value, with that, in the order of their names."""
    trouble: str = ""
    """Why nothing new can be seen, and what to do; "" if it can."""
    is_off: bool = False
    """Whether it is switched off: that is not a failure."""

    @property
    def not_shown(self) -> int:
        """How many changes there were before the first one that is shown."""
        return self.seq - len(self.changes)


def following_shared(workspace: Workspace, post: Callable[[Message], object]) -> Sharing:
    """Return the shared context of a workspace, followed from now on; what is new is posted as SharedChanged."""

    def tell() -> None:
        with suppress(RuntimeError):  # the application has ended
            post(SharedChanged())

    sharing = Sharing(workspace, tell)
    sharing.begin()
    return sharing


class Sharing:
    """The shared context of a workspace, followed for all screens of the application."""

    def __init__(self, workspace: Workspace, tell: Callable[[], object]) -> None:
        """``tell`` is called from a thread when there is something to look at with ``seen``."""
        self._workspace = workspace
        self._tell = tell
        self._opened: SharedContextManager | None = None
        self._lock = threading.Lock()
        self._ring: deque[ContextEvent] = deque(maxlen=MOST_SHOWN)
        self._seq = 0
        self._state: SharedState | None = None
        self._present: tuple[SessionInfo, ...] = ()
        self._is_looked = False
        self._looked: SharedState | None = None  # the state in which it was last looked who is there
        self._trouble = ""
        self._unseen = ""
        """Why it cannot be seen who is there: a follower waits without a word for a server that is away."""
        self._is_off = False
        self._is_told = False  # whether somebody was told, and has not looked since
        self._stopped = Stop()

    def begin(self) -> None:
        """Follow from now on, in threads."""
        for work in (self._follow, self._look_around):
            threading.Thread(target=work, name="sharing", daemon=True).start()

    def end(self) -> None:
        """Follow no more."""
        self._stopped.set()

    def manager(self) -> SharedContextManager:
        """Return the one manager of this application, to change something with; for threads. Raises SettingsError."""
        with self._lock:
            if self._opened is None:
                self._opened = self._workspace.shared()
            return self._opened

    @property
    def newest(self) -> int:
        """Number of the last change that was taken in."""
        return self._seq

    def seen(self) -> SharedSeen:
        """Return what there is to see now; whoever looked is told of what comes after."""
        with self._lock:
            self._is_told = False
            trouble = self._trouble or self._unseen
            entries = self._state.entries.items() if self._state is not None else ()
            values = tuple(sorted((entry for entry in entries if entry[1].value is not ABSENT), key=lambda one: one[0]))
            return SharedSeen(
                tuple(self._ring),
                self._seq,
                self._present,
                self._is_looked,
                values=values,
                trouble=trouble,
                is_off=self._is_off,
            )

    def _follow(self) -> None:
        """Follow until this is ended; what fails is shown, and begun again, unless only a setting can mend it."""
        while not self._stopped():
            try:
                self._follow_on(self.manager())
            except SettingsError as error:
                self._note_trouble(str(error), is_off=True)
                return
            except WorkbenchError as error:
                self._note_trouble(str(error))
                self._stopped.wait(_AGAIN_AFTER)

    def _follow_on(self, manager: SharedContextManager) -> None:
        before = manager.state()
        goes_on = self._goes_on(manager)
        with self._lock:
            self._state = before
            if not goes_on:
                self._ring.clear()
                self._seq = before.seq
        self._note_trouble("")
        is_long = before.seq > _MOST_READ_BACK
        after = self._seq if goes_on else None if is_long else 0
        for changes, state in manager.follow(self._stopped, after=after):
            self.take(changes, state)
            self._stopped.wait(_BURST_EVERY if len(changes) >= MOST_SHOWN else _AT_MOST_EVERY)

    def _goes_on(self, manager: SharedContextManager) -> bool:
        """Tell whether the last change that is shown still is where it stood, so that nothing need be read back."""
        last = self._ring[-1] if self._ring else None
        return last is not None and next(manager.events(after=last.seq - 1), None) == last

    def _note_trouble(self, trouble: str, *, is_off: bool = False) -> None:
        with self._lock:
            is_new, self._trouble, self._is_off = trouble != self._trouble, trouble, is_off
        if is_new:
            self._announce()

    def take(self, changes: Sequence[ContextEvent], state: SharedState) -> None:
        """Take in changes that were committed, and what the stream comes to with them."""
        with self._lock:
            self._state = state
            if self._ring and changes[0].seq != self._ring[-1].seq + 1:  # another history: it is told from its start
                self._ring.clear()
            self._ring.extend(changes)
            self._seq = changes[-1].seq
        self._announce()

    @cached_property
    def _presence(self) -> Presence:
        return self._workspace.presence()

    def _look_around(self) -> None:
        while not self._stopped():
            try:
                self._note_present()
            except WorkbenchError as error:
                self._note_unseen(str(error))
            else:
                self._note_unseen("")
            self._stopped.wait(_LOOK_EVERY if self._is_looked else _FIRST_LOOK)

    def _note_present(self) -> None:
        with self._lock:
            state = self._state
        if state is None or (state is self._looked and not self._present):  # nobody can have gone
            return
        present = self._presence.look(state)
        self._looked = state
        with self._lock:
            is_new = present != self._present or not self._is_looked
            self._present, self._is_looked = present, True
        if is_new:
            self._announce()

    def _note_unseen(self, why: str) -> None:
        with self._lock:
            is_new, self._unseen = why != self._unseen, why
        if is_new:
            self._announce()

    def _announce(self) -> None:
        with self._lock:
            was_told, self._is_told = self._is_told, True
        if not was_told:
            self._tell()
