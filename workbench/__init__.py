"""The planning workbench: plan with language models, in sessions that are isolated, visible and replayable.

from workbench import Workspace

workspace = Workspace.open("my-project")
manager = workspace.start("Move the office by 1 May")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workbench.bootstrap import Workspace

__all__ = ["Workspace"]


def __getattr__(name: str) -> Any:
    """Import the library when it is first used: the command line must not pay for it."""
    if name == "Workspace":
        from workbench.bootstrap import Workspace

        return Workspace
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
