"""View 7: who sees what, counted from the log, and what the audit came to."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest
from tests.builders import Script, created, told
from tests.tui.acting import RunApp, sees, shown, until, wait_at_checkpoint
from tests.tui.hostile import IN_A_FILE, unsafe, unseen
from tests.tui.session_fixtures import use
from workbench.bootstrap import Workspace
from workbench.domain.loop.agents import ROLES, Agent, new_agent
from workbench.domain.session import events as say
from workbench.models.scripted import CallableModel
from workbench.planning.memory.remembering import Said
from workbench.tui.marks import Marks
from workbench.tui.session.records.isolation import Cell, Matrix, audit_rows, matrix_of, matrix_rows

KAHNEMAN, NZIA = new_agent("kahneman", "You know biases."), new_agent("nzia_policy", "You know policies.")


def cells(matrix: Matrix, row: str) -> dict[str, Cell]:
    return dict(zip(matrix.agents, dict(matrix.rows)[row], strict=True))


def events_of(workspace: Workspace, session: str) -> Matrix:
    return matrix_of(workspace.session(session).events())


@pytest.fixture
async def session(workspace: Workspace) -> str:
    """A session with two agents, one of whom was talked to, and another session that is quoted."""
    other = workspace.start("Review what our billing costs", name="pricing").session_id
    workspace.session(other).remember([Said("Moving billing to a new provider without downtime took us nine days")])
    named = await wait_at_checkpoint(workspace)
    use(workspace, CallableModel(Script().then("chat", "Losses.", "Losses!"), name="told"))
    manager = workspace.session(named).resume()
    for agent in (KAHNEMAN, NZIA):
        manager.add_agent(agent)
    said = [Said("A policy", role="assistant", agent="nzia-policy"), Said("Who said it?", "assistant")]
    workspace.session(named).remember(said)
    await manager.ask("kahneman", "What do I overlook?")
    return named


async def test_each_agent_sees_what_people_said_artefacts_and_its_own_replies(
    workspace: Workspace, session: str
) -> None:
    matrix = events_of(workspace, session)
    assert matrix.agents == (*ROLES, "kahneman", "nzia_policy")
    for agent, cell in cells(matrix, "you").items():
        assert (cell.kind, cell.seen) == ("sees", 3), "the goal, what the plan begins with, and what an agent was told"
        assert cell.sent == {"nzia_policy": None, "kahneman": 3}.get(agent, 2)
    own = {
        name: {agent: cell.seen for agent, cell in cells(matrix, name).items()} for name in ("kahneman", "nzia_policy")
    }
    assert own["kahneman"] == dict.fromkeys(matrix.agents, 0) | {"kahneman": 1}
    assert own["nzia_policy"] == dict.fromkeys(matrix.agents, 0) | {"nzia_policy": 1}
    assert {cell.kind for cell in cells(matrix, "nobody known").values()} == {"never"}
    artefacts = cells(matrix, "artefacts")
    assert len({cell.seen for cell in artefacts.values()}) == 1
    assert artefacts["planner"].kind == "inputs"
    assert artefacts["planner"].seen > 5


def test_hostile_names_reach_no_line() -> None:
    agent = Agent(id="a", name=IN_A_FILE.text, instructions="x")
    matrix = matrix_of(told(created(), say.AgentAdded(agent=agent)))
    rows = matrix_rows(matrix, 4000, Marks())
    violated = SimpleNamespace(rule=IN_A_FILE.text, event=IN_A_FILE.text, detail=IN_A_FILE.text)
    result = SimpleNamespace(ok=False, violations=[violated], calls=1)
    rows += audit_rows(result, "", "", 80, Marks())
    rows += audit_rows(None, "", IN_A_FILE.text, 80, Marks())
    lines = [line for row in rows for line in row.lines]
    assert [found for line in lines for found in unsafe(line.plain)] == []
    assert unseen(IN_A_FILE, "\n".join(line.plain for line in lines)) == []


@dataclass
class Result:
    ok: bool
    calls: int
    violations: tuple[Any, ...] = ()


async def test_the_screen_says_how_far_it_is_and_breaks_its_columns(
    run_app: RunApp, session: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = threading.Event()

    def slow(*_arguments: object) -> Result:
        go.wait(60)
        return Result(ok=True, calls=9)

    monkeypatch.setattr("workbench.tui.session.view.audited", slow)
    async with run_app(session=session, size=(80, 48)) as pilot:
        await until(pilot, lambda: "Plan v1" in shown(pilot))
        await pilot.press("ctrl+l", "7")
        await until(pilot, lambda: "being audited" in shown(pilot))
        await sees(pilot, "kahneman")

        heads = [line for line in shown(pilot).split("\n") if "said by" in line]
        assert [("planner" in head, "nzia" in head) for head in heads] == [(True, False), (False, True)]
        go.set()
        await until(pilot, lambda: "held only what they may" in shown(pilot))
        await pilot.press("escape")
        await until(pilot, lambda: "1 Plan v1" in shown(pilot))
