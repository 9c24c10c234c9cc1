"""What many lists say in the same way: numbers, amounts, times, and words of the workbench itself."""

from __future__ import annotations

from datetime import date, datetime
from functools import lru_cache

from textual.content import Content

from workbench.domain.plan.figures import short_day
from workbench.domain.text.cleaning import clean, clean_name
from workbench.tui.lines import Row, joined, text, wrapped
from workbench.tui.marks import DIM

STATUS_WORDS = {
    "running": "working",
    "waiting": "asks you",
    "finished": "saved",
    "stopped": "stopped",
    "failed": "failed",
    "interrupted": "cut off",
    "unreadable": "unreadable",
}
BROKEN = ("failed", "interrupted", "unreadable")
"""States of a session that ended otherwise than somebody wanted."""


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 round``, ``2 rounds``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def money(cost: float | None) -> str:
    """Return US dollars; what nobody knows is not 0."""
    return "n/a" if cost is None else f"${cost:.2f}"


def thousands(number: int) -> str:
    """Return a count as people read it at a glance: 812, 4.1k, 120k."""
    if number < 1000:
        return str(number)
    return f"{number / 1000:.1f}k" if number < 100_000 else f"{number // 1000}k"


EMPTY = Row((Content(),))


def words_row(words: str, width: int, style: str = DIM) -> Row:
    """Return words of the workbench itself as a row."""
    return Row(tuple(text(line, style) for line in wrapped(clean(words), width)))


def title_row(title: str, more: str = "") -> Row:
    """Return the name of a list."""
    return Row((joined(text(title, DIM), text(f" {more}" if more else "", DIM)),), is_fixed=True)


@lru_cache(maxsize=4096)
def local_time(stamp: str) -> str:
    """Return hours and minutes of an event's time where the person is; "" if it is no time."""
    try:
        return datetime.fromisoformat(stamp).astimezone().strftime("%H:%M")
    except (ValueError, OverflowError):
        return ""


def local_day(stamp: str) -> str:
    """Return day and time of an event if the person is; what is there, if somebody's file has no time."""
    try:
        return datetime.fromisoformat(stamp).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError):
        return clean_name(stamp, 16)


def age(time: str, now: str) -> str:
    """Return how long before ``now`` something was, as people say it; "" if a time is none."""
    try:
        seconds = (datetime.fromisoformat(now) - datetime.fromisoformat(time)).total_seconds()
    except (ValueError, TypeError, OverflowError):
        return ""
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size:.0f} {unit}"
    return "now"


def day_in_short(day: date, beside: date | None) -> str:
    """Return a day without its year if that is the year of another one: ``12 Mar``, ``8 Dec 26``."""
    short = short_day(day, day)
    return short if beside is not None and day.year == beside.year else f"{short} {day.year % 100:02}"


def session_title(name: str, goal: str, session: str) -> str:
    """Return what a session is called: by its goal where its name is only the beginning of that, or it has none."""
    whole = clean_name(goal, 200)
    is_begun = not name or (name.endswith("…") and whole.startswith(name[:-1].rstrip()))
    return (whole if is_begun else clean_name(name)) or session
