"""What days, amounts, hours and names of the goal become: typed fields of limits, steps, people and criteria."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from decimal import Decimal

from workbench.domain.facts.ledger import Stated
from workbench.domain.plan.calendar import day_of
from workbench.domain.plan.plan import Days, DaysOff, Effort, Money
from workbench.domain.text.cleaning import shorten
from workbench.domain.text.words import stems
from workbench.domain.values.units import CALENDAR_DAYS, WORKING_DAYS
from workbench.guided import patterns
from workbench.guided.draft import Draft, origin_of
from workbench.guided.work import YOU, Work, main_step

_PASSING = frozenset({"day", "working day"})
"""Days of the calendar of somebody else's answer."""
_HOURS = {"minute": 1 / 60, "hour": 1.0, "day": 8.0, "working day": 8.0}
_A_WEEK = {"day": 5.0, "week": 1.0}
_MOST_HOURS, _SHORT = 80.0, 10


def take_quantities(draft: Draft) -> None:
    """Place every fact that is a figure, a day or a name."""
    for stated in draft.brief.facts:
        value = stated.fact.value
        match stated.fact.type:
            case "date" if not value.recurs:
                _take_date(draft, stated)
            case "date":
                _take_weekdays(draft, stated)
            case "amount" if value.number is not None:
                _take_amount(draft, stated)
            case "capacity" if value.number is not None and value.unit in _HOURS and value.per in ("day", "week"):
                hours = round(value.number * _HOURS[value.unit] * _A_WEEK[value.per], 2)
                if (who := _whose(draft, stated)) is not None:
                    draft.know(who, stated, hours=min(hours, _MOST_HOURS))
            case "person":
                name = value.name or stated.fact.text
                if any(name in one.title or name == one.owner for one in draft.work) or name in draft.people:
                    draft.acted.add(stated.id)
            case "place" if (place := draft.brief.slots["place"]) and any(place in one.title for one in draft.work):
                draft.acted.add(stated.id)


def _whose(draft: Draft, stated: Stated) -> str | None:
    """Return whose hours or days away a part of a sentence gives: a name in it, or the person; None for others.

    "4 hours a week", "I have …" and "learn it with …" are the person's own; "the trainer has 4 hours a week" is noted.
    """
    around, part = draft.brief.around(stated), draft.brief.until(stated)
    people = [one.fact for one in draft.brief.of("person", source=stated.source) if one.fact.text in part]
    if people:
        return people[-1].value.name or people[-1].text
    if patterns.OWN.search(part) or not stems(part) or _WITH.search(part):
        return YOU
    if not draft.is_noted(stated):
        draft.note(around, origin_of(stated))
    draft.acted.add(stated.id)
    return None


_WITH = re.compile(r"(?i)\b(?:with|only|at most|up to|spend)\s*$")


def _take_date(draft: Draft, stated: Stated) -> None:
    fact, value = stated.fact, stated.fact.value
    first, last = day_of(value.first), day_of(value.last)
    if stated.id in draft.acted or first is None or last is None or _take_absence(draft, stated, first, last):
        return
    if stated is draft.brief.day and _set_day(draft, stated, first):
        return
    is_foreign = draft.brief.language != "en" and stated.source == "goal" and fact.role != "deadline"
    if (
        fact.doubt.startswith("when is")
        or "is past, so" in fact.doubt
        or (fact.doubt and draft.brief.is_impossible)
        or is_foreign
    ):
        return
    if draft.brief.is_due(stated) and (draft.practice or draft.step_near(stated) is None):
        limit = draft.limit(f"Due {fact.text}", stated, "date", day=value.last)
        if draft.practice:
            draft.answer(draft.practice[-1], limit)
        return
    if last < draft.brief.today:
        draft.acted.add(stated.id)  # it has gone by: the words that it stands in are kept, and the day is asked
        return
    is_of_a_part = draft.brief.is_of_a_part(stated) and draft.step_near(stated) is None
    is_kept = draft.brief.is_aside(stated) or draft.is_noted(stated)
    if ((is_of_a_part or is_kept) and draft.date_limit(stated)) or is_kept:
        draft.acted.add(stated.id)  # the words that it stands in are kept
        return
    main = main_step(draft.practice)
    if stated is draft.brief.window and main is not None:
        draft.answer(main, draft.limit(fact.text, stated, "date", day=value.last))
        begins = value.first if first > draft.brief.today else None
        draft.put(main, not_before=begins, deadline=value.last)
        return
    own = draft.step_near(stated)
    if fact.role == "deadline" and patterns.LASTING.search(draft.brief.until(stated)):
        draft.acted.add(stated.id)  # how long what is made has to last: its words are kept
        return
    if fact.role == "deadline":
        has_by = draft.brief.language != "en" or patterns.HAS_BY.match(fact.text)
        text = (
            f"the day: {draft.brief.core_of(stated)}"
            if stated.source != "goal"
            else fact.text
            if has_by
            else f"by {fact.text}"
        )
        limit = draft.limit(text, stated, "date", day=value.limit or value.last)
        if draft.practice:
            draft.answer(draft.practice[-1], limit)
    elif fact.role == "on" and not draft.date_limit(stated):
        around = draft.brief.around(stated)
        text = around if len(around.split()) <= _SHORT else f"the day: {draft.brief.core_of(stated)}"
        draft.limit(text, stated, "date", day=value.first)
    elif draft.brief.is_of_a_part(stated):
        return
    elif stated.source == "goal" and fact.role in ("period", "on") and own is None and not draft.practice:
        part = draft.brief.part_of(stated)
        is_in_main = part is not None and part.stated is draft.brief.main
        draft.limit(fact.text if is_in_main else draft.brief.around(stated), stated, None, day=value.last)
    elif fact.role == "start" and main is not None:
        draft.answer(main, draft.limit(fact.text, stated, None, day=value.first))
        draft.put(main, not_before=value.limit or value.first)


def _take_weekdays(draft: Draft, stated: Stated) -> None:
    """Let somebody work on no other days: "I can only work on Saturdays"."""
    days = re.fullmatch(r"FREQ=WEEKLY;BYDAY=([A-Z,]+)", stated.fact.value.recurs or "")
    if days is None or not patterns.ONLY_WORKS.search(draft.brief.around(stated)):
        return
    if (who := _whose(draft, stated)) is not None:
        draft.know(who, stated, weekdays=tuple(_DAY_CODES.index(code) + 1 for code in days[1].split(",")))


_DAY_CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


def _take_absence(draft: Draft, stated: Stated, first: date, last: date) -> bool:
    """Take a stretch of days as somebody's days away, or as days on which nobody works."""
    if first >= last or last < draft.brief.today or stated.fact.role not in ("period", "on", "mention", ""):
        return False
    around = draft.brief.around(stated)
    days = Days(first.isoformat(), last.isoformat())
    if patterns.CLOSED.search(around):
        name = f"H{len(draft.days_off) + 1}"
        draft.days_off.append(DaysOff(id=name, text=shorten(around, 80), days=(days,), origin=origin_of(stated)))
        draft.acted.add(stated.id)
        return True
    if not patterns.AWAY.search(around):
        return False
    if (who := _whose(draft, stated)) is not None:
        draft.know(who, stated, away=days)
    return True


def _set_day(draft: Draft, stated: Stated, day: date) -> bool:
    """Put the step that all is for on its day."""
    main = next((one for one in draft.work if one.day), None)
    if main is None:
        return False
    draft.put(main, on=day.isoformat(), effort=Effort(1, 1, 1) if main.effort else None)
    is_end = draft.brief.core is not None and draft.brief.core.event
    said, last = f"{day:%A}, {day.day} {day:%B %Y}", draft.brief.last_day
    text = f"The day is {said}"
    if last:
        text = f"The days are {day:%A}, {day.day} {day:%B}, to {last:%A}, {last.day} {last:%B %Y}"
    limit = draft.limit(text, stated, "date" if is_end else None, day=(last or day).isoformat())
    draft.answer(next(one for one in draft.work if one.day), limit)
    return True


def _take_amount(draft: Draft, stated: Stated) -> None:
    fact, value = stated.fact, stated.fact.value
    money = Money(_decimal(value.number or 0), value.currency) if value.currency else None
    if stated.source != "goal" and fact.role != "budget":
        return  # the words that it stands in are kept
    if draft.is_kept(stated):
        draft.acted.add(stated.id)  # it stands in a limit, in the person's words
        if money and fact.role == "budget":
            draft.give_amount(stated, money)
    elif money and (
        value.per
        or (fact.role == "price" and value.bound == "at most")
        or patterns.EACH.search(draft.brief.near(stated))
    ):
        _limit_each(draft, stated, money)
    elif money and (fact.role == "budget" or (draft.stands_alone(stated) and draft.brief.budget is None)):
        has_limit = draft.brief.language != "en" or patterns.HAS_LIMIT.match(fact.text)
        text = fact.text if has_limit else f"at most {draft.brief.core_of(stated)}"
        limit = draft.limit(text, stated, "amount", amount=money)
        keeper = next((one for one in draft.work if "budget" in one.keeps), None)
        if (keeper := keeper or main_step(draft.practice)) is not None:
            draft.answer(keeper, limit)
    elif fact.role == "target":
        _take_target(draft, stated)
    elif fact.role in ("count", "mention") and not money:
        _take_count(draft, stated)


def _limit_each(draft: Draft, stated: Stated, money: Money) -> None:
    """Limit what one of many pays or costs; where it is known how many they are, the whole is reckoned."""
    people = [one.fact for one in draft.brief.of("amount", "count", source="goal") if not one.fact.value.currency]
    count = people[0].value.number if people and stated.fact.value.per in ("person", "", "unit") else None
    text = " ".join(stated.fact.text.split())
    amount = None
    if count and patterns.IS_HEAD.search(draft.brief.near(stated)):
        whole = money.amount * _decimal(count)
        text = f"{text}: {whole:,.0f} {money.currency} for {people[0].text}"
        amount = Money(whole, money.currency) if stated.fact.role == "budget" else None
    limit = draft.limit(text, stated, "amount", amount=amount)
    keeper = next((one for one in draft.work if "budget" in one.keeps), None)
    if keeper is not None:
        draft.answer(keeper, limit)


def _take_target(draft: Draft, stated: Stated) -> None:
    """Measure what a number is to become; of two in one sentence, the first is where it stands today."""
    around = draft.brief.around(stated)
    same = [
        one for one in draft.brief.of("amount", "target", source=stated.source) if draft.brief.around(one) == around
    ]
    draft.acted.add(stated.id)
    is_from_to = len(same) > 1 and re.search(r"\bfrom\s*$", around[: around.find(same[0].fact.text)]) is not None
    last = same[-1 if is_from_to else 0]
    if stated is last and not any(stated.fact.text in one.target for one in draft.criteria):
        today = f" ({same[0].fact.text} today)" if is_from_to else ""
        draft.measure(draft.brief.title, "counted on the last day", f"{stated.fact.text}{today}", origin_of(stated))


def _take_count(draft: Draft, stated: Stated) -> None:
    """Place how many there are: in a title that says it, else as a note."""
    fact = stated.fact
    if any(fact.text in one.title for one in draft.work) or draft.is_quoted(stated):
        draft.acted.add(stated.id)
        return
    if stated.source == "goal" and draft.brief.core is not None and not draft.is_noted(stated):
        draft.note(fact.text, origin_of(stated))
    draft.acted.add(stated.id)


def _decimal(number: float) -> Decimal:
    return Decimal(str(int(number) if number == int(number) else number))


def with_times(draft: Draft, stated: Stated, work: Work) -> Work:
    """Return a step that the person told with the days and the time that its words give."""
    is_repeated = _AGAIN.search(stated.fact.text) is not None
    for one in draft.brief.inside(stated, "date"):
        value, role = one.fact.value, one.fact.role
        first, last = value.first, value.limit or value.last
        before = stated.fact.text[: max(0, one.fact.start - stated.fact.start)]
        is_free = role not in ("deadline", "start")
        lasts = _LASTS_TO.search(before) or patterns.LASTS.match(one.fact.text)
        is_said = bool(is_free and (lasts or is_repeated)) or _COUNTS_ON.search(one.fact.text) is not None
        draft.acted |= {one.id} if is_said else set()  # the step has its words
        if not first or not last or value.recurs or one.fact.doubt or last < draft.brief.today.isoformat() or is_said:
            continue
        draft.acted.add(one.id)
        if role == "deadline" or (work.deadline is None and _is_by(stated, one)):
            work = replace(work, deadline=last)
        elif role == "start":
            work = replace(work, not_before=value.limit or first)
        elif first == last:
            work = replace(work, on=work.on or first)
        else:
            work = replace(work, not_before=first, deadline=last)
    for one in draft.brief.inside(stated, "duration"):
        value, text = one.fact.value, stated.fact.text
        before, after = text[: one.fact.start - stated.fact.start], text[one.fact.end - stated.fact.start :]
        is_length = not re.match(r"['’]|.{0,20}\b(?:before|after|ahead|in advance|notice|earlier|later|old)\b", after)
        days = value.up_to or value.number or 0
        is_clock = value.unit == "hour" and days in (12, 24, 36, 48, 72)  # "24 hours to cool": nobody works in them
        is_length = is_length and not is_clock and not _NO_LENGTH.search(before + one.fact.text)
        if is_length and days and work.effort is None and work.wait is None:
            draft.acted.add(one.id)
            if value.unit in ("week", "month") or (value.unit in _PASSING and patterns.WAITS.search(text)):
                work = replace(work, wait=float(round(days * CALENDAR_DAYS[value.unit])))
            elif value.unit in WORKING_DAYS and days * WORKING_DAYS[value.unit] > 0:
                low, high = ((value.number or days) * WORKING_DAYS[value.unit], days * WORKING_DAYS[value.unit])
                work = replace(work, effort=Effort(low, (low + high) / 2, high))
    prices = [one for one in draft.brief.inside(stated, "amount") if one.fact.value.currency and not one.fact.value.per]
    before = stated.fact.text[: prices[0].fact.start - stated.fact.start] if prices else ""
    if len(prices) == 1 and (not before or re.search(r"(?:[(,:]|\b(?:for|costs?|about|at))\s*$", before)):
        draft.acted.add(prices[0].id)
        value = prices[0].fact.value
        work = replace(work, cost=Money(_decimal(value.up_to or value.number or 0), value.currency))
    return work


_LASTS_TO = re.compile(r"\b(?:to|until|till)\s+(?:the\s+)?$", re.IGNORECASE)
_COUNTS_ON = re.compile(r"(?:with)?in (?:\w+ ){1,3}(?:days|weeks|months|years)$|\b(?:later|after)$", re.IGNORECASE)
"""Of a day that is counted from another step, or says how long something lasts."""
_AGAIN = re.compile(r"\b(?:(?:a|per|each|every) (?:week|day|month|year)|weekly|daily|monthly)\b", re.IGNORECASE)
_NO_LENGTH = re.compile(
    r"\bwaited\b|\b(?:\d+|once|twice|two|three|four|five|six|ten|(?!takes|lasts|needs)\w+s) an? \w+$"
    r"|\b(?:last|past|previous|after|in|within|every|each|than|least|most|first)\s+[\w-]+(?: to [\w-]+)? \w+$"
    r"|\b(?:a|one) day$",
    re.IGNORECASE,
)


def _is_by(stated: Stated, day: Stated) -> bool:
    """Tell whether a day is the last one for a step: it stands in brackets or at its end, behind nothing but that."""
    before = stated.fact.text[: day.fact.start - stated.fact.start]
    return re.search(r"(?:[(,]|\b(?:latest|due|until|before|by))\s*$", before) is not None
