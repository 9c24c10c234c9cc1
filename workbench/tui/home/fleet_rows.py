"""The sessions of a workspace as rows: what each is called, what it is at wherever it is open, and what it has claimed.

▸ billing     asks you      this session, and those that ask, stand out
  infra        testing
  has db.py · migrate       files and tasks that others leave alone
✕ hiring       crashed      open nowhere any more, and it never left
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from workbench.domain.text.cleaning import clean_name
from workbench.tui.lines import Row, barred, joined, spread, text
from workbench.tui.marks import ASKS, DIM, FAILED, Marks
from workbench.tui.told import STATUS_WORDS, title_row
from workbench.tui.views import ROOMY

if TYPE_CHECKING:  # a list of sessions needs no workspace to be drawn
    from workbench.bootstrap import Listed
    from workbench.sharing.presence import SessionInfo

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
_CLAIM_LINES = 2
"""Lines of what a session has claimed; the live pane has each."""


def _claimed(info: SessionInfo | None, width: int) -> Iterator[Content]:
    """Yield what a session has for itself; what a crashed one had can be taken over."""
    if info is not None and info.claimed:
        names = ", ".join(clean_name(name, 100) for name in info.claimed)
        words = f"{'had' if info.status == 'crashed' else 'has'} {names}"
        yield from barred(Content("  "), words, width, DIM, most=_CLAIM_LINES)
