"""Values as people write them: durations, days, states of work, sums of money, and rules of days that come again.

    "2d" · "2–3 days" · "1 Woche" · "PT8H"  ─▶ Effort            "3 May" · "03.05.2027" · "KW 7/2027"   ─▶ days
    "In Progress" · "erledigt" · "[x]"      ─▶ Status            "€500" · "1.200 EUR" · "$2k"           ─▶ Money
    "FREQ=WEEKLY;BYDAY=MO"                  ─▶ Rule              "90 %" · "5/8"                         ─▶ Progress

A text is a value as a whole, or is none: what is read in part only is not read. The room of values reads them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from workbench.domain.loop.limits import MOST_DAYS
from workbench.domain.plan.importing.words import bare
from workbench.domain.plan.markdown.fields import FIELDS
from workbench.domain.plan.plan import Effort, Money, Progress, Rule, Status, Step
from workbench.domain.plan.scheduling.recurrence import rule_of
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.values.calendar_words import plannable_day
from workbench.domain.values.dates import read_dates
from workbench.domain.values.named_value import NamedValue
from workbench.domain.values.plain import plain_text
from workbench.domain.values.units import WORKING_DAYS

_ABBREVIATED = {"pt": "days", "pd": "days", "md": "days", "std": "hours", "mo": "months", "m": "minutes"}
_UNIT = lazy_pattern(r"(?<=[\d ])(?:pt|pd|md|std|mo|m)\b\.?", re.IGNORECASE)
_NUMBER = r"\d{1,5}(?:[.,]\d{1,3})?"
_AROUND = lazy_pattern(
    r"(?:takes? |est(?:imated?)?[.:]? |max\.? )?[~≈]? ?(?P<what>.+?)(?: of work| (?:of )?effort| each)?\.?",
    re.IGNORECASE,
)
_BARE = lazy_pattern(rf"[~≈]?{_NUMBER}(?: ?[–-] ?{_NUMBER})?")
_UNIT_TWICE = lazy_pattern(rf"(?P<low>{_NUMBER}) ?(?P<unit>[a-z]+)(?= ?[–-] ?{_NUMBER} ?(?P=unit))", re.IGNORECASE)
_ISO_DURATION = lazy_pattern(r"P(?:(?P<d>\d{1,5})D)?(?:T(?:(?P<h>\d{1,5})H)?(?:(?P<m>\d{1,5})M)?(?:\d{1,5}S)?)?")
_LONGEST = 60
"""Characters of a text that is a value."""
NEAR = 0.02
"""Days by which two durations may differ that are the same, as minutes are whole."""


def effort_of(text: str, *, unit: str = "") -> Effort | None:
    """Return a duration as working days; ``unit`` is that of a bare number, "" if none is a duration."""
    text = text.strip()
    if len(text) > _LONGEST or not re.search(r"\d|\b(?:a|an|one|two|three|half|ein|eine|zwei|drei)\b", text):
        return None
    if (iso := _ISO_DURATION.fullmatch(text)) is not None and (iso["d"] or iso["h"] or iso["m"]):
        days = (
            int(iso["d"] or 0) + int(iso["h"] or 0) * WORKING_DAYS["hour"] + int(iso["m"] or 0) * WORKING_DAYS["minute"]
        )
        return Effort(*[round(days, 3)] * 3) if days <= MOST_DAYS else None
    around = _AROUND.fullmatch(text)
    what = around["what"] if around else text
    if _BARE.fullmatch(what):
        if not unit:
            return None
        what = f"{what} {unit}"
    what = _UNIT_TWICE.sub(r"\g<low>", _UNIT.sub(lambda match: _ABBREVIATED[match[0].casefold().rstrip(".")], what))
    effort, is_each = FIELDS[Step]["Effort"].read(what) or (None, False)
    if effort is None or is_each or not 0 <= effort.low <= effort.likely <= effort.high:
        return None
    return Effort(*(round(days, 3) for days in (effort.low, effort.likely, effort.high)))


def work_of(days: float, shares: Sequence[float]) -> dict[str, Any]:
    """Return the effort and the duration of work that takes people a part of their time each, or all of it (1.0)."""
    if len(shares) > 1 and sum(shares) == len(shares):
        return {"effort": Effort(days, days, days), "each": True}
    work = round(days * (sum(shares) or 1.0), 3)
    return {"effort": Effort(work, work, work)} | ({"duration": days} if abs(work - days) > NEAR else {})


# --- days -----------------------------------------------------------------------------------------------------------


class Span(NamedTuple):
    """Days from the first to the last, as ISO dates."""

    first: str
    last: str


_SLASHED = lazy_pattern(r"(?P<before>.*?)(?P<first>\d{1,2})/(?P<second>\d{1,2})(?P<after>/\d{2,4}\b.*|$)")
_TIME = lazy_pattern(
    r"[T ,]*(?:(?:\d{1,2})?:\d\d[\d:.,]{0,12})? ?(?:[AaPp][Mm])?(?:Z|[+-]\d\d(?::?\d\d)?)?"
    r"[+.-]{0,2}(?:\d{1,3}[dwmyh])?[.]?"
)
"""What may be after a day: a time, or a repeater of Org mode."""
_DAY_AND_MONTH = lazy_pattern(r"(\d{1,2})\.\s?(\d{1,2})\.")
_PACKED = lazy_pattern(r"(\d{4})(\d\d)(\d\d)(?:T\d{6}Z?)?$")
_WEEKDAY = lazy_pattern(r"(?:Mo|Di|Mi|Do|Fr|Sa|So|Mon|Tue|Wed|Thu|Fri|Sat|Sun)\.?,? (?=\d)")
_WEEKDAYS = lazy_pattern(
    r"\b(?:(?:Mo|Di|Mi|Do|Fr|Sa|So)(?=\.?,? \d)|(?:mon|tue|wed|thu|fri|sat|sun)(?:[a-z]{0,5}day|s|rs?)?\b|"
    r"(?:mon|diens|donners|frei|sams|sonn)tag\b|mittwoch\b)",
    re.IGNORECASE,
)
_WEEKDAY_NUMBERS = {
    "mo": 0, "di": 1, "tu": 1, "mi": 2, "we": 2, "do": 3, "th": 3, "fr": 4, "sa": 5, "so": 6, "su": 6,
}  # fmt: skip
_YEAR = lazy_pattern(r"\d{4}|\d[./-]\d{1,2}[./-]\d\d\b|['’]\d\d\b")
_SERIAL = lazy_pattern(r"[345]\d{4}(?:\.\d+)?")
"""A day as spreadsheets count it, from 1982 to 2064."""
_SERIAL_START = date(1899, 12, 30)
_MOMENT = lazy_pattern(r"1\d{9}(?:\d{3})?")
"""Seconds, or milliseconds, since 1970, from 2001 to 2033."""
_LONGEST_PERIOD = 31
"""Days of a period that can stand for a day: a week or a month, and no year."""


def span_of(text: str, today: date, *, month_first: bool = False) -> Span | None:
    """Return the days that a text names as a whole: a day, a week or a month; without a year the next from today.

    ``month_first``: whether 05/03 is 3 May. Of a weekday, it is the year that fits; no day is on another than is said.
    """
    written = text
    text = _WEEKDAY.sub("", _PACKED.sub(r"\1-\2-\3", " ".join(text.split())), count=1)
    if not 1 < len(text) <= _LONGEST or not re.search(r"\d|[^\W\d_]{3}", text):
        return None
    if (short := _DAY_AND_MONTH.fullmatch(text)) is not None:
        text = f"{short[1]}.{short[2]}.{_next_year(int(short[2]), int(short[1]), today)}"
    if month_first and (match := _SLASHED.fullmatch(text)) is not None:
        text = f"{match['before']}{match['second']}/{match['first']}{match['after']}"
    dates = _dates(text, today)
    if not dates:
        return None
    named = dates[0]
    first, last = named.value.first, named.value.limit or named.value.last
    if named.value.recurs or not first or not last:
        return None
    is_whole = not _BEFORE_A_DAY.sub("", text[: named.start]).strip(" ,.") and _TIME.fullmatch(text[named.end :])
    is_short = (date.fromisoformat(last) - date.fromisoformat(first)).days < _LONGEST_PERIOD
    if first == last and is_whole and (day := _on_its_weekday(first, written, today)):
        return Span(day, day)
    return Span(first, last) if first != last and is_whole and is_short else None


def guess_of_year(text: str, today: date) -> list[str]:
    """Return what is guessed if a day that a text names is another one when it is read in two years; [] for none."""
    then = today + timedelta(days=2 * 365)
    is_sure = _YEAR.search(text) is not None or span_of(text, today) == span_of(text, then)
    return [] if is_sure else [f"days without a year are counted from {today}"]


def without_weekday(text: str) -> str:
    """Return a text without the names of weekdays."""
    return _WEEKDAYS.sub("", text).strip(" ,.()")


def _on_its_weekday(day: str, text: str, today: date) -> str | None:
    """Return a day, of the year that fits its weekday if none is named; None if it is on another weekday."""
    named, year, rest = _WEEKDAYS.search(text), date.fromisoformat(day).year, day[4:]
    number = _WEEKDAY_NUMBERS[named[0][:2].casefold()] if named and re.search(r"\d", text) else None
    years = (year,) if number is None or _YEAR.search(text) else (year, today.year, year - 1, year + 1, year - 2)
    days = (there for one in years if (there := plannable_day(f"{one}{rest}")))
    return next((there.isoformat() for there in days if number in (None, there.weekday())), None)


@lru_cache(maxsize=2_000)  # columns say the same days and states again and again, and a title is looked at twice
def _dates(text: str, today: date) -> tuple[NamedValue, ...]:
    return read_dates(text, plain_text(text), today)


def _next_year(month: int, day: int, today: date) -> int:
    return today.year if (month, day) >= (today.month, today.day) else today.year + 1


def day_of(text: str, today: date, *, month_first: bool = False) -> str | None:
    """Return the day that a text names, of a week or a month the last."""
    span = span_of(text, today, month_first=month_first)
    return span.last if span else None


def serial_day(text: str) -> str | None:
    """Return the day that a number of a spreadsheet is, or of a program."""
    if _MOMENT.fullmatch(text.strip()):
        return datetime.fromtimestamp(int(text.strip()[:10]), UTC).date().isoformat()
    return (_SERIAL_START + timedelta(int(float(text)))).isoformat() if _SERIAL.fullmatch(text.strip()) else None


def is_month_first(texts: Iterable[str]) -> bool:
    """Tell whether dates such as 05/17/2027 name the month first: one of them can be read in no other way."""
    parts = [match for text in texts if (match := _SLASHED.fullmatch(" ".join(text.split())))]
    is_day_first = any(int(match["first"]) > 12 for match in parts)
    return not is_day_first and any(int(match["second"]) > 12 >= int(match["first"]) for match in parts)


def working_days(first: str, last: str) -> float | None:
    """Return how many days from Monday to Friday lie between two days, both included; one if none does."""
    start, end = date.fromisoformat(first), date.fromisoformat(last)
    count = (end - start).days + 1
    if count < 1:
        return None
    weeks, rest = divmod(count, 7)
    return float(max(1, 5 * weeks + sum((start.weekday() + at) % 7 < 5 for at in range(rest))))


_BEFORE_A_DAY = lazy_pattern(
    r"(?:^|(?<=[\s(,]))(?:not before|starting|starts|from|ab|on|am|in|during|im|due(?: date| by| on)?|deadline|by|"
    r"until|no later than|before|bis(?: zum)?|fällig(?: am)?|spätestens(?: am)?)[: ]*(?:the |dem )?$",
    re.IGNORECASE,
)
"""Words before a day."""


def has_day(text: str, today: date) -> bool:
    """Tell whether a day is among the words of a text; a count in brackets, as (3/7), is none."""
    text = re.sub(r"[(\[]\d+/\d+[)\]]", "", text)
    return re.search(r"\d", text) is not None and any(
        named.value.first and not named.value.recurs for named in _dates(text, today)
    )


def rule_in(text: str, today: date, *, is_title: bool = False) -> Rule | None:
    """Return the rule that a text ends with: "every week on Monday until 3 May"; a title is no rule as a whole."""
    dates = _dates(text, today)
    at = next((at for at, one in enumerate(dates) if one.value.recurs), None)
    if (
        at is None
        or (is_title and not dates[at].start)
        or len(dates) - at > 2
        or len(text.rstrip(" .!")) > dates[-1].end
    ):
        return None
    period = dates[at + 1].value if len(dates) > at + 1 else None
    first = period.first if period and period.first else today.isoformat()
    return rule_of(dates[at].value.recurs, first, until=period.last if period and period.last != first else None)


# --- states and money -----------------------------------------------------------------------------------------------

_STATUS_WORDS: dict[Status, str] = {
    "done": "erl|ok|done|complete|completed|closed|finished|resolved|shipped|merged|released|erledigt|fertig|"
    "abgeschlossen|beendet|yes|ja|true|x|✓|✔|✅|☑",
    "under-way": "working on it|now|in progress|in-progress|inprogress|doing|started|active|wip|ongoing|under way|"
    "under-way|underway|working|current|in review|review|testing|in arbeit|läuft|begonnen|in bearbeitung|🚧|🔄|⏳|🟡",
    "waiting": "wait|waiting|deferred|blocked|on hold|on-hold|paused|wartet|blockiert|pausiert|stuck|⛔|🔴",
    "dropped": "removed|deleted|dropped|cancelled|canceled|won't do|wont do|wontfix|abandoned|rejected|obsolete|"
    "abgebrochen|entfällt|gestrichen|storniert|❌",
    "todo": "incomplete|recurring|todo|to do|to-do|open|new|pending|backlog|not started|not yet|planned|scheduled|"
    "ready|next|later|offen|geplant|neu|ausstehend|nicht begonnen|no|nein|false|⬜|📋|🔲|tbd",
}
_STATUS = {word: status for status, listed in _STATUS_WORDS.items() for word in listed.split("|")}
_SIGNS = lazy_pattern(r"^[^\w\s]+\s+|\s+[^\w\s]+$")


def status_of(text: str) -> Status | None:
    """Return the state of work that a text names: ``In Progress``, ``✅ Done``, ``75%``."""
    text = " ".join(text.strip(" *_`.").casefold().split())
    if len(text) > 30:
        return None
    return _STATUS.get(text) or _STATUS.get(_SIGNS.sub("", text)) or _STATUS.get(bare(text))


_SHARE = lazy_pattern(r"(\d{1,3}(?:[.,]\d+)?) ?(%?)")
_PART = lazy_pattern(r"(\d{1,6}) ?(?:/|of|von) ?(\d{1,6})")


def progress_of(text: str) -> Progress | None:
    """Return how much is done: ``75 %``, ``0.5``, ``5/8``."""
    text = text.strip()
    if (part := _PART.fullmatch(text)) is not None and 0 <= int(part[1]) <= int(part[2]) != 0:
        return Progress(float(part[1]), float(part[2]))
    if (match := _SHARE.fullmatch(text)) is None:
        return None
    number = float(match[1].replace(",", "."))
    share = number / 100 if match[2] or number > 1 else number
    return Progress(round(share, 4)) if share <= 1 else None


def take_progress(values: dict[str, Any], progress: Progress) -> None:
    """Set how much of a step is done, and the state that follows from it; a part is never the whole."""
    share = progress.done / progress.of
    values.setdefault("status", "todo" if share <= 0 else "done" if share >= 1 else "under-way")
    if 0 < share < 1:
        values.setdefault("progress", progress)


_PRIORITIES = {
    "high": "a h highest high hoch critical urgent blocker must p0 p1 ⏫ 🔺 🔼",
    "low": "l lowest low niedrig gering trivial could p3 p4 🔽 ⏬",
}


def priority_of(text: str) -> str:
    """Return high or low if a text names such a priority; "" for any other."""
    word = text.strip().casefold()
    return next((name for name, words in _PRIORITIES.items() if word in words.split()), "")


def money_of(text: str) -> Money | None:
    """Return the amount of money that a text is; None if it says more, as "at most", or none."""
    text = re.sub(r"^(?:[~≈]|ca\.?|about|budget)\s*", "", text.strip())
    money: Money | None = FIELDS[Step]["Cost"].read(text) if text and len(text) <= _LONGEST else None
    return money if money is not None and money.amount >= 0 else None
