"""Dates within a text: which days and times it names, wherever they stand.

    "by Monday 3 May"        2027-05-03              "in Q3" · "3-14 May"       from the first day to the last
    "before 1 June"          2027-06-01, limit 31 May     "on Saturday mornings"     FREQ=WEEKLY;BYDAY=SA, morning

What a date is for is not guessed. The words before it only tell whether it is one ("may") and which day is meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from msgspec.structs import replace

from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.values.calendar_words import FEASTS, MONTHS, ORDINAL_DAYS, SEASONS, WEEKDAYS, spoken_day
from workbench.domain.values.clock import time_after, time_before
from workbench.domain.values.days import AFTER_A_DAY, Reading, Span
from workbench.domain.values.distances import expression_at
from workbench.domain.values.named_value import NamedValue, Value
from workbench.domain.values.numbers import NUMBER_WORDS
from workbench.domain.values.ranges import several_days
from workbench.domain.values.recurrences import recurrence_at
from workbench.domain.values.words_before import is_negated, tells_of_past, word_before

_FIRST_WORD_LIST = """
    the this later next last coming following upcoming end early late mid middle beginning start close first second
    third fourth fifth final latter year month week weekend weekends weekday weekdays calendar iso kw cw eow eom eoq eoy
    q1 q2 q3 q4 h1 h2 wk today day tomorrow tmrw tmr tomorow tommorow tonight yesterday heute morgen ubermorgen gestern
    demain hier manana hoy ayer aujourd'hui in within inside over during innerhalb binnen dans d'ici en dentro every
    each daily nightly weekly fortnightly biweekly bi monthly quarterly yearly annually once twice thrice for mornings
    afternoons evenings nights ende anfang mitte fin debut mi finales fines principios comienzos mediados la le el des
    vorgestern
    nachste nachsten nachster nachstes diese diesen dieser dieses proximo proxima current past previous whole all entire
    rest pasado now right halfway half-way school bank public national term holidays then nxt mother mothers father
    fathers ramadan eid diwali hanukkah passover midsummer semi midsummer's carnival chinese lunar remembrance advent
    alternate weeks w wochen woche kalenderwoche quartal jeder jede jedes jeden alle taglich wochentlich monatlich
    jahrlich einmal zweimal jahresende monatsende quartalsende montags dienstags mittwochs donnerstags freitags
    samstags sonntags erste ersten erster zweite zweiten zweiter dritte dritten dritter vierte vierten vierter letzte
    letzten letzter erstes zweites drittes viertes
"""
_FIRST_WORDS = frozenset(
    (*MONTHS, *WEEKDAYS, *SEASONS, *ORDINAL_DAYS, *(f"{name}s" for name in WEEKDAYS), *_FIRST_WORD_LIST.split())
).union(NUMBER_WORDS, (feast.split()[0] for feast in FEASTS))
"""Words that an expression of time may begin with."""
_TOKEN = lazy_pattern(r"(?<!\w)(?:(?P<digit>\d)|(?P<word>[a-z]+(?:'[a-z]+|-[a-z]+th|-first)?\d?))")
_THE_DAY = lazy_pattern(r"(?:the\s)?\d{1,2}(?:st|nd|rd|th)")
_SENTENCE_END = lazy_pattern(r"[;!?\n]|\.(?=\s)")
_FRACTION = lazy_pattern(r"(?:1/\d|[2-9]/10|2/[35]|3/[458]|4/5|5/[68]|7/8|9/16|15/16|50/50|9/5)(?!\d)")
_NAME_AFTER = lazy_pattern(r"\s(?!I\b|EOD\b|COB\b)[A-Z]")
_WHICH_OF_A_MONTH = frozenset(["first", "second", "third", "fourth", "last", "1st", "2nd", "3rd", "4th"])
_NOT_A_DAY = frozenset(["every", "each", "other", "per", "a", "an", "any", "some", "one"])
_PART_OF = lazy_pattern(r"\b(?P<part>morning|afternoon|evening|night)\sof\s(?:the\s)?$")
_IS_ITS_WEEKDAY = lazy_pattern(r"(?:,\s|\s?\(|\s-\s)(?:(?:which|that)(?:'s|\sis)\s)?(?:(?:an?|the)\s)?")
_UNTIL_ITS_DAY = lazy_pattern(r"\s[a-z]+(?:\s[a-z]+)?\son\s(?=\d|the\s\d)")
_SECOND_DAY = date.min + timedelta(days=1)
_BEFORE_A_FRACTION = frozenset({"on", "by", "before", "until"})
"""Words before "3/4" that make a day of it."""
_ALSO = frozenset({", ", " and ", " or ", " & "})
_WORDS_TOO = frozenset({"mon", "wed", "sat", "sun", "mar", "mars", "march", "april", "august"})


def read_dates(text: str, plain: str, today: date) -> tuple[NamedValue, ...]:
    """Return the dates of a text in their order; one that is counted from another comes before it and contains it."""
    dates: list[NamedValue] = []
    at = 0
    for match in _TOKEN.finditer(plain):
        start = match.start()
        if start < at or not (match["digit"] or _is_first_word(match["word"])) or _is_within_a_word(plain, start):
            continue
        for reading in _readings(text, plain, start, today, dates):
            dates.extend(_dates_of(text, plain, reading))
            at = max(at, dates[-1].end if reading.span.target is None else reading.span.end)
    return tuple(dates)


def _is_first_word(word: str) -> bool:
    return word in _FIRST_WORDS or word.removesuffix("'s") in _FIRST_WORDS or word.rstrip("0123456789") in {"kw", "cw"}


def _is_within_a_word(plain: str, at: int) -> bool:
    """Return whether a place is after a mark and more, as in "3.12", "a/b", "1-2"; "mid-May" is read in parts."""
    if at < 2 or plain[at - 1] not in ".,/:'#+-" or plain[at - 2].isspace():
        return False
    return plain[at - 1] not in "-/" or plain[at].isdigit()


def _readings(text: str, plain: str, at: int, today: date, dates: Sequence[NamedValue]) -> list[Reading]:
    """Return what begins at a place: a rule, several days, or one expression."""
    if (rule := recurrence_at(plain, at)) is not None:
        return [Reading(at, rule)]
    found = expression_at(plain, at, today)
    word = word_before(plain, at) or ("on" if dates and plain[dates[-1].end : at] in _ALSO else "")
    day = _THE_DAY.match(plain, at) if found is None else None
    if day is not None and word and _NAME_AFTER.match(text, day.end()):
        found = expression_at(plain[: day.end()], at, today)  # "on the 3rd Lars comes"
    if found is not None and (found := _day_by_neighbours(plain, at, found, today, dates)) is None:
        return []
    days = several_days(plain, at, today, found, word)
    if days or found is None:
        return [_with_tense(plain, day, today, word) for day in days]
    if found.is_loose and not _is_meant(text, plain, at, found, word):
        return []
    if found.is_loose and _previous_word(plain, at) in _WHICH_OF_A_MONTH:
        found = replace(found, doubt="of which month?")
    return [_with_tense(plain, Reading(at, found), today, word)]


def _previous_word(plain: str, at: int) -> str:
    words = plain[max(0, at - 10) : at].split()
    return words[-1] if words else ""


def _with_tense(plain: str, day: Reading, today: date, word: str) -> Reading:
    """Return a day with a doubt if it has no year and its sentence tells of what was."""
    span = day.span
    if span.last is None or span.last < today or span.has_year or span.is_distance or span.target or span.doubt:
        return day
    if tells_of_past(plain, day.start, span.end, word) and plain[day.start : span.end] != "today":
        return replace(day, span=replace(span, doubt=f"{spoken_day(span.last)}, or one that is past?"))
    return day


def _day_by_neighbours(plain: str, at: int, found: Span, today: date, dates: Sequence[NamedValue]) -> Span | None:
    """Return a day as the dates before it let it be read; None for a weekday that only belongs to another date."""
    words = plain[at : found.end]
    if words in WEEKDAYS:
        if (words == "sun" and plain.endswith("the ", 0, at)) or _is_told_after(plain, found.end, today, words):
            return None
        return _weekday_beside(plain, at, found, dates[-1]) if dates else found
    if dates and dates[-1].value.last and found.first and _THE_DAY.fullmatch(words):
        return _in_month_named(plain, at, found, date.fromisoformat(dates[-1].value.last))
    return found


def _weekday_beside(plain: str, at: int, found: Span, before: NamedValue) -> Span | None:
    """Return a weekday after another date: nothing if it is that day's, in doubt within the same sentence."""
    last = before.value.last
    if last is None or _SENTENCE_END.search(plain, before.end, at) or plain[before.end : at] in _ALSO:
        return found
    is_same = before.value.first == last and found.first and date.fromisoformat(last).weekday() == found.first.weekday()
    if is_same and _IS_ITS_WEEKDAY.fullmatch(plain, before.end, at):
        return None
    return replace(found, doubt="of which week?")


def _in_month_named(plain: str, at: int, found: Span, named: date) -> Span | None:
    """Return "the 17th" in the month that was named before it; in doubt if it is not after the day named."""
    later = expression_at(plain, at, max(named, found.first or named))
    if later is None or later.first is None or (later.first == found.first and found.first != named):
        return later
    is_same_month = (later.first.year, later.first.month) == (named.year, named.month)
    return later if is_same_month else replace(later, doubt="of which month?")


def _is_told_after(plain: str, at: int, today: date, weekday: str) -> bool:
    """Tell whether the day that a weekday belongs to comes a word or two later: "at Sunday mass on 16 May"."""
    between = _UNTIL_ITS_DAY.match(plain, at)
    day = expression_at(plain, between.end(), today) if between is not None else None
    first = day.first if day is not None and day.first == day.last else None
    return first is not None and first.weekday() == WEEKDAYS[weekday]


def _is_meant(text: str, plain: str, at: int, span: Span, word: str) -> bool:
    """Return whether "Friday", "may" or "3/4" is a date here: after "by", or as an adverb at the end of a clause."""
    written = plain[at : span.end]
    has_time = time_after(plain, span.end) is not None
    is_before_a_name = _NAME_AFTER.match(text, span.end) is not None and not text[at : span.end].isupper()
    if (is_before_a_name and not has_time) or _previous_word(plain, at) in _NOT_A_DAY:
        return False
    if written[0].isdigit():
        return _is_meant_number(plain, at, span, word)
    if written in MONTHS and plain.endswith("the ", 0, at):
        return False  # "the May fair"
    if word or span.part_of_day or has_time:
        return True
    name = written.rstrip(".")
    is_long = name in WEEKDAYS or (name in MONTHS and len(name) > 4)
    return is_long and name not in _WORDS_TOO and AFTER_A_DAY.match(plain, span.end) is not None


def _is_meant_number(plain: str, at: int, span: Span, word: str) -> bool:
    """Return whether "3/4", "7.6.27" or "15th" is a date here."""
    if "/" in plain[at : span.end] and word not in _BEFORE_A_FRACTION:
        return _FRACTION.match(plain, at) is None
    if word and word != "at":
        return True
    if time_after(plain, span.end) is not None:
        return True
    return plain.count(".", at, span.end) == 2 and not plain[:at].strip()[-1:].isalnum()


def _dates_of(text: str, plain: str, reading: Reading) -> Iterator[NamedValue]:
    """Yield a reading as a date, and after it the date that it is counted from."""
    span = reading.span
    before, after = time_before(plain, reading.start), time_after(plain, span.end)
    start = before[0] if before is not None else reading.start
    end = after[0] if after is not None else span.end
    part = _PART_OF.search(plain, max(0, start - 20), start)  # "on the morning of 2 June"
    time = before[1] if before is not None else after[1] if after is not None else ""
    word = word_before(plain, start)
    value = Value(
        first=_iso(span.first), last=_iso(span.last), limit=_iso(_limit(plain, reading, start)), recurs=span.recurs,
        part_of_day=span.part_of_day or (part["part"] if part is not None else ""),
        time=_in_the_evening(time, span.part_of_day), number=span.number,
    )  # fmt: skip
    yield NamedValue(text=text[start:end], start=start, end=end, type="date", value=value, doubt=_doubt(span, word))
    if span.target is not None:
        yield from _dates_of(text, plain, Reading(*span.target))


def _limit(plain: str, reading: Reading, start: int) -> date | None:
    """Return the last day before one that "before" is ahead of: "before 1 June" is by 31 May."""
    span, has_time = reading.span, start != reading.start
    if span.first is None or span.is_distance or span.target or has_time or word_before(plain, start) != "before":
        return None
    is_end = plain.startswith(("the end", "end", "the year is"), start)
    return None if is_end or is_negated(plain, start) else max(span.first, _SECOND_DAY) - timedelta(days=1)


def _doubt(span: Span, word: str) -> str:
    is_open = word == "until" and span.first != span.last
    return span.doubt or ("until its first day, or its last?" if is_open else "")


def _in_the_evening(time: str, part_of_day: str) -> str:
    """Return a time of the afternoon or evening: "tonight at 8"."""
    is_late = part_of_day in {"afternoon", "evening"} and "01" <= time < "12"
    return f"{int(time[:2]) + 12}{time[2:]}" if is_late else time


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day is not None else None
