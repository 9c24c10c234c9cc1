"""Whether a person is there: what only a person decides is not decided in the shell of an agent."""

from __future__ import annotations

import os
import sys

from workbench.domain.errors import UsageError

_OF_AGENTS = ("CLAUDECODE", "GEMINI_CLI", "OPENCODE", "CODEX_SANDBOX")
"""Variables that agents set for the commands that they run."""


def has_terminal() -> bool:
    """Tell whether a person sits at the terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def require_person(done: str) -> None:
    """Raise UsageError within an agent's shell: what only a person says is said in their own terminal."""
    around = next((name for name in _OF_AGENTS if os.environ.get(name)), "")
    if around and not has_terminal():
        raise UsageError(f"Nothing is {done} from within an agent ({around}).", "Do it in your own terminal.")
