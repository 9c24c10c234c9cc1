"""``workbench sessions search``: everything, for the person, and no trace of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Command, Once


@pytest.fixture
def sessions(workbench: Command, once: Once) -> dict[str, str]:
    """Three sessions, one of them private, by what they are about."""

    def make() -> dict[str, str]:
        begun = {
            "billing": workbench("run", "Move the billing", "--name", "Billing", "--json").last["session"],
            "lamps": workbench("run", "Sell lamps", "--json").last["session"],
            "island": workbench("run", "Sell the island", "--private", "--json").last["session"],
        }
        said = {
            "billing": ("Peter signs the contract at noon.", "Rebilling of cancelled invoices ends in May."),
            "lamps": ("The lawyer reads every agreement before anybody signs it.", "Lamps are bought in autumn."),
            "island": ("The canary contract is secret.",),
        }
        for name, texts in said.items():
            for text in texts:
                assert workbench("remember", "--session", begun[name], text).code == 0
        return begun

    return once("sessions of sessions_search", make)


def test_what_holds_all_words_comes_first_whosever_it_is(workbench: Command, sessions: dict[str, str]) -> None:
    result = workbench("sessions", "search", "CONTRACT", "--json")
    assert result.code == 0, result.err
    first, second, *rest = result.lines
    assert {first["session"], second["session"]} == {sessions["billing"], sessions["island"]}
    assert not any("contract" in line["excerpt"] for line in rest)
    assert [line["literal"] for line in result.lines] == [True, True, *[False] * len(rest)]
    [billing] = [line for line in (first, second) if line["session"] == sessions["billing"]]
    assert set(billing) == {
        *("schema", "session", "name", "id", "who", "time", "why", "excerpt", "role", "relevant", "literal")
    }
    assert (billing["schema"], billing["name"], billing["who"]) == ("workbench.found/1", "Billing", "you")
    assert billing["excerpt"] == "Peter signs the contract at noon."
    assert "contract" in billing["why"]


@pytest.mark.usefixtures("sessions")
def test_a_search_leaves_no_trace_in_any_session_and_nothing_of_a_private_one(
    workbench: Command, tmp_path: Path
) -> None:
    folder = tmp_path / ".workbench"
    before = {file: file.read_bytes() for file in (folder / "sessions").iterdir()}
    assert "secret" in workbench("sessions", "search", "canary contract", "--json").out
    assert {file: file.read_bytes() for file in (folder / "sessions").iterdir()} == before
    assert not any(b"secret" in file.read_bytes() for file in (folder / "cache" / "items").iterdir())


def test_a_session_that_cannot_be_read_is_named(workbench: Command, sessions: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / ".workbench" / "sessions" / f"{sessions['lamps']}.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([lines[0], b"garbled\n", *lines[2:]]))
    result = workbench("sessions", "search", "contract", "--json")
    assert result.code == 0
    assert sessions["lamps"] in result.err
    assert {line["session"] for line in result.lines} == {sessions["billing"], sessions["island"]}
