"""The whole product over a server: the same answers as over files, and two machines that share everything."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.cli.conftest import GOAL, Command, Result
from tests.redis_server import RedisServer, new_workspace


@pytest.fixture
def address(redis_server: RedisServer) -> str:
    """The address of a workspace that is empty."""
    return f"{redis_server.url}/0?workspace={new_workspace()}"


class Job:
    """Commands that are run one after the other; what they said, without what is drawn or told by the clock."""

    def __init__(self, workbench: Command, *options: str) -> None:
        self._workbench = workbench
        self._options = options
        self._names: list[str] = []
        self.said: list[tuple[str, int, str]] = []

    def __call__(self, *arguments: str, named: bool = False) -> Result:
        result = self._workbench(*arguments, *self._options)
        if named:
            self._names.append(str(result.last["session"]))
        self.said.append((" ".join(map(self._plain, arguments)), result.code, self._plain(result.out + result.err)))
        return result

    def _plain(self, text: str) -> str:
        for number, name in enumerate(self._names):
            text = text.replace(name, f"SESSION-{number}")
        text = re.sub(r"cli-[0-9a-f]{8}", "PASSING", text)
        text = re.sub(r"\b[0-9a-f]{64}\b", "HASH", text)
        text = re.sub(r"\bw-[0-9a-f]{10}\b|\bw-\d+-\d+\b", "WORKSPACE", text)
        text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?", "TIME", text)
        text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d|\b\d\d:\d\d(:\d\d)?\b", "TIME", text)
        # A name with a random end is sometimes a token more.
        text = re.sub(r'\b\d{1,3}(,\d{3})+\b|\b\d{4,}\b|("tokens": |~)\d+|\d+( tokens)', r"\2NUMBER\3", text)
        text = re.sub(r"\b\d+\.\d+(e-\d+)?\b", "SECONDS OR SCORE", text)
        return re.sub(r"\d{8}T\d{12}Z(\.jsonl)?", "STAMP", text)


def whole_job(job: Job) -> None:
    """Everything that a person does with sessions."""
    asked = job("run", GOAL.replace("billing", "archive"), "--json", named=True).last["session"]
    job("resume", asked, "--answer", "40,000 EUR", "--json")
    first = job("run", GOAL, "--iterations", "2", "--approve", "all", "--json", named=True).last["session"]
    job("resume", first, "--feedback", "Tell the auditors in May.", "--json")
    job("resume", first, "--finish", "--json")
    job("sessions", "list")
    job("sessions", "list", "--json")
    job("sessions", "show", first)
    job("rate", first, "4", "--note", "solid")
    job("outcome", first, "success")
    job("sessions", "rename", first, "Billing")
    job("sessions", "list")
    job("sessions", "export", first)
    job("sessions", "export", first, "--format", "json")
    job("replay", first, "--json")
    job("remember", "--session", first, "The auditors come in May with key 4711-4711.")
    job("recall", "auditors", "--session", first, "--json")
    second = job("run", "Tell the auditors about the billing move", "--approve", "all", "--json", named=True).last[
        "session"
    ]
    job("recall", "auditors", "--across", "--asking", second, "--reason", "to plan with", "--json")
    job("sessions", "search", "auditors", "--json")
    job("context", second, "--json")
    job("audit", "--all", "--json")
    job("shared", "set", "venue", '{"hall": 1}', "--session", first)
    job("shared", "set", "venue", '{"hall": 2}', "--session", second, "--base", "0")
    job("shared", "log", "--json")
    job("shared", "sessions", "--json")
    job("shared", "get", "venue")
    item = job("recall", "4711-4711", "--session", first, "--json").lines[0]
    job("forget", str(item.get("item") or item.get("id")), "--session", first, "--yes", "--everywhere", "--json")
    job("recall", "4711-4711", "--session", first, "--json")
    job("audit", first, "--json")
    job("sessions", "delete", first)
    job("sessions", "list")
    job("sessions", "show", first)  # says where it is
    job("sessions", "trash")
    job("sessions", "restore", first)
    job("sessions", "delete", second)
    job("sessions", "empty-trash", "--yes")
    job("sessions", "list")


@pytest.mark.full
def test_the_whole_job_says_the_same_over_a_server_as_over_files(
    workbench: Command, address: str, tmp_path: Path
) -> None:
    jobs = []
    for name, options in (("files", ()), ("server", ("--log", address))):
        (tmp_path / name).mkdir()
        job = Job(workbench, "--workspace", str(tmp_path / name), *options)
        whole_job(job)
        jobs.append(job.said)
    files, server = jobs
    assert len(files) == len(server)
    for on_disk, on_server in zip(files, server, strict=True):
        assert on_server[:2] == on_disk[:2]
        assert on_server[2].splitlines() == on_disk[2].splitlines()
    codes = {command: code for command, code, _ in files}
    assert codes.pop("sessions show SESSION-1") == 2, "it was deleted"
    assert {command for command, code in codes.items() if code not in {0, 3}} == set()
    kept = [path.name for path in (tmp_path / "server" / ".workbench").rglob("*.jsonl")]
    assert kept == []


GOAL_OF_ANOTHER = "Paint the harbour fence by May 2029"


class Machine:
    """A folder of its own, with settings of its own, that knows a server by a line in its config."""

    def __init__(self, workbench: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        folder.mkdir()
        self.folder = folder
        self._workbench = workbench
        self._monkeypatch = monkeypatch

    def __call__(self, *arguments: str) -> Result:
        self._monkeypatch.chdir(self.folder)
        self._monkeypatch.setenv("WORKBENCH_CONFIG", str(self.folder / "user" / "config.toml"))
        return self._workbench(*arguments)

    def configure(self, line: str) -> None:
        (self.folder / ".workbench").mkdir(exist_ok=True)
        (self.folder / ".workbench" / "config.toml").write_text(f"{line}\n")


@pytest.fixture
def machines(workbench: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Machine, Machine]:
    return Machine(workbench, tmp_path / "one", monkeypatch), Machine(workbench, tmp_path / "two", monkeypatch)


def test_a_folder_alone_sends_nothing_to_a_server_that_was_never_named(
    machines: tuple[Machine, Machine], address: str, redis_server: RedisServer
) -> None:
    one, _ = machines
    one.configure(f'log = "{address}"')
    with redis_server.client() as client:
        before = client.info("stats")["total_connections_received"]
        for command in (("sessions", "list"), ("run", GOAL_OF_ANOTHER, "--approve", "all"), ("doctor",)):
            refused = one(*command)
            assert refused.code in {1, 3}
            assert "`workbench trust`" in refused.err + refused.out
        assert client.info("stats")["total_connections_received"] == before
    assert one("doctor", "--log", address).code == 0
    assert one("sessions", "list").code == 0


def test_passwords_are_never_shown(machines: tuple[Machine, Machine], address: str) -> None:
    one, _ = machines
    secret = address.replace("redis://", "redis://me:s3cret-pw@")
    one.configure(f'log = "{secret}"')
    for command in (
        ("config",),
        ("config", "--json"),
        ("doctor",),
        ("doctor", "--json", "--log", secret),
        ("sessions", "list"),
        ("sessions", "list", "--log", secret),
        ("migrate", "--to", secret),
        ("migrate", "--to", f"{secret}&x=1"),
        ("sessions", "list", "--log", f"{secret}x"),
        ("sessions", "list", "--log", secret.replace("redis:", "http:")),
    ):
        said = one(*command)
        assert "s3cret-pw" not in said.out + said.err, command
    (record,) = (one.folder / "user" / "trust").glob("*.json")
    assert "s3cret-pw" not in record.read_text()
    shown = {line["setting"]: line for line in one("config", "--json").lines}["log"]
    assert shown["value"] == address.replace("redis://", "redis://me@")
    password = next(line for line in one("doctor", "--json").lines if line["check"] == "password")
    assert (password["level"], "WORKBENCH_LOG" in password["remedy"]) == ("warning", True)


def test_a_server_that_is_not_there_is_told_in_a_sentence(workbench: Command) -> None:
    for command in (("sessions", "list"), ("run", GOAL, "--approve", "all"), ("shared", "get", "x")):
        gone = workbench(*command, "--log", "redis://127.0.0.1:1/0?workspace=w-1")
        assert gone.code == 1
        assert "cannot be reached" in gone.err
        assert "Traceback" not in gone.err


def test_there_is_nothing_to_repair_on_a_server(workbench: Command, address: str) -> None:
    session = workbench("run", GOAL_OF_ANOTHER, "--approve", "all", "--json", "--log", address).last["session"]
    refused = workbench("sessions", "repair", session, "--log", address)
    assert refused.code == 2
    assert "nothing to repair" in refused.err


def test_an_empty_option_goes_back_to_files(workbench: Command, monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("WORKBENCH_LOG", address)
    workbench("run", GOAL_OF_ANOTHER, "--approve", "all")
    assert len(workbench("sessions", "list", "--json").lines) == 1
    assert workbench("sessions", "list", "--json", "--log", "").lines == []
