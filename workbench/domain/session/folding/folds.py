"""What all folds are made with: a table of them by the kind of event, and messages as events bring them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from workbench.domain.errors import InvalidId
from workbench.domain.log.envelope import Event
from workbench.domain.log.ids import SessionId
from workbench.domain.session import events as say
from workbench.domain.session.state import CHAT, HistoryItem, PendingCall

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


def writer(event: Event) -> str:
    """Return the session that an event was written in: a fork keeps the ids of what it took over."""
    wrote = event.id.rpartition(":")[0]
    try:
        return str(SessionId(wrote))
    except InvalidId:  # numbered by whoever wrote it
        return event.session


def message(event: Event, text: str, number: int = 1) -> HistoryItem:
    """Return what a person said; ``number`` tells several messages of one event apart."""
    item_id = event.id if number == 1 else f"{event.id}#{number}"
    return HistoryItem(id=item_id, seq=event.seq, role="user", agent=None, text=text, time=event.time)


def reply(event: Event, text: str, call: PendingCall, kind: str = "") -> HistoryItem:
    """Return what a role or an agent replied to a call; ``kind`` if that is not an answer to its task."""
    task = kind or ("" if call.task == CHAT else call.task)
    return HistoryItem(
        id=event.id, seq=event.seq, role="assistant", agent=call.role, text=text, time=event.time, task=task
    )
