"""What a person looks for inside sessions: goals, plans and messages that hold all words of a query.

    query ─▶ each session, newest first ─▶ its passages, read once ─▶ Found(session, place, excerpt)

For a person at the list of sessions, who may read all of them; no agent's retrieval comes this way. Without an index:
the first query reads the sessions, further ones only look at what was read. For a thread: reading takes its time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from textual.content import Content

from workbench.bootstrap import Listed
from workbench.domain.errors import LogError, NotFound
from workbench.domain.plan.markdown import section_to_markdown
from workbench.domain.session.session import SessionState
from workbench.domain.text.cleaning import clean, clean_name
from workbench.domain.text.excerpt import excerpt
from workbench.tui.lines import Row, cut, joined, text, wrapped
from workbench.tui.telling import tell
from workbench.tui.views import DIM, FOCUS, local_time

_MOST = 20_000
"""Characters of a passage that are shown."""
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
    text: str = ""
    """The whole passage."""


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


def highlighted(line: str, query: str, style: str = "") -> Content:
    """Return a line in which the words of a query stand out, by colour and underlined."""
    words = [re.escape(word) for word in query.split()]
    parts = re.split(f"({'|'.join(words)})", line, flags=re.IGNORECASE) if words else [line]
    return joined(*(text(part, f"bold underline {FOCUS}" if turn % 2 else style) for turn, part in enumerate(parts)))


def preview_rows(found: Found | None, called: str, query: str, width: int) -> list[Row]:
    """Return a passage as it stands in its session; a sentence where nothing is chosen that has one."""
    if found is None:
        return [Row(tuple(text(line, DIM) for line in wrapped("What stands inside is shown here.", width)))]
    head = joined(text(clean_name(called, 100), "bold"), text(f"  {found.place}", DIM))
    lines = wrapped(clean(found.text[:_MOST]), width)
    return [Row((cut(head, width), Content())), *(Row((highlighted(line, query),)) for line in lines)]


def _found(session: str, read: Iterable[Passage], words: list[str]) -> Found | None:
    for passage in read:
        folded = passage.text.casefold()
        if all(word in folded for word in words):
            return Found(session, clean_name(passage.place), excerpt(passage.text, words), passage.text)
    return None
