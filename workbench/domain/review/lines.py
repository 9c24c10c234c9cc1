"""A plan in Markdown as lines under headings, and what became of each line from one version to the next.

    old, new ─▶ sections, by title and lines ─▶ their headings
                longest common run of lines  ─▶ same          in their order, first within a section, then anywhere
                the rest, word for word      ─▶ moved
                paragraphs, by their words   ─▶ same, changed where they were wrapped again
                the rest, alike              ─▶ changed       first within a section, then in a gap, then anywhere
                what is left                 ─▶ removed, added

Nothing is read by its words: a line is what stands between two line ends, a section what stands below a heading.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Literal, TypeVar

from msgspec import Struct

from workbench.domain.text.patterns import lazy_pattern

MOST_OF_A_PLAN = 2_000_000
"""Bytes of a plan that is reviewed."""
MOST_LINES = 20_000
"""Lines of one."""
_HEADING = lazy_pattern(r" {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*")
_FENCE = lazy_pattern(r" {0,3}(`{3,}|~{3,})")
_NUMBER = lazy_pattern(r"(\s*(?:#{1,6}\s+)?)\d{1,4}[.)]\s+")
"""Of an item or a heading: one that has another number alone is the same."""
_BEGINS = lazy_pattern(r"\s*(?:[-*+|>]|\d{1,4}[.)]\s|$)")
"""Of a line that does not go on with the paragraph above it."""
_SAME_WORDS = 0.7
"""Share of words from which a paragraph became another one."""
_LABEL = lazy_pattern(r"(?:\w+\s+)?[A-Z]?\d{1,3}(?:\.\d+)*[.:)]?(?:\s+|$)")
"""Number of a section, as in ``2.2 ``, ``C1 `` and ``Phase 2: ``: it is another one where the section moved."""
_SAME_LINES = 0.5
"""Share of lines from which a section became one with another title."""
_COMPARED = 400
"""Characters of a line that tell whether another one is like it."""
_ALIKE, _ALIKE_ELSEWHERE = 0.6, 0.75
"""Share of characters from which a line became another one: near it, and anywhere."""
_BEGINS_ALIKE = 0.8
"""Share of the shorter of two lines that both begin with, from which one became the other."""
_FEW, _PIECE = 10_000, 50
"""Pairs of lines up to which each is compared with each; lines of the pieces in which more are compared."""

T = TypeVar("T")
Became = Literal["same", "moved", "changed", "added", "removed"]


class Heading(Struct, frozen=True):
    """A heading, and the lines below it."""

    line: int
    """Of the heading, from 1."""
    last: int
    """The last line before the next heading of its level or a higher one."""
    level: int
    title: str

    @property
    def words(self) -> str:
        """Its title without its number."""
        label = _LABEL.match(self.title)
        return self.title if label is None else self.title[label.end() :]


class Document(Struct, frozen=True):
    """A text as lines."""

    lines: tuple[str, ...]
    """Without line ends."""
    headings: tuple[Heading, ...]
    code: frozenset[int] = frozenset()
    """Lines in blocks of code, from 1."""

    def section_at(self, line: int) -> Heading | None:
        """Return the heading that a line stands below, or that it is; None above the first."""
        return next((one for one in reversed(self.headings) if one.line <= line), None)

    @property
    def title(self) -> str:
        """Its first heading, else its first line with words."""
        first = next((one.title for one in self.headings if one.title), "")
        return first or next((line.strip() for line in self.lines if line.strip()), "")


class Line(Struct, frozen=True):
    """A line of two versions, and what became of it."""

    became: Became
    old: int = 0
    """Its number in the old version, from 1; 0 where it is new."""
    new: int = 0
    """Its number in the new version; 0 where it is gone."""
    is_moved: bool = False
    """Whether it stands in another order than before, changed or not."""
    also: tuple[int, ...] = ()
    """More old lines that it has words of, in a paragraph that was wrapped again."""
    was: str = ""
    """What a line that changed was before."""


def document(text: str) -> Document:
    """Return a text as lines under headings; what stands in a block of code is no heading."""
    lines = tuple(line.removesuffix("\r") for line in text.removeprefix("\ufeff").removesuffix("\n").split("\n"))
    found: list[tuple[int, int, str]] = []
    fence, code = "", set[int]()
    for number, line in enumerate(lines, 1):
        mark = _FENCE.match(line)
        if mark is not None:
            fence = mark[1] if not fence else "" if mark[1].startswith(fence) else fence
        if mark is not None or fence:
            code.add(number)
        elif (heading := _HEADING.fullmatch(line[:_COMPARED])) is not None:
            found.append((number, len(heading[1]), heading[2]))
    headings = []
    for place, (number, level, title) in enumerate(found):
        after = (line for line, other, _ in found[place + 1 :] if other <= level)
        headings.append(Heading(number, next(after, len(lines) + 1) - 1, level, title))
    return Document(lines, tuple(headings), frozenset(code))


def compared(old: Document, new: Document) -> tuple[Line, ...]:
    """Return each line of both versions once: in the order of the new one, what was removed where it was.

    Empty lines are the same wherever they stand.
    """
    found = _Matching(old, new)
    moved, gone, still, beside = _out_of_order(found.to_new), dict[int, list[Line]](), -1, (0, -1)
    for i, (line, section) in enumerate(zip(old.lines, found.sections[0], strict=True)):
        j = found.to_new.get(i)
        if j is not None and (i not in moved or (section > 0 and found.to_old[section - 1] in moved)):
            still, beside = still if i in moved else j, (section, j)  # a section that moved has its lines with it
        elif j is None and line.strip():
            at = beside[1] if beside[0] == section else still
            gone.setdefault(at, []).append(Line("removed", i + 1, was=line))
    lines = gone.get(-1, [])
    for j, line in enumerate(new.lines):
        before = found.to_old.get(j)
        was, of = found.wrapped.get(j, ("" if before is None else old.lines[before], ()))
        became: Became = "added" if line.strip() else "same"
        if before is not None or of:
            became = "changed" if _key(was) != _key(line) else "moved" if before in moved else "same"
        also = tuple(i + 1 for i in of if i != before)
        lines.append(Line(became, 0 if before is None else before + 1, j + 1, before in moved, also, was))
        lines += gone.get(j, [])
    return tuple(lines)


def lines_in_order(old: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    """Return which lines became which others without being moved, by places from 0."""
    found = _Matching(Document(tuple(old), ()), Document(tuple(new), ()))
    moved = _out_of_order(found.to_new)
    return {i: j for j, i in sorted(found.to_old.items()) if i not in moved}


class _Matching:
    """Which old line became which new one, by places from 0."""

    def __init__(self, old: Document, new: Document) -> None:
        self.old, self.new = old, new
        self.to_new: dict[int, int] = {}
        self.to_old: dict[int, int] = {}
        self.wrapped: dict[int, tuple[str, tuple[int, ...]]] = {}  # new line: what its words were, and old lines
        pairs = _sections(old, new)
        self.sections = [pairs.get(at, -at) for at in _headings_above(old)], _headings_above(new)
        self.told = _comparable_lines(old), _comparable_lines(new)
        for i, j in pairs.items():
            if i:
                self.pair(i - 1, j - 1)
        for olds, news in self._groups(*self.sections):
            self._common(olds, news)
        self._common(*self.left())
        self._pair_moved_lines()
        within = (tuple(zip(*both, strict=True)) for both in zip(self.sections, self._gaps(), strict=True))
        for olds, news in self._groups(*within):
            self._wrapped(olds, news)
        self._alike()

    def pair(self, i: int, j: int) -> None:
        self.to_new[i], self.to_old[j] = j, i

    def left(self) -> tuple[list[int], list[int]]:
        """Return the lines with words of both sides that have no other yet."""
        old, new = self.old.lines, self.new.lines
        return (
            [i for i, line in enumerate(old) if i not in self.to_new and line.strip()],
            [j for j, line in enumerate(new) if j not in self.to_old and j not in self.wrapped and line.strip()],
        )

    def _common(self, olds: list[int], news: list[int]) -> None:
        before, after = [self.told[0][i] for i in olds], [self.told[1][j] for j in news]
        from rapidfuzz.distance import LCSseq  # no list of sessions waits for it

        for op in LCSseq.opcodes(before, after):
            for step in range(op.src_end - op.src_start if op.tag == "equal" else 0):
                self.pair(olds[op.src_start + step], news[op.dest_start + step])

    def _pair_moved_lines(self) -> None:
        """Pair lines that stand elsewhere word for word, in the order in which they stand."""
        places: dict[str, list[int]] = {}
        olds, news = self.left()
        for i in reversed(olds):
            places.setdefault(self.told[0][i], []).append(i)
        for j in news:
            if free := places.get(self.told[1][j]):
                self.pair(free.pop(), j)

    def _wrapped(self, olds: list[int], news: list[int]) -> None:
        """Pair lines of a paragraph that was wrapped again, word by word, where most words are the same."""
        (before, first), (after, second) = _words(self.old, olds), _words(self.new, news)
        words, others = [word for word, _ in before], [word for word, _ in after]
        from rapidfuzz.distance import LCSseq

        is_one = (first or second) and len(words) * len(others) <= MOST_LINES**2
        if not is_one or not LCSseq.normalized_similarity(words, others, score_cutoff=_SAME_WORDS):
            return
        ends = [
            op.src_start + step * (op.tag == "equal")
            for op in LCSseq.opcodes(words, others)
            for step in range(op.dest_end - op.dest_start)
        ]
        ends, at = [0, *ends[1:], len(words)], 0
        for j, count in Counter(line for _, line in after).items():
            begin, at = at, at + count
            was = before[ends[begin] : ends[at]]
            if was:
                of = tuple(dict.fromkeys(line for _, line in was))
                is_same = [word for word, _ in was] == others[begin:at]
                self.wrapped[j] = (self.new.lines[j] if is_same else " ".join(word for word, _ in was), of)
                for i in of:
                    if self.to_new.setdefault(i, j) == j:
                        self.to_old.setdefault(j, i)

    def _alike(self) -> None:
        within = (tuple(zip(*both, strict=True)) for both in zip(self.sections, self._gaps(), strict=True))
        for of_old, of_new in (tuple(within), self.sections, self._gaps()):
            for olds, news in self._groups(of_old, of_new):
                self._pair_alike(olds, news, _ALIKE)
        olds, news = self.left()
        if len(olds) * len(news) <= _FEW:
            self._pair_alike(olds, news, _ALIKE_ELSEWHERE)

    def _groups(self, of_old: Sequence[object], of_new: Sequence[object]) -> Iterable[tuple[list[int], list[int]]]:
        """Return the lines that are left, by what each line of both sides stands in: a section, or a gap."""
        groups: dict[object, tuple[list[int], list[int]]] = {}
        for side, (places, within) in enumerate(zip(self.left(), (of_old, of_new), strict=True)):
            for at in places:
                groups.setdefault(within[at], ([], []))[side].append(at)
        return groups.values()

    def _gaps(self) -> tuple[list[int], list[int]]:
        """Return, for each line of both sides, the last old line before it that has become another one."""
        of_old, of_new, last = [], [], -1
        for i in range(len(self.old.lines)):
            last = i if i in self.to_new else last
            of_old.append(last)
        last = -1
        for j in range(len(self.new.lines)):
            last = self.to_old.get(j, last)
            of_new.append(last)
        return of_old, of_new

    def _pair_alike(self, olds: list[int], news: list[int], least: float) -> None:
        """Pair lines that are alike, in their order, so that as much as possible is alike; many in pieces."""
        if len(olds) * len(news) > _FEW:
            pieces = max(len(olds), len(news)) // _PIECE + 1
            for piece in range(pieces):
                part, beside = (
                    side[len(side) * piece // pieces : len(side) * (piece + 1) // pieces] for side in (olds, news)
                )
                self._pair_alike(part, beside, least)
            return
        before, after = (
            [told[at][:_COMPARED] for at in places] for told, places in zip(self.told, (olds, news), strict=True)
        )
        best = [0.0] * (len(news) + 1)  # by the number of new lines that are looked at
        ways: list[list[int]] = []  # by old line: what it is paired with then; -1 for nothing
        for line in before:
            row, way, taken = best.copy(), [-1], -1
            for at, other in enumerate(after):
                near = _likeness(line, other, least)
                if near and best[at] + near > max(row[at], row[at + 1]):
                    row[at + 1], taken = best[at] + near, at
                elif row[at] > row[at + 1]:
                    row[at + 1] = row[at]
                else:
                    taken = -1
                way.append(taken)
            best = row
            ways.append(way)
        at = len(news)
        for i, way in zip(reversed(olds), reversed(ways), strict=True):
            if way[at] >= 0:
                at = way[at]
                self.pair(i, news[at])


def _words(version: Document, lines: Sequence[int]) -> tuple[list[tuple[str, int]], bool]:
    """Return the words of lines, each with its line, and whether any of these goes on with a paragraph."""
    headings = {heading.line - 1 for heading in version.headings}
    text = [at for at in lines if at + 1 not in version.code and at not in headings]
    below = [at for at in text if at and at - 1 not in headings and version.lines[at - 1].strip()]
    goes_on = any(_BEGINS.match(version.lines[at]) is None for at in below)
    return [(word, at) for at in text for word in version.lines[at].split()], goes_on


def _comparable_lines(version: Document) -> list[str]:
    """Return what is compared of each line; headings are told from all other lines."""
    told = [_key(line).strip() for line in version.lines]
    for heading in version.headings:
        told[heading.line - 1] = f"\n{heading.words or heading.title}"
    return told


def _key(line: str) -> str:
    """Return a line by which it is told from others: without its number."""
    number = _NUMBER.match(line)
    return (line if number is None else number[1] + line[number.end() :]).rstrip()


def _likeness(one: str, other: str, least: float) -> float:
    """Return the share of characters that agree; 0 where it is below the least, and of a heading with another line.

    A line that goes on where the other one ends has the least.
    """
    from rapidfuzz.distance import Indel, Prefix

    if one.startswith("\n") != other.startswith("\n"):
        return 0.0
    near = Indel.normalized_similarity(one, other, score_cutoff=least)
    begins_alike = Prefix.similarity(one, other) >= _BEGINS_ALIKE * min(len(one), len(other))
    return near or (least if begins_alike else 0.0)


def _headings_above(version: Document) -> list[int]:
    """Return, for each line, the heading that it stands below, or that it is; 0 above the first."""
    starts, at, within = {heading.line for heading in version.headings}, 0, []
    for line in range(1, len(version.lines) + 1):
        at = line if line in starts else at
        within.append(at)
    return within


def _sections(old: Document, new: Document) -> dict[int, int]:
    """Return which section became which, by the lines of their headings; 0 is what stands above the first."""
    olds, news = _titled(old), _titled(new)
    pairs: dict[int, int] = {0: 0}
    if len(olds) * len(news) > _FEW:  # by title alone, in their order
        places: dict[str, list[int]] = {}
        for one in reversed(old.headings):
            places.setdefault(one.title, []).append(one.line)
        return pairs | {free.pop(): one.line for one in new.headings if (free := places.get(one.title))}
    ways = []
    for one, above_one, of_one in olds:
        for other, above_other, of_other in news:
            title = (0.5 if one.title == other.title else 0.0) + (one.words == other.words != "")
            both = (of_one & of_other).total() * 2 / max(of_one.total() + of_other.total(), 1)
            if title or (one.level == other.level and both >= _SAME_LINES):
                ways.append((-title - both - 0.2 * (above_one == above_other), one.line, other.line))
    for _, i, j in sorted(ways):
        if i not in pairs and j not in pairs.values():
            pairs[i] = j
    return pairs


def _titled(version: Document) -> list[tuple[Heading, str, Counter[str]]]:
    """Return the headings, each with the one above it and the lines below it."""
    told, found = _comparable_lines(version), list[tuple[Heading, str, Counter[str]]]()
    above: list[Heading] = []
    for one in version.headings:
        above = [*(other for other in above if other.level < one.level), one]
        found.append((one, above[-2].words if above[1:] else "", Counter(filter(None, told[one.line : one.last]))))
    return found


def _out_of_order(to_new: dict[int, int]) -> frozenset[int]:
    """Return the fewest old lines that stand in another order now: all but a longest run that does not fall."""
    olds = sorted(to_new)
    ends: list[int] = []  # the smallest end of a rising run, by its length
    run: list[int] = []  # where that end stands
    before: list[int] = []
    for place, i in enumerate(olds):
        length = bisect_right(ends, to_new[i])
        before.append(run[length - 1] if length else -1)
        ends[length : length + 1], run[length : length + 1] = [to_new[i]], [place]
    kept, at = set(), run[-1] if run else -1
    while at >= 0:
        kept.add(olds[at])
        at = before[at]
    return frozenset(olds).difference(kept)


def hunks(lines: Sequence[T], differs: Callable[[T], object], *, context: int = 2) -> Iterator[tuple[T, ...]]:
    """Yield the lines that differ in runs, with up to ``context`` lines around each."""
    places = [at for at, line in enumerate(lines) if differs(line)]
    near = sorted({beside for at in places for beside in range(max(at - context, 0), at + context + 1)})
    for _, run in groupby(enumerate(at for at in near if at < len(lines)), key=lambda one: one[1] - one[0]):
        yield tuple(lines[at] for _, at in run)
