"""The whole product over a server: the same answers as over files, and two machines that share everything."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import GOAL, Command, Result
from tests.redis_server import RedisServer, new_workspace


@pytest.fixture
def address(redis_server: RedisServer) -> str:
    """The address of a workspace that is empty."""
    return f"{redis_server.url}/0?workspace={new_workspace()}"


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
