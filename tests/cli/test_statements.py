"""``workbench statements``: what a person said in a session, what became of it, and what they dismiss."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.builders import UNDATED_DRAFT, Script, plan_reply
from tests.cli.conftest import GOAL, Command, Once
from workbench import Workspace
from workbench.models.scripted import CallableModel
from workbench.planning.policies import approving_all

SAID = "Move our billing to the new provider. Keep the old invoice numbers. Nobody at all works at night."
SETTLED = [
    {"id": "U1", "state": "used", "items": ["S1", "S2"]},
    {"id": "U2", "state": "declined", "note": "The new provider numbers on its own."},
]


@pytest.fixture
def session(tmp_path: Path, once: Once) -> str:
    """A finished session whose planner used the first statement, declined the second and says nothing of the third."""

    def plan() -> str:
        reply = plan_reply(*UNDATED_DRAFT, title="Move billing", statements=SETTLED)
        model = CallableModel(Script().always("plan", reply), name="told")
        with Workspace.open(tmp_path, options={"iterations": 1}) as workspace:
            manager = workspace.start(SAID, model=model, recall=False)
            asyncio.run(manager.run(approving_all()))
            return str(manager.session_id)

    return str(once("statements", plan))


def states(workbench: Command, session: str, *more: str) -> dict[str, str]:
    result = workbench("statements", session, "--json", *more)
    assert result.code == 0, result.err
    return {one["id"]: one["state"] for one in result.lines}


def test_each_statement_stands_above_what_became_of_it(workbench: Command, session: str) -> None:
    shown = workbench("statements", session)
    assert shown.code == 0
    assert [line.strip() for line in shown.out.splitlines()] == [
        "U1   goal  Move our billing to the new provider.",
        "used in S1, S2",
        "U2   goal  Keep the old invoice numbers.",
        "declined: The new provider numbers on its own.",
        "U3   goal  Nobody at all works at night.",
        "not used yet",
        "3 statements, 1 not used yet",
    ]
    assert "Keep the old invoice numbers." in workbench("sessions", "show", session).out


def test_a_dismissed_statement_is_told_as_such_until_it_is_reopened(workbench: Command, session: str) -> None:
    assert states(workbench, session, "--dismiss", "U3") == {"U1": "used", "U2": "declined", "U3": "dismissed"}
    told = workbench("statements", session).out
    assert "dismissed" in told
    assert "3 statements, 0 not used yet" in told
    assert states(workbench, session)["U3"] == "dismissed"
    assert states(workbench, session, "--reopen", "u3")["U3"] == "open"
    assert "3 statements, 1 not used yet" in workbench("statements", session).out
    assert workbench("replay", session, "--verify").code == 0


def test_without_a_model_the_words_of_the_person_are_kept_as_statements(workbench: Command, finished: str) -> None:
    workbench("resume", finished, "--feedback", "Nobody at all works at night. Invite the press.")
    kept = [(one["source"], one["text"], one["state"]) for one in workbench("statements", finished, "--json").lines]
    assert kept == [
        ("goal", GOAL, "open"),
        ("F1", "Nobody at all works at night.", "open"),
        ("F1", "Invite the press.", "open"),
    ]
