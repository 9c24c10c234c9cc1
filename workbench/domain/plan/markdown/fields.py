"""The fields below an item: their labels, their lines, and how each value is written and read.

One table serves both directions. A value that does not fit its field is not read as one: it stays with its item, as it
was written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct

from workbench.domain.loop.limits import is_countable
from workbench.domain.plan.markdown import values
from workbench.domain.plan.markdown.values import DAY, NUMBER, countable, number
from workbench.domain.plan.plan import (
    Bullet,
    Constraint,
    ConstraintKind,
    Criterion,
    Days,
    DaysOff,
    Decision,
    Effort,
    Fund,
    Item,
    Lag,
    Level,
    Money,
    Option,
    Origin,
    OriginKind,
    Person,
    Place,
    Question,
    Risk,
    Row,
    Status,
    Step,
    WorkingTime,
)
from workbench.domain.plan.spoken import Length, as_days
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.values.amounts import read_amounts
from workbench.domain.values.plain import plain_text

__all__ = ["FIELDS", "LABELS", "LINES", "OTHER_LABELS", "WORKSTREAM", "Field", "number", "read", "spans", "written"]

_COUNTED = lazy_pattern(r"^[-–\d.,/ ]+")
_LOW_AND_HIGH = lazy_pattern(rf"({NUMBER}) ?(?:–|-|to) ?({NUMBER})\)", re.ASCII)
_DAYS = lazy_pattern(rf"(?:({NUMBER}) ?)?(?:d|(?:(working|calendar) )?days?)?", re.ASCII)
_MONEY = lazy_pattern(r"(-?(?:\d{1,15}(?:\.(?:\d{1,2}|\d{4,6}))?|0\.\d{3})) ?([A-Z]{3})", re.ASCII)
"""As we write it. Three digits after a point are thousands: what has a thousandth, we write with four."""
_THOUSANDTH = r"-?[1-9]\d*\.\d{3}"
_MOST_OF_MONEY = 40
"""Characters of a text that is an amount."""
_NEED = lazy_pattern(r"([^,\s+]+)(?:(?: ?\+| lag) ?([^,+]+))?", re.ASCII)
_SIGNED_NUMBER = lazy_pattern(r"[-–−+] \d|(?:^|\s)[-–−+]\d|[-–−]\d+(?:\.\d+)? [a-z]")
_SPAN = lazy_pattern(rf"({DAY})(?: ?(?:–|-|to|until|through) ?({DAY}))?", re.ASCII)
_RANGE = lazy_pattern(rf"(?:({DAY}) ?(?:–|-|to|until|through) ?|to )({DAY})", re.ASCII)
_OPTION = lazy_pattern(r"(.+?)(?: \(([^()]+)\))?")
_ORIGIN = lazy_pattern(r"([a-z]+)(?: ((?:(?!, confirmed by ).)+))?(?:, confirmed by (.+))?")


class Field(Struct, frozen=True):
    """One field of an item."""

    label: str
    name: str
    """The attribute."""
    write: Callable[..., str]
    """Return the text of the attribute, and of further ones."""
    read: Callable[[str], Any]
    """Return the value of a text, with further ones a tuple of all; None if it is none."""
    further: tuple[str, ...] = ()
    """Attributes that are part of the same text."""
    choices: tuple[str, ...] = ()
    """All values that it can have; () if there are more than can be listed."""

    @property
    def mark(self) -> str:
        """What is between the parts of its list, which may be on several lines; "" if it is none."""
        return _MARKS.get(self.write, "")

    def as_written(self, text: str) -> str:
        """Return a text that fits as we write it."""
        value = self.read(text)
        return self.write(*value) if self.further else self.write(value)

    @property
    def names(self) -> tuple[str, ...]:
        """All attributes of the text."""
        return (self.name, *self.further)

    def text_of(self, item: Item) -> str:
        """Return the text of an item's field; "" if it says nothing."""
        value = getattr(item, self.name)
        if not self.further:  # most fields of most items say nothing
            return "" if value is None or value in ("", (), {}) else self.write(value)
        return self.write(value, *(getattr(item, name) for name in self.further))


def _days(value: float, kind: str = "") -> str:
    """Return ``1 day``, or ``10 working days``."""
    return f"{number(value)} {kind}{'day' if value == 1 else 'days'}"


def _read_days(text: str) -> float | None:
    match = _DAYS.fullmatch(text)
    if match and match[1] and not match[2]:
        return countable(match[1])
    length = values.said_in("SPAN", text)
    return length.working if length and length.up_to is None else None


def _effort(effort: Effort | None, is_each: bool) -> str:
    """Return ``3 days (2–5) each``: the likely value, the range if there is one, and whose it is."""
    if effort is None:
        return "each" if is_each else ""
    each = " each" if is_each else ""
    low, likely, high = (number(value) for value in (effort.low, effort.likely, effort.high))
    days = _days(effort.likely)
    return f"{days}{each}" if low == likely == high else f"{days} ({low}–{high}){each}"


def _read_effort(text: str) -> tuple[Effort | None, bool] | None:
    what = text.removesuffix("each").rstrip()
    is_each = what != text.rstrip()
    what, bracket, behind = what.partition("(")
    what, bounds = what.rstrip(), _LOW_AND_HIGH.fullmatch(behind)
    if not what or (bracket and not bounds):
        return (None, True) if is_each and not bracket else None
    effort: Effort | None = None
    if (days := _DAYS.fullmatch(what)) and days[1] and not days[2]:
        effort = Effort(*[float(days[1])] * 3)
    elif said := values.said_in("WORK", what):
        effort = None if said[1] else said[0]  # what is left is no effort
    if effort is not None and bounds:
        unit = _COUNTED.sub("", what, count=1)
        low, high = (_read_days(f"{bound}{unit}") for bound in bounds.groups())
        effort = Effort(low, effort.likely, high) if low is not None and high is not None else None
    return (effort, is_each) if effort is not None and is_countable(effort) else None


def _money(money: Money | None) -> str:
    if money is None:
        return ""
    text = str(money.amount)
    return f"{text}{'0' if re.fullmatch(_THOUSANDTH, text) else ''} {money.currency}"


def _read_money(text: str) -> Money | None:
    if match := _MONEY.fullmatch(text):
        return Money(Decimal(match[1]), match[2])
    amounts = read_amounts(text, plain_text(text), ()) if len(text) <= _MOST_OF_MONEY else ()
    whole = [
        amount.value
        for amount in amounts
        if amount.text == text and amount.value.currency and not amount.value.per and amount.value.up_to is None
    ]
    if not whole or whole[0].number is None or whole[0].currency is None:
        return None
    return Money(Decimal(f"{whole[0].number:.12f}".rstrip("0").rstrip(".")), whole[0].currency)


def _read_ids(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[^,\s]+", text))


def spans(days: tuple[Days, ...]) -> str:
    """Return stretches of days as ``2027-04-05, 2027-04-08 – 2027-04-09``."""
    return ", ".join(day.first if day.first == day.last else f"{day.first} – {day.last}" for day in days)


def _read_spans(text: str) -> tuple[Days, ...] | None:
    matches = [_SPAN.fullmatch(part.strip()) for part in text.split(",")]
    if all(matches):
        return tuple(Days(match[1], match[2] or match[1]) for match in matches if match)
    said = values.said_in("PERIOD", text)
    return tuple(map(as_days, said)) if said else None


def _range(first: str | None, last: str | None) -> str:
    """Return a day, or ``2027-04-06 to 2027-04-20``."""
    return f"{first or ''} to {last}".strip() if last else first or ""


def _read_range(text: str) -> tuple[str | None, str | None]:
    if match := _RANGE.fullmatch(text):
        return match[1], match[2]
    days = None if re.fullmatch(DAY, text) else values.said_in("DAY", text)
    first, last = map(str, days or (text, text))
    return first, last if last != first else None


def _options(options: tuple[Option, ...]) -> str:
    """Return ``A (1200 EUR); B``."""
    return "; ".join(map(_option, options))


def _option(option: Option) -> str:
    text = values.plain_or_json(option.text, lambda plain: _read_option(plain) == Option(plain))
    return f"{text} ({_money(option.amount)})" if option.amount else text


def _read_options(text: str) -> tuple[Option, ...] | None:
    options = [_read_option(piece) for piece in values.pieces(text)]
    return tuple(option for option in options if option) if all(options) else None


def _read_option(text: str) -> Option | None:
    match = _OPTION.fullmatch(text)
    amount = _read_money(match[2]) if match and match[2] else None
    name = values.read_part(match[1] if match and amount else text)
    return None if name is None else Option(name, amount)


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


def _needs(needs: tuple[str, ...], lags: tuple[Lag, ...]) -> str:
    """Return the ids of what a step needs, each with its lag."""
    after = {lag.step: f" + {values.lag(lag.days, lag.elapsed, as_hours=lag.hours)}" for lag in lags}
    return ", ".join(f"{need}{after.get(need, '')}" for need in needs)


def _read_needs(text: str) -> tuple[tuple[str, ...], tuple[Lag, ...]] | None:
    """Return the ids and the lags; what is not a lag makes the text a list of ids, apart by spaces too.

    None where a sign is before a number that is not a lag: "S4 - 3 days" needs no S3.
    """
    matches = [_NEED.fullmatch(part.strip()) for part in text.split(",")]
    found = [match for match in matches if match]
    lags = {match[1]: values.read_lag(match[2]) for match in found if match[2]}
    if len(found) < len(matches) or None in lags.values():
        return None if _SIGNED_NUMBER.search(text) else (_read_ids(text), ())
    return tuple(match[1] for match in found), tuple(Lag(name, *lag) for name, lag in lags.items() if lag)


def _day(label: str, name: str = "") -> Field:
    """Return a field that is a day; what is none stays as it is, for a check to name."""
    name = name or label.lower()

    def read_one(text: str) -> str:
        days = None if re.fullmatch(DAY, text) else values.said_in("DAY", text)
        return days[name in LAST_DAYS].isoformat() if days else text

    return Field(label, name, lambda value: value or "", read_one)


def _text(label: str, name: str = "") -> Field:
    return Field(label, name or label.lower(), lambda value: value or "", lambda text: text)


def _one_of(label: str, choices: Any, name: str = "", *, not_written: str = "") -> Field:
    """Return a field that has one of the values of a Literal; an item that has the one ``not_written`` says nothing."""
    known: tuple[str, ...] = get_args(choices)

    def write(value: str) -> str:
        return "" if value == not_written else value

    def read_one(text: str) -> str | None:
        return said if (said := text.lower()) in known else None

    return Field(label, name or label.lower(), write, read_one, choices=known)


def _counted(label: str, name: str, kind: str, *flags: str) -> Field:
    """Return a field of days, which are of another kind where a flag says so: ``10 working days``, ``working days``."""

    def write(value: float | None, is_of_kind: bool, is_hours: bool = False) -> str:
        which = f"{kind} " if is_of_kind else ""
        if is_hours and value is not None:
            return values.lag(value, is_elapsed=True, as_hours=True).replace("calendar ", "")
        return _days(value, which) if value is not None else f"{which}days" if which else ""

    def read_all(text: str) -> tuple[float | bool | None, ...] | None:
        match = _DAYS.fullmatch(text)
        length: Length | None = None if match else values.said_in("SPAN", text)
        if length is not None:
            return length.lasts if kind == "calendar" else length.waits
        days = countable(match[1]) if match and match[1] else None
        is_none = match is None or (days is None and (match[1] or match[2] != kind))
        return None if is_none or match is None else (days, match[2] == kind, False)[: 1 + len(flags)]

    return Field(label, name, write, read_all, flags)


def _flag_field(label: str, name: str, word: str = "yes") -> Field:
    return Field(label, name, lambda value: word if value else "", lambda text: True if text == word else None)


def _ids(label: str, name: str = "") -> Field:
    return Field(label, name or label.lower(), _joined, _read_ids)


def _amount(label: str, name: str) -> Field:
    return Field(label, name, _money, _read_money)


_joined = ", ".join
_MARKS = dict.fromkeys((_joined, _needs, spans, values.names), ", ") | dict.fromkeys(
    (_options, values.rules, values.capacities, values.pairs), "; "
)
_ANSWERS = _ids("Answers")
_FROM = (Field("From", "origin", _origin, _read_origin), Field("Because of", "causes", values.names, values.read_names))
_HOURS = Field("Hours", "hours", str, values.read_from_to)
_WEEKDAYS = Field("Weekdays", "weekdays", values.weekdays, values.read_weekdays)
WORKSTREAM = _text("Workstream")
DATES = frozenset({"due", "day", "not_before", "on", "deadline", "started", "finished", "start", "end", "latest"})
"""Attributes that are ISO dates."""
LAST_DAYS = frozenset({"due", "deadline", "latest", "finished", "end"})
"""Attributes that are a day on which something ends: if several days are said, such as "in May", it is the last."""
_DEADLINE = _day("Deadline")
_Mode = Literal["together", "alone"]
_Priority = Literal["low", "high"]
_Basis = Literal["quote", "price", "estimate"]
_Sets = Literal["deadline", "goal-day"]

LINES: Mapping[type[Item], tuple[tuple[Field, ...], ...]] = {
    Criterion: ((_text("Measure"),), (_text("Target"), _day("Due"), *_FROM)),
    Constraint: (
        (
            _one_of("Limits", ConstraintKind),
            _amount("At most", "amount"),
            Field("Day", "day", _range, _read_range, ("last",)),
            _one_of("Sets", _Sets),
            *_FROM,
        ),
    ),
    Step: (
        (_text("Outcome"),),
        (_text("Check"),),
        (
            _text("Owner"),
            Field("Also", "also", values.names, values.read_names),
            Field("Effort", "effort", _effort, _read_effort, ("each",)),
            _counted("Duration", "duration", "calendar", "duration_elapsed"),
            _counted("Wait", "waiting", "working", "waits_working", "waits_hours"),
            _flag_field("Milestone", "milestone"),
            _day("Start"),
            _day("End"),
            WORKSTREAM,
        ),
        (
            _one_of("Mode", _Mode),
            _flag_field("May be split", "splits"),
            _one_of("Priority", _Priority),
            _text("Place"),
        ),
        (Field("Repeats", "repeat", values.rule, values.read_rule),),
        (_day("Not before", "not_before"), _day("On"), _HOURS, _DEADLINE),
        (_ids("Needs decision", "decisions"), _flag_field("No way back", "no_return")),
        (_text("Only if", "condition"),),
        (
            _amount("Cost", "cost"),
            _text("For", "cost_kind"),
            _text("Fund"),
            _one_of("Basis", _Basis),
            _flag_field("Optional", "optional"),
            _flag_field("Not covered", "not_covered"),
        ),
        (
            _one_of("Status", Status, not_written="todo"),
            _day("Started"),
            _day("Finished"),
            Field("Left", "left", _days, _read_days),
            Field("Progress", "progress", values.progress, values.read_progress),
        ),
        (_text("Part of", "parent"), _ids("Tags")),
        (_text("Notes"),),
        (Field("Other", "other", values.pairs, values.read_pairs),),
        (Field("Needs", "needs", _needs, _read_needs, ("lags",)), _ANSWERS, *_FROM),
    ),
    Risk: (
        (_one_of("Likelihood", Level), _one_of("Impact", Level)),
        (_text("Sign"),),
        (_text("Response"),),
        (_ANSWERS, *_FROM),
    ),
    Decision: (
        (_text("Reason"),),
        (_text("Owner"), _day("Latest")),
        (Field("Options", "options", _options, _read_options),),
        (_text("Assumed"),),
        (_text("Advice"),),
        (_text("Choice"),),
        (_ANSWERS, *_FROM),
    ),
    Question: ((_text("Assumption"),), (_text("Owner"), *_FROM)),
    Bullet: ((_ANSWERS, *_FROM),),
    Person: (
        (
            _text("Role"),
            Field("Hours", "hours", lambda hours: f"{number(hours)} a week", values.weekly_hours),
            _WEEKDAYS,
        ),
        (Field("Capacity", "capacity", values.capacities, values.read_capacities),),
        (Field("Away", "away", spans, _read_spans),),
        (Field("Away again", "away_again", values.rules, values.read_rules),),
        _FROM,
    ),
    WorkingTime: (
        (
            _WEEKDAYS,
            _HOURS,
            _flag_field("Schedule", "backward", "backward"),
            Field("Target", "target", _days, _read_days),
        ),
        _FROM,
    ),
    DaysOff: (
        (Field("Days", "days", spans, _read_spans),),
        (Field("Again", "again", values.rules, values.read_rules),),
        (_text("Country"), Field("Only for", "who", values.names, values.read_names), *_FROM),
    ),
    Fund: ((_amount("Limit", "limit"), Field("Reserve", "reserve", values.share, values.read_share), *_FROM),),
    Place: (
        (_WEEKDAYS, _HOURS),
        (Field("Closed", "closed", spans, _read_spans),),
        (Field("Closed again", "again", values.rules, values.read_rules),),
        _FROM,
    ),
    Row: ((_day("Day"), Field("Time", "time", str, values.read_clock_or_hours), _text("Who")), (_text("Stop"),), _FROM),
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
    "Assignee=Owner, Estimate=Effort, Waiting=Wait, Due=Deadline, Budget=Cost, Depends on=Needs, "
    "Requires=Needs, After=Needs, Note=Notes",
    Risk: "Probability=Likelihood, Trigger=Sign, Warning=Sign, Early sign=Sign, Mitigation=Response, Answer=Response",
    Person: "Hours=Capacity, Hours a week=Hours, Hours per week=Hours, Weekly hours=Hours, "
    "Absent=Away, Absence=Away, Leave=Away, Holiday=Away, Days=Weekdays, Working days=Weekdays",
    WorkingTime: "Days=Weekdays, Working days=Weekdays",
    Decision: "Decides=Owner, Decide by=Latest, Due=Latest, Deadline=Latest, By=Latest, Recommendation=Advice",
    Fund: "At most=Limit, Budget=Limit, Max=Limit, Maximum=Limit",
    Place: "Open=Hours, Opening hours=Hours, Days=Weekdays",
    Row: "Date=Day, On=Day, At=Time, Owner=Who, Stop if=Stop",
    DaysOff: "Blackout=Days, Closed=Days, Dates=Days, Off=Days, Holiday=Days, Holidays=Days",
}
OTHER_LABELS: Mapping[type[Item], Mapping[str, str]] = {
    kind: {pair.split("=")[0].strip(): pair.split("=")[1] for pair in named.split(",")}
    for kind, named in _OTHER_LABELS.items()
}
"""What other people call a field, with our label; read and never written."""

LABELS = tuple(dict.fromkeys(label for labels in (*FIELDS.values(), *OTHER_LABELS.values()) for label in labels))
"""Names of the fields below an item."""


def written(item: Item, *, with_workstream: bool) -> Iterator[list[tuple[str, str]]]:
    """Yield the lines below an item as pairs of label and value, without fields that say nothing."""
    for line in LINES[type(item)]:
        pairs = [(field.label, field.text_of(item)) for field in line if field is not WORKSTREAM or with_workstream]
        yield [(label, value) for label, value in pairs if value]


def read(kind: type[Item], texts: Mapping[str, str]) -> dict[str, Any]:
    """Return the attributes of an item from the texts of its fields, by label; all of them fit."""
    found: dict[str, Any] = {}
    for label, text in texts.items():
        field = FIELDS[kind][label]
        if text:
            value = field.read(text)
            found |= zip(field.names, value if field.further else (value,), strict=True)
    return found
