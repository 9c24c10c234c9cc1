"""What is said of items, field by field: each rule of the grammar, and the values that it gives an item."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import date, timedelta
from string import ascii_uppercase
from typing import Any

import msgspec
from msgspec.structs import replace

from workbench.domain.commands.draft import Draft
from workbench.domain.commands.errors import Misread
from workbench.domain.commands.grammar import FIELDS, Said, Word, field_called
from workbench.domain.commands.naming import Names, misread, quoted, unquoted
from workbench.domain.commands.parts import references_of, without_needs
from workbench.domain.commands.results import Action
from workbench.domain.commands.suggestions import nearest
from workbench.domain.errors import PlanUnsound
from workbench.domain.plan.checks.case import Case
from workbench.domain.plan.markdown.fields import DATES, LAST_DAYS, Field
from workbench.domain.plan.plan import (
    Capacity,
    Constraint,
    Criterion,
    Days,
    Decision,
    Item,
    Lag,
    Option,
    Person,
    Place,
    Plan,
    Question,
    Row,
    Rule,
    Step,
    WorkingTime,
    name_key,
)  # fmt: skip
from workbench.domain.plan.scheduling.calendar import add_working_days, working_days_between
from workbench.domain.plan.scheduling.rescheduling import rescheduled, with_steps
from workbench.domain.plan.scheduling.work_times import WorkTimes
from workbench.domain.plan.spoken import Length, as_days, read_whole
from workbench.domain.text.cleaning import shorten
from workbench.domain.values.calendar_words import plannable_day
from workbench.domain.values.plain import plain_text

_DEADLINES: Mapping[type[Item], str] = {Step: "deadline", Criterion: "due", Constraint: "day", Decision: "latest"}
_OWNERS: Mapping[type[Item], str] = {Step: "owner", Decision: "owner", Question: "owner", Row: "who"}
_ON: Mapping[type[Item], str] = {Step: "on", Constraint: "day", Row: "day"}
_OF_OTHERS = frozenset("owner by before on title called plain clear choose options away hours clock".split())  # noqa: SIM905 – a list of words
"""Rules that hold for other items than steps, too."""
_SAID_OF_STEPS = "that is said of steps alone"
_OF_STEPS = {
    "note": 'only steps have notes: `add note "…"` puts one into the plan',
    "under": "only steps have parts",
    **dict.fromkeys(("effort", "takes", "left"), "only steps have an effort"),
    **dict.fromkeys(("needs", "needs_not", "needs_none", "after"), "only steps need others"),
}
_WAITS_FOR = "waiting for "
_DONE = frozenset(
    ("booked", "bought", "complete", "completed", "done", "found", "paid", "printed", "ready", "sent", "fertig")
)
"""Words after a share that say that so much is done, and nothing else."""
_GERMAN = {"niedrig": "low", "mittel": "medium", "hoch": "high"}
_MOST_TOLD = 8
"""Fields that are told of an item."""
_TURNS = 5
"""How often steps that would not come as much later are looked for after those that are told when."""
_BY_CALENDAR = ("week", "month", "year")
"""Units of a delay that are days of the calendar."""
Values = dict[str, Any]
"""What fields of an item are."""


class Fields:
    """Sets the fields of items in a draft."""

    def __init__(self, draft: Draft, names: Names, today: date) -> None:
        self.draft = draft
        self.names = names
        self.today = today
        self.notes: list[str] = []
        self.actions: list[Action] = []
        self.owned: set[str] = set()
        self.dated: Mapping[str, Step] = {}
        """Steps with the dates that commands before this one give them."""
        """Items whose owners this command has named: further ones are added."""

    def apply(self, names: Sequence[str], said: Said) -> None:
        """Change the items ``names`` as one part of a command says. Raises Misread if it does not fit one of them."""
        for name in names:
            item = self.draft.items[name]
            if said.rule not in _OF_OTHERS and not isinstance(item, Step):
                who = item.text if isinstance(item, Person) else item.id
                raise misread(said, f"{who} is no step, and {_OF_STEPS.get(said.rule, _SAID_OF_STEPS)}.")
            try:
                changed = with_values(item, self._values(item, said))
                unknown = references_of(changed) - references_of(item) - self.draft.items.keys()
                if unknown and not (said.rule == "plain" and said.words[1].type == "QUOTED"):
                    raise misread(said, self.names.unknown(min(unknown)))
                self.draft.put(changed)
            except (PlanUnsound, OverflowError, ValueError) as error:  # outside of the calendar
                raise misread(said, getattr(error, "message", "No calendar has that day.")) from error

    def _values(self, item: Item, said: Said) -> Values:
        if said.rule in _VALUES:
            return _VALUES[said.rule](self, item, said)
        method: Callable[[Item, Said], Values] = getattr(self, f"_{said.rule}")
        return method(item, said)

    def _one_of(self, table: Mapping[type[Item], str], item: Item, said: Said, what: str) -> str:
        if type(item) not in table:
            kinds = ", a ".join(_kind(one) for one in table)
            raise misread(said, f"A {_kind(type(item))} has no {what}; a {kinds} has one: leave that out.")
        return table[type(item)]

    def single(self, said: Said) -> date:
        """Return the one day that a date is. Raises Misread for several."""
        days: tuple[date, date] = said.value()
        if days[0] != days[1]:
            raise misread(said, "These are several days, and one is needed.")
        return days[0]

    # --- who and how long ---------------------------------------------------------------------------------------------

    def _owner(self, item: Item, said: Said) -> Values:
        field = self._one_of(_OWNERS, item, said, "owner")
        named = [self.names.person(word) for word in said.words]
        if not isinstance(item, Step):
            return {field: named[0]}
        owners = [*(item.owners if item.id in self.owned else ()), *filter(None, named)]
        self.owned.add(item.id)
        first, *others = list(dict.fromkeys(owners)) or [""]
        return {"owner": first, "also": tuple(others)}

    def _also(self, step: Step, said: Said) -> Values:
        written = (word for word in said.words for word in _each_name(word))
        others = dict.fromkeys(filter(None, map(self.names.person, written)))
        return {"also": tuple(name for name in others if name != step.owner)}

    def _effort(self, step: Step, said: Said) -> Values:
        effort, is_left = said.value()
        if is_left:
            return self.begun(step, left=effort.likely)
        if step.waiting is not None:
            self.notes.append(f"{step.id} only waits: its effort counts after `{step.id} clear wait`.")
        return {"effort": effort}

    _takes = _effort

    def _needs(self, step: Step, said: Said) -> Values:
        needs, decisions, lags = list(step.needs), list(step.decisions), {lag.step: lag for lag in step.lags}
        for need in said.parts:
            word, *length = need.words
            for name in self.names.items(word):
                needed = self.draft.items[name]
                if name == step.id or not isinstance(needed, Step | Decision) or (length and needed.id[0] == "D"):
                    raise misread(
                        said, f"{step.id} cannot need {name}: name another step, or a decision without a lag."
                    )
                (needs if isinstance(needed, Step) else decisions).append(name)
                if length:
                    lags[name] = _lag(name, length[0].value)
        kept, decided = (tuple(dict.fromkeys(names)) for names in (needs, decisions))
        return {"needs": kept, "lags": tuple(lags.values()), "decisions": decided}

    _after = _needs

    def _waits(self, step: Step, said: Said) -> Values:
        if not said.parts:
            return self._wait(step, said)
        return self._needs(step, Said("needs", [Said("need", [*said.parts[0].words, *said.words])]))

    def _needs_not(self, step: Step, said: Said) -> Values:
        gone = {name for need in said.parts for name in self.names.items(need.words[0])}
        left = without_needs(step, gone)
        decisions = tuple(name for name in step.decisions if name not in gone)
        return {"needs": left.needs, "lags": left.lags, "decisions": decisions}

    def _under(self, step: Step, said: Said) -> Values:
        parent = self.names.item(said.words[0])
        wholes = {one.parent for one in self.draft.items.values() if isinstance(one, Step)}
        if not isinstance(parent, Step):
            raise misread(said, f"{parent.id} is no step: only steps have parts.")
        if parent.id == step.id or parent.parent or step.id in wholes:
            raise misread(said, f"{step.id} cannot be a part of {parent.id}: parts have no parts.")
        if parent.effort is not None and parent.id not in wholes:
            effort = FIELDS[Step]["Effort"].text_of(parent)
            self.notes.append(f"{parent.id} had an effort of {effort} of its own; its parts count now.")
        return {"parent": parent.id}

    def _dropped(self, step: Step, _: Said) -> Values:
        """Drop a step, and let those that still wait for it wait for what it needed."""
        plan = with_steps(self.draft.plan(), {step.id: replace(step, status="dropped")})
        case = Case(plan, self.today)
        for heir in plan.steps:
            if step.id in heir.needs and heir.status in ("todo", "waiting"):
                changed = case.past_dropped(heir)
                self.draft.put(changed)
                new = " and ".join(name for name in changed.needs if name not in heir.needs)
                now = f"needs what that needed: {new}" if new else "needs it no more"
                self.notes.append(f"{heir.id} needed {step.id}, and {now}.")
        return {"status": "dropped"}

    # --- when ---------------------------------------------------------------------------------------------------------

    def due(self, item: Item, said: Said, day: date) -> Values:
        """Return the last day of an item. Raises Misread for one that has none."""
        limits = {"limits": "date"} if isinstance(item, Constraint) else {}
        return {self._one_of(_DEADLINES, item, said, "deadline"): day.isoformat(), **limits}

    def _on(self, item: Item, said: Said) -> Values:
        field, day = self._one_of(_ON, item, said, "day of its own"), self.single(said).isoformat()
        clock: str = said.value(1) if len(said.words) > 1 else ""
        if isinstance(item, Step) and clock:
            return {"on": day, "hours": self._hours_of_day(item, clock)}
        return {field: day, **({"time": clock} if isinstance(item, Row) and clock else {})}

    def _hours_of_day(self, step: Step, clock: str) -> str:
        """Return hours of a day; where only their beginning is said, as long as the work takes, or one."""
        if "-" in clock:
            return clock
        takes = step.effort.expected * 8 if step.effort and step.effort.expected * 8 <= 8 else 1.0
        begin = int(clock[:2]) * 60 + int(clock[3:])
        end = min(24 * 60, begin + max(1, round(takes * 60)))
        hours = f"{clock}-{end // 60:02}:{end % 60:02}"
        self.notes.append(f"{step.id} is on from {hours[:5]} to {hours[6:]}: say `{step.id} hours …` for another end.")
        return hours

    def _wait(self, step: Step, said: Said) -> Values:
        length: Length = said.value()
        if step.effort is not None:
            self.notes.append(
                f"{step.id} only waits now, in place of its work of {FIELDS[Step]['Effort'].text_of(step)}. "
                f'For both, say: split {step.id} "…", "…", and let the second wait.'
            )
        return dict(zip(("waiting", "waits_working", "waits_hours"), length.waits, strict=True))

    def _late(self, step: Step, said: Said) -> Values:
        length: Length = said.value()
        step = self.dated.get(step.id, step)
        if step.status == "under-way":
            left = step.left if step.left is not None else step.effort.expected if step.effort else 1.0
            return {"left": left + length.working}
        if length.working < 1:
            raise misread(said, "Dates are days: less than a day moves none. Say `late 1d`, or more.")
        if not (step.on or step.start):
            raise misread(said, f"{step.id} has no date yet: say when it is, with `not before` or `on`.")
        day = _later(step, length, WorkTimes.from_plan(self.draft.plan())).isoformat()
        return self._on_another_day(step, day) if step.on else {"not_before": day}

    def _on_another_day(self, step: Step, day: str) -> Values:
        self.notes.append(f"{step.id} is on {day} then: its fixed day moves, too.")
        return {"on": day}

    def all_late(self, said: Said) -> None:
        """Let every open step begin so much later, a fixed day too; what follows by what it needs is not told when."""
        before = self._with_dates()
        times = WorkTimes.from_plan(before)
        steps = {step.id: self.dated.get(step.id, step) for step in self.names.open_steps()}
        wholes = {step.parent for step in steps.values()}
        self.apply([step.id for step in steps.values() if step.status == "under-way"], said)
        moved = {
            step.id: _later(step, said.value(), times).isoformat()
            for step in steps.values()
            if step.start and step.status != "under-way" and step.id not in wholes
        }
        for name in (name for name in moved if steps[name].on):
            self.draft.put(replace(steps[name], **self._on_another_day(steps[name], moved[name])))
        short = {name for name in moved if not steps[name].on}
        for turn in range(_TURNS):
            follows = {name for name in short if short & {*steps[name].needs}} if turn < _TURNS - 1 else set()
            for name in short - follows:
                self.draft.put(replace(steps[name], not_before=moved[name]))
            dated = rescheduled(before, self._with_dates(), today=self.today).plan
            starts = {step.id: step.start or "" for step in dated.steps}
            short = {name for name in short if starts[name] < moved[name]}

    def _with_dates(self) -> Plan:
        """Return the plan with the dates that commands before this one give it."""
        plan, dated = self.draft.plan(), self.dated
        if not dated:
            return plan
        own = (step for step in plan.steps if step.id in dated)
        return with_steps(plan, {one.id: replace(one, start=dated[one.id].start, end=dated[one.id].end) for one in own})

    # --- how it stands ------------------------------------------------------------------------------------------------

    def happened(self, said: Said) -> str:
        """Return the day on which something happened. Raises Misread for one that is to come."""
        day = self.single(said) if said.words else self.today
        if day > self.today:
            raise misread(said, "That day is still to come.")
        return day.isoformat()

    def begun(self, step: Step, **values: Any) -> Values:
        """Return that a step is under way, and what else is said of it."""
        started = step.started or min(filter(None, (step.start, self.today.isoformat())))
        return {"status": "under-way", "started": started, "finished": None, **values}

    def _share(self, step: Step, said: Said) -> Values:
        share, *words = (word for word in said.words if word.type != "PAST")
        is_said = any(
            isinstance(child, Word) and child.text.casefold() in ("done", "finished") for child in said.children
        )
        titled = re.findall(r"\w+", step.title.casefold())
        for word in words:
            known = _DONE if word is words[-1] and not is_said else titled
            if word.text.casefold() not in known:
                alone = f"Say `{step.id} {share.text}`, and the rest as a note."
                why = f"“{word.text}” does not say that this much is done. {alone}"
                raise Misread(words[0].start, max(words[-1].end, said.end), why, instead=("",))
        if words:
            told = " ".join(word.text for word in words)
            self.notes.append(f"{step.id}: {share.text} counts as done; “{told}” changes nothing.")
        return self.begun(step, progress=said.value())

    _count = _share

    def _waiting(self, step: Step, said: Said) -> Values:
        values: Values = {"status": "waiting"}
        for word in said.words:
            if word.type == "DAY":
                values["not_before"] = word.value[0].isoformat()
            else:
                others = (note for note in step.notes.split("; ") if note and not note.startswith(_WAITS_FOR))
                values["notes"] = "; ".join((*others, _WAITS_FOR + unquoted(word.text).strip().replace(";", ",")))
        return values

    # --- words --------------------------------------------------------------------------------------------------------

    def _tag(self, step: Step, said: Said) -> Values:
        tags = list(step.tags)
        for word in said.words:
            name = word.text.lstrip("+-")
            tags = [one for one in tags if one != name] + ([] if word.text.startswith("-") else [name])
        return {"tags": tuple(tags)}

    def title(self, item: Item, text: str) -> Values:
        """Return what an item is called; a person is, wherever they own something."""
        if isinstance(item, Person):
            self._rename(item.text, text)
        return {"title" if isinstance(item, Step) else "text": text}

    def _called(self, item: Item, said: Said) -> Values:
        text = unquoted(said.words[0].text)
        is_other = isinstance(item, Person) and name_key(text) != name_key(item.text)
        if is_other and name_key(text) in map(name_key, self.names.people()):
            raise misread(said, f"{text} is somebody else in the plan: two people would become one.")
        return self.title(item, text)

    def _rename(self, old: str, new: str) -> None:
        """Let a person be called otherwise wherever they own something."""
        for item in list(self.draft.items.values()):
            fields = ("owner", "also") if isinstance(item, Step) else filter(None, [_OWNERS.get(type(item))])
            values = {field: _renamed(getattr(item, field), old, new) for field in fields}
            if any(value != getattr(item, field) for field, value in values.items()):
                self.draft.put(with_values(item, values))

    def _options(self, item: Item, said: Said) -> Values:
        if not isinstance(item, Decision):
            raise misread(said, f"{item.id} is no decision: only decisions have options.")
        texts = [unquoted(word.text).strip() for word in said.words]
        options = _parse_options(said, texts[0]) if len(texts) == 1 else tuple(map(_option, texts))
        told = (f"{letter} “{shorten(one.text, 30)}”" for letter, one in zip(ascii_uppercase, options, strict=False))
        self.notes.append(f"{item.id} has {', '.join(told)}: `{item.id} choose A` decides.")
        return {"options": options}

    def _choose(self, item: Item, said: Said) -> Values:
        word = said.words[0]
        if not isinstance(item, Decision):
            raise misread(said, f"{item.id} is no decision.")
        wanted = unquoted(word.text).casefold()
        lettered = zip(ascii_uppercase, item.options, strict=False)
        words = {letter: option.text.removeprefix(f"{letter}: ") for letter, option in lettered}
        fits = [text for text in words.values() if text.casefold() == wanted] or [
            text for letter, text in words.items() if letter.casefold() == wanted
        ]
        if len(fits) != 1:
            none = f'{item.id} has no options: say `{item.id} options "…", "…"` first.'
            told = ", ".join(f"{letter} “{shorten(text, 30)}”" for letter, text in words.items())
            raise misread(word, f"{item.id} has no such option: it has {told}." if words else none)
        return decided(item, fits[0])

    # --- people's time ------------------------------------------------------------------------------------------------

    def _away(self, item: Item, said: Said) -> Values:
        if not isinstance(item, Person):
            raise misread(said, f"{item.id} is no person.")
        if said.parts:
            return {"away_again": (*item.away_again, rule_of(said.parts[0]))}
        return {"away": (*item.away, *map(as_days, said.value()))}

    def _hours(self, item: Item, said: Said) -> Values:
        if not isinstance(item, Person):
            raise misread(said, f"{item.id} is no person.")
        hours, per = said.value()
        if per == "day":
            week = (one.weekdays for one in self.draft.items.values() if isinstance(one, WorkingTime))
            hours *= len(item.weekdays or next(week, (1, 2, 3, 4, 5)))
        if not said.parts:
            return {"hours": hours}
        return {"capacity": (*item.capacity, Capacity(hours, *first_and_last(said.parts[0])))}

    def _clock(self, item: Item, said: Said) -> Values:
        if not isinstance(item, Step | WorkingTime | Place) or "-" not in said.value():
            raise misread(said, f"{item.id} cannot have these hours: say from when to when, of a day or a place.")
        return {"hours": said.value()}

    # --- any field ----------------------------------------------------------------------------------------------------

    def _plain(self, item: Item, said: Said) -> Values:
        name, word = said.words
        if name.value in ("title", "text"):
            return self.title(item, unquoted(word.text))
        field, text = self._field(item, name), unquoted(word.text).strip()
        if isinstance(item, Step) and field.name == "status" and word.type != "QUOTED" and text.casefold() in _STATES:
            return self._values(item, Said(_STATES[text.casefold()], []))
        if isinstance(item, Decision) and field.name == "options" and text[:1] != "[":
            return {"options": _parse_options(said, text)}
        if (raw := _raw(item, name.value.replace(" ", "_"), text)) is not None:
            return raw
        if (meant := _GERMAN.get(text.casefold())) in field.choices:
            text = meant
        value = self._read(field, text) if text else None
        if value is None:
            label = field.label.lower()
            ways = f": {', '.join(field.choices)}" if field.choices else ""
            why = (
                f"“{unquoted(word.text).strip()[:30]}” is no value for {label}{ways}."
                if text
                else f"Say `clear {label}` to empty it."
            )
            raise misread(word, why)
        if isinstance(value, str):
            value = sys.intern(value)  # msgspec leaves a default out of JSON only if it is the same object
        return dict(zip(field.names, value if field.further else (value,), strict=True))

    def _read(self, field: Field, text: str) -> Any:
        """Return the value of a field from its words, as the plan's Markdown has it or as a person says it."""
        if field.name in DATES:
            return self._day(field, text)
        value = field.read(text)
        days = self._whole("PERIOD", text) if value is None and field.name in ("away", "closed", "days") else None
        return tuple(map(as_days, days)) if days else value

    def _day(self, field: Field, text: str) -> Any:
        if field.further and field.read(text)[0] != text:  # a range as Markdown has it
            return field.read(text)
        iso = plannable_day(text)
        days = (iso, iso) if iso is not None and iso.isoformat() == text else self._whole(
            "PAST" if field.name in ("started", "finished") else "DAY", text
        )  # fmt: skip
        if days is None:
            return None
        first, last = (day.isoformat() for day in days)
        return (first, last if last != first else None) if field.further else last if field.name in LAST_DAYS else first

    def _whole(self, kind: str, text: str) -> Any:
        found = read_whole(kind, plain_text(text), self.today)
        return found.value if found else None

    def _field(self, item: Item, name: Word) -> Field:
        """Return a field by its label, or by what the attribute is called. Raises Misread."""
        wanted: str = name.value
        if (field := field_called(type(item), wanted)) is not None:
            return field
        known = [field.label.lower() for field in FIELDS[type(item)].values()]
        why = f"{item.id} has no {wanted}: it has {', '.join(known[:_MOST_TOLD])} …"
        raise misread(name, why, instead=nearest(wanted, known))

    def _clear(self, item: Item, said: Said) -> Values:
        name = said.words[0]
        if name.value == "waiting" and isinstance(item, Step) and item.waiting is None and item.status == "waiting":
            notes = "; ".join(note for note in item.notes.split("; ") if not note.startswith(_WAITS_FOR))
            return {"status": "under-way" if item.started else "todo", "notes": notes}
        if name.value == "choice" and isinstance(item, Decision):
            return {"text": undecided(item), "choice": ""}
        if name.value in ("title", "text"):
            raise misread(name, f"{item.id} has to keep its {name.value}.")
        field = self._field(item, name)
        kept = {key: value for key, value in msgspec.to_builtins(item).items() if key not in field.names}
        try:
            empty = msgspec.convert(kept, type(item))
        except msgspec.ValidationError as error:
            raise misread(name, f"{item.id} has to have its {field.label.lower()}.") from error
        return {one: getattr(empty, one) for one in field.names}


def _kind(item: type[Item]) -> str:
    return str(item.__struct_config__.tag).replace("-", " ")


def _each_name(word: Word) -> list[Word]:
    """Return the names of a text in quotes, which parts them by commas."""
    if word.type != "QUOTED":
        return [word]
    return [replace(word, text=quoted(name.strip())) for name in unquoted(word.text).split(",")]


_Rule = Callable[[Fields, Any, Said], Values]
_VALUES: Mapping[str, _Rule] = {
    "title": lambda own, item, said: own.title(item, unquoted(said.words[0].text)),
    "by": lambda own, item, said: own.due(item, said, said.value()[1]),
    "before": lambda own, item, said: own.due(item, said, said.value()[0] - timedelta(days=1)),
    "left": lambda own, step, said: own.begun(step, left=said.value().working),
    "under_way": lambda own, step, _: own.begun(step),
    "done": lambda own, _, said: {"status": "done", "finished": own.happened(said), "left": None, "progress": None},
    "started": lambda own, _, said: {"status": "under-way", "started": own.happened(said), "finished": None},
    "todo": lambda *_: {"status": "todo", "started": None, "finished": None},
    "needs_none": lambda *_: {"needs": (), "lags": ()},
    "cost": lambda _, __, said: {"cost": said.value()},
    "not_before": lambda _, __, said: {"not_before": said.value()[0].isoformat()},
    "duration": lambda _, __, said: _lasting(said.value()),
    "note": lambda _, step, said: {"notes": "; ".join(filter(None, (step.notes, unquoted(said.words[0].text))))},
}
"""Rules of the grammar that are said in a line; each other one is a method."""


_STATES = {"done": "done", "under-way": "under_way", "under way": "under_way", "todo": "todo", "dropped": "dropped"}


def _later(step: Step, length: Length, times: WorkTimes) -> date:
    """Return the day on which a step begins that is so much later."""
    begins, delay = date.fromisoformat(step.on or step.start or ""), timedelta(days=round(length.calendar))
    if length.unit in _BY_CALENDAR:
        return begins + delay if step.on else _postponed_start(step, begins, delay, times)
    is_off = times.own.minutes(begins.toordinal()) <= 0  # the next working day is the first one after it
    return add_working_days(begins, -int(-length.working // 1) - is_off, times.own)


def _postponed_start(step: Step, begins: date, delay: timedelta, times: WorkTimes) -> date:
    """Return the day on which a step begins that is late: both it and the last day come so much later, or more.

    Days off that it had in its middle are not made up for: it does the same work after them.
    """
    if step.waiting is not None or step.duration_elapsed or not step.end:
        return begins + delay
    who, ends = times.whose_time(step), date.fromisoformat(step.end)
    calendar = times.spanned(step, who) if step.duration else times.calendar(step, who).whole_days()
    work = working_days_between(begins, ends, calendar)
    last = add_working_days(ends + delay, 0, calendar)
    return max(begins + delay, add_working_days(last, -work, calendar))


def _renamed(value: Any, old: str, new: str) -> Any:
    """Return a name, or names, with a new one instead of an old one."""
    if isinstance(value, str):
        return new if name_key(value) == name_key(old) else value
    return tuple(_renamed(one, old, new) for one in value)


def _parse_options(said: Said, text: str) -> tuple[Option, ...]:
    """Return the options of one text: parted by semicolons, or by commas where each has its letter. Raises Misread."""
    parts = [part.strip() for part in text.split(",")]
    if ";" not in text and len(parts) > 1:
        if any(part[1:2] != ":" or not part[0].isalpha() for part in parts):
            instead = ", ".join(map(quoted, parts))
            raise misread(said, f"Give each option quotes of its own: options {instead}.")
        text = "; ".join(parts)
    found: tuple[Option, ...] | None = FIELDS[Decision]["Options"].read(text)
    if not found:
        raise misread(said, 'Give each option a text in quotes: options "…", "…".')
    return found


def _option(text: str) -> Option:
    """Return an option, with what it costs where that is in brackets after it."""
    found: tuple[Option, ...] | None = FIELDS[Decision]["Options"].read(text)
    return found[0] if found and len(found) == 1 else Option(text)


def _raw(item: Item, attribute: str, text: str) -> Values | None:
    """Return an attribute as JSON has it, for what no text of a field says; None if it is not JSON."""
    if text[:1] not in ("[", "{") or attribute not in item.__struct_fields__:
        return None
    with suppress(msgspec.DecodeError):
        values = {**msgspec.to_builtins(item), attribute: msgspec.json.decode(text)}
        return {attribute: getattr(msgspec.convert(values, type(item), str_keys=True), attribute)}
    return None


def decided(decision: Decision, words: str) -> Values:
    """Return a decision's text and choice, if something is chosen instead of what was chosen before."""
    text = undecided(decision)
    joint = " " if text.endswith(("?", ":")) else ": "
    return {"text": f"{text}{joint}{words}", "choice": words}


def undecided(decision: Decision) -> str:
    """Return a decision's text without what is chosen."""
    if not decision.choice or not decision.text.endswith(decision.choice):
        return decision.text
    text = decision.text.removesuffix(decision.choice).removesuffix(" ")
    return text.removesuffix(":") if not text.endswith("?:") else text


def with_values(item: Item, values: Values) -> Item:
    """Return an item with other values of fields that it has."""
    return replace(item, **values)


def _lasting(length: Length) -> Values:
    """Return how long a step lasts: in days of the calendar, unless working days, or less than a day, are said."""
    return dict(zip(("duration", "duration_elapsed"), length.lasts, strict=True))


def _lag(step: str, length: Length) -> Lag:
    return Lag(step, *length.lag)


def first_and_last(said: Said) -> tuple[str | None, str | None]:
    """Return the first and the last day of "from … to …" and "on …"; None for an end that is not said."""
    if said.words:
        days = as_days(said.value()[0])
        return days.first, days.last
    ends = _ends(said)
    return (ends["since"].first if "since" in ends else None, ends["till"].last if "till" in ends else None)


def rule_of(said: Said) -> Rule:
    """Return the rule of "every … from … until …"."""
    rule: Rule = said.value()
    for end, days in _ends(said).items():
        rule = replace(rule, first=days.first) if end == "since" else replace(rule, until=days.last)
    return rule


def _ends(said: Said) -> dict[str, Days]:
    """Return the days of "from … until …". Raises Misread if they end before they begin."""
    ends = {part.rule: as_days(part.value()) for part in said.parts}
    if len(ends) > 1 and ends["till"].last < ends["since"].first:
        raise misread(said.parts[0], "These days end before they begin: say the first one first.")
    return ends
