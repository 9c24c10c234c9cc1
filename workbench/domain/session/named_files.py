"""Files that a person named: what is told of a reading, and which of their lines a plan cites.

"by 14 May (docs/plan.md:12)" ──▶ docs/plan.md:12   a line that was read: where the item comes from
                              └─▶ docs/plan.md:900  no line of it was read under that number: a finding
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from workbench.domain.loop.asking.tasks import Finding
from workbench.domain.plan.plan import Item, Plan
from workbench.domain.session import events as say
from workbench.domain.session.state import ReadFile
from workbench.domain.text.patterns import lazy_pattern

OUTLINE = lazy_pattern(
    r"#{1,6} .+|(?:export |pub |public |async |abstract |default )*"
    r"(?:class|def|func|function|fn|struct|enum|trait|interface|module|type) \w+"
)
"""A heading, or the line that defines a symbol."""


def reading_line(read: say.FileRead) -> str:
    """Return in a line what was read of a file, or why it was not."""
    if read.why_not:
        return f"did not read {read.path}: {read.why_not}"
    if not read.lines:
        return f"read a map of {read.path}"
    return f"read {read.path}: lines {read.first:,} to {read.last:,} of {read.lines:,}, sha256 {read.sha256[:12]}"


def reading_lines(files: Iterable[ReadFile]) -> str:
    """Return, a line for each, what was read and what was not."""
    return "\n".join(reading_line(file.read) for file in files)


def research_text(body: say.GapsResearched) -> str:
    """Return in a line what research came to."""
    gaps = "1 gap" if len(body.gaps) == 1 else f"{len(body.gaps)} gaps"
    found = ", ".join(dict.fromkeys(one.ref for one in body.found)) or "nothing"
    return f"looked up {gaps} in {body.looked_at:,} files: found {found}. {body.unavailable}".rstrip()


class Citations:
    """The lines of files that an item may say it comes from."""

    def __init__(self, files: Iterable[ReadFile]) -> None:
        """``files`` are all of the session; those of an agent's message, and maps, have no lines to cite."""
        files = tuple(files)
        self._files = files
        self._spans: dict[str, list[tuple[int, int]]] = {}
        for read in (file.read for file in files if file.read.lines and not file.read.to):
            self._spans.setdefault(read.path, []).append((read.first, read.last))
        names = "|".join(re.escape(path) for path in sorted(self._spans, key=len, reverse=True))
        self._cited = re.compile(rf"(?<![\w./-])({names or '(?!)'}):(\d{{1,7}})(?!\w)")

    def cited_by(self, item: Item) -> tuple[str, ...]:
        """Return the lines that were read and that an item cites, each as ``path:line``, once."""
        return tuple(
            dict.fromkeys(f"{path}:{line}" for path, line in self._citations_in(item) if self._has(path, line))
        )

    def knows(self, cited: str) -> bool:
        """Tell whether ``path:line`` is a line that was read."""
        path, _, line = cited.rpartition(":")
        return path in self._spans and line.isdecimal() and len(line) < 8 and self._has(path, int(line))

    def quoted(self, item: Item) -> dict[str, str]:
        """Return the lines that an item cites or comes from, each as ``path:line`` with its text as it was read."""
        origin = self._cited.findall(item.origin.source if item.origin is not None else "")
        quoted: dict[str, str] = {}
        for path, line in (*self._citations_in(item), *((path, int(line)) for path, line in origin)):
            for read in (file.read for file in self._files if file.read.path == path):
                if read.first <= line <= read.last:
                    lines = read.text.split("\n")  # what a tool read has no text here: the result has it
                    text = lines[line - read.first].partition("\t")[2] if len(lines) > line - read.first else ""
                    quoted[f"{path}:{line}"] = quoted.get(f"{path}:{line}") or text.strip()
        return quoted

    def unread(self, plan: Plan) -> Iterator[Finding]:
        """Yield a finding for each line that an item cites and that was not read."""
        cited = ((item.id, path, line) for item in plan.items for path, line in dict.fromkeys(self._citations_in(item)))
        for name, path, line in cited:
            if not self._has(path, line):
                text = f"{name} cites {path}:{line}, and no such line was read."
                remedy = "Name the line that says so, or take the citation out."
                yield Finding(rule="files.not-read", severity="minor", text=text, item=name, remedy=remedy)

    def _has(self, path: str, line: int) -> bool:
        return any(first <= line <= last for first, last in self._spans[path])

    def _citations_in(self, item: Item) -> Iterator[tuple[str, int]]:
        for value in msgspec.structs.asdict(item).values():
            for cited in self._cited.finditer(value) if isinstance(value, str) else ():
                yield cited[1], int(cited[2])
