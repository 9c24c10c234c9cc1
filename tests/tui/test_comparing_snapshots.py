"""How a comparison looks, reached by keys over the sample sessions; compared as pictures.

Renew them after a change that is meant, then look at each:
``pytest tests/tui/test_comparing_snapshots.py --snapshot-update``.
"""

from __future__ import annotations

import shutil
from typing import Any

import pytest
from tests.sample_sessions import FOLDER
from tests.tui.acting import USUAL, WIDE, Look, RunApp, Way, pressing, shown, until
from tests.tui.session_fixtures import calm
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.replay.comparing import Place
from workbench.tui.replay.compare import CompareScreen
from workbench.tui.session.looking_back import Side

BILLING, WEDDING = "move-billing-provider-demo", "organise-wedding-80-demo"


@pytest.fixture(autouse=True)
def demo(workspace: Workspace) -> None:
    """A workspace with two of the sample sessions."""
    for name in (BILLING, WEDDING):
        shutil.copy(FOLDER / f"{name}.jsonl", workspace.folder.sessions)


def comparing(workspace: Workspace, a: str, b: str, *keys: str, shows: str) -> Way:
    """Return the way to a comparison, and over these keys until words are seen."""

    async def go(pilot: Pilot[Any]) -> None:
        places = (Place.parse(a), Place.parse(b))
        pilot.app.compare(*(Side(place, workspace.session(place.session).events) for place in places))
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen) and pilot.app.screen._shown)
        await pressing(*keys, shows=shows)(pilot)

    return go


def test_two_versions(look: Look, workspace: Workspace) -> None:
    assert look(WIDE, comparing(workspace, f"{BILLING}@v1", f"{BILLING}@v3", "n", "n", shows="Tell the auditors"))


def test_two_contexts(look: Look, workspace: Workspace) -> None:
    assert look(USUAL, comparing(workspace, BILLING, WEDDING, "3", "n", shows="NOT SENT ANY MORE"))


def test_two_sessions(look: Look, workspace: Workspace) -> None:
    assert look(WIDE, comparing(workspace, BILLING, WEDDING, shows="share no event"))


def test_insights(look: Look, workspace: Workspace) -> None:
    assert look(USUAL, comparing(workspace, f"{BILLING}@v2", f"{BILLING}@v3", "2", shows="OPEN FINDINGS"))


async def test_numbers(run_app: RunApp, workspace: Workspace) -> None:
    async with run_app() as pilot:
        await comparing(workspace, f"{BILLING}@v2", f"{BILLING}@v3", "4", shows="time in calls")(pilot)


def test_choosing_two_versions(look: Look) -> None:
    async def go(pilot: Pilot[Any]) -> None:
        await calm(pilot)
        await pilot.press("ctrl+l", "v", "end", "enter", "up")
        await until(pilot, lambda: "compare v1 with it" in shown(pilot))

    assert look(USUAL, go, session=BILLING)
