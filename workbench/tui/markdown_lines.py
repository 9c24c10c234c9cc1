r"""Markdown as lines: parsed by markdown-it, wrapped here, so that a long plan costs only the lines that are seen.

    "## Risks\n- **Tax** differs" ─▶ block 1 "Risks" · block 2 "• Tax differs" …

Links are text with their address and title after them; HTML is text; nothing is interpreted but emphasis, code and
structure. What is read is shown: a definition of a reference, which Markdown would hide, is text like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from textual.content import Content

from workbench.domain.text.cleaning import clean
from workbench.domain.text.patterns import lazy_pattern
from workbench.tui.lines import joined, text, wrapped

if TYPE_CHECKING:  # the parser is imported with the first text: the frame of a session is painted before
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_SECTION_MARK = lazy_pattern(r"^(#{1,6} .*)<!-- [\w-]+ -->$", re.MULTILINE)
"""Where a plan's Markdown names a section whose title does not: for the reader of the file, not of the screen."""
_PLAIN = lazy_pattern(
    r"(?:(?P<mark>#{1,6}|>) )?(?P<words>(?:\d+(?![\d.)])|[^\W\d_]|[\"'(„“€$£])"
    r"(?:[^\\`*_\[\]<&~#|\t\r\0]*[^\\`*_\[\]<&~#|\0\s])?)"
)
"""A heading, a quotation or a paragraph of one line in which nothing is marked up: most of what a plan has."""
_ITEM_ID = lazy_pattern(r"[A-Z]\d+(?!\S)")
_OF_HEADINGS = {"h1": "bold $foreground", "h2": "bold $primary", "": ""}
_STYLES = {"strong": "bold", "em": "italic", "s": "strike"}
_CODE, _DIM = "$accent", "$text-muted"
_PARSED_AT_MOST = 100_000
"""Characters; longer texts come as they are, because no parser promises to be quick on all of them."""


@dataclass(frozen=True, slots=True)
class MarkdownLine:
    """A line on the screen, and where it comes from."""

    content: Content
    block: int
    """Number of the heading, paragraph, list item or table row it belongs to; -1 for an empty line between two."""


@lru_cache(maxsize=4096)
def markdown_lines(markdown: str, width: int) -> tuple[MarkdownLine, ...]:
    """Return Markdown as lines of at most ``width`` cells."""
    if len(markdown) > _PARSED_AT_MOST:
        return tuple(MarkdownLine(text(line), 0) for line in wrapped(markdown, width))
    markdown = _SECTION_MARK.sub(lambda mark: mark[1].rstrip(" \t"), markdown)
    plain = _plain_blocks(markdown)
    layout = _Layout(width)
    return tuple(layout.laid_out(_parser().parse(markdown)) if plain is None else layout.plainly_laid_out(plain))


def _plain_blocks(markdown: str) -> list[tuple[str, str]] | None:
    """Return the mark and the words of each block; None unless it is plain that each is a line without markup."""
    blocks, lines = [], markdown.split("\n")
    for line, next_line in zip(lines, [*lines[1:], ""], strict=True):
        found = _PLAIN.fullmatch(line) if line else None
        if (line and found is None) or (next_line and line and line[0] != "#"):
            return None
        if found is not None:
            blocks.append((found["mark"] or "", found["words"]))
    return blocks


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).disable("reference")


class _Layout:
    """Walks over the blocks of a document and breaks them into lines."""

    def __init__(self, width: int) -> None:
        self._width = max(width, 8)
        self._indents: list[str] = []
        self._mark = ""
        self._numbers: list[int | None] = []
        self._cells: list[Content] | None = None  # those of the table row that is open
        self._block = -1
        self._gap = False  # whether an empty line is before the next one

    def laid_out(self, tokens: list[Token]) -> Iterator[MarkdownLine]:
        heading = ""
        for token in tokens:
            match token.type:
                case "heading_open":
                    heading = token.tag
                    self._gap = self._block >= 0
                    self._begin()
                case "heading_close":
                    self._gap = heading == "h1"
                    heading = ""
                case "inline" if self._cells is not None:
                    if token.children:  # nothing stands for a cell that is empty
                        self._cells.append(_inline(token.children, ""))
                case "inline":
                    style = _OF_HEADINGS.get(heading, "bold")
                    yield from self._broken(_inline(token.children or (), style))
                case "paragraph_open" if not self._indents:
                    self._begin()
                case "paragraph_close" | "table_close" if not self._indents:
                    self._gap = True
                case "bullet_list_open":
                    self._numbers.append(None)
                case "ordered_list_open":
                    self._numbers.append(int(token.attrGet("start") or 1))
                case "bullet_list_close" | "ordered_list_close":
                    self._numbers.pop()
                    self._gap = self._gap or not self._indents
                case "list_item_open":
                    self._open_item()
                case "list_item_close":
                    if self._mark:  # an item without a word
                        yield from self._broken(Content())
                    self._indents.pop()
                case "blockquote_open":
                    self._begin()
                    self._indents.append("│ ")
                case "blockquote_close":
                    self._indents.pop()
                    self._gap = True
                case "tr_open":
                    self._begin()
                    self._cells = []
                case "tr_close":
                    cells, self._cells = self._cells or [], None
                    yield from self._broken(text(" │ ", _DIM).join(cells))
                case "fence" | "code_block":
                    self._begin()
                    if token.info.strip():
                        yield from self._plain(token.info.strip(), _DIM)
                    yield from self._plain(token.content.rstrip("\n"), _CODE)
                    self._gap = True
                case "hr":
                    self._begin()
                    yield from self._line(text("─" * self._width, _DIM))
                    self._gap = True
                case "html_block":
                    self._begin()
                    yield from self._plain(token.content.rstrip("\n"), "")
                    self._gap = True
                case _:
                    pass

    def plainly_laid_out(self, blocks: Iterable[tuple[str, str]]) -> Iterator[MarkdownLine]:
        """Yield blocks without markup as ``laid_out`` does."""
        for mark, words in blocks:
            heading = f"h{len(mark)}" if mark.startswith("#") else ""
            self._gap = self._block >= 0 if heading else self._gap
            self._begin()
            if mark == ">":
                self._indents.append("│ ")
            yield from self._broken(joined(text(_decoded(words), _OF_HEADINGS.get(heading, "bold"))))
            self._indents.clear()
            self._gap = heading in ("", "h1")

    def _begin(self) -> None:
        """Begin a block, unless this one is part of an item."""
        if not self._indents:
            self._block += 1

    def _open_item(self) -> None:
        self._begin()
        number = self._numbers[-1]
        if number is None:
            self._mark = "• " if len(self._numbers) == 1 else "· "
        else:
            self._mark = f"{number}. "
            self._numbers[-1] = number + 1
        self._indents.append(" " * len(self._mark))

    def _line(self, content: Content) -> Iterator[MarkdownLine]:
        if self._gap:
            yield MarkdownLine(Content(), -1)
            self._gap = False
        yield MarkdownLine(content, max(self._block, 0))

    def _plain(self, plain: str, style: str) -> Iterator[MarkdownLine]:
        indent = self._indent()
        for line in wrapped(plain, max(self._width - len(indent) - 2, 8)):
            yield from self._line(text(f"{indent}  {line}", style))

    def _indent(self) -> str:
        return "".join(self._indents)[: self._width // 2]

    def _broken(self, words: Content) -> Iterator[MarkdownLine]:
        """Yield words as lines that keep the indent of their list or quotation."""
        indent = self._indent()
        first = indent[: len(indent) - len(self._mark)] + self._mark if self._mark else indent
        found = _ITEM_ID.match(words.plain) if self._mark else None
        words = words.stylize(_DIM, 0, found.end()) if found else words
        self._mark = ""
        for line in words.wrap(max(self._width - len(indent), 8)):
            yield from self._line(joined(text(first, _DIM), line.rstrip()))
            first = indent


def _inline(tokens: Iterable[Token], base: str) -> Content:
    """Return what is in a paragraph as one line."""
    styles = [base] if base else []
    addresses: list[str] = []
    parts: list[Content] = []
    for token in tokens:
        match token.type:
            case "strong_open" | "em_open" | "s_open":
                styles.append(_STYLES[token.type.removesuffix("_open")])
            case "strong_close" | "em_close" | "s_close":
                styles.pop()
            case "link_open":
                addresses.append(_address(token, "href"))
            case "link_close":
                parts.append(text(f" {addresses.pop()}", _DIM))
            case "code_inline":
                parts.append(text(_decoded(token.content), " ".join([*styles, _CODE])))
            case "softbreak" | "hardbreak":
                parts.append(Content(" "))
            case "image":
                parts.append(text(f"[{token.content}] {_address(token, 'src')}", "italic"))
            case _:
                parts.append(text(_decoded(token.content), " ".join(styles)))
    return joined(*parts)


def _address(token: Token, name: str) -> str:
    """Return where a link or picture points to, and its title, which nobody would see otherwise."""
    title = str(token.attrGet("title") or "")
    return f"({token.attrGet(name)}{f' “{_decoded(title)}”' if title else ''})"


def _decoded(plain: str) -> str:
    """Return text of the parser as one line, cleaned again: ``&#x202e;`` is harmless only until it is decoded."""
    return clean(plain).replace("\n", " ").replace("\t", " ")
