"""One look at this machine: which servers of models answer, and what they list."""

import socket

from tests.models import fake_openai as fake
from workbench.models.servers.discovery import FoundModel, answers, find_models

MODELS = "/v1/models"


def test_what_servers_list_is_found_in_their_order(server):
    server.pages[MODELS] = {"data": [{"id": "qwen3", "max_model_len": 32_768}, {"id": "nomic"}]}
    with fake.fake_server() as other:
        other.pages[MODELS] = {"data": [{"id": "tiny"}]}
        found = find_models([("A", server.base_url), ("B", other.base_url)])
    assert found == [
        FoundModel("A", server.base_url, "qwen3", 32_768),
        FoundModel("A", server.base_url, "nomic", None),
        FoundModel("B", other.base_url, "tiny", None),
    ]
    assert server.requests == []  # nothing but the look


def test_names_are_made_safe_and_nonsense_is_left_out(server):
    server.pages[MODELS] = {"data": [{"id": "a\x1b[31mb"}, {"id": ""}, "x", {"name": "y"}]}
    assert [model.name for model in find_models([("A", server.base_url)])] == ["a␛[31mb"]


def test_a_server_that_never_answers_is_passed_over():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        assert find_models([("A", address)]) == []
        assert not answers(address, seconds=0.1)
