"""Adding an agent to a session: from a file, or by a name and what it is told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from textual import work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static

from workbench.domain.errors import WorkbenchError
from workbench.domain.loop.agents import Agent, new_agent
from workbench.planning.agents import agent_of_file
from workbench.tui.dialog import Dialog
from workbench.tui.lines import text
from workbench.tui.views import DIM
from workbench.tui.widgets.bars import Hints
from workbench.tui.widgets.draft import Draft
from workbench.tui.widgets.field import Field

Add = Callable[[Agent], None]
"""Adds an agent to the session that the dialog was opened for. Raises WorkbenchError."""

_SEES = "It sees what you say, the plan and its own replies; no other agent's."


class AgentDialog(Dialog[str]):
    """Asks who is to be talked to; ends with the agent's id, "" where none was added."""

    def __init__(self, add: Add) -> None:
        """``add`` is called in a thread."""
        super().__init__()
        self._add = add

    def compose(self) -> ComposeResult:
        """Return the fields."""
        with Vertical(classes="dialog small"):
            yield Static(text("Add an agent", "bold"), markup=False)
            yield Static(text(_SEES, DIM), markup=False)
            yield Field(id="file", placeholder="a TOML file with name and instructions")
            yield Static(text("or", DIM), markup=False)
            yield Field(id="name", placeholder="its name, e.g. kahneman")
            yield Draft(id="instructions", placeholder="what it is told, e.g. You know how people misjudge plans.")
            yield Static(id="problem", markup=False)
            yield Hints(id="hints", markup=False)

    def on_mount(self) -> None:
        """Begin with the file."""
        self.hint(("Enter", "add"), ("Tab", "next field"))
        self.query_one("#file").focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Add the agent; behind a name that has no instructions yet, those come next."""
        if event.input.id == "name" and not self.query_one(Draft).stands:
            self.query_one(Draft).focus()
        else:
            self._take()

    def on_draft_sent(self) -> None:
        """Add the agent."""
        self._take()

    @work(group="add-agent", exclusive=True)
    async def _take(self) -> None:
        file, name = (self.query_one(f"#{field}", Field).value.strip() for field in ("file", "name"))
        instructions = self.query_one(Draft).text

        def taken() -> str:
            agent = agent_of_file(file) if file else new_agent(name, instructions)
            self._add(agent)
            return agent.id

        try:
            added = await asyncio.to_thread(taken)
        except WorkbenchError as error:
            self.say(str(error))
        else:
            self.dismiss(added)
