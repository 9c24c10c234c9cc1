"""How the screens look, reached by keys through the real core; compared as pictures.

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
    WIDE,
    Look,
    RunApp,
    finish,
    in_turn,
    open_palette,
    pressing,
    sees,
    shown,
    wait_at_gate,
)
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.settings import Settings

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


def test_first_run(look: Look) -> None:
    assert look(USUAL)


def test_a_goal_is_typed(look: Look) -> None:
    assert look(WIDE, pressing(*GOAL, shows="downtime"))


def test_help(look: Look) -> None:
    assert look(WIDE, pressing("f1", shows="Everywhere"))


def test_palette(look: Look) -> None:
    assert look(USUAL, open_palette)


def test_settings(look: Look) -> None:
    assert look(WIDE, pressing("f2", shows="asks you"))


def test_a_new_key_is_asked_for(look: Look) -> None:
    assert look(USUAL, in_turn(pressing("f2", shows="asks you"), pressing("end", "enter", shows="Press the new key")))


@pytest.mark.usefixtures("three_sessions")
def test_sessions(look: Look) -> None:
    assert look(WIDE, pressing("ctrl+s", shows="unreadable"))


@pytest.mark.usefixtures("three_sessions")
def test_a_session_about_to_be_deleted(look: Look) -> None:
    async def choose(pilot: Pilot[Any]) -> None:
        await pressing("ctrl+s", shows="unreadable")(pilot)
        await pressing("down", "down", "d", shows="moves it to the trash")(pilot)

    assert look(USUAL, choose)


@pytest.mark.usefixtures("three_sessions")
async def test_sessions_in_ascii(run_app: RunApp) -> None:
    async with run_app(size=USUAL, settings=Settings(marks="ascii")) as pilot:
        await pressing("ctrl+s", shows="unreadable")(pilot)
        await pilot.press("down")
        await sees(pilot, "> x hire-two-people-0003", "! Garden", "+ Billing", "+----", "|  Sessions")
        assert not set("╭│▸✕▲✔") & set(shown(pilot))
