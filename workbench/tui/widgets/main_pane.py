"""The pane in the middle: the plan, or another view of the session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from workbench.tui.context_rows import item_at
from workbench.tui.shared_rows import SHARED
from workbench.tui.widgets.framed_list import FramedList
from workbench.tui.widgets.marked_lists import Mark, MarkWanted, UndoWanted


class MainPane(FramedList):
    """What is shown of a session; single letters act only while it has the focus."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "note", "note", id="plan.note", tooltip="Write a note on the chosen section or line"),
        Binding("x", "unnote", "take note back", show=False, id="plan.unnote", tooltip="Take back the notes on a line"),
        Binding("X", "mark('excluded')", "exclude", show=False, id="plan.exclude", tooltip="Keep it out of prompts"),
        Binding("P", "mark('pinned')", "pin", show=False, id="plan.pin", tooltip="Put it into every prompt"),
        Binding("1,p", "view('plan')", "plan", show=False, id="plan.plan", tooltip="Show the plan"),
        Binding("2,d", "view('difference')", "difference", id="plan.difference", tooltip="Show what changed"),
        Binding("t", "view('transcript')", "transcript", id="plan.transcript", tooltip="Show what was said"),
        Binding("4,c", "view('context')", "context", id="plan.context", tooltip="Show what a model was sent"),
        Binding("i", "view('schedule')", "schedule", id="plan.schedule", tooltip="Show when and why, costs, people"),
        Binding(
            "left", "call(-1)", "earlier call", show=False, id="plan.call-before", tooltip="Look at the call before"
        ),
        Binding("right", "call(1)", "later call", show=False, id="plan.call-after", tooltip="Look at the call after"),
        Binding("6,r", "view('rounds')", "rounds", show=False, id="plan.rounds", tooltip="Show rounds and memory"),
        Binding("3,h", "view('history')", "history", show=False, id="plan.history", tooltip="Show the messages"),
        Binding("5,l", "view('live')", "live", show=False, id="plan.live", tooltip="Show what sessions share"),
        Binding("s", "view('shared')", "shared", show=False, id="plan.shared", tooltip="Show what it had seen shared"),
        Binding(
            "v",
            "versions",
            "compare versions…",
            show=False,
            id="plan.versions",
            tooltip="Choose two versions of the plan, and see what differs",
        ),
        Binding(
            "w",
            "changes",
            "changes and repairs…",
            show=False,
            id="plan.changes",
            tooltip="Why the plan is as it is: each change with its cause, undo, and repairs for its findings",
        ),
        Binding("u", "undo", "undo", show=False, id="plan.undo", tooltip="Take the chosen shared change back"),
        Binding(
            "left_square_bracket", "older(1)", "older", show=False, id="plan.older", tooltip="Compare older versions"
        ),
        Binding(
            "right_square_bracket", "older(-1)", "newer", show=False, id="plan.newer", tooltip="Compare newer versions"
        ),
    ]

    @dataclass
    class NoteWanted(Message):
        """A person wants to write a note on a row, or to take its notes back."""

        key: str
        taken_back: bool = False

    @dataclass
    class OlderWanted(Message):
        """A person wants to compare older or newer versions."""

        step: int

    class ChangesWanted(Message):
        """A person wants to see what made the plan."""

    class VersionsWanted(Message):
        """A person wants to compare two versions of the plan."""

    @dataclass
    class CallWanted(Message):
        """A person wants to look at an earlier call, or a later one."""

        step: int

    def __init__(self, *, id: str, mark: str) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id, mark=mark)
        self.view = "plan"

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer the views that are not shown already, and other calls where a call is shown."""
        match action:
            case "view":
                return parameters[0] in self.tabs or parameters[0] == "history"
            case "call":
                return self.view == "context"
            case "undo":
                return self.chosen.startswith(SHARED)
            case "mark":
                is_message = self.view in ("transcript", "history") and self.chosen.startswith(("message:", "quoted:"))
                return is_message or (self.view == "context" and item_at(self.chosen) != "")
            case _:
                return True

    def action_view(self, view: str) -> None:
        """Show another view."""
        self.post_message(self.ViewWanted(view))

    def action_older(self, step: int) -> None:
        """Compare older versions, or newer ones."""
        self.post_message(self.OlderWanted(step))

    def action_changes(self) -> None:
        """Show what made the plan."""
        self.post_message(self.ChangesWanted())

    def action_versions(self) -> None:
        """Choose two versions of the plan to compare."""
        self.post_message(self.VersionsWanted())

    def action_call(self, step: int) -> None:
        """Look at an earlier call, or a later one."""
        self.post_message(self.CallWanted(step))

    def action_mark(self, mark: Mark) -> None:
        """Keep the chosen message, or what a call was sent, out of prompts, or pin it to them."""
        sent = item_at(self.chosen)
        self.post_message(MarkWanted(f"quoted:{sent}" if sent else self.chosen, mark))

    def action_undo(self) -> None:
        """Ask that the chosen change of the shared context is taken back."""
        self.post_message(UndoWanted(self.chosen.removeprefix(SHARED)))

    def action_note(self) -> None:
        """Write a note on the chosen row."""
        self.post_message(self.NoteWanted(self.chosen))

    def action_unnote(self) -> None:
        """Take the notes on the chosen row back."""
        self.post_message(self.NoteWanted(self.chosen, taken_back=True))
