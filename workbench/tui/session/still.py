"""A session as of one event, and alone: what a picture is taken of."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from textual.message import Message

from workbench.bootstrap import Listed
from workbench.domain.log.envelope import Event
from workbench.domain.session.session import SessionState, fold
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
        return Around([_listed(self._still)])

    def show(self, picture: Picture) -> None:
        """Put a picture on the screen, and look whether it fits what was laid out meanwhile."""
        super().show(picture)
        self.call_after_refresh(self._look, picture)

    def _look(self, picture: Picture) -> None:
        if self.fleet.rows and picture.sight == self.sight() and self.unforecast is None:
            self.stands.set()
        else:
            self.repaint()


def _listed(state: SessionState) -> Listed:
    return Listed(
        session=state.session,
        goal=state.goal,
        name=state.name,
        status=state.status,
        iterations=len(state.iterations),
        events=state.seq,
        updated=state.updated,
    )
