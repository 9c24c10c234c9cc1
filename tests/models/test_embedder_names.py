"""Embedders by name, as settings give it."""

import pytest
from workbench.domain.errors import ModelDenied, ModelUnknown, SettingsError
from workbench.models import embeddings
from workbench.models.embedders import offline_embedders, open_embedder
from workbench.models.embeddings import HashedWords, MiniLM, WordLlama
from workbench.models.openai_embeddings import OpenAIEmbeddings

URL = "http://localhost:11434/v1"


def test_names_open_what_they_say():
    assert isinstance(open_embedder("wordllama", base_url=None, environ={}), WordLlama)
    assert isinstance(open_embedder("minilm", base_url=None, environ={}), MiniLM)
    own = open_embedder("openai:nomic-embed-text", base_url=URL, environ={})
    assert isinstance(own, OpenAIEmbeddings)
    assert own.name == f"nomic-embed-text at {URL}"
    assert open_embedder("openai: m ", base_url=None, environ={"OPENAI_API_KEY": "k"}).name.startswith(
        "m at https://api"
    )


@pytest.mark.parametrize("name", ["", "word", "openai", "openai:", "openai: ", "anthropic:x", "https://example.org/v1"])
def test_what_names_none_is_refused(name):
    with pytest.raises(SettingsError, match="Give wordllama, minilm, or openai:NAME"):
        open_embedder(name, base_url=None, environ={})


def test_openai_needs_a_key():
    with pytest.raises(ModelDenied, match="OPENAI_API_KEY is not set"):
        open_embedder("openai:m", base_url=None, environ={})


def test_an_address_for_an_embedder_that_asks_nobody_is_a_mistake():
    with pytest.raises(SettingsError, match="the embedder wordllama asks no server"):
        open_embedder("wordllama", base_url=URL, environ={})


@pytest.mark.parametrize("name", ["minilm", "openai:m"])
def test_a_package_that_is_missing_is_known_at_once(name, monkeypatch):
    monkeypatch.setattr(embeddings.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(ModelUnknown, match="pip install"):
        open_embedder(name, base_url=URL if name != "minilm" else None, environ={})


def test_those_of_this_machine_are_found_by_the_very_name_and_version_that_a_record_has():
    everything = offline_embedders("")
    assert [type(one) for one in everything] == [HashedWords, WordLlama, MiniLM]
    for embedder in everything:
        assert [one.name for one in offline_embedders(embedder.name)] == [embedder.name]
    assert offline_embedders("wordllama-l2-supercat-256/0.0.1") == []
    assert offline_embedders(f"m at {URL}") == [], "nothing that asks a server"


def test_one_whose_packages_are_missing_is_not_here(monkeypatch):
    name = MiniLM().name
    monkeypatch.setattr(embeddings.importlib.util, "find_spec", lambda _: None)
    assert offline_embedders(name) == []
