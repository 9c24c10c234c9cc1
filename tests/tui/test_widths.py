"""Every view of a session at every width: no line leaves its pane, and nothing that a person wrote is lost by width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.tui.acting import RunApp, sees, wait_at_checkpoint
from tests.tui.session_fixtures import gate, screen_of
from workbench.bootstrap import Workspace
from workbench.domain.session.session import SessionState, fold
from workbench.storage.files.session_file import read_session_file
from workbench.tui.marks import Marks
from workbench.tui.session.painting import CHANGES, VIEWS, Painter, Picture, Sight

WIDTHS = (60, 80, 100, 120, 160, 200)
TITLES = {
    "2": "2 Findings",
    "4": "4 Context of",
    "5": "5 Shared context",
    "6": "6 Rounds,",
    "1": "1 Plan v1",
    "3": "3 History",
}
"""The key of each view, and words that it alone shows."""
SAMPLES = sorted((Path(__file__).parents[2] / "sessions").glob("*.jsonl"))


@pytest.fixture(scope="module")
def sessions() -> list[SessionState]:
    return [fold(read_session_file(sample)) for sample in SAMPLES]


def pictures(state: SessionState, width: int, views: Sequence[str] = VIEWS) -> list[Picture]:
    """Views as they are painted for a terminal of a width, with the panes that stand beside them there."""
    left = 0 if width < 100 else 22
    right = 44 if width >= 150 else 0
    painter = Painter()
    sights = [
        Sight(state=state, marks=Marks(), view=view, left=left * (2 if view == CHANGES else 1), right=right)
        for view in views
    ]
    return [
        painter.paint(Sight(**{**_fields(sight), "main": width - sight.left - sight.right - 8})) for sight in sights
    ]


def _fields(sight: Sight) -> dict[str, object]:
    return {name: getattr(sight, name) for name in sight.__slots__}


@pytest.mark.cases(3)
@pytest.mark.parametrize("width", WIDTHS)
def test_no_line_of_any_view_leaves_its_pane(sessions: list[SessionState], width: int) -> None:
    for state in sessions:
        for picture in pictures(state, width):
            sight = picture.sight
            panes = {
                "main": (picture.main, sight.main),
                "rounds": (picture.rounds, sight.left),
                "outline": (picture.outline, sight.left),
                "changes": (picture.changes, sight.left),
                "history": (picture.history, sight.right),
                "recalled": (picture.recalled, sight.right),
            }
            assert len(picture.main) > 0, (state.session, sight.view)
            for name, (sheet, room) in panes.items():
                widest = max((line.cell_length for row in sheet for line in row.lines), default=0)
                assert widest <= max(room, 1), (state.session, sight.view, name, widest, room)


@pytest.mark.parametrize("width", WIDTHS)
def test_the_plan_says_every_title_at_every_width(sessions: list[SessionState], width: int) -> None:
    for state in sessions:
        if state.plan is None:
            continue
        folded = pictures(state, width, VIEWS[:1])[0]
        sight = replace(folded.sight, opened=frozenset(row.key for row in folded.main))
        said = "".join(line.plain for row in Painter().paint(sight).main for line in row.lines)
        letters = "".join(said.split())
        assert [step.id for step in state.plan.steps if step.id not in said] == []
        longest = [max(step.title.split(), key=len) for step in state.plan.steps]
        assert [word for word in longest if len(word) < 20 and word not in letters] == []


async def test_the_keys_of_the_views_work_at_every_width(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace)
    async with run_app(session=session) as pilot:
        await gate(pilot, "checkpoint")
        screen = screen_of(pilot)
        for width in WIDTHS:
            await pilot.resize_terminal(width, 36)
            for key, title in TITLES.items():
                if key != "3" or not screen.has_drawer:
                    await pilot.press("ctrl+l", key)
                await sees(pilot, title)
            await sees(pilot, "^Y")
            assert screen.plan_pane.size.height >= 26 - 2 * (width < 100)
            assert screen.plan_pane.region.right <= width
