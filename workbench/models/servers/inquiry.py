"""What a server that speaks OpenAI's protocol says of a model: how large its window is, how long an answer may be.

    /v1/models ─┬ n_ctx (llama.cpp) · max_model_len (vLLM) · context_length (OpenRouter) · context_window (Groq)
                └ max_completion_tokens, top_provider …: the most that is answered
    /api/show, /api/ps   Ollama                /props   llama.cpp                /api/v0/models   LM Studio

It is asked once, with the key that its prompts get, and for some seconds at most. Imports httpx2: import it late.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

import httpx2
import msgspec

from workbench.domain.text.patterns import lazy_pattern
from workbench.models.catalogue import is_here

_T = TypeVar("_T")
_SECONDS = httpx2.Timeout(5.0, connect=2.0)
_MOST_SECONDS = 10.0
"""For all that a server is asked, whatever it sends meanwhile: single bytes, or headers without end."""
_MOST_BYTES = 20_000_000
"""OpenRouter's list of models has half of one."""
_WINDOWS = ("n_ctx", "loaded_context_length", "max_model_len", "context_length", "context_window", "max_context_length")
_OUTPUTS = ("max_completion_tokens", "max_output_tokens", "max_output_length")
_NUM_CTX = lazy_pattern(r"^[^\S\n]*num_ctx\s+(\d{1,9})\s*$", re.MULTILINE)
_LARGEST = 100_000_000


class ServerLimits(NamedTuple):
    """What a server says of a model; None if it says nothing."""

    window: int | None = None
    output_limit: int | None = None
    tells_price: bool = False


def ask(base_url: str, model: str, key: str) -> ServerLimits:
    """Ask a server about a model. Blocks for some seconds; raises nothing."""
    return completed(_limits(base_url, model, key))


def completed(work: Coroutine[Any, Any, _T]) -> _T:
    """Return what work returns. Blocks, also where a loop runs in this thread: then in another one."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


async def _limits(base_url: str, model: str, key: str) -> ServerLimits:
    limits = ServerLimits()
    headers = {"authorization": f"Bearer {key}", "accept-encoding": "identity"}
    try:
        client = httpx2.AsyncClient(
            timeout=_SECONDS, headers=headers, follow_redirects=False, trust_env=not is_here(base_url)
        )
    except (ValueError, OSError, ImportError):  # a key that no header can hold; a proxy or certificates that are none
        return limits
    with suppress(httpx2.TransportError, TimeoutError):  # nobody is there, or nobody answers
        async with asyncio.timeout(_MOST_SECONDS), client:
            listed = _entry_of(await _answer(client, "GET", f"{base_url.rstrip('/')}/models"), model)
            tells_price = isinstance(listed, dict) and isinstance(listed.get("pricing"), dict)
            limits = ServerLimits(_first(listed, _WINDOWS), _first(listed, _OUTPUTS), tells_price)
            if limits.window is None:
                root = base_url.rstrip("/").removesuffix("/v1")
                limits = limits._replace(window=await _window_elsewhere(client, root, model))
    return limits


async def listed_at(client: httpx2.AsyncClient, base_url: str, seconds: float) -> list[dict[str, Any]]:
    """Return the entries of a server's list of models; none if it does not answer within so many seconds."""
    try:
        async with asyncio.timeout(seconds):
            return _entries(await _answer(client, "GET", f"{base_url.rstrip('/')}/models"))
    except (httpx2.TransportError, TimeoutError):  # nobody is there, or nobody answers
        return []


def window_in(entry: dict[str, Any]) -> int | None:
    """Return the window that an entry of such a list names."""
    return _first(entry, _WINDOWS)


def _entries(answer: dict[str, Any]) -> list[dict[str, Any]]:
    entries = answer.get("data")
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []


async def _window_elsewhere(client: httpx2.AsyncClient, root: str, model: str) -> int | None:
    """Return the window as servers say it that leave it out of their list of models."""
    shown = await _answer(client, "POST", f"{root}/api/show", {"model": model})
    if shown:
        return _of_ollama(shown, await _answer(client, "GET", f"{root}/api/ps"), model)
    window = _first(_entry_of(await _answer(client, "GET", f"{root}/api/v0/models"), model), _WINDOWS)
    if window is not None:
        return window
    props = await _answer(client, "GET", f"{root}/props")
    return _first(props.get("default_generation_settings"), ("n_ctx",)) or _first(props, ("n_ctx",))


def _of_ollama(shown: dict[str, Any], loaded: dict[str, Any], model: str) -> int | None:
    """Return Ollama's window: as the model is set up, as it is loaded, else what it can have at most."""
    number = _NUM_CTX.search(str(shown.get("parameters", ""))[:100_000])
    if number is not None:
        return int(number[1])
    models = loaded.get("models")
    for entry in models if isinstance(models, list) else []:
        if isinstance(entry, dict) and model in (entry.get("name"), entry.get("model")):
            return _first(entry, ("context_length",))
    info = shown.get("model_info")
    names = tuple(info) if isinstance(info, dict) else ()
    return _first(info, tuple(name for name in names if str(name).endswith(".context_length")))


async def _answer(
    client: httpx2.AsyncClient, method: str, url: str, body: dict[str, str] | None = None
) -> dict[str, Any]:
    """Return a server's JSON object; an empty one if it has no such answer. Raises TransportError."""
    try:
        async with client.stream(method, url, json=body) as response:
            if (
                response.status_code != httpx2.codes.OK
                or response.headers.get("content-encoding", "identity") != "identity"
            ):
                return {}
            data = bytearray()
            async for piece in response.aiter_raw():
                data += piece
                if len(data) > _MOST_BYTES:
                    return {}
        answer = msgspec.json.decode(data)
    except (httpx2.TransportError, TimeoutError):
        raise
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, OSError, RecursionError):
        return {}
    return answer if isinstance(answer, dict) else {}


def _entry_of(answer: dict[str, Any], model: str) -> Any:
    """Return the entry of a model; of the only one where it goes by another name."""
    known = _entries(answer)
    named = [entry for entry in known if entry.get("id") == model]
    return next(iter(named), known[0] if len(known) == 1 else None)


def _first(entry: Any, names: tuple[str, ...]) -> int | None:
    """Return the first usable number under these names, also within ``meta`` and ``top_provider``."""
    return next(iter(_numbers(entry, names)), None)


def _numbers(entry: Any, names: tuple[str, ...]) -> Iterator[int]:
    if not isinstance(entry, dict):
        return
    objects = [part for part in (entry, entry.get("meta"), entry.get("top_provider")) if isinstance(part, dict)]
    for part in objects:
        for name in names:
            value = part.get(name)
            if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _LARGEST:
                yield value
