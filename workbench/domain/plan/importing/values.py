"""Values as people write them: durations, days, states of work, sums of money, and what else a cell or label holds.

    "2d" · "2–3 days" · "1 Woche" · "PT8H"  ─▶ Effort            "3 May" · "03.05.2027" · "05/03/2027"  ─▶ 2027-05-03
    "In Progress" · "erledigt" · "[x]"      ─▶ Status            "€500" · "1.200 EUR" · "$2k"           ─▶ Money

A text is a value as a whole, or is none. What dates, durations and amounts say, the reader of facts knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import date
from decimal import Decimal
from typing import Any

from workbench.domain.loop.limits import is_countable
from workbench.domain.plan.importing.words import bare
from workbench.domain.plan.plan import Effort, Money, Status
from workbench.domain.values.fact import Fact
from workbench.domain.values.reader import read_values as read_facts
from workbench.domain.values.units import WORKING_DAYS

_ABBREVIATED = {"pt": "days", "pd": "days", "md": "days", "std": "hours", "mo": "months", "m": "minutes"}
_UNIT = re.compile(r"(?<=[\d ])(?:pt|pd|md|std|mo|m)\b\.?", re.IGNORECASE)
_NUMBER = r"\d{1,5}(?:[.,]\d{1,3})?"
_AROUND = re.compile(
    r"(?:takes? |est(?:imated?)?[.:]? |max\.? )?[~≈]? ?(?P<what>.+?)(?: of work| (?:of )?effort| each)?\.?",
    re.IGNORECASE,
)
_BARE = re.compile(rf"[~≈]?{_NUMBER}(?: ?[–-] ?{_NUMBER})?")
_RANGE_BEHIND = re.compile(rf"(?P<likely>.+?) ?\((?P<low>{_NUMBER}) ?[–-] ?(?P<high>{_NUMBER})\)")
_UNIT_TWICE = re.compile(rf"(?P<low>{_NUMBER}) ?(?P<unit>[a-z]+)(?= ?[–-] ?{_NUMBER} ?(?P=unit))", re.IGNORECASE)
_ISO_DURATION = re.compile(r"P(?:(?P<d>\d{1,5})D)?(?:T(?:(?P<h>\d{1,5})H)?(?:(?P<m>\d{1,5})M)?(?:\d{1,5}S)?)?")
_LONGEST = 60
"""Characters of a text that is a value."""


def effort_of(text: str, *, unit: str = "") -> Effort | None:
    """Return a duration as working days; ``unit`` is that of a bare number, "" where none is a duration."""
    text = text.strip()
    if len(text) > _LONGEST or not re.search(r"\d|\b(?:a|an|one|two|three|half|ein|eine|zwei|drei)\b", text):
        return None
    if (iso := _ISO_DURATION.fullmatch(text)) is not None and (iso["d"] or iso["h"] or iso["m"]):
        days = (
            int(iso["d"] or 0) + int(iso["h"] or 0) * WORKING_DAYS["hour"] + int(iso["m"] or 0) * WORKING_DAYS["minute"]
        )
        return _effort(days, days, days)
    if (split := _RANGE_BEHIND.fullmatch(text)) is not None:
        likely = effort_of(split["likely"], unit=unit)
        in_hours = re.search(r"\dh| h", split["likely"]) is not None
        scale = WORKING_DAYS["week"] if "w" in split["likely"] else WORKING_DAYS["hour"] if in_hours else 1
        return likely and _effort(_number(split["low"]) * scale, likely.likely, _number(split["high"]) * scale)
    around = _AROUND.fullmatch(text)
    what = around["what"] if around else text
    if _BARE.fullmatch(what):
        if not unit:
            return None
        what = f"{what} {unit}"
    what = _UNIT_TWICE.sub(r"\g<low>", _UNIT.sub(lambda match: _ABBREVIATED[match[0].casefold().rstrip(".")], what))
    fact = _whole(what, "duration")
    if fact is None or fact.value.number is None or fact.value.unit not in WORKING_DAYS:
        return None
    first = fact.value.number * WORKING_DAYS[fact.value.unit]
    last = first if fact.value.up_to is None else fact.value.up_to * WORKING_DAYS[fact.value.unit]
    return _effort(first, (first + last) / 2, last)


def _whole(text: str, kind: str) -> Fact | None:
    """Return the fact of a type that a text is from its beginning to its end."""
    facts = [fact for fact in read_facts(text, date.min.replace(year=2000)) if fact.type == kind]
    return facts[0] if len(facts) == 1 and facts[0].text.strip() == text.strip() else None


def _effort(low: float, likely: float, high: float) -> Effort | None:
    effort = Effort(low=round(low, 3), likely=round(likely, 3), high=round(high, 3))
    return effort if is_countable(effort) else None


def _number(text: str) -> float:
    return float(text.replace(",", "."))


_SLASHED = re.compile(r"(?P<before>.*?)(?P<first>\d{1,2})/(?P<second>\d{1,2})(?P<after>/\d{2,4}\b.*|$)")
_TIME = re.compile(r"[T ,]*(?:[A-Za-z]{2,3}\b)?[ ,]*(?:\d{1,2}:\d\d.*)?(?:[+.-]{1,2}\d+[dwmyh])?[.]?")
_OWN_COUNT = re.compile(r"(?:week|month|day|sprint|phase|woche|monat|tag)s? ?\d", re.IGNORECASE)
"""Weeks that a plan counts itself."""


def day_of(text: str, today: date, *, month_first: bool = False) -> str | None:
    """Return the day that a text names, of several the last, as ISO date; without a year the next one from today.

    ``month_first``: whether 05/03 is 3 May.
    """
    text = re.sub(r"^(\d{4})(\d\d)(\d\d)(?=T|$)", r"\1-\2-\3", text)
    text = re.sub(r"^(?:Mo|Di|Mi|Do|Fr|Sa|So)\.?,? (?=\d)", "", " ".join(text.split()))
    if not 1 < len(text) <= _LONGEST or _OWN_COUNT.match(text):
        return None
    if month_first and (match := _SLASHED.fullmatch(text)) is not None:
        text = f"{match['before']}{match['second']}/{match['first']}{match['after']}"
    text = re.sub(r"(?<=\d)-([A-Za-z]{3})-(\d\d)$", r" \1 20\2", text)
    for cued in (text, f"by {text}"):
        for fact in read_facts(cued, today):
            is_whole = cued[: fact.start].strip(" ,.") in ("", "by") and _TIME.fullmatch(cued[fact.end :])
            if fact.type == "date" and fact.value.last and is_whole:
                return fact.value.limit or fact.value.last
    return None


_SOON = 90
"""Days ahead that a day without a year of what is done can be."""


def settled(values: dict[str, Any], text: str, today: date) -> None:
    """Let days without a year of what is done be the last such days, and not the next."""
    for name in ("deadline", "finished"):
        day = values.get(name)
        if (
            values.get("status") == "done"
            and day
            and (date.fromisoformat(day) - today).days > _SOON
            and day[:4] not in text
        ):
            with suppress(ValueError):  # 29 February
                values[name] = date.fromisoformat(day).replace(year=int(day[:4]) - 1).isoformat()


def is_month_first(texts: Iterable[str]) -> bool:
    """Tell whether dates such as 05/17/2027 name the month first: one of them can be read in no other way."""
    parts = [match for text in texts if (match := _SLASHED.fullmatch(" ".join(text.split())))]
    return any(int(match["second"]) > 12 >= int(match["first"]) for match in parts)


_STEP_FIELDS = {"deadline": "deadline", "on": "on", "start": "not_before", "period": "deadline"}
"""Roles of dates, and the fields of a step that they are for."""
_FROM_NOW = re.compile(r"\b(?:with)?in\b.*\b(?:hour|day|week|month|year)|\binnerhalb\b", re.IGNORECASE)


def days_said(text: str, today: date, *, whole: bool = False) -> Iterator[tuple[str, str, str]]:
    """Yield the fields of a step that dates in a text give: field, ISO date, and what is doubtful about it.

    ``whole``: only where the text says nothing else. Days that come again, or are counted from now, are left out.
    """
    for fact in read_facts(text, today):
        field = _STEP_FIELDS.get(fact.role) if fact.type == "date" else None
        if field is None or fact.value.recurs or fact.value.last is None or _FROM_NOW.search(fact.text):
            continue
        if whole and fact.text.strip(" .") != text.strip(" ."):
            continue
        if (field in ("on", "not_before") or fact.role == "period") and not re.search(r"\d", fact.text):
            continue
        if fact.role == "period" and fact.value.first and (fact.value.first[:7] != fact.value.last[:7] or whole):
            yield "not_before", fact.value.first, fact.doubt
        day = fact.value.first if field in ("on", "not_before") else fact.value.last
        yield field, fact.value.limit or day or fact.value.last, fact.doubt


_STATUS_WORDS: dict[Status, str] = {
    "done": "terminé|fermé|résolu|hecho|klaar|gereed|fatto|erl|ok|done|complete|completed|closed|finished|resolved|"
    "shipped|merged|released|erledigt|fertig|abgeschlossen|"
    "beendet|yes|ja|true|x|✓|✔|✅|☑|100|100 %|100%",
    "under-way": "en cours|en curso|bezig|in corso|in progress|in-progress|inprogress|doing|half|half done|started|"
    "active|wip|ongoing|under way|"
    "under-way|underway|working|current|in review|review|testing|in arbeit|läuft|begonnen|in bearbeitung|🚧|🔄|⏳|🟡",
    "waiting": "wait|waiting|deferred|blocked|on hold|on-hold|paused|wartet|blockiert|pausiert|stuck|⛔|🔴",
    "dropped": "rejeté|annulé|cancelado|annullato|dropped|cancelled|canceled|won't do|wont do|wontfix|abandoned|"
    "rejected|obsolete|abgebrochen|entfällt|"
    "gestrichen|storniert|❌",
    "todo": "nouveau|à faire|ouvert|pendiente|nieuw|da fare|todo|to do|to-do|open|new|pending|backlog|not started|"
    "not yet|planned|scheduled|ready|next|later|offen|"
    "geplant|neu|ausstehend|nicht begonnen|no|nein|false|0|0%|⬜|📋|🔲|tbd",
}
_STATUS = {word: status for status, listed in _STATUS_WORDS.items() for word in listed.split("|")}
_SIGNS = re.compile(r"^[^\w\s]+\s+|\s+[^\w\s]+$")


def status_of(text: str) -> Status | None:
    """Return the state of work that a text names: ``In Progress``, ``✅ Done``, ``75%``."""
    text = " ".join(text.strip(" *_`.").casefold().split())
    if len(text) > 30:
        return None
    known = _STATUS.get(text) or _STATUS.get(_SIGNS.sub("", text)) or _STATUS.get(bare(text))
    if known is None and (share := re.fullmatch(r"(\d{1,3}) ?%", text)):
        known = "done" if int(share[1]) >= 100 else "under-way"
    return known


def share_of(text: str) -> Status | None:
    """Return the state of work that a percentage, or a share of 1, names."""
    match = re.fullmatch(r"(\d{1,3}(?:[.,]\d+)?) ?(%?)", text.strip())
    if match is None:
        return None
    share = float(match[1].replace(",", ".")) * (1 if match[2] or float(match[1].replace(",", ".")) > 1 else 100)
    return "todo" if share == 0 else "done" if share >= 100 else "under-way"


def money_of(text: str) -> Money | None:
    """Return the amount of money that a text is; None where it says more, or none."""
    text = re.sub(r"^(?:[~≈]|ca\.?|about|up to|max\.?)\s*", "", text.strip())
    fact = _whole(text, "amount") if text and len(text) <= _LONGEST else None
    return money_in(fact) if fact is not None else None


def money_in(fact: Fact) -> Money | None:
    """Return the amount of money that a fact is; None for another."""
    if fact.type != "amount" or not fact.value.currency or fact.value.number is None:
        return None
    return Money(Decimal(repr(fact.value.number)).normalize() + 0, fact.value.currency)
