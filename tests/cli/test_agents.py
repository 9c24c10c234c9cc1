"""``--agent FILE`` and ``workbench ask``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.builders import Script
from tests.cli.conftest import GOAL, Command
from tests.planning.test_tools import Tickets
from workbench.bootstrap.models import TrustedModels
from workbench.bootstrap.parts import Parts
from workbench.models.scripted import CallableModel
from workbench.planning.trust.tools import Toolbox


def write(folder: Path, name: str, *, model: str = "") -> str:
    file = folder / f"{name}.toml"
    file.write_text(f'name = "{name}"\ninstructions = "You are {name}."\nmodel = "{model}"\n')
    return str(file)


def test_an_agent_is_added_and_answers_offline(workbench: Command, tmp_path: Path) -> None:
    begun = workbench("run", GOAL, "--approve", "all", "--json", "--agent", write(tmp_path, "nzia_policy"))
    session = begun.last["session"]
    told = workbench("ask", session, "How long does it take?", "--agent", "nzia_policy", "--json")
    assert told.code == 0, told.err
    assert told.last["agent"] == "nzia-policy"
    assert "Nobody answers here without a language model" in told.last["answer"]
    assert "nzia-policy answered" in workbench("replay", session, "--plain").out


def test_what_describes_no_agent_begins_no_session(workbench: Command, tmp_path: Path) -> None:
    (tmp_path / "empty.toml").write_text("")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    same = [write(tmp_path, "nzia_policy"), write(tmp_path, "nzia-policy")]
    for files, why in (
        (["missing.toml"], "cannot be read"),
        (["empty.toml"], "no instructions"),
        (["binary.toml"], "is not text"),
        (same, "would both be called"),
    ):
        result = workbench("run", GOAL, *(part for file in files for part in ("--agent", file)))
        assert result.code == 2
        assert why in result.err
    assert workbench("sessions", "list", "--json").out == ""


def test_the_model_of_an_agent_in_a_file_from_elsewhere_is_not_asked(workbench: Command, tmp_path: Path) -> None:
    named = write(tmp_path, "kahneman", model="scripted:replies.jsonl")
    (tmp_path / "replies.jsonl").write_text("")
    session = workbench("run", GOAL, "--approve", "all", "--json", "--agent", named).last["session"]
    workbench("trust", "--revoke")
    refused = workbench("ask", session, "Hello?", "--agent", "kahneman")
    assert refused.code == 3
    assert "you have not accepted" in refused.err


def test_parts_are_done_by_workers_first_and_each_ones_tokens_are_shown(
    workbench: Command, finished: str, tmp_path: Path
) -> None:
    workbench("resume", finished, "--feedback", "Add a risk", "--agent", write(tmp_path, "kahneman"))
    parts = ("--part", "List the risks", "--part", "List the steps")
    told = workbench("ask", finished, "What is missing?", "--agent", "kahneman", *parts, "--json")
    assert told.code == 0, told.err
    assert [(one["worker"], one["work"], one["complete"]) for one in told.last["workers"]] == [
        ("kahneman.1", "List the risks", True),
        ("kahneman.2", "List the steps", True),
    ]
    assert all(0 < one["spent"] <= one["allowance"] for one in told.last["workers"])
    shown = workbench("sessions", "show", finished).out
    assert "kahneman\n" in shown
    assert "    kahneman.1\n" in shown
    sent = workbench("context", finished, "--json").last
    assert [one["source"] for one in sent["current_conversation"]].count("worker") == 2
    assert "kahneman.2 reports" in workbench("replay", finished, "--plain").out


@pytest.mark.parametrize(("option", "used"), [("--once", 1), ("--no", 0)])
def test_a_tool_that_an_agent_asks_for_after_the_end_waits_for_an_answer(
    workbench: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str, used: int
) -> None:
    server = Tickets()
    monkeypatch.setattr(Parts, "toolbox", lambda _self: Toolbox(servers={"tickets": server}))
    begun = workbench("run", GOAL, "--approve", "all", "--json", "--agent", write(tmp_path, "nova"))
    session = begun.last["session"]
    assert begun.last["status"] == "finished"
    call = json.dumps({"tool": "tickets.open_ticket", "arguments": {"title": "Move"}})
    model = CallableModel(Script().then("chat", call, "Ticket 7 is open."), name="guided")
    monkeypatch.setattr(TrustedModels, "_open", lambda _self, _model: model)
    asked = workbench("ask", session, "Open a ticket", "--agent", "nova")
    assert (asked.code, asked.out) == (3, "")
    assert '"title": "Move"' in asked.err
    assert f"workbench resume {session} {option}" in asked.err
    waiting = workbench("resume", session)
    assert waiting.code == 3
    assert f"workbench resume {session} {option}" in waiting.err
    answered = workbench("resume", session, option)
    assert answered.code == 0, answered.err
    assert answered.out.endswith("Ticket 7 is open.\n")
    assert len(server.used) == used
    assert workbench("audit", session).code == 0
