"""A picture of the workbench's screen with a session on it, without a terminal: what ``export --format svg`` writes.

Nothing is driven and nothing is written. The same session makes the same picture, whatever else the workspace holds.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from textual.message import Message

from workbench.bootstrap import Listed, Workspace
from workbench.domain.errors import SettingsError, WorkbenchError
from workbench.domain.log.envelope import Event
from workbench.domain.session.session import fold
from workbench.domain.text.patterns import lazy_pattern
from workbench.export.told import Size
from workbench.tui.app import WorkbenchApp
from workbench.tui.session.following import SessionChanged
from workbench.tui.session.painting import Picture
from workbench.tui.session.view import SessionView
from workbench.tui.widgets.fleet import Around


class StillView(SessionView):
    """The view of a session whose state does not change any more."""

    def __init__(self, events: Sequence[Event], *, badge: str = "") -> None:
        """Show the session as of the last of these events. Raises LogDamaged where they cannot be folded."""
        state = fold(events)
        super().__init__(state.session, source=self._once, events=lambda: events, badge=badge)
        self._still = state
        self.stands = asyncio.Event()
        """Set once what is on the screen is what belongs there."""

    def _once(self, _stopped: Callable[[], bool], post: Callable[[Message], object]) -> None:
        post(SessionChanged(self._still))

    def around(self) -> Around:
        """Return this session and no other: a picture is shown to people who may not see them."""
        return Around([Listed.of(self._still)])

    def show(self, picture: Picture) -> None:
        """Put a picture on the screen, and look whether it fits what was laid out meanwhile."""
        super().show(picture)
        self.call_after_refresh(self._look, picture)

    def _look(self, picture: Picture) -> None:
        if self.fleet.rows and picture.sight == self.sight() and self.unforecast is None:
            self.stands.set()
        else:
            self.repaint()


_FONTS = lazy_pattern(r"(?<!\s)\s*+@font-face \{[^}]{0,1000}\}")
"""Fonts that whoever looks at the picture would fetch from a server."""
_PATIENCE = 60  # seconds after which it is said that no picture comes: a defect of the application is told then
_COMMENTS = lazy_pattern(r"(?<!\s)\s*+<!--.{0,1000}?-->", re.DOTALL)


def screenshot(workspace: Workspace, events: Sequence[Event], size: Size, *, theme: str = "", badge: str = "") -> str:
    """Return the screen of a session as of the last of these events, as SVG.

    ``theme``: by default the one in the settings; ``badge`` stands before the session's name. Raises LogDamaged where
    the events cannot be folded, SettingsError for a theme that is not there.
    """
    try:
        return asyncio.run(_taken(workspace, StillView(events, badge=badge), size, theme))
    except TimeoutError as error:
        raise WorkbenchError("The picture was not drawn within a minute.", "Try again when less is at work.") from error


async def _taken(workspace: Workspace, view: StillView, size: Size, theme: str) -> str:
    settings = replace(workspace.settings, motion="reduced", theme=theme or workspace.settings.theme)
    app = WorkbenchApp(lambda: workspace, settings=settings)
    if theme and theme not in app.theme_names:
        raise SettingsError(f"There is no theme {theme}.", f"Name one of these: {', '.join(sorted(app.theme_names))}.")
    async with app.run_test(size=size) as pilot, asyncio.timeout(_PATIENCE):
        await app.opened_workspace()  # a screen that is covered before it was drawn would never begin
        await app.push_screen(view)
        await view.stands.wait()
        await pilot.pause()  # lists that begin at their end are scrolled there
        svg = app.export_screenshot(title="workbench", simplify=True)
    styles, end, drawn = svg.partition("</style>")
    return _COMMENTS.sub("", _FONTS.sub("", styles)) + end + drawn
