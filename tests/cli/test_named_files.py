"""``--context`` and ``@path`` on the command line: read, told, listed, cited; refused before anything is begun."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.builders import UNDATED_DRAFT, Script, plan_reply
from tests.cli.conftest import GOAL, Command
from workbench import Workspace
from workbench.domain.plan.plan import Risk, Section
from workbench.models.scripted import CallableModel
from workbench.planning.policies import approving_all

BUDGET = "# Budget\n\nAt most 30,000 EUR.\n"


@pytest.fixture(autouse=True)
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "budget.md").write_text(BUDGET)
    return folder


def cited(tmp_path: Path) -> str:
    """A session of a model whose plan cites a line of a file; its id."""
    risk = Risk(id="R1", text="The money is short (docs/budget.md:3).")
    plan = plan_reply(*UNDATED_DRAFT, Section(id="risks", title="Risks", items=(risk,)), title="Move billing")
    model = CallableModel(Script().then("plan", plan), name="told")
    with Workspace.open(tmp_path, options={"iterations": 1}) as workspace:
        manager = workspace.start(GOAL, context=["docs/budget.md"], model=model, recall=False)
        asyncio.run(manager.run(approving_all()))
        return str(manager.session_id)


def test_a_file_is_cited_with_path_and_line_listed_and_audited(workbench: Command, tmp_path: Path) -> None:
    session = cited(tmp_path)
    shown = workbench("sessions", "show", session, "--json").last
    assert "From: file docs/budget.md:3" in shown["plan"]["markdown"]
    (file,) = shown["files"]
    assert (file["path"], file["first"], file["last"], file["lines"], file["size"]) == ("docs/budget.md", 1, 3, 3, 30)
    assert "read docs/budget.md: lines 1 to 3 of 3, sha256" in workbench("sessions", "show", session).out
    sent = workbench("context", session, "--call", "2", "--json").last
    assert sent["ledger"]["by_source"]["file"] > 0
    assert {one["source"] for one in sent["relevant_history"]} == {"file"}
    assert workbench("audit", session).code == 0
    (tmp_path / "docs" / "budget.md").unlink()
    assert workbench("replay", session, "--verify").code == 0
    assert "read docs/budget.md" in workbench("replay", session, "--plain").out


def test_a_path_in_the_goal_and_in_feedback_is_read(workbench: Command, docs: Path) -> None:
    (docs / "dates.md").write_text("The audit is on 3 May 2028.\n")
    session = workbench("run", f"{GOAL}, see @docs/budget.md", "--json").last["session"]
    told = workbench("resume", session, "--feedback", "Mind @docs/dates.md and @docs/gone.md")
    assert "workbench: read docs/dates.md: lines 1 to 1 of 1, sha256 " in told.err
    assert "workbench: did not read docs/gone.md: there is no such file.\n" in told.err
    files = workbench("sessions", "show", session, "--json").last["files"]
    assert [(one["path"], one["why_not"]) for one in files] == [
        ("docs/budget.md", ""),
        ("docs/dates.md", ""),
        ("docs/gone.md", "there is no such file."),
    ]


def test_what_cannot_be_read_is_said_before_anything_is_begun(workbench: Command, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("KEY=1")
    refused = workbench("run", GOAL, "--context", ".env")
    assert refused.code == 2
    assert refused.err == (
        "workbench: .env is not read: by its name it holds keys or passwords. Name another file, or leave it out.\n"
    )
    assert not workbench("sessions", "list", "--json").out


def test_a_forgotten_file_is_gone(workbench: Command) -> None:
    session = workbench("run", GOAL, "--context", "docs/budget.md", "--approve", "all", "--json").last["session"]
    (file,) = workbench("sessions", "show", session, "--json").last["files"]
    assert workbench("forget", file["id"], "--yes").code == 0
    shown = workbench("sessions", "show", session, "--json").last
    assert shown["files"][0]["text"] == "[forgotten]"
    assert "At most 30,000 EUR." not in workbench("context", session, "--call", "2", "--prompt").out
