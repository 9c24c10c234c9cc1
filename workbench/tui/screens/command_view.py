"""A session's screen with commands in its input: completed, previewed, and recorded with Enter."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.binding import BindingType
from textual.widgets import Static

from workbench.domain.errors import LogError, WorkbenchError
from workbench.tui.keys import bind
from workbench.tui.lines import text
from workbench.tui.screens import telling_view
from workbench.tui.screens.driven_view import DrivenView
from workbench.tui.screens.trust import ConfirmDialog
from workbench.tui.widgets.main_pane import MainPane
from workbench.tui.widgets.notice import Problem
from workbench.tui.wording import problem_with

if TYPE_CHECKING:  # the language of commands is loaded when the first one is written
    from workbench.tui.command_line import Look

_LOOKED_AT_AFTER = 0.05
"""Seconds after the last key until a command is looked at."""


class CommandView(DrivenView):
    """One session whose plan a person changes with commands, whatever else is going on in it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("colon", "command", "command", "session.command", "Change the plan with a command: S3 owner Anna"),
    ]

    @property
    def command(self) -> str | None:
        """The command in the input; None where something else is written, or nothing."""
        written = self.draft.text.lstrip()
        return written[1:] if written.startswith(":") and self.drafting.purpose == "reply" else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer commands where there is a plan that they can change."""
        if action == "command":
            return self.state is not None and self.state.plan is not None
        return super().check_action(action, parameters)

    def action_command(self) -> None:
        """Begin a command in the input."""
        self.begin_command("")

    def on_main_pane_command_wanted(self, message: MainPane.CommandWanted) -> None:
        """Let a command stand in the input: what it would do is seen before Enter records it."""
        self.begin_command(message.command)

    def begin_command(self, command: str) -> None:
        """Put a command into the input, where nothing else is written."""
        if self.draft.stands and self.command is None:
            self.notify("Your text stands in the input. Send it first, or clear it.", markup=False)
        elif self.drafting.purpose == "reply" and not (self.command or "").strip():
            self.draft.put(f":{command}")
        self.draft.focus()

    def look_at_command(self) -> None:
        """Show below the input what is being written, where it is a command."""
        if self.command is None:
            self._show_below("")
        self._look_at_command()

    @work(group="command", exclusive=True)
    async def _look_at_command(self) -> None:
        command, state = self.command, self.state
        if command is None or state is None:
            self.draft.suggestion = ""
            return
        await asyncio.sleep(_LOOKED_AT_AFTER)
        found = await asyncio.to_thread(self._look_of, command)
        if self.is_mounted and self.command == command:
            is_at_end = self.draft.cursor_location == self.draft.document.end
            self.draft.suggestion = found.suggestion if is_at_end else ""
            self._show_below(found.below)

    def _look_of(self, command: str) -> Look:
        from workbench.tui.command_line import look

        session = self._session()
        return look(session.state(), command, telling_view.today(), session.person)

    def _show_below(self, words: str) -> None:
        below = self.query_one("#command", Static)
        below.display = bool(words)
        below.update(text(words, "$text-muted"))

    def on_draft_nothing_to_undo(self) -> None:
        """Undo what was done to the plan, where nothing was written."""
        if self.check_action("command", ()):
            self.begin_command("undo")

    @work(group="carry-out")
    async def carry_out_edit(self, text: str) -> None:
        """Change the plan to what its text was edited to, in any state of the session."""
        plan = self.state.plan if self.state is not None else None
        if plan is None:
            return

        def commands() -> str:
            from workbench.domain.commands.printing import commands_between
            from workbench.domain.plan.markdown import from_markdown

            return "\n".join(commands_between(plan, from_markdown(text, plan)))

        try:
            wanted = await asyncio.to_thread(commands)
            await self._record(wanted)
        except WorkbenchError as error:
            self._tell(Problem(error.message, "What you wrote is where the next edit begins.", error.remedy))
        else:
            self.edit_taken()

    def edit_taken(self) -> None:
        """Note that an edited plan became the next version."""

    @work(group="carry-out")
    async def carry_out(self, command: str, *, asks: bool = True) -> None:
        """Record a command; where it cannot be carried out, its text stays, with what is wrong below it.

        ``asks``: a save is not gone behind without a question.
        """
        from workbench.tui.command_line import error_lines

        try:
            if asks and await asyncio.to_thread(self._goes_behind_save, command):
                self._ask_to_go_behind(command)
                return
            await self._record(command)
        except LogError as error:
            self._tell(problem_with(error, self.key_of, draft=True))
            return
        except WorkbenchError as error:
            self.workers.cancel_group(self, "command")
            self._show_below(error_lines(error))
            return
        if self.command == command:
            self.draft.put("")

    def _goes_behind_save(self, command: str) -> bool:
        from workbench.planning.commanding import goes_behind_save

        return goes_behind_save(self._session().state(), command, telling_view.today())

    def _ask_to_go_behind(self, command: str) -> None:
        def answered(yes: bool | None) -> None:
            if yes:
                self.carry_out(command, asks=False)

        saved = self.state.saved_version if self.state is not None else None
        about = "What was agreed is changed by it; “redo” brings it back."
        self.app.push_screen(
            ConfirmDialog(f"Undo something of version {saved}, which was saved?", about, "undo"), answered
        )

    async def _record(self, commands: str) -> None:
        """Record commands, and say what came of it. Raises as Session.edit."""
        from workbench.planning.commanding import way_back

        session, before = self._session(), (self.state.version, len(self.state.markings)) if self.state else (0, 0)
        today = telling_view.today()
        state = await asyncio.to_thread(lambda: session.edit(commands, today=today) if commands else session.state())
        if state.changing:
            self.notify("Recorded; it comes into the plan after the running step.", markup=False)
        elif (state.version, len(state.markings)) == before:
            self.notify("Nothing changes in the plan.", markup=False)
        else:
            made = f" as version {state.version}" if state.version != before[0] else ""
            back = f":undo, or {self.key_of('plan.undo')} in the plan, goes back"
            way = back if way_back(state) == "undo" else ":redo makes it again"
            self.notify(f"Recorded{made}. {way}.", markup=False)
