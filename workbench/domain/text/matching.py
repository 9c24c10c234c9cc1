"""Lines of two versions of a text: which one became which.

longest common run of lines  ─▶ word for word      first within a section, then anywhere
a line that stands often     ─▶ changed            in its place, before the same words elsewhere
the rest, word for word      ─▶ moved
paragraphs, by their words   ─▶ wrapped again
the rest, alike              ─▶ changed            first within a section, then in a gap, then anywhere
"""

from __future__ import annotations

from bisect import bisect, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, groupby
from typing import TypeVar

from workbench.domain.text.comparable import comparable, single_spaced
from workbench.domain.text.outline import Document

_SAME_WORDS, _MOST_WORDS = 0.7, 20_000
"""Share of words from which a paragraph became another one; words up to which paragraphs are compared."""
_LONG = 2_000
"""Words of a paragraph up to which it is looked for elsewhere."""
_COMPARED = 400
"""Characters of a line that tell whether another one is like it."""
_ALIKE, _ALIKE_ELSEWHERE = 0.6, 0.75
"""Share of characters from which a line became another one: near it, and anywhere."""
_BEGINS_ALIKE = 0.8
"""Share of the shorter of two lines that both begin with, from which one became the other."""
_FEW, _PIECE = 10_000, 50
"""Pairs of lines up to which each is compared with each; lines of the pieces in which more are compared."""

T = TypeVar("T")


def lines_in_order(old: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    """Return which lines became which others without being moved, by places from 0."""
    found = Matching(Document(tuple(old)), Document(tuple(new)))
    moved = out_of_order(found.to_new)
    return {i: j for j, i in sorted(found.to_old.items()) if i not in moved}


class Matching:
    """Which old line became which new one, by places from 0."""

    def __init__(self, old: Document, new: Document, sections: Mapping[int, int] | None = None) -> None:
        """``sections``: which section became which, by the lines of their headings."""
        pairs = {0: 0, **(sections or {})}
        self.old, self.new = old, new
        self.to_new: dict[int, int] = {}
        self.to_old: dict[int, int] = {}
        self.wrapped: dict[int, tuple[str, tuple[int, ...]]] = {}
        """By a new line of a paragraph that was wrapped again: what its words were, and the old lines that had them."""
        self.sections = [pairs.get(at, -at) for at in _headings_above(old)], _headings_above(new)
        """For each line of both versions, the section of the new one that it is in."""
        self.told = comparable(old), comparable(new)
        self._keys = [[line.key for line in side] for side in self.told]
        for i, j in pairs.items():
            if i:
                self._pair(i - 1, j - 1)
        for olds, news in self._groups(*self.sections):
            self._common(olds, news)
        self._pair_repeated_lines()
        self._common(*self._left_with_words())
        self._pair_moved_lines()
        for olds, news in self._groups(*self._gaps_within_sections()):
            self._wrapped(olds, news)
        self._wrapped_elsewhere()
        for within in (self._gaps_within_sections(), self.sections, self._gaps()):
            for olds, news in self._groups(*within):
                self._pair_alike(olds, news, _ALIKE)
        olds, news = self._left_with_words()
        if len(olds) * len(news) <= _FEW:
            self._pair_alike(olds, news, _ALIKE_ELSEWHERE)

    def _pair(self, i: int, j: int) -> None:
        self.to_new[i], self.to_old[j] = j, i

    def _left(self) -> tuple[list[int], list[int]]:
        """Return the lines with words of both sides that have no other yet."""
        old, new = self.old.lines, self.new.lines
        return (
            [i for i, line in enumerate(old) if i not in self.to_new and line.strip()],
            [j for j, line in enumerate(new) if j not in self.to_old and j not in self.wrapped and line.strip()],
        )

    def _groups(self, of_old: Sequence[object], of_new: Sequence[object]) -> Iterable[tuple[list[int], list[int]]]:
        """Return the lines that are left, by what each line of both sides is in: a section, or a gap."""
        groups: dict[object, tuple[list[int], list[int]]] = {}
        for side, (places, within) in enumerate(zip(self._left(), (of_old, of_new), strict=True)):
            for at in places:
                groups.setdefault(within[at], ([], []))[side].append(at)
        return groups.values()

    def _gaps(self) -> tuple[list[int], list[int]]:
        """Return, for each line of both sides, the last old line before it that has become another one."""
        of_old = (i if i in self.to_new else -1 for i in range(len(self.old.lines)))
        of_new, last = [], -1
        for j in range(len(self.new.lines)):
            last = self.to_old.get(j, last)
            of_new.append(last)
        return list(accumulate(of_old, max)), of_new

    def _gaps_within_sections(self) -> list[list[tuple[int, int]]]:
        return [list(zip(*both, strict=True)) for both in zip(self.sections, self._gaps(), strict=True)]

    def _common(self, olds: list[int], news: list[int]) -> None:
        from rapidfuzz.distance import LCSseq  # no list of sessions waits for it

        for op in LCSseq.opcodes([self._keys[0][i] for i in olds], [self._keys[1][j] for j in news]):
            for step in range(op.src_end - op.src_start if op.tag == "equal" else 0):
                self._pair(olds[op.src_start + step], news[op.dest_start + step])

    def _pair_moved_lines(self) -> None:
        """Pair lines that are elsewhere word for word, in the order in which they stand."""
        places: dict[object, list[int]] = {}
        olds, news = self._left()

        def found_by(which: int, at: int) -> object:
            key = self._keys[which][at]
            return key if self._has_words(which, at) else (key, self.sections[which][at])

        for i in reversed(olds):
            places.setdefault(found_by(0, i), []).append(i)
        for j in news:
            if free := places.get(found_by(1, j)):
                self._pair(free.pop(), j)

    def _left_with_words(self) -> tuple[list[int], list[int]]:
        olds, news = self._left()
        return [i for i in olds if self._has_words(0, i)], [j for j in news if self._has_words(1, j)]

    def _has_words(self, which: int, at: int) -> bool:
        """Tell whether a line says what it is: a fence, or a line below the heads of a table, is like any other."""
        return any(map(str.isalnum, self._keys[which][at]))

    def _pair_repeated_lines(self) -> None:
        """Pair lines that are alike in one place, of which either stands elsewhere too: that is another one."""
        olds, news = self._left()
        left = {self._keys[0][i] for i in olds} & {self._keys[1][j] for j in news}
        counts = [Counter(side) for side in self._keys]
        often = {key for key in left if max(counts[0][key], counts[1][key]) > 1}
        for olds, news in self._groups(*self._gaps_within_sections()) if often else ():
            for i, j in self._alike(olds, news, _ALIKE) if len(olds) * len(news) <= _FEW else ():
                if self._keys[0][i] in often or self._keys[1][j] in often:
                    self._pair(i, j)

    def _wrapped(self, olds: list[int], news: list[int]) -> None:
        """Pair lines of a paragraph that was wrapped again, word by word, where most words are the same."""
        from rapidfuzz.distance import LCSseq

        (before, first), (after, second) = _words(self.old, olds), _words(self.new, news)
        words, others = [word for word, _ in before], [word for word, _ in after]
        is_one = (first or second) and len(words) * len(others) <= _MOST_WORDS**2
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
                is_as_deep = all(self.told[0][i].is_as_deep(self.told[1][j]) for i in of)
                is_same = is_as_deep and [word for word, _ in was] == others[begin:at]
                self.wrapped[j] = (self.new.lines[j] if is_same else " ".join(word for word, _ in was), of)
                for i in of:
                    if self.to_new.setdefault(i, j) == j:
                        self.to_old.setdefault(j, i)

    def _wrapped_elsewhere(self) -> None:
        """Pair paragraphs of more than a line that have most words of each other, wherever they stand."""
        olds, news = map(_paragraphs, (self.old, self.new), self._left())
        ways = []
        for i, (lines, words) in enumerate(olds if len(olds) * len(news) <= _FEW else ()):
            for j, (others, those) in enumerate(news):
                both = words.total() + those.total()
                if len(lines) + len(others) > 2 and min(words.total(), those.total()) * 2 >= _SAME_WORDS * both:
                    ways.append((-(words & those).total() * 2 / both, i, j))
        for near, i, j in sorted(ways):
            if -near >= _SAME_WORDS and olds[i][0] and news[j][0]:
                self._wrapped(olds[i][0], news[j][0])
                olds[i][0].clear()
                news[j][0].clear()

    def _pair_alike(self, olds: list[int], news: list[int], least: float) -> None:
        for i, j in self._alike(olds, news, least):
            self._pair(i, j)

    def _alike(self, olds: list[int], news: list[int], least: float) -> Iterator[tuple[int, int]]:
        """Yield lines that are alike, in their order, the most alike first; many in pieces."""
        pieces = max(len(olds), len(news)) // _PIECE + 1 if len(olds) * len(news) > _FEW else 1
        for piece in range(pieces):
            part, beside = (
                side[len(side) * piece // pieces : len(side) * (piece + 1) // pieces] for side in (olds, news)
            )
            found = [(_likeness(self._keys[0][i], self._keys[1][j], least), i, j) for i in part for j in beside]
            pairs: list[tuple[int, int]] = []
            for _, i, j in sorted((-near, i, j) for near, i, j in found if near):
                at = bisect(pairs, (i, j))
                if all(i > one and j > other for one, other in pairs[at - 1 : at] if at) and all(
                    i < one and j < other for one, other in pairs[at : at + 1]
                ):
                    pairs.insert(at, (i, j))
            yield from pairs


def _paragraphs(version: Document, lines: Sequence[int]) -> list[tuple[list[int], Counter[str]]]:
    """Return those of these lines that stand below each other as text, each with their words; not the endless."""
    told, found, last = comparable(version), list[tuple[list[int], Counter[str]]](), -2
    for at in lines:
        if told[at].kind in ("", "item"):
            if at != last + 1 or told[at].kind:
                found.append(([], Counter()))
            found[-1][0].append(at)
            found[-1][1].update(version.lines[at].split())
            last = at
    return [one for one in found if one[1].total() <= _LONG]


def _words(version: Document, lines: Sequence[int]) -> tuple[list[tuple[str, int]], bool]:
    """Return the words of lines, each with its line, and whether any of these continues with a paragraph."""
    told = comparable(version)
    text = [at for at in lines if told[at].kind not in ("code", "heading")]
    plain = [at for at in text if not told[at].kind and not told[at].text.startswith(">")]
    goes_on = any(at and told[at - 1].text and told[at - 1].kind != "heading" for at in plain)
    return [(word, at) for at in text for word in single_spaced(version.lines[at]).split(" ")], goes_on


def _likeness(one: str, other: str, least: float) -> float:
    """Return the share of characters that agree; 0 if it is below the least, and of a heading with another line.

    A line that continues where the other one ends has the least.
    """
    from rapidfuzz.distance import Indel, Prefix

    one, other = one[:_COMPARED], other[:_COMPARED]
    if one.startswith("\n") != other.startswith("\n"):
        return 0.0
    near = Indel.normalized_similarity(one, other, score_cutoff=least)
    begins_alike = Prefix.similarity(one, other) >= _BEGINS_ALIKE * min(len(one), len(other))
    return near or (least if begins_alike else 0.0)


def _headings_above(version: Document) -> list[int]:
    """Return, for each line, the heading that it is below, or that it is; 0 above the first."""
    starts = {heading.line for heading in version.headings}
    return list(accumulate((line if line in starts else 0 for line in range(1, len(version.lines) + 1)), max))


def out_of_order(to_new: Mapping[int, int]) -> frozenset[int]:
    """Return the fewest old lines that are in another order now: all but a longest run that does not fall."""
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
