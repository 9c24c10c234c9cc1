"""The fields below an item: their labels, their lines, and how each value is written and read.

One table serves both directions. A value that does not fit its field is not read as one: it stays with its item, as it
was written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, get_args

import msgspec

from workbench.domain.loop.limits import MOST_DAYS, is_countable
from workbench.domain.plan.plan import (
    Bullet,
    Constraint,
    ConstraintKind,
    Criterion,
    Days,
    DaysOff,
    Decision,
    Effort,
    Item,
    Lag,
    Level,
    Money,
    Origin,
    OriginKind,
    Person,
    Question,
    Risk,
    Status,
    Step,
    WorkingTime,
)
from workbench.domain.values.amounts import amount_facts
from workbench.domain.values.plain import plain_text

_NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
_EFFORT = re.compile(rf"({_NUMBER}) ?(?:d|days?)?(?: ?\(({_NUMBER}) ?(?:–|-|to) ?({_NUMBER})\))?", re.ASCII)
_DAYS = re.compile(rf"({_NUMBER}) ?(?:d|days?)?", re.ASCII)
_HOURS = re.compile(rf"({_NUMBER}) ?(?:h|hrs?|hours?)?(?:(?: (?:a|per) | ?/ ?)week)?", re.ASCII)
_MONEY = re.compile(r"(-?(?:\d{1,15}(?:\.(?:\d{1,2}|\d{4,6}))?|0\.\d{3})) ?([A-Z]{3})", re.ASCII)
"""As we write it. Three digits behind a point are thousands: what has a thousandth, we write with four."""
_THOUSANDTH = r"-?[1-9]\d*\.\d{3}"
_MOST_OF_MONEY = 40
"""Characters of a text that is an amount."""
_NEED = re.compile(rf"([^,\s+]+)(?: ?\+ ?({_NUMBER}) (calendar )?days?)?", re.ASCII)
_SPAN = re.compile(r"(\d{4}-\d\d-\d\d)(?: ?(?:–|-|to|until|through) ?(\d{4}-\d\d-\d\d))?", re.ASCII)
_ORIGIN = re.compile(r"([a-z]+)(?: ((?:(?!, confirmed by ).)+))?(?:, confirmed by (.+))?")
_WEEKDAY = re.compile(r"(mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?(?:days?)?", re.IGNORECASE)
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an item."""

    label: str
    name: str
    """The attribute."""
    write: Callable[[Any], str]
    read: Callable[[str], Any]
    """Return the value of a text; None where it is none."""


def number(value: float) -> str:
    """Return a number as people write it: without a point where it is whole."""
    return repr(float(value)).removesuffix(".0")


def _days(value: float | None) -> str:
    return "" if value is None else f"{number(value)} {'day' if value == 1 else 'days'}"


def _read_days(text: str) -> float | None:
    match = _DAYS.fullmatch(text)
    return float(match[1]) if match and abs(float(match[1])) <= MOST_DAYS else None


def _effort(effort: Effort | None) -> str:
    """Return ``3 days (2–5)``: the likely value, then the range where there is one."""
    if effort is None:
        return ""
    low, likely, high = (number(value) for value in (effort.low, effort.likely, effort.high))
    days = f"{likely} {'day' if likely == '1' else 'days'}"
    return days if low == likely == high else f"{days} ({low}–{high})"


def _read_effort(text: str) -> Effort | None:
    match = _EFFORT.fullmatch(text)
    if match is None:
        return None
    likely = float(match[1])
    effort = Effort(low=float(match[2] or likely), likely=likely, high=float(match[3] or likely))
    return effort if is_countable(effort) else None


def _hours(value: float | None) -> str:
    return "" if value is None else f"{number(value)} a week"


def _read_hours(text: str) -> float | None:
    match = _HOURS.fullmatch(text)
    return float(match[1]) if match and 0 <= float(match[1]) <= 168 else None


def _money(money: Money | None) -> str:
    if money is None:
        return ""
    text = str(money.amount)
    return f"{text}{'0' if re.fullmatch(_THOUSANDTH, text) else ''} {money.currency}"


def _read_money(text: str) -> Money | None:
    if match := _MONEY.fullmatch(text):
        return Money(Decimal(match[1]), match[2])
    facts = amount_facts(text, plain_text(text), ()) if len(text) <= _MOST_OF_MONEY else ()
    whole = [fact.value for fact in facts if fact.text == text and fact.value.currency and fact.value.up_to is None]
    if not whole or whole[0].number is None or whole[0].currency is None:
        return None
    return Money(Decimal(f"{whole[0].number:.12f}".rstrip("0").rstrip(".")), whole[0].currency)


def _ids(ids: tuple[str, ...]) -> str:
    return ", ".join(ids)


def _read_ids(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[^,\s]+", text))


def _spans(spans: tuple[Days, ...]) -> str:
    return ", ".join(span.first if span.first == span.last else f"{span.first} – {span.last}" for span in spans)


def _read_spans(text: str) -> tuple[Days, ...] | None:
    matches = [_SPAN.fullmatch(part.strip()) for part in text.split(",")]
    return tuple(Days(match[1], match[2] or match[1]) for match in matches if match) if all(matches) else None


def _weekdays(days: tuple[int, ...]) -> str:
    return ", ".join(_WEEKDAYS[day - 1] for day in days if 1 <= day <= 7)


def _read_weekdays(text: str) -> tuple[int, ...] | None:
    """Return the days of a list of weekdays: ``Mon, Tue`` as we write them, and ``Mondays and Tuesdays``."""
    days = [_WEEKDAY.fullmatch(day) for day in re.split(r"\s*,\s*|\s+and\s+|\s+", text)]
    return tuple(_WEEKDAYS.index(day[1].title()) + 1 for day in days if day) if all(days) else None


def _origin(origin: Origin | None) -> str:
    if origin is None:
        return ""
    confirmed = f", confirmed by {origin.confirmed_by}" if origin.confirmed_by else ""
    return f"{origin.kind} {origin.source}".rstrip() + confirmed


def _read_origin(text: str) -> Origin | None:
    match = _ORIGIN.fullmatch(text)
    if match is None or match[1] not in get_args(OriginKind):
        return None
    return Origin(msgspec.convert(match[1], OriginKind), match[2] or "", match[3] or "")


def _needs(step: Step) -> str:
    """Return the ids of what a step needs, each with its lag."""
    lags = {lag.step: f" + {number(lag.days)} {'calendar ' if lag.elapsed else ''}days" for lag in step.lags}
    return ", ".join(f"{need}{lags.get(need, '')}" for need in step.needs)


def _read_needs(text: str) -> tuple[tuple[str, ...], tuple[Lag, ...]] | None:
    """Return the ids and the lags; what is no lag makes the text a list of ids, apart by spaces too."""
    matches = [_NEED.fullmatch(part.strip()) for part in text.split(",")]
    if not all(matches):
        return _read_ids(text), ()
    found = [match for match in matches if match]
    lags = tuple(Lag(match[1], float(match[2]), match[3] is not None) for match in found if match[2])
    return tuple(match[1] for match in found), lags


def _text(label: str, name: str = "") -> Field:
    return Field(label, name or label.lower(), lambda value: value or "", lambda text: text)


def _one_of(label: str, values: Any, unsaid: str = "", name: str = "") -> Field:
    """Return a field that has one of some values; ``unsaid`` is not written."""
    known = frozenset(get_args(values))

    def write(value: str | None) -> str:
        return "" if value is None or value == unsaid else value

    def read_one(text: str) -> str | None:
        return said if (said := text.lower()) in known else None

    return Field(label, name or label.lower(), write, read_one)


def _yes(label: str, name: str, word: str = "yes") -> Field:
    return Field(label, name, lambda value: word if value else "", lambda text: True if text == word else None)


_ANSWERS = Field("Answers", "answers", _ids, _read_ids)
_FROM = Field("From", "origin", _origin, _read_origin)
NEEDS = Field("Needs", "needs", _needs, _read_needs)
"""Written of the whole step, and read as ids and lags."""
WORKSTREAM = _text("Workstream")
_DEADLINE = _text("Deadline")

LINES: Mapping[type[Item], tuple[tuple[Field, ...], ...]] = {
    Criterion: ((_text("Measure"),), (_text("Target"), _text("Due"), _FROM)),
    Constraint: (
        (
            _one_of("Limits", ConstraintKind),
            Field("At most", "amount", _money, _read_money),
            _text("Day"),
            _FROM,
        ),
    ),
    Step: (
        (_text("Outcome"),),
        (_text("Check"),),
        (
            _text("Owner"),
            Field("Effort", "effort", _effort, _read_effort),
            Field("Wait", "waiting", _days, _read_days),
            _yes("Milestone", "milestone"),
            _text("Start"),
            _text("End"),
            WORKSTREAM,
        ),
        (_text("Not before", "not_before"), _text("On"), _DEADLINE),
        (Field("Cost", "cost", _money, _read_money), _text("For", "cost_kind")),
        (
            _one_of("Status", Status, unsaid="todo"),
            _text("Started"),
            _text("Finished"),
            Field("Left", "left", _days, _read_days),
        ),
        (_text("Part of", "parent"), Field("Tags", "tags", _ids, _read_ids)),
        (_text("Notes"),),
        (NEEDS, _ANSWERS, _FROM),
    ),
    Risk: (
        (_one_of("Likelihood", Level), _one_of("Impact", Level)),
        (_text("Sign"),),
        (_text("Response"),),
        (_ANSWERS, _FROM),
    ),
    Decision: ((_text("Reason"),), (_ANSWERS, _FROM)),
    Question: ((_text("Assumption"),), (_text("Owner"), _FROM)),
    Bullet: ((_ANSWERS, _FROM),),
    Person: (
        (
            _text("Role"),
            Field("Hours", "hours", _hours, _read_hours),
            Field("Weekdays", "weekdays", _weekdays, _read_weekdays),
        ),
        (Field("Away", "away", _spans, _read_spans),),
        (_FROM,),
    ),
    WorkingTime: (
        (Field("Weekdays", "weekdays", _weekdays, _read_weekdays), _yes("Schedule", "backward", "backward")),
        (_FROM,),
    ),
    DaysOff: ((Field("Days", "days", _spans, _read_spans),), (_text("Country"), _FROM)),
}
"""The lines below an item, each with its fields."""

FIELDS: Mapping[type[Item], Mapping[str, Field]] = {
    kind: {field.label: field for line in lines for field in line} for kind, lines in LINES.items()
}
"""By label."""

_OTHER_LABELS: Mapping[type[Item], str] = {
    Criterion: "Deadline=Due, By=Due, Metric=Measure",
    Constraint: "Kind=Limits, Limit=At most, Max=At most, Maximum=At most, Date=Day, Due=Day, Deadline=Day, By=Day",
    Step: "Result=Outcome, Deliverable=Outcome, Test=Check, Proof=Check, Acceptance=Check, Responsible=Owner, "
    "Assignee=Owner, Estimate=Effort, Duration=Effort, Waiting=Wait, Due=Deadline, Budget=Cost, Depends on=Needs, "
    "Requires=Needs, After=Needs, Note=Notes",
    Risk: "Probability=Likelihood, Trigger=Sign, Warning=Sign, Early sign=Sign, Mitigation=Response, Answer=Response",
    Person: "Hours a week=Hours, Hours per week=Hours, Weekly hours=Hours, "
    "Absent=Away, Absence=Away, Leave=Away, Holiday=Away, Days=Weekdays, Working days=Weekdays",
    WorkingTime: "Days=Weekdays, Working days=Weekdays",
    DaysOff: "Blackout=Days, Closed=Days, Dates=Days, Off=Days, Holiday=Days, Holidays=Days",
}
OTHER_LABELS: Mapping[type[Item], Mapping[str, str]] = {
    kind: {pair.split("=")[0].strip(): pair.split("=")[1] for pair in pairs.split(",")}
    for kind, pairs in _OTHER_LABELS.items()
}
"""What other people call a field, with our label; read and never written."""

LABELS = tuple(dict.fromkeys(label for labels in (*FIELDS.values(), *OTHER_LABELS.values()) for label in labels))
"""Names of the fields below an item."""


def written(item: Item, *, with_workstream: bool) -> Iterator[list[tuple[str, str]]]:
    """Yield the lines below an item as pairs of label and value, without fields that say nothing."""
    for line in LINES[type(item)]:
        pairs = [
            (field.label, field.write(item if field is NEEDS else getattr(item, field.name)))
            for field in line
            if field is not WORKSTREAM or with_workstream
        ]
        yield [(label, value) for label, value in pairs if value]


def read(kind: type[Item], values: Mapping[str, str]) -> dict[str, Any]:
    """Return the attributes of an item from the texts of its fields, by label; all of them fit."""
    found: dict[str, Any] = {}
    for label, text in values.items():
        field = FIELDS[kind][label]
        if field is NEEDS:
            found["needs"], found["lags"] = field.read(text)
        elif text:
            found[field.name] = field.read(text)
    return found
