"""A connection to a provider for one request: the client, its limits, and its end.

A client for each request costs some milliseconds (in a thread) and a handshake, against answers that take seconds; in
return nothing is shared between requests, sessions and event loops, and cancelling one request closes its socket. The
imports take 1 to 3 seconds; they happen here, in the thread, when a provider's model first answers.
"""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.domain.errors import ModelError, ModelUnreachable
from workbench.models.catalogue import ModelProvider, has_extra, missing_extra
from workbench.models.secret import Secret

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model


@dataclass(frozen=True, slots=True)
class Address:
    """Which model, where, and with which key."""

    provider: ModelProvider
    model: str
    key: Secret
    base_url: str | None = None
    """None: the provider's own."""
    max_bytes: int = 4_000_000
    """Text accepted in one answer."""


Opening = Callable[[Address], tuple["Model", "httpx2.AsyncClient | None"]]
"""Makes the model and the client to close; runs in a thread."""


@asynccontextmanager
async def connected(address: Address, opening: Opening) -> AsyncIterator[Model]:
    """Give the model, and close its connection on the way out. Raises ModelUnknown (no extra), ModelUnreachable."""
    opened = await asyncio.to_thread(_opened, address, opening)
    if isinstance(opened, ModelError):
        raise opened
    model, client = opened
    try:
        yield model
    finally:
        if client is not None:
            await client.aclose()


def _opened(address: Address, opening: Opening) -> tuple[Model, httpx2.AsyncClient | None] | ModelError:
    """Return what was opened, or the error to raise: apart from theirs, which may quote an address with a password."""
    try:
        return opening(address)
    except Exception as error:  # noqa: BLE001 - addresses, proxies and certificates fail in the ways of many libraries
        return _not_opened(address.provider, error)


def _not_opened(provider: ModelProvider, error: Exception) -> ModelError:
    if isinstance(error, ModuleNotFoundError) or (isinstance(error, ImportError) and not has_extra(provider)):
        return missing_extra(provider)
    remedy = "Check the base URL and, where they are set, ALL_PROXY, HTTPS_PROXY, HTTP_PROXY and SSL_CERT_FILE."
    if isinstance(error, ImportError):  # the client asks for its own extra: a SOCKS proxy needs socksio
        remedy = "Run `pip install socksio` for a SOCKS proxy, or take it out of ALL_PROXY and HTTPS_PROXY."
    return ModelUnreachable(
        f"No connection to {provider.title} can be set up on this machine ({type(error).__name__}).", remedy
    )


def open_provider(address: Address) -> tuple[Model, httpx2.AsyncClient]:
    """Return a new client and the model that uses it. Blocks: imports. Raises what the libraries raise."""
    from workbench.models.wire import bounded_client

    opening = {"openai": _openai, "anthropic": _anthropic, "google": _google}[address.provider.id]
    _keep_quiet()
    client = bounded_client(address.max_bytes)
    return opening(address, client), client


def _keep_quiet() -> None:
    """Let pydantic-ai drop a temperature that a model does not take, and usage it cannot read, without a word."""
    from pydantic_ai.exceptions import UsageExtractionFailedWarning

    warnings.filterwarnings("ignore", message="Sampling parameters .* are not supported", category=UserWarning)
    warnings.simplefilter("ignore", UsageExtractionFailedWarning)


def _openai(address: Address, client: httpx2.AsyncClient) -> Model:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    key = address.key.reveal()
    if address.base_url is None:
        return OpenAIChatModel(address.model, provider=OpenAIProvider(api_key=key, http_client=client))
    return OpenAIChatModel(
        address.model,
        provider=OpenAICompatibleProvider(
            "openai-compatible", base_url=address.base_url, api_key=key, http_client=client
        ),
    )


def _anthropic(address: Address, client: httpx2.AsyncClient) -> Model:
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    provider = AnthropicProvider(api_key=address.key.reveal(), base_url=address.base_url, http_client=client)
    return AnthropicModel(address.model, provider=provider)


def _google(address: Address, client: httpx2.AsyncClient) -> Model:
    from google.genai.types import HttpRetryOptions
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    provider = GoogleProvider(
        api_key=address.key.reveal(),
        base_url=address.base_url,
        http_client=client,
        retry_options=HttpRetryOptions(attempts=1),
    )
    return GoogleModel(address.model, provider=provider)
