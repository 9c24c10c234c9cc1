"""``workbench context``: what a model was sent, item by item, for people and for programs."""

from __future__ import annotations

import pytest
from tests.cli.conftest import MOVE, Command, Once

ITEM = {
    "id", "session", "agent", "role", "seq", "time", "source", "rank", "score", "parts", "reason", "tokens", "bytes",
    "why_not", "text",
}  # fmt: skip


@pytest.fixture
def sessions(workbench: Command, once: Once) -> tuple[str, str]:
    """Two sessions on the same matter, the later one first."""

    def make() -> tuple[str, str]:
        first, second = (
            str(workbench("run", goal, *MOVE, "--approve", "all", "--json").last["session"])
            for goal in (
                "Migrate billing to a new provider by June 2027",
                "Migrate the invoices of billing by July 2027",
            )
        )
        return second, first

    return once("sessions of context", make)


def test_the_last_call_is_shown_as_one_object(workbench: Command, sessions: tuple[str, str]) -> None:
    shown = workbench("context", sessions[0], "--json")
    assert (shown.code, len(shown.lines)) == (0, 1), shown.err
    sent = shown.last
    assert (sent["schema"], sent["call"], sent["role"], sent["task"]) == (
        "workbench.context/1",
        "c5",
        "generator",
        "generate",
    )
    goal, begun = sent["current_conversation"]
    assert set(goal) >= ITEM
    assert goal["text"] == "Migrate the invoices of billing by July 2027"
    assert begun["text"] == "deadline 30 June 2028"
    assert sum(sent["ledger"]["tokens"].values()) == sent["ledger"]["total"]
    assert [message["role"] for message in sent["prompt"]] == ["system", *["user"] * 5], (
        "goal, what it begins with, plan, task and what is asked"
    )


@pytest.mark.parametrize("name", ["c2", "2"])
def test_what_came_from_another_session_says_whose_it_is_and_why(
    workbench: Command, sessions: tuple[str, str], name: str
) -> None:
    asked, other = sessions
    sent = workbench("context", asked, "--call", name, "--json").last
    assert {(one["session"], one["source"]) for one in sent["current_conversation"]} == {(asked, "session")}
    assert {(one["session"], one["source"]) for one in sent["relevant_history"]} == {(other, "semantic")}
    assert all(one["reason"] and one["text"] for one in sent["relevant_history"])
    assert len(sent["chat_history"]) == len(sent["current_conversation"]) + len(sent["relevant_history"])


@pytest.mark.parametrize("call", ["c99", "0", "x"])
def test_a_call_that_is_not_there_is_said_with_those_that_are(
    workbench: Command, sessions: tuple[str, str], call: str
) -> None:
    refused = workbench("context", sessions[0], "--call", call)
    assert refused.code == 2
    assert f"There is no call '{call}' in this session. It has c1 to c5." in refused.err.replace("\n", " ")
