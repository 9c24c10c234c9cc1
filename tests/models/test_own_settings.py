"""What a person sets for one model, and what it changes: the key, the window, the price, the patience, the effort."""

import asyncio

import pytest
from tests.models import fake_openai as fake
from tests.models.recording import collect
from tests.models.requests import propose
from workbench.bootstrap.models import open_model
from workbench.domain.errors import ModelDenied, ModelUnknown, SettingsError
from workbench.models.own_settings import ModelSettings, check_model_tables, settings_of_model
from workbench.models.ports import Parameters


def test_a_table_is_read_and_its_model_found():
    tables = check_model_tables({"openai:qwen3": {"window": 32_768, "key": "MY_KEY"}}, "config.toml")
    assert settings_of_model(tables, "openai:qwen3") == ModelSettings(window=32_768, key="MY_KEY")
    assert settings_of_model(tables, "openai:other") == ModelSettings()


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        (3, "no table"),
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


def test_a_model_of_no_provider_is_refused():
    with pytest.raises(ModelUnknown):
        check_model_tables({"opnai:m": {}}, "config.toml")


def test_the_key_comes_from_the_variable_that_is_named(server):
    own = ModelSettings(key="MY_KEY")
    environ = {"MY_KEY": "sk-mine-0123456789", "OPENAI_API_KEY": "sk-other-0123456789"}
    model = open_model("openai:m", base_url=server.base_url, environ=environ, own=own)
    asyncio.run(collect(model.stream(propose())))
    assert server.requests[0]["headers"]["authorization"] == "Bearer sk-mine-0123456789"
    with pytest.raises(ModelDenied, match="MY_KEY is not set"):
        open_model("openai:m", environ={"OPENAI_API_KEY": "sk-other-0123456789"}, own=own)


def test_a_price_of_ones_own_holds_where_the_server_names_none(server, model_of):
    own = ModelSettings(input_price=2.0, output_price=10.0)
    server.will(fake.text("hello", usage={"prompt_tokens": 1_000, "completion_tokens": 100, "total_tokens": 1_100}))
    assert asyncio.run(collect(model_of(own=own).stream(propose()))).usage.cost == pytest.approx(0.003)
    assert asyncio.run(collect(model_of().stream(propose()))).usage.cost is None


def test_effort_goes_out_as_the_protocol_has_it(server, model_of):
    asyncio.run(collect(model_of(name="o3", own=ModelSettings(effort="low")).stream(propose())))
    assert server.requests[0]["body"]["reasoning_effort"] == "low"


def test_patience_replaces_only_what_is_set(model_of):
    asked = Parameters(first=600, idle=120, total=9)
    assert model_of(own=ModelSettings(idle=3)).patience(asked) == Parameters(first=600, idle=3, total=9)
    assert model_of().patience(asked) == asked
