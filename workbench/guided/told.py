"""The steps that a person tells when asked for them: one for each thing to do, in their words and their order.

"First I give notice by 31 December; then book a van (Moira); the council takes 4 weeks to answer"
 └─ Give notice by 31 December ─┘ └─ Book a van ──┘ └─ The council takes 4 weeks to answer ──────┘

It reads the form and hardly the words, so that it works in any language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from workbench.guided import patterns
from workbench.guided.phrases import VERBS, begins_with_a_verb, says_nothing_is_done

_MARKS = re.compile(
    r"\s*[;；\n]+\s*(?:(?:\d{1,2}[.)]|[-*•–])\s+)?|\s*[。！？]\s*"
    r"|(?<!\d)(?<!\b[DMS][rst])(?<!\bMrs)(?<!\bca)(?<!\bno)(?<!\bapprox)[.!?]+\s+(?=\S)"
)
"""Between steps that somebody has set apart: semicolons, lines, sentences."""
_NUMBERS = re.compile(r"(?:^|\s)\(?\d{1,2}[.)]\s+(?=\D)")
_THEN = re.compile(r",?\s+(?:and\s+)?(?:then|after that|afterwards|finally|next)\b,?\s+", re.IGNORECASE)
_WORDS = re.compile(
    rf",\s+(?:and\s+)?(?=(?:{VERBS}|\w{{3,}}ing)\s)|\s+and\s+(?=(?:{VERBS})\s+(?:the|a|an|our|my|all|it|them)\b)"
    rf"|,\s+and\s+(?=(?:an?|the) )|{patterns.CLAUSE.pattern}",
    re.IGNORECASE,
)
"""Between steps in one English sentence, where nothing else sets them apart."""
_COMMA = re.compile(r",(?!\d)\s+(?:and\s+)?")
_LEAD = re.compile(
    rf"^(?:(?:first(?= of all|,| i\b| we\b| (?:{VERBS})\b)(?: of all)?|firstly|"
    r"second(?:ly)?|third(?:ly)?|then|next|after that|afterwards|finally|lastly|also"
    r"|and|so|but|probably|of course)\b[,:]?\s+"
    r"|(?:i|we)(?:['’](?:ll|d|ve))?\s+(?:(?:also|then|still|first|just)\s+)?"
    r"(?:(?:have|need|want|hope|plan|ought|got|would like|like|will have|am going|are going)(?: still)? to\s+"
    rf"|(?:must|should|will|can|could)(?: (?:also|then|still|first))?\s+|(?=(?:{VERBS})\b))"
    r"|it (?:has|needs) to be\s+)+",
    re.IGNORECASE,
)
_FEWEST_LETTERS = 4


def told_in(text: str, *, is_english: bool) -> list[tuple[int, int]]:
    """Return the place of each step in an answer."""
    between = _NUMBERS if re.match(r"\s*\(?1[.)]\s", text) else _MARKS
    places = list(_cut(text, 0, len(text), between))
    if is_english:
        places = [piece for start, end in places for piece in _cut(text, start, end, _THEN)]
    if is_english and between is _MARKS and ";" not in text and "\n" not in text:
        places = [piece for start, end in places for piece in _cut(text, start, end, _WORDS)]
        places = [piece for start, end in places for piece in _listed(text, start, end)]
    return [place for place in places if sum(map(str.isalpha, text[slice(*place)])) >= _FEWEST_LETTERS]


def step_title(text: str) -> str:
    """Return the words of a step without those that only join it to the others."""
    return _LEAD.sub("", " ".join(text.split()), count=1).strip(" ,;:.")


def is_step(text: str) -> bool:
    """Tell whether English words say what is to be done, and not how things are or on what they depend."""
    title = step_title(text)
    if patterns.NOT_BEGUN.match(text) or patterns.IF.match(text) or patterns.SAYS_NOTHING.match(title):
        return False
    title = re.sub(r"(?<=\w )works?\b", "", title)  # "roof work after the licence"
    is_doing = begins_with_a_verb(title) or patterns.DOING.match(title) is not None
    return is_doing or says_nothing_is_done(title) or patterns.WILL_BE_DONE.search(title) is not None


def _listed(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the places of things in a list without verbs; the stretch as it is where it is none."""
    things = list(_cut(text, start, end, _COMMA))
    told = [text[first:last] for first, last in things]
    is_list = len(things) > 2 and all(map(says_nothing_is_done, told)) and not any(map(patterns.GOES_ON.match, told))
    return things if is_list else [(start, end)]


def _cut(text: str, start: int, end: int, between: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Yield the places between the marks in a stretch of text; none of them within brackets."""
    is_whole = between is not _MARKS and patterns.IF.match(text, start) is not None
    marks = [] if is_whole else [(one.start(), one.end()) for one in between.finditer(text, start, end)]
    marks = [one for one in marks if text.count("(", start, one[0]) <= text.count(")", start, one[0])]
    for (_, first), (last, _) in pairwise([(start, start), *marks, (end, end)]):
        piece = text[first:last]
        if kept := piece.strip(" ,;:."):
            at = first + piece.index(kept)
            yield at, at + len(kept)
