"""Amounts within a text: money, shares, counts, durations and capacity.

    "at most 40k EUR" · "20 %" · "120 guests"   amount      "two weeks late"   duration    "2.5 hours a week"   capacity

A number that names a thing ("version 3.12", "room 302", "chapters 4-6") is no amount, nor is one without a unit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from workbench.domain.values.calendar_words import MONTHS, UNITS, WEEKDAYS
from workbench.domain.values.days import alternatives
from workbench.domain.values.fact import Fact, FactType, Value
from workbench.domain.values.numbers import NUMBER_WORDS, Number, number_at
from workbench.domain.values.small_words import SMALL
from workbench.domain.values.words_before import bound_of

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
    ("canadian", "dollars"): "CAD",
    ("australian", "dollars"): "AUD",
    ("singapore", "dollars"): "SGD",
    ("norwegian", "kroner"): "NOK",
    ("danish", "kroner"): "DKK",
    ("swedish", "kronor"): "SEK",
    ("mexican", "pesos"): "MXN",
}
_WHICH = "which currency?"
_UNCLEAR = {
    "rs": "which rupees?",
    "cent": _WHICH,
    "cents": _WHICH,
    "pesos": "which pesos?",
    "peso": "which pesos?",
} | dict.fromkeys(("kroner", "kr"), "which kroner?")
"""Words that more than one currency is called."""
_DOTTED_THOUSANDS = frozenset({"EUR", "CHF", "DKK", "SEK", "NOK", "BRL", "PLN", "TRY", "HUF"})
"""Currencies of countries where 40.000 is forty thousand."""
_SIGN = alternatives(re.escape(word) for word in _CURRENCIES if not word.isalpha())
_CURRENCY_CODE = alternatives(word for word in _CURRENCIES if word.isalpha() and word != "try")
_NATION = alternatives({nation for nation, _ in _NATIONAL} | {"us", "american", "british", "swiss"})
_CURRENCY_BEFORE = re.compile(
    rf"(?P<word>{_SIGN})\s?|(?P<code>{_CURRENCY_CODE})\.?\s(?=\d)|(?P<short>eur|usd|gbp|chf|sfr|inr)(?=\d)"
)
_CURRENCY_AFTER = re.compile(
    rf"(?:[.,]?-{{1,2}})?(?:,?\sin\s|\s?)(?:(?P<nation>{_NATION})[- ])?"
    rf"(?P<word>{_SIGN}|(?:{_CURRENCY_CODE})(?![a-z0-9]))(?:\ssterling)?"
)
_CURRENCY_AGAIN = re.compile(rf"(?:\s?-\s?|\s(?:to|and)\s)(?:{_SIGN}|(?:{_CURRENCY_CODE})\s)(?=\s?\d)")
"""The currency of the upper end of a range: "€5 to €8"."""
_SUBUNIT = re.compile(r"\s?(?P<word>cents?|pence|p(?<=\dp))(?![a-z])")
"""A hundredth of what is paid in."""
_FORINT = re.compile(r"\s?ft(?![a-z])")
"""After thousands; else it is feet."""
_MEASURE = re.compile(
    r"\s?(?P<unit>km/h|km|kg|kwp?|kwh|mw|gsm|lbs?|oz|m²|m2|m3|sqm|sq\sft|square\s(?:metres?|meters?|feet)|cm|mm|gb|tb|mb|pb|kb|ha|"
    r"hectares?|acres?|litres?|liters?|miles?|metres?|meters?|feet|inch(?:es)?|tons?|tonnes?|grams?|m|g|l|t|ft|"
    r"mbit/s|rps|fps|px|°c?|x)(?![a-z0-9])"
)
_LABEL_WORDS = """
    act age aged ages bay bib day month module round angular apartment appendix area article at bed building bus chapter
    class code column covid din district django episode exercise fig figure flat flight floor formula gate grade highway
    house iec invoice iso issue item java lesson level line model motorway mysql no node nr number option p page
    paragraph part phase php platform port postgres postgresql pp psalm python question rails react release rfc room
    route row ruby scene season section series size sprint stage step table terminal ticket tier top track type ubuntu
    unit v verse version vol volume vue web week windows zone
"""
_LABELS = frozenset(_LABEL_WORDS.split())
"""Nouns before a number that is a name: "room 302"."""
_NOT_COUNTED_LIST = """
    ago cant dont en et fm h id im its ive left m max maximum minus nd o' ok pcm pct percent plus rd re st th thats
    times tops und via vs
"""
_NOT_COUNTED = (
    (SMALL - {"things", "others", "new", "good", "little", "long", "open", "second", "ready"})
    | frozenset(_NOT_COUNTED_LIST.split())
    | frozenset(MONTHS)
    | frozenset(WEEKDAYS)
)
_IRREGULAR = frozenset({"people", "children", "men", "women", "staff", "persons", "feet", "mice", "sheep"})
_START = re.compile(rf"(?<![\w.,:/#'])(?<!\d-)(?:(?P<digit>\d)|[½¼¾]|(?P<sign>{_SIGN})|(?P<word>[a-z]+))")
_ARTICLE = re.compile(r"an?\s(?:(?:good|full|whole|solid|further|single)\s)?")
_TIMES = r"day|week|month|quarter|year|hour|night|minute"
_EACH = r"person|head|guest|child|adult|ticket|piece|participant|seat|unit|user|square\smet(?:re|er)|m2|kg|km"
_PER = re.compile(
    rf"\s?(?:(?:/|(?:per|each|every|pro)\s)\s?(?P<unit>{_TIMES}|{_EACH}|pp|mo|yr|wk|hr|h|(?!(?:should|will|would|must)\b)[a-z]+)|"
    r"(?:(?P<heads>each)(?=\s(?:should|will|would|must)\b))|"
    rf"\b(?:an?|the)\s(?P<an>{_TIMES}|{_EACH}|pop|copy|time|go|plate|bottle|slice|place|dozen|litre|metre|hr|"
    r"jar|pot|box|bag|tray|crate|pint|cup|loaf|mile|page|word|lesson|session|class|room|table|pair|set|portion|shift|visit|stall|pitch)|"
    r"(?:\b|(?<=\d))(?P<adverb>daily|weekly|monthly|quarterly|yearly|annually|hourly|each|apiece|p\.?a|pcm|pm|p\.?p\.?))(?![a-z])"
)
_FOR_EACH = re.compile(
    r"\s?[x×*]\s?\d+\s(?:people|persons|kids|children|guests|adults|students|pupils|participants|members)\b"
)
_EACH_OF = re.compile(
    rf"\s?/?\s?(?:an?|per|each|every)\s(?P<unit>{_TIMES}|head|person|guest|child|adult)\b|\s?/\s?(?P<short>month|week|year|mo|yr)\b|\spcm\b"
)
_PERS = {
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
_OFTEN = re.compile(
    r"\b(?P<unit>daily|nightly|hourly|weekly|monthly|quarterly|yearly|annual|"
    r"(?:day|night|hour|week|month)(?=\s(?:rate|fee|wage)s?\b))\s(?!and\b)[a-z]+\b[^.,;!?\n\d]{0,25}$"
)
"""Before an amount of each period: "a monthly budget of 300 euros", "her day rate is 480 CHF"."""
_SHARE = re.compile(r"\s?(?:%|(?:percent|per\scent|prozent|percentage\spoints?)\b)")
_UNIT = re.compile(
    rf"(?:\s|-)?(?:(?:full|whole|more|extra|further|solid)\s)?(?P<kind>(?:working|work|business|man|person|"
    rf"calendar|half)[ -])?(?P<unit>{alternatives(UNITS)})"
    r"(?![a-z0-9]|-(?!long\b)[a-z])(?!\sold\b|\sof\sage)(?P<more>\sand\sa\s(?:half|quarter)\b)?(?:\sor\s(?:(?P<two>two)|so)\b)?"
    r"(?P<late>\s(?:late|early|behind|longer)\b)?"
)
_SLOT = re.compile(
    r"\s(?:(?P<slot>evening|morning|afternoon|night|weekend)s?(?=\s(?:a|per|each|every)\s(?:week|month|year)\b)|"
    r"(?P<slots>evening|morning|afternoon|weekend)s\b)"
)
_CAPACITY = re.compile(
    r"(?:\sof\s[a-z]+)?\s?(?:/|(?:an?|per|each|every|in\s(?:a|each|every)|pro|am|die|im|in\sder)\s)\s?(?P<per>day|week|month|quarter|year|"
    r"tag|woche|monat|jahr|"
    r"weekday|weekend|morning|afternoon|evening|night|(?:mon|tues|wednes|thurs|fri|satur|sun)day|h|wk|mo)\b|\s(?P<adverb>daily|"
    r"weekly|monthly)\b"
)
_ORDINAL = re.compile(r"\s(?!(?:or|and|per|for|to|later|late)\b)[a-z]")
"""After "a second" and "a quarter" that are no time: "a second opinion"."""
_YEAR = re.compile(r"(?:19|20)\d\d(?!\d|[.,]\d)")
_NO_AMOUNTS = frozenset({"a", "an", "half", "quarter", "one", "few", "several", "couple", "un", "une", "uno", "una"})
_PAYMENT = re.compile(r"\s(?:deposit|fee|fine|rent|refund|discount|donation|surcharge)\b")
"""Payments, which are not counted: "they want 100 deposit"."""
_OF_WHAT = re.compile(rf"\sof\s(?!(?:the|my|our|your|a|an|this|that|each|every|{alternatives(MONTHS)})\b)[a-z][a-z-]+")
_AT_A_TIME = re.compile(r"(?:\b(?:at|by|until|till|before|after)|,)\s$")
_HOURS_OF_A_DAY = 24
_YOUNGEST = 4
"""Age from which "under 12s" are people."""
_WEIGHT = re.compile(
    r"\s(?:of\s(?!(?:the|our|my|your|it|that|\w*\s?(?:money|fund\w*|grants?|savings|debts?|cash|donations|support|damage"
    r"|equipment|materials?|prizes?|vouchers?|rent|costs?))\b)|lighter|heavier|in\sweight)"
)
_MOST_POUNDS = 1_000
"""Pounds that are a weight where it is said of what, and that is no money."""
_SOME_DAY = re.compile(r"\s(?:i|we|you|they|he|she|it)\b")
"""After a day that nobody knows: "one day we'll laugh"."""
_AGE = re.compile(r"\s?(?:-?years?[ -]olds?|years?\sof\sage)\b")
_TIME = re.compile(
    r"\s?(?:[ap]\.?m\b|o'clock|uhr\b|:\d\d|h\d\d)|(?<=\d[.:]\d\d)\s(?:train|bus|coach|tram|ferry|boat|flight|plane|service)\b"
)
_BEFORE_A_DECADE = re.compile(r"\b(?:the|their|his|her|my|our|your|early|mid|late)[\s-]$")
_AFTER_A_DECADE = re.compile(
    r"\s(?:music|films?|movies?|songs?|covers?|hits|classics|tunes|pop|rock|disco|part(?:y|ies)|night|themed?|style|fashion"
    r"|furniture|houses?|buildings?|bungalows?|estates?|kitchens?|bathrooms?|wiring)\b"
)
"""Around a decade or an age: "in the 90s", "people in their 70s", "80s music"."""
_LABEL = re.compile(r"(?<![a-z])(?P<word>[a-z]++)[\s-]?#?$")
_GROUP = re.compile(
    r"\b(?:team|group|family|party|staff|crew|class|band|choir|committee|board|panel|audience|household)\sof\s"
    r"(?:(?:about|up\sto|around|at\smost|at\sleast)\s)?$"
)
_OF_US = re.compile(r"\sof\s(?:us|them|you)\b|\spax\b")
_ALSO = re.compile(r",?\s(?:(?:and|or|plus|to)\s)?")
_NOUNS = re.compile(
    r"(?:\+?\s(?:or\sso\s)?(?:of\s(?:the|our|my|your|us|them)\s)?|-)(?P<first>[^\W\d_][\w'-]*)"
    r"(?:\s(?P<second>[a-z][a-z'-]*))?(?:\s(?P<third>[a-z][a-z'-]*))?"
)


class _Amount(NamedTuple):
    end: int
    value: Value
    doubt: str = ""
    type: FactType = "amount"


def _of(number: Number, unit: str = "", per: str = "") -> Value:
    return Value(number=number.value, up_to=number.up_to, unit=unit, per=_PERS.get(per, per))


def amount_facts(text: str, plain: str, taken: Sequence[tuple[int, int]]) -> tuple[Fact, ...]:
    """Return the amounts of a text in their order, outside of the places of its dates, which are in order, too."""
    facts: list[Fact] = []
    at = index = 0
    for match in _START.finditer(plain):
        start = match.start()
        while index < len(taken) and taken[index][1] <= start:
            index += 1
        until = taken[index][0] if index < len(taken) else len(plain)
        if start < at or start >= until:
            continue
        found = _amount_at(plain, match)
        if found is not None and found.end <= until:
            facts.append(_fact(text, plain, start, found))
            at = found.end
        elif match["digit"] and (number := number_at(plain, start)) is not None:
            at = number.end
    return tuple(facts)


def _fact(text: str, plain: str, start: int, found: _Amount) -> Fact:
    end, value = found.end, found.value
    if value.unit and plain.endswith(value.unit, start, end):  # in its own letters: "28 élèves"
        value = replace(value, unit=text[end - len(value.unit) : end].lower())
    if found.type == "amount":
        value = replace(value, bound=bound_of(plain, start, end))
    return Fact(text=text[start:end], start=start, end=end, type=found.type, value=value, doubt=found.doubt)


def _amount_at(plain: str, match: re.Match[str]) -> _Amount | None:
    at, word = match.start(), match["word"] or ""
    if match["sign"] or word in _CURRENCIES or word[:3] in {"eur", "usd", "chf"}:
        return _money_before(plain, at)
    if word and word not in NUMBER_WORDS:
        return None
    number = number_at(plain, at)
    if number is None:
        article = _ARTICLE.match(plain, at) if not plain[max(0, at - 2) : at].strip().isdigit() else None
        return _duration(plain, at, Number(1.0, article.end())) if article is not None else None
    if (money := _money_after(plain, at)) is not None:
        return money
    if (share := _SHARE.match(plain, number.end)) is not None:
        return _Amount(share.end(), _of(number, "%"), number.doubt)
    return _duration(plain, at, number) or _people(plain, at, number) or _count(plain, at, number)


def _money_before(plain: str, at: int) -> _Amount | None:
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


def _money_after(plain: str, at: int) -> _Amount | None:
    """Read "40k EUR", "half a million pounds", "8 to 10 Swiss francs"."""
    number = number_at(plain, at, money=True)
    if number is None:
        return None
    if number.value >= 1_000 and (forint := _FORINT.match(plain, number.end)) is not None:
        return _money(plain, at, number._replace(end=forint.end()), "HUF", "")
    if (cents := _SUBUNIT.match(plain, number.end)) is not None:
        part = number._replace(value=number.value / 100, up_to=number.up_to and number.up_to / 100, end=cents.end())
        return _money(plain, at, part, "GBP" if cents["word"].startswith("p") else "", cents["word"])
    match = _CURRENCY_AFTER.match(plain, number.end)
    if match is None:
        return None
    nation, word = match["nation"], match["word"]
    is_weight = word.startswith("pound") and number.value < _MOST_POUNDS
    if is_weight and _WEIGHT.match(plain, match.end()) is not None:
        return None
    currency = _NATIONAL.get((nation, word), _CURRENCIES[word])
    return _money(plain, at, number._replace(end=match.end()), currency, "" if nation else word)


def _money(plain: str, at: int, number: Number, currency: str, written: str) -> _Amount:
    is_plain = currency in _DOTTED_THOUSANDS and "read as" in number.doubt
    doubt = _UNCLEAR.get(written) or ("" if is_plain else number.doubt)
    often, end = _OFTEN.search(plain, max(0, at - 40), at), number.end
    per = often["unit"] if often is not None else ""
    if _FOR_EACH.match(plain, end) is not None:
        per = "person"
    if (match := _PER.match(plain, end)) is not None:
        per, end = match["unit"] or match["an"] or match["adverb"] or "person", match.end()
    return _Amount(end, replace(_of(number, per=per), currency=currency), doubt)


def _duration(plain: str, at: int, number: Number) -> _Amount | None:
    """Read "three weeks", "a year and a half", "2.5 hours a week"."""
    if (slot := _SLOT.match(plain, number.end)) is not None:
        return _with_capacity(plain, slot.end(), number, slot["slot"] or slot["slots"])
    match = _UNIT.match(plain, number.end)
    if match is None or (plain[at].isdigit() and _TIME.match(plain, number.end) is not None):
        return None
    word, is_adjacent = match["unit"], match.start("unit") == number.end
    is_none = plain.endswith("not ", 0, at)  # "not a day later"
    if number.value == 1 and (is_none or (word == "day" and _SOME_DAY.match(plain, match.end()))):
        return None
    is_ordinal = word in {"second", "quarter"} and number.value == 1
    if (is_ordinal or word == "quarters") and _ORDINAL.match(plain, match.end()) is not None:
        return None
    if word == "h" and number.value <= _HOURS_OF_A_DAY and _AT_A_TIME.search(plain, max(0, at - 8), at):
        return None
    is_letter = len(word) == 1 and not (plain[at].isdigit() and number.value < 1000 and (is_adjacent or word in "hds"))
    is_age = word == "s" and number.value > _YOUNGEST and plain.endswith(("under ", "over "), 0, at)
    is_article = word == "an" and number.value > 1  # "5 an hour"; in French one is "an", and five are "ans"
    is_decade = word == "s" and number.value % 10 == 0 and _is_decade(plain, at, match.end())
    if is_letter or is_age or is_decade or is_article or _is_label(plain, at):
        return None
    unit, factor = UNITS[word]
    if (match["kind"] or "").startswith("half"):
        factor /= 2
    if unit == "millisecond":
        unit, factor = "second", 0.001
    if unit == "day" and (match["kind"] or "").strip(" -") in {"working", "work", "business"}:
        unit = "working day"
    more = match["more"] or ""
    value = (number.value + (0.5 if more.endswith("half") else 0.25 if more else 0)) * factor
    up_to = number.up_to * factor if number.up_to is not None else 2 * factor if match["two"] else None
    return _with_capacity(plain, match.end(), number._replace(value=value, up_to=up_to), unit)


def _is_decade(plain: str, start: int, end: int) -> bool:
    is_after = _AFTER_A_DECADE.match(plain, end) is not None
    return is_after or _BEFORE_A_DECADE.search(plain, max(0, start - 6), start) is not None


def _with_capacity(plain: str, end: int, number: Number, unit: str) -> _Amount:
    per = _CAPACITY.match(plain, end)
    if per is None:
        end = match.end() if (match := _OF_WHAT.match(plain, end)) is not None else end
        return _Amount(end, _of(number, unit), number.doubt, "duration")
    word = per["per"] or per["adverb"]
    word = "week" if word.endswith("day") and word not in {"day", "weekday"} else word
    return _Amount(per.end(), _of(number, unit, word), number.doubt, "capacity")


def _people(plain: str, at: int, number: Number) -> _Amount | None:
    """Read "a team of five", "six of us"."""
    of_us = _OF_US.match(plain, number.end)
    is_year = _YEAR.match(plain, at) is not None
    if is_year or (of_us is None and _GROUP.search(plain, max(0, at - 40), at) is None):
        return None
    noun = _noun(plain, number) if of_us is None else None
    unit, end = noun or ("people", of_us.end() if of_us is not None else number.end)
    return _Amount(end, _of(number, unit), number.doubt)


def _count(plain: str, at: int, number: Number) -> _Amount | None:
    """Read "120 guests", "two dozen chairs", "20 km"."""
    is_time = _TIME.match(plain, number.end) is not None or _AGE.match(plain, number.end) is not None
    if is_time or _is_label(plain, at) or plain[number.end : number.end + 2].strip("0123456789") == "-":
        return None
    if (measure := _MEASURE.match(plain, number.end)) is not None and plain[at].isdigit():
        unit, end = measure["unit"], measure.end()
    else:
        noun = _noun(plain, number)
        if noun is None or (number.value <= 1 and not plain[at].isdigit()):
            return None
        unit, end = noun
        if _YEAR.match(plain, at) is not None and unit not in _IRREGULAR and not unit.endswith("s"):
            return None
    per = _EACH_OF.match(plain, end)
    each = (per["unit"] or per["short"] or "month") if per is not None else ""
    return _Amount(per.end() if per is not None else end, _of(number, unit, each), number.doubt)


def _is_label(plain: str, at: int) -> bool:
    """Return whether the word before a number makes a name of it: "room 302"."""
    label = _LABEL.search(plain, max(0, at - 16), at)
    if label is None or label["word"] == "at":
        return False
    return label["word"] in _LABELS or label["word"].removesuffix("s") in _LABELS


def _noun(plain: str, number: Number) -> tuple[str, int] | None:
    """Return what is counted, and where it ends: the first plural of up to three words, else the next word."""
    match = _NOUNS.match(plain, number.end)
    if match is None or len(match["first"]) < 2 or match["first"] in _NOT_COUNTED or _PAYMENT.match(plain, number.end):
        return None
    for name in ("first", "second", "third"):
        word = match[name]
        if word is None or word in _NOT_COUNTED:
            break
        if word in _IRREGULAR or (word.endswith("s") and not word.endswith(("ss", "'s", "ous", "us", "is"))):
            return word, match.end(name)
    word = match["first"]
    is_plural = plain[match.start()] != "-" and word.endswith(("en", "er", "e", "n"))  # "12 Gäste"
    return (word, match.end("first")) if is_plural and plain[number.end - 1].isdigit() else None
