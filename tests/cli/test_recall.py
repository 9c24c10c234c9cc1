"""``workbench recall``: one session's own memory, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Command, Once

FACTS = ("The cut-over is on a Saturday.", "Invoices are sent at noon.", "Peter signs the contract.")


@pytest.fixture
def session(workbench: Command, once: Once) -> str:
    """A session that was told three facts, and asked an agent nothing."""

    def make() -> str:
        begun = str(workbench("run", "Move the billing to a new provider", "--json").last["session"])
        for fact in FACTS:
            assert workbench("remember", "--session", begun, fact).code == 0
        return begun

    return once("session of recall", make)


def test_what_fits_comes_first_and_says_why(workbench: Command, session: str) -> None:
    result = workbench("recall", "who signs the contract?", "--session", session, "--json", "--limit", "2")
    assert result.code == 0, result.err
    first = result.lines[0]
    assert first["text"] == FACTS[2]
    assert set(first) >= {"rank", "id", "session", "agent", "role", "source", "score", "why", "tokens", "time", "text"}
    assert (first["rank"], first["session"], first["source"]) == (1, session, "session")
    assert "contract" in first["why"]
    assert len(result.lines) == 2
    assert FACTS[2] in workbench("recall", "who signs the contract?", "--session", session).out


def test_an_agent_sees_its_own_replies_only(workbench: Command, session: str) -> None:
    for agent in ("kahneman", "nzia"):
        said = {"text": f"The {agent} canary sings", "role": "assistant", "agent": agent}
        assert workbench("remember", "--session", session, "--jsonl", "-", stdin=json.dumps(said)).code == 0
    everything = workbench("recall", "canary sings", "--session", session, "--json").out
    assert "kahneman canary" in everything
    assert "nzia canary" in everything
    own = workbench("recall", "canary sings", "--session", session, "--agent", "nzia", "--json", "--limit", "50").out
    assert "nzia canary" in own
    assert "kahneman" not in own


@pytest.mark.usefixtures("session")
@pytest.mark.parametrize("nobody", ["*", "", "all", "%", "None", "[]"])
def test_no_argument_means_all_sessions(workbench: Command, nobody: str) -> None:
    result = workbench("recall", "contract", "--session", nobody, "--json")
    assert result.code in {1, 2}
    assert result.out == ""
    assert workbench("recall", "contract", "--json").code == 2


def test_non_interference(workbench: Command, session: str, pytestconfig: pytest.Config) -> None:
    """What other sessions say, in the same words, moves not a byte of what is recalled here."""
    queries = ("who signs the contract?", "cut-over", "invoices at noon on a Saturday")

    def recalled() -> list[str]:
        return [workbench("recall", query, "--session", session, "--json", "--limit", "50").out for query in queries]

    before = recalled()
    others = []
    for number in range(50 if pytestconfig.getoption("full_counts") else 3):
        begun = workbench("run", f"Move the billing to a new provider, again {number}", "--json").last["session"]
        lines = "\n".join(json.dumps({"text": f"{fact} Contract {number}."}) for fact in FACTS * 5)
        assert workbench("remember", "--session", begun, "--jsonl", "-", stdin=lines).code == 0
        others.append(begun)
    assert recalled() == before
    for other in others[::2]:
        assert workbench("sessions", "delete", other).code == 0
    assert recalled() == before


def test_other_sessions_are_searched_for_one_that_asks_and_says_why(workbench: Command, session: str) -> None:
    asking = workbench("run", "Sell lamps", "--json").last["session"]
    result = workbench(
        "recall", "who signs the contract?", "--across", "--asking", asking, "--reason", "to know", "--json"
    )
    assert result.code == 0, result.err
    assert (result.lines[0]["text"], result.lines[0]["session"], result.lines[0]["source"]) == (
        FACTS[2],
        session,
        "semantic",
    )
    assert "in other sessions, to know: who signs" in workbench("replay", asking, "--plain").out
    plain = workbench("recall", "who signs the contract?", "--across", "--asking", asking, "--reason", "to know").out
    assert session in plain
    assert workbench("recall", "xylophone", "--across", "--asking", asking, "--reason", "r").out.startswith(
        "No other session"
    )


def test_whose_memory_is_searched_is_always_said(workbench: Command, session: str) -> None:
    for arguments in (
        ("--across",),
        ("--across", "--reason", "r"),
        ("--across", "--session", session, "--reason", "r"),
        ("--asking", session, "--reason", "r"),
        ("--across", "--asking", session),
        ("--across", "--asking", "*", "--reason", "r"),
        ("--session", session, "--asking", session),
    ):
        result = workbench("recall", "contract", *arguments, "--json")
        assert result.code in {1, 2}, arguments
        assert result.out == ""


def test_a_private_session_is_found_by_no_other(workbench: Command, session: str) -> None:
    private = workbench("run", "Sell the canary island", "--private", "--json").last["session"]
    assert workbench("remember", "--session", private, "The canary contract is secret.").code == 0
    found = workbench("recall", "canary contract", "--across", "--asking", session, "--reason", "r", "--json").out
    assert "secret" not in found
    assert "secret" in workbench("recall", "canary contract", "--session", private, "--json").out


def test_what_was_cached_of_a_session_is_gone_when_it_is_deleted(
    workbench: Command, session: str, tmp_path: Path
) -> None:
    asking = workbench("run", "Sell lamps", "--json").last["session"]
    workbench("recall", "contract", "--across", "--asking", asking, "--reason", "r")
    cached = tmp_path / ".workbench" / "cache" / "items"
    assert {file.name for file in cached.iterdir()} >= {f"{session}.json", f"{session}.safetensors"}
    assert workbench("sessions", "delete", session).code == 0
    assert list(cached.iterdir()) == []


def recalled(workbench: Command, session: str) -> list[dict[str, Any]]:
    """What the first prompt of a session held of other sessions."""
    sent = workbench("context", session, "--call", "c1", "--json").last
    return [one for one in sent["relevant_history"] if one["source"] == "semantic"]


@pytest.fixture
def moved(workbench: Command) -> str:
    """A session that has moved a practice, and knows what movers ask."""
    goal = "Move Dr. Lindner's dental practice on 12 September for at most 500 EUR"
    begun = str(workbench("run", goal, "--name", "Move the practice", "--json").last["session"])
    movers = "The movers Krüger ask 480 EUR for the dental chairs; how far is it? 10 minutes."
    assert workbench("remember", "--session", begun, movers).code == 0
    return begun


@pytest.mark.usefixtures("moved")
def test_a_session_on_something_else_enters_no_prompt_and_is_not_told(workbench: Command) -> None:
    result = workbench("run", "Hold the village fair on 12 September with 10 stalls for 500 EUR, not too far away")
    assert "passage" not in result.out
    assert recalled(workbench, result.out.split()[0]) == []


def test_what_concerns_the_goal_enters_the_prompt_and_is_told_before_the_call(workbench: Command, moved: str) -> None:
    result = workbench("run", "Sell the dental chairs of Dr. Lindner's old practice")
    session = result.out.split()[0]
    told = next(line for line in result.out.splitlines() if "passage" in line)
    assert " from “Move the practice” (shares “" in told
    assert told.endswith(f" Leave out: workbench resume {session} --no-recall")
    assert result.out.index(told) < result.out.index("proposed approaches")
    quoted = recalled(workbench, session)
    assert {one["session"] for one in quoted} == {moved}
    assert any("Krüger" in one["text"] for one in quoted)
    assert sum(one["tokens"] for one in quoted) <= 1000
    prompt = workbench("context", session, "--call", "c1", "--json").last["prompt"]
    assert '<input name="from_other_sessions">' in prompt[-1]["content"]
