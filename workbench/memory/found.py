"""What a search returns: where an item stands, how its score came about, and why, in words.

parts of the score + shared words ─▶ reason ─▶ "shares “billing”, “cut-over”; close in meaning"
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import asdict

from workbench.domain.session.items import Item

NEAREST = "the nearest there is"
"""The reason of what shares no word with the query, and is not close to it either."""
_WORDS_NAMED = 3
_CLOSE = 2.0
"""From where on a part is worth a person's attention: standard deviations above the scope's mean."""


class Parts(Struct, frozen=True):
    """What a score is the sum of."""

    lexical: float
    """By words, in standard deviations above the scope's mean."""
    semantic: float
    """By meaning, in the same unit times its weight."""
    neighbours: float
    """From the turns before and after."""
    speaker: float
    """For being said by somebody whom the query names."""
    conversation: float
    """From the best of its conversation, which may be itself."""

    @property
    def total(self) -> float:
        """Their sum."""
        return self.lexical + self.semantic + self.neighbours + self.speaker + self.conversation

    @property
    def recorded(self) -> dict[str, float]:
        """They by name, as events have them."""
        return {name: round(value, 4) for name, value in asdict(self).items()}


class Found(Struct, frozen=True):
    """An item that a search found."""

    item: Item
    rank: int
    """1 for the best."""
    parts: Parts
    relevance: float
    """How near it comes to what was asked by itself, 0 to 3; compares between searches with the same embedder."""
    relevant: bool
    """Whether this search found enough for any of it to be put into a prompt: the same for all of its results."""
    why: str
    """The reason in words for a person."""

    @property
    def is_near(self) -> bool:
        """Whether it may be put into a prompt: its search found enough, and it is not just the nearest of the rest."""
        return self.relevant and self.why != NEAREST

    @property
    def score(self) -> float:
        """What it was ordered by; it compares within one search only."""
        return self.parts.total


def reason(parts: Parts, shared_words: Sequence[str]) -> str:
    """Return why an item was found; ``shared_words`` are those of the query that it has, the most telling first."""
    reasons = []
    if shared_words:
        reasons.append("shares " + ", ".join(f"“{word}”" for word in dict.fromkeys(shared_words[:_WORDS_NAMED])))
    if parts.semantic >= _CLOSE:
        reasons.append("close in meaning")
    if parts.speaker:
        reasons.append("said by whom you name")
    if parts.neighbours >= _CLOSE:
        reasons.append("next to what matches")
    if parts.conversation >= _CLOSE and parts.conversation > parts.lexical + parts.semantic:
        reasons.append("in a conversation about it")
    return "; ".join(reasons) or NEAREST
