"""The blocks of a document below their headings, and what these say about them.

blocks ─▶ Head (title) ─▶ Head "Phase 1" ─▶ Head "Tasks:" (a line above a list is a heading, too) ─▶ blocks
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import groupby, pairwise

from workbench.domain.plan.importing.document import (
    Block,
    Entry,
    Heading,
    Line,
    Listing,
    Paragraph,
    Table,
    are_separate,
    lines_of,
    of_paragraph,
)
from workbench.domain.plan.importing.headings import OPEN, UNIT, Topic, plain, topic_of
from workbench.domain.plan.importing.labels import label_of
from workbench.domain.plan.importing.requests import is_request
from workbench.domain.plan.importing.words import words
from workbench.domain.plan.importing.work import begins_with_verb, share
from workbench.domain.values.reader import read_values as read_facts

_LEAD = 90
"""Level of a heading that is a line above a list."""
_UNIT_LEAD = 89
"""Level of one that names a phase."""
_MOST_LEAD_WORDS = 12
_MOST_TITLE_WORDS = 6
"""Words of a line that heads a text."""
_BARE_TODO = re.compile(r"to-?do (?:before|for|until|in|after)\b", re.IGNORECASE)
_FEWEST_LINES = 3
"""Paragraphs of a line each that are a list."""
_STRONG = frozenset({"risks", "questions", "decisions", "wont", "criteria", "people"})
"""Sections whose headings say what stands below, whatever headings stand between."""


_LONGEST = 1_000
"""Characters of a heading in which its days are looked for."""


@dataclass(slots=True, eq=False)
class Head:
    """A heading with what stands below it."""

    level: int
    text: str
    line: int
    """Of the heading; -1 for the document itself."""
    topic: Topic
    parent: Head | None
    parts: list[Block | Head] = field(default_factory=list)
    """Blocks and further headings, in order."""
    is_title: bool = False
    is_split: bool = False
    """Whether it is the first of lines of text, and the others stand below it."""

    @property
    def is_lead(self) -> bool:
        """Whether it is a line above a list, and no heading of Markdown."""
        return self.level >= _UNIT_LEAD

    @property
    def name(self) -> str:
        """Its text without emphasis and colon."""
        return re.sub(r"\*\*|__|^#+ |\s+#+$", "", self.text).strip(" :*_")

    @property
    def blocks(self) -> list[Block]:
        """What stands right below it."""
        return [part for part in self.parts if not isinstance(part, Head)]

    @property
    def heads(self) -> list[Head]:
        """The headings right below it."""
        return [part for part in self.parts if isinstance(part, Head)]

    def walk(self) -> Iterator[Head]:
        """Yield it and all headings below it, in order."""
        yield self
        for head in self.heads:
            yield from head.walk()

    @property
    def trail(self) -> list[Head]:
        """The headings above it and itself, from the top; without the document and its title."""
        above = self.parent.trail if self.parent is not None else []
        return above if self.line < 0 or self.is_title else [*above, self]

    def days(self, today: date) -> tuple[str, str] | None:
        """Return the first and the last day that it, or the nearest heading above with a date, names."""
        for head in reversed(self.trail):
            bracket = re.search(r"\(([^()]*)\)", head.text)
            for text in filter(None, (bracket and bracket[1], re.split(r"\s[–—-]\s|:", head.text)[-1], head.text)):
                for fact in read_facts(text[:_LONGEST], today) if re.search(r"\d", text) else ():
                    if fact.type == "date" and fact.value.first and fact.value.last and not fact.value.recurs:
                        return fact.value.first, fact.value.last
        return None

    @property
    def subject(self) -> Topic:
        """What it says together with the headings above it."""
        trail = self.trail
        for head in trail:
            if head.topic.section in _STRONG:
                return head.topic
        said = [head.topic for head in trail if head.topic != OPEN]
        return said[-1] if said else OPEN


def outline_of(blocks: Sequence[Block]) -> Head:
    """Return the document as a tree of headings."""
    blocks = _arranged(blocks)
    root = Head(0, "", -1, OPEN, None)
    current = root
    lone_title = _title(blocks)
    for at, block in enumerate(blocks):
        if isinstance(block, Heading):
            current = _below(current, block.level)
            head = Head(block.level, block.text, block.first, topic_of(block.text), current, is_split=block.is_lead)
            head.is_title = block is lone_title
            current.parts.append(head)
            current = head
            continue
        following = blocks[at + 1] if at + 1 < len(blocks) else None
        if (text := _lead(block, following)) is not None:
            topic = topic_of(text)
            level = _UNIT_LEAD if topic == UNIT else _LEAD
            current = _below(current, level)
            head = Head(level, text, next(lines_of(block)).number, topic, current)
            current.parts.append(head)
            current = head
            continue
        if current.level == _LEAD and isinstance(block, Paragraph):
            current = _below(current, _LEAD)
        current.parts.append(block)
    return root


def _arranged(blocks: Sequence[Block]) -> list[Block]:
    """Return blocks with headings where a text without any signs has them: above its lines, and above all."""
    arranged = _titled(list(_gathered([part for block in blocks for part in _sections(block)])))
    arranged = [part for block in arranged for part in _split(block)]
    bodies = {id(block): body for block in arranged if (body := _body(block)) is not None}
    headed = {id(block) for block in arranged if id(block) in bodies and _is_headed(block)}
    are_headed = 2 * len(headed) >= len(bodies) > 1
    found: list[Block] = []
    for block in arranged:
        body = bodies.get(id(block))
        first = next(lines_of(block), None)
        if body is None or first is None or not (id(block) in headed or (are_headed and _is_short(first.text))):
            found.append(block)
        else:
            found += [Heading(_UNIT_LEAD, first.text, first.number, first.number + 1, is_lead=True), body]
    return found


def _split(block: Block) -> Iterator[Block]:
    """Yield the lines of a text as several lists where days, or words in capitals, stand above those that follow."""
    if not isinstance(block, Listing) or not block.is_loose:
        yield block
        return
    entries = block.entries
    starts = [at for at in range(1, len(entries) - 1) if _is_headed(replace(block, entries=entries[at : at + 2]))]
    for start, end in pairwise([0, *starts, len(entries)]):
        yield replace(block, entries=entries[start:end])


def _body(listing: Block) -> Listing | None:
    """Return what stands below the first line of a list of lines; None for anything else."""
    if not isinstance(listing, Listing) or not listing.is_loose:
        return None
    first, *others = listing.entries
    if others:
        return None if first.blocks else replace(listing, entries=tuple(others))
    return first.blocks[0] if first.blocks and isinstance(first.blocks[0], Listing) else None


def _is_headed(listing: Block) -> bool:
    """Tell whether the first line of a list names those that follow."""
    body = _body(listing)
    if body is None or not isinstance(listing, Listing):
        return False
    text = listing.entries[0].text
    label = label_of(text)
    if len(words(text)) > _MOST_LEAD_WORDS or text[-1] in ".,;" or begins_with_verb(text) or (label and label[2]):
        return False
    if listing.entries[0].blocks:
        return True
    topic, following = topic_of(text), topic_of(body.entries[0].text)
    is_named = topic.kind in ("work", "section") and len(words(re.split(r"[(:]", text)[0])) <= 4
    return text.endswith(":") or text.isupper() or is_named or (topic == UNIT != following)


def _is_short(text: str) -> bool:
    return len(words(text)) <= 4 and text[-1] not in ",;.!?" and not begins_with_verb(text) and label_of(text) is None


def _sections(block: Block) -> Iterator[Block]:
    """Yield a list of numbered headings with lines below as headings: the lines hold requests, the headings none."""
    if not isinstance(block, Listing) or block.is_loose:
        yield block
        return
    below = [(Line(entry.line, entry.text), *entry.more) for entry in block.entries if entry.more]
    has_requests = any(is_request(line.text) for lines in below for line in lines[1:] if are_separate(lines))
    if not has_requests or share([entry.text for entry in block.entries], begins_with_verb) >= 0.34:
        yield from _without_lazy(block)
        return
    for entry in block.entries:
        yield Heading(_UNIT_LEAD, entry.text, entry.line, entry.line + 1)
        if entry.more:
            yield _loose(entry.more)
        yield from entry.blocks


def _loose(lines: Iterable[Line]) -> Listing:
    """Return lines as a list without bullets."""
    return Listing(tuple(Entry(line.number, line.text, None, "") for line in lines), True)


def _without_lazy(listing: Listing) -> Iterator[Block]:
    """Yield a list, and as a text of their own the lines that follow an entry at once and are no part of it."""
    entries: list[Entry] = []
    for entry in listing.entries:
        start = next((at for at, line in enumerate(entry.more) if line.indent == 0), len(entry.more))
        behind = entry.more[start:]
        if not behind or entry.blocks or not are_separate((Line(entry.line, entry.text), *behind)):
            entries.append(entry)
            continue
        yield replace(listing, entries=(*entries, replace(entry, more=entry.more[:start])))
        yield from of_paragraph(behind)
        entries = []
    if entries:
        yield replace(listing, entries=tuple(entries))


def _gathered(blocks: Sequence[Block]) -> Iterator[Block]:
    """Yield blocks with paragraphs of a line each as one list, where several follow each other."""
    for is_line, group in groupby(blocks, lambda block: isinstance(block, Paragraph) and len(block.lines) == 1):
        run = list(group)
        if is_line and len(run) >= _FEWEST_LINES:
            yield _loose(line for block in run for line in lines_of(block))
        else:
            yield from run


def _titled(blocks: list[Block]) -> list[Block]:
    """Return the blocks of a text without headings with its first line as its title."""
    first = blocks[0] if len(blocks) > 1 else None
    has_headings = any(isinstance(block, Heading) and block.level < _UNIT_LEAD for block in blocks)
    if not isinstance(first, Paragraph | Listing) or has_headings:
        return blocks
    lines = list(lines_of(first))
    title = lines[0].text
    is_lines = isinstance(first, Listing) and first.is_loose and not any(entry.blocks for entry in first.entries)
    if not (is_lines or len(lines) == 1) or len(words(title)) > _MOST_LEAD_WORDS or title[-1:] in ".:,;":
        return blocks
    if any(
        (is_request(line.text) and not _BARE_TODO.match(line.text)) or (is_lines and begins_with_verb(line.text))
        for line in lines
    ):
        return blocks
    rest: list[Block] = [Paragraph(tuple(lines[1:]))] if lines[1:] else []
    return [Heading(1, title, lines[0].number, lines[0].number + 1), *rest, *blocks[1:]]


def _below(head: Head, level: int) -> Head:
    """Return the heading below which one of a level stands that comes now."""
    while head.level >= level and head.parent is not None:
        head = head.parent
    return head


def _title(blocks: Sequence[Block]) -> Heading | None:
    """Return the heading that titles the document: the first one, where it stands above the others."""
    headings = [block for block in blocks if isinstance(block, Heading)]
    if not headings:
        return None
    first = headings[0]
    others = [one.level for one in headings[1:]]
    if first.level == 1 and (
        not others or others.count(1) == 0 or topic_of(first.text).kind not in ("unit", "section")
    ):
        return first
    return first if others and min(others) > first.level and topic_of(first.text) == OPEN else None


def _lead(block: Block, following: Block | None) -> str | None:
    """Return the text of a line that heads what follows; None for another block."""
    if not isinstance(block, Paragraph) or not block.lines:
        return None
    text = block.lines[0].text
    count = len(words(text))
    if len(block.lines) > 1 or not 0 < count <= _MOST_LEAD_WORDS or not re.search(r"[^\W\d_]", text):
        return None
    if is_request(text) or (
        (found := label_of(text)) is not None and found[2] and (found[1] or topic_of(found[0]).kind == "section")
    ):
        return None  # a field
    is_bold = re.fullmatch(r"(?:\*\*|__)[^*]+(?:\*\*|__):?", text) is not None
    is_open = is_bold or text.rstrip("*_").endswith(":") or not text.endswith((".", "!", "?", ","))
    if not is_open or not isinstance(following, Listing | Table | Paragraph):
        return None
    if is_bold or not isinstance(following, Paragraph):
        return text
    topic = topic_of(text)
    is_above_text = len(following.lines) > 1 and count <= _MOST_TITLE_WORDS and found is None
    if is_above_text and text[0].isupper() and text[-1].isalnum():
        return text
    if topic == UNIT:
        return text if topic_of(following.lines[0].text) != UNIT else None
    return text if topic.kind in ("work", "section") and count <= 4 and plain(text) else None
