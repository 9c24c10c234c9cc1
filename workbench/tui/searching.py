"""What a person looks for inside sessions: goals, plans and messages that hold all words of a query.

    query ─▶ each session, newest first ─▶ its passages, read once ─▶ Found(session, place, excerpt)

For a person at the list of sessions, who may read all of them; no agent's retrieval comes this way. Without an index:
the first query reads the sessions, further ones only look at what was read. For a thread: reading takes its time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from workbench.bootstrap import Listed
from workbench.domain.errors import LogError, NotFound
from workbench.domain.plan.markdown import section_to_markdown
from workbench.domain.session.session import SessionState
from workbench.domain.text.cleaning import clean_name
from workbench.domain.text.excerpt import excerpt
from workbench.tui.telling import tell
from workbench.tui.views import local_time

LEAST_QUERY = 3
"""Letters; fewer stand everywhere."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a session that is searched as one."""

    place: str
    text: str


@dataclass(frozen=True, slots=True)
class Found:
    """Where in a session all words of a query stand."""

    session: str
    place: str
    excerpt: str


class SessionTexts:
    """The texts of sessions, each read when it is first looked at and when it has changed since."""

    def __init__(self, read: Callable[[str], SessionState]) -> None:
        """``read`` returns a session's state; it may raise what opening a log raises."""
        self._read = read
        self._kept: dict[str, tuple[str, tuple[Passage, ...]]] = {}

    def look(self, listed: Iterable[Listed], query: str) -> Iterator[Found | None]:
        """Yield for each session where the words stand, or None."""
        words = query.casefold().split()
        for one in listed:
            yield _found(one.session, self._passages(one), words)

    def _passages(self, one: Listed) -> tuple[Passage, ...]:
        known = self._kept.get(one.session)
        if known is not None and known[0] == one.updated:
            return known[1]
        try:
            read = tuple(passages(self._read(one.session)))
        except (LogError, NotFound):  # the list says so
            read = ()
        self._kept[one.session] = (one.updated, read)
        return read


def passages(state: SessionState) -> Iterator[Passage]:
    """Yield what a person may remember of a session: sections of its plan, its goal, its messages from the last on."""
    for section in state.plan.sections if state.plan is not None else ():
        yield Passage(f"plan · {section.title}", section_to_markdown(section).partition("\n")[2])
    yield Passage("goal", state.goal)
    for item in reversed(state.history):
        said = item.text if item.agent is None else tell(item.text)
        yield Passage(f"{item.agent or 'you'} · {local_time(item.time)}", said)


def _found(session: str, read: Iterable[Passage], words: list[str]) -> Found | None:
    for passage in read:
        text = passage.text.casefold()
        if all(word in text for word in words):
            return Found(session, clean_name(passage.place), excerpt(passage.text, words))
    return None
