"""Every view of a session at every width that the layout tells apart, as pictures."""

from __future__ import annotations

import asyncio

import pytest
from tests.tui.acting import Look, pressing, wait_at_checkpoint
from tests.tui.test_session_snapshots import then
from workbench.bootstrap import Workspace

WIDTHS = (60, 80, 100, 120, 160, 200)
VIEWS = {
    "plan": ("", "Plan v1"),
    "changes": ("2", "2 Changes"),
    "history": ("3", "3 History"),
    "context": ("4", "4 Context"),
    "shared": ("5", "this session"),
    "rounds": ("6", "6 Rounds"),
    "people": ("7", "never seen"),
}
"""The key of each view, and words that it shows."""
OPEN_FROM = 150
"""Columns from which the history stands open, so that its key would close it."""


@pytest.mark.cases(4)
@pytest.mark.parametrize("size", [(width, 36) for width in WIDTHS], ids=map(str, WIDTHS))
@pytest.mark.parametrize("view", VIEWS)
def test_a_view(look: Look, workspace: Workspace, view: str, size: tuple[int, int]) -> None:
    session = asyncio.run(wait_at_checkpoint(workspace, name="billing"))
    key, title = VIEWS[view]
    keys = () if view == "history" and size[0] >= OPEN_FROM else tuple(key)
    assert look(size, then(pressing("ctrl+l", *keys, shows=title)), session=session)
