"""``workbench status``: how the work stands, said as commands. A sentence changes nothing, and is told what to do."""

from __future__ import annotations

import pytest
from tests.cli.conftest import Command


def _plan(workbench: Command, session: str) -> dict[str, dict[str, object]]:
    sections = workbench("plan", session, "--json").last["sections"]
    return {item["id"]: item for section in sections for item in section["items"]}


def test_commands_are_previewed_and_recorded_with_consent(workbench: Command, finished: str) -> None:
    result = workbench("status", finished, "S1 done last Tuesday; S2 takes 3 more days, waiting for Anna's answer")
    assert result.code == 3, result.err
    assert "S1 status: – → done" in result.out
    assert f"Record it: workbench status {finished} " in result.out
    result = workbench("status", finished, "S3 done; S5 takes 20 days", "--yes")
    assert result.code == 0, result.err
    plan = _plan(workbench, finished)
    assert (plan["S3"]["status"], plan["S5"]["effort"]["likely"]) == ("done", 20)
    assert workbench("sessions", "show", finished, "--json").last["status"] == "finished"
    assert workbench("replay", finished, "--verify").code == 0


@pytest.mark.parametrize(
    "text",
    [
        "Could somebody please ring the landlord?",
        "We are getting nervous about the deadline.",
        "Der Umzug macht mir Sorgen.",
        "Undo that, I misread it",
        "S3 was a good idea",
    ],
)
def test_a_sentence_changes_nothing_and_is_told_how_to_be_said(workbench: Command, finished: str, text: str) -> None:
    before = workbench("plan", finished, "--json").out
    result = workbench("status", finished, text, "--yes")
    assert (result.code, result.out) == (2, "")
    first, second = result.err.strip().splitlines()
    assert first.startswith("workbench: Not a command: ")
    assert "Nearest: " in first
    assert f"workbench resume {finished} --model NAME --feedback" in second
    assert workbench("plan", finished, "--json").out == before


def test_an_empty_report_is_refused(workbench: Command, finished: str) -> None:
    result = workbench("status", finished, " ")
    assert result.code == 2
    assert "The report is empty." in result.err
