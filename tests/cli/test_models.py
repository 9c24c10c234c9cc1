"""The whole loop with a language model behind OpenAI's protocol, on the loopback, reached by the command line."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.builders import UNDATED_DRAFT, execute_reply, generate_reply, notes, plan_reply, propose_reply, verify_reply
from tests.cli.conftest import GOAL, MOVE, Command, Result
from tests.models.fake_hub import fake_hub
from tests.models.fake_openai import FakeServer, fake_server, status, text
from workbench.domain.errors import ModelUnreachable
from workbench.models.secret import HIDDEN, Secret

KEY = "sk-loopback-0123456789abcdef"

REPLIES = {
    "propose approaches": propose_reply(),
    "plan": plan_reply(*UNDATED_DRAFT, notes("As agreed."), title="Move billing"),
    "verify the plan": verify_reply(),
    "turn steps into actions": execute_reply(),
    "write the page": generate_reply(),
    "say what came before in fewer words": "The person named what matters.",
}


def planner(handler: Any, **more: Any) -> None:
    """Answer the task that the prompt names; ``more`` is what else the answer says."""
    prompt = "\n".join(message["content"] for message in handler.server.requests[-1]["body"]["messages"])
    heading = re.search(r"^# Task: (.+)$", prompt, re.MULTILINE)
    assert heading is not None
    reply = REPLIES[heading[1]]
    text(*(reply[at : at + 50] for at in range(0, len(reply), 50)), **more)(handler)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeServer]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with fake_server() as running:
        running.will(planner)
        yield running


def run(workbench: Command, server: FakeServer, *more: str) -> Result:
    return workbench(
        "run", GOAL, "--model", "openai:some-model", "--base-url", server.base_url, "--approve", "all", "--json", *more
    )


def test_models_are_listed_with_what_is_known_of_them(
    workbench: Command, server: FakeServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    config = tmp_path / "own.toml"
    config.write_text(
        'model = "anthropic:claude-3-5-haiku-latest"\n'
        f'[models."openai:own"]\nbase_url = "{server.base_url}"\nwindow = 9000\ninput_price = 1\noutput_price = 2.5\n'
    )
    monkeypatch.setenv("WORKBENCH_CONFIG", str(config))
    server.pages["/v1/models"] = {"data": [{"id": "it's tiny", "max_model_len": 4096}]}
    monkeypatch.setattr("workbench.models.servers.discovery.USUAL_SERVERS", [("Ollama", server.base_url)])
    in_force, own, found = workbench("models", "--json").lines
    assert {in_force["schema"], own["schema"], found["schema"]} == {"workbench.model/1"}
    assert (in_force["origin"], in_force["base_url"]) == ("in force", "")
    assert in_force["input_price"] < in_force["output_price"]
    assert own == {**own, "origin": "settings", "window": 9000, "input_price": 1.0, "output_price": 2.5}
    assert found == {
        **found,
        "model": "openai:it's tiny",
        "origin": "this machine",
        "window": 4096,
        "input_price": None,
    }
    told = workbench("models").out
    assert f"""--model 'openai:it'"'"'s tiny' --base-url {server.base_url}""" in told
    assert "OPENAI_API_KEY" in told
    assert KEY not in told
    assert server.requests == []


def test_a_model_is_tried_with_one_call(workbench: Command, server: FakeServer, tmp_path: Path) -> None:
    server.will(status(429, "Slow down.", retry_after="0"), text("ready"))
    named = ("models", "--try", "openai:tiny", "--base-url", server.base_url)
    [tried] = workbench(*named, "--json").lines
    assert (tried["schema"], tried["model"], tried["answer"]) == ("workbench.model-tried/1", "openai:tiny", "ready")
    assert (tried["cost"], tried["window"], len(server.requests)) == (None, 8_192, 2)
    assert tried["tokens"] > 7
    assert "429" in tried["notes"][0]
    told = workbench(*named).out
    assert "openai:tiny answers: “ready”" in told
    assert "tokens, n/a, window 8,192)." in told
    server.will(status(401, "No."))
    refused = workbench(*named)
    assert (refused.code, "does not accept the key" in refused.err) == (1, True)
    assert "needs no test" in workbench("models", "--try", "guided").err
    assert not (tmp_path / ".workbench").exists(), "no session, and nothing kept"


def test_a_folder_sets_nothing_for_models_before_it_is_accepted(
    workbench: Command, server: FakeServer, tmp_path: Path
) -> None:
    workbench("run", GOAL, "--approve", "all")
    table = f'[models."openai:some-model"]\nbase_url = "{server.base_url}"\nkey = "HOME"\n'
    (tmp_path / ".workbench" / "config.toml").write_text(table)
    [setting] = [one for one in workbench("config", "--json").lines if one["setting"] == "models"]
    assert (setting["value"], setting["not_taken"]["reason"]) == ({}, "you have not accepted it")
    assert workbench("trust", "--yes").code == 0
    [setting] = [one for one in workbench("config", "--json").lines if one["setting"] == "models"]
    assert setting["value"]["openai:some-model"]["key"] == "HOME"


def test_a_language_model_plans(workbench: Command, server: FakeServer, tmp_path: Path) -> None:
    result = run(workbench, server)
    assert result.code == 0, result.err
    assert result.last["status"] == "finished"
    assert result.last["cost"] is None, "a price that nobody knows is n/a, never 0"
    assert result.last["tokens"] > 18 * len(server.requests)
    assert "As agreed." in result.last["plan"]["markdown"]
    session = result.last["session"]
    assert "price n/a" in workbench("replay", session, "--plain").out
    assert "n/a" in workbench("sessions", "show", session).out
    kept = b"".join(path.read_bytes() for path in (tmp_path / ".workbench").rglob("*") if path.is_file())
    assert KEY.encode() not in kept
    assert KEY not in result.out + result.err


def test_the_prompt_is_kept_as_it_was_sent(workbench: Command, server: FakeServer) -> None:
    session = run(workbench, server).last["session"]
    sent = [request["body"]["messages"] for request in server.requests]
    kept = [
        workbench("context", session, "--call", str(number), "--json").last["prompt"]
        for number in range(1, len(sent) + 1)
    ]
    said = [(prompt[0]["content"], "\n\n".join(message["content"] for message in prompt[1:])) for prompt in kept]
    assert said == [(system["content"], user["content"]) for system, user in sent], (
        "as it was sent, before it is joined"
    )


@pytest.mark.parametrize(
    ("broken", "code"),
    [("workbench.models.servers.exchange.Exchange._usage", 3), ("workbench.planning.asking.calling.prompt_hash", 1)],
)
def test_a_report_of_a_crash_has_no_key(
    workbench: Command, server: FakeServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, broken: str, code: int
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError(f"Authorization: Bearer {KEY}")

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(broken, fail)
    crashed = run(workbench, server)
    assert crashed.code == code
    for report in tmp_path.glob("workbench-crash-*.txt"):
        assert "in fail" in report.read_text()
        assert "a defect of the workbench (RuntimeError)" in crashed.err
    assert (
        list(tmp_path.glob("workbench-crash-*.txt"))
        or "does not follow OpenAI's protocol" in crashed.last["stopped_because"]
    )
    kept = [path.read_text(errors="replace") for path in tmp_path.rglob("*") if path.is_file()]
    assert all(KEY not in text for text in (crashed.out, crashed.err, *kept))


def test_an_unknown_price_under_a_bound_of_cost_pauses(workbench: Command, server: FakeServer) -> None:
    result = run(workbench, server, "--max-cost", "0.5")
    assert result.code == 3
    assert result.last["gate"]["reason"] == "cost"
    assert server.requests == [], "it is asked before anything is sent"
    session = result.last["session"]
    named = workbench("resume", session, "--max-tokens", "400000", "--approve", "all", "--json")
    assert named.last["status"] == "finished"


ROLES = '[roles]\nverifier = "openai:strong"\ngenerator = "{}"\n'


def test_a_role_on_another_server_is_asked_about_before_anything_is_sent(
    workbench: Command, server: FakeServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    config = tmp_path / "own.toml"
    config.write_text(ROLES.format("google:far"))
    monkeypatch.setenv("WORKBENCH_CONFIG", str(config))
    monkeypatch.setenv("GOOGLE_API_KEY", KEY)
    refused = run(workbench, server)
    assert refused.code == 3
    assert "setting roles.generator would send prompts and key for google:far to generativelanguage" in refused.err
    assert server.requests == []
    config.write_text("")
    session = run(workbench, server).last["session"]
    asked = len(server.requests)
    config.write_text(ROLES.format("google:far"))
    refused = workbench("resume", session, "--feedback", "Cheaper", "--json")
    assert (refused.code, len(server.requests)) == (3, asked)
    [request] = workbench("trust", session, "--json").lines
    assert [one["used_by"] for one in request["models"]] == ["setting roles.generator"]
    config.write_text("[roles]\ncook = 'openai:m'\n")
    assert 'verifier = "openai:NAME"' in run(workbench, server).err


@pytest.mark.cases(1)
@pytest.mark.parametrize("more", [(), ("--json",)])
@pytest.mark.parametrize(
    ("table", "name"),
    [(ROLES.format("openai:small"), "roles"), ('[models."openai:some-model"]\nbase_url = "{}"\n', "models")],
)
def test_models_that_a_folder_names_are_asked_about_before_anything_is_sent(
    workbench: Command, server: FakeServer, tmp_path: Path, table: str, name: str, more: tuple[str, ...]
) -> None:
    assert workbench("run", GOAL, "--approve", "all").code == 0
    (tmp_path / ".workbench" / "config.toml").write_text(table.format(server.base_url))
    begin = ("run", GOAL, "--model", "openai:some-model", "--base-url", server.base_url, "--approve", "all", *more)
    refused = workbench(*begin)
    assert (refused.code, server.requests) == (3, [])
    assert f"sets {name}, which you have not accepted" in refused.err
    assert "`workbench trust`" in refused.err
    assert workbench("run", GOAL, "--approve", "all").code == 0, "the offline planner sends nothing"
    assert workbench("trust", "--yes").code == 0
    assert workbench(*begin).code == 0
    asked = {request["body"]["model"] for request in server.requests}
    assert asked == ({"some-model", "strong", "small"} if name == "roles" else {"some-model"})


@pytest.mark.cases(1)
@pytest.mark.parametrize("size", [7, 10_000])
def test_a_key_that_comes_back_is_nowhere(
    workbench: Command, server: FakeServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """A server that sends the key back in many forms: in the plan, in a refusal, in an answer that is no JSON."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))  # where a report of a crash would be
    data = KEY.encode()
    forms = (
        KEY,
        " ".join(KEY),
        base64.b64encode(b"user:" + data).decode(),
        base64.urlsafe_b64encode(b"u:" + data).decode(),
        "".join(f"%{byte:02X}" for byte in data),
        data.hex(),
        f"{KEY[:8]}\n{KEY[8:]}",
    )
    echoed = plan_reply(*UNDATED_DRAFT, notes("\n\n".join(("As agreed.", *forms))), title="Move billing")

    def echo_key(handler: Any) -> None:
        prompt = handler.server.requests[-1]["body"]["messages"][-1]["content"]
        if "# Task: verify the plan" in prompt:
            status(401, f"Not with {forms}")(handler)
        elif "# Task: plan" in prompt:
            text(*(echoed[at : at + size] for at in range(0, len(echoed), size)))(handler)
        else:
            planner(handler)

    server.will(echo_key)
    failed = run(workbench, server)
    assert failed.code == 0, "the verifier is left out"
    session = workbench("sessions", "list", "--json").last["session"]
    shown = [failed.out, failed.err]
    for form in ("md", "html", "json", "jsonl"):
        exported = workbench("sessions", "export", session, "--format", form)
        assert exported.code == 0, exported.err
        shown.append(exported.out)
    shown += [workbench(*command).out for command in (("replay", session, "--json"), ("context", session, "--prompt"))]
    shown += [path.read_text(errors="replace") for path in tmp_path.rglob("*") if path.is_file()]
    assert any("As agreed." in one for one in shown)
    assert any(HIDDEN in one for one in shown)
    for one in shown:
        letters = re.sub(r"\\[nt]|[\W_]", "", one).lower()
        assert [form for form in Secret(KEY).forms if form in letters] == []


# --- models that run on this machine ----------------------------------------------------------------------------------


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    """A stand-in for the hub, and a list of one model that it has."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("workbench.models.local.files.memory_of_machine", lambda: 4_000_000_000)
    monkeypatch.setattr("workbench.models.catalogue._installed", lambda _module: True)
    monkeypatch.setattr("workbench.cli.plan.models.local_model_text", lambda *_: "5.0 tokens a second")
    line = 'tiny = { repository = "o/r", file = "tiny.gguf", licence = "MIT", gb = 0.01, verified = true }\n'
    (tmp_path / "local-models.toml").write_text(line)
    with fake_hub(b"GGUF" * 1000) as running:
        monkeypatch.setenv("HF_ENDPOINT", running.url)
        yield running


def test_who_begins_without_a_model_is_told_once_what_can_be_had(
    workbench: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", KEY)
    first, second = (workbench("run", GOAL, *MOVE, "--approve", "all") for _ in range(2))
    [told] = [line for line in first.err.splitlines() if "workbench models get" in line]
    assert "Templates plan" in told
    assert "GOOGLE_API_KEY is set" in told
    assert KEY not in told
    assert "models get" not in second.err


def _broken(*_: object) -> str:
    raise ModelUnreachable("It is no model.", "Fetch another one.")


def test_a_model_is_fetched_once_the_person_agreed_listed_and_removed(
    workbench: Command, hub: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = {one["name"]: one for one in workbench("models", "list", "--json").lines}
    assert [name for name, one in listed.items() if one["fits"]] == ["tiny"]
    assert all(one["verified"] is (name == "tiny") for name, one in listed.items())
    assert "more than there is" in workbench("models", "list").out
    waiting = workbench("models", "get")
    assert (waiting.code, hub.requests) == (3, [])
    assert "MIT" in waiting.out
    assert "phi-4" not in waiting.out
    got = workbench("models", "get", "tiny", "--yes", "--json").last
    assert (got["sha256"], Path(got["path"]).read_bytes()) == (hub.sha256, hub.data)
    count = len(hub.requests)
    again = workbench("models", "get", "tiny")
    assert "5.0 tokens a second" in again.out
    assert "--model local:tiny" in again.out
    monkeypatch.setattr("workbench.cli.plan.models.local_model_text", _broken)
    broken = workbench("models", "get", "tiny")
    assert (broken.code, "It is no model." in broken.err, "--model local:tiny" in broken.out) == (1, True, False)
    assert "local:tiny" in [one["model"] for one in workbench("models", "--json").lines]
    assert len(hub.requests) == count
    assert workbench("models", "remove", "tiny").code == 3
    assert workbench("models", "remove", "tiny", "--yes", "--json").last["name"] == "tiny"
    assert "no model 'tiny'" in workbench("models", "remove", "tiny", "--yes").err
    assert "no model 'large'" in workbench("models", "get", "large").err


@pytest.mark.parametrize(
    ("change", "code", "told"),
    [
        ({"redirects": True}, 0, "local:tiny"),
        ({"cut_after": 1_500}, 0, "local:tiny"),
        ({"cut_after": 1_500, "give_up_after": 2}, 1, "goes on from what arrived"),
        ({"sha256": "0" * 64}, 1, "it was removed"),
        ({"size": 10**15}, 1, "Make room"),
        ({"status": 403}, 1, "Accept the licence"),
    ],
)
def test_whatever_a_hub_does_the_model_is_here_or_the_next_command_fetches_it(
    workbench: Command, hub: Any, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], code: int, told: str
) -> None:
    monkeypatch.setattr("time.sleep", lambda _seconds: None)  # the client's, before it tries again
    monkeypatch.setattr("huggingface_hub.constants.DOWNLOAD_CHUNK_SIZE", 1_000)
    usual = {name: getattr(hub, name) for name in change}
    for name, value in change.items():
        setattr(hub, name, value)
    result = workbench("models", "get", "tiny", "--yes")
    assert (result.code, told in result.out + result.err) == (code, True), result.err
    if code:
        assert "local:tiny" not in workbench("models").out
        for name, value in usual.items():
            setattr(hub, name, value)
        assert workbench("models", "get", "tiny", "--yes").code == 0
    assert workbench("models", "list", "--json").lines[0]["sha256"] == hub.sha256
    asked = [given for command, _, given, _ in hub.requests if command == "GET"]
    if "cut_after" in change:
        assert all(given.startswith("bytes=") for given in asked[1:]), "nothing is fetched twice"
