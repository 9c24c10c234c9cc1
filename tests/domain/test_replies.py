"""What models reply is read leniently in form and strictly in meaning; one bad item costs that item."""

import json
from contextlib import suppress
from decimal import Decimal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.domain.test_tasks import PAIRS, TASKS
from tests.full_plan import PLAN
from workbench.domain.errors import ModelReplyInvalid
from workbench.domain.loop.answers.replies import read_reply
from workbench.domain.loop.asking.tasks import ExecuteTask, GenerateTask, PlanReply, PlanTask, ProposeTask, VerifyTask
from workbench.domain.loop.limits import MOST_NEEDS, MOST_OWNERS
from workbench.domain.plan.plan import (
    Amendment,
    Constraint,
    Criterion,
    Effort,
    Lag,
    Money,
    Plan,
    Question,
    Section,
    Step,
)

PROPOSE, DRAFT, VERIFY, EXECUTE, GENERATE = TASKS
FINDING = {"rule": "model", "severity": "major", "text": "A gap"}


def effort(low=1):
    return {"low": low, "likely": 2, "high": 3}


def findings(*found, **more):
    return {"findings": [FINDING, *found], **more}


def items_of(*items, task=DRAFT):
    section = {"id": "steps", "title": "Steps", "items": list(items)}
    read = read_reply(task, json.dumps({"title": "P", "amendments": [{"section": section}]}))
    return read.reply.amendments[0].section.items, read.mended


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(findings()),
        f"```json\n{json.dumps(findings(), indent=2)}\n```",
        f"Sure! Here is what I found {{as asked}}:\n\n{json.dumps(findings())}\n\nShall I go on?",
        json.dumps({"findings": [], "insights": []}) + "\nOn second thought:\n" + json.dumps(findings()),
        json.dumps({"thinking": "The plan lacks a check."}) + json.dumps(findings()),
        json.dumps({"name": "answer", "arguments": findings()}),
        json.dumps({"name": "answer", "arguments": json.dumps(findings())}),
        json.dumps({"VerifyReply": findings()}),
        json.dumps([findings()]),
        json.dumps([FINDING]),
        json.dumps({"findings": FINDING}),
        json.dumps({"Findings": [FINDING]}),
        "{'findings': [{'rule': 'model', 'severity': 'major', 'text': 'A gap',},], // that is all\n}",
        '{"findings": [{"rule": null, "severity": "Major", "text": "A gap", "item": "", "section": "None"}]}'.replace(
            '"rule": null, ', '"rule": "", '
        ),
        '{"findings": [{"rule": "model", "severity": "MAJOR", "text": "A gap", "section": null, "remedy": null}]}',
    ],
)
def test_one_reply_in_many_forms(text):
    [finding] = read_reply(VERIFY, text).reply.findings
    assert (finding.rule, finding.severity, finding.text, finding.item, finding.section) == (
        "model",
        "major",
        "A gap",
        None,
        None,
    )


def test_a_reply_in_two_parts_is_put_together():
    text = '{"title": "P"} and now {"amendments": [{"section": {"id": "goal", "title": "Goal"}}]}'
    assert read_reply(DRAFT, text).reply.title == "P"


def test_one_bad_item_costs_that_item_and_is_named():
    text = json.dumps(findings({"rule": "model", "severity": "huge", "text": "B"}, {"severity": "minor"}, "prose"))
    read = read_reply(VERIFY, text)
    assert [finding.text for finding in read.reply.findings] == ["A gap"]
    assert read.mended == (
        "findings[1].severity was left out: it is none of major, minor.",
        "findings[2] was left out: it has no `text`.",
        "findings[3] was left out: it is no object.",
    )


def test_one_bad_field_in_the_third_step_costs_that_field():
    good = [{"type": "step", "id": f"S{n}", "title": "Do", "effort": effort()} for n in (1, 2)]
    bad = {"type": "step", "id": "S3", "title": "Do", "effort": effort("some"), "needs": ["S1"]}
    items, mended = items_of(*good, bad)
    assert [item.effort is not None for item in items] == [True, True, False]
    assert items[2].needs == ("S1",)
    assert mended == ("amendments[0].section.items[2] (S3).effort.low was left out: it is no number.",)


def test_values_are_put_into_the_form_that_was_asked_for():
    step = {
        "type": "Step",
        "id": 3,
        "title": 12,
        "outcome": ["a", "b"],
        "effort": ["1", "2,5", "4 days"],
        "needs": "s1, S-2",
        "lags": {"step": "s1", "days": "3"},
        "milestone": "yes",
        "answers": ["C1", "k2"],
        "notBefore": "",
        "cost": {"amount": "12.50", "currency": "EUR"},
        "parent": None,
        "waiting": "n/a",
    }
    [read], mended = items_of(step)
    assert read == Step(
        id="S3",
        title="12",
        outcome="a\nb",
        effort=Effort(1, 2.5, 4),
        needs=("S1", "S2"),
        lags=(Lag("S1", 3),),
        milestone=True,
        answers=("C1", "K2"),
        cost=Money(Decimal("12.50"), "EUR"),
    )
    [note] = mended
    assert note.endswith("values were put into the form that was asked for.")


def test_one_number_is_an_estimate_and_an_object_of_items_is_a_list():
    items, _ = items_of({"type": "step", "id": "S1", "title": "Do", "effort": 3})
    assert items[0].effort == Effort(3, 3, 3)
    text = '{"title": "P", "sections": {"steps": {"title": "Steps", "items": {"S1": {"title": "Do"}}}}}'
    [amendment] = read_reply(DRAFT, text).reply.amendments
    assert (amendment.section.id, amendment.section.items) == ("steps", (Step(id="S1", title="Do"),))


@pytest.mark.parametrize(
    ("fields", "lost"),
    [
        ({"milestone": "perhaps"}, "milestone was left out: it is neither true nor false"),
        ({"milestone": 2}, "milestone was left out: it is neither true nor false"),
        ({"waiting": True}, "waiting was left out: it is no number"),
        ({"waiting": 10**400}, "waiting was left out: it is no number"),
        ({"cost": {"amount": "cheap", "currency": "EUR"}}, "cost.amount was left out: it is no number"),
        ({"cost": {"amount": "NaN", "currency": "EUR"}}, "cost.amount was left out: it is no amount"),
        ({"cost": {"amount": "1e99", "currency": "EUR"}}, "cost.amount was left out: it is no amount"),
        ({"cost": {"amount": "1e9999999", "currency": "EUR"}}, "cost.amount was left out: it is no amount"),
        ({"cost": {"amount": "-1e9999999", "currency": "EUR"}}, "cost.amount was left out: it is no amount"),
        ({"cost": {"amount": "1e-9999999", "currency": "EUR"}}, "cost.amount was left out: it is no amount"),
        ({"cost": {"amount": "0e-9999999", "currency": "EUR"}}, "cost.amount was left out: it is no amount"),
        ({"cost": {"amount": "1000000000000001", "currency": "EUR"}}, "cost.amount was left out: it is no amount"),
        ({"cost": {"amount": True, "currency": "EUR"}}, "cost.amount was left out: it is no amount"),
        ({"cost": 12}, "cost was left out: it is no object"),
        ({"waiting": 1e300}, "waiting was left out: it is not from -1,000,000 to 1,000,000"),
        ({"lags": [{"step": "S1", "days": -1e9}]}, "days was left out: it is not from"),
        ({"lags": [{"step": "S1\nX", "days": 1}]}, "step was left out: it is no id"),
        ({"needs": ["S1", "S2\nX:y"]}, "needs[1] was left out: it is no id"),
        ({"answers": ["F1", "all"]}, "answers[1] was left out: it is no id"),
        ({"parent": "S1;S2"}, "parent was left out: it is no id"),
        ({"parent": ""}, ""),
        ({"parent": "none"}, ""),
        ({"effort": [1, 2]}, "effort was left out: it is no object"),
        ({"effort": {"low": 1, "likely": 2, "high": 1e9}}, "effort was left out: it is no usable value"),
        ({"outcome": {"a": 1}}, "outcome was left out: it is no text"),
        ({"outcome": True}, "outcome was left out: it is no text"),
        ({"needs": ["S1", {"id": 1}]}, "needs[1] was left out: it is no text"),
        ({"deadline": 20260301}, "1 value was put into the form"),
        ({"answers": None, "needs": None, "lags": None}, ""),
    ],
)
def test_what_cannot_be_read_costs_its_field_alone(fields, lost):
    [step], mended = items_of({"type": "step", "id": "S1", "title": "Do", **fields})
    assert (step.id, step.title) == ("S1", "Do")
    assert lost in " ".join(mended)
    assert bool(lost) == bool(mended)


def test_days_of_the_week_are_numbers_and_lines_are_a_list():
    person = {"type": "person", "id": "P1", "text": "Ada", "weekdays": ["1", 2.0, "x"], "hours": "20"}
    [read], mended = items_of(person)
    assert (read.weekdays, read.hours) == ((1, 2), 20.0)
    assert "weekdays[2] was left out" in mended[-1]
    text = json.dumps({"findings": [], "insights": "- Costs matter\n2. So does time\n\n"})
    assert read_reply(VERIFY, text).reply.insights == ("Costs matter", "So does time")


def test_a_fresh_id_is_none_of_the_plan_that_stands():
    plan = Plan(title="P", sections=(Section(id="steps", title="Steps", items=(Step(id="S7", title="Old"),)),))
    section = {"id": "more", "title": "More", "items": [{"type": "step", "id": "S1.5", "title": "Do"}]}
    text = json.dumps({"title": "P", "amendments": [{"section": section}]})
    [amendment] = read_reply(replace(DRAFT, plan=plan), text).reply.amendments
    assert [item.id for item in amendment.section.items] == ["S8"]


def test_kinds_of_items_are_known_by_id_or_fields():
    items, _ = items_of(
        {"id": "K1", "text": "By May"},
        {"id": "Z1", "text": "Who?", "assumption": "Ada"},
        {"id": "C2", "text": "Done", "type": "goal"},
    )
    assert [type(item) for item in items] == [Constraint, Question, Criterion]


def test_a_plan_that_says_all_that_a_plan_can_is_read_as_it_is():
    other = {"Customer": "Ада", "Story points": "5"}
    step = next(one for one in PLAN.steps if one.needs)
    sections = tuple(
        replace(section, items=tuple(replace(one, other=other) if one is step else one for one in section.items))
        for section in PLAN.sections
    )
    reply = PlanReply(title="P", amendments=tuple(Amendment(section=section) for section in sections))
    read = read_reply(DRAFT, msgspec.json.encode(reply).decode())
    assert (read.reply, read.mended) == (reply, ())


def test_a_cut_reply_keeps_what_came():
    whole = json.dumps(findings({**FINDING, "text": "Another gap, described at length"}, {**FINDING, "text": "Third"}))
    read = read_reply(VERIFY, whole[: whole.index("Third")])
    assert [finding.text for finding in read.reply.findings][:2] == ["A gap", "Another gap, described at length"]
    assert "It was cut off; what had come was used." in read.mended


def test_an_id_that_is_cut_off_is_no_id():
    text = '{"actions": [{"step": "S1", "text": "Call"}, {"text": "Write", "step": "S'
    [action] = read_reply(EXECUTE, text).reply.actions
    assert action.step == "S1"


@pytest.mark.parametrize(
    ("name", "title", "known"),
    [
        ("My Steps", "x", "my-steps"),
        ("", "Risks", "risks"),
        ("!", "R", "r"),
        ("цели-2", "Цели", "цели-2"),
        ("", "成功标准", "成功标准"),
    ],
)
def test_a_section_gets_an_id_that_can_be_found_again(name, title, known):
    section = {"id": name, "title": title, "items": []}
    text = json.dumps({"title": "P", "amendments": [{"section": section, "after": "The Goal"}]})
    [amendment] = read_reply(DRAFT, text).reply.amendments
    assert (amendment.section.id, amendment.after) == (known, "the-goal")


@pytest.mark.parametrize(
    ("task", "text", "why", "asks"),
    [
        (VERIFY, '{"insights": []}', "`findings` is missing", "only `findings`"),
        (PROPOSE, '{"approaches": []}', "approaches hold no approach", "only `approaches`"),
        (PROPOSE, '{"approaches": [{"id": "A1"}]}', "approaches hold no approach", "only `approaches`"),
        (DRAFT, '{"title": "P", "amendments": []}', "hold no section of the plan", "only `amendments`"),
        (
            DRAFT,
            '{"title": "P", "amendments": [{"section": {"id": "", "title": "!"}}]}',
            "neither an id",
            "`amendments`",
        ),
        (GENERATE, '{"deliverable": {"a": 1}}', "deliverable is no text", "in Markdown"),
        (VERIFY, "It is all well.", "no JSON object", "one JSON object"),
        (VERIFY, '{"a": 1}', "no JSON object", "one JSON object"),
    ],
)
def test_what_cannot_be_used_says_what_is_bad_and_asks_for_that_part(task, text, why, asks):
    with pytest.raises(ModelReplyInvalid, match=why) as refused:
        read_reply(task, text)
    assert asks in refused.value.remedy


def test_a_repair_is_read_over_what_it_repairs():
    first = '{"title": "The plan", "insights": ["Costs matter"], "amendments": [{"section": 1}]}'
    repair = '{"amendments": [{"section": {"id": "goal", "title": "Goal"}}]}'
    with pytest.raises(ModelReplyInvalid):
        read_reply(DRAFT, repair)
    read = read_reply(DRAFT, repair, first).reply
    assert (read.title, read.insights, len(read.amendments)) == ("The plan", ("Costs matter",), 1)
    assert read_reply(DRAFT, repair.replace("{", '{"title": "Mine", ', 1), "no JSON at all").reply.title == "Mine"


@given(st.sampled_from(TASKS), st.sampled_from(PAIRS), st.data())
def test_any_mutilated_reply_is_read_or_named(task, pair, data):
    text = msgspec.json.encode(pair[1]).decode()
    at, until = sorted(data.draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
    damaged = text[:at] + data.draw(st.text(st.sampled_from("{}[]\":,1anull'"), max_size=6)) + text[until:]
    with suppress(ModelReplyInvalid):
        assert read_reply(task, damaged).reply is not None


def test_every_task_has_its_reply():
    assert {type(task) for task in TASKS} == {ProposeTask, PlanTask, VerifyTask, ExecuteTask, GenerateTask}


BY_ITEM = PlanTask(goal="x", today="2026-11-30", iteration=1, by_item=True)


def test_what_is_too_long_for_the_title_of_a_known_step_stands_above_its_outcome():
    step = Step(id="S1", title="A", outcome="As agreed")
    task = replace(BY_ITEM, plan=Plan(title="P", sections=(Section(id="steps", title="Steps", items=(step,)),)))
    (changed,) = read_reply(task, json.dumps({"steps": [{"id": "S1", "title": "a" * 400}]})).reply.steps
    assert changed.outcome == "…" + "a" * 101 + "\nAs agreed"


def test_a_step_has_so_many_needs_and_owners_and_no_more():
    needs, owners = [f"S{number}" for number in range(2, 202)], [f"Person {number}" for number in range(60)]
    step = {"id": "new1", "title": "A", "owner": "Ada", "needs": needs, "also": owners}
    read = read_reply(BY_ITEM, json.dumps({"statements": [], "steps": [step]}))
    assert read.reply.steps[0].needs == tuple(needs[:MOST_NEEDS])
    assert read.reply.steps[0].also == tuple(owners[:MOST_OWNERS])
    assert "steps[0].needs has 200 entries; the first 100 were read." in read.mended
    assert "steps[0].also has 60 entries; the first 30 were read." in read.mended
