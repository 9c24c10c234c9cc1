"""Dates within a text as facts: which days, and what for.

    "by Monday 3 May"            deadline            "don't finish before 1 June"   start
    "before 1 June"              deadline, the day before is the last one           "in Q3" · "3-14 May"   period
    "on Saturday mornings"       on, recurs          "later than 6 May"             mention

The words before a date give its role (``leads``) and belong to it; of a period all of its days are given.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from msgspec.structs import replace

from workbench.domain.values.calendar_words import FEASTS, MONTHS, ORDINAL_DAYS, SEASONS, WEEKDAYS, spoken_day
from workbench.domain.values.clock import time_after, time_before
from workbench.domain.values.days import AFTER_A_DAY, Reading, Span, day_in_month
from workbench.domain.values.distances import expression_at, later_at
from workbench.domain.values.fact import Fact, Value
from workbench.domain.values.leads import SUFFIX, Lead, lead_at, tells_of_past, use_of
from workbench.domain.values.numbers import NUMBER_WORDS
from workbench.domain.values.plain import plain_text
from workbench.domain.values.ranges import several_days
from workbench.domain.values.recurrences import recurrence_at

_FIRST_WORD_LIST = """
    the this later next last coming following upcoming end early late mid middle beginning start close first second
    third fourth fifth final latter year month week weekend weekends weekday weekdays calendar iso kw cw eow eom eoq eoy
    q1 q2 q3 q4 h1 h2 wk today day tomorrow tmrw tmr tomorow tommorow tonight yesterday heute morgen ubermorgen gestern
    demain hier manana hoy ayer aujourd'hui in within inside over during innerhalb binnen dans d'ici en dentro every
    each daily nightly weekly fortnightly biweekly bi monthly quarterly yearly annually once twice thrice for mornings
    afternoons evenings nights ende anfang mitte fin debut mi finales fines principios comienzos mediados la le el des
    nachste nachsten nachster nachstes diese diesen dieser dieses proximo proxima current past previous whole all entire
    rest pasado now right halfway half-way school bank public national term holidays then nxt mother mothers father
    fathers ramadan eid diwali hanukkah passover midsummer semi midsummer's carnival chinese lunar remembrance advent
    alternate weeks w
"""
_FIRST_WORDS = frozenset(
    (*MONTHS, *WEEKDAYS, *SEASONS, *ORDINAL_DAYS, *(f"{name}s" for name in WEEKDAYS), *_FIRST_WORD_LIST.split())
).union(NUMBER_WORDS, (feast.split()[0] for feast in FEASTS))
"""Words that an expression of time may begin with."""
_NOT_TELLING = _FIRST_WORDS | frozenset(["or", "and", "either", "at", "by", "about", "around", "on", "of", "pm", "am"])
_TOKEN = re.compile(r"(?<!\w)(?:(?P<digit>\d)|(?P<word>[a-z]+(?:'[a-z]+|-[a-z]+th|-first)?\d?))")
_ALSO = re.compile(r",?\s(?:and|or|&|plus)\s|,\s")
_OTHER_THAN = re.compile(r"\b(?:not|instead\sof|rather\sthan)\s(?:on\s)?$")
_THE_DAY = re.compile(r"(?:the\s)?\d{1,2}(?:st|nd|rd|th)")
_FROM_TODAY = re.compile(
    r"\b(?:this|next|last|coming|following|to(?:day|morrow|night)|yesterday|now|ago|weeks?|month|quarter|year|weekend)\b"
)
"""What is counted from today, and so needs no tense."""
_SENTENCE_END = re.compile(r"[;!?\n]|\.(?=\s)")
_WAS = re.compile(r"\b(?:was|were)\s(?:on\s|in\s)?(?:the\s)?$")
_END_OF_MONTH = re.compile(rf"(?i)\bend\sof\s(?:{'|'.join(MONTHS)})\b")
_IN_THE_PAST = re.compile(r"\b(?:ago|last|past|previous|yesterday|gestern|ayer|hier)\b")
_FRACTION = re.compile(r"(?:1/\d|[2-9]/10|2/[35]|3/[458]|4/5|5/[68]|7/8|9/16|15/16|50/50|9/5)(?!\d)")
_NAME_AFTER = re.compile(r"\s(?!I\b)[A-Z]")
_WHICH_OF_A_MONTH = re.compile(r"\b(?:first|second|third|fourth|last|1st|2nd|3rd|4th)\s$")
_EACH = re.compile(r"\b(?:every|each|other|per|an?|any|some|one)\s$")
_PART_OF = re.compile(r"\b(?P<part>morning|afternoon|evening|night)\sof\b")
_WORDS_TOO = frozenset({"mon", "wed", "sat", "sun", "mar", "mars", "march", "april", "august"})


class _Known(NamedTuple):
    """What was named before a place."""

    facts: Sequence[Fact] = ()
    """In the same text."""
    named: Collection[date] = ()
    """Elsewhere."""


def date_facts(text: str, plain: str, today: date, named: Collection[date] = ()) -> tuple[Fact, ...]:
    """Return the dates of a text in their order; one that is counted from another comes before it and contains it.

    ``named``: days that were named before, of which "the 13th" may speak.
    """
    facts: list[Fact] = []
    at = 0
    for match in _TOKEN.finditer(plain):
        start = match.start()
        if start < at or not (match["digit"] or _is_first_word(match["word"])) or _is_within_a_word(plain, start):
            continue
        for reading in _readings(text, plain, start, today, _Known(facts, named)):
            for fact in _facts_of(text, plain, reading, today):
                is_more = fact.role == "mention" and facts and _ALSO.fullmatch(plain, facts[-1].end, fact.start)
                facts.append(replace(fact, role=facts[-1].role) if is_more else fact)
            at = max(at, facts[-1].end if reading.span.target is None else reading.span.end)
    return tuple(_with_its_event(plain, fact, facts, today) for fact in facts)


def counted_from(fact: Fact, event: date, today: date) -> Fact:
    """Return what is counted from an event that nobody had told the day of, now that it is known."""
    plain = plain_text(fact.text)
    counted = _from_event(plain, fact.core[0] - fact.start if fact.core else 0, fact, event, today)
    return fact if counted is None else replace(fact, value=counted.value, role=counted.role, doubt=counted.doubt)


def _with_its_event(plain: str, fact: Fact, facts: Sequence[Fact], today: date) -> Fact:
    """Return a fact that is counted from an event with the day that the text says of it elsewhere: "the party on …"."""
    event = _WHEN_IS.fullmatch(fact.doubt)
    if event is None or fact.core is None:
        return fact
    stem = re.sub(r"(?<=[a-z]{4})(?:ing|ion|s)$", "", event["noun"])
    also = r"|\bturns\s" if event["noun"] == "birthday" else ""
    noun = re.compile(rf"(?<![a-z]){re.escape(stem)}[a-z]*{also}")
    is_back = _BACK.search(plain, fact.start, fact.end) is not None
    told = [one for one in facts if one.value.first and one.value.last and not one.value.recurs]
    days: set[str] = set()
    for other in told:
        is_its_own = noun.search(plain, other.start, other.end) is not None  # "before the party, which is on 3 July"
        if (
            other.doubt
            or _is_moved(plain, other)
            or not (is_its_own or other.role in ("on", "start", "mention", "period"))
        ):
            continue
        before = max((one.end for one in told if one.end <= other.start and not _is_moved(plain, one)), default=0)
        if fact.end <= other.start and not _SAYS_WHEN.match(plain, fact.end):
            before = max(before, fact.end)
        after = min((one.start for one in facts if one.start >= other.end and one.type == "date"), default=len(plain))
        words = _SENTENCE_END.split(plain[max(before, other.start - _NEAR_ITS_EVENT) : other.start])[-1]
        rest = re.split(r"[,.;:!?]", plain[other.end : min(after, other.end + _AFTER_ITS_DAY)])[0]
        if is_its_own or noun.search(words) or noun.search(rest):
            days.add((other.value.first if is_back else other.value.last) or "")
    day = date.fromisoformat(days.pop()) if len(days) == 1 else None
    found = _from_event(plain, fact.core[0], fact, day, today) if day is not None else None
    return fact if found is None else replace(fact, value=found.value, role=found.role, doubt=found.doubt)


def _from_event(plain: str, at: int, fact: Fact, event: date, today: date) -> Fact | None:
    """Return the days so long before or after an event, whose name ends the expression at a place."""
    words = _WHEN_IS.fullmatch(fact.doubt)
    core = fact.core or (fact.start, fact.end)
    end = at + core[1] - core[0]
    if words is None or not plain.endswith(words["event"], at, end):
        return None
    told = f"{plain[at : end - len(words['event'])]}{event.isoformat()}".removeprefix("within ")
    span = expression_at(told, 0, today)
    if span is None or span.end != len(told):
        return None
    span = replace(span, end=end, target=None)
    return next(_facts_of(plain, plain, Reading(at, span), today))


_WHEN_IS = re.compile(r"when is (?P<event>(?:[a-z'-]+ )*(?P<noun>[a-z'-]+))\?")


def _is_moved(plain: str, fact: Fact) -> bool:
    """Tell whether a day is one that something was moved from."""
    return fact.role == "mention" and plain.startswith("from ", fact.start)


_BACK = re.compile(r"\b(?:before|prior|ahead|in advance)\b")
_SAYS_WHEN = re.compile(r"\s?(?:,?\s?(?:which|that)\b|\()")
_NEAR_ITS_EVENT, _AFTER_ITS_DAY = 120, 40
"""Characters before a day, and after it, in which its event is named."""


def _is_first_word(word: str) -> bool:
    return word in _FIRST_WORDS or word.removesuffix("'s") in _FIRST_WORDS or word.rstrip("0123456789") in {"kw", "cw"}


def _is_within_a_word(plain: str, at: int) -> bool:
    """Return whether a place stands after a mark and more, as in "3.12", "a/b", "1-2"; "mid-May" is read in parts."""
    if at < 2 or plain[at - 1] not in ".,/:'#+-" or plain[at - 2].isspace():
        return False
    return plain[at - 1] not in "-/" or plain[at].isdigit()


def _readings(text: str, plain: str, at: int, today: date, known: _Known) -> list[Reading]:
    """Return what begins at a place; where the sentence tells of what was, the last such days and not the next."""
    days = _next_readings(text, plain, at, today, known)
    last = days[-1].span.last if days else None
    if not days or last is None or days[0].span.recurs:
        return days
    is_told = tells_of_past(plain, days[0].start, days[-1].span.end, lead_at(plain, at))
    words = plain[at : days[-1].span.end]
    is_fixed = any(day.span.has_year or day.span.is_distance or day.span.target for day in days)
    if is_told and last >= today and not is_fixed and _FROM_TODAY.search(words) is None:
        is_weekday = re.search(r"\d", words) is None and words.split()[0].rstrip(".,") in WEEKDAYS
        back = timedelta(days=7 if is_weekday else 30 if _THE_DAY.fullmatch(words) else 365)
        earlier = _next_readings(text, plain, at, max(today, date.min + back) - back, _Known())
        before = earlier[-1].span.last if earlier else None
        fits_worse = any(day.span.doubt for day in earlier) and not any(day.span.doubt for day in days)
        if before is None or before >= today or earlier[-1].span.end != days[-1].span.end or fits_worse:
            return days
        days = [replace(day, span=replace(day.span, doubt="")) for day in earlier]
        last = before
    elif last >= today and not is_fixed and _WAS.search(plain[: days[0].start]) is not None:
        days[-1] = replace(days[-1], span=replace(days[-1].span, doubt=f"{spoken_day(last)}, or one that is past?"))
    is_past = last < today and bool(is_told or _IN_THE_PAST.search(words))
    return [replace(day, is_past=is_past) for day in days]


def _next_readings(text: str, plain: str, at: int, today: date, known: _Known) -> list[Reading]:
    """Return what begins at a place: a rule, several days, or one expression."""
    facts = known.facts
    if (rule := recurrence_at(plain, at)) is not None:
        return [Reading(at, rule)]
    found = expression_at(plain, at, today)
    day = _THE_DAY.match(plain, at) if found is None else None
    if day is not None and _NAME_AFTER.match(text, day.end()) and lead_at(plain, at) is not None:
        found = expression_at(plain[: day.end()], at, today)  # "on the 3rd Lars comes"
    words = plain[at : found.end] if found is not None else ""
    is_day = _THE_DAY.fullmatch(words) is not None
    if facts and found is not None and words in WEEKDAYS and _is_its_weekday(plain, at, facts[-1], WEEKDAYS[words]):
        return []
    if words == "sun" and plain.endswith("the ", 0, at):  # "she sat in the sun"
        return []
    if found is not None and words in WEEKDAYS and _is_told_after(plain, found.end, today, WEEKDAYS[words]):
        return []
    earlier = _day_before(plain, at, facts, is_within_sentence=not is_day) or today
    if is_day and _OTHER_THAN.search(plain, max(0, at - 20), at) is not None:  # "on the 16th, not the 9th"
        earlier = today
    is_weekday = found is not None and found.is_loose and words in WEEKDAYS
    same = [day for day in known.named if day >= today and found and found.first and day.day == found.first.day]
    if found is not None and is_day and same and min(same) >= earlier:
        found = replace(found, first=min(same), last=min(same))
    elif found is not None and found.first and earlier > today and (is_weekday or is_day):
        later = expression_at(plain, at, earlier)  # "on 3 July and back on the 17th", "on 9 May and we meet Monday"
        if later is not None and later.first is not None:
            is_near = _SENTENCE_END.search(plain, facts[-1].end, at) is None
            found = _beside(facts[-1], later, found.first, today, is_day=is_day, is_near=is_near)
    lead = lead_at(plain, at) if found is not None or plain[at].isdigit() or plain.startswith("now ", at) else None
    if days := several_days(plain, at, today, found, lead):
        return days
    if found is None:
        anchor = next((fact.value.last for fact in reversed(facts) if fact.value.last), None)
        found = later_at(plain, at, date.fromisoformat(anchor)) if anchor is not None else None
        if found is not None and found.is_back and date.fromisoformat(anchor or "") < today:
            found = None  # "48 hours before", after a day that is past, counts from something else
    is_more = found is not None and facts and _ALSO.fullmatch(plain, facts[-1].end, at) and _THE_DAY.match(plain, at)
    if found is None or (found.is_loose and not is_more and not _is_meant(text, plain, at, found, lead)):
        return []
    if found.is_loose and _WHICH_OF_A_MONTH.search(plain, max(0, at - 8), at) is not None:
        found = replace(found, doubt="of which month?")
    return [Reading(at, found)]


def _is_its_weekday(plain: str, at: int, day: Fact, weekday: int) -> bool:
    """Tell whether a weekday only says which one the day before it is: "5 December, the Saturday"."""
    if day.value.last is None or day.value.first != day.value.last:
        return False
    joint = _SAYS_WHICH.fullmatch(plain, day.end, at)
    is_alone = joint is not None and (joint["article"] or re.match(r"[a-z]+\s*(?:$|[,.;:)])", plain[at:]))
    return bool(is_alone) and date.fromisoformat(day.value.last).weekday() == weekday


def _is_told_after(plain: str, at: int, today: date, weekday: int) -> bool:
    """Tell whether the day that a weekday belongs to comes a word or two later: "at Sunday mass on 16 May"."""
    between = _UNTIL_ITS_DAY.match(plain, at)
    day = expression_at(plain, between.end(), today) if between is not None else None
    return day is not None and day.first == day.last and day.first is not None and day.first.weekday() == weekday


_UNTIL_ITS_DAY = re.compile(r"\s[a-z]+(?:\s[a-z]+)?\son\s(?=\d|the\s\d)")
_SAYS_WHICH = re.compile(r"(?:,\s|\s?\(|\s[-–]\s)(?:(?:which|that)(?:'s|\sis)\s)?(?P<article>(?:an?|the)\s)?")


def _beside(before: Fact, later: Span, next_one: date, today: date, *, is_day: bool, is_near: bool) -> Span:
    """Return the day after one that was named before (``is_near``: in the same sentence), with any doubt.

    In the month that was named it is plain; a day before a last one is in its month, too: "end of May, the 30th".
    """
    month, day = date.fromisoformat(before.value.last or "").replace(day=1), later.first
    if day is None or (day == next_one and not is_day):
        return later
    is_end = _END_OF_MONTH.search(before.text) is not None
    same = day_in_month(month, next_one.day) if is_day and (is_end or before.role == "deadline") else None
    if same is not None and same >= today and day.replace(day=1) != month:
        doubt = "" if is_end and is_near else f"{spoken_day(same)}, or {spoken_day(day)}?"
        return replace(later, first=same, last=same, doubt=doubt)
    is_plain = day == next_one or (is_day and day.replace(day=1) == month)
    return replace(later, doubt="" if is_plain else f"{spoken_day(day)}, or {spoken_day(next_one)}?")


def _day_before(plain: str, at: int, facts: Sequence[Fact], *, is_within_sentence: bool) -> date | None:
    """Return the day that the sentence, or the text, has named before, of several the first."""
    if not facts or facts[-1].value.last is None:
        return None
    if is_within_sentence and _SENTENCE_END.search(plain, facts[-1].end, at):
        return None
    first, last = facts[-1].value.first, facts[-1].value.last
    if first is None or first == last:
        return date.fromisoformat(facts[-1].value.last)
    return date.fromisoformat(first) - timedelta(days=1)


def _is_meant(text: str, plain: str, at: int, span: Span, lead: Lead | None) -> bool:
    """Return whether "Friday", "may" or "3/4" is a date here: after "by", or as an adverb at the end of a clause."""
    is_said_after = time_after(plain, span.end) is not None or SUFFIX.match(plain, span.end) is not None
    if _NAME_AFTER.match(text, span.end) is not None and not text[at : span.end].isupper() and not is_said_after:
        return False
    if _EACH.search(plain, max(0, at - 8), at) is not None:
        return False
    is_number = plain[at].isdigit()
    if plain[at : span.end] in MONTHS and plain.endswith("the ", 0, at):
        return False  # "the May fair"
    is_slashed = is_number and "/" in plain[at : span.end]
    if lead is not None and lead.kind == "on" and is_number and not is_slashed:
        return lead.word in {"on", "am", "only"}
    if is_slashed and (lead is None or lead.word not in {"on", "by", "before", "until", "due"}):
        return _FRACTION.match(plain, at) is None
    if lead is not None or span.part_of_day or is_said_after:
        return True
    if is_number:
        return plain.count(".", at, span.end) == 2 and not plain[:at].strip()[-1:].isalnum()
    word = plain[at : span.end].rstrip(".")
    is_long = word in WEEKDAYS or (word in MONTHS and len(word) > 4)
    return is_long and word not in _WORDS_TOO and AFTER_A_DAY.match(plain, span.end) is not None


def _facts_of(text: str, plain: str, reading: Reading, today: date, *, is_target: bool = False) -> Iterator[Fact]:
    """Yield a reading as a fact, and after it the date that it is counted from."""
    span = reading.span
    lead = lead_at(plain, reading.start if reading.lead_at is None else reading.lead_at, with_event=not is_target)
    if span.is_distance and lead is not None and lead.kind == "in":
        lead = None
    before, after = time_before(plain, reading.start), time_after(plain, span.end)
    time = before[1] if before is not None else after[1] if after is not None else ""
    if before is not None and lead is not None and lead.start >= before[0]:
        lead = Lead("on", before[0], "on")  # "from 6 until 9 pm on Thursday"
    role, limit, is_from_today, unsure = use_of(plain, reading, lead, _NOT_TELLING)
    if span.part_of_day in {"afternoon", "evening"} and "01" <= time < "12":
        time = f"{int(time[:2]) + 12}{time[2:]}"  # "tonight at 8"
    if time and limit is not None and role == "deadline":
        limit = span.last  # "before noon on 1 June"
    if is_target and role == "start":
        role, limit = "on", None  # "a week before work starts on 3 May"
    end = after[0] if after is not None else span.end
    suffix = SUFFIX.match(plain, end) if not span.recurs else None
    if suffix is not None:
        end = suffix.end()
        role, limit = ("deadline", span.last) if suffix["by"] else ("start", span.first)
    first = today if is_from_today else span.first
    doubt = span.doubt or (unsure if suffix is None else "")
    latest = limit if role == "deadline" else span.last
    if not doubt and latest is not None and latest < today and not reading.is_past:
        doubt = f"{spoken_day(latest)} is past"
    is_until = lead is not None and lead.word in {"until", "till"} and role == "deadline"
    if not doubt and is_until and span.last != span.first:
        doubt = "until its first day, or its last?"
    start = lead.start if lead is not None and reading.lead_at in {None, reading.start} else reading.start
    start = min(start, before[0]) if before is not None else start
    part = _PART_OF.search(plain, start, reading.start)  # "on the morning of 2 June"
    value = Value(
        first=_iso(first), last=_iso(span.last), limit=_iso(limit),
        recurs=span.recurs, part_of_day=span.part_of_day or (part["part"] if part is not None else ""),
        time=time, number=span.number,
    )  # fmt: skip
    core = (reading.start, span.end)
    yield Fact(text=text[start:end], start=start, end=end, type="date", role=role, value=value, core=core, doubt=doubt)
    if span.target is not None:
        place, target = span.target
        yield from _facts_of(text, plain, Reading(place, target), today, is_target=True)


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day is not None else None
