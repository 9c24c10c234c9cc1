"""Which servers of models answer on this machine, and which models they have.

One look at the usual ports of the loopback interface, all at once, for two seconds at most. Nothing is asked of another
machine, and no key and no text is sent. Imports httpx2: import it late.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, NamedTuple

import httpx2

from workbench.domain.text.cleaning import clean_name
from workbench.models.servers import inquiry

_SECONDS = 0.3
"""Until a server takes a connection, and without a byte of an answer."""
_MOST_SECONDS = 2.0
"""For a whole answer, whatever is sent meanwhile."""
_MOST_MODELS = 50
"""Models of one server that are told."""
_LONGEST_NAME = 200
USUAL_SERVERS = (
    ("Ollama", "http://127.0.0.1:11434/v1"),
    ("LM Studio", "http://127.0.0.1:1234/v1"),
    ("llama.cpp", "http://127.0.0.1:8080/v1"),
    ("vLLM", "http://127.0.0.1:8000/v1"),
)
"""What usually answers at an address, and the address."""


class FoundModel(NamedTuple):
    """A model that a server lists."""

    server: str
    """What usually answers there."""
    base_url: str
    name: str
    """As it is after ``--model openai:``."""
    window: int | None
    """Tokens that prompt and answer may have together; None if the list does not say."""


def find_models(servers: Iterable[tuple[str, str]] | None = None) -> list[FoundModel]:
    """Return what servers list that answer at once, in the order of the servers; None for the usual ones.

    Blocks for two seconds at most.
    """
    named = list(USUAL_SERVERS if servers is None else servers)
    return inquiry.completed(_find_models(named))


def answers(base_url: str, seconds: float = 2.0) -> bool:
    """Tell whether anything that speaks HTTP answers at an address. Blocks for so many seconds at most."""
    return inquiry.completed(_answers(base_url, seconds))


async def _answers(base_url: str, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds), httpx2.AsyncClient(timeout=seconds, follow_redirects=False) as client:
            await client.head(base_url)
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError):  # TimeoutError is an OSError
        return False
    return True


async def _find_models(servers: list[tuple[str, str]]) -> list[FoundModel]:
    async with httpx2.AsyncClient(
        timeout=_SECONDS, follow_redirects=False, trust_env=False, headers={"accept-encoding": "identity"}
    ) as client:
        listed = await asyncio.gather(*(inquiry.listed_at(client, url, _MOST_SECONDS) for _, url in servers))
    return [
        model for (server, url), entries in zip(servers, listed, strict=True) for model in _models(server, url, entries)
    ]


def _models(server: str, base_url: str, listed: list[dict[str, Any]]) -> list[FoundModel]:
    named = ((clean_name(str(entry.get("id", "")), _LONGEST_NAME), inquiry.window_in(entry)) for entry in listed)
    return [FoundModel(server, base_url, name, window) for name, window in named if name][:_MOST_MODELS]
