"""A plan as a value, and what an amendment leaves alone."""

from __future__ import annotations

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.properties.plans import plans
from workbench.domain.plan.plan import Amendment, Plan, Section, amend

A, B, C = (Section(id=name, title=name.upper()) for name in "abc")
PLAN = Plan(title="Plan", sections=(A, B, C))


def ids(plan: Plan) -> list[str]:
    return [section.id for section in plan.sections]


def test_an_amendment_replaces_in_place():
    new = Section(id="b", title="New")
    amended = amend(PLAN, (Amendment(section=new, after="c"),))
    assert amended.sections == (A, new, C)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(plans(), st.data())
def test_what_no_amendment_names_is_the_identical_object(plan, data):
    named = data.draw(st.lists(st.sampled_from([*ids(plan), "new-1", "new-2"]), max_size=3))
    amendments = tuple(
        Amendment(
            section=Section(id=name, title="changed"),
            after=data.draw(st.sampled_from([None, *ids(plan)])),
            remove=data.draw(st.booleans()),
        )
        for name in named
    )
    amended = amend(plan, amendments)
    for section in plan.sections:
        if section.id not in named:
            assert amended.section(section.id) is section
    assert [name for name in ids(amended) if name not in named] == [name for name in ids(plan) if name not in named]


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(plans())
def test_a_plan_survives_json(plan):
    assert msgspec.json.decode(msgspec.json.encode(plan), type=Plan) == plan
