"""Taking in a session's file: its path is asked for, and why it cannot be taken in stays until it is another one."""

from __future__ import annotations

import asyncio
from pathlib import Path

from textual import work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static

from workbench.domain.errors import WorkbenchError
from workbench.tui.dialog import Dialog
from workbench.tui.lines import text
from workbench.tui.views import DIM
from workbench.tui.widgets.bars import Hints
from workbench.tui.widgets.field import Field


class ImportDialog(Dialog[None]):
    """Asks for a file, and opens the session that it holds."""

    def compose(self) -> ComposeResult:
        """Return the field, and what can be written into it."""
        with Vertical(classes="dialog small"):
            yield Static(text("Import a session", "bold"), markup=False)
            yield Static(text("Nothing of it is run; every event of it is checked.", DIM), markup=False)
            yield Field(id="file", placeholder="the path of its file: ~/downloads/plan.jsonl")
            yield Static(id="problem", markup=False)
            yield Hints(id="hints", markup=False)

    def on_mount(self) -> None:
        """Be ready to be typed into."""
        self.hint(("Enter", "import"))
        self.query_one("#file").focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the file in."""
        if event.value.strip():
            self._take_in(Path(event.value.strip()))

    @work(group="import", exclusive=True)
    async def _take_in(self, file: Path) -> None:
        workspace = await self.workbench.opened_workspace()
        try:
            imported = await asyncio.to_thread(lambda: workspace.import_session(_of_home(file)))
        except WorkbenchError as error:
            self.say(str(error))
        else:
            self.dismiss()
            self.workbench.call_later(self.workbench.open_session, imported.session)


def _of_home(file: Path) -> Path:
    """Return a path with ``~`` read as a shell does; one that names nobody's home stays as it is."""
    try:
        return file.expanduser()
    except RuntimeError:
        return file
