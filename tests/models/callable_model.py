"""A model for tests, which answers with what a function makes of the request; and any model's stream as one answer."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

from workbench.models.answers import Answer, ended, gathered, played
from workbench.models.ports import Part, Request
from workbench.models.scripted import WINDOW, computed


class CallableModel:
    """Answers with what a function makes of the request: a model for tests and demonstrations.

    The text may be long or not even an answer; whatever the function raises, a ModelError say, is what the caller sees.
    """

    def __init__(
        self, answer: Callable[[Request], str | Answer], *, name: str = "callable", window: int = WINDOW
    ) -> None:
        self._answer = answer
        self._name = name
        self._window = window

    @property
    def name(self) -> str:
        """The name it was given."""
        return self._name

    @property
    def window(self) -> int:
        """The window it was given, in tokens."""
        return self._window

    async def stream(self, request: Request) -> AsyncIterator[Part]:
        """Play the function's answer."""
        answer = self._answer(request)
        if isinstance(answer, str):
            answer = computed(request, answer, model=self._name)
        async for part in played(answer):
            yield part


async def collect(stream: AsyncIterator[Part]) -> Answer:
    """Return a stream as one answer. Raises what the stream raises, and ModelReplyInvalid when Done is missing."""
    async with ended(stream):
        return gathered([part async for part in stream])
