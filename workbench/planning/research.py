"""Looking gaps up: in the project's files, in this session's memory and, where a person named a search, on the web.

    gaps ─┬▶ files: names, headings and symbols, full text ─▶ passages ─▶ file.read …   (their lines, with the hash)
          ├▶ files: lines that forbid days, or contradict a date that the person said ──┘
          ├▶ this session's older items ─▶ by their ids
          └▶ pages of the web ─▶ file.read …, under their address
                                   ─▶ gaps.researched: which gap, what was found where

Other sessions are searched as always, on the record (recalling.py), for the gaps too. Nothing is read without a
person's word: ``--research``, or their setting.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from workbench.domain.loop.file_facts import tells_against
from workbench.domain.session import events as say
from workbench.domain.session.named_files import OUTLINE
from workbench.domain.session.state import SessionState
from workbench.domain.text.cleaning import shorten
from workbench.planning.project_files import ProjectFiles, fresh
from workbench.planning.web import Web

if TYPE_CHECKING:  # what searches is imported when there is something to search
    from workbench.memory.lexical import LexicalIndex
    from workbench.memory.memory_view import MemoryView

MOST_OF_A_GAP, MOST_FOUND = 8, 16
"""Files of which a passage is taken for a gap, and passages together for all gaps."""
MOST_REMEMBERED = 3
"""Items of the session's own memory for each gap."""
_LEAST, _NEAR_BEST = 0.5, 0.45
"""Score below which a file is not near to a gap, and share of the best file's score."""
_PATH = 1.5
"""How much a file's path counts beside its best passage, and beside its headings and symbols."""
_UNKNOWN = 0.25
"""How much a word counts that no file has: it tells no file from another. In a small project most are such."""
_PROSE = frozenset({"", "md", "txt", "rst", "adoc", "org", "markdown"})
"""Endings of files in which people note what must hold."""
_EXCERPT = 120
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[\W_]+")
"""Where the words of a name are joined: ``BillingProvider``, ``billing_provider``."""
_DAY = re.compile(r"\t.*(?:\d[./-]\d|\b\d{1,2}(?:st|nd|rd|th|\.)? [^\W\d]{3}|\b[^\W\d]{3,9}\.? \d{1,2}\b)")
"""What a date in digits has in it: reading all lines for dates would take seconds."""


@dataclass
class Researcher:
    """Where a person allowed gaps to be looked up."""

    files: ProjectFiles
    web: Web | None = None
    """The search on the web that the person named; None: nothing leaves the machine."""

    @property
    def switched(self) -> say.ResearchSwitched:
        """What a session is told of it."""
        return say.ResearchSwitched(on=True, web=self.web.host if self.web is not None else "")

    def look_up(
        self, gaps: Sequence[str], state: SessionState, memory: MemoryView | None, *, for_call: str = ""
    ) -> tuple[say.Body, ...]:
        """Return what was read for gaps, and the account of it. Slow: for a worker thread.

        Whatever a part of it does, the others are looked at, and what failed is said.
        """
        read: list[say.FileRead] = []
        found: list[say.Source] = []
        failed: list[str] = []
        looked_at = 0
        try:
            index = _FileIndex.of(self.files.searched())
            looked_at = len(index.files)
            read += index.against(state)
        except OSError as error:
            index = _FileIndex.of(())
            failed.append(f"The project's files could not be looked at ({error.strerror}).")
        for gap in gaps:
            read += index.nearest(gap)
            if memory is not None:
                found += _remembered(gap, state, memory, failed)
            if self.web is not None:
                pages, why = self.web.look_up(gap)
                read += _FileIndex.of(pages).nearest(gap)
                failed += [why] if why else []
        new = fresh(state, _within_room(read))
        found = [*(_source(one) for one in new), *found]
        account = say.GapsResearched(
            gaps=tuple(gaps),
            found=tuple(found),
            looked_at=looked_at,
            unavailable=" ".join(dict.fromkeys(failed)),
            for_call=for_call,
        )
        return (*new, account)

    def find(self, text: str) -> say.GapsResearched:
        """Return where the project's files have something on a text. Raises OSError."""
        index = _FileIndex.of(self.files.searched())
        found = tuple(map(_source, index.nearest(text)))
        return say.GapsResearched(gaps=(text,), found=found, looked_at=len(index.files))


def not_allowed(gaps: Sequence[str], for_call: str) -> say.GapsResearched:
    """Return the account of research that nobody allowed here: the session is from elsewhere."""
    why = "Nothing was looked up: research is not allowed here (--research)."
    return say.GapsResearched(gaps=tuple(gaps), for_call=for_call, unavailable=why)


def _within_room(read: Iterable[say.FileRead]) -> list[say.FileRead]:
    """Return the first of what was read, each passage once."""
    once = {(one.path, one.first): one for one in reversed(list(read))}
    return list(reversed(once.values()))[:MOST_FOUND]


def _source(read: say.FileRead) -> say.Source:
    kind: Literal["file", "web"] = "web" if "://" in read.path else "file"
    first = next((line.partition("\t")[2].strip() for line in read.text.split("\n") if line.partition("\t")[2]), "")
    return say.Source(
        gap=read.found_for, kind=kind, ref=f"{read.path}:{read.first}-{read.last}", text=shorten(first, _EXCERPT)
    )


def _remembered(gap: str, state: SessionState, memory: MemoryView, failed: list[str]) -> Iterator[say.Source]:
    said = {f"message:{item.id}" for item in state.history if item.text == gap}
    try:
        results = memory.search(gap, MOST_REMEMBERED, without=said)
    except Exception as error:  # noqa: BLE001 - whatever a search does, planning goes on, and says what failed
        failed.append(f"This session's memory could not be searched ({type(error).__name__}).")
        return
    for one in results:
        if one.is_near:
            yield say.Source(gap=gap, kind="session", ref=one.item.id, text=shorten(one.item.text, _EXCERPT))


@dataclass
class _FileIndex:
    """The project's files: the words of each short passage, and of each file's name, headings and symbols."""

    files: list[tuple[say.FileRead, ...]]
    """Each in its passages."""
    words: LexicalIndex
    names: LexicalIndex
    paths: LexicalIndex

    @classmethod
    def of(cls, files: Iterable[tuple[say.FileRead, ...]]) -> _FileIndex:
        """Read files, or pages. Raises OSError."""
        from workbench.memory.lexical import LexicalIndex

        read = list(files)
        words, names, paths = LexicalIndex(), LexicalIndex(), LexicalIndex()
        words.add([_HUMP.sub(" ", one.text) for passages in read for one in passages])
        names.add([_names(passages) for passages in read])
        paths.add([_HUMP.sub(" ", passages[0].path) for passages in read])
        return cls(read, words, names, paths)

    def nearest(self, gap: str) -> Iterator[say.FileRead]:
        """Yield the best passage of each of the files nearest to a gap, best first."""
        passages, names, paths = (_scores(index, gap) for index in (self.words, self.names, self.paths))
        near: list[tuple[float, int, say.FileRead]] = []
        at = 0
        for place, of_file in enumerate(self.files):
            best = max(range(at, at + len(of_file)), key=lambda number: passages[number])
            score = passages[best] + names[place] + _PATH * paths[place]
            near.append((score, -place, of_file[best - at]))
            at += len(of_file)
        near.sort(reverse=True, key=lambda one: one[:2])
        for score, _, one in near[:MOST_OF_A_GAP]:
            if score >= max(_LEAST, _NEAR_BEST * near[0][0]):
                yield replace(one, found_for=gap)

    def against(self, state: SessionState) -> Iterator[say.FileRead]:
        """Yield passages of prose in which a line forbids days that are still to come, or contradicts the person."""
        for one in (one for of_file in self.files for one in of_file):
            ending = one.path.rpartition("/")[2].rpartition(".")
            is_prose = (ending[2].lower() if ending[1] else "") in _PROSE
            if is_prose and _DAY.search(one.text) and tells_against(state, one):
                yield replace(one, found_for=state.goal)


def _scores(index: LexicalIndex, gap: str) -> list[float]:
    """Return how much of what a gap says each text has, 0 to 2: its share of the words, and of the best score."""
    from workbench.memory.terms import STOP_WORDS, words

    asked = index.query_terms([word for word in words(gap) if word not in STOP_WORDS])
    known = set(index.occurring(asked, range(len(index))))
    asked = tuple(one if one in known else dataclasses.replace(one, weight=_UNKNOWN * one.weight) for one in asked)
    said = index.scores(asked)
    best = max(said.scores.max(initial=0.0), 1e-9)
    return [float(one) for one in said.coverage + said.coverage * said.scores / best]


def _names(passages: Sequence[say.FileRead]) -> str:
    """Return the words of a file's headings and symbols."""
    lines = (line.partition("\t")[2].strip() for one in passages for line in one.text.split("\n"))
    return "\n".join(_HUMP.sub(" ", line) for line in lines if OUTLINE.match(line))
