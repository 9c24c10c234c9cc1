"""Every view of a session at every width that the layout tells apart, as pictures."""

from __future__ import annotations

import asyncio

import pytest
from tests.tui.acting import Look, pressing, wait_at_checkpoint
from tests.tui.test_session_snapshots import then
from workbench.bootstrap import Workspace

WIDTHS = (60, 80, 100, 120, 160, 200)
VIEWS = {"plan": (), "changes": "2", "history": "3", "context": "4", "shared": "5", "rounds": "6", "people": "7"}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("view", VIEWS)
def test_a_view(look: Look, workspace: Workspace, view: str, width: int) -> None:
    session = asyncio.run(wait_at_checkpoint(workspace, name="billing"))
    assert look((width, 36), then(pressing("ctrl+l", *VIEWS[view])), session=session)
