"""The review of another program's plan: the plan in sight with line numbers, what changed, notes, and the decision.

the session's screen ─▶ show_state ─▶ page_of, page_rows (thread) ─▶ one list; keys ─▶ reviewing.py of planning (thread)
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from itertools import dropwhile
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from workbench.domain.errors import UsageError, WorkbenchError
from workbench.domain.review.answer import Decision, editable, label_in, lines_label, open_notes, place_label, wishes
from workbench.domain.review.page import Page, page_of
from workbench.domain.session.state import LineNote, SessionState
from workbench.domain.text.cleaning import clean_name, shorten
from workbench.planning.beside_the_loop.reviewing import check_takes_notes, decide_here, look, write_notes
from workbench.planning.session_log import SessionLog
from workbench.planning.trust.person import require_person
from workbench.tui.base import WorkbenchScreen
from workbench.tui.dialog import PickDialog, confirm
from workbench.tui.editing import edited
from workbench.tui.form import ask_to_find
from workbench.tui.keymap import hint
from workbench.tui.keys import bind
from workbench.tui.lines import Sheet, joined, text
from workbench.tui.marks import DIM
from workbench.tui.pauses import beside
from workbench.tui.review.rows import heading_rows, page_rows
from workbench.tui.told import counted
from workbench.tui.widgets.bars import Hints, TopLine
from workbench.tui.widgets.field import Draft
from workbench.tui.widgets.framed_list import FramedList


class PlanLines(FramedList):
    """The lines of a plan."""

    without: ClassVar[frozenset[str]] = frozenset(
        {"begin.tick", "replay.play", "session.outline", "session.replan", "start.done", "start.next", "start.search"}
    )
    """Keys of screens on which it never stands."""
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("n", "screen.note", "note", "review.note", "Note on the line, or on the lines from the marked one"),
        bind("space", "screen.mark", "mark", "review.mark", "Mark where the lines of a note begin"),
        bind("s", "screen.note('section')", "section", "review.section", "Note on all below the heading"),
        bind("w", "screen.note('whole')", "whole plan", "review.whole", "Note on the plan as a whole"),
        bind("e", "screen.editor", "editor", "review.editor", "Write the note in $EDITOR"),
        bind(
            "X",
            "screen.take_back",
            "take back",
            "review.take-back",
            "Take back the chosen note, or the one below the line",
        ),
        bind(
            "E", "screen.edit", "edit", "review.edit", "Edit the plan in $EDITOR: each of your changes becomes a note"
        ),
        bind("d", "screen.only", "changes", "review.only", "Show what changed only, or all"),
        bind("right_square_bracket", "stop(1)", "next", "review.next", "Go to the next change, or what you look for"),
        bind("left_square_bracket", "stop(-1)", "previous", "review.previous", "Go to the one before"),
        bind("slash", "screen.find", "find", "review.find", "Find words in this version"),
        bind("ctrl+b", "screen.outline", "outline", "review.outline", "Go to a heading"),
        bind("A", "screen.decide('approved')", "approve…", "review.approve", "Approve it; your notes go with it"),
        bind("R", "screen.decide('sent back')", "send back…", "review.send-back", "Send it back with your notes"),
        bind("S", "screen.decide('stopped')", "stop…", "review.stop", "Let the agent stop"),
        bind("y", "screen.copy", "copy answer", "review.copy", "Copy the last answer to the clipboard"),
    ]

    def action_stop(self, step: int) -> None:
        """Go to the next place to stop at, or the one before."""
        if next(self.stops(), None) is None:
            self.notify("Nothing to go to: nothing changed, and there is no search here.")
        elif not self.go(step):
            self.notify("Nothing more below." if step > 0 else "Nothing more above.")

    def find(self, words: str) -> int:
        """Look for words; the frame says so."""
        rows = super().find(words)
        self.post_message(self.Resized())
        return rows


class ReviewScreen(WorkbenchScreen[None]):
    """A plan of another program under review."""

    CSS_PATH = Path(__file__).parent.parent / "replay" / "compare.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", "back")]

    def __init__(self, session: str, state: SessionState) -> None:
        super().__init__()
        self.session, self.state = session, state
        self._page: Page | None = None
        self._before = -1  # the version that is compared with; -1 for the one that was looked at last
        self._is_waited_for = False
        self._only_changes = self._had_only_changes = False
        self._went = "", ""  # rows from which, and to which, it went when changes alone were shown
        self._marked = 0  # line at which the lines of a note begin; 0 for none
        self._kept = ""  # a note that was left while it was written
        self._place = (0, 0, 0, "")  # version and lines that are noted on, and the note that is changed

    def compose(self) -> ComposeResult:
        """Return the plan, and below it the input for a note."""
        yield TopLine(id="top", markup=False)
        with Vertical(id="compared"):
            yield PlanLines(id="changes", mark=self.workbench.marks.here)
        yield Draft(id="note")
        yield Hints(id="hints", markup=False)

    def on_mount(self) -> None:
        """Hide the input for a note."""
        self.query_one(Draft).display, self.lines.keeps_cursor = False, True
        self.lines.frame("Plan", [])
        self.lines.focus()

    @property
    def lines(self) -> PlanLines:
        """The plan."""
        return self.query_one(PlanLines)

    def show_state(self, state: SessionState) -> None:
        """Show the newest version; what was shown until now is what it is compared with."""
        if len(state.submissions) != len(self.state.submissions):
            self._before = len(self.state.submissions)
        self.state = state
        if self.is_mounted:
            self._repaint()

    def on_line_list_resized(self) -> None:
        """Break lines again, with the chosen one in sight."""
        self._repaint()
        self.call_after_refresh(self.lines.keep_in_sight)

    @work(group="paint", exclusive=True)
    async def _repaint(self) -> None:
        state, width, workspace = self.state, self.lines.room, self.workbench.workspace
        if not width or workspace is None:
            return

        def painted() -> tuple[Page, Sheet, bool]:
            page = page_of(state, len(state.submissions), self._before)
            rows = page_rows(page, width, self.workbench.marks, only_changes=self._only_changes)
            return page, Sheet(rows), workspace.session(self.session).log().is_driven

        page, sheet, self._is_waited_for = await beside(painted)
        if self._page is not None and self._page.version != page.version:
            self.lines.sought = ""
        self.lines.show(sheet, at=(self._place_to_go(page, sheet), 0))
        self._page, self._had_only_changes = page, self._only_changes
        self._tell(state, page)

    def _place_to_go(self, page: Page, sheet: Sheet) -> str:
        """Return the key to go to: what was chosen, where its line stands now, or the nearest line; "" for none."""
        is_new = self._page is not None and self._page.version != page.version
        line, _ = self._chosen()
        if self._only_changes and not self._had_only_changes:
            shown = (key for key in sheet.places if key.startswith("line:"))
            near = min(shown, key=lambda key: abs(int(key.removeprefix("line:")) - line), default="")
            self._went = self.lines.chosen, self.lines.chosen if self.lines.chosen in sheet.places else near
            return self._went[1]
        if is_new and self.lines.chosen.startswith("line:"):
            rest = dropwhile(lambda one: line not in (one.old, *one.also), page.lines)
            return next((f"line:{one.new}" for one in rest if one.new and page.document.lines[one.new - 1].strip()), "")
        if self._only_changes == self._had_only_changes:
            return self.lines.chosen if is_new else ""
        return self._went[0] if self.lines.chosen == self._went[1] and not is_new else self.lines.chosen

    def _tell(self, state: SessionState, page: Page) -> None:
        newest, notes = state.submissions[-1], len(open_notes(state))
        decided = newest.decided
        waits = f"{clean_name(newest.agent) or 'a program'} waits" if self._is_waited_for else "nobody waits"
        stands = waits if decided is None else decided.decision
        told = f"  {stands} · {counted(notes, 'note')} to send"
        name = shorten(clean_name(state.name), max(self.size.width - len(told) - 4, 10))  # what stands is never cut off
        self.query_one(TopLine).tell(joined(text(f"  {name}", "bold"), text(told, DIM)))
        beside_it = f" · since v{page.before}" if page.before else ""
        marked = f" · from line {self._marked}" if self._marked else ""
        looked_for = f" · ] finds “{clean_name(self.lines.sought)}”" if self.lines.sought else ""
        after = ("copy", "only") if stands == "approved" else ("note", "mark", "only")
        names = after if decided is not None else ("note", "send-back", "approve", "mark", "only")
        hints = [one for name in names for one in hint(self, f"review.{name}")]
        if self.query_one(Draft).display:
            marked = f" · note on {lines_label(*self._place[1:3])}"
            hints = [("Enter", "note"), ("^J", "new line")]
        self.lines.frame(f"v{page.version}{beside_it}{marked}{looked_for}", [])
        self.query_one(Hints).show_hints(hints, self.size.width, always=[("Esc", "back"), ("F1", "more")])

    # --- notes --------------------------------------------------------------------------------------------------------

    def _chosen(self) -> tuple[int, LineNote | None]:
        """Return the line of the chosen row, 0 for none, and the chosen note."""
        kind, _, name = self.lines.chosen.partition(":")
        for note, place in self._page.notes if self._page is not None and kind == "note" else ():
            if note.id == name:
                return place.first, note
        return int(name or 0) if kind == "line" else 0, None

    def action_mark(self) -> None:
        """Mark where the lines of a note begin; again: nowhere."""
        line, _ = self._chosen()
        self._marked = 0 if self._marked == line else line
        self._repaint()

    def _aim(self, at: str = "") -> str:
        """Aim at the lines that are to be noted on, or at the chosen note; return what that says."""
        (line, note), page = self._chosen(), self._page
        if page is None:
            return ""
        if note is not None and not note.answered and not at:
            self._place = (note.version, note.first, note.last, note.id)
            return note.text
        heading = page.document.section_at(line) if at == "section" else None
        first, last = min(line, self._marked or line), max(line, self._marked)
        if heading is not None:
            first, last = heading.line, heading.last
        elif at == "whole" or not line:
            first, last = 0, 0
        self._place = (page.version, first, last, "")
        return ""

    def _takes_notes(self) -> bool:
        """Tell whether the plan takes notes; say why not."""
        try:
            check_takes_notes(self.state)
        except UsageError as error:
            self.workbench.tell_error(error)
            return False
        return True

    def action_note(self, at: str = "") -> None:
        """Write a note below the plan, which stays in sight."""
        if not self._takes_notes():
            return
        draft = self.query_one(Draft)
        draft.put(self._aim(at) or self._kept)
        draft.placeholder = f"{lines_label(*self._place[1:3]).capitalize()}: what should change?"
        draft.display = True
        draft.focus()
        self._repaint()

    def action_editor(self) -> None:
        """Write a note in the person's editor."""
        if not self.workbench.is_lent and self._takes_notes():
            self._edit(self._aim(), self._note)

    def action_edit(self) -> None:
        """Edit the plan in the person's editor; each change becomes a note."""
        if (page := self._page) is not None and not self.workbench.is_lent and self._takes_notes():

            def noted(after: str) -> None:
                self._do(lambda log: write_notes(log, page.version, list(wishes(page.document, after))))

            self._edit(editable(page.document), noted)

    @work(group="edit")
    async def _edit(self, before: str, take: Callable[[str], object]) -> None:
        try:
            take(await edited(self.app, before))
        except WorkbenchError as error:
            self.workbench.tell_error(error)

    def on_draft_sent(self, message: Draft.Sent) -> None:
        """Keep the note."""
        self._note(message.text)
        message.draft.clear()
        self.action_back()

    def _note(self, written: str) -> None:
        version, first, last, name = self._place
        self._marked = 0
        if written.strip():
            self._do(lambda log: write_notes(log, version, [(first, last, written)], anew=name))

    def action_take_back(self) -> None:
        """Take the chosen note back, or the only one right below the chosen line."""
        line, note = self._chosen()
        below = [one for one, _ in self._page.below.get(line, ())] if self._page is not None and line else []
        notes = [note] if note is not None else [one for one in below if not one.answered] or below
        if not notes:
            self.notify("There is no note here: go to a note of yours.")
        elif len(notes) > 1:
            self.notify(f"There are {len(notes)} notes below this line: go to the one to take back.")
        elif (one := notes[0]).answered:
            self.notify(f"{one.id} was sent with v{one.answered}, so it stays.")
        else:
            self._do(lambda log: write_notes(log, one.version, [(one.first, one.last, "")], anew=one.id))

    # --- looking ------------------------------------------------------------------------------------------------------

    def action_only(self) -> None:
        """Show what changed only, or all."""
        self._only_changes, self.lines.sought = not self._only_changes, ""
        self._repaint()

    def action_find(self) -> None:
        """Ask for words; say on which line it stands then."""

        def stands_on() -> str:
            line, page = self._chosen()[0], self._page
            return f" This is {label_in(page.document, line, line)}." if page is not None and line else ""

        ask_to_find(self.lines, "]", stands_on)

    def action_outline(self) -> None:
        """Go to a heading."""
        if self._page is not None:
            rows = partial(heading_rows, self._page.document)
            dialog = PickDialog("Outline", rows, "go there", shape="small", sought="words of a heading")
            self.app.push_screen(dialog, lambda key: self.lines.reveal(key, at_top=True) if key else None)

    # --- the decision -------------------------------------------------------------------------------------------------

    def action_decide(self, decision: Decision) -> None:
        """Ask, and record what the person decides."""
        state, waits = self.state, self._is_waited_for
        if state.submissions[-1].decided is not None:
            self.notify("It has been decided. A new version comes when the agent submits it.")
            return
        try:
            require_person(decision)
        except UsageError as error:
            self.workbench.tell_error(error)
            return
        version, notes = self._page.version if self._page is not None else 0, open_notes(state)
        verb = {"approved": "approve", "sent back": "send back", "stopped": "stop"}[decision]
        agent = clean_name(state.submissions[-1].agent) or "the program"
        about = f"{agent} waits for it." if waits else "Nobody waits for it: the answer can be copied."
        with_notes = f" with {counted(len(notes), 'note')}" if notes else ""
        values = [(place_label(state, note), note.text) for note in notes]

        def decided(log: SessionLog) -> None:
            told, still_waits = decide_here(log, version, decision)
            if not still_waits:
                self.app.call_from_thread(self._offer_copy, told)

        question = f"{verb.capitalize()} version {version}{with_notes}?"
        confirm(self.app, question, about, verb, lambda: self._do(decided), values=values)

    def _offer_copy(self, told: str) -> None:
        about = "Terminals that allow it put it there (OSC 52)."
        confirm(self.app, "Copy the answer to the clipboard?", about, "copy", lambda: self.app.copy_to_clipboard(told))

    def action_copy(self) -> None:
        """Copy the last answer."""
        told = [submission.decided.answer for submission in self.state.submissions if submission.decided is not None]
        if told:
            self._offer_copy(told[-1])
        else:
            self.notify("Nothing was answered yet.")

    @work(group="record")
    async def _do(self, record: Callable[[SessionLog], object]) -> None:
        """Record something in a thread; what it leads to comes from the log."""
        workspace = await self.workbench.opened_workspace()
        try:
            await asyncio.to_thread(lambda: record(workspace.session(self.session).log()))
        except WorkbenchError as error:
            self.workbench.tell_error(error)

    def action_back(self) -> None:
        """Leave the input; else the review, of which the newest version was looked at."""
        draft = self.query_one(Draft)
        if draft.display:
            draft.display, self._kept = False, "" if self._place[3] else draft.text
            if self._kept.strip():
                self.notify("The note is kept: your next note continues it.")
            self.lines.focus()
            self._repaint()
            return
        if (page := self._page) is not None:
            self._do(lambda log: look(log, page.version))
        self.dismiss()
