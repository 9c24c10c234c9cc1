"""Commands carried out on a draft, one after the other: each method is a rule of the grammar."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import date
from typing import Any

from msgspec.structs import replace

from workbench.domain.commands.draft import Draft
from workbench.domain.commands.errors import Misread
from workbench.domain.commands.fields import Fields, rule_of, with_values, without_needs
from workbench.domain.commands.naming import MOST_NAMED, Names, misread, unquoted, words_of
from workbench.domain.commands.reader import Clause
from workbench.domain.commands.readings import as_days
from workbench.domain.commands.results import AddHolidays, Redo, Replan, Undo
from workbench.domain.commands.words import Said, Word
from workbench.domain.errors import PlanUnsound
from workbench.domain.plan.money import limits
from workbench.domain.plan.plan import (
    Bullet,
    Constraint,
    Criterion,
    DaysOff,
    Decision,
    Effort,
    Fund,
    Item,
    Origin,
    Person,
    Place,
    Plan,
    Question,
    Risk,
    Step,
    WorkingTime,
    name_key,
)
from workbench.domain.statements.statement import Settled

BY_PERSON = Origin("person")
KINDS: dict[str, type[Item]] = {
    "step": Step, "risk": Risk, "constraint": Constraint, "criterion": Criterion, "decision": Decision,
    "question": Question, "note": Bullet, "assumption": Bullet, "person": Person, "place": Place, "fund": Fund,
}  # fmt: skip
"""What can be added, by what it is called."""
_NOT_OF_THE_PLAN = {"U": ("dismiss", "used"), "V": ("dispute",)}
"""What can be said of statements and findings, by their letter."""


class Commands:
    """Carries out commands on a draft of a plan."""

    def __init__(self, plan: Plan, today: date, me: str = "", taken: Collection[str] = ()) -> None:
        self.draft = Draft(plan, taken)
        self.names = Names(self.draft, me)
        self.fields = Fields(self.draft, self.names, today)
        self.actions = self.fields.actions
        self.notes = self.fields.notes
        self._subject: list[str] = []
        """Items of the command before, of which one without a subject speaks."""

    def run(self, clause: Clause) -> None:
        """Carry out a command. Raises Misread."""
        self.fields.owned.clear()
        if not clause.is_continued:
            self._subject = []
        method: Callable[[Said], None] = getattr(self, f"_{clause.said.rule}")
        try:
            method(clause.said)
        except PlanUnsound as error:
            raise Misread(clause.start, clause.end, error.message) from error
        except Misread as error:
            if error.start < 0:
                error.start, error.end = clause.start, clause.end
            raise

    # --- fields -------------------------------------------------------------------------------------------------------

    def _change(self, said: Said) -> None:
        subject, *fields = said.parts
        if self._is_no_item(subject, fields):
            return
        names = self._items(subject)
        for field in fields:
            if field.rule in ("dismiss", "used", "dispute"):
                raise _misread(subject, "This is said of statements (U4) and findings (V2) alone.")
            is_whole = field.rule == "late" and subject.words[0].type == "ALL"
            self.fields.apply(self._first_open() if is_whole else names, field)
        self._subject = names

    def _bare(self, said: Said) -> None:
        if not self._subject:
            raise Misread(-1, -1, "Which item is this about? Begin with its id.", instead=("S1",))
        for field in said.parts:
            self.fields.apply(self._subject, field)

    def _items(self, subject: Said) -> list[str]:
        """Return the ids that a subject names. Raises Misread."""
        found: dict[str, None] = {}
        for word in subject.words:
            match word.type:
                case "ALL":
                    names = [step.id for step in self.names.open_steps()]
                case "MINE":
                    names = self.names.mine(word)
                case "PERSON":
                    names = [self._person(word)]
                case _:
                    names = self.names.items(word)
            found |= dict.fromkeys(names)
            if len(found) > MOST_NAMED:
                raise misread(word, f"Name at most {MOST_NAMED} items at once.")
        return list(found)

    def _first_open(self) -> list[str]:
        """Return the open steps before which nothing open comes, and that have no fixed day: the others follow them."""
        steps = self.names.open_steps()
        waiting = {step.id for step in steps}
        return [step.id for step in steps if not waiting & set(step.needs) and not step.on]

    def _person(self, word: Word) -> str:
        """Return the id of somebody of the plan, who is put into it where it does not know them."""
        name = self.names.person(word)
        if not name:
            raise misread(word, "Name a person.")
        for item in self.draft.items.values():
            if isinstance(item, Person) and name_key(item.text) == name_key(name):
                return item.id
        return self._put_in(Person(id="", text=name))

    def _is_no_item(self, subject: Said, fields: Sequence[Said]) -> bool:
        """Note what is said of statements and findings; tell whether it was."""
        names = [word.text.upper() for word in subject.words if word.type == "ITEM"]
        letters = {name[0] for name in names} if len(names) == len(subject.words) else set()
        if len(letters) != 1 or names[0] in self.draft.items or (letter := letters.pop()) not in _NOT_OF_THE_PLAN:
            return False
        for field in fields:
            if field.rule not in _NOT_OF_THE_PLAN[letter]:
                known = ", ".join(_NOT_OF_THE_PLAN[letter])
                raise _misread(subject, f"Of {names[0]} you can say: {known}.")
            for name in names:
                if field.rule == "dismiss":
                    self.actions.append(Settled(statement=name, state="dismissed"))
                elif field.rule == "used":
                    used = [one for need in field.parts for one in self.names.items(need.words[0])]
                    self.actions.append(Settled(statement=name, state="used", items=tuple(used)))
                else:
                    raise _misread(subject, "Findings cannot be disputed with a command yet.")
        return True

    # --- items --------------------------------------------------------------------------------------------------------

    def _add(self, said: Said) -> None:
        *kinds, title = said.words
        word = kinds[0].text.lower() if kinds else "step"
        kind, text = KINDS[word], unquoted(title.text)
        if not text.strip():
            raise misread(title, "A text is needed.")
        values: dict[str, Any] = {"title" if kind is Step else "text": text}
        section, after = "assumptions" if word == "assumption" else "", None
        for place in (part for part in said.parts if part.rule in _PLACES):
            after = self.names.items(place.words[0])[0] if place.words else ""
            section = self.draft.section_of(after) if after else section
        name = self._put_in(kind(id="", **values), section, after)
        for part in said.parts:
            if part.rule not in _PLACES:
                self.fields.apply([name], part)
        self._subject = [name]

    def _put_in(self, item: Item, section: str = "", after: str | None = None) -> str:
        """Add an item as a person's; return its id."""
        item = replace(item, id=item.id or self.draft.new_id(type(item)), origin=BY_PERSON)
        self.draft.add(item, self.draft.home(item, section), after)
        return item.id

    def _remove(self, said: Said) -> None:
        for name in self._items(said.parts[0]):
            self._forget(self.draft.items[name], passing=bool(said.words))
            self.draft.remove(name)

    def _forget(self, gone: Item, *, passing: bool) -> None:
        """Let nothing name an item that goes; say which steps needed it."""
        needed = []
        for item in list(self.draft.items.values()):
            changed = item
            for field in ("answers", "decisions"):
                if gone.id in getattr(item, field, ()):
                    kept = tuple(name for name in getattr(item, field) if name != gone.id)
                    changed = with_values(changed, {field: kept})
            if isinstance(changed, Step) and gone.id in (*changed.needs, changed.parent, changed.fund):
                if gone.id in changed.needs:
                    needed.append(item.id)
                    more = gone.needs if passing and isinstance(gone, Step) else ()
                    changed = without_needs(changed, {gone.id})
                    changed = replace(changed, needs=tuple(dict.fromkeys((*changed.needs, *more))))
                parent = "" if changed.parent == gone.id else changed.parent
                changed = replace(changed, parent=parent, fund="" if changed.fund == gone.id else changed.fund)
            if changed is not item:
                self.draft.put(changed)
        if needed:
            now = "and needs what it needed" if passing else "and needs it no more"
            self.notes += [f"{name} needed {gone.id}, {now}." for name in needed]

    def _move(self, said: Said) -> None:
        subject, place = said.parts
        after = self.names.items(place.words[0])[0] if place.words else ""
        for name in self._items(subject):
            if name == after:
                raise misread(place.words[0], f"{name} cannot stand behind itself.")
            self.draft.move(name, self.draft.section_of(after or name), after)
            after = name

    def _split(self, said: Said) -> None:
        word = said.words[0]
        step, parts = self.names.item(word), said.parts
        if not isinstance(step, Step):
            raise misread(word, f"{step.id} is no step.")
        effort = step.effort
        shares = [round(days / len(parts), 3) for days in (effort.low, effort.likely, effort.high)] if effort else []
        share = Effort(*shares) if shares else None
        names = [step.id, *(self.draft.new_id(Step) for _ in parts[1:])]
        for name, part, before in zip(names, parts, ("", *names), strict=False):
            title, *length = part.words
            own = length[0].value[0] if length else share
            values: dict[str, Any] = {"title": unquoted(title.text), "effort": own, "deadline": None}
            if name == step.id:
                self.draft.put(replace(step, **values))
                continue
            new = replace(step, id=name, needs=(before,), origin=BY_PERSON, causes=(), **values, **_OF_THE_WHOLE)
            self.draft.add(new, self.draft.section_of(step.id), before)
        self._follow({step.id}, names[-1], but={*names})
        last = self.draft.items[names[-1]]
        if isinstance(last, Step):
            self.draft.put(replace(last, deadline=step.deadline))

    def _follow(self, gone: set[str], instead: str, *, but: set[str]) -> None:
        """Let steps that need some others need one instead."""
        for item in list(self.draft.items.values()):
            if isinstance(item, Step) and item.id not in but and gone & set(item.needs):
                needs = dict.fromkeys(instead if name in gone else name for name in item.needs)
                lags = {lag.step: lag for lag in item.lags if lag.step not in gone}
                for lag in item.lags:
                    if lag.step in gone:
                        lags[instead] = replace(lag, step=instead)
                self.draft.put(replace(item, needs=tuple(needs), lags=tuple(lags.values())))

    def _merge(self, said: Said) -> None:
        *words, title = said.words
        items = [self.draft.items[name] for word in words for name in self.names.items(word)]
        whole = list({item.id: item for item in items}.values())
        all_steps = [item for item in whole if isinstance(item, Step)]
        if len(all_steps) < max(2, len(whole)):
            raise misread(words[0], "Name two steps, or more.")
        kept, *others = all_steps
        gone = {step.id for step in others}
        efforts = [step.effort for step in all_steps if step.effort]
        costs = [step.cost for step in all_steps if step.cost]
        if len({cost.currency for cost in costs}) > 1:
            raise misread(words[0], "Their costs are in different currencies.")
        self._follow(gone, kept.id, but={step.id for step in all_steps})
        joined: dict[str, Any] = {
            field: "; ".join(dict.fromkeys(text for step in all_steps if (text := getattr(step, field))))
            for field in ("outcome", "check", "notes")
        }
        lists: dict[str, Any] = {
            field: tuple(dict.fromkeys(one for step in all_steps for one in getattr(step, field)))
            for field in ("needs", "answers", "tags", "decisions")
        }
        lists["needs"] = tuple(name for name in lists["needs"] if name not in {kept.id, *gone})
        effort = Effort(*(sum(getattr(one, part) for one in efforts) for part in ("low", "likely", "high")))
        cost = replace(costs[0], amount=sum((one.amount for one in costs[1:]), costs[0].amount)) if costs else None
        lags = {lag.step: lag for step in all_steps for lag in step.lags if lag.step in lists["needs"]}
        values: dict[str, Any] = {"effort": effort if efforts else None, "cost": cost, "lags": tuple(lags.values())}
        self.draft.put(replace(kept, title=unquoted(title.text), **values, **joined, **lists))
        for step in others:
            for item in list(self.draft.items.values()):
                if isinstance(item, Step) and item.parent == step.id:
                    self.draft.put(replace(item, parent=kept.id))
            self._forget(step, passing=False)
            self.draft.remove(step.id)

    def _repeat(self, said: Said) -> None:
        subject, rule = said.parts
        for name in self._items(subject):
            step = self.draft.items[name]
            if not isinstance(step, Step):
                raise _misread(subject, f"{name} is no step.")
            self.draft.put(replace(step, repeat=rule_of(rule)))

    # --- calendar and money -------------------------------------------------------------------------------------------

    def _days_off(self, said: Said) -> None:
        words = said.words
        days = tuple(map(as_days, words.pop(0).value)) if words and words[0].type == "PERIOD" else ()
        text = unquoted(words.pop(0).text) if words and words[0].type == "QUOTED" else "Days off"
        who = tuple(self.names.person(word).lstrip("+") for word in words)
        self._put_in(DaysOff(id="", text=text, days=days, again=tuple(map(rule_of, said.parts)), who=who))

    def _holidays(self, said: Said) -> None:
        self.actions.append(AddHolidays(said.words[0].text.upper()))

    def _working_days(self, said: Said) -> None:
        own = [item for item in self.draft.items.values() if isinstance(item, WorkingTime)]
        if own:
            self.draft.put(replace(own[0], weekdays=said.value()))
        else:
            self._put_in(WorkingTime(id="", weekdays=said.value()))

    def _budget(self, said: Said) -> None:
        """Set the largest limit of the plan's money, or put one in."""
        amount, own = said.value(), limits(self.draft.plan())
        if own:
            largest = self.draft.items[max(own, key=lambda limit: limit.most.amount).constraint]
            self.draft.put(with_values(largest, {"amount": amount}))
        else:
            self._put_in(Constraint(id="", text="The budget", limits="amount", amount=amount))

    def _deadline(self, said: Said) -> None:
        """Set the last of the days by which the plan has to be done, or put one in."""
        day = said.words[0].value[1].isoformat()
        own = [item for item in self.draft.items.values() if isinstance(item, Constraint) and item.limits == "date"]
        own.sort(key=lambda item: item.day or "")
        if own:
            self.draft.put(replace(own[-1], day=day, last=None))
        else:
            self._put_in(Constraint(id="", text="Everything is done", limits="date", day=day))

    # --- what is no operation -----------------------------------------------------------------------------------------

    def _answer(self, said: Said) -> None:
        word = said.words[0]
        name, _, text = word.text.partition(":")
        if not text.strip():
            raise misread(word, "An answer is needed behind the colon.")
        question = self.names.item(Word("ITEM", name.strip(), word.start, word.start + len(name)))
        self._put_in(Decision(id="", text=f"{words_of(question)} {text.strip()}"))
        self._forget(question, passing=False)
        self.draft.remove(question.id)

    def _replan(self, _: Said) -> None:
        self.actions.append(Replan())

    def _undo(self, said: Said) -> None:
        self.actions.append(Undo(*(int(word.text.lower().removeprefix("v")) for word in said.words)))

    def _redo(self, _: Said) -> None:
        self.actions.append(Redo())


_PLACES = ("below", "first")
_OF_THE_WHOLE: dict[str, Any] = {
    "lags": (), "on": None, "hours": "", "not_before": None, "start": None, "end": None, "answers": (), "cost": None,
    "status": "todo", "started": None, "finished": None, "left": None, "progress": None, "milestone": False,
    "waiting": None, "waits_working": False, "repeat": None, "notes": "", "outcome": "", "check": "", "duration": None,
}  # fmt: skip
"""Fields of a step that stay with its first part when it is split."""


def _misread(said: Said, why: str) -> Misread:
    return Misread(said.words[0].start, said.words[-1].end, why)
