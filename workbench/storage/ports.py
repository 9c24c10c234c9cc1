"""How events are kept: the protocol that every log fulfils, and what a stream promises.

- Streams are named by ids; a stream is created with its first append and never silently.
- ``seq`` is dense: 1, 2, 3 … A batch is appended whole or not at all, also through a crash.
- Acknowledged (``append`` returned) means: survives the death of the process, and, where the log is opened durable,
  of the power too.
- Readers never wait for writers and never see half a batch.
- A log is synchronous and safe to use from several threads; call it from a worker thread, never from an event loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar, runtime_checkable

import msgspec

from workbench.domain.log.envelope import Draft, Event, Head


class EventLog(Protocol):
    """Append-only streams of events.

    ``known`` is the head up to which the caller has read a stream, ``after`` or ``expected`` its seq. LogWentBack says
    that its event is not stored any more: the stream was replaced, truncated or restored from an older copy. Where a
    repair removed the event, StaleHead says so instead. An epoch of "" stands for any.
    """

    def append(
        self, stream: str, drafts: Sequence[Draft], *, expected: int | None, known: Head | None = None
    ) -> tuple[Event, ...]:
        """Append a batch and return it as events.

        ``expected`` is the seq the writer believes to be the head, or None to append after whatever is there;
        0 creates the stream. If the events after ``expected`` are these very drafts (a retry after a crash between
        commit and acknowledgement), they are returned and nothing is stored twice.
        Raises StaleHead, LogWentBack, LogBusy, LogDamaged, LogTooNew, LogUnavailable, NotFound.
        """

    def read(self, stream: str, *, after: int = 0, known: Head | None = None) -> Iterator[Event]:
        """Yield the events with a seq greater than ``after``, in order.

        Raises StaleHead, LogWentBack, NotFound, LogDamaged, LogTooNew.
        """

    def head(self, stream: str) -> Head:
        """Return the end of a stream. Raises NotFound."""

    def epoch(self, stream: str) -> str:
        """Return ``head(stream).epoch`` without reading the events. Raises NotFound."""

    def follow(
        self, stream: str, *, after: int, stopped: Callable[[], bool], known: Head | None = None
    ) -> Iterator[Sequence[Event]]:
        """Yield batches of events after ``after`` as they are committed, until ``stopped()`` is true.

        Blocks between batches: for a thread of its own. Where ``stopped`` is a Stop, setting it ends that soon; any
        other function is asked every 0.25 s. Raises StaleHead when the stream was redacted or repaired, LogWentBack,
        NotFound, LogDamaged, LogTooNew.
        """

    def streams(self) -> Iterator[str]:
        """Yield the names of all streams, sorted."""


Decide = Callable[[Sequence[Event]], Sequence[Draft]]
"""Returns what to append, of what was appended after the head that its writer knew."""


@runtime_checkable
class Deciding(Protocol):
    """A log whose writer may decide at the very end of a stream: on what is there, and on nothing else."""

    def append_decided(self, stream: str, decide: Decide, *, known: Head) -> tuple[Event, ...]:
        """Append what ``decide`` returns, after all that is there: it is called once.

        ``known`` is the head up to which the writer has read; ``decide`` is given what came after it, where the log
        lets nobody append meanwhile. What it raises leaves the stream as it is. Raises StaleHead if that head is
        not in the stream any more, or where somebody came first, NotFound if there is no stream, else as ``append``.
        """


@runtime_checkable
class Redactable(Protocol):
    """A log whose stored bodies can be replaced, so that a secret can be forgotten."""

    def redact(
        self, stream: str, bodies: Mapping[str, msgspec.Raw], drafts: Sequence[Draft], *, expected: int
    ) -> tuple[Event, ...]:
        """Give stored events, named by their ids, other bodies, and append a batch that says so: both or neither.

        Headers, hashes and order stay, each event says ``redacted`` of its new body, and the history is another one
        (``Head.epoch``): who follows it is told. Nothing of the old bodies is kept, in no file of the log. Where an
        error leaves some of them in archives of the log, they are vouched for already, and doing it again finishes it.
        Raises StaleHead when ``expected`` is not the seq of the head, LogBusy while anybody drives the session,
        ValueError for an id that is not stored and for a body that is not one line of JSON, else as ``append``.
        """


@runtime_checkable
class KeepsUnsaved(Protocol):
    """A log with a place on this machine for events that it cannot store."""

    def keep_unsaved(self, stream: str, events: Sequence[Event]) -> Path:
        """Write all events of a session, from its first, to a file and return its path. Raises LogUnavailable."""


class Stamp(msgspec.Struct, frozen=True, array_like=True):
    """What a log knows of a stream without reading it. An equal stamp means equal content."""

    content: str
    """Another one for another content."""
    size: int
    """Bytes or events: more of them only by appending, or another history."""
    changed: float
    """When the stream was last written: seconds since 1970; 0 if the log does not know."""


C = TypeVar("C")
"""A log's own cursor: a place after an event, which JSON can hold."""


@runtime_checkable
class Stamped(Protocol):
    """A log that knows of each stream whether it changed, without reading it."""

    def stamps(self) -> Iterator[tuple[str, Stamp]]:
        """Yield each stream with its stamp. Raises LogUnavailable."""


class Listable(Protocol[C]):
    """A log whose streams can be listed without reading what was read before."""

    @property
    def cursor_type(self) -> type[C]:
        """The class of the log's cursors, to read them from a cache."""

    def stamps(self) -> Iterator[tuple[str, Stamp]]:
        """Yield each stream with its stamp. Raises LogUnavailable."""

    def since(self, stream: str, cursor: C | None) -> Iterator[tuple[Sequence[Event], C]]:
        """Yield what is after a cursor, in portions, each with the place after it.

        From the start of the stream where the cursor is None or belongs to another history; the first portion then
        begins with event 1. Raises as ``EventLog.read`` does.
        """


@runtime_checkable
class Placed(Protocol):
    """A log that need not read a stream up to a place that an earlier process kept of it."""

    def place(self, stream: str, seq: int) -> object:
        """Return a place that is not after event ``seq``, as JSON can hold it; None if none is remembered."""

    def begin_at(self, stream: str, place: object) -> None:
        """Let reading begin at a kept place; one that does not hold any more changes nothing."""


class Driver(msgspec.Struct, frozen=True, kw_only=True):
    """The process that drives a session's loop."""

    pid: int
    host: str
    since: str
    """UTC, ISO 8601."""


@runtime_checkable
class DriverLocks(Protocol):
    """Who may advance a session's loop: one process at a time; the kernel frees it on any death."""

    def drive(self, stream: str) -> AbstractContextManager[None]:
        """Hold the driver's lock of a session. Raises LogBusy, naming the process that holds it."""

    def driver(self, stream: str) -> Driver | None:
        """Return who drives a session, without trying to take the lock; None when nobody does."""


class Sign(NamedTuple):
    """A session's sign of life."""

    is_open: bool
    since_beat: float | None
    """Seconds since something was last done in it; None if that is not known."""


class Lives(Protocol):
    """Which sessions are open somewhere, and when something was last done in them; no event says so.

    Whoever dies gives a life back without a word, so a session that takes part and has no life has crashed.
    """

    def live(self, session: str) -> AbstractContextManager[None]:
        """Hold the life of a session. Raises LogBusy, naming the process that has it open, and LogUnavailable."""

    def holder(self, session: str) -> Driver | None:
        """Return who has a session open, without touching anything; None if nobody has. Raises LogUnavailable."""

    def beat(self, session: str) -> None:
        """Note that something is done in a session now."""

    def since_beat(self, session: str) -> float | None:
        """Return seconds since something was last done in a session; None if that is not known."""

    def sign(self, session: str) -> Sign:
        """Return what ``holder`` and ``since_beat`` tell, for who asks often and not by whom. Raises LogUnavailable."""

    def is_held(self, session: str) -> bool:
        """Tell whether the life that this process holds of a session is still its own."""

    def declare_dead(self, session: str) -> None:
        """See to it that nothing more comes from a session that nobody has open, until it is opened again.

        Where the kernel ends lives, there is nothing to do; across machines, a process may only have been paused.
        """
