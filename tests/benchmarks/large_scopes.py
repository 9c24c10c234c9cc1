"""Talk in any amount: words with the frequencies of language (Zipf), seeded, the same on every machine."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from itertools import accumulate, product

from tests.builders import document
from workbench.domain.session.items import Item

_SYLLABLES = ("ba", "con", "der", "fi", "gra", "hol", "in", "jo", "ker", "lem", "mo", "nar", "pla", "re", "sto", "tun")
_WORDS = ["".join(syllables) for length in (1, 2, 3) for syllables in product(_SYLLABLES, repeat=length)]
_WEIGHTS = list(accumulate(1 / (rank + 3) for rank in range(len(_WORDS))))
_BEGUN = datetime(2026, 1, 5, 9, tzinfo=UTC)


def talk_of(count: int, *, seed: int, speaker: str = "") -> list[Item]:
    """Return turns of 10 to 50 words by two speakers in conversations of twenty turns, one conversation a day."""
    chance = random.Random(seed)
    return [
        document(
            f"item-{number}",
            text=_said(chance, chance.randint(10, 50)),
            speaker=speaker or ("anna", "planner")[number % 2],
            time=(_BEGUN + timedelta(days=number // 20, minutes=number % 20)).isoformat(),
            talk=True,
        )
        for number in range(count)
    ]


def queries_of(count: int, *, seed: int) -> list[str]:
    """Return questions of eight words."""
    chance = random.Random(seed)
    return [f"what did we say of {_said(chance, 8)}" for _ in range(count)]


def _said(chance: random.Random, length: int) -> str:
    return " ".join(chance.choices(_WORDS, cum_weights=_WEIGHTS, k=length)) + chance.choice((".", ".", ".", "?"))
