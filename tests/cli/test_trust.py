"""A folder from somebody else sends, spends and runs nothing before the person accepted it."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pexpect
import pytest
from tests.cli.conftest import GOAL, Command
from tests.models.fake_openai import FakeServer, fake_server
from workbench.settings import trust_folder

KEY = "sk-trap-0123456789abcdef"


@pytest.fixture
def trap(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeServer]:
    """A server of somebody else, and a key in the environment."""
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, KEY)
    with fake_server() as server:
        yield server


@pytest.fixture
def own(workbench: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's own folder; the command runs in another one."""
    assert workbench is not None
    monkeypatch.setenv("WORKBENCH_CONFIG", str(tmp_path / "own" / "config.toml"))
    folder = tmp_path / "clone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return tmp_path / "own"


def configure(text: str, folder: Path | None = None) -> Path:
    root = (folder or Path.cwd()) / ".workbench"
    root.mkdir(exist_ok=True)
    (root / "config.toml").write_text(text)
    return root


def settings(workbench: Command, *options: str) -> dict[str, dict[str, Any]]:
    return {line["setting"]: line for line in workbench("config", "--json", *options).lines}


@pytest.fixture
def recorded(workbench: Command, own: Path, trap: FakeServer, tmp_path: Path) -> str:
    """A session of somebody else that was planned with the trap, committed with everything that the workbench wrote."""
    assert own
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    model = ("--model", "openai:m", "--base-url", trap.base_url)
    session = str(workbench("run", GOAL, *model, "--workspace", str(theirs), "--json").last["session"])
    shutil.copytree(theirs / ".workbench", Path.cwd() / ".workbench")
    cache = Path.cwd() / ".workbench" / "cache"
    (cache / "named-models.json").write_text(json.dumps([["openai:m", trap.base_url]]))
    workbench("trust", "--revoke", "--workspace", str(theirs))
    trap.requests.clear()
    return session


def test_a_recorded_model_is_sent_nothing(workbench: Command, trap: FakeServer, recorded: str) -> None:
    for command in (
        ("resume", recorded),
        ("resume", recorded, "--approve", "all"),
        ("resume", recorded, "--json"),
        ("ask", recorded, "Hello?", "--agent", "nova"),
    ):
        refused = workbench(*command)
        assert refused.code == 3, refused.err
        assert trap.base_url in refused.err
        assert refused.out == ""
    for command in (("sessions", "show", recorded), ("recall", "billing", "--session", recorded), ("replay", recorded)):
        assert workbench(*command).code == 0
    assert workbench("resume", recorded, "--approve", "all", "--model", "guided", "--json").last["status"] == "finished"
    assert trap.requests == []


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ('model = "openai:m"', ("run", GOAL)),
        ('base_url = "{trap}"\nmodel = "openai:m"', ("run", GOAL)),
        ('base_url = "{trap}"', ("run", GOAL, "--model", "openai:m")),
        ('log = "redis://127.0.0.1:1/0?workspace=w"', ("sessions", "list")),
    ],
)
def test_a_setting_that_sends_waits_for_the_person(
    line: str, command: tuple[str, ...], workbench: Command, own: Path, trap: FakeServer
) -> None:
    assert own
    session = workbench("run", GOAL, "--approve", "all", "--json").last["session"]
    before = workbench("sessions", "list").out
    configure(line.replace("{trap}", trap.base_url))
    refused = workbench(*(part.replace("{session}", session) for part in command))
    assert refused.code == 3
    assert "`workbench trust`" in refused.err
    assert refused.out == ""
    assert trap.requests == []
    configure("")
    assert workbench("sessions", "list").out == before


@pytest.mark.usefixtures("own")
def test_nothing_is_accepted_within_an_agents_shell(workbench: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    configure('log = "redis://u:word@127.0.0.1:1/0?workspace=w"')
    monkeypatch.setenv("CODEX_SANDBOX", "1")
    assert "from within an agent" in workbench("trust", "--yes").err
    monkeypatch.delenv("CODEX_SANDBOX")
    assert workbench("sessions", "list").code == 3


def test_the_password_of_an_accepted_log_counts_and_is_kept_nowhere(workbench: Command, own: Path) -> None:
    assert own

    def waits(server: str) -> bool:
        configure(f'log = "redis://{server}127.0.0.1:1/0?workspace=w"')
        return workbench("sessions", "list").code == 3

    assert waits("u:first-word@")
    assert workbench("trust", "--yes").code == 0
    assert not waits("u:first-word@"), "the server is asked, and not the person"
    for other in ("u:second-word@", "u@", "u:@", "v:first-word@", ":first-word@", ""):
        assert waits(other), other
    assert not waits("u:first-word@")
    (record,) = trust_folder(os.environ).glob("*.json")
    assert "first-word" not in record.read_text() + workbench("config", "--json").out
    older = json.loads(record.read_text())
    older["settings"]["log"] = "redis://u@127.0.0.1:1/0?workspace=w"
    record.write_text(json.dumps(older))
    assert waits("u:first-word@"), "what was accepted without its password is asked about once more"


def test_accepted_values_hold_until_one_changes(workbench: Command, own: Path) -> None:
    assert own
    configure('model = "openai:m"\nbase_url = "http://127.0.0.1:1/v1"\n')
    assert settings(workbench)["model"]["value"] == "guided"
    assert workbench("trust", "--yes").code == 0
    assert settings(workbench)["model"]["value"] == "openai:m"
    assert workbench("trust").code == 0
    for changed in ('model = "openai:m"', 'model = "openai:m"\nbase_url = "http://127.0.0.1:2/v1"\n'):
        configure(changed)
        assert settings(workbench)["model"]["value"] == "guided", "all of them, or none"
    told = workbench("trust", "--json")
    assert told.code == 3
    assert told.last["changes"] == {"base_url": "was http://127.0.0.1:1/v1"}


def test_the_hash_accepts_only_what_was_shown(workbench: Command, own: Path) -> None:
    assert own
    configure('model = "openai:m"')
    shown = workbench("trust", "--json").last["hash"]
    configure('model = "openai:other"')
    refused = workbench("trust", "--hash", shown)
    assert refused.code == 3
    assert "another one" in refused.err
    assert settings(workbench)["model"]["value"] == "guided"
    configure('model = "openai:m"')
    assert workbench("trust", "--hash", shown).code == 0
    assert settings(workbench)["model"]["value"] == "openai:m"


def test_a_moved_and_a_copied_workspace_ask_again(workbench: Command, own: Path, tmp_path: Path) -> None:
    assert own
    configure('model = "openai:m"')
    workbench("trust", "--yes")
    shutil.copytree(Path.cwd(), tmp_path / "copy")
    Path.cwd().rename(tmp_path / "moved")
    for name in ("copy", "moved"):
        assert settings(workbench, "--workspace", str(tmp_path / name))["model"]["value"] == "guided"


def test_a_folder_only_tightens_bounds(workbench: Command, own: Path) -> None:
    own.mkdir()
    (own / "config.toml").write_text("max_cost = 2\nmax_calls = 10\n")
    root = configure("max_cost = 5\nmax_calls = 3\nmax_tokens = 100\nmax_time = 9\niterations = 50\ncheckpoint = 1\n")
    workbench("trust", "--yes")
    shown = settings(workbench)
    assert {name: shown[name]["value"] for name in ("max_cost", "max_calls", "max_tokens", "max_time")} == {
        "max_cost": 2.0,
        "max_calls": 3,
        "max_tokens": 100,
        "max_time": 9.0,
    }
    assert (shown["iterations"]["value"], shown["checkpoint"]["value"]) == (5, 1)
    assert shown["max_cost"]["not_taken"] == {
        "value": 5.0,
        "source": str(root / "config.toml"),
        "reason": "a folder can only lower it",
    }
    assert "a folder can only lower it" in workbench("config").out
    assert settings(workbench, "--workspace", ".")["max_calls"]["source"] == str(root / "config.toml")


def test_a_folder_does_not_widen_what_others_see(workbench: Command, own: Path) -> None:
    own.mkdir()
    (own / "config.toml").write_text('shared = "off"\n[recall.user]\nscope = "session"\n')
    configure('shared = "on"\n[recall.user]\nrecent = 3\n[recall.assistant]\nscope = "session"\n')
    shown = settings(workbench)
    assert shown["shared"]["value"] == "off"
    assert shown["recall"]["value"] == {"user": {"recent": 3, "scope": "session"}, "assistant": {"scope": "session"}}


def test_a_workspace_of_ones_own_asks_nothing(workbench: Command, own: Path, trap: FakeServer) -> None:
    own.mkdir()
    (own / "config.toml").write_text(f'model = "openai:m"\nbase_url = "{trap.base_url}"\n')
    configure('theme = "paper"\nmarks = "ascii"\nmotion = "reduced"\nmodel = "openai:theirs"\nembedder = "minilm"\n')
    assert settings(workbench)["theme"]["value"] == "paper"
    assert settings(workbench)["embedder"]["value"] == "minilm"
    session = workbench("run", GOAL, "--json").last["session"]
    assert trap.requests, "the person's own model goes before one that was not accepted"
    (own / "config.toml").unlink()
    before = len(trap.requests)
    assert workbench("resume", session, "--json").last["gate"]["kind"] == "failure", "it was asked"
    assert len(trap.requests) > before, "a model that was named once here is not asked about again"
    configure(f'model = "openai:m"\nbase_url = "{trap.base_url}"\n')
    assert settings(workbench)["model"]["value"] == "openai:m"


def agent_file(folder: Path, *lines: str) -> str:
    file = folder / "nova.toml"
    file.write_text("\n".join(['name = "nova"', 'instructions = "You are Nova."', *lines]))
    return str(file)


@pytest.mark.parametrize(
    ("lines", "host"),
    [
        (('model = "anthropic:m"',), "api.anthropic.com"),
        (('model = "openai:m"', 'base_url = "http://127.0.0.1:1/v1"'), "http://127.0.0.1:1/v1"),
    ],
)
def test_an_agents_other_host_is_asked_about_first(
    lines: tuple[str, ...], host: str, workbench: Command, own: Path, trap: FakeServer, tmp_path: Path
) -> None:
    assert own
    model = ("--model", "openai:m", "--base-url", trap.base_url)
    session = workbench("run", GOAL, *model, "--agent", agent_file(tmp_path, *lines), "--json").last["session"]
    before = workbench("replay", session, "--json").out
    for parts in ((), ("--part", "List the risks")):
        refused = workbench("ask", session, "Hello?", "--agent", "nova", *parts)
        assert refused.code == 3
        assert host in refused.err
        assert "nova" in refused.err
    assert workbench("replay", session, "--json").out == before, "nothing was recorded either"
    (use,) = workbench("trust", session, "--json").last["models"]
    assert (use["host"], use["used_by"]) == (host, "agent nova")


@pytest.fixture
def foreign(own: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace of another user, with settings that cannot be read without an error."""
    assert own
    root = configure("model = [")
    monkeypatch.setattr("os.geteuid", lambda: root.stat().st_uid + 1)
    return root


@pytest.mark.parametrize(
    "command", [("sessions", "list"), ("run", GOAL), ("config",), ("sessions", "trash"), ("migrate", "--to", "{other}")]
)
def test_a_foreign_folder_is_neither_read_nor_written(
    command: tuple[str, ...], workbench: Command, foreign: Path, tmp_path: Path
) -> None:
    refused = workbench(*(part.replace("{other}", str(tmp_path)) for part in command))
    assert refused.code == 3, refused.err
    assert "Accept it with `workbench trust`" in refused.err
    assert [file.name for file in foreign.iterdir()] == ["config.toml"]


def test_a_foreign_folder_is_used_once_accepted(workbench: Command, foreign: Path) -> None:
    (foreign / "config.toml").write_text('model = "openai:m"')
    asked = workbench("trust", "--json")
    assert asked.code == 3
    assert str(foreign) in asked.last["owner"]
    assert asked.last["settings"] == {}, "they are not read yet"
    assert workbench("trust", "--hash", asked.last["hash"]).code == 3, "now its settings"
    assert workbench("sessions", "list").code == 0
    assert workbench("run", GOAL).code == 3
    assert workbench("trust", "--yes").code == 0
    assert settings(workbench)["model"]["value"] == "openai:m"


def test_migrate_writes_into_no_foreign_folder(
    workbench: Command, own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert own
    workbench("run", GOAL, "--approve", "all")
    target = tmp_path / "target"
    target.mkdir()
    root = configure("", target)
    monkeypatch.setattr("workbench.settings.foreign_owner", lambda path, _users: "Not yours." if path == root else "")
    refused = workbench("migrate", "--to", str(target))
    assert (refused.code, "Not yours." in refused.err) == (3, True)
    assert [file.name for file in root.iterdir()] == ["config.toml"]


def test_a_link_is_refused_and_cannot_be_accepted(workbench: Command, own: Path, tmp_path: Path) -> None:
    assert own
    root = configure('model = "openai:m"')
    root.rename(tmp_path / "elsewhere")
    root.symlink_to(tmp_path / "elsewhere")
    for command in (("trust", "--yes"), ("run", GOAL), ("sessions", "list"), ("config",), ("doctor",)):
        refused = workbench(*command)
        assert refused.code in {1, 2}
        assert "it is a link" in refused.out + refused.err
    assert [file.name for file in (tmp_path / "elsewhere").iterdir()] == ["config.toml"]
    assert workbench("trust", "--list", "--json").out == ""


def test_trust_is_listed_and_revoked(workbench: Command, own: Path) -> None:
    assert own
    assert workbench("trust", "--list").out == "Nothing was accepted for any workspace.\n"
    root = configure('model = "openai:m"')
    workbench("trust", "--yes")
    (record,) = workbench("trust", "--list", "--json").lines
    assert record["schema"] == "workbench.trusted/1"
    assert (record["workspace"], record["settings"]) == (str(root), {"model": "openai:m"})
    assert "openai:m" in workbench("trust", "--list").out
    assert workbench("trust", "--revoke", "--json").last == {
        "schema": "workbench.trust-revoked/1",
        "workspace": str(root),
        "revoked": True,
    }
    assert workbench("trust", "--revoke").code == 0
    assert workbench("trust").code == 3
    assert settings(workbench)["model"]["value"] == "guided"


@contextmanager
def in_a_terminal(own: Path) -> Iterator[pexpect.spawn]:
    """Plan in a pseudo-terminal, with the settings of a person's own."""
    child = pexpect.spawn(
        sys.executable,
        ["-m", "workbench", "run", GOAL],
        env={**os.environ, "WORKBENCH_CONFIG": str(own / "config.toml")},
        encoding="utf-8",
        timeout=60,
        dimensions=(40, 120),
    )
    try:
        yield child
    finally:
        child.close()


def test_in_a_terminal_enter_accepts_nothing(own: Path, trap: FakeServer) -> None:
    root = configure('model = "openai:m"')
    with in_a_terminal(own) as child:
        child.expect_exact("[y/N]")
        child.sendline("")
        child.expect(pexpect.EOF)
    assert child.exitstatus == 3
    assert trap.requests == []
    assert list(root.glob("sessions/*")) == []


@pytest.mark.parametrize("number", ["0x" + "f" * 50_000, "0o" + "7" * 50_000, "-0b" + "1" * 50_000])
def test_a_number_without_end_in_a_folder_is_one_sentence(workbench: Command, own: Path, number: str) -> None:
    assert own
    for line in (f"iterations = {number.lstrip('-')}", f"max_cost = {number.lstrip('-')}"):
        configure(line)
        refused = workbench("sessions", "list")
        assert (refused.code, "is too large" in refused.err) == (2, True)
