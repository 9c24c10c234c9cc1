"""A line to type into, and the order of keys in it and in every other text field.

Textual lets letters in at once, but sends a bound key up to the application before it acts: letters, and Enter, that
came with it in one packet overtake it there (Textualize/textual#6605). So it acts here: "a b ⌫ c" is "ac".
"""

from __future__ import annotations

from textual.events import Key, Paste
from textual.widget import Widget
from textual.widgets import Input

from workbench.domain.text.cleaning import clean_name


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


async def act_at_once(field: Widget, event: Key) -> None:
    """Do here what a key is bound to in a field, by default or by its person; any other key goes its usual way."""
    if event.is_printable:
        return
    active = field.screen.active_bindings.get(event.key)
    if active is None or active.node is not field or not active.enabled:
        return
    if await field.app.run_action(active.binding.action, field):
        event.stop()
        event.prevent_default()
