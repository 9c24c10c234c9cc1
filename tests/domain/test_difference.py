"""Two plans beside each other: every section and every line once, what became of what, and what is left out."""

from __future__ import annotations

from itertools import groupby

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.properties.plans import plans
from workbench.domain.plan.changing.difference import Pair, difference_between, opposite, paired, what_became
from workbench.domain.plan.markdown import section_to_markdown
from workbench.domain.plan.plan import Bullet, Plan, Section
from workbench.domain.text.matching import hunks

GOAL = Section(id="goal", title="Goal", text="Move the billing.")
RISKS = Section(id="risks", title="Risks", text="It rains.")
STEPS = Section(
    id="steps", title="Steps", items=(Bullet(id="B1", text="Copy everything by May"), Bullet(id="B2", text="Look"))
)
PLAN = Plan(title="Plan", sections=(GOAL, RISKS, STEPS))

lines = st.lists(st.sampled_from(["", "a b c d e f", "a b c d e g", "x", "- S1 · one", "- S2 · two"]), max_size=8)
unhurried = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def became(old: Plan | None, new: Plan | None) -> dict[str, str]:
    return {one.change.section: what_became(one.change) for one in difference_between(old, new).sections}


def test_a_section_that_moved_says_from_where_to_where_and_shows_no_lines():
    difference = difference_between(PLAN, Plan(title="Plan", sections=(RISKS, STEPS, GOAL)))
    moved = [one for one in difference.sections if one.change.is_moved]
    assert [what_became(one.change) for one in moved] == ["moved from 1 to 3"]
    assert moved[0].pairs == ()
    assert difference.differs
    assert difference.ratio == 0


def _sections(old, new):
    return difference_between(old, new).sections


def test_a_word_that_changed_is_marked_in_both_lines():
    new = Plan(title="Plan", sections=(GOAL, RISKS, Section(id="steps", title="Steps", items=_by("June"))))
    pairs = next(one.pairs for one in _sections(PLAN, new) if one.change.section == "steps")
    changed = next(pair for pair in pairs if not pair.is_same)
    (gone,), (come,) = changed.changed_words
    assert (changed.old[slice(*gone)], changed.new[slice(*come)]) == ("May", "June")
    assert Pair("same", "same").changed_words == Pair(None, "new").changed_words == ((), ())


def _by(month):
    return (Bullet(id="B1", text=f"Copy everything by {month}"), Bullet(id="B2", text="Look"))


def test_lines_that_are_alike_stand_opposite_each_other_and_others_alone():
    old = ["- S1 · Copy the customers", "- S2 · Look at everything twice"]
    new = ["- S9 · Entirely new here", "- S1 · Copy the customers, and say so to all of them before the month is over"]
    assert list(paired(old, new)) == [Pair(None, new[0]), Pair(old[0], new[1]), Pair(old[1], None)]


def test_of_very_many_lines_each_stands_opposite_what_it_became():
    old, new = [f"a line, the old {n}" for n in range(150)], ["?", *(f"a line, the new {n}" for n in range(150))]
    assert list(paired(old, new)) == [Pair(None, "?"), *map(Pair, old, new[1:])]


@given(lines, lines)
def test_every_line_of_both_is_there_once_and_in_order(old, new):
    pairs = list(paired(old, new))
    assert [pair.old for pair in pairs if pair.old is not None] == old
    assert [pair.new for pair in pairs if pair.new is not None] == new


@given(lines, lines)
def test_two_columns_hold_every_line_and_none_is_empty_on_both_sides(old, new):
    pairs = list(opposite(paired(old, new)))
    assert [pair.old for pair in pairs if pair.old is not None] == old
    assert [pair.new for pair in pairs if pair.new is not None] == new
    assert all((pair.old, pair.new) != (None, None) for pair in pairs)


def test_what_went_and_what_came_fill_both_columns():
    alone = [Pair("a", None), Pair("b", None), Pair(None, "c"), Pair("same", "same"), Pair(None, "d")]
    assert list(opposite(alone)) == [Pair("a", "c"), Pair("b", None), Pair("same", "same"), Pair(None, "d")]


@given(lines, lines, st.integers(0, 3))
def test_runs_hold_everything_that_differs_and_no_more_around_it_than_asked(old, new, context):
    pairs = list(paired(old, new))
    runs = list(hunks(pairs, lambda pair: not pair.is_same, context=context))
    assert [one for run in runs for one in run if not one.is_same] == [one for one in pairs if not one.is_same]
    for run in runs:
        assert all(run)
        alike = [len(list(group)) for is_same, group in groupby(run, key=lambda pair: pair.is_same) if is_same]
        assert all(count <= 2 * context for count in alike)


@unhurried
@given(plans(min_sections=0), plans(min_sections=0))
def test_every_section_of_both_is_there_once_with_all_its_lines(old, new):
    difference = difference_between(old, new)
    names = [one.change.section for one in difference.sections]
    assert sorted(names) == sorted({section.id for plan in (old, new) for section in plan.sections})
    for one in difference.sections:
        if one.change.kind in ("same", "moved"):
            continue
        for section, said in (
            (old.section(one.change.section), [pair.old for pair in one.pairs if pair.old is not None]),
            (new.section(one.change.section), [pair.new for pair in one.pairs if pair.new is not None]),
        ):
            lines = section_to_markdown(section).split("\n")[1:] if section else []
            assert said == [line for line in lines if line.strip()]


@unhurried
@given(plans(min_sections=0), plans(min_sections=0))
def test_added_and_removed_trade_places_when_the_plans_do(old, new):
    there, back = difference_between(old, new), difference_between(new, old)
    other = {"added": "removed", "removed": "added"}
    assert {one.change.section: other.get(one.change.kind, one.change.kind) for one in there.sections} == {
        one.change.section: one.change.kind for one in back.sections
    }
    assert there.title == Pair(back.title.new, back.title.old)
    assert there.ratio == pytest.approx(back.ratio)


@unhurried
@given(plans(min_sections=0))
def test_any_plan_and_itself_do_not_differ(plan):
    assert not difference_between(plan, plan).differs
