"""Which servers of models answer on this machine, and which models they have.

One look at the usual ports of the loopback interface, all at once, for a third of a second. Nothing is asked of another
machine, and no key and no text is sent. Imports httpx2: import it late.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import httpx2

from workbench.domain.text.cleaning import clean_name
from workbench.models import inquiry

_SECONDS = 0.3
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
    """As it stands after ``--model openai:``."""
    window: int | None
    """Tokens that prompt and answer may have together; None where the list does not say."""


def find_models(servers: Iterable[tuple[str, str]] | None = None) -> list[FoundModel]:
    """Return what servers list that answer at once, in the order of the servers; None for the usual ones.

    Blocks for a third of a second.
    """
    named = list(USUAL_SERVERS if servers is None else servers)
    with ThreadPoolExecutor(max_workers=max(len(named), 1)) as pool:
        return [model for found in pool.map(lambda one: _models_at(*one), named) for model in found]


def answers(base_url: str, seconds: float = 2.0) -> bool:
    """Tell whether anything that speaks HTTP answers at an address. Blocks for so many seconds at most."""
    try:
        with httpx2.Client(timeout=seconds, follow_redirects=False) as client:
            client.head(base_url)
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError):
        return False
    return True


def _models_at(server: str, base_url: str) -> list[FoundModel]:
    with httpx2.Client(timeout=_SECONDS, follow_redirects=False, trust_env=False) as client:
        listed = inquiry.listed_at(client, base_url)
    named = ((clean_name(str(entry.get("id", "")), _LONGEST_NAME), inquiry.window_in(entry)) for entry in listed)
    return [FoundModel(server, base_url, name, window) for name, window in named if name][:_MOST_MODELS]
