"""Two plans beside each other as rows: what went, what came, and which words of a line changed.

    PlanDifference ─┬▶ below each other               Steps · changed 4%
                    │                                   • S1 · Copy the customers       as it was
                    │                                 − • S2 · Switch over in May       went
                    │                                 + • S2 · Switch over in June      came instead
                    └▶ side by side, one list         − • S2 · … May │ + • S2 · … June

A change is one row, whose key begins with ``change:``; a section that only moved takes a line. Signs, colours and
underlined words say the same thing, so that any of them is enough.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, groupby, repeat, takewhile, zip_longest

from textual.content import Content

from workbench.domain.plan.changing.difference import (
    Pair,
    PlanDifference,
    SectionDifference,
    Span,
    opposite,
    what_became,
)
from workbench.domain.text.cleaning import clean, clean_name
from workbench.domain.text.matching import hunks
from workbench.domain.text.patterns import lazy_pattern
from workbench.tui.lines import MAX_PROSE_WIDTH, Row, joined, text
from workbench.tui.marks import DIM, DONE, FAILED
from workbench.tui.told import EMPTY

CHANGE = "change:"
"""How the key of a row begins that says what differs."""
WENT, CAME = "− ", "+ "
_STAYED = "  "
CHANGED_WORDS = "bold underline"
_TOO_MANY = 0.6  # share of a line from which its changed words are not told apart: all of it is another line
_MARKDOWN = lazy_pattern(r"(?P<indent> *)(?P<bullet>[-*] )?(?:#{1,6} |> )?(?P<words>.*)", re.DOTALL)

LayOut = Callable[[Sequence[Pair]], Iterable[Content]]
"""Lays pairs out in the lines of a row."""


def plan_difference_rows(difference: PlanDifference, width: int, divider: str = "") -> list[Row]:
    """Return what differs between two plans; with a ``divider``, side by side."""
    lay_out = side_by_side(width, divider) if divider else below_each_other(width)
    title = difference.title
    rows = [] if title.is_same else [Row(tuple(lay_out([title])), key=f"{CHANGE}title")]
    for section in difference.sections:
        if section.change.kind != "same":
            rows += [EMPTY] if rows else []
            rows += _section_rows(section, lay_out)
    return rows


def _section_rows(section: SectionDifference, lay_out: LayOut) -> Iterator[Row]:
    runs = list(hunks(section.pairs, lambda pair: not pair.is_same))
    key = f"{CHANGE}{section.change.section}"
    yield Row((_heading(section),), key="" if runs else key)
    for number, hunk in enumerate(runs):
        if number:
            yield Row((text("  …", DIM),))
        if (head := _head_of(hunk, section.pairs)) is not None:
            yield Row(tuple(lay_out([head])))
        for place, (is_same, pairs) in enumerate(groupby(hunk, key=lambda pair: pair.is_same)):
            yield Row(tuple(lay_out(list(pairs))), key="" if is_same else f"{key}:{number}.{place}")


def _head_of(hunk: Sequence[Pair], pairs: Sequence[Pair]) -> Pair | None:
    """Return the first line of the item that a run of lines is in the middle of; None if it has that itself."""
    before = takewhile(lambda pair: pair.is_same, hunk)
    if any(map(_item_of, [*before, next(pair for pair in hunk if not pair.is_same)])):
        return None
    at = next(place for place, pair in enumerate(pairs) if pair is hunk[0])
    line = next((line for pair in reversed(pairs[:at]) if (line := _item_of(pair))), "")
    return Pair(line, line) if line else None


def _item_of(pair: Pair) -> str:
    """Return a line that begins an item; "" for any other."""
    line = (pair.old if pair.new is None else pair.new) or ""
    return line if line.startswith(("- ", "* ")) else ""


def _heading(section: SectionDifference) -> Content:
    old, new = section.title.old, section.title.new
    was = f", was “{clean_name(old)}”" if old is not None and new is not None and old != new else ""
    title = clean_name((old if new is None else new) or "") or section.change.section
    return joined(text(clean_name(title), "bold"), text(f" · {what_became(section.change)}{was}", DIM))


def below_each_other(width: int) -> LayOut:
    """Return how pairs are laid out below each other."""

    def lay_out(pairs: Sequence[Pair]) -> Iterator[Content]:
        for pair in map(_cleaned, pairs):
            old, new = _sides(pair, width)
            yield from new if pair.is_same else (*old, *new)

    return lay_out


def side_by_side(width: int, divider: str) -> LayOut:
    """Return how pairs are laid out beside each other; what went is beside what came, alike or not."""
    room = min((width - len(divider) - 2) // 2, MAX_PROSE_WIDTH)
    between = text(f" {divider} ", DIM)

    def lay_out(pairs: Sequence[Pair]) -> Iterator[Content]:
        for pair in opposite(map(_cleaned, pairs)):
            for left, right in zip_longest(*_sides(pair, room), fillvalue=Content()):
                yield joined(left, " " * max(room - left.cell_length, 0), between, right)

    return lay_out


def _sides(pair: Pair, width: int) -> tuple[list[Content], list[Content]]:
    """Return the lines of both sides of a pair."""
    gone, come = pair.changed_words
    if pair.is_same:
        return line_rows(pair.old, (), _STAYED, DIM, width), line_rows(pair.new, (), _STAYED, DIM, width)
    return line_rows(pair.old, gone, WENT, FAILED, width), line_rows(pair.new, come, CAME, DONE, width)


def _cleaned(pair: Pair) -> Pair:
    """Return a pair as it can be shown: cleaned, with spaces for tabs."""
    old, new = (None if line is None else clean(line).expandtabs(4) for line in (pair.old, pair.new))
    return Pair(old, new)


def line_rows(
    line: str | None, changed: Sequence[Span], sign: str, style: str, width: int, *, is_raw: bool = False
) -> list[Content]:
    """Return a line of a plan as lines of a list: its sign, and its words below one another, changed ones marked.

    ``is_raw``: with what stands for headings and bullets in Markdown.
    """
    if line is None:
        return []
    mark, begin = ("", 0) if is_raw else _mark_of(line)
    words = text(line[begin:], style)
    if sum(end - start for start, end in changed) <= _TOO_MANY * len(words):
        for start, end in changed:
            if end > begin:
                words = words.stylize(CHANGED_WORDS, max(start - begin, 0), end - begin)
    before = sign + (mark if len(sign + mark) <= width // 2 else mark.lstrip())
    lines = words.wrap(max(width - len(before), 1))
    heads = chain([before], repeat(" " * len(before)))
    return [joined(text(head, style), part.rstrip()) for head, part in zip(heads, lines, strict=False)]


def _mark_of(line: str) -> tuple[str, int]:
    """Return a line's indent with its bullet, as a plan shows it, and where its words begin."""
    found = _MARKDOWN.match(line)
    if found is None:
        return "", 0
    indent, bullet = found["indent"], found["bullet"]
    return f"{indent}{'·' if indent else '•'} " if bullet else indent, found.start("words")
