"""What is written as Markdown is read back as it was."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from tests.properties.plans import plans
from workbench.domain.plan import Plan
from workbench.domain.plan_markdown import from_markdown, to_markdown

_SETTINGS = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@_SETTINGS
@given(plans())
def test_reading_against_the_same_plan_gives_the_identical_sections(plan):
    read = from_markdown(to_markdown(plan), plan)
    assert read == plan
    assert all(new is old for new, old in zip(read.sections, plan.sections, strict=True))


@_SETTINGS
@given(plans())
def test_reading_against_nothing_gives_an_equal_plan(plan):
    assert from_markdown(to_markdown(plan), Plan(title="")) == plan


@_SETTINGS
@given(plans(), plans())
def test_reading_against_another_plan_gives_an_equal_plan_too(plan, other):
    other = Plan(title=plan.title, sections=other.sections)
    read = from_markdown(to_markdown(plan), other)
    assert [section.items for section in read.sections] == [section.items for section in plan.sections]
    assert [section.text for section in read.sections] == [section.text for section in plan.sections]
