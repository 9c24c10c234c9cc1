"""Agents as files: what a person names is read, within bounds, and checked."""

from __future__ import annotations

from pathlib import Path

from workbench.domain.agents import MOST_INSTRUCTIONS, Agent, read_agent
from workbench.domain.errors import UsageError

_MOST_BYTES = 8 * MOST_INSTRUCTIONS


def agent_of_file(name: str) -> Agent:
    """Return the agent that a TOML file describes. Raises UsageError."""
    try:
        with Path(name).expanduser().open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        text = data.decode()
    except (OSError, RuntimeError, ValueError) as error:
        if isinstance(error, UnicodeDecodeError):
            raise UsageError(f"{name} is no text.", "Name a TOML file.") from error
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"{name} cannot be read: {reason}.", "Name a TOML file.") from error
    return read_agent(text, name)
