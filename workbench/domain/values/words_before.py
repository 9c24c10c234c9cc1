"""The words before a value that belong to it: "before 1 June", "at most 500 EUR", "between 3 and 14 May".

They tell that it is a value and which side of it is meant, and never what it is for.
"""

from __future__ import annotations

from typing import Literal

from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.values.days import alternatives

_WORDS = {
    word: kind
    for kind, words in {
        "on": "on;only on;am;only;falls on",
        "at": "at;zum;for;le;el;al;au;is;are;be;ist",
        "by": "by;on or before;before or on;no later than;not later than;latest;bis;bis zum;due;deadline;"
        "spatestens;spatestens am;jusqu'au;"
        "jusqu'en;para;hasta;expires;closes;ends;opens;leaves;arrives;starts;begins;starting;beginning",
        "until": "until;till;'till;til;up to;through",
        "before": "before;bfore;befor;b4;prior to;ahead of;in advance of;earlier than;vor;avant;antes de;antes del",
        "after": "after;later than;past;following;nach;apres;despues de;despues del",
        "from": "from;since;as of;ab;seit;vom;a partir du;a partir de;depuis;desde;du;del;effective",
        "between": "between;zwischen;entre",
        "in": "in;during;within;over;throughout;sometime in;im;en;sometime;whole of;all of;rest of;month of",
    }.items()
    for word in words.split(";")
}
_FILL = r"(?:\s(?:the|dem|den|der|le|la|el|about|around|roughly|at\sleast|or|and|on|in)|[:=(])*\s?\(?$"
_WORD = lazy_pattern(rf"(?<![\w'-])(?P<word>{alternatives(_WORDS)}){_FILL}")
_NEGATION = lazy_pattern(
    r"(?:\b(?:no|not|never|nothing|nobody|none|without|cannot|nicht|kein)|n't)\b(?!\s(?:forget|fail|miss)\b)"
    r"[^.,;:!?\n]{0,60}$"
)
_WE_DID = (
    r"(?:i|we|he|she|they)(?:'ve)?\s(?:have\s|has\s|only\s|just\s|all\s|both\s)?"
    r"(?:[a-z]+ed|met|went|came|left|won|lost|wrote|did|paid|sent|got|took|gave|made|saw|sold|bought|held|began|flew|told|said)\b"
)
_PAST = lazy_pattern(
    rf"\b(?:(?:was|were|had|did|already|since|seit|war|waren|wurden?|hatten?)\b|{_WE_DID})[^.,;:!?\n]*$"
)
_PAST_AFTER = lazy_pattern(rf",?\s{_WE_DID}")
_OF_A_NOUN = frozenset({"by", "before", "until", "after"})
_MORE = r"(?:(?:cost\s)?(?:more|longer|higher|greater)\sth[ae]n|over|above|beyond|exceed(?:s|ing)?|mehr\sals|uber)"
_LESS = r"(?:(?:less|fewer|lower)\sth[ae]n|under|below|weniger\sals|unter)"
_BOUND = lazy_pattern(
    rf"(?<![\w'-])(?:(?P<more>{_MORE})|(?P<less>{_LESS})|(?P<most>at\s(?:the\s)?(?:most|maximum)|up\sto|"
    r"max(?:imum)?(?:\sof|\.|:)?|within|limited\sto|capped\sat|hochstens|maximal|au\splus|como\smaximo)|"
    r"(?P<least>at\sleast|min(?:imum)?(?:\sof|\.|:)?|mindestens|au\smoins|al\smenos))\s"
    r"(?:(?:about|around|roughly|a\stotal\sof)\s)?$"
)
_BOUND_AFTER = lazy_pattern(
    r",?\s(?:(?P<most>at\s(?:the\s)?most|max(?:imum)?|tops|or\sless)|(?P<least>at\s(?:the\s)?least|or\smore))\b"
    r"(?!\s?[\d€$£])"
)
_NEAR = 40
"""Characters before a value in which the words that belong to it stand."""


def word_before(plain: str, at: int) -> str:
    """Return the kind of the word before a date: on, by, before, in …; "" for any other."""
    match = _WORD.search(plain, max(0, at - _NEAR), at)
    return _WORDS[match["word"]] if match is not None else ""


def is_negated(plain: str, at: int) -> bool:
    """Tell whether the clause before a place says that something is not so: "may not start before"."""
    return _NEGATION.search(plain, max(0, at - 2 * _NEAR), at) is not None


def tells_of_past(plain: str, start: int, end: int, word: str) -> bool:
    """Tell whether the clause around a day says what was: "we signed it on 3 May"."""
    if word in _OF_A_NOUN:
        return False
    return (_PAST.search(plain, max(0, start - 2 * _NEAR), start) or _PAST_AFTER.match(plain, end)) is not None


def bound_of(plain: str, start: int, end: int) -> Literal["", "at most", "at least"]:
    """Return which side of an amount is meant; a negation turns "above" and "under" round."""
    match = _BOUND.search(plain, max(0, start - _NEAR), start) or _BOUND_AFTER.match(plain, end)
    kind = match.lastgroup if match is not None else None
    if match is None or kind is None:
        return ""
    if kind in {"more", "less"}:
        return "at most" if is_negated(plain, match.start()) == (kind == "more") else "at least"
    return "at most" if kind == "most" else "at least"
