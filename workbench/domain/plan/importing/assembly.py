"""A plan as it is put together from what was read: steps, items and prose, each with the lines it comes from.

readers ─▶ step() · item() · prose() · keep() ─▶ build(lines) ─▶ Imported
                                                   ids · needs · limits · words that got lost
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from workbench.domain.errors import UsageError
from workbench.domain.log.ids import section_id
from workbench.domain.loop.limits import MOST_ITEMS, MOST_LINKS, MOST_NEEDS, MOST_STEPS
from workbench.domain.plan.importing.drafts import References, StepDraft, parts_of_list
from workbench.domain.plan.importing.imported import FULL, Fate, FateKind, Format, Imported, NotPlaced
from workbench.domain.plan.importing.lines.headings import TITLES
from workbench.domain.plan.importing.words import bare, lines_with_lost_words, words
from workbench.domain.plan.markdown.fields import written
from workbench.domain.plan.markdown.grammar import LETTERS
from workbench.domain.plan.plan import Bullet, Item, Origin, Person, Plan, Section, Step
from workbench.domain.text.patterns import lazy_pattern

NOT_PLACED = Section(id="notes", title="Not placed")
"""Where lines stand for which the plan has no place."""
ABOUT_CHART = "about-this-chart"
"""Section of the lines that say how a chart is drawn."""
_TITLES = {
    **TITLES, "steps": "Steps", "calendar": "Calendar", "introduction": "Introduction", ABOUT_CHART: "About this chart",
    "about-this-file": "About this file",
}  # fmt: skip
"""What sections are called if the file does not say."""
COLUMNS = "Columns: "
"""Beginning of the line that says which columns a table had."""
_LONGEST_TITLE = 200
_MOST_OF_A_FIELD = 10_000
"""Characters; what is longer goes to the text of the section."""
_MOST_OF_A_TEXT = 45_000
"""Characters of a section's text; a longer one continues in a section after it."""
_MOST_SECTIONS = 90
"""Sections that a file's own headings can make; further ones go into the last."""


class ItemDraft(Struct, eq=False):
    """Another item as it is read."""

    line: int
    kind: type[Item]
    values: dict[str, Any]
    id: str = ""


class SectionDraft(Struct, eq=False):
    """A section as it is read."""

    id: str
    title: str
    prose: list[str] = field(default_factory=list)
    items: list[StepDraft | ItemDraft] = field(default_factory=list)
    is_heading: bool = False
    """Whether its title is a line of the source, so that it stands also if nothing is below it."""


class Assembly:
    """Puts a plan together."""

    def __init__(self, lines: Sequence[str], name: str, known: Iterable[Step] = (), *, most: int | None = None) -> None:
        """``lines`` of the source; ``name`` of its file, "" for none; ``known`` steps of the plan it is read for.

        ``most``: how many of the lines are looked at; those after them are kept.
        """
        self.lines = lines[:most]
        """Those that a reader looks at."""
        self._all_lines = lines
        self.title = ""
        self.steps: list[StepDraft] = []
        self._name = name
        self.known = {step.id: step for step in known}
        self._sections: dict[str, SectionDraft] = {}
        self._fates: dict[int, tuple[FateKind, StepDraft | ItemDraft | SectionDraft | None]] = {}
        self._guesses: dict[str, None] = {}
        self._not_placed: list[NotPlaced] = []
        self._said: dict[int, str] = {}
        self._leaves: Sequence[tuple[int, str]] | None = None
        self._items = 0
        self._named: dict[str, StepDraft] = {}
        for number in range(len(self.lines), len(lines)):
            if lines[number].strip():
                self.keep(number, "only the beginning of so long a file is read")

    # --- what readers say ---------------------------------------------------------------------------------------------

    def section(self, section_id: str, title: str = "") -> SectionDraft:
        """Return a section, which is begun if it is new; ``title`` if the file says what it is called."""
        if section_id not in self._sections:
            if len(self._sections) >= _MOST_SECTIONS and section_id != "steps":
                return next(reversed(self._sections.values()))
            self._sections[section_id] = SectionDraft(section_id, title or _TITLES[section_id])
        return self._sections[section_id]

    def own_section(self, title: str) -> SectionDraft:
        """Return the section of a heading that is not one of ours."""
        name = section_id(title) or "section"
        name = f"{name[:37]}-s" if name in (NOT_PLACED.id, "steps") else name
        names = (name, *(f"{name[:36]}-{number}" for number in range(2, _MOST_SECTIONS + 2)))
        known = ((one, self._sections.get(one)) for one in names)
        return self.section(next(one for one, there in known if there is None or there.title == title), title)

    def has_section(self, section_id: str) -> bool:
        """Tell whether a section was begun."""
        return section_id in self._sections

    @property
    def is_full(self) -> bool:
        """Whether it holds as many steps as it can."""
        return len(self.steps) >= MOST_STEPS or self._items >= MOST_ITEMS

    def name_columns(self, section: SectionDraft, line: int, heads: Sequence[str]) -> None:
        """Say in the text of a section which columns the table had that its items come from."""
        named = " · ".join(head for head in heads if head.strip())
        if section.prose and section.prose[-1]:
            section.prose.append("")
        section.prose.append(f"{COLUMNS}{named}")
        self.fate(line, "heading")

    def step(self, draft: StepDraft | None, lines: Iterable[int] = ()) -> StepDraft | None:
        """Add a step, to which these lines belong; None if the plan has as many as it can hold: its line is kept."""
        if draft is None:
            return None
        if self.is_full:
            self.keep(draft.line, FULL)
            return None
        self._items += 1
        self._shortened(draft)
        self.steps.append(draft)
        self.section("steps").items.append(draft)
        self.fate(draft.line, "step", draft)
        self.fates(lines, "field", draft)
        return draft

    def item(self, section: SectionDraft, kind: type[Item], line: int, **values: Any) -> ItemDraft | None:
        """Add another item; None if there are too many, or where its text is too long: its line is prose then."""
        if self._items >= MOST_ITEMS or any(len(str(value)) > _MOST_OF_A_FIELD for value in values.values()):
            self.prose(section, line, line + 1)
            return None
        self._items += 1
        draft = ItemDraft(line, kind, values)
        section.items.append(draft)
        self.fate(line, "item", draft)
        return draft

    def prose(self, section: SectionDraft, first: int, last: int) -> None:
        """Add lines as they are to the text of a section."""
        if section.prose and section.prose[-1] and first > 0 and not self.lines[first - 1].strip():
            section.prose.append("")
        for number in range(first, last):
            section.prose.append(self.lines[number].rstrip())
            self.fate(number, "prose", section)

    def text(self, section: SectionDraft, text: str, lines: Sequence[int]) -> None:
        """Add a part of lines to the text of a section."""
        section.prose.append(text)
        self.fates(lines, "prose", section)

    def fate(self, line: int, kind: FateKind, of: StepDraft | ItemDraft | SectionDraft | None = None) -> None:
        """Say what a line became; the first to say so is right."""
        self._fates.setdefault(line, (kind, of))

    def fates(
        self, lines: Iterable[int], kind: FateKind, of: StepDraft | ItemDraft | SectionDraft | None = None
    ) -> None:
        """Say what lines became, as far as nobody has said it of them."""
        for line in lines:
            self.fate(line, kind, of)

    def says(self, line: int, text: str) -> None:
        """Say which words of a line have to be in the plan, if these are not all of it."""
        self._said[line] = text

    def says_all(self, leaves: Sequence[tuple[int, str]]) -> None:
        """Say which texts have to be in the plan, each with its line, instead of the lines themselves."""
        self._leaves = leaves

    def keep(self, line: int, why: str, text: str = "") -> None:
        """Put a line, or a part of it, among what has no place."""
        if not text:
            if self._fates.get(line, ("", None))[0] == "not-placed":
                return
            self._fates[line] = ("not-placed", None)
        self._not_placed.append(NotPlaced(line=line + 1, text=text or self._all_lines[line].strip(), why=why))

    def guess(self, text: str) -> None:
        """Note what was read as what without certainty."""
        self._guesses[text] = None

    def _shortened(self, draft: StepDraft) -> None:
        """Let a title that is too long go on in the notes."""
        if len(draft.title) > _LONGEST_TITLE:
            end = draft.title.rfind(" ", 80, _LONGEST_TITLE - 1)
            end = end if end > 0 else _LONGEST_TITLE - 1
            draft.notes.insert(0, f"… {draft.title[end:].strip()}")
            draft.title = f"{draft.title[:end]} …"

    # --- the plan -----------------------------------------------------------------------------------------------------

    def build(self, how: Format) -> Imported:
        """Return what was read, as a plan in which no word is missing."""
        self.lines = self._all_lines
        self._unmark()
        self._name_owners()
        self._part_owners()
        for step in self.steps:
            for guess in step.guesses:
                self.guess(guess)
            for line, text, why in step.unread:
                self.keep(line, why, text)
        self._refuse_too_many_links()
        self._end_parts()
        self._name_items()
        self._named = self._by_names()
        self._resolve_needs()
        sections = [built for draft in self._sections.values() for built in self._section(draft)]
        plan = Plan(title=self.title, sections=tuple(sections))
        self._keep_lost_words(plan)
        plan = replace(plan, sections=(*plan.sections, *self._kept_lines()))
        return Imported(
            plan=plan,
            format=how,
            lines=tuple(self._fate(number) for number in range(len(self.lines))),
            guesses=tuple(self._guesses),
            not_placed=tuple(sorted(self._not_placed, key=lambda one: one.line)),
            given_ids=frozenset(step.id for step in self.steps if step.id in step.ids),
            source_ids={step.id: step.ids[0] for step in self.steps if step.ids and step.id not in step.ids},
        )

    def _keep_lost_words(self, plan: Plan) -> None:
        """Keep the lines, or the texts, of which a word is in nothing that they became."""
        is_by_line = self._leaves is None
        texts = self._leaves
        if texts is None:
            texts = [(at, self._said.get(at, without_marks(line))) for at, line in enumerate(self.lines)]
        kept: dict[int, list[str]] = defaultdict(list)
        for one in self._not_placed:
            kept[one.line - 1].append(one.text)
        places: dict[StepDraft | None, list[int]] = defaultdict(list)
        for at, (line, _) in enumerate(texts):
            kind, of = self._fates.get(line, ("", None))
            step = of if is_by_line and kind in ("step", "field") and isinstance(of, StepDraft) else None
            if not is_by_line or self.lines[line].strip() not in kept[line]:
                places[step].append(at)
        said = {item.id: said_of(item) for item in plan.items}
        parts: dict[StepDraft, list[StepDraft]] = defaultdict(list)
        for step in self.steps:
            if step.parent is not None:
                parts[step.parent].append(step)
        lost: set[int] = set()
        for step, group in places.items():
            of_step = self.steps if step is None else [step, *parts[step]]
            own = [said.get(one.id, "") for one in of_step]
            if step is None:
                own = [text_of(plan, said | {one.id: one.workstream for one in self.steps if is_by_line})]
            own += [text for one in of_step if step or not is_by_line for text in one.read]
            own += [text for line in {texts[at][0] for at in group} for text in kept[line]]
            lost |= {group[at] for at in lines_with_lost_words([texts[at][1] for at in group], "\n".join(own))}
        for at, (line, text) in enumerate(texts):
            is_new = is_by_line and line not in self._fates and bool(words(text))
            if is_new:
                self.keep(line, "it has no place")
            elif at in lost:
                whole = self.lines[line].strip() if is_by_line else text
                self.keep(line, "not all of its words have a place", whole)

    def _unmark(self) -> None:
        """Let a title begin with what may be an id and is none: nothing is called so, and others have no such ids.

        "V2: Publish" where few have ids; "UTF-8 everywhere" if no other begins alike.
        """
        marked = [step for step in self.steps if step.mark]
        alike = Counter(map(_series, {step.ids[0] for step in marked}))
        are_few = 2 * sum(1 for step in marked if _is_apart(step)) < len(self.steps)
        texts = [text for step in self.steps for text in (*(need for _, need in step.needs), *step.blocks, step.whole)]
        apart = [step for step in self.steps if not step.mark or _is_apart(step)]
        wholes = {bare(f"{step.mark}{step.title}") for step in apart}  # who names all of a title names no id
        named = set(words(" ".join(text for text in texts if bare(text) not in wholes))) if marked else set()
        for step in marked:
            is_odd = are_few if _is_apart(step) else alike[_series(step.ids[0])] < 2
            if is_odd and step.ids[0] not in self.known and not named.issuperset(words(step.ids[0])):
                step.unmark()

    def _name_owners(self) -> None:
        """Let names in brackets be owners: those that own other steps; all, if nobody owns one and most have one."""
        people = (one.values["text"] for section in self._sections.values() for one in section.items if _is_person(one))
        known = {step.values["owner"] for step in self.steps if "owner" in step.values} | set(people)
        free = [step for step in self.steps if "owner" not in step.values]
        named = [step for step in free if step.maybe_owner]
        are_all = not known and len(named) > 1 and 2 * len(named) >= len(free)
        for step in named:
            shorter = step.title.removesuffix(f"({step.maybe_owner})").removesuffix(f"[{step.maybe_owner}]").rstrip()
            if shorter and shorter != step.title and (are_all or step.maybe_owner in known):
                step.title, step.values["owner"] = shorter, step.maybe_owner
                self.guess("a name in brackets read as owner")

    def _part_owners(self) -> None:
        """Let owners such as "Ben / Anna" be two people, if one of them owns something else or it is usual here."""
        owners = Counter(step.values["owner"] for step in self.steps if "owner" in step.values)
        slashed = [step for step in self.steps if " / " in step.values.get("owner", "")]
        for step in slashed:
            owner, *also = parts = step.values["owner"].split(" / ")
            if len(slashed) > 1 or any(part in owners for part in parts):
                step.values |= {"owner": owner, "also": (*also, *step.values.get("also", ()))}
            is_parted = "also" in step.values
            self.guess(f"owners as “{' / '.join(parts)}” read as {'several people' if is_parted else 'one'}")

    def _end_parts(self) -> None:
        """Let parts that say no state be done, or dropped, with what they are a part of."""
        named = self._by_names()
        for step in self.steps:
            above = step.parent or named.get(step.whole)
            state = above.values.get("status") if above is not None else None
            if state in ("done", "dropped") and "status" not in step.values:
                step.values["status"] = state
                self.guess(f"parts without a state of a step that is {state} are {state}, too")

    def _name_items(self) -> None:
        """Give each item an id: a step keeps the one in the file, and no new id is one of the file or of the plan."""
        given = {name for step in self.steps for name in step.ids if _is_step_id(name)}
        given |= set(self.known) if given else set()
        counts = {letter: count(1) for letter in LETTERS}
        letters = {kind: letter for letter, kind in LETTERS.items()}
        used: set[str] = set()
        for section in self._sections.values():
            for draft in section.items:
                kind = Step if isinstance(draft, StepDraft) else draft.kind
                own = (
                    next((name for name in draft.ids if _is_step_id(name)), "") if isinstance(draft, StepDraft) else ""
                )
                if own and own not in used:
                    draft.id = own
                else:
                    names = (f"{letters[kind]}{number}" for number in counts[letters[kind]])
                    draft.id = next(name for name in names if name not in given)
                used.add(draft.id)

    def _refuse_too_many_links(self) -> None:
        """Refuse more owners and needs than a plan may have, before any is looked up. Raises UsageError."""
        needs = sum(min(sum(parts_of_list(text) for _, text in step.needs), MOST_NEEDS) for step in self.steps)
        owners = sum(1 + len(step.values.get("also", ())) for step in self.steps if "owner" in step.values)
        if (count := needs + owners) > MOST_LINKS:
            why = f"The file has {count:,} owners and needs of steps; {MOST_LINKS:,} are the most."
            raise UsageError(why, "Name a team in place of its people, and only the last step that each needs.")

    def _resolve_needs(self) -> None:
        known = References(self.steps)
        for name, steps in known.doubled:
            lines = ", ".join(str(step.line + 1) for step in steps)
            self.guess(f"the id “{name}” occurs more than once, in lines {lines}: what needs it needs all of them")
        for step in self.steps:
            needed: dict[str, None] = {step.after.id: None} if step.after is not None else {}
            for number, (line, text) in enumerate(step.needs):
                found, unknown, left = known.find_all(text, step, MOST_NEEDS - len(needed))
                needed |= {one.id: None for one in found}
                left += max(0, len(needed) - MOST_NEEDS)
                if not found and not unknown and not left:
                    self.keep(line, f"{step.id} cannot need itself, or a part of it", text)
                for part in unknown:
                    if part in self.known:  # a step that the plan has and the file has not
                        needed[part] = None
                    else:
                        self.keep(line, f"{step.id} needs it, and no step is called so", part)
                if left:
                    more = f"{left + len(step.needs) - number - 1:,} more"
                    self.keep(line, f"{step.id} needs more than {MOST_NEEDS:,} steps, which are the most", more)
                    break
            step.values["needs"] = tuple(needed)[:MOST_NEEDS]
            if step.lags:
                named = ((lag, one) for lag in step.lags for one in known.find_all(lag.step, step)[0])
                step.values["lags"] = tuple(replace(lag, step=one.id) for lag, one in named)
        for step in self.steps:
            for text in step.blocks:
                for later in known.find_all(text, step)[0]:
                    later.values["needs"] = tuple(dict.fromkeys((*later.values["needs"], step.id)))[:MOST_NEEDS]

    def _section(self, draft: SectionDraft) -> Iterator[Section]:
        items = tuple(self._step(item) if isinstance(item, StepDraft) else self._item(item) for item in draft.items)
        texts = list(_in_portions("\n".join(draft.prose).strip("\n")))
        if items or texts or draft.is_heading:
            yield Section(id=draft.id, title=draft.title, text=next(iter(texts), ""), items=items)
        for number, text in enumerate(texts[1:], start=2):
            yield Section(id=f"{draft.id[:34]}-{number}", title=f"{draft.title} ({number})", text=text)

    def _step(self, draft: StepDraft) -> Step:
        names = [name for name in draft.ids if " " not in name and name != draft.id]
        tags = [tag for name in (*names, *draft.tags) if (tag := re.sub(r"[\s,]+", "-", name.strip()))]
        values = dict(draft.values)
        if draft.parent is not None:
            values["parent"] = draft.parent.id
        elif (above := self._named.get(draft.whole)) is not None and above is not draft:
            values["parent"] = above.top.id
        step = Step(
            id=draft.id,
            title=draft.title,
            workstream=draft.workstream,
            tags=tuple(dict.fromkeys(tags)),
            origin=self._origin(draft.line),
            **values,
        )
        text = "\n".join(draft.notes).strip("\n")
        if len(text) > _MOST_OF_A_FIELD:
            end = max(text.rfind("\n", 0, _MOST_OF_A_FIELD), 0) or _MOST_OF_A_FIELD
            self.keep(draft.line, f"the notes of {draft.id} are too long", text[end:].strip("\n"))
            text = text[:end]
        return replace(step, notes=text)

    def _by_names(self) -> dict[str, StepDraft]:
        """Return the steps by all that they are called; the first of a name is meant."""
        found: dict[str, StepDraft] = {}
        for step in self.steps:
            for name in filter(None, (step.id, *step.ids)):
                found.setdefault(name, step)
        return found

    def _item(self, draft: ItemDraft) -> Item:
        kind: Any = draft.kind
        item: Item = kind(id=draft.id, origin=self._origin(draft.line), **draft.values)
        return item

    def _origin(self, line: int) -> Origin:
        return Origin("file", f"{self._name}:{line + 1}" if self._name else f"line {line + 1}")

    def _kept_lines(self) -> Iterator[Section]:
        lines = [f"- Line {one.line}: {one.text}" for one in sorted(self._not_placed, key=lambda one: one.line)]
        for number, text in enumerate(_in_portions("\n".join(lines)), start=1):
            behind = "" if number == 1 else f"-{number}"
            yield Section(
                id=f"{NOT_PLACED.id}{behind}", title=f"{NOT_PLACED.title}{behind.replace('-', ' ')}", text=text
            )

    def _fate(self, number: int) -> Fate:
        if not self.lines[number].strip():
            return Fate(line=number + 1, kind="blank")
        kind, of = self._fates.get(number, ("structure", None))
        return Fate(line=number + 1, kind=kind, of=of.id if of is not None else "")


_MARKS = lazy_pattern(r"^[\s>|]*(?:(?:[-*+•·–—]|\(?(?:\d{1,9}|[a-zA-Z])[.)])\s+)?(?:\[[ xX]\]\s+)?", re.ASCII)


def without_marks(line: str) -> str:
    """Return a line of a list without bullet or number, and without its box."""
    return _MARKS.sub("", line, count=1)


def text_of(plan: Plan, said: Mapping[str, str]) -> str:
    """Return all that a plan says, of its items ``said``: the workstream with each step, no heading for several."""
    parts = [plan.title]
    for section in plan.sections:
        parts += [section.title, section.text]
        for item in section.items:
            parts.append(said[item.id])
    return "\n".join(parts)


def said_of(item: Item) -> str:
    """Return all that an item says."""
    parts = [item.id, item.title if isinstance(item, Step) else item.text]
    other = item.other if isinstance(item, Step) else {}
    fields = replace(item, other={}) if isinstance(item, Step) else item
    parts += [text for line in written(fields, with_workstream=True) for pair in line for text in pair]
    parts += [text for pair in other.items() for text in pair]  # as they are, and not as they are written
    if isinstance(item, Bullet) and item.priority:
        parts.append(item.priority)
    return "\n".join(parts)


def _series(name: str) -> str:
    """Return the letters before the number of an id."""
    return re.split(r"\d", name, maxsplit=1)[0]


def _is_apart(step: StepDraft) -> bool:
    """Tell whether a sign parts what may be an id from the title: "V2: Publish"."""
    return re.search(r"[:.)·–—-]\s*$", step.mark.removeprefix(step.ids[0])) is not None


def _is_person(draft: StepDraft | ItemDraft) -> bool:
    return isinstance(draft, ItemDraft) and draft.kind is Person


def _is_step_id(name: str) -> bool:
    return name[:1] == "S" and name[1:].isascii() and name[1:].isdecimal() and 0 < len(name) <= 7 and name[1] != "0"


def _in_portions(text: str) -> Iterator[str]:
    """Yield a text in portions that a section can hold, ended at lines if there are any."""
    while len(text) > _MOST_OF_A_TEXT:
        end = text.rfind("\n", 1, _MOST_OF_A_TEXT)
        end = end if end > 0 else max(text.rfind(" ", 1, _MOST_OF_A_TEXT), 0) or _MOST_OF_A_TEXT
        yield text[:end]
        text = text[end:].lstrip("\n")
    if text.strip():
        yield text
