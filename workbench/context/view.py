"""The conversation of a session as one agent sees it, or as the session itself does; read from its end.

    SessionState ─▶ SessionView ─▶ newest_first: what people said and what this agent replied, as far as it is asked for
                                └▶ summary of what came before, kept: what of that stays word for word

A view is bound to a session and an agent when it is made. Nobody else's replies are in it, so there is nothing that a
later step could forget to filter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from workbench.context.entry import Entry, from_history
from workbench.domain.session import SessionState


class View(Protocol):
    """A conversation, bound to a session and to one of its agents."""

    @property
    def session(self) -> str:
        """Whose conversation it is."""
        ...

    @property
    def agent(self) -> str | None:
        """The agent that sees it; None for the session's own view."""
        ...

    @property
    def excluded(self) -> frozenset[str]:
        """Ids of what a person does not want in a prompt."""
        ...

    @property
    def summary(self) -> Entry | None:
        """What stands for everything before the entries that ``newest_first`` yields; None where that is nothing."""
        ...

    @property
    def kept(self) -> Sequence[Entry]:
        """Pins, and calls that were open, from before: word for word, in order; pins of later too, if you like."""
        ...

    def newest_first(self) -> Iterator[Entry]:
        """Yield what was said since the summary, the newest first; lazily, for a prompt needs only the end of it."""
        ...


@dataclass(frozen=True, slots=True)
class SessionView:
    """A session's conversation as of one state: what was said, without the replies to tasks of the loop."""

    state: SessionState
    agent: str | None = None
    excluded: frozenset[str] = frozenset()
    condensed: Entry | None = None
    """The last summary that was made of this view."""
    kept: tuple[Entry, ...] = ()

    @property
    def session(self) -> str:
        """Whose conversation it is."""
        return self.state.session

    @property
    def summary(self) -> Entry | None:
        """The last summary, unless it tells of something that was excluded since: then the originals are read."""
        if self.condensed is None or not self.excluded.isdisjoint(self.condensed.leaves):
            return None
        return self.condensed

    def newest_first(self) -> Iterator[Entry]:
        """Yield what people said and what the agent replied since the summary, the newest first."""
        summary = self.summary
        for said in reversed(self.state.history):
            if summary is not None and said.seq <= summary.seq:
                return
            if not said.task and (said.role == "user" or self.agent is None or said.agent == self.agent):
                yield from_history(said, self.state.session)


@dataclass(frozen=True, slots=True)
class EntriesView:
    """A conversation that is given as its entries, in order."""

    session: str
    entries: Sequence[Entry]
    agent: str | None = None
    excluded: frozenset[str] = frozenset()
    summary: Entry | None = None
    kept: tuple[Entry, ...] = ()

    def newest_first(self) -> Iterator[Entry]:
        """Yield the entries, the newest first."""
        return reversed(self.entries)
