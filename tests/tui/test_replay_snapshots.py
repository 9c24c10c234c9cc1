"""How a replay looks, reached by keys; compared as pictures at two sizes.

Renew them after a change that is meant: ``pytest tests/tui/test_replay_snapshots.py --snapshot-update``, then look at
each.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.tui.acting import SMALL, USUAL, Look, Way, at_both_sizes, finish, shown, until
from tests.tui.replays import Hand, loaded, replay, shows_its_place, two_rounds
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.settings import Settings
from workbench.tui.screens.sessions import FoundSessions


@pytest.fixture
def saved(workspace: Workspace) -> str:
    return asyncio.run(finish(workspace))


@pytest.fixture
def damaged(workspace: Workspace, saved: str) -> str:
    """The same, with one line in its middle that is no record."""
    file = workspace.folder.sessions / f"{saved}.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:24], b"not a record\n", *lines[25:]]))
    return saved


def replaying(*keys: str, shows: str = "") -> Way:
    """Return the way into the replay of the only session, and over these keys."""

    async def go(pilot: Pilot[Any]) -> None:
        await pilot.press("ctrl+s")
        await until(pilot, lambda: len(pilot.app.screen.query_one(FoundSessions).rows) == 1)
        await pilot.press("down", "p")
        screen = await loaded(pilot)
        await pilot.press(*keys)
        if pilot.app.screen is screen:
            await shows_its_place(pilot)
        await until(pilot, lambda: shows in shown(pilot))

    return go


TO_GATE = ("end", "left", "left", "left")


@at_both_sizes
@pytest.mark.usefixtures("saved")
def test_at_its_beginning(look: Look, size: tuple[int, int]) -> None:
    assert look(size, replaying(shows="goal: "))


@at_both_sizes
@pytest.mark.usefixtures("saved")
def test_playing(look: Look, size: tuple[int, int], hand: Hand) -> None:
    async def go(pilot: Pilot[Any]) -> None:
        await replaying("right_square_bracket", "m", "right_square_bracket", "5", "space", shows="▸ 5×")(pilot)
        hand.now += 2.1
        await until(pilot, lambda: "event 44 of 63" in shown(pilot))
        await shows_its_place(pilot)

    assert look(size, go)


@at_both_sizes
@pytest.mark.usefixtures("saved")
def test_paused_at_a_gate(look: Look, size: tuple[int, int]) -> None:
    assert look(size, replaying(*TO_GATE, shows="It could be answered with"))


@at_both_sizes
@pytest.mark.usefixtures("damaged")
def test_damaged(look: Look, size: tuple[int, int]) -> None:
    assert look(size, replaying("end", shows="goes on behind it"))


@pytest.mark.usefixtures("saved")
def test_at_its_end_at_the_smallest_size(look: Look) -> None:
    assert look(SMALL, replaying("end", shows="finished"))


@pytest.mark.full
@pytest.mark.usefixtures("saved")
def test_in_ascii(look: Look) -> None:
    assert look(USUAL, replaying("right_square_bracket", "m", "right", shows="v"), settings=Settings(marks="ascii"))


@pytest.mark.usefixtures("saved")
def test_without_colour(look: Look, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert look(USUAL, replaying("right_square_bracket", "m", "right", "right"))


@pytest.mark.full
@pytest.mark.usefixtures("saved")
def test_in_daylight(look: Look) -> None:
    assert look((120, 36), replaying("right_square_bracket", "m", "right"), settings=Settings(theme="daylight"))


@pytest.mark.full
@pytest.mark.usefixtures("saved")
def test_going_to_a_place(look: Look) -> None:
    assert look(USUAL, replaying("g", *"99", "enter", shows="There is no event 99."))


@pytest.mark.full
@pytest.mark.usefixtures("saved")
def test_help_over_a_replay(look: Look) -> None:
    assert look((120, 36), replaying("f1", shows="This replay"))


@at_both_sizes
def test_with_what_others_shared(look: Look, size: tuple[int, int]) -> None:
    async def go(pilot: Pilot[Any]) -> None:
        await replay(pilot, two_rounds())
        await pilot.press("end", *(() if size[0] >= 100 else ("ctrl+l", "5")))
        await shows_its_place(pilot)
        await until(pilot, lambda: "31 July" in shown(pilot))

    assert look(size, go)
