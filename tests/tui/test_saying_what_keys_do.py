"""What can be done is found by the words that the application itself uses, and no key is silent, or typed unseen."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tui.acting import WIDE, RunApp, finish, open_palette, sees, shown, until, wait_at_checkpoint, wait_at_gate
from tests.tui.session_fixtures import asking, begin, calm, gate, screen_of, settled, use
from textual.command import CommandList, CommandPalette
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.models.scripted import CallableModel
from workbench.tui.dialog import Dialog
from workbench.tui.form import FormDialog
from workbench.tui.help import HelpScreen
from workbench.tui.home import start
from workbench.tui.home.sessions import SessionsScreen
from workbench.tui.home.start import StartScreen
from workbench.tui.replay.compare import CompareScreen
from workbench.tui.session.screen import SessionScreen
from workbench.tui.widgets.line_list import LineList


async def test_keys_that_are_pressed_while_a_session_loads_are_not_typed(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_gate(workspace)
    async with run_app(session=session) as pilot:
        await pilot.press(*"jjj")
        await gate(pilot, "approach")
        await pilot.press(*"jjj")
        assert screen_of(pilot).plan_pane.has_focus
        assert screen_of(pilot).draft.text == ""
    async with run_app() as pilot:
        await until(pilot, lambda: pilot.app.screen.query_one("#plans", LineList).has_focus)
        await pilot.press("enter", *"jjj")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
        await gate(pilot, "approach")
        assert screen_of(pilot).draft.text == ""


async def test_who_begins_a_session_answers_where_they_are(run_app: RunApp, workspace: Workspace) -> None:
    use(workspace, CallableModel(asking("Which day?")))
    async with run_app() as pilot:
        screen = await begin(pilot, "Move the shed")
        await gate(pilot, "question")
        assert screen.draft.has_focus


@pytest.fixture
async def asked(workspace: Workspace) -> str:
    """A session at a checkpoint."""
    return await wait_at_checkpoint(workspace)


async def help_has(pilot: Pilot[Any], words: str) -> None:
    await pilot.press("f1")
    await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
    await pilot.press(*words)
    await until(pilot, lambda: words in shown(pilot))
    await pilot.pause()
    assert "No key does that" not in shown(pilot), words
    await pilot.press("escape")


def _has_found(pilot: Pilot[Any]) -> bool:
    return not any(one.node is pilot.app.screen and not one.is_finished for one in pilot.app.workers)


async def found_by(pilot: Pilot[Any], words: str) -> list[str]:
    """Return what the palette finds, the best first, and leave it."""
    await open_palette(pilot)
    await pilot.press(*words)
    palette = pilot.app.screen
    assert isinstance(palette, CommandPalette)
    listed = palette.query_one(CommandList)
    await until(pilot, lambda: listed.option_count and _has_found(pilot))
    found = [str(listed.get_option_at_index(place).prompt) for place in range(listed.option_count)]
    await pilot.press("escape")
    await until(pilot, lambda: not isinstance(pilot.app.screen, CommandPalette))
    return found


async def test_what_is_done_is_found_by_the_words_for_it(run_app: RunApp, asked: str) -> None:
    async with run_app(session=asked) as pilot:
        await gate(pilot, "checkpoint")
        for words in ("compare", "delete", "finish"):
            await help_has(pilot, words)
        for words, found in (("delete", "Drop"), ("exclude", "Take out"), ("quit", "Quit")):
            assert any(one.startswith(found) for one in await found_by(pilot, words)), words


async def test_what_is_kept_out_of_prompts_is_named_where_they_are_shown(run_app: RunApp, asked: str) -> None:
    async with run_app(session=asked, size=WIDE) as pilot:
        await gate(pilot, "checkpoint")
        assert "X drop" in shown(pilot)
        await pilot.press("4")
        await sees(pilot, "x exclude")
        await help_has(pilot, "exclude")
        await pilot.press("G", "x")  # the last row is the whole prompt
        await sees(pilot, "Choose what is to be excluded first.")


async def test_what_is_done_comes_before_a_title_with_the_same_word(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace, commands=['add "Model"'])
    async with run_app(session=session) as pilot:
        await gate(pilot, "checkpoint")
        found = await found_by(pilot, "model")
        context = next(place for place, one in enumerate(found) if one.startswith("Context"))
        assert context < next(place for place, one in enumerate(found) if one.startswith("S") and "Model" in one)


async def test_the_palette_opens_from_dialogs_and_no_words_are_lost_by_it(run_app: RunApp, asked: str) -> None:
    async with run_app(session=asked, size=WIDE) as pilot:
        await gate(pilot, "checkpoint")
        for key in ("f2", "ctrl+s", "f8"):
            await pilot.press(key)
            await until(pilot, lambda: isinstance(pilot.app.screen, Dialog))
            await pilot.press("ctrl+p")
            await until(pilot, lambda: isinstance(pilot.app.screen, CommandPalette))
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionsScreen) and pilot.app.screen._is_read)
        await pilot.press("down", "r")
        await until(pilot, lambda: isinstance(pilot.app.screen, FormDialog))
        await pilot.press("x", "ctrl+p")
        await sees(pilot, "Your text would be lost")
        await pilot.press("backspace", "ctrl+p")  # two dialogs stand above the session
        await until(pilot, lambda: isinstance(pilot.app.screen, CommandPalette))


async def test_a_key_of_the_checkpoint_says_that_it_is_pressed_again(run_app: RunApp, asked: str) -> None:
    async with run_app(session=asked, size=WIDE) as pilot:
        await gate(pilot, "checkpoint")
        assert "FF finish" in shown(pilot)
        await pilot.press("F")
        await until(pilot, lambda: screen_of(pilot).gate_pane.acts)
        await sees(pilot, "F again does it", "F again: finish")


async def test_no_key_of_a_checkpoint_is_silent_in_a_saved_plan(run_app: RunApp, workspace: Workspace) -> None:
    session = await finish(workspace)
    async with run_app(session=session) as pilot:
        await until(pilot, lambda: screen_of(pilot)._has_plan)
        await settled(pilot)
        for key in ("F", "c"):
            pilot.app.messages.clear()
            await pilot.press(key)
            await until(pilot, lambda: any("f says what should change" in said for _, said in pilot.app.messages))
        await pilot.press("q")
        await until(pilot, lambda: isinstance(pilot.app.screen, StartScreen))


async def test_a_fork_is_compared_with_its_original(run_app: RunApp, workspace: Workspace) -> None:
    session = await finish(workspace, name="Billing")
    fork = workspace.session(session).fork(name="Cheaper").id
    async with run_app(session=fork) as pilot:
        await until(pilot, lambda: screen_of(pilot)._has_plan)
        await settled(pilot)
        await until(pilot, lambda: screen_of(pilot).names)
        await pilot.press("v")
        await sees(pilot, "Billing  this fork's original")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen))
        await sees(pilot, "Billing", "Cheaper")


async def test_enter_says_which_column_it_opens(run_app: RunApp, asked: str) -> None:
    async with run_app(session=asked, size=(120, 36)) as pilot:
        await gate(pilot, "checkpoint")
        await pilot.press("j")
        await sees(pilot, "Enter edit owner", "J K move", ": command")
        await pilot.press("left")
        await sees(pilot, "Enter edit title")


async def test_home_counts_anew_as_soon_as_it_is_seen(
    run_app: RunApp, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start, "LOOK_AGAIN", 1000.0)
    monkeypatch.setattr(start, "_AT_REST", 1000.0)
    session = await finish(workspace)
    steps = workspace.session(session).state().plan.steps
    async with run_app() as pilot:
        await sees(pilot, f"0 of {len(steps)}")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
        await calm(pilot)
        workspace.session(session).edit(f"{steps[0].id} done")
        await pilot.press("0")
        await sees(pilot, f"1 of {len(steps)}")
