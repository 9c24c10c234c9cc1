"""How much changed, by section and as a whole."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from tests.domain.sound_plans import names, sound
from tests.pace import took
from tests.properties.plans import plans
from workbench.domain.plan.changing.change import change_between, unified
from workbench.domain.plan.plan import Amendment, Plan, Risk, Section, amend

A = Section(id="a", title="A", text="one two three four five")
B = Section(id="b", title="B", text="six seven eight")
C = Section(id="c", title="C", items=(Risk(id="R1", text="rain"),))
PLAN = Plan(title="Plan", sections=(A, B, C))


def kinds(old: Plan | None, new: Plan) -> dict[str, str]:
    return {change.section: change.kind for change in change_between(old, new).sections}


def test_the_same_plan_has_not_changed():
    change = change_between(PLAN, PLAN)
    assert change.ratio == 0
    assert {section.kind for section in change.sections} == {"same"}
    assert unified(PLAN, PLAN) == ""


def test_one_word_of_a_section_changes_that_section_only():
    new = amend(PLAN, (Amendment(section=Section(id="a", title="A", text="one two three four six")),))
    change = change_between(PLAN, new)
    assert kinds(PLAN, new) == {"a": "changed", "b": "same", "c": "same"}
    assert (change.sections[0].added, change.sections[0].removed) == (1, 1)
    assert 0 < change.ratio < change.sections[0].ratio < 0.2


def test_sections_come_and_go_and_move():
    new = Plan(title="Plan", sections=(C, Section(id="d", title="D", text="new"), A))
    assert kinds(PLAN, new) == {"c": "moved", "d": "added", "a": "same", "b": "removed"}
    assert change_between(Plan(title="", sections=(A, B)), Plan(title="", sections=(B, A))).ratio == 0


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(plans(), plans())
def test_change_is_the_same_in_both_directions(one, other):
    there, back = change_between(one, other), change_between(other, one)
    assert there.ratio == pytest.approx(back.ratio)
    assert 0 <= there.ratio <= 1
    added, removed = (sum(getattr(change, side) for change in there.sections) for side in ("added", "removed"))
    assert (removed, added) == tuple(
        sum(getattr(change, side) for change in back.sections) for side in ("added", "removed")
    )


def test_ten_kilobytes_are_compared_in_a_moment_of_processor_time():
    sections = tuple(
        Section(id=f"{name}-{section.id}", title=section.title, text=section.text, items=section.items)
        for name in names()[:3]
        for section in sound(name).plan.sections
    )
    old = Plan(title="Big", sections=sections)
    new = Plan(
        title="Big",
        sections=tuple(
            Section(id=s.id, title=s.title, text=f"{s.text} and a few words more", items=s.items[1:]) for s in sections
        ),
    )
    # about 15 ms; a comparison of every word with every other takes seconds
    assert took(lambda: change_between(old, new), within=0.1, attempts=5) < 0.1
