"""Markdown as blocks with their lines, by markdown-it: headings, paragraphs, lists, tables, and what is none of these.

lines ─▶ markups ─▶ markdown-it ─▶ Heading · Paragraph · Listing of Entry · Table · Other
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from msgspec import Struct

from workbench.domain.text.patterns import lazy_pattern

_DEEPEST = 40
_INDENT = " " * 5 * _DEEPEST
"""As far as a line can be indented and mean anything: the parser looks at each blank."""


def _parser() -> MarkdownIt:
    """Return a parser of blocks only: the texts within stay as they are written."""
    parser = MarkdownIt("commonmark", {"maxNesting": _DEEPEST}).enable("table").disable(["code", "reference"])
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


_PARSER = _parser()
_BOX = lazy_pattern(r"\[(?P<sign>[xX]|[^\[\]\n\w]?| {2,3}|\.{2,3})\](?:\s+|$)")
_LONG = 60
"""Characters of a line that was broken because it was full."""


class Line(Struct, frozen=True):
    """A line of a block, without what marks it."""

    number: int
    """Counted from 0."""
    text: str


class Heading(Struct, frozen=True):
    """A heading."""

    line: int
    last: int
    """The line after it."""
    level: int
    text: str


class Paragraph(Struct, frozen=True):
    """Lines of text."""

    lines: tuple[Line, ...]


class Entry(Struct, frozen=True):
    """An item of a list."""

    line: int
    last: int
    text: str
    """Its first line, and those into which that was broken."""
    wrapped: tuple[int, ...] = ()
    """These further lines."""
    box: str | None = None
    """What is in its check box; None if it has none."""
    number: str = ""
    more: tuple[Line, ...] = ()
    """Lines of their own below the first."""
    after: tuple[int, ...] = ()
    """Lines at the margin right after it, which are none of it."""
    blocks: tuple[Block, ...] = ()

    @property
    def lists(self) -> list[Listing]:
        """The lists below it."""
        return [block for block in self.blocks if isinstance(block, Listing)]


class Listing(Struct, frozen=True):
    """A list."""

    line: int
    last: int
    entries: tuple[Entry, ...]

    @property
    def is_numbered(self) -> bool:
        """Whether its items have numbers."""
        return bool(self.entries) and bool(self.entries[0].number)

    @property
    def has_boxes(self) -> bool:
        """Whether an item of it, or below one, has a check box."""
        return any(entry.box is not None or any(below.has_boxes for below in entry.lists) for entry in self.entries)


class Table(Struct, frozen=True):
    """A table."""

    line: int
    last: int
    heads: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    """Each with its line."""


class Other(Struct, frozen=True):
    """Code, quotes, rules, HTML."""

    line: int
    last: int
    info: str = ""
    """What a block of code says it is."""


Block = Heading | Paragraph | Listing | Table | Other


def blocks_of(lines: Sequence[str]) -> list[Block]:
    """Return the blocks of a Markdown text."""
    tree = SyntaxTreeNode(_PARSER.parse("\n".join(map(_less_indented, lines))))
    return list(_blocks(tree, lines))


def _less_indented(line: str) -> str:
    return f"{_INDENT}{line.lstrip(' ')}" if line.startswith(_INDENT) else line


def _blocks(node: SyntaxTreeNode, lines: Sequence[str]) -> Iterator[Block]:
    for one in node.children:
        first, last = one.map or (0, 0)
        match one.type:
            case "heading":
                yield Heading(first, last, int(one.tag[1:]), _text(one).replace("\n", " ").strip(" #"))
            case "paragraph":
                yield Paragraph(_lines(one))
            case "bullet_list" | "ordered_list":
                yield Listing(first, last, tuple(_entry(item, lines) for item in one.children))
            case "table":
                heads, *rows = [row for part in one.children for row in part.children]
                cells = tuple(((row.map or (0, 0))[0], tuple(map(_text, row.children))) for row in rows)
                yield Table(first, last, tuple(map(_text, heads.children)), cells)
            case _:
                yield Other(first, last, one.info if one.type == "fence" else "")


def _text(node: SyntaxTreeNode) -> str:
    return "".join(child.content for child in node.children if child.type == "inline").strip()


def _lines(node: SyntaxTreeNode) -> tuple[Line, ...]:
    first = (node.map or (0, 0))[0]
    return tuple(Line(first + at, line.strip()) for at, line in enumerate(_text(node).split("\n")))


def _entry(item: SyntaxTreeNode, lines: Sequence[str]) -> Entry:
    first, last = item.map or (0, 0)
    below = list(_blocks(item, lines))
    number = f"{item.info}" if item.info else ""
    if not below or not isinstance(below[0], Paragraph):
        return Entry(first, last, "", number=number, blocks=tuple(below))
    head, *rest = below[0].lines
    box = _BOX.match(head.text)
    text, wrapped = head.text[box.end() :] if box else head.text, []
    margin = next((at for at, line in enumerate(rest) if not lines[line.number][:1].isspace()), len(rest))
    before, more = head.text, rest[:margin]
    while more and len(before) >= _LONG:
        before, text = more[0].text, f"{text} {more[0].text}"
        wrapped.append(more.pop(0).number)
    after = tuple(line.number for line in rest[margin:])
    sign = (box["sign"].strip()[:1] or " ") if box else None
    return Entry(first, last, text.strip(), tuple(wrapped), sign, number, tuple(more), after, tuple(below[1:]))
