"""A result too large for a prompt, moved out before anything is summarised: head, pointer and tail stay behind.

    tool: 900 kB of a log ──slimmed──▶ tool: its first lines, "[… moved to the entity …]", its last lines
                               └─────▶ Moved: the whole text, for the caller to store under that name

What is too large is said by a setting and not by the window: a larger window must not make a result grow and push out
what a smaller one kept.
"""

from __future__ import annotations

import msgspec

from workbench.context.entry import FRAME_TOKENS, Entry, with_text
from workbench.domain.text.cleaning import shorten
from workbench.models.tokens import estimate_tokens

_HEAD, _TAIL = 0.5, 0.25
"""Shares of the allowed tokens that head and tail take at first; the rest is the pointer's, and room for error."""
_LEAST = 64
"""Tokens below which a result is never too large: the pointer takes about half of them."""


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """A text that left a prompt, to be stored as an entity."""

    name: str
    text: str
    entry: str
    """Id of the entry that points to it."""


def slimmed(entry: Entry, max_tokens: int) -> tuple[Entry, Moved | None]:
    """Return a tool's result with its middle moved out where it has more than ``max_tokens``; else as it is."""
    allowed = max(max_tokens, _LEAST)
    if entry.role != "tool" or entry.tokens <= allowed:
        return entry, None
    moved = Moved(name=f"result of {entry.answers} ({entry.id})", text=entry.text, entry=entry.id)
    pointer = f"\n[… {len(entry.text):,} characters in all; the whole is the entity {shorten(moved.name, 80)!r} …]\n"
    room = allowed - FRAME_TOKENS - estimate_tokens(pointer)
    while True:
        head, tail = _ends(entry.text, room)
        slim = with_text(entry, head + pointer + tail)
        if slim.tokens <= allowed or not head:
            return slim, moved
        room //= 2


def _ends(text: str, room: int) -> tuple[str, str]:
    """Return the beginning and the end of a text, in about ``room`` tokens."""
    characters = room * len(text) // max(estimate_tokens(text), 1)
    head, tail = int(characters * _HEAD), int(characters * _TAIL)
    return text[:head], text[len(text) - tail :] if tail else ""
