"""Which locks files have: those of open file descriptions on Linux, ``flock`` on files of their own elsewhere.

All processes that use a workspace must use the same. ``WORKBENCH_LOCKS`` is for tests.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Literal

from workbench.domain.errors import LogUnavailable
from workbench.storage.files.locking.lock_files import FileLocks, try_lock
from workbench.storage.files.locking.locks import GATE, Locks
from workbench.storage.files.locking.range_locks import RangeLocks
from workbench.storage.files.opening import Files

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

VARIABLE = "WORKBENCH_LOCKS"
Kind = Literal["ofd", "flock"]
TOLD: dict[Kind, str] = {
    "ofd": "on open file descriptions (F_OFD_SETLK)",
    "flock": "by flock, on files of their own",
}
"""Each kind in words."""


def lock_kind() -> Kind:
    """Return which locks are used. Raises LogUnavailable if there are none, and for a kind that there is not."""
    # macOS may name F_OFD_SETLK too, but its struct flock is another one
    has: dict[str, bool] = {
        "ofd": sys.platform == "linux" and hasattr(fcntl, "F_OFD_SETLK"),
        "flock": hasattr(fcntl, "flock"),
    }
    wanted = os.environ.get(VARIABLE, "")
    if wanted and wanted not in has:
        raise LogUnavailable(f"{VARIABLE} names no locks.", f"Unset it, or set it to {' or '.join(TOLD)}.")
    for kind in TOLD:
        if has[kind] and wanted in ("", kind):
            return kind
    raise LogUnavailable(
        "Session files need locks that this system does not have.",
        "Run the workbench on Linux or macOS, in a container, or in WSL 2.",
    )


def locks_of(files: Files, path: Path, descriptor: int) -> Locks:
    """Return the locks of a file that is open. Raises LogUnavailable."""
    return RangeLocks(descriptor) if lock_kind() == "ofd" else FileLocks(files, path)


def can_lock(descriptor: int) -> bool:
    """Try a lock on a new file. Raises OSError and LogUnavailable."""
    return RangeLocks(descriptor).take(GATE) if lock_kind() == "ofd" else try_lock(descriptor)
