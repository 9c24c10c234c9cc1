"""Recorded answers: found by their request, played in order, kept across crashes, never guessed."""

import stat

import msgspec
import pytest
from tests.models.recording import RecordingModel, collect
from tests.models.requests import plan, propose
from workbench.domain.errors import ModelError, ModelUnknown
from workbench.domain.loop.answers.replies import read_reply
from workbench.domain.loop.asking.tasks import ProposeReply
from workbench.domain.session.context import Message
from workbench.models.answers import CHUNK, Answer, gathered
from workbench.models.ports import Done, TextDelta, ToolCall, Usage
from workbench.models.scripted import CallableModel, ScriptedModel, computed_answer, recorded, request_key

REPLY = '{"approaches": [{"id": "A1", "title": "In steps", "summary": "Small moves."}]}'


def answer(text):
    return Answer(text=text, done=Done(reason="stop", model="m"))


async def test_an_answer_is_recorded_and_played_again_part_by_part(tmp_path):
    script = tmp_path / "script.jsonl"
    call = ToolCall(id="c1", name="search", arguments="{}")
    said = Answer(
        text=REPLY * 5,
        tool_calls=(call,),
        usage=Usage(input_tokens=3, output_tokens=4, cost=0.5),
        done=Done(reason="tool", model="big-1"),
    )
    recording = RecordingModel(CallableModel(lambda _: said, name="openai:big", window=9), script)

    heard = await collect(recording.stream(propose()))
    parts = [part async for part in ScriptedModel.load(script).stream(propose())]

    assert heard == said == gathered(parts)
    assert [type(part) for part in parts[-3:]] == [ToolCall, Usage, Done]
    assert all(len(part.text) <= CHUNK for part in parts if isinstance(part, TextDelta))
    assert (recording.name, recording.window) == ("openai:big", 9)
    assert stat.S_IMODE(script.stat().st_mode) == 0o600


async def test_a_request_that_was_not_recorded_is_an_error_that_names_role_task_and_key():
    model = ScriptedModel([recorded(propose(), answer("x"))], source="the script demo.jsonl")

    with pytest.raises(ModelError) as missed:
        await collect(model.stream(plan()))

    assert "planner's plan task in the script demo.jsonl" in missed.value.message
    assert request_key(plan())[:16] in missed.value.message
    assert missed.value.remedy.startswith("Give the script that was recorded")


async def test_the_same_request_plays_its_answers_in_order_and_stays_with_the_last():
    model = ScriptedModel([recorded(propose(), answer("one")), recorded(propose(), answer("two"))])

    heard = [(await collect(model.stream(propose()))).text for _ in range(3)]

    assert heard == ["one", "two", "two"]


@pytest.mark.parametrize(
    "other",
    [
        propose("Another goal"),
        msgspec.structs.replace(propose(), role="verifier"),
        msgspec.structs.replace(propose(), messages=(Message(role="user", content="Move our billing"),)),
        plan(),
    ],
)
def test_the_key_tells_requests_apart(other):
    assert request_key(other) != request_key(propose())
    assert request_key(propose()) == request_key(propose())


async def test_what_a_crash_cut_off_is_left_out_and_recording_goes_on_behind_the_last_whole_line(tmp_path):
    script = tmp_path / "script.jsonl"
    recording = RecordingModel(CallableModel(lambda request: request.task.goal), script)
    await collect(recording.stream(propose("first")))
    whole = script.read_bytes()
    script.write_bytes(whole + whole[: len(whole) // 2])

    cut = ScriptedModel.load(script)
    await collect(recording.stream(propose("second")))
    repaired = ScriptedModel.load(script)

    assert (await collect(cut.stream(propose("first")))).text == "first"
    assert script.read_bytes().count(b"\n") == 2
    assert (await collect(repaired.stream(propose("second")))).text == "second"


@pytest.mark.parametrize(
    "line", [b"not json", b"{}", b'{"schema": "workbench.script/2"}', b"\xff\xfe", b'{"key": "\xff"}', b"[" * 99_999]
)
def test_a_line_that_is_no_record_is_named(tmp_path, line):
    script = tmp_path / "script.jsonl"
    script.write_bytes(b"\n" + line + b"\n")

    with pytest.raises(ModelUnknown, match="Line 2 of the script") as refused:
        ScriptedModel.load(script)

    assert refused.value.remedy
    assert refused.value.exit_code == 2


async def test_text_in_a_script_is_untrusted(tmp_path):
    script = tmp_path / "script.jsonl"
    script.write_bytes(msgspec.json.encode(recorded(propose(), answer("\x1b]52;c;x\x07"))) + b"\n")

    heard = await collect(ScriptedModel.load(script).stream(propose()))

    assert heard.text == "␛]52;c;x␇"


async def test_a_function_answers_with_estimated_tokens_at_no_cost():
    model = CallableModel(lambda _: REPLY)

    heard = await collect(model.stream(propose()))

    assert isinstance(read_reply(propose().task, heard.text).reply, ProposeReply)
    assert heard.usage == computed_answer(propose(), REPLY, model="callable").usage
    assert heard.usage.estimated
    assert heard.usage.cost == 0.0
    assert heard.usage.output_tokens > 10
    assert heard.done == Done(reason="stop", model="callable")
