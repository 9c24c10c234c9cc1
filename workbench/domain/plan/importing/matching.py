"""An imported plan brought into a plan that is there: the same items are found again, and nothing is taken away.

    imported items ─▶ the same id (where the source gives ids) ─▶ the same id of the source, kept as a tag ─▶ the same
    words ─▶ else new, after the item it follows in the file

A file says what it says: a field that it does not name stays as it is, what is done stays done, and an item that it
does not hold is kept. Where it is known what the file said before, only what it says otherwise than then is news. What
is not taken is told.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import fields, replace

from workbench.domain.plan.importing.assembly import ABOUT_CHART, COLUMNS, NOT_PLACED
from workbench.domain.plan.importing.imported import Imported
from workbench.domain.plan.importing.words import bare
from workbench.domain.plan.markdown.grammar import LETTERS, NUMBERED
from workbench.domain.plan.plan import Item, Origin, Plan, Section, Step
from workbench.domain.text.patterns import lazy_pattern

_STAYS = frozenset({"id", "origin"})
"""Fields that no import changes."""
_EMPTY = ((), "", None)
_TOLD = ("owner", "effort", "needs", "deadline", "cost", "outcome", "check", "priority")
"""Fields whose removal is reported if a file leaves them empty."""
_DAY = lazy_pattern(r"\d{4}-\d\d-\d\d")
"""A note that is only a day: how a format writes one that is read as a field."""
_DATES = (("start", "not_before"), ("start", "on"), ("end", "deadline"))
"""Dates of a step, and the fields in which a format without them has them."""


def brought_in(base: Plan, imported: Imported, *, source: str, written: Imported | None = None) -> Plan:
    """Return a plan with what a file says, as ``Merge`` does."""
    return Merge(base, imported, source, written).plan()


class Merge:
    """A plan that is there, and what a file says."""

    def __init__(
        self, base: Plan, imported: Imported, source: str, written: Imported | None, *, is_export: bool = True
    ) -> None:
        """``source``: the file's name, for items that are new; ``written``: what the file said before, None if unknown.

        ``is_export``: whether it said so when it was written from the plan, so that what is empty now was emptied.
        """
        self._base = base
        self._is_export = is_export
        self.imported = imported
        self._source = source
        self._written = Merge(base, written, source, None) if written is not None else None
        self._is_own = imported.format == "workbench"
        self._known = {item.id: item for item in base.items}
        self.matches = self._match_items()
        """Ids in the plan that is there, by those of the imported plan."""
        self._names = self._ids_in_plan()
        self._was = {name: item for item, name in self._written.pairs()} if self._written else {}
        """Items as the file had them when it was written, by their ids in the plan that is there."""

    def plan(self) -> Plan:
        """Return the plan with everything that the file says."""
        sections = {section.id: section for section in self._base.sections}
        updated = {name: self._update_item(self._known[name], item) for item, name in self.pairs()}
        for name, section in sections.items():
            items = tuple(updated.get(item.id, item) for item in section.items)
            sections[name] = section if items == section.items else replace(section, items=items)
        previous = ""
        for section in self.imported.plan.sections:
            self._bring(sections, section, previous)
            previous = section.id
        return replace(self._base, sections=tuple(sections.values()))

    def dated(self) -> set[str]:
        """Return the ids of the steps to which the file gives dates."""
        steps = ((item, name) for item, name in self.pairs() if isinstance(item, Step))
        return {name for step, name in steps if step.start or step.end}

    def missing(self, now: Plan) -> list[str]:
        """Return the steps of a plan that the file had before, and has not any more; all, where it held the plan."""
        had = {step.id for step in self._base.steps}
        if self._written is not None:
            had &= set(self._written.matches.values())
        return [step.id for step in now.steps if step.id in had - set(self.matches.values())]

    def not_taken(self, now: Plan) -> Iterator[str]:
        """Yield in words what a file of others says otherwise than the plan, and what it does not say any more."""
        steps = {step.id: step for step in now.steps}
        items = {name: item for item, name in self.pairs() if isinstance(item, Step) and name in steps}
        if undone := [name for name, item in items.items() if steps[name].status == "done" != item.status]:
            origins = ((name, items[name].origin or Origin("file", "")) for name in undone)
            places = ", ".join(f"{name} ({origin.source})" for name, origin in origins)
            yield f"Open in the file, and stays done: {places}."
        for name, item in items.items():
            was = self._was.get(name)
            empty = [one for one in _TOLD if getattr(was, one, None) and not getattr(item, one)]
            if stays := [one for one in empty if getattr(steps[name], one)]:
                yield f"Empty in the file, and stays: {', '.join(stays)} of {name}."

    # --- the same items -----------------------------------------------------------------------------------------------

    def _match_items(self) -> dict[str, str]:
        found: dict[str, str] = {}
        used: set[str] = set()
        ways = (self._by_id, self._by_source_id, self._by_words)
        for way in ways:
            for item, candidates in way():
                name = next((candidate for candidate in candidates if candidate not in used), "")
                if item.id not in found and name and type(self._known[name]) is type(item):
                    found[item.id] = name
                    used.add(name)
        return found

    def _by_id(self) -> Iterator[tuple[Item, Iterable[str]]]:
        for item in self.imported.plan.items:
            if item.id in self.imported.given_ids and item.id in self._known:
                yield item, [item.id]

    def _by_source_id(self) -> Iterator[tuple[Item, Iterable[str]]]:
        tagged: dict[str, list[str]] = defaultdict(list)
        for step in self._base.steps:
            for tag in step.tags[:1]:  # the first tag of an imported step is what its source calls it
                tagged[tag].append(step.id)
        for step in self.imported.plan.steps:
            first = step.tags[0] if step.tags else ""
            alike = [name for name in tagged.get(first, ()) if _is_alike(_text(self._known[name]), step.title)]
            yield step, alike

    def _by_words(self) -> Iterator[tuple[Item, Iterable[str]]]:
        named: dict[tuple[type[Item], str], list[str]] = defaultdict(list)
        for item in self._base.items:
            named[type(item), bare(_text(item))].append(item.id)
        for item in self.imported.plan.items:
            yield item, named.get((type(item), bare(_text(item))), ())

    def pairs(self) -> Iterator[tuple[Item, str]]:
        """Yield the items of the file that the plan has, each with its id there."""
        return ((item, self.matches[item.id]) for item in self.imported.plan.items if item.id in self.matches)

    def _ids_in_plan(self) -> dict[str, str]:
        """Return what each imported item is called in the plan that is there: new ones get free ids."""
        highest: dict[str, int] = defaultdict(int)
        for item in (*self._base.items, *self.imported.plan.items):
            if (numbered := NUMBERED.fullmatch(item.id)) is not None and (item.id in self._known or self._is_own):
                highest[numbered[1]] = max(highest[numbered[1]], int(numbered[2]))
        names = dict(self.matches)
        taken = set(self._known)
        letters = {kind: letter for letter, kind in LETTERS.items()}
        for item in self.imported.plan.items:
            if item.id in names:
                continue
            name = item.id
            if name in taken or item.id not in self.imported.given_ids:
                letter = letters[type(item)]
                highest[letter] += 1
                name = f"{letter}{highest[letter]}"
            names[item.id] = name
            taken.add(name)
        return names

    # --- what the file says of them -----------------------------------------------------------------------------------

    def _update_item(self, old: Item, new: Item) -> Item:
        """Return an item with the fields that the file says."""
        was = self._was.get(old.id)
        says: dict[str, Any] = {}
        for field in fields(type(new)):
            value = getattr(new, field.name)
            is_said = self._is_own or value not in (field.default, *_EMPTY)
            if was is not None:
                is_said = value != getattr(was, field.name) and (self._is_export or value not in _EMPTY)
            elif not self._is_own and field.name in ("start", "end"):
                is_said = False  # what others take for it is not what was planned here
            if field.name not in _STAYS and is_said:
                says[field.name] = value
        if isinstance(old, Step) and isinstance(new, Step):
            says |= self._of_step(old, new, says)
        changed = {name: value for name, value in says.items() if self._is_news(old, name, value)}
        return replace(old, **changed) if changed else old

    def _is_news(self, old: Item, name: str, value: Any) -> bool:
        """Tell whether a value says another thing than what is there; a text in other signs does not."""
        known = getattr(old, name)
        if known == value:
            return False
        if isinstance(known, str) and isinstance(value, str) and known and value and not (self._is_own or self._was):
            return bare(known) != bare(value)
        return True

    def _of_step(self, old: Step, new: Step, says: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of a step that are more than copied: names of steps, its status, tags, notes, dates."""
        changed: dict[str, Any] = {}
        was = self._was.get(old.id)
        if "needs" in says:
            needs = self.renamed(new.needs)
            is_same = set(needs) == set(old.needs)
            if self._written is not None and isinstance(was, Step):
                is_same = is_same or set(needs) == set(self._written.renamed(was.needs))
            changed["needs"] = old.needs if is_same else needs
        if "lags" in says:
            changed["lags"] = tuple(replace(lag, step=self._names.get(lag.step, lag.step)) for lag in new.lags)
        if "parent" in says:
            changed["parent"] = self._names.get(new.parent, new.parent)
        if old.status == "done" or new.status == "todo":
            changed["status"] = old.status
        if isinstance(was, Step):
            if "owner" in says:  # who else does it is said with it
                changed["also"] = new.also
            changed["tags"] = _edited(old.tags, was.tags, new.tags)
            lines = [line for line in _notes(new) if not _DAY.fullmatch(line)]
            is_whole = old.notes == was.notes  # whose lines may come twice, as those of code do
            edited = "\n".join(lines if is_whole else _edited(_notes(old), _notes(was), lines))
            changed["notes"] = old.notes if new.notes == was.notes else edited
            for name, field in _DATES:
                if field in says and getattr(was, field) == getattr(old, name) != getattr(old, field):
                    is_whole = name == "end" and old.start == old.end and "start" not in {**says, **changed}
                    both = {"start": says[field]} if is_whole else {}  # all of a single day
                    changed |= {name: says[field], field: getattr(old, field), **both}
            moved = {**says, **changed}
            for field in ("on", "not_before"):  # what was set for the day from which it moves, moves with it
                if moved.get("start") and getattr(old, field) == old.start == moved.get(field, old.start):
                    changed[field] = moved["start"]
            for name, as_it_happened in (("start", "started"), ("end", "finished")):
                if name in {**says, **changed} and getattr(old, as_it_happened):
                    changed |= {as_it_happened: {**says, **changed}[name], name: getattr(old, name)}
            if "duration" in says and self.imported.format in ("mermaid", "icalendar"):
                changed["duration"] = old.duration  # it follows from the days
        elif not self._is_own:
            changed["tags"] = tuple(dict.fromkeys((*old.tags, *new.tags)))
            changed["notes"] = _merge_lines(old.notes, new.notes)
        return changed

    def renamed(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return what steps of the file are called in the plan."""
        return tuple(dict.fromkeys(self._names.get(name, name) for name in names))

    def _new(self, item: Item) -> Item:
        item = replace(item, id=self._names[item.id])
        if isinstance(item, Step):
            lags = tuple(replace(lag, step=self._names.get(lag.step, lag.step)) for lag in item.lags)
            item = replace(item, needs=self.renamed(item.needs), lags=lags)
            item = replace(item, parent=self._names.get(item.parent, item.parent))
        return item if item.origin else replace(item, origin=Origin("file", self._source))

    # --- sections -----------------------------------------------------------------------------------------------------

    def _bring(self, sections: dict[str, Section], section: Section, previous: str) -> None:
        """Put a section of the file in: new items after those they follow, its text after the text that is there."""
        if section.id == ABOUT_CHART:
            return
        section = self._without_written(section)
        if self._written and not section.text and all(item.id in self.matches for item in section.items):
            return
        known = sections.get(self._home(section))
        new = [item for item in section.items if item.id not in self.matches]
        if known is None:
            items = tuple(self._new(item) for item in new)
            if items or section.text:
                _insert(sections, replace(section, items=items), previous)
            return
        is_replaced = self._is_own or (not self._written and known.title == section.title == NOT_PLACED.title)
        more = "\n".join(line for line in _with_heading(section, known).split("\n") if not line.startswith(COLUMNS))
        text = section.text if is_replaced else _merge_lines(known.text, more)
        title = section.title if self._is_own else known.title
        items = self._with_new(known.items, section.items)
        if (text, title, items) != (known.text, known.title, known.items):
            sections[known.id] = replace(known, text=text, title=title, items=items)

    def _without_written(self, section: Section) -> Section:
        """Return a section without the lines and the items that the file had when it was written from the plan."""
        if self._written is None:
            return section
        was = self._written.imported.plan
        there = {line.strip() for one in was.sections for line in one.text.split("\n")}
        texts = {(type(item), _text(item)) for item in was.items if item.id not in self._written.matches}
        text = "\n".join(line for line in section.text.split("\n") if line.strip() not in there)
        items = (one for one in section.items if one.id in self.matches or (type(one), _text(one)) not in texts)
        return replace(section, text=text.strip("\n"), items=tuple(items))

    def _home(self, section: Section) -> str:
        """Return the section of the plan that is there for one of the file: the same, or that of its steps."""
        if self._base.section(section.id) is not None:
            return section.id
        there = {step.id: one.id for one in self._base.sections for step in one.items if isinstance(step, Step)}
        names = (self.matches.get(item.id, "") for item in section.items)
        return next((there[name] for name in names if name in there), section.id)

    def _with_new(self, known: tuple[Item, ...], imported: tuple[Item, ...]) -> tuple[Item, ...]:
        following: dict[str, list[Item]] = defaultdict(list)
        names = {item.id for item in known}
        before = known[-1].id if known and not any(self.matches.get(item.id) in names for item in imported) else ""
        for item in imported:
            if item.id not in self.matches:
                following[before].append(self._new(item))
            elif self.matches[item.id] in names:
                before = self.matches[item.id]
        merged = [*following[""]]
        for item in known:
            merged += [item, *following[item.id]]
        return tuple(merged)


def _text(item: Item) -> str:
    return item.title if isinstance(item, Step) else item.text


def _with_heading(section: Section, known: Section) -> str:
    """Return a section's text below its title, where the section that is there is called otherwise."""
    if bare(section.title) == bare(known.title):
        return section.text
    return f"### {section.title}\n{section.text}".rstrip()


def _is_alike(one: str, other: str) -> bool:
    """Tell whether two titles share half of their words, as those of one task that was reworded do."""
    first, second = set(bare(one).split()), set(bare(other).split())
    return 2 * len(first & second) >= min(len(first), len(second))


def _notes(step: Step) -> list[str]:
    return step.notes.split("\n") if step.notes else []


def _edited(old: Sequence[str], was: Sequence[str], new: Sequence[str]) -> tuple[str, ...]:
    """Return entries without those that an edit took out, and with those that it put in."""
    kept = (one for one in old if one in new or one not in was)
    return tuple(dict.fromkeys((*kept, *(one for one in new if one not in was))))


def _merge_lines(old: str, new: str) -> str:
    """Return a text with those lines of another that it does not have."""
    there = {line.strip() for line in old.split("\n")}
    more = [line for line in new.split("\n") if line.strip() and line.strip() not in there]
    return "\n".join([*([old] if old else []), *more])


def _insert(sections: dict[str, Section], section: Section, previous: str) -> None:
    """Put a new section after the one that it follows in the file; at the end if that is not there."""
    names = list(sections)
    at = names.index(previous) + 1 if previous in sections else len(names)
    behind = {name: sections.pop(name) for name in names[at:]}
    sections[section.id] = section
    sections |= behind
