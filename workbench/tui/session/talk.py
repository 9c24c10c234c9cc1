"""To whom what is written goes, and what prompts hold of what was said."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from textual.binding import Binding

from workbench.domain.errors import WorkbenchError
from workbench.domain.loop.agents import Agent, new_agent
from workbench.planning.agents import agent_of_file
from workbench.tui.form import Box, Form, FormDialog, Values
from workbench.tui.keys import bind
from workbench.tui.session.drafting import Addressing
from workbench.tui.session.records.context_rows import item_at
from workbench.tui.session.view import SessionView
from workbench.tui.session.wording import problem_with
from workbench.tui.widgets.field import Draft
from workbench.tui.widgets.line_list import LineList

if TYPE_CHECKING:  # the loop of a session is imported when it is first driven
    from workbench.bootstrap import Session

_MARKED = {
    "excluded": "It is kept out of every prompt from the next one on.",
    "pinned": "It is in every prompt from the next one on.",
    "": "The mark is taken back from the next prompt on.",
}


def agent_form(add: Callable[[Agent], object]) -> Form:
    """Return the form that adds an agent, from a file or by a name and what it is told; what was done is its id."""

    def taken(values: Values) -> str:
        agent = agent_of_file(values["file"]) if values["file"] else new_agent(values["name"], values["instructions"])
        add(agent)
        return agent.id

    boxes = (
        Box("file", "a TOML file with name and instructions"),
        Box("name", "or its name, e.g. kahneman"),
        Box("instructions", "what it is told, e.g. You know how people misjudge plans.", is_long=True, is_needed=True),
    )
    about = "It sees what you say, the plan and its own replies; no other agent's."
    return Form("Add an agent", about, taken, boxes, verb="add")


class Talk:
    """Who is talked to, and what of what was said is sent."""

    BINDINGS = (
        bind("ctrl+t", "recall", "recall", "session.recall", "Recall on or off", priority=True),
        bind("shift+tab", "next_agent", "next agent", "session.next-agent", "Talk to the next agent", priority=True),
        Binding("shift+tab", "app.focus_previous"),  # Textual's own, which the one above would replace
        bind("f3", "add_agent", "add an agent", "session.add-agent", "Add an agent to talk to"),
    )

    def __init__(self, screen: SessionView, purpose: Callable[[], str]) -> None:
        """``purpose``: what the draft in the input is for."""
        self._screen, self._purpose = screen, purpose
        self.addressing = Addressing()

    @property
    def _draft(self) -> Draft:
        return self._screen.query_one(Draft)

    def acts(self, action: str) -> bool | None:
        """Tell whether an action acts now; None for one of somebody else."""
        if action != "next_agent":
            return None
        state = self._screen.state
        is_reply = self._draft.has_focus and self._purpose() == "reply"
        return is_reply and state is not None and bool(state.agents)

    @property
    def addressee(self) -> Agent | None:
        """Who what is written is for; None if it is about the plan."""
        state = self._screen.state
        if state is None or self._purpose() != "reply":
            return None
        return self.addressing.agent(self._draft.text, state.agents)

    def next_agent(self) -> None:
        """Talk to the next agent, and after the last one about the plan again."""
        if self._screen.state is not None:
            self.addressing = self.addressing.after(self._screen.state.agents)
            self._draft.focus()
            self._screen.repaint()

    def add_agent(self) -> None:
        """Add an agent to this session, and talk to it."""
        self._screen.app.push_screen(FormDialog(agent_form(self._screen.in_workspace.add_agent)), self._talk_to)

    def _talk_to(self, agent: str | None) -> None:
        if agent:
            self.addressing = Addressing(agent)
            self._draft.focus()
            self._screen.repaint()

    def mark(self, mark: Literal["excluded", "pinned"]) -> None:
        """Keep the chosen item out of the next prompt, or put it into each; the same again takes that back."""
        state, focused = self._screen.state, self._screen.focused
        key = focused.chosen if isinstance(focused, LineList) else ""
        if state is None or not key:
            return
        sent = item_at(key)
        kind, _, name = f"quoted:{sent}".partition(":") if sent else key.partition(":")
        session, item = (str(self._screen.session), key) if kind == "message" else name.split(" ", 1)
        said = next((one for one in state.history if kind == "message" and one.id == name), None)
        if said is not None and said.task:
            self._screen.notify("This reply became the plan and its findings; it is not sent as it is.")
            return
        now: Literal["excluded", "pinned", ""] = "" if state.mark_of(session, item) == mark else mark
        self._decide_aside(lambda own: own.mark(session, item, now), _MARKED[now])

    def recall(self) -> None:
        """Search other sessions from now on, or no longer."""
        if self._screen.state is not None:
            on = not self._screen.state.recall
            self._decide_aside(lambda session: session.switch_recall(on=on))
            said = "Other sessions are searched before the next call." if on else "Other sessions are not searched."
            self._screen.notify(said)

    def _decide_aside(self, deed: Callable[[Session], object], said: str = "") -> None:
        """Record what moves no loop: it may be said at any time, whoever drives the session."""
        self._screen.run_worker(self._decided_aside(deed, said), group="aside")

    async def _decided_aside(self, deed: Callable[[Session], object], said: str) -> None:
        try:
            await asyncio.to_thread(deed, self._screen.in_workspace)
        except WorkbenchError as error:
            self._screen.tell(problem_with(error, self._screen.key_of, draft=False))
            return
        if said:
            self._screen.notify(said)
