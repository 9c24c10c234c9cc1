"""Files that a person named: what is told of a reading, and which of their lines a plan cites.

"by 14 May (docs/plan.md:12)" ──Citations.of──▶ docs/plan.md:12   a line that was read: where the item comes from
                                             └▶ docs/plan.md:900  no line of it was read under that number: a finding
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from posixpath import basename

import msgspec

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.plan import Item, Plan
from workbench.domain.session import events as say
from workbench.domain.session.state import ReadFile


def file_told(read: say.FileRead) -> str:
    """Return in a line what was read of a file, or why it was not."""
    if read.why_not:
        return f"did not read {read.path}: {read.why_not}"
    if not read.lines:
        return f"read a map of {read.path}: {_lines(read.last - read.first + 1)}"
    is_whole = (read.first, read.last) == (1, read.lines)
    of = _lines(read.lines) if is_whole else f"lines {read.first:,} to {read.last:,} of {read.lines:,}"
    return f"read {read.path}: {of}, sha256 {read.sha256[:12]}"


def _lines(count: int) -> str:
    return "1 line" if count == 1 else f"{count:,} lines"


def files_told(files: Iterable[ReadFile]) -> str:
    """Return, a line for each, what was read and what was not."""
    return "\n".join(file_told(one.read) for one in files)


class Citations:
    """The lines of files that an item may say it comes from."""

    def __init__(self, files: Iterable[ReadFile]) -> None:
        """``files`` are those that the planner was shown, or could have been."""
        self._lines: dict[str, set[int]] = {}
        for read in (one.read for one in files):
            if read.lines and not read.why_not and not read.to:
                self._lines.setdefault(read.path, set()).update(range(read.first, read.last + 1))
        short: dict[str, list[str]] = {}
        for path in self._lines:
            short.setdefault(basename(path), []).append(path)
        self._named = {name: paths[0] for name, paths in short.items() if len(paths) == 1}
        self._named |= {path: path for path in self._lines}
        names = "|".join(re.escape(name) for name in sorted(self._named, key=len, reverse=True))
        self._cited = re.compile(rf"(?<![\w./-])({names}):(\d{{1,7}})(?!\w)")

    def of(self, item: Item) -> tuple[str, ...]:
        """Return the lines that were read and that an item cites, each as ``path:line``, once."""
        return tuple(dict.fromkeys(f"{path}:{line}" for path, line in self._in(item) if line in self._lines[path]))

    def unread(self, plan: Plan) -> tuple[Finding, ...]:
        """Return a finding for each line that an item cites and that was not read."""
        return tuple(
            Finding(
                rule="files.not-read",
                severity="minor",
                text=f"{item.id} cites {path}:{line}, and no such line was read.",
                item=item.id,
                remedy="Name the line that says so, or take the citation out.",
            )
            for item in plan.items
            for path, line in dict.fromkeys(self._in(item))
            if line not in self._lines[path]
        )

    def _in(self, item: Item) -> Iterator[tuple[str, int]]:
        if not self._lines:
            return
        for value in msgspec.structs.asdict(item).values():
            for cited in self._cited.finditer(value) if isinstance(value, str) else ():
                yield self._named[cited[1]], int(cited[2])
