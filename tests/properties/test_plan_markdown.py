"""What is written as Markdown is read back as it was."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.properties.plans import plans
from workbench.domain.plan.markdown import from_markdown, to_markdown
from workbench.domain.plan.plan import Plan, Section, Step

_SETTINGS = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])


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


def test_code_in_notes_keeps_its_indentation_its_blank_lines_and_its_lists():
    notes = "```python\ndef f():\n    if x:\n        return 1\n\n- a\n  - b\n```"
    steps = (Step(id="S1", title="Write", notes=notes), Step(id="S2", title="Ship"))
    plan = Plan(title="F", sections=(Section(id="steps", title="Steps", items=steps),))
    text = to_markdown(plan)
    assert from_markdown(text, Plan(title="")) == plan
    assert from_markdown(text.replace("Ship", "Ship it"), plan).steps[0] == steps[0]


_BEGINNINGS = st.sampled_from(
    [
        *("", "- ", "  - ", "* ", "    ", "- S1 · ", "- C2 · ", "- S7 · ", "# ", "## ", "### ", "> ", "1. "),
        *("  - Outcome: ", "  - Effort: ", "  - Owner: x · Check: ", "  - Likelihood: ", "  - Due: "),
        "  - Workstream: ",
        *("\\## ", "\\- S1 · "),
    ]
)


_ODD_IDS = st.sampled_from(["", " ", "my steps", "Steps", "goal", "a\nb", "x -->", "../x"]) | st.text(max_size=5)


@_SETTINGS
@given(plans(), st.lists(_ODD_IDS, min_size=5, max_size=5), st.lists(_ODD_IDS, min_size=5, max_size=5))
def test_a_plan_with_any_ids_and_titles_can_be_edited(plan, ids, titles):
    """Files from somebody else may hold it; no edit of one section may cost another."""
    odd = tuple(
        replace(section, id=section_id, title=title)
        for section, section_id, title in zip(plan.sections, ids, titles, strict=False)
    )
    base = Plan(title=plan.title, sections=odd)
    read = from_markdown(to_markdown(base), base)
    assert [item.id for item in read.items] == [item.id for item in base.items]
    if len(set(ids[: len(odd)])) == len(odd) and not any("\r" in text for text in (*ids, *titles)):
        assert {section.id for section in read.sections} == {section.id for section in odd}


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
