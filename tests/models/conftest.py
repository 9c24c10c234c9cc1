"""A provider's server on the loopback, and models that ask it without ever waiting."""

import pytest
from tests.models.fake_openai import fake_server
from workbench.models.catalogue import PROVIDERS
from workbench.models.own_settings import ModelSettings
from workbench.models.retry import Backoff
from workbench.models.secret import Secret
from workbench.models.servers.providers import ProviderModel

KEY = "sk-test-5f4dcc3b5aa765d61d8327deb882cf99"


@pytest.fixture
def server():
    with fake_server() as running:
        yield running


@pytest.fixture
def waits():
    """The waits between attempts, recorded instead of waited."""
    return []


@pytest.fixture
def model_of(server, waits):
    """Makes a model of a provider that asks the server."""

    async def sleep(seconds):
        waits.append(seconds)

    def make(provider="openai", name="m-1", *, window=128_000, output_limit=None, own=None, **options):
        address = server.base_url if provider == "openai" else server.base_url.removesuffix("/v1")
        backoff = Backoff(attempts=3, sleep=sleep, random=lambda: 0.0)
        return ProviderModel(
            PROVIDERS[provider],
            name,
            key=Secret(KEY),
            own=own or ModelSettings(window=window, output_limit=output_limit),
            **{"base_url": address, "backoff": backoff, **options},
        )

    return make
