"""The pane in the middle: the plan, or another view of the session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.events import MouseDown, MouseEvent, MouseUp
from textual.message import Message
from textual.widgets._toast import ToastRack

from workbench.domain.text.cleaning import clean
from workbench.tui.keys import bind
from workbench.tui.lines import Row
from workbench.tui.session.cell_editing import EDITED, CellName, Deed
from workbench.tui.session.context_rows import item_at
from workbench.tui.sharing.shared_rows import change_at
from workbench.tui.widgets.framed_list import FramedList
from workbench.tui.widgets.marked_lists import Mark, MarkWanted, UndoWanted

_RIGHT = 3
"""The button of the mouse that opens what can be done."""


def _key(key: str, action: str, name: str, words: str, tooltip: str) -> Binding:
    return bind(key, action, words, f"plan.{name}", tooltip)


class MainPane(FramedList):
    """What is shown of a session; single letters act only while it has the focus."""

    BINDINGS: ClassVar[list[BindingType]] = [
        _key("m", "note", "note", "note", "Write a note on the chosen section or line"),
        _key("w", "screen.why", "why", "why", "Why the plan says this: what was done to it, and for what"),
        _key("x", "out", "out", "take out", "Reject a change, keep a message out of prompts, take a note back"),
        _key("P", "mark('pinned')", "pin", "pin", "Put it into every prompt"),
        _key("a", "review('accept')", "accept", "accept", "Accept the change that is shown, or a repair"),
        _key("A", "review('rest')", "accept-rest", "accept the rest", "Accept every change that is open"),
        _key("r", "review('reply')", "reply", "reply", "Write a note on what was changed"),
        _key("n", "go(1)", "next", "next", "Go to the next change, mark or row"),
        _key("N", "go(-1)", "previous", "previous", "Go to the change, mark or row before"),
        _key("s", "lay_out", "layout", "beside or below", "Before and after beside each other, or below"),
        _key("c", "answer('continue')", "continue", "continue", "Go to the question to continue: press it twice"),
        _key("f", "answer('feedback')", "feedback", "feedback", "Write what should change"),
        _key("e", "answer('edit')", "edit", "edit", "Edit the plan in $EDITOR"),
        _key(
            "b",
            "answer('send-notes')",
            "send-notes",
            "send notes",
            "Go to the question to send notes: press it twice",
        ),
        _key("F", "answer('finish')", "finish", "finish", "Go to the question to finish: press it twice"),
        _key("q", "answer('stop')", "stop", "stop", "Go to the question to stop: press it twice"),
        _key("1", "view('plan')", "plan", "plan", "Show the plan"),
        _key("2", "view('changes')", "changes", "changes", "Review what changed, one change at a time"),
        _key("3", "view('history')", "history", "history", "Show the messages"),
        _key("4", "view('context')", "context", "context", "Show what a model was sent"),
        _key("5", "view('live')", "live", "shared", "Show what sessions share"),
        _key("6", "view('rounds')", "rounds", "rounds", "Show rounds and memory"),
        _key("7", "screen.isolation", "people", "people", "Show people, agents, and who sees what"),
        _key("t", "view('transcript')", "transcript", "transcript", "Show what was said, whole"),
        _key("i", "view('schedule')", "schedule", "schedule", "Show when and why, costs, people"),
        _key("y", "copy", "copy", "copy", "Copy the chosen row to the clipboard"),
        _key("z", "screen.zoom", "zoom", "zoom", "Give the page, or the drawer, all the room; again: as it was"),
        _key("plus", "screen.scale(1)", "closer", "closer", "Show fewer days beside the steps, where these have room"),
        _key("minus", "screen.scale(-1)", "farther", "farther", "Show more days beside the steps"),
        _key("o", "add('add below')", "add", "add", "Add a step below the chosen one"),
        _key("O", "add('add above')", "add-above", "add above", "Add a step above the chosen one"),
        _key("J", "deed('down')", "move-down", "move down", "Move the chosen step down in the list, or all marked"),
        _key("K", "deed('up')", "move-up", "move up", "Move the chosen step up in the list, or all marked"),
        _key("greater_than_sign", "deed('nest')", "nest", "nest", "Make the chosen step a part of the one above"),
        _key("less_than_sign", "deed('lift')", "lift", "un-nest", "Let the chosen step be no part any more"),
        _key("X", "deed('drop')", "drop", "drop", "Drop the chosen step: it is not done any more, and stays in sight"),
        _key("U", "screen.undo_list", "undo-list", "undo list…", "See what was changed, and undo to there"),
        _key("0", "app.home", "home", "home", "Go to the list of plans"),
        _key("slash", "screen.find", "find", "find", "Find words on this page; n and N go on from one to the next"),
        _key("d", "screen.status", "done", "step done", "Say that the chosen step is done, or how it stands"),
        _key("h", "screen.fold(0)", "fold", "fold", "Fold the chosen row, or its section"),
        _key("l", "screen.fold(1)", "unfold", "unfold", "Unfold the chosen row, or its section"),
        _key("g", "end_of(-1)", "top", "first row", "Go to the first row"),
        _key("G", "end_of(1)", "bottom", "last row", "Go to the last row"),
        _key("left", "side(-1)", "call-before", "left", "Go to the cell on the left, or to the call before"),
        _key("right", "side(1)", "call-after", "right", "Go to the cell on the right, or to the call after"),
        _key("space", "pick", "pick", "mark", "Mark the chosen step: then one owner, date or done is for all marked"),
        _key(
            "v",
            "screen.versions",
            "versions",
            "compare versions…",
            "Choose two versions of the plan, and see what differs",
        ),
        _key(
            "u,ctrl+z",
            "undo",
            "undo",
            "undo",
            "Undo the last change, the chosen shared one, or an acceptance",
        ),
        _key("left_square_bracket", "screen.older(1)", "older", "older", "Review the version before"),
        _key("right_square_bracket", "screen.older(-1)", "newer", "newer", "Review the version after"),
    ]

    without: ClassVar[frozenset[str]] = frozenset({"replay.beyond", "replay.play", "begin.tick"})
    """What a step's own key never meets: a plan that is walked through is not changed."""

    @dataclass
    class NoteWanted(Message):
        """A person wants to write a note on a row, or to take its notes back."""

        key: str
        taken_back: bool = False

    @dataclass
    class CallWanted(Message):
        """A person wants to see what a later call was sent, or an earlier one."""

        step: int

    @dataclass
    class ReviewWanted(Message):
        """A person goes on in the review: accept, reject, rest, reply, undo, next, previous, layout."""

        deed: str
        key: str
        """Of the chosen row: a repair has one."""

    @dataclass
    class AnswerWanted(Message):
        """A person pressed the letter of an answer of the open gate."""

        kind: str

    @dataclass
    class TurnedDown(Message):
        """A person says that a row of an open checkpoint is wrong, or is not needed."""

        key: str

    @dataclass
    class DeedWanted(Message):
        """A person wants something done to the chosen step, or to those that are marked."""

        deed: Deed

    @dataclass
    class Dragged(Message):
        """A person dragged a step onto another one."""

        key: str
        onto: str

    @dataclass
    class AddWanted(Message):
        """A person wants to add a step beside the chosen one."""

        cell: CellName

    class PlanUndoWanted(Message):
        """A person wants to undo the last change of the plan."""

    def __init__(self, *, id: str, mark: str) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id, mark=mark)
        self.view = "plan"
        self.answers: frozenset[str] = frozenset()
        """Kinds of answers that the open gate takes."""
        self.can_edit = False
        """Whether the plan can be changed here: there is one, and a person drives the session."""
        self.can_note = False
        """Whether notes can be written in this session at all."""
        self.column = "owner"
        self._pressed = ""
        """Key of the step on which a mouse button went down last."""
        self.sought = ""
        """Words that a person looks for on this page, in small letters."""

    def on_resize(self) -> None:
        """Keep what is told for a moment beside the page: however much stands below it, that is never covered."""
        self.call_after_refresh(self._limit_toasts)

    def _limit_toasts(self) -> None:
        for rack in self.screen.query(ToastRack):
            rack.styles.max_height = self.outer_size.height

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what can be done with what is shown: a letter never means two things in one view."""
        match action:
            case "view":
                return parameters[0] in self.offered or parameters[0] in (self.view, "history", "live")
            case "end_of":
                return "plan.top" not in getattr(self.screen, "without", ())
            case "undo":
                return change_at(self.chosen) != "" or self.view == "changes" or self._can_command
            case "deed" | "add" | "pick":
                return self.can_edit and self.view == "plan"
            case "review" | "lay_out":
                return self.view == "changes"
            case "answer":
                return parameters[0] in self.answers or (parameters[0] == "edit" and self.can_note)
            case "note":
                return self.can_note and self.view in ("plan", "changes")
            case "mark":
                return self._can_mark
            case "out":
                return self._can_mark or self.view in ("changes", "gate") or (self.can_note and self.view == "plan")
            case _:
                return True

    @property
    def _can_command(self) -> bool:
        return self.can_edit and self.view in ("plan", "schedule", "gate")

    @property
    def _can_mark(self) -> bool:
        is_message = self.view in ("transcript", "history") and self.chosen.startswith(("message:", "quoted:"))
        return is_message or (self.view == "context" and item_at(self.chosen) != "")

    def action_view(self, view: str) -> None:
        """Show another view."""
        self.post_message(self.ViewWanted(view))

    def action_review(self, deed: str) -> None:
        """Decide about the change that is shown."""
        self.post_message(self.ReviewWanted(deed, self.chosen))

    def action_answer(self, kind: str) -> None:
        """Ask for an answer of the open gate."""
        self.post_message(self.AnswerWanted(kind))

    def action_lay_out(self) -> None:
        """Lay before and after out the other way."""
        self.action_review("layout")

    def action_go(self, step: int) -> None:
        """Go to the next change; elsewhere to the next row with a mark, or the next row where none has one."""
        if self.view == "changes":
            self.action_review("next" if step > 0 else "previous")
            return
        marked = [place for place, row in enumerate(self.rows) if self._is_stop(row)]
        ahead = [place for place in marked if (place - self.cursor) * step > 0]
        if not marked:
            self.action_move(step)
        elif ahead:
            self.cursor = ahead[0] if step > 0 else ahead[-1]

    def _is_stop(self, row: Row) -> bool:
        """Tell whether n and N stop at a row: where what is sought stands, else where something is to be seen to."""
        if self.sought:
            return any(self.sought in line.plain.casefold() for line in row.lines)
        return row.key != "" and row.is_marked

    def find(self, words: str) -> int:
        """Look for words from the first row on; return how many rows have them."""
        self.sought = words.strip().casefold()
        places = [place for place, row in enumerate(self.rows) if self.sought and self._is_stop(row)]
        if places:
            self.cursor = places[0]
        return len(places)

    def action_copy(self) -> None:
        """Copy the chosen row to the clipboard of the terminal, as it stands here: without control characters."""
        if 0 <= self.cursor < len(self.rows):
            words = "\n".join(" ".join(line.plain.split()) for line in self.rows[self.cursor].lines)
            self.app.copy_to_clipboard(clean(words))
            self.app.notify("The chosen row is copied.", markup=False)

    def action_pick(self) -> None:
        """Mark the chosen step, or take its mark away, and go on to the next."""
        if self.cell is not None and self.cell.name in EDITED:
            self.pick(self.picked ^ {self.chosen})
            self.action_move(1)

    def action_side(self, step: int) -> None:
        """Go to the next cell of the row; of what was sent, to the next call."""
        if self.view == "context":
            self.post_message(self.CallWanted(step))
        else:
            super().action_side(step)

    def action_end_of(self, step: int) -> None:
        """Go to the first row, or the last."""
        self.action_edge(step)

    def action_out(self) -> None:
        """Take out what is chosen: a change, an item of prompts, notes on a line."""
        if self.view == "changes":
            self.action_review("reject")
        elif self.view == "gate":
            self.post_message(self.TurnedDown(self.chosen))
        elif self._can_mark:
            self.action_mark("excluded")
        else:
            self.post_message(self.NoteWanted(self.chosen, taken_back=True))

    def action_mark(self, mark: Mark) -> None:
        """Keep the chosen message, or what a call was sent, out of prompts, or pin it to them."""
        sent = item_at(self.chosen)
        self.post_message(MarkWanted(f"quoted:{sent}" if sent else self.chosen, mark))

    def action_undo(self) -> None:
        """Ask that the last change, the chosen one of the shared context, or an acceptance, is taken back."""
        if self.view == "changes":
            self.action_review("undo")
        elif change := change_at(self.chosen):
            self.post_message(UndoWanted(change))
        else:
            self.post_message(self.PlanUndoWanted())

    def _step_at(self, event: MouseEvent) -> str:
        """Return the key of the step under the pointer; "" for anything else."""
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

    def action_deed(self, deed: Deed) -> None:
        """Do something to the chosen step."""
        self.post_message(self.DeedWanted(deed))

    def action_add(self, cell: CellName) -> None:
        """Add a step."""
        self.post_message(self.AddWanted(cell))

    def action_note(self) -> None:
        """Write a note on the chosen row."""
        self.post_message(self.NoteWanted(self.chosen))
