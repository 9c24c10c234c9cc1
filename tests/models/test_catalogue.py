"""Models by name: what is understood, what is suggested, and what must be there before a session starts."""

import subprocess
import sys

import pytest
from workbench.bootstrap.models import open_model
from workbench.domain.errors import ModelDenied, ModelUnknown, SettingsError
from workbench.models import catalogue
from workbench.models.catalogue import PROVIDERS, ModelName, parse_model_name

KEYS = {"OPENAI_API_KEY": "sk-a", "ANTHROPIC_API_KEY": "sk-b", "GEMINI_API_KEY": "c"}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("guided", ModelName("guided")),
        (" Guided ", ModelName("guided")),
        ("openai:gpt-4o", ModelName("openai", "gpt-4o")),
        ("openai:qwen/qwen3:8b", ModelName("openai", "qwen/qwen3:8b")),
        ("Anthropic: claude-sonnet-5", ModelName("anthropic", "claude-sonnet-5")),
        ("scripted:demo.jsonl", ModelName("scripted", "demo.jsonl")),
    ],
)
def test_a_name_is_taken_apart(text, name):
    assert parse_model_name(text) == name
    assert parse_model_name(str(name)) == name


@pytest.mark.parametrize(
    ("text", "message", "remedy"),
    [
        ("opnai:gpt-4o", "no model provider 'opnai'", "Did you mean openai?"),
        ("antropic:x", "no model provider 'antropic'", "Did you mean anthropic?"),
        ("zzzz", "no model provider 'zzzz'", "Use one of guided"),
        ("", "no model provider ''", "Use one of guided"),
        ("a\x1b[1m:b", "␛[1m", "guided"),
        ("openai", "Which model of OpenAI", "Write openai:NAME"),
        ("google:", "Which model of Google", "Write google:NAME"),
        ("scripted", "Which script", "scripted:FILE"),
        ("guided:big", "no variants", "without a colon"),
    ],
)
def test_a_name_that_names_nothing_is_an_error_with_a_way_out(text, message, remedy):
    with pytest.raises(ModelUnknown) as refused:
        parse_model_name(text)

    assert message in refused.value.message
    assert remedy in refused.value.remedy
    assert refused.value.exit_code == 2


@pytest.mark.parametrize("key", ["sk-abc…xyz", "sk-a\nb", "sk-\udc80", "sk-a\x1b"])
def test_what_can_be_no_key_is_refused_before_anything_is_sent(key):
    with pytest.raises(ModelDenied, match="OPENAI_API_KEY") as refused:
        open_model("openai:gpt-4o", base_url="http://127.0.0.1:9/v1", environ={"OPENAI_API_KEY": key})
    assert key not in str(refused.value)


@pytest.mark.parametrize("provider", PROVIDERS.values(), ids=PROVIDERS)
def test_a_missing_key_is_named_with_its_variable(provider):
    with pytest.raises(ModelDenied) as refused:
        open_model(f"{provider.id}:m", base_url=None, environ={provider.keys[0]: "  "})

    assert " or ".join(provider.keys) in refused.value.message
    assert "--model guided" in refused.value.remedy


def test_a_server_of_ones_own_needs_no_key_in_openais_protocol_only():
    assert open_model("openai:llama", base_url="http://127.0.0.1:9/v1", environ={}).name == "openai:llama"
    with pytest.raises(ModelDenied):
        open_model("anthropic:m", base_url="http://127.0.0.1:9", environ={})


@pytest.mark.parametrize("missing", ["pydantic_ai", "google.genai"])
def test_a_missing_extra_is_named_before_anything_starts(monkeypatch, missing):
    def find_spec(name):
        if name == missing and name != "google.genai":
            return None
        if name == missing:
            raise ModuleNotFoundError(name)
        return object()

    monkeypatch.setattr(catalogue.importlib.util, "find_spec", find_spec)

    with pytest.raises(ModelUnknown) as refused:
        open_model("google:m", base_url=None, environ=KEYS)

    assert refused.value.remedy == "Run: pip install 'planning-workbench[google]'"


def test_opening_a_model_loads_no_model_library():
    code = (
        "import sys; from workbench.bootstrap.models import open_model;"
        "open_model('openai:m', base_url=None, environ={'OPENAI_API_KEY': 'k'});"
        "print(sorted({'pydantic_ai', 'pydantic', 'httpx2', 'openai', 'anthropic', 'google.genai'} & set(sys.modules)))"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "base_url",
    ["notaurl", "localhost:8000", "ftp://host/v1", "http://", "http://[::1", "http://h:99999", "http://h/a b", "\x1b"],
)
@pytest.mark.parametrize("name", ["openai:m", "anthropic:m", "google:m"])
def test_a_base_url_that_is_no_address_is_refused_at_once(name, base_url):
    with pytest.raises(SettingsError, match="is not a server's") as refused:
        open_model(name, base_url=base_url, environ=KEYS)

    assert "http://HOST" in refused.value.remedy
    assert "\x1b" not in str(refused.value)
