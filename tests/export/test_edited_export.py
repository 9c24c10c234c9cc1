"""The Markdown of a session goes out and comes back: unchanged it is no change, and what it calculated is not read."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import CHOOSE, answering, begin
from tests.export.test_returned import NOW
from tests.full_plan import PLAN, TODAY, state_with
from tests.properties.plans import plans
from workbench.domain.loop.deciding.gates import Answer
from workbench.domain.plan.importing.reading import import_plan
from workbench.domain.plan.markdown import from_markdown, to_markdown
from workbench.domain.plan.markdown.grammar import CALCULATED, END
from workbench.domain.plan.plan import Plan, Section, Step
from workbench.domain.session.session import fold
from workbench.domain.text.quoting import QUOTED_MARK
from workbench.export.formats import FORMATS
from workbench.export.markdown import session_markdown
from workbench.planning.policies import nobody
from workbench.storage.files.session_file import read_session_file

SAMPLES = sorted((Path(__file__).parents[2] / "sessions").glob("*.jsonl"))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_comes_back_as_it_went(sample):
    state = fold(read_session_file(sample))
    text = session_markdown(state)
    assert f"\n{END}\n" in text
    assert from_markdown(text, state.plan) is not None
    assert from_markdown(text, state.plan) == state.plan


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(plans())
def test_any_plan_comes_back_as_it_went(plan):
    assert from_markdown(session_markdown(state_with(plan)), plan) == plan


def test_a_plan_with_all_fields_comes_back_without_the_plan_it_came_from():
    assert from_markdown(session_markdown(state_with(PLAN)), Plan(title="")) == PLAN


@given(st.lists(st.sampled_from([END, f"\\{END}", f"{END}  ", f"x {CALCULATED}", "words", f" {END}", ""]), max_size=5))
def test_prose_that_looks_like_the_end_is_kept(lines):
    text = "\n".join(lines).strip()
    plan = Plan(title="T", sections=(Section(id="goal", title="Goal", text=text), Section(id="x", title="X", text="y")))
    assert from_markdown(to_markdown(plan), Plan(title="")) == plan


ACTS = "<script>alert(1)</script> ![p](http://evil.example/p.png) [x](JavaScript:alert(1)) &lt;b> a < b"


def test_what_acts_is_in_no_export_of_markdown_and_comes_back():
    step = Step(
        id="S1", title=ACTS, check=ACTS, notes=f"{ACTS}\n{QUOTED_MARK}", workstream=ACTS, owner="Ann <img src=x>"
    )
    goal = Section(id="goal", title="Goal", text=f"{ACTS}\n\n{QUOTED_MARK}\n\n[x]: data:text/html,x\n\n```\n<b>\n```")
    plan = Plan(title=ACTS, sections=(goal, Section(id="steps", title=ACTS, items=(step,))))
    state = state_with(plan)
    text = session_markdown(state)
    for form in (text, *(FORMATS[name](plan, NOW, "s-1") for name in ("tasks", "spec-kit"))):
        assert "<script" not in form
        assert "![" not in form
        assert "](Java" not in form
        assert "a < b" in form
    assert "```\n<b>\n```" in text
    assert from_markdown(text, plan) == plan
    assert from_markdown(text, Plan(title="")) == plan
    assert to_markdown(import_plan(text, today=TODAY, base=plan).plan) == to_markdown(plan)


def test_an_edit_of_an_export_changes_what_was_edited_and_no_more():
    state = state_with(PLAN)
    behind = "\n## Calculated from the plan\n\nwhat earlier versions wrote there\n"
    edited = session_markdown(state).replace("tents for all", "tents and umbrellas") + behind
    assert to_markdown(from_markdown(edited, PLAN)) == to_markdown(PLAN).replace("tents for all", "tents and umbrellas")
    without_end = from_markdown(edited.replace(END, ""), PLAN)
    assert without_end.section("calculated-from-the-plan"), "where the mark is gone, nothing is dropped"


async def test_an_unchanged_export_makes_no_version():
    manager = begin(checkpoint_interval=1)
    state = await manager.run(answering(CHOOSE))
    assert state.gate.kind == "checkpoint"
    exported = Answer(kind="edit", text=session_markdown(state))
    await manager.answer(state.gate, exported)
    after = await manager.run(nobody)
    assert (after.version, after.plan) == (state.version, state.plan)
    edited = exported.text.replace("Switch invoices over", "Move the invoices")
    await manager.answer(after.gate, Answer(kind="edit", text=edited))
    assert (await manager.run(nobody)).version == state.version + 1
