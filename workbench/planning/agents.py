"""Agents that a person adds to a session: read from files, within bounds, checked, and recorded."""

from __future__ import annotations

from pathlib import Path

from workbench.domain.errors import UsageError
from workbench.domain.loop.agents import MOST_INSTRUCTIONS, Agent, read_agent
from workbench.domain.session.events import AgentAdded
from workbench.named_files import read_named_file
from workbench.planning.session_log import SessionLog

_MOST_BYTES = 8 * MOST_INSTRUCTIONS


def agent_of_file(name: str) -> Agent:
    """Return the agent that a TOML file describes. Raises UsageError."""
    try:
        text = read_named_file(Path(name).expanduser(), _MOST_BYTES).decode()
    except (OSError, RuntimeError, ValueError) as error:
        if isinstance(error, UnicodeDecodeError):
            raise UsageError(f"{name} is not text.", "Name a TOML file.") from error
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"{name} cannot be read: {reason}.", "Name a TOML file.") from error
    agent = read_agent(text, name)
    if agent.base_url:
        from workbench.models.catalogue import check_address

        check_address(agent.base_url, name)
    return agent


def add_agent(session: SessionLog, agent: Agent) -> None:
    """Add an agent to a session. Raises UsageError if another one has the same id."""
    known = session.refresh().agent(agent.id)
    if known is not None and known.name != agent.name:
        raise UsageError(
            f"{agent.name} and {known.name} would both be called {agent.id}.", "Give one of them another name."
        )
    if known != agent:
        session.record_given([AgentAdded(agent=agent)], actor="person")
