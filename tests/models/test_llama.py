"""A tiny random model, fetched from a stand-in for the hub, on a real llama.cpp server with its grammar.

With ``--full-counts``: ten sessions, two processes at once without any network, and kills while it answers.

pytest tests/models/test_llama.py --full-counts --timeout 0 -s
"""

import asyncio
import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from tests.builders import begin, bodies_of
from tests.models.fake_hub import fake_hub
from tests.models.fake_openai import fake_server
from tests.processes import is_there, parent_of
from tests.waiting import eventually
from workbench.bootstrap.models import models_folder, open_model
from workbench.domain.loop.asking.tasks import CondenseTask
from workbench.domain.session import events as say
from workbench.domain.session.context import Message
from workbench.models.answers import gathered
from workbench.models.local.files import LocalModelObject, fetch
from workbench.models.local.server import LocalModel, LocalServer
from workbench.models.own_settings import ModelSettings
from workbench.models.ports import Parameters, Request, TextDelta
from workbench.planning.policies import approving_all

SESSIONS = 10


def words(least):
    """Return the schema of so many words, or more: without one, an answer may be empty."""
    listed = {"type": "array", "items": {"type": "string"}, "minItems": least}
    return {"type": "object", "properties": {"words": listed}, "required": ["words"]}


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    """Make the tiny model, fetch it, and give its file; what was served of it is gone at the end."""
    from tests.models.tiny_llama import make_model
    from workbench.models.local.server import local_server

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    make_model(made := tmp_path / "made.gguf")
    with fake_hub(made.read_bytes()) as hub:
        hub.redirects = True
        one = LocalModelObject(name="tiny", repository="o/r", file="tiny.gguf", licence="MIT", gb=0.01)
        fetched = fetch(one, models_folder(), {"HF_ENDPOINT": hub.url})
    local_server.cache_clear()
    yield Path(fetched.path)
    eventually(lambda: not processes_with(tmp_path))
    run = models_folder() / "run"
    assert not list(run.glob("*.json"))
    for lock in (*run.glob("*.alive"), *run.glob("*.users")):
        eventually(lambda lock=lock: is_free(lock), within=10.0)  # type: ignore[misc]


def is_free(lock):
    """Tell whether nobody holds a lock: what a process held may be given back a moment after it is gone."""
    with lock.open() as opened, suppress(BlockingIOError):
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


def processes_with(folder):
    """Return the processes that were started with a path in a folder."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            command = (place / "cmdline").read_bytes()
            if str(folder).encode() in command and b"local.server" in command:
                found.append(int(place.name))
    return found


@pytest.fixture(params=["served", "local"])
def model(request, tiny):
    """Give the tiny model as a server of one's own has it, and as a child serves it."""
    if request.param == "local":
        model = open_model("local:tiny", own=ModelSettings(window=65_536), environ={})
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


def asked(schema):
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
        models = [open_model(name, environ={}) for name in ("local:tiny", f"local:{tiny}")]
        assert "tokens a second" in await asyncio.to_thread(models[0].told)

        async def heard(model):
            return gathered([part async for part in model.stream(asked(words(1)))])

        answers = await asyncio.gather(*map(heard, models))
        assert all(answer.text and answer.usage.cost == 0.0 for answer in answers)
        assert (trap.requests, set(places)) == ([], {"127.0.0.1"})
    assert models[0].server is models[1].server
    assert models[0].window == 32_768
    models[0].server.close()


def is_busy():
    """Tell whether the one server that runs is answering."""
    [said] = (models_folder() / "run").glob("*.json")
    ready = json.loads(said.read_text())
    headers = {"authorization": f"Bearer {ready['token']}"}
    with urllib.request.urlopen(urllib.request.Request(f"{ready['address']}/slots", headers=headers)) as answer:
        return any(slot["is_processing"] for slot in json.load(answer))


@pytest.mark.usefixtures("tiny")
async def test_an_answer_that_is_cancelled_frees_the_model_within_a_second():
    model = open_model("local:tiny", environ={})
    begun = asyncio.Event()

    async def listen():
        async for part in model.stream(asked(words(1_500))):
            if isinstance(part, TextDelta):
                begun.set()

    answering = asyncio.create_task(listen())
    await begun.wait()
    assert await asyncio.to_thread(is_busy)
    answering.cancel()
    await asyncio.gather(answering, return_exceptions=True)
    await asyncio.to_thread(lambda: eventually(lambda: not is_busy(), within=1.0))
    model.server.close()


async def test_a_model_that_nobody_asks_ends_and_none_that_answers(tiny):
    server = LocalServer(tiny, 4_096, models_folder() / "run", idle=1.0)
    model = LocalModel("tiny", server, None, None)
    await asyncio.to_thread(server.ready)
    begun = time.monotonic()
    long = msgspec.structs.replace(asked(words(1_500)), parameters=Parameters(max_output_tokens=3_800))
    assert gathered([part async for part in model.stream(long)]).done.reason == "length"
    assert time.monotonic() - begun > 1.0, "longer than it may be idle"
    await asyncio.to_thread(lambda: eventually(lambda: not processes_with(models_folder().parent)))
    assert gathered([part async for part in model.stream(asked(words(1)))]).text
    server.close()


# --- whole sessions in processes of their own -------------------------------------------------------------------------


@pytest.fixture
def begun(tmp_path, monkeypatch):
    """Begins a session in another process, and gives that; each has a folder of its own."""
    config = tmp_path / "config.toml"
    config.write_text('[models."local:tiny"]\nwindow = 65536\n')
    monkeypatch.setenv("WORKBENCH_CONFIG", str(config))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    running = []

    def begin_in(folder, *command, before=()):
        (tmp_path / folder).mkdir(exist_ok=True)
        command = command or ("run", "Move our billing by 30 June", "--model", "local:tiny", "--iterations", "1")
        program = [*before, sys.executable, "-m", "workbench", *command, "--approve", "all", "--json"]
        with (tmp_path / folder / "out").open("wb") as out, (tmp_path / folder / "err").open("wb") as err:
            running.append(subprocess.Popen(program, cwd=tmp_path / folder, stdout=out, stderr=err))
        return running[-1]

    yield begin_in
    for process in running:
        process.kill()
        process.wait()


def finished(process, folder):
    """Wait for the end of a session, and return the last that it printed."""
    process.wait()
    assert process.returncode == 0, (folder / "err").read_text()
    said = json.loads((folder / "out").read_text().splitlines()[-1])
    assert said["status"] == "finished"
    return said


@pytest.mark.full
@pytest.mark.timeout(0)
@pytest.mark.usefixtures("tiny")
@pytest.mark.skipif(not shutil.which("strace"), reason="without strace nobody sees where another process connects to")
def test_two_sessions_at_once_are_served_by_one_child_and_reach_no_other_machine(begun, tmp_path, monkeypatch):
    with fake_server() as trap:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "HF_ENDPOINT"):
            monkeypatch.setenv(name, trap.base_url)
        tracing = ("strace", "-f", "-qq", "-e", "trace=connect,sendto,sendmsg,sendmmsg", "-o", "calls")
        names = ("first", "second")
        both = [begun(name, before=tracing) for name in names]
        for process, name in zip(both, names, strict=True):
            finished(process, tmp_path / name)
            assert "tokens a second" in (tmp_path / name / "err").read_text(), "before it begins"
        assert trap.requests == []
    traced = [(tmp_path / name / "calls").read_text() for name in names]
    places = [set(re.findall(r'sin6?_port=htons\((\d+)\).*?"([^"]+)"', calls)) for calls in traced]
    assert places[0] == places[1]
    [(_port, host)] = places[0]
    assert host == "127.0.0.1"


def while_it_answers():
    """Wait until the model answers."""

    def answers():
        with suppress(ValueError, OSError, urllib.error.URLError):  # it loads, or was ended
            return is_busy()
        return False

    eventually(answers)


@pytest.mark.full
@pytest.mark.timeout(0)
@pytest.mark.usefixtures("tiny")
def test_a_server_that_is_killed_while_it_answers_is_started_again_and_the_session_finishes(begun, tmp_path):
    process = begun("killed")
    for _ in range(3):
        while_it_answers()
        [server] = [pid for pid in processes_with(tmp_path) if parent_of(pid) in processes_with(tmp_path)]
        os.kill(server, signal.SIGKILL)
        eventually(lambda server=server: not is_there(server))
    finished(process, tmp_path / "killed")


@pytest.mark.full
@pytest.mark.timeout(0)
@pytest.mark.usefixtures("tiny")
def test_a_session_that_is_killed_while_its_model_answers_leaves_nothing_and_goes_on(begun, tmp_path):
    process = begun("killed")
    for ends in (signal.SIGKILL, signal.SIGINT, signal.SIGKILL):
        while_it_answers()
        process.send_signal(ends)
        begun_at = time.monotonic()
        process.wait()
        print(f"{ends.name}: ended after {time.monotonic() - begun_at:.2f} s", flush=True)
        eventually(lambda: not processes_with(tmp_path), within=5.0)
        [file] = (tmp_path / "killed" / ".workbench" / "sessions").glob("*.jsonl")
        process = begun("killed", "resume", file.stem)
    finished(process, tmp_path / "killed")
