"""A tiny random model on a real llama.cpp server, with its grammar; ten sessions with ``--full-counts``.

pytest tests/models/test_llama.py --full-counts --timeout 0 -s
"""

import asyncio
import json
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from tests.builders import begin, bodies_of
from tests.models.fake_openai import fake_server
from tests.waiting import eventually
from workbench.bootstrap.models import open_model
from workbench.domain.loop.tasks import CondenseTask
from workbench.domain.session import events as say
from workbench.domain.session.context import Message
from workbench.models.answers import gathered
from workbench.models.own_settings import ModelSettings
from workbench.models.ports import Request, TextDelta
from workbench.planning.policies import approving_all

SESSIONS = 10
ENDLESS = {
    "type": "object",
    "properties": {"words": {"type": "array", "items": {"type": "string"}, "minItems": 1_500}},
    "required": ["words"],
}


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    """Make the tiny model, and give its file; what was served of it is gone at the end."""
    from tests.models.tiny_llama import make_model
    from workbench.models.local.server import local_server

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    make_model(tmp_path / "tiny.gguf")
    local_server.cache_clear()
    yield tmp_path / "tiny.gguf"
    eventually(lambda: not list(tmp_path.rglob("*.json")))


@pytest.fixture(params=["served", "local"])
def model(request, tiny):
    """Give the tiny model as a server of one's own has it, and as a child serves it."""
    if request.param == "local":
        model = open_model(f"local:{tiny}", own=ModelSettings(window=65_536), environ={})
        yield model
        model.server.close()
        return
    program = [sys.executable, "-m", "tests.models.tiny_llama", str(tiny), "0"]
    root = Path(__file__).parents[2]
    with subprocess.Popen(program, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            address = next(line.strip() for line in server.stdout if line.startswith("http://"))
            yield open_model("openai:tiny-random", base_url=f"{address}/v1", environ={})
        finally:
            server.kill()


@pytest.mark.full
@pytest.mark.timeout(0)
async def test_ten_sessions_of_a_weak_model_finish_and_none_is_rejected_for_what_the_schema_could_say(model):
    readings = []
    for number in range(SESSIONS):
        begun = time.monotonic()
        manager = await asyncio.to_thread(
            lambda n=number: begin(f"Move our billing by 30 June, plan {n}", model=model, max_iterations=1)
        )
        state = await manager.run(approving_all())
        rejected = [body.message for body in bodies_of(manager, say.ReplyRejected)]
        reading = {
            "status": state.status,
            "seconds": round(time.monotonic() - begun),
            "tokens": state.spent.tokens,
            "rejected": rejected,
            "noted": [body.note for body in bodies_of(manager, say.CallNoted)],
            "retried": [body.reason for body in bodies_of(manager, say.CallRetried)],
            "failed": state.failure.message if state.failure else "",
            "mended": sum(len(body.notes) for body in bodies_of(manager, say.ReplyMended)),
        }
        readings.append(reading)
        print(json.dumps(reading), flush=True)
    assert [reading["status"] for reading in readings] == ["finished"] * SESSIONS
    by_schema = [why for one in readings for why in one["rejected"] if "no document" not in why]
    assert by_schema == [], "a document has no schema; all else is said in one"


def asked(schema=None):
    messages = (Message(role="user", content="Tell a story"),)
    return Request(role="try", task=CondenseTask(said=(), max_tokens=10), messages=messages, schema=schema)


async def test_two_models_of_one_file_share_a_child_and_nothing_goes_to_another_machine(tiny, monkeypatch):
    places = []

    def note(name, given):
        if name == "socket.connect" and isinstance(given[1], tuple):
            places.append(given[1][0])

    sys.addaudithook(note)
    with fake_server() as trap:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "HF_ENDPOINT"):
            monkeypatch.setenv(name, trap.base_url)
        models = [open_model(f"local:{tiny}", environ={}) for _ in range(2)]
        assert "tokens a second" in await asyncio.to_thread(models[0].told)

        async def heard(model):
            return gathered([part async for part in model.stream(asked())])

        answers = await asyncio.gather(*map(heard, models))
        assert all(answer.text and answer.usage.cost == 0.0 for answer in answers)
        assert (trap.requests, set(places)) == ([], {"127.0.0.1"})
    assert models[0].server is models[1].server
    assert models[0].window == 32_768
    models[0].server.close()


async def test_an_answer_that_is_cancelled_frees_the_model_within_a_second(tiny):
    model = open_model(f"local:{tiny}", environ={})
    ready = await asyncio.to_thread(model.server.ready)
    begun = asyncio.Event()

    def is_busy():
        headers = {"authorization": f"Bearer {ready.token}"}
        with urllib.request.urlopen(urllib.request.Request(f"{ready.address}/slots", headers=headers)) as answer:
            return any(slot["is_processing"] for slot in json.load(answer))

    async def listen():
        async for part in model.stream(asked(ENDLESS)):
            if isinstance(part, TextDelta):
                begun.set()

    answering = asyncio.create_task(listen())
    await begun.wait()
    assert await asyncio.to_thread(is_busy)
    answering.cancel()
    await asyncio.gather(answering, return_exceptions=True)
    await asyncio.to_thread(lambda: eventually(lambda: not is_busy(), within=1.0))
    model.server.close()
