"""What a person sees of a session that waits to be resumed."""

from __future__ import annotations

from typing import Any

from tests.tui.acting import GOAL, Look, at_both_sizes, shown, until
from tests.tui.session_fixtures import calm
from textual.pilot import Pilot
from workbench.bootstrap import Workspace


@at_both_sizes
def test_a_session_in_the_middle_of_its_work(look: Look, workspace: Workspace, size: tuple[int, int]) -> None:
    async def go(pilot: Pilot[Any]) -> None:
        await calm(pilot)
        await until(pilot, lambda: "in the middle of its work" in shown(pilot))

    assert look(size, go, session=workspace.start(GOAL, name="billing").session_id)
