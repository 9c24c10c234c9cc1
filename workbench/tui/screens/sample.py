"""A session that comes with the workbench: to look at, not to change.

    sessions/*.jsonl ─▶ read_session_file ─▶ fold ─▶ the view of a session

Nothing is driven and nothing is written; the column of sessions lists the other samples.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

from textual.message import Message

from workbench.bootstrap import Listed
from workbench.domain.errors import LogError, NotFound
from workbench.domain.session import SessionState, fold
from workbench.storage.session_file import read_session_file
from workbench.storage.stopping import Stop
from workbench.tui.following import FollowingFailed, SessionChanged
from workbench.tui.screens.session_view import SessionView
from workbench.tui.widgets.fleet import Around
from workbench.tui.widgets.line_list import LineList


def sample_files() -> list[Path]:
    """Return the files of the sample sessions: in the wheel, or beside the package in a checkout."""
    package = Path(str(files("workbench")))
    inside = package / "sample_sessions"
    return sorted((inside if inside.is_dir() else package.parent / "sessions").glob("*.jsonl"))


class SampleScreen(SessionView):
    """A shipped session, read-only."""

    def __init__(self, file: Path) -> None:
        super().__init__(file.stem, source=self._read, events=lambda: read_session_file(file), badge="SAMPLE")
        self._file = file

    def _read(self, _stopped: Stop, post: Callable[[Message], object]) -> None:
        """Post the state that the file tells, once."""
        try:
            post(SessionChanged(fold(read_session_file(self._file))))
        except (LogError, NotFound) as error:
            post(FollowingFailed(error))

    def around(self) -> Around:
        """Return the samples in place of the workspace's sessions."""
        return Around([_listed(file) for file in sample_files()])

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """Look at another sample."""
        if message.list is self.fleet:
            message.prevent_default()
            self.workbench.open_sample(message.key)


def _listed(file: Path) -> Listed:
    state: SessionState = fold(read_session_file(file))
    return Listed(
        session=file.stem,
        goal=state.goal,
        name=state.name,
        status=state.status,
        iterations=len(state.iterations),
        events=state.seq,
        updated=state.updated,
    )
