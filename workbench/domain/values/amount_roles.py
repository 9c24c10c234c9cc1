"""The words around an amount that say what it is for: a budget, a price, a target, or a count.

"for at most" · "a budget of" · "we can spend"   budget      "costs" · "tickets at" · "per person"   price
"raise" · "save" · "cut by"                       target      "120 guests"                            count
"""

from __future__ import annotations

import re
from typing import Literal

from workbench.domain.values.fact import Role, Value

_MORE = r"(?:(?:no|not)\s)?(?:(?:cost\s)?(?:more|longer|higher|greater)\sth[ae]n|over|above|beyond|exceed(?:s|ing)?)"
_LESS = r"(?:(?:no|not)\s)?(?:(?:less|fewer|lower)\sth[ae]n|under|below)"
_LIMIT = (
    r"at\s(?:the\s)?(?:most|maximum)|up\sto|max(?:imum)?(?:\sof|\.|:)?|within|"
    r"(?:a\s)?(?:limit|cap|ceiling|maximum)(?:\s(?:is|of|at)|:)?|cap(?:ped)?\s(?:it\s|this\s|costs?\s)?at|limited\sto|"
    r"keep(?:ing)?\s(?:it\s|costs?\s)?(?:to|under|below|within)|hochstens|maximal|au\splus|como\smaximo"
)
_FLOOR = r"at\sleast|min(?:imum)?(?:\sof|\.|\s[a-z]+(?:\s(?:is|of)|:))?|mindestens|au\smoins|al\smenos"
_ABOUT = (
    r"about|around|roughly|approximately|approx\.?|circa|ca\.?|some|nearly|almost|exactly|only|another|"
    r"an\s(?:additional|extra)|the|our|my|a|total(?:\sof)?"
)
_BUDGET_OF = r"(?:an?\s|the\s|our\s|my\s)?(?:total\s|fixed\s|small\s|annual\s)?budget(?:\s(?:of|is(?:\snow)?)|:)"
_GROUP_OF = r"(?:an?\s|the\s|our\s|my\s)?(?:team|group|family|party|crew|band|committee|board|panel|household)\sof"
_PREPOSITION = r"(?:(?:for|of|with|on|by|in|at)\s)?"
_LEADS = (
    re.compile(rf"(?<![a-z']){_PREPOSITION}(?:{_LIMIT}|{_FLOOR}|{_MORE}|{_LESS}|between)\s(?:(?:{_ABOUT})\s)*$"),
    re.compile(rf"(?<![a-z']){_PREPOSITION}(?:{_BUDGET_OF}|{_GROUP_OF})\s(?:(?:{_ABOUT}|{_LIMIT}|{_LESS})\s)*$"),
    re.compile(rf"(?<![a-z']){_PREPOSITION}(?:(?:{_ABOUT})\s)+$"),
)
_BOUNDS = tuple(re.compile(rf"\b(?:{words})\b") for words in (_MORE, _LESS, _LIMIT, _FLOOR))
_IS_THE_MOST = re.compile(
    r"(?:[^.;!?\n]|(?<=incl)\.){0,40}?\b(?:(?:that'?s|that\sis|and|is)\s(?:it|all|(?:our|my|the|a)\s(?:[a-z]+\s)?(?:limit|ceiling|max(?:imum)?|cap))|"
    r"not\s(?:a|one)\s(?:penny|cent|euro|dollar)\smore|(?:and\s)?no\smore)\b"
)
"""After an amount: "and that's our limit"."""
_NEGATION = re.compile(r"(?:\b(?:no|not|never|nothing|nobody|none|without|cannot)\b|n't\b)[^.,;:!?\n]{0,60}$")
_TARGET = re.compile(
    r"\b(?:rais|earn|collect|sav(?:e|ing)(?!s)|reach|win(?![edt])|gain|revenue|turnover|profit|donat|fundrais|target|goal|"
    r"generat|grow|increas|income|reduc|cut(?!l)|improv|lift|brings?\sin)[a-z]*\b[^.;:!?\n]*$"
)
_INCOME = re.compile(
    r"\b(?:hop(?:e|es|ing)\s(?:for|to\s(?:make|raise|get|earn|take|clear|bring))|sell(?:s|ing)?|sold|"
    r"fingers\scrossed|applied\s(?:to|for))\b[^.;:!?\n]*$"
)
"""What comes in: "we hope for 3,800 GBP". What each of many pays stays a price."""
_PROFIT = re.compile(r"\s(?:(?:of|in)\s)?(?:profit|revenue|turnover|donations|surplus)\b")
_HAS_BUDGET = re.compile(r"\bbudget\b[^.;!?\n]*$|\bmay\s(?:only\s)?cost\b[^.,;!?\n]{0,20}$")
_AFTER_A_BUDGET = re.compile(r"\bbudget\b[^.;!?\n]*\d[^.;!?\n]*(?::|,|\band)\s(?!or\b|from\b)[a-z][^.;!?\n\d]*$")
"""In a list of what a budget is for: "a budget of 5,000 EUR: hall 2,000 EUR"."""
_SPENDS = re.compile(
    r"\b(?:spend|spending|afford|available|funding|funds|grant|(?:we|i)\s(?:(?:only|just|still|also)\s)?have|got|savings|allowance|allocated|approved|"
    r"promised|granted|aside)\b"
    r"[^.;!?\n]{0,40}$|\b(?:for|on|with)\s(?:(?:about|around|roughly|only|just|exactly|some)\s)*$"
)
_PRICE = re.compile(
    r"\b(?:costs?|costing|costed|prices?|priced|fees?|pays?|paid|paying|rent|tickets?|worth|charges?|charging|invoice|payments?|instal+ments?|"
    r"deposit|salary|wage|quoted?|bill|rate|offer|subscription|(?:sets?|knocks?)\s(?:us|me|you|them)\sback|entry|admission|membership|contribution|owed?|loan|"
    r"damage)\b[^.;!?\n]{0,40}$|\bat\s(?:(?:about|around|only)\s)?$"
)
_AT = re.compile(r"\b(?:at|each)\s(?:(?:about|around|only)\s)?$")
_ASKED = re.compile(
    r"(?<!\bi\s)(?<!\bwe\s)(?<!you\s)\b(?:wants?|asks(?:\sfor)?)\s(?:(?:about|around|only|another)\s)?$"
)
_CHARGED = re.compile(r"\b(?:tickets?|entry|entrance|admission|membership|registration)\b[^.;!?\n]{0,40}$")
"""What others pay: a limit of it is no budget."""
_BESIDE = re.compile(r"[a-z]\)?(?:,\s|:\s|\s?\(|\s-\s)(?:(?:somewhere|maybe|perhaps|say)\s)*$")
"""Where an amount stands beside what it is for: "a used van, 3,000 EUR"."""
_MOST = re.compile(r"most|max|tops|less")
_LEAST = re.compile(r"least|more")
_UNITS_OF_TIME = frozenset({"", "hour", "day", "week", "month", "quarter", "year"})
EXPECTS_MONEY = re.compile(
    rf"\b(?:budget|spend|costs?|price|pay|worth|rais\w+|earn|rent|fee|fees|set\s(?:us|me|you|them)\sback|chips?\sin|owes?|"
    rf"charges?|invoices?|quoted?|deposit|salary|wages?|loan|mortgage|afford|(?:put|set)\s(?:aside|by)|(?:go|be|stay)\s(?:over|above|beyond|under))\b[^.;!?\n]{{0,30}}$|(?:{_LIMIT}|{_LESS}|no\smore\sthan|not\sexceed)\s$"
)
"""Words before a number without a currency that make money of it."""
MONEY_FOLLOWS = re.compile(
    r",?\s?(?:-\s?)?(?:budget|grant|to\sspend|available|left|in\s(?:funding|total|the\s(?:bank|pot|kitty|account))|(?:at\s)?(?:the\s)?(?:max|most|"
    r"maximum)|(?:or|and)\s(?:less|under)|limit|cap|tops)\b"
)
SUFFIX = re.compile(r",?\s(?:at\s(?:the\s)?(?:most|least|max)|max(?:imum)?|tops|or\s(?:less|more))\b(?!\s?[\d€$£])")


def lead_of(plain: str, at: int, after: int) -> int:
    """Return where the words before an amount begin that belong to it ("for at most"), not before ``after``."""
    matches = (pattern.search(plain, max(after, at - 50), at) for pattern in _LEADS)
    return min((match.start() for match in matches if match is not None), default=at)


def bound_of(plain: str, places: tuple[int, int, int, int]) -> Literal["", "at most", "at least"]:
    """Return which side of an amount is meant; a negation in its clause turns "above" and "under" round."""
    begin, at, last, end = places
    more, less, limit, floor = (pattern.search(plain, begin, at) is not None for pattern in _BOUNDS)
    if more or less:
        is_negated = _NEGATION.search(plain, max(0, begin - 80), at) is not None
        return "at most" if more == is_negated else "at least"
    if limit or _MOST.search(plain, last, end) is not None or _IS_THE_MOST.match(plain, end) is not None:
        return "at most"
    return "at least" if floor or _LEAST.search(plain, last, end) is not None else ""


def role_of(plain: str, places: tuple[int, int, int, int], value: Value) -> Role:
    """Return what an amount is for; ``places``: of its first words, its number, its last words, and its end."""
    begin, at, last, end = places
    if value.unit not in {"", "%"}:
        return "count"
    before = plain[max(0, at - 80) : at]
    is_limit = value.bound == "at most"
    if _TARGET.search(before) is not None and (value.unit == "%" or not is_limit):
        return "target"
    if value.unit == "%":
        return "mention"
    if _PROFIT.match(plain, end) is not None:
        return "target"
    if is_limit:
        return "price" if _CHARGED.search(before) is not None else "budget"
    if _INCOME.search(before) and not (value.per or _CHARGED.search(before) or _AT.search(before)):
        return "target"
    if value.per not in _UNITS_OF_TIME or _AFTER_A_BUDGET.search(before) is not None:
        return "price"
    if _HAS_BUDGET.search(before) is not None or MONEY_FOLLOWS.match(plain, last) is not None:
        return "budget"
    if _PRICE.search(before) is not None or (value.currency and _ASKED.search(before)):
        return "price"
    if _SPENDS.search(before) is not None:
        return "budget"
    return "price" if _BESIDE.search(plain, max(0, begin - 30), begin) is not None else "mention"
