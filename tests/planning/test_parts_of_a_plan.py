"""What of a plan a prompt shows: all of it once, then what is in question; and the tokens that this comes to."""

from __future__ import annotations

import asyncio
import json

import pytest
from tests.builders import (
    CHOOSE,
    FIRST_DRAFT,
    Script,
    answering,
    asked_of,
    begin,
    bodies_of,
    log_of,
    plan_reply,
    verify_reply,
)
from tests.full_plan import TEXT
from tests.replay.test_verification import verified
from tests.strong import Person, Strong, surgery
from workbench.domain.loop.asking.tasks import Finding
from workbench.domain.plan.markdown import from_markdown
from workbench.domain.plan.markdown.fields import FIELDS
from workbench.domain.plan.plan import Plan
from workbench.domain.plan.telling.plan_told import plan_told
from workbench.domain.session import events as say
from workbench.models.ports import Request
from workbench.replay.audit import audit

FULL = from_markdown(TEXT, Plan(title=""))
FOUND = Finding(rule="model", severity="major", text="The bank is closed then.", item="S2", remedy="S2: not_before")


def of_role(script: Script, task: str) -> list[Request]:
    return [one for one in script.requests if type(one.task).__name__ == f"{task.capitalize()}Task"]


def test_each_item_is_a_line_with_all_that_is_set():
    text = plan_told(FULL)
    lines = {line.partition(" | ")[0]: line for line in text.split("\n")}
    for item in FULL.items:
        fields = FIELDS[type(item)]
        values = {name: field.text_of(item) for name, field in fields.items()}
        not_told = {"From", "Because of", "Answers", "Start", "End", "Workstream", "Effort"}
        for name, value in values.items():
            assert not value or name in not_told or " ".join(value.split()) in lines[item.id], (item.id, name)
    assert "None" not in text
    assert "| \n" not in text


def test_a_part_has_its_items_and_those_near_them_in_brief():
    text = plan_told(FULL, ("S2",), ("S1", "P1"))
    first, second = (next(step for step in FULL.steps if step.id == name) for name in ("S1", "S2"))
    assert second.outcome in text
    assert first.title in text
    assert first.outcome
    assert first.outcome not in text
    assert "P1 | Anna" in text
    assert "P2" not in text.replace("P1", "")
    assert "# Village market" not in text


async def test_the_second_look_is_at_the_difference():
    change = json.dumps({"steps": [{"id": "S2", "not_before": "2026-03-16", "because": ["V1"]}]})
    script = Script().then("plan", plan_reply(*FIRST_DRAFT, title="P"), change).then("verify", verify_reply(FOUND))
    manager = begin(script=script, max_iterations=1)
    await manager.run(answering(CHOOSE))
    first, second = of_role(script, "verify")
    assert any(one.content.startswith('<input name="plan">') for one in first.messages)
    assert not any(one.content.startswith('<input name="plan">') for one in second.messages)
    asked = asked_of(second)
    assert "You have read the plan before." in asked
    assert "S2.not_before was: empty" in asked
    assert "S2 | Switch invoices over | Invoices come from" in asked
    assert "S1 | Copy the customers |  |  | Data lead" in asked


async def test_what_changed_is_shown_whole_though_it_stands_beside_what_moved():
    changes = [
        {"id": "S1", "outcome": "All customers, and their notes", "because": ["V1"]},
        {"id": "S2", "not_before": "2026-03-16", "because": ["V1"]},
    ]
    script = Script().then("plan", plan_reply(*FIRST_DRAFT, title="P"), json.dumps({"steps": changes}))
    manager = begin(script=script.then("verify", verify_reply(FOUND)), max_iterations=1)
    await manager.run(answering(CHOOSE))
    _, second = of_role(script, "verify")
    assert "S1 | Copy the customers | All customers, and their notes |" in asked_of(second)


async def test_who_mends_gives_an_answer_again_that_speaks_of_what_is_in_question():
    answered = [{"id": "U1", "state": "answered", "note": "By 9 March.", "items": ["S2"]}]
    again_answered = {"statements": [answered[0] | {"note": "By 16 March."}]}
    change = {"steps": [{"id": "S2", "not_before": "2026-03-16", "because": ["V1"]}], **again_answered}
    script = Script().then("plan", plan_reply(*FIRST_DRAFT, title="P", statements=answered), json.dumps(change))
    manager = begin(script=script.then("verify", verify_reply(FOUND)), max_iterations=1)
    await manager.run(answering(CHOOSE))
    _, mending = of_role(script, "plan")
    assert "By 9 March." in asked_of(mending)
    assert [one.note for one in manager.state.accounts if one.statement.id == "U1"] == ["By 16 March."]


@pytest.mark.parametrize("named", ["S1", "steps"])
async def test_who_mends_is_shown_what_is_in_question_and_can_ask_for_more(named: str):
    change = json.dumps({"steps": [{"id": "S2", "not_before": "2026-03-16", "because": ["V1"]}]})
    ask = json.dumps({"show": [named, named, "S99"]})
    script = Script().then("plan", plan_reply(*FIRST_DRAFT, title="P"), ask, change)
    script.then("verify", verify_reply(FOUND))
    manager = begin(script=script, max_iterations=1)
    await manager.run(answering(CHOOSE))
    _, mending, again_asked = of_role(script, "plan")
    assert "S1 | Copy" not in asked_of(mending)
    assert "S1 | Copy the customers | All customers exist" in asked_of(again_asked)
    assert [one.items for one in bodies_of(manager, say.ItemsWanted)] == [("S1",)]
    assert manager.state.plan is not None
    assert manager.state.plan.steps[1].not_before == "2026-03-16"
    assert manager.state.items_wanted == ()
    events = list(log_of(manager).read(manager.session_id))
    assert audit(events).ok
    assert verified(events).difference is None


def test_a_session_with_two_rounds_of_feedback_keeps_to_its_tokens():
    """Prompts are built again byte for byte, too, and every call of a round is bounded."""
    model = Strong()
    manager = surgery(model)
    state = asyncio.run(manager.run(Person()))
    assert state.status == "finished"
    said = ["".join(one.content for one in request.messages) for request in model.requests]
    assert sum(len(one.encode()) // 4 for one in said) <= 100_000
    events = list(log_of(manager).read(manager.session_id))
    assert audit(events).ok
    assert verified(events).difference is None
    assert len(model.requests) <= 22
