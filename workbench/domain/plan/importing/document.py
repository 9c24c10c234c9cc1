"""Markdown as blocks that know their lines: headings, paragraphs, lists, tables, code.

    text ─▶ markdown-it's blocks ─▶ Heading · Paragraph · Listing(Entry …) · Table · Verbatim

Lists that Markdown does not know (``•``, ``☐``, ``a)``) are lists, too. A line that stands in no block is found by
comparing: nothing is read that has no place, and nothing that has one is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, TypeGuard

if TYPE_CHECKING:  # reading a file is rare
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

DEEPEST = 40
"""Levels of nesting, two for each list, below which lines are not read."""
_LONGEST_UNDERLINED = 90
"""Characters of a heading that is underlined."""
_NARROW = 45
"""Characters of the longest line of a text that nobody has wrapped."""
_WRAPPED = 0.7
"""Share of the longest line that all but the last one fill where a text was wrapped by hand."""
_GOES_ON = re.compile(r"(?!\w+:)[^\W\dA-ZÄÖÜ]")
_ENDS = (".", "!", "?", ";", ":")
_BEGINS = re.compile(r"\[#?[\w-]+\] |\d{1,2}[:.]\d\d\b")
"""An id or a time, which few lines begin with that go on with a sentence."""
_ASKS = re.compile(r"\W*(?:ACTION|TODO|ACTIONS?(?= ?:))\b")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the source, as much of it as is text."""

    number: int
    """Counted from 0."""
    text: str
    indent: int = 0


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading."""

    level: int
    text: str
    first: int
    last: int
    """The line after it."""
    is_lead: bool = False
    """Whether it is a line of text above others."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines of text."""

    lines: tuple[Line, ...]

    @property
    def text(self) -> str:
        """The lines as one."""
        return " ".join(line.text for line in self.lines)


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a list."""

    line: int
    text: str
    """Of its first line, without bullet and box."""
    box: str | None
    """What stands in its checkbox, " " for nothing; None without one."""
    number: str
    """Of a numbered list, else ""."""
    more: tuple[Line, ...] = ()
    """The further lines of its first paragraph."""
    blocks: tuple[Block, ...] = ()
    """What stands below it."""
    is_pictured: bool = False
    """Whether the box is a sign as ✅, or the bullet an arrow."""

    @property
    def whole(self) -> str:
        """The first paragraph as one line."""
        return " ".join([self.text, *(line.text for line in self.more)])


@dataclass(frozen=True, slots=True)
class Listing:
    """A list."""

    entries: tuple[Entry, ...]
    is_loose: bool = False
    """Whether its entries are lines of text, without bullets."""

    @property
    def line(self) -> int:
        """Its first line."""
        return self.entries[0].line


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table."""

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its head, and the rows below."""

    head: Row
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Lines that are kept as they are: code, quotations, HTML."""

    first: int
    last: int
    """The line after them."""
    kind: str
    """What follows the fence of code, ``quote``, ``html``, or ``rule``."""


Block = Heading | Paragraph | Listing | Table | Verbatim


def lines_of(block: Block | Entry) -> Iterator[Line]:
    """Yield all lines of a block, or of an entry with what stands below it; those of tables and code without text."""
    match block:
        case Paragraph(lines):
            yield from lines
        case Listing(entries):
            for entry in entries:
                yield from lines_of(entry)
        case Entry():
            yield Line(block.line, block.text)
            yield from block.more
            for part in block.blocks:
                yield from lines_of(part)
        case Table(head, rows):
            yield from (Line(row.line, "") for row in (head, *rows))
        case Heading(first=first, last=last) | Verbatim(first, last):
            yield from (Line(number, "") for number in range(first, last))


def end_of(block: Block | Entry) -> int:
    """Return the line after a block or an entry."""
    extra = isinstance(block, Table) and not block.rows
    return max(line.number for line in lines_of(block)) + 1 + extra


_BOX = re.compile(r"\[(?P<box>[ xX✓✔/~>\-*.!?]?)\](?:\s+|$)")
_PICTURED = {"☐": " ", "◻": " ", "⬜": " ", "🔲": " ", "☑": "x", "✅": "x", "✔": "x", "✓": "x", "❌": "-", "🚧": "/"}
_PICTURE = re.compile(rf"(?P<picture>[{''.join(_PICTURED)}])️?\s+")
_OUTLINE = re.compile(r"(?:[A-Z]|\d{1,3})(?:\.\d{1,3})*(?=\.? )")
_BULLET = re.compile(
    r"\s*(?:(?P<bullet>-{1,2}>|=>|[•●▪◦‣·*+–—→►-])|(?P<number>\(?(?:\d{1,3}|[a-z])[.)](?!\d))|(?=[☐◻⬜🔲☑✅✔✓❌]|\[[ "
    r"xX/~-]?\]))\s*(?<![^\s.)☐◻⬜🔲☑✅✔✓❌])(?P<text>\S.*)"
)


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": DEEPEST}).enable("table").disable(["code", "reference"])
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def blocks_of(lines: Sequence[str]) -> tuple[Block, ...]:
    """Return the blocks of Markdown."""
    from markdown_it.tree import SyntaxTreeNode

    root = SyntaxTreeNode(_parser().parse("\n".join(lines)))
    return tuple(_joined(block for node in root.children for block in _blocks(node, lines)))


def _joined(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield blocks with lists that follow each other as one: Markdown begins a new one where the bullet changes."""
    last: Block | None = None
    for block in blocks:
        if _is_list(last) and _is_list(block):
            last = Listing((*last.entries, *block.entries))
            continue
        if last is not None:
            yield last
        last = block
    if last is not None:
        yield last


def _is_list(block: Block | None) -> TypeGuard[Listing]:
    return isinstance(block, Listing) and not block.is_loose


def _blocks(node: SyntaxTreeNode, lines: Sequence[str]) -> Iterator[Block]:
    """Yield the blocks that a node of the parser's tree is."""
    first, last = node.map or (0, 0)
    match node.type:
        case "heading":
            text = node.children[0].content
            if node.markup in ("-", "=") and ("\n" in text or len(text) > _LONGEST_UNDERLINED):
                yield from of_paragraph(_lines(node, lines))  # a line of signs below a paragraph
            else:
                yield Heading(int(node.tag[1]), text, first, last)
        case "paragraph":
            yield from of_paragraph(_lines(node, lines))
        case "bullet_list" | "ordered_list":
            yield Listing(tuple(_item(one, lines) for one in node.children))
        case "table":
            rows = [
                Row((row.map or (0, 0))[0], tuple(cell.children[0].content.strip() for cell in row.children))
                for part in node.children
                for row in part.children
            ]
            yield Table(rows[0], tuple(rows[1:]))
        case "html_block" if not lines[first].lstrip().startswith("<!--"):  # lines of tasks between tags
            texts = (Line(number, lines[number].strip()) for number in range(first, last))
            yield from of_paragraph(tuple(line for line in texts if line.text))
        case "blockquote" | "html_block" | "hr" | "fence":
            kinds = {"blockquote": "quote", "html_block": "html", "hr": "rule"}
            yield Verbatim(first, last, kinds.get(node.type) or node.info.strip().split(" ")[0])
        case _:
            return


def _lines(node: SyntaxTreeNode, lines: Sequence[str]) -> tuple[Line, ...]:
    """Return the lines of a paragraph, or of a heading that is none."""
    first = (node.map or (0, 0))[0]
    return tuple(
        Line(at, text.strip(), min(len(lines[at]) - len(lines[at].lstrip()), DEEPEST))
        for at, text in enumerate(node.children[0].content.split("\n"), start=first)
    )


def _item(node: SyntaxTreeNode, lines: Sequence[str]) -> Entry:
    """Return an entry of a list."""
    parts = list(node.children)
    number = node.info if node.markup in ".)" else ""
    opening = _lines(parts.pop(0), lines) if parts and parts[0].type == "paragraph" else ()
    blocks = list(_joined(block for part in parts for block in _blocks(part, lines)))
    if opening and (split := _bulleted(opening[1:])) is not None:
        opening, blocks = (opening[0], *split[0]), [split[1], *of_paragraph(split[2]), *blocks]
    line = opening[0] if opening else Line((node.map or (0, 0))[0], "")
    return _entry(line.number, line.text, number, opening[1:], tuple(blocks))


def _entry(line: int, text: str, number: str, more: Sequence[Line], blocks: tuple[Block, ...]) -> Entry:
    box, is_pictured = None, False
    if (match := _BOX.match(text)) is not None:
        box, text = match["box"] or " ", text[match.end() :]
    elif (match := _PICTURE.match(text)) is not None:
        box, is_pictured, text = _PICTURED[match["picture"]], True, text[match.end() :]
    return Entry(line, text.strip(), box, number, tuple(more), blocks, is_pictured)


def of_paragraph(lines: tuple[Line, ...]) -> Iterator[Block]:
    """Yield a paragraph, or what stands before a list and the list that its lines are."""
    split = _bulleted(lines)
    before, listing, after = split if split is not None else (lines, None, ())
    if listing is None and are_separate(lines):
        depths = [len(match[0].split(".")) if (match := _OUTLINE.match(line.text)) else 0 for line in lines]
        are_numbered = min(depths) > 0 and max(depths) > 1
        indents = [2 * depth for depth in depths] if are_numbered else [line.indent for line in lines]
        entries = [_entry(line.number, line.text, "", (), ()) for line in lines]
        yield Listing(_nested(list(zip(indents, entries, strict=True))), True)
    elif before:
        is_led = listing is not None and len(before) > 1 and before[-1].text.endswith(":") and are_separate(before)
        parts = (before[:-1], before[-1:]) if is_led else (before,)
        yield from map(Paragraph, parts)
    if listing is not None:
        yield listing
    if after:
        yield from of_paragraph(after)


def are_separate(lines: Sequence[Line]) -> bool:
    """Tell whether lines stand for themselves: text that was wrapped fills each line as far as the next word allows."""
    if len(lines) < 2:
        return False
    texts = [line.text for line in lines]
    width = max(map(len, texts))
    if width < _NARROW:
        return True
    if all(map(_BEGINS.match, texts)) or any(map(_ASKS.match, texts[1:])):
        return True
    pairs = list(pairwise(texts))
    goes_on = any(_GOES_ON.match(after) is not None and not before.endswith(_ENDS) for before, after in pairs)
    if goes_on and min(map(len, texts[:-1])) > _WRAPPED * width:
        return False
    if 2 * sum(_GOES_ON.match(after) is not None and not before.endswith(_ENDS) for before, after in pairs) >= len(
        pairs
    ):
        return False
    is_full = all(len(before) + 1 + len(after.split()[0]) > width for before, after in pairs)
    return not is_full or all(text.endswith(_ENDS) for text in texts[:-1])


def _bulleted(lines: Sequence[Line]) -> tuple[tuple[Line, ...], Listing, tuple[Line, ...]] | None:
    """Return what stands before a list within lines, the list, and what follows it; None where there is none."""
    start = next((at for at, line in enumerate(lines) if _BULLET.fullmatch(line.text)), None)
    if start is None or (
        start == 0 and len(lines) > 1 and not _BULLET.fullmatch(lines[1].text) and lines[0].text[0] in "–—"
    ):
        return None
    entries: list[tuple[int, Entry]] = []
    for at, line in enumerate(lines[start:], start=start):
        if (match := _BULLET.fullmatch(line.text)) is not None:
            entry = _entry(line.number, match["text"], match["number"] or "", (), ())
            is_arrow = match["bullet"] in ("->", "-->", "=>", "→", "►")
            entries.append((line.indent, replace(entry, is_pictured=entry.is_pictured or is_arrow)))
            continue
        indent, last = entries.pop()
        if 0 < line.indent <= indent and not _GOES_ON.match(line.text):
            entries.append((indent, last))
            return tuple(lines[:start]), Listing(_nested(entries)), tuple(lines[at:])
        entries.append((indent, replace(last, more=(*last.more, line))))
    return tuple(lines[:start]), Listing(_nested(entries)), ()


def _nested(entries: Sequence[tuple[int, Entry]]) -> tuple[Entry, ...]:
    """Return entries with those below them that are indented further."""
    tops: list[Entry] = []
    at = 0
    while at < len(entries):
        indent, entry = entries[at]
        end = next((place for place in range(at + 1, len(entries)) if entries[place][0] <= indent + 1), len(entries))
        if end > at + 1:
            entry = replace(entry, blocks=(*entry.blocks, Listing(_nested(entries[at + 1 : end]))))
        tops.append(entry)
        at = end
    return tuple(tops)
