"""What went wrong, in its place until it is mended: what happened, what was kept, the next key."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from workbench.domain.text.cleaning import clean, shorten
from workbench.tui.base import workbench_app
from workbench.tui.lines import joined, text, wrapped
from workbench.tui.marks import DIM, DONE, FAILED, Marks

Tone = Literal["failed", "done", "plain"]
_TIED = "\u00a0"
"""A space where no line is broken."""
_LEAST_WIDTH = 12


@dataclass(frozen=True, slots=True)
class Problem:
    """Something a person should know before they go on."""

    happened: str
    kept: str = ""
    next: str = ""
    """The next key, and what it does."""
    tone: Tone = "failed"
    """What it means: red for what failed, green for what is done, neither for what a person may simply know."""


class Notice(Widget):
    """Three sentences at most; the same again is counted."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id)
        self.problem: Problem | None = None
        self._last: Problem | None = None
        """What was told last: when the same happens again, it is counted, however short it was away."""
        self._times = 1
        self.display = False

    def tell(self, problem: Problem | None, *, happened: bool = False) -> None:
        """Show a problem, or nothing. ``happened`` tells that it happened just now: the same again is counted."""
        if problem == self.problem and not happened:
            return
        if problem is not None and problem != self._last:
            self._times, self._last = 1, problem
        elif problem is not None and happened:
            self._times += 1
        self.problem = problem
        self.display = problem is not None
        self.refresh(layout=True)

    def render(self) -> Content:
        """Return what happened, what was kept, and the next key."""
        return Content("\n").join(self._lines(self.content_size.width))

    def get_content_height(self, _container: Size, _viewport: Size, width: int) -> int:
        """Return the lines it takes at a width."""
        return len(self._lines(width))

    def _lines(self, width: int) -> list[Content]:
        if self.problem is None:
            return []
        return list(_lines(self.problem, self._times, max(width, _LEAST_WIDTH), workbench_app(self).marks))


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
    for said in (problem.kept, problem.next):
        if said:
            yield from (text(line, DIM) for line in wrapped(_line(said), width))


def _line(words: str) -> str:
    return shorten(" ".join(clean(words).split()), 400)
