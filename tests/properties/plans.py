"""Strategies for plans: any text of one line, Markdown syntax and the plan grammar's own marks included."""

from __future__ import annotations

from functools import cache
from typing import get_args

from hypothesis import strategies as st
from workbench.domain.plan.markdown.fields import LABELS
from workbench.domain.plan.markdown.grammar import PRIORITIES
from workbench.domain.plan.plan import (
    Bullet,
    Constraint,
    ConstraintKind,
    Criterion,
    Days,
    DaysOff,
    Decision,
    Effort,
    Lag,
    Money,
    Origin,
    OriginKind,
    Person,
    Plan,
    Question,
    Risk,
    Section,
    Status,
    Step,
    WorkingTime,
)
from workbench.domain.text.cleaning import clean

_FRAGMENTS = st.sampled_from(
    [
        *(f" · {label}: " for label in LABELS),
        *(f"{word}: " for word in PRIORITIES.values()),
        *("## ", "### ", "# ", "- ", "- S1 · ", "* C2 · ", "**", "`", "_", "[a](b)", "|", "\\", "·", " · ", ":", "<b>"),
        *("<!-- x -->", "—", "“”", "Straße", "计划", "1. ", "> ", "3 days (2–5)", "2027-06-30", "$x$", "~~", "S1"),
    ]
)
_LETTERS = st.text(st.characters(blacklist_categories=["C", "Z"]), min_size=1, max_size=6)

lines = st.lists(_FRAGMENTS | _LETTERS | st.just(" "), max_size=6).map(
    lambda parts: " ".join(clean("".join(parts)).split())
)
"""One line of text, cleaned like everything that enters a plan, and without space at its ends."""

names = lines.filter(bool)

prose = st.lists(lines, max_size=6).map("\n".join).map(str.strip)
"""Paragraphs, lists, headings; whatever Markdown has."""

days = st.integers(0, 200).map(lambda half: half / 2) | st.floats(0, 1000)
efforts = st.none() | st.tuples(days, days, days).map(sorted).map(lambda v: Effort(low=v[0], likely=v[1], high=v[2]))
dates = st.none() | st.dates().map(lambda day: day.isoformat())
ids = st.lists(
    st.tuples(st.sampled_from("CKSF"), st.integers(1, 99)).map(lambda pair: f"{pair[0]}{pair[1]}"),
    max_size=3,
    unique=True,
).map(tuple)
levels = st.sampled_from(["low", "medium", "high"])
amounts = st.none() | st.builds(
    Money,
    amount=st.decimals(-(10**9), 10**9, places=2, allow_nan=False, allow_infinity=False),
    currency=st.sampled_from(["EUR", "CHF", "JPY"]),
)
some_days = st.none() | st.integers(0, 60).map(lambda half: half / 2)
sources = lines.filter(lambda text: ", confirmed by" not in text and "·" not in text)
origins = st.none() | st.builds(
    Origin, kind=st.sampled_from(get_args(OriginKind)), source=sources, confirmed_by=sources
)
spans = st.lists(
    st.tuples(st.dates(), st.dates()).map(lambda pair: Days(min(pair).isoformat(), max(pair).isoformat())), max_size=3
).map(tuple)
weekdays = st.lists(st.integers(1, 7), unique=True, min_size=1).map(tuple)

_booleans = st.booleans()
_lag_days = st.integers(1, 20).map(lambda half: half / 2)
_parents = st.sampled_from(["", "S1"])
_statuses = st.sampled_from(get_args(Status))
_workstreams = st.sampled_from(["", "Preparation", "Data · Owner: x"]) | lines
_section_ids = st.sampled_from(["goal", "criteria", "scope", "steps", "risks", "notes", "section", "x-1"])
_how_many = st.integers(0, 4)


@st.composite
def steps(draw: st.DrawFn, number: int) -> Step:
    needs = draw(ids)
    lagging = draw(st.lists(st.sampled_from(needs), unique=True)) if needs else []
    return Step(
        id=f"S{number}",
        title=draw(lines),
        outcome=draw(lines),
        check=draw(lines),
        owner=draw(lines),
        effort=draw(efforts),
        needs=needs,
        lags=tuple(Lag(need, draw(_lag_days), draw(_booleans)) for need in needs if need in lagging),
        start=draw(dates),
        end=draw(dates),
        workstream=draw(_workstreams),
        answers=draw(ids),
        not_before=draw(dates),
        on=draw(dates),
        deadline=draw(dates),
        milestone=draw(_booleans),
        waiting=draw(some_days),
        parent=draw(_parents),
        cost=draw(amounts),
        cost_kind=draw(lines),
        status=draw(_statuses),
        started=draw(dates),
        finished=draw(dates),
        left=draw(some_days),
        tags=draw(ids),
        notes=draw(lines),
        origin=draw(origins),
    )


@cache  # a strategy that is made again is also checked again, which took half of the time
def _items(number: int) -> st.SearchStrategy:
    return st.one_of(
        st.builds(Criterion, id=st.just(f"C{number}"), text=lines, measure=lines, target=lines, due=dates),
        st.builds(
            Constraint,
            id=st.just(f"K{number}"),
            text=lines,
            limits=st.none() | st.sampled_from(get_args(ConstraintKind)),
            amount=amounts,
            day=dates,
            origin=origins,
        ),
        st.builds(
            Person,
            id=st.just(f"P{number}"),
            text=lines,
            role=lines,
            hours=st.none() | st.integers(0, 168).map(float),
            weekdays=st.just(()) | weekdays,
            away=spans,
        ),
        st.builds(WorkingTime, id=st.just(f"W{number}"), text=lines, weekdays=weekdays, backward=st.booleans()),
        st.builds(DaysOff, id=st.just(f"H{number}"), text=lines, days=spans, country=st.sampled_from(["", "DE-BY"])),
        steps(number),
        st.builds(
            Risk,
            id=st.just(f"R{number}"),
            text=lines,
            likelihood=levels,
            impact=levels,
            sign=lines,
            response=lines,
            answers=ids,
        ),
        st.builds(Decision, id=st.just(f"D{number}"), text=lines, reason=lines, answers=ids),
        st.builds(Question, id=st.just(f"Q{number}"), text=lines, assumption=lines, owner=lines),
        st.builds(
            Bullet,
            id=st.just(f"B{number}"),
            text=lines,
            priority=st.sampled_from([None, *PRIORITIES]),
            answers=ids,
        ),
    )


@cache
def _titles(section_id: str) -> st.SearchStrategy:
    return st.sampled_from([section_id.title(), "Steps", "Goal"]) | lines


@st.composite
def plans(draw: st.DrawFn, *, min_sections: int = 1) -> Plan:
    """A plan whose ids are unique and fit their kinds."""
    section_ids = draw(st.lists(_section_ids, min_size=min_sections, max_size=5, unique=True))
    number = 0
    sections = []
    for section_id in section_ids:
        items = []
        for _ in range(draw(_how_many)):
            number += 1
            items.append(draw(_items(number)))
        title = draw(_titles(section_id))
        sections.append(Section(id=section_id, title=title, text=draw(prose), items=tuple(items)))
    return Plan(title=draw(lines), sections=tuple(sections))
