"""Facts in a few words, for tables of phrases: ``deadline 2027-03-28``, ``budget 500 EUR per month``."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

from hypothesis import strategies as st
from workbench.domain.facts.reader import read_facts
from workbench.domain.values.fact import Fact

TODAY = date(2027, 3, 10)
"""A Wednesday."""
_WORD_LIST = """
    by before 3 May 2027 monday the first of week, end Anna and Tom will build a website without 40k EUR € $ 120
    the day before then since was signed on half past EOD kW p.p. grand 3/4 to 29/3 + Tue Thu maybe its
    guests in 10 weeks not don't if must - – 14/05 every other asdf . ; ? fast from to until next last 2.5 hours
    twenty half
"""
_WORDS = (*_WORD_LIST.split(), "\n", "")
TEXTS = st.one_of(st.text(max_size=80), st.lists(st.sampled_from(_WORDS), max_size=15).map(" ".join))
"""Any text, and texts of words that rules look for."""
CLAUSES = frozenset({"deliverable", "exclusion", "condition", "quality", "unread"})


def brief(text: str) -> str:
    """Return the dates, amounts and names of a text; "?" after one that the reader is not sure of."""
    facts = (fact for fact in read_facts(text, TODAY) if fact.type not in CLAUSES)
    return "; ".join(f"{_brief(fact)}{'?' * bool(fact.doubt)}" for fact in facts)


def clauses(text: str) -> list[tuple[str, str]]:
    """Return the type and text of each clause."""
    return [(fact.type, fact.text) for fact in read_facts(text, TODAY) if fact.type in CLAUSES]


def phrases(section: str) -> Iterator[tuple[str, str]]:
    """Yield the phrases of a section of ``phrases.txt``, with what is read from each."""
    inside = False
    for line in (Path(__file__).parent / "phrases.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            inside = line == f"# {section}"
        elif inside and line:
            text, _, expected = line.partition(" | ")
            yield text, expected


def _brief(fact: Fact) -> str:
    value = fact.value
    if fact.type in {"person", "place"}:
        return f"{fact.type} {value.name}"
    if fact.type == "date":
        days = value.recurs or "no day"
        if value.first is not None:
            days = value.first if value.first == value.last else f"{value.first} to {value.last}"
        limit = f" limit {value.limit}" if value.limit not in {None, value.first, value.last} else ""
        times = f" x{value.number:g}" if value.number is not None else ""
        return " ".join(f"{fact.role} {days}{limit}{times} {value.part_of_day} {value.time}".split())
    number = f"{value.number:.10g}" + (f"-{value.up_to:.10g}" if value.up_to is not None else "")
    unit = f" {value.currency or value.unit}".rstrip()
    return f"{fact.role or fact.type} {number}{unit}" + (f" per {value.per}" if value.per else "")
