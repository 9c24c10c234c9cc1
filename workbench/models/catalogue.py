"""Models by name: what a person writes after ``--model``, taken apart and checked.

The one table of providers: their names, keys and extras. Nothing heavy is imported before a model answers; whether the
extra is installed and a key is set is known at once, so that nobody starts a session that cannot continue.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from urllib.parse import urlsplit

from msgspec import Struct

from workbench.domain.errors import ModelDenied, ModelUnknown, SettingsError
from workbench.domain.text.cleaning import clean_name
from workbench.models.keyring import stored_key
from workbench.models.secret import Secret

GUIDED = "guided"
SCRIPTED = "scripted"
LOCAL = "local"


class ModelProvider(Struct, frozen=True):
    """Somebody who runs language models."""

    id: str
    """What is before the colon."""
    title: str
    keys: tuple[str, ...]
    """Environment variables that may hold the key; the first one set is used."""
    package: str
    """The module of its client, which its extra of the same id installs."""
    host: str


PROVIDERS: Mapping[str, ModelProvider] = {
    provider.id: provider
    for provider in (
        ModelProvider("openai", "OpenAI", ("OPENAI_API_KEY",), "openai", "api.openai.com"),
        ModelProvider("anthropic", "Anthropic", ("ANTHROPIC_API_KEY",), "anthropic", "api.anthropic.com"),
        ModelProvider(
            "google",
            "Google",
            ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
            "google.genai",
            "generativelanguage.googleapis.com",
        ),
    )
}
"""By id. Any server that speaks OpenAI's chat completions is ``openai`` with a base URL."""

LOCAL_PROVIDER = ModelProvider(LOCAL, "llama.cpp on this machine", (), "xllamacpp", "this machine")
known_providers: tuple[str, ...] = (GUIDED, SCRIPTED, LOCAL, *PROVIDERS)


class ModelName(Struct, frozen=True):
    """A model's name, taken apart."""

    provider: str
    """One of ``known_providers``."""
    model: str = ""
    """The provider's own name for it, or a script's file; "" for guided."""

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}" if self.model else self.provider


def parse_model_name(text: str) -> ModelName:
    """Return the parts of ``provider:model``, ``scripted:FILE`` or ``guided``.

    Raises ModelUnknown for an unknown provider (with the nearest one) and for a missing model.
    """
    provider, _, model = (part.strip() for part in text.partition(":"))
    provider = provider.lower()
    if provider not in known_providers:
        raise ModelUnknown(f"There is no model provider {clean_name(provider, 40)!r}.", _suggestion(provider))
    if provider == GUIDED and model:
        raise ModelUnknown("The guided planner has no variants.", "Write guided, without a colon.")
    if provider == SCRIPTED and not model:
        raise ModelUnknown("Which script should be played?", "Write scripted:FILE.")
    if provider == LOCAL and not model:
        raise ModelUnknown("Which model of this machine is meant?", "Write local:NAME: workbench models list")
    if provider in PROVIDERS and not model:
        raise ModelUnknown(
            f"Which model of {PROVIDERS[provider].title} is meant?",
            f"Write {provider}:NAME, with its name for the model.",
        )
    return ModelName(provider, model)


def host_of(name: str, base_url: str) -> str:
    """Return where prompts for a model go, in words."""
    if base_url:
        return base_url
    provider = PROVIDERS.get(name.partition(":")[0].strip().lower())
    return provider.host if provider is not None else "a file of this machine"


def check_address(address: str, source: str) -> None:
    """Raise SettingsError for a text that is not a server's address, or that holds a secret: addresses are recorded."""
    if not address:
        return
    try:
        parts = urlsplit(address)
        is_server = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:  # half an IPv6 address, or a port beyond 65535
        is_server = False
    if not is_server or any(sign.isspace() for sign in address):
        remedy = "Write it as http://HOST:PORT/PATH or https://HOST/PATH."
        raise SettingsError(f"The address from {source} is not a server's.", remedy)
    if parts.username or parts.password or parts.query or parts.fragment:
        remedy = "Give it without, and put the key into the environment."
        raise SettingsError(f"The address from {source} holds more than a server and a path.", remedy)


def is_here(address: str | None) -> bool:
    """Tell whether a server is on this machine: it is asked without any proxy."""
    return urlsplit(address or "").hostname in ("localhost", "127.0.0.1", "::1")


def require_extra(provider: ModelProvider) -> None:
    """Raise ModelUnknown, naming the extra, when the provider's client is not installed. Imports nothing heavy."""
    if not has_extra(provider):
        raise missing_extra(provider)


def has_extra(provider: ModelProvider) -> bool:
    """Tell whether the provider's client is installed. Imports nothing heavy."""
    return _installed("pydantic_ai") and _installed(provider.package)


def missing_extra(provider: ModelProvider) -> ModelUnknown:
    """Return the error that says how to install a provider's client."""
    return ModelUnknown(
        f"Models of {provider.title} need a package that is not installed.",
        f"Run: pip install 'planning-workbench[{provider.id}]'",
    )


def find_key(
    provider: ModelProvider, base_url: str | None, environ: Mapping[str, str], variables: tuple[str, ...] = ()
) -> Secret:
    """Return the key, from the first of these variables (the provider's usual ones) that holds one.

    Raises ModelDenied if none does and the provider needs one, or if the value cannot be a key.
    """
    variables = variables or provider.keys
    for variable in variables:
        if value := environ.get(variable, "").strip() or stored_key(variable):
            if not (value.isascii() and value.isprintable()):
                raise ModelDenied(
                    f"The key for {provider.title} in {variable} holds a character that no key has.",
                    f"Copy the key again, whole and without an ellipsis, and set {variable} to it.",
                )
            return Secret(value)
    if provider.id == "openai" and base_url is not None:
        return Secret("none")  # servers of one's own take any word
    raise ModelDenied(
        f"There is no key for {provider.title}: {' or '.join(variables)} is not set, and the keyring has none.",
        f"Set {variables[0]} in the environment, or plan without a key with --model guided.",
    )


def _installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # a parent of it is missing
        return False


def _suggestion(provider: str) -> str:
    from rapidfuzz import fuzz, process  # here: most names are known

    near = process.extractOne(provider, known_providers, scorer=fuzz.WRatio, score_cutoff=60)
    choices = ", ".join((GUIDED, f"{SCRIPTED}:FILE", f"{LOCAL}:NAME", *(f"{known}:NAME" for known in PROVIDERS)))
    return f"Did you mean {near[0]}? Known are {choices}." if near else f"Use one of {choices}."
