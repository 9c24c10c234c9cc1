"""A session that comes with the workbench: a replay that begins with how it ended.

The column of sessions lists the other samples.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import ClassVar

from workbench.bootstrap import Listed, sample_sessions
from workbench.domain.session.session import SessionState, fold
from workbench.storage.files.session_file import read_session_file
from workbench.tui.replay.replaying import Replayed, loading_file
from workbench.tui.replay.screen import ReplayScreen
from workbench.tui.widgets.fleet import Around
from workbench.tui.widgets.line_list import LineList


def sample_files() -> list[Path]:
    """Return the files of the sample sessions."""
    return list(sample_sessions().values())


class SampleScreen(ReplayScreen):
    """A shipped session, shown as it ended, to be walked through."""

    starts_at_end: ClassVar[bool] = True

    def __init__(self, file: Path) -> None:
        super().__init__(Replayed(file.stem, loading_file(file), in_workspace=False), badge="SAMPLE")

    @property
    def lists_others(self) -> bool:
        """Whether there are other sessions to be listed beside it: the other samples."""
        return True

    def around(self) -> Around:
        """Return the samples in place of the workspace's sessions."""
        return Around(_listed_samples(tuple(sample_files())))

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """Look at another sample."""
        if message.list is self.fleet:
            message.prevent_default()
            self.workbench.open_sample(message.key)


@lru_cache(maxsize=1)
def _listed_samples(files: tuple[Path, ...]) -> tuple[Listed, ...]:
    """Return the samples as they are listed; they stay as they were shipped, so they are read once."""
    return tuple(map(_listed, files))


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
