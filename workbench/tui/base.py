"""Screens that know which application they stand in: ``self.workbench`` is ``self.app`` with its own type.

Textual types ``app`` as any application; the workspace and the marks are ours. Widgets use ``workbench_app(self)``.
"""

from __future__ import annotations

from datetime import datetime
from typing import cast

from textual.css.query import NoMatches
from textual.dom import DOMNode
from textual.message import Message
from textual.messages import Prune
from textual.screen import Screen, ScreenResultType
from textual.widget import Widget
from textual.worker import NoActiveWorker, WorkerFailed, get_current_worker

from workbench.tui.host import Workbench


class WorkspaceOpened(Message):
    """The workspace can be used now."""


def workbench_app(node: DOMNode) -> Workbench:
    """Return the application a screen or widget stands in."""
    return cast(Workbench, node.app)


class EndsItsWork(Widget):
    """Ends what runs for a screen before its panes are taken away: Textual itself does so after that.

    It stands last among the bases of a screen: styles are inherited by the first one alone.
    """

    is_going: bool = False
    """Whether it is being taken away. What still looks for its panes by then, a timer's last tick, is no defect."""

    @property
    def workbench(self) -> Workbench:
        """The application it stands in."""
        return workbench_app(self)

    async def on_prune(self, _event: Prune) -> None:
        """Cancel the workers, which would look for panes that are gone."""
        self.is_going = True
        self.workers.cancel_node(self)


def is_of_a_going_screen(error: Exception) -> bool:
    """Tell whether an error of the worker that runs is a pane not found, of a screen that is being taken away."""
    cause = error.error if isinstance(error, WorkerFailed) else error
    try:
        node = get_current_worker().node
    except NoActiveWorker:
        return False
    return isinstance(cause, NoMatches) and isinstance(node, EndsItsWork) and node.is_going


class WorkbenchScreen(Screen[ScreenResultType], EndsItsWork):
    """A whole screen of the workbench."""

    def interrupt(self) -> bool:
        """Interrupt what is under way; False where nothing is."""
        return False

    def now(self) -> datetime:
        """Return the time where the person is."""
        return datetime.now().astimezone()
