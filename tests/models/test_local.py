"""A model on this machine, without one: the hub and llama.cpp are stand-ins. With a real one: test_llama.py."""

import asyncio
import errno
import fcntl
import os
import signal
import subprocess
import sys
import threading
from importlib import metadata

import msgspec
import pytest
from packaging.requirements import Requirement
from tests.models.fake_hub import COMMIT, fake_hub
from tests.models.requests import propose
from tests.processes import is_there, parent_of
from tests.waiting import eventually
from workbench.domain.errors import ModelDenied, ModelError, ModelUnknown, ModelUnreachable
from workbench.models.answers import gathered
from workbench.models.local.files import GB, LocalModelObject, fetch, local_models, model_file, remove
from workbench.models.local.server import LocalModel, LocalServer, Ready

PROGRAM = "tests.models.standin_child"
DATA = b"GGUF" + bytes(12_000_000)
ONE = LocalModelObject(name="tiny", repository="o/r", file="tiny.gguf", licence="MIT", gb=0.012)


@pytest.fixture
def hub():
    with fake_hub(DATA) as running:
        yield running


def fetched(hub, folder, **changes):
    return fetch(msgspec.structs.replace(ONE, **changes), folder, {"HF_ENDPOINT": hub.url, "HF_TOKEN": "hf_mine"})


@pytest.mark.parametrize("redirects", [False, True])
def test_what_is_fetched_is_pinned_and_found_without_the_hub(hub, tmp_path, redirects, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_TELEMETRY", False)
    monkeypatch.setattr(
        "huggingface_hub.utils._detect_agent._get_registry", lambda: pytest.fail("it tells what runs it")
    )
    hub.redirects = redirects
    one = fetched(hub, tmp_path)
    assert (one.revision, one.sha256, model_file("tiny", tmp_path).read_bytes()) == (COMMIT, hub.sha256, DATA)
    assert {token for _, _, _, token in hub.requests} == {"Bearer hf_mine"}
    own = tmp_path / "own.toml"
    own.write_text('tiny = { repository = "o/r", file = "tiny.gguf", licence = "MIT", gb = 0.1, verified = true }')
    count = len(hub.requests)
    known = local_models(tmp_path, own, 16 * GB)
    assert (known["tiny"].path, known["tiny"].verified) == (str(tmp_path / "tiny" / "tiny.gguf"), True)
    assert len(hub.requests) == count
    assert remove("tiny", tmp_path)
    with pytest.raises(ModelUnknown, match="models get tiny"):
        model_file("tiny", tmp_path)


def test_a_download_that_was_cut_goes_on_from_what_arrived(hub, tmp_path, monkeypatch):
    monkeypatch.setattr("time.sleep", lambda _seconds: None)  # the client's, before it tries again
    hub.cut_after = 10_500_000
    hub.give_up_after = 2
    with pytest.raises(ModelUnreachable, match="goes on from what"):
        fetched(hub, tmp_path)
    hub.cut_after = None
    assert fetched(hub, tmp_path).sha256 == hub.sha256
    assert hub.requests[-1][2] == "bytes=10485760-"


@pytest.mark.parametrize("is_silent", [False, True])
def test_a_slow_download_is_kept_as_it_arrives_and_asked_for_again_where_it_is_silent(
    hub, tmp_path, monkeypatch, is_silent
):
    monkeypatch.setattr("time.sleep", lambda _seconds: None)  # the client's, before it tries again
    monkeypatch.setattr("huggingface_hub.constants.DOWNLOAD_CHUNK_SIZE", 1_000)
    seen = []

    def pause(connection):
        [part] = tmp_path.rglob("*.part")
        eventually(lambda: len(DATA) // 2 - part.stat().st_size < 100_000)  # the rest waits in buffers
        seen.append(part.stat().st_size)
        if is_silent:
            hub.pause = None
            connection.recv(1)  # until the client has hung up

    hub.pause = pause
    if is_silent:
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DOWNLOAD_TIMEOUT", 0.2)
    assert fetched(hub, tmp_path).sha256 == hub.sha256
    asked = [given for command, _, given, _ in hub.requests if command == "GET"]
    assert asked == ["", "bytes=6000000-"] if is_silent else [""]
    assert len(seen) == 1


FETCHES = (
    "import sys; from pathlib import Path; from tests.models.test_local import ONE, fetch\n"
    "fetch(ONE, Path(sys.argv[1]), {'HF_ENDPOINT': sys.argv[2]})"
)


def test_a_download_whose_process_was_killed_goes_on_in_the_next(hub, tmp_path):
    def pause(connection):
        eventually(lambda: any(part.stat().st_size for part in tmp_path.rglob("*.part")))
        process.kill()
        connection.recv(1)  # until it is gone

    hub.pause_after, hub.pause = 10_500_000, pause
    with subprocess.Popen([sys.executable, "-c", FETCHES, tmp_path, hub.url], stderr=subprocess.DEVNULL) as process:
        assert process.wait() == -signal.SIGKILL
    hub.pause = None
    [arrived] = [part.stat().st_size for part in tmp_path.rglob("*.part")]
    assert fetched(hub, tmp_path).sha256 == hub.sha256
    assert hub.requests[-1][2] == f"bytes={arrived}-"


@pytest.mark.parametrize(
    ("change", "kind", "told"),
    [
        ({"sha256": "0" * 64}, ModelError, "it was removed"),
        ({"size": 10**15}, ModelError, "no room"),
        ({"status": 403}, ModelDenied, "Accept the licence"),
        ({"status": 404}, ModelUnknown, "has no tiny.gguf"),
        ({"status": 500}, ModelUnreachable, "goes on"),
    ],
)
def test_a_download_that_fails_says_what_to_do(hub, tmp_path, change, kind, told):
    for name, value in change.items():
        setattr(hub, name, value)
    with pytest.raises(kind, match=told):
        fetched(hub, tmp_path)
    assert not list(tmp_path.rglob("*.gguf"))


def test_the_hash_in_the_list_goes_before_the_one_that_the_hub_states(hub, tmp_path):
    with pytest.raises(ModelError, match="and not 111111111111"):
        fetched(hub, tmp_path, sha256="1" * 64)
    assert not (tmp_path / "tiny").exists()


def test_a_disk_that_fills_up_keeps_what_arrived(hub, tmp_path, monkeypatch):
    def full(_url, file, **_options):
        file.write(b"GGUF")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("huggingface_hub.file_download.http_get", full)
    with pytest.raises(ModelError, match="Make room"):
        fetched(hub, tmp_path)
    assert [file.read_bytes() for file in tmp_path.rglob("*.part")] == [b"GGUF"]


def test_one_process_fetches_a_file_at_a_time(hub, tmp_path):
    (tmp_path / "tiny").mkdir()
    with (tmp_path / "tiny" / f"{hub.sha256}.part").open("wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(ModelError, match="another process"):
            fetched(hub, tmp_path)


def installed_with(*names, extras=()):
    """Return the packages that come with some, and with extras of the first."""
    found = {}
    waiting = [(name, set(extras)) for name in names]
    while waiting:
        name, wanted = waiting.pop()
        name = name.lower().replace("_", "-")
        if name in found and wanted <= found[name]:
            continue
        found[name] = found.get(name, set()) | wanted
        needs = [
            one
            for one in map(Requirement, metadata.requires(name) or ())
            if one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in ("", *wanted))
        ]
        waiting.extend((one.name, one.extras) for one in needs)
    return found.keys()


def test_who_installs_without_the_extra_gets_no_package_more():
    needs = [one for one in map(Requirement, metadata.requires("planning-workbench")) if one.marker is None]
    plain = installed_with(*(one.name for one in needs))
    assert "xllamacpp" in installed_with("planning-workbench", extras=("local",)) - plain
    assert "httpx2" in installed_with(*(one.name for one in needs if one.name != "httpx2")), "it comes with tokenizers"


# --- the child process ------------------------------------------------------------------------------------------------


@pytest.fixture
def serve(tmp_path):
    """Makes this process's use of a server; all are let go of at the end, and their children are gone."""
    made, children = [], set()

    def make(name="model", **options):
        server = LocalServer(tmp_path / f"{name}.gguf", 4096, tmp_path, program=PROGRAM, **options)
        made.append(server)
        return server

    make.pid = lambda server: (children.add(pid := int(server.ready().address.rpartition(":")[2])), pid)[1]
    yield make
    for server in made:
        server.close()
    for pid in children:
        eventually(lambda pid=pid: not is_there(pid))
    eventually(lambda: not (children and list(tmp_path.glob("*.json"))))


def test_uses_share_one_child_that_ends_with_the_last_of_them(serve):
    first, second = serve(), serve()
    pids = []
    threads = [threading.Thread(target=lambda one=one: pids.append(serve.pid(one))) for one in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(pids)) == 1
    first.close()
    assert serve.pid(second) == pids[0]
    assert first.ready() == second.ready()
    assert first.ready().token
    assert first.ready().speed == 7.0


def test_a_child_that_was_killed_is_started_again(serve):
    server = serve()
    os.kill(before := serve.pid(server), signal.SIGKILL)
    eventually(lambda: serve.pid(server) != before)


@pytest.mark.parametrize(("name", "why"), [("broken", "no such tensor"), ("crashing", "ended again and again")])
def test_a_file_that_cannot_be_loaded_is_told_with_the_reason(serve, name, why):
    with pytest.raises(ModelUnreachable, match=why):
        serve(name).ready()


def test_a_server_that_is_idle_ends_and_is_started_again(serve):
    server = serve(idle=0.5)
    pid = serve.pid(server)
    eventually(lambda: not is_there(pid))
    eventually(lambda: serve.pid(server) != pid)


OWNER = (
    "import sys; from pathlib import Path; from workbench.models.local.server import LocalServer\n"
    "use = LocalServer(Path(sys.argv[1]), 4096, Path(sys.argv[2]), program=sys.argv[3])\n"
    "print(use.ready().address, flush=True); sys.stdin.read()"
)


@pytest.mark.parametrize("name", ["model", "slow"])
def test_a_child_ends_when_its_owner_is_killed_while_it_loads_too(tmp_path, name):
    file = tmp_path / f"{name}.gguf"
    command = [sys.executable, "-c", OWNER, str(file), str(tmp_path), PROGRAM]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as owner:
        if name == "model":
            pid = int(owner.stdout.readline().rpartition(":")[2])
        else:
            pid = int(eventually(lambda: (note := tmp_path / "slow.gguf.pid").exists() and note.read_text()))
        assert is_there(pid)
        owner.kill()
        eventually(lambda: not is_there(pid))
    for lock in (*tmp_path.glob("*.alive"), *tmp_path.glob("*.users")):
        with lock.open() as opened:
            eventually(lambda opened=opened: is_free(opened))


@pytest.mark.parametrize("name", ["model", "elsewhere"])
def test_a_server_ends_with_its_guard(serve, tmp_path, name):
    server = serve(name)
    pid = serve.pid(server)
    os.kill(parent_of(pid), signal.SIGKILL)
    eventually(lambda: not is_there(pid))
    for said in tmp_path.glob("*.json"):
        said.unlink()  # where it was: whoever uses the model next finds no guard, and starts one


def is_free(opened):
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


# --- as a model of the loop -------------------------------------------------------------------------------------------


async def test_a_model_of_this_machine_costs_nothing_and_is_asked_with_its_token_through_no_proxy(
    server, monkeypatch, tmp_path
):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    served = LocalServer(tmp_path / "m.gguf", 4096, tmp_path)
    served.file.write_bytes(b"GGUF")
    address = server.base_url.removesuffix("/v1")
    monkeypatch.setattr(served, "ready", lambda: Ready(address=address, token="t0ken-1234", speed=5.0))
    server.pages["/v1/models"] = {"data": [{"id": "m", "meta": {"n_ctx": 3000}}]}
    model = LocalModel("m", served, None, None)
    assert "5.0 tokens a second" in await asyncio.to_thread(model.told)
    assert (model.window, model.is_priced, model.own.small) == (3000, True, True)
    answer = gathered([part async for part in model.stream(propose(schema=False))])
    assert (answer.text, answer.usage.cost) == ("hello", 0.0)
    assert server.requests[0]["headers"]["authorization"] == "Bearer t0ken-1234"
