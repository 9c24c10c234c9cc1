"""What the parts of the page are made from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import TypeVar

from msgspec import Struct

from workbench.domain.plan.figures import Figures
from workbench.domain.plan.plan import Days, Item, Plan
from workbench.domain.plan.references import weekday_and_day
from workbench.domain.plan.scheduling.calendar import day_of
from workbench.domain.plan.telling.figures_told import day_range
from workbench.domain.session.state import SessionState
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.text.tables import Table, markdown_table, one_line, without_empty_columns

Kind = TypeVar("Kind", bound=Item)
MOST_WORDS = 2_000
"""Words of a page for up to forty steps; more where what is never left out has more."""
_STEPS, _WORDS_OF_A_STEP = 40, 20
"""How many steps these are for, and words that each further one may have."""
_LETTER = lazy_pattern(r"\w")
_SHORT = timedelta(days=300)


class Content(Struct, frozen=True):
    """A session's plan, as it is handed out."""

    state: SessionState
    plan: Plan
    """With the values of its references."""
    figures: Figures
    left_out: frozenset[str] = frozenset()
    """Ids of items, and names of other things, for which there is no room."""

    def every(self, kind: type[Kind]) -> list[Kind]:
        """Return the items of a kind that there is room for, in the order of the plan."""
        return [item for item in self.plan.items if isinstance(item, kind) and item.id not in self.left_out]

    def day(self, text: str | None) -> str:
        """Return an ISO date with its weekday, what is not a date as it is."""
        day = day_of(text)
        return one_line(text or "") if day is None else self.weekday(day)

    def weekday(self, day: date) -> str:
        """Return a day with its weekday, and its year if that does not go without saying."""
        return weekday_and_day(day, self.beside(day))

    def span(self, days: Days) -> str:
        """Return some days in a row: ``15–19 Mar``; as they are written if they are no dates."""
        first, last = day_of(days.first), day_of(days.last)
        return day_range(first, last, self.beside(last)) if first and last else f"{days.first} – {days.last}"

    def beside(self, day: date | None) -> date | None:
        """Return a day of the year that goes without saying: the finish's, or any day's within ten months before it."""
        finish = self.figures.finish
        return day if day and finish and timedelta(0) <= finish - day < _SHORT else finish


def most_words(plan: Plan) -> int:
    """Return how many words the page of a plan may have."""
    return MOST_WORDS + _WORDS_OF_A_STEP * max(len(plan.steps) - _STEPS, 0)


def words(text: str) -> list[str]:
    """Return the words of a text: whatever has a letter or a digit in it."""
    return [word for word in text.split() if _LETTER.search(word)]


def part(heading: str, blocks: Iterable[str]) -> Iterator[str]:
    """Yield blocks below a heading; nothing if there are none."""
    every = tuple(blocks)
    yield from (heading, *every) if every else ()


def table(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Yield a table without the columns that say nothing; nothing if it has no rows."""
    every = tuple(rows)
    if every:
        yield markdown_table(without_empty_columns(Table("", columns, every)))


def lines(texts: Iterable[str]) -> Iterator[str]:
    """Yield texts as one list; nothing if there are none."""
    if listed := "\n".join(f"- {one_line(text)}" for text in texts):
        yield listed
