"""Everything that a workspace's logs hold, as whole streams that can be copied: sessions, the shared log, the trash."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, Protocol

from workbench.domain.log.envelope import Draft, Event, Head
from workbench.storage.ports import DriverLocks, Lives


class Held(NamedTuple):
    """One stream."""

    part: Literal["session", "shared", "deleted"]
    name: str
    """The stream's; of a deleted session its name in the trash, the same wherever that is."""
    when: str = ""
    """When a session was deleted: UTC, ISO 8601."""

    @property
    def stream(self) -> str:
        """The stream whose events they are."""
        return self.name.partition(".")[0]

    def __str__(self) -> str:
        shown = {"session": f"session {self.name}", "shared": f"the shared log {self.name}"}
        return shown.get(self.part, f"{self.name} in the trash")


class Holdings(Protocol):
    """The streams of a workspace in one place."""

    @property
    def where(self) -> str:
        """The place, as it is shown."""

    def held(self) -> list[Held]:
        """Return every stream, sessions first."""

    def left(self) -> list[str]:
        """Return the names of what only this kind of place can hold, and no copy has."""

    def head(self, one: Held) -> Head | None:
        """Return the end of a stream; None if it is not here. Raises LogError."""

    def events(self, one: Held) -> Iterator[Event]:
        """Yield a stream's events, their chain checked. Raises NotFound, LogError."""

    def take_in(self, one: Held, events: Iterator[Event], *, behind: Head | None, has_redacted: bool) -> None:
        """Store events as they are after a stream's end, or as a new one; others do not list it before ``publish``.

        ``has_redacted``: whether any event of the whole stream is redacted. Raises LogError, UsageError.
        """

    def publish(self, one: Held) -> None:
        """Let a stream that was taken in whole be found. Raises LogError."""

    @property
    def sessions(self) -> DriverLocks:
        """Who drives the sessions there."""

    @property
    def lives(self) -> Lives:
        """Who has them open, whether or not they drive them."""


def draft_of(event: Event) -> Draft:
    """Return an event as its writer drafted it: sealed after the same place, it is the same event again."""
    return Draft(**{name: getattr(event, name) for name in Draft.__struct_fields__})
