"""What a folder asks a person to accept before it may spend, send or run anything.

config.toml of a folder ─┐
model of a session       │
program, playbook        ├─▶ TrustRequest ─▶ shown to the person ─▶ storage/trust.py
owner of a folder       ─┘

A decision inside a session, such as "this tool, for the session", is a ``Consent``. The session's log says that it was
given, but a log can be written by anybody: what counts is the person's own record of it.
"""

from __future__ import annotations

import hashlib
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec

HASH_LENGTH = 32
"""Hex digits of the hash of a request: 128 bits, so that nobody prepares two requests with one hash."""


class Consent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that a person allowed in a workspace, on this machine."""

    kind: Literal["tool", "use", "bounds", "lesson", "client", "plan file"]
    """tool: for the session; use: this call, once; bounds: to spend this much; lesson: to be given to new sessions;
    client: another program may do this; plan file: to be kept up to date."""
    session: str = ""
    """The session it holds for; "" for all of the workspace."""
    subject: str
    """Name of the tool or the client, id of the call or the lesson, path of the file; "" for bounds."""
    digest: str
    """Digest of exactly what was allowed: another definition, argument or text is not."""


def digest_of(*parts: object) -> str:
    """Return a digest of values of JSON, in hex."""
    return hashlib.sha256(msgspec.json.encode(parts, order="deterministic")).hexdigest()[:HASH_LENGTH]


class ModelUse(msgspec.Struct, frozen=True, kw_only=True):
    """A model that would be sent prompts, and the key for its server."""

    model: str
    base_url: str = ""
    """Address of the server; "" for the provider's own."""
    host: str
    """Where the prompts would go, in words."""
    used_by: str
    """What asks for it: ``session ID``, ``agent NAME`` or ``setting roles.ROLE``."""

    @property
    def pair(self) -> tuple[str, str]:
        """Model and server."""
        return self.model, self.base_url


class TrustRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Exactly what a person is asked to accept for one workspace."""

    settings: dict[str, Any] = {}
    """Values that the folder's config.toml sets."""
    contents: dict[str, str] = {}
    """Files of the folder that would be run or followed, by name, each with the digest of what it holds now."""
    models: tuple[ModelUse, ...] = ()
    """Models that a session or an agent names."""
    owner: str = ""
    """Why the folder may be somebody else's, in a sentence; "" if it is the person's own."""

    def __bool__(self) -> bool:
        return bool(self.settings or self.contents or self.models or self.owner)

    @property
    def hash(self) -> str:
        """Hash of everything that is asked for, in hex."""
        content = msgspec.json.encode(self, order="deterministic")
        return hashlib.sha256(content).hexdigest()[:HASH_LENGTH]

    @property
    def rows(self) -> list[tuple[str, str]]:
        """What is asked for, as rows of a name and a value."""
        rows = [("folder", self.owner)] if self.owner else []
        rows += [(name, _value_text(value)) for name, value in self.settings.items()]
        rows += [(name, f"as it is now: {digest}") for name, digest in self.contents.items()]
        rows += [(use.used_by, f"sends prompts and key for {use.model} to {use.host}") for use in self.models]
        return rows


def server_of(model: str, base_url: str) -> tuple[str, str]:
    """Return who is sent prompts for a model: its provider and server; for a script, the script itself."""
    provider, _, name = (part.strip() for part in model.partition(":"))
    provider = provider.lower()
    if provider == "scripted":
        return provider, name
    try:
        address = urlsplit(base_url)
        server = f"{address.scheme}://{address.netloc}".lower() if base_url else ""
    except ValueError:
        server = base_url
    return provider, server


def _value_text(value: object) -> str:
    return msgspec.json.encode(value).decode() if isinstance(value, dict) else str(value)
