"""Messages of a session's one history, as the events that brought them say them."""

from __future__ import annotations

from workbench.domain.errors import InvalidId
from workbench.domain.log.envelope import Event
from workbench.domain.log.ids import SessionId
from workbench.domain.session.state import CHAT, HistoryItem, PendingCall


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


def reply(event: Event, text: str, call: PendingCall) -> HistoryItem:
    """Return what a role or an agent replied to a call."""
    task = "" if call.task == CHAT else call.task
    return HistoryItem(
        id=event.id, seq=event.seq, role="assistant", agent=call.role, text=text, time=event.time, task=task
    )
