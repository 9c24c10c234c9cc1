"""Commands carried out on a draft, one after the other: each method is a rule of the grammar."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from typing import Any

from msgspec.structs import replace

from workbench.domain.commands.draft import Draft
from workbench.domain.commands.errors import Misread
from workbench.domain.commands.fields import Fields, decided, rule_of, with_values
from workbench.domain.commands.grammar import Said, Word, spoken
from workbench.domain.commands.naming import MOST_NAMED, Names, misread, unquoted
from workbench.domain.commands.parts import joined, needing, parts_of, without, without_needs
from workbench.domain.commands.reader import Clause
from workbench.domain.commands.results import Action, AddHolidays, Decide, Redo, Replan, Undo
from workbench.domain.errors import PlanUnsound
from workbench.domain.loop.asking.tasks import Disputed
from workbench.domain.plan.markdown.grammar import LETTERS
from workbench.domain.plan.money import whole_limits
from workbench.domain.plan.plan import (
    Bullet,
    Constraint,
    Criterion,
    DaysOff,
    Decision,
    Fund,
    Item,
    Origin,
    Person,
    Place,
    Plan,
    PlanDay,
    Question,
    Risk,
    Row,
    Rule,
    Section,
    Step,
    WorkingTime,
    name_key,
)
from workbench.domain.plan.scheduling.recurrence import days_of_rule
from workbench.domain.plan.scheduling.rescheduling import rescheduled
from workbench.domain.plan.spoken import as_days
from workbench.domain.statements.statement import Settled

BY_PERSON = Origin("person")
KINDS: dict[str, type[Item]] = {
    "step": Step, "risk": Risk, "constraint": Constraint, "criterion": Criterion, "decision": Decision,
    "question": Question, "note": Bullet, "assumption": Bullet, "person": Person, "place": Place, "fund": Fund,
}  # fmt: skip
"""What can be added, by what it is called."""
_BEGUN = frozenset(["started", "under_way", "share", "count", "left", "waiting", "late"])
_STATES = _BEGUN | {"done", "dropped"}
"""Rules that say how a step stands; `todo` takes them back."""
_GOES_ON = frozenset((one, end) for one in ("started", "under_way", "late") for end in ("done", "dropped"))
"""Of these, what may be said one after the other."""
_REPORTS = frozenset(["done", "started", "dropped", "under_way"])
"""Rules that say what is so today, beside which no day to come stands."""
_LIMITS = frozenset(["by", "before", "not_before"])
_SINGLE = {
    **{
        rule: rule
        for rule in ("duration", "on", "not before", "cost", "wait", "title", "under", "left", "clock")
    },
    "effort": "effort", "takes": "effort", "share": "progress", "count": "progress", "by": "deadline",
    "before": "deadline", "called": "title", "not_before": "not before",
}  # fmt: skip
"""The field that a rule gives its one value."""
_NOT_OF_THE_PLAN = {"U": ("dismiss", "used"), "V": ("dispute",), "O": ("accept", "decline")}
"""What can be said of statements, findings and offers, by their letter."""


class Commands:
    """Carries out commands on a draft of a plan."""

    def __init__(self, plan: Plan, today: date, me: str = "", taken: Collection[str] = ()) -> None:
        self.draft = Draft(plan, taken)
        self.names = Names(self.draft, me)
        self.fields = Fields(self.draft, self.names, today)
        self.actions = self.fields.actions
        self.notes = self.fields.notes
        self.moved: list[str] = []
        """Ids of items that were put elsewhere in their list."""
        self._taken = frozenset(taken)
        self._plan = plan
        self._today = today
        self._subject: list[str] = []
        """Items of the command before, of which one without a subject speaks."""
        self._said: dict[str, Said] = {}
        """What was said of them, by rule."""
        self._values: dict[str, dict[str, Said]] = {}
        """What the fields of each item were said to be, in all commands."""

    def run(self, clause: Clause) -> None:
        """Carry out a command. Raises Misread."""
        self.fields.owned.clear()
        if not clause.is_continued:
            self._subject = []
        if not clause.is_continued or clause.said.rule != "bare":
            self._said = {}
        if clause.said.rule in _ASKED:
            self.actions.append(_ASKED[clause.said.rule](*(word.text.upper() for word in clause.said.words)))
            return
        method: Callable[[Said], None] = getattr(self, f"_{clause.said.rule}")
        try:
            method(clause.said)
        except PlanUnsound as error:
            raise Misread(clause.start, clause.end, error.message) from error

    # --- fields -------------------------------------------------------------------------------------------------------

    def _change(self, said: Said) -> None:
        subject, *fields = said.parts
        if self._is_no_item(subject, fields):
            return
        names = self._items(subject)
        self._beside_each_other(names, fields)
        self._date(fields)
        for field in fields:
            if any(field.rule in rules for rules in _NOT_OF_THE_PLAN.values()):
                raise misread(subject, "This is said of statements (U4), findings (V2) and offers (O1) alone.")
            is_whole = subject.words[0].type == "ALL"
            if is_whole and field.rule in ("done", "dropped"):
                instead = (f"{names[0]}..{names[-1]}",) if names else ()
                raise misread(subject, "That is said of steps by their names alone.", instead=instead)
            if is_whole and field.rule == "late":
                self.fields.all_late(field)
            else:
                self.fields.apply(names, field)
        self._subject = names

    def _bare(self, said: Said) -> None:
        if not self._subject:
            raise misread(said, "Which item is this about? Begin with its id.", instead=("S1",))
        self._beside_each_other(self._subject, said.parts)
        self._date(said.parts)
        for field in said.parts:
            self.fields.apply(self._subject, field)

    def _date(self, fields: Sequence[Said]) -> None:
        """Give steps their dates after the commands before, where a delay is counted from them."""
        if any(field.rule == "late" for field in fields) and (now := self.draft.plan()) != self._plan:
            dated = rescheduled(self._plan, now, today=self._today).plan
            self.fields.dated = {step.id: step for step in dated.steps}

    def _beside_each_other(self, names: Sequence[str], fields: Sequence[Said]) -> None:
        """Note what is said of the same items. Raises Misread if it does not fit together."""
        for field in fields:
            self._fits(names, field)
            self._said[field.rule] = field
            now, later = (next(map(self._said.get, rules & self._said.keys()), None) for rules in (_REPORTS, _LIMITS))
            if now and later:
                why = f"Is that so today, or to come? Say `{names[0]} {spoken(later)}`, or `{names[0]} {spoken(now)}`."
                start, end = min(now.start, later.start), max(now.end, later.end)
                raise Misread(start, end, why, instead=(spoken(later),))

    def _fits(self, names: Sequence[str], field: Said) -> None:
        """Note the value of a field, and how a step stands. Raises Misread if something else was said of it."""
        is_named = field.rule in ("plain", "clear")
        single = field.words[0].value if is_named else _SINGLE.get(field.rule, field.rule)
        if single == "title" and len(names) > 1:
            raise misread(field, f"One title for {len(names)} items: name one of them.")
        if field.rule == "plain" and field.words[0].type == "ATTRIBUTE":  # "set" takes what any other gives
            return
        for name in names:
            values = self._values.setdefault(name, {})
            if field.rule == "clear":
                values.pop(single, None)
                values.pop("status", None)
                continue
            other = values.get(single) if is_named or field.rule in _SINGLE else None
            state = values.get("status") if field.rule in _STATES else None
            if state and (state.rule, field.rule) not in _GOES_ON and not {state.rule, field.rule} <= _BEGUN:
                other = state
            if other and spoken(other) != spoken(field):
                both = f"“{spoken(other)}” and “{spoken(field)}”"
                raise misread(field, f"{both} do not fit together: say one of them.")
            values |= {single: field} | ({"status": field} if field.rule in _STATES else {})

    def _items(self, subject: Said, *, may_be_new: bool = True) -> list[str]:
        """Return the ids that a subject names. Raises Misread."""
        found: dict[str, None] = {}
        for word in subject.words:
            match word.type:
                case "ALL":
                    names = [step.id for step in self.names.open_steps()]
                case "MINE":
                    names = self.names.mine(word)
                case "PERSON":
                    names = [self._person(word, may_be_new=may_be_new)]
                case _:
                    names = self.names.items(word)
            found |= dict.fromkeys(names)
            if len(found) > MOST_NAMED:
                raise misread(word, f"Name at most {MOST_NAMED} items at once.")
        return list(found)

    def _person(self, word: Word, *, may_be_new: bool) -> str:
        """Return the id of somebody of the plan, who is put into it if it does not know them."""
        name = self.names.person(word)
        if not name:
            raise misread(word, "Name a person.")
        for item in self.draft.items.values():
            if isinstance(item, Person) and name_key(item.text) == name_key(name):
                return item.id
        if not may_be_new:
            owned = self.names.owned_by(name)
            way = (
                f" {name} owns {', '.join(owned)}: `{' '.join(owned[:9])} owner none` takes that back." if owned else ""
            )
            raise misread(word, f"The plan has nothing else of {name}.{way}")
        return self._put_in(Person(id="", text=name))

    def _is_no_item(self, subject: Said, fields: Sequence[Said]) -> bool:
        """Note what is said of statements, findings and offers; tell whether it was."""
        names = [word.text.upper() for word in subject.words if word.type == "ITEM"]
        letters = {name[0] for name in names} if len(names) == len(subject.words) else set()
        if len(letters) != 1 or names[0] in self.draft.items or (letter := letters.pop()) not in _NOT_OF_THE_PLAN:
            return False
        for field in fields:
            if field.rule not in _NOT_OF_THE_PLAN[letter]:
                known = ", ".join(_NOT_OF_THE_PLAN[letter])
                raise misread(subject, f"Of {names[0]} you can say: {known}.")
            for name in names:
                if field.rule == "dismiss":
                    self.actions.append(Settled(statement=name, state="dismissed"))
                elif field.rule == "used":
                    used = [one for need in field.parts for one in self.names.items(need.words[0])]
                    self.actions.append(Settled(statement=name, state="used", items=tuple(used)))
                elif field.rule in ("accept", "decline"):
                    note = unquoted(field.words[0].text) if field.words else ""
                    self.actions.append(Decide(name, is_accepted=field.rule == "accept", note=note))
                else:
                    self.actions.append(Disputed(finding=name, reason=unquoted(field.words[0].text)))
        return True

    # --- items --------------------------------------------------------------------------------------------------------

    def _add(self, said: Said) -> None:
        title, word = said.words[-1], said.words[0]
        kind, name = self._new(word) if len(said.words) > 1 else (Step, "")
        text = unquoted(title.text)
        if not text.strip() and kind not in (WorkingTime, DaysOff):
            raise misread(title, "A text is needed.")
        values: dict[str, Any] = {"title" if kind is Step else "text": text} | ({"day": ""} if kind is Row else {})
        section, after = "assumptions" if word.text.lower() == "assumption" else "", None
        no_fields = _PLACES if kind is Step else (*_PLACES, "after")
        for part in sorted(said.parts, key=lambda part: part.rule != "after"):  # what is said as a place is the place
            if part.rule == "after":
                section, after = self._place_after(part.parts[-1].words[0], kind) or (section, after)
            elif part.rule in _PLACES:
                section, after = self._place(part) if part.words else (section, "")
        name = self._put_in(kind(id=name, **values), section, after)
        for part in said.parts:
            if part.rule not in no_fields:
                self._fits([name], part)
                self.fields.apply([name], part)
        if isinstance(row := self.draft.items[name], Row) and not row.day:
            raise misread(title, "Say on which day: on 26 Mar.")
        self._subject = [name]

    def _new(self, word: Word) -> tuple[type[Item], str]:
        """Return the kind of a new item, and its id if it is given. Raises Misread."""
        if word.type == "KIND":
            return KINDS[word.text.lower()], ""
        name = word.text.upper()
        if name[0] not in LETTERS:
            raise misread(word, f"No item has an id with {name[0]}.", instead=tuple(KINDS)[:3])
        if name in self._taken:
            raise misread(word, f"The id {name} was another item's: leave it out, and a new one is taken.")
        return LETTERS[name[0]], name

    def _place_after(self, word: Word, kind: type[Item]) -> tuple[str, str] | None:
        """Return the place after an item that a new one comes after; None for a step and what is none."""
        after = self.names.items(word)[-1]
        if kind is Step and not isinstance(self.draft.items[after], Step):
            return None
        return self.draft.section_of(after), after

    def _place(self, place: Said) -> tuple[str, str]:
        """Return the section of a place, and the item that comes before it there; "" for the section's top."""
        [word] = place.words
        if word.type == "SECTION":
            return self.names.section(word), ""
        after = self.names.items(word)[0]
        return self.draft.section_of(after), after

    def _put_in(self, item: Item, section: str = "", after: str | None = None) -> str:
        """Add an item as a person's; return its id."""
        item = replace(item, id=item.id or self.draft.new_id(type(item)), origin=BY_PERSON)
        self.draft.add(item, self.draft.home(item, section), after)
        return item.id

    def _remove(self, said: Said) -> None:
        for name in self._items(said.parts[0], may_be_new=False):
            if isinstance(person := self.draft.items[name], Person) and (owned := self.names.owned_by(person.text)):
                self.notes.append(f"{person.text} goes on to own {', '.join(owned)}: `{owned[0]} owner …` changes it.")
            self._take_out(self.draft.items[name], passing=bool(said.words))

    def _take_out(self, gone: Item, *, passing: bool = False) -> None:
        """Take an item out, and let nothing name it; say which steps needed it."""
        needed = " and ".join(gone.needs) if isinstance(gone, Step) and not passing else ""
        way = f" `remove {gone.id} passing needs` lets it need {needed}." if needed else ""
        now = "and needs what it needed" if passing else "and needs it no more"
        for item in list(self.draft.items.values()):
            changed = without(item, gone.id)
            if isinstance(item, Step) and isinstance(changed, Step) and gone.id in item.needs:
                self.notes.append(f"{item.id} needed {gone.id}, {now}.{way}")
                if passing and isinstance(gone, Step):
                    changed = replace(changed, needs=tuple(dict.fromkeys((*changed.needs, *gone.needs))))
            if changed is not item:
                self.draft.put(changed)
        self.draft.remove(gone.id)

    def _move(self, said: Said) -> None:
        subject, place = said.parts
        names = self._items(subject, may_be_new=False)
        section, after = self._place(place) if place.words else ("", "")
        for name in names:
            if name == after:
                raise misread(place.words[0], f"{name} cannot stand behind itself.")
            self.draft.move(name, section or self.draft.section_of(name), after)
            self.moved.append(name)
            after = name

    def _split(self, said: Said) -> None:
        [word], parts = said.words, said.parts
        step = self.names.item(word)
        if not isinstance(step, Step):
            raise misread(word, f"{step.id} is no step.")
        names = [step.id, *(self.draft.new_id(Step) for _ in parts[1:])]
        titles = [(unquoted(part.words[0].text), part.value(1)[0] if part.words[1:] else None) for part in parts]
        first, *others = parts_of(step, names, titles, BY_PERSON)
        self.draft.put(first)
        for before, part in zip(names, others, strict=False):
            self.draft.add(part, self.draft.section_of(step.id), before)
        self._follow({step.id}, names[-1], but=names)

    def _follow(self, gone: set[str], instead: str, *, but: Collection[str]) -> None:
        """Let steps that need some others need one instead."""
        for item in list(self.draft.items.values()):
            if isinstance(item, Step) and item.id not in but and gone & set(item.needs):
                self.draft.put(needing(item, gone, instead))

    def _merge(self, said: Said) -> None:
        *words, title = said.words
        names = dict.fromkeys(name for word in words for name in self.names.items(word))
        steps = [item for name in names if isinstance(item := self.draft.items[name], Step)]
        if len(steps) < max(2, len(names)):
            raise misread(words[0], "Name two steps, or more.")
        if len({step.cost.currency for step in steps if step.cost}) > 1:
            raise misread(words[0], "Their costs are in different currencies.")
        kept, *others = steps
        self._follow({step.id for step in others}, kept.id, but=names)
        whole, losses = joined(steps, unquoted(title.text))
        self.draft.put(whole)
        self.notes.extend(losses)
        for step in others:
            self.draft.put(without_needs(step, set(names)))
        for step in others:
            for item in list(self.draft.items.values()):
                if isinstance(item, Step) and item.parent == step.id:
                    self.draft.put(replace(item, parent=kept.id))
            self._take_out(step)

    def _repeat(self, said: Said) -> None:
        subject, rule = said.parts
        for name in self._items(subject, may_be_new=False):
            step = self.draft.items[name]
            if not isinstance(step, Step):
                raise misread(subject, f"{name} is no step.")
            self.draft.put(replace(step, repeat=self._not_before(rule_of(rule), step, rule)))

    def _not_before(self, rule: Rule, step: Step, said: Said) -> Rule:
        """Return a rule whose first day nobody said as one that does not begin before its step."""
        start = step.on or step.start or rule.first
        if start <= rule.first or any(part.rule == "since" for part in said.parts):
            return rule
        if not rule.weekdays and rule.first == self._today.isoformat():
            return replace(rule, first=start)
        days = (day.isoformat() for day in days_of_rule(replace(rule, until=None)))
        return replace(rule, first=next((day for day in days if day >= start), rule.first))

    # --- the plan, and its sections -----------------------------------------------------------------------------------

    def _plan_title(self, said: Said) -> None:
        self.draft.title = unquoted(said.words[0].text)

    def _section_title(self, said: Said) -> None:
        word, value = said.words
        section = self.draft.sections[self.names.section(word)]
        values: dict[str, Any] = {said.rule.removeprefix("section_"): unquoted(value.text)}
        self.draft.sections[section.id] = replace(section, **values)

    _section_text = _section_title

    def _add_section(self, said: Said) -> None:
        word, title = said.words
        name = word.text.split()[-1].lower()
        if name in self.draft.sections:
            raise misread(word, f"There is a section {name} already.")
        self.draft.place_section(Section(id=name, title=unquoted(title.text)), self._section_place(said))

    def _move_section(self, said: Said) -> None:
        name, after = self.names.section(said.words[0]), self._section_place(said)
        if name == after:
            raise misread(said.words[0], "It cannot stand behind itself.")
        self.draft.place_section(self.draft.sections[name], after)

    def _section_place(self, said: Said) -> str | None:
        """Return the section after which one is put: "" for the top, None for the end."""
        places = [place.words for place in said.parts]
        return None if not places else self.names.section(places[0][0]) if places[0] else ""

    def _remove_section(self, said: Said) -> None:
        name = self.names.section(said.words[0])
        for item in list(self.draft.order[name]):
            self._take_out(self.draft.items[item])
        self.draft.remove_section(name)

    # --- calendar and money -------------------------------------------------------------------------------------------

    def _days_off(self, said: Said) -> None:
        words = said.words
        days = tuple(map(as_days, words.pop(0).value)) if words and words[0].type == "PERIOD" else ()
        text = unquoted(words.pop(0).text) if words and words[0].type == "QUOTED" else "Days off"
        who = tuple(self.names.person(word).lstrip("+") for word in words)
        self._put_in(DaysOff(id="", text=text, days=days, again=tuple(map(rule_of, said.parts)), who=who))

    def _working_days(self, said: Said) -> None:
        own = [item for item in self.draft.items.values() if isinstance(item, WorkingTime)]
        self._put(own[:1], WorkingTime(id="", weekdays=said.value()), "weekdays")

    def _budget(self, said: Said) -> None:
        """Set the largest limit of the plan's money, or put one in."""
        own = sorted(whole_limits(self.draft.plan()), key=lambda limit: limit.most.amount)
        new = Constraint(id="", text="The budget", limits="amount", amount=said.value())
        self._put([self.draft.items[limit.constraint] for limit in own[-1:]], new, "amount")

    def _deadline(self, said: Said) -> None:
        """Set the day by which the plan has to be done, or put it in; other dates stay as they are."""
        self._set_day(THE_END, "deadline", said.value()[1])

    def _goal_day(self, said: Said) -> None:
        """Set the day that the plan is for, or put it in."""
        self._set_day(DAY_OF_THE_GOAL, "goal-day", self.fields.single(said))

    def _set_day(self, text: str, sets: PlanDay, day: date) -> None:
        """Set a day of the whole plan. The only constraint with a date is the plan's deadline."""
        dated = [item for item in self.draft.items.values() if isinstance(item, Constraint) and item.is_dated]
        own = [item for item in dated if item.sets == sets]
        unsaid = [item for item in dated if not item.sets]
        own = own or [item for item in unsaid if item.text == text]  # of a plan from before it was said
        if not own and sets == "deadline" and len(dated) == 1 and unsaid and unsaid[0].text != DAY_OF_THE_GOAL:
            own = unsaid
        if not own and sets == "deadline" and unsaid:
            names = ", ".join(item.id for item in unsaid)
            self.notes.append(f"What {names} says of dates stays: `{unsaid[-1].id} by …` changes it.")
        new = Constraint(id="", text=text, limits="date", day=day.isoformat(), sets=sets)
        self._put(own[:1], new, "day", "last", "sets")

    def _put(self, own: Sequence[Item], new: Item, *fields: str) -> None:
        """Give an item the fields of a new one, which is put in if there is none."""
        if own:
            self.draft.put(replace(own[0], **{field: getattr(new, field) for field in fields}))
        else:
            self._put_in(new)

    # --- what is no operation -----------------------------------------------------------------------------------------

    def _answer(self, said: Said) -> None:
        word = said.words[0]
        name, _, text = word.text.partition(":")
        if not text.strip():
            raise misread(word, "An answer is needed behind the colon.")
        word = Word("ITEM", name.strip(), word.start, word.start + len(name))
        question = self.names.item(word)
        if not isinstance(question, Question):
            raise misread(word, f"{question.id} is no question.")
        asked = Decision(
            id="", text=question.text, owner=question.owner, assumed=question.assumption, causes=question.causes
        )
        self._put_in(with_values(asked, decided(asked, text.strip())))
        self._take_out(question)


_PLACES = ("below", "first")
_ASKED: Mapping[str, Callable[..., Action]] = {
    "replan": Replan, "redo": Redo, "holidays": AddHolidays,
    "undo": lambda *to: Undo(*(int(version.removeprefix("V")) for version in to)),
}  # fmt: skip
"""Commands that are no operation on the plan."""
THE_END = "Everything is done"
DAY_OF_THE_GOAL = "The day that it is for"
