"""Where a workspace is. Imports nothing of the storage: settings are read before anything is opened."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

FOLDER_NAME = ".workbench"


def find_workspace(start: Path) -> Path | None:
    """Return the nearest ``.workbench`` at or above a folder; None when there is none."""
    start = start.absolute()
    for folder in (start, *start.parents):
        root = folder / FOLDER_NAME
        with suppress(PermissionError):
            if root.exists():
                return root
    return None
