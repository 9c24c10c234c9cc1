"""Markdown and text of any shape as a plan: what is a step is told by structure, and everything else stays as it is.

a check box, anywhere                           ─▶ step
a list below "Tasks", "Phase 1", a numbered one ─▶ steps
the only lists of a document                    ─▶ steps
a heading with fields below: "Owner: Anna"      ─▶ step
a list below "Risks", "Open questions" …        ─▶ items
anything else                                   ─▶ text, whole
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from itertools import pairwise

from msgspec import Struct

from workbench.domain.plan.importing.assembly import Assembly, SectionDraft, without_marks
from workbench.domain.plan.importing.drafts import StepDraft
from workbench.domain.plan.importing.formats.delimited import read_rows, table_in
from workbench.domain.plan.importing.formats.gantt import GanttReader
from workbench.domain.plan.importing.formats.org import as_markdown, is_org, title_of
from workbench.domain.plan.importing.formats.tables import is_work
from workbench.domain.plan.importing.imported import Format, Imported
from workbench.domain.plan.importing.lines.blocks import (
    Block,
    Entry,
    Heading,
    Line,
    Listing,
    Other,
    Paragraph,
    Table,
    blocks_of,
)
from workbench.domain.plan.importing.lines.entries import StepReader, field_in
from workbench.domain.plan.importing.lines.headings import PROSE, STEPS, TITLES, name_of, role_of, state_of
from workbench.domain.plan.importing.lines.items import KINDS, constraint_of, fields_of_table, item_of, item_of_row
from workbench.domain.plan.importing.lines.labels import column_field, label_of
from workbench.domain.plan.importing.lines.marks import has_id
from workbench.domain.plan.importing.lines.values import has_day
from workbench.domain.plan.importing.words import bare
from workbench.domain.plan.plan import Bullet, Constraint
from workbench.domain.text.patterns import lazy_pattern

_LONGEST_FRONT = 60
"""Lines of front matter."""
_LONGEST_TASK = 100
"""Characters of a line that can be a task in a text without any marks."""
_ABOVE_A_LIST = 9
"""The level of a line of text that ends with a colon above a list."""
_FIELDS_OF_A_HEADING = frozenset({"owner", "deadline", "effort", "needs", "status", "start", "cost"})


class Head(Struct, eq=False):
    """A heading, and what the lines below it are."""

    level: int
    line: int
    name: str
    role: str
    """Its own, or that of the heading it is below."""
    is_title: bool = False
    is_told: bool = False
    """Whether its name is in the plan."""


def read_document(begin: Callable[[], Assembly], today: date, how: Format) -> Imported:
    """Return the plan of Markdown, or of text; ``begin`` returns an assembly in which nothing is yet."""
    parsed: list[Block] = []
    for all_are_steps in (False, True):
        assembly = begin()
        _Reader(assembly, today, parsed, are_named=how == "spec-kit", all_are_steps=all_are_steps).read()
        if assembly.steps:
            break
    return assembly.build(how)


class _Reader:
    """Reads one document."""

    def __init__(
        self, assembly: Assembly, today: date, parsed: list[Block], *, are_named: bool, all_are_steps: bool
    ) -> None:
        """Read nothing yet. ``parsed``: the blocks of the document, once it was read.

        ``are_named``: whether steps have ids, so that boxes in a list without any are none.

        ``all_are_steps``: whether lists below headings that say nothing are steps, because no other lines are.
        """
        self._assembly = assembly
        self._today = today
        self._parsed = parsed
        self._are_named = are_named
        self._are_headings = False
        """Whether headings such as "Step 2" are the steps, so that boxes below others are none."""
        self._steps = StepReader(assembly, today)
        self._trail: list[Head] = []
        self._heads: list[Head] = []
        self._all_are_steps = all_are_steps
        self._repeated: frozenset[str] = frozenset()
        """Roles that several parts of the document have a heading of: "Deliverables" below each phase."""
        self._first_labels: set[tuple[int, str]] = set()
        """Levels of headings, and the label right below them, where several such have nothing but labels below them."""
        self._has_phases = False
        """Whether several headings are phases, below which its steps stand."""
        self._has_boxes = False
        """Whether the document marks its steps with boxes, so that a number is no sign of one."""

    def read(self) -> None:
        lines = self._assembly.lines
        if is_org(lines):
            lines = list(as_markdown(lines))
            for at, (line, written) in enumerate(zip(lines, self._assembly.lines, strict=True)):
                if line != written:
                    self._assembly.says(at, without_marks(line))
        else:
            lines = _with_common_marks(lines)
        self._assembly.title = title_of(self._assembly.lines)
        front = self._front_matter(lines)
        blocks = self._parsed
        if not blocks:
            blocks += blocks_of(["" if at < front else line for at, line in enumerate(lines)])
        if front:
            self._assembly.prose(self._assembly.section("introduction"), 0, front)
        heads = [block for block in blocks if isinstance(block, Heading) and _NUMBERED.match(block.text)]
        self._are_headings = self._steps.only_boxes = len(heads) > 1
        self._has_boxes = self._are_headings or any(isinstance(block, Listing) and block.has_boxes for block in blocks)
        self._repeated = self._repeated_roles(blocks)
        self._steps.labels = _labels_again(blocks)
        below = pairwise(blocks)
        labels = Counter((head.level, _first_label(one)) for head, one in below if isinstance(head, Heading))
        self._first_labels = {key for key, count in labels.items() if key[1] and count > 1}
        phases = [one for one in blocks if isinstance(one, Heading) and _PHASE.match(name_of(one.text))]
        self._has_phases = len(phases) > 1 and not self._has_boxes
        self._has_boxes = self._has_boxes or self._has_phases or bool(self._first_labels)
        if self._all_are_steps and _are_lines_of_tasks(blocks):
            self._lines_of_tasks(blocks)
            return
        at = 0
        while at < len(blocks):
            at += self._block(blocks, at)
        for head in self._heads:
            if not head.is_told and re.search(r"\w", head.name):
                self._assembly.own_section(head.name).is_heading = True

    def _front_matter(self, lines: Sequence[str]) -> int:
        """Return where the fields end that are between lines of dashes at the beginning; 0 if there are none."""
        if not lines or lines[0].rstrip() != "---":
            return 0
        end = next((at for at in range(1, min(len(lines), _LONGEST_FRONT)) if lines[at].rstrip() == "---"), 0)
        if end and all(re.match(r"\s|[\w-]+:|- |#", line) for line in lines[1:end] if line.strip()):
            return end + 1
        return 0

    # --- blocks -------------------------------------------------------------------------------------------------------

    def _block(self, blocks: Sequence[Block], at: int) -> int:
        """Read a block, and return how many were read with it."""
        block = blocks[at]
        match block:
            case Heading() if self._is_step(blocks, at):
                return self._step_with_heading(blocks, at)
            case Heading():
                self._heading(block)
            case Listing():
                self._listing(block)
            case Table():
                self._table(block)
            case Paragraph() if self._heads_a_list(blocks, at):
                for line in block.lines[:-1]:
                    self._line(line)
                last = block.lines[-1]
                self._heading(Heading(last.number, last.number + 1, _ABOVE_A_LIST, last.text.strip(" :")))
                self._block(blocks, at + 1)
                self._trail = [head for head in self._trail if head.level < _ABOVE_A_LIST]
                return 2
            case Paragraph():
                for line in block.lines:
                    self._line(line)
            case Other() if block.info.strip() == "mermaid":
                self._chart(block)
            case Other() if (table := self._sheet(block)) is not None:
                self._prose(block.line + 1, table.line)
                self._assembly.fate(block.line, "structure")
                self._assembly.fate(block.last - 1, "structure")
                self._table(table)
            case Other():
                self._prose(block.line, block.last)
        return 1

    @staticmethod
    def _heads_a_list(blocks: Sequence[Block], at: int) -> bool:
        """Tell whether the last line of a paragraph ends with a colon above a list, as headings of texts do."""
        block, below = blocks[at], blocks[at + 1] if at + 1 < len(blocks) else None
        if not isinstance(block, Paragraph) or not isinstance(below, Listing):
            return False
        return bool(re.fullmatch(r".{2,80}:\W*", block.lines[-1].text))

    @property
    def _head(self) -> Head:
        return self._trail[-1] if self._trail else Head(0, 0, "", "", is_title=True)

    def _heading(self, block: Heading) -> None:
        self._assembly.fates(range(block.line, block.last), "heading")
        self._trail = [head for head in self._trail if head.level < block.level]
        name, own = name_of(block.text) or block.text, role_of(block.text)
        is_title = not self._heads and not self._assembly.title and block.level < _ABOVE_A_LIST
        if is_title:
            self._assembly.title = block.text
        role = own or (STEPS if self._has_phases and _PHASE.match(name) else self._head.role)
        head = Head(block.level, block.line, block.text.strip(" *_"), role, is_title, is_title)
        self._trail.append(head)
        self._heads.append(head)
        if is_title and own != STEPS:
            head.role = own
        elif own == STEPS and not self._assembly.has_section(STEPS):
            self._assembly.section(STEPS, head.name or name)
            head.is_told = True
        elif own in TITLES and not self._risk_owner_heads():
            section = self._assembly.section("scope" if own == "wont" else own, head.name)
            head.is_told = section.title == head.name

    def _section(self) -> SectionDraft:
        """Return the section that text below the present heading belongs to."""
        head = self._head
        if whole := self._risk_owner_heads():
            for one in whole:
                one.is_told = True
            return self._assembly.own_section(" / ".join(one.name for one in whole))
        if head.role in TITLES:
            section = self._assembly.section("scope" if head.role == "wont" else head.role, TITLES[head.role])
            if not head.is_told:
                self._assembly.text(section, head.name, [])
            head.is_told = True
            return section
        if head.is_title:
            return self._assembly.section("introduction")
        head.is_told = True
        is_steps = head.role == STEPS and self._assembly.section(STEPS).title == head.name
        return self._assembly.section(STEPS) if is_steps else self._assembly.own_section(head.name)

    def _risk_owner_heads(self) -> list[Head]:
        """Return the headings that say whose risks or notes these are, where several parts have some."""
        if _kind(self._head.name, self._head.role) not in self._repeated:
            return []
        plain = [
            at
            for at, head in enumerate(self._trail)
            if not head.is_title and _kind(head.name, head.role) not in {*TITLES, *self._repeated}
        ]
        return self._trail[plain[-1] :] if plain else []

    def _repeated_roles(self, blocks: Sequence[Block]) -> frozenset[str]:
        """Return the roles of headings, or the words of those without any, that are below several other headings."""
        places: dict[str, set[int]] = {}
        trail: list[Heading] = []
        for at, block in enumerate(blocks):
            if isinstance(block, Heading):
                trail = [one for one in trail if one.level < block.level]
            elif not self._heads_a_list(blocks, at):
                continue
            text = block.text if isinstance(block, Heading) else _last_line(block).strip(" :")
            if (role := _kind(text, role_of(text))) != STEPS:
                places.setdefault(role, set()).add(
                    next((one.line for one in trail[::-1] if role_of(one.text) not in TITLES), -1)
                )
            if isinstance(block, Heading):
                trail.append(block)
        return frozenset(role for role, lines in places.items() if len(lines) > 1)

    def _workstream(self) -> str:
        """Return the names of the headings that steps are below."""
        section = self._assembly.section(STEPS)
        heads = [head for head in self._trail if not head.is_title and head.name != section.title]
        for head in heads:
            head.is_told = True
        return " / ".join(head.name for head in heads)

    def _prose(self, first: int, last: int) -> None:
        lines = self._assembly.lines
        if any(lines[at].strip() for at in range(first, last)):
            self._assembly.prose(self._section(), first, last)

    def _line(self, line: Line) -> None:
        """Read a line of text: a deadline, a budget, or text."""
        constraint = constraint_of(line.text, self._today) if self._head.role not in (PROSE, "budget") else None
        if constraint is None:
            self._prose(line.number, line.number + 1)
            return
        section = self._assembly.section("constraints")
        self._assembly.item(section, Constraint, line.number, **constraint)

    def _chart(self, block: Other) -> None:
        self._assembly.fates((block.line, block.last - 1), "structure")
        self._assembly.says(block.line, "")
        GanttReader(self._assembly, self._today).read(block.line + 1, block.last - 1)

    def _sheet(self, block: Other) -> Table | None:
        """Return the table of a block that says it is CSV, as each sheet of a workbook is."""
        return table_in(self._assembly.lines, block.line + 1, block.last - 1) if block.info.strip() == "csv" else None

    # --- lists --------------------------------------------------------------------------------------------------------

    def _listing(self, listing: Listing) -> None:
        role = self._head.role
        is_open = not role and ((listing.is_numbered and not self._has_boxes) or self._all_are_steps)
        if role in TITLES and role != "goal" and not listing.has_boxes:
            self._items(listing, role)
        elif role == STEPS or is_open or (listing.has_boxes and not self._is_checklist(listing)):
            if is_open and self._all_are_steps:
                self._assembly.guess("nothing in the file is marked as a task: the entries of its lists read as steps")
            self._step_list(listing, needs_box=not (role == STEPS or is_open), above="")
        else:
            self._prose(listing.line, listing.last)

    def _is_checklist(self, listing: Listing) -> bool:
        """Tell whether the boxes of a list are no steps, as the document's steps are told otherwise."""
        return self._are_headings or (self._are_named and not any(has_id(entry.text) for entry in listing.entries))

    def _items(self, listing: Listing, role: str) -> None:
        section = self._section()
        for entry in listing.entries:
            lines = [at for at in range(entry.line + 1, entry.last) if at not in entry.after]
            below = [self._assembly.lines[at].strip() for at in lines if at not in entry.wrapped]
            text = "\n".join([entry.text, *filter(None, below)])
            if not re.search(r"\w", text):
                self._assembly.prose(section, entry.line, entry.line + 1)
                continue
            kind, values = item_of(text, role, self._today)
            item = self._assembly.item(section, kind, entry.line, **values)
            self._assembly.fates(lines, "field", item)
            self._read_lines_after(entry)

    def _step_list(self, listing: Listing, *, needs_box: bool, above: str) -> None:
        """Read a list of steps; an entry without a box above boxes names a group of them."""
        workstream = " / ".join(filter(None, (self._workstream(), above)))
        for entry in listing.entries:
            is_group = (
                entry.box is None
                and entry.lists
                and (any(below.has_boxes for below in entry.lists) or entry.text.endswith(":"))
            )
            if is_group:
                self._group(entry, needs_box=needs_box, above=above)
            elif entry.box is None and (needs_box or not re.search(r"\w", entry.text) or self._is_field(entry)):
                self._prose(entry.line, entry.last)
            else:
                self._steps.read(entry, listing, workstream, state=state_of(self._head.name))
                self._read_lines_after(entry)

    def _is_field(self, entry: Entry) -> bool:
        """Tell whether an entry only says something of all: "Duration: 2 weeks"."""
        return field_in(entry.text) is not None and not entry.lists

    def _group(self, entry: Entry, *, needs_box: bool, above: str) -> None:
        self._assembly.fates((entry.line, *entry.wrapped, *(one.number for one in entry.more)), "heading")
        name = " / ".join(filter(None, (above, entry.text.replace("**", "").strip(" :"))))
        for block in entry.blocks:
            if isinstance(block, Listing):
                self._step_list(block, needs_box=needs_box, above=name)
            else:
                self._block([block], 0)
        self._read_lines_after(entry)

    def _read_lines_after(self, entry: Entry) -> None:
        for line in entry.after:
            self._prose(line, line + 1)

    # --- tables -------------------------------------------------------------------------------------------------------

    def _table(self, table: Table) -> None:
        role = self._head.role
        fields = fields_of_table(table.heads, role) if role in KINDS else None
        if fields is not None:
            self._items_of_table(table, role, fields)
        elif not (self._are_named and "id" not in map(column_field, table.heads)) and is_work(
            table.heads,
            [cells for _, cells in table.rows],
            role,
            is_named=role_of(self._head.name) == STEPS and not self._head.is_title,
        ):
            self._steps_of_table(table)
        elif role in TITLES and role != "goal":
            section = self._section()
            self._heads_of(section, table)
            for line, cells in table.rows:
                text = " · ".join(filter(None, cells))
                self._assembly.item(section, KINDS.get(role, Bullet), line, text=text)
        else:
            self._prose(table.line, table.last)

    def _items_of_table(self, table: Table, role: str, fields: Sequence[str]) -> None:
        section = self._section()
        self._heads_of(section, table)
        for line, cells in table.rows:
            values = item_of_row(table.heads, fields, cells)
            if re.search(r"\w", values.get("text", "")):
                self._assembly.item(section, KINDS[role], line, **values)
            else:
                self._assembly.prose(section, line, line + 1)

    def _steps_of_table(self, table: Table) -> None:
        workstream, section = self._workstream(), self._assembly.section(STEPS)
        self._heads_of(section, table)
        read_rows(
            self._assembly,
            table.heads,
            table.rows,
            self._today,
            last=table.last,
            above=workstream,
            keep=lambda _, line, following: self._prose(line, following),
        )

    def _heads_of(self, section: SectionDraft, table: Table) -> None:
        self._assembly.name_columns(section, table.line, table.heads)
        for line in range(table.line + 1, table.rows[0][0] if table.rows else table.line + 2):
            self._assembly.fate(line, "heading")

    # --- headings that are steps, lines that are steps ----------------------------------------------------------------

    def _is_step(self, blocks: Sequence[Block], at: int) -> bool:
        """Tell whether a heading is a step: fields of one stand right below it, and it names no section."""
        head, below = blocks[at], blocks[at + 1] if at + 1 < len(blocks) else None
        if not isinstance(head, Heading) or role_of(head.text):
            return False
        if at == 0:  # a title, unless others like it are steps
            others = [n for n in range(1, len(blocks)) if _is_as_high(blocks[n], head.level)]
            if not others or not all(self._is_step(blocks, n) for n in others):
                return False
        if self._are_headings and _NUMBERED.match(head.text):
            return True
        if head.level > 1 and _HEADING_ID.match(head.text):
            return True
        if (head.level, _first_label(below)) in self._first_labels:
            return True
        found = field_in(next(iter(_texts(below)), ""))
        if found is None or found[1] not in _FIELDS_OF_A_HEADING:
            return False
        is_number = found[1] in ("deadline", "start") and re.search(r"\d", found[2]) is not None
        return not is_number or has_day(found[2], self._today)  # "Target: 500 pages" is no day

    def _step_with_heading(self, blocks: Sequence[Block], at: int) -> int:
        """Read a heading with what is below it, up to the next one as high, as a step."""
        head = blocks[at]
        if not isinstance(head, Heading):
            return 1
        self._trail = [one for one in self._trail if one.level < head.level]
        numbered = _NUMBERED.match(head.text) if self._are_headings else None
        entry = Entry(head.line, head.last, head.text[numbered.end() :] if numbered else head.text)
        ends = (n for n in range(at + 1, len(blocks)) if _is_as_high(blocks[n], head.level) or self._is_step(blocks, n))
        end = next(ends, len(blocks))
        step = self._steps.read(entry, None, self._workstream())
        if numbered is not None:
            step.ids.append(numbered["number"])
            step.read.append(numbered[0])
        for block in blocks[at + 1 : end]:
            self._steps.below(step, block)
        return end - at

    def _lines_of_tasks(self, blocks: Sequence[Block]) -> None:
        """Read a text without any marks: each line is a task; a first one that stands alone is the title."""
        paragraphs = [block.lines for block in blocks if isinstance(block, Paragraph)]
        if len(paragraphs) > 1 and len(paragraphs[0]) == 1:
            self._assembly.title = paragraphs[0][0].text
            self._assembly.fate(paragraphs[0][0].number, "heading")
            paragraphs = paragraphs[1:]
        self._assembly.guess("a text of short lines: each read as a step")
        lines = [line for paragraph in paragraphs for line in paragraph]
        depths = [len(text) - len(text.lstrip()) for text in (self._assembly.lines[line.number] for line in lines)]
        margin, workstream, above = min(depths), "", (0, StepDraft(0, ""))
        for at, (line, depth) in enumerate(zip(lines, depths, strict=True)):
            if depth == margin and at + 1 < len(lines) and depths[at + 1] > depth:
                workstream = line.text
                self._assembly.fate(line.number, "heading")
                continue
            workstream = workstream if depth > margin else ""
            is_part = bool(above[1].title) and above[0] < depth and above[1].workstream == workstream
            entry = Entry(line.number, line.number + 1, line.text)
            parent = above[1] if is_part else None
            step = self._steps.read(entry, None, workstream, parent=parent)
            above = above if is_part else (depth, step)


_BULLET = lazy_pattern(r"^(\s*)[•·◦▪‣–—](?=\s+\S)")
_BARE_BOX = lazy_pattern(r"^(\s*)(?=\[(?:[ xX/]?| {2,3}|\.{2,3})\] )")
_LETTERED = lazy_pattern(r"\s*\([A-Z]\) +\S")
_UNMARKED = lazy_pattern(r"(\s*)(?![-*+#>|]|\d+[.)] )(?:\(([A-Z])\) +)?(\S(?:.*[^\s:])?)\s*")


def _with_common_marks(lines: Sequence[str]) -> list[str]:
    """Return lines with the bullets and boxes of Markdown: ``• Pack`` and ``[ ] Pack`` are entries, too.

    Where a third of the lines have a letter, ``(A) Pack``, each line without another mark is an entry.
    """
    lines = [_BARE_BOX.sub(r"\1- ", _BULLET.sub(r"\1-", line)) for line in lines]
    lettered = sum(1 for line in lines if _LETTERED.match(line))
    if lettered < 2 or 3 * lettered < sum(1 for line in lines if line.strip()):
        return lines
    return [_lettered(found) if (found := _UNMARKED.fullmatch(line)) else line for line in lines]


def _lettered(line: re.Match[str]) -> str:
    margin, letter, text = line.groups()
    return f"{margin}- {text}{f' [priority:: {letter}]' if letter else ''}"


_HEADING_ID = lazy_pattern(r"(?:[A-Z]{2,9}-\d{1,6}|T\d{3,6})\b")
"""What trackers call a task."""


_NUMBERED = lazy_pattern(
    r"\W{0,5}(?:step|task|schritt|aufgabe)\s{0,3}"
    r"(?P<number>\d{1,4}(?:\.\d{1,4}){0,4})[\s:.)–—-]{1,5}(?=\S)",
    re.IGNORECASE,
)
"""How a heading begins that is a step."""


_PHASE = lazy_pattern(
    r"(?:phase|stage|sprint|iteration|milestone|week|day|month|etappe|meilenstein|woche|tag|monat|kw|m|"
    r"fase|etapa|étape|semaine|semana|フェーズ)\s?\d{1,3}\b",
    re.IGNORECASE,
)
"""How a heading begins that is a stretch of a plan."""


def _labels_again(blocks: Sequence[Block]) -> frozenset[str]:
    """Return the labels that stand below several entries of lists."""
    entries = [entry for block in blocks if isinstance(block, Listing) for entry in block.entries]
    below = [[label_of(one.text) for listed in entry.lists for one in listed.entries] for entry in entries]
    counts = Counter(name for labels in below for name in {label[0] for label in labels if label is not None})
    return frozenset(name for name, count in counts.items() if count > 1)


def _kind(name: str, role: str) -> str:
    """Return what makes two headings alike: the section that they name, or their words."""
    return role if role in (STEPS, *TITLES) else bare(name)


def _is_as_high(block: Block, level: int) -> bool:
    return isinstance(block, Heading) and block.level <= level


def _last_line(block: Block) -> str:
    return block.lines[-1].text if isinstance(block, Paragraph) else ""


def _texts(block: Block | None) -> Iterator[str]:
    if isinstance(block, Paragraph):
        yield from (line.text for line in block.lines)
    elif isinstance(block, Listing) and not block.has_boxes:
        yield from (entry.text for entry in block.entries)


def _first_label(block: Block | None) -> str:
    """Return the first label of a block in which each line has one, and one of them is a field; "" for another."""
    labels = [label_of(text) for text in _texts(block)]
    return (
        labels[0][0]
        if labels and labels[0] and all(labels) and any(one and one[1] in _FIELDS_OF_A_HEADING for one in labels)
        else ""
    )


def _are_lines_of_tasks(blocks: Sequence[Block]) -> bool:
    """Tell whether a text has no marks, and only short lines that end without a stop."""
    lines = [line.text for block in blocks if isinstance(block, Paragraph) for line in block.lines]
    are_short = all(len(line) <= _LONGEST_TASK and line[-1:] not in ".:;!?," for line in lines)
    return len(lines) > 1 and are_short and all(isinstance(block, Paragraph) for block in blocks)
