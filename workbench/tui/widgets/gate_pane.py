"""The open gate: its question, its answers and their consequences. Its letters act only while it has the focus.

It never takes the focus by itself: a person who is writing goes on writing, and goes to the gate with ^Y or the mouse.
"""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content
from textual.events import Click, Key, Resize
from textual.message import Message
from textual.widget import Widget

from workbench.domain.gates import Gate
from workbench.tui.lines import joined, text
from workbench.tui.views import ASKS, DIM, GATE_KEYS, gate_lines


class GatePane(Widget, can_focus=True):
    """A decision that a person has to make."""

    @dataclass
    class Decided(Message):
        """A person pressed the letter of an answer: its kind, and the approach for ``choose``."""

        gate: Gate
        kind: str
        choice: str = ""

    @dataclass
    class NoteWanted(Message):
        """A person wants to write a note on a section."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id)
        self._gate: Gate | None = None
        self._has_notes = False
        self.display = False

    def show_gate(self, gate: Gate | None, *, has_notes: bool = False) -> None:
        """Show a gate, or nothing."""
        self._gate = gate
        self._has_notes = has_notes and gate is not None and any(one.kind == "feedback" for one in gate.choices)
        self.display = gate is not None
        self.refresh(layout=True)

    def render(self) -> Content:
        """Return the gate: whole with the focus, one line and its answers dimmed without."""
        gate = self._gate
        if gate is None:
            return Content()
        lines = gate_lines(gate, max(self.content_size.width, 8), has_notes=self._has_notes)
        title = joined(text("▲ asks you", f"bold {ASKS}"), text("" if self.has_focus else "   ^Y review", DIM))
        return Content("\n").join([title, *lines])

    def on_resize(self, _event: Resize) -> None:
        """Break the lines anew."""
        self.refresh()

    def on_focus(self) -> None:
        """Show that the letters act now."""
        self.refresh()

    def on_blur(self) -> None:
        """Show that the letters do not act any more."""
        self.refresh()

    def on_key(self, event: Key) -> None:
        """Answer with a letter, or choose with a number."""
        gate = self._gate
        if gate is None or event.character is None:
            return
        kind = next((one.kind for one in gate.choices if GATE_KEYS.get(one.kind) == event.character), None)
        if kind is not None:
            event.stop()
            self.post_message(self.Decided(gate, kind))
        elif event.character.isdecimal() and 1 <= int(event.character) <= len(gate.options):
            event.stop()
            self.post_message(self.Decided(gate, "choose", gate.options[int(event.character) - 1]))
        elif event.character == "n" and self._has_notes:
            event.stop()
            self.post_message(self.NoteWanted())

    def on_click(self, event: Click) -> None:
        """Give the answer that was clicked, once the gate has the focus; the first click only goes there."""
        gate = self._gate
        if gate is None:
            return
        if not self.has_focus:
            self.focus()
            return
        content = event.get_content_offset(self)
        first = len(gate_lines(gate, max(self.content_size.width, 8), has_notes=False)) - len(gate.choices) + 1
        place = content.y - first if content else -1
        if 0 <= place < len(gate.choices) and gate.choices[place].kind != "choose":
            self.post_message(self.Decided(gate, gate.choices[place].kind))
