"""Help, settings, palette, the sample and the notice for small terminals."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.key_map import FILE, written
from tests.tui.acting import (
    SMALL,
    USUAL,
    WIDE,
    RunApp,
    open_palette,
    sees,
    shown,
    until,
    wait_at_checkpoint,
    wait_at_gate,
)
from textual.command import CommandPalette
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.domain.errors import SettingsError
from workbench.settings import Settings
from workbench.tui.dialog import SizeNotice
from workbench.tui.help import HelpScreen
from workbench.tui.home.sessions import SessionsScreen
from workbench.tui.home.start import StartScreen
from workbench.tui.keymap import all_keys
from workbench.tui.replay.screen import SampleScreen, sample_files
from workbench.tui.settings.preferences import write_preferences
from workbench.tui.settings.screen import SettingsScreen
from workbench.tui.widgets.field import Draft
from workbench.tui.widgets.line_list import LineList


async def at_rest(pilot: Pilot[str]) -> None:
    """Wait until preferences are written, and what was told of them."""
    await until(pilot, lambda: not any(one.group == "preferences" for one in pilot.app.workers))


async def goes_to(pilot: Pilot[Any], screen: type, *keys: str) -> None:
    await pilot.press(*keys)
    await until(pilot, lambda: isinstance(pilot.app.screen, screen))


def kept(tmp_path: Path) -> dict[str, Any]:
    return tomllib.loads((tmp_path / "user" / "config.toml").read_text())


# --- help -------------------------------------------------------------------------------------------------------------


async def test_help_shows_the_keys_of_what_has_the_focus_without_cursor_keys(run_app: RunApp) -> None:
    async with run_app() as pilot:
        await goes_to(pilot, HelpScreen, "f1")
        told = shown(pilot)
        assert "In the input" in told
        assert "Look at a finished session" in told
        assert "Everywhere" in told
        assert "^S" in told
        assert "cursor" not in told.lower()
        assert told.index("In the input") < told.index("Everywhere")
        await goes_to(pilot, StartScreen, "escape")


async def test_help_finds_how_a_cell_is_edited_and_cuts_no_line(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace)
    async with run_app(session=session, size=USUAL) as pilot:
        await until(pilot, lambda: getattr(pilot.app.screen, "state", None) is not None)
        await pilot.press("ctrl+l")
        await goes_to(pilot, HelpScreen, "f1")
        await sees(pilot, "In the plan")
        assert not [row for row in pilot.app.screen.listed.rows if "…" in row.lines[0].plain[-2:]]
        await pilot.press(*"owner")
        await sees(pilot, "Enter         Open the chosen row")


async def test_a_question_mark_that_is_typed_is_text(run_app: RunApp) -> None:
    async with run_app() as pilot:
        await pilot.press("W", "h", "o", "question_mark")
        assert isinstance(pilot.app.screen, StartScreen)
        assert pilot.app.screen.query_one(Draft).text == "Who?"


# --- settings ---------------------------------------------------------------------------------------------------------


async def at_row(pilot: Pilot[Any], key: str) -> None:
    """Go to a row by its neighbour, as a click and a key do: each of thirty keys waits until everything is painted."""
    rows = pilot.app.screen.query_one(LineList)
    place = [row.key for row in rows.rows].index(key)
    await pilot.press("home")
    rows.cursor = max(rows.cursor, place - 1)
    while rows.cursor < place:
        before = rows.cursor
        await pilot.press("down")
        assert rows.cursor > before, f"no way to {key}"
    assert rows.cursor == place


async def test_a_theme_is_shown_while_it_is_chosen_and_escape_goes_back(run_app: RunApp, tmp_path: Path) -> None:
    async with run_app() as pilot:
        await goes_to(pilot, SettingsScreen, "f2")
        await at_row(pilot, "theme:paper")
        assert pilot.app.theme == "paper"
        await goes_to(pilot, StartScreen, "escape")
        assert pilot.app.theme == "night"
    assert not (tmp_path / "user" / "config.toml").exists()


async def test_a_theme_that_was_chosen_stays_and_is_kept(run_app: RunApp, tmp_path: Path) -> None:
    (tmp_path / "user").mkdir()
    (tmp_path / "user" / "config.toml").write_text('# mine\nmodel = "guided"  # offline\n')
    async with run_app() as pilot:
        await goes_to(pilot, SettingsScreen, "f2")
        await at_row(pilot, "theme:paper")
        await pilot.press("enter")
        await goes_to(pilot, StartScreen, "escape")
        assert pilot.app.theme == "paper"
        await at_rest(pilot)
    assert kept(tmp_path) == {"model": "guided", "theme": "paper"}
    assert (tmp_path / "user" / "config.toml").read_text().startswith('# mine\nmodel = "guided"  # offline\n')


async def test_settings_that_cannot_be_written_still_hold(run_app: RunApp, tmp_path: Path) -> None:
    (tmp_path / "user").write_text("a file where the folder should be")
    async with run_app() as pilot:
        await goes_to(pilot, SettingsScreen, "f2")
        await at_row(pilot, "theme:paper")
        await pilot.press("enter")
        await until(pilot, lambda: any("cannot be written" in told for _, told in pilot.app.messages))  # type: ignore[attr-defined]
        assert pilot.app.theme == "paper"


@pytest.mark.parametrize("content", ["theme = ", "theme = 1\ntheme = 2", "theme = " + "[" * 5000])
def test_a_settings_file_that_is_broken_is_left_as_it_is(content: str, tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(content)
    with pytest.raises(SettingsError, match="nothing was written"):
        write_preferences(file, {"theme": "paper"})
    assert file.read_text() == content


def test_the_key_map_in_the_documentation_is_that_of_the_bindings() -> None:
    assert FILE.read_text(encoding="utf-8") == written()


async def test_an_id_that_went_is_told_and_kept(run_app: RunApp, tmp_path: Path) -> None:
    config = tmp_path / "user" / "config.toml"
    config.parent.mkdir()
    config.write_text('[keys]\n"app.fly" = "f4"\n')
    async with run_app(settings=Settings(keys={"app.fly": "f4", "app.sessions": "f6"})) as pilot:
        await until(pilot, lambda: "No key has the id 'app.fly'" in shown(pilot))
        pilot.app.choose({"theme": "paper"})
        await until(pilot, lambda: "paper" in config.read_text())
        await goes_to(pilot, SessionsScreen, "f6")
    assert '"app.fly" = "f4"' in config.read_text()


def test_everything_with_a_key_has_words_for_it() -> None:
    assert [key.id for key in all_keys() if not key.tooltip] == []


# --- palette ----------------------------------------------------------------------------------------------------------


async def test_the_palette_finds_and_does(run_app: RunApp) -> None:
    async with run_app() as pilot:
        await goes_to(pilot, CommandPalette, "ctrl+p")
        await pilot.press(*"paper")
        await until(pilot, lambda: "Theme: paper" in shown(pilot))
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.theme == "paper")
        assert isinstance(pilot.app.screen, StartScreen)


async def test_the_palette_finds_markdown_and_writes_it(run_app: RunApp, workspace: Workspace, tmp_path: Path) -> None:
    session = await wait_at_gate(workspace)
    async with run_app(session=session) as pilot:
        await until(pilot, lambda: getattr(pilot.app.screen, "state", None) is not None)
        await open_palette(pilot)
        await pilot.press(*"markdown")
        await sees(pilot, "Export as Markdown")
        await pilot.press("enter")
        await sees(pilot, f"Written to ./{session}.md")
    assert (tmp_path / f"{session}.md").is_file()


async def test_a_list_goes_to_its_ends_with_vim_s_letters(run_app: RunApp) -> None:
    async with run_app() as pilot:
        await goes_to(pilot, SettingsScreen, "f2")
        rows = pilot.app.screen.query_one(LineList)
        await until(pilot, lambda: rows.has_focus and rows.cursor >= 0)
        await pilot.press("G")
        last = rows.cursor
        await pilot.press("g")
        assert rows.cursor < last
        assert not any(row.key for row in rows.rows[: rows.cursor])


# --- the sample -------------------------------------------------------------------------------------------------------


async def test_the_sample_is_looked_at_and_nothing_is_written(run_app: RunApp, workspace: Workspace) -> None:
    before = {file: file.read_bytes() for file in sample_files()}
    async with run_app() as pilot:
        await goes_to(pilot, SampleScreen, "f5")
        await until(pilot, lambda: "SAMPLE" in shown(pilot) and "Plan v" in shown(pilot))
        await pilot.press(*"cfF1", "ctrl+y", "ctrl+r", "escape")
        await pilot.pause()
        await pilot.press("ctrl+q")
    assert pilot.app.return_value == ""
    assert workspace.sessions() == []
    assert {file: file.read_bytes() for file in sample_files()} == before


# --- size -------------------------------------------------------------------------------------------------------------


async def test_below_the_smallest_size_it_says_so_and_recovers(run_app: RunApp) -> None:
    async with run_app(size=USUAL) as pilot:
        await pilot.press(*"Paint")
        await pilot.resize_terminal(50, 12)
        await until(pilot, lambda: isinstance(pilot.app.screen, SizeNotice))
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, SizeNotice)
        await sees(pilot, "This terminal is 50 × 12.", "needs 60 × 18")
        await pilot.press("x", "enter", "ctrl+s", "f1")
        await pilot.resize_terminal(30, 5)
        await until(pilot, lambda: "30 × 5" in shown(pilot))
        await pilot.resize_terminal(*SMALL)
        await until(pilot, lambda: isinstance(pilot.app.screen, StartScreen))
        assert pilot.app.screen.query_one(Draft).text == "Paint"
        assert isinstance(pilot.app.focused, Draft)


async def test_a_dialog_has_all_rows_of_a_low_terminal(run_app: RunApp) -> None:
    async with run_app(size=USUAL) as pilot:
        await goes_to(pilot, SettingsScreen, "f2")
        assert pilot.app.screen.query_one(".dialog").region.height == USUAL[1]
        await pilot.resize_terminal(*WIDE)
        await until(pilot, lambda: pilot.app.screen.query_one(".dialog").region.height < WIDE[1])
