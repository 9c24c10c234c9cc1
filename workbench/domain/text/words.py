"""The telling words of a sentence, in a form in which the same thing said twice is the same.

    "Booking the barn"     ──stems──▶ book barn          small words go, endings go, near synonyms of planning meet
    "Test in the EU"       ──stems──▶ test EU            what is written in capitals stays, even "US", "IT", "A"
    "by 30 June 2027"      ──stems──▶ 2027-06-30         a date is one word, however it is written

The endings and small words are English. In other languages fewer words meet, so the checks find less and say nothing
wrong.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from workbench.domain.text.patterns import lazy_pattern

STEM_LENGTH = 7
"""Letters that are kept of a word: enough to tell words apart, few enough for certified and certification to meet."""

_SMALL = """
    a about above after again all also an and any are as at be been before being below between both but by can could
    did do does each either else ever every everybody everyone everything for from had has have having he her here his
    how i if in into is it its itself just let made make may me might more most must my neither never no none nor not
    now of off on once one only onto or other our ours out over own per same shall she should since so some such than
    that the their them then there these they this those through to too toward until till up upon us very via was we
    perform were what when where which while who whom whose why will with within without would yet you your
"""
_SMALL_WORDS = frozenset(_SMALL.split())
_MEETING = {
    word: words.split()[0]
    for words in (
        "prepare draft write draw compose",
        "get obtain acquire secure procure",
        "choose select pick",
        "buy purchase",
        "sell sale sold",
        "lose lost losing loss",
        "book reserve",
        "hire recruit",
        "start begin launch",
        "finish complete end conclude",
        "repair fix mend",
        "staff employee",
        "budget cost spend spending expense",
    )
    for word in words.split()
}
_WORD = lazy_pattern(r"\d{4}-\d{2}-\d{2}|\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?(?:-[^\W\d_]+)*")
_ENDINGS = ("ations", "ation", "ings", "ing", "ions", "ion", "ies", "ed", "es", "s")
_DOUBLED = lazy_pattern(r"([bdgmnprt])\1$")


def tokens(text: str) -> tuple[str, ...]:
    """Return the words and numbers of a text as they are written."""
    return tuple(_WORD.findall(text))


@lru_cache(maxsize=20_000)
def stems(text: str) -> tuple[str, ...]:
    """Return the telling words of a text, in order, each as its stem."""
    return tuple(_stems(text))


def _stems(text: str) -> Iterator[str]:
    for place, word in enumerate(tokens(text)):
        if word[0].isdigit():
            yield _digits(word)
        elif word.isupper() and (place > 0 or len(word) > 1):
            yield word
        else:
            yield from (stem(part) for part in word.lower().split("-") if part not in _SMALL_WORDS)


def stem(word: str) -> str:
    """Return a word without its ending, cut to STEM_LENGTH, or the near synonym that stands for it."""
    bare = _without_ending(word.lower())
    return _MEETING.get(word.lower()) or _MEETING_STEMS.get(bare, bare)[:STEM_LENGTH]


def stem_set(words: str) -> frozenset[str]:
    """Return the stems of words that are written after one another."""
    return frozenset(map(stem, words.split()))


def _without_ending(word: str) -> str:
    plain = unicodedata.normalize("NFKD", re.sub("['’]s$", "", word))
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    for ending in _ENDINGS:
        if plain.endswith(ending) and len(plain) - len(ending) >= 3 and not plain.endswith("ss"):
            plain = _DOUBLED.sub(r"\1", plain.removesuffix(ending)) + ("y" if ending == "ies" else "")
            break
    return plain.removesuffix("e") if len(plain) > 3 else plain


def _digits(number: str) -> str:
    """Return a number without its thousands separators: ``10,000`` and ``10.000`` are 10000, ``1.5`` is 1.5."""
    return re.sub(r"[.,](?=\d{3}(?!\d))", "", number)


_MEETING_STEMS = {_without_ending(word): standing for word, standing in _MEETING.items()}


def names_id(text: str, item: str) -> bool:
    """Tell whether a text has an item's id as a word of its own."""
    return re.search(rf"(?<!\w){re.escape(item)}(?!\w)", text, re.IGNORECASE) is not None
