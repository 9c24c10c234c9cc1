"""``workbench doctor``: everything in order, each thing that is not, and never a traceback."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import redis
from tests.cli.conftest import Command, Result
from tests.redis_server import RedisServer, a_server, new_workspace
from tests.storage.test_hostile_servers import HOSTILE, listening
from workbench.cli.set_up.doctor import machine, server
from workbench.cli.set_up.doctor.findings import Finding, examined
from workbench.domain.errors import LogBusy
from workbench.storage.files.opening import Files


def levels(result: Result) -> dict[str, str]:
    return {one["check"]: one["level"] for one in result.lines}


def found(result: Result, check: str) -> dict[str, Any]:
    (one,) = (line for line in result.lines if line["check"] == check)
    return one


def test_an_empty_folder_is_in_order_and_stays_empty(workbench: Command, tmp_path: Path) -> None:
    result = workbench("doctor", "--json")
    assert result.code == 0
    assert set(levels(result).values()) == {"ok"}
    assert {one["schema"] for one in result.lines} == {"workbench.doctor/1"}
    for check in ("workbench", "python", "textual", "terminal", "settings", "workspace", "file system", "writable"):
        assert found(result, check)["found"]
    assert found(result, "model")["found"] == "guided"
    assert list(tmp_path.iterdir()) == []


def test_the_name_of_a_folder_makes_no_row_of_its_own(
    workbench: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "two\nok       consent         nothing is asked here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert not [line for line in workbench("doctor").out.splitlines() if line.startswith("ok       consent")]


def test_a_damaged_session_is_named_with_its_remedy(workbench: Command, finished: str, tmp_path: Path) -> None:
    file = tmp_path / ".workbench" / "sessions" / f"{finished}.jsonl"
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    result = workbench("doctor", "--json")
    assert result.code == 1
    assert finished in found(result, "session")["found"]
    assert f"workbench sessions repair {finished}" in found(result, "session")["remedy"]
    assert f"→ {found(result, 'session')['remedy']}" in workbench("doctor").out


def test_broken_settings_are_a_problem_and_the_rest_is_looked_at(workbench: Command, tmp_path: Path) -> None:
    (tmp_path / "user-config.toml").write_text("log = 7")
    result = workbench("doctor", "--json")
    assert result.code == 1
    problem = next(one for one in result.lines if one["level"] == "problem")
    assert (problem["check"], "user-config.toml" in problem["found"]) == ("settings", True)
    assert found(result, "embedder")["level"] == "ok"


def test_a_network_file_system_is_a_problem_for_files(
    workbench: Command, finished: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Files, "mounts", lambda _: "1 1 0:1 / / rw - cifs //server/share rw\n")
    result = workbench("doctor", "--json")
    assert result.code == 1
    assert found(result, "file system")["level"] == "problem"
    assert "workbench migrate --to redis://" in found(result, "file system")["remedy"]
    assert "sessions" not in levels(result)
    refused = workbench("sessions", "show", finished)
    assert refused.code == 1
    assert "network file system (cifs)" in refused.err


def test_which_locks_are_used_is_told(workbench: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBENCH_LOCKS", "flock")
    assert found(workbench("doctor", "--json"), "file locks")["found"] == "yes, by flock, on files of their own"
    monkeypatch.setenv("WORKBENCH_LOCKS", "flok")
    told = found(workbench("doctor", "--json"), "folder")
    assert (told["level"], told["found"]) == ("problem", "WORKBENCH_LOCKS names no locks.")


def test_keys_are_named_and_never_shown(workbench: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    result = workbench("doctor", "--json")
    assert found(result, "keys")["found"] == "OPENAI_API_KEY"
    assert "sk-secret" not in result.out + result.err


class Screen:
    """Standard output that is a terminal."""

    def __init__(self, encoding: str = "utf-8") -> None:
        self.encoding = encoding

    def isatty(self) -> bool:
        return True


def looked_at(
    monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], size: tuple[int, int] = (120, 40), encoding: str = "utf-8"
) -> dict[str, str]:
    monkeypatch.setattr("sys.stdout", Screen(encoding))
    monkeypatch.setattr("shutil.get_terminal_size", lambda **_: os.terminal_size(size))
    findings = list(machine.terminal(environ))
    assert all(one.remedy for one in findings if one.level != "ok")
    return {one.check: one.level for one in findings}


@pytest.mark.parametrize(
    ("environ", "size", "encoding", "check", "level"),
    [
        ({}, (120, 40), "utf-8", "terminal", "problem"),
        ({"TERM": "dumb"}, (120, 40), "utf-8", "terminal", "problem"),
        ({"TERM": "xterm-256color"}, (79, 40), "utf-8", "size", "warning"),
        ({"TERM": "xterm-256color"}, (120, 23), "utf-8", "size", "warning"),
        ({"TERM": "xterm"}, (120, 40), "utf-8", "colours", "warning"),
        ({"TERM": "xterm-256color"}, (120, 40), "latin-1", "characters", "warning"),
    ],
)
def test_a_terminal_that_is_not(
    monkeypatch: pytest.MonkeyPatch,
    environ: dict[str, str],
    size: tuple[int, int],
    encoding: str,
    check: str,
    level: str,
) -> None:
    assert looked_at(monkeypatch, environ, size, encoding)[check] == level


@pytest.mark.parametrize(
    "failure", [LogBusy("Busy.", "Wait."), PermissionError(13, "Permission denied", "/x"), KeyError("y")]
)
def test_a_check_that_fails_is_a_problem_and_no_traceback(failure: Exception) -> None:
    def check() -> Any:
        yield Finding("thing", "ok", "there")
        raise failure

    first, last = examined("thing", check)
    assert (first.level, last.level, bool(last.remedy)) == ("ok", "problem", True)


class Answers:
    """A server that says what a test wants."""

    def __init__(self, appendfsync: str | None = "everysec", **info: object) -> None:
        self._sync = appendfsync
        self._info = {
            "redis_version": "7.2.4",
            "aof_enabled": 1,
            "maxmemory_policy": "noeviction",
            **{name: value for name, value in info.items() if value is not None},
        }

    def info(self) -> dict[str, object]:
        return self._info

    def ping(self) -> None:
        pass

    def eval(self, *_script: object) -> int:
        return 1

    def config_get(self, _name: str) -> dict[str, str]:
        if self._sync is None:
            raise redis.ResponseError("unknown command CONFIG")
        return {"appendfsync": self._sync}


@pytest.mark.parametrize(
    ("answers", "check", "level"),
    [
        (Answers(), "server", "ok"),
        (Answers(redis_version="6.0.16"), "server", "problem"),
        (Answers(redis_version="6.2.0"), "server", "ok"),
        (Answers(redis_version="7.2.4", valkey_version="8.0.1"), "server", "ok"),
        (Answers(redis_version=""), "server", "ok"),
        (Answers(), "persistence", "ok"),
        (Answers("always"), "persistence", "ok"),
        (Answers("no"), "persistence", "warning"),
        (Answers(None), "persistence", "warning"),
        (Answers(aof_enabled=0), "persistence", "problem"),
        (Answers(), "memory", "ok"),
        (Answers(maxmemory_policy="allkeys-lru"), "memory", "problem"),
        (Answers(used_memory=5, maxmemory=0), "memory", "ok"),
        (Answers(used_memory=89, maxmemory=100), "memory", "ok"),
        (Answers(used_memory=90, maxmemory=100), "memory", "warning"),
        (Answers(used_memory=100, maxmemory=100), "memory", "problem"),
        (Answers(), "storing", "ok"),
        (Answers(role="slave", slave_read_only=1, master_host="h", master_port=1), "storing", "problem"),
        (Answers(role="slave", slave_read_only=0, master_host="h", master_port=1), "storing", "problem"),
        (Answers(), "latency", "ok"),
    ],
)
def test_how_a_server_is_set_up(answers: Answers, check: str, level: str) -> None:
    findings = {one.check: one for one in server.answers(answers, "host")}
    assert findings[check].level == level
    assert bool(findings[check].remedy) == (level != "ok")


def test_a_server_with_a_workspace(workbench: Command, redis_server: RedisServer) -> None:
    name = new_workspace()
    workbench("run", "Paint the fence", "--approve", "all", "--log", f"{redis_server.url}?workspace={name}")
    result = workbench("doctor", "--json", "--log", f"{redis_server.url}?workspace={name}")
    assert result.code == 0, result.out
    assert set(levels(result).values()) == {"ok"}
    assert found(result, "log")["found"] == f"{redis_server.url}/0?workspace={name}, by --log"
    assert found(result, "namespace")["found"] == name
    assert found(result, "sessions")["found"] == "1, and 0 in the trash"
    assert "Redis" in found(result, "server")["found"] or "Valkey" in found(result, "server")["found"]
    assert "ms" in found(result, "latency")["found"]


def test_a_full_server_is_a_problem_and_nothing_stays_there(workbench: Command) -> None:
    with a_server() as running, running.client() as client:
        log = ("--log", f"{running.url}?workspace={new_workspace()}")
        assert found(workbench("doctor", "--json", *log), "storing")["level"] == "ok"
        assert client.keys() == []
        client.config_set("maxmemory", client.info()["used_memory"] - 100_000)
        result = workbench("doctor", "--json", *log)
        assert result.code == 1
        for check in ("memory", "storing"):
            assert found(result, check)["level"] == "problem"
            assert "Raise the server's maxmemory" in found(result, check)["remedy"]
        assert client.keys() == []


def test_a_read_only_replica_is_a_problem(workbench: Command, redis_server: RedisServer) -> None:
    with a_server("--replicaof", "127.0.0.1", str(redis_server.port)) as replica:
        result = workbench("doctor", "--json", "--log", f"{replica.url}?workspace={new_workspace()}")
        assert result.code == 1
        problem = found(result, "storing")
        assert f"a read-only replica; its primary server is 127.0.0.1:{redis_server.port}" in problem["found"]
        assert problem["remedy"] == "Give the primary's address."


@pytest.mark.cases(5)
@pytest.mark.parametrize("command", [("doctor",), ("sessions", "list"), ("run", "Paint the fence"), ("shared", "get")])
@pytest.mark.parametrize("name", ["OK to everything", "OK for ever", "nested deep", "a huge list"])
def test_what_only_looks_like_a_server_is_told(workbench: Command, name: str, command: tuple[str, ...]) -> None:
    with listening(HOSTILE[name]) as url:
        result = workbench(*command, "--log", f"{url}/0?workspace=w-1")
    assert result.code == 1
    assert "does not answer like a Redis or Valkey server" in result.out + result.err
    assert "defect" not in result.err
    assert len(result.err.splitlines()) <= 1
