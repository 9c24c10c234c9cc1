"""The input: a draft of one or more lines, sent with Enter, never lost.

A draft belongs to what was asked when it was begun. If a gate opens while a draft stands, Enter does not send it to
that gate: the person looks at the gate first (^Y).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.binding import BindingType
from textual.events import Key
from textual.message import Message
from textual.widgets import TextArea

from workbench.tui.keys import bind
from workbench.tui.widgets.field import act_at_once


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

        @property
        def control(self) -> Draft:
            """The draft that was sent."""
            return self.draft

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
        await act_at_once(self, event)

    def put(self, written: str) -> None:
        """Let this stand in the input, with the cursor behind it."""
        if self.text != written:
            self.load_text(written)
            self.move_cursor(self.document.end)

    def action_send(self) -> None:
        """Send the draft; an empty one is never sent."""
        if self.stands:
            self.post_message(self.Sent(self, self.text.strip()))

    def action_undo(self) -> None:
        """Undo what was written; where nothing was, somebody else may have something to undo."""
        before = self.text
        super().action_undo()
        if not before and not self.text:
            self.post_message(self.NothingToUndo())

    def action_newline(self) -> None:
        """Begin a new line."""
        self.insert("\n")
