"""A session's screen is made of parts: each does one kind of thing, and the screen hands on to it what is asked for.

key, message ─▶ SessionScreen.action_share = To("sharing") ─▶ Sharing.share
"""

from __future__ import annotations

from typing import Any


class To:
    """Hands an action or a message on to a part of the screen: to its method of the same name, or another one."""

    def __init__(self, part: str, method: str = "") -> None:
        self._part, self._name = part, method

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = self._name or name.removeprefix("action_")

    def __get__(self, screen: object, owner: type | None = None) -> Any:
        return self if screen is None else getattr(getattr(screen, self._part), self._name)
