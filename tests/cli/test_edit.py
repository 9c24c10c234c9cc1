"""``workbench edit``, ``status`` and ``resume --do``: commands, previewed and recorded, all of them or nothing."""

from __future__ import annotations

from pathlib import Path

import pexpect
import pytest
from tests.cli.conftest import GOAL, Command
from tests.cli.test_terminal import terminal


def steps(workbench: Command, session: str) -> dict[str, dict[str, object]]:
    sections = workbench("plan", session, "--json").last["sections"]
    return {item["id"]: item for section in sections for item in section["items"]}


def test_a_command_is_previewed_and_recorded_only_with_consent(workbench: Command, finished: str) -> None:
    result = workbench("edit", finished, "S3 owner Anna", "S5 takes 60d")
    assert result.code == 3, result.err
    assert "S3 owner: " in result.out
    assert "→ Anna" in result.out
    assert "Dates that move" in result.out
    assert "the plan\t" in result.out
    assert steps(workbench, finished)["S3"].get("owner") != "Anna"
    result = workbench("edit", finished, "S3 owner Anna", "S5 takes 60d", "--yes")
    assert result.code == 0, result.err
    assert f"Recorded as version 2. Take it back: workbench edit {finished} undo" in result.out
    assert steps(workbench, finished)["S3"]["owner"] == "Anna"
    assert workbench("sessions", "show", finished, "--json").last["status"] == "finished"
    assert workbench("edit", finished, "S3 owner Anna").out == "Nothing changes: the plan says so already.\n"


def test_undo_and_redo_are_commands(workbench: Command, finished: str) -> None:
    before = steps(workbench, finished)
    assert workbench("edit", finished, 'remove S3; add "Sing" 2d', "--yes").code == 0
    after = steps(workbench, finished)
    assert workbench("edit", finished, "undo", "--yes").code == 0
    assert steps(workbench, finished) == before
    assert workbench("edit", finished, "redo", "--yes").code == 0
    assert steps(workbench, finished) == after


def test_what_is_no_command_is_shown_with_a_caret(workbench: Command, finished: str) -> None:
    before = steps(workbench, finished)
    result = workbench("edit", finished, "S3 done", "S4 ownr Anna", "--yes")
    assert (result.code, result.out) == (2, "")
    first, line, caret, nearest = result.err.splitlines()
    assert first == "workbench: Nothing was recorded:"
    assert (line, caret[:4], nearest) == ("S4 ownr Anna", "   ^", "Nearest: S4 owner Anna")
    assert steps(workbench, finished) == before


def test_as_json_it_says_what_moves(workbench: Command, finished: str) -> None:
    result = workbench("edit", finished, "S3 takes 30d; S3 by 5/6/28", "--json")
    assert result.code == 3
    told = result.last
    assert (told["schema"], told["session"], told["recorded"]) == ("workbench.edit/1", finished, False)
    assert {"do": "set", "item": "S3", "field": "deadline", "value": "2028-06-05"} in told["operations"]
    assert "S3" in {move["item"] for move in told["moves"]}
    assert told["moves"][-1]["item"] == ""
    assert told["notes"] == ["“5/6/28” is read as one of two: 5 June 2028, or 6 May 2028?"]
    recorded = workbench("edit", finished, "S3 takes 30d; S3 by 5/6/28", "--json", "--yes").last
    assert recorded["recorded"] is True
    assert recorded["version"] == told["version"] + 1
    assert recorded["operations"] == told["operations"]


@pytest.mark.parametrize("source", ["-", "commands.txt"])
def test_commands_are_read_from_a_file(workbench: Command, finished: str, tmp_path: Path, source: str) -> None:
    text = "S3 owner Anna\nS4 @Anna\n\n"
    (tmp_path / "commands.txt").write_text(text)
    assert workbench("edit", finished, "--file", source, "--yes", stdin=text).code == 0
    assert {steps(workbench, finished)[name]["owner"] for name in ("S3", "S4")} == {"Anna"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "Give commands, or a file of them."),
        (("S3 done", "--file", "-"), "Give commands, or a file of them."),
        ((" ",), "There is no command."),
        (("redo",), "nothing to redo"),
        (("U9 dismiss",), "There is no statement U9."),
    ],
)
def test_wrong_use_is_one_sentence(workbench: Command, finished: str, arguments: tuple[str, ...], words: str) -> None:
    result = workbench("edit", finished, *arguments)
    assert (result.code, words in result.err) == (2, True), result
    assert len(result.err.splitlines()) == 1


def test_a_command_changes_the_plan_at_a_gate(workbench: Command) -> None:
    begun = workbench("run", GOAL, "--json").last["session"]
    refused = workbench("resume", begun, "--do", "S1 done")
    assert (refused.code, "There is no plan yet." in refused.err) == (2, True)
    workbench("resume", begun, "--choose", "1", "--json")
    result = workbench("resume", begun, "--do", "S1 owner Anna", "--json")
    assert result.code == 3, result.err
    assert result.last["gate"]["kind"] == "checkpoint"
    assert steps(workbench, begun)["S1"]["owner"] == "Anna"
    refused = workbench("resume", begun, "--do", "S1 ownr Anna")
    assert (refused.code, "Nearest: S1 owner Anna" in refused.err) == (2, True)
    assert workbench("resume", begun, "--finish").code == 0
    assert workbench("resume", begun, "--do", "S1 done").code == 0
    assert steps(workbench, begun)["S1"]["status"] == "done"


def test_in_a_terminal_it_asks(workbench: Command, finished: str, tmp_path: Path) -> None:
    with terminal("edit", finished, "S3 owner Anna", cwd=tmp_path) as child:
        child.expect_exact("→ Anna")
        child.expect_exact("Record this? [y/N] ")
        child.sendline("n")
        child.expect_exact("Nothing is recorded yet.")
        child.expect(pexpect.EOF)
        child.wait()
        assert child.exitstatus == 3
    with terminal("edit", finished, "S3 owner Anna", cwd=tmp_path) as child:
        child.expect_exact("Record this? [y/N] ")
        child.sendline("y")
        child.expect_exact("Recorded as version")
        child.expect(pexpect.EOF)
        child.wait()
        assert child.exitstatus == 0
    assert steps(workbench, finished)["S3"]["owner"] == "Anna"
