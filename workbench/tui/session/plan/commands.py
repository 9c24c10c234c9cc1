"""Commands, in the input and in the cells of the plan: completed, previewed, and recorded with Enter.

cell, key, `:` ─▶ a command ─▶ look (a thread) ─▶ what it would do ─ Enter ─▶ carry_out ─▶ the log
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets import Static

from workbench.domain.errors import LogError, WorkbenchError
from workbench.domain.plan.plan import Plan, Step
from workbench.domain.text.cleaning import clean, clean_name
from workbench.tui.dialog import PickDialog, confirm
from workbench.tui.keys import bind
from workbench.tui.lines import cut, joined, text
from workbench.tui.session import reports
from workbench.tui.session.main_rows import item_at
from workbench.tui.session.plan.cell_editing import (
    ANSWER,
    EDITED,
    NOT_NEEDED,
    USE,
    CellName,
    Deed,
    deed_command,
    has_lines,
    place_beside,
)
from workbench.tui.session.review.versions import done_in
from workbench.tui.session.view import SessionView
from workbench.tui.session.wording import problem_with
from workbench.tui.widgets.bars import Problem
from workbench.tui.widgets.cell_editor import CellEditor
from workbench.tui.widgets.field import Draft
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.main_pane import MainPane

if TYPE_CHECKING:  # the language of commands is loaded when the first one is written
    from workbench.domain.session.session import SessionState
    from workbench.tui.session.plan.command_line import Look

_SHORT = 60  # characters of a command that is repeated once it is recorded
_MOST_TOLD = 2  # steps whose needs changed beside a command
_LOOKED_AT_AFTER = 0.05  # seconds after the last key until a command is looked at


class Commands:
    """Changes of the plan that a person says exactly, whatever else is going on in the session."""

    BINDINGS = (
        bind("colon", "command", "command", "session.command", "Change the plan with a command: S3 owner Anna"),
    )

    def __init__(self, screen: SessionView, purpose: Callable[[], str], edit_taken: Callable[[], None]) -> None:
        """``purpose``: what the draft in the input is for; ``edit_taken``: an edited plan became the next version."""
        self._screen, self._purpose, self._edit_taken = screen, purpose, edit_taken
        self._turn = asyncio.Lock()  # what is asked for is worked out, and recorded, after what was asked for before
        self._looked_at = ""  # the command of the cell that is edited; "" while nothing is

    @property
    def _draft(self) -> Draft:
        return self._screen.query_one(Draft)

    @property
    def _plan(self) -> Plan | None:
        return self._screen.state.plan if self._screen.state is not None else None

    def acts(self, action: str) -> bool | None:
        """Tell whether an action acts now; None for one of somebody else."""
        if action in ("deed", "add"):
            return self._plan is not None and self._screen.plan_pane.view == "plan"
        return self._plan is not None if action in ("command", "undo_list") else None

    @property
    def cells(self) -> CellEditor:
        """The cell that is edited."""
        return self._screen.query_one(CellEditor)

    def opens(self, message: LineList.Chosen) -> bool:
        """Edit the cell that was chosen, or do what it offers; False if it is neither."""
        cell = next((name for name in EDITED if name == message.cell), None)
        if cell is not None and message.list is self._screen.plan_pane:
            self.edit_cell(cell)
        elif message.key.startswith(ANSWER):
            self.begin_command(f"{message.key.removeprefix(ANSWER)}: ")
        elif message.key.startswith(NOT_NEEDED):
            self.carry_out(f"remove {message.key.removeprefix(NOT_NEEDED)}")
        elif message.key.startswith(USE):
            self.begin_command(message.key.removeprefix(USE))
        else:
            return False
        return True

    def edit_cell(self, cell: CellName) -> None:
        """Edit a cell of the chosen step, or of all that are marked; or write a step beside it."""
        plan, items = self._plan, self.chosen_steps()
        if plan is None:
            return
        if cell.startswith("add"):
            items = items[-1:]
        if items or cell.startswith("add"):
            self.cells.begin(plan, items or ("",), cell, reports.today())

    def chosen_steps(self) -> tuple[str, ...]:
        """Return the ids of the steps that a person marked, in the order of the plan; else of the chosen one."""
        plan, pane = self._screen.shown_plan, self._screen.plan_pane
        keys = [key for key in pane.keys if key in pane.picked] or [pane.chosen]
        items = [item_at(plan, key) for key in keys if key.startswith("place:")] if plan is not None else []
        return tuple(item.id for item in items if isinstance(item, Step))

    def on_cell_editor_looked(self, message: CellEditor.Looked) -> None:
        """Show what the edit would be recorded as, and what it moves."""
        self._looked_at = message.command
        self.look_at_command()

    def on_cell_editor_recorded(self, message: CellEditor.Recorded) -> None:
        """Record the edit."""
        self.carry_out(message.command, of_cell=True, goes_on=message.goes_on)

    def on_cell_editor_pasted(self, message: CellEditor.Pasted) -> None:
        """Offer lines that were pasted as steps."""
        self._offer_steps(message.lines, message.place, lambda: None)

    def takes_paste(self, pasted: str, otherwise: Callable[[], None]) -> bool:
        """Offer lines that were pasted onto the steps as steps; ``otherwise`` is done with them if they are none."""
        plan = self._plan
        if plan is None or not (self._screen.plan_pane.has_focus and self.acts("add") and has_lines(pasted)):
            return False
        self._offer_steps(pasted, place_beside(("", *self.chosen_steps())[-1], "add below", plan), otherwise)
        return True

    def _offer_steps(self, lines: str, place: str, otherwise: Callable[[], None]) -> None:
        from workbench.tui.form import FormDialog
        from workbench.tui.settings.forms import steps_form

        def added(said: str | None) -> None:
            self._screen.workbench.tell(said)
            if not said:
                otherwise()

        form = steps_form(self._screen.in_workspace, reports.today(), lines, place)
        self._screen.workbench.push_dialog(FormDialog(form), added)

    @property
    def command(self) -> str | None:
        """The command in the input; None if something else is written, or nothing."""
        written = self._draft.text.lstrip()
        return written[1:] if written.startswith(":") and self._purpose() == "reply" else None

    def deed(self, deed: Deed) -> None:
        """Do something to the chosen step, or to all that are marked: it is recorded at once, and undone with a key."""
        if items := self.chosen_steps():
            self.carry_out(lambda plan: deed_command(plan, items, deed), follows=items[0])

    def on_main_pane_dragged(self, message: MainPane.Dragged) -> None:
        """Move a step below the one onto which it was dragged."""
        plan = self._plan
        moved, onto = (item_at(plan, key) for key in (message.key, message.onto)) if plan is not None else (None, None)
        if moved is not None and onto is not None:
            self.carry_out(f"move {moved.id} below {onto.id}", follows=moved.id)

    def undo_to(self, version: int = 0) -> None:
        """Undo the last change, or all since a version; what was saved is not undone without a question."""
        self.carry_out(f"undo to v{version}" if version else "undo")

    def undo_list(self) -> None:
        """See what was changed, and undo to there."""
        from workbench.tui.session.review.versions import undo_rows

        state = self._screen.state
        if state is not None and state.plan is not None:
            rows = partial(undo_rows, state.versions, _to_undo(state), state.saved_version or 0)
            about, empty = (
                "The chosen change and all that were made after it.",
                "Nothing was changed since the first draft.",
            )
            dialog = PickDialog("Undo", rows, "undo to there", about=about, empty=empty)
            self._screen.app.push_screen(dialog, lambda version: self.undo_to(int(version)) if version else None)

    def begin_command(self, command: str = "") -> None:
        """Put a command into the input, if nothing else is written."""
        if self._draft.stands and self.command is None:
            self._screen.notify("Your text is in the input. Send it first, or clear it.")
        elif self._purpose() == "reply" and not (self.command or "").strip():
            self._draft.put(f":{command}")
        self._draft.focus()

    def look_at_command(self) -> None:
        """Show below the input what is being written, if it is a command."""
        if self.command is None and not self._looked_at:
            self._show_below("")
        self._screen.run_worker(self._look_at_command(), group="command", exclusive=True, exit_on_error=True)

    async def _look_at_command(self) -> None:
        of_cell = self._looked_at
        command = of_cell or self.command
        if command is None or self._screen.state is None:
            self._draft.suggestion = ""
            self._screen.show_preview(None)
            return
        await asyncio.sleep(_LOOKED_AT_AFTER)
        found = await asyncio.to_thread(self._look_of, command)
        if self._screen.is_mounted and (self._looked_at or self.command) == command:
            is_at_end = self._draft.cursor_location == self._draft.document.end
            self._draft.suggestion = found.suggestion if is_at_end and not of_cell else ""
            self._show_below(found.below, of_cell)
            self._screen.show_preview(found.plan if of_cell else None)

    def _look_of(self, command: str) -> Look:
        from workbench.tui.session.plan.command_line import look

        session = self._screen.in_workspace
        return look(session.state(), command, reports.today(), session.person)

    def _show_below(self, words: str, command: str = "") -> None:
        """Show what a command does, after the command if that does not be in the input."""
        below = self._screen.query_one("#command", Static)
        below.display = bool(words)
        named = text(f"{clean_name(command, 200)}   ", "bold $foreground") if command else Content()
        below.update(joined(named, text(words, "$text-muted")))

    def on_draft_nothing_to_undo(self) -> None:
        """Undo what was done to the plan, if nothing was written."""
        if self._plan is not None:
            self.undo_to()

    def carry_out_edit(self, text: str) -> None:
        """Change the plan to what its text was edited to, in any state of the session."""
        self._screen.run_worker(self._carried_out_edit(text), group="carry-out")

    async def _carried_out_edit(self, text: str) -> None:
        plan = self._plan
        if plan is None:
            return

        def commands() -> str:
            from workbench.domain.commands.printing import commands_between
            from workbench.domain.plan.markdown import from_markdown

            return "\n".join(commands_between(plan, from_markdown(text, plan)))

        try:
            async with self._turn:
                was = await asyncio.to_thread(self._screen.in_workspace.state)
                await self._record(await asyncio.to_thread(commands), was)
        except WorkbenchError as error:
            self._screen.tell(Problem(error.message, "The next edit begins with what you wrote.", error.remedy))
        else:
            self._edit_taken()

    def carry_out(
        self,
        command: str | Callable[[Plan], str],
        *,
        of_cell: bool = False,
        goes_on: bool = False,
        follows: str = "",
        asks: bool = True,
    ) -> None:
        """Record a command; if it cannot be carried out, its text stays, with what is wrong below it.

        A function gives it for the plan as it is once everything before is recorded, "" for none. ``of_cell``: it is
        the edit of a cell; ``goes_on``: then the cell below is edited. ``follows``: an item that stays chosen wherever
        it stands then; so is a step that is added. ``asks``: a save is not gone behind without a question.
        """

        async def carried_out() -> None:
            async with self._turn:
                await self._carry_out(command, of_cell=of_cell, goes_on=goes_on, follows=follows, asks=asks)

        self._screen.run_worker(carried_out(), group="carry-out")

    async def _carry_out(
        self, wanted: str | Callable[[Plan], str], *, of_cell: bool, goes_on: bool, follows: str, asks: bool
    ) -> None:
        from workbench.tui.session.plan.command_line import error_lines

        screen, command = self._screen, ""
        try:
            was = await asyncio.to_thread(self._screen.in_workspace.state)
            if was.plan is None or not (command := wanted if isinstance(wanted, str) else wanted(was.plan)):
                return
            if asks and await asyncio.to_thread(self._goes_behind_save, command):
                self.ask_to_go_behind(partial(self.carry_out, command, asks=False))
                return
            state = await self._record(command, was)
        except LogError as error:
            screen.tell(problem_with(error, screen.key_of, draft=True))
            return
        except WorkbenchError as error:
            if of_cell or self.command == command:
                screen.workers.cancel_group(screen, "command")
                self._show_below(error_lines(error))
            else:
                screen.notify(clean(str(error)))
            return
        if state.plan is not None:
            before = {step.id for step in was.plan.steps}
            new = follows or next((one.id for one in state.plan.steps if one.id not in before), "")
            if new:
                screen.reveal_item(new)
        if of_cell:
            self.cells.close()
        self._screen.plan_pane.pick(frozenset())
        if of_cell and goes_on:
            self._screen.plan_pane.action_move(1)
            self._screen.plan_pane.action_choose()
        elif not of_cell and self.command == command:
            self._draft.put("")
            self._screen.home.focus()  # where letters act again

    def _goes_behind_save(self, command: str) -> bool:
        from workbench.planning.beside_the_loop.commanding import goes_behind_save

        return goes_behind_save(self._screen.in_workspace.state(), command, reports.today())

    def ask_to_go_behind(self, then: Callable[[], object]) -> None:
        """Ask before something of the version that was saved is taken back."""
        saved = self._screen.state.saved_version if self._screen.state is not None else None
        question = f"Undo something of version {saved}, which was saved?"
        about = "What was agreed is changed by it; “redo” brings it back."
        confirm(self._screen.workbench, question, about, "undo", then)

    async def _record(self, commands: str, was: SessionState) -> SessionState:
        """Record commands, and say what became of what was. Raises as Session.edit."""
        from workbench.planning.beside_the_loop.commanding import way_back

        session, today = self._screen.in_workspace, reports.today()
        state = await asyncio.to_thread(lambda: session.edit(commands, today=today) if commands else session.state())
        before = was.version, len(was.markings)
        if state.changing:
            self._screen.notify("Recorded; the plan changes after the running step.")
        elif (state.version, len(state.markings)) == before:
            self._screen.notify("Nothing changes in the plan.")
        else:
            made = f" as version {state.version}" if state.version != before[0] else ""
            said = ": " + " ".join(commands.split()) if len(commands) <= _SHORT else ""
            did = {"undo": "Undone", "redo": "Made again"}.get(commands.partition(" ")[0], "Recorded")
            if did != "Recorded" and state.version != before[0]:
                said = f": {cut(text(done_in(state.versions[-1], state.versions)), _SHORT).plain}"
            said += "".join(f". {need}" for need in _other_needs(was.plan, state.plan, commands.split()))
            way = (
                f"{self._screen.key_of('plan.undo')} undoes it"
                if way_back(state) == "undo"
                else f"{self._screen.key_of('plan.redo')} makes it again"
            )
            self._screen.notify(clean(f"{did}{made}{said}. {way}."))
        return state


def _other_needs(before: Plan | None, plan: Plan | None, named: Collection[str]) -> Iterator[str]:
    """Yield what steps need now that were not named, a few of them."""
    if before is None or plan is None:
        return
    needs = {step.id: step.needs for step in before.steps if step.id not in named}
    changed = [step for step in plan.steps if needs.get(step.id, step.needs) != step.needs]
    for step in changed[:_MOST_TOLD]:
        yield f"{step.id} needs {' and '.join(step.needs) or 'nothing'} now"
    if len(changed) > _MOST_TOLD:
        yield f"{len(changed) - _MOST_TOLD} more need other steps"


def _to_undo(state: SessionState) -> tuple[str, ...]:
    from workbench.domain.plan.changing.history import undo_and_redo  # with the first plan
    from workbench.planning.beside_the_loop.commanding import deeds_of

    return undo_and_redo(deeds_of(state))[0]
