"""Pictures of going another way: the dialog of a fork, the fork that asks, and a session that was rewound.

Renew them after a change that is meant: ``pytest tests/tui/test_forking_snapshots.py --snapshot-update``, then look at
each.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.tui.acting import USUAL, WIDE, Look, shown, until, wait_at_checkpoint
from tests.tui.session_fixtures import calm, gate, screen_of
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.tui.form import FormDialog
from workbench.tui.session.screen import SessionScreen


@pytest.fixture
def waiting(workspace: Workspace) -> str:
    return asyncio.run(wait_at_checkpoint(workspace, feedback=["Add a step: tell the auditors in May."]))


async def asked(pilot: Pilot[Any]) -> str:
    """Wait until the session's checkpoint stands on the screen; return its id."""
    await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
    return (await gate(pilot, "checkpoint")).id


def test_the_dialog(look: Look, waiting: str) -> None:
    async def go(pilot: Pilot[Any]) -> None:
        await asked(pilot)
        await calm(pilot)
        await pilot.press("f7")
        await until(pilot, lambda: isinstance(pilot.app.screen, FormDialog))

    assert look(USUAL, go, session=waiting)


def test_a_fork_asks(look: Look, waiting: str, workspace: Workspace) -> None:
    at = next(event.seq for event in workspace.session(waiting).events() if event.kind == "iteration.completed")
    fork = workspace.session(waiting).fork(at - 1).id

    async def go(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: "in the middle of its work" in shown(pilot))
        await pilot.press("ctrl+r")
        await asked(pilot)
        await calm(pilot)

    assert look(WIDE, go, session=fork)


def test_rewound(look: Look, waiting: str) -> None:
    async def go(pilot: Pilot[Any]) -> None:
        before = await asked(pilot)
        await pilot.press("alt+up")
        await gate(pilot, "checkpoint", other_than=before)
        await until(pilot, lambda: "Nothing is lost" in shown(pilot))
        screen_of(pilot).app.clear_notifications()
        await calm(pilot)

    assert look(USUAL, go, session=waiting)
