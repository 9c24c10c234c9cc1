"""A plan while commands change it: its items by id, and the order in which they stand."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

import msgspec
from msgspec.structs import replace

from workbench.domain.errors import PlanUnsound
from workbench.domain.loop.limits import MOST_ITEMS, MOST_STEPS
from workbench.domain.plan.changing.restating import restated
from workbench.domain.plan.markdown.grammar import LETTERS
from workbench.domain.plan.plan import (
    Bullet,
    Constraint,
    Criterion,
    Decision,
    Fund,
    Item,
    Plan,
    Question,
    Risk,
    Row,
    Section,
    Step,
)

_LETTER = {kind: letter for letter, kind in reversed(LETTERS.items())}
_HOMES: Mapping[type[Item], str] = {
    Step: "steps", Risk: "risks", Criterion: "criteria", Constraint: "constraints", Decision: "decisions",
    Question: "questions", Bullet: "notes", Fund: "money", Row: "timetable",
}  # fmt: skip
"""The section that is made if none has such items; people, places and times stand in the calendar."""


class Draft:
    """Items and sections of a plan, changed in place; ``plan`` returns them as a plan."""

    def __init__(self, plan: Plan, taken: Collection[str] = ()) -> None:
        self._before = plan
        self._taken = tuple(taken)
        self._numbers: dict[str, int] = {}
        self.title = plan.title
        self.sections = {section.id: section for section in plan.sections}
        """In their order; their items are those of ``order``."""
        self.order: dict[str, list[str]] = {section.id: [] for section in plan.sections}
        """Ids of the items of each section."""
        self.items: dict[str, Item] = {}
        """By id; of two with one id the first, as operations have it, the other under a key that nobody can name."""
        for section in plan.sections:
            for item in section.items:
                key = item.id if item.id not in self.items else f"{item.id} {len(self.items)}"
                self.items[key] = item
                self.order[section.id].append(key)

    def plan(self) -> Plan:
        """Return the plan as it is now; a section that did not change is the identical object."""
        sections = []
        for name, section in self.sections.items():
            items = tuple(self.items[item] for item in self.order[name])
            sections.append(section if section.items == items else replace(section, items=items))
        return Plan(title=self.title, sections=tuple(sections))

    def put(self, item: Item) -> None:
        """Let an item of the same id be another; its words say its new values."""
        self.items[item.id] = restated(self.items[item.id], item)

    def new_id(self, kind: type[Item]) -> str:
        """Return an id that neither is in the plan nor is spoken of in it, nor is taken."""
        letter = _LETTER[kind]
        if letter not in self._numbers:
            text = msgspec.json.encode((self._before, tuple(self.items), self._taken)).decode()
            self._numbers[letter] = max(map(int, re.findall(rf"\b{letter}(\d{{1,6}})\b", text)), default=0)
        self._numbers[letter] += 1
        return f"{letter}{self._numbers[letter]}"

    def section_of(self, name: str) -> str:
        """Return the section in which an item stands."""
        return next(section for section, names in self.order.items() if name in names)

    def home(self, item: Item, section: str = "") -> str:
        """Return the section for a new item, which is made if there is none."""
        name = _HOMES.get(type(item), "calendar")
        alike = (one for one, names in self.order.items() for other in names if type(self.items[other]) is type(item))
        found = section or (name if name == "notes" and name in self.order else next(alike, name))
        if found not in self.order:
            from workbench.domain.loop.answers.item_changes import SECTIONS  # few commands make a section

            self.place_section(Section(id=found, title=SECTIONS[found]), None)
        return found

    def add(self, item: Item, section: str, after: str | None) -> None:
        """Put a new item after another of a section; "" for the top, None for the end. Raises PlanUnsound."""
        steps = sum(isinstance(one, Step) for one in self.items.values())
        if len(self.items) >= MOST_ITEMS or (isinstance(item, Step) and steps >= MOST_STEPS):
            raise PlanUnsound(f"A plan has at most {MOST_ITEMS} items, {MOST_STEPS} of them steps.", "Take some out.")
        if item.id in self.items:
            raise PlanUnsound(f"The id {item.id} is taken.", "Leave the id out, and it gets a new one.")
        self.items[item.id] = item
        self._insert(item.id, section, after)

    def place_section(self, section: Section, after: str | None) -> None:
        """Put a section, new or not, after another; "" for the top, None for the end."""
        names = [name for name in self.sections if name != section.id]
        names.insert(len(names) if after is None else names.index(after) + 1 if after else 0, section.id)
        self.sections[section.id] = section
        self.order.setdefault(section.id, [])
        self.sections = {name: self.sections[name] for name in names}

    def remove_section(self, name: str) -> None:
        """Take a section out, whose items are gone."""
        del self.sections[name], self.order[name]

    def remove(self, name: str) -> None:
        """Take an item out."""
        self.order[self.section_of(name)].remove(name)
        del self.items[name]

    def move(self, name: str, section: str, after: str) -> None:
        """Put an item after another of a section; "" for its top."""
        self.order[self.section_of(name)].remove(name)
        self._insert(name, section, after)

    def _insert(self, name: str, section: str, after: str | None) -> None:
        names = self.order[section]
        names.insert(len(names) if after is None else names.index(after) + 1 if after else 0, name)
