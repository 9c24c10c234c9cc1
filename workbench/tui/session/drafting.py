"""What the draft in the input is for: to which gate it belongs, and which notes wait beside it.

    typed while g1 stood ─▶ belongs to g1 ─▶ Enter answers g1, and no other gate
    typed while nothing asked ─▶ belongs to no gate; one that opens later gets it only after a look at it (^Y)

Pure: no clock and no screen. However long a person pauses, only what they do changes what a draft is for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from workbench.domain.log.ids import slug
from workbench.domain.loop.agents import Agent
from workbench.domain.loop.deciding.gates import Note
from workbench.domain.text.patterns import lazy_pattern

Purpose = Literal["reply", "note", "reason"]
"""A reply to whatever asks, a note on a place of the plan, or the reason of a rejection."""


_ADDRESSED = lazy_pattern(r"@([\w-]+)[,:]?\s+(\S.*)", re.DOTALL)


def addressed(said: str) -> tuple[str, str] | None:
    """Return the agent that a draft is addressed to, as written behind @, and what is said to it; None for neither."""
    match = _ADDRESSED.fullmatch(said)
    return (match[1], match[2]) if match else None


@dataclass(frozen=True, slots=True)
class Place:
    """A section of the plan, or a line of one, that a note is pinned to."""

    section: str
    """The section's id."""
    block: int
    """Number of the heading, paragraph or item in its section; 0 is the heading."""
    quoted: str
    """How a person recognises it."""

    @property
    def key(self) -> str:
        """Key of its row."""
        return f"place:{self.section}:{self.block}"


@dataclass(frozen=True, slots=True)
class Noted:
    """A note that was collected and not yet sent."""

    place: Place
    text: str

    def as_note(self) -> Note:
        """Return it as it is sent: a note on a line says which one it means."""
        said = self.text if self.place.block == 0 else f"{self.place.quoted}: {self.text}"
        return Note(section=self.place.section, text=said)


@dataclass(frozen=True, slots=True)
class Drafting:
    """A draft's purpose and the gate it was begun at."""

    gate: str | None = None
    """Id of the gate the draft belongs to; "" if none was open; None while there is no draft."""
    purpose: Purpose = "reply"
    place: Place | None = None
    """What a note is on."""
    kept: str = ""
    """The reply that was begun before a note was written between; it comes back."""
    kept_gate: str | None = None
    notes: tuple[Noted, ...] = ()
    queued: tuple[str, ...] = ()
    """What was written while the roles worked, and waits for the next call of the planner."""

    def typed(self, *, stands: bool, gate: str) -> Drafting:
        """Return the drafting after a key in the input: ``gate`` is the one on the screen, "" for none."""
        if not stands:
            return self if self.purpose != "reply" else replace(self, gate=None)
        return self if self.gate is not None else replace(self, gate=gate)

    def reviewed(self, gate: str) -> Drafting:
        """Return the drafting after a person went to a gate: what is written belongs to it from now on."""
        return replace(self, gate=gate)

    def belongs_to(self, gate: str) -> bool:
        """Tell whether Enter may send the draft to a gate."""
        return self.gate == gate

    def begun(self, place: Place | None, gate: str, standing: str) -> Drafting:
        """Begin a note on a place, without one the reason of a rejection; the reply that stands is put aside."""
        kept = replace(self, kept=standing, kept_gate=self.gate) if self.purpose == "reply" else self
        return replace(kept, purpose="note" if place is not None else "reason", place=place, gate=gate)

    def noted(self, said: str) -> Drafting:
        """Return the drafting with one note more, back at the reply."""
        if self.place is None:
            return self.back()
        return replace(self.back(), notes=(*self.notes, Noted(self.place, said)))

    def back(self) -> Drafting:
        """Return to the reply that was put aside."""
        gate = self.kept_gate if self.kept.strip() else None
        return replace(self, purpose="reply", place=None, gate=gate, kept="", kept_gate=None)

    def without(self, section: str, block: int) -> Drafting:
        """Take back the notes on a place."""
        kept = tuple(note for note in self.notes if (note.place.section, note.place.block) != (section, block))
        return replace(self, notes=kept)


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
        """Return the agent, by id, that a draft is sent to, and what is said to it; None if it is for nobody."""
        said = addressed(draft)
        if said is not None:
            return slug(said[0]), said[1]
        return (self.chosen, draft) if self.chosen else None
