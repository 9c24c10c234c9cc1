"""Themes: readable by numbers, told when they cannot be used, and never the only thing that says something."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.color import Color as RichColor
from rich.color import ColorSystem
from tests.tui.acting import RunApp, shown, until
from textual.color import Color
from textual.theme import Theme
from workbench.settings import Settings
from workbench.tui.settings.screen import SettingsScreen
from workbench.tui.settings.themes import ON_ROW, contrast, load_themes, shipped_folder

THEMES = load_themes([shipped_folder()]).themes
each_theme = pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)


def roles(theme: Theme) -> dict[str, str]:
    return {
        "text": theme.foreground or "",
        "dim": theme.variables["text-muted"],
        "focus": theme.primary,
        "attention": theme.warning or "",
        "done": theme.success or "",
        "failed": theme.error or "",
        "session": theme.secondary or "",
        "retrieved": theme.accent or "",
    }


@each_theme
def test_every_text_is_readable_on_every_ground(theme: Theme) -> None:
    low = {
        (role, ground): round(contrast(color, ground), 2)
        for role, color in roles(theme).items()
        for ground in (theme.background or "", theme.surface or "")
        if contrast(color, ground) < 4.5
    }
    assert low == {}


@each_theme
def test_the_chosen_row_stands_out_and_everything_on_it_is_readable(theme: Theme) -> None:
    row = theme.variables["row"]
    assert contrast(row, theme.background or "") >= 1.5
    on_row = {"text": theme.foreground or "", **{name: theme.variables[f"row-{name}"] for name in ON_ROW}}
    assert {name: color for name, color in on_row.items() if contrast(color, row) < 4.5} == {}


@each_theme
def test_in_sixteen_colours_texts_differ_from_their_ground_and_only_attention_is_amber(theme: Theme) -> None:
    def of_sixteen(color: str) -> int | None:
        return RichColor.parse(color).downgrade(ColorSystem.STANDARD).number

    sixteen = {role: of_sixteen(color) for role, color in roles(theme).items()}
    grounds = {of_sixteen(theme.background or ""), of_sixteen(theme.surface or "")}
    assert grounds.isdisjoint(sixteen.values())
    assert [role for role, number in sixteen.items() if number == sixteen["attention"]] == ["attention"]


@each_theme
async def test_each_theme_can_be_shown(theme: Theme, run_app: RunApp) -> None:
    async with run_app(settings=Settings(theme=theme.name)) as pilot:
        assert pilot.app.theme == theme.name
        assert pilot.app.screen.styles.background == Color.parse(theme.background or "")


async def test_without_colour_nothing_but_grey_is_sent(run_app: RunApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with run_app() as pilot:
        assert pilot.app.no_color
        sent = [
            color.triplet
            for strip in pilot.app.screen._compositor.render_strips()
            for segment in strip.apply_filter(pilot.app._filters[-1], pilot.app.screen.styles.background)
            if segment.style
            for color in (segment.style.color, segment.style.bgcolor)
            if color is not None and color.triplet is not None
        ]
    assert sent
    assert all(red == green == blue for red, green, blue in sent)


MINE = """
name = "mine"
dark = true
[colors]
background = "#000000"
surface = "#111111"
text = "#ffffff"
dim = "#bbbbbb"
focus = "#88aaff"
attention = "#ffcc44"
done = "#88ff88"
failed = "#ff8888"
session = "#88aaff"
retrieved = "#88ffee"
"""


def themes_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "user" / "themes"
    folder.mkdir(parents=True)
    return folder


async def test_a_persons_own_theme_can_be_chosen(run_app: RunApp, tmp_path: Path) -> None:
    (themes_folder(tmp_path) / "mine.toml").write_text(MINE)
    async with run_app(settings=Settings(theme="mine")) as pilot:
        assert pilot.app.theme == "mine"


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"name = ", "Invalid value"),
        (b"[colors]\n", "it has no name"),
        (MINE.replace("#ffcc44", "amberish").encode(), "'attention' is missing or no colour"),
        (b"name = 'x'\ncolors = 5\n", "no table of colours"),
        (b"\xff\xfe", "utf-8"),
        (b"name = " + b"[" * 5000, "nested too deeply"),
    ],
)
async def test_a_theme_that_cannot_be_used_is_told_in_the_settings(
    content: bytes, reason: str, run_app: RunApp, tmp_path: Path
) -> None:
    (themes_folder(tmp_path) / "[bold]broken.toml").write_bytes(content)
    async with run_app() as pilot:
        await pilot.press("f2")
        await until(pilot, lambda: isinstance(pilot.app.screen, SettingsScreen))
        told = " ".join(shown(pilot).split())
    assert "[bold]broken.toml cannot be used" in told
    assert reason in told


async def test_a_theme_that_is_not_there_gives_way_to_the_default(run_app: RunApp) -> None:
    async with run_app(settings=Settings(theme="nowhere")) as pilot:
        assert pilot.app.theme == "night"
