"""What the application knows of the shared context: followed in one thread, however many sessions are open.

    shared.watch ─▶ Sharing (thread): the last changes in a ring ─▶ SharedChanged ─▶ the screen in front
                                                                        │
                            one message until somebody looked ◀── seen() ┘   at most as often as that screen paints

Sequence numbers of the stream are dense, so that what is not in the ring is counted by them: nothing is lost silently.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from workbench.domain.errors import SettingsError, WorkbenchError
from workbench.domain.shared import ContextEvent

if TYPE_CHECKING:  # opened with the workspace, behind the first paint
    from workbench.sharing.shared_context import SharedContextManager

MOST_SHOWN = 200
"""Changes that are kept to be shown."""
_MOST_READ_BACK = 2_000
"""Changes up to which a stream is read from its start; of a longer one, what comes from now on is shown."""

OpenShared = Callable[[], "SharedContextManager"]
"""Opens the shared context of the workspace. Raises SettingsError where it is switched off."""


class SharedChanged(Message, bubble=False):
    """There is something new in the shared context."""


@dataclass(frozen=True, slots=True)
class SharedSeen:
    """What there is to see of the shared context at a moment."""

    changes: tuple[ContextEvent, ...] = ()
    """The last ones, the newest at the end."""
    seq: int = 0
    """Of the last event of the stream."""
    trouble: str = ""
    """Why nothing can be seen, and what to do; "" where something can."""
    is_off: bool = False
    """Whether it is switched off: that is no failure."""

    @property
    def not_shown(self) -> int:
        """How many changes there were before the first one that is shown."""
        return self.seq - len(self.changes)


class Sharing:
    """The shared context of a workspace, followed for all screens of the application."""

    def __init__(self, open_shared: OpenShared, tell: Callable[[], object]) -> None:
        """``tell`` is called from a thread when there is something to look at with ``seen``."""
        self._open_shared = open_shared
        self._tell = tell
        self._opened: SharedContextManager | None = None
        self._lock = threading.Lock()
        self._ring: deque[ContextEvent] = deque(maxlen=MOST_SHOWN)
        self._seq = 0
        self._trouble = ""
        self._is_off = False
        self._is_told = False
        """Whether somebody was told, and has not looked since."""
        self._stopped = threading.Event()

    def begin(self) -> None:
        """Follow from now on, in a thread."""
        threading.Thread(target=self._follow, name="sharing", daemon=True).start()

    def end(self) -> None:
        """Follow no more."""
        self._stopped.set()

    def manager(self) -> SharedContextManager:
        """Return the one manager of this application, to change something with; for threads. Raises SettingsError."""
        with self._lock:
            if self._opened is None:
                self._opened = self._open_shared()
            return self._opened

    def seen(self) -> SharedSeen:
        """Return what there is to see now; whoever looked is told of what comes after."""
        with self._lock:
            self._is_told = False
            return SharedSeen(tuple(self._ring), self._seq, self._trouble, self._is_off)

    def _follow(self) -> None:
        try:
            manager = self.manager()
            before = manager.state().seq
            with self._lock:
                self._seq = before
            for changes in manager.watch(self._stopped.is_set, after=0 if before <= _MOST_READ_BACK else None):
                self._take(changes)
        except WorkbenchError as error:
            with self._lock:
                self._trouble, self._is_off = str(error), isinstance(error, SettingsError)
            self._announce()

    def _take(self, changes: Sequence[ContextEvent]) -> None:
        with self._lock:
            if self._ring and changes[0].seq != self._ring[-1].seq + 1:  # another history: it is told from its start
                self._ring.clear()
            self._ring.extend(changes)
            self._seq = changes[-1].seq
        self._announce()

    def _announce(self) -> None:
        with self._lock:
            was_told, self._is_told = self._is_told, True
        if not was_told:
            self._tell()
