"""Replies are usable, or named as unusable."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from workbench.domain.errors import ModelReplyInvalid
from workbench.domain.loop.answers.replies import ReadReply, read_reply
from workbench.domain.loop.asking.tasks import (
    Action,
    Approach,
    ExecuteReply,
    ExecuteTask,
    Finding,
    GenerateReply,
    GenerateTask,
    Handled,
    PlanReply,
    PlanTask,
    ProposeReply,
    ProposeTask,
    VerifyReply,
    VerifyTask,
    reply_type,
)
from workbench.domain.plan.plan import Amendment, Criterion, Plan, Section, Step

PLAN = Plan(title="Plan")
STEPS = Section(id="steps", title="Steps", items=(Step(id="S1", title="Do"), Criterion(id="C1", text="done")))
PAIRS = [
    (
        ProposeTask(goal="g", today="2026-11-23"),
        ProposeReply(approaches=(Approach(id="A1", title="t", summary="s"),), questions=("who?",)),
    ),
    (
        PlanTask(goal="g", today="2026-11-23", iteration=1),
        PlanReply(title="t", amendments=(Amendment(section=STEPS),), handled=(Handled(feedback="F1", kind="remove"),)),
    ),
    (
        VerifyTask(goal="g", today="2026-11-23", plan=PLAN),
        VerifyReply(findings=(Finding(rule="model", severity="minor", text="thin"),)),
    ),
    (ExecuteTask(goal="g", today="2026-11-23", plan=PLAN), ExecuteReply(actions=(Action(step="S1", text="call"),))),
    (GenerateTask(goal="g", today="2026-11-23", plan=PLAN), GenerateReply(deliverable="# Done {or not}")),
]
TASKS = [task for task, _ in PAIRS]


@pytest.mark.parametrize(("task", "reply"), PAIRS, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("around", ["{}", "Here you are:\n```json\n{}\n```\nAnything else?", "\n\n {} \n"])
def test_a_good_reply_is_read_whatever_stands_around_it(task, reply, around):
    text = around.replace("{}", msgspec.json.encode(reply).decode())
    assert read_reply(task, text) == ReadReply(reply)
    assert reply_type(task) is type(reply)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: type(task).__name__)
@pytest.mark.parametrize(
    "text",
    ["", "I am sorry.", "}{", "{", "{}", "[]", "null", '{"title": 1}', '{"deliverable": null, "approaches": 1}',
     '{"findings": [{"severity": "huge"}], "actions": [{}]}', '{"a": "\ud800"}', "{'single': 'quotes'}", "{" * 500],
)  # fmt: skip
def test_garbage_is_named_with_a_remedy(task, text):
    with pytest.raises(ModelReplyInvalid) as caught:
        read_reply(task, text)
    assert ("Markdown" if isinstance(task, GenerateTask) else "JSON") in caught.value.remedy


@given(st.sampled_from(TASKS), st.text(max_size=80))
def test_any_text_is_read_or_named(task, text):
    try:
        read = type(read_reply(task, text).reply)
    except ModelReplyInvalid:
        read = ModelReplyInvalid
    assert read in {ModelReplyInvalid, reply_type(task)}
