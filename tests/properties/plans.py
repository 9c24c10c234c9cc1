"""Strategies for plans: any text of one line, Markdown syntax and the plan grammar's own marks included."""

from __future__ import annotations

from functools import cache
from typing import get_args

from hypothesis import strategies as st
from workbench.domain.plan.markdown.fields import LABELS
from workbench.domain.plan.markdown.grammar import PRIORITIES
from workbench.domain.plan.plan import (
    Bullet,
    Capacity,
    Constraint,
    ConstraintKind,
    Criterion,
    Days,
    DaysOff,
    Decision,
    Effort,
    Fund,
    Lag,
    Money,
    Option,
    Origin,
    OriginKind,
    Person,
    Place,
    Plan,
    Progress,
    Question,
    Risk,
    Row,
    Rule,
    Section,
    Status,
    Step,
    WorkingTime,
)
from workbench.domain.text.cleaning import clean
from workbench.domain.values.calendar_words import FIRST_DAY, LAST_DAY

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
plannable = st.dates(FIRST_DAY, LAST_DAY)
dates = st.none() | plannable.map(lambda day: day.isoformat())
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
    st.tuples(plannable, plannable).map(lambda pair: Days(min(pair).isoformat(), max(pair).isoformat())), max_size=3
).map(tuple)
weekdays = st.lists(st.integers(1, 7), unique=True, min_size=1).map(tuple)
some_weekdays = st.just(()) | weekdays
iso_dates = plannable.map(lambda day: day.isoformat())
clock_times = st.sampled_from(["", "00:00", "02:15", "23:59", "24:00"])
hours_of_day = st.sampled_from(["", "02:00-06:00", "22:30-24:00"])
odd_texts = lines | st.sampled_from(["a; b", 'say "no"', "A (5 EUR)", "x = y", "a,b", "", " ", "a\nb", '"', "\\"])
"""A part of a list may hold any text: what separates parts and quotes them, and no text."""
text_lists = st.lists(odd_texts, max_size=3).map(tuple)
rules = st.builds(
    Rule,
    every=st.sampled_from(["day", "week", "month", "year"]),
    first=iso_dates,
    interval=st.integers(1, 12),
    weekdays=some_weekdays,
    until=dates,
    length=st.integers(1, 40),
)
rule_lists = st.lists(rules, max_size=2).map(tuple)
capacities = st.lists(
    st.builds(Capacity, hours=st.floats(0, 168), first=dates, last=dates, decision=st.sampled_from(["", "D2"])),
    max_size=2,
).map(tuple)
shares = st.floats(0, 1)
progress = (
    st.none() | st.builds(Progress, done=shares) | st.builds(Progress, done=days, of=st.integers(1, 90).map(float))
)
options = st.lists(st.builds(Option, text=odd_texts, amount=amounts), max_size=3).map(tuple)
other_fields = st.dictionaries(odd_texts, odd_texts, max_size=2)

_booleans = st.booleans()
_lag_days = st.integers(1, 20).map(lambda half: half / 2)
_parents = st.sampled_from(["", "S1"])
_statuses = st.sampled_from(get_args(Status))
_workstreams = st.sampled_from(["", "Preparation", "Data · Owner: x"]) | lines
_section_ids = st.sampled_from(["goal", "criteria", "scope", "steps", "risks", "notes", "section", "x-1"])
_how_many = st.integers(0, 4)


_waits = st.tuples(some_days, _booleans, st.just(value=False)) | st.tuples(
    st.integers(1, 32).map(lambda eighth: eighth / 8), st.just(value=False), st.just(value=True)
)
"""How long, whether in working days, whether in hours; hours of nothing cannot be said."""
NEWER_STEP_FIELDS: dict[str, st.SearchStrategy] = {
    "also": text_lists,
    "each": _booleans,
    "duration": some_days,
    "hours": hours_of_day,
    "duration_elapsed": _booleans,
    "mode": st.sampled_from(["", "together", "alone"]),
    "splits": _booleans,
    "priority": st.sampled_from(["", "high", "low"]),
    "repeat": st.none() | rules,
    "place": lines,
    "decisions": ids,
    "condition": lines,
    "no_return": _booleans,
    "fund": st.sampled_from(["", "M1"]),
    "basis": st.sampled_from(["", "quote", "price", "estimate"]),
    "optional": _booleans,
    "not_covered": _booleans,
    "progress": progress,
    "other": other_fields,
    "causes": text_lists,
}
_newer_step_fields = st.fixed_dictionaries({}, optional=NEWER_STEP_FIELDS)


@st.composite
def steps(draw: st.DrawFn, number: int) -> Step:
    needs = draw(ids)
    waiting, waits_working, waits_hours = draw(_waits)
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
        waiting=waiting,
        waits_working=waits_working,
        waits_hours=waits_hours,
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
        **draw(_newer_step_fields),
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
            last=dates,
            sets=st.sampled_from(["", "deadline", "goal-day"]),
            origin=origins,
            causes=text_lists,
        ),
        st.builds(
            Person,
            id=st.just(f"P{number}"),
            text=lines,
            role=lines,
            hours=st.none() | st.integers(0, 168).map(float),
            weekdays=some_weekdays,
            away=spans,
            capacity=capacities,
            away_again=rule_lists,
        ),
        st.builds(
            WorkingTime,
            id=st.just(f"W{number}"),
            text=lines,
            weekdays=weekdays,
            backward=st.booleans(),
            hours=hours_of_day,
            target=some_days,
        ),
        st.builds(
            DaysOff,
            id=st.just(f"H{number}"),
            text=lines,
            days=spans,
            country=st.sampled_from(["", "DE-BY"]),
            again=rule_lists,
            who=text_lists,
        ),
        st.builds(
            Fund, id=st.just(f"M{number}"), text=lines, limit=amounts, reserve=st.none() | shares, causes=text_lists
        ),
        st.builds(
            Place,
            id=st.just(f"L{number}"),
            text=lines,
            weekdays=some_weekdays,
            hours=hours_of_day,
            closed=spans,
            again=rule_lists,
        ),
        st.builds(
            Row,
            id=st.just(f"T{number}"),
            text=lines,
            day=iso_dates,
            time=clock_times,
            who=lines,
            stop=lines,
            origin=origins,
        ),
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
        st.builds(
            Decision,
            id=st.just(f"D{number}"),
            text=lines,
            reason=lines,
            answers=ids,
            owner=lines,
            latest=dates,
            options=options,
            assumed=lines,
            advice=lines,
        ),
        st.builds(Question, id=st.just(f"Q{number}"), text=lines, assumption=lines, owner=lines),
        st.builds(
            Bullet, id=st.just(f"B{number}"), text=lines, priority=st.sampled_from([None, *PRIORITIES]), answers=ids
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
