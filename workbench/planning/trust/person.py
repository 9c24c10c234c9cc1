"""Whether a person is there: what only a person decides is not decided in the shell of an agent."""

from __future__ import annotations

import os
import sys

from workbench.domain.errors import UsageError

OF_AGENTS = (
    "CLAUDECODE",
    "GEMINI_CLI",
    "OPENCODE",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
    "CODEX_CI",
    "CODEX_THREAD_ID",
    "CURSOR_AGENT",
    "COPILOT_CLI",
)
"""Variables that agents set for the commands that they run; of Codex, each by its system and version."""


def has_terminal() -> bool:
    """Tell whether a person sits at the terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def agent_around() -> str:
    """Return the variable by which an agent says that this is its shell; "" if none does.

    A terminal tells nothing: an agent can open one, and type.
    """
    return next((name for name in OF_AGENTS if os.environ.get(name)), "")


def require_person(done: str) -> None:
    """Raise UsageError within an agent's shell: what only a person says is said in a terminal of their own."""
    if around := agent_around():
        raise UsageError(f"Nothing is {done} from within an agent ({around}).", "Do it in a terminal of your own.")
