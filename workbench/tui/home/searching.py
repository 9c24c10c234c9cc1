"""What a person looks for inside sessions: goals, plans and messages that hold all words of a query.

    query ─▶ each session, newest first ─▶ its passages, read once ─▶ Found(session, place, excerpt)

For a person at the list of sessions, who may read all of them; no agent's retrieval comes this way. Without an index:
the first query reads the sessions, further ones only look at what was read. For a thread: reading takes its time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content

from workbench.bootstrap import Listed
from workbench.domain.errors import LogError, NotFound
from workbench.domain.plan.markdown import section_to_markdown
from workbench.domain.plan.markdown.writing import item_to_markdown
from workbench.domain.session.session import SessionState
from workbench.domain.text.cleaning import clean, clean_name
from workbench.domain.text.excerpt import excerpt, holds, sought
from workbench.tui.lines import Row, cut, joined, text, wrapped
from workbench.tui.marks import DIM, FOCUS
from workbench.tui.session.main_rows import first_block
from workbench.tui.session.telling import tell
from workbench.tui.told import local_time
from workbench.tui.views import without_markup

if TYPE_CHECKING:  # what searches by meaning is imported with the first such search
    from workbench.memory.found import Found as Remembered

_MOST = 20_000  # characters of a passage that are shown
LEAST_QUERY = 3
"""Letters; fewer stand everywhere."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a session that is searched as one."""

    place: str
    text: str
    rows: tuple[tuple[str, str], ...] = ()
    """Keys of the rows it is shown in, each with what stands there."""


@dataclass(frozen=True, slots=True)
class Found:
    """Where in a session all words of a query stand."""

    session: str
    place: str
    excerpt: str
    text: str = ""
    """The whole passage."""
    key: str = ""
    """Key of the row it stands in; "" where none shows it."""


class SessionTexts:
    """The texts of sessions, each read when it is first looked at and when it has changed since."""

    def __init__(self, read: Callable[[str], SessionState]) -> None:
        """``read`` returns a session's state; it may raise what opening a log raises."""
        self._read = read
        self._kept: dict[str, tuple[str, tuple[Passage, ...]]] = {}

    def look(self, listed: Iterable[Listed], query: str) -> Iterator[Found | None]:
        """Yield for each session where the words stand, or None."""
        for one in listed:
            yield _found(one.session, self._passages(one), query)

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
        words = section_to_markdown(section).partition("\n")[2]
        told = enumerate(map(item_to_markdown, section.items), first_block(section))
        items = ((f"place:{section.id}:{at}", item) for at, item in told)
        yield Passage(f"plan · {section.title}", words, ((f"place:{section.id}:0", section.text), *items))
    yield Passage("goal", state.goal, (("place:goal:0", state.goal),))
    for item in reversed(state.history):
        said = item.text if item.agent is None else tell(item.text)
        yield Passage(f"{item.agent or 'you'} · {local_time(item.time)}", said, ((f"message:{item.id}", said),))


def near_in_meaning(remembered: Iterable[Remembered]) -> Iterator[Found]:
    """Yield what the memory holds that comes near to a query without having its words, the nearest first."""
    for item in (one.item for one in remembered if one.is_near):
        is_of_plan = item.id.startswith("section:")
        who = clean_name(item.agent or ("you" if item.role == "user" else "plan"))
        words = without_markup(item.text)
        shown = item.id if item.id.startswith("message:") else ""  # insights and what was stored stand in no row
        key = f"place:{item.id.partition('.')[2]}:0" if is_of_plan else shown
        yield Found(item.session, f"near in meaning · {who}", excerpt(words, ()), words, key)


def highlighted(line: str, query: str, style: str = "") -> Content:
    """Return a line in which the words of a query stand out, by colour and underlined."""
    words = [re.escape(word) for word in sought(query)]
    parts = re.split(f"({'|'.join(words)})", line, flags=re.IGNORECASE) if words else [line]
    return joined(*(text(part, f"bold underline {FOCUS}" if turn % 2 else style) for turn, part in enumerate(parts)))


def preview_rows(found: Found | None, called: str, query: str, width: int) -> list[Row]:
    """Return a passage as it stands in its session; a sentence where nothing is chosen that has one."""
    if found is None:
        return [Row(tuple(text(line, DIM) for line in wrapped("What stands inside is shown here.", width)))]
    head = joined(text(clean_name(called, 100), "bold"), text(f"  {found.place}", DIM))
    lines = wrapped(clean(found.text[:_MOST]), width)
    return [Row((cut(head, width), Content())), *(Row((highlighted(line, query),)) for line in lines)]


def _found(session: str, read: Iterable[Passage], query: str) -> Found | None:
    words = sought(query)
    fits = [one for one in read if holds(one.text, words)]
    if not fits:
        return None
    as_typed = [" ".join(words)]
    found = next((one for one in fits if holds(one.text, as_typed)), fits[0])
    rows = ((sum(holds(text, [word]) for word in words) + holds(text, as_typed), key) for key, text in found.rows)
    _, key = max(rows, key=lambda row: row[0], default=(0, ""))
    return Found(session, clean_name(found.place), excerpt(found.text, words), found.text, key)
