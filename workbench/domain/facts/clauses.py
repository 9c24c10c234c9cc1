"""The clauses of a text as facts, typed by ``clause_types``.

    "Build a fast site by May without ads, but only if Anna agrees"
         deliverable  "Build a fast site"    exclusion  "without ads"    condition  "but only if Anna agrees"

Dates, amounts and names are read before; a clause never begins or ends within a date or an amount. Each word of the
text stands in a clause, or in a date or an amount at its edge. Of a clause that is not understood, what dates, amounts
and names leave of it is unread.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from workbench.domain.facts.clause_types import NEGATIVE, WORD, type_of
from workbench.domain.facts.fact import Fact
from workbench.domain.facts.vocabulary import FOREIGN, SMALL, VERBS

_SENTENCE = re.compile(r"[.!?;]+[\"”’')]*(?=\s|$)|\n|\s-{1,2}\s|[•●▪‣◦。！？]")
_ABBREVIATION = re.compile(
    r"\b(?:approx|max|min|no|ca|e\.g|i\.e|etc|mr|mrs|ms|dr|prof|st|vs|incl|excl|jan|feb|mar|apr|jun|jul|aug|sept?|"
    r"oct|nov|dec)$"
)
_SUBJECTS = r"i|we|you|they|he|she|it|this|that|there|everyone|everybody|nobody|somebody|someone|people|all|nothing"
_OPENINGS = (
    r"but|(?:and\s)?without|except(?!ional)|excluding|unless|(?:and\s|but\s)?(?:only\s)?(?:if|when|once|"
    r"after\s(?:we|they|it))|"
    r"provided|as\slong\sas|so\sthat|because|while|whereas|although|though|in\scase|even\s(?:if|though)|subject\sto|"
    rf"instead\sof|rather\sthan|until\s(?:{_SUBJECTS})"
)
_CLAUSE = re.compile(
    rf"(?<!\bday)(?<!\btime)(?<!\bcase)(?:,\s?|\s)(?=(?:{_OPENINGS})\b)|"
    rf",\s?(?=(?:(?:and|but|then|or|so)\s)?(?:{_SUBJECTS}|{NEGATIVE}|must|should|please|with\sno|keep|only)\b)|"
    rf"\s(?=(?:and|or)\s(?:{NEGATIVE}|keep|only|must|should|i|we|they|he|she|it|there)\b)|"
    r",?\s(?=and\s(?:the\s)?[a-z]+\s(?:must|should|(?:has|have|needs?)\sto)\b)|"
    r"(?P<open>,\s?(?:(?:and|then)\s(?:then\s)?)?|\sand\s(?:then\s)?)(?=[^\W\d_])"
)
"""Where a clause may begin; ``open``: only where a verb or a name follows."""
_JOINTS = re.compile(r"[\s,]?(?:(?:and|but|or|so|then|only|even)\b[\s,]{0,2})*")
_OBJECT = re.compile(r"\s(?!(?:and|or|of|is|are|for|in|by|at)\b)\S")
_DETERMINED = re.compile(r"\s(?:an?|the|our|my|all|every|each|both|these|them|it|\d+)\b")
_NOUNS_TOO_LIST = """
    food list market name order paint park place plant play post program record report share shop show stage start
    copy cover fax mix party phone release
    store study supply support talk test trade train transport travel use visit wait water wine work
"""
_NOUNS_TOO = frozenset(_NOUNS_TOO_LIST.split())
"""Verbs that after "and" are nouns more often."""
_EDGES = " \n,:-"
_OPENING_EDGES = _EDGES + "*#>"
_MARKS = frozenset(" \n.,;:!?()[]\"'“”„«»-*#>_|/&+")


def clause_facts(text: str, plain: str, inner: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return the clauses of a text as facts, given the dates, amounts and names in it, in their order."""
    facts: list[Fact] = []
    starts = [fact.start for fact in inner]
    for start, end in _clauses(plain, inner):
        facts += _typed(text, plain, start, end, inner[bisect_left(starts, start) : bisect_left(starts, end)])
    return tuple(facts)


class _Uncut:
    """Stretches that no clause ends in."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for fact in facts:
            if self._ends and fact.start < self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], fact.end)
            else:
                self._starts.append(fact.start)
                self._ends.append(fact.end)

    def contain(self, start: int, end: int) -> bool:
        place = bisect_right(self._starts, start)
        return place > 0 and self._ends[place - 1] >= end


def _clauses(plain: str, inner: Sequence[Fact]) -> Iterator[tuple[int, int]]:
    """Yield the place of each clause, without the blanks and marks around it."""
    uncut = _Uncut([fact for fact in inner if fact.type not in {"person", "place"}])
    names = {fact.start: fact.end for fact in inner if fact.type == "person"}
    at = 0
    for match in _SENTENCE.finditer(plain):
        is_dot = match[0] == "."
        is_abbreviation = is_dot and _ABBREVIATION.search(plain, max(0, match.start() - 8), match.start()) is not None
        if not is_abbreviation and not uncut.contain(match.start(), match.end()):
            yield from _within_sentence(plain, at, match.start(), uncut, names)
            at = match.end()
    yield from _within_sentence(plain, at, len(plain), uncut, names)


def _within_sentence(
    plain: str, first: int, last: int, uncut: _Uncut, names: dict[int, int]
) -> Iterator[tuple[int, int]]:
    at = first
    ends = frozenset(names.values())
    for match in _CLAUSE.finditer(plain, first, last):
        place = match.start() + (plain[match.start()] == ",")
        if _JOINTS.fullmatch(plain, at, place) is not None or uncut.contain(match.start(), match.end() + 1):
            continue
        is_name = match.end() in names and match.start() not in ends
        if match["open"] is None or is_name or _begins_with_verb(plain, match.end(), last):
            yield from _trimmed(plain, at, place)
            at = place  # "and" stands in the clause that it begins
    yield from _trimmed(plain, at, last)


def _begins_with_verb(plain: str, at: int, last: int) -> bool:
    word = WORD.match(plain, at, last)
    if word is None or word[0] not in VERBS:
        return False
    if word[0] in _NOUNS_TOO and _DETERMINED.match(plain, word.end(), last) is None:
        return False
    return _OBJECT.match(plain, word.end(), last) is not None


def _trimmed(plain: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield a place without the blanks and marks around it; nothing where that is all."""
    while start < end and plain[start] in _OPENING_EDGES:
        start += 1
    while end > start and plain[end - 1] in _EDGES:
        end -= 1
    if start < end:
        yield start, end


def _typed(text: str, plain: str, start: int, end: int, within: Sequence[Fact]) -> Iterator[Fact]:
    """Yield a clause as a fact; of one that is not understood, its other words."""
    gaps = list(_gaps(plain, start, end, [fact for fact in within if fact.type not in {"person", "place"}]))
    if not gaps:
        return
    rest = " ".join(plain[first:last] for first, last in gaps)
    kind = "unread" if _is_foreign(text, plain, gaps) else type_of(plain[start:end], rest, within)
    if kind == "unread":
        gaps = list(_gaps(plain, start, end, within))
    elif kind == "deliverable":
        gaps = list(_gaps(plain, start, end, [fact for fact in within if fact.type == "date" or fact.role == "budget"]))
        gaps = [(gaps[0][0], gaps[-1][1])]
    else:
        gaps = [(start, end)]
    for first, last in gaps:
        yield Fact(text=text[first:last], start=first, end=last, type=kind)


def _gaps(plain: str, start: int, end: int, facts: Sequence[Fact]) -> Iterator[tuple[int, int]]:
    """Yield what facts leave of a stretch, where it is more than blanks and marks."""
    at = start
    for fact in facts:
        yield from _telling(plain, at, min(fact.start, end))
        at = max(at, fact.end)
    yield from _telling(plain, at, end)


def _telling(plain: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for first, last in _trimmed(plain, start, end):
        if not _MARKS.issuperset(plain[first:last]):
            yield first, last


def _is_foreign(text: str, plain: str, gaps: Sequence[tuple[int, int]]) -> bool:
    """Return whether more small words of another language stand in stretches than English ones."""
    foreign = english = 0
    for number, (first, last) in enumerate(gaps):
        for match in WORD.finditer(plain, first, last):
            is_name = text[match.start()].isupper() and (number > 0 or match.start() > first)
            foreign += match[0] in FOREIGN and not is_name
            english += match[0] in SMALL
    return foreign > english
