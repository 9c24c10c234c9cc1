"""A line to type into: a search, a name."""

from __future__ import annotations

from textual.events import Key, Paste
from textual.widgets import Input

from workbench.domain.text.cleaning import clean_name
from workbench.tui.widgets.prompt_keys import act_at_once


class Field(Input):
    """One line of text; what is pasted comes as one line, clean and not too long."""

    def __init__(self, *, id: str, placeholder: str = "") -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id, placeholder=placeholder, compact=True)
        self.cursor_blink = False

    async def _on_key(self, event: Key) -> None:
        await act_at_once(self, event)

    def _on_paste(self, event: Paste) -> None:
        event.prevent_default()
        event.stop()
        self.insert_text_at_cursor(clean_name(event.text, 500))
