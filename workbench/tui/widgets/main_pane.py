"""The pane in the middle: the plan, or another view of the session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.events import MouseDown, MouseEvent, MouseUp
from textual.message import Message

from workbench.domain.text.cleaning import clean
from workbench.tui.keys import bind
from workbench.tui.session.plan.cell_editing import EDITED
from workbench.tui.widgets.framed_list import CALLED, NUMBERED, FramedList
from workbench.tui.widgets.line_list import LineList

_RIGHT = 3  # the button of the mouse that opens what can be done


def _key(key: str, action: str, name: str, tooltip: str, words: str = "") -> Binding:
    return bind(key, action, words or name.replace("-", " "), f"plan.{name}", tooltip)


class MainPane(FramedList):
    """What is shown of a session; single letters act only while it has the focus."""

    BINDINGS: ClassVar[list[BindingType]] = [
        _key("space", "pick", "pick", "Mark the step: one owner, date or done is for all marked", "mark"),
        _key("d", "screen.status", "done", "Say that the chosen step is done, or how it stands", "step done"),
        _key("o", "screen.add('add below')", "add", "Add a step below the chosen one"),
        _key("O", "screen.add('add above')", "add-above", "Add a step above the chosen one"),
        _key("J", "screen.deed('down')", "move-down", "Move the chosen step down in the list, or all marked"),
        _key("K", "screen.deed('up')", "move-up", "Move the chosen step up in the list, or all marked"),
        _key("greater_than_sign", "screen.deed('nest')", "nest", "Make the chosen step a part of the one above"),
        _key("less_than_sign", "screen.deed('lift')", "lift", "Let the chosen step be no part any more", "un-nest"),
        _key("X", "screen.deed('drop')", "drop", "Drop (delete) the chosen step: it is not done, and stays in sight"),
        _key("u,ctrl+z", "screen.undo", "undo", "Undo the last change, the chosen shared one, or an acceptance"),
        _key("Z", "screen.redo_change", "redo", "Make again what was undone last", "redo"),
        _key("U", "screen.undo_list", "undo-list", "See what was changed, and undo to there", "undo list…"),
        _key("w", "screen.why", "why", "Why the plan says this: what was done to it, and for what"),
        _key("m", "screen.note", "note", "Write a note on the chosen section or line"),
        _key("f", "screen.answer('feedback')", "feedback", "Write what should change"),
        _key("e", "screen.answer('edit')", "edit", "Edit the plan in $EDITOR"),
        _key("slash", "screen.find", "find", "Find words on this page; n and N go on from one to the next"),
        _key("n", "screen.go(1)", "next", "Go to the next change, mark or row"),
        _key("N", "screen.go(-1)", "previous", "Go to the change, mark or row before"),
        _key("h", "screen.fold(0)", "fold", "Fold the chosen row, or its section"),
        _key("l", "screen.fold(1)", "unfold", "Unfold the chosen row, or its section"),
        _key("left", "screen.side(-1)", "call-before", "Go to the cell on the left, or to the call before", "left"),
        _key("right", "screen.side(1)", "call-after", "Go to the cell on the right, or to the call after", "right"),
        _key("y", "copy", "copy", "Copy the chosen row to the clipboard"),
        _key("v", "screen.versions", "versions", "See how versions differ, or a fork and its original", "compare…"),
        _key("c", "screen.answer('continue')", "continue", "Go to the question to continue: press it twice"),
        _key("b", "screen.answer('send-notes')", "send-notes", "Send the collected notes: press it twice"),
        _key("F", "screen.answer('finish')", "finish", "Save the plan and finish: press it twice"),
        _key("q", "screen.answer('stop')", "stop", "Stop here: press it twice; a saved plan is left for home"),
        _key("x", "screen.out", "out", "Reject a change, exclude from prompts, take a note back", "take out"),
        _key("P", "screen.mark_item('pinned')", "pin", "Put it into every prompt"),
        _key("a", "screen.decide('accept')", "accept", "Accept the change that is shown, or a repair"),
        _key("A", "screen.decide('rest')", "accept-rest", "Accept every change that is open", "accept the rest"),
        _key("r", "screen.decide('reply')", "reply", "Write a note on what was changed"),
        _key("1", "view('plan')", "plan", "Show the plan"),
        _key("2", "view('changes')", "changes", "Review what changed, one change at a time"),
        _key("3", "view('history')", "history", "Show the messages"),
        _key("4", "view('context')", "context", "Show what a model was sent"),
        _key("5", "view('live')", "live", "Show what sessions share", "shared"),
        _key("6", "view('rounds')", "rounds", "Show rounds and memory"),
        _key("7", "view('people')", "people", "Show people, agents, and who sees what"),
        _key("t", "view('transcript')", "transcript", "Show what was said, whole"),
        _key("i", "screen.urgency", "status", "Steps by how urgent they are, or in the plan's order", "by urgency"),
        _key("z", "screen.zoom", "zoom", "Give the page, or the drawer, all the room; again: as it was"),
        _key("0", "app.home", "home", "Go to the list of plans"),
        _key("left_square_bracket", "screen.older(1)", "older", "Review the version before"),
        _key("right_square_bracket", "screen.older(-1)", "newer", "Review the version after"),
    ]

    without: ClassVar[frozenset[str]] = frozenset({"replay.beyond", "replay.play", "begin.tick"})
    """What a step's own key never meets: a plan that is walked through is not changed."""

    @dataclass
    class Dragged(Message):
        """A person dragged a step onto another one."""

        key: str
        onto: str

    def __init__(self, *, id: str, mark: str) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id, mark=mark)
        self.view = "plan"
        self.can_edit = False
        """Whether the plan can be changed here: there is one, and a person drives the session."""
        self.column = "owner"
        self._pressed = ""  # key of the step on which a mouse button went down last

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what can be done with what is shown: a letter never means two things in one view."""
        match action:
            case "view":
                return parameters[0] in self.offered or parameters[0] in (self.view, "history", "live")
            case "pick":
                return self.can_edit and self.view == "plan"
            case _:
                return super().check_action(action, parameters)

    def action_view(self, view: str) -> None:
        """Show another view."""
        self.post_message(self.ViewWanted(view))

    def action_copy(self) -> None:
        """Copy the chosen row to the clipboard of the terminal, as it is here: without control characters."""
        if 0 <= self.cursor < len(self.rows):
            words = "\n".join(" ".join(line.plain.split()) for line in self.rows[self.cursor].lines)
            self.app.copy_to_clipboard(clean(words))
            self.app.notify("The chosen row is copied.")

    def action_pick(self) -> None:
        """Mark the chosen step, or take its mark away, and go on to the next."""
        if self.cell is not None and self.cell.name in EDITED:
            self.pick(self.picked ^ {self.chosen})
            self.action_move(1)

    def _step_at(self, event: MouseEvent) -> str:
        offset = event.get_content_offset(self)
        row = self.rows[self.line_of(offset.y)[1]] if offset is not None and self.line_of(offset.y)[1] >= 0 else None
        return row.key if row is not None and any(cell.name in EDITED for cell in row.cells) else ""

    def on_mouse_down(self, event: MouseDown) -> None:
        """Note what may be dragged from here."""
        self._pressed = self._step_at(event) if event.button == 1 else ""

    async def on_mouse_up(self, event: MouseUp) -> None:
        """Drop a dragged step below another one; a right click opens all that can be done with the row."""
        onto = self._step_at(event)
        if event.button == _RIGHT and onto:
            self.reveal(onto)
            await self.run_action("app.command_palette")
        elif self._pressed and onto and onto != self._pressed and self.can_edit:
            self.post_message(self.Dragged(self._pressed, onto))


_VIEWS = tuple(
    bind(str(digit), f"screen.view({name!r})", CALLED.get(name, name), f"plan.{name}", "")
    for digit, name in enumerate(NUMBERED, 1)
)
"""The digits of the page act in the drawer beside it, too."""


class MarkableList(LineList):
    """What was said in this session."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *_VIEWS,
        bind("z", "screen.zoom", "zoom", "plan.zoom", ""),
        bind("slash", "screen.find", "find", "plan.find", ""),
        bind("n", "screen.go(1)", "next", "plan.next", ""),
        bind("N", "screen.go(-1)", "previous", "plan.previous", ""),
        bind("x", "screen.mark_item('excluded')", "exclude", "recalled.exclude", "Keep it out of the next prompt"),
        bind("P", "screen.mark_item('pinned')", "pin", "recalled.pin", "Put it into every prompt"),
    ]


class RecalledList(MarkableList):
    """What was found in other sessions."""
