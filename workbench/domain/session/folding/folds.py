"""A table of folds: for each kind of event, the function that returns what is known after such an event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from workbench.domain.log.envelope import Event
from workbench.domain.session import events as say

S = TypeVar("S")
B = TypeVar("B", bound=say.Body)
Fold = Callable[[S, Event, B], S]
"""(state, event, its body) -> the state after it. The place in the log (seq, time, turn) is set by the caller."""


class Folds(Generic[S]):
    """The folds of one theme. A kind that is in none of them changes nothing but the place in the log."""

    def __init__(self) -> None:
        self.by_kind: dict[str, Fold[S, Any]] = {}

    def of(self, body: type[B]) -> Callable[[Fold[S, B]], Fold[S, B]]:
        """Decorate the fold of a kind. mypy checks that it takes the body of that kind."""

        def register(fold: Fold[S, B]) -> Fold[S, B]:
            self.by_kind[body.kind] = fold
            return fold

        return register
