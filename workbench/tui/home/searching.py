"""What a person looks for inside sessions: goals, plans and messages that hold all words of a query.

    query ─▶ each session, newest first ─▶ its passages, read once ─▶ Found(session, place, excerpt)
    "ledger in:plan by:me last week" ─▶ Query(words "ledger", in the plan, by the person, on these days)

For a person at the list of sessions, who may read all of them; no agent's retrieval comes this way. Without an index:
the first query reads the sessions, further ones only look at what was read. For a thread: reading takes its time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Literal

from textual.content import Content

from workbench.bootstrap import Listed
from workbench.domain.errors import LogError, NotFound
from workbench.domain.plan.markdown import section_to_markdown
from workbench.domain.plan.markdown.writing import item_to_markdown
from workbench.domain.session.session import SessionState
from workbench.domain.text.cleaning import clean, clean_name
from workbench.domain.text.excerpt import excerpt, holds, sought
from workbench.domain.text.patterns import lazy_pattern
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


Kind = Literal["plan", "goal", "messages"]
FILTERS = "in:plan, in:goal, in:messages · by:me, by:planner · today, yesterday, last week"
"""What a query may end with, for a person."""
_FILTER = lazy_pattern(
    r"(?:^|\s)(in:(?:plan|goal|messages)|by:\S+|(?:today|yesterday|last week)(?=\s*$))", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a session that is searched as one."""

    place: str
    text: str
    kind: Kind
    by: str
    """Who said it: ``me``, or the role or agent."""
    time: str
    """UTC, ISO 8601."""
    rows: tuple[tuple[str, str], ...] = ()
    """Keys of the rows it is shown in, each with what stands there."""


@dataclass(frozen=True, slots=True)
class Query:
    """What a person looks for: words, and where, by whom and when they were said."""

    words: str
    kind: str = ""
    """"" for everywhere."""
    by: str = ""
    """"" for anybody."""
    days: tuple[date, date] | None = None
    """First and last day; None for any time."""

    @classmethod
    def of(cls, typed: str, today: date) -> Query:
        """Return what is typed as words and filters."""
        query = cls("")
        while (match := _FILTER.search(typed)) is not None:
            typed = f"{typed[: match.start()]} {typed[match.end() :]}".rstrip()
            name, _, value = match[1].casefold().partition(":")
            if name == "in":
                query = replace(query, kind=value)
            elif name == "by":
                query = replace(query, by=value)
            else:
                query = replace(query, days=_days(name, today))
        return replace(query, words=" ".join(typed.split()))

    @property
    def is_filtered(self) -> bool:
        """Whether it says more than words."""
        return bool(self.kind or self.by or self.days)

    def takes(self, kind: Kind, by: str, time: str) -> bool:
        """Tell whether something that was said is where, by whom and when it should be."""
        if self.days is not None and not self.days[0] <= _day(time) <= self.days[1]:
            return False
        return self.kind in ("", kind) and self.by in ("", by.casefold())


def _days(name: str, today: date) -> tuple[date, date]:
    """Return the first and last day of ``today``, ``yesterday`` or ``last week``, which ends on its Sunday."""
    if name == "last week":
        sunday = today - timedelta(days=today.isoweekday())
        return sunday - timedelta(days=6), sunday
    day = today if name == "today" else today - timedelta(days=1)
    return day, day


def _day(time: str) -> date:
    """Return the day of a time where the person is; one long ago for what is no time."""
    try:
        return datetime.fromisoformat(time).astimezone().date()
    except (ValueError, OverflowError):
        return date.min


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

    def look(self, listed: Iterable[Listed], query: Query) -> Iterator[Found | None]:
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
    written = state.versions[-1] if state.versions else None
    for section in state.plan.sections if state.plan is not None else ():
        words, by = section_to_markdown(section).partition("\n")[2], _by(written.by if written else "")
        first = first_block(section)
        told = map(item_to_markdown, section.items)
        rows = ((f"place:{section.id}:{at}", item) for at, item in enumerate(told, first))
        time = written.time if written else state.updated
        yield Passage(
            f"plan · {section.title}", words, "plan", by, time, ((f"place:{section.id}:0", section.text), *rows)
        )
    begun = state.history[0].time if state.history else state.updated
    yield Passage("goal", state.goal, "goal", "me", begun, (("place:goal:0", state.goal),))
    for item in reversed(state.history):
        said = item.text if item.agent is None else tell(item.text)
        by = item.agent or ("me" if item.role == "user" else "")
        place = f"{item.agent or 'you'} · {local_time(item.time)}"
        yield Passage(place, said, "messages", by, item.time, ((f"message:{item.id}", said),))


def _by(who: str) -> str:
    return "me" if who == "person" else who


def near_in_meaning(remembered: Iterable[Remembered], query: Query) -> Iterator[Found]:
    """Yield what the memory holds that comes near to a query without having its words, the nearest first."""
    for one in remembered:
        item = one.item
        kind: Kind = "plan" if item.id.startswith("section:") else "messages"
        by = item.agent or ("me" if item.role == "user" else "")
        if one.is_near and query.takes(kind, by, item.time):
            place = f"near in meaning · {clean_name(item.agent or ('you' if item.role == 'user' else 'plan'))}"
            words = without_markup(item.text)
            shown = item.id if item.id.startswith("message:") else ""  # insights and what was stored stand in no row
            key = f"place:{item.id.partition('.')[2]}:0" if kind == "plan" else shown
            yield Found(item.session, place, excerpt(words, ()), words, key)


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


def _found(session: str, read: Iterable[Passage], query: Query) -> Found | None:
    words = sought(query.words)
    fits = [one for one in read if query.takes(one.kind, one.by, one.time) and holds(one.text, words)]
    if not fits:
        return None
    as_typed = [" ".join(words)]
    found = next((one for one in fits if holds(one.text, as_typed)), fits[0])
    rows = ((sum(holds(text, [word]) for word in words) + holds(text, as_typed), key) for key, text in found.rows)
    _, key = max(rows, key=lambda row: row[0], default=(0, ""))
    return Found(session, clean_name(found.place), excerpt(found.text, words), found.text, key)
