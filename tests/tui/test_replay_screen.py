"""Walking through a saved session: by keys, by mouse, by itself; every pane as it was then, and nothing is written."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.builders import created, told
from tests.tui.acting import ROOMY, SMALL, USUAL, WIDE, RunApp, finish, open_palette, sees, shown, until
from tests.tui.replays import SAMPLES, Hand, loaded, replay, replay_of, seen, shows_its_place, told_by, two_rounds
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.domain.errors import LogDamaged
from workbench.domain.log.envelope import Event
from workbench.domain.session import events as say
from workbench.domain.session.events import SharedValue
from workbench.domain.session.session import SessionState, fold
from workbench.storage.files.session_file import read_session_file
from workbench.tui.dialog import Dialog
from workbench.tui.form import FormDialog
from workbench.tui.help import HelpScreen
from workbench.tui.home.sessions import FoundSessions
from workbench.tui.home.start import StartScreen
from workbench.tui.keymap import help_groups
from workbench.tui.replay.compare import CompareScreen
from workbench.tui.replay.replaying import Replayed, loading_file
from workbench.tui.replay.screen import ReplayScreen
from workbench.tui.session.isolation import IsolationScreen
from workbench.tui.session.screen import SessionScreen
from workbench.tui.widgets.fleet import Fleet
from workbench.tui.widgets.line_list import LineList


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


@pytest.mark.full
async def test_event_by_event_the_panes_show_what_was_there(run_app: RunApp) -> None:
    events = two_rounds()
    async with run_app() as pilot:
        await replay(pilot, events)
        for seq in range(2, 13):
            await press(pilot, "right")
            assert (position(pilot), state(pilot)) == (seq, fold(events[:seq]))
        await sees(pilot, "Plan v2", "1 insight")
        for seq in range(11, 0, -1):
            await press(pilot, "left")
            assert (position(pilot), state(pilot)) == (seq, fold(events[:seq]))
        assert "insight" not in shown(pilot)
        await press(pilot, "left")
        assert position(pilot) == 1


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


@pytest.mark.full
async def test_it_plays_by_the_clock_and_stops_at_the_end(run_app: RunApp, hand: Hand) -> None:
    async with run_app() as pilot:
        screen = await replay(pilot, two_rounds())
        await pilot.press("2", "space")
        await until(pilot, lambda: "▸ 1×" in shown(pilot))
        assert position(pilot) == 1
        hand.now += 1.5
        await until(pilot, lambda: position(pilot) == 2)
        await pilot.press("space")
        await until(pilot, lambda: "‖ paused" in shown(pilot))
        hand.now += 100
        await pilot.press("space", "9")
        assert position(pilot) == 2
        hand.now += 0.11
        await until(pilot, lambda: position(pilot) == 8)
        hand.now += 100
        await until(pilot, lambda: position(pilot) == 12)
        await shows_its_place(pilot)
        await sees(pilot, "‖ paused")
        assert screen.timeline._ticking is not None
        assert not screen.timeline._ticking._active.is_set(), "the timer rests with the replay"
        await press(pilot, "space")
        assert position(pilot) == 1


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


@pytest.mark.full
async def test_who_steps_while_it_plays_wants_to_look(run_app: RunApp, hand: Hand) -> None:
    async with run_app() as pilot:
        await replay(pilot, two_rounds())
        await pilot.press("space")
        hand.now += 2.1
        await until(pilot, lambda: position(pilot) == 3)
        await press(pilot, "right")
        assert position(pilot) == 4
        await sees(pilot, "paused")


@pytest.mark.full
async def test_a_mark_is_set_and_taken_back(run_app: RunApp) -> None:
    async with run_app() as pilot:
        await replay(pilot, two_rounds())
        await press(pilot, "right", "right", "m", "right")
        await until(pilot, lambda: shown(pilot).count("▾") == 2)  # the legend has one
        await press(pilot, "left", "m", "right")
        await until(pilot, lambda: shown(pilot).count("▾") == 1)


async def test_going_to_an_event_or_a_time(run_app: RunApp) -> None:
    async with run_app() as pilot:
        await replay(pilot, two_rounds())
        for named, place in (("7", 7), ("09:30:09", 10)):
            await pilot.press("g")
            await until(pilot, lambda: isinstance(pilot.app.screen, FormDialog))
            await pilot.press(*named, "enter")
            await loaded(pilot)
            assert position(pilot) == place


async def test_a_place_that_is_none_is_explained_and_the_replay_stays(run_app: RunApp) -> None:
    async with run_app() as pilot:
        await replay(pilot, two_rounds())
        await pilot.press("g", *"77", "enter")
        await until(pilot, lambda: "There is no event 77." in shown(pilot))
        await pilot.press("escape")
        await loaded(pilot)
        assert position(pilot) == 1


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


async def test_where_nothing_is_behind_it_escape_says_how_to_leave(run_app: RunApp) -> None:
    replayed = told_by(two_rounds, in_workspace=True)
    async with run_app(replayed=replayed) as pilot:
        await loaded(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: "^Q leaves" in shown(pilot))
        assert isinstance(pilot.app.screen, ReplayScreen)


# --- by mouse ---------------------------------------------------------------------------------------------------------


@pytest.mark.full
@pytest.mark.draws
async def test_a_click_on_the_timeline_seeks(run_app: RunApp) -> None:
    async with run_app() as pilot:
        screen = await replay(pilot, two_rounds())
        width = screen.timeline.content_size.width
        for cell, place in ((width - 1, 12), (0, 1), (screen.timeline._track.cell_of(8), 8)):
            await pilot.click("#timeline", offset=(cell + 3, 0))
            await shows_its_place(pilot)
            assert position(pilot) == place
        await pilot.click("#timeline", offset=(3, 1))
        assert position(pilot) == 8, "the words below it are no place"


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


@pytest.mark.draws
async def test_what_a_tick_means_is_told_where_the_mouse_is(run_app: RunApp) -> None:
    async with run_app() as pilot:
        screen = await replay(pilot, two_rounds())
        await pilot.hover("#timeline", offset=(3 + screen.timeline._track.cell_of(8), 0))
        await until(pilot, lambda: "iteration 2 begins" in str(screen.timeline.tooltip))
        await pilot.hover("#timeline", offset=(3, 1))
        await until(pilot, lambda: screen.timeline.tooltip is None)


# --- as it was then ---------------------------------------------------------------------------------------------------


async def test_what_was_shared_is_as_it_had_been_seen(run_app: RunApp) -> None:
    async with run_app() as pilot:
        screen = await replay(pilot, two_rounds())
        await pilot.press("ctrl+b", "ctrl+b")  # so that the columns stay once there is a plan
        pane = screen.query_one("#seen", LineList)

        def said() -> str:
            return "\n".join(line.plain for row in pane.rows for line in row.lines)

        await until(pilot, lambda: "seen nothing that others share" in " ".join(said().split()))
        for seq, value in ((3, "30 June"), (8, "30 June"), (9, "31 July"), (4, "30 June")):
            screen.timeline.seek(seq)
            await shows_its_place(pilot)
            await until(pilot, lambda value=value: f"deadline: {value}" in said() and "infra-00" in said())


async def test_where_columns_fold_what_was_shared_is_a_view(run_app: RunApp) -> None:
    async with run_app(size=USUAL) as pilot:
        await replay(pilot, two_rounds())
        await press(pilot, "end", "ctrl+l", "5")
        await sees(pilot, "deadline: 31 July")


async def test_a_session_that_saw_nothing_of_others_has_no_pane_for_it(run_app: RunApp) -> None:
    async with run_app() as pilot:
        screen = await replay(pilot, told(created(), say.IterationBegun(number=1)))
        assert not screen.query_one("#seen").display
        await pilot.resize_terminal(*USUAL)
        await until(pilot, lambda: screen.is_narrow)
        assert "shared" not in screen.views


async def test_long_and_unavailable_values_are_said_shortly(run_app: RunApp) -> None:
    value = SharedValue(key="notes", value="word " * 400, version=1, session="s", time="")
    cut = SharedValue(key="picture", cut=70_000, version=2, session="s", time="")
    course = SharedValue(key="sessions/s", value={"phase": "planning", "iteration": 2}, version=3, session="s", time="")
    events = told(created(), seen(value, cut, course, anew=True), say.SharedObserved(unavailable="the disk is gone"))
    async with run_app() as pilot:
        screen = await replay(pilot, events)
        await press(pilot, "end")
        pane = screen.query_one("#seen", LineList)
        said = "\n".join(line.plain for row in pane.rows for line in row.lines)
        assert "70,000 bytes" in " ".join(said.replace("┊", "").split())
        assert "planning · round 2" in said
        assert "…" in said
        assert "It could not look again: the disk is gone" in " ".join(said.split())
        assert max(len(row.lines) for row in pane.rows) <= 4


@pytest.mark.full
async def test_the_context_knows_only_calls_up_to_then(run_app: RunApp, workspace: Workspace) -> None:
    events = list(workspace.session(await finish(workspace)).events())
    calls = [event.seq for event in events if event.kind == "call.started"]
    async with run_app() as pilot:
        screen = await replay(pilot, events)
        await press(pilot, "ctrl+l", "4")
        for seq, call in ((calls[2], "c3"), (calls[0], "c1"), (calls[4] + 1, "c5")):
            screen.timeline.seek(seq)
            await until(pilot, lambda call=call: f"Context of {call}" in shown(pilot))
            looked = screen._looking_back.looked
            assert looked is not None
            assert looked.calls == int(call[1:])
        screen.timeline.seek(1)
        await until(pilot, lambda: "Context of" not in shown(pilot))


async def test_the_difference_is_against_the_version_before_as_of_then(run_app: RunApp, workspace: Workspace) -> None:
    events = list(workspace.session(await finish(workspace)).events())
    versions = [version.seq for version in fold(events).versions]
    async with run_app() as pilot:
        screen = await replay(pilot, events)
        await press(pilot, "ctrl+l", "2")
        for number, seq in enumerate(versions[1:], 2):
            screen.timeline.seek(seq)
            await until(pilot, lambda number=number: f"Changes v{number - 1} → v{number}" in shown(pilot))


async def test_what_was_asked_is_told_while_it_was_open(run_app: RunApp) -> None:
    async with run_app() as pilot:
        screen = await replay(pilot, two_rounds())
        screen.timeline.seek(6)
        told = ("The plan changed by 18 %. Go on?", "It could be answered with: continue.")
        await until(pilot, lambda: all(words in shown(pilot) for words in told))
        await press(pilot, "right")
        await until(pilot, lambda: "It could be answered" not in shown(pilot))


async def test_which_agent_saw_what_is_as_of_then(run_app: RunApp) -> None:
    events = list(read_session_file(SAMPLES[0]))
    async with run_app() as pilot:
        screen = await replay(pilot, events)
        screen.timeline.seek(20)
        await shows_its_place(pilot)
        assert tuple(screen.events_to_look_back_on()()) == tuple(events[:20])
        await pilot.press("f4")
        await until(pilot, lambda: isinstance(pilot.app.screen, IsolationScreen))


@pytest.mark.full
async def test_a_replay_offers_no_key_that_switches_anything(run_app: RunApp) -> None:
    (big,) = (sample for sample in SAMPLES if sample.stem == "run-city-trees-fork")
    events = list(read_session_file(big))
    switched_off = max(event.seq for event in events if event.kind == "recall.switched")
    async with run_app(size=ROOMY) as pilot:
        screen = await replay(pilot, events)
        screen.timeline.seek(switched_off)
        await until(pilot, lambda: "Recall is off" in shown(pilot))
        assert "switches it on" not in shown(pilot)


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


async def test_it_says_how_far_it_is_read(run_app: RunApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.tui.replay.replaying._TOLD_EVERY", 1)
    may_go_on = threading.Event()

    def slowly() -> Iterator[Event]:
        yield from told(created(), *(say.SessionRenamed(name=f"Name {n}") for n in range(399)))
        may_go_on.wait()

    async with run_app() as pilot:
        await pilot.app.push_screen(ReplayScreen(told_by(slowly)))
        await until(pilot, lambda: "Reading … 384 events" in shown(pilot))
        may_go_on.set()
        await loaded(pilot)


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
        assert f"damaged at line {BAD + 1}, where event {BAD} should stand: its checksum does not hold." in said
        assert f"{len(sound) - BAD} events behind it can be read." in said
        assert "> goes on behind it." in said
        await pilot.press("greater_than_sign")
        await until(pilot, lambda: position(pilot) == BAD + 1)
        await shows_its_place(pilot)
        assert "Behind 1 damaged place: without the event in it." in " ".join(shown(pilot).split())
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


@pytest.fixture
def cut_off(damaged: Path) -> Path:
    damaged.write_bytes(b"".join(damaged.read_bytes().splitlines(keepends=True)[: BAD + 1]))
    return damaged


async def test_a_file_that_is_damaged_at_its_end_says_that_nothing_is_behind_it(run_app: RunApp, cut_off: Path) -> None:
    async with run_app(replayed=of_file(cut_off), opens=False) as pilot:
        await loaded(pilot)
        await press(pilot, "end")
        await sees(pilot, "Nothing can be read behind it.")
        await press(pilot, "greater_than_sign")
        assert position(pilot) == BAD - 1


async def test_a_damaged_session_of_the_workspace_is_replayed_too(run_app: RunApp, workspace: Workspace) -> None:
    session = await finish(workspace)
    file = workspace.folder.sessions / f"{session}.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:BAD], b"not a record\n", *lines[BAD + 1 :]]))
    async with run_app() as pilot:
        pilot.app.replay(session)
        await loaded(pilot)
        await press(pilot, "end")
        assert position(pilot) == BAD - 1
        await sees(pilot, "> goes on behind it.")


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
        for _ in range(150):
            if not isinstance(pilot.app.screen, ReplayScreen | Dialog):  # a key led away from it
                pilot.app.replay(session)
                await loaded(pilot)
            key = (
                "escape" if isinstance(pilot.app.screen, FormDialog) else keys.choice(KEYS)
            )  # it asks before it writes
            if not (key == "enter" and isinstance(pilot.app.focused, Fleet)):  # opens another session, to go on with
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
        await sees(pilot, "OTHER SESSIONS")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, StartScreen))


@pytest.mark.full
async def test_it_is_opened_from_the_palette(run_app: RunApp, workspace: Workspace) -> None:
    session = await finish(workspace)
    async with run_app() as pilot:
        pilot.app.open_session(session)
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen) and pilot.app.screen.state is not None)
        await open_palette(pilot)
        await pilot.press(*"replay")
        await until(pilot, lambda: "Walk through it" in shown(pilot))
        await pilot.press("enter")
        assert (await loaded(pilot)).session == session


@pytest.mark.full
async def test_help_and_palette_know_its_keys(run_app: RunApp) -> None:
    async with run_app() as pilot:
        screen = await replay(pilot, two_rounds())
        groups = dict(help_groups(screen))
        assert {"Play, or pause", "Go on by one event", "Go to an event by its number, or to a time"} <= {
            key.tooltip for key in groups["This replay"]
        }
        assert "session.replay" not in {key.id for keys in groups.values() for key in keys}
        await open_palette(pilot)
        await pilot.press(*"next round", "enter")
        await loaded(pilot)
        await until(pilot, lambda: position(pilot) == 2)
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
        await sees(pilot, "This replay")


async def test_a_workspace_is_opened_when_something_needs_it(run_app: RunApp) -> None:
    replayed = told_by(two_rounds)
    async with run_app(replayed=replayed, opens=False) as pilot:
        await loaded(pilot)
        assert pilot.app.workspace is None
        await pilot.press("ctrl+s")
        await until(pilot, lambda: pilot.app.workspace is not None)
        await until(pilot, lambda: "There are no sessions yet" in shown(pilot))


@pytest.mark.cases(2)
@pytest.mark.parametrize("size", [SMALL, USUAL, WIDE, (200, 60)])
async def test_it_fits(size: tuple[int, int], run_app: RunApp) -> None:
    async with run_app(size=size) as pilot:
        await replay(pilot, two_rounds())
        await press(pilot, "end")
        for words in ("REPLAY · read-only", "event 12 of 12", "paused", "Space play", "F1 more", "●"):
            await sees(pilot, words)


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
