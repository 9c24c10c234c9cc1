"""How the screens look, reached by keys through the real core; compared as pictures at two sizes.

Renew them after a change that is meant: ``pytest tests/tui/test_snapshots.py --snapshot-update``, then look at each.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest
from tests.tui.acting import (
    GOAL,
    USUAL,
    Look,
    at_both_sizes,
    finish,
    in_turn,
    open_palette,
    pressing,
    shown,
    until,
    wait_at_gate,
)
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.settings import Settings
from workbench.tui.screens.help import HelpScreen
from workbench.tui.screens.sessions import SessionsScreen

NOON = 1_794_830_400
"""16 November 2026, 12:00 UTC: when the damaged file was last written."""


@pytest.fixture
def three_sessions(workspace: Workspace, tmp_path: Path) -> None:
    """One that is saved, one that asks, one whose file is damaged."""
    asyncio.run(finish(workspace, name="Billing"))
    asyncio.run(wait_at_gate(workspace, "Paint the fence by May 2029", name="Garden"))
    damaged = asyncio.run(wait_at_gate(workspace, "Hire two people for support by June 2029", name="Hiring"))
    file = tmp_path / ".workbench" / "sessions" / f"{damaged}.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:2], b"not a record\n", *lines[3:]]))
    os.utime(file, (NOON, NOON))


@at_both_sizes
def test_first_run(look: Look, size: tuple[int, int]) -> None:
    assert look(size)


def test_first_run_at_the_smallest_size(look: Look) -> None:
    assert look((60, 18))


@at_both_sizes
def test_a_goal_is_typed(look: Look, size: tuple[int, int]) -> None:
    assert look(size, pressing(*GOAL, shows="downtime"))


@at_both_sizes
def test_a_goal_that_cannot_be_planned(look: Look, size: tuple[int, int]) -> None:
    assert look(size, pressing("full_stop", "enter", shows="The goal is empty."))


@at_both_sizes
def test_help(look: Look, size: tuple[int, int]) -> None:
    assert look(size, pressing("f1", shows="Everywhere"))


@at_both_sizes
def test_palette(look: Look, size: tuple[int, int]) -> None:
    assert look(size, open_palette)


@at_both_sizes
def test_settings(look: Look, size: tuple[int, int]) -> None:
    assert look(size, pressing("f2", shows="asks you"))


def test_a_new_key_is_asked_for(look: Look) -> None:
    assert look(USUAL, in_turn(pressing("f2", shows="asks you"), pressing("end", "enter", shows="Press the new key")))


@at_both_sizes
def test_no_sessions(look: Look, size: tuple[int, int]) -> None:
    assert look(size, pressing("ctrl+s", shows="There are no sessions yet"))


@at_both_sizes
@pytest.mark.usefixtures("three_sessions")
def test_sessions(look: Look, size: tuple[int, int]) -> None:
    assert look(size, pressing("ctrl+s", shows="unreadable"))


@pytest.mark.usefixtures("three_sessions")
def test_sessions_found_roughly(look: Look) -> None:
    async def search(pilot: Pilot[Any]) -> None:
        await pressing("ctrl+s", shows="unreadable")(pilot)
        await pilot.press(*"gardn")
        await until(pilot, lambda: "Billing" not in shown(pilot))

    assert look(USUAL, search)


@pytest.mark.usefixtures("three_sessions")
def test_a_session_about_to_be_deleted(look: Look) -> None:
    async def choose(pilot: Pilot[Any]) -> None:
        await pressing("ctrl+s", shows="unreadable")(pilot)
        await pressing("down", "down", "d", shows="moves it to the trash")(pilot)

    assert look(USUAL, choose)


@pytest.mark.usefixtures("three_sessions")
def test_help_over_sessions(look: Look) -> None:
    async def choose(pilot: Pilot[Any]) -> None:
        await pressing("ctrl+s", shows="unreadable")(pilot)
        await pilot.press("down", "question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))

    assert look(USUAL, choose)


@pytest.mark.cases(2)
@pytest.mark.parametrize("theme", ["contrast", "daylight", "dusk", "forest", "paper"])
@pytest.mark.usefixtures("three_sessions")
def test_sessions_in_each_theme(look: Look, theme: str) -> None:
    async def go(pilot: Pilot[Any]) -> None:
        await pressing("ctrl+s", shows="unreadable")(pilot)
        await pilot.press("down")
        assert isinstance(pilot.app.screen, SessionsScreen)

    assert look(USUAL, go, settings=Settings(theme=theme))


@pytest.mark.usefixtures("three_sessions")
def test_sessions_in_ascii(look: Look) -> None:
    assert look(
        USUAL, in_turn(pressing("ctrl+s", shows="unreadable"), pressing("down")), settings=Settings(marks="ascii")
    )


@pytest.mark.usefixtures("three_sessions")
def test_sessions_without_colour(look: Look, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert look(USUAL, in_turn(pressing("ctrl+s", shows="unreadable"), pressing("down")))


def test_too_small(look: Look) -> None:
    assert look((50, 12), pressing(shows="needs 60"))
