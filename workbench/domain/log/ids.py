"""Ids: value types, validated once, impossible to confuse with free text.

An id is 1 to 40 lower-case letters, digits and hyphens. No underscore, so that the rendered entity name
``planning_session_{id}_iteration_{n}`` is one-to-one; it is rendered for people and never parsed or matched by prefix.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Self

from workbench.domain.errors import InvalidId
from workbench.domain.text.patterns import lazy_pattern

MAX_ID_LENGTH = 40
"""Characters in an id, its random end included."""

_ID = lazy_pattern(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?", re.ASCII)
_WORD = lazy_pattern(r"[a-z0-9]+", re.ASCII)
_ANY_WORD = lazy_pattern(r"[^\W_]+")
_ENDING = lazy_pattern(r"(?<=\w)['’](?:re|m|s|t|ve|ll|d)\b", re.IGNORECASE)
"""Ends of "we're" and "Anna's", which are no words of their own."""
_SMALL_WORDS = frozenset((
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "from", "have", "i", "in", "into", "is", "it",
    "my", "new", "of", "on", "or", "our", "that", "the", "their", "this", "to", "us", "we", "with", "without",
))  # fmt: skip


def is_id(text: str) -> bool:
    """Tell whether a text is the id of anything."""
    return _ID.fullmatch(text) is not None


class _Id(str):
    """A validated identifier; equal to the plain string of the same characters."""

    __slots__ = ()
    _what = "id"

    def __new__(cls, value: object) -> Self:
        if not isinstance(value, str) or _ID.fullmatch(value) is None:
            raise InvalidId(cls._what, value)
        return super().__new__(cls, value)


class SessionId(_Id):
    """One session. Raises InvalidId for None, "", "*", lists, paths and anything else that is not an id."""

    __slots__ = ()
    _what = "session id"


class AgentId(_Id):
    """One role or agent within a session."""

    __slots__ = ()
    _what = "agent name"


def slug(text: str, *, max_length: int = MAX_ID_LENGTH) -> str:
    """Return text as an id's characters: ``nzia_policy`` → ``nzia-policy``; "" when nothing of it can be kept."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii").lower()
    return "-".join(_WORD.findall(plain))[:max_length].strip("-")


def section_id(text: str) -> str:
    """Return text as the id of a section: its slug; its words if they have none, as ``ziele`` has and ``цели`` not.

    An id stays as it is. "" if there is no word.
    """
    own = "-".join(_ANY_WORD.findall(text.casefold()))[:MAX_ID_LENGTH].strip("-")
    return own if text == own else slug(text) or own


def agent_id(name: str) -> AgentId:
    """Return the id of an agent that people call ``name``: ``nzia_policy`` → ``nzia-policy``. Raises InvalidId."""
    return AgentId(slug(name) or name)


def session_id_for(goal: str, ending: str) -> SessionId:
    """Return the id of a new session: up to three telling words of its goal and a random ending (4 characters or more).

    The ending is given by the caller (the domain has no randomness); whoever creates the session's log creates it
    exclusively and draws another ending on a collision.
    """
    plain = _ENDING.sub("", goal[:2_000])
    words = [word for word in slug(plain, max_length=400).split("-") if word and word not in _SMALL_WORDS]
    stem = "-".join(words[:3])[: MAX_ID_LENGTH - len(ending) - 1].strip("-") or "session"
    return SessionId(f"{stem}-{ending}")


def entity_prefix(session: str) -> str:
    """Return the seed's ``memory_entity_prefix`` of a session, for display."""
    return f"planning_session_{session}"
