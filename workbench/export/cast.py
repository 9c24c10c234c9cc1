"""A session's course as a recording of a terminal, to be played by asciinema (its format, version 2).

The pace is that of the events' recorded times; a pause is cut to two seconds, and a plan that changed rolls by line by
line, so that it can be followed. What a terminal obeys in it was written here: every text of the session is clean.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from workbench.domain.log.envelope import Moment, said_at
from workbench.domain.plan.change import percent
from workbench.domain.session.state import PlanVersion, SessionState
from workbench.domain.text.cleaning import clean, clean_name
from workbench.export.markdown import shown_markdown
from workbench.export.prose import as_rich, readable
from workbench.export.told import Size, line_of, style_of

if TYPE_CHECKING:
    from rich.console import RenderableType

LONGEST_PAUSE = 2.0
"""Seconds that are kept of a pause between two events."""
A_LINE = 0.08
"""Seconds that each line of a plan is given."""


def session_cast(course: Iterable[tuple[Moment, SessionState]], size: Size, *, speed: float = 1.0) -> Iterator[str]:
    """Yield the lines of a cast, each ended; ``speed``: so many times as fast as it was. Raises as the course does."""
    terminal = _Terminal(size)
    seconds, version = 0.0, 0
    before: Moment | None = None
    for told, state in course:
        if before is None:
            yield _line(_header(told, state, size))
            yield _line([0.0, "o", terminal.text(_heading(state))])
        else:
            pause = max((said_at(told.time) - said_at(before.time)).total_seconds(), 0.0)  # whatever clocks said
            seconds += min(pause, LONGEST_PAUSE)
        before = told
        yield _line([_stamp(seconds, speed), "o", terminal.text(_told(told))])
        if state.versions and state.version != version:
            version = state.version
            for line in terminal.text(*_plan(state.versions[-1])).splitlines(keepends=True):
                yield _line([_stamp(seconds, speed), "o", line])
                seconds += A_LINE


def _header(told: Moment, state: SessionState, size: Size) -> dict[str, object]:
    return {
        "version": 2,
        "width": size.columns,
        "height": size.rows,
        "timestamp": int(said_at(told.time).timestamp()),
        "title": clean_name(state.name or state.session),
        "env": {"TERM": "xterm-256color"},
    }


def _line(value: object) -> str:
    return json.dumps(value) + "\n"


def _stamp(seconds: float, speed: float) -> float:
    return round(seconds / speed, 3)


def _heading(state: SessionState) -> RenderableType:
    from rich.text import Text

    return Text.assemble((clean_name(state.goal, 400), "bold"), f"\n{state.session}\n")


def _told(told: Moment) -> RenderableType:
    from rich.text import Text

    return Text(clean(line_of(told)), style_of(told))


def _plan(made: PlanVersion) -> Iterator[RenderableType]:
    from rich.rule import Rule
    from rich.text import Text

    title = f"Plan, version {made.version}: {percent(made.change)} changed, by {made.by}"
    yield Rule(Text(clean_name(title)), characters="─", style="dim")
    yield as_rich(readable(shown_markdown(made.plan)))
    yield Rule(characters="─", style="dim")


class _Terminal:
    """Lays out what is shown as a terminal of one size is sent it."""

    def __init__(self, size: Size) -> None:
        from rich.console import Console

        self._written = io.StringIO()
        self._console = Console(
            file=self._written,
            width=size.columns,
            height=size.rows,
            force_terminal=True,
            color_system="standard",
            markup=False,
            highlight=False,
            emoji=False,
            legacy_windows=False,
            _environ={},  # the same cast whatever this terminal can do
        )

    def text(self, *shown: RenderableType) -> str:
        self._console.print(*shown, sep="\n")
        text = self._written.getvalue().replace("\n", "\r\n")
        self._written.seek(0)
        self._written.truncate()
        return text
