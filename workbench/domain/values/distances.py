"""Days that are counted from others, and all expressions of time together.

"in 10 weeks" · "within three months" · "ten working days from now" · "half a year from now" · "three days ago"
"a week before the wedding on 12 June" · "two days after Easter" · "the Friday before Christmas"
──expression_at──▶ Span
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from msgspec.structs import replace

from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.values.calendar_words import NO_SUCH_DAY, WEEKDAYS, is_plannable, months_later, working_days_later
from workbench.domain.values.days import LONG_WEEKDAYS, WEEKDAY, Span, alternatives, day_at, one_day
from workbench.domain.values.numbers import Number, number_at
from workbench.domain.values.periods import period_at
from workbench.domain.values.units import CALENDAR_DAYS, UNITS

_DEEPEST = 1
"""Expressions within an expression."""
_UNIT = lazy_pattern(
    rf"\s?-?\s?(?P<working>(?:working|work|business|"
    rf"week)[ -]*(?=days?\b))?(?:calendar\s)?(?P<unit>{alternatives(UNITS)})"
    r"(?![a-z])(?P<half>\sand\sa\shalf\b)?(?:\sor\s(?:(?P<two>two)|so)\b)?"
)
_ARTICLE = lazy_pattern(r"(?:an?|one|the\snext|another|einem|einer|eine)\s(?:(?:good|full|whole)\s)?(?=\S)")
_IN = lazy_pattern(
    r"(?:(?:heute\s)?(?:with)?in|inside(?:\sof)?|over|during|for(?=\s(?:the\s)?(?:next|coming)\s)|innerhalb(?:\svon)?|binnen|dans|"
    r"d'ici|en|dentro\sde)\s(?P<next>(?:the\s)?(?:next|coming|following)\s)?"
    r"(?:(?:about|around|roughly|approximately|just|maybe|perhaps|at\s(?:the\s)?most|less\sthan|under|"
    r"no\smore\sthan)\s)*"
)
_FROM_NOW = lazy_pattern(
    r"'?\s(?:(?:on\s)?from\s(?:now|today)(?:\son)?|hence|ab\sheute|(?:are|is|have|has)\s(?:over|up|out|gone|passed))\b"
)
_FROM_NEAR = lazy_pattern(
    rf"\s(?=(?:today|tomorrow)\b)|\son\s(?={LONG_WEEKDAYS}\b(?!\s\d))", needs=("today", "tomorrow", *WEEKDAYS)
)
_THIS_TIME = lazy_pattern(r"this\stime\s(?:next\s(?P<unit>week|month|year)|tomorrow)\b")
_NOT_IN = lazy_pattern(r"\s(?:of(?!\s(?:each|every))|a\srow|total|per|a\s(?:day|week|month|year)|each|on\saverage)\b")
_SIGN = lazy_pattern(
    r"\s(?P<sign>before|prior\sto|ahead\sof|in\sadvance\sof|after|from|following|past|earlier\sthan|later\sthan|vor|nach|of|"
    r"starting(?:\s(?:on|in|from))?|beginning(?:\s(?:on|in))?)\s(?:dem\s)?"
)
_LASTING = lazy_pattern(r"\b(?:for|lasts?|takes?)\s(?:the\s)?$")
"""Before a distance that begins with the day that is named: "for two weeks from 14 June"."""
_THE_BEFORE = lazy_pattern(
    rf"(?:the\s)?(?:last\s|first\s)?(?:(?P<kind>day|week|weekend|month|night|evening|morning|year)|(?P<weekday>{LONG_WEEKDAYS}))"
    r"\s(?:immediately\s)?(?P<sign>before|after|following)\s",
    needs=("before", "after", "following"),
)
_FILLER = lazy_pattern(
    r"(?:(?!(?:we|i|they|he|she|it|you|and|or|is|are|was|will|must|should|can|has|have|that|which|then|not)\b)"
    r"[a-z][a-z'-]*\s){0,4}?(?:(?:on|in|at)\s|\(\s?(?:on\s)?|(?:[a-z-]+)?,\s(?:which\s(?:is|falls)\s)?(?:on\s)?)"
)
"""Between a distance and the date of the event that it is counted from: "the wedding on 12 June"."""
_OF_A_WEEK = lazy_pattern(rf"{WEEKDAY},?\s(?:of|in)\s(?P<week>(?!))?(?=\S)", needs=WEEKDAYS)
_WEEK_AND_DAY = lazy_pattern(
    rf"(?:the\s)?(?P<week>(?:next|this|following)\sweek|(?:nachste|diese)\swoche),?\s(?:on\s)?{WEEKDAY}(?!\s\d)",
    needs=WEEKDAYS,
)
_SHORTER = frozenset({"hour", "minute", "second", "millisecond"})
"""Units that are shorter than a day."""
_END_OF_AN_AMOUNT = frozenset("0123456789sr")
"""What is before "a day" that means each day: "2 hours a day"."""
_LONG = frozenset({"over", "during", "for"})
"""Before a distance that is as long as something takes: "over the next six months"."""
_BACK = frozenset({"before", "prior to", "ahead of", "in advance of", "earlier than", "vor"})


def expression_at(plain: str, at: int, today: date, deep: int = 0) -> Span | None:
    """Return the expression of time that begins at a place; None if none does."""
    if deep > _DEEPEST or at >= len(plain):
        return None
    try:
        found = (
            _the_before(plain, at, today, deep)
            or _in_week(plain, at, today)
            or period_at(plain, at, today)
            or day_at(plain, at, today)
            or _distance(plain, at, today, deep)
        )
    except (ValueError, OverflowError):
        return None
    if found is None or (is_plannable(found.first) and is_plannable(found.last)):
        return found
    return Span(end=found.end, doubt=NO_SUCH_DAY)


def _in_week(plain: str, at: int, today: date) -> Span | None:
    """Read "Tuesday of the week of 19 April", "Mon in week 23"."""
    match = _OF_A_WEEK.match(plain, at) or _WEEK_AND_DAY.match(plain, at)
    week = period_at(plain, at if match["week"] else match.end(), today) if match is not None else None
    if match is None or week is None or week.first is None or week.last is None or (week.last - week.first).days != 6:
        return None
    middle = week.first + timedelta(days=3)
    day = middle - timedelta(days=middle.weekday() - WEEKDAYS[match["weekday"]])
    return replace(week, end=match.end() if match["week"] else week.end, first=day, last=day, is_loose=False)


def _distance(plain: str, at: int, today: date, deep: int) -> Span | None:
    """Read "in 10 weeks", "two weeks before Easter", "ten days from now"."""
    if (match := _THIS_TIME.match(plain, at)) is not None:
        return one_day(match.end(), _shift_day(today, 1, match["unit"] or "day"))
    lead = _IN.match(plain, at)
    is_next = lead is not None and lead["next"] is not None and lead[0].split()[0] in {"in", "within"}
    counted = _count_of_units(plain, lead.end() if lead is not None else at, may_be_bare=is_next)
    if counted is None:
        return None
    number, unit, end = counted
    if plain.startswith(" ago", end):
        return one_day(end + len(" ago"), _shift_day(today, -number.value, unit), number.doubt)
    if (match := _FROM_NOW.match(plain, end)) is not None:
        return _from_today(match.end(), today, number, unit)
    if lead is not None:
        return _distance_ahead(plain, lead, counted, today, deep)
    if (match := _FROM_NEAR.match(plain, end)) is not None and unit == "week":
        near = day_at(plain, match.end(), today)
        return _moved_from(near, number, unit, sign=1) if near is not None else None
    return _beside_a_date(plain, at, counted, today, deep)


def _beside_a_date(plain: str, at: int, counted: tuple[Number, str, int], today: date, deep: int) -> Span | None:
    """Read "two weeks before Easter", and "for two weeks from 14 June", which begins on that day."""
    number, unit, end = counted
    match = _SIGN.match(plain, end)
    if unit in _SHORTER or match is None or match["sign"] == "of":
        return None
    is_from = match["sign"] == "from"
    if is_from and plain.startswith(("a ", "an "), at) and plain[max(0, at - 2) : at - 1] in _END_OF_AN_AMOUNT:
        return None  # "2 hours a day from 5 April"
    found = _from_target(match, number, unit, today, deep)
    is_lasting = is_from and _LASTING.search(plain, max(0, at - 12), at) is not None
    if found is None or found.first is None:
        return found
    if is_lasting or match["sign"].startswith(("starting", "beginning")):
        begin = _shift_day(found.first, -number.value, unit)
        return replace(found, first=begin, last=found.first - timedelta(days=1))
    if is_from and plain[match.end() :].removeprefix("the ")[:1].isdigit():
        return replace(found, doubt=found.doubt or f"that day, or {plain[at:end]} long?")
    return found


def _distance_ahead(
    plain: str, lead: re.Match[str], counted: tuple[Number, str, int], today: date, deep: int
) -> Span | None:
    """Read "in 10 weeks", "within 14 days of 3 May", "over the next six months"."""
    number, unit, end = counted
    word = lead[0].split()[0]
    if unit == "hour" and number.value % 24 == 0 and not number.up_to:
        number, unit = number._replace(value=number.value / 24), "day"
    if unit in _SHORTER:
        return None
    if (match := _SIGN.match(plain, end)) is not None and word in {"within", "inside"}:
        return _from_target(match, number, unit, today, deep)
    if _NOT_IN.match(plain, end) is not None or (word in _LONG and not lead["next"]):
        return None
    found = _from_today(end, today, number, unit)
    return replace(found, first=today) if word in _LONG else found


def _from_today(end: int, today: date, number: Number, unit: str) -> Span:
    first = _shift_day(today, number.value, unit)
    last = _shift_day(today, number.up_to, unit) if number.up_to is not None else first
    return Span(end=end, first=first, last=last, doubt=number.doubt, is_distance=True)


def _count_of_units(plain: str, at: int, *, may_be_bare: bool = False) -> tuple[Number, str, int] | None:
    """Return a number of units: "10 weeks", "a fortnight", "ten working days"."""
    number = number_at(plain, at)
    if number is None and ((article := _ARTICLE.match(plain, at)) is not None or may_be_bare):
        is_plural = article is None and plain.startswith(("days", "weeks", "months", "years"), at)
        end = article.end() if article is not None else at
        number = Number(1.0, end, doubt="how many?" if is_plural else "")
    match = _UNIT.match(plain, number.end) if number is not None else None
    if number is None or match is None:
        return None
    unit, factor = UNITS[match["unit"]]
    up_to = number.up_to * factor if number.up_to is not None else 2 * factor if match["two"] else None
    number = number._replace(value=(number.value + 0.5 * bool(match["half"])) * factor, up_to=up_to)
    return number, "working day" if match["working"] else unit, match.end()


def _shift_day(day: date, count: float, unit: str) -> date:
    """Return the day so many units later; a fraction of a month counts in days."""
    if unit == "working day":
        return working_days_later(day, round(count))
    if unit in {"month", "year"}:
        months = count * (12 if unit == "year" else 1)
        day = months_later(day, int(months))
        return day + timedelta(days=round((months - int(months)) * CALENDAR_DAYS["month"]))
    return day + timedelta(days=round(count * (7 if unit == "week" else 1)))


def _moved_from(target: Span, number: Number, unit: str, *, sign: int) -> Span:
    anchor = target.first if sign < 0 else target.last
    if anchor is None:
        return Span(end=target.end, doubt=target.doubt)
    return one_day(target.end, _shift_day(anchor, sign * number.value, unit), number.doubt or target.doubt)


def _from_target(match: re.Match[str], number: Number, unit: str, today: date, deep: int) -> Span | None:
    """Read what a distance is counted from: a date, or an event with its date."""
    target = _target(match.string, match.end(), today, deep)
    if target is None:
        return None
    sign = -1 if " ".join(match["sign"].split()) in _BACK else 1
    return _with_target(_moved_from(target[1], number, unit, sign=sign), match.end(), target)


def _target(plain: str, at: int, today: date, deep: int) -> tuple[int, Span] | None:
    filler = _FILLER.match(plain, at)
    starts = [at] if filler is None else [at, filler.end()]
    for place in (place for start in starts for place in (start, start + 4 * plain.startswith("the ", start))):
        found = expression_at(plain, place, today, deep + 1)
        if found is not None and not found.is_distance:
            return place, found
    return None


def _the_before(plain: str, at: int, today: date, deep: int) -> Span | None:
    """Read "the day before Christmas", "the Friday after 12 June", "the week before the wedding on 12 June"."""
    match = _THE_BEFORE.match(plain, at)
    if match is None or plain.startswith(("next", "last", "tomorrow", "yesterday"), match.end()):
        return None
    target = _target(plain, match.end(), today, deep)
    is_before = match["sign"] == "before"
    anchor = (target[1].first if is_before else target[1].last) if target is not None else None
    if target is None or anchor is None:
        return Span(end=match.end(), doubt="when is that?")
    first, last = _beside(anchor, match["kind"] or "", match["weekday"] or "", -1 if is_before else 1)
    part = match["kind"] if match["kind"] in {"night", "evening", "morning"} else ""
    found = Span(end=target[1].end, first=first, last=last, doubt=target[1].doubt, part_of_day=part or "")
    return _with_target(found, match.end(), target)


def _with_target(found: Span, at: int, target: tuple[int, Span]) -> Span:
    """Return a span with the date that it is counted from, where an event is between: "the wedding on 12 June"."""
    return replace(found, target=target) if target[0] - at > len("the ") else found


def _beside(anchor: date, kind: str, weekday: str, sign: int) -> tuple[date, date]:
    if weekday:
        number = WEEKDAYS[weekday]
        ahead = (number - anchor.weekday() - 1) % 7 + 1 if sign > 0 else -((anchor.weekday() - number - 1) % 7 + 1)
        day = anchor + timedelta(days=ahead)
        return day, day
    if kind in {"week", "weekend"}:
        is_later = sign > 0 and (kind == "week" or anchor.weekday() >= 5)
        monday = anchor + timedelta(days=7 * (is_later - (sign < 0)) - anchor.weekday())
        return (monday if kind == "week" else monday + timedelta(days=5)), monday + timedelta(days=6)
    if kind in {"month", "year"}:
        count = 12 if kind == "year" else 1
        return (anchor, months_later(anchor, count)) if sign > 0 else (months_later(anchor, -count), anchor)
    day = anchor + timedelta(days=sign)
    return day, day
