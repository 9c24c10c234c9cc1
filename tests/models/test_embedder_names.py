"""Embedders by name, as settings give it."""

import pytest
from workbench.domain.errors import ModelUnknown
from workbench.models import embeddings
from workbench.models.embedders import offline_embedders, open_embedder
from workbench.models.embeddings import HashedWords, MiniLM, WordLlama


def test_names_open_what_they_say():
    assert isinstance(open_embedder("wordllama"), WordLlama)
    assert isinstance(open_embedder("minilm"), MiniLM)


def test_a_package_that_is_missing_is_known_at_once(monkeypatch):
    monkeypatch.setattr(embeddings.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(ModelUnknown, match="pip install"):
        open_embedder("minilm")


def test_those_of_this_machine_are_found_by_the_very_name_and_version_that_a_record_has():
    everything = offline_embedders("")
    assert [type(one) for one in everything] == [HashedWords, WordLlama, MiniLM]
    for embedder in everything:
        assert [one.name for one in offline_embedders(embedder.name)] == [embedder.name]
    assert offline_embedders("wordllama-l2-supercat-256/0.0.1") == []
    assert offline_embedders("m at https://example.org/v1") == [], "of a server"


def test_one_whose_packages_are_missing_is_not_here(monkeypatch):
    name = MiniLM().name
    monkeypatch.setattr(embeddings.importlib.util, "find_spec", lambda _: None)
    assert offline_embedders(name) == []
