"""Are the constraints kept that say what they limit: dates, amounts, and days on which something must not be.

constraints.broken    work on a weekday or in a time that a constraint rules out
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.calendar import day_of
from workbench.domain.plan.checks.case import Case, fault, quoted
from workbench.domain.plan.checks.days import days_in, rough_days_in, with_iso_dates, with_whole_dates
from workbench.domain.plan.checks.kinds import of_kind
from workbench.domain.plan.checks.quantities import prices
from workbench.domain.plan.plan import Constraint, Decision, Step
from workbench.domain.text.words import stem_set, stems

_NEGATED = re.compile(r"\b(?:no|not|never|nothing|nobody|without|none|neither)\b|n['’]t\b", re.IGNORECASE)
_WEEKDAY = re.compile(
    r"\b(?:on|at) (?:the )?(?P<days>(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|public holidays|holidays)"
    r"(?:(?:,| and| or| nor|, and) (?:on )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|public holidays"
    r"|holidays))*)",
    re.IGNORECASE,
)
_DAY_NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_SPAN = re.compile(
    r"\b(?:between|from|during)? ?(\d{4}-\d{2}-\d{2}) (?:and|to|until|till|–|-|through) (?:the )?(\d{4}-\d{2}-\d{2})"
)
_ANY_WORK = stem_set(
    "work nothing change noise happen activity build building done do anything enter take place carry start "
    "person one thing plan always"
)


def what_is_ruled_out_in_time_is_not_done(case: Case) -> Iterator[Finding]:
    """Find work on weekdays, in stretches of days and past an hour that a constraint or decision rules out."""
    for _, item in case.placed:
        if isinstance(item, Constraint | Decision):
            yield from _against_days(case, item)


def _against_days(case: Case, item: Constraint | Decision) -> Iterator[Finding]:
    """Yield steps that begin or end in a stretch of days that is ruled out, or have no day but such ones."""
    weekdays, spans = rules_out_days(item.text, case.today) or (set(), [])
    ban = _Ban.of(with_iso_dates(with_whole_dates(item.text), case.today), frozenset(stems(case.plan.title)))
    for section, step in case.every(Step) if weekdays or spans else ():
        start, end = day_of(step.start or step.on), day_of(step.end or step.on)
        if start is None or end is None or end < start or not ban.means(item.id, step):
            continue
        if step.milestone or step.waiting is not None or step.status in ("done", "dropped"):
            continue
        inside = [day for day in (start, end) if any(first <= day.isoformat() <= last for first, last in spans)]
        days = [start + timedelta(days=n) for n in range(min(7, (end - start).days + 1))]
        if inside or all(day.weekday() in weekdays for day in days):
            day = (inside or days)[0]
            text = f"{step.id} {quoted(step.title)} is on {day:%A}, {day}, against {item.id} {quoted(item.text)}."
            yield fault("constraints.broken", "major", (section, step), text, f"Move {step.id}.")


def rules_out_days(text: str, today: date) -> tuple[set[int], list[tuple[str, str]]] | None:
    """Return the weekdays, from 0 for Monday, and the stretches of ISO days that a text rules out; None for neither."""
    plain = with_iso_dates(with_whole_dates(text), today)
    if not _NEGATED.search(plain) or _FOR_SOME.search(plain) or _LEVEL.search(plain):
        return None
    weekdays = weekdays_in(plain)
    spans = [(match[1], match[2]) for match in _SPAN.finditer(plain) if not _is_excepted(plain, match.start())]
    return (weekdays, spans) if weekdays or spans else None


_LEVEL = re.compile(
    r"\b(?:above|over|below|under|more than|less than|louder than) \d+(?:[.,]\d+)? ?(?!-|\d)[^\W\d]", re.IGNORECASE
)
"""A ban of too much, which a measurement shows and no calendar."""
_FOR_SOME = re.compile(r"\b(?:nobody|no one|none|nothing) (?:but|except|other than|apart from)\b", re.IGNORECASE)
"""Some may: no rule knows whether a step is theirs."""
_EXCEPT = re.compile(r"\b(?:outside|except|but|other than|only|apart from|unless|if not)\b", re.IGNORECASE)
"""Words that turn a ban around for the days after them, in one clause."""
_NEAR = 500
"""Characters before a day in which such a word stands."""


def _is_excepted(text: str, at: int) -> bool:
    near = text[max(at - _NEAR, 0) : at]
    return _EXCEPT.search(near, max(near.rfind("."), near.rfind(";")) + 1) is not None


def weekdays_in(text: str) -> set[int]:
    """Return the weekdays that a text names after "on" or "at", from 0 for Monday."""
    return {day for match in _WEEKDAY.finditer(text) for day in _weekdays(match["days"])}


def _weekdays(text: str) -> set[int]:
    named = {_DAY_NAMES.index(name) for name in _DAY_NAMES if re.search(rf"\b{name}\w*days?\b", text, re.IGNORECASE)}
    return named | ({5, 6} if re.search("weekend", text, re.IGNORECASE) else set())


_BANNED = re.compile(
    r"\b(?:no one|nobody|no|nothing|not|never|without)\b(?P<what>[^,;:.\d]{0,120}?)"
    r"(?=\b(?:during|between|from|on|before|after|until)\b (?!(?:the )?(?:site|premises|street))|[,;:.\d]|$)",
    re.IGNORECASE,
)
_CLOSED = re.compile(
    r"^(?P<what>[^,;:.\d]{3,40}?) (?:is |are |stays? )?(?:closed|shut|blocked|locked)\b", re.IGNORECASE
)
_PLACE = re.compile(r"\b(?:on|in|at|inside|near|within) (?:the )?(\w+)", re.IGNORECASE)


_EVERYWHERE = stem_set("building house site premises school street")
"""Places in which all of the work is."""


@dataclass(frozen=True, slots=True)
class _Ban:
    """What a sentence rules out for some time: a kind of work, all work, or all at a place."""

    work: frozenset[str]
    places: tuple[frozenset[str], ...]
    """Each as all words that name it; () for everywhere."""
    kinds: frozenset[str]
    """Words for work of the kind that is ruled out: drilling is noisy."""

    @classmethod
    def of(cls, text: str, everywhere: frozenset[str]) -> _Ban:
        banned, closed = _BANNED.search(text), _CLOSED.search(text)
        what = banned["what"] if banned else ""
        shut = _WEEKDAY.sub(" ", closed["what"]) if closed else ""
        named = [frozenset(stems(place)) for place in (*_PLACE.findall(what), shut)]
        work = frozenset(stems(what)).difference(_ANY_WORK, _EVERYWHERE, *named)
        named = [place for place in named if not (work and place <= everywhere)]
        places = tuple(place for place in named if place and not ((work or closed) and place <= _EVERYWHERE))
        return cls(work, places, of_kind(work))

    def means(self, name: str, step: Step) -> bool:
        """Tell whether a step is such work: it sees to the constraint, does the work, or is at the place."""
        if name in step.answers:
            return True
        title = stems(step.title.replace("-", " "))
        if self.kinds & frozenset(stems(f"{step.title} . {step.outcome}".replace("-", " "))):
            return self._is_there(frozenset(title))
        if self.work:
            return bool(self.work & set(title[:2])) and self._is_there(frozenset(title))
        return self._is_there(frozenset(stems(f"{step.title} . {step.outcome} . {step.workstream}")))

    def _is_there(self, words: frozenset[str]) -> bool:
        return not self.places or any(place <= words for place in self.places)


def fields_say_what_their_words_say(case: Case) -> Iterator[Finding]:
    """Find constraints whose text names another day or amount than their field."""
    for section, item in case.placed:
        why = _two_values(item, case.today) if isinstance(item, Constraint) else ""
        if why:
            text = f"{item.id} says {why}."
            yield fault("contradiction.field", "major", (section, item), text, f"Correct one of the two in {item.id}.")


def _two_values(item: Constraint, today: date) -> str:
    day, named = day_of(item.day), days_in(item.text, today)
    if (
        day
        and len(named) == 1 == len(rough_days_in(item.text, today))
        and abs((named[0] - day).days) > 1
        and not _FROM_A_DAY.search(item.text)
    ):
        return f"{named[0]} in its text, and {day} in its field"
    said = [price.money for price in prices(item.text) if price.is_bound]
    if item.amount and item.amount.amount.is_finite() and len(said) == 1 and said[0] != item.amount:
        field = f"{item.amount.amount:,} {item.amount.currency}"
        return f"{said[0].amount:,} {said[0].currency} in its text, and at most {field} in its field"
    return ""


_FROM_A_DAY = re.compile(r"\b(?:days?|weeks?|months?) (?:before|after|ahead of|prior to|from)\b", re.IGNORECASE)
"""Words with which the date of a text is counted from, and is not the day that is meant."""


_FOR_EACH = re.compile(
    r"(?:^|(?<=[.;,]))[^.;,]*\b(?:per|each|apiece|every|a head)\b[^.;,]*(?:,\d{3}[^.;,]*)*"  # begun anywhere: quadratic
)
"""What is said of one of several."""


def goal_and_constraints_agree(case: Case) -> Iterator[Finding]:
    """Find a limit of money that the goal gives another value."""
    goal = _FOR_EACH.sub(" ", case.goal)
    said = [price.money for price in prices(goal) if price.is_bound]
    limits = [
        (section, item)
        for section, item in case.every(Constraint)
        if item.amount is not None and item.amount.amount.is_finite()
    ]
    if len(said) != 1 or len(limits) != 1:
        return
    section, item = limits[0]
    if item.amount and item.amount.currency == said[0].currency and item.amount != said[0]:
        text = f"The goal says at most {said[0].amount:,} {said[0].currency}, and {item.id} {item.amount.amount:,}."
        yield fault("contradiction.amount", "major", (section, item), text, f"Make the goal and {item.id} agree.")
