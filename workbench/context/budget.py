"""How much a prompt may hold, and what of it is taken before the first entry."""

from __future__ import annotations

import msgspec


class Budget(msgspec.Struct, frozen=True, kw_only=True):
    """How much a prompt may hold."""

    window: int
    """Tokens that the model takes, prompt and answer together."""
    reserve: int = 0
    """Tokens kept free for the answer."""
    overhead: int = 0
    """Tokens of everything else that is sent: system prompt, tools, schemas, framing, the task itself."""
    max_bytes: int | None = None
    """UTF-8 bytes that the conversation's texts may have; None for any."""
    max_result: int = 4_000
    """Tokens above which a tool's result is moved out."""
    reported: int = 0
    """Tokens of the last prompt as its provider counted them; 0 where nothing was reported."""
    estimated: int = 0
    """Tokens of that same prompt as they had been estimated here, overhead included."""

    @property
    def limit(self) -> int:
        """Tokens that a prompt may have."""
        return self.window - self.reserve

    def counted(self, tokens: int) -> int:
        """Return what entries of so many estimated tokens count: with the overhead, and as the provider counts.

        For a prompt that grew since the last report this is max(estimate, what was reported + what is new).
        """
        return tokens + self.overhead + max(0, self.reported - self.estimated)

    def has_room(self, tokens: int, size_in_bytes: int) -> bool:
        """Tell whether entries of this size may be sent."""
        return self.counted(tokens) <= self.limit and (self.max_bytes is None or size_in_bytes <= self.max_bytes)
