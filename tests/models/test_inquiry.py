"""A server is asked once what it takes; what it does not say, or says badly, is assumed."""

import time
from contextlib import suppress

import pytest
from tests.models import fake_openai as fake
from tests.models.test_providers import heard
from tests.pace import slowness
from workbench.models.ports import Inquiring, Usage, window_of
from workbench.models.servers.discovery import answers, find_models
from workbench.models.servers.inquiry import ServerLimits as Limits
from workbench.models.servers.inquiry import ask
from workbench.models.servers.traits import ASSUMED_WINDOW

MODELS = "/v1/models"
SHOWN = {"model_info": {"general.architecture": "qwen2", "qwen2.context_length": 32_768}}
ANSWERS = {
    "llama.cpp": (
        {MODELS: {"data": [{"id": "x.gguf", "meta": {"n_ctx": 4_096, "n_ctx_train": 131_072}}]}}, Limits(4_096)),
    "llama.cpp, older": ({"/props": {"default_generation_settings": {"n_ctx": 2_048}}}, Limits(2_048)),
    "vLLM": ({MODELS: {"data": [{"id": "m", "max_model_len": 16_000}]}}, Limits(16_000)),
    "OpenRouter": (
        {MODELS: {"data": [{"id": "a"}, {
            "id": "m", "context_length": 128_000, "top_provider": {"max_completion_tokens": 16_384}}]}},
        Limits(128_000, 16_384),
    ),
    "Groq": ({MODELS: {"data": [{"id": "m", "context_window": 131_072, "max_completion_tokens": 8_192}]}},
             Limits(131_072, 8_192)),
    "Ollama, set up": ({"/api/show": {**SHOWN, "parameters": "stop x\nnum_ctx   8192\n"}}, Limits(8_192)),
    "Ollama, loaded": (
        {"/api/show": SHOWN, "/api/ps": {"models": [{"name": "o"}, {"name": "m", "context_length": 4_096}]}},
        Limits(4_096),
    ),
    "Ollama": ({"/api/show": SHOWN, "/api/ps": {"models": []}}, Limits(32_768)),
    "LM Studio": ({"/api/v0/models": {"data": [{"id": "m", "loaded_context_length": 4_096,
                                                "max_context_length": 131_072}]}}, Limits(4_096)),
    "other models": ({MODELS: {"data": [{"id": "a", "n_ctx": 9}, {"id": "b", "n_ctx": 9}]}}, Limits()),
    "nothing": ({}, Limits()),
    "nonsense": (
        {MODELS: {"data": [7, {"id": "m", "n_ctx": "many", "context_length": -1, "max_model_len": True}]}}, Limits()),
    "no list": ({MODELS: {"data": {"id": "m"}}}, Limits()),
}  # fmt: skip


@pytest.mark.parametrize("name", ANSWERS)
def test_servers_say_it_in_their_own_ways(server, name):
    pages, told = ANSWERS[name]
    server.pages.update(pages)
    assert ask(server.base_url, "m", "key") == told


@pytest.mark.parametrize(
    "page",
    [
        lambda handler: handler.whole(200, b"<html>"),
        lambda handler: handler.whole(200, b"[1]"),
        lambda handler: handler.whole(302, b"", location="http://127.0.0.1:1/"),
        lambda handler: handler.whole(200, b"[" * 100_000),
        fake.drop,
    ],
)
def test_what_is_no_answer_says_nothing(server, monkeypatch, page):
    monkeypatch.setattr(fake._Handler, "do_GET", page)
    assert ask(server.base_url, "m", "key") == Limits()


def test_an_endless_answer_is_not_read_to_its_end(server, monkeypatch):
    monkeypatch.setattr("workbench.models.servers.inquiry._MOST_BYTES", 1_000)
    server.pages[MODELS] = {"data": [{"id": "m", "n_ctx": 4_096, "about": "x" * 2_000}]}
    assert ask(server.base_url, "m", "key") == Limits()


def test_an_answer_that_drips_is_not_waited_for(server, monkeypatch):
    monkeypatch.setattr("workbench.models.servers.inquiry._MOST_SECONDS", 1.0)
    asked = []

    def drip(handler):
        asked.append(handler.path)
        handler.send_response(200)
        handler.end_headers()
        with suppress(OSError):
            for _ in range(100):
                handler.wfile.write(b" ")
                handler.wfile.flush()
                time.sleep(0.05)

    monkeypatch.setattr(fake._Handler, "do_GET", drip)
    begun = time.monotonic()
    assert ask(server.base_url, "m", "key") == Limits()
    assert time.monotonic() - begun < 3 * slowness()
    assert asked == [MODELS]


def test_headers_without_end_are_not_waited_for(server, monkeypatch):
    monkeypatch.setattr("workbench.models.servers.inquiry._MOST_SECONDS", 0.2)
    monkeypatch.setattr("workbench.models.servers.discovery._MOST_SECONDS", 0.2)
    monkeypatch.setattr(fake._Handler, "do_GET", fake.hints)
    monkeypatch.setattr(fake._Handler, "do_HEAD", fake.hints, raising=False)
    assert ask(server.base_url, "m", "key") == Limits()
    assert server.hung_up.wait(60)
    assert find_models([("A", server.base_url)]) == []
    assert not answers(server.base_url, seconds=0.2)


def test_a_model_is_asked_about_once_and_a_setting_goes_first(server, model_of):
    server.pages[MODELS] = {"data": [{"id": "m-1", "max_model_len": 16_000, "max_output_tokens": 2_000}]}
    model = model_of(window=None)
    assert (model.window, model.traits.window_source) == (ASSUMED_WINDOW, "assumed")
    assert isinstance(model, Inquiring)
    assert window_of(model) == 16_000
    assert (model.traits.output_limit, model.traits.window_source) == (2_000, "server")
    server.pages.clear()
    assert window_of(model) == 16_000
    server.pages[MODELS] = {"data": [{"id": "m-1", "max_model_len": 16_000, "max_output_tokens": 2_000}]}
    own = model_of(window=5_000, output_limit=300)
    assert (window_of(own), own.traits.output_limit, own.traits.window_source) == (5_000, 300, "setting")


@pytest.mark.parametrize(
    ("provider", "name", "window"),
    [
        ("openai", "gpt-4o", 128_000),
        ("anthropic", "claude-sonnet-5", 1_000_000),
        ("google", "gemini-2.5-flash", 1_048_576),
    ],
)
def test_windows_of_known_models_are_in_their_profiles(model_of, provider, name, window):
    model = model_of(provider, name, window=None, base_url=None)
    assert (window_of(model), model.traits.window_source) == (window, "profile")


async def test_a_server_is_asked_again_after_a_call_that_failed(server, model_of):
    model = model_of(window=None)
    server.will(fake.status(401, "No."), fake.text("{}"))
    assert window_of(model) == ASSUMED_WINDOW
    await heard(model)
    server.pages[MODELS] = {"data": [{"id": "m-1", "max_model_len": 16_000}]}
    assert window_of(model) == 16_000
    parts, error = await heard(model)
    assert (error, [part.server_window for part in parts if isinstance(part, Usage)]) == (None, [16_000])
