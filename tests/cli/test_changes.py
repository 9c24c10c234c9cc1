"""``sessions changes`` and ``resume --undo``: what made a plan, what made a line of it, and a change taken back."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import GOAL, MOVE, Command, Once


@pytest.fixture
def session(workbench: Command, tmp_path: Path, once: Once) -> str:
    """A session at a checkpoint, whose second version is an edit of one step's owner."""

    def make() -> str:
        begun = workbench("run", GOAL, *MOVE, "--steps", "-", "--json", stdin="Tell the customers 2d @Anna")
        name = str(begun.last["session"])
        file = tmp_path / "edited.md"
        text = workbench("sessions", "show", name, "--json").last["plan"]["markdown"]
        assert "Owner: Anna" in text
        file.write_text(text.replace("Owner: ", "Owner: Zoë and ", 1))
        assert workbench("resume", name, "--edit", str(file), "--json").code == 3
        return name

    return once("session of changes", make)


def test_changes_name_what_was_done_and_why(workbench: Command, session: str) -> None:
    lines = workbench("sessions", "changes", session, "--json").lines
    assert {line["cause"]["kind"] for line in lines if line["version"] == 1} == {"planner"}
    [edit] = [line for line in lines if line["version"] == 2]
    assert (edit["change"], edit["cause"]) == ("2.1", {"kind": "person"})
    assert edit["operation"]["field"] == "owner"
    [step] = edit["items"]
    assert edit["text"].startswith(f"{step} owner: ")
    told = workbench("sessions", "changes", session, step)
    assert "edited by you" in told.out
    assert "2.1" in told.out
    assert "--undo 2.1" in told.out
    of_line = workbench("sessions", "changes", session, step, "--json").lines
    assert [line["version"] for line in of_line] == [1, 2]


@pytest.mark.parametrize(
    ("change", "words"),
    [("9.9", "no change '9.9'"), ("1", "first draft"), ("", "no change ''"), ("[red]x", "no change '[red]x'")],
)
def test_what_cannot_be_undone_is_said_and_nothing_changes(
    workbench: Command, session: str, change: str, words: str
) -> None:
    before = workbench("sessions", "changes", session).out
    refused = workbench("resume", session, "--undo", change)
    assert refused.code == 2
    assert words in refused.err
    assert workbench("sessions", "changes", session).out == before


def exported(workbench: Command, session: str, file: Path, old: str, new: str) -> str:
    text = workbench("sessions", "export", session, "--full").out
    assert old in text
    file.write_text(text.replace(old, new, 1))
    return str(file)


def test_an_edit_of_an_older_version_is_carried_over(workbench: Command, session: str, tmp_path: Path) -> None:
    file = exported(workbench, session, tmp_path / "old.md", "Zoë and ", "Yves and ")
    [edit] = [line for line in workbench("sessions", "changes", session, "--json").lines if line["version"] == 2]
    [step] = edit["items"]
    workbench("resume", session, "--undo", "2.1", "--json")
    carried = workbench("resume", session, "--edit", file)
    assert carried.code == 3
    assert "The file is of version 2" in carried.err
    assert f"takes back what was changed since: {step} owner" in carried.err
    lines = [line for line in workbench("sessions", "changes", session, "--json").lines if line["version"] == 4]
    assert [line["cause"]["kind"] for line in lines] == ["person"]
    assert "Yves and" in lines[0]["text"]


def test_an_edit_of_what_is_gone_since_is_refused_with_what_it_is(
    workbench: Command, session: str, tmp_path: Path
) -> None:
    file = exported(workbench, session, tmp_path / "old.md", "Zoë and ", "Yves and ")
    [edit] = [line for line in workbench("sessions", "changes", session, "--json").lines if line["version"] == 2]
    [step] = edit["items"]
    text = workbench("sessions", "show", session, "--json").last["plan"]["markdown"]
    begin = text.index(f"- {step} ")
    without = tmp_path / "without.md"
    without.write_text(text[:begin] + text[text.index("\n## ", begin) :])
    workbench("resume", session, "--edit", str(without), "--json")
    refused = workbench("resume", session, "--edit", file)
    assert refused.code == 2
    assert f"edited {step} in a file of version 2, and version 3 does not have it any more" in refused.err


def test_a_repair_is_offered_with_its_consequence_and_made_when_it_is_accepted(
    workbench: Command, session: str, tmp_path: Path
) -> None:
    text = workbench("sessions", "show", session, "--json").last["plan"]["markdown"]
    needs = next(line for line in text.splitlines() if "Needs: S" in line)
    file = tmp_path / "broken.md"
    file.write_text(text.replace(needs, needs.replace("Needs: S", "Needs: S99, S"), 1))
    broken = workbench("resume", session, "--edit", str(file))
    assert "--repair 1" in broken.err
    shown = workbench("sessions", "show", session, "--json").last
    [offer] = [one for one in shown["repairs"] if one["rule"] == "steps.needs"]
    assert "1 finding fewer" in offer["consequence"]
    assert "Repairs offered" in workbench("sessions", "show", session).out
    assert workbench("resume", session, "--repair", "99").code == 2
    assert workbench("resume", session, "--repair", str(offer["number"]), "--json").code == 3
    after = workbench("sessions", "show", session, "--json").last
    assert after["plan"]["markdown"] == text
    assert after["repairs"] == []
    last = workbench("sessions", "changes", session, "--json").last
    assert last["cause"] == {"kind": "repair", "source": "steps.needs"}
