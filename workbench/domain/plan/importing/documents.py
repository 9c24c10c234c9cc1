"""Markdown of any shape, and plain text, as a plan.

lines ─▶ blocks ─▶ outline ─▶ judgement ─▶ each block, in order: steps · items of a section · prose
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from workbench.domain.plan.importing.assembly import Assembly, SectionDraft, without_marks
from workbench.domain.plan.importing.document import (
    Block,
    Entry,
    Listing,
    Paragraph,
    Table,
    Verbatim,
    blocks_of,
    end_of,
    lines_of,
)
from workbench.domain.plan.importing.drafts import StepDraft
from workbench.domain.plan.importing.entries import StepReader
from workbench.domain.plan.importing.gantt import GanttReader
from workbench.domain.plan.importing.headings import is_name, plain, topic_of
from workbench.domain.plan.importing.imported import Format, Imported
from workbench.domain.plan.importing.items import TITLES, ItemReader, aside_of
from workbench.domain.plan.importing.judgement import MOST_ARE_GROUPS, Judgement, below, has_boxes, judge, task_headings
from workbench.domain.plan.importing.marks import has_id
from workbench.domain.plan.importing.markups import as_markdown, title_of
from workbench.domain.plan.importing.names import Names
from workbench.domain.plan.importing.outline import Head, outline_of
from workbench.domain.plan.importing.requests import ACTION, QUESTION, asked, is_planned, is_request, says_what
from workbench.domain.plan.importing.rows import Columns, RowReader
from workbench.domain.plan.importing.values import status_of
from workbench.domain.plan.importing.words import words
from workbench.domain.plan.importing.work import begins_with_verb, is_statement, share

_SENTENCE = re.compile(r"[^\s].*?(?:[.!?](?=\s+[^\sa-z])|$)|\S.*", re.DOTALL)
_ID_BEFORE = re.compile(r"^[A-Z]{1,4}-?\d+\s+")
_NO_WORK = re.compile(
    r"\W*(?:off|free|closed|(?:lunch|coffee)(?: break)?|break|dinner|holidays?|rest(?: day)?|frei|pause"
    r"|mittag\w*|feiertag)(?:\s*[,.;!(\[–-].*)?",
    re.IGNORECASE,
)
"""Times of a schedule in which nothing is done."""
_SHORT_BEGINNING = 30
"""Characters of a sentence at the end of a line that hold its subject alone."""
_FEWEST_PLANNED = 3
"""Sentences that say what comes next in a text that tells a plan."""


def read_document(assembly: Assembly, names: Names, today: date, how: Format) -> Imported:
    """Return the plan of a document."""
    lines = list(assembly.lines)
    first = _skip_front_matter(assembly, lines)
    blanked = ["" if number < first else line for number, line in enumerate(lines)]
    assembly.title = assembly.title or title_of(blanked)
    for number, line in enumerate(blanked):
        if (sign := re.match(r"h[1-6]\. ", line)) is not None:  # a heading as wikis write it
            assembly.says(number, line[sign.end() :])
    markdown = as_markdown(blanked)
    for number, (line, shown) in enumerate(zip(blanked, markdown, strict=True)):
        if line != shown and re.match(r"\s*[xo] ", line):  # a mark before a task that is done
            assembly.says(number, without_marks(shown))
    root = outline_of(blocks_of(markdown))
    judgement = judge(root)
    return _Reader(assembly, names, today, root, judgement).read(how)


def _skip_front_matter(assembly: Assembly, lines: Sequence[str]) -> int:
    """Keep what stands between two lines of dashes at the top; return the first line after it."""
    if not lines or lines[0].strip() != "---":
        return 0
    end = next((number for number, line in enumerate(lines[1:100], start=1) if line.strip() == "---"), 0)
    if end:
        section = assembly.section("about-this-file", "About this file")
        assembly.prose(section, 1, end)
        title = next((line.partition(":")[2] for line in lines[1:end] if line.casefold().startswith("title:")), "")
        assembly.title = title.strip(" \"'")
    return end + 1 if end else 0


class _Reader:
    """Reads one document."""

    def __init__(self, assembly: Assembly, names: Names, today: date, root: Head, judgement: Judgement) -> None:
        self._assembly = assembly
        self._names = names
        self._today = today
        self._root = root
        self._judgement = judgement
        self._items = ItemReader(assembly, names, today)
        self._steps = StepReader(assembly, names, today)
        self._written: set[int] = set()
        """Identities of the headings that have a place."""
        self._prose_head: dict[str, Head] = {}
        """By section, the heading below which its text goes on."""
        self._homes: dict[int, SectionDraft] = {}
        self._heads = [head for head in root.walk() if head.line >= 0]
        self._tells_plan = False
        """Whether the document is a text whose sentences say what is done next."""
        self._with_steps: set[int] = set()
        """Identities of the headings that are steps, or have steps below them."""
        self._heads_as_steps: set[int] = set()
        self._steps_head: Head | None = None
        """The heading that titles the section of the steps."""

    def read(self, how: Format) -> Imported:
        """Read the whole document."""
        self._heads_as_steps = task_headings(self._heads, self._judgement)
        if not self._heads_as_steps and not self._judgement.has_steps:
            self._tells_plan = self._is_told()
            if not self._tells_plan and not any(self._requests()):
                self._judgement.accept_best()
        self._with_steps = set(self._judgement.has_steps)
        for head in self._heads:
            if id(head) in self._heads_as_steps:
                self._with_steps |= {id(one) for one in head.trail}
        self._steps_head = self._find_steps_head()
        self._head(self._root)
        return self._assembly.build(how)

    # --- headings -----------------------------------------------------------------------------------------------------

    def _requests(self) -> Iterator[str]:
        """Yield the lines of text that ask for something."""
        blocks = (block for head in self._root.walk() for block in head.blocks)
        yield from (text for block in blocks for text in _texts(block) if is_request(text))

    def _is_told(self) -> bool:
        """Tell whether the sentences of a document say what is done next: three of them, or most of a single line."""
        sentences = [
            (sentence, is_planned(sentence))
            for head in self._root.walk()
            if self._is_of_work(head)
            for block in head.blocks
            for text in _texts(block)
            for sentence in _SENTENCE.findall(text)
        ]
        planned = sum(is_step for _, is_step in sentences)
        return planned >= _FEWEST_PLANNED or (len(self._assembly.lines) == 1 and 2 * planned >= len(sentences))

    def _head(self, head: Head) -> None:
        """Read a heading and what stands below it."""
        if head.line >= 0 and id(head) not in self._heads_as_steps:
            self._assembly.fate(head.line, "heading")
        if head.is_title:
            self._assembly.title = re.sub(r"\*\*|__|`", "", head.name)
            self._written.add(id(head))
        if id(head) in self._heads_as_steps:
            self._step_head(head)
            return
        subject = head.subject
        if subject.kind == "section" and subject.section in TITLES and head.topic == subject:
            self._begin_section(head)
        for part in head.parts:
            if isinstance(part, Head):
                self._head(part)
            else:
                self._block(part, head)
        if head.line >= 0 and id(head) not in self._written:
            home = self._home(head)
            if id(head) not in self._written:
                self._write_heading(head, home)

    def _begin_section(self, head: Head) -> None:
        """Let a heading be the title of one of our sections."""
        section_id = TITLES_ID.get(head.topic.section, head.topic.section)
        if section_id == "milestones" or self._judgement.is_work(head):
            return
        is_new = not self._assembly.has_section(section_id)
        section = self._assembly.section(section_id, head.name or TITLES[head.topic.section])
        self._homes[id(head)] = section
        if is_new:
            section.is_heading = True
            self._written.add(id(head))
            self._prose_head[section.id] = head

    def _step_head(self, head: Head) -> None:
        """Read a heading that is a step, and what stands below as its fields, parts and notes."""
        self._written.add(id(head))
        above = head.parent
        draft = self._steps.from_text(head.line, head.name, workstream=self._workstream(above) if above else "")
        section = self._steps_section()
        if self._assembly.step(draft, section) is None:
            return
        self._steps.give_parts(draft, head, section)

    def _home(self, head: Head) -> SectionDraft:
        """Return the section that the text below a heading belongs to."""
        trail = head.trail
        for one in reversed(trail):
            if id(one) in self._homes:
                return self._homes[id(one)]
        if not trail:
            return self._assembly.section("introduction", "Introduction")
        if id(trail[0]) in self._with_steps:
            return self._steps_section()
        top = trail[0]
        section = self._assembly.own_section(top.name)
        self._homes[id(top)] = section
        if section.title == top.name:
            section.is_heading = True
            self._written.add(id(top))
            self._prose_head.setdefault(section.id, top)
        return section

    def _steps_section(self) -> SectionDraft:
        """Return the section of the steps."""
        head = self._steps_head
        if head is None or self._assembly.has_section("steps"):
            return self._assembly.section("steps", "Steps")
        self._written.add(id(head))
        self._prose_head["steps"] = head
        return self._assembly.section("steps", head.name)

    def _find_steps_head(self) -> Head | None:
        """Return the one heading right below the title that all steps stand below, where it says that they do."""
        tops = [one for head in self._root.heads for one in (head.heads if head.is_title else [head])]
        works = [one for one in tops if id(one) in self._with_steps]
        is_direct = any(
            id(block)
            for head in (self._root, *self._root.heads)
            if head is self._root or head.is_title
            for block in head.blocks
            if isinstance(block, Listing | Table) and self._judgement.role(block) == "steps"
        )
        return works[0] if len(works) == 1 and works[0].topic.kind == "work" and not is_direct else None

    def _workstream(self, head: Head) -> str:
        """Return the headings above steps as one name."""
        self._steps_section()
        names: list[str] = []
        for one in head.trail:
            if one is self._steps_head:
                continue
            if len(words(one.name)) > 10 or len(one.name) > 90:
                continue
            self._written.add(id(one))
            names.append(" ".join(re.sub(r"\*\*|__|`", "", one.name).split()))
        return " / ".join(names)

    def _write_heading(self, head: Head, section: SectionDraft) -> None:
        """Put a heading into the text of a section."""
        self._written.add(id(head))
        if section.prose and section.prose[-1]:
            section.prose.append("")
        text = self._assembly.lines[head.line].strip() if head.is_lead else f"### {head.name}"
        section.prose.append(text)
        self._prose_head[section.id] = head

    # --- blocks -------------------------------------------------------------------------------------------------------

    def _block(self, block: Block, head: Head) -> None:
        match block:
            case Listing():
                self._listing(block, head)
            case Table():
                self._table(block, head)
            case Paragraph():
                self._text(block, head)
            case Verbatim(kind="rule"):
                return
            case Verbatim(first, last, kind):
                if kind == "mermaid" and self._is_chart(first):
                    self._assembly.fate(first, "heading")
                    self._assembly.says(first, "")
                    GanttReader(self._assembly, self._names, self._today).read(first + 1, last)
                else:
                    self._prose(head, first, last)
            case _:
                return

    def _is_chart(self, first: int) -> bool:
        """Tell whether a fence holds a Gantt chart that is the only place with steps."""
        lines = (line.strip() for line in self._assembly.lines[first + 1 : first + 4])
        return not self._with_steps and next((line.startswith("gantt") for line in lines if line), False)

    def _prose(self, head: Head, first: int, last: int) -> None:
        """Add lines to the text of the section they belong to, below their heading."""
        section = self._home(head)
        if self._prose_head.get(section.id) is not head and head.line >= 0 and not head.is_title:
            self._write_heading(head, section)
        self._assembly.prose(section, first, last)

    def _text(self, block: Paragraph, head: Head) -> None:
        """Read a paragraph: sentences that say what is to be done are steps, a labelled line is an item."""
        if len(block.lines) == 1 and not is_request(block.text) and self._items.from_label(block.lines[0], head):
            return
        sentences = list(self._sentences(block, head))
        is_section = head.subject.kind == "section"
        signed = [(text, lines) for _, text, lines in sentences if text.startswith("--")]
        if len(sentences) == 1 + len(signed) and QUESTION.fullmatch(sentences[0][1]) and not is_section:
            self._items.aside(sentences[0][1].lstrip(": "), sentences[0][2], before="questions")
            for text, lines in signed:
                self._assembly.text(self._assembly.section("questions", TITLES["questions"]), text, lines)
            return
        planned = sum(is_step for is_step, _, _ in sentences)
        if self._tells_plan and 2 * planned >= len(sentences) > 2:
            sentences = [(is_step or says_what(text), text, lines) for is_step, text, lines in sentences]
        questions = {text for _, text, _ in sentences if QUESTION.fullmatch(text) and not is_request(text)}
        questions = questions if self._tells_plan else set()
        has_asides = bool(questions) or any(
            aside_of(text)[0] not in ("", head.subject.section) for _, text, _ in sentences
        )
        if not has_asides and not any(is_step for is_step, _, _ in sentences):
            self._prose(head, block.lines[0].number, block.lines[-1].number + 1)
            return
        workstream, home = self._workstream(head), self._home(head)
        role = ""
        told: list[StepDraft] = []
        for is_step, text, lines in sentences:
            if self._tells_plan and self._steps.more_of(told, text, lines):
                continue
            if has_asides and (
                role := self._items.aside(text, sorted(lines), "questions" if text in questions else role)
            ):
                continue
            told = []
            if is_step and self._tells_plan and not ACTION.match(text):
                told = self._steps.from_sentence(lines[0], text, workstream=workstream)
            elif is_step:
                told = [self._steps.from_text(lines[0], text, workstream=workstream)]
            told = [draft for draft in told if self._assembly.step(draft, self._steps_section()) is not None]
            if not told:
                self._assembly.text(home, text, lines)
            for line in lines[1:] if told else ():
                self._assembly.fate(line, "field", told[0])

    def _sentences(self, block: Paragraph, head: Head) -> Iterator[tuple[bool, str, list[int]]]:
        """Yield the sentences of a text: whether each is a step, its text, its lines, that of its verb first."""
        text = "\n".join(line.text for line in block.lines)
        for match in _SENTENCE.finditer(text):
            first = text.count("\n", 0, match.start())
            lines = [line.number for line in block.lines[first : first + match[0].count("\n") + 1]]
            sentence = " ".join(match[0].split())
            is_named = bool(asked(sentence, self._names)[0]) or ACTION.match(sentence) is not None
            is_step = (is_request(sentence) and (is_named or not self._judgement.has_steps)) or (
                self._tells_plan and self._is_of_work(head) and is_planned(sentence)
            )
            if is_step and len(lines) > 1 and len(match[0].split("\n")[0]) < _SHORT_BEGINNING:
                lines = [*lines[1:], lines[0]]
            yield is_step, sentence, lines

    @staticmethod
    def _is_of_work(head: Head) -> bool:
        return head.subject.kind != "section"

    def _table(self, table: Table, head: Head) -> None:
        role = self._judgement.role(table)
        if role == "steps":
            section = self._steps_section()
            workstream = self._workstream(head)
            cells = [row.cells for row in table.rows]
            reader = RowReader(
                self._assembly, Columns.of(table.head.cells, cells, self._assembly), self._names, self._today
            )
            self._assembly.name_columns(section, table.head.line, table.head.cells)
            days = head.days(self._today)
            for row in table.rows:
                if reader.step(row.line, row.cells, section, workstream=workstream, days=days) is None:
                    self._assembly.prose(section, row.line, row.line + 1)
            return
        if role in ("risks", "questions", "decisions") and self._items.from_table(
            table, role, self._home_of(role, head)
        ):
            return
        self._prose(head, table.head.line, end_of(table))

    def _home_of(self, role: str, head: Head) -> SectionDraft:
        if head.subject.section == role:
            return self._home(head)
        return self._assembly.section(TITLES_ID.get(role, role), TITLES[role])

    def _listing(self, listing: Listing, head: Head) -> None:
        role = self._judgement.role(listing)
        if role == "steps":
            self._step_list(listing, head)
        elif role in TITLES and role not in ("goal", "milestones"):
            section = self._home_of(role, head)
            if (
                head.subject.section == role
                and self._prose_head.get(section.id) is not head
                and id(head) not in self._written
            ):
                self._write_heading(head, section)
            for entry in listing.entries:
                self._items.from_entry(entry, role, section)
        else:
            self._other_list(listing, head)

    def _other_list(self, listing: Listing, head: Head) -> None:
        """Read a list that is no work: lines of text one by one, entries with bullets as they stand."""
        if listing.is_loose:
            for line in lines_of(listing):
                self._text(Paragraph((line,)), head)
            return
        for entry in listing.entries:
            is_told = head.subject.kind != "context" or is_request(entry.whole)
            at = [entry.line, *(line.number for line in entry.more)]
            if not entry.blocks and self._items.aside(entry.whole, at):
                continue
            if ACTION.match(entry.whole) or (is_told and asked(entry.whole, self._names)[0]):
                self._steps.from_entry(entry, self._steps_section(), workstream=self._workstream(head), listing=listing)
            else:
                self._prose(head, entry.line, end_of(entry))

    def _step_list(self, listing: Listing, head: Head, above: str = "") -> None:
        """Read a list of steps; entries that only name a group of boxes are headings."""
        section = self._steps_section()
        workstream = " / ".join(filter(None, (self._workstream(head), above)))
        are_named = share([entry.whole for entry in listing.entries], has_id) > 0.5
        boxes = sum(entry.box is not None and not entry.is_pictured for entry in listing.entries)
        groups = share(listing.entries, lambda entry: any(below(entry)) and is_name(entry.whole)) >= MOST_ARE_GROUPS
        is_boxed = 2 * boxes >= len(listing.entries)
        is_led = share([entry.whole for entry in listing.entries], begins_with_verb) >= 0.6
        days = head.days(self._today)
        day = days[0] if days and days[0] == days[1] else None
        state = status_of(re.split(r" (?:in|on|since) ", plain(head.name))[0]) if head.topic.kind == "work" else None
        is_work = any(one.topic.kind == "work" for one in head.trail)
        is_milestone = head.subject.section == "milestones" and "task" not in head.name.casefold()
        for entry in listing.entries:
            is_lead = entry.whole.endswith(":") and entry.box is None and any(below(entry))
            has_named_boxes = not boxes and any(map(has_boxes, below(entry))) and not begins_with_verb(entry.whole)
            is_group = any(below(entry)) and is_name(entry.whole) and (groups or topic_of(entry.whole).is_work)
            if has_named_boxes or is_lead or (is_group and entry.box is None):
                self._assembly.fate(entry.line, "heading")
                for line in entry.more:
                    self._assembly.fate(line.number, "heading")
                name = re.sub(r"\*\*|__", "", entry.whole).strip(" :")
                for block in entry.blocks:
                    if isinstance(block, Listing):
                        self._step_list(block, head, f"{above} / {name}".strip(" /"))
                    else:
                        self._block(block, head)
                continue
            at = [entry.line, *(line.number for line in entry.more)]
            if entry.box is None and not entry.blocks and self._items.aside(entry.whole, at):
                continue
            if QUESTION.fullmatch(_ID_BEFORE.sub("", entry.whole)) and entry.box is None:
                self._items.from_entry(entry, "questions", self._assembly.section("questions", TITLES["questions"]))
                continue
            if (are_named and entry.box is None and not has_id(entry.whole)) or self._is_no_step(
                entry, is_boxed=is_boxed, is_led=is_led, is_work=is_work
            ):
                self._prose(head, entry.line, end_of(entry))
                continue
            self._steps.from_entry(
                entry, section, workstream=workstream, listing=listing, is_milestone=is_milestone, day=day, state=state
            )

    def _is_no_step(self, entry: Entry, *, is_boxed: bool, is_led: bool, is_work: bool) -> bool:
        """Tell whether an entry in a list of steps is none; ``is_led``: whether the others begin with verbs."""
        if not re.search(r"\w", entry.whole):
            return True
        if entry.box is not None:
            return False
        if _NO_WORK.fullmatch(entry.whole):
            return True
        if is_boxed and not (begins_with_verb(entry.whole) or ACTION.match(entry.whole)):
            return not is_work or is_statement(entry.whole)
        if self._items.is_field(entry):
            return True
        return is_led and is_statement(entry.whole)


def _texts(block: Block) -> list[str]:
    """Return a paragraph as one text, and lines of text one by one."""
    if isinstance(block, Paragraph):
        return [block.text]
    return [line.text for line in lines_of(block)] if isinstance(block, Listing) and block.is_loose else []


TITLES_ID: dict[str, str] = {"wont": "scope", "milestones": "steps"}
