"""What a server takes of requests for a model: learned from what it refused, and from what it says of itself.

setting ─▶ server's own word ─▶ profile ─▶ assumed     the window, by where it is known from
a refusal ─▶ refusals.py ─▶ other Traits ─▶ the request again, in the form that is taken
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from workbench.models.own_settings import ModelSettings

ASSUMED_WINDOW = 8_192
"""Tokens taken for a model's window if nobody says how large it is."""

WindowSource = Literal["assumed", "profile", "server", "setting", "refusal"]


class Traits(Struct, frozen=True):
    """How requests to one server for one model have to be."""

    takes_schema: bool = True
    """Whether a JSON schema can be sent along; else it is put into words."""
    takes_system: bool = True
    """Whether there is a system role; else its text is at the head of the first user message."""
    left_out: frozenset[str] = frozenset()
    """Parameters that the server does not know, by their name on the wire."""
    other_token_field: bool = False
    """Whether the limit of an answer has the other name: ``max_tokens`` and ``max_completion_tokens``."""
    output_limit: int | None = None
    """The most tokens that the model answers with; None if nobody says."""
    window: int = ASSUMED_WINDOW
    """Tokens that prompt and answer may have together."""
    window_source: WindowSource = "assumed"
    stated_window: int | None = None
    """What the server itself says of its window, also where a setting goes first; None if it says nothing."""
    undercount: float = 1.0
    """Tokens of a prompt as the server counts them, for each one that is estimated here: 1 or more."""
    tells_price: bool = False
    """Whether the server lists a price, and so says with each answer what it costs."""
    is_asked: bool = False
    """Whether server and profile were asked since the last call that failed."""
    has_told: bool = False
    """Whether a person was told that the window is assumed."""


class Reported(Struct):
    """What passes over the wire beside the parts of an answer."""

    cost: float | None = None
    """``usage.cost``, US dollars: clients' libraries pass over it."""
    unread: int = 0
    """Bytes that came since the last piece of an answer: empty lines, comments, events that say nothing."""


Remembered = dict[tuple[str, str, ModelSettings], Traits]
"""By model (``provider:name``), address ("" for the provider's own) and what a person set: shared by all models of a
process. What was learned under other settings does not outlive them."""
