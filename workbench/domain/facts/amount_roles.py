"""The words around an amount that say what it is for: a budget, a price, a target, or a count.

"for at most" · "a budget of" · "we can spend"   budget      "costs" · "tickets at" · "per person"   price
"raise" · "save" · "cut by"                       target      "120 guests"                            count

All functions read the plain form of a text without runs of blanks.
"""

from __future__ import annotations

import re

from workbench.domain.facts.fact import Role, Value

_LIMIT = (
    r"at\s(?:the\s)?(?:most|maximum)|up\sto|(?:no|not)\s(?:more|longer|higher|greater)\sthan|max(?:imum)?(?:\sof|"
    r"\.|:)?|"
    r"under|below|less\sthan|fewer\sthan|within|(?:a\s)?(?:limit|cap|ceiling|maximum)(?:\s(?:is|of|at)|:)?|"
    r"not\s(?:exceed|cost\smore\sthan)|capped\sat|limited\sto|keep(?:ing)?\s(?:it\s|costs?\s)?(?:to|under|below|"
    r"within)|"
    r"hochstens|maximal|au\splus|como\smaximo"
)
_FLOOR = (
    r"at\sleast|(?:no|not)\sless\sthan|a\sminimum\sof|min(?:imum)?(?:\sof|\.)?|more\sthan|over|above|mindestens|"
    r"au\smoins|al\smenos"
)
_ABOUT = (
    r"about|around|roughly|approximately|approx\.?|circa|ca\.?|some|nearly|almost|exactly|only|another|"
    r"an\s(?:additional|extra)|the|our|my|a|total(?:\sof)?"
)
_BUDGET_OF = r"(?:an?\s|the\s|our\s|my\s)?(?:total\s|fixed\s|small\s|annual\s)?budget(?:\s(?:of|is(?:\snow)?)|:)"
_GROUP_OF = r"(?:an?\s|the\s|our\s|my\s)?(?:team|group|family|party|crew|band|committee|board|panel|household)\sof"
_PREPOSITION = r"(?:(?:for|of|with|on|by|in|at)\s)?"
_LEADS = (
    re.compile(rf"(?<![a-z']){_PREPOSITION}(?:{_LIMIT}|{_FLOOR}|between)\s(?:(?:{_ABOUT})\s)*$"),
    re.compile(rf"(?<![a-z']){_PREPOSITION}(?:{_BUDGET_OF}|{_GROUP_OF})\s(?:(?:{_ABOUT}|{_LIMIT})\s)*$"),
    re.compile(rf"(?<![a-z']){_PREPOSITION}(?:(?:{_ABOUT})\s)+$"),
)
_IS_LIMIT = re.compile(_LIMIT)
_TARGET = re.compile(
    r"\b(?:rais|earn|collect|sav(?:e|ing)|reach|win|gain|revenue|turnover|profit|donat|fundrais|target|goal|"
    r"generat|grow|"
    r"increas|income|reduc|cut|improv|lift|bring\sin)[a-z]*\b[^.;:!?\n]*$"
)
_SELLS = re.compile(r"\b(?:sell|sells|selling|sold|resell)\b[^.;!?\n]*$")
_HAS_BUDGET = re.compile(r"\bbudget\b[^.;!?\n]*$")
_SPENDS = re.compile(
    r"\b(?:spend|spending|afford|available|funding|funds|grant|(?:we|i)\shave|got|allowance|allocated|approved)\b"
    r"[^.;!?\n]{0,40}$|\b(?:for|on|with)\s(?:(?:about|around|roughly|only|just|exactly|some)\s)*$"
)
_PRICE = re.compile(
    r"\b(?:costs?|costing|costed|prices?|priced|fees?|pays?|paid|paying|rent|tickets?|worth|charges?|charging|invoice|"
    r"deposit|salary|wage|quoted?|bill|rate|offer|subscription|entry|admission|membership|contribution|owed?|loan|"
    r"damage)\b"
    r"[^.;!?\n]{0,40}$|\bat\s(?:(?:about|around|only)\s)?$"
)
_MOST = re.compile(r"most|max|tops|less")
_UNITS_OF_TIME = frozenset({"", "hour", "day", "week", "month", "quarter", "year"})
EXPECTS_MONEY = re.compile(
    rf"\b(?:budget|spend|costs?|price|pay|worth|rais\w+|earn|rent|fee|fees)\b[^.;!?\n]{{0,30}}$|(?:{_LIMIT})\s$"
)
"""Words before a number without a currency that make money of it."""
MONEY_FOLLOWS = re.compile(
    r"\s?(?:-\s?)?(?:budget|to\sspend|available|in\s(?:funding|the\sbank|total)|(?:at\s)?(?:the\s)?(?:max|most|"
    r"maximum)|"
    r"(?:or|and)\s(?:less|under)|limit|cap|tops)\b"
)
"""Words after it."""
SUFFIX = re.compile(r",?\s(?:at\s(?:the\s)?(?:most|least|max)|max(?:imum)?|tops|or\s(?:less|more))\b(?!\s?[\d€$£])")
"""Words after an amount that make a limit of it."""


def lead_of(plain: str, at: int, after: int) -> int:
    """Return where the words before an amount begin that belong to it ("for at most"), not before ``after``."""
    matches = (pattern.search(plain, max(after, at - 50), at) for pattern in _LEADS)
    return min((match.start() for match in matches if match is not None), default=at)


def role_of(plain: str, places: tuple[int, int, int, int], value: Value) -> Role:
    """Return what an amount is for; ``places``: of its first words, its number, its last words, and its end."""
    begin, at, last, end = places
    if value.unit not in {"", "%"}:
        return "count"
    before = plain[max(0, at - 80) : at]
    is_limit = _IS_LIMIT.search(plain, begin, at) is not None or _MOST.search(plain, last, end) is not None
    if _TARGET.search(before) is not None and (value.unit == "%" or not is_limit):
        return "target"
    if value.unit == "%":
        return "mention"
    if is_limit:
        return "budget"
    if value.per not in _UNITS_OF_TIME or _SELLS.search(before) is not None:
        return "price"
    if _HAS_BUDGET.search(before) is not None or MONEY_FOLLOWS.match(plain, last) is not None:
        return "budget"
    if _PRICE.search(before) is not None:
        return "price"
    return "budget" if _SPENDS.search(before) is not None else "mention"
