"""What a person sets for one model, and what it changes: the key, the window, the price, the patience, the effort."""

import asyncio

import pytest
from tests.models import fake_openai as fake
from tests.models.recording import collect
from tests.models.requests import propose
from workbench.domain.errors import SettingsError
from workbench.models.own_settings import ModelSettings, check_model_tables, settings_of_model


def test_a_table_is_read_and_its_model_found():
    tables = check_model_tables({"openai:qwen3": {"window": 32_768, "key": "MY_KEY"}}, "config.toml")
    assert settings_of_model(tables, "openai:qwen3") == ModelSettings(window=32_768, key="MY_KEY")
    assert settings_of_model(tables, "openai:other") == ModelSettings()


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        (3, "not a table"),
        ({"openai:m": {"windov": 3}}, "windov"),
        ({"openai:m": {"window": 0}}, "window"),
        ({"openai:m": {"window": True}}, "window"),
        ({"openai:m": {"effort": "most"}}, "effort"),
        ({"openai:m": {"key": "sk-123 456"}}, "key"),
        ({"openai:m": {"input_price": 1.0}}, "only one price"),
        ({"openai:m": {"base_url": "http://name:word@host"}}, "more than a server"),
    ],
)
def test_what_cannot_be_is_said_with_where_it_stands(tables, words):
    with pytest.raises(SettingsError) as caught:
        check_model_tables(tables, "config.toml")
    assert "config.toml" in caught.value.message
    assert words in caught.value.message


def test_a_price_of_ones_own_holds_where_the_server_names_none(server, model_of):
    own = ModelSettings(input_price=2.0, output_price=10.0)
    server.will(fake.text("hello", usage={"prompt_tokens": 1_000, "completion_tokens": 100, "total_tokens": 1_100}))
    assert asyncio.run(collect(model_of(own=own).stream(propose()))).usage.cost == pytest.approx(0.003)
    assert asyncio.run(collect(model_of().stream(propose()))).usage.cost is None
