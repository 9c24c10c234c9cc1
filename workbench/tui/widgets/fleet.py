"""The list of sessions beside the one that is open: what each is called and what it does, read again and again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import work
from textual.message import Message

from workbench.domain.errors import WorkbenchError
from workbench.tui.base import workbench_app
from workbench.tui.home.fleet_rows import fleet_rows
from workbench.tui.widgets.line_list import LineList

if TYPE_CHECKING:  # a list of sessions needs no workspace to be drawn
    from workbench.bootstrap import Listed
    from workbench.sharing.presence import SessionInfo

_EVERY, _AT_REST = 2.0, 5.0
"""Seconds until the list is read again, and after a while in which nothing changed."""
_LEAST_WIDTH = 10


@dataclass(frozen=True, slots=True)
class Around:
    """The sessions that are there."""

    listed: Sequence[Listed] = ()
    driven: Collection[str] = ()
    """Ids of those whose loop some process runs at the moment."""


class Fleet(LineList):
    """The other sessions of the workspace; those that ask stand out."""

    @dataclass
    class Failed(Message):
        """The list could not be read."""

        error: WorkbenchError

    class Mended(Message):
        """The list could be read again."""

    def __init__(self, here: str, look: Callable[[], Around], *, id: str, mark: str) -> None:  # noqa: A002 - Textual's
        """List what ``look`` finds, which runs in a thread; ``here`` is the session that is open."""
        super().__init__(id=id, mark=mark)
        self._here = here
        self._look = look
        self._is_due = asyncio.Event()
        """Set when the list should be read at once."""
        self._has_failed = False
        """Whether the last try to read it failed."""
        self._around: Around | None = None
        self._present: Sequence[SessionInfo] = ()
        self._laid_out: tuple[object, ...] = ()
        """What the rows were made of: a list that did not change is not made anew."""

    @work(group="fleet", exclusive=True)
    async def begin(self) -> None:
        """Read the list from now on, as long as the screen is in front."""
        pause = _EVERY
        while True:
            self._is_due.clear()
            if self.screen.is_current:
                before = self._around
                await self._read()
                is_at_rest = before == self._around and before is not None and not before.driven
                pause = min(pause * 1.2, _AT_REST) if is_at_rest else _EVERY
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._is_due.wait()

    @property
    def names(self) -> dict[str, str]:
        """What sessions are called, by their ids."""
        listed = self._around.listed if self._around is not None else ()
        return {one.session: one.name for one in listed if one.name}

    def look_around(self) -> None:
        """Read the list again, now."""
        self._is_due.set()

    async def _read(self) -> None:
        try:
            self._around = await asyncio.to_thread(self._look)
            self._list()
        except WorkbenchError as error:
            self._has_failed = True
            self.post_message(self.Failed(error))
        else:
            if self._has_failed:
                self._has_failed = False
                self.post_message(self.Mended())

    def note_present(self, present: Sequence[SessionInfo]) -> None:
        """List the sessions with how they are now, wherever they are open, and what they have claimed."""
        if present != self._present:
            self._present = present
            self._list()

    def _list(self) -> None:
        around, marks, room = self._around, workbench_app(self).marks, max(self.room, _LEAST_WIDTH)
        made_of = (around, self._present, marks, room)
        if around is not None and made_of != self._laid_out:
            self._laid_out = made_of
            rows = fleet_rows(around.listed, self._here, room, marks, driven=around.driven, present=self._present)
            self.show(rows)
