"""Walking through a saved session: by keys, by mouse, by itself; every pane as it was then, and nothing is written."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.builders import created, told
from tests.tui.acting import RunApp, finish, sees, shown, until
from tests.tui.replays import SAMPLES, Hand, loaded, replay, replay_of, shows_its_place, told_by, two_rounds
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.domain.errors import LogDamaged, UsageError
from workbench.domain.log.envelope import Event
from workbench.domain.session import events as say
from workbench.domain.session.session import SessionState, fold
from workbench.replay.recording import Recording
from workbench.storage.files.session_file import read_session_file
from workbench.tui.dialog import Dialog
from workbench.tui.form import FormDialog
from workbench.tui.home.sessions import FoundSessions
from workbench.tui.home.start import StartScreen
from workbench.tui.replay.compare import CompareScreen
from workbench.tui.replay.forms import place_named
from workbench.tui.replay.replaying import Replayed, loading_file
from workbench.tui.replay.screen import ReplayScreen
from workbench.tui.session.screen import SessionScreen
from workbench.tui.widgets.timeline import SIGNS, Track, place_line, rounds_of


def position(pilot: Pilot[Any]) -> int:
    player = replay_of(pilot).timeline.player
    assert player is not None
    return player.position


def state(pilot: Pilot[Any]) -> SessionState:
    found = replay_of(pilot).state
    assert found is not None
    return found


async def press(pilot: Pilot[Any], *keys: str) -> None:
    await pilot.press(*keys)
    await shows_its_place(pilot)


# --- by keys ----------------------------------------------------------------------------------------------------------


async def test_it_begins_at_the_first_event_paused(run_app: RunApp) -> None:
    async with run_app() as pilot:
        await replay(pilot, two_rounds())
        assert position(pilot) == 1
        await sees(pilot, "paused", "REPLAY · read-only", "event  1 of 12")
        await until(pilot, lambda: "changes" in shown(pilot) and "2 changes" not in shown(pilot))
        replay_of(pilot).plan_pane.focus()
        await sees(pilot, "2 changes")


async def test_a_key_that_would_change_the_plan_says_why_it_does_not(run_app: RunApp) -> None:
    async with run_app() as pilot:
        await replay(pilot, two_rounds())
        for key in ("q", "F", "c", "o"):
            replay_of(pilot).plan_pane.focus()
            await pilot.press(key)
            await sees(pilot, "This is read-only. F7 continues from here, in a fork.")
            pilot.app.clear_notifications()


async def test_to_the_ends_and_from_round_to_round(run_app: RunApp) -> None:
    async with run_app() as pilot:
        await replay(pilot, two_rounds())
        for key, place in (
            ("right_square_bracket", 2),
            ("right_square_bracket", 8),
            ("right_square_bracket", 8),
            ("end", 12),
            ("left_square_bracket", 8),
            ("left_square_bracket", 2),
            ("left_square_bracket", 2),
            ("home", 1),
        ):
            await press(pilot, key)
            assert position(pilot) == place


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    ("key", "words"),
    zip("1234567890", ["0.5×", "1×", "2×", "3×", "5×", "10×", "20×", "30×", "50×", "as was"], strict=True),
)
@pytest.mark.usefixtures("hand")
async def test_each_speed_has_a_key(run_app: RunApp, key: str, words: str) -> None:
    async with run_app() as pilot:
        await replay(pilot, two_rounds())
        await pilot.press("space", key)
        await until(pilot, lambda: f"▸ {words} " in shown(pilot))


async def test_going_to_an_event(run_app: RunApp) -> None:
    async with run_app() as pilot:
        await replay(pilot, two_rounds())
        for named, place in (("7", 7), ("10", 10)):
            await pilot.press("g")
            await until(pilot, lambda: isinstance(pilot.app.screen, FormDialog))
            await pilot.press(*named, "enter")
            await loaded(pilot)
            assert position(pilot) == place


async def test_escape_goes_to_the_timeline_and_then_back(run_app: RunApp, workspace: Workspace) -> None:
    session = await finish(workspace)
    async with run_app() as pilot:
        pilot.app.open_session(session)
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen) and pilot.app.screen.state is not None)
        await pilot.press("f6")
        screen = await loaded(pilot)
        await pilot.press("ctrl+l")
        assert screen.plan_pane.has_focus
        await pilot.press("escape")
        assert screen.timeline.has_focus
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
        await until(pilot, lambda: not any(mode.startswith("replay-") for mode in pilot.app.opened))


# --- by mouse ---------------------------------------------------------------------------------------------------------


async def test_it_follows_the_mouse_that_is_held(run_app: RunApp) -> None:
    async with run_app() as pilot:
        screen = await replay(pilot, two_rounds())
        width = screen.timeline.content_size.width
        await pilot.mouse_down("#timeline", offset=(3, 0))
        await pilot.hover("#timeline", offset=(3 + width // 2, 1))
        await until(pilot, lambda: position(pilot) in (6, 7))
        await pilot.hover("#timeline", offset=(2 + width, 0))
        await until(pilot, lambda: position(pilot) == 12)
        await pilot.mouse_up("#timeline", offset=(2 + width, 0))
        await pilot.hover("#timeline", offset=(3, 0))
        await pilot.pause()
        assert position(pilot) == 12


# --- as it was then ---------------------------------------------------------------------------------------------------


async def test_what_was_shared_is_as_it_had_been_seen(run_app: RunApp) -> None:
    async with run_app() as pilot:
        screen = await replay(pilot, two_rounds())
        await pilot.press("ctrl+l", "5")
        pane = screen.plan_pane

        def said() -> str:
            return "\n".join(line.plain for row in pane.rows for line in row.lines)

        await until(pilot, lambda: "seen nothing that others share" in " ".join(said().split()))
        for seq, value in ((3, "30 June"), (8, "30 June"), (9, "31 July"), (4, "30 June")):
            screen.timeline.seek(seq)
            await shows_its_place(pilot)
            await until(pilot, lambda value=value: f"deadline: {value}" in said() and "infra-00" in said())


async def test_what_was_asked_is_told_while_it_was_open(run_app: RunApp) -> None:
    async with run_app() as pilot:
        screen = await replay(pilot, two_rounds())
        screen.timeline.seek(6)
        told = ("The plan changed by 18 %. Go on?", "It could be answered with: continue.")
        await until(pilot, lambda: all(words in shown(pilot) for words in told))
        await press(pilot, "right")
        await until(pilot, lambda: "It could be answered" not in shown(pilot))


# --- reading ----------------------------------------------------------------------------------------------------------


@pytest.mark.cases(2)
@pytest.mark.draws
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
async def test_every_saved_session_plays_to_its_end(run_app: RunApp, hand: Hand, sample: Path) -> None:
    events = list(read_session_file(sample))
    replayed = Replayed(sample.stem, loading_file(sample), in_workspace=False)
    async with run_app(replayed=replayed, opens=False) as pilot:
        screen = await loaded(pilot)
        await pilot.press("9", "space")
        player, shown_at = screen.timeline.player, [position(pilot)]
        assert player is not None
        while position(pilot) < len(events):
            hand.now += 0.2
            await until(pilot, lambda: player.due_in() != 0)
            shown_at.append(position(pilot))
        await shows_its_place(pilot)
        assert shown_at == sorted(shown_at)
        assert len(set(shown_at)) > 3
        assert screen.state == fold(events)
        assert pilot.app.workspace is None, "nothing needed one"


async def test_who_leaves_while_it_is_read_waits_for_nothing(run_app: RunApp) -> None:
    is_read, has_left, has_stopped = threading.Event(), threading.Event(), threading.Event()

    def endless() -> Iterator[Event]:
        first, *others = told(created(), *(say.SessionRenamed(name=f"Name {n}") for n in range(300)))
        yield first
        is_read.set()
        has_left.wait()
        try:
            for number in count(2):
                yield replace(others[number % 300], seq=number)
        finally:
            has_stopped.set()

    async with run_app() as pilot:
        await pilot.app.push_screen(ReplayScreen(told_by(endless)))
        await until(pilot, is_read.is_set)
        await pilot.app.pop_screen()
        has_left.set()
        await until(pilot, has_stopped.is_set)


async def test_what_cannot_be_read_is_said_in_its_place(run_app: RunApp) -> None:
    def broken() -> Iterator[Event]:
        raise LogDamaged("Nothing of it can be read.", "Restore it from a copy.")

    async with run_app() as pilot:
        await pilot.app.push_screen(ReplayScreen(told_by(broken)))
        await until(pilot, lambda: "Nothing of it can be read." in shown(pilot))
        await pilot.press("space", "left", "right", "home", "end", "g", "m", "5", "0", "left_square_bracket", "escape")
        await pilot.click("#timeline", offset=(5, 0))
        assert isinstance(pilot.app.screen, ReplayScreen)


async def test_what_cannot_be_read_ends_an_application_that_was_opened_for_it(run_app: RunApp) -> None:
    def broken() -> Iterator[Event]:
        raise LogDamaged("Nothing of it can be read.", "Restore it from a copy.")

    replayed = told_by(broken)
    async with run_app(replayed=replayed, opens=False) as pilot:
        await until(pilot, lambda: pilot.app.failure is not None)
    assert "Nothing of it can be read." in str(pilot.app.failure)
    assert pilot.app.return_code == 1


# --- damaged ----------------------------------------------------------------------------------------------------------

BAD = next(event.seq for event in read_session_file(SAMPLES[0]) if event.kind == "guidance.recalled")
"""The line, counted from 0, that is damaged: an event of this number stands in it, on which no later one rests."""


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    lines = SAMPLES[0].read_bytes().splitlines(keepends=True)
    file = tmp_path / "damaged.jsonl"
    file.write_bytes(b"".join([*lines[:BAD], lines[BAD].replace(b'"', b"'"), *lines[BAD + 1 :]]))
    return file


def of_file(file: Path) -> Replayed:
    return Replayed(file.stem, loading_file(file), in_workspace=False)


async def test_a_damaged_file_plays_up_to_the_damage_and_behind_it(run_app: RunApp, hand: Hand, damaged: Path) -> None:
    sound = list(read_session_file(SAMPLES[0]))
    async with run_app(replayed=of_file(damaged), opens=False) as pilot:
        screen = await loaded(pilot)
        assert shown(pilot).count("✕") == 2, "in its place, and in the legend"
        assert "damaged" not in shown(pilot)
        await pilot.press("9", "m", "space")
        hand.now += 100
        await until(pilot, lambda: position(pilot) == BAD - 1)
        await shows_its_place(pilot)
        said = " ".join(shown(pilot).split())
        assert f"damaged at line {BAD + 1}, where event {BAD} should be: its checksum does not hold." in said
        assert f"{len(sound) - BAD} events after it can be read." in said
        assert "> goes on behind it." in said
        await pilot.press("greater_than_sign")
        await until(pilot, lambda: position(pilot) == BAD + 1)
        await shows_its_place(pilot)
        assert "1 damaged place before this: the events there are missing." in " ".join(shown(pilot).split())
        assert screen.timeline.player is not None
        assert screen.timeline.player.marks == (1,)
        assert screen.timeline.player.speed == 50
        await press(pilot, "end")
        assert position(pilot) == len(sound)
        await press(pilot, "greater_than_sign")
        assert position(pilot) == len(sound), "there is nothing more"
        screen.timeline.seek(BAD)
        await shows_its_place(pilot)
        assert position(pilot) == BAD - 1


# --- read-only --------------------------------------------------------------------------------------------------------

MOVING = (
    "space",
    "left",
    "right",
    "home",
    "end",
    "g",
    "m",
    "0",
    "5",
    "9",
    "left_square_bracket",
    "right_square_bracket",
)
GOING = ("enter", "tab", "shift+tab", "escape", "up", "down", "delete", "backspace", "greater_than_sign")
CONTROL = (*(f"ctrl+{letter}" for letter in "ygtrdlb"), "f3", "f5", "f6", "f8", "f9", "f10")
KEYS = (*MOVING, *GOING, *CONTROL, *"cfsnxXPutdphlrF123")


async def test_no_key_writes_anything(run_app: RunApp, workspace: Workspace, hand: Hand) -> None:
    session = await finish(workspace)

    def stored() -> dict[Path, bytes]:
        folders = (workspace.folder.sessions, workspace.folder.shared)
        return {path: path.read_bytes() for folder in folders for path in folder.rglob("*") if path.is_file()}

    before = stored()
    async with run_app() as pilot:
        keys = random.Random(6)
        for _ in range(80):
            if not isinstance(pilot.app.screen, ReplayScreen | Dialog):  # a key led away from it
                pilot.app.replay(session)
                await loaded(pilot)
            key = (
                "escape" if isinstance(pilot.app.screen, FormDialog) else keys.choice(KEYS)
            )  # it asks before it writes
            hand.now += 0.5
            await pilot.press(key)
        assert pilot.app.last_session == ""
    assert stored() == before


# --- from elsewhere in the application --------------------------------------------------------------------------------


async def test_it_is_opened_from_the_list_of_sessions(run_app: RunApp, workspace: Workspace) -> None:
    session = await finish(workspace)
    async with run_app() as pilot:
        await pilot.press("ctrl+s")
        await until(pilot, lambda: len(pilot.app.screen.query_one(FoundSessions).rows) == 1)
        await pilot.press("down", "p")
        screen = await loaded(pilot)
        assert screen.session == session
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, StartScreen))


# --- two places beside each other -------------------------------------------------------------------------------------


async def test_two_marked_events_are_compared(run_app: RunApp) -> None:
    async with run_app() as pilot:
        screen = await replay(pilot, two_rounds())
        await press(pilot, "c")
        await sees(pilot, "Mark one")
        await press(pilot, "m", "end")
        await pilot.press("c")
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen) and "The move" in shown(pilot))
        await sees(pilot, "event 1", "event 12")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is screen)


UNICODE, ASCII = SIGNS["unicode"], SIGNS["ascii"]


def renamed(count: int) -> list[say.Body]:
    return [say.SessionRenamed(name=f"Name {number}") for number in range(count)]


def recording_of(length: int) -> Recording:
    return Recording.from_events(told(created(), *renamed(length - 1)))


def test_the_ticks_of_a_session() -> None:
    track = Track(Recording.from_events(two_rounds()), 12, UNICODE)
    assert track.line(12, ()).plain == "━1━•━▲━2━•━●"
    lane = track.others_line(12)
    assert lane is not None
    assert lane.plain == "┄┄≠┄┄┄┄┄≠┄┄┄"
    assert track.told_at(5)[0].text.startswith("asks: The plan changed by 18 %")
    assert track.told_at(0) == ()


@given(length=st.integers(1, 400), width=st.integers(1, 200), data=st.data())
@example(length=1, width=1, data=None)
def test_every_event_has_a_cell_and_every_cell_an_event(length: int, width: int, data: st.DataObject | None) -> None:
    track = Track(recording_of(length), width, UNICODE)
    cells = [track.cell_of(seq) for seq in range(1, length + 1)]
    assert cells == sorted(cells)
    assert cells[0] == 0
    assert cells[-1] == (width - 1 if length > 1 else 0)
    cell = 0 if data is None else data.draw(st.integers(-5, width + 5))
    seq = track.seq_at(cell)
    assert 1 <= seq <= length
    if cell in cells:
        assert track.cell_of(seq) == cell
    if length > 1 and not 0 <= cell < width:
        assert seq in (1, length)


# --- in words ---------------------------------------------------------------------------------------------------------


def test_the_place_in_words() -> None:
    recording = Recording.from_events(two_rounds())
    line = place_line(recording, rounds_of(recording), 9, "‖ paused", 100).plain
    assert line == "‖ paused   event  9 of 12 · 09:30:08 · round 2 · saw in the shared context: deadline"
    line = place_line(recording, rounds_of(recording), 1, "‖ paused", 100).plain
    assert line == "‖ paused   event  1 of 12 · 09:30:00 · goal: Move our billing to the new provider by 30 June"


def test_what_cannot_be_read_is_said() -> None:
    events = told(created(), *renamed(9))
    recording = Recording.from_events([event for event in events if event.seq != 5])
    assert "event  5 of 10 · what stood here cannot be read" in place_line(recording, [], 5, "", 100).plain


# --- going to a place that is named -----------------------------------------------------------------------------------


PLACES = Recording.from_events(told(created(), *renamed(3)))


@pytest.mark.parametrize(
    ("named", "seq"),
    [("3", 3), (" 1 ", 1)],
)
def test_a_place_is_named_by_its_number(named: str, seq: int) -> None:
    assert place_named(PLACES, named) == seq


@pytest.mark.parametrize("named", ["", "0", "5", "-1", "²", "noon", "12", "22:00"])
def test_a_place_that_is_none_is_refused(named: str) -> None:
    with pytest.raises(UsageError):
        place_named(PLACES, named)
