"""The sessions of a workspace as rows: what each is called, what it is at wherever it is open, and what it has claimed.

▸ billing     asks you      this session, and those that ask, stand out
  infra        testing
  has db.py · migrate       files and tasks that others leave alone
✕ hiring       crashed      open nowhere any more, and it never left
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content

from workbench.domain.text.cleaning import clean_name
from workbench.tui.lines import Row, cut, joined, spread, text, wrapped
from workbench.tui.views import ASKS, DIM, FAILED, ROOMY, STATUS_WORDS, Marks, title_row

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
    frame = _Frame(width, marks, driven)
    known = {one.session_id: one for one in present if one.session_id != current}
    rows = [_session(one, known.pop(one.session, None), frame) for one in sessions if one.session != current]
    rows += [_elsewhere(one, frame) for one in known.values()]
    return [title_row("OTHER SESSIONS"), *(rows or [Row((text("none", DIM),))])]


@dataclass(frozen=True, slots=True)
class _Frame:
    """What all rows are laid out with."""

    width: int
    marks: Marks
    driven: Collection[str]


def _session(one: Listed, info: SessionInfo | None, frame: _Frame) -> Row:
    status = shown_status(one, is_crashed=info is not None and info.status == "crashed")
    mark, style = _mark(status, frame.marks)
    left = joined(text(f"{mark} ", style), text(clean_name(one.name or one.session)))
    word = _word(one, status, info, frame.driven)
    is_tight = frame.width < ROOMY and left.cell_length + len(word) >= frame.width
    says_itself = status == "waiting" and is_tight  # nothing else has its mark, so the name has all the room
    line = spread(left, Content() if says_itself else text(word, style or DIM), frame.width)
    return Row((line, *_claimed(info, frame.width)), key=one.session)


def shown_status(one: Listed, *, is_crashed: bool) -> str:
    """Return how a session is shown: one that has ended cannot crash, whatever became of its process."""
    return "crashed" if is_crashed and one.status not in _ENDED else one.status


def _mark(status: str, marks: Marks) -> tuple[str, str]:
    if status == "waiting":
        return marks.asks, ASKS
    return (marks.failed, FAILED) if status in _MARKED_FAILED else (" ", "")


def _word(one: Listed, status: str, info: SessionInfo | None, driven: Collection[str]) -> str:
    if status not in _AT_WORK:
        return STATUS_WORDS.get(status, status)
    if info is not None and info.status == "active" and info.phase:
        return clean_name(info.phase, _MOST_OF_A_PHASE)
    if status == "interrupted":
        return STATUS_WORDS[status]
    return f"round {one.iterations + 1}" if one.session in driven else "rests"


_MOST_OF_A_PHASE = 12


def _elsewhere(info: SessionInfo, frame: _Frame) -> Row:
    """Return a session that takes part and has no log here; it cannot be opened."""
    mark, style = _mark(info.status, frame.marks)
    word = clean_name(info.phase, _MOST_OF_A_PHASE) if info.status == "active" else info.status
    left = joined(text(f"{mark} ", style), text(clean_name(info.session_id)))
    return Row((spread(left, text(word, style or DIM), frame.width), *_claimed(info, frame.width)))


def _claimed(info: SessionInfo | None, width: int) -> Iterator[Content]:
    """Yield what a session has for itself; what a crashed one had can be taken over."""
    if info is None or not info.claimed:
        return
    names = ", ".join(clean_name(name, 100) for name in info.claimed)
    lines = wrapped(f"{'had' if info.status == 'crashed' else 'has'} {names}", max(width - 2, 8))
    kept = [*lines[:_CLAIM_LINES]]
    if len(lines) > _CLAIM_LINES:
        kept[-1] += " …"
    yield from (cut(text(f"  {line}", DIM), width) for line in kept)


_CLAIM_LINES = 2
"""Lines of what a session has claimed; the live pane has each."""
