"""What became of each line of a reviewed plan from one version to the next.

sections, by title and lines ─▶ their headings ─▶ text/matching.py ─▶ same, moved, changed; the rest removed, added
moved: in another order, in another section, or below another item
"""

from __future__ import annotations

from collections import Counter
from typing import Literal

from msgspec import Struct

from workbench.domain.text.comparable import comparable, unlabelled
from workbench.domain.text.matching import Matching, out_of_order
from workbench.domain.text.outline import Document, Heading
from workbench.domain.text.patterns import lazy_pattern

MOST_OF_A_PLAN = 2_000_000
"""Bytes of a plan that is reviewed."""
MOST_LINES = 20_000
"""Lines of one."""
_SAME_LINES = 0.5
"""Share of lines from which a section became one with another title."""
_FEW = 10_000
"""Pairs of sections up to which each is compared with each."""

_MARK = lazy_pattern(r"^(?:[>\s]*(?:[-*+]|\d+[.)])\s+)+")
"""Of an item."""
_UNDERLINE = lazy_pattern(r" {0,3}(?:=+|-{2,})\s*")
"""What makes a heading of the line above it."""

Became = Literal["same", "moved", "changed", "added", "removed"]


class Line(Struct, frozen=True):
    """A line of two versions, and what became of it."""

    became: Became
    old: int = 0
    """Its number in the old version, from 1; 0 if it is new."""
    new: int = 0
    """Its number in the new version; 0 if it is gone."""
    is_moved: bool = False
    """Whether it is in another order than before, or in another section or item, changed or not."""
    was_in: str = ""
    """The section or the item that it was in, if it is in another one."""
    also: tuple[int, ...] = ()
    """More old lines that it has words of, in a paragraph that was wrapped again."""
    was: str = ""
    """What a line that changed was before."""
    deeper: int = 0
    """By how much more a line that changed is indented in the outline, or in code."""


def compared(old: Document, new: Document) -> tuple[Line, ...]:
    """Return each line of both versions once: in the order of the new one, what was removed if it was.

    Empty lines are the same wherever they stand.
    """
    found = Matching(old, new, _sections(old, new))
    left = _left_their_place(found)
    moved = out_of_order({i: j for i, j in found.to_new.items() if i not in left}) | left.keys()
    gone, still, beside = dict[int, list[Line]](), -1, (0, -1)
    for i, (line, section) in enumerate(zip(old.lines, found.sections[0], strict=True)):
        j = found.to_new.get(i)
        goes_along = i not in left and section > 0 and found.to_old[section - 1] in moved
        if j is not None and (i not in moved or goes_along):
            still, beside = still if i in moved else j, (section, j)  # a section that moved has its lines with it
        elif j is None and line.strip():
            at = beside[1] if beside[0] == section else still
            gone.setdefault(at, []).append(Line("removed", i + 1, was=line))
    lines = gone.get(-1, [])
    for j, line in enumerate(new.lines):
        before = found.to_old.get(j)
        was, of = found.wrapped.get(j, ("" if before is None else old.lines[before], ()))
        became: Became = "added" if line.strip() else "same"
        deeper = 0
        begins = -1 if before is None and not of else of[0] if before is None else before
        if begins >= 0:
            one, other = found.told[0][begins], found.told[1][j]
            is_same = other.is_as_deep(one) if was.rstrip() == line.rstrip() else not of and other.is_same(one)
            became = "changed" if not is_same else "moved" if begins in moved else "same"
            is_told = not is_same and (one.text == other.text or not other.is_as_deep(one))
            deeper = other.level - one.level if is_told else 0
        also = tuple(i + 1 for i in of if i != before)
        number, was_in = 0 if before is None else before + 1, left.get(begins, "")
        lines.append(Line(became, number, j + 1, begins in moved, was_in, also, was, deeper))
        lines += gone.get(j, [])
    return tuple(lines)


def _left_their_place(found: Matching) -> dict[int, str]:
    """Return the old lines that are in another section or item now, each with what it was in."""
    olds, news = _places(found.old), _places(found.new)

    def is_other(old: int, new: int) -> bool:
        """Tell whether one place became another one; where one is gone and the other one new, it was renamed."""
        became = found.to_new.get(old, -1)
        return became != new if became >= 0 else new in found.to_old

    left: dict[int, str] = {}
    for i, j in found.to_new.items():
        section, item = olds[i]
        if is_other(section, news[j][0]):
            left[i] = found.told[0][section].key.strip() if section >= 0 else ""
        elif found.told[0][i].level == found.told[1][j].level and item != news[j][1] and is_other(item, news[j][1]):
            left[i] = _MARK.sub("", found.told[0][item].text) if item >= 0 else ""
    return left


def _places(version: Document) -> list[tuple[int, int]]:
    """Return, for each line, the heading above it and the item that it is in, by places from 0; -1 for none."""
    starts, places = {one.line - 1: one.level for one in version.headings}, list[tuple[int, int]]()
    told, headings, items = comparable(version), list[int](), list[int]()
    for at, line in enumerate(told):
        if at + 1 < len(told) and line.text and not line.kind and _UNDERLINE.fullmatch(version.lines[at + 1]):
            starts[at] = 1 if "=" in version.lines[at + 1] else 2
        if at in starts:
            headings, items = [one for one in headings if starts[one] < starts[at]], []
        elif line.text and line.kind != "code":
            items = items[: line.level - (line.kind == "item")]
        places.append((headings[-1] if headings else -1, items[-1] if items and line.kind != "code" else -1))
        if at in starts:
            headings.append(at)
        elif line.kind == "item":
            items.append(at)
    return places


def _sections(old: Document, new: Document) -> dict[int, int]:
    """Return which section became which, by the lines of their headings."""
    olds, news = _titled(old), _titled(new)
    pairs: dict[int, int] = {}
    if len(olds) * len(news) > _FEW:  # by title alone, in their order
        places: dict[str, list[int]] = {}
        for one in reversed(old.headings):
            places.setdefault(one.title, []).append(one.line)
        return {free.pop(): heading.line for heading in new.headings if (free := places.get(heading.title))}
    ways = []
    for one, above_one, of_one in olds:
        for other, above_other, of_other in news:
            title = (0.5 if one.title == other.title else 0.0) + (unlabelled(one) == unlabelled(other) != "")
            both = (of_one & of_other).total() * 2 / max(of_one.total() + of_other.total(), 1)
            if title or (one.level == other.level and both >= _SAME_LINES):
                ways.append((-title - both - 0.2 * (above_one == above_other), one.line, other.line))
    for _, i, j in sorted(ways):
        if i not in pairs and j not in pairs.values():
            pairs[i] = j
    return pairs


def _titled(version: Document) -> list[tuple[Heading, str, Counter[str]]]:
    """Return the headings, each with the title above it and the lines below it."""
    found = list[tuple[Heading, str, Counter[str]]]()
    told, above = [line.key for line in comparable(version)], list[Heading]()
    for one in version.headings:
        above = [*(other for other in above if other.level < one.level), one]
        found.append(
            (one, unlabelled(above[-2]) if above[1:] else "", Counter(filter(None, told[one.line : one.last])))
        )
    return found
