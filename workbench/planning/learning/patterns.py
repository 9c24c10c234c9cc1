"""Patterns over many sessions, each with its number of cases: none on fewer than five.

    Case … ─▶ approach, rounds, feedback, effort ─▶ Pattern rows ─▶ Learned

Pure: the same cases give the same patterns. What they mean is for people to say: each row tells how many cases it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec

from workbench.domain.text.cleaning import shorten
from workbench.domain.text.words import stems
from workbench.planning.learning.cases import Case, Effort

LEAST = 5
"""Cases that a pattern rests on at least."""
Kind = Literal["approach", "rounds", "feedback", "effort"]


class Pattern(msgspec.Struct, frozen=True, kw_only=True):
    """A row: what is told of one subject."""

    kind: Kind
    """What the value is:

    - approach: share of plans that fared well; rounds: iterations until the plan was saved, by approach
    - feedback: how many sessions were told the same; effort: real days by likely days, by kind of step
    """
    subject: str
    cases: int
    """How many it rests on: sessions; for effort, steps."""
    value: float
    others: float | None
    """The same of all other cases; None if there are none, or nothing is compared."""
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


class _Row(NamedTuple):
    """A row before it is rounded."""

    subject: str
    cases: int
    value: float
    others: float | None
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
            text=row.text,
            sessions=tuple(dict.fromkeys(row.sessions)),
        )


# --- the tables -------------------------------------------------------------------------------------------------------


def _approaches(cases: Sequence[Case]) -> Iterator[_Row]:
    yield from _by_approach([case for case in cases if case.fared], _outcome_row)


def _rounds(cases: Sequence[Case]) -> Iterator[_Row]:
    yield from _by_approach([case for case in cases if case.rounds], _rounds_needed)


_Compared = Callable[[str, Sequence[Case], Sequence[Case]], _Row]
"""Makes the row of a subject, of its cases and of all others."""


def _by_approach(cases: Sequence[Case], row: _Compared) -> Iterator[_Row]:
    """Yield a row for each approach that enough cases have, beside all other cases."""
    groups: defaultdict[str, list[Case]] = defaultdict(list)
    for case in cases:
        if case.approach:
            groups[case.approach].append(case)
    for subject, group in groups.items():
        if len(group) >= LEAST:
            yield row(subject, group, [case for case in cases if case.approach not in ("", subject)])


def _outcome_row(subject: str, group: Sequence[Case], others: Sequence[Case]) -> _Row:
    number, good, rest = len(group), _count_good(group), len(others)
    beside = f", others in {_count_good(others)} of {rest}" if rest else ""
    told = f"Plans along “{subject}” fared well in {good} of {number}{beside}."
    return _Row(
        subject,
        number,
        good / number,
        _count_good(others) / rest if rest else None,
        told,
        (case.session for case in group),
    )


def _count_good(cases: Iterable[Case]) -> int:
    return sum(case.fared == "well" for case in cases)


def _rounds_needed(subject: str, group: Sequence[Case], others: Sequence[Case]) -> _Row:
    from statistics import median

    usual = median(case.rounds for case in others) if others else None
    value = median(case.rounds for case in group)
    beside = f", others after {usual:g}" if usual is not None else ""
    told = f"Plans along “{subject}” were saved after {value:g} rounds{beside}."
    return _Row(subject, len(group), value, usual, told, (case.session for case in group))


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
            yield _Row(text, len(told), float(len(told)), None, sentence, told)


def _efforts(cases: Sequence[Case]) -> Iterator[_Row]:
    from statistics import median

    groups: defaultdict[str, list[tuple[str, Effort]]] = defaultdict(list)
    for case in cases:
        for effort in case.efforts:
            groups[effort.kind].append((case.session, effort))
    for kind, group in groups.items():
        if not kind or len(group) < LEAST:
            continue
        ratios = [effort.real / effort.likely for _, effort in group]
        subject = group[0][1].title.split()[0].lower()
        told = f"{len(group)} steps that begin with “{subject}” took {median(ratios):.1f} times the likely days."
        yield _Row(subject, len(group), median(ratios), None, told, (session for session, _ in group))


_TABLES: Mapping[Kind, Callable[[Sequence[Case]], Iterator[_Row]]] = {
    "approach": _approaches,
    "rounds": _rounds,
    "feedback": _feedback,
    "effort": _efforts,
}
