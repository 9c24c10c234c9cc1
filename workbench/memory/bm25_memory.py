"""A session's own memory, behind a view that is bound to it.

    SessionMemory(state) ─▶ search_similar(query, max_results, session_id) ─▶ hits of this session only
                         └▶ retrieve_entity(name)

The view is built from one session's state and holds nothing else, so there is no filter that could be forgotten:
another session's id is refused, not searched. Searched are the insights of its iterations, and the paragraphs of what
a person or a program stored. What the loop stored itself is left out: it repeats the insights, and text that was
recalled must not be found again as if it were new. Ranking is BM25 (Robertson and Zaragoza 2009) over this session
alone, so statistics of other sessions cannot shift it; insights weigh more, as they are what iterations learned.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from workbench.domain.errors import NotFound
from workbench.domain.ids import SessionId
from workbench.domain.session import Entity, SessionState
from workbench.domain.text import shorten

_WORD = re.compile(r"\w+")
_BREAK = re.compile(r"\n[^\S\n]*\n\s*")
_HEADING = re.compile(r"\s*#[^\n]*")
"""A heading alone repeats the goal's words, and says nothing about them."""
_STOP = frozenset(
    ["a", "an", "and", "did", "for", "from", "in", "is", "it", "of", "on", "or", "our", "the", "to", "we", "what"]
)
_K1, _B = 1.2, 0.75
"""The usual constants of BM25: saturation of repeated words, and normalisation by length."""
_INSIGHT = 2.0
"""How much more an insight weighs than a paragraph that matches as well."""
_PARAGRAPH = 400
"""Characters of a paragraph that are given as a result."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A piece of memory that matches."""

    id: str
    """``iteration_{n}#{k}``: insight k of iteration n; ``{entity}#{k}``: paragraph k of an entity."""
    text: str
    score: float


class SessionMemory:
    """The memory of exactly one session, as of one state."""

    def __init__(self, state: SessionState) -> None:
        self._session = SessionId(state.session)
        self._state = state

    def search_similar(self, query: str, max_results: int, session_id: SessionId) -> tuple[Hit, ...]:
        """Return what in this session is nearest to ``query``, best first, each text once.

        ``session_id`` is required and must be this view's own: raises InvalidId for anything that is no id, NotFound
        for another session's. No match gives an empty tuple.
        """
        if SessionId(session_id) != self._session:
            raise NotFound(f"There is no session {session_id} in this view.", "Open that session to search it.")
        insights = {text: where for where, text in self._insights()}
        paragraphs = {text: where for where, text in self._paragraphs() if text not in insights}
        items = insights | paragraphs
        scores = _bm25(query, list(items))
        hits = [
            Hit(where, text, score * (_INSIGHT if text in insights else 1.0))
            for (text, where), score in zip(items.items(), scores, strict=True)
            if score > 0
        ]
        return tuple(sorted(hits, key=lambda hit: -hit.score)[: max(max_results, 0)])

    def _insights(self) -> Iterator[tuple[str, str]]:
        for result in self._state.iterations:
            for k, text in enumerate(result.key_insights, start=1):
                yield f"iteration_{result.iteration_num}#{k}", text

    def _paragraphs(self) -> Iterator[tuple[str, str]]:
        for entity in self._state.given_entities:
            for k, paragraph in enumerate(_BREAK.split(entity.content), start=1):
                if not _HEADING.fullmatch(paragraph):
                    yield f"{entity.name}#{k}", shorten(" ".join(paragraph.split()), _PARAGRAPH)

    def retrieve_entity(self, name: str) -> Entity:
        """Return the newest version of an entity. Raises NotFound."""
        entity = self._state.entity(name)
        if entity is None:
            raise NotFound(f"Session {self._session} has no entity {name!r}.", "See `workbench sessions show`.")
        return entity


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.lower()) if word not in _STOP]


def _bm25(query: str, texts: list[str]) -> list[float]:
    """Return the BM25 score of each text."""
    documents = [Counter(_words(text)) for text in texts]
    lengths = [sum(document.values()) for document in documents]
    average = (sum(lengths) / len(lengths) if lengths else 0.0) or 1.0
    containing = Counter(word for document in documents for word in document)
    weights = {
        word: math.log(1 + (len(texts) - containing[word] + 0.5) / (containing[word] + 0.5)) for word in _words(query)
    }
    return [
        sum(
            weight * count * (_K1 + 1) / (count + _K1 * (1 - _B + _B * length / average))
            for word, weight in weights.items()
            if (count := document[word])
        )
        for document, length in zip(documents, lengths, strict=True)
    ]
