"""The line on top, the line of keys, and what went wrong in its place until it is mended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Literal

from textual.content import Content
from textual.events import Click
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Static

from workbench.domain.text.cleaning import clean, shorten
from workbench.tui.base import workbench_app
from workbench.tui.keymap import key_name, key_of
from workbench.tui.lines import cut, joined, spread, text, wrapped
from workbench.tui.marks import DIM, DONE, FAILED, Marks

Hint = tuple[str, str]
"""A key as people write it, and what it does."""
_INDENT, _GAP = 2, 3  # cells before the first hint, and between two


class StillLine(Static):
    """A line that is drawn again only when it says something else."""

    def tell(self, line: Content) -> None:
        """Show a line; the same again costs nothing."""
        if not isinstance(self.content, Content) or not self.content.is_same(line):
            self.update(line, layout=False)


class TopLine(StillLine):
    """Which session this is, where it stands, and what it has spent."""


class Hints(StillLine):
    """What can be done with the keys where the focus is; whole hints only. A click presses the key."""

    _places: tuple[tuple[int, int, str], ...] = ()  # first cell, cell after the last, and key of each hint

    def show_hints(self, hints: Sequence[Hint], width: int, *, always: Sequence[Hint] = (("F1", "more"),)) -> None:
        """Show pairs of key and words: as many as fit, and at the end those that are always there."""
        room = width - _INDENT + _GAP - sum(_hint(*hint).cell_length + _GAP for hint in always)
        ends = accumulate(_hint(*hint).cell_length + _GAP for hint in hints)
        fitting = [hint for hint, end in zip(hints, ends, strict=True) if end <= room]
        line, places = Content(" " * _INDENT), []
        for number, (key, words) in enumerate((*fitting, *always)):
            line = joined(line, " " * _GAP if number else "", one := _hint(key, words))
            places.append((line.cell_length - one.cell_length, line.cell_length, key))
        self._places = tuple(places)
        self.tell(cut(line, width))

    def on_click(self, event: Click) -> None:
        """Do what the key of a hint does."""
        offset = event.get_content_offset(self)
        key = next((key for start, end, key in self._places if offset and start <= offset.x < end), "")
        if key:
            self.app.simulate_key(key_name(key))


def _hint(key: str, words: str) -> Content:
    return joined(text(key, "bold"), text(f" {words}", "$text-muted"))


Tone = Literal["failed", "done", "plain"]
_TIED = "\u00a0"  # A space if no line is broken
_LEAST_WIDTH = 12


@dataclass(frozen=True, slots=True)
class Problem:
    """Something a person should know before they continue."""

    happened: str
    kept: str = ""
    next: str = ""
    """The next key, and what it does."""
    tone: Tone = "failed"
    """What it means: red for what failed, green for what is done, neither for what a person may simply know."""


class Notice(Widget):
    """What went wrong, in three sentences at most; what a person may simply know, in a line that unfolds.

    The same again is counted.
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id)
        self.problem: Problem | None = None
        self._last: Problem | None = None
        """What was told last: when the same happens again, it is counted, however short it was away."""
        self._times = 1
        self._is_whole = False  # whether what has no room in a line is unfolded
        self.display = False

    def tell(self, problem: Problem | None, *, happened: bool = False) -> None:
        """Show a problem, or nothing. ``happened`` tells that it happened just now: the same again is counted."""
        if problem == self.problem and not happened:
            return
        if problem is not None and problem != self._last:
            self._times, self._last = 1, problem
        elif problem is not None and happened:
            self._times += 1
        self._is_whole = self._is_whole and problem == self.problem
        self.problem = problem
        self.display = problem is not None
        self.refresh(layout=True)

    def unfold(self) -> None:
        """Show all of it, or a line again."""
        self._is_whole = not self._is_whole
        self.refresh(layout=True)

    on_click = unfold

    def render(self) -> Content:
        """Return what happened, what was kept, and the next key."""
        return Content("\n").join(self._lines(self.content_size.width))

    def get_content_height(self, _container: Size, _viewport: Size, width: int) -> int:
        """Return the lines it takes at a width."""
        return len(self._lines(width))

    def _lines(self, width: int) -> list[Content]:
        if self.problem is None:
            return []
        width = max(width, _LEAST_WIDTH)
        lines = list(_lines(self.problem, self._times, width, workbench_app(self).marks))
        if len(lines) == 1 or self._is_whole or self.problem.tone == "failed":
            return lines
        in_line = replace(self.problem, happened=" ".join(_sentences(self.problem)), kept="", next="")
        (line, *more) = _lines(in_line, self._times, 10 * width, workbench_app(self).marks)
        if not more and line.cell_length <= width:
            return [line]
        return [spread(line, _hint(key_of(self, "session.notice"), "more"), width)]


def _lines(problem: Problem, times: int, width: int, marks: Marks) -> Iterator[Content]:
    mark, mark_style, style = {
        "failed": (f"{marks.failed} ", FAILED, FAILED),
        "done": (f"{marks.done} ", DONE, ""),
        "plain": ("", "", ""),
    }[problem.tone]
    counted = f"{_TIED}×{_TIED}{times}" if times > 1 else ""
    for number, line in enumerate(wrapped(_line(problem.happened) + counted, width - len(mark))):
        words = text(line.replace(_TIED, " "), style)
        yield joined(text(mark, mark_style), words) if number == 0 else joined(" " * len(mark), words)
    for said in _sentences(problem)[1:]:
        yield from (text(line, DIM) for line in wrapped(_line(said), width))


def _sentences(problem: Problem) -> list[str]:
    return [problem.happened, *filter(None, (problem.kept, problem.next))]


def _line(words: str) -> str:
    return shorten(" ".join(clean(words).split()), 400)
