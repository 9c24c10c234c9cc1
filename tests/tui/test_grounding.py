"""What a plan rests on, on the screen: research under way, a step's sources, and whether rounds made it better."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.builders import STEPS, UNDATED_DRAFT, Script, plan_reply, until_checkpoint, verify_reply
from tests.tui.acting import GOAL, WIDE, Look, RunApp, sees, shown, until
from tests.tui.session_fixtures import begin, screen_of, use
from tests.tui.test_session_snapshots import then
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.bootstrap.parts import Parts
from workbench.domain.loop.asking.tasks import Finding
from workbench.models.scripted import CallableModel
from workbench.planning.sources.project_files import ProjectFiles
from workbench.planning.sources.research import Researcher


class HeldFiles(ProjectFiles):
    """The files of a project, which are searched when a test lets them be."""

    let_go = threading.Event()

    def searched(self) -> Iterator[Any]:
        """Wait, and search."""
        assert self.let_go.wait(60)
        return super().searched()


@pytest.fixture
def project(workspace: Workspace) -> Path:
    """The folder of the workspace, with a file that has something on the goal."""
    folder = workspace.folder.root.parent
    (folder / "billing.md").write_text("# Billing\n\nMove our billing to the new provider without downtime.\n")
    return folder


@pytest.fixture
def held_research(project: Path, monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Research is allowed, and stands still until this is set."""
    let_go = threading.Event()
    monkeypatch.setattr(HeldFiles, "let_go", let_go)
    monkeypatch.setattr(Parts, "research", Researcher(HeldFiles(project)))
    return let_go


@pytest.fixture
def grounded(workspace: Workspace, project: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A session whose first step cites a file, and whose second round brought a major finding."""
    monkeypatch.setattr(Parts, "research", Researcher(ProjectFiles(project)))
    steps = replace(STEPS, items=(replace(STEPS.items[0], check="As billing.md:3 says"), *STEPS.items[1:]))
    fine = verify_reply(Finding(rule="model", severity="minor", text="A word is missing."))
    worse = verify_reply(Finding(rule="model", severity="major", text="The plan contradicts itself."))
    script = Script().then("plan", plan_reply(*UNDATED_DRAFT[:2], steps, title="Move billing"))
    use(workspace, CallableModel(script.then("verify", fine, worse), name="told"))
    manager = workspace.start(GOAL, name="billing")
    asyncio.run(manager.run(until_checkpoint))
    return str(manager.session_id)


async def why_the_first_step(pilot: Pilot[Any]) -> None:
    """Ask why the first step is as it is."""
    await pilot.press("ctrl+l")
    pane = screen_of(pilot).plan_pane
    pane.cursor = next(at for at, row in enumerate(pane.rows) if "S1 " in str(row.lines[0]) and row.key)
    await pilot.press("w")
    await until(pilot, lambda: "its sources" in shown(pilot))


async def test_research_under_way(run_app: RunApp, held_research: threading.Event) -> None:
    async with run_app() as pilot:
        await begin(pilot, GOAL)
        await sees(pilot, "What is not known yet is looked up")
        held_research.set()


def test_the_sources_of_a_step(look: Look, grounded: str) -> None:
    assert look(WIDE, then(why_the_first_step), session=grounded)
