"""Embedders by name, as settings give it."""

from workbench.models.embedders import offline_embedders
from workbench.models.embeddings import HashedWords, MiniLM, WordLlama


def test_those_of_this_machine_are_found_by_the_very_name_and_version_that_a_record_has():
    everything = offline_embedders("")
    assert [type(one) for one in everything] == [HashedWords, WordLlama, MiniLM]
    for embedder in everything:
        assert [one.name for one in offline_embedders(embedder.name)] == [embedder.name]
    assert offline_embedders("wordllama-l2-supercat-256/0.0.1") == []
    assert offline_embedders("m at https://example.org/v1") == [], "of a server"
