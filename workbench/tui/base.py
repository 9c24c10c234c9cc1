"""Screens that know which application they stand in: ``self.workbench`` is ``self.app`` with its own type.

Textual types ``app`` as any application; the workspace and the marks are ours. Widgets use ``workbench_app(self)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual.dom import DOMNode
from textual.screen import ModalScreen, Screen, ScreenResultType

if TYPE_CHECKING:  # the application imports its screens
    from workbench.tui.app import WorkbenchApp


def workbench_app(node: DOMNode) -> WorkbenchApp:
    """Return the application a screen or widget stands in."""
    return cast("WorkbenchApp", node.app)


class WorkbenchScreen(Screen[ScreenResultType]):
    """A whole screen of the workbench."""

    @property
    def workbench(self) -> WorkbenchApp:
        """The application it stands in."""
        return workbench_app(self)


class Dialog(ModalScreen[ScreenResultType]):
    """A screen above another one, which stays visible behind it."""

    @property
    def workbench(self) -> WorkbenchApp:
        """The application it stands in."""
        return workbench_app(self)
