"""What was retrieved from other sessions, as rows: whose it is, how old, how near, why, and what it costs.

┊ pricing-review-b2b2  2 d                120 t      dotted bar: another session's (this one's is solid)
┊ shares “price”; close in meaning        close
┊ “The list price can move once a year”
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime

from textual.content import Content

from workbench.domain.session.context import nearness
from workbench.domain.session.events import Quoted
from workbench.domain.session.session import SessionState
from workbench.domain.text.cleaning import clean, clean_name
from workbench.domain.text.patterns import lazy_pattern
from workbench.models.tokens import estimate_tokens
from workbench.tui.lines import Row, barred, cut, joined, spread, text
from workbench.tui.marks import DIM, ELSEWHERE, FAILED, Marks
from workbench.tui.told import words_row

_MARKUP = lazy_pattern(r"<!--.{0,500}?-->|^#{1,6} |^[^\S\n]*[-*] ", re.MULTILINE | re.DOTALL)
_LINES = 2
"""Lines of an item's text; its origin has the whole."""


def recalled_rows(
    state: SessionState, width: int, marks: Marks, names: Mapping[str, str] | None = None, *, as_it_was: bool = False
) -> list[Row]:
    """Return what the next prompt holds of other sessions, and what was kept out; nothing where nothing was found.

    ``names`` are what sessions are called, by their ids.
    ``as_it_was``: in a replay, where nothing is switched.
    """
    rows = [*_missing(state, width, as_it_was=as_it_was), *_items(state, names, width, marks)]
    return [_title(state, width), *rows] if rows else []


def _title(state: SessionState, width: int) -> Row:
    """Return for which call it was retrieved, how much of it is in the prompt and out of it, and what that costs."""
    excluded = sum(mark == "excluded" for _, mark, _ in state.marks)
    tokens = sum(estimate_tokens(one.text) for one in state.recalled)
    out = f", {excluded} out" if excluded else ""
    left, from_where = text("RETRIEVED", f"bold {ELSEWHERE}"), text(" from other sessions", DIM)
    right = text(f"{len(state.recalled)} in{out} · {tokens} t", DIM)
    if left.cell_length + from_where.cell_length + right.cell_length < width:
        left = joined(left, from_where)
    return Row((spread(left, right, width),), is_title=True)


def _missing(state: SessionState, width: int, *, as_it_was: bool) -> Iterator[Row]:
    """Say what a person would otherwise take for an empty result."""
    if not state.recall and state.searches:
        off = "Recall is off: other sessions are not searched."
        yield words_row(off if as_it_was else f"{off} ^T switches it on.", width)
    elif state.searches and state.searches[-1].unavailable:
        yield words_row(state.searches[-1].unavailable, width, FAILED)


def _items(state: SessionState, names: Mapping[str, str] | None, width: int, marks: Marks) -> Iterator[Row]:
    marked = {name: mark for name, mark, _ in state.marks}
    shown = {name_of(one): one for one in (*state.recalled, *state.retrieved)}
    for name, one in shown.items():
        called = (names or {}).get(one.session) or one.session
        yield _row(one, called, marked.get(name, ""), width, marks=marks, age=age(one.time, state.updated))


def name_of(one: Quoted) -> str:
    """Return what tells an item from every other one of any session."""
    return f"{one.session} {one.id}"


def _row(one: Quoted, called: str, mark: str, width: int, *, marks: Marks, age: str) -> Row:
    bar = marks.bar(is_own=False)
    is_out = mark == "excluded"
    style = f"{DIM} strike" if is_out else ""
    room = max(width - 2, 8)
    facts = joined(text(f" {age}", DIM), text(f" {mark}" if mark else "", "bold"))
    name = cut(text(clean_name(called), DIM if is_out else f"bold {ELSEWHERE}"), max(room - facts.cell_length - 7, 8))
    source = joined(bar, name, facts)
    near = text(nearness(one.relevance), DIM) if one.relevance else Content()
    lines = (
        spread(source, text(f"{0 if is_out else estimate_tokens(one.text)} t", DIM), width),
        spread(joined(bar, text(clean_name(one.why, 200), DIM)), near, width),
        *barred(bar, f"“{without_markup(clean(one.text[: width * 50]))}”", width, style, most=_LINES),
    )
    return Row(lines, key=f"quoted:{name_of(one)}")


def without_markup(written: str) -> str:
    """Return Markdown as a line of words: what only a reader of files needs is left out."""
    return " ".join(_MARKUP.sub("", written).split())


def age(time: str, now: str) -> str:
    """Return how long before ``now`` something was, as people say it; "" where a time is none."""
    try:
        seconds = (datetime.fromisoformat(now) - datetime.fromisoformat(time)).total_seconds()
    except (ValueError, TypeError, OverflowError):
        return ""
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size:.0f} {unit}"
    return "now"
