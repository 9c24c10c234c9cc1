"""The blocks of a document below their headings, and what these say about them.

blocks ─▶ Head (title) ─▶ Head "Phase 1" ─▶ Head "Tasks:" (a line above a list is a heading, too) ─▶ blocks
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from workbench.domain.plan.importing.document import Block, Heading, Listing, Paragraph, Table
from workbench.domain.plan.importing.headings import CONTEXT, OPEN, UNIT, Topic, plain, topic_of
from workbench.domain.plan.importing.labels import label_of
from workbench.domain.plan.importing.words import words

_LEAD = 90
"""Level of a heading that is a line above a list."""
_UNIT_LEAD = 89
"""Level of one that names a phase."""
_MOST_LEAD_WORDS = 12
_STRONG = frozenset({"risks", "questions", "decisions", "wont", "criteria", "people"})
"""Sections whose headings say what stands below, whatever headings stand between."""


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
    root = Head(0, "", -1, OPEN, None)
    current = root
    lone_title = _title(blocks)
    for at, block in enumerate(blocks):
        if isinstance(block, Heading):
            current = _below(current, block.level)
            head = Head(block.level, block.text, block.first, topic_of(block.text), current)
            head.is_title = block is lone_title
            current.parts.append(head)
            current = head
            continue
        following = blocks[at + 1] if at + 1 < len(blocks) else None
        if (text := _lead(block, following)) is not None:
            topic = topic_of(text)
            level = _UNIT_LEAD if topic == UNIT else _LEAD
            current = _below(current, level)
            head = Head(level, text, _line_of(block), topic, current)
            current.parts.append(head)
            current = head
            continue
        if current.level == _LEAD and isinstance(block, Paragraph):
            current = _below(current, _LEAD)
        current.parts.append(block)
    return root


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
    if (found := label_of(text)) is not None and found[1] and found[2]:
        return None  # a field
    is_list = isinstance(following, Listing | Table)
    is_bold = re.fullmatch(r"(?:\*\*|__)[^*]+(?:\*\*|__):?", text) is not None
    if is_list and (text.rstrip("*_").endswith(":") or is_bold or not text.endswith((".", "!", "?", ","))):
        return text
    if isinstance(following, Paragraph | Heading) or following is None:
        topic = topic_of(text)
        if is_bold and isinstance(following, Paragraph):
            return text
        if topic == UNIT and isinstance(following, Paragraph) and topic_of(following.lines[0].text) != UNIT:
            return None if text.endswith((".", "!", "?", ",")) else text
        if (
            topic not in (OPEN, CONTEXT)
            and topic != UNIT
            and count <= 4
            and plain(text)
            and not text.endswith((".", "!", "?", ","))
        ):
            return text if isinstance(following, Paragraph) else None
    return None


def _line_of(block: Paragraph | Block) -> int:
    return block.lines[0].number if isinstance(block, Paragraph) else -1
