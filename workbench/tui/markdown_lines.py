r"""Markdown as lines: parsed by markdown-it, wrapped here, so that a long plan costs only the lines that are seen.

    "## Risks\n- **Tax** differs" ─▶ [heading] "Risks" · [bullet] "• Tax differs" …, each with the section it stands in

Links are text with their address behind them; HTML is text; nothing is interpreted but emphasis, code and structure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from textual.content import Content

from workbench.tui.lines import joined, text

_PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
_COMMENT = re.compile(r"\s*<!--.*?-->", re.DOTALL)
_STYLES = {"strong": "bold", "em": "italic", "s": "strike", "code": "$accent"}


@dataclass(frozen=True, slots=True)
class MarkdownLine:
    """A line on the screen, and where it comes from."""

    content: Content
    section: str
    """Title of the level-2 heading it stands under; "" before the first."""


@lru_cache(maxsize=64)
def markdown_lines(markdown: str, width: int) -> tuple[MarkdownLine, ...]:
    """Return Markdown as lines of at most ``width`` cells."""
    return tuple(_Layout(width).laid_out(_PARSER.parse(_COMMENT.sub("", markdown))))


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    style: str
    spaced: bool
    """Whether a space stands before it."""


class _Layout:
    """Walks over the blocks of a document and breaks them into lines."""

    def __init__(self, width: int) -> None:
        self._width = max(width, 8)
        self._indents: list[str] = []
        self._mark = ""
        self._numbers: list[int | None] = []
        self._section = ""
        self._quote = 0

    def laid_out(self, tokens: list[Token]) -> Iterator[MarkdownLine]:
        heading = ""
        for at, token in enumerate(tokens):
            match token.type:
                case "heading_open":
                    heading = token.tag
                    if heading == "h2":
                        self._section = tokens[at + 1].content
                    if at:
                        yield self._line(Content())
                case "heading_close":
                    heading = ""
                case "inline":
                    style = {"h1": "bold $foreground", "h2": "bold $primary", "": ""}.get(heading, "bold")
                    yield from self._broken(_words(token.children or (), style))
                case "paragraph_close" if not self._indents:
                    yield self._line(Content())
                case "bullet_list_open":
                    self._numbers.append(None)
                case "ordered_list_open":
                    self._numbers.append(int(token.attrGet("start") or 1))
                case "bullet_list_close" | "ordered_list_close":
                    self._numbers.pop()
                    if not self._indents:
                        yield self._line(Content())
                case "list_item_open":
                    self._open_item()
                case "list_item_close":
                    self._indents.pop()
                case "blockquote_open":
                    self._indents.append("│ ")
                case "blockquote_close":
                    self._indents.pop()
                    yield self._line(Content())
                case "fence" | "code_block":
                    for line in token.content.rstrip("\n").split("\n"):
                        yield self._line(text(f"  {line}", "$accent"))
                    yield self._line(Content())
                case "hr":
                    yield self._line(text("─" * self._width, "$text-muted"))
                case "html_block":
                    yield from self._broken([_Word(word, "", spaced=True) for word in token.content.split()])
                case "tr_close":
                    yield self._line(Content())
                case _:
                    pass

    def _open_item(self) -> None:
        number = self._numbers[-1]
        if number is None:
            self._mark = "• " if len(self._numbers) == 1 else "· "
        else:
            self._mark = f"{number}. "
            self._numbers[-1] = number + 1
        self._indents.append(" " * len(self._mark))

    def _line(self, content: Content) -> MarkdownLine:
        return MarkdownLine(content, self._section)

    def _broken(self, words: Iterable[_Word]) -> Iterator[MarkdownLine]:
        """Yield words as lines that keep the indent of their list or quotation."""
        indent = "".join(self._indents)
        first = indent[: len(indent) - len(self._mark)] + self._mark if self._mark else indent
        self._mark = ""
        width = max(self._width - len(indent), 8)
        parts: list[Content] = []
        used = 0
        for word in words:
            for piece in _fitting(word, width):
                gap = 1 if piece.spaced and parts else 0
                size = Content(piece.text).cell_length
                if parts and used + gap + size > width:
                    yield self._line(joined(text(first, "$text-muted"), *parts))
                    first, parts, used, gap = indent, [], 0, 0
                parts += [text(" " * gap), text(piece.text, piece.style)]
                used += gap + size
        yield self._line(joined(text(first, "$text-muted"), *parts))


def _fitting(word: _Word, width: int) -> Iterator[_Word]:
    """Yield a word, in pieces where it is wider than a line."""
    from workbench.tui.lines import wrapped

    if len(word.text) <= width // 2:
        yield word
        return
    for number, piece in enumerate(wrapped(word.text, width)):
        yield _Word(piece, word.style, word.spaced if number == 0 else True)


def _words(tokens: Iterable[Token], base: str) -> Iterator[_Word]:
    styles = [base] if base else []
    href = ""
    for token in tokens:
        match token.type:
            case "strong_open" | "em_open" | "s_open":
                styles.append(_STYLES[token.type.removesuffix("_open")])
            case "strong_close" | "em_close" | "s_close":
                styles.pop()
            case "link_open":
                href = str(token.attrGet("href") or "")
            case "link_close":
                yield _Word(f"({href})", "$text-muted", spaced=True)
            case "code_inline":
                yield from _split(token.content, " ".join([*styles, _STYLES["code"]]))
            case "softbreak" | "hardbreak":
                yield _Word("", "", spaced=True)
            case "image":
                yield _Word(f"[{token.content}]", "italic", spaced=True)
            case _:
                yield from _split(token.content, " ".join(styles))


def _split(plain: str, style: str) -> Iterator[_Word]:
    for number, word in enumerate(plain.split(" ")):
        if word or number:
            yield _Word(word, style, spaced=number > 0)
