"""Copying a workspace's logs from one place to another, so that nothing is lost or changed on the way.

Each stream is read whole and checked, what is missing there is copied, and both are read again, event by event: only a
stream that was compared whole is published. Nothing is ever deleted, here or there. What was interrupted is begun
again: streams that are there are passed over, and one that is there in part goes on where it ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from itertools import islice, zip_longest
from typing import Literal, NamedTuple

from msgspec import Struct

from workbench.domain.errors import LogBusy, LogDamaged, StaleHead, UsageError, WorkbenchError
from workbench.domain.log.envelope import Event, Head
from workbench.storage.holdings import Held, Holdings
from workbench.storage.ports import Driver

Tell = Callable[[Held, int], None]
"""Called with each event of a stream that was looked at or copied, and how many there were so far."""


How = Literal["copied", "continued", "already there"]


class Copied(NamedTuple):
    """A stream that is there now, event for event."""

    one: Held
    events: int
    how: How


class Failed(NamedTuple):
    """A stream that is not there, or not the same there; the source has it as before."""

    one: Held
    error: WorkbenchError


def migrate(source: Holdings, target: Holdings, tell: Tell) -> Iterator[Copied | Failed]:
    """Copy every stream, and yield what became of it.

    Raises LogBusy, before anything, if a session is driven or open anywhere; and LogError if one of the places
    cannot be used at all.
    """
    target.held()
    held = source.held()
    _refuse_open(source, [one.name for one in held if one.part == "session"])
    for one in held:
        try:
            with source.sessions.drive(one.name) if one.part == "session" else nullcontext():
                yield _Copying(source, target, one, tell).done()
        except WorkbenchError as error:
            yield Failed(one, error)
            target.held()  # where the place is gone, this says so: every other stream would fail like this one


def _refuse_open(source: Holdings, sessions: list[str]) -> None:
    """Refuse sessions that somebody has open, also where they wait: what they say next would be said here only."""
    driven = _drivers_text(sessions, source.sessions.driver)
    if driven:
        raise LogBusy(f"These sessions are running: {driven}.", "Let them finish, then migrate again.")
    is_open = _drivers_text(sessions, source.lives.holder)
    if is_open:
        raise LogBusy(f"These sessions are open: {is_open}.", "Close them there, then migrate again.")


def _drivers_text(sessions: list[str], who: Callable[[str], Driver | None]) -> str:
    """Return the sessions that somebody is at, each with its process, in words; "" if there are none."""
    found = []
    for session in sessions:
        with suppress(WorkbenchError):  # a damaged one is told when its turn comes
            process = who(session)
            if process is not None:
                found.append(f"{session} (process {process.pid} on {process.host})")
    return ", ".join(found)


class _Copying(Struct, frozen=True):
    """One stream on its way."""

    _source: Holdings
    _target: Holdings
    _one: Held
    _tell: Tell

    def done(self) -> Copied:
        """Copy what is missing, compare everything, and publish it."""
        end, has_redacted = self._sound()
        there = self._target.head(self._one)
        how: How = "copied"
        if there is not None:
            self._compare(end, there)
            how = "continued" if there.seq < end.seq else "already there"
        if there is None or there.seq < end.seq:
            missing = islice(self._events(), 0 if there is None else there.seq, end.seq)
            self._target.take_in(self._one, missing, behind=there, has_redacted=has_redacted)
            self._compare(end, self._end_behind(end))
        self._target.publish(self._one)
        return Copied(self._one, end.seq, how)

    def _sound(self) -> tuple[Head, bool]:
        """Read the whole source once: nothing of a damaged stream is copied. Return its end."""
        last, has_redacted = None, False
        for event in self._events():
            last, has_redacted = event, has_redacted or bool(event.redacted)
        if last is None:
            raise LogDamaged(f"{self._one} in {self._source.where} holds no event.", "Repair or delete it.")
        return Head("", last.seq, last.hash), has_redacted

    def _compare(self, end: Head, stored: Head) -> None:
        both = min(end.seq, stored.seq)
        ours, theirs = islice(self._events(), both), islice(self._target.events(self._one), both)
        for seq, (mine, other) in enumerate(zip_longest(ours, theirs), 1):
            if mine == other:
                continue
            if mine is not None and other is not None and mine.hash == other.hash:
                raise UsageError(
                    f"Event {seq} of {self._one} is redacted in one place and not in the other.",
                    f"Delete it in {self._target.where}, and migrate again.",
                )
            raise StaleHead(
                f"{self._one} differs in {self._target.where} from event {seq} on: there it ends with event "
                f"{stored.seq} ({stored.hash[:12]}), in {self._source.where} with event {end.seq} ({end.hash[:12]}).",
                "Delete one of them, and migrate again.",
            )

    def _end_behind(self, end: Head) -> Head:
        there = self._target.head(self._one)
        if there is None or there.seq < end.seq:
            raise LogDamaged(f"{self._one} did not arrive whole in {self._target.where}.", "Migrate again.")
        return there

    def _events(self) -> Iterator[Event]:
        for count, event in enumerate(self._source.events(self._one), 1):
            self._tell(self._one, count)
            yield event
