"""What sessions share, as it is seen: reached by keys through the real core, compared as pictures.

a session at its checkpoint, opened ─▶ others change things through a manager of their own ─▶ keys ─▶ picture
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from itertools import count
from typing import Any

import pytest
from tests.sharing.managers import manager
from tests.tui.acting import USUAL, WIDE, Look, RunApp, Way, pressing, sees, until, wait_at_checkpoint
from tests.tui.session_fixtures import screen_of, then
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.domain.log.envelope import Turn
from workbench.domain.log.ids import SessionId
from workbench.domain.shared import events as say
from workbench.sharing.shared_context import STREAM, SharedContextManager
from workbench.tui.session.screen import SessionScreen
from workbench.tui.sharing.live import MOST_SHOWN

INFRA, PRICING = "infra-7k3p", "pricing-a1b2"


@pytest.fixture
def session(workspace: Workspace) -> str:
    return asyncio.run(wait_at_checkpoint(workspace, name="billing"))


@pytest.fixture
def others(workspace: Workspace) -> SharedContextManager:
    """The shared context as another process has it, with a clock of its own."""
    minutes = count(30)
    return manager(workspace.folder.shared_log(), now=lambda: f"2026-11-16T09:{next(minutes)}:00.000000Z")


def meanwhile(change: Callable[[], object]) -> Way:
    """Return the way on which others change something, until it is taken in, and the session has joined."""

    async def go(pilot: Pilot[Any]) -> None:
        await asyncio.to_thread(change)
        sharing = screen_of(pilot).workbench.sharing
        assert sharing is not None
        own = screen_of(pilot).session
        await until(pilot, lambda: own in {one.session_id for one in sharing.seen().present})
        head = screen_of(pilot).workbench.workspace.folder.shared_log().head(STREAM)
        await until(pilot, lambda: sharing.seen().seq == head.seq)

    return go


at_the_pane = pressing("f5")


def build_and_test(others: SharedContextManager) -> None:
    """Two sessions change values of every kind; nobody meets anybody."""
    others.update_context(INFRA, "phase", "build")
    others.update_context(INFRA, "phase", "test")
    others.update_context(PRICING, "files", ["api.py"])
    others.update_context(PRICING, "files", ["api.py", "db.py"])
    others.update_context(INFRA, "deploy", {"region": "eu-west", "owner": "Ada"})
    others.delete(INFRA, "deploy")


def test_others_change_things(look: Look, session: str, others: SharedContextManager) -> None:
    ways = (meanwhile(lambda: build_and_test(others)), at_the_pane, pressing("up"))
    assert look(WIDE, then(*ways), session=session)


def build_against_each_other(others: SharedContextManager) -> None:
    """Two sessions change a list, then a text, each without having seen the other's change."""
    others.update_context(INFRA, "files", ["api.py"])
    others.update_context(PRICING, "files", ["db.py"])
    others.update_context(INFRA, "phase", "test")
    others.update_context(PRICING, "phase", "deploy")


async def test_changes_are_merged(run_app: RunApp, session: str, others: SharedContextManager) -> None:
    async with run_app(session=session, size=USUAL) as pilot:
        await then(meanwhile(lambda: build_against_each_other(others)), at_the_pane)(pilot)
        await sees(pilot, '["api.py","db.py"]', "≠ ┊ phase  deploy", "test  overruled", "merged", "nothing lost")


def test_the_whole_of_a_change(look: Look, session: str, others: SharedContextManager) -> None:
    opened = pressing("enter", shows="what      merged")
    assert look(USUAL, then(meanwhile(lambda: build_against_each_other(others)), at_the_pane, opened), session=session)


@pytest.mark.full
async def test_an_undo_is_refused(run_app: RunApp, session: str, others: SharedContextManager) -> None:
    def join() -> None:
        others.subscribe(INFRA)

    async def crashed(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: len(screen_of(pilot).fleet._present) == 2)

    async with run_app(session=session) as pilot:
        await then(meanwhile(join), crashed, at_the_pane, pressing("u", shows="Refused"))(pilot)
        await sees(pilot, "changed no key")


async def test_a_burst_is_counted(run_app: RunApp, workspace: Workspace, session: str) -> None:
    def burst() -> None:
        log, turn = workspace.folder.shared_log(), Turn(session=SessionId(INFRA), person="ada", workspace="w")
        before = log.head(STREAM).seq
        changes = (
            say.KeySet(key="step", value=number, base_version=number - 1, version=number, rule="unchanged")
            for number in range(1, MOST_SHOWN + 1_205 - before)
        )
        drafts = [say.draft(one, turn, actor="person", time="2026-11-16T09:30:00.000000Z") for one in changes]
        log.append(STREAM, drafts, expected=before)

    async with run_app(session=session) as pilot:
        await then(meanwhile(burst), at_the_pane, pressing(shows="+1,204 not shown"))(pilot)


async def test_sharing_is_off(
    run_app: RunApp, workspace: Workspace, session: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    sources = {**workspace.settings.sources, "shared": "--shared"}
    monkeypatch.setattr(workspace.parts.models, "settings", replace(workspace.settings, shared="off", sources=sources))
    async with run_app(session=session, size=USUAL) as pilot:
        await then(at_the_pane)(pilot)
        await sees(pilot, "switched off by --shared", "No session takes part at the moment.")


# --- what sessions hold -----------------------------------------------------------------------------------------------


@pytest.fixture
def neighbours(workspace: Workspace, others: SharedContextManager) -> Any:
    """One session that works, and one whose process died; each has claimed something."""
    with ExitStack() as open_sessions:
        open_sessions.enter_context(workspace.folder.lives().live(INFRA))
        for session, files in ((INFRA, ["src/db.py"]), (PRICING, ["src/api.py", "prices.csv"])):
            others.subscribe(session)
            course = {"goal": session, "phase": "verifying", "iteration": 2}
            others.update_context(session, f"sessions/{session}", course)
            for file in files:
                others.claim(session, "file", file)
        others.claim(INFRA, "task", "move the invoices")
        yield others


@pytest.mark.usefixtures("neighbours")
def test_one_works_and_one_crashed(look: Look, session: str) -> None:
    async def crashed(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: len(screen_of(pilot).fleet._present) == 3)

    assert look(WIDE, then(crashed, at_the_pane), session=session)


@pytest.mark.usefixtures("neighbours")
def test_a_claim_is_refused(look: Look, session: str) -> None:
    async def claimed(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: len(screen_of(pilot).fleet._present) == 3)
        await pressing("f9", *"src/db.py", "enter", shows=f"{INFRA} has the file src/db.py")(pilot)

    assert look(USUAL, then(claimed), session=session)


def test_what_was_claimed_is_released(look: Look, session: str) -> None:
    async def claims(pilot: Pilot[Any]) -> None:
        await pressing("f9", *"db.py", "enter")(pilot)
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
        fleet = screen_of(pilot).fleet
        await until(pilot, lambda: any(one.assigned_files for one in fleet._present))

    ways = (claims, pressing("f10", shows="Release what"), pressing(shows="file  db.py"))
    assert look(USUAL, then(*ways), session=session)
