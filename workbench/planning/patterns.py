"""Patterns over many sessions, each with its number of cases: none on fewer than five.

    Case … ─▶ approach, rounds, feedback, effort, phase, cited ─▶ Pattern rows ─▶ Learned

A row is *notable* where chance alone would show so much, in any row of its table, in fewer than 1 of 100 analyses:
Fisher's exact test for shares, the sign test for what is more or less (both two-sided), and Bonferroni's bound for the
number of rows. Feedback that recurs is notable by itself. Pure: the same cases give the same patterns.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import comb
from statistics import fmean, median
from typing import Literal, NamedTuple

import msgspec

from workbench.domain.text.cleaning import shorten
from workbench.domain.text.words import stems
from workbench.planning.cases import Case, Effort

LEAST = 5
"""Cases that a pattern rests on at least."""
CHANCE = 0.01
"""How likely chance alone may give a notable row in a table."""
Kind = Literal["approach", "rounds", "feedback", "effort", "phase", "cited"]


class Pattern(msgspec.Struct, frozen=True, kw_only=True):
    """A row: what is told of one subject."""

    kind: Kind
    """What the value is:

    - approach: share of plans that fared well; rounds: iterations until the plan was saved, by approach
    - feedback: how many sessions were told the same; effort: real days by likely days, by kind of step
    - phase: share of a session's tokens; cited: share of plans that fared well, of those that cite a session
    """
    subject: str
    cases: int
    """How many it rests on: sessions; for effort, steps."""
    value: float
    others: float | None
    """The same of all other cases; None where there are none, or nothing is compared."""
    is_notable: bool
    text: str
    """What it says, in a sentence."""
    sessions: tuple[str, ...]
    """Ids of those it rests on."""


class Learned(msgspec.Struct, frozen=True, kw_only=True):
    """What saved sessions teach."""

    sessions: int
    """How many were looked at."""
    judged: int
    """Those of them that have a rating or an outcome."""
    left_out: int
    """Private ones, which teach others nothing."""
    patterns: tuple[Pattern, ...]

    @property
    def notable(self) -> tuple[Pattern, ...]:
        """The patterns that chance alone does not explain."""
        return tuple(one for one in self.patterns if one.is_notable)


class _Row(NamedTuple):
    """A row before it is known how many there are."""

    subject: str
    cases: int
    value: float
    others: float | None
    chance: float
    """How likely it is by chance alone."""
    text: str
    sessions: Iterable[str]


def analyze_learning_patterns(cases: Iterable[Case]) -> Learned:
    """Return what sessions teach; private ones are left out."""
    read = tuple(cases)
    known = [case for case in read if not case.private]
    return Learned(
        sessions=len(known),
        judged=sum(case.fared != "" for case in known),
        left_out=len(read) - len(known),
        patterns=tuple(pattern for kind, rows in _TABLES.items() for pattern in _patterns(kind, list(rows(known)))),
    )


def _patterns(kind: Kind, rows: Sequence[_Row]) -> Iterator[Pattern]:
    for row in sorted(rows, key=lambda row: (-row.cases, row.subject)):
        yield Pattern(
            kind=kind,
            subject=row.subject,
            cases=row.cases,
            value=round(row.value, 3),
            others=None if row.others is None else round(row.others, 3),
            is_notable=row.chance * len(rows) < CHANCE,
            text=row.text,
            sessions=tuple(dict.fromkeys(row.sessions)),
        )


# --- the tables -------------------------------------------------------------------------------------------------------


def _approaches(cases: Sequence[Case]) -> Iterator[_Row]:
    judged = [case for case in cases if case.fared and case.approach]
    yield from _beside_others(judged, lambda case: [case.approach], _share("Plans along “{}” fared well in {} of {}"))


def _cited(cases: Sequence[Case]) -> Iterator[_Row]:
    judged = [case for case in cases if case.fared]
    yield from _beside_others(judged, lambda case: case.cited, _share("Plans that cite {} fared well in {} of {}"))


def _rounds(cases: Sequence[Case]) -> Iterator[_Row]:
    saved = [case for case in cases if case.rounds and case.approach]
    yield from _beside_others(saved, lambda case: [case.approach], _round)


_Compared = Callable[[str, Sequence[Case], Sequence[Case]], _Row]
"""Makes the row of a subject, of its cases and of all others."""


def _beside_others(cases: Sequence[Case], keys: Callable[[Case], Iterable[str]], row: _Compared) -> Iterator[_Row]:
    """Yield a row for each group. What is notable is no measure for the others: they are compared without it."""
    groups, others = _grouped(cases, keys), list(cases)
    number = len(groups)
    while groups:
        rows = [row(subject, group, _without(others, group)) for subject, group in groups.items()]
        first = min(rows, key=lambda one: one.chance)
        if first.chance * number >= CHANCE:
            yield from rows
            return
        yield first
        others = _without(others, groups.pop(first.subject))


def _without(cases: Iterable[Case], group: Iterable[Case]) -> list[Case]:
    sessions = {case.session for case in group}
    return [case for case in cases if case.session not in sessions]


def _share(sentence: str) -> _Compared:
    def row(subject: str, group: Sequence[Case], others: Sequence[Case]) -> _Row:
        number, good, rest = len(group), _well(group), len(others)
        beside = f", others in {_well(others)} of {rest}" if rest else ""
        return _Row(
            subject,
            number,
            good / number,
            _well(others) / rest if rest else None,
            fisher(good, number, good + _well(others), number + rest) if rest else 1.0,
            f"{sentence.format(subject, good, number)}{beside}.",
            (case.session for case in group),
        )

    return row


def _well(cases: Iterable[Case]) -> int:
    return sum(case.fared == "well" for case in cases)


def _round(subject: str, group: Sequence[Case], others: Sequence[Case]) -> _Row:
    usual = median(case.rounds for case in others) if others else None
    value = median(case.rounds for case in group)
    more = sum(case.rounds > usual for case in group) if usual is not None else 0
    less = sum(case.rounds < usual for case in group) if usual is not None else 0
    beside = f", others after {usual:g}" if usual is not None else ""
    told = f"Plans along “{subject}” were saved after {value:g} rounds{beside}."
    return _Row(subject, len(group), value, usual, sign(more, less), told, (case.session for case in group))


def _feedback(cases: Sequence[Case]) -> Iterator[_Row]:
    """Yield what several sessions were told in the same telling words."""
    said: defaultdict[frozenset[str], dict[str, str]] = defaultdict(dict)
    for case in cases:
        for text in case.feedback:
            said[frozenset(stems(text))].setdefault(case.session, text)
    for words, told in said.items():
        if words and len(told) >= LEAST:
            text = next(iter(told.values()))
            sentence = f"{len(told)} sessions were told “{shorten(text, 200)}”."
            yield _Row(text, len(told), float(len(told)), None, 0.0, sentence, told)


def _efforts(cases: Sequence[Case]) -> Iterator[_Row]:
    groups: defaultdict[str, list[tuple[str, Effort]]] = defaultdict(list)
    for case in cases:
        for effort in case.efforts:
            groups[effort.kind].append((case.session, effort))
    for kind, group in groups.items():
        if not kind or len(group) < LEAST:
            continue
        ratios = [effort.real / effort.likely for _, effort in group]
        chance = sign(sum(ratio > 1.1 for ratio in ratios), sum(ratio < 0.9 for ratio in ratios))
        subject = group[0][1].title.split()[0].lower()
        told = f"{len(group)} steps that begin with “{subject}” took {median(ratios):.1f} times the likely days."
        yield _Row(subject, len(group), median(ratios), None, chance, told, (session for session, _ in group))


def _phases(cases: Sequence[Case]) -> Iterator[_Row]:
    spent = [case for case in cases if sum(case.tokens.values())]
    for phase, group in _grouped(spent, lambda case: case.tokens).items():
        shares = [case.tokens[phase] / sum(case.tokens.values()) for case in group]
        tokens = fmean(case.tokens[phase] for case in group)
        costs = [case.cost * share for case, share in zip(group, shares, strict=True) if case.cost]
        about = f", about ${fmean(costs):.2f}" if costs else ""
        told = f"The {phase} takes {tokens:,.0f} tokens a session, {fmean(shares):.0%} of them{about}."
        chance = sign(sum(share > 0.5 for share in shares), sum(share < 0.5 for share in shares))
        chance = chance if median(shares) > 0.5 else 1.0  # that one of four takes less than half is no news
        yield _Row(phase, len(group), fmean(shares), None, chance, told, (case.session for case in group))


def _grouped(cases: Iterable[Case], keys: Callable[[Case], Iterable[str]]) -> dict[str, list[Case]]:
    """Return cases by their keys, of those that enough of them have."""
    groups: defaultdict[str, list[Case]] = defaultdict(list)
    for case in cases:
        for key in keys(case):
            groups[key].append(case)
    return {key: group for key, group in groups.items() if len(group) >= LEAST}


_TABLES: Mapping[Kind, Callable[[Sequence[Case]], Iterator[_Row]]] = {
    "approach": _approaches, "rounds": _rounds, "feedback": _feedback, "effort": _efforts, "phase": _phases,
    "cited": _cited,
}  # fmt: skip


# --- chance -----------------------------------------------------------------------------------------------------------


def fisher(good: int, number: int, all_good: int, whole: int) -> float:
    """Return how likely ``number`` of ``whole`` cases drawn at random are as far from the usual share (two-sided)."""
    ways = comb(whole, number)

    def likely(count: int) -> float:
        return comb(all_good, count) * comb(whole - all_good, number - count) / ways

    seen = likely(good) * (1 + 1e-9)
    possible = range(max(0, number - (whole - all_good)), min(number, all_good) + 1)
    return min(1.0, sum(chance for chance in map(likely, possible) if chance <= seen))


def sign(more: int, less: int) -> float:
    """Return how likely so many are more, or less, where both are as likely as each other (two-sided)."""
    number, few = more + less, min(more, less)
    return min(1.0, sum(comb(number, count) for count in range(few + 1)) / 2.0 ** (number - 1))
