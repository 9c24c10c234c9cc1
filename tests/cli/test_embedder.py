"""The embedder that a person sets: used for every search, never chosen by a session's file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.cli.conftest import GOAL, Command
from tests.models.fake_openai import FakeServer, embeddings, fake_server, status
from workbench.models.embeddings import HashedWords


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with fake_server() as running:
        running.will(embeddings(lambda text: [float(value) for value in HashedWords().embed([text])[0]]))
        yield running


@pytest.fixture
def chosen(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> FakeServer:
    monkeypatch.setenv("WORKBENCH_EMBEDDER", "openai:m-1")
    monkeypatch.setenv("WORKBENCH_EMBEDDER_URL", server.base_url)
    return server


def test_config_shows_it_and_where_it_comes_from(workbench: Command, chosen: FakeServer) -> None:
    shown = {line["setting"]: (line["value"], line["source"]) for line in workbench("config", "--json").lines}
    assert shown["embedder"] == ("openai:m-1", "WORKBENCH_EMBEDDER")
    assert shown["embedder_url"] == (chosen.base_url, "WORKBENCH_EMBEDDER_URL")


@pytest.mark.full
def test_it_embeds_for_recall_and_for_guidance(workbench: Command, taught: str, chosen: FakeServer) -> None:
    workbench("resume", taught, "--feedback", "Mind the provider.", "--approve", "all")
    assert {request["path"] for request in chosen.requests} == {"/v1/embeddings"}, "guidance"
    assert "found in this session" in workbench("replay", taught, "--plain").out
    before = len(chosen.requests)
    assert workbench("recall", "who pays?", "--session", taught, "--json").lines
    assert len(chosen.requests) > before


def test_where_it_fails_planning_goes_on_and_says_so_and_recall_says_why(
    workbench: Command, taught: str, chosen: FakeServer
) -> None:
    chosen.will(status(401))
    assert workbench("resume", taught, "--feedback", "Mind the provider.", "--approve", "all").code == 0
    assert "FALLBACK" in workbench("replay", taught, "--plain").out
    failed = workbench("recall", "who pays?", "--session", taught)
    assert failed.code == 1
    assert "The key is not accepted" in failed.err
    assert "wordllama" in failed.err


def test_a_session_never_chooses_it(workbench: Command, server: FakeServer) -> None:
    """Not even one that was planned with a server's model: its texts are searched where the person says."""
    server.will(status(401))
    planned = workbench("run", GOAL, "--model", "openai:m-1", "--base-url", server.base_url, "--json")
    session = planned.last["session"]
    assert server.requests
    server.requests.clear()
    assert workbench("recall", "billing", "--session", session, "--json").lines
    assert server.requests == []


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("EMBEDDER", "word-llama", "WORKBENCH_EMBEDDER sets embedder to 'word-llama'."),
        ("EMBEDDER_URL", "https://u:p@example.org/v1", "holds more than a server and a path"),
        ("EMBEDDER_URL", "https://example.org/v1", "the embedder wordllama asks no server"),
        ("EMBEDDER", "openai:m", "OPENAI_API_KEY is not set"),
    ],
)
def test_a_setting_that_cannot_be_used_is_said_before_anything_is_planned(
    workbench: Command, monkeypatch: pytest.MonkeyPatch, name: str, value: str, words: str
) -> None:
    monkeypatch.setenv(f"WORKBENCH_{name}", value)
    result = workbench("run", GOAL, "--approve", "all", "--json")
    assert result.code in {1, 2}
    assert words in result.err
    monkeypatch.delenv(f"WORKBENCH_{name}")
    assert workbench("sessions", "list", "--json").out == ""
