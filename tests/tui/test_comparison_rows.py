"""A comparison as rows: what stands opposite what, what can be gone to, and that nothing is wider than its place."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import created, told
from tests.properties.plans import plans
from tests.sample_sessions import FOLDER
from tests.tui.hostile import IN_A_FILE, unsafe, unseen
from tests.tui.hostile_session import SHORT, state
from workbench.context.entry import Entry
from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.difference import Pair, difference_between
from workbench.domain.plan.plan import Bullet, Plan, Section
from workbench.replay.comparing import Comparison, Place, Point, compare, compare_places, point_at
from workbench.replay.contexts import CallContext, CallHeading
from workbench.storage.files.session_file import read_session_file
from workbench.tui.lines import Row
from workbench.tui.marks import ASCII_MARKS, Marks
from workbench.tui.replay.compare import VIEWS, Look, comparison_rows, head_lines, title_of
from workbench.tui.replay.difference_rows import CHANGE, below_each_other, plan_difference_rows, side_by_side

BILLING = "move-billing-provider-demo"
MARKS = Marks()


@cache
def compared(a: str, b: str) -> Comparison:
    events = tuple(read_session_file(FOLDER / f"{BILLING}.jsonl"))
    return compare_places(Place.parse(f"{BILLING}@{a}"), events, Place.parse(f"{BILLING}@{b}"), events)


def plain(rows: list[Row]) -> list[str]:
    return [line.plain.rstrip() for row in rows for line in row.lines]


def look(view: str, width: int = 80, **more) -> Look:
    return Look(view, width, MARKS, **more)


def empty() -> Point:
    return point_at(Place.parse("x"), told(created()))


# --- plans ------------------------------------------------------------------------------------------------------------


def test_what_went_stands_above_what_came_or_beside_it():
    pair = Pair("- Copy everything by May", "- Copy everything by June")
    assert [line.plain for line in below_each_other(60)([pair])] == [
        "− • Copy everything by May",
        "+ • Copy everything by June",
    ]
    (line,) = side_by_side(65, "│")([pair])
    assert line.plain == f"{'− • Copy everything by May':<31} │ + • Copy everything by June"


def test_the_words_that_changed_are_underlined_wherever_a_line_is_broken():
    old = "- " + "one " * 12 + "May and two three four five six"
    lines = list(below_each_other(30)([Pair(old, old.replace("May", "June"))]))
    marked = [
        line.plain[span.start : span.end] for line in lines for span in line.spans if "underline" in str(span.style)
    ]
    assert marked == ["May", "June"]


def test_a_line_that_is_all_another_is_not_underlined():
    lines = below_each_other(60)([Pair("- alpha beta gamma", "- delta epsilon zeta")])
    assert not any("underline" in str(span.style) for line in lines for span in line.spans)


def test_a_sign_stands_once_and_what_is_broken_off_stands_below_the_words():
    lines = below_each_other(20)([Pair(None, "  - one two three four five")])
    assert [line.plain for line in lines] == ["+   · one two three", "      four five"]


def test_an_indent_never_takes_the_room_of_the_words():
    (line,) = below_each_other(20)([Pair(None, " " * 60 + "- one two")])
    assert line.plain == "+ · one two"


def test_a_line_that_stayed_is_told_once_below_and_twice_beside():
    pair = Pair("- Look", "- Look")
    assert [line.plain for line in below_each_other(40)([pair])] == ["  • Look"]
    assert [line.plain.count("Look") for line in side_by_side(40, "|")([pair])] == [2]


def test_what_is_not_alike_stands_beside_each_other_too():
    pairs = [Pair("- Alpha", None), Pair("- Beta", None), Pair(None, "- Gamma"), Pair("- One two", "- One three")]
    lines = [line.plain.split("│") for line in side_by_side(43, "│")(pairs)]
    assert [(left.strip(), right.strip()) for left, right in lines] == [
        ("− • Alpha", "+ • Gamma"),
        ("− • Beta", ""),
        ("− • One two", "+ • One three"),
    ]


def test_a_section_that_moved_takes_a_line():
    goal, risks, steps = (Section(id=name, title=name.title(), text=name) for name in ("goal", "risks", "steps"))
    moved = Plan(title="P", sections=(risks, steps, goal))
    rows = plan_difference_rows(difference_between(Plan(title="P", sections=(goal, risks, steps)), moved), 60)
    assert plain(rows) == ["Goal · moved from 1 to 3"]
    assert rows[0].key.startswith(CHANGE)


def test_titles_that_changed_are_told():
    old, new = (Plan(title=title, sections=(Section(id="s", title=title, text="x"),)) for title in ("Old", "New"))
    lines = plain(plan_difference_rows(difference_between(old, new), 60))
    assert lines[:2] == ["− Old", "+ New"]
    assert lines[3].startswith("New · changed")
    assert lines[3].endswith(", was “Old”")


def test_each_change_can_be_gone_to_once():
    rows = comparison_rows(compared("v1", "v2"), look("plan"))
    keys = [row.key for row in rows if row.key]
    assert len(keys) == len(set(keys)) == 3
    assert all(key.startswith(CHANGE) for key in keys)
    assert all(row.lines[0].plain[:2] in ("− ", "+ ") for row in rows if row.key)


@settings(max_examples=15, deadline=None)
@given(plans(min_sections=0), plans(min_sections=0), st.integers(30, 200), st.booleans())
def test_no_line_is_wider_than_its_place(old, new, width, beside):
    rows = plan_difference_rows(difference_between(old, new), width, "│" if beside else "")
    told = [line for row in rows for line in row.lines]
    headings = [row.lines[0] for row in rows if len(row.lines) == 1]  # cut where they are drawn
    assert all(line.cell_length <= width for line in told if line not in headings)


@settings(max_examples=15, deadline=None)
@given(plans(min_sections=0))
def test_every_word_of_a_new_plan_can_be_read(plan):
    said = " ".join(plain(plan_difference_rows(difference_between(None, plan), 4000)))
    for section in plan.sections:
        for item in section.items:
            if isinstance(item, Bullet):
                assert all(word in said for word in item.text.split() if word.isalnum())


# --- the other views --------------------------------------------------------------------------------------------------


def test_the_head_names_both_points_by_their_signs():
    lines = head_lines(compared("v2", "v3"), 120).plain.split("\n")
    assert lines[0].startswith(f"  − {BILLING} ")
    assert "plan v3 · " in lines[1]
    assert all(len(line) == 120 for line in lines)
    narrow = head_lines(compared("1", "v3"), 80).plain
    assert "tokens" not in narrow
    assert "no plan" in narrow


def test_titles_say_how_much_differs():
    told = [title_of(compared("v1", "v2"), view) for view in VIEWS]
    assert told == ["Plan · changed 1%", "Insights", "Context", "Numbers"]
    assert [title_of(compared("v2", "v2"), view) for view in VIEWS] == ["Plan", "Insights", "Context", "Numbers"]


def test_insights_and_findings():
    lines = plain(comparison_rows(compared("v1", "v2"), look("insights")))
    assert "There are no insights at either point." in lines
    assert "+ minor: S1, S2, S3, S4, S5, S6 and 3 more have no owner. (steps)" in lines
    back = plain(comparison_rows(compared("v2", "v1"), look("insights")))
    assert "− minor: S1, S2, S3, S4, S5, S6 and 3 more have no owner. (steps)" in back
    point = empty()
    finding = Finding(rule="model", severity="major", text="A gap", section="steps")
    open_ = msgspec.structs.replace(point, state=msgspec.structs.replace(point.state, findings=(finding,)))
    assert "+ major: A gap (steps)" in plain(comparison_rows(compare(point, open_), look("insights")))
    both = msgspec.structs.replace(open_, state=msgspec.structs.replace(open_.state, seq=9))
    assert "None came or went: 1 finding stayed." in plain(comparison_rows(compare(open_, both), look("insights")))


def test_numbers_that_differ_can_be_gone_to():
    both = compared("v1", "v2")
    rows = comparison_rows(both, look("numbers", 60))
    a, b = (point.state.spent.tokens for point in (both.a, both.b))
    tokens = next(row for row in rows if row.lines[0].plain.startswith("tokens "))
    assert tokens.lines[0].plain == f"{'tokens':<24}{f'{a:,}':>12}{f'{b:,}':>12}{f'+{b - a:,}':>12}"
    assert tokens.key
    assert next(row for row in rows if row.lines[0].plain.startswith("open findings")).key


def test_nothing_differs():
    for view in VIEWS:
        assert plain(comparison_rows(compared("v2", "v2"), look(view))) == ["Nothing differs.", "The same point."]


def test_views_in_which_nothing_differs_say_so():
    point = empty()
    later = msgspec.structs.replace(point, state=msgspec.structs.replace(point.state, seq=2))
    early = compare(point, later)
    assert plain(comparison_rows(early, look("plan"))) == ["No plan is drafted at either point."]
    assert plain(comparison_rows(early, look("context"))) == ["No model was asked yet at either point."]
    assert plain(comparison_rows(early, look("insights")))[1] == "There are no insights at either point."
    second = compared("v2", "v2").a.state.seq
    compared_later = compared(str(second), str(second + 1))
    assert plain(comparison_rows(compared_later, look("plan"))) == ["Both plans say the same."]


# --- contexts ---------------------------------------------------------------------------------------------------------


def item(text: str, **changes) -> Entry:
    said = {"id": "message:x:1", "session": "x", "role": "user", "seq": 1, "time": "", "tokens": 7, "text": text}
    return Entry(**{**said, **changes})


def context(*sent: Entry, dropped: tuple[Entry, ...] = (), is_recorded: bool = True) -> CallContext:
    heading = CallHeading(
        call="c1", role="planner", task="plan", attempt=1, model="m", seq=1, time="2026-03-02T09:30:00Z", tokens=100
    )
    return CallContext(
        session="x",
        heading=heading,
        is_recorded=is_recorded,
        current_conversation=sent,
        relevant_history=(),
        dropped=dropped,
        goes_back_further=False,
        tokens={},
        window=0,
        limit=0,
        receipts=(),
        unavailable="",
        prompt=(),
    )


def contexts(a: CallContext | None, b: CallContext | None) -> Comparison:
    point = empty()
    return compare(msgspec.structs.replace(point, context=a), msgspec.structs.replace(point, context=b))


def test_items_that_came_and_went_say_whose_they_are_from_where_and_why():
    quoted = item("They tried that", session="y", source="semantic", reason="near by meaning")
    left_out = replace_item(quoted, why_not="budget")
    both = contexts(context(item("Stay"), item("Go\nfor good")), context(item("Stay"), quoted))
    lines = plain(comparison_rows(both, look("context", 60)))
    assert "The last call at each point: c1 · planner → c1 · planner" in lines
    assert f"{'− you · said in this session':<57}7 t"[:60] in lines
    assert "  Go for good" in lines
    assert "+ you · recalled · y · near by meaning" in "\n".join(lines)
    assert "1 stayed, with 7 tokens." in lines
    for sides, when in (((context(quoted), context(dropped=(left_out,))), "now"), ((context(), context(quoted)), "")):
        said = "\n".join(plain(comparison_rows(contexts(*sides), look("context", 88))))
        assert (f"{when}: no room" in said) == bool(when)
    before = contexts(context(dropped=(left_out,)), context(quoted))
    assert "before: no room" in "\n".join(plain(comparison_rows(before, look("context", 88))))


def replace_item(one: Entry, **changes) -> Entry:
    return msgspec.structs.replace(one, **changes)


def test_items_are_the_same_by_what_they_say_and_where_it_comes_from():
    said, shared = item("Stay", id="a", session="x"), item("By June", id="shared:due", source="shared")
    other = item("Stay", id="b", session="y")
    assert not contexts(context(said), context(other)).context.differs
    for changed in (replace_item(shared, text="By May"), replace_item(shared, source="semantic")):
        both = contexts(context(shared), context(changed)).context
        assert [(one.item.text, one.item.source) for one in both.went] == [("By June", "shared")]
        assert [one.item for one in both.came] == [changed]


def test_an_item_unfolds_to_its_whole_text():
    both = contexts(context(), context(item("first " * 30 + "\nlast words")))
    rows = comparison_rows(both, look("context", 60))
    row = next(row for row in rows if "item" in row.key)
    assert len(row.lines) == 2
    assert row.lines[1].plain.endswith("…")
    unfolded = comparison_rows(both, replace(look("context", 60), unfolded=frozenset({row.key})))
    assert plain(unfolded)[-3] == "  last words"


def test_texts_that_are_gone_and_calls_without_a_ledger_say_so():
    both = contexts(context(is_recorded=False), context(item("", id="summary:9")))
    said = "\n".join(plain(comparison_rows(both, look("context"))))
    assert "(summary:9, whose text is not there)" in said
    assert "kept the prompt, and no ledger" in said
    assert "no call → c1" in "\n".join(plain(comparison_rows(contexts(None, context()), look("context"))))


# --- hostile text -----------------------------------------------------------------------------------------------------


@pytest.mark.cases(2)
@pytest.mark.parametrize("view", VIEWS)
def test_hostile_text_is_read_and_nothing_more(view):
    one = msgspec.structs.replace(empty(), label=SHORT[0].text)
    name = SHORT[1].text
    context_ = context(item(IN_A_FILE.text, id=name, session=name, source="semantic", reason=name))
    other = Point(label=SHORT[0].text, state=state("checkpoint"), context=context_)
    for a, b in ((one, other), (other, one)):
        for beside, marks in product((False, True), (MARKS, ASCII_MARKS)):
            rows = comparison_rows(compare(a, b), Look(view, 500, marks, beside, frozenset()))
            keys = frozenset(row.key for row in rows)
            rows = comparison_rows(compare(a, b), Look(view, 500, marks, beside, keys))
            lines = [line for row in rows for line in row.lines]
            lines += [head_lines(compare(a, b), 200)]
            assert [found for line in lines for part in line.plain.split("\n") for found in unsafe(part)] == []
            assert not any("@" in str(span.style) or "link" in str(span.style) for line in lines for span in line.spans)
            if view != "numbers" and not beside:
                assert unseen(IN_A_FILE, "\n".join(line.plain for line in lines)) == []


def test_a_record_of_a_newer_version_has_sources_of_its_own():
    newer = item("Hello", source="telepathy", why_not="nonsense")
    said = plain(comparison_rows(contexts(context(dropped=(newer,)), context(newer)), look("context", 88)))
    assert any("telepathy · before: nonsense" in line for line in said)
