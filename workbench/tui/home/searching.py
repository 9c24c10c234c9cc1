"""What a person looks for inside sessions: where all words of a query stand, then what is near to it in meaning.

    query ─▶ Workspace.search_sessions ─▶ items of their memories ─▶ Found(session, place, excerpt, key of a row)

For a person at the list of sessions, who may read all of them; no agent's retrieval comes this way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content

from workbench.domain.text.cleaning import clean, clean_name
from workbench.domain.text.excerpt import excerpt, holds, sought
from workbench.domain.text.patterns import lazy_pattern
from workbench.tui.lines import MAX_PROSE_WIDTH, Row, cut, joined, text
from workbench.tui.markdown_lines import markdown_lines
from workbench.tui.marks import DIM
from workbench.tui.session.telling import tell
from workbench.tui.told import local_time, words_row
from workbench.tui.views import without_markup

if TYPE_CHECKING:  # what searches is imported with the first search
    from workbench.domain.session.items import Item
    from workbench.memory.other_sessions import AcrossResult

_MOST = 20_000  # characters of a text that are shown
LEAST_QUERY = 3
"""Letters; fewer stand everywhere."""
_ITEMS = lazy_pattern(r"^(?=### |- [A-Z]+\d+ · )", re.MULTILINE)
"""Where an item of a section begins, or the heading of a workstream."""


@dataclass(frozen=True, slots=True)
class Found:
    """Where in a session what is looked for stands."""

    session: str
    place: str
    excerpt: str
    text: str = ""
    """The whole of what was found."""
    key: str = ""
    """Key of the row it is in; "" if none shows it."""


def found_in(result: AcrossResult, query: str) -> Iterator[Found]:
    """Yield what a search came to: of what holds all words, the plan and what has them as they are typed come first."""
    words = sought(query)
    as_typed = [" ".join(words)]
    literal = sorted(
        (one.item for one in result.literal), key=lambda item: (not holds(item.text, as_typed), not _section(item))
    )
    for item in literal:
        said = tell(item.text) if item.agent is not None else clean(item.text)
        said = said.partition("\n")[2] if _section(item) else said
        if holds(said, words):  # a reply is told without what only a program reads
            yield Found(item.session, _place(item), excerpt(said, words), said, _row(item, words))
    for item in (one.item for one in result.near if one.is_near):
        told = without_markup(clean(item.text))
        yield Found(item.session, f"near in meaning · {_place(item)}", excerpt(told, ()), told, _row(item, ()))


def _section(item: Item) -> str:
    """Return the section of a plan that an item is; "" for anything else."""
    return item.id.partition(".")[2] if item.id.startswith("section:") else ""


def _place(item: Item) -> str:
    if _section(item):
        return clean_name(f"plan · {without_markup(item.text.partition(chr(10))[0])}")
    if item.id.startswith("message:"):
        return clean_name(f"{item.agent or 'you'} · {local_time(item.time)}")
    return item.id.partition(":")[0]


def _row(item: Item, words: Sequence[str]) -> str:
    """Return the key of the row that shows an item; of a section, that with most of the words."""
    if not (section := _section(item)):
        return item.id if item.id.startswith("message:") else ""  # what else is remembered is in no row
    prose, *parts = _ITEMS.split(item.text)
    first = max(line.block for line in markdown_lines(clean(prose), MAX_PROSE_WIDTH)) + 1
    rows = enumerate((part for part in parts if part.startswith("- ")), first)
    told = [(f"place:{section}:0", prose), *((f"place:{section}:{at}", part) for at, part in rows)]
    return max(told, key=lambda row: sum(holds(row[1], [word]) for word in words))[0]


def preview_rows(found: Found | None, called: str, width: int) -> list[Row]:
    """Return a text as it is in its session; a sentence if nothing is chosen that has one."""
    if found is None:
        return [words_row("What was found in a session is shown here.", width)]
    head = joined(text(clean_name(called, 100), "bold"), text(f"  {found.place}", DIM))
    return [Row((cut(head, width), Content())), words_row(found.text[:_MOST], width, "")]
