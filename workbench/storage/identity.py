"""Names that are drawn, not chosen. Whoever needs the same files twice hands over a function of their own."""

from __future__ import annotations

import os


def random_epoch() -> str:
    """Return a name for a new continuous history."""
    return os.urandom(8).hex()


def random_workspace_id() -> str:
    """Return an id for a new workspace."""
    return f"w-{os.urandom(5).hex()}"
