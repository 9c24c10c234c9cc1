"""``workbench learn``, ``workbench lessons``, and what ``rate`` and ``outcome`` say of a plan."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import GOAL, MOVE, Command, Once

NOTE = "No step for choosing the auditor"


@pytest.fixture
def rated(workbench: Command, once: Once) -> str:
    """The id of a session that was rated 1, with a note."""

    def make() -> str:
        session = str(workbench("run", GOAL, "--json").last["session"])
        workbench("rate", session, "1", "--note", NOTE)
        return session

    return once("rated of learning", make)


def test_a_note_is_proposed_and_given_to_sessions_when_it_is_accepted(workbench: Command, rated: str) -> None:
    shown = workbench("lessons")
    assert f"proposed: {NOTE}" in shown.out
    assert f"because: rated 1 in {rated}: “{NOTE}”; it rests on one note" in shown.out
    assert "A proposed lesson has no effect before you accept it" in shown.out
    told = workbench("lessons", "--json").last
    accepted = workbench("lessons", "accept", told["id"], "--json").last
    assert (accepted["status"], accepted["lesson"]["session"]) == ("accepted", rated)

    session = workbench("run", GOAL, *MOVE, "--approve", "all", "--json").last["session"]
    sent = workbench("context", session, "--call", "1", "--json").last["relevant_history"]
    [lesson] = [item for item in sent if item["id"] == f"lesson:{told['id']}"]
    assert (lesson["source"], lesson["session"]) == ("lesson", rated)
    assert f"because: rated 1 in {rated}" in lesson["reason"]
    assert workbench("audit", session).code == 0
    assert workbench("replay", session, "--verify").code == 0
    assert f"is given 1 lessons: {NOTE}" in workbench("replay", session).out


@pytest.mark.usefixtures("rated")
def test_a_lesson_that_somebody_else_accepted_waits_for_the_person(
    workbench: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = workbench("lessons", "--json").last["id"]
    workbench("lessons", "accept", name)
    monkeypatch.setenv("WORKBENCH_CONFIG", str(tmp_path / "another person" / "config.toml"))
    told = workbench("lessons", "--json").last
    assert (told["status"], "not by you" in told["note"]) == ("proposed", True)
    begun = workbench("run", GOAL, *MOVE, "--approve", "all")
    assert "One lesson was accepted here by somebody else" in begun.err
    session = workbench("sessions", "list", "--json").lines[0]["session"]
    assert workbench("context", session, "--call", "1", "--json").last["relevant_history"] == []
    workbench("lessons", "accept", name)
    assert workbench("lessons", "--json").last["status"] == "accepted"


def test_a_lesson_is_refused_for_one_session_and_for_good(workbench: Command, rated: str) -> None:
    name = workbench("lessons", "--json").last["id"]
    assert workbench("lessons", "reword", name, "Add a step: choose the auditor").code == 0
    session = workbench("run", GOAL, "--json").last["session"]
    refused = workbench("lessons", "refuse", name, "--session", session)
    assert refused.out == f"{session} goes on without {name}.\n"
    assert workbench("lessons", "refuse", name, "--session", rated).code == 2
    assert workbench("lessons", "retire", name, "--json").last["status"] == "retired"
    assert workbench("lessons", "refuse", name, "--json").last["status"] == "refused"
    assert "refused: Add a step: choose the auditor" in workbench("lessons").out
    assert workbench("lessons", "accept", "L000000").code == 2


def test_rounds_outcomes_and_wrong_ones(workbench: Command, finished: str) -> None:
    told = workbench("rate", finished, "4", "--round", "1", "--json").last
    assert (told["stars"], told["round"]) == (4, 1)
    assert "rated 4 of 5 in round 1" in workbench("replay", finished).out
    assert "There is no round 99" in workbench("rate", finished, "4", "--round", "99").err
    assert workbench("outcome", finished, "partial", "--forgot", "the press", "--took", "S2=4.5").code == 0
    assert "Include a step: the press" in workbench("lessons").out
    assert "There is no step S99" in workbench("outcome", finished, "partial", "--took", "S99=1").err
    assert "write it as S4=6" in workbench("outcome", finished, "partial", "--took", "S4").err
