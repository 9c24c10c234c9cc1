"""``workbench sessions export --format agents``: a plan's file, kept up to date, and never over another hand's work."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.cli.test_mcp import planned
from workbench import Workspace
from workbench.bootstrap.plan_files import PlanFiles


@pytest.fixture
def workspace(workbench: Command, tmp_path: Path) -> Iterator[Workspace]:
    """A workspace where commands run."""
    assert workbench
    with Workspace.open(tmp_path) as opened:
        yield opened


@pytest.fixture
def session(workspace: Workspace) -> str:
    return planned(workspace)


def test_it_says_what_can_start_and_how_to_report(
    workbench: Command, workspace: Workspace, session: str, tmp_path: Path
) -> None:
    workspace.session(session).edit('S1 check "The van is booked"')
    shown = workbench("sessions", "export", session, "--format", "agents").out
    for part in (
        f'workbench status {session} "S1 done" --yes',
        "`propose_changes`",
        "- [ ] **S1** Book a van · Anna",
        "done when: The van is booked",
        "- S2 · Load it",
        "Needs: S1",
    ):
        assert part in shown
    assert PlanFiles(workspace).renew() == []
    assert not list(tmp_path.glob("*.md")), "what was only shown is not kept"


def test_it_follows_the_plan_and_no_other_hand(
    workbench: Command, workspace: Workspace, session: str, tmp_path: Path
) -> None:
    file, files = tmp_path / "PLAN.md", PlanFiles(workspace)
    export = ("sessions", "export", session, "--format", "agents", "-o", "PLAN.md", "--yes")
    assert workbench(*export).code == 0
    assert files.renew() == []
    workspace.session(session).edit("S1 done")
    assert files.renew() == []
    assert "- [ ] **S2** Load it" in file.read_text()
    mine = file.read_text().replace("Load it", "Load it twice")
    file.write_text(mine)
    workspace.session(session).edit("S2 owner Ben")
    (told,) = files.renew()
    assert "PLAN.md was changed by another hand and is left as it is" in told
    assert files.renew() == [], "it is told once"
    assert file.read_text() == mine
    assert workbench(*export).code == 0
    workspace.session(session).edit("S2 owner Cleo")
    assert files.renew() == []
    assert "**S2** Load it · Cleo" in file.read_text()
    file.unlink()
    workspace.session(session).edit("S2 owner Dora")
    assert files.renew() == []
    assert not file.exists(), "what a person took away is not made again"
    workspace.session(session).delete()
    assert files.renew() == []
    assert all(one.kind != "plan file" for one in workspace.accepted().consents)


@pytest.mark.usefixtures("session")
def test_a_link_in_its_place_leads_nowhere(workbench: Command, workspace: Workspace, tmp_path: Path) -> None:
    session, file = planned(workspace), tmp_path / "PLAN.md"
    workbench("sessions", "export", session, "--format", "agents", "-o", "PLAN.md")
    file.rename(tmp_path / "other.md")
    file.symlink_to(tmp_path / "other.md")
    before = (tmp_path / "other.md").read_text()
    workspace.session(session).edit("S1 done")
    (told,) = PlanFiles(workspace).renew()
    assert "cannot be" in told
    assert (tmp_path / "other.md").read_text() == before
