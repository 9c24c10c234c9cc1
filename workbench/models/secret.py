"""A key that cannot be shown by accident, and the removal of keys from other people's words.

environment ──Secret──▶ reveal(), once, to the provider's client
a provider's message ──scrub──▶ the message without this key and without anything that looks like one
"""

from __future__ import annotations

import re

HIDDEN = "[key]"

_LOOKS_LIKE_A_KEY = re.compile(
    r"\b(?:sk|pk|rk|xai|gsk)-[\w*.-]{6,}"  # OpenAI, Anthropic and their kin, also where a provider masked the middle
    r"|\bAIza[\w-]{10,}"  # Google
    r"|(?i:\bbearer\s+)[\w.~+/=-]{6,}"
)


class Secret:
    """A key. Its text, representation and pickle never hold it; only ``reveal`` does."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """Return the key, for the one place that sends it."""
        return self._value

    def scrub(self, text: str) -> str:
        """Return text without this key and without anything that looks like a key."""
        if len(self._value) >= 4:  # a shorter placeholder is no secret, and would tear words apart
            text = text.replace(self._value, HIDDEN)
        return _LOOKS_LIKE_A_KEY.sub(HIDDEN, text)

    def __repr__(self) -> str:
        return f"Secret({HIDDEN})"

    def __reduce__(self) -> tuple[type[Secret], tuple[str]]:
        return Secret, ("",)
