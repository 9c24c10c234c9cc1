"""How a comparison looks, reached by keys over the sample sessions; compared as pictures.

Renew them after a change that is meant, then look at each:
``pytest tests/tui/test_comparing_snapshots.py --snapshot-update``.
"""

from __future__ import annotations

import shutil
from typing import Any

import pytest
from tests.sample_sessions import FOLDER
from tests.tui.acting import USUAL, WIDE, Look, Way, at_both_sizes, pressing, shown, until
from tests.tui.session_fixtures import calm
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.replay.comparing import Place
from workbench.settings import Settings
from workbench.tui.comparing import Side
from workbench.tui.screens.compare import CompareScreen

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


@at_both_sizes
def test_two_versions(look: Look, workspace: Workspace, size: tuple[int, int]) -> None:
    assert look(size, comparing(workspace, f"{BILLING}@v1", f"{BILLING}@v3", "n", "n", shows="Tell the auditors"))


def test_two_versions_side_by_side_in_ascii(look: Look, workspace: Workspace) -> None:
    way = comparing(workspace, f"{BILLING}@v1", f"{BILLING}@v3", "n", "n", "n", shows="S10")
    assert look(WIDE, way, settings=Settings(marks="ascii", theme="paper"))


@at_both_sizes
def test_two_contexts(look: Look, workspace: Workspace, size: tuple[int, int]) -> None:
    assert look(size, comparing(workspace, BILLING, WEDDING, "3", "n", shows="NOT SENT ANY MORE"))


@at_both_sizes
def test_two_sessions(look: Look, workspace: Workspace, size: tuple[int, int]) -> None:
    assert look(size, comparing(workspace, BILLING, WEDDING, shows="share no event"))


@pytest.mark.parametrize(
    ("key", "words"), [("2", "OPEN FINDINGS"), ("4", "time in calls")], ids=["insights", "numbers"]
)
def test_other_views(look: Look, workspace: Workspace, key: str, words: str) -> None:
    assert look(USUAL, comparing(workspace, f"{BILLING}@v2", f"{BILLING}@v3", key, shows=words))


def test_nothing_differs(look: Look, workspace: Workspace) -> None:
    assert look(USUAL, comparing(workspace, BILLING, BILLING, shows="Nothing differs."))


@at_both_sizes
def test_choosing_two_versions(look: Look, size: tuple[int, int]) -> None:
    async def go(pilot: Pilot[Any]) -> None:
        await calm(pilot)
        await pilot.press("ctrl+l", "v", "end", "enter", "up")
        await until(pilot, lambda: "compare v1 with it" in shown(pilot))

    assert look(size, go, session=BILLING)


@pytest.mark.parametrize("size", [USUAL], ids=["80x24"])
def test_one_of_two_sessions_is_chosen(look: Look, size: tuple[int, int]) -> None:
    async def go(pilot: Pilot[Any]) -> None:
        await pressing("ctrl+s", shows=BILLING)(pilot)
        await pressing("down", "c", shows="compare with…")(pilot)

    assert look(size, go)
