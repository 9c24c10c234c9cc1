"""Research: gaps are looked up in the project's files, the session's memory and, if a person set it, on the web.

    gaps ─┬▶ files: names, headings and symbols, full text ─▶ passages ─▶ file.read …   (their lines, with the hash)
          ├▶ older items of this session ─▶ by their ids
          └▶ web pages ─▶ file.read …, under their address
                                   ─▶ gaps.researched: which gap, what was found where

Other sessions are searched as always, on the record (recalling.py), for the gaps too. Nothing is read unless a person
allowed it, by ``--research`` or their settings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec.structs import replace

from workbench.domain.session import events as say
from workbench.domain.session.named_files import OUTLINE
from workbench.domain.session.state import SessionState
from workbench.domain.text.cleaning import shorten
from workbench.domain.text.patterns import lazy_pattern
from workbench.planning.sources.project_files import ProjectFiles, fresh
from workbench.planning.sources.web import Web

if TYPE_CHECKING:  # what searches is imported when there is something to search
    from workbench.memory.lexical import LexicalIndex
    from workbench.memory.memory_view import MemoryView

MOST_OF_A_GAP, MOST_FOUND = 8, 16
"""Files of which a passage is taken for a gap, and passages together for all gaps."""
MOST_NAMED = 3
"""Files that are named of those that a search left out."""
MOST_REMEMBERED = 3
"""Items of the session's own memory for each gap."""
_LEAST, _NEAR_BEST = 0.5, 0.45
"""Score below which a file is not near to a gap, and share of the best file's score."""
_PATH = 1.5
"""How much a file's path counts beside its best passage, and beside its headings and symbols."""
_UNKNOWN = 0.25
"""How much a word counts that no file has: it tells no file from another. In a small project most are such."""
_EXCERPT = 120
_HUMP = lazy_pattern(r"(?<=[a-z0-9])(?=[A-Z])|[\W_]+")
"""Where the words of a name are joined: ``BillingProvider``, ``billing_provider``."""


@dataclass
class Researcher:
    """Where a person allowed gaps to be looked up."""

    files: ProjectFiles
    web: Web | None = None
    """The web search that the person set; None: nothing leaves the machine."""
    _is_stopped: bool = field(default=False, init=False, repr=False, compare=False)

    @property
    def switched(self) -> say.ResearchSwitched:
        """The event that tells a session what is allowed."""
        return say.ResearchSwitched(on=True, web=self.web.host if self.web is not None else "")

    def stop(self) -> None:
        """End what is being looked up, as far as others are waited for."""
        self._is_stopped = True
        if self.web is not None:
            self.web.stop()

    def look_up(
        self, gaps: Sequence[str], state: SessionState, memory: MemoryView | None, *, for_call: str = ""
    ) -> tuple[say.Body, ...]:
        """Return what was read for gaps, and the account of it. Slow: for a worker thread.

        Where one source fails, the account says so, and the others are searched.
        """
        account = _Account()
        files: list[tuple[say.FileRead, ...]] = []
        left_out = ""
        self._is_stopped = False
        try:
            files, left_out = _searched(self.files)
        except OSError as error:
            account.failures.append(f"The project's files could not be searched ({error.strerror}).")
        account.failures += [left_out] if left_out else []
        index = _Index(files)
        for gap in gaps:
            account.passages += index.nearest(gap)
            if memory is not None:
                account.remember(gap, state, memory)
            if self.web is not None and not self._is_stopped:
                pages, failure = self.web.look_up(gap)
                account.passages += _Index(pages).nearest(gap)
                account.failures += [failure] if failure else []
        read = fresh(state, account.distinct())
        researched = say.GapsResearched(
            gaps=tuple(gaps),
            found=(*map(_source, read), *account.remembered),
            looked_at=len(files),
            unavailable=" ".join(dict.fromkeys(account.failures)),
            for_call=for_call,
        )
        return (*read, researched)

    def find(self, text: str) -> say.GapsResearched:
        """Return where the project's files have something on a text. Raises OSError."""
        files, left_out = _searched(self.files)
        found = tuple(map(_source, _Index(files).nearest(text)))
        return say.GapsResearched(gaps=(text,), found=found, looked_at=len(files), unavailable=left_out)


def not_allowed(gaps: Sequence[str], for_call: str) -> say.GapsResearched:
    """Return the account of research that is not allowed here, because the session is from elsewhere."""
    why = "Nothing was looked up: research is not allowed here (--research)."
    return say.GapsResearched(gaps=tuple(gaps), for_call=for_call, unavailable=why)


def _searched(files: ProjectFiles) -> tuple[list[tuple[say.FileRead, ...]], str]:
    """Return the files that a search looks into, and in a sentence which it leaves out, and why. Raises OSError."""
    every = list(files.searched())
    left_out = [passages[0] for passages in every if passages[0].why_not]
    if not left_out:
        return every, ""
    named = [f"{one.path} ({one.why_not.rstrip('.')})" for one in left_out[:MOST_NAMED]]
    more = f" and {len(left_out) - MOST_NAMED:,} more" if len(left_out) > MOST_NAMED else ""
    told = f"Left out of the search, as it may be secret or ignored: {', '.join(named)}{more}."
    return [passages for passages in every if not passages[0].why_not], told


@dataclass
class _Account:
    """What was found so far, and what failed."""

    passages: list[say.FileRead] = field(default_factory=list)
    remembered: list[say.Source] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def remember(self, gap: str, state: SessionState, memory: MemoryView) -> None:
        """Search the session's memory, except for the message that the gap is."""
        itself = {f"message:{item.id}" for item in state.history if item.text == gap}
        try:
            results = memory.search(gap, MOST_REMEMBERED, without=itself)
        except Exception as error:  # noqa: BLE001 - whatever a search does, planning goes on, and says what failed
            self.failures.append(f"This session's memory could not be searched ({type(error).__name__}).")
            return
        items = [result.item for result in results if result.is_near]
        self.remembered += [
            say.Source(gap=gap, kind="session", ref=item.id, text=shorten(item.text, _EXCERPT)) for item in items
        ]

    def distinct(self) -> list[say.FileRead]:
        """Return the first passages that there is room for, each once."""
        once = {(passage.path, passage.first): passage for passage in reversed(self.passages)}
        return list(reversed(once.values()))[:MOST_FOUND]


def _source(passage: say.FileRead) -> say.Source:
    kind: Literal["file", "web"] = "web" if "://" in passage.path else "file"
    text = next((line for line in _lines(passage) if line), "")
    ref = f"{passage.path}:{passage.first}-{passage.last}"
    return say.Source(gap=passage.found_for, kind=kind, ref=ref, text=shorten(text, _EXCERPT))


def _lines(passage: say.FileRead) -> Iterator[str]:
    """Yield the lines of a passage without their numbers."""
    return (line.partition("\t")[2].strip() for line in passage.text.split("\n"))


class _Index:
    """Files, or pages: the words of each short passage, of headings and symbols, and of paths."""

    def __init__(self, files: Sequence[tuple[say.FileRead, ...]]) -> None:
        """``files`` are each in its passages."""
        from workbench.memory.lexical import LexicalIndex

        self._files = files
        self._passages, self._names, self._paths = LexicalIndex(), LexicalIndex(), LexicalIndex()
        self._passages.add([_HUMP.sub(" ", passage.text) for passages in files for passage in passages])
        self._names.add([_names(passages) for passages in files])
        self._paths.add([_HUMP.sub(" ", passages[0].path) for passages in files])

    def nearest(self, gap: str) -> Iterator[say.FileRead]:
        """Yield the best passage of each of the files nearest to a gap, best first."""
        in_passages, in_names, in_paths = (_scores(one, gap) for one in (self._passages, self._names, self._paths))
        ranked: list[tuple[float, int, say.FileRead]] = []
        start = 0
        for number, passages in enumerate(self._files):
            best = max(range(start, start + len(passages)), key=lambda place: in_passages[place])
            score = in_passages[best] + in_names[number] + _PATH * in_paths[number]
            ranked.append((score, -number, passages[best - start]))
            start += len(passages)
        ranked.sort(reverse=True, key=lambda entry: entry[:2])
        for score, _, passage in ranked[:MOST_OF_A_GAP]:
            if score >= max(_LEAST, _NEAR_BEST * ranked[0][0]):
                yield replace(passage, found_for=gap)


def _scores(index: LexicalIndex, gap: str) -> list[float]:
    """Return how near each text is to a gap, 0 to 2: its share of the gap's words, and of the best score."""
    from workbench.memory.terms import STOP_WORDS, words

    terms = index.query_terms([word for word in words(gap) if word not in STOP_WORDS])
    known = set(index.occurring(terms, range(len(index))))
    weighted = [
        term if term in known else msgspec.structs.replace(term, weight=_UNKNOWN * term.weight) for term in terms
    ]
    scores = index.scores(weighted)
    best = max(scores.scores.max(initial=0.0), 1e-9)
    return [float(score) for score in scores.coverage + scores.coverage * scores.scores / best]


def _names(passages: Sequence[say.FileRead]) -> str:
    """Return the words of a file's headings and symbols."""
    lines = (line for passage in passages for line in _lines(passage))
    return "\n".join(_HUMP.sub(" ", line) for line in lines if OUTLINE.match(line))
