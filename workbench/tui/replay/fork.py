"""Forking a session: at which event, and what the fork is called. The session that is forked stays as it is.

Enter ─▶ the events up to there, copied, in a thread ─▶ the fork's own screen, where a gate asks how to go on
"""

from __future__ import annotations

import asyncio
from functools import partial

from textual import work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from workbench.bootstrap import Workspace
from workbench.domain.errors import UsageError, WorkbenchError
from workbench.domain.log.rules import change_told, stretches_of
from workbench.domain.text.cleaning import clean, clean_name
from workbench.tui.dialog import Dialog
from workbench.tui.lines import cut, text
from workbench.tui.pauses import BESIDE
from workbench.tui.session.looking_back import ReadEvents
from workbench.tui.views import DIM
from workbench.tui.widgets.bars import Hints
from workbench.tui.widgets.field import Field

_ROOM = 56
"""Cells of a line in a small dialog."""
_WHAT_HAPPENS = (
    "A session of its own begins with everything up to that event. This one stays as it is. "
    "No approval is taken over: the fork asks you before it goes on."
)


class ForkDialog(Dialog[str]):
    """Asks where to fork; ends with the id of the fork, "" where it is left."""

    def __init__(self, origin: str, events: ReadEvents, at: int) -> None:
        """``origin`` is the name of the session, ``events`` reads all of it, ``at`` is where it stands."""
        super().__init__()
        self._origin = origin
        self._events = events
        self._at = at
        self._named: dict[int, str] = {}
        """What happened at each event; empty until they are read."""

    def compose(self) -> ComposeResult:
        """Return the fields, and what happens."""
        with Vertical(classes="dialog small"):
            yield Static(text(f"Fork {clean_name(self._origin)}", "bold"), markup=False)
            yield Static(text(_WHAT_HAPPENS, DIM), markup=False)
            yield Static(text(f"at event, 1 to {self._at:,}", DIM), id="where", classes="label", markup=False)
            yield Field(id="at")
            yield Static(text("called", DIM), classes="label", markup=False)
            yield Field(id="name")
            yield Static(id="problem", markup=False)
            yield Hints(id="hints", markup=False)

    def on_mount(self) -> None:
        """Begin with the event, which is where the session stands."""
        self.hint(("Enter", "fork"), ("Tab", "next field"))
        self.query_one("#name", Field).value = f"Fork of {clean_name(self._origin)}"
        at = self.query_one("#at", Field)
        at.value = str(self._at)
        at.select_all()
        at.focus()
        self._name_events()

    @work(group="events", exclusive=True, exit_on_error=False)
    async def _name_events(self) -> None:
        """Read what happened at each event, to say it while its number is typed."""

        def named() -> dict[int, str]:
            from workbench.domain.session.copies import in_full
            from workbench.replay.course import moment

            with BESIDE:
                return {event.seq: moment(event).text for event in in_full(self._events())}

        self._named = await asyncio.to_thread(named)
        self._say_what_happened()

    def on_input_changed(self) -> None:
        """Say what happened at the event."""
        self._say_what_happened()

    def _say_what_happened(self) -> None:
        written = self.query_one("#at", Field).value.strip().replace(",", "")
        told = (
            self._named.get(int(written), "") if written.isascii() and written.isdigit() and len(written) < 10 else ""
        )
        words = f"at event, 1 to {self._at:,}" + (f" · {clean(told)}" if told else "")
        self.query_one("#where", Static).update(cut(text(words, DIM), min(self.room, _ROOM)))

    def on_input_submitted(self) -> None:
        """Fork, or say why not."""
        try:
            at = self._place(self.query_one("#at", Field).value)
        except UsageError as error:
            self.say(str(error))
        else:
            self._fork(at, self.query_one("#name", Field).value)

    def _place(self, written: str) -> int:
        given = written.strip().replace(",", "")
        if not (given.isascii() and given.isdigit() and 1 <= int(given[:9]) <= self._at):
            raise UsageError("There is no such event yet.", f"Give a number from 1 to {self._at:,}.")
        return int(given)

    @work(group="fork", exclusive=True)
    async def _fork(self, at: int, name: str) -> None:
        self.hint(("", "copying …"))
        try:
            workspace = await self.workbench.opened_workspace()
            fork, change = await asyncio.to_thread(partial(_forked, workspace, self._events, at, name))
        except WorkbenchError as error:
            self.say(str(error))
            self.hint(("Enter", "fork"), ("Tab", "next field"))
        else:
            if change:
                self.app.notify(change, markup=False)
            self.dismiss(fork)


def _forked(workspace: Workspace, read: ReadEvents, at: int, name: str) -> tuple[str, str]:
    """Return the fork's id, and what a person is told where newer rules begin to apply."""
    with BESIDE:
        events = tuple(read())
        fork = workspace.fork(events, at, name=name)
        return fork.id, change_told(stretches_of(events[:at]), stretches_of(fork.events()))
