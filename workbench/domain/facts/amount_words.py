"""Words of amounts: currencies, measures, and nouns whose number is a name and no amount."""

from __future__ import annotations

import re

from workbench.domain.facts.calendar_words import MONTHS, WEEKDAYS
from workbench.domain.facts.days import alternatives
from workbench.domain.facts.vocabulary import SMALL

CURRENCIES = {
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
NATIONAL = {
    ("canadian", "dollars"): "CAD",
    ("australian", "dollars"): "AUD",
    ("singapore", "dollars"): "SGD",
    ("norwegian", "kroner"): "NOK",
    ("danish", "kroner"): "DKK",
    ("swedish", "kronor"): "SEK",
    ("mexican", "pesos"): "MXN",
}
WHICH = "which currency?"
UNCLEAR = {
    "rs": "which rupees?",
    "cent": WHICH,
    "cents": WHICH,
    "pesos": "which pesos?",
    "peso": "which pesos?",
} | dict.fromkeys(("kroner", "kr"), "which kroner?")
"""Words that more than one currency is called."""
DOTTED_THOUSANDS = frozenset({"EUR", "CHF", "DKK", "SEK", "NOK", "BRL", "PLN", "TRY", "HUF"})
"""Currencies of countries where 40.000 is forty thousand."""
SIGN = alternatives(re.escape(word) for word in CURRENCIES if not word.isalpha())
_CODE = alternatives(word for word in CURRENCIES if word.isalpha() and word != "try")
_NATION = alternatives({nation for nation, _ in NATIONAL} | {"us", "american", "british", "swiss"})
CURRENCY_BEFORE = re.compile(
    rf"(?P<word>{SIGN})\s?|(?P<code>{_CODE})\.?\s(?=\d)|(?P<short>eur|usd|gbp|chf|sfr|inr)(?=\d)"
)
CURRENCY_AFTER = re.compile(
    rf"(?:[.,]?-{{1,2}})?(?:,?\sin\s|\s?)(?:(?P<nation>{_NATION})[- ])?"
    rf"(?P<word>{SIGN}|(?:{_CODE})(?![a-z0-9]))(?:\ssterling)?"
)
CURRENCY_AGAIN = re.compile(rf"(?:\s?-\s?|\s(?:to|and)\s)(?:{SIGN}|(?:{_CODE})\s)(?=\s?\d)")
"""The currency of the upper end of a range: "€5 to €8"."""
SUBUNIT = re.compile(r"\s?(?P<word>cents?|pence|p(?<=\dp))(?![a-z])")
"""A hundredth of what is paid in."""
FORINT = re.compile(r"\s?ft(?![a-z])")
"""After thousands; else it is feet."""
MEASURE = re.compile(
    r"\s?(?P<unit>km/h|km|kg|kwp?|kwh|mw|gsm|lbs?|oz|m²|m2|m3|sqm|sq\sft|square\s(?:metres?|meters?|feet)|cm|mm|gb|tb|mb|pb|kb|ha|"
    r"hectares?|acres?|litres?|liters?|miles?|metres?|meters?|feet|inch(?:es)?|tons?|tonnes?|grams?|m|g|l|t|ft|"
    r"mbit/s|rps|"
    r"fps|px|°c?|x)(?![a-z0-9])"
)
_LABEL_LIST = """
    act age aged ages day month module round angular apartment appendix area article at building bus chapter class
    code column covid din district django episode exercise fig figure flat flight floor formula gate grade highway
    house iec invoice iso issue item java lesson level line model motorway mysql no node nr number option p page
    paragraph part phase php platform port postgres postgresql pp psalm python question rails react release rfc room
    route row ruby scene season section series size sprint stage step table terminal ticket tier top track type ubuntu
    unit v verse version vol volume vue web week windows zone
"""
LABELS = frozenset(_LABEL_LIST.split())
"""Nouns before a number that is a name: "room 302"."""
_NOT_COUNTED_LIST = """
    ago cant dont en et h id im its ive left m max maximum minus nd o' ok pcm pct percent plus rd re st th thats
    times tops und via vs
"""
NOT_COUNTED = (
    (SMALL - {"things", "others", "new", "good", "little", "long", "open", "second", "ready"})
    | frozenset(_NOT_COUNTED_LIST.split())
    | frozenset(MONTHS)
    | frozenset(WEEKDAYS)
)
"""Words after a number that are not what is counted."""
IRREGULAR = frozenset({"people", "children", "men", "women", "staff", "persons", "feet", "mice", "sheep"})
"""Plurals without an s."""
