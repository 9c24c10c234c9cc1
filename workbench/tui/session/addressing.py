"""Who is talked to in the input: nobody, so that what is written is about the plan, or one of the session's agents.

Pure: what a key and a draft mean, for the screen to show and to send. ``@name`` in front of a draft goes before a
choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.domain.log.ids import slug
from workbench.domain.loop.agents import Agent
from workbench.domain.text.patterns import lazy_pattern
from workbench.tui.session.drafting import addressed

_NAMED = lazy_pattern(r"@([\w-]+)[,:]?\s")


@dataclass(frozen=True, slots=True)
class Addressing:
    """Whom a person chose to talk to."""

    chosen: str = ""
    """Id of an agent; "" for nobody."""

    def after(self, agents: Sequence[Agent]) -> Addressing:
        """Return the next one: after the last agent nobody, and then the first again."""
        ids = ["", *(agent.id for agent in agents)]
        place = ids.index(self.chosen) if self.chosen in ids else 0
        return Addressing(ids[(place + 1) % len(ids)])

    def agent(self, draft: str, agents: Sequence[Agent]) -> Agent | None:
        """Return who a draft is for, as far as it is written: whom it names first, else who was chosen."""
        named = _NAMED.match(draft)
        wanted = slug(named[1]) if named else self.chosen
        return next((agent for agent in agents if agent.id == wanted), None)

    def spoken(self, draft: str) -> tuple[str, str] | None:
        """Return the agent, by id, that a draft is sent to, and what is said to it; None where it is for nobody."""
        said = addressed(draft)
        if said is not None:
            return slug(said[0]), said[1]
        return (self.chosen, draft) if self.chosen else None
