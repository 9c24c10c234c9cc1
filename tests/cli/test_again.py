"""A call that failed is made again, each time that a person asks for it, under the settings as they are then."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import GOAL, Command
from tests.cli.test_models import planner
from tests.models.fake_openai import FakeServer, fake_server, status
from workbench import Workspace
from workbench.domain.errors import SettingsError
from workbench.models.retry import Backoff
from workbench.planning.policies import nobody

MODEL = "openai:some-model"
WINDOW = {"data": [{"id": "some-model", "context_length": 131_072}]}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeServer]:
    monkeypatch.setattr("workbench.models.servers.providers.Backoff", partial(Backoff, attempts=1))
    with fake_server() as running:
        running.pages["/v1/models"] = WINDOW
        yield running


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "user-config.toml"


def failed(workbench: Command, server: FakeServer, *more: str) -> str:
    """Begin a session whose first call fails; return its id."""
    server.will(status(500, "boom"))
    result = workbench("run", GOAL, "--model", MODEL, *more, "--json")
    assert (result.code, result.last["gate"]["kind"]) == (3, "failure")
    return result.last["session"]


def test_again_works_after_every_kind_of_failure(workbench: Command, server: FakeServer) -> None:
    session = failed(workbench, server, "--base-url", server.base_url)
    for code, words in ((404, "no such model"), (401, "bad key"), (400, "The moon is wrong."), (503, "down")):
        server.will(status(code, words))
        result = workbench("resume", session, "--again")
        assert result.code == 3
        assert words in result.err
        assert f"workbench resume {session} --again" in result.err
    server.will(planner)
    result = workbench("resume", session, "--again", "--json")
    assert result.last["gate"]["kind"] != "failure"


@pytest.mark.parametrize("option", ["--without", "--finish"])
def test_the_other_answers_to_a_failure_work_too(workbench: Command, server: FakeServer, option: str) -> None:
    server.will(planner, planner, status(500, "boom"))
    begun = workbench("run", GOAL, "--model", MODEL, "--base-url", server.base_url, "--choose", "1", "--json")
    assert begun.last["gate"]["kind"] == "failure"
    server.will(planner)
    result = workbench("resume", begun.last["session"], option, "--json")
    assert result.last["status"] == ("finished" if option == "--finish" else "waiting"), result.err
    assert (result.last["gate"] or {}).get("kind") != "failure"


def cutting(handler: Any) -> None:
    """Answer as the planner does, from the first 700 tokens of each prompt."""
    planner(handler, usage={"prompt_tokens": 700, "completion_tokens": 7, "total_tokens": 707})


def test_an_answer_to_a_prompt_that_was_cut_is_kept_or_bought_again(workbench: Command, server: FakeServer) -> None:
    server.will(cutting)
    begun = workbench("run", GOAL, "--model", MODEL, "--base-url", server.base_url, "--approve", "all", "--json")
    session, gate = begun.last["session"], begun.last["gate"]
    assert (begun.code, gate["kind"]) == (3, "failure")
    assert f"The server of {MODEL} has read 700 tokens of a prompt of about " in gate["question"]
    asked = len(server.requests)
    assert workbench("resume", session, "--json").last["gate"]["question"] == gate["question"]
    assert len(server.requests) == asked
    again = workbench("resume", session, "--again", "--json")
    assert (again.last["gate"]["question"], len(server.requests)) == (gate["question"], asked + 1)
    kept = workbench("resume", session, "--keep", "--approve", "all", "--json")
    assert (kept.code, kept.last["status"]) == (0, "finished")


def test_settings_that_cannot_be_read_any_more_stop_the_next_call(
    tmp_path: Path, server: FakeServer, config: Path
) -> None:
    server.will(planner)
    options = {"model": MODEL, "base_url": server.base_url}
    with Workspace.open(tmp_path, options=options, environ={"WORKBENCH_CONFIG": str(config)}) as workspace:
        manager = workspace.start(GOAL)
        config.write_text("window = [")
        with pytest.raises(SettingsError, match="are not TOML"):
            asyncio.run(manager.run(nobody))
        config.write_text("")
        assert asyncio.run(manager.run(nobody)).gate is not None
    assert len(server.requests) == 1
