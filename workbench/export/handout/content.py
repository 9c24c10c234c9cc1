"""What the parts of the page are made from, and how much room they have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from workbench.domain.plan.calendar import day_of
from workbench.domain.plan.figures import Figures
from workbench.domain.plan.plan import Days, Plan
from workbench.domain.plan.references import weekday_and_day
from workbench.domain.session.state import SessionState
from workbench.export.figures import Table, day_range, without_empty_columns
from workbench.export.markdown_tables import markdown_table, one_line


@dataclass(frozen=True, slots=True)
class Room:
    """How long texts may be on a page."""

    check: int
    """Words of a step's check; 0 for none."""
    text: int
    """Words of any other cell or line."""
    rows: int
    """Rows of a table, and lines of a list; steps have as many as they need."""
    has_actions: bool = True


ROOMS = (
    Room(12, 60, 200),
    Room(8, 25, 60),
    Room(6, 16, 30, has_actions=False),
    Room(4, 12, 20, has_actions=False),
    Room(0, 10, 15, has_actions=False),
    Room(0, 7, 12, has_actions=False),
)
"""From the widest: the first in which a page is short enough is taken."""


@dataclass(frozen=True, slots=True)
class Content:
    """A session's plan, as it is handed out."""

    state: SessionState
    plan: Plan
    """With the values of its references."""
    figures: Figures
    room: Room

    def short(self, text: str) -> str:
        """Return a text on one line, as long as there is room for."""
        return few_words(text, self.room.text)

    def day(self, text: str | None) -> str:
        """Return an ISO date with its weekday, what is no date as it is."""
        day = day_of(text)
        return self.short(text or "") if day is None else weekday_and_day(day, self.year)

    def span(self, days: Days) -> str:
        """Return some days in a row: ``15–19 Mar``; as they are written where they are no dates."""
        first, last = day_of(days.first), day_of(days.last)
        return day_range(first, last, self.year) if first and last else f"{days.first} – {days.last}"

    @property
    def year(self) -> date | None:
        """A day in the year that goes without saying: that in which the plan is ready."""
        return self.figures.finish

    def table(self, title: str, columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
        """Yield a table below its title; nothing where it has no rows. Columns that say nothing are left out."""
        every = tuple(rows)
        if every:
            yield title
            yield markdown_table(without_empty_columns(Table("", columns, every[: self.room.rows], ("amount", *_SUMS))))
            yield from self._left_out(len(every))

    def lines(self, lines: Iterable[str]) -> Iterator[str]:
        """Yield lines as one list."""
        every = list(lines)
        if every:
            yield "\n".join(f"- {line}" for line in every[: self.room.rows])
            yield from self._left_out(len(every))

    def _left_out(self, count: int) -> Iterator[str]:
        if count > self.room.rows:
            yield f"{count - self.room.rows} more are in the whole plan."


_SUMS = ("limit", "known", "estimated", "reserve", "left")


def few_words(text: str, most: int) -> str:
    """Return the first words of a text on one line, with ``…`` where there are more."""
    line = one_line(text)
    words = line.split(" ")
    return line if len(words) <= most else f"{' '.join(words[:most]).rstrip(',;:.')} …"
