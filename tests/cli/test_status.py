"""``workbench status``: commands are shown with what they move, and recorded once the person agrees."""

from __future__ import annotations

import pytest
from tests.cli.conftest import Command


def _plan(workbench: Command, session: str) -> dict[str, dict[str, object]]:
    sections = workbench("plan", session, "--json").last["sections"]
    return {item["id"]: item for section in sections for item in section["items"]}


@pytest.mark.parametrize(
    ("sentence", "nearest"),
    [
        ("S1 Anna", " Nearest: S1 owner Anna"),
        ("Anna looks after S1 from now on", ""),
        ("S1 is not done yet", ""),
        ("thanks!", ""),
        ("in German please", ""),
        ("we give up", ""),
    ],
)
def test_a_sentence_is_refused_in_two_lines_and_nothing_is_recorded(
    workbench: Command, finished: str, sentence: str, nearest: str
) -> None:
    before = workbench("replay", finished, "--plain").out
    result = workbench("status", finished, sentence, "--yes")
    assert (result.code, result.out) == (2, "")
    not_read, helps = result.err.splitlines()
    assert not_read.startswith("workbench: Not a command: ")
    assert not_read.endswith(f"is not read here.{nearest}")
    assert helps.startswith(f"A language model understands sentences: workbench resume {finished} --model NAME ")
    assert sentence in helps
    assert workbench("replay", finished, "--plain").out == before


def test_a_finished_session_takes_a_report_and_stays_finished_and_verified(workbench: Command, finished: str) -> None:
    result = workbench("status", finished, "S3 done; S5 takes 20d", "--yes")
    assert result.code == 0, result.err
    assert "Recorded as version" in result.out
    plan = _plan(workbench, finished)
    assert plan["S3"]["status"] == "done"
    assert plan["S5"]["effort"]["likely"] == 20
    shown = workbench("sessions", "show", finished, "--json").last
    assert shown["status"] == "finished"
    assert workbench("replay", finished, "--verify").code == 0
    assert "reported: S3 done" in workbench("replay", finished).out
    changes = workbench("sessions", "changes", finished, "S3", "--json").lines
    assert {change["cause"]["kind"] for change in changes[-2:]} == {"person"}
