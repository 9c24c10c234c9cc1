"""Numbers as people write them: digits, words, fractions, scales and ranges.

"12'500" · "1.5M" · "twenty-two" · "half a million" · "1 1/2" · "3-5" ──number_at──▶ Number
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from workbench.domain.text.patterns import lazy_pattern


class Number(NamedTuple):
    """A number that begins at a place of a text."""

    value: float
    end: int
    up_to: float | None = None
    """Upper end of a range."""
    doubt: str = ""


_ONES = {
    word: number
    for number, words in enumerate(
        (
            "zero",
            "one ein eine einem einer einen un une uno una",
            "two zwei deux dos",
            "three drei trois tres",
            "four vier quatre cuatro",
            "five funf cinq cinco",
            "six sechs seis",
            "seven sieben sept siete",
            "eight acht huit ocho",
            "nine neun neuf nueve",
            "ten zehn dix diez",
            "eleven elf onze",
            "twelve zwolf douze doce",
            *["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"],
        )
    )
    for word in words.split()
}
_TEN_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS = {word: 10 * number for number, word in enumerate(_TEN_WORDS.split(), start=2)}
NUMBER_WORDS = frozenset({*_ONES, *_TENS, "a", "an", "half", "quarter", "couple", "few", "several", "hundred", "dozen"})
"""Words that a number may begin with."""
_SCALES = {
    word: scale
    for scale, words in (
        (12, "dozen"),
        (1_000, "thousand tausend tsd mille mil grand k"),
        (100_000, "lakh"),
        (1_000_000, "million millions mill mio mn mln millionen m"),
        (10_000_000, "crore"),
        (1_000_000_000, "billion billions bn mrd milliarden"),
    )
    for word in words.split()
}
_SCALE = lazy_pattern(
    r"\s?(hundred|dozen|thousand|tausend|tsd|mille|mil|grand|lakh|millions?|mill|millionen|mio|mln|mn|crore|billions?|bn|mrd|"
    r"milliarden)\b\.?|\s?(k)\b(?!\s?(?:run|race|walk))"
)
_DIGITS = lazy_pattern(
    r"\d{1,2}(?:,\d{2})+,\d{3}(?![\d,])|\d{1,3}(?:[ .,']\d{3})+(?!\d)(?:[.,]\d{1,2}(?!\d))?|\d+(?:[.,]\d+)?"
)
_THOUSANDS = lazy_pattern(r"[ .,'](?=\d{3}(?!\d))|,(?=(?:\d{2},){1,6}+\d{3}(?!\d))")
_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75}
_FRACTION = lazy_pattern(r" ?([½¼¾])|(?:(?<=\d) |(?<!\d))([1-3])/([2-4])(?![\d/])")
_AND_A_HALF = lazy_pattern(r"\sand\san?\s(half|quarter)\b")
_HALF = lazy_pattern(
    r"(half)(?:-|\sof)?(?:\s?\b(?:an?|one))?(?=\s)|(half)-(?=[a-z])|an?\s(half)(?=\s)|"
    r"(?:an?\s)?(quarter)\sof\san?\b|(three[\s-]quarters)\sof\san?\b|(?:eine?[nmr]?\s)?(halbe[nrs]?)(?=\s)"
)
_FEW = lazy_pattern(
    r"(an?\scouple(?:\sof)?|couple(?:\sof)?)\b|((?:an?\s)?few|several|an?\shandful(?=\sof))\b(?:(?<=handful)\sof)?"
)
_ARTICLE = lazy_pattern(
    r"an?\s(?:cool\s|whole\s)?(?=(?:hundred|thousand|million|billion|dozen)\b|grand\b(?!\s(?!(?:for|on|to|or|a|in|is|at|should|left|max)\b)[a-z]))"
)
_WORD = lazy_pattern(
    rf"({'|'.join(sorted((*_ONES, *_TENS, *_SCALES, 'hundred'), key=len, reverse=True))})(?![a-z])(?!'s)"
)
_JOINT = lazy_pattern(r"(?:-|\s)(and\s)?")
_TO = lazy_pattern(r"\s?-\s?(?=[\d½¼¾])|,?\s(?:to|or|bis|up\sto|(?:or\s)?(?:maybe|perhaps|possibly|even))\s|-to-")
_AND = lazy_pattern(r"\s(?:and|to)\s|\s?-\s?(?=\d)")


def number_at(plain: str, at: int, *, money: bool = False) -> Number | None:
    """Return the number or range that begins at a place; ``money``: a single "m" means millions."""
    low = _single(plain, at, money=money)
    if low is None:
        return None
    joint = (_AND if plain.endswith("between ", 0, at) else _TO).match(plain, low.end)
    high = _single(plain, joint.end(), money=money) if joint is not None else None
    if high is None:
        return low._replace(up_to=None)
    scale = high.up_to or 1
    value = low.value * scale if (low.up_to or 1) == 1 and low.value * scale < high.value else low.value
    if value >= high.value:
        return low._replace(up_to=None)
    return Number(value, high.end, high.value, low.doubt or high.doubt)


def single_at(plain: str, at: int, *, money: bool = False) -> Number | None:
    """Return the number that begins at a place, never a range."""
    number = _single(plain, at, money=money)
    return number._replace(up_to=None) if number is not None else None


@lru_cache(maxsize=256)  # each rule asks for the number at its place
def _single(plain: str, at: int, *, money: bool) -> Number | None:
    """Return one number; ``up_to`` holds its scale here, which the lower end of a range may share."""
    if plain[at : at + 1].isascii() and plain[at : at + 1].isdigit():
        return _digits(plain, at, money=money)
    if (sign := plain[at : at + 1]) in _FRACTIONS:
        return Number(_FRACTIONS[sign], at + 1, 1)
    if (half := _HALF.match(plain, at)) is not None:
        return _scaled(plain, 0.25 if half[4] else 0.75 if half[5] else 0.5, half.end(), money=False)
    if (few := _FEW.match(plain, at)) is not None:
        doubt = "" if few[1] else f"how many is {few[2]}?"
        count = 2 if few[1] else 5 if few[2].endswith("handful") else 3
        return _scaled(plain, count, few.end(), money=False)._replace(doubt=doubt)
    return _in_words(plain, at)


def _digits(plain: str, at: int, *, money: bool) -> Number | None:
    match = _DIGITS.match(plain, at)
    if match is None or len(match[0]) > 30:
        return None
    written = match[0]
    whole = _THOUSANDS.sub("", written)
    value = float(whole.replace(",", "."))
    end = match.end()
    doubt = f"{written} read as {value:,.0f}" if written.partition(".")[2] == whole[-3:] else ""
    simple = _FRACTION.match(plain, at)
    if simple is not None and simple[2]:
        return Number(int(simple[2]) / int(simple[3]), simple.end(), 1)
    if (fraction := _FRACTION.match(plain, end)) is not None:
        value += _FRACTIONS[fraction[1]] if fraction[1] else int(fraction[2]) / int(fraction[3])
        return Number(value, fraction.end(), 1)
    more, end = _and_a_half(plain, end)
    return _scaled(plain, value + more, end, money=money, doubt=doubt)


def _and_a_half(plain: str, at: int) -> tuple[float, int]:
    """Return what "and a half" adds to a number, and where it ends."""
    match = _AND_A_HALF.match(plain, at)
    return ((0.5 if match[1] == "half" else 0.25), match.end()) if match is not None else (0, at)


def _scaled(plain: str, value: float, end: int, *, money: bool, doubt: str = "") -> Number:
    scale = 1
    if (match := _SCALE.match(plain, end)) is not None:
        word = match[match.lastindex or 1]
        scale, end = 100 if word == "hundred" else _SCALES[word], match.end()
    elif money and plain[end : end + 1] == "m" and not plain[end + 1 : end + 2].isalnum():
        scale, end = _SCALES["m"], end + 1
    return Number(float(value * scale), end, scale, doubt)


def _in_words(plain: str, at: int) -> Number | None:
    """Read "twenty-two", "a hundred and fifty", "two and a half thousand"."""
    article = _ARTICLE.match(plain, at)
    place, end = article.end() if article is not None else at, at
    count = _Count(0, 1 if article is not None else 0, 1)
    opened = article is not None
    while (match := _WORD.match(plain, place)) is not None and (
        more := _counted_on(count, match[1], opened)
    ) is not None:
        count, opened, end = more, True, match.end()
        joint = _JOINT.match(plain, end)
        if joint is None or (joint[1] and not (count.total or count.current >= 100)):
            break
        place = joint.end()
    if end == at:
        return None
    value = float(count.total + count.current)
    half, after = _and_a_half(plain, end)
    return _scaled(plain, value + half, after, money=False) if half else Number(value, end, count.scale)


class _Count(NamedTuple):
    """A number as far as its words were read."""

    total: int
    """Thousands and what is above them."""
    current: int
    """What the next scale multiplies."""
    scale: int


def _counted_on(count: _Count, word: str, opened: bool) -> _Count | None:
    """Return a number with one more of its words; None if the word does not continue with it."""
    part = _ONES.get(word) or _TENS.get(word)
    if word == "hundred":
        return count._replace(current=count.current * 100, scale=100) if 0 < count.current < 100 else None
    if part is None:
        is_scale = word in _SCALES and len(word) > 2 and count.current
        return _Count(count.total + count.current * _SCALES[word], 0, _SCALES[word]) if is_scale else None
    if opened and not _follows(count.current, part, count.total):
        return None
    return count._replace(current=count.current + part)


def _follows(current: int, value: int, total: int) -> bool:
    """Return whether a number word continues with the number before it: "twenty two", not "two two"."""
    if value >= 10:
        return current % 100 == 0 and (current >= 100 or (current == 0 and total > 0))
    return current % 10 == 0 and current % 100 != 10 and (current > 0 or total > 0)
