"""The list of sessions beside the one that is open: what each is called and what it does, read again and again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import work
from textual.content import Content
from textual.message import Message

from workbench.domain.errors import WorkbenchError
from workbench.domain.text.cleaning import clean_name
from workbench.tui.base import workbench_app
from workbench.tui.lines import Row, barred, joined, spread, text
from workbench.tui.marks import ASKS, DIM, FAILED, Marks
from workbench.tui.told import STATUS_WORDS, title_row
from workbench.tui.views import ROOMY
from workbench.tui.widgets.line_list import LineList

if TYPE_CHECKING:  # a list of sessions needs no workspace to be drawn
    from workbench.bootstrap import Listed
    from workbench.sharing.presence import SessionInfo


_EVERY, _AT_REST = 2.0, 10.0  # seconds until the list is read again, and after a while in which nothing changed
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
        self._is_due = asyncio.Event()  # set when the list should be read at once
        self._has_failed = False  # whether the last try to read it failed
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


_MARKED_FAILED = ("failed", "unreadable", "interrupted", "crashed")
_ENDED = ("finished", "stopped", "failed", "unreadable")
_AT_WORK = ("running", "interrupted")
"""Where a session's log stands in the middle of its work: what it is at, says whoever has it open."""


def fleet_rows(
    sessions: Sequence[Listed],
    current: str,
    width: int,
    marks: Marks,
    *,
    driven: Collection[str] = (),
    present: Sequence[SessionInfo] = (),
) -> list[Row]:
    """Return a line for each other session, and one more for what it has claimed; those that ask come in amber.

    ``driven`` holds the ids of sessions whose loop some process runs at the moment: others that are under way rest.
    ``present`` are those that take part in what is shared; one whose log is not here is listed, and cannot be opened.
    """
    known = {one.session_id: one for one in present if one.session_id != current}
    rows = []
    for one in sessions:
        if one.session != current:
            info = known.pop(one.session, None)
            status = shown_status(one, is_crashed=info is not None and info.status == "crashed")
            word = _word(one, status, info, driven)
            rows.append(_row(one.name or one.session, (status, word), info, width, marks, key=one.session))
    for info in known.values():  # it takes part and has no log here: it cannot be opened
        word = clean_name(info.phase, _MOST_OF_A_PHASE) if info.status == "active" else info.status
        rows.append(_row(info.session_id, (info.status, word), info, width, marks))
    return [title_row("OTHER SESSIONS"), *(rows or [Row((text("none", DIM),))])]


def _row(name: str, told: tuple[str, str], info: SessionInfo | None, width: int, marks: Marks, *, key: str = "") -> Row:
    """Return a session; ``told`` is its status, and the word for what it is at."""
    status, word = told
    mark, style = (marks.asks, ASKS) if status == "waiting" else (" ", "")
    if status in _MARKED_FAILED:
        mark, style = marks.failed, FAILED
    left = joined(text(f"{mark} ", style), text(clean_name(name)))
    is_tight = width < ROOMY and left.cell_length + len(word) >= width
    says_itself = status == "waiting" and is_tight  # nothing else has its mark, so the name has all the room
    line = spread(left, Content() if says_itself else text(word, style or DIM), width)
    return Row((line, *_claimed(info, width)), key=key)


def shown_status(one: Listed, *, is_crashed: bool) -> str:
    """Return how a session is shown: one that has ended cannot crash, whatever became of its process."""
    return "crashed" if is_crashed and one.status not in _ENDED else one.status


def _word(one: Listed, status: str, info: SessionInfo | None, driven: Collection[str]) -> str:
    if status not in _AT_WORK:
        return STATUS_WORDS.get(status, status)
    if info is not None and info.status == "active" and info.phase:
        return clean_name(info.phase, _MOST_OF_A_PHASE)
    if status == "interrupted":
        return STATUS_WORDS[status]
    return f"round {one.iterations + 1}" if one.session in driven else "rests"


_MOST_OF_A_PHASE = 12
_CLAIM_LINES = 2  # lines of what a session has claimed; the live pane has each


def _claimed(info: SessionInfo | None, width: int) -> Iterator[Content]:
    """Yield what a session has for itself; what a crashed one had can be taken over."""
    if info is not None and info.claimed:
        names = ", ".join(clean_name(name, 100) for name in info.claimed)
        words = f"{'had' if info.status == 'crashed' else 'has'} {names}"
        yield from barred(Content("  "), words, width, DIM, most=_CLAIM_LINES)
