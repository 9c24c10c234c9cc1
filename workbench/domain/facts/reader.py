"""The reader of what a person said: a text as facts, each word of it in one.

    text ─▶ dates ─▶ amounts ─▶ names ─▶ clauses ─▶ facts in the order of the text

Facts may contain others: a date within the clause of what is to be done by then. What no rule understands is of the
type ``unread``; nothing is left out but ``@path``, which names a file to read.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence
from datetime import date
from itertools import accumulate

import msgspec

from workbench.domain.facts.clauses import clause_facts
from workbench.domain.facts.people import people_facts
from workbench.domain.values.amounts import amount_facts
from workbench.domain.values.dates import date_facts
from workbench.domain.values.fact import Fact
from workbench.domain.values.plain import plain_text

_FILE = re.compile(
    r"""(?:(?:[,;]?[ ]|\()(?:see|as[ ]in|according[ ]to|per|read)[ ])?
        (?<![^\s(\["'“„])@(?:"[^"\n]{1,400}"|[^\s"@]{0,400}[./]\w*)""",
    re.IGNORECASE | re.VERBOSE,
)
"""A file that a person names: it is read, and its name says nothing itself."""
_FIRST_MARK = re.compile(r"\s{0,9}\(?1[.)]\s")
_SECOND_MARK = re.compile(r"[;\n][ \t]{0,9}\(?2[.)]\s")
_LIST_MARK = re.compile(
    r"(?:^|(?<=[;\n]))[ \t]{0,9}\(?\d{1,2}[.)](?=[ \t]{1,9}(?:[^\W\d]|[€$£]|\d{1,6}[ \t]|\d{1,2}:\d))"
)
"""Numbers of a list: they say nothing. "2. 30 chairs" has one, "2. 5. 2027" is a day."""
_ADDRESS = re.compile(
    r"\b\d{1,4}[A-Za-z]?,?\s(?:[A-Z][\w'’.-]*\s){1,3}(?:Street|St|Road|Rd|Lane|Ln|Avenue|Ave|Drive|Close|Court|Square|Crescent"
    r"|Terrace|Gardens|Way|Row|Mews|Hill|Place|Grove|Boulevard|Quay)\b"
)
_PHONE = re.compile(
    r"(?<![\w.,/-])(?:\+\d{1,3}[ -]?\(?0?|\(?0)\d{1,4}\)?[ -]\d{3,4}[ -]?\d{3,4}"
    r"(?:,?\s(?:ext|extension)\.?\s\d{1,5})?\b"
)
"""Numbers that count nothing: of a house in a street, in capital letters, and of a telephone."""
_NOT_BLANK = re.compile(r"\S")
_BLANKS = re.compile(r"\s{2}|[^\S\n ]")
_RUN = re.compile(r"\s+|\S+")
_STRETCH = re.compile(r"\S+")


def read_facts(text: str, today: date, named: Collection[date] = ()) -> tuple[Fact, ...]:
    """Return what a text says, in its order, a fact before those that it contains.

    ``today`` is the day that "tomorrow" and days without a year are counted from; ``named`` are days that were named
    elsewhere before, of which "the 13th" may speak.
    """
    is_list = _FIRST_MARK.match(text) is not None and _SECOND_MARK.search(text) is not None
    unmarked = _LIST_MARK.sub(_blank, text) if is_list else text
    compact, places = _compacted(_FILE.sub(_blank, unmarked))
    plain = plain_text(compact)
    counted = _without_names(compact, plain)
    dates = date_facts(compact, counted, today, named)
    amounts = amount_facts(compact, counted, [(fact.start, fact.end) for fact in dates])
    typed = sorted((*dates, *amounts), key=_order)
    inner = sorted((*typed, *_outside(people_facts(compact), typed)), key=_order)
    facts = [*inner, *clause_facts(compact, plain, inner)]
    return _placed(text, places, sorted((*facts, *_leftovers(compact, facts)), key=_order))


def _without_names(text: str, plain: str) -> str:
    """Return the plain text with letters where the numbers of houses and telephones stood."""
    for names in (_ADDRESS, _PHONE):
        pieces, at = [], 0
        for match in names.finditer(text):
            pieces += [plain[at : match.start()], _NOT_BLANK.sub("x", match[0])]
            at = match.end()
        plain = "".join((*pieces, plain[at:]))
    return plain


def _placed(text: str, places: Sequence[int], facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return facts of a compacted text as facts of the text itself."""
    if not places:
        return tuple(facts)
    return tuple(
        msgspec.structs.replace(
            fact,
            start=(start := places[fact.start]),
            end=(end := places[fact.end - 1] + 1),
            text=text[start:end],
            core=(places[fact.core[0]], places[fact.core[1] - 1] + 1) if fact.core is not None else None,
        )
        for fact in facts
    )


def _compacted(text: str) -> tuple[str, list[int]]:
    """Return a text with each run of blanks as one, and where its characters stand in the text; none where as they are.

    A run of blanks says nothing, and rules that skip blanks would try each of its places.
    """
    if _BLANKS.search(text) is None:
        return text, []
    kept: list[str] = []
    places: list[int] = []
    for match in _RUN.finditer(text):
        run = match[0]
        if run.isspace():
            run = "\n" if len(run.splitlines()) > 1 or run.endswith(("\n", "\r")) else " "
        kept.append(run)
        places.extend(range(match.start(), match.start() + len(run)))
    return "".join(kept), places


def _outside(names: Sequence[Fact], typed: Sequence[Fact]) -> list[Fact]:
    """Return the names that overlap none of the dates and amounts."""
    starts = [fact.start for fact in typed]
    ends = list(accumulate((fact.end for fact in typed), max))
    return [name for name in names if (place := bisect_left(starts, name.end)) == 0 or ends[place - 1] <= name.start]


def _order(fact: Fact) -> tuple[int, int]:
    return fact.start, -fact.end


def _leftovers(text: str, facts: list[Fact]) -> list[Fact]:
    """Return the stretches that are in no fact: signs and marks that stand alone."""
    covered = bytearray(len(text))
    for fact in facts:
        covered[fact.start : fact.end] = b"\1" * (fact.end - fact.start)
    left = [match for match in _STRETCH.finditer(text) if not any(covered[match.start() : match.end()])]
    return [
        Fact(text=match[0], start=match.start(), end=match.end(), type="unread")
        for match in left
        if match[0].strip("-–—•*·.,;:!?()[]\"'") or len(left) == 1 == len(text.split())
    ]


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])
