"""Settings: theme, marks, motion and limits, each shown at once and kept for the next time.

↑↓ over a theme shows it · Enter keeps it · Esc goes back to what was kept
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Static

from workbench.domain.errors import SettingsError
from workbench.domain.text.cleaning import clean, clean_name
from workbench.settings import Settings
from workbench.tui.dialog import ListDialog
from workbench.tui.form import FormDialog
from workbench.tui.keymap import hint, problems
from workbench.tui.keys import bind
from workbench.tui.lines import Row, cut, joined, spread, text, wrapped
from workbench.tui.marks import ASKS, DIM, DONE, ELSEWHERE, FAILED, FOCUS, Marks
from workbench.tui.settings.forms import SET_HERE, setting_form
from workbench.tui.settings.preferences import Preference, write_preferences
from workbench.tui.settings.themes import ThemeFailure
from workbench.tui.told import EMPTY, words_row
from workbench.tui.widgets.line_list import LineList


class SettingsScreen(ListDialog[None]):
    """What a person can set here; the rest is in ``workbench config``."""

    heading = "Settings"
    has_help = True
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("escape", "close", "close", "settings.close", "Go back; a theme that was only shown is left"),
    ]

    def body(self) -> ComposeResult:
        """Return the rows and a line of every colour."""
        yield from super().body()
        yield Static(id="colours", markup=False)

    def on_mount(self) -> None:
        """Begin at the chosen theme's row."""
        self.call_after_refresh(self._begin_at, f"theme:{self.app.theme}")
        self.watch(self.listed, "cursor", self._preview, init=False)

    def _begin_at(self, key: str) -> None:
        rows = self.listed
        rows.cursor = next((place for place, row in enumerate(rows.rows) if row.key == key), rows.cursor)

    def rows(self, width: int) -> list[Row]:
        """Return what can be set."""
        app, marks = self.workbench, self.workbench.marks
        self.hint(("Enter", "choose"), *hint(self, "app.palette", "everything"))
        told = [(marks.asks, "asks you", ASKS), (marks.done, "done", DONE), (marks.failed, "failed", FAILED)]
        told += [(marks.session_bar, "this session", FOCUS), (marks.retrieved_bar, "retrieved", ELSEWHERE)]
        colours = joined(*(text(f"{mark} {words}   ", style) for mark, words, style in told))
        self.query_one("#colours", Static).update(colours)
        return list(settings_rows(app.settings, app.theme_names, app.theme_failures, width, marks))

    def _preview(self) -> None:
        """Show the theme under the cursor; elsewhere, the one that is kept."""
        kind, _, value = self.listed.chosen.partition(":")
        app = self.workbench
        if kind == "theme":
            app.theme = value
        else:
            app.use(app.settings)

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """Keep what was chosen."""
        kind, _, value = message.key.partition(":")
        if kind == "set":
            self._set(value)
        else:
            self.workbench.choose({kind: value})
        self.lay_out()

    def _set(self, name: str) -> None:
        """Ask for a setting that holds for sessions that begin from now on, and keep it."""
        app = self.workbench

        def keep(name: str, value: Preference) -> None:
            if app.user_config is None:
                raise SettingsError("There is no file for your settings.")
            write_preferences(app.user_config, {name: value})
            if app.workspace is not None:
                app.workspace.reread_settings()

        def kept(said: str | None) -> None:
            app.settings = app.workspace.settings if said and app.workspace is not None else app.settings
            app.tell(said)
            self.lay_out()

        settings = app.workspace.settings if app.workspace is not None else app.settings
        app.push_screen(FormDialog(setting_form(settings, name, keep)), kept)

    def action_close(self) -> None:
        """Go back to the theme that is kept."""
        self.workbench.use(self.workbench.settings)
        self.dismiss()


def settings_rows(
    settings: Settings, themes: tuple[str, ...], failures: tuple[ThemeFailure, ...], width: int, marks: Marks
) -> Iterator[Row]:
    """Yield what can be set; what is in force has a mark."""
    yield _heading("Theme", settings, "theme")
    yield from (_choice("theme", name, name, settings.theme, marks) for name in themes)
    for failure in failures:
        told = f"{failure.file} cannot be used: {failure.reason}"
        yield Row(tuple(text(f"  {line}", FAILED) for line in wrapped(clean(told), width - 2)))
    yield EMPTY
    motions = (("full", "full"), ("reduced", "reduced: nothing moves by itself"))
    for name, choices in (("marks", (("unicode", "unicode"), ("ascii", "ascii"))), ("motion", motions)):
        yield _heading(name.capitalize(), settings, name)
        yield from (_choice(name, value, words, getattr(settings, name), marks) for value, words in choices)
        yield EMPTY
    yield Row((text("Limits of sessions that begin from now on; ^P, Models has what plans", f"bold {FOCUS}"),))
    for name, words in SET_HERE.items():
        value = getattr(settings, name)
        shown = text("–" if value in (None, "") else clean_name(str(value)), "bold")
        left = cut(joined(f"  {name:<12}", text(words, DIM)), width - min(shown.cell_length, width // 2) - 1)
        yield Row((spread(left, cut(shown, width // 2), width),), key=f"set:{name}")
    yield EMPTY
    yield _heading("Keys", settings, "keys")
    yield words_row('They are set by their ids, under [keys] in your settings file, as "app.new" = "f4".', width)
    yield from (words_row(problem, width, FAILED) for problem in problems(settings.keys))


def _heading(words: str, settings: Settings, name: str) -> Row:
    source = settings.sources.get(name, "default")
    told = "" if source == "default" else f"  from {clean_name(source)}"
    return Row((joined(text(words, f"bold {FOCUS}"), text(told, DIM)),))


def _choice(kind: str, value: str, words: str, current: str, marks: Marks) -> Row:
    is_current = value == current
    mark = text(f"{marks.done if is_current else ' '} ", DONE)
    return Row((joined(mark, text(clean_name(words), "bold" if is_current else "")),), key=f"{kind}:{value}")
