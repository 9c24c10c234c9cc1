"""What every language model promises, whoever runs it: scripted, computed, guided, or a provider's behind a server."""

import asyncio
import json

import pytest
from tests.models import fake_openai as fake
from tests.models.recording import RecordingModel, collect
from tests.models.requests import plan, propose
from workbench.domain.loop.answers.replies import read_reply
from workbench.domain.loop.asking.tasks import reply_type
from workbench.models.answers import ended, gathered
from workbench.models.catalogue import PROVIDERS
from workbench.models.ports import Done, Noted, Retried, TextDelta, ToolCall, Usage
from workbench.models.scripted import CallableModel, ScriptedModel, computed_answer, recorded
from workbench.models.secret import Secret
from workbench.models.servers.providers import ProviderModel
from workbench.templates.model import TemplateModel

GOALS = [f"Move billing number {n} to the new provider by 30 June" for n in range(4)]
REQUESTS = [*map(propose, GOALS), plan(GOALS[0])]


def reply_to(goal, *, first_draft):
    """A reply that fits, and says which request it answers."""
    if first_draft:
        return json.dumps({"title": goal, "amendments": [{"section": {"id": "goal", "title": "Goal"}}]})
    return json.dumps({"approaches": [{"id": "A1", "title": goal, "summary": "Small moves. " * 20}]})


def answer_of(request):
    return reply_to(request.task.goal, first_draft=request.task.__struct_config__.tag == "plan")


NAMES = {"openai": "gpt-4o", "anthropic": "claude-sonnet-5", "google": "gemini-2.5-flash"}


def last_words(body):
    """The goal that a provider's request ends with."""
    last = (body.get("messages") or body.get("contents"))[-1]
    content = last.get("content") or last.get("parts")
    return content if isinstance(content, str) else content[-1]["text"]


def over_the_wire(answer):
    def behave(handler):
        body = handler.server.requests[-1]["body"]
        reply = reply_to(last_words(body), first_draft="amendments" in json.dumps(body))
        answer(*(reply[at : at + 20] for at in range(0, len(reply), 20)))(handler)

    return behave


WIRE = {
    "openai": over_the_wire(fake.text),
    "anthropic": over_the_wire(fake.anthropic_text),
    "google": over_the_wire(fake.google_text),
}


@pytest.fixture(params=["scripted", "recording", "callable", "guided", *PROVIDERS])
def model(request, tmp_path):
    match request.param:
        case "scripted":
            yield ScriptedModel(
                recorded(asked, computed_answer(asked, answer_of(asked), model="m")) for asked in REQUESTS
            )
        case "recording":
            yield RecordingModel(CallableModel(answer_of), tmp_path / "script.jsonl")
        case "callable":
            yield CallableModel(answer_of)
        case "guided":
            yield TemplateModel()
        case provider:
            with fake.fake_server() as server:
                server.will(WIRE[provider])
                address = server.base_url if provider == "openai" else server.base_url.removesuffix("/v1")
                yield ProviderModel(PROVIDERS[provider], NAMES[provider], key=Secret("sk-contract"), base_url=address)


def test_it_has_a_name_and_a_window(model):
    assert model.name
    assert model.window > 0


@pytest.mark.cases(7)
@pytest.mark.parametrize("request_", REQUESTS, ids=lambda asked: asked.task.__struct_config__.tag)
async def test_an_answer_ends_with_usage_and_exactly_one_done(model, request_):
    parts = [part async for part in model.stream(request_)]

    assert [type(part) for part in parts].count(Done) == 1
    assert [type(part) for part in parts].count(Usage) == 1
    assert isinstance(parts[-1], Done)
    assert isinstance(parts[-2], Usage)
    assert all(isinstance(part, TextDelta | ToolCall | Usage | Retried | Noted | Done) for part in parts)
    assert all(part.text for part in parts if isinstance(part, TextDelta))
    assert parts[-1].model


@pytest.mark.cases(12)
@pytest.mark.parametrize("request_", REQUESTS, ids=lambda asked: asked.task.__struct_config__.tag)
async def test_its_text_is_a_reply_that_fits_the_task(model, request_):
    answer = await collect(model.stream(request_))

    assert isinstance(read_reply(request_.task, answer.text).reply, reply_type(request_.task))
    assert answer.usage.input_tokens > 0
    assert answer.usage.output_tokens > 0
    assert answer.usage.cost is None or answer.usage.cost >= 0


async def test_the_same_request_has_the_same_answer(model):
    first = await collect(model.stream(propose(GOALS[0])))
    second = await collect(model.stream(propose(GOALS[0])))

    assert first.text == second.text


@pytest.mark.cases(2)
async def test_requests_at_once_do_not_mix(model):
    alone = [(await collect(model.stream(propose(goal)))).text for goal in GOALS]

    together = await asyncio.gather(*(collect(model.stream(propose(goal))) for goal in GOALS))

    assert [answer.text for answer in together] == alone
    assert len(set(alone)) == len(GOALS)


async def test_nothing_happens_before_the_first_part_is_asked_for(model):
    async with ended(model.stream(propose("An unread request"))):
        pass


@pytest.mark.cases(3)
async def test_leaving_early_keeps_what_came_and_harms_no_later_request(model):
    async with ended(model.stream(propose(GOALS[1]))) as stream:
        first = await anext(stream)
    whole = await collect(model.stream(propose(GOALS[1])))

    assert isinstance(first, TextDelta)
    assert whole.text.startswith(first.text)


async def test_a_cancelled_task_ends_the_request(model):
    parts = []
    arrived = asyncio.Event()

    async def listen():
        async with ended(model.stream(propose(GOALS[2]))) as stream:
            async for part in stream:
                parts.append(part)
                arrived.set()
                await asyncio.Event().wait()

    task = asyncio.create_task(listen())
    await arrived.wait()
    task.cancel()
    await asyncio.wait([task])

    assert task.cancelled()
    assert len(parts) == 1
    assert gathered([part async for part in model.stream(propose(GOALS[2]))]).text.startswith(parts[0].text)
