"""What must hold of a reply stands in its schema: what fits the schema is never refused, and never mended."""

import json
import re
from importlib.resources import files

import jsonschema
import msgspec
import pytest
from msgspec.structs import replace
from tests.builders import FIRST_DRAFT, execute_reply, plan_reply, propose_reply, sections_reply, verify_reply
from tests.domain.test_tasks import TASKS
from workbench.domain.loop.answers.replies import read_reply
from workbench.domain.loop.answers.reply_schema import IN_PROMPT, _descriptions, reply_schema
from workbench.domain.loop.asking.tasks import NOT_BY_ITEM, NOT_FOR_MODELS, ChatTask, Finding, PlanTask, Said
from workbench.domain.plan.plan import Plan

PROPOSE, DRAFT, VERIFY, EXECUTE, GENERATE = TASKS
NO_QUESTIONS = replace(PROPOSE, may_ask=False)
BY_ITEM = replace(DRAFT, by_item=True)
AMEND = replace(BY_ITEM, iteration=2, plan=Plan(title="P"))
DONE = [{"id": "U1", "state": "used", "items": ["S1"]}]
FINDING = Finding(rule="model", severity="minor", text="Thin", section="steps", item="S1")
REPLIES = [
    (PROPOSE, propose_reply(questions=["Who?"])),
    (DRAFT, sections_reply(*FIRST_DRAFT, title="P")),
    (BY_ITEM, plan_reply(*FIRST_DRAFT, title="P")),
    (
        AMEND,
        json.dumps(
            {
                "statements": DONE,
                "steps": [{"id": "new1", "title": "Go", "needs": ["S1"]}],
                "remove": [{"id": "K1", "because": ["U1"]}],
            }
        ),
    ),
    (VERIFY, verify_reply(FINDING, insights=["dry"])),
    (EXECUTE, execute_reply()),
]


def without_null(value):
    """Return JSON without null, which is read as a field that is left out, and asked for by no schema."""
    if isinstance(value, dict):
        return {name: without_null(one) for name, one in value.items() if one is not None}
    return [without_null(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize(("task", "text"), REPLIES, ids=lambda value: type(value).__name__)
def test_a_reply_as_it_should_be_fits_and_is_read_as_it_is(task, text):
    jsonschema.validate(without_null(json.loads(text)), reply_schema(task))
    assert read_reply(task, text).mended == ()


@pytest.mark.parametrize(
    ("task", "reply"),
    [
        (NO_QUESTIONS, {"approaches": []}),
        (BY_ITEM, {"title": "P", "statements": DONE, "steps": []}),
        (BY_ITEM, {"title": "P", "steps": [{"id": "S1", "title": "x"}]}),
        (AMEND, {"statements": [{"id": "S1", "state": "used"}]}),
        (AMEND, {"statements": [{"id": "U1", "state": "replaced"}]}),
        (AMEND, {"statements": DONE, "steps": [{"id": "first", "title": "x"}]}),
        (AMEND, {"statements": DONE, "steps": [{"id": "S1", "deadline": "1 May"}]}),
        (AMEND, {"statements": DONE, "people": [{"id": "P1", "weekdays": [8]}]}),
        (PROPOSE, {"approaches": [{"id": "one", "title": "t", "summary": "s"}]}),
        (DRAFT, {"title": "P", "amendments": []}),
        (DRAFT, {"title": "P", "amendments": [{"section": {"id": "My Steps", "title": "x"}}]}),
        (DRAFT, {"title": "P", "amendments": [{"section": {"id": "steps", "title": "x"}, "after": "Goal"}]}),
        (DRAFT, {"title": "P", "amendments": [{"section": {"id": "s", "title": "S", "items": [
            {"type": "step", "id": "1", "title": "x"}]}}]}),
        (DRAFT, {"title": "P", "amendments": [{"section": {"id": "s", "title": "S", "items": [
            {"type": "step", "id": "S1", "title": "x", "deadline": "1 May"}]}}]}),
        (DRAFT, {"title": "P", "amendments": [{"section": {"id": "s", "title": "S", "items": [
            {"type": "person", "id": "P1", "text": "Ada", "weekdays": [8]}]}}]}),
        (VERIFY, {"findings": [{"rule": "model", "severity": "High", "text": "x"}]}),
        (EXECUTE, {"actions": [{"step": "first", "text": "x"}]}),
    ],
)  # fmt: skip
def test_what_the_reader_would_mend_or_refuse_does_not_fit(task, reply):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(reply, reply_schema(task))


def test_what_is_asked_depends_on_the_task():
    amend = PlanTask(goal="g", today="t", iteration=2, plan=Plan(title="P"))
    jsonschema.validate({"title": "P", "amendments": []}, reply_schema(amend))
    gone = {"title": "P", "amendments": [{"section": {"id": "goal", "title": "Goal"}, "remove": True}]}
    jsonschema.validate(gone, reply_schema(amend))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(gone, reply_schema(DRAFT))
    jsonschema.validate({"questions": ["Who pays?"]}, reply_schema(PROPOSE))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"questions": ["Who pays?"]}, reply_schema(NO_QUESTIONS))
    for task in (PROPOSE, NO_QUESTIONS):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({"assumptions": ["It is ours"]}, reply_schema(task))
    assert "remove" in reply_schema(AMEND)["$defs"]["ItemReply"]["properties"]
    assert "remove" not in reply_schema(BY_ITEM)["$defs"]["ItemReply"]["properties"]
    assert reply_schema(ChatTask(goal="g", today="t", agent="a", instructions="i", message="m")) is None
    assert reply_schema(GENERATE) is None, "a document is no JSON"


@pytest.mark.parametrize("task", [PROPOSE, DRAFT, BY_ITEM, AMEND, VERIFY, EXECUTE])
def test_a_schema_is_one_that_providers_and_grammars_can_use(task):
    schema = reply_schema(task)
    text = msgspec.json.encode(schema).decode()
    jsonschema.Draft202012Validator.check_schema(schema)
    referred = {part.split('"')[0] for part in text.split('"#/$defs/')[1:]}
    assert referred
    assert referred <= set(schema["$defs"])
    asked_for = {name: set(part.get("properties", ())) for name, part in schema["$defs"].items()}
    assert not any(asked_for[name] - {"answers"} & NOT_BY_ITEM for name in asked_for if name.endswith("Change"))
    assert not any(asked_for[name] & NOT_FOR_MODELS for name in asked_for if not name.endswith(("Change", "ItemReply")))
    patterns = [part.split('"')[0] for part in text.split('"pattern":"')[1:]]
    assert all(pattern.startswith("^") and pattern.endswith("$") and "\\" not in pattern for pattern in patterns)
    assert "maxLength" not in text, "grammars of local servers grow with it"


def test_without_its_source_a_schema_has_no_descriptions(monkeypatch):
    def missing(_module):
        raise OSError

    monkeypatch.setattr("workbench.domain.loop.answers.reply_schema.field_descriptions", missing)
    _descriptions.cache_clear()
    assert _descriptions() == {}
    _descriptions.cache_clear()


def test_a_schema_by_item_is_no_longer_than_it_has_to_be():
    """It goes with each request: half of a planner's prompt was schema when it had 19,700 characters."""
    mend = replace(AMEND, mends=True, only=("S1",))
    sizes = [len(msgspec.json.encode(reply_schema(task))) for task in (BY_ITEM, AMEND, mend)]
    assert all(size < most for size, most in zip(sizes, (12_500, 13_300, 11_500), strict=True)), sizes


def test_what_many_fields_are_is_said_once():
    schema = reply_schema(AMEND)
    parts = schema["$defs"]
    last = {"$ref": "#/$defs/Date", "description": "The last day on which it can be decided."}
    assert parts["DecisionChange"]["properties"]["latest"] == last
    assert parts["StepChange"]["properties"]["needs"]["items"] == {"$ref": "#/$defs/SId"}
    assert re.fullmatch(parts["SId"]["pattern"], "new12")
    text = msgspec.json.encode(schema).decode()
    assert [text.count(one["pattern"]) for one in (parts["Date"], parts["SId"], parts["UId"])] == [1, 1, 1]


def test_a_task_is_asked_for_nothing_that_it_cannot_use():
    draft, amend = (reply_schema(task)["$defs"] for task in (BY_ITEM, AMEND))
    assert not {"clear", "below"} & set(draft["StepChange"]["properties"])
    assert {"clear", "below"} <= set(amend["StepChange"]["properties"])
    said = Said(id="U1", source="goal", text="Go", state="open")
    mend = replace(AMEND, mends=True, only=("S1", "M1"))
    asked = reply_schema(mend)["$defs"]["ItemReply"]["properties"]
    assert {"steps", "funds", "decisions", "show"} <= set(asked)
    assert not {"statements", "replaced", "places", "criteria"} & set(asked)
    assert "statements" in reply_schema(replace(mend, statements=(said,)))["$defs"]["ItemReply"]["properties"]
    assert "Place" not in str(reply_schema(mend)["$defs"].keys())
    assert "country" not in draft["DaysOffChange"]["properties"]  # a country alone closes no day


def test_a_field_without_a_description_is_told_in_the_prompt():
    folder = files("workbench.planning.asking").joinpath("prompts")
    prompt = "".join(folder.joinpath(f"{name}.md").read_text("utf-8") for name in ("plan", "trade", "statements"))
    names = {name for owner, name in IN_PROMPT if owner not in ("Lag", "Money", "Replaced", "StatementReply")}
    plain = {"owner", "also", "decisions", "cost", "fund"}  # their names say it, or the prompt does in words
    assert [name for name in sorted(names - plain) if f"`{name}`" not in prompt] == []
