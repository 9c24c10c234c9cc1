"""The line on top says what fits, and first of all how far a session is."""

from __future__ import annotations

import pytest
from tests.tui.acting import GOAL, finish, wait_at_checkpoint, wait_at_gate
from workbench.bootstrap import Workspace
from workbench.tui.marks import Marks
from workbench.tui.views import top_line


@pytest.mark.parametrize("width", [60, 80, 99, 100, 120])
async def test_the_round_is_told_at_every_width(workspace: Workspace, width: int) -> None:
    state = workspace.session(await wait_at_checkpoint(workspace, GOAL)).state()
    line = top_line(state, 200_000, width, Marks()).plain
    assert f"round {len(state.iterations)} of " in line
    assert "of 200k" in line
    assert len(line) <= width
    assert ("━" in line, "changed" in line) == (width >= 100, width >= 100)


async def test_a_saved_plan_is_told_by_how_its_work_stands(workspace: Workspace) -> None:
    state = workspace.session(await finish(workspace, GOAL)).state()
    assert "agreed · plan v1 " in top_line(state, 200_000, 120, Marks()).plain


async def test_beside_a_badge_the_name_comes_before_the_round(workspace: Workspace) -> None:
    state = workspace.session(await finish(workspace, GOAL)).state()
    line = top_line(state, None, 60, Marks(), badge="REPLAY · read-only").plain
    assert "REPLAY · read-only  Move our" in line
    assert "round" not in line


async def test_before_the_first_round_the_meter_has_its_bar(workspace: Workspace) -> None:
    state = workspace.session(await wait_at_gate(workspace, GOAL)).state()
    line = top_line(state, 200_000, 80, Marks()).plain
    assert "round" not in line
    assert "━" in line
