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
from tests.tui.acting import (
    GOAL,
    SMALL,
    USUAL,
    WIDE,
    Look,
    Way,
    at_both_sizes,
    finish,
    in_turn,
    open_palette,
    pressing,
    shown,
    until,
    wait_at_checkpoint,
    wait_at_gate,
)
from tests.tui.session_fixtures import (
    HeldModel,
    begin,
    calm,
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
from workbench.domain.session.events import Bounds
from workbench.guided.model import answer
from workbench.models.ports import Request
from workbench.models.scripted import CallableModel
from workbench.settings import Settings
from workbench.tui.screens.help import HelpScreen
from workbench.tui.screens.session import SessionScreen

HUGE = (200, 60)
NINE = 1_794_819_600
"""16 November 2026, 9:00 UTC."""
FENCE = "Paint the fence by May 2029"
SUPPORT = "Hire two people for support by June 2029"


def guided_reply(request: Request) -> str:
    """Say what the offline planner says, as a model that a test can hold."""
    return msgspec.json.encode(answer(request.task)).decode()


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


@at_both_sizes
def test_the_first_question(look: Look, size: tuple[int, int]) -> None:
    async def go(pilot: Pilot[Any]) -> None:
        await begin(pilot, GOAL)
        await gate(pilot, "question")
        await calm(pilot)

    assert look(size, go)


@at_both_sizes
def test_approaches_to_choose_from(look: Look, at_approaches: str, size: tuple[int, int]) -> None:
    assert look(size, then(), session=at_approaches)


@at_both_sizes
def test_approaches_in_focus(look: Look, at_approaches: str, size: tuple[int, int]) -> None:
    assert look(size, then(reviewing()), session=at_approaches)


@at_both_sizes
def test_a_card_is_chosen(look: Look, at_approaches: str, size: tuple[int, int]) -> None:
    assert look(size, then(reviewing("up"), pressing("down")), session=at_approaches)


def test_a_reason_is_asked_for(look: Look, at_approaches: str) -> None:
    assert look(USUAL, then(reviewing("r"), writing("All of these are too slow")), session=at_approaches)


@at_both_sizes
def test_a_goal_in_another_script(look: Look, workspace: Workspace, size: tuple[int, int]) -> None:
    goal = "課金システムを2028年6月30日までに新しい決済事業者へ停止なしで移行する"
    session = asyncio.run(wait_at_checkpoint(workspace, goal, name="課金システムの移行"))
    assert look(size, then(), session=session)


# --- what runs --------------------------------------------------------------------------------------------------------


def planner_streams(held: HeldModel, seven_seconds: Callable[[], None]) -> Way:
    """Return the way to a planner that has written some sections, seven seconds after it was asked."""

    async def go(pilot: Pilot[Any]) -> None:
        held.hold("plan", after=20)
        await review(pilot, "1")
        screen = screen_of(pilot)
        await until(pilot, lambda: len(screen._driving.driver.partial) == 4000)
        seven_seconds()
        await until(pilot, lambda: "7 s" in shown(pilot) or screen.is_narrow)

    return go


@at_both_sizes
def test_the_planner_writes(
    look: Look, held: HeldModel, seven_seconds: Callable[[], None], at_approaches: str, size: tuple[int, int]
) -> None:
    assert look(size, then(planner_streams(held, seven_seconds)), session=at_approaches)


@pytest.mark.full
def test_what_the_planner_writes_in_the_transcript(
    look: Look, held: HeldModel, seven_seconds: Callable[[], None], at_approaches: str
) -> None:
    assert look(
        WIDE,
        then(planner_streams(held, seven_seconds), pressing("ctrl+l", "t", shows="4,000 characters")),
        session=at_approaches,
    )


@pytest.mark.full
@at_both_sizes
def test_a_draft_stands_while_a_gate_opens(
    look: Look, held: HeldModel, seven_seconds: Callable[[], None], at_approaches: str, size: tuple[int, int]
) -> None:
    async def opens(pilot: Pilot[Any]) -> None:
        held.release("plan")
        await gate(pilot, "checkpoint")

    ways = (planner_streams(held, seven_seconds), writing("Keep the budget by n 1"), opens)
    assert look(size, then(*ways), session=at_approaches)


@at_both_sizes
def test_interrupted(
    look: Look, held: HeldModel, seven_seconds: Callable[[], None], at_approaches: str, size: tuple[int, int]
) -> None:
    interrupted = pressing("escape", shows="Stopped: interrupted by you.")
    assert look(size, then(planner_streams(held, seven_seconds), interrupted), session=at_approaches)


# --- gates ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [SMALL, USUAL, WIDE], ids=["60x18", "80x24", "120x36"])
def test_a_checkpoint(look: Look, at_checkpoint: str, size: tuple[int, int]) -> None:
    assert look(size, then(), session=at_checkpoint)


@pytest.mark.parametrize("size", [SMALL, USUAL, WIDE, HUGE], ids=["60x18", "80x24", "120x36", "200x60"])
def test_a_checkpoint_in_focus(look: Look, at_checkpoint: str, size: tuple[int, int]) -> None:
    assert look(size, then(reviewing()), session=at_checkpoint)


@at_both_sizes
def test_a_bound_is_reached(look: Look, workspace: Workspace, size: tuple[int, int]) -> None:
    session = asyncio.run(_at_a_bound(workspace))
    assert look(size, then(reviewing()), session=session)


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


def test_a_note_is_written(look: Look, at_checkpoint: str) -> None:
    ways = (pressing("ctrl+l", "down", "down", "down", "m", shows="Note on"), writing("which ledger?"))
    assert look(USUAL, then(*ways), session=at_checkpoint)


@at_both_sizes
def test_notes_are_collected(look: Look, at_checkpoint: str, size: tuple[int, int]) -> None:
    ways = (noting("too vague", down=2), noting("which ledger does this mean?", down=3), pressing("ctrl+l"))
    assert look(size, then(*ways), session=at_checkpoint)


# --- views ------------------------------------------------------------------------------------------------------------


@at_both_sizes
def test_the_difference(look: Look, workspace: Workspace, size: tuple[int, int]) -> None:
    said = ["Add a step: tell the auditors in May"]
    session = asyncio.run(wait_at_checkpoint(workspace, name="billing", feedback=said))
    assert look(size, then(pressing("ctrl+l", "2", shows="Changes v1 → v2")), session=session)


@pytest.mark.full
def test_the_difference_of_older_versions(look: Look, workspace: Workspace) -> None:
    said = ["Add a step: tell the auditors in May", "Add a step: tell the bank in June"]
    session = asyncio.run(wait_at_checkpoint(workspace, name="billing", feedback=said))
    assert look(WIDE, then(pressing("ctrl+l", "2", "left_square_bracket", shows="Changes v1 → v2")), session=session)


@at_both_sizes
def test_the_transcript(look: Look, finished: str, size: tuple[int, int]) -> None:
    assert look(size, then(pressing("ctrl+l", "t", shows="Transcript"), pressing("home")), session=finished)


@pytest.mark.cases(1)
@pytest.mark.parametrize(("view", "words"), [("6", "Insights"), ("3", "THIS SESSION")], ids=["rounds", "history"])
def test_what_stands_beside_the_plan_is_a_view_where_it_is_narrow(
    look: Look, finished: str, view: str, words: str
) -> None:
    assert look(USUAL, then(pressing("ctrl+l", view, shows=words)), session=finished)


def test_folded_columns(look: Look, at_checkpoint: str) -> None:
    assert look(WIDE, then(pressing("ctrl+b")), session=at_checkpoint)


def test_help_at_a_gate(look: Look, at_checkpoint: str) -> None:
    async def go(pilot: Pilot[Any]) -> None:
        await calm(pilot)
        await review(pilot, "f1")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))

    assert look(WIDE, go, session=at_checkpoint)


def test_the_palette_over_a_session(look: Look, at_checkpoint: str) -> None:
    assert look(WIDE, then(open_palette), session=at_checkpoint)


def test_a_terminal_that_gets_too_small(look: Look, at_checkpoint: str) -> None:
    async def go(pilot: Pilot[Any]) -> None:
        await calm(pilot)
        await pilot.resize_terminal(40, 10)
        await until(pilot, lambda: "needs 60" in shown(pilot))

    assert look(USUAL, go, session=at_checkpoint)


# --- ends -------------------------------------------------------------------------------------------------------------


@at_both_sizes
def test_a_session_that_is_saved(look: Look, finished: str, size: tuple[int, int]) -> None:
    assert look(size, then(), session=finished)


@at_both_sizes
def test_a_session_that_ended_without_a_plan(look: Look, at_approaches: str, size: tuple[int, int]) -> None:
    ways = (reviewing("r"), writing("All of these are too slow"), pressing("enter", shows="Ended without a plan"))
    assert look(size, then(*ways), session=at_approaches)


# --- what goes wrong --------------------------------------------------------------------------------------------------


class AlwaysDown:
    """A provider that is never reached."""

    def __call__(self, _request: Request) -> str:
        raise ModelUnreachable("The provider could not be reached: connection refused.", "Check the network.")


@pytest.mark.cases(1)
@at_both_sizes
@pytest.mark.parametrize("times", [1, 4], ids=["once", "four-times"])
def test_a_provider_fails(
    look: Look, workspace: Workspace, at_approaches: str, size: tuple[int, int], times: int
) -> None:
    use(workspace, CallableModel(AlwaysDown(), name="told"))

    async def fails(pilot: Pilot[Any]) -> None:
        await review(pilot, "1")
        await until(pilot, lambda: "connection refused" in shown(pilot))
        for again in range(2, times + 1):
            await calm(pilot)
            await pressing("ctrl+r", shows=f"× {again}")(pilot)

    assert look(size, then(fails), session=at_approaches)


@at_both_sizes
def test_another_process_drives_it(
    look: Look, workspace: Workspace, at_approaches: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.storage.files.locks._length_of_self", lambda: 1 + (NINE << 22 | 4242))
    manager = workspace.session(at_approaches).resume()
    with manager.driving():
        driven = pressing("1", shows="is driven by")
        assert look(size, then(reviewing(), driven), session=at_approaches)


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


@pytest.mark.full
@pytest.mark.parametrize("size", [WIDE, HUGE], ids=["120x36", "200x60"])
def test_several_sessions(look: Look, fleet: str, size: tuple[int, int]) -> None:
    assert look(size, then(), session=fleet)


@pytest.mark.usefixtures("fleet")
def test_the_list_of_sessions_over_a_session(look: Look, fleet: str) -> None:
    assert look(WIDE, then(in_turn(pressing("ctrl+s", shows="unreadable"), pressing("down"))), session=fleet)


@at_both_sizes
def test_a_session_whose_process_is_gone(look: Look, workspace: Workspace, size: tuple[int, int]) -> None:
    session = workspace.start(SUPPORT, name="hiring").session_id
    cut_off(workspace, session)
    assert look(size, then(), session=session)


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("keys", "shows"),
    [(("r",), "Enter rename"), (("e",), "Written to"), (("d", "d"), "Moved to the trash")],
    ids=["renamed", "exported", "deleted"],
)
def test_what_is_done_to_a_session(look: Look, fleet: str, keys: tuple[str, ...], shows: str) -> None:
    ways = (pressing("ctrl+s", shows="unreadable"), pressing("down", "down", *keys, shows=shows))
    assert look(USUAL, then(*ways), session=fleet)


def test_long_names(look: Look, workspace: Workspace) -> None:
    name = "Move our billing, with every invoice, discount and tax rule there is, to the new provider by 30 June 2028"
    session = asyncio.run(wait_at_checkpoint(workspace, f"{name} without downtime", name=name))
    assert look(WIDE, then(), session=session)


@pytest.mark.parametrize("size", [USUAL, WIDE, HUGE], ids=["80x24", "120x36", "200x60"])
def test_the_sample(look: Look, size: tuple[int, int]) -> None:
    async def go(pilot: Pilot[Any]) -> None:
        await pressing("ctrl+o", shows="SAMPLE")(pilot)
        await calm(pilot)

    assert look(size, go)


# --- colours and marks ------------------------------------------------------------------------------------------------


@pytest.mark.cases(1)
@pytest.mark.parametrize("theme", ["contrast", "daylight", "dusk", "forest", "paper"])
def test_in_each_theme(look: Look, fleet: str, theme: str) -> None:
    assert look(WIDE, then(reviewing()), session=fleet, settings=Settings(theme=theme))


@pytest.mark.full
@at_both_sizes
def test_in_ascii(look: Look, fleet: str, size: tuple[int, int]) -> None:
    assert look(size, then(reviewing()), session=fleet, settings=Settings(marks="ascii"))


@at_both_sizes
def test_without_colour(look: Look, fleet: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert look(size, then(reviewing()), session=fleet)
