"""Lines of Markdown as they are compared: without what says nothing.

lines ─▶ markdown-it ─▶ items, code ─▶ their words without numbers of items and spaces, and how deep they stand
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from workbench.domain.text.outline import Document, Heading
from workbench.domain.text.patterns import lazy_pattern

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_NUMBER = lazy_pattern(r"^([\s>]*(?:[-*+]\s+)*)\d{1,9}(?=[.)](?:\s|$))")
"""Of an item of a list: one that has another number alone is the same."""
_LABEL = lazy_pattern(r"(?:\w+\s+)?[A-Z]?\d{1,3}(?:\.\d+)*[.:)]?(?:\s+|$)")
"""Number of a section, as in ``2.2 ``, ``C1 `` and ``Phase 2: ``: it is another one where the section moved."""
_SPACES = lazy_pattern(r"(`+[^`]*`+)|\s+")
_CELLS = lazy_pattern(r"(`+[^`]*`+)|\s*(\|)\s*|\s+")
_RULE, _DASHES = lazy_pattern(r"[\s|:-]+"), lazy_pattern(r"-+")
"""The line below the heads of a table, and what it has as many of as it likes."""
_INDENT = lazy_pattern(r"[\s>]*")
_LONGEST = 1_000
"""Characters of a line that tell what it is."""
_TAB = 4

Kind = Literal["", "heading", "item", "code", "table"]


class Comparable(Struct, frozen=True):
    """A line as it is compared."""

    text: str
    level: int = 0
    """How deep it stands: in lists, or in spaces within code."""
    kind: Kind = ""
    key: str = ""
    """By what it is found again; headings are told from all other lines."""

    def is_same(self, other: Comparable) -> bool:
        """Tell whether nothing that says something differs."""
        return self.text == other.text and self.level == other.level

    def is_as_deep(self, other: Comparable) -> bool:
        """Tell whether they stand equally deep, if both are items."""
        return self.level == other.level or not self.kind == other.kind == "item"


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # no list of sessions waits for it

    parser = MarkdownIt("commonmark").disable("reference")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


@lru_cache(maxsize=8)
def comparable(version: Document) -> tuple[Comparable, ...]:
    """Return each line as it is compared."""
    kinds: dict[int, Kind] = {}
    spaces: dict[int, int] = {}  # before the words of code
    for token in _parser().parse("\n".join(line[:_LONGEST].replace("\r", " ") for line in version.lines)):
        first, last = token.map or (0, 0)
        if token.type == "list_item_open":
            kinds[first] = "item"
        elif token.type in ("fence", "code_block"):
            kinds.update((at, "code") for at in range(first, last))
            spaces |= enumerate(map(_indent, token.content.split("\n")), first + (token.type == "fence"))
    titles = {heading.line - 1: f"\n{unlabelled(heading) or heading.title}" for heading in version.headings}
    kinds.update((at, "heading") for at in titles)
    found, rows, goes_on = list[Comparable](), 0, False
    items: list[int] = []  # how far those are indented that are open
    for at, line in enumerate(version.lines):
        text, level = line.strip(), spaces.get(at, 0)
        kind = kinds.get(at, "table" if text.startswith("|") else "")
        if text and kind != "code":
            if kind or not goes_on:
                indent = _indent(line)
                items = [item for item in items if item < indent] + [indent] * (kind == "item")
            text, level = _text(line, kind), len(items)
        rows = rows + 1 if kind == "table" else 0
        if rows == 2 and _RULE.fullmatch(text):
            text = _DASHES.sub("-", text)
        found.append(Comparable(text, level, kind, titles.get(at, text)))
        goes_on = bool(text) and kind in ("", "item")
    return tuple(found)


def _text(line: str, kind: Kind) -> str:
    if kind == "table":
        return _CELLS.sub(lambda one: one[1] or one[2] or " ", line).strip()
    return single_spaced(_NUMBER.sub(r"\g<1>1", line, count=1) if kind == "item" else line)


def _indent(line: str) -> int:
    found = _INDENT.match(line[:_LONGEST].expandtabs(_TAB))
    return found.end() if found else 0


def single_spaced(line: str) -> str:
    """Return a line without spaces that say nothing: what is between backticks stays as it is."""
    return _SPACES.sub(lambda one: one[1] or " ", line).strip() if "`" in line else " ".join(line.split())


def unlabelled(heading: Heading) -> str:
    """Return the title of a heading without its number."""
    label = _LABEL.match(heading.title)
    return heading.title if label is None else heading.title[label.end() :]
