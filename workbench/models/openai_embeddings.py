"""Vectors from a server that speaks OpenAI's protocol for embeddings: OpenAI's own, or one of a person's choice.

Texts leave this machine. So it is used only where a person's settings name it, and what was embedded is kept
(memory/vectors.py). Imports of the client take a second: they happen with the first text, in the caller's thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from workbench.domain.errors import (
    ModelDenied,
    ModelError,
    ModelReplyInvalid,
    ModelTooSlow,
    ModelUnknown,
    ModelUnreachable,
)
from workbench.domain.text.cleaning import clean_name
from workbench.models.embeddings import encodable, unit_rows
from workbench.models.secret import Secret

if TYPE_CHECKING:
    import openai

    from workbench.models.embeddings import Vectors

OPENAI = "https://api.openai.com/v1"
"""Named, because the client would else take whatever address a variable of the environment says."""
_BATCH = 128
"""Texts in a request."""
_SECONDS = 20.0
"""How long one attempt may take."""
_OTHERWISE = "or search offline with the setting embedder = wordllama."


class OpenAIEmbeddings:
    """A model for embeddings behind a server."""

    additive = False

    def __init__(self, model: str, *, key: Secret, base_url: str | None = None) -> None:
        self._model = model
        self._key = key
        self._base_url = base_url or OPENAI
        self.name = f"{model} at {self._base_url}"
        """The model and where it runs."""
        self._dimensions: int | None = None

    def __repr__(self) -> str:
        return f"OpenAIEmbeddings({self.name!r})"

    @property
    def dimensions(self) -> int:
        """How long a vector is; asks the server where nothing was embedded yet. Raises ModelError."""
        if self._dimensions is None:
            self.embed(["dimensions"])
        return self._dimensions or 0

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row for each text, 0 for a blank one. Raises the kinds of ModelError below, none with a key."""
        import numpy as np

        # of a long text, its beginning says what it is about
        asked = [(number, encodable(text[:2_000])) for number, text in enumerate(texts) if text.strip()]
        answers = self._answers([text for _, text in asked])
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        if answers:
            rows[[number for number, _ in asked]] = np.concatenate(answers)
        return unit_rows(rows)

    def _answers(self, texts: Sequence[str]) -> list[Vectors]:
        if not texts:
            return []
        try:
            import openai

            key = self._key.reveal()
            with openai.OpenAI(api_key=key, base_url=self._base_url, timeout=_SECONDS, max_retries=2) as client:
                return [self._answer(client, texts[at : at + _BATCH]) for at in range(0, len(texts), _BATCH)]
        except Exception as error:  # noqa: BLE001 - what a server sends makes parsers raise anything
            problem = self._failure(error)
        raise problem  # apart from theirs: no traceback shows a request, its headers or its key

    def _answer(self, client: openai.OpenAI, texts: Sequence[str]) -> Vectors:
        import numpy as np

        answer = client.embeddings.create(model=self._model, input=list(texts), encoding_format="float")
        in_order = sorted(answer.data, key=lambda one: one.index)
        rows = np.array([one.embedding for one in in_order], np.float32)
        expected = (len(texts), self._dimensions or rows.shape[-1])
        if rows.shape != expected or not rows.size or not np.isfinite(rows).all():
            raise ValueError("not one vector for each text, all of a length")
        self._dimensions = rows.shape[-1]
        return rows

    def _failure(self, error: Exception) -> ModelError:
        import openai

        what = f"embeddings by {clean_name(self.name)}"
        match error:
            case openai.AuthenticationError() | openai.PermissionDeniedError():
                return ModelDenied(f"The key is not accepted for {what}.", f"Check OPENAI_API_KEY, {_OTHERWISE}")
            case openai.NotFoundError():
                return ModelUnknown(f"There are no {what}.", f"Check embedder and embedder_url, {_OTHERWISE}")
            case openai.APITimeoutError():
                return ModelTooSlow(f"No answer came in time for {what}.", f"Try again later, {_OTHERWISE}")
            case openai.APIConnectionError():
                return ModelUnreachable(f"No connection to {what}.", f"Check network and embedder_url, {_OTHERWISE}")
            case openai.APIStatusError(status_code=status, message=message):
                said = clean_name(self._key.scrub(message), 200)
                return ModelUnreachable(f"No {what} ({status}): “{said}”.", f"Try again later, {_OTHERWISE}")
        return ModelReplyInvalid(
            f"The answer to a request for {what} holds no usable vectors.", f"Check embedder_url, {_OTHERWISE}"
        )
