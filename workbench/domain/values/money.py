"""Money within a text: "€40k", "CHF 12'500", "half a million pounds", "5 EUR per person", "$5-8M"."""

from __future__ import annotations

import re
from typing import NamedTuple

from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.values.days import alternatives
from workbench.domain.values.named_value import Value
from workbench.domain.values.numbers import Number, number_at

_CURRENCIES = {
    word: code
    for code, words in {
        "EUR": "€ eur euro euros",
        "USD": "$ us$ usd dollar dollars bucks",
        "GBP": "£ gbp pound pounds quid",
        "CHF": "chf sfr franc francs franken",
        "SEK": "sek kronor krona kr",
        "NOK": "nok",
        "DKK": "dkk kroner",
        "JPY": "¥ jpy yen",
        "CNY": "cny yuan rmb",
        "INR": "₹ inr rs rupees rupee",
        "PLN": "pln zloty",
        "CZK": "czk kc",
        "HUF": "huf forint forints",
        "MXN": "mxn pesos peso",
        "BRL": "r$ brl reais",
        "AUD": "a$ au$ aud",
        "CAD": "c$ ca$ cad",
        "NZD": "nz$ nzd",
        "SGD": "s$ sgd",
        "HKD": "hk$ hkd",
        "TRY": "₺ try lira",
        "ZAR": "zar rand",
        "KRW": "₩ krw",
        "ILS": "₪ ils",
        "UAH": "₴ uah",
    }.items()
    for word in words.split()
}
"""A sign, code or word in plain form to the currency's code."""
_NATIONAL = {
    ("canadian", "dollars"): "CAD", ("australian", "dollars"): "AUD", ("singapore", "dollars"): "SGD",
    ("norwegian", "kroner"): "NOK", ("danish", "kroner"): "DKK", ("swedish", "kronor"): "SEK",
    ("mexican", "pesos"): "MXN",
}  # fmt: skip
_UNCLEAR = {
    "rs": "which rupees?", "pesos": "which pesos?", "peso": "which pesos?", "kroner": "which kroner?",
    "kr": "which kroner?",
}  # fmt: skip
"""Words that more than one currency is called."""
_DOTTED_THOUSANDS = frozenset({"EUR", "CHF", "DKK", "SEK", "NOK", "BRL", "PLN", "TRY", "HUF"})
"""Currencies of countries where 40.000 is forty thousand."""
CURRENCY_SIGNS = alternatives(re.escape(word) for word in _CURRENCIES if not word.isalpha())
_CURRENCY_CODE = alternatives(word for word in _CURRENCIES if word.isalpha() and word != "try")
_NATION = alternatives({nation for nation, _ in _NATIONAL} | {"us", "american", "british", "swiss"})
_CURRENCY_BEFORE = lazy_pattern(
    rf"(?P<word>{CURRENCY_SIGNS})\s?|(?P<code>{_CURRENCY_CODE})\.?\s(?=\d)|(?P<short>eur|usd|gbp|chf|sfr|inr)(?=\d)"
)
_CURRENCY_AFTER = lazy_pattern(
    rf"(?:[.,]?-{{1,2}})?(?:,?\sin\s|\s?)(?:(?P<nation>{_NATION})[- ])?"
    rf"(?P<word>{CURRENCY_SIGNS}|(?:{_CURRENCY_CODE})(?![a-z0-9]))(?:\ssterling)?"
)
_CURRENCY_AGAIN = lazy_pattern(rf"(?:\s?-\s?|\s(?:to|and)\s)(?:{CURRENCY_SIGNS}|(?:{_CURRENCY_CODE})\s)(?=\s?\d)")
"""The currency of the upper end of a range: "€5 to €8"."""
_TIMES = r"day|week|month|quarter|year|hour|night|minute"
_EACH = r"person|head|guest|child|adult|ticket|piece|participant|seat|unit|user|square\smet(?:re|er)|m2|kg|km"
_PER = lazy_pattern(
    rf"\s?(?:(?:/|(?:per|each|every|pro)\s)\s?(?P<unit>{_TIMES}|{_EACH}|pp|mo|yr|wk|hr|h|(?<!each\s)(?<!every\s)[a-z]+)|"
    r"(?:(?P<heads>each)(?=\s(?:should|will|would|must)\b))|"
    rf"\b(?:an?|the)\s(?P<an>{_TIMES}|{_EACH}|pop|copy|time|go|plate|bottle|slice|place|dozen|litre|metre|hr|"
    r"jar|pot|box|bag|tray|crate|pint|cup|loaf|mile|page|word|lesson|session|class|room|table|pair|set|portion|shift|visit|stall|pitch)|"
    r"(?:\b|(?<=\d))(?P<adverb>daily|weekly|monthly|quarterly|yearly|annually|hourly|each|apiece|p\.?a|pcm|pm|p\.?p\.?))(?![a-z])"
)
PERS = {
    word: per
    for per, words in {
        "hour": "hourly h hr",
        "day": "daily tag",
        "night": "nightly",
        "week": "weekly wk woche",
        "month": "monthly pcm pm mo monat",
        "quarter": "quarterly",
        "year": "yearly annually annual pa p.a yr jahr",
        "person": "pp p.p. p.p head guest participant kopf",
        "unit": "each apiece pop piece",
    }.items()
    for word in words.split()
}
_OFTEN = lazy_pattern(
    r"\b(?P<unit>daily|nightly|hourly|weekly|monthly|quarterly|yearly|annual|"
    r"(?:day|night|hour|week|month)(?=\s(?:rate|fee|wage)s?\b))\s(?!and\b)[a-z]+\b[^.,;!?\n\d]{0,25}$"
)
"""Before an amount of each period: "a monthly budget of 300 euros", "her day rate is 480 CHF"."""
_WEIGHT = lazy_pattern(
    r"\s(?:of\s(?!(?:the|our|my|your|it|that|\w*\s?(?:money|fund\w*|grants?|savings|debts?|cash|donations|support|damage"
    r"|equipment|materials?|prizes?|vouchers?|rent|costs?))\b)|lighter|heavier|in\sweight)"
)
_MOST_POUNDS = 1_000
"""Pounds that are a weight if it is said of what, and that is not a money."""


class Money(NamedTuple):
    """A sum of money that begins at a place."""

    end: int
    value: Value
    doubt: str


def is_currency(word: str) -> bool:
    """Tell whether a sign or a word begins a sum of money."""
    return word in _CURRENCIES or word[:3] in {"eur", "usd", "chf"}


def per_at(plain: str, at: int) -> tuple[str, int]:
    """Return what an amount that ends at a place is for each of, and where that ends: "a month", "per person"."""
    match = _PER.match(plain, at)
    if match is None:
        return "", at
    word = match["unit"] or match["an"] or match["adverb"] or "person"
    return PERS.get(word, word), match.end()


def money_before(plain: str, at: int) -> Money | None:
    """Read "€40k", "CHF 12'500", "$5-8M", "€5 to €8"."""
    before = _CURRENCY_BEFORE.match(plain, at)
    number = number_at(plain, before.end(), money=True) if before is not None else None
    if before is None or number is None or not plain[before.end()].isdigit():
        return None
    if number.up_to is None and (joint := _CURRENCY_AGAIN.match(plain, number.end)) is not None:
        high = number_at(plain, joint.end() + (plain[joint.end()] == " "), money=True)
        if high is not None and high.value > number.value:
            number = Number(number.value, high.end, high.value, number.doubt)
    sign = _CURRENCY_AFTER.match(plain, number.end)
    if sign is not None and not sign["word"].isalpha():
        number = number._replace(end=sign.end())
    written = before["word"] or before["code"] or before["short"]
    return _money(plain, at, number, _CURRENCIES[written], written)


def money_after(plain: str, at: int) -> Money | None:
    """Read "40k EUR", "half a million pounds", "8 to 10 Swiss francs"."""
    number = number_at(plain, at, money=True)
    match = _CURRENCY_AFTER.match(plain, number.end) if number is not None else None
    if number is None or match is None:
        return None
    nation, word = match["nation"], match["word"]
    is_weight = word.startswith("pound") and number.value < _MOST_POUNDS
    if is_weight and _WEIGHT.match(plain, match.end()) is not None:
        return None
    currency = _NATIONAL.get((nation, word), _CURRENCIES[word])
    return _money(plain, at, number._replace(end=match.end()), currency, "" if nation else word)


def _money(plain: str, at: int, number: Number, currency: str, written: str) -> Money:
    is_plain = currency in _DOTTED_THOUSANDS and "read as" in number.doubt
    doubt = _UNCLEAR.get(written) or ("" if is_plain else number.doubt)
    per, end = per_at(plain, number.end)
    if not per and (often := _OFTEN.search(plain, max(0, at - 40), at)) is not None:
        per = PERS.get(often["unit"], often["unit"])
    return Money(end, Value(number=number.value, up_to=number.up_to, currency=currency, per=per), doubt)
