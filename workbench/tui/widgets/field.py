"""A line to type into, and a draft of several."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.binding import BindingType
from textual.events import Key, Paste
from textual.message import Message
from textual.widgets import Input, TextArea

from workbench.domain.text.cleaning import clean_name
from workbench.tui.keys import bind


class Field(Input):
    """One line of text; what is pasted comes as one line, clean and not too long."""

    def __init__(self, *, id: str, placeholder: str = "", password: bool = False) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, placeholder=placeholder, compact=True, password=password)
        self.cursor_blink = False

    def _on_paste(self, event: Paste) -> None:
        event.prevent_default()
        event.stop()
        self.insert_text_at_cursor(clean_name(event.text, 500))


class Draft(TextArea):
    """Where a person writes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("enter", "send", "send", "draft.send", "Send what is written"),
        bind("ctrl+j", "newline", "new line", "draft.newline", "Begin a new line"),
    ]

    @dataclass
    class Sent(Message):
        """A person pressed Enter on a draft that is not empty."""

        draft: Draft
        text: str

    class NothingToUndo(Message):
        """A person pressed the key to undo in an empty input."""

    def __init__(self, *, id: str, placeholder: str = "") -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(
            id=id,
            placeholder=placeholder,
            soft_wrap=True,
            show_line_numbers=False,
            compact=True,
            highlight_cursor_line=False,
            tab_behavior="focus",
        )
        self.cursor_blink = False  # only what runs moves

    @property
    def stands(self) -> bool:
        """Whether something is written."""
        return bool(self.text.strip())

    async def _on_key(self, event: Key) -> None:
        """Do what a key is bound to, by default or by its person, before the area takes Enter for a new line."""
        active = None if event.is_printable else self.screen.active_bindings.get(event.key)
        is_own = active is not None and active.node is self and active.enabled
        if active is not None and is_own and await self.app.run_action(active.binding.action, self):
            event.stop()
            event.prevent_default()

    def on_resize(self) -> None:
        """Keep in sight if the person writes."""
        self.call_after_refresh(self.scroll_cursor_visible)

    def put(self, written: str) -> None:
        """Let this stand in the input, with the cursor after it."""
        if self.text != written:
            self.load_text(written)
            self.move_cursor(self.document.end)

    def action_send(self) -> None:
        """Send the draft; an empty one is never sent."""
        if self.stands:
            self.post_message(self.Sent(self, self.text.strip()))

    def action_undo(self) -> None:
        """Undo what was written; if nothing was, somebody else may have something to undo."""
        before = self.text
        super().action_undo()
        if not before and not self.text:
            self.post_message(self.NothingToUndo())

    def action_newline(self) -> None:
        """Begin a new line."""
        self.insert("\n")
