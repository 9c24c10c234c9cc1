"""What may stand in a prompt of this session: the words of people, artefacts and an agent's own replies.

A text of a prompt is most often one of these, whole, and is known by that; only the others are searched for words that
somebody else has said.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from workbench.replay.audit.passages import spaced

_ESCAPED = re.compile(r"&lt;(?=\s*/?\s*input)", re.IGNORECASE)


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
    """Return a text as it was before it was made safe to stand in an input."""
    return _ESCAPED.sub("<", text) if "&lt;" in text else text


def strings(value: Any) -> Iterator[str]:
    """Yield every string of a JSON value; names of fields are none."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from strings(one)
