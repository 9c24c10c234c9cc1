"""``workbench status``: commands are shown with what they move, and recorded once the person agrees."""

from __future__ import annotations

import asyncio
import csv
import io
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from tests.cli.conftest import GOAL, Command, Once
from tests.offline import Offline
from workbench.bootstrap import Workspace
from workbench.planning.policies import nobody


@pytest.fixture
def waiting(workbench: Command, once: Once) -> str:
    """The id of a session that waits at its first checkpoint."""

    def make() -> str:
        begun = str(workbench("run", GOAL, "--json").last["session"])
        assert workbench("resume", begun, "--choose", "1", "--deadline", "30 June 2028").code == 3
        return begun

    return once("waiting of status", make)


def _plan(workbench: Command, session: str) -> dict[str, dict[str, object]]:
    sections = workbench("plan", session, "--json").last["sections"]
    return {item["id"]: item for section in sections for item in section["items"]}


def test_commands_are_shown_and_not_recorded_without_consent(workbench: Command, finished: str) -> None:
    before = workbench("plan", finished, "--json").out
    result = workbench("status", finished, "S3 done; S5 takes 20d")
    assert result.code == 3
    assert "S3 status: – → done" in result.out
    assert "Dates that move" in result.out
    assert "the plan\t" in result.out
    assert f"Record it: workbench status {finished} 'S3 done; S5 takes 20d' --yes" in result.out
    assert workbench("plan", finished, "--json").out == before


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


def test_what_was_reported_is_taken_back_again(workbench: Command, finished: str) -> None:
    before = _plan(workbench, finished)
    workbench("status", finished, 'remove S7; add "Sing"', "--yes")
    assert "S7" not in _plan(workbench, finished)
    result = workbench("status", finished, "undo", "--yes")
    assert result.code == 0, result.err
    assert _plan(workbench, finished) == before


@pytest.mark.full
def test_an_open_gate_asks_again_with_the_plan_as_it_is_now(workbench: Command, waiting: str) -> None:
    gate = workbench("sessions", "show", waiting, "--json").last["gate"]
    told = workbench("status", waiting, "S2 owner Anna", "--yes", "--json").last
    assert told["recorded"] is True
    again = workbench("sessions", "show", waiting, "--json").last
    assert (again["status"], again["gate"]["kind"]) == ("waiting", "checkpoint")
    assert again["gate"]["id"] != gate["id"]
    assert _plan(workbench, waiting)["S2"]["owner"] == "Anna"
    assert workbench("resume", waiting, "--finish").code == 0
    assert workbench("replay", waiting, "--verify").code == 0


def test_as_json_it_is_what_edit_prints(workbench: Command, finished: str) -> None:
    told = workbench("status", finished, "S5 takes 60d", "--json")
    assert told.code == 3
    assert told.last == workbench("edit", finished, "S5 takes 60d", "--json").last
    assert told.last["schema"] == "workbench.edit/1"
    assert told.last["recorded"] is False


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


@pytest.mark.full
def test_who_drives_the_session_changes_the_plan(workbench: Command, finished: str, tmp_path: Path) -> None:
    with Workspace.open(tmp_path) as workspace:
        manager = workspace.session(finished).resume(model=Offline())
        with manager.driving():
            command = [sys.executable, "-m", "workbench", "status", finished, "S3 done", "--yes"]
            other = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60)
            assert "Recorded; who drives the session changes the plan next." in other.stdout
            assert "status" not in _plan(workbench, finished)["S3"]
            asyncio.run(manager.run(nobody))
    assert _plan(workbench, finished)["S3"]["status"] == "done"


@pytest.mark.full
def test_a_report_is_taken_back_and_brought_back_by_rewinds(workbench: Command, waiting: str) -> None:
    decided = [one.seq for one in Workspace.open(Path.cwd()).session(waiting).events() if one.kind == "gate.answered"]
    workbench("status", waiting, "S3 done", "--yes")
    workbench("resume", waiting, "--finish")
    workbench("sessions", "rewind", waiting)
    assert _plan(workbench, waiting)["S3"]["status"] == "done", "the report was before that decision"
    assert workbench("sessions", "rewind", waiting, "--to", str(decided[-1] - 1)).code == 0
    assert workbench("status", waiting, "S4 done").code == 2, "there is no plan at that place"
    while workbench("sessions", "redo", waiting).code == 0:
        pass
    assert _plan(workbench, waiting)["S3"]["status"] == "done"
    assert workbench("status", waiting, "S4 done", "--yes").code == 0
    workbench("sessions", "rewind", waiting, "--to", str(decided[-1] - 1))
    assert workbench("resume", waiting, "--choose", "1").code == 3, "another plan, of which nothing was reported"
    assert {"status" in step for name, step in _plan(workbench, waiting).items() if name[0] == "S"} == {False}
    assert workbench("status", waiting, "S2 done", "--yes").code == 0
    assert _plan(workbench, waiting)["S2"]["status"] == "done"
    assert workbench("replay", waiting, "--verify").code == 0
    assert workbench("audit", waiting).code == 0


@pytest.mark.parametrize(("typed", "recorded"), [("y", True), ("", False), (None, False)])
def test_at_a_terminal_it_asks(
    workbench: Command, finished: str, monkeypatch: pytest.MonkeyPatch, typed: str | None, recorded: bool
) -> None:
    def read(_prompt: str) -> str:
        if typed is None:
            raise EOFError
        return typed

    monkeypatch.setattr("workbench.cli.output.has_terminal", lambda: True)
    monkeypatch.setattr("builtins.input", read)
    assert workbench("status", finished, "S3 done").code == (0 if recorded else 3)
    assert (_plan(workbench, finished)["S3"].get("status") == "done") is recorded


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


def test_what_was_given_up_is_due_no_more(workbench: Command, finished: str) -> None:
    late = ("due", "--today", "2099-01-01")
    assert workbench(*late).code == 4
    workbench("outcome", finished, "failure")
    assert workbench(*late).code == 0
    assert ", given up." in workbench("sessions", "export", finished, "--format", "html").out
