"""Help: the keys of what has the focus, as they are bound now; and what was told so far."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import ClassVar

from textual.binding import Binding, BindingType

from workbench.domain.text.cleaning import clean_name
from workbench.tui.dialog import PickDialog
from workbench.tui.keymap import Key, hint
from workbench.tui.lines import Row, hung, text
from workbench.tui.marks import DIM
from workbench.tui.told import EMPTY, local_time, words_row

_KEY_WIDTH = 14  # cells for a key: ``F1 or ?``, ``Shift+Tab``
Groups = Sequence[tuple[str, Sequence[Key]]]


class HelpScreen(PickDialog):
    """Keys and what they do, grouped; what has the focus comes first, and typing looks for words."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "close", "close"),
        Binding("pageup", "page(-1)"),
        Binding("pagedown", "page(1)"),
        Binding("f2", "instead('settings')", "settings", id="app.settings"),
    ]

    def __init__(self, groups: Groups) -> None:
        super().__init__("Keys", lambda width: list(help_rows(groups, width)), sought="what you look for")
        self._groups = groups

    @property
    def hints(self) -> list[tuple[str, str]]:
        """Where else to look."""
        return [*hint(self, "app.settings"), *hint(self, "app.palette", "everything")]

    def fitting(self, words: str) -> Sequence[Row]:
        """Return the keys that have these words, under headings."""
        return list(help_rows(self._groups, self.room, words))

    def on_input_submitted(self) -> None:
        """Go back."""
        self.action_close()

    def action_page(self, step: int) -> None:
        """Scroll by a page."""
        self.listed.action_page(step)


def message_rows(messages: Sequence[tuple[str, str]], width: int) -> list[Row]:
    """Return what was told for a moment, the newest first, each whole."""
    told = [words_row(f"{local_time(time)}  {words}", width, "") for time, words in reversed(messages)]
    return told or [words_row("Nothing was told so far.", width)]


def help_rows(groups: Groups, width: int, sought: str = "") -> Iterator[Row]:
    """Yield a row for each key, under headings: of those only whose words, or key, have what is sought."""
    words = sought.casefold().split()
    known = [(heading, list(_lines(keys))) for heading, keys in groups]
    fitting = [
        (heading, [line for line in lines if all(word in f"{heading} {' '.join(line)}".casefold() for word in words)])
        for heading, lines in known
    ]
    for number, (heading, lines) in enumerate((heading, lines) for heading, lines in fitting if lines):
        if number:
            yield EMPTY
        yield Row((text(heading, "bold $primary"),))
        for shown, told, _ in lines:
            yield Row(hung(text(f"{shown:<{_KEY_WIDTH}}", "bold"), told, width, ""))
    if not any(lines for _, lines in fitting):
        yield Row((text("No key does that here. ^P looks through everything.", DIM),))


def _lines(keys: Sequence[Key]) -> Iterator[tuple[str, str, str]]:
    """Yield key, what it does, and what it is called, which is only sought in.

    Keys that are the same but for a digit, which follow each other, are one line.
    """
    for stem, alike in groupby(keys, _stem):
        same = list(alike)
        if stem is None or len(same) == 1:
            yield from ((clean_name(key.shown), clean_name(key.tooltip), clean_name(key.words)) for key in same)
        else:
            shown = clean_name(f"{same[0].shown}–{same[-1].shown.rpartition('+')[2]}")
            yield shown, ", ".join(clean_name(key.words) for key in same), ""


def _stem(key: Key) -> str | None:
    """Return what is before the digit of a key; None, and apart from every other, if there is none."""
    before, _, last = key.keys[0].rpartition("+")
    return before if len(key.keys) == 1 and last.isdecimal() else None
