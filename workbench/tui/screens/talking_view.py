"""A session with an input: to whom what is written goes, and what prompts hold of what was said."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.binding import Binding, BindingType

from workbench.domain.errors import WorkbenchError
from workbench.domain.loop.agents import Agent
from workbench.tui.addressing import Addressing
from workbench.tui.drafting import Drafting
from workbench.tui.keys import bind
from workbench.tui.screens.agent import AgentDialog
from workbench.tui.screens.telling_view import TellingView
from workbench.tui.widgets.draft import Draft
from workbench.tui.widgets.marked_lists import MarkWanted
from workbench.tui.wording import problem_with

if TYPE_CHECKING:  # the loop of a session is imported when it is first driven
    from workbench.bootstrap import Session

_MARKED = {
    "excluded": "It is kept out of every prompt from the next one on.",
    "pinned": "It is in every prompt from the next one on.",
    "": "The mark is taken back from the next prompt on.",
}


class TalkingView(TellingView):
    """One session in which a person says something."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("ctrl+t", "recall", "recall", "session.recall", "Recall on or off", priority=True),
        bind(
            "shift+tab",
            "next_agent",
            "next agent",
            "session.next-agent",
            "Talk to the next agent, in the input",
            priority=True,
        ),
        Binding("shift+tab", "app.focus_previous"),  # Textual's own, which the one above would replace
        bind("f3", "add_agent", "add an agent", "session.add-agent", "Add an agent to talk to"),
    ]

    def __init__(self, session: str) -> None:
        super().__init__(session)
        self.drafting = Drafting()
        self.addressing = Addressing()

    @property
    def draft(self) -> Draft:
        """The input."""
        return self.query_one(Draft)

    @property
    def _addressee(self) -> Agent | None:
        """Who what is written is for; None where it is about the plan."""
        state = self.state
        if state is None or self.drafting.purpose != "reply":
            return None
        return self.addressing.agent(self.draft.text, state.agents)

    def action_next_agent(self) -> None:
        """Talk to the next agent, and after the last one about the plan again."""
        if self.state is not None:
            self.addressing = self.addressing.after(self.state.agents)
            self.draft.focus()
            self._repaint()

    def action_add_agent(self) -> None:
        """Add an agent to this session, and talk to it."""
        self.app.push_screen(AgentDialog(self._add_agent), self._talk_to)

    def _add_agent(self, agent: Agent) -> None:
        workspace = self.workbench.workspace
        if workspace is not None:
            workspace.session(self.session).add_agent(agent)

    def _talk_to(self, agent: str | None) -> None:
        if agent:
            self.addressing = Addressing(agent)
            self.draft.focus()
            self._repaint()

    def on_mark_wanted(self, message: MarkWanted) -> None:
        """Keep an item out of the next prompt, or put it into each; the same again takes that back."""
        state = self.state
        if state is None:
            return
        kind, _, name = message.key.partition(":")
        session, item = (str(self.session), message.key) if kind == "message" else name.split(" ", 1)
        said = next((one for one in state.history if kind == "message" and one.id == name), None)
        if said is not None and said.task:
            self.notify("This reply became the plan and its findings; it is not sent as it is.", markup=False)
            return
        mark = "" if state.mark_of(session, item) == message.mark else message.mark
        told = _MARKED[mark] if self.view == "context" else ""  # a call shows what it was sent then, and no mark
        self._decide_aside(lambda own: own.mark(session, item, mark), told)

    def action_recall(self) -> None:
        """Search other sessions from now on, or no longer."""
        if self.state is not None:
            on = not self.state.recall
            self._decide_aside(lambda session: session.switch_recall(on=on))
            said = "Other sessions are searched before the next call." if on else "Other sessions are not searched."
            self.notify(said, markup=False)

    @work(group="aside")
    async def _decide_aside(self, deed: Callable[[Session], object], said: str = "") -> None:
        """Record what moves no loop: it may be said at any time, whoever drives the session."""
        workspace = self.workbench.workspace
        if workspace is None:
            return
        try:
            await asyncio.to_thread(lambda: deed(workspace.session(self.session)))
        except WorkbenchError as error:
            self._tell(problem_with(error, self.key_of, draft=False))
            return
        if said:
            self.notify(said, markup=False)
