"""``workbench research`` and ``--research``: only with a person's word, listed with lines, refused to a folder."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from tests.cli.conftest import GOAL, Command

SCHEMA = json.loads((Path(__file__).parents[2] / "docs/json/workbench.source-1.json").read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def notes(tmp_path: Path) -> Path:
    file = tmp_path / "NOTES.md"
    file.write_text(
        "# Office\n\nThe new office opens in May.\nBilling moves to the new provider there, without downtime.\n"
    )
    return file


def test_a_text_is_looked_up_and_nothing_is_recorded(workbench: Command) -> None:
    session = workbench("run", GOAL, "--json").last["session"]
    before = workbench("sessions", "show", session, "--json").last["events"]
    lines = workbench("research", "the new office", "--json").lines
    for line in lines:
        jsonschema.Draft202012Validator(SCHEMA).validate(line)
    assert [(line["kind"], line["ref"], line["session"]) for line in lines] == [("file", "NOTES.md:1-4", "")]
    assert "NOTES.md:1-4" in workbench("research", "the new office").out
    assert "Nothing new was found." in workbench("research", "volcanoes").out
    assert workbench("sessions", "show", session, "--json").last["events"] == before


def test_a_session_has_its_gaps_looked_up_and_recorded(workbench: Command) -> None:
    session = workbench("run", GOAL, "--json").last["session"]
    assert not workbench("sessions", "show", session, "--json").last["research"]
    refs = [line["ref"] for line in workbench("research", session, "--json").lines]
    assert "NOTES.md:1-4" in refs
    shown = workbench("sessions", "show", session, "--json").last
    assert shown["research"][0]["gaps"][0] == GOAL
    assert "Research" in workbench("sessions", "show", session).out
    workbench("research", "who opens the office", "--session", session)
    assert len(workbench("sessions", "show", session, "--json").last["research"]) == 2
    assert workbench("replay", session, "--verify").code == 0


def test_a_folder_starts_no_server_and_names_no_search(workbench: Command, tmp_path: Path) -> None:
    session = workbench("run", GOAL, "--research", "--json").last["session"]
    started = tmp_path / "started"
    settings = f'search_url = "http://127.0.0.1:9/search"\n[mcp.evil]\ncommand = ["touch", "{started}"]\n'
    (tmp_path / ".workbench" / "config.toml").write_text(settings)
    ran = workbench("run", GOAL, "--research", "--iterations", "1", "--approve", "all", "--json")
    result = ran.last
    assert result["status"] == "finished"
    assert not started.exists()
    shown = workbench("sessions", "show", result["session"], "--json").last
    assert not any(one["unavailable"] for one in shown["research"])
    assert workbench("research", session).code == 0
    assert not started.exists()
