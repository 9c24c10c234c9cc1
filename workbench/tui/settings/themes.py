"""Themes: one TOML file each, from the package and from the user's own folder.

    [colors] by role ─▶ textual Theme;  amber ("attention") means that something needs you, and nothing else

A theme that cannot be used is told, never passed over: its file may be the person's own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from textual.color import Color, ColorParseError
from textual.theme import Theme

import workbench
from workbench.domain.text.toml import read_toml
from workbench.named_files import UnusableFile, read_named_file

_LARGEST = 1_000_000  # bytes of a theme's file
ROLES = ("background", "surface", "text", "dim", "focus", "attention", "done", "failed", "session", "retrieved")

ON_ROW = {
    "primary": "focus",
    "secondary": "session",
    "accent": "retrieved",
    "warning": "attention",
    "success": "done",
    "error": "failed",
    "text-muted": "dim",
}
"""Textual's names of colours that have a variant for the chosen row, ``$row-error``, and their roles."""
ROW_STANDS_OUT, READABLE = 1.5, 4.5
"""Contrast of the chosen row with its ground, and of text with what it depends on."""


@dataclass(frozen=True, slots=True)
class ThemeFailure:
    """A theme's file that cannot be used."""

    file: str
    reason: str


@dataclass(frozen=True, slots=True)
class LoadedThemes:
    """What was found."""

    themes: tuple[Theme, ...]
    failures: tuple[ThemeFailure, ...]


def shipped_folder() -> Path:
    """Return where the themes of the workbench are: in the wheel, or beside the package in a checkout."""
    package = Path(workbench.__file__).parent
    inside = package / "themes"
    return inside if inside.is_dir() else package.parent / "themes"


def load_themes(folders: Iterable[Path]) -> LoadedThemes:
    """Return every theme of the folders, and why others cannot be used; a later one of the same name wins."""
    themes: dict[str, Theme] = {}
    failures: list[ThemeFailure] = []
    for folder in folders:
        for file in sorted(folder.glob("*.toml")):
            try:
                theme = read_theme(read_named_file(file, _LARGEST).decode())
            except (OSError, ValueError) as error:
                reason = error.strerror if isinstance(error, UnusableFile) else None
                failures.append(ThemeFailure(file.name, reason or str(error)))
            else:
                themes[theme.name] = theme
    return LoadedThemes(tuple(themes.values()), tuple(failures))


def read_theme(toml: str) -> Theme:
    """Return a theme from its text. Raises ValueError with what is missing or wrong."""
    table = read_toml(toml)
    colors = table.get("colors", {})
    name = table.get("name")
    if not isinstance(name, str) or not name:
        raise ValueError("it has no name")
    if not isinstance(colors, dict):
        raise ValueError("it has no table of colours")  # noqa: TRY004 - callers show every reason alike
    for role in ROLES:
        value = colors.get(role)
        try:
            Color.parse(value if isinstance(value, str) else "")
        except ColorParseError:
            raise ValueError(f"{role!r} is missing or not a colour: {value!r}") from None
    row = _blended(colors["background"], colors["focus"], colors["background"], ROW_STANDS_OUT)
    on_row = {name: _blended(colors[role], colors["text"], row, READABLE) for name, role in ON_ROW.items()}
    return Theme(
        name=name,
        dark=bool(table.get("dark", True)),
        primary=colors["focus"],
        secondary=colors["session"],
        accent=colors["retrieved"],
        warning=colors["attention"],
        success=colors["done"],
        error=colors["failed"],
        foreground=colors["text"],
        background=colors["background"],
        surface=colors["surface"],
        panel=colors["surface"],
        variables={
            "text-muted": colors["dim"],
            "text-primary": colors["focus"],
            "block-cursor-background": colors["surface"],
            "block-cursor-foreground": colors["text"],
            "footer-background": colors["background"],
            "row": row,
            **{f"row-{name}": color for name, color in on_row.items()},
        },
    )


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, 1 to 21, by WCAG 2.2."""
    light, dark = sorted((_luminance(Color.parse(color)) for color in (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: Color) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (color.r / 255, color.g / 255, color.b / 255)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _blended(color: str, towards: str, ground: str, wanted: float) -> str:
    """Return a colour, blended with another one as little as makes it stand out from a ground so much."""
    shares = (step / 50 for step in range(51))
    blends = (Color.parse(color).blend(Color.parse(towards), share, alpha=1.0).hex for share in shares)
    return next((blend for blend in blends if contrast(blend, ground) >= wanted), towards)
