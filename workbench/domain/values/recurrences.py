"""Days that come again, as rules of RFC 5545.

"every other Thursday" · "on Saturday mornings" · "the first Monday of every month" · "weekly" · "twice a week"
──recurrence_at──▶ Span
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.values.calendar_words import MONTHS, ORDINAL_DAYS, WEEKDAY_CODES, WEEKDAYS
from workbench.domain.values.days import LONG_WEEKDAYS, Span, alternatives
from workbench.domain.values.numbers import single_at

_DAY_NAME = rf"(?:{LONG_WEEKDAYS}|mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun)"
_JOINT = r"(?:\s?,\s?(?:and\s|or\s)?|\s(?:and|or)\s|\s?[&/+]\s?)(?:every\s|on\s)?"
_TO = r"(?:\s?-\s?|\s(?:to|through|till|until)\s)"
_TO_WORDS = frozenset({"-", "to", "through", "till", "until"})
_MORE_NAMES = rf"(?:{_TO}{_DAY_NAME}s?\b|(?:{_JOINT}{_DAY_NAME}s?\b){{0,6}})"
_NAMES = rf"(?P<names>{_DAY_NAME}s?{_MORE_NAMES})(?![a-z])"
_PARTS = r"\s(?P<part>morning|afternoon|evening|night)s?\b"
_PART = rf"(?:(?:\sin\sthe)?{_PARTS})?"
_EVERY = lazy_pattern(
    r"(?:every|each|jede[nrsm]?|alle)\s(?:(?P<other>other|alternate|second|third|fourth|first|last|2nd|3rd|4th|zweite[nrs]?|"
    r"dritte[nrs]?|vierte[nrs]?)\s|single\s)?(?=\S)"
)
_DAYS = lazy_pattern(rf"{_NAMES}{_PART}(?P<of>\s(?:of|in)\s(?:the|every|each|a)\smonth\b)?", needs=WEEKDAYS)
_EXCEPT = lazy_pattern(
    rf",?\s(?:except|bar|save|but\snot|apart\sfrom|excluding)\s(?:for\s)?(?:on\s)?{_NAMES}", needs=WEEKDAYS
)
_PARTS_FOLLOW = r"(?=\s(?:mornings|afternoons|evenings|nights)\b)"
_PLURAL = lazy_pattern(
    rf"(?P<alternate>alternate\s)?(?P<names>{LONG_WEEKDAYS}s{_MORE_NAMES}|"
    rf"{LONG_WEEKDAYS}(?:{_JOINT}{LONG_WEEKDAYS}){{0,6}}(?:s\b|{_PARTS_FOLLOW})|"
    rf"{_DAY_NAME}(?:{_JOINT}{_DAY_NAME}){{0,6}}{_PARTS_FOLLOW}|"
    rf"weekdays|weekends|week(?:day|end){_PARTS_FOLLOW})(?![a-z]){_PART}",
    needs=(*WEEKDAYS, "weekday", "weekend"),
)
_SEVERAL_SHORT = lazy_pattern(
    rf"(?P<names>{_DAY_NAME}{_JOINT}{_DAY_NAME}(?P<more>(?:{_JOINT}{_DAY_NAME}){{1,5}})?)"
    rf"(?![a-z]|,?\s(?:\d|(?:next|this|of|in)\b)){_PART}",
    needs=WEEKDAYS,
)
_UNIT = lazy_pattern(
    r"(?:(?P<part_alone>morning|afternoon|evening|night)s?|(?P<unit>day|weekday|working\sday|weekend|tag|werktag|wochenende)"
    rf"(?:s|e?n?)?(?:{_PARTS})?|(?P<long>week|fortnight|month|quarter|half\syear|year|woche|monat|quartal|jahr)(?:s|e?n?)?)(?![a-z])"
)
_NUMBER_BEFORE = lazy_pattern(r"(?:\d|\b(?:two|three|four|five|six|next|last|few|couple\sof))\s$")
_ORDINAL = r"(?:first|second|third|fourth|last|1st|2nd|3rd|4th)"
_ORDINAL_OF_EVERY = lazy_pattern(
    rf"(?:the\s)?(?P<ordinal>{_ORDINAL})(?:\s(?:and|&)\s(?:the\s)?(?P<also>{_ORDINAL}))?\s(?P<day>{_DAY_NAME})"
    r"(?:(?:\s(?:of|in))?\s(?:every|each|(?<=of\s)(?P<the>the))\smonth\b|(?(also)(?![a-z]|\s(?:of|in)\b)|(?!)))",
    needs=WEEKDAYS,
)
_NUMBERED = rf"(?:\d{{1,2}}(?:st|nd|rd|th)\b|(?:{alternatives((*ORDINAL_DAYS, 'last', 'end'))})(?![a-z-]))"
_DAY_OF_EVERY = lazy_pattern(
    rf"(?:(?P<every>(?:every|each)\s)|the\s)?(?P<days>{_NUMBERED}(?:\s(?:and|&)\s(?:the\s)?{_NUMBERED})?)"
    r"(?P<of>\s(?:day\s)?of\s(?:every|each|(?(every)the|each))\smonth\b)?"
    r"(?(of)|(?(every)(?=\s?(?:$|[.,;:!?)]|of\b))|(?!)))",
    needs=("month", "every", "each"),
)
_ADVERB = lazy_pattern(
    r"(?P<word>taglich|wochentlich|monatlich|vierteljahrlich|jahrlich|daily|nightly|weekly|fortnightly|half-yearly|semi-annually|bi-?weekly|monthly|quarterly|yearly|annually)"
    r"(?![a-z-]|\s(?:budget|rent|fees?|costs?|allowance|salary|tickets?|pass)\b)",
    needs=("ly", "lich"),
)
_EACH = r"\s(?:a|per|every|each|am|pro|im|in\sder)"
_UNITS = r"(?P<unit>day|week|fortnight|month|quarter|year|tag|woche|monat|quartal|jahr)\b"
_TIMES = lazy_pattern(
    rf"(?P<often>once|twice|thrice|einmal|zweimal|dreimal|one\s(?P<day>{LONG_WEEKDAYS})){_EACH}\s{_UNITS}",
    needs=("once", "twice", "thrice", "mal", "one"),
)
_N_TIMES = lazy_pattern(rf"\stimes{_EACH}\s{_UNITS}")
_ON_DAYS = lazy_pattern(rf"\son\s(?:an?\s)?{_NAMES}{_PART}", needs=WEEKDAYS)
_IN_MONTH = lazy_pattern(
    rf",?\s(?:(?:usually|always)\s)?(?:in|on)\s(?:the\s)?(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?\s(?:of\s)?)?"
    rf"(?P<month>{alternatives(MONTHS)})(?![a-z])(?:\s(?P<day_after>\d{{1,2}})(?:st|nd|rd|th)?(?!\d))?"
)
_ON_DAY_OF_MONTH = lazy_pattern(
    rf",?\s(?:(?:usually|always)\s)?(?:on\s)?the\s"
    rf"(?:(?P<ordinal>{_ORDINAL})\s(?P<day>{_DAY_NAME})(?![a-z])|(?<=on\sthe\s)(?P<number>\d{{1,2}})(?:st|nd|rd|th)\b)"
)
_AMOUNT_BEFORE = lazy_pattern(
    r"(?:(?<!:\d)\d|[€$£k]|\b(?:eur|usd|gbp|chf|dollars|euros?|pounds|francs|hours?|hrs?|h|days?|minutes|mins|or\s(?:two|so)|"
    r"hours?\sand\sa\shalf))\s$"
)
_ORDINALS = {
    "first": "1", "second": "2", "third": "3", "fourth": "4", "last": "-1", "1st": "1", "2nd": "2", "3rd": "3",
    "4th": "4",
}  # fmt: skip
_OFTEN = {"twice": 2.0, "thrice": 3.0, "zweimal": 2.0, "dreimal": 3.0}
_INTERVALS = {
    word: interval
    for interval, words in ((2, "other alternate second 2nd zweite"), (3, "third 3rd dritte"), (4, "fourth 4th vierte"))
    for word in words.split()
}
_RULES = {
    "day": "FREQ=DAILY", "week": "FREQ=WEEKLY", "fortnight": "FREQ=WEEKLY;INTERVAL=2", "month": "FREQ=MONTHLY",
    "quarter": "FREQ=MONTHLY;INTERVAL=3", "half year": "FREQ=MONTHLY;INTERVAL=6", "year": "FREQ=YEARLY",
    "weekday": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "working day": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    "weekend": "FREQ=WEEKLY;BYDAY=SA,SU",
}  # fmt: skip
_GERMAN = "day tag, week woche, month monat, quarter quartal, year jahr, weekday werktag, weekend wochenende"
_RULES |= {german: _RULES[word] for word, german in map(str.split, _GERMAN.split(", "))}
_ADVERBS = {
    "daily": "day", "nightly": "day", "weekly": "week", "fortnightly": "fortnight", "biweekly": "fortnight",
    "bi-weekly": "fortnight", "monthly": "month", "quarterly": "quarter",
    "half-yearly": "half year", "semi-annually": "half year", "yearly": "year", "annually": "year",
    "taglich": "day", "wochentlich": "week", "monatlich": "month", "vierteljahrlich": "quarter", "jahrlich": "year",
}  # fmt: skip


def recurrence_at(plain: str, at: int) -> Span | None:
    """Return the rule that begins at a place; None if none does."""
    rule = _rule_at(plain, at)
    return _with_days(plain, rule) if rule is not None else None


def _with_days(plain: str, rule: Span) -> Span:
    """Return a rule with the days that are named after it: "weekly on Mondays", "every year on 1 May"."""
    if "BY" in rule.recurs or rule.number is not None:
        return rule
    if rule.recurs.startswith("FREQ=WEEKLY") and (match := _ON_DAYS.match(plain, rule.end)) is not None:
        recurs = f"{rule.recurs};BYDAY={_codes(match['names'])}"
        return replace(rule, end=match.end(), recurs=recurs, part_of_day=match["part"] or "")
    more = ""
    if rule.recurs.startswith("FREQ=MONTHLY") and (match := _ON_DAY_OF_MONTH.match(plain, rule.end)) is not None:
        number = match["number"]
        more = f"BYMONTHDAY={int(number)}" if number else f"BYDAY={_ORDINALS[match['ordinal']]}{_codes(match['day'])}"
    elif rule.recurs.startswith("FREQ=YEARLY") and (match := _IN_MONTH.match(plain, rule.end)) is not None:
        day = match["day"] or match["day_after"]
        more = f"BYMONTH={MONTHS[match['month']]}" + (f";BYMONTHDAY={int(day)}" if day else "")
    return replace(rule, end=match.end(), recurs=f"{rule.recurs};{more}") if more and match is not None else rule


def _rule_at(plain: str, at: int) -> Span | None:
    is_of_amount = _AMOUNT_BEFORE.search(plain, max(0, at - 20), at) is not None
    if (rule := _days_of_every_month(plain, at)) is not None:
        return rule
    if (match := _EVERY.match(plain, at)) is not None:
        every = None if is_of_amount else _read_every(plain, match)
        return _without_weekdays(plain, every) if every is not None else None
    if (rule := _weekdays(plain, at) or _so_often(plain, at)) is not None:
        return rule
    match = _ADVERB.match(plain, at) if not is_of_amount else None
    return Span(end=match.end(), recurs=_RULES[_ADVERBS[match["word"]]]) if match is not None else None


def _days_of_every_month(plain: str, at: int) -> Span | None:
    """Read "the 1st and 15th of each month", "the first and third Friday of every month"."""
    if (match := _DAY_OF_EVERY.match(plain, at)) is not None:
        days = re.findall(r"\d+|[a-z]+(?:-[a-z]+)?", re.sub(r"(?<=\d)[a-z]+|\b(?:and|the)\b", "", match["days"]))
        codes = ",".join(str(-1 if day in {"last", "end"} else ORDINAL_DAYS.get(day) or int(day)) for day in days)
        return Span(end=match.end(), recurs=f"FREQ=MONTHLY;BYMONTHDAY={codes}")
    match = _ORDINAL_OF_EVERY.match(plain, at)
    if match is None or (match["the"] and not match["also"]):
        return None
    which = ",".join(_ORDINALS[word] + _codes(match["day"]) for word in match.group("ordinal", "also") if word)
    return Span(end=match.end(), recurs=f"FREQ=MONTHLY;BYDAY={which}")


def _weekdays(plain: str, at: int) -> Span | None:
    """Read "Tuesdays and Thursdays", "on weekdays"; in doubt "Mon, Wed and Fri"."""
    match = _SEVERAL_SHORT.match(plain, at)
    if match is not None and (match["more"] or not plain.endswith(("on ", "by "), 0, at)):
        doubt = "" if match["part"] else "each week, or once?"
        return Span(end=match.end(), recurs=_days_rule(match["names"]), part_of_day=match["part"] or "", doubt=doubt)
    match = _PLURAL.match(plain, at)
    if match is None or _NUMBER_BEFORE.search(plain, max(0, at - 12), at) is not None:
        return None
    rule = _days_rule(match["names"], 2 if match["alternate"] else 1)
    return _without_weekdays(plain, Span(end=match.end(), recurs=rule, part_of_day=match["part"] or ""))


def _so_often(plain: str, at: int) -> Span | None:
    """Read "twice a week", "three times a month", "once a month on the first Friday"."""
    if (match := _TIMES.match(plain, at)) is not None:
        number = _OFTEN.get(match["often"], 1.0)
        rule = _RULES[match["unit"]] + (f";BYDAY={_codes(match['day'])}" if match["day"] else "")
        found = Span(end=match.end(), recurs=rule)
        with_days = _with_days(plain, found) if number == 1 else found
        return with_days if with_days.recurs != rule else replace(found, number=number)
    times = single_at(plain, at) if " times " in plain[at : at + 40] else None
    match = _N_TIMES.match(plain, times.end) if times is not None else None
    if times is None or match is None:
        return None
    return Span(end=match.end(), recurs=_RULES[match["unit"]], number=times.value)


def _without_weekdays(plain: str, rule: Span) -> Span:
    """Return a rule without the weekdays that are taken out of it: "every weekday except Friday"."""
    match = _EXCEPT.match(plain, rule.end)
    if match is None or not rule.recurs.startswith(("FREQ=DAILY", "FREQ=WEEKLY;BYDAY=")):
        return rule
    codes = rule.recurs.partition(";BYDAY=")[2]
    gone = _codes(match["names"]).split(",")
    kept = [day for day in (codes.split(",") if codes else WEEKDAY_CODES) if day not in gone]
    return replace(rule, end=match.end(), recurs=f"FREQ=WEEKLY;BYDAY={','.join(kept)}") if kept else rule


def _read_every(plain: str, match: re.Match[str]) -> Span | None:
    other, place = match["other"] or "", match.end()
    interval, doubt = _INTERVALS.get(other) or _INTERVALS.get(other[:6]) or 1, ""
    number = single_at(plain, place) if not plain.startswith("half ", place) else None
    if number is not None and number.value == int(number.value) > 0 and not other:
        doubt, interval, place = number.doubt, int(number.value), len(plain) - len(plain[number.end :].lstrip())
    if (days := _DAYS.match(plain, place)) is not None:
        is_of_month = other in {"first", "last"} or (days["of"] and other in _ORDINALS)
        which = f"FREQ=MONTHLY;BYDAY={_ORDINALS[other]}{_codes(days['names'])}" if is_of_month else ""
        end = days.end() if which or not days["of"] else days.start("of")
        rule = which or _days_rule(days["names"], interval)
        return Span(end=end, recurs=rule, part_of_day=days["part"] or "")
    unit = _UNIT.match(plain, place)
    if unit is None or other in {"first", "last"}:
        return None
    name = re.sub(r"\s", " ", unit["unit"] or unit["long"] or "day")
    rule = _with_interval(_RULES[name], interval)
    part = unit["part_alone"] or unit["part"] or ""
    return Span(end=unit.end(), recurs=rule, part_of_day=part, doubt=doubt)


def _codes(names: str) -> str:
    """Return weekdays as an RRULE names them: "Mondays and Fri" as ``MO,FR``."""
    words = (word if word in WEEKDAYS else word.removesuffix("s") for word in re.findall(r"[a-z]+", names))
    days = sorted({WEEKDAYS[word] for word in words if word in WEEKDAYS})
    if len(days) == 2 and _TO_WORDS.intersection(names.replace("-", " - ").split()):
        days = list(range(days[0], days[1] + 1))
    return ",".join(WEEKDAY_CODES[day] for day in days)


def _days_rule(names: str, interval: int = 1) -> str:
    if names.startswith("week"):
        return _with_interval(_RULES["weekend" if names.startswith("weekend") else "weekday"], interval)
    return _with_interval("FREQ=WEEKLY", interval) + ";BYDAY=" + _codes(names)


def _with_interval(rule: str, interval: int) -> str:
    if interval == 1:
        return rule
    freq, _, rest = rule.partition(";")
    return f"{freq};INTERVAL={interval}" + (f";{rest}" if rest else "")
