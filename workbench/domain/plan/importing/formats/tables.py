"""Tables as steps: a column is a field by its head, and each cell is a value of it, or is listed with its line.

Aufgabe | Wer | Beginn | Ende | Vorgänger   ─▶ title · owner · start and end, with the days between · needs
Custom field                               ─▶ a field of the tool that it came from: it stays with the step

CSV, tables in Markdown and lists of objects in JSON all come through here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from msgspec import Struct, field

from workbench.domain.plan.importing.assembly import Assembly
from workbench.domain.plan.importing.drafts import StepDraft
from workbench.domain.plan.importing.imported import FULL
from workbench.domain.plan.importing.lines.headings import STEPS, role_of
from workbench.domain.plan.importing.lines.items import KINDS, item_of_row
from workbench.domain.plan.importing.lines.labels import column_field
from workbench.domain.plan.importing.lines.marks import draft_of, needs_of, split_outside_brackets, take
from workbench.domain.plan.importing.lines.values import (
    effort_of,
    guess_of_year,
    is_month_first,
    priority_of,
    progress_of,
    serial_day,
    span_of,
    status_of,
    working_days,
)
from workbench.domain.plan.importing.own import BY_HEAD, DAYS
from workbench.domain.plan.importing.words import bare
from workbench.domain.plan.plan import Effort
from workbench.domain.text.patterns import lazy_pattern

_DAYS = ("deadline", "start", "end", "when", "finished", "started", "on")
_OF_WORK = frozenset(
    ("owner", "deadline", "start", "end", "when", "status", "share", "effort", "hours", "weeks", "needs", "blocks",
     "finished", "started", "low", "high", "parent", "level", "check", "id", "priority")
)  # fmt: skip
"""Fields that speak for work."""
_ANY_THING = frozenset(
    ("name", "item", "topic", "focus", "goal", "content", "unit", "event", "feature", "objective", "what", "thing",
     "title", "thema", "bezeichnung", "titel", "was", "lesson", "product")
)  # fmt: skip
"""Heads of titles that anything can have: people, groups, costs."""
_ONLY_WORK = _OF_WORK - {"owner", "id", "priority", "level", "low", "high", "parent", "share"}
"""Fields that nothing but work has."""
_UNIT_HEADS = frozenset({"week", "day", "phase", "sprint", "month", "woche", "tag", "monat", "kw"})
_PHASES = ("phase", "phases", "stage")
"""Heads of titles where each row has another one, and nothing else is a title."""
_MILESTONES = frozenset({"milestone", "meilenstein", "event"})
"""Heads of titles of what takes no work."""
_SEVERAL = frozenset({"", "notes", "tags", "needs", "blocks", "id"})
"""Fields that several columns can have."""
_IN_WORDS = frozenset({"", "notes", "kind", "priority", "workstream", "tags", "owner", "outcome", "check", "id"})
"""Fields that keep what a cell says in its words."""
_TOGETHER = frozenset(
    ("low", "high", "hours", "minutes", "weeks", "level", "parent", "start", "end", "when", "effort", "repeat")
)
"""Fields of which several cells say one thing together."""
_SECONDS_A_DAY = 28_800
_LONGEST_ID = 40
_MOST_TAGS = 20
_SAID = {
    "when": "date", "level": "level of nesting", "share": "part done", "hours": "effort in hours",
    "weeks": "effort in weeks",
}  # fmt: skip
"""Fields that are called otherwise when a guess is told."""
_SUM = lazy_pattern(r"\W*(?:(?:grand |sub-?)?total|sum|summe|gesamt|zwischensumme)\W*", re.IGNORECASE)
_BETWEEN = lazy_pattern(r"–|—|\bto\b|\bbis\b| - |→")
_TIME = lazy_pattern(r"\d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp][Mm])?")
_AT_COMMAS = lazy_pattern(r"[,()\[\]]")
_LISTS = ("list", "list name", "column", "section column")
"""Heads of columns of a board, which are states on most boards, and groups on others."""
_NUANCES = frozenset({"review", "in review", "testing", "blocked"})
"""Words of states that say more than a state of ours does: they stay, too."""
_OUR_COLUMNS = ("wait", "also", "hours", "mode")
"""Heads of columns that are ours, and read as in a table of ours."""
_BLANK = ("[]", "{}", "null")
"""What programs write for nothing."""
_BRACKETED = lazy_pattern(r"\[[^\[\]]*\]")
_NAMES_OTHERS = frozenset({"needs", "blocks", "parent", "workstream", "owner", "tags"})
_MIDNIGHT = ("00:00", "00:00:00", "12:00 AM")
_OUTLINE = lazy_pattern(r"\d+(?:\.\d+)*")


def fields_of(heads: Sequence[str], rows: Sequence[Sequence[str]] = ()) -> list[str]:
    """Return the field of each column, by its head; "" for one that is none. Most fields come once."""
    fields = [column_field(head) for head in heads]
    if fields.count("parent") > 1:  # "Epic" beside "Parent" is a group
        fields = [
            "workstream" if name == "parent" and "epic" in bare(heads[at]) else name for at, name in enumerate(fields)
        ]
    seen: set[str] = set()
    for at, name in enumerate(fields):
        if name in seen and name not in _SEVERAL:
            fields[at] = ""
        seen.add(name)
    named = [bare(head) for head in heads]
    if "title" in fields and named[fields.index("title")] == "deliverable" and "description" in named:
        fields[fields.index("title")], fields[named.index("description")] = "outcome", "title"
    phase = next((at for at, name in enumerate(named) if name in _PHASES), -1)
    if "title" not in fields and phase >= 0:
        cells = {cell for row in rows if re.search(r"[^\W\d_]", cell := _cell(row, phase))}
        if cells and len(cells) == len(rows):
            fields[phase] = "title"
    if "title" not in fields:
        stand_in = next((at for at, name in enumerate(fields) if name in ("outcome", "notes")), -1)
        is_like = "" not in fields or not re.match(
            r"note|comment|remark|notiz|bemerk|kommentar", heads[stand_in], re.IGNORECASE
        )
        if stand_in >= 0 and len(fields) > 1 and is_like:  # what nobody knows is more like a title than notes
            fields[stand_in] = "title"
    return fields


def is_work(heads: Sequence[str], rows: Sequence[Sequence[str]], role: str = "", *, is_named: bool = False) -> bool:
    """Tell whether the heads of a table are those of steps: a title, and something that only work has.

    ``role``: that of the lines around it, below whose heading a title is enough, unless people or costs can have it,
    too; ``is_named``: whether the heading right above it says so, and any title is enough.
    """
    named = [column_field(head) for head in heads]
    if "title" not in named and "title" in fields_of(heads, rows):
        named = [name if bare(head) not in _PHASES else "title" for head, name in zip(heads, named, strict=True)]
    is_counted = any(bare(head) in _UNIT_HEADS for head in heads[:1])
    titles = [bare(head) for head, name in zip(heads, named, strict=True) if name == "title"]
    of_work = _ONLY_WORK if (is_any := _ANY_THING.issuperset(titles)) else _OF_WORK
    is_headed = is_named or (role == STEPS and not is_any)
    return bool(titles) and (is_counted or is_headed or any(name in of_work for name in named))


class Columns(Struct, frozen=True):
    """The columns of a table."""

    heads: Sequence[str]
    fields: Sequence[str]
    month_first: bool
    """Whether 05/03/2027 is 3 May."""
    unit: str
    """Of efforts that are bare numbers."""
    are_turned: bool = False
    """Whether owners are written with the last name first: "Miller, Ann"."""
    are_typed: bool = False
    """Whether each value is of its field alone, as a program writes it: then no title holds marks of others."""

    @classmethod
    def from_heads(
        cls, heads: Sequence[str], rows: Sequence[Sequence[str]], assembly: Assembly, *, are_typed: bool = False
    ) -> Columns:
        """Read the heads of a table, and note what was guessed; ``are_typed``: whether a program wrote it."""
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
        unread = [
            head for at, head in enumerate(heads) if head and not fields[at] and any(_cell(row, at) for row in rows)
        ]
        if unread and not are_typed:
            named = ", ".join(f"“{head}”" for head in unread)
            assembly.guess(f"columns that no field of a step has, kept with the steps: {named}")
        if any(re.search(r"\d/\d", cell) for cell in days):
            assembly.guess(f"dates such as 05/03/2027 read with the {'month' if month_first else 'day'} first")
        if unit == "s":
            assembly.guess("durations read as seconds, with eight hours a day")
        for at, head in enumerate(heads):
            is_told = re.search(r"day|tag|hour|stunde|jour|día|week", head, re.IGNORECASE) is not None
            numbers = (cell for row in rows if re.fullmatch(r"\d+(?:[.,]\d+)?", cell := _cell(row, at)))
            if fields[at] == "effort" and unit != "s" and not is_told and any(numbers):
                assembly.guess(f"numbers in the column “{head}” read as {'hours' if unit == 'h' else 'working days'}")
        owners = [cell for row in rows for cell, name in zip(row, fields, strict=False) if name == "owner" and cell]
        are_turned = not are_typed and _are_turned(owners)
        parted = next((cell for cell in owners if len(split_outside_brackets(_AT_COMMAS, cell)) > 1), "")
        if are_turned:
            assembly.guess(f"names such as “{owners[0]}” read as one person each")
        elif parted and not are_typed:
            assembly.guess(f"owners are parted at commas, as “{' '.join(parted.split())}”")
        return cls(heads, fields, month_first, unit, are_turned, are_typed)


def _cell(row: Sequence[str], at: int) -> str:
    return row[at].strip() if at < len(row) else ""


def _are_turned(owners: Sequence[str]) -> bool:
    """Tell whether the owners of a column are written with the last name first: most are two names at one comma.

    One cell shows nothing, and no name may be at another place in another cell.
    """
    cells = [tuple(map(str.strip, split_outside_brackets(_AT_COMMAS, cell))) for cell in dict.fromkeys(owners)]
    pairs = [cell for cell in cells if len(cell) == 2 and all(cell)]
    alone = [cell for cell in cells if len(cell) == 1]
    lasts, firsts, others = ({cell[at] for cell in some} for some, at in ((pairs, 0), (pairs, 1), (alone, 0)))
    is_mixed = lasts & firsts or (lasts | firsts) & others or any(re.search(r"[;&\n]", cell) for cell in owners)
    return len(pairs) > max(1, len(alone)) and len(pairs) + len(alone) == len(cells) and not is_mixed


def _unit(cells: Sequence[str]) -> str:
    """Return the unit of efforts: numbers of four digits and more are seconds, as Jira has them."""
    numbers = [cell.strip() for cell in cells if cell.strip().strip("0")]
    return "s" if numbers and all(re.fullmatch(r"\d{4,8}", cell) for cell in numbers) else "day"


class RowReader:
    """Reads the rows of one table."""

    def __init__(self, assembly: Assembly, columns: Columns, today: date, space: str = "") -> None:
        self._assembly = assembly
        self._columns = columns
        self._today = today
        self._space = space
        self._number = 0
        self._rows: dict[str, StepDraft] = {}
        """Steps by what their rows are called."""
        self._children: list[tuple[StepDraft, str, str]] = []
        self._levels: list[tuple[int, StepDraft]] = []
        """Steps that the next row can be a part of, by their levels of nesting."""

    def title_of(self, cells: Sequence[str]) -> str:
        """Return the title of a row; "" if it has none."""
        pairs = zip(self._columns.fields, cells, strict=False)
        return next((cell.strip() for name, cell in pairs if name == "title"), "")

    def item(self, line: int, cells: Sequence[str]) -> bool:
        """Add the item of a row whose type is a risk, a question or a decision; tell whether it is one."""
        named = zip(self._columns.fields, cells, strict=False)
        roles = (role_of(cell) for name, cell in named if name in ("kind", "workstream"))
        kind = next((role for role in roles if role in KINDS), "")
        if not kind or not self.title_of(cells):
            return False
        fields = ["text" if name == "title" else "" for name in self._columns.fields]
        values = item_of_row(self._columns.heads, fields, cells)
        self._assembly.item(self._assembly.section(kind), KINDS[kind], line, **values)
        return True

    def step(
        self,
        line: int,
        cells: Sequence[str],
        *,
        workstream: str = "",
        parent: StepDraft | None = None,
    ) -> StepDraft | None:
        """Add the step of a row; None if the row names none."""
        columns = self._columns
        self._number += 1
        title = self.title_of(cells)
        is_sum = _SUM.fullmatch(title) and "id" not in columns.fields
        if not re.search(r"\w", title) or is_sum:
            return None
        if self._assembly.is_full:
            self._assembly.keep(line, FULL)
            return StepDraft(line, title)
        row = _Row(StepDraft(line, "", workstream=workstream, parent=parent, group=columns), columns, self._today)
        draft = row.draft
        draft.space = self._space
        named = list(zip(columns.heads, columns.fields, cells, strict=False))
        currency = next((cell for head, _, cell in named if bare(head) == "currency" and "cost" in columns.fields), "")
        for head, name, cell in named:
            if cell.strip() in _BLANK or (cell == currency and bare(head) == "currency"):
                draft.read.append(cell.strip())
            elif cell.strip() and name != "title":
                row.read(head, name, f"{cell.strip()} {currency if name == 'cost' else ''}".rstrip())
        if "effort" not in row.raw and any(name == "title" and bare(head) in _MILESTONES for head, name, _ in named):
            draft.values["milestone"] = True
        row.join()
        row.reach_owner()
        has_begun = draft.values.get("started") and not draft.values.get("finished")
        if has_begun and draft.values.get("status") in (None, "todo"):
            draft.values["status"] = "under-way"
        draft.number = "" if "id" in columns.fields else str(self._number)
        if columns.are_typed:
            draft.title = " ".join(title.split())
        else:
            read = draft_of(line, title, self._today, month_first=columns.month_first)
            has_own = {"not_before": "start"}
            is_told = any(has_own.get(name, name) in columns.fields for name in read.values)
            draft.take_over(StepDraft(line, title) if is_told else read)  # its own column says it
        draft.notes += [cell.strip() for cell in cells[len(columns.heads) :] if cell.strip()]
        if self._assembly.step(draft) is None:
            return None
        for name in draft.ids:
            self._rows.setdefault(name, draft)
        self._rows.setdefault(draft.title, draft)
        self._children.append((draft, row.raw.get("parent", ""), row.raw.get("parent named", "")))
        if (level := row.raw.get("level", "")).isdecimal():
            self._levels = [one for one in self._levels if one[0] < int(level)]
            draft.parent = draft.parent or next((one for _, one in self._levels), None)
            self._levels.append((int(level), draft))
        return draft

    def put_below(self) -> None:
        """Let rows be parts of others, by a column, which may name a later one, or by outline numbers as 1.2."""
        for draft, named, cell in self._children:
            above = [self._rows.get(named)] if named else []
            numbers = (name.rpartition(".")[0] for name in draft.ids)
            above += [self._rows.get(name) for name in numbers if _OUTLINE.fullmatch(name)]
            found = next((one for one in above if one is not None and one is not draft), None)
            if found is not None and draft.parent is None:
                draft.parent = found
            elif named and draft.parent is None:
                if "epic" in bare(cell.partition(":")[0]).split():  # a group, and no task
                    draft.workstream = " / ".join(filter(None, (draft.workstream, " ".join(named.split()))))
                else:
                    draft.misfit(cell, "no step is called so")
        for draft, named, _ in self._children:
            if named and draft.parent is not None and draft.parent.parent is not None:
                draft.notes.append(f"parent: {named}")
            for _ in range(20):
                if draft.parent is None or draft.parent.parent is None or draft.parent.parent is draft:
                    break
                draft.parent = draft.parent.parent  # parts have no parts


class _Row(Struct):
    """Reads the cells of one row."""

    draft: StepDraft
    columns: Columns
    today: date
    raw: dict[str, str] = field(default_factory=dict)
    """Cells that are read together with others, by field."""

    def read(self, head: str, name: str, cell: str) -> None:
        """Read a cell; what fits no field stays as it is, and what does not fit its own is listed, too."""
        draft, named = self.draft, f"{head}: {cell}" if head else cell
        if name in _NAMES_OTHERS:
            draft.read.append(cell)
            cell = cell[1:-1] if _BRACKETED.fullmatch(cell) else cell
        if name == "status" and bare(head) in _LISTS and status_of(cell) is None and progress_of(cell) is None:
            name = "workstream"
        if name not in _IN_WORDS:
            draft.read.append(cell)
        if name == "status" and bare(cell) in _NUANCES:
            self._keep_foreign_field(head, cell)
        own = bare(head) if name in ("", "hours") else ""
        if own in _OUR_COLUMNS and (value := BY_HEAD[own].read(cell.replace(";", ","))) is not None:
            draft.values |= zip(BY_HEAD[own].names, value if BY_HEAD[own].further else (value,), strict=True)
            draft.read.append(cell)
            return
        if own in DAYS and (span := span_of(cell, self.today, month_first=self.columns.month_first)):
            draft.give(DAYS[own], span.first)
            draft.read.append(cell)
            return
        match name:
            case "":
                self._keep_foreign_field(head, cell)
            case "notes":
                draft.notes += [line.rstrip() for line in re.split(r"\n|<br ?/?>", cell)]
                return
            case "kind" | "priority":
                if name == "priority" and draft.give("priority", priority_of(cell)):
                    draft.read.append(cell)
                    if bare(cell) != draft.values["priority"]:
                        self._keep_foreign_field(head, cell)  # urgent is more than high, where a tool has both
                else:
                    self._keep_foreign_field(head, cell)
            case "workstream":
                part = f"{head} {cell}" if cell.isdecimal() else " ".join(cell.split())
                draft.workstream = " / ".join(filter(None, (draft.workstream, part)))
            case "blocks":
                draft.blocks += needs_of(cell)
            case "id" if len(cell) <= _LONGEST_ID:
                draft.ids.append(cell)
            case "tags":
                self._tags(cell)
            case _ if name in _TOGETHER:
                self.raw[name] = cell
                self.raw[f"{name} named"] = named
            case _:
                if not self._fits(name, cell):
                    draft.misfit(named, f"it does not fit the column “{head}”")
        if name in _DAYS and name != "finished" and (time := _TIME.search(cell)) and time[0] not in _MIDNIGHT:
            draft.notes.append(named)

    def _fits(self, name: str, cell: str) -> bool:
        if name in ("deadline", "finished", "started") and (day := serial_day(cell)) is not None:
            return take(self.draft, name, day, self.today)
        if name in ("share", "status") and span_of(cell, self.today, month_first=self.columns.month_first):
            name = "finished"  # when it was done
        if name == "deadline" and len(parts := _BETWEEN.split(cell)) == 2:
            first, last = (span_of(part, self.today, month_first=self.columns.month_first) for part in parts)
            if first and last:
                self.raw |= {"start": first.first, "end": last.last}
                return True
        value = " ".join(cell.split()) if name == "owner" else cell
        if name == "owner" and self.columns.are_turned:
            return self.draft.give("owner", value)
        is_empty = name in ("owner", "finished") and status_of(cell) == "todo"
        return is_empty or take(self.draft, name, value, self.today, month_first=self.columns.month_first)

    def _keep_foreign_field(self, head: str, cell: str) -> None:
        """Keep a field of the tool that the file is from."""
        other = self.draft.values.setdefault("other", {})
        name = head or "column"
        other[name] = f"{other[name]}, {cell}" if name in other else cell

    def _tags(self, cell: str) -> None:
        is_list = self.columns.are_typed or re.search(r"[,;\n]", cell)
        parts = re.split(r"[,;\n]", cell) if is_list else cell.split()  # a label can have two words
        tags = [tag for part in parts if (tag := part.strip().strip("#"))]
        self.draft.tags += tags[:_MOST_TAGS]

    def reach_owner(self) -> None:
        """Let an address stand in for somebody whose name is not said."""
        other = self.draft.values.get("other", {})
        address = next((head for head in other if bare(head) == "assignee email"), "")
        if address and "owner" not in self.draft.values:
            take(self.draft, "owner", other.pop(address), self.today)
            self.draft.guesses.append(f"column “{address}” read as owner where no name is said")

    # --- what several cells say together ------------------------------------------------------------------------------

    def join(self) -> None:
        """Read begin and end, and the effort of several columns."""
        self._read_dates()
        self._begin_and_end()
        if (rule := self.raw.get("repeat")) and not take(self.draft, "repeat", rule, self.today):
            self.draft.misfit(self.raw["repeat named"], "a plan has no such rule")
        self.draft.values |= self._effort()

    def _read_dates(self) -> None:
        """Read a day, a stretch of days, or how long it takes."""
        if not (cell := self.raw.get("when")):
            return
        spans = [span_of(part, self.today, month_first=self.columns.month_first) for part in _BETWEEN.split(cell)]
        if len(spans) == 2 and spans[0] and spans[1]:
            self.raw |= {"start": spans[0].first, "end": spans[1].last}
        elif len(spans) == 1 and spans[0] and "deadline" not in self.draft.values:
            self.draft.guesses += guess_of_year(cell, self.today)
            is_on = "milestone" in self.draft.values and spans[0].first == spans[0].last
            self.draft.give("on" if is_on else "deadline", spans[0].last)
        elif spans[0] or not (
            take(self.draft, "repeat", cell, self.today) or self.draft.give("effort", effort_of(cell))
        ):
            self.draft.notes += [text for text in [self.raw["when named"]] if text not in self.draft.notes]

    def _begin_and_end(self) -> None:
        """Let begin and end be the days of the schedule, and the days between the duration; each alone is a limit."""
        values = self.draft.values
        start, end = self._day("start", is_first=True), self._day("end", is_first=False)
        if start and end and start > end:
            self.draft.misfit(self.raw.get("end named", ""), "it ends before it begins")
            end = None
        if start and end:
            values |= {"start": start, "end": end, "not_before": start}
            values.setdefault("duration", working_days(start, end))
        elif start:
            self.draft.give("not_before", start)
        elif end:
            self.draft.give("deadline", end)

    def _day(self, name: str, *, is_first: bool) -> str | None:
        if not (cell := self.raw.get(name, "")):
            return None
        if (day := serial_day(cell)) is not None:
            return day
        span = span_of(cell, self.today, month_first=self.columns.month_first)
        self.draft.guesses += guess_of_year(cell, self.today)
        if span is None:
            named = self.raw.get(f"{name} named", cell)
            self.draft.misfit(named, f"it does not fit the column “{named.partition(':')[0]}”")
            return None
        return span.first if is_first else span.last

    def _misfit(self, name: str, effort: Effort | None) -> None:
        if self.raw.get(name, "").strip("0") and effort is None:
            self.draft.misfit(self.raw[f"{name} named"], "it is no duration")

    def _unit_of(self, name: str) -> str:
        """Return the unit of the numbers in a column, which its head may name: "worst case hours"."""
        head = self.raw.get(f"{name} named", "").partition(":")[0]
        return "h" if column_field(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", head).split(" ")[-1]) == "hours" else "day"

    def _effort(self) -> dict[str, Any]:
        """Return the effort: one duration, or low, likely and high; each in its own column, or all in one."""
        cell = self.raw.get("effort", "")
        given = _effort(cell, self.columns.unit) if cell else None
        self._misfit("effort", given)
        if given is not None and not given.high:  # as spreadsheets write a day on which something is there
            return {"milestone": True, "duration": None}
        low, high = (effort_of(self.raw.get(name, ""), unit=self._unit_of(name)) for name in ("low", "high"))
        for name, unit in _UNITS.items():
            if given is None and self.raw.get(name):
                given = effort_of(self.raw[name], unit=unit)
                self._misfit(name, given)
        if given is not None and low is not None and high is not None:
            return {"effort": Effort(low.likely, given.likely, high.likely)}
        is_clear = all(re.search(r"[^\W\d_]", self.raw.get(name, "")) for name in ("low", "high"))
        if given is None and low is not None and high is not None and is_clear:
            return {"effort": Effort(low.likely, (low.likely + high.likely) / 2, high.likely)}
        for name, value in (("low", low), ("high", high)):
            self._misfit(name, value)
            if value is not None:
                head, _, cell = self.raw[f"{name} named"].partition(": ")
                self._keep_foreign_field(head, cell)
                self.draft.guesses.append(
                    f"column “{head}” is an end of a range without its middle or its unit, kept with the steps"
                )
        return {"effort": given} if given is not None else {}


_UNITS = {"hours": "h", "minutes": "min", "weeks": "w"}


def _effort(cell: str, unit: str) -> Effort | None:
    """Return the effort of a cell: one duration, or low, likely and high."""
    if unit == "s" and cell.isdecimal():
        days = int(cell) / _SECONDS_A_DAY
        return Effort(days, days, days) if days else None
    parts = [effort_of(part, unit=unit) for part in cell.split(",")]
    if len(parts) == 3 and parts[0] and parts[1] and parts[2]:
        return Effort(parts[0].likely, parts[1].likely, parts[2].likely)
    return effort_of(cell, unit=unit)
