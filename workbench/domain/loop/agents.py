"""Agents that a person adds to a session: who they are, and the file that says so.

    kahneman.toml (name, instructions, model) ─▶ read_agent ─▶ Agent ─▶ agent.added

An agent sees what people said, the session's artefacts and its own replies; of other agents' replies it sees nothing.
"""

from __future__ import annotations

import msgspec

from workbench.domain.errors import InvalidId, UsageError
from workbench.domain.log.ids import AgentId, agent_id
from workbench.domain.text.cleaning import clean, clean_name
from workbench.domain.text.toml import read_toml

ROLES = ("planner", "verifier", "executor", "generator")
"""The agents that every session has: they work on the plan, and are not talked to."""
MOST_INSTRUCTIONS = 20_000
"""Characters."""
NAME_LENGTH = 60
"""Characters of a name."""
_KEYS = frozenset({"name", "instructions", "model", "base_url"})


class Agent(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody to talk to in a session."""

    id: str
    """The name as a slug: ``nzia-policy``."""
    name: str
    """As the person wrote it: ``nzia_policy``."""
    instructions: str
    """What it is told to be, in a person's own words."""
    model: str = ""
    """The model that answers for it; "" for the session's own."""
    base_url: str = ""
    """Address of the server of its model; "" for the session's own, or for that of another provider."""


def role_agent(role: str, model: str) -> Agent:
    """Return a role as somebody who has a model; "" for the session's own."""
    return Agent(id=role, name=role, instructions="", model=model)


def read_agent(text: str, where: str) -> Agent:
    """Return the agent that a TOML text describes. Raises UsageError, naming ``where`` it comes from."""
    try:
        fields = read_toml(text)
    except ValueError as error:
        raise UsageError(
            f"{where} is not TOML: {error}.", "Write name, instructions and, if you like, model."
        ) from error
    unknown = sorted(fields.keys() - _KEYS)
    if unknown:
        raise UsageError(f"{where} sets {unknown[0]!r}.", f"An agent has {', '.join(sorted(_KEYS))}.")
    for key in _KEYS:
        if not isinstance(fields.get(key, ""), str):
            raise UsageError(f"{where} sets {key} to something that is not a text.", "Write it in quotes.")
    given = {key: fields.get(key, "") for key in _KEYS}
    return new_agent(**given, where=where)


def new_agent(name: str, instructions: str, model: str = "", *, base_url: str = "", where: str = "The agent") -> Agent:
    """Return an agent. Raises UsageError if its name, its instructions or its server cannot be used."""
    told = clean(instructions).strip()
    if not told:
        raise UsageError(f"{where} has no instructions.", 'Say what it is for: instructions = "…".')
    if len(told) > MOST_INSTRUCTIONS:
        raise UsageError(
            f"{where} has {len(told):,} characters of instructions.", f"Use {MOST_INSTRUCTIONS:,} at most."
        )
    if base_url and not model:
        raise UsageError(f"{where} has a base_url and no model.", 'Name its model too: model = "openai:NAME".')
    return Agent(
        id=str(_id(name, where)),
        name=clean_name(name, NAME_LENGTH),
        instructions=told,
        model=clean_name(model),
        base_url=base_url,
    )


def _id(name: str, where: str) -> AgentId:
    try:
        slug = agent_id(name)
    except InvalidId as error:
        raise UsageError(f"{where} has a name that cannot be used: {clean_name(name)!r}.", error.remedy) from error
    if slug in ROLES:
        raise UsageError(f"{where} is called {slug}, as one of the session's roles.", "Give it another name.")
    return slug
