"""How much of a plan changed from one version to the next: per section, at the level of tokens.

    old ─┐                      ┌▶ SectionChange   added · removed · changed · moved · same
         ├─ sections by id ─────┤
    new ─┘   tokens of Markdown └▶ ratio of the whole plan, 0 to 1

A token is a word, a number, a mark of punctuation or a line break. The ratio is ``1 − 2 × kept ÷ (old + new)`` in
tokens, after Ratcliff & Obershelp as in difflib, with *kept* the longest common subsequence; so it is the same in both
directions, and added and removed trade places. A section that only is elsewhere has ratio 0: *moved*.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from workbench.domain.plan.changing.operations import staying
from workbench.domain.plan.markdown import section_to_markdown, to_markdown
from workbench.domain.plan.plan import Plan, Section
from workbench.domain.text.patterns import lazy_pattern

Kind = Literal["added", "removed", "changed", "moved", "same"]

_TOKEN = lazy_pattern(r"\w+|\n|[^\w\s]")


class SectionChange(Struct, frozen=True):
    """What became of one section."""

    section: str
    """Its id."""
    title: str
    """Its new title; the old one if it was removed."""
    kind: Kind
    ratio: float
    """Share of its tokens that changed: 0 for same and moved, 1 for added and removed."""
    added: int
    """Tokens."""
    removed: int
    """Tokens."""
    was_at: int = 0
    """Its place among the old sections, counted from 1; 0 if it was not there."""
    stands_at: int = 0
    """Its place among the new sections, counted from 1; 0 if it is not there."""
    is_moved: bool = False
    """Whether it was put elsewhere, changed or not."""


class PlanChange(Struct, frozen=True):
    """What became of a plan."""

    ratio: float
    """Share of the whole plan's tokens that changed, 0 to 1; 1 if there was no plan before."""
    sections: tuple[SectionChange, ...]
    """In the order of the new plan; then what was removed, in the order of the old."""


def change_between(old: Plan | None, new: Plan) -> PlanChange:
    """Return what changed from ``old`` to ``new``; None for ``old`` means that everything is new."""
    before = {section.id: section for section in old.sections} if old else {}
    after = {section.id: section for section in new.sections}
    moved = _moved(tuple(before), tuple(after))
    named = {**after, **{name: section for name, section in before.items() if name not in after}}
    compared = [
        _compared(section, before.get(name), after.get(name), moved=name in moved) for name, section in named.items()
    ]
    titles = [_tokens(old.title) if old else [], _tokens(new.title)]
    edited = _distance(*titles) + sum(change.added + change.removed for change, _ in compared)
    total = sum(map(len, titles)) + sum(tokens for _, tokens in compared)
    ratio = 1.0 if old is None else _share(edited, total)
    was_at, stands_at = ({name: place for place, name in enumerate(side, start=1)} for side in (before, after))
    sections = (
        replace(change, was_at=was_at.get(change.section, 0), stands_at=stands_at.get(change.section, 0))
        for change, _ in compared
    )
    return PlanChange(ratio=ratio, sections=tuple(sections))


def unified(old: Plan | None, new: Plan, *, context: int = 3) -> str:
    """Return a unified diff of the Markdown of both, with ``context`` lines around each change; "" if they agree."""
    before, after = (to_markdown(plan).split("\n") if plan else [] for plan in (old, new))
    return "\n".join(difflib.unified_diff(before, after, "before", "after", n=context, lineterm=""))


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text)


def _distance(old: Sequence[str], new: Sequence[str]) -> int:
    """Return how many tokens are added and removed on the way from one text to another."""
    if not old or not new:
        return len(old) + len(new)
    from rapidfuzz.distance import Indel  # no frame and no list of sessions waits for it

    return Indel.distance(old, new)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _compared(
    named: Section, before: Section | None, after: Section | None, *, moved: bool
) -> tuple[SectionChange, int]:
    """Return the change of a section, called as it is in ``named``, and the tokens of both sides together."""
    old, new = (_tokens(section_to_markdown(section)) if section else [] for section in (before, after))
    edited = 0 if before == after else _distance(old, new)
    kept = (len(old) + len(new) - edited) // 2
    kind: Kind = "changed" if edited else "moved" if moved else "same"
    change = SectionChange(
        section=named.id,
        title=named.title,
        kind="added" if before is None else "removed" if after is None else kind,
        ratio=_share(edited, len(old) + len(new)),
        added=len(new) - kept,
        removed=len(old) - kept,
        is_moved=moved,
    )
    return change, len(old) + len(new)


def _moved(before: Sequence[str], after: Sequence[str]) -> frozenset[str]:
    """Return the fewest ids that, put elsewhere, turn one order of the common ids into the other."""
    old = [name for name in before if name in set(after)]
    new = [name for name in after if name in set(before)]
    return frozenset(old) - staying(old, new)


def percent(share: float) -> str:
    """Return a share of 0 to 1 as people read it: ``4%``; ``under 1%`` for what is small but not nothing."""
    return "under 1%" if 0 < share < 0.005 else f"{share:.0%}"
