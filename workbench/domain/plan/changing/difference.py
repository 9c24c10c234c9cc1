"""Two plans laid beside each other: section by section, line by line.

    old ─┐                                  ┌▶ same, moved       no lines: saying so is enough
         ├─ sections by id (change.py) ─────┼▶ added, removed    its lines, with nothing opposite
    new ─┘                                  └▶ changed           Pair(old, new), Pair(old, new) …
                                                                  └─ spans of the words that differ

The lines are those of a section's Markdown below its heading, without empty ones. Lines that are alike enough stand
opposite each other, so that a date that changed is seen beside the one it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, zip_longest

from msgspec import Struct

from workbench.domain.plan.changing.change import PlanChange, SectionChange, change_between, percent
from workbench.domain.plan.markdown import section_to_markdown
from workbench.domain.plan.plan import Plan, Section
from workbench.domain.text.matching import lines_in_order
from workbench.domain.text.patterns import lazy_pattern

_WORD = lazy_pattern(r"\d+(?:[.,:/-]\d+)*|\w+|[^\w\s]")
"""Numbers and dates whole, words, marks of punctuation."""

Span = tuple[int, int]
"""First character, and the one after the last."""


class Pair(Struct, frozen=True):
    """A line, and what became of it."""

    old: str | None
    """None if it is new."""
    new: str | None
    """None if it is gone."""

    @property
    def is_same(self) -> bool:
        """Whether nothing became of it."""
        return self.old == self.new

    @property
    def changed_words(self) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
        """Where the words stand that differ, in the old line and in the new one; none if there is one line only."""
        if self.old is None or self.new is None or self.is_same:
            return (), ()
        from rapidfuzz.distance import LCSseq

        old, new = (list(_WORD.finditer(line)) for line in (self.old, self.new))
        changed = [op for op in LCSseq.opcodes([m[0] for m in old], [m[0] for m in new]) if op.tag != "equal"]
        gone = (old[op.src_start : op.src_end] for op in changed)
        come = (new[op.dest_start : op.dest_end] for op in changed)
        return tuple(_spans(gone)), tuple(_spans(come))


class SectionDifference(Struct, frozen=True):
    """A section, and what became of it."""

    change: SectionChange
    title: Pair
    pairs: tuple[Pair, ...]
    """Its lines; none if it is the same, or only moved."""


class PlanDifference(Struct, frozen=True):
    """Two plans beside each other."""

    ratio: float
    """Share of the whole that changed, 0 to 1."""
    title: Pair
    sections: tuple[SectionDifference, ...]
    """Each of both plans once: in the order of the new plan; then what was removed, in the order of the old."""

    @property
    def differs(self) -> bool:
        """Whether anything became of anything."""
        return not self.title.is_same or any(section.change.kind != "same" for section in self.sections)


def difference_between(old: Plan | None, new: Plan | None) -> PlanDifference:
    """Return two plans beside each other; None is where there is no plan yet."""
    change = _change(old, new)
    before, after = ({section.id: section for section in plan.sections} if plan else {} for plan in (old, new))
    return PlanDifference(
        ratio=change.ratio,
        title=Pair(old.title if old else None, new.title if new else None),
        sections=tuple(_section(one, before.get(one.section), after.get(one.section)) for one in change.sections),
    )


def _change(old: Plan | None, new: Plan | None) -> PlanChange:
    if old is None and new is None:
        return PlanChange(ratio=0.0, sections=())
    return change_between(old, new or Plan(title=""))


def _section(change: SectionChange, old: Section | None, new: Section | None) -> SectionDifference:
    is_told = change.kind in ("same", "moved")
    return SectionDifference(
        change=change,
        title=Pair(old.title if old else None, new.title if new else None),
        pairs=() if is_told else tuple(paired(_lines(old), _lines(new))),
    )


def _lines(section: Section | None) -> list[str]:
    """Return the lines of a section below its heading, as Markdown; empty ones only keep others apart."""
    return [line for line in section_to_markdown(section).split("\n")[1:] if line.strip()] if section else []


def paired(old: Sequence[str], new: Sequence[str]) -> Iterator[Pair]:
    """Yield every line of both once, in order, those that became one another opposite each other."""
    became, at = lines_in_order(old, new), 0
    for i, line in enumerate(old):
        j = became.get(i)
        if j is None:
            yield Pair(line, None)
            continue
        yield from (Pair(None, come) for come in new[at:j])
        yield Pair(line, new[j])
        at = j + 1
    yield from (Pair(None, come) for come in new[at:])


def _spans(runs: Iterable[Sequence[re.Match[str]]]) -> Iterator[Span]:
    return ((run[0].start(), run[-1].end()) for run in runs if run)


def opposite(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Yield pairs as two columns have them: of lines that stand alone, what went is beside what came."""
    for is_alone, group in groupby(pairs, key=lambda pair: pair.old is None or pair.new is None):
        if not is_alone:
            yield from group
            continue
        alone = list(group)
        went = (pair.old for pair in alone if pair.old is not None)
        came = (pair.new for pair in alone if pair.new is not None)
        yield from (Pair(old, new) for old, new in zip_longest(went, came))


def what_became(change: SectionChange) -> str:
    """Return what became of a section as people read it: ``changed 4%, moved from 2 to 5``."""
    if change.kind in ("added", "removed", "same"):
        return change.kind
    changed = f"changed {percent(change.ratio)}" if change.kind == "changed" else ""
    moved = f"moved from {change.was_at} to {change.stands_at}" if change.is_moved else ""
    return ", ".join(part for part in (changed, moved) if part)
