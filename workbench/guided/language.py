"""Which language a goal is in, as far as that decides what can be read of it."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

from workbench.domain.facts.vocabulary import FOREIGN
from workbench.domain.values.small_words import SMALL

Language = Literal["en", "other", "script"]
"""English; another language in Latin letters; letters that are not read at all."""
READS = {
    "other": "I read English; of this I read dates and amounts only. Your words stand above as you said them.",
    "script": "I cannot read this: I read English. Your words stand above as you said them.",
}
"""What is said of a goal that is not English. A language model reads it: ``--model``."""
_LEAST_LATIN = 0.5
_PLAIN = 3
"""Words of other languages that are no accident."""
_TOO = frozenset("a as do no me on in so am an".split())  # noqa: SIM905


def language_of(text: str) -> Language:
    """Return the language of a text; English where nothing speaks against it."""
    letters = [letter for letter in text if letter.isalpha()]
    latin = sum("LATIN" in unicodedata.name(letter, "") for letter in letters)
    if letters and latin < _LEAST_LATIN * len(letters):
        return "script"
    spoken = re.findall(r"[^\W\d_]+", text.casefold())
    other = sum(word in FOREIGN for word in spoken)
    own = SMALL - _TOO if other >= _PLAIN else SMALL  # "a", "as", "no", "me": small words of several languages
    english = sum(word in own for word in spoken)
    return "other" if other > english else "en"
