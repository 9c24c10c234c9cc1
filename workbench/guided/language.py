"""Which language a goal is in, as far as that decides what can be read of it."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

Language = Literal["en", "other", "script"]
"""English; another language in Latin letters; letters that are not read at all."""
READS = {
    "other": "I read English; of this I read dates and amounts only. Your words stand below, in their order.",
    "script": "I cannot read this: I read English. Your words stand below, in their order.",
}
"""What is said of a goal that is not English. A language model reads it: ``--model``."""
_WORDS = {
    "en": "the a an of to and in for on with by without our my we i is are at from before must at new this that it no",
    "other": """der die das ein eine einen und ohne mit für bis nach unser unsere wir ich im zum zur des den dem von
        nicht le la les un une et sans avec pour avant notre nos mon ma nous je du des dans sur au aux
        el los las una y sin con para antes nuestro nuestra mi yo en al del que se
        il lo gli e senza per entro nostro nostra di da het een en zonder voor met onze wij ik van op
        o os as um uma sem até nosso nossa eu do dos na no em""",
}
_KNOWN = {language: frozenset(words.split()) for language, words in _WORDS.items()}
_LEAST_LATIN = 0.5


def language_of(text: str) -> Language:
    """Return the language of a text; English where nothing speaks against it."""
    letters = [letter for letter in text if letter.isalpha()]
    latin = sum("LATIN" in unicodedata.name(letter, "") for letter in letters)
    if letters and latin < _LEAST_LATIN * len(letters):
        return "script"
    spoken = re.findall(r"[^\W\d_]+", text.casefold())
    english = sum(word in _KNOWN["en"] for word in spoken)
    other = sum(word in _KNOWN["other"] and word not in _KNOWN["en"] for word in spoken)
    return "other" if other > english else "en"
