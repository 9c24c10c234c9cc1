"""``workbench migrate``: there, back, twice, and what keeps it from going."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.redis_server import RedisServer, new_workspace
from workbench.storage.files.opening import Files
from workbench.storage.files.session_file import read_session_file
from workbench.storage.files.workspace import open_workspace


@pytest.fixture
def address(redis_server: RedisServer) -> str:
    return f"{redis_server.url}/0?workspace={new_workspace()}"


def events(folder: Path) -> dict[str, list[object]]:
    return {file.stem: list(read_session_file(file)) for file in (folder / ".workbench" / "sessions").iterdir()}


def test_to_a_server_and_back_the_sessions_are_the_same(
    workbench: Command, finished: str, address: str, tmp_path: Path
) -> None:
    workbench("shared", "set", "venue", "hall")
    second = workbench("run", "Paint the fence by May 2029", "--approve", "all", "--json").last["session"]
    workbench("sessions", "delete", second)
    there = workbench("migrate", "--to", address)
    assert there.code == 0
    assert f'log = "{address}"' in there.out
    assert str(tmp_path / ".workbench" / "config.toml") in there.out
    assert workbench("sessions", "show", finished, "--log", address).out == workbench("sessions", "show", finished).out
    (tmp_path / "back").mkdir()
    back = workbench("migrate", "--log", address, "--to", "back", "--json")
    assert back.code == 0
    assert back.last == {
        "schema": "workbench.migrated/1",
        "from": address,
        "to": str(tmp_path / "back" / ".workbench"),
        "streams": 3,
        "failed": 0,
        "left": [],
        "log": "",
    }
    assert {line["how"] for line in back.lines[:-1]} == {"copied"}
    assert events(tmp_path / "back") == events(tmp_path)
    assert workbench("sessions", "restore", second, "--workspace", "back").code == 0
    assert workbench("shared", "get", "venue", "--workspace", "back").out == "hall\n"


def test_a_damaged_session_is_named_and_the_code_says_so(
    workbench: Command, finished: str, address: str, tmp_path: Path
) -> None:
    sound = workbench("run", "Paint the fence by May 2029", "--approve", "all", "--json").last["session"]
    file = tmp_path / ".workbench" / "sessions" / f"{finished}.jsonl"
    file.write_bytes(file.read_bytes().replace(b"billing", b"biLLing", 1))
    result = workbench("migrate", "--to", address)
    assert result.code == 1
    assert f"✕ session {finished}: {file} is damaged" in result.out
    assert f"✔ session {sound}" in result.out
    assert "1 log could not be copied" in result.out
    as_json = workbench("migrate", "--to", address, "--json")
    assert (as_json.code, as_json.last["failed"]) == (1, 1)
    assert next(line for line in as_json.lines if line.get("how") == "failed")["remedy"]
    assert [one["session"] for one in workbench("sessions", "list", "--json", "--log", address).lines] == [sound]


def test_from_a_network_file_system_they_can_be_saved(
    workbench: Command, finished: str, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Files, "mounts", lambda _: "1 1 0:1 / / rw - nfs4 server:/ rw\n")
    assert workbench("sessions", "list").code == 1
    assert workbench("migrate", "--to", address).code == 0
    assert [one["session"] for one in workbench("sessions", "list", "--json", "--log", address).lines] == [finished]
    back = workbench("migrate", "--log", address, "--to", ".")
    assert (back.code, "network file system" in back.err) == (1, True)


def test_not_while_a_session_is_driven(workbench: Command, finished: str, address: str, tmp_path: Path) -> None:
    with open_workspace(tmp_path).log().drive(finished):
        refused = workbench("migrate", "--to", address)
    assert refused.code == 1
    assert finished in refused.err


@pytest.mark.usefixtures("finished")
@pytest.mark.parametrize(
    ("to", "code", "said"),
    [
        (".", 2, "already"),
        ("nowhere", 2, "not a folder"),
        ("http://host", 2, "--to"),
        ("redis://127.0.0.1:1", 1, "cannot be reached"),
    ],
)
def test_places_that_cannot_be(to: str, code: int, said: str, workbench: Command) -> None:
    refused = workbench("migrate", "--to", to)
    assert (refused.code, said in refused.err) == (code, True)
