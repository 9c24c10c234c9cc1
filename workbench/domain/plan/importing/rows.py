"""Rows of a table as steps: cells become fields by their column, and what no field says stays as "Column: value".

CSV, tables in Markdown and lists of objects in JSON all come through here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from statistics import median

from workbench.domain.plan.importing.assembly import Assembly, SectionDraft
from workbench.domain.plan.importing.columns import fields_of
from workbench.domain.plan.importing.drafts import StepDraft
from workbench.domain.plan.importing.headings import topic_of
from workbench.domain.plan.importing.items import KINDS, TITLES, aside_of
from workbench.domain.plan.importing.labels import label_of
from workbench.domain.plan.importing.marks import draft_of, needs_of, take
from workbench.domain.plan.importing.names import Names
from workbench.domain.plan.importing.requests import QUESTION
from workbench.domain.plan.importing.values import day_of, effort_of, is_month_first, settled, share_of, status_of
from workbench.domain.plan.importing.words import bare
from workbench.domain.plan.plan import Effort

_DAYS = ("deadline", "start", "when", "finished", "started")
_SECONDS_A_DAY = 28_800
_LONGEST_ID = 40
_MOST_TAGS = 20
_SAID = {
    "when": "date",
    "level": "level of nesting",
    "share": "status",
    "hours": "effort in hours",
    "weeks": "effort in weeks",
}
"""Fields that are called otherwise when a guess is told."""


_REMARK = re.compile(r"[–—-]\s.+\s[–—-]|\*[^*]+\*|\(.+\)")
"""A title that is set apart from the others, and names no task where little else is in its row."""
_WEEKDAY = re.compile(r"(?P<day>Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\.?(?: (?P<number>\d{1,2})\.?)?", re.IGNORECASE)
_OF_A_KIND = ("kind", "status", "workstream")
"""Columns that can name what a row is: a type, or the list that a card hangs in."""
_ABOUT = re.compile(r"\W*(?:read ?me|about|how to|info|legend|rules)\b.*", re.IGNORECASE)
"""A list of cards that tell of the board."""
_SUM = re.compile(r"\W*(?:(?:grand |sub-?)?total|sum|summe|gesamt|zwischensumme)\W*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a table, read by their heads and by what stands in them."""

    heads: Sequence[str]
    fields: Sequence[str]
    month_first: bool
    """Whether 05/03/2027 is 3 May."""
    unit: str
    """Of efforts that are bare numbers."""
    filled: Sequence[int]
    """How many cells of each row say something."""

    def is_sum(self, cells: Sequence[str]) -> bool:
        """Tell whether a row is no task, as those have: its id is missing, and most of its cells are empty."""
        title = cells[self.fields.index("title")] if "title" in self.fields else ""
        if _SUM.fullmatch(title) and "id" not in self.fields:
            return True
        is_named = "id" not in self.fields or bool(cells[self.fields.index("id")].strip())
        return not is_named and 2 * _filled(cells) < median(self.filled)

    @classmethod
    def of(cls, heads: Sequence[str], rows: Sequence[Sequence[str]], assembly: Assembly) -> Columns:
        """Read the heads of a table, and note what was guessed."""
        heads = [" ".join(head.split()) for head in heads]
        fields = fields_of(heads, rows)
        days = [cell for row in rows for cell, name in zip(row, fields, strict=False) if name in _DAYS]
        month_first = is_month_first(days)
        unit = _unit([cell for row in rows for cell, name in zip(row, fields, strict=False) if name == "effort"])
        if "share" in fields and any(bare(head) in ("work", "arbeit") for head in heads):
            unit = "h"  # as OpenProject has it
        for head, name in zip(heads, fields, strict=True):
            if name and head and bare(head) != name:
                assembly.guess(f"column “{head}” read as {_SAID.get(name, name)}")
        if any(re.search(r"\d/\d", cell) for cell in days):
            assembly.guess(f"dates such as 05/03/2027 read with the {'month' if month_first else 'day'} first")
        if unit == "s":
            assembly.guess("durations read as seconds, with eight hours a day")
        return cls(heads, fields, month_first, unit, [_filled(row) for row in rows])


def _section_named(cell: str) -> str:
    return topic_of(cell).section


def _filled(cells: Sequence[str]) -> int:
    return sum(1 for cell in cells if cell.strip())


def _unit(cells: Sequence[str]) -> str:
    """Return the unit of efforts: numbers of four digits and more are seconds, as Jira has them."""
    numbers = [cell.strip() for cell in cells if cell.strip()]
    return "s" if numbers and all(re.fullmatch(r"\d{4,8}", cell) for cell in numbers) else "day"


class RowReader:
    """Reads the rows of one table."""

    def __init__(self, assembly: Assembly, columns: Columns, names: Names, today: date) -> None:
        self._assembly = assembly
        self._columns = columns
        self._names = names
        self._today = today
        self.number = 0
        """Of the row that is read, among all that hold something; others name it so where rows have no ids."""
        self._rows: dict[str, StepDraft] = {}
        """Steps by what their rows are called."""

    @property
    def title_at(self) -> int:
        """The column of titles."""
        fields = list(self._columns.fields)
        return fields.index("title") if "title" in fields else len(fields)

    def heads(self, cells: Sequence[str], following: Sequence[Sequence[str]]) -> bool:
        """Tell whether a row only names those that follow: it has a number, 2, and a title; theirs are 2.1, 2.2."""
        if "id" not in self._columns.fields or _filled(cells) != 2 or not following:
            return False
        at = self._columns.fields.index("id")
        return bool(cells[at]) and following[0][at].startswith(f"{cells[at].rstrip('.')}.")

    def item(self, line: int, cells: Sequence[str]) -> bool:
        """Add the item of a row that is no task: by its type, or a question by its words; tell whether it is one."""
        named = list(zip(self._columns.heads, self._columns.fields, cells, strict=False))
        title = next((cell for _, name, cell in named if name == "title"), "")
        said = [cell for _, name, cell in named if name in _OF_A_KIND and status_of(cell) is None]
        if any(map(_ABOUT.fullmatch, said)):
            section = self._assembly.section("about-this-file", "About this file")
            self._assembly.text(section, " · ".join(f"{head}: {cell}" for head, _, cell in named if cell), [line])
            return True
        kind = next((topic for topic in map(_section_named, said) if topic in KINDS), "")
        kind = "questions" if not kind and QUESTION.fullmatch(title) else kind
        lead, text = "", title
        if not kind:
            kind, lead, text = aside_of(title)
        if kind not in KINDS or not title:
            return False
        section = self._assembly.section(kind, TITLES[kind])
        self._assembly.item(section, KINDS[kind], line, text=text)
        if re.search(r"\w", lead):
            self._assembly.text(section, lead, [line])
        rest = [f"{head}: {cell}" for head, name, cell in named if cell and name != "title"]
        if rest:
            self._assembly.text(section, " · ".join(rest), [line])
        return True

    def step(
        self,
        line: int,
        cells: Sequence[str],
        section: SectionDraft,
        *,
        workstream: str = "",
        parent: StepDraft | None = None,
        days: tuple[str, str] | None = None,
    ) -> StepDraft | None:
        """Add the step of a row; None where the row names none. ``days`` are those of the table's heading."""
        columns = self._columns
        cells = [*cells, *[""] * (len(columns.heads) - len(cells))]
        named = [
            (head, name, cell.strip()) for head, name, cell in zip(columns.heads, columns.fields, cells, strict=False)
        ]
        title = next((cell for _, name, cell in named if name == "title"), "")
        if not re.search(r"\w", title) or columns.is_sum(cells) or (_REMARK.fullmatch(title) and _filled(cells) < 4):
            return None
        raw: dict[str, str] = {}
        draft = StepDraft(line, "", workstream=workstream, parent=parent, group=columns)
        for head, name, cell in named:
            if cell and name == "when":
                self._when(draft, cell, days)
                draft.cut.append((f"{head}: {cell}", cell))
            elif cell and name != "title":
                self._read(draft, raw, head, name, cell)
        draft.number = "" if "id" in columns.fields else str(self.number)
        draft.values |= _effort_of_several(draft, raw)
        draft.take_over(draft_of(line, title, self._names, self._today, month_first=columns.month_first))
        if draft.values.get("finished", "9") <= self._today.isoformat():
            draft.values.setdefault("status", "done")
        settled(draft.values, " ".join(cells), self._today)
        draft.notes += [cell.strip() for cell in cells[len(columns.heads) :] if cell.strip()]
        draft.parent = draft.parent or self._parent(draft, raw.get("parent", ""))
        if self._assembly.step(draft, section) is None:
            return None
        for name in draft.ids:
            self._rows.setdefault(name, draft)
        return draft

    def _parent(self, draft: StepDraft, named: str) -> StepDraft | None:
        """Return the step that a row is a part of: by a column, or by an outline number as 1.2."""
        if (parent := self._rows.get(named)) is not None:
            return parent.top
        for name in draft.ids:
            above = name.rpartition(".")[0]
            if re.fullmatch(r"\d+(?:\.\d+)*", above) and (parent := self._rows.get(above)) is not None:
                return parent.top
        return None

    def _read(self, draft: StepDraft, raw: dict[str, str], head: str, name: str, cell: str) -> None:
        """Read a cell; what no field says in the same words is noted, with the head of its column.

        ``raw`` gets the cells that are read together with others, by field.
        """
        named = f"{head}: {cell}" if head else cell
        match name:
            case "" | "priority" | "kind":
                draft.notes.append(named)
                return
            case "notes":
                self._read_notes(draft, cell)
                return
            case "workstream":
                part = f"{head} {cell}" if cell.isdecimal() else " ".join(cell.split())
                draft.workstream = " / ".join(filter(None, (draft.workstream, part)))
            case "blocks":
                draft.blocks += needs_of(cell)
            case "id" if len(cell) <= _LONGEST_ID:
                draft.ids.append(cell)
            case "tags":
                tags = [tag.strip("#") for tag in re.split(r"[\s,;]+", cell) if tag.strip("#")]
                draft.ids += [tag.removeprefix("wb-") for tag in tags if re.fullmatch(r"wb-S\d+", tag)]
                draft.tags += tags[:_MOST_TAGS]
            case "low" | "high" | "hours" | "weeks" | "level" | "parent":
                raw[name] = cell
            case "owner":
                self._names.add(cell)
                take(draft, name, " ".join(cell.split()), self._today)
            case "effort":
                draft.give("effort", _effort(cell, self._columns.unit))
            case "share" | "finished" if name == "share" or self._day(cell) is None:
                draft.give("status", share_of(cell) or status_of(cell))
            case "outcome" | "check" if re.fullmatch(r"\d+/\d+", cell):
                pass
            case _:
                take(draft, name, cell, self._today, month_first=self._columns.month_first)
        draft.cut.append((named, cell))

    def _read_notes(self, draft: StepDraft, cell: str) -> None:
        """Keep the lines of a cell with notes; lines such as "Owner: Anna" are read as fields, too."""
        lines = [line.strip() for line in re.split(r"\n|<br ?/?>", cell) if line.strip()]
        for line in lines:
            label = label_of(line)
            if label is not None and label[1] not in ("", "notes", "id", "tags"):
                take(draft, label[1], label[2], self._today)
        draft.notes += lines

    def _day(self, text: str) -> str | None:
        return day_of(text, self._today, month_first=self._columns.month_first)

    def _when(self, draft: StepDraft, cell: str, period: tuple[str, str] | None) -> None:
        """Read a day, a stretch of days, or how long it takes; ``period``: the days of the table's heading."""
        if period is not None and (day := _day_of_week(cell, *period)) is not None:
            draft.give("deadline", day)
            return
        parts = [part for part in re.split(r"\s*(?:–|—|\bto\b|\bbis\b|\s-\s|→)\s*", cell) if part]
        days = [self._day(part) for part in parts]
        if len(days) == 2 and all(days):
            draft.give("not_before", days[0])
        if len(days) in (1, 2) and all(days):
            draft.give("deadline", days[-1])
        else:
            draft.give("effort", effort_of(cell))


def _effort_of_several(draft: StepDraft, raw: Mapping[str, str]) -> dict[str, Effort]:
    """Return the effort that several columns say together."""
    given = draft.values.get("effort")
    low, high = (effort_of(raw.get(name, ""), unit="day") for name in ("low", "high"))
    if given is not None and low is not None and high is not None:
        return {"effort": Effort(low.likely, given.likely, high.likely)}
    for name, unit in (("hours", "h"), ("weeks", "w")):
        if given is None and (effort := effort_of(raw.get(name, ""), unit=unit)) is not None:
            return {"effort": effort}
    return {}


def _day_of_week(cell: str, first: str, last: str) -> str | None:
    """Return the day between two others that "Wed", or "Mon 7", names."""
    match = _WEEKDAY.fullmatch(cell.strip())
    if match is None:
        return None
    start = date.fromisoformat(first)
    count = min((date.fromisoformat(last) - start).days + 1, 7)
    days = (start + timedelta(days=at) for at in range(count))
    letters = match["day"][:2].casefold()
    fitting = [day for day in days if day.strftime("%A")[:2].casefold() == letters]
    return fitting[0].isoformat() if fitting and match["number"] in (None, str(fitting[0].day)) else None


def _effort(cell: str, unit: str) -> Effort | None:
    """Return the effort of a cell: one duration, or low, likely and high."""
    if unit == "s" and cell.isdecimal():
        days = int(cell) / _SECONDS_A_DAY
        return Effort(days, days, days)
    parts = [effort_of(part, unit=unit) for part in cell.split(",")]
    if len(parts) == 3 and parts[0] and parts[1] and parts[2]:
        return Effort(parts[0].likely, parts[1].likely, parts[2].likely)
    return effort_of(cell, unit=unit)
