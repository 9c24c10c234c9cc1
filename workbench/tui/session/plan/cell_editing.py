"""A cell of a step that is edited: what is in it, what fits what is typed, and the command that an edit is.

    owner of S3, "an" typed ─▶ offers: Anna, Anke, a new person “an" ─▶ S3 owner Anna

Pure. Nothing is recorded here: the command is previewed and carried out like any other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Literal

from workbench.domain.plan.markdown.fields import number
from workbench.domain.plan.plan import Person, Plan, Step
from workbench.domain.text.patterns import lazy_pattern

CellName = Literal["title", "owner", "effort", "start", "end", "needs", "add below", "add above"]
EDITED: tuple[CellName, ...] = ("title", "owner", "start", "end", "effort", "needs")
"""Cells of a step, from the left."""
ANSWER, NOT_NEEDED, USE = "answer:", "unneeded:", "use:"
"""What can be done about a question: keys of its cells, with its id behind."""
MOST_OFFERED = 3
"""Rows of suggestions."""
_ASKED = {
    "title": "what is done",
    "owner": "who does it; a comma adds another",
    "effort": "days of work: 3, or 1-2-4 for least, likely, most",
    "start": "the first day it may begin",
    "end": "its deadline",
    "needs": "steps that come before it, such as S1, S2",
    "add below": "a new step, such as: Book the hall 2d @Anna by 3 May, 90 EUR",
    "add above": "a new step, such as: Book the hall 2d @Anna by 3 May, 90 EUR",
}
_COUNTED = lazy_pattern(r"[\d.,½-]*\d")  # an effort without its unit: days are meant
_PLAIN = lazy_pattern(r"[\w.-]+")
_DAY_MONTH = lazy_pattern(r"(\d{1,2})\.(\d{1,2})\.?")  # A date as it is typed with few keys: 3.5 is 3 May
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that fits what is typed."""

    text: str
    """What it puts into the cell."""
    told: str
    """What helps to decide: a role, how many steps, a title."""


@dataclass(frozen=True, slots=True)
class Editing:
    """The cells that are edited together, before anything is recorded."""

    plan: Plan
    items: tuple[str, ...]
    """Ids of the steps: several if a person marked them."""
    cell: CellName = "owner"
    typed: dict[CellName, str] = field(default_factory=dict)
    """What a person put into the cells that they left with Tab."""

    @property
    def step(self) -> Step | None:
        """The first of the steps."""
        return next((step for step in self.plan.steps if step.id in self.items), None)

    @property
    def asked(self) -> str:
        """What is asked for, in words."""
        return _ASKED[self.cell]

    @property
    def value(self) -> str:
        """What is in the cell now."""
        return self.typed.get(self.cell, self.standing)

    @property
    def standing(self) -> str:
        """What is in the plan."""
        step = self.step
        if step is None or self.cell.startswith("add"):
            return ""
        match self.cell:
            case "title":
                return step.title
            case "owner":
                return ", ".join(step.owners)
            case "effort":
                effort = step.effort
                return "" if effort is None else "-".join(dict.fromkeys(map(number, _points(effort))))
            case "start":
                return step.not_before or ""
            case "end":
                return step.deadline or ""
            case _:
                return ", ".join(step.needs)

    def with_typed(self, typed: str) -> Editing:
        """Return the edit with this in its cell; nothing if it is what is there already."""
        kept = {name: value for name, value in self.typed.items() if name != self.cell}
        if typed.strip() != self.standing:
            kept[self.cell] = typed.strip()
        return replace(self, typed=kept)

    def beside(self, step: int) -> Editing:
        """Return the edit at the next cell, or the one before; from the last one to the first."""
        at = EDITED.index(self.cell) if self.cell in EDITED else -step
        names = EDITED if len(self.items) == 1 else EDITED[1:]
        return replace(self, cell=names[(names.index(EDITED[at]) + step) % len(names)] if at >= 0 else names[0])

    def offers(self, typed: str) -> tuple[Offer, ...]:
        """Return what fits what is typed, the likeliest first."""
        if self.cell == "owner":
            return tuple(_people(self.plan, typed.rpartition(",")[2].strip()))[: MOST_OFFERED + 1]
        if self.cell == "needs":
            wanted = typed.rpartition(",")[2].strip().casefold()
            fits = (step for step in self.plan.steps if step.id not in self.items and _fits(step, wanted))
            return tuple(Offer(one.id, one.title) for one, _ in zip(fits, range(MOST_OFFERED), strict=False))
        return ()

    def completed(self, typed: str, offer: Offer) -> str:
        """Return the whole cell with an offer instead of the word that is being typed."""
        before, comma, _ = typed.rpartition(",")
        return f"{before}{comma} {offer.text}" if comma else offer.text

    def command(self, today: date) -> str:
        """Return what all cells together are as commands; "" if nothing changes."""
        return "; ".join(part for name in self.typed for part in self._commands(name, self.typed[name], today))

    def _commands(self, name: CellName, typed: str, today: date) -> Iterator[str]:
        items, step = " ".join(self.items), self.step
        if name.startswith("add"):
            yield from [_added(typed, self.items[-1], name, self.plan, today)] if typed else []
            return
        match name:
            case "title" if typed:
                yield f"{items} title {_quoted(typed)}"
            case "owner":
                names = [_named(part.strip()) for part in re.split("[,;]", typed) if part.strip()]
                yield f"{items} owner {', '.join(names)}" if names else f"{items} clear owner; {items} clear also"
            case "effort":
                counted = f"{typed}d" if _COUNTED.fullmatch(typed) else typed
                yield f"{items} effort {counted}" if typed else f"{items} clear effort"
            case "start" | "end":
                words = "not before" if name == "start" else "by"
                cleared = "not before" if name == "start" else "deadline"
                yield f"{items} {words} {_day(typed)}" if typed else f"{items} clear {cleared}"
            case "needs":
                wanted = [part.strip().upper() for part in re.split(r"[,;\s]+", typed) if part.strip()]
                before = step.needs if step is not None else ()
                if gone := [one for one in before if one not in wanted]:
                    yield f"{items} needs not {', '.join(gone)}"
                if new := [one for one in wanted if one not in before]:
                    yield f"{items} needs {', '.join(new)}"


def _points(effort: object) -> Sequence[float]:
    low, likely, high = (getattr(effort, name) for name in ("low", "likely", "high"))
    return (likely,) if low == likely == high else (low, likely, high)


def _fits(step: Step, wanted: str) -> bool:
    return step.id.casefold().startswith(wanted) or (len(wanted) > 1 and wanted in step.title.casefold())


def _people(plan: Plan, typed: str) -> Iterator[Offer]:
    """Yield who could do it: who begins with what is typed first, then who has it in their name; then a new person."""
    roles = {item.text: item.role for item in plan.items if isinstance(item, Person)}
    counts = Counter(owner for step in plan.steps for owner in step.owners)
    names = sorted({*roles, *counts}, key=lambda name: (-counts[name], name))
    wanted = typed.casefold()
    begins = [name for name in names if name.casefold().startswith(wanted)]
    has = [name for name in names if wanted in name.casefold() and name not in begins]
    for name in [*begins, *has][:MOST_OFFERED]:
        steps = f"{counts[name]} step{'' if counts[name] == 1 else 's'}"
        yield Offer(name, " · ".join(filter(None, (roles.get(name, ""), steps))))
    if typed and typed not in names:
        yield Offer(typed, "a new person")


def _named(name: str) -> str:
    return name if _PLAIN.fullmatch(name) else _quoted(name)


def _day(typed: str) -> str:
    short = _DAY_MONTH.fullmatch(typed)
    return f"{short[1]} {_MONTHS[int(short[2]) - 1]}" if short and 0 < int(short[2]) <= len(_MONTHS) else typed


def _quoted(words: str) -> str:
    from workbench.domain.commands.naming import quoted  # the language is loaded with the first edit

    return quoted(" ".join(words.split()))


def _added(typed: str, beside: str, name: str, plan: Plan, today: date) -> str:
    """Return what adds a step: after its title, fields as in a line of one's own steps."""
    from workbench.domain.commands import StepLine, read_step_line

    line = read_step_line(typed, today)
    title, fields = (line.title, line.as_added()) if isinstance(line, StepLine) else (typed, "")
    return " ".join(filter(None, (f"add {_quoted(title)}", fields, place_beside(beside, name, plan))))


def place_beside(beside: str, name: str, plan: Plan) -> str:
    """Return the place of a new step as a command has it: below a step, or above it; "" for the end."""
    if not beside:
        return ""
    if name == "add below":
        return f"below {beside}"
    before = ""
    for section in plan.sections:
        for item in section.items:
            if item.id == beside:
                return f"below {before}" if before else "first"
            before = item.id if isinstance(item, Step) else ""
    return ""


def has_lines(pasted: str) -> bool:
    """Tell whether a text has several lines with words."""
    return sum(bool(line.strip()) for line in pasted.splitlines()) > 1


Deed = Literal["down", "up", "nest", "lift", "drop"]
"""What is done to a step's row at once: another place in the list, a part of the step above, not done any more."""


def deed_command(plan: Plan, items: Sequence[str], deed: Deed) -> str:
    """Return what is done to steps as commands; "" if there is nothing to do."""
    beside = next((section.items for section in plan.sections if {*items} & {item.id for item in section.items}), ())
    steps = [one for one in beside if isinstance(one, Step)]
    names = [step.id for step in steps]
    items = [name for name in names if name in items]  # of one section; one that went meanwhile is none
    if not items:
        return ""
    named, first, last = " ".join(items), names.index(items[0]), names.index(items[-1])
    match deed:
        case "drop":
            return f"{named} dropped"
        case "lift":
            return f"{named} clear part of" if any(one.parent for one in steps if one.id in items) else ""
        case "nest":
            above = next((one.id for one in reversed(steps[:first]) if not one.parent), "")
            return f"{named} under {above}" if above else ""
        case "down":
            return f"move {named} below {names[last + 1]}" if last + 1 < len(names) else ""
        case "up":
            if not first:
                return ""
            return f"move {named} below {names[first - 2]}" if first > 1 else f"move {named} first"
