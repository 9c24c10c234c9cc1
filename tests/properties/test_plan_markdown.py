"""What is written as Markdown is read back as it was."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
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


_BEGINNINGS = st.sampled_from(
    [
        *("", "- ", "  - ", "* ", "    ", "- S1 · ", "- C2 · ", "- S7 · ", "# ", "## ", "### ", "> ", "1. "),
        *("  - Outcome: ", "  - Effort: ", "  - Owner: x · Check: ", "  - Likelihood: ", "  - Due: "),
        *("\\## ", "\\- S1 · "),
    ]
)


@_SETTINGS
@given(plans(), st.lists(_BEGINNINGS | st.just(None), min_size=1, max_size=20))
def test_no_line_of_any_edit_is_lost(base, beginnings):
    edit = ["## Steps", *(("" if begin is None else f"{begin}word{n}x") for n, begin in enumerate(beginnings))]
    read = from_markdown("\n".join(edit), base)
    written = to_markdown(read)
    for n, begin in enumerate(beginnings):
        assert begin is None or f"word{n}x" in written
    assert from_markdown(written, read) == read
    given_ids = [item.id for item in read.items]
    assert len(given_ids) == len(set(given_ids))
