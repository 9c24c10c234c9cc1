"""Where a workspace is. Imports nothing of the storage: settings are read before anything is opened."""

from __future__ import annotations

import os
from pathlib import Path

FOLDER_NAME = ".workbench"


def find_workspace(start: Path) -> Path | None:
    """Return the nearest ``.workbench`` at or above a folder; None when there is none."""
    start = start.absolute()
    for folder in (start, *start.parents):
        root = folder / FOLDER_NAME
        if os.path.lexists(root):  # a link to nothing is not passed over either
            return root
    return None
