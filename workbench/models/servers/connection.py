"""A connection to a provider for one request: the client, its limits, and its end.

A client for each request costs some milliseconds (in a thread) and a handshake, against answers that take seconds; in
return nothing is shared between requests, sessions and event loops, and cancelling one request closes its socket. The
imports take 1 to 3 seconds; they happen here, in the thread, when a provider's model first answers.
"""

from __future__ import annotations

import asyncio
import os
import warnings
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec import Struct, field

from workbench.domain.errors import ModelError, ModelUnreachable
from workbench.domain.text.cleaning import clean_name
from workbench.models.catalogue import ModelProvider, has_extra, missing_extra
from workbench.models.own_settings import ModelSettings
from workbench.models.secret import Secret
from workbench.models.servers.traits import Reported, Traits

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model


class Address(Struct, frozen=True):
    """Which model, where, and with which key."""

    provider: ModelProvider
    model: str
    key: Secret
    base_url: str | None = None
    """None: the provider's own."""
    max_bytes: int = 4_000_000
    """Text accepted in one answer."""
    traits: Traits = field(default_factory=Traits)
    """What the server takes."""
    own: ModelSettings = field(default_factory=ModelSettings)
    """What a person set for this model."""

    @property
    def place(self) -> str:
        """Who answers, for a person: the provider, or the host of the base URL."""
        if not self.base_url:
            return self.provider.title
        try:
            return clean_name(urlsplit(self.base_url).netloc.rpartition("@")[2]) or "the server at the base URL"
        except ValueError:  # half an IPv6 address
            return "the server at the base URL"


class Opened(Struct, frozen=True):
    """A model, what it is reached with, and what is heard beside it."""

    model: Model
    client: httpx2.AsyncClient | None = None
    """Closed with the connection."""
    reported: Reported = field(default_factory=Reported)


Opening = Callable[[Address], Opened]
"""Sets a connection up; runs in a thread."""


@asynccontextmanager
async def open_connection(address: Address, opening: Opening) -> AsyncIterator[Opened]:
    """Give the model, and close its connection on the way out. Raises ModelUnknown (no extra), ModelUnreachable."""
    opened = await asyncio.to_thread(_open, address, opening)
    if isinstance(opened, ModelError):
        raise opened
    try:
        yield opened
    finally:
        if opened.client is not None:
            await opened.client.aclose()


def _open(address: Address, opening: Opening) -> Opened | ModelError:
    """Return what was opened, or the error to raise: apart from theirs, which may quote an address with a password."""
    try:
        return opening(address)
    except ModelError as error:
        return error
    except Exception as error:  # noqa: BLE001 - addresses, proxies and certificates fail in the ways of many libraries
        return _not_opened(address, error)


def _not_opened(address: Address, error: Exception) -> ModelError:
    provider = address.provider
    if isinstance(error, ModuleNotFoundError) or (isinstance(error, ImportError) and not has_extra(provider)):
        return missing_extra(provider)
    remedy = "Check the base URL and, where they are set, ALL_PROXY, HTTPS_PROXY, HTTP_PROXY and SSL_CERT_FILE."
    if isinstance(error, ImportError) and not any(name.upper().endswith("_PROXY") for name in os.environ):
        # nothing that a proxy needs: an import in another thread was broken off
        return ModelUnreachable("A package that connects was not loaded.", "Try again.")
    if isinstance(error, ImportError):  # the client asks for its own extra: a SOCKS proxy needs socksio
        remedy = "Run `pip install socksio` for a SOCKS proxy, or take it out of ALL_PROXY and HTTPS_PROXY."
    return ModelUnreachable(
        f"No connection to {address.place} can be set up on this machine: {_reason(error)}.", remedy
    )


def _reason(error: Exception) -> str:
    """Return as a clause what went wrong, without the error's own words: they may quote a password."""
    if isinstance(error, ImportError):
        return "a package for the proxy is missing"
    if isinstance(error, OSError):
        return "a file that it needs, such as the certificates, cannot be read"
    return "the address of the server or of a proxy cannot be used"


def open_provider(address: Address) -> Opened:
    """Return a model with a client of its own. Blocks: imports. Raises what the libraries raise."""
    from workbench.models.servers.wire import bounded_client

    opening = {"openai": _openai, "anthropic": _anthropic, "google": _google}[address.provider.id]
    _keep_quiet()
    reported = Reported()
    client = bounded_client(address.max_bytes, address.traits.left_out, reported, address.base_url)
    return Opened(opening(address, client), client, reported)


def _keep_quiet() -> None:
    """Let pydantic-ai drop a temperature that a model does not take, and usage it cannot read, without a word."""
    from pydantic_ai.exceptions import UsageExtractionFailedWarning

    warnings.filterwarnings("ignore", message="Sampling parameters .* are not supported", category=UserWarning)
    warnings.simplefilter("ignore", UsageExtractionFailedWarning)


def _openai(address: Address, client: httpx2.AsyncClient) -> Model:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    key = address.key.reveal()
    is_own = address.base_url is None
    profile = OpenAIModelProfile(
        thinking_tags=("\0", "\0"),  # none: models/servers/thoughts.py reads them in all their forms
        openai_chat_supports_max_completion_tokens=is_own is not address.traits.other_token_field,
    )
    if address.base_url is None:
        own = OpenAIProvider(api_key=key, http_client=client)
        return OpenAIChatModel(address.model, provider=own, profile=profile)
    compatible = OpenAICompatibleProvider(
        "openai-compatible", base_url=address.base_url, api_key=key, http_client=client
    )
    return OpenAIChatModel(address.model, provider=compatible, profile=profile)


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
