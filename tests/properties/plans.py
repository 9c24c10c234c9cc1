"""Strategies for plans: any text of one line, Markdown syntax and the plan grammar's own marks included."""

from __future__ import annotations

from hypothesis import strategies as st
from workbench.domain.plan.markdown.grammar import LABELS, PRIORITIES
from workbench.domain.plan.plan import (
    Bullet,
    Constraint,
    Criterion,
    Decision,
    Effort,
    Plan,
    Question,
    Risk,
    Section,
    Step,
)

_FRAGMENTS = st.sampled_from(
    [
        *(f" · {label}: " for label in LABELS),
        *(f"{word}: " for word in PRIORITIES.values()),
        *("## ", "### ", "# ", "- ", "- S1 · ", "* C2 · ", "**", "`", "_", "[a](b)", "|", "\\", "·", " · ", ":", "<b>"),
        *("<!-- x -->", "—", "“”", "Straße", "计划", "1. ", "> ", "3 days (2–5)", "2027-06-30", "$x$", "~~", "S1"),
    ]
)
_LETTERS = st.text(st.characters(blacklist_categories=["C", "Z"]), min_size=1, max_size=6)

lines = st.lists(_FRAGMENTS | _LETTERS | st.just(" "), max_size=6).map(lambda parts: " ".join("".join(parts).split()))
"""One line of text, without control characters and without space at its ends."""

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


def _items(number: int) -> st.SearchStrategy:
    return st.one_of(
        st.builds(Criterion, id=st.just(f"C{number}"), text=lines, measure=lines, target=lines, due=dates),
        st.builds(Constraint, id=st.just(f"K{number}"), text=lines),
        st.builds(
            Step,
            id=st.just(f"S{number}"),
            title=lines,
            outcome=lines,
            check=lines,
            owner=lines,
            effort=efforts,
            needs=ids,
            start=dates,
            end=dates,
            workstream=st.sampled_from(["", "Preparation", "Data · Owner: x"]) | lines,
            answers=ids,
        ),
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


@st.composite
def plans(draw: st.DrawFn, *, min_sections: int = 1) -> Plan:
    """A plan whose ids are unique and fit their kinds."""
    section_ids = draw(
        st.lists(
            st.sampled_from(["goal", "criteria", "scope", "steps", "risks", "notes", "section", "x-1"]),
            min_size=min_sections,
            max_size=5,
            unique=True,
        )
    )
    number = 0
    sections = []
    for section_id in section_ids:
        items = []
        for _ in range(draw(st.integers(0, 4))):
            number += 1
            items.append(draw(_items(number)))
        title = draw(st.sampled_from([section_id.title(), "Steps", "Goal"]) | lines)
        sections.append(Section(id=section_id, title=title, text=draw(prose), items=tuple(items)))
    return Plan(title=draw(lines), sections=tuple(sections))
