"""How a session's screen looks, reached by keys through the real core; compared as pictures.

    prepared through the core (three lines of a fixture) ─▶ opened ─▶ the last steps by keys ─▶ calm ─▶ picture

Renew them after a change that is meant: ``pytest tests/tui/test_session_snapshots.py --snapshot-update``, then look at
each.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.builders import Script
from tests.offline import MOVE
from tests.tui.acting import (
    GOAL,
    ROOMY,
    SMALL,
    USUAL,
    WIDE,
    Look,
    RunApp,
    Way,
    finish,
    in_turn,
    pressing,
    sees,
    shown,
    until,
    wait_at_checkpoint,
    wait_at_gate,
)
from tests.tui.session_fixtures import (
    PIECE,
    HeldModel,
    asking,
    begin,
    calm,
    choose,
    cut_off,
    gate,
    review,
    screen_of,
    then,
    use,
    write,
)
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.domain.errors import ModelUnreachable
from workbench.domain.loop.tasks import PlanTask
from workbench.domain.session.events import Bounds
from workbench.models.ports import Request
from workbench.models.scripted import CallableModel
from workbench.settings import Settings
from workbench.templates.catalogue import Catalogue
from workbench.templates.model import answer
from workbench.tui.session.screen import SessionScreen

NINE = 1_794_819_600
"""16 November 2026, 9:00 UTC."""
FENCE = "Paint the fence by May 2029"
AUDITORS = ("Tell the auditors in May", "Tell the bank in June")
"""What a person says at the first two checkpoints."""
SUPPORT = "Hire two people for support by June 2029"


def guided_reply(request: Request) -> str:
    """Say what the offline planner says, as a model that a test can hold."""
    task = request.task
    if isinstance(task, PlanTask) and (task.approach is None or not task.approach.template):
        task = replace(task, begin=MOVE)
    return msgspec.json.encode(answer(task, Catalogue())).decode()


def reviewing(*keys: str) -> Way:
    return lambda pilot: review(pilot, *keys)


def writing(words: str) -> Way:
    return lambda pilot: write(pilot, words)


@pytest.fixture
def at_approaches(workspace: Workspace) -> str:
    return asyncio.run(wait_at_gate(workspace, name="billing"))


@pytest.fixture
def at_checkpoint(workspace: Workspace) -> str:
    return asyncio.run(wait_at_checkpoint(workspace, name="billing"))


@pytest.fixture
def finished(workspace: Workspace) -> str:
    return asyncio.run(finish(workspace, name="billing"))


@pytest.fixture
def held(workspace: Workspace) -> HeldModel:
    """The offline planner behind a model that a test can hold."""
    model = HeldModel(guided_reply)
    use(workspace, model)
    return model


@pytest.fixture
def seven_seconds(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """The clock of the screen stands still, until it is told that seven seconds have gone by."""
    now = [0.0]
    monkeypatch.setattr(SessionScreen, "clock", lambda _screen: now[0])

    def gone() -> None:
        now[0] += 7

    return gone


# --- before there is a plan -------------------------------------------------------------------------------------------


def test_the_first_question(look: Look, workspace: Workspace) -> None:
    use(workspace, CallableModel(asking("What may it cost?", "Who decides?"), name="told"))

    async def go(pilot: Pilot[Any]) -> None:
        await begin(pilot, GOAL)
        await gate(pilot, "question")
        await calm(pilot)

    assert look(USUAL, go)


def test_approaches_in_focus(look: Look, at_approaches: str) -> None:
    assert look(USUAL, then(reviewing()), session=at_approaches)


def test_a_card_is_chosen(look: Look, at_approaches: str) -> None:
    assert look(
        WIDE,
        then(in_turn(reviewing("up"), pressing("down", shows="▸ 2"))),
        session=at_approaches,
    )


def test_a_goal_in_another_script(look: Look, workspace: Workspace) -> None:
    goal = "課金システムを2028年6月30日までに新しい決済事業者へ停止なしで移行する"
    session = asyncio.run(wait_at_checkpoint(workspace, goal, name="課金システムの移行"))
    assert look(USUAL, then(), session=session)


def test_it_waits_in_the_middle_of_its_work(look: Look, workspace: Workspace) -> None:
    session = workspace.start(GOAL, name="billing").session_id
    assert look(USUAL, then(pressing(shows="in the middle of its work")), session=session)


# --- what runs --------------------------------------------------------------------------------------------------------


def planner_streams(held: HeldModel, seven_seconds: Callable[[], None]) -> Way:
    """Return the way to a planner that has written some sections, seven seconds after it was asked."""

    async def go(pilot: Pilot[Any]) -> None:
        held.hold("plan", after=8)
        await choose(pilot)
        screen = screen_of(pilot)
        await until(pilot, lambda: len(screen.drive.driving.driver.partial) == 8 * PIECE)
        seven_seconds()
        await until(pilot, lambda: "7 s" in shown(pilot) or screen.is_narrow)

    return go


def test_the_planner_writes(look: Look, held: HeldModel, seven_seconds: Callable[[], None], at_approaches: str) -> None:
    assert look(WIDE, then(planner_streams(held, seven_seconds)), session=at_approaches)


def test_interrupted(look: Look, held: HeldModel, seven_seconds: Callable[[], None], at_approaches: str) -> None:
    interrupted = pressing("escape", shows="Stopped: interrupted by you.")
    assert look(USUAL, then(planner_streams(held, seven_seconds), interrupted), session=at_approaches)


# --- gates ------------------------------------------------------------------------------------------------------------


def test_a_checkpoint(look: Look, at_checkpoint: str) -> None:
    assert look(WIDE, then(), session=at_checkpoint)


@pytest.mark.parametrize("size", [SMALL, USUAL], ids=["60x18", "80x24"])
def test_a_checkpoint_in_focus(look: Look, at_checkpoint: str, size: tuple[int, int]) -> None:
    assert look(size, then(reviewing()), session=at_checkpoint)


def test_a_bound_is_reached(look: Look, workspace: Workspace) -> None:
    session = asyncio.run(_at_a_bound(workspace))
    assert look(USUAL, then(reviewing()), session=session)


async def _at_a_bound(workspace: Workspace) -> str:
    session = await wait_at_gate(workspace, name="billing")
    manager = workspace.session(session).resume()
    await manager.set_bounds(Bounds(max_tokens=6000))
    return await wait_at_checkpoint(workspace, session=session)


# --- notes ------------------------------------------------------------------------------------------------------------


def noting(said: str, *, down: int) -> Way:
    """Return the way on which a note is written on a row of the plan."""

    async def go(pilot: Pilot[Any]) -> None:
        await pressing("ctrl+l", "home", *["down"] * down, "m", shows="Note on")(pilot)
        await write(pilot, said)
        await pilot.press("enter")
        await until(pilot, lambda: "Note on" not in shown(pilot))

    return go


def test_notes_are_collected(look: Look, at_checkpoint: str) -> None:
    ways = (noting("too vague", down=2), noting("which ledger does this mean?", down=3), pressing("ctrl+l"))
    assert look(WIDE, then(*ways), session=at_checkpoint)


# --- views ------------------------------------------------------------------------------------------------------------


def test_the_difference(look: Look, workspace: Workspace) -> None:
    use(workspace, CallableModel(Script(), name="told"))
    session = asyncio.run(wait_at_checkpoint(workspace, name="billing", feedback=AUDITORS[:1]))
    assert look(WIDE, then(pressing("ctrl+l", "2", shows="Changes v1 → v2")), session=session)


@pytest.mark.full
async def test_the_difference_of_older_versions(run_app: RunApp, workspace: Workspace) -> None:
    use(workspace, CallableModel(Script(), name="told"))
    session = await wait_at_checkpoint(workspace, name="billing", feedback=AUDITORS)
    async with run_app(session=session) as pilot:
        await then(pressing("ctrl+l", "2", "left_square_bracket", shows="Changes v1 → v2"))(pilot)


def test_the_transcript(look: Look, finished: str) -> None:
    assert look(WIDE, then(pressing("ctrl+l", "t", shows="Transcript"), pressing("home")), session=finished)


@pytest.mark.parametrize(
    ("view", "words"),
    [("6", "Entities"), ("3", "THIS SESSION")],
    ids=["rounds", "history"],
)
def test_what_stands_beside_the_plan_is_a_view_where_it_is_narrow(
    look: Look, finished: str, view: str, words: str
) -> None:
    assert look(USUAL, then(pressing("ctrl+l", view, shows=words)), session=finished)


async def test_folded_columns(run_app: RunApp, at_checkpoint: str) -> None:
    async with run_app(session=at_checkpoint) as pilot:
        await then(pressing(shows="Plan v1"))(pilot)
        assert "OUTLINE" not in shown(pilot)
        await then(pressing("ctrl+b", shows="OUTLINE"), pressing("ctrl+b"))(pilot)
        assert "OUTLINE" not in shown(pilot)


async def test_help_at_a_gate(run_app: RunApp, at_checkpoint: str) -> None:
    async with run_app(session=at_checkpoint) as pilot:
        await then(reviewing("f1"))(pilot)
        await sees(pilot, "The open question", "Save this plan and end the session", "This session")


# --- ends -------------------------------------------------------------------------------------------------------------


def test_a_session_that_is_saved(look: Look, finished: str) -> None:
    assert look(WIDE, then(), session=finished)


def test_a_session_that_ended_without_a_plan(look: Look, at_approaches: str) -> None:
    ways = (reviewing("r"), writing("All of these are too slow"), pressing("enter", shows="Ended without a plan"))
    assert look(USUAL, then(*ways), session=at_approaches)


# --- what goes wrong --------------------------------------------------------------------------------------------------


class AlwaysDown:
    """A provider that is never reached."""

    def __call__(self, _request: Request) -> str:
        raise ModelUnreachable("The provider could not be reached: connection refused.", "Check the network.")


def test_a_provider_fails(look: Look, workspace: Workspace, at_approaches: str) -> None:
    use(workspace, CallableModel(AlwaysDown(), name="told"))

    async def fails(pilot: Pilot[Any]) -> None:
        await choose(pilot)
        await until(pilot, lambda: "connection refused" in shown(pilot))

    assert look(USUAL, then(fails), session=at_approaches)


async def test_a_provider_fails_again(run_app: RunApp, workspace: Workspace, at_approaches: str) -> None:
    use(workspace, CallableModel(AlwaysDown(), name="told"))
    async with run_app(session=at_approaches) as pilot:
        await then(choose, pressing(shows="connection refused"))(pilot)
        await then(pressing("ctrl+r", shows="× 2"))(pilot)
        await sees(pilot, "for the second time", "Kept: the chosen approach.")


def test_another_process_drives_it(
    look: Look, workspace: Workspace, at_approaches: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.storage.files.locks._length_of_self", lambda: 1 + (NINE << 22 | 4242))
    manager = workspace.session(at_approaches).resume()
    with manager.driving():
        assert look(USUAL, then(choose, pressing(shows="is driven by")), session=at_approaches)


# --- several sessions -------------------------------------------------------------------------------------------------


@pytest.fixture
def fleet(workspace: Workspace, tmp_path: Path) -> str:
    """Sessions of every kind: two that ask, one whose process crashed, one that is saved, one whose file is damaged."""
    asyncio.run(finish(workspace, "Move the office to Lyon by 1 May 2029", name="office"))
    crashed = workspace.start(SUPPORT, name="hiring").session_id
    cut_off(workspace, crashed)
    asyncio.run(wait_at_gate(workspace, FENCE, name="A fence that is painted, repaired and kept for ten years"))
    damaged = tmp_path / ".workbench" / "sessions" / f"{asyncio.run(wait_at_gate(workspace, FENCE))}.jsonl"
    lines = damaged.read_bytes().splitlines(keepends=True)
    damaged.write_bytes(b"".join([*lines[:2], b"not a record\n", *lines[3:]]))
    os.utime(damaged, (NINE, NINE))
    return asyncio.run(wait_at_checkpoint(workspace, name="billing"))


@pytest.mark.usefixtures("fleet")
def test_the_list_of_sessions_over_a_session(look: Look, fleet: str) -> None:
    assert look(WIDE, then(in_turn(pressing("ctrl+s", shows="unreadable"), pressing("down"))), session=fleet)


def test_a_session_whose_process_is_gone(look: Look, workspace: Workspace) -> None:
    session = workspace.start(SUPPORT, name="hiring").session_id
    cut_off(workspace, session)
    assert look(USUAL, then(), session=session)


def test_long_names(look: Look, workspace: Workspace) -> None:
    name = "Move our billing, with every invoice, discount and tax rule there is, to the new provider by 30 June 2028"
    session = asyncio.run(wait_at_checkpoint(workspace, f"{name} without downtime", name=name))
    assert look(WIDE, then(), session=session)


def test_the_sample(look: Look) -> None:
    async def go(pilot: Pilot[Any]) -> None:
        await pressing("ctrl+o", shows="SAMPLE")(pilot)
        await calm(pilot)

    assert look(ROOMY, go)


# --- colours and marks ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", ["contrast", "daylight", "dusk", "forest", "paper"])
def test_in_each_theme(look: Look, fleet: str, theme: str) -> None:
    assert look(WIDE, then(reviewing()), session=fleet, settings=Settings(theme=theme))


def test_in_ascii(look: Look, fleet: str) -> None:
    assert look(WIDE, then(reviewing()), session=fleet, settings=Settings(marks="ascii"))


def test_without_colour(look: Look, fleet: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert look(USUAL, then(reviewing()), session=fleet)
