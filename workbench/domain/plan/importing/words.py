"""Words of texts: what has to be in a plan again once a file was read into it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from workbench.domain.text.patterns import lazy_pattern

_WORD = lazy_pattern(r"[^\W_]+")


def words(text: str) -> list[str]:
    """Return the words and numbers of a text, in lower case and in order; signs and underscores are none."""
    return _WORD.findall(text.casefold())


def bare(text: str) -> str:
    """Return a text's words with single spaces, so that texts that differ in signs alone are equal."""
    return " ".join(words(text))


def lines_with_lost_words(texts: Iterable[str], plan: str) -> list[int]:
    """Return the places of those texts of which a word is not in the plan's Markdown as often as the texts say it."""
    left = Counter(words(plan))
    whole = Counter(map(bare, plan.split("\n")))
    scattered: list[tuple[int, str]] = []
    for at, text in enumerate(texts):  # a line that is there whole is told by itself, and by no words of others
        lines = Counter(filter(None, map(bare, text.split("\n"))))
        if lines and all(
            whole[line] >= count for line, count in lines.items()
        ):  # not ``<=``, which looks at all of both
            whole.subtract(lines)
            left.subtract(words(text))
        else:
            scattered.append((at, text))
    lost: list[int] = []
    for at, text in scattered:
        said = Counter(words(text))
        if any(left[word] < count for word, count in said.items()):
            lost.append(at)
        else:
            left.subtract(said)
    return lost
