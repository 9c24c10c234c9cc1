"""Which texts say a passage of others, word for word: a run of 40 characters or more, wherever it begins and ends.

Every 20th block of 20 characters is in an index. Any run of 40 characters holds a whole block, so none is missed; texts
that share nothing cost one look for each character. White space counts as one space, as it is laid out again wherever a
text is quoted.

A text of a prompt is most often whole one of those that may be there (Words), and is known by that; only the others
are searched for passages.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from workbench.domain.text.patterns import lazy_pattern

SHORTEST = 40
"""Characters. Shorter texts are said by anybody."""
_BLOCK = SHORTEST // 2
_FEW = 500
"""Blocks of which each is sooner looked for in a whole text than each character of the text is looked at."""
_ESCAPED = lazy_pattern(r"&lt;(?=\s*+/?\s*+input)", re.IGNORECASE)


class Passage(NamedTuple):
    """What a text says of another one, word for word."""

    words: str
    whose: str


class Passages:
    """Texts that can be found again in others, each with whose it is."""

    def __init__(self) -> None:
        self._texts: list[Passage] = []
        self._known: set[Passage] = set()
        self._blocks: dict[str, list[tuple[int, int]]] = {}

    def __bool__(self) -> bool:
        return bool(self._texts)

    def add(self, text: str, whose: str) -> None:
        """Take in a text; one that is too short to be told from others is left out."""
        added = Passage(spaced(text), whose)
        if len(added.words) < SHORTEST or added in self._known:
            return
        self._known.add(added)
        self._texts.append(added)
        for start in range(0, len(added.words) - _BLOCK + 1, _BLOCK):
            places = self._blocks.setdefault(added.words[start : start + _BLOCK], [])
            if len(places) < 16:  # what is said more often is a phrase
                places.append((len(self._texts) - 1, start))

    def said_in(self, text: str) -> Iterator[Passage]:
        """Yield what ``text`` says of the texts that were added."""
        if not self._texts:
            return
        read = spaced(text)
        if len(self._blocks) < _FEW and not any(map(read.__contains__, self._blocks)):
            return
        reached: dict[int, int] = {}
        for start in range(len(read) - _BLOCK + 1):
            for number, place in self._blocks.get(read[start : start + _BLOCK], ()):
                if start < reached.get(number, 0):
                    continue
                begin, end = _agreeing(read, start, self._texts[number].words, place)
                reached[number] = end
                if end - begin >= SHORTEST:
                    yield Passage(read[begin:end], self._texts[number].whose)


def spaced(text: str) -> str:
    """Return a text with single spaces."""
    return " ".join(text.split())


def _agreeing(read: str, at: int, other: str, place: int) -> tuple[int, int]:
    """Return where in ``read`` the run begins and ends that both texts have around a block of each."""
    from rapidfuzz.distance import Postfix, Prefix

    back = Postfix.similarity(read[:at], other[:place])
    return at - back, at + Prefix.similarity(read[at:], other[place:])


class Words:
    """Texts, each for everybody or for one agent."""

    def __init__(self) -> None:
        self._texts: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._spaced: defaultdict[str, list[str]] = defaultdict(list)
        self._held: set[tuple[str, str]] = set()

    def add(self, texts: Iterable[str], agent: str = "") -> None:
        """Take in texts that everybody may see, or one agent."""
        self._texts[agent].update(dict.fromkeys(map(plain, texts)))

    def has(self, text: str, agent: str) -> bool:
        """Tell whether this very text is one that an agent may see."""
        return (read := plain(text)) in self._texts[""] or read in self._texts[agent]

    def holds(self, words: str, agent: str) -> bool:
        """Tell whether a text that an agent may see says these words; it looks through all of them, once."""
        if (words, agent) not in self._held:
            if not any(words in text for whose in {"", agent} for text in self._spaced_of(whose)):
                return False
            self._held.add((words, agent))
        return True

    def _spaced_of(self, agent: str) -> list[str]:
        """Return an agent's texts with single spaces; those that came since the last time are added."""
        texts, ready = self._texts[agent], self._spaced[agent]
        ready += [spaced(text) for text in list(texts)[len(ready) :]]
        return ready


def plain(text: str) -> str:
    """Return a text as it was before it was made safe to be in an input."""
    return _ESCAPED.sub("<", text) if "&lt;" in text else text


def strings(value: Any) -> Iterator[str]:
    """Yield every string of a JSON value; names of fields are none."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from strings(one)
