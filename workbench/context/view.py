"""The conversation of a session as one agent sees it, or as the session itself does; read from its end.

    SessionState ─▶ SessionView ─▶ newest_first: what people said and what this agent replied, as far as it is asked for
                                └▶ summary of what came before, kept: what of that stays word for word

A view is bound to a session and an agent when it is made. Nobody else's replies are in it, so there is nothing that a
later step could forget to filter.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import cached_property
from heapq import merge

from msgspec import Struct
from msgspec.structs import replace

from workbench.context.entry import Entry, from_history, from_report, from_summary, from_tool
from workbench.domain.session.state import HistoryItem, SessionState


class SessionView(Struct, frozen=True, dict=True):
    """A session's conversation as of one state: what was said, without the replies to tasks of the loop."""

    state: SessionState
    agent: str | None = None
    until: int | None = None
    """Place in the log of the message that is answered: what people said after it is not yet this agent's turn."""
    as_of: int | None = None
    """Place in the log after which nothing is seen: a worker sees what its agent saw when it was sent."""

    @property
    def session(self) -> str:
        """Whose conversation it is."""
        return self.state.session

    @cached_property
    def excluded(self) -> frozenset[str]:
        """What a person does not want in a prompt: ids of this session's items, and names of others' (``foreign``)."""
        own = f"{self.state.session} "
        return frozenset(name.removeprefix(own) for name, mark, _ in self.state.marks if mark == "excluded")

    @cached_property
    def pinned(self) -> frozenset[str]:
        """Ids of this session's items that a person wants in every prompt."""
        return self.state.marked(self.state.session, "pinned")

    @cached_property
    def summary(self) -> Entry | None:
        """The last summary, unless it tells of something that was excluded since: then the originals are read."""
        condensed = None if self.agent is None else self.state.summary_for(self.agent)
        if condensed is None or not self.excluded.isdisjoint(condensed.covers):
            return None
        return from_summary(condensed, self.session, self.agent)

    @cached_property
    def kept(self) -> tuple[Entry, ...]:
        """What is pinned of before the summary, and of later: word for word, in order."""
        said = self.state.history if self.pinned else ()
        entries = map(self._entry, self._seen(said))
        return tuple(entry for entry in entries if entry.pinned)

    def newest_first(self) -> Iterator[Entry]:
        """Yield what people said, what the agent replied and its workers reported since the summary, newest first."""
        summary = self.summary
        for entry in self._all_newest_first():
            if summary is not None and entry.seq <= summary.seq:
                return
            yield entry

    def _all_newest_first(self) -> Iterator[Entry]:
        said = map(self._entry, self._seen(reversed(self.state.history)))
        reports = [
            from_report(worker, self.session)
            for worker in reversed(self.state.workers)
            if worker.agent == self.agent and self.as_of is None
        ]
        found = [entry for entry in reports if entry is not None]
        results = [
            from_tool(use, self.session)
            for use in reversed(self.state.uses)
            if use.message in self._calls_of_tools and (self.as_of is None or use.seq <= self.as_of)
        ]
        return merge(said, found, results, key=lambda entry: -entry.seq) if found or results else said

    @cached_property
    def _calls_of_tools(self) -> dict[str, str]:
        """Replies of this agent that are calls of tools with a result: the call's id by the reply's."""
        mine = (use for use in self.state.uses if not use.worker and self.agent in (None, use.role))
        return {use.message: use.use for use in mine if self.as_of is None or use.seq <= self.as_of}

    def _seen(self, said: Iterable[HistoryItem]) -> Iterator[HistoryItem]:
        """Yield what this view has of a history."""
        calls, agent = self._calls_of_tools, self.agent
        until = self.until if self.until is not None else math.inf
        as_of = self.as_of if self.as_of is not None else math.inf
        for one in said:
            if one.seq > as_of:
                continue
            if one.id in calls:
                yield one
            elif one.role == "user":
                if not one.task and one.seq <= until:
                    yield one
            elif not one.task and (agent is None or one.agent == agent):
                yield one

    def _entry(self, said: HistoryItem) -> Entry:
        entry = from_history(said, self.state.session)
        if said.id in self._calls_of_tools:
            entry = replace(entry, makes=(self._calls_of_tools[said.id],))
        return replace(entry, pinned=True) if entry.id in self.pinned else entry
