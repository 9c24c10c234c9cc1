"""When a gate stands on the screen."""

from __future__ import annotations

import asyncio

import pytest
from tests.tui.acting import GOAL, RunApp, shown, until
from tests.tui.session_fixtures import HeldModel, begin, choose, gate, settled, use
from workbench.bootstrap import Workspace
from workbench.tui.session.driving import Driving


@pytest.fixture(autouse=True)
def held(workspace: Workspace) -> HeldModel:
    model = HeldModel()
    use(workspace, model)
    return model


@pytest.mark.full
async def test_a_gate_stands_only_once_it_can_be_answered(run_app: RunApp, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log tells of a gate before the step that opened it has ended: a key pressed then would do nothing."""
    may_rest = asyncio.Event()
    run = Driving.run

    async def run_and_linger(driving: Driving) -> None:
        await run(driving)
        await may_rest.wait()

    monkeypatch.setattr(Driving, "run", run_and_linger)
    async with run_app() as pilot:
        screen = await begin(pilot, GOAL)
        await until(pilot, lambda: screen.state is not None and screen.state.gate is not None)
        await settled(pilot)
        assert "Choose an approach" not in shown(pilot)
        may_rest.set()
        await gate(pilot, "approach")
        await choose(pilot)
        await gate(pilot, "checkpoint")
