"""What went wrong, in its place until it is mended: what happened, what was kept, the next key."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content
from textual.widgets import Static

from workbench.domain.text import clean, shorten
from workbench.tui.lines import text
from workbench.tui.views import DIM, FAILED, Marks


@dataclass(frozen=True, slots=True)
class Problem:
    """Something a person should know before they go on."""

    happened: str
    kept: str = ""
    next: str = ""
    """The next key, and what it does."""
    failed: bool = True
    """False for what a person wanted, or may simply know: it comes without red."""


class Notice(Static):
    """Three lines at most; the same again is counted."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__("", id=id, markup=False)
        self._problem: Problem | None = None
        self._times = 1
        self.display = False

    @property
    def problem(self) -> Problem | None:
        """What is shown."""
        return self._problem

    def tell(self, problem: Problem | None, marks: Marks, *, again: bool = False) -> None:
        """Show a problem, or nothing; ``again`` counts one that happened anew."""
        if problem == self._problem and not again:
            return
        self._times = self._times + 1 if problem == self._problem else 1
        self._problem = problem
        self.display = problem is not None
        if problem is not None:
            self.update(_lines(problem, self._times, marks))


def _lines(problem: Problem, times: int, marks: Marks) -> Content:
    mark, style = (f"{marks.failed} ", FAILED) if problem.failed else ("", "")
    counted = f" × {times}" if times > 1 else ""
    lines = [text(f"{mark}{_line(problem.happened)}{counted}", style)]
    lines += [text(_line(line), DIM) for line in (problem.kept, problem.next) if line]
    return Content("\n").join(lines)


def _line(words: str) -> str:
    return shorten(" ".join(clean(words).split()), 400)
