"""How a replay looks, reached by keys; compared as pictures.

Renew them after a change that is meant: ``pytest tests/tui/test_replay_snapshots.py --snapshot-update``, then look at
each.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.tui.acting import USUAL, WIDE, Look, Way, finish, shown, until
from tests.tui.replays import Hand, loaded, replay, shows_its_place, two_rounds
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.tui.home.sessions import FoundSessions


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


@pytest.mark.usefixtures("saved")
def test_playing(look: Look, hand: Hand) -> None:
    async def go(pilot: Pilot[Any]) -> None:
        await replaying("right_square_bracket", "m", "right_square_bracket", "5", "space", shows="▸ 5×")(pilot)
        hand.now += 2.1
        await until(pilot, lambda: "event 16 of 35" in shown(pilot))
        await shows_its_place(pilot)

    assert look(WIDE, go)


@pytest.mark.usefixtures("saved")
def test_paused_at_a_gate(look: Look) -> None:
    assert look(USUAL, replaying(*TO_GATE, shows="It could be answered with"))


@pytest.mark.usefixtures("damaged")
def test_damaged(look: Look) -> None:
    assert look(USUAL, replaying("end", shows="goes on behind it"))


@pytest.mark.usefixtures("saved")
def test_going_to_a_place(look: Look) -> None:
    assert look(USUAL, replaying("g", *"99", "enter", shows="There is no event 99."))


def test_with_what_others_shared(look: Look) -> None:
    async def go(pilot: Pilot[Any]) -> None:
        await replay(pilot, two_rounds())
        await pilot.press("end", "ctrl+b")
        await shows_its_place(pilot)
        await until(pilot, lambda: "31 July" in shown(pilot))

    assert look(WIDE, go)
