"""``workbench status``: commands are shown with what they move, and recorded once the person agrees."""

from __future__ import annotations

import csv
import io
from datetime import date
from pathlib import Path

import pytest
from tests.cli.conftest import GOAL, Command


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


def test_a_report_comes_from_standard_input(workbench: Command, finished: str) -> None:
    assert workbench("status", finished, "-", "--yes", stdin="S3 done\n").code == 0
    assert _plan(workbench, finished)["S3"]["status"] == "done"
    assert workbench("status", finished, "-", stdin="  \n").code == 2


def test_before_there_is_a_plan_it_says_so(workbench: Command, tmp_path: Path) -> None:
    begun = workbench("run", GOAL, "--json").last["session"]
    result = workbench("status", begun, "S3 done")
    assert result.code == 2
    assert "There is no plan yet." in result.err
    assert workbench("status", "nobody-x1y2", "S3 done").code == 2
    assert tmp_path.exists()


def test_the_end_of_what_was_done_is_the_same_in_every_export(workbench: Command, finished: str) -> None:
    workbench("status", finished, "S1 done", "--yes")
    end = str(_plan(workbench, finished)["S1"]["finished"])
    exported = workbench("sessions", "export", finished, "--format", "csv").out.lstrip("\ufeff")
    assert [row["end"] for row in csv.DictReader(io.StringIO(exported)) if row["id"] == "S1"] == [end]
    assert end.replace("-", "") in workbench("sessions", "export", finished, "--format", "ics").out


def test_the_plan_says_how_far_it_is_from_what_was_agreed(workbench: Command, finished: str) -> None:
    before = workbench("plan", finished, "--json").last["figures"]
    assert before.get("agreed") is None
    workbench("status", finished, "S5 takes 60d", "--yes")
    after = workbench("plan", finished, "--json").last["figures"]
    assert after["agreed"] == before["finish"]
    days = (date.fromisoformat(after["finish"]) - date.fromisoformat(before["finish"])).days
    assert days > 0
    assert f"{days} days later than agreed" in workbench("plan", finished).out
