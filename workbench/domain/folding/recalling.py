"""What a session remembers, finds in others, sees of what they share, and leaves out."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from workbench.domain import events as say
from workbench.domain.envelope import Event
from workbench.domain.folding.folds import Folds
from workbench.domain.ids import SessionId, entity_prefix
from workbench.domain.merge import ABSENT
from workbench.domain.session_state import Entity, SessionState, SharedSeen


def _entity_stored(state: SessionState, event: Event, body: say.EntityStored) -> dict[str, Any]:
    entity = Entity(
        id=event.id, seq=event.seq, name=body.name, content=body.content, time=event.time, origin=event.origin
    )
    stored = state.proposal_stored or body.name == f"{entity_prefix(SessionId(state.written_as))}_proposal"
    return {"entities": state.entities.appended(entity), "proposal_stored": stored}


def _others_searched(state: SessionState, event: Event, body: say.OthersSearched) -> dict[str, Any]:
    searches = state.searches.appended(body)
    if not body.for_call:
        return {"searches": searches}
    searched = {"searched_for": body.for_call, "searched_as": event.agent or ""}
    return {"searches": searches, "retrieved": body.found, **searched}


def _shared_observed(state: SessionState, _event: Event, body: say.SharedObserved) -> dict[str, Any]:
    looked = {"observed_for": body.for_call}
    if body.unavailable:
        return looked | {"shared": replace(state.shared, unavailable=body.unavailable)}
    values = {} if body.anew else dict(state.shared.values)
    for change in body.changes:
        values.pop(change.key, None)
        if change.value is not ABSENT or change.cut:
            own = change.session == state.written_as
            values[change.key] = replace(change, session=state.session) if own else change
    return looked | {"shared": SharedSeen(epoch=body.epoch, seq=body.seq, values=values)}


def _recall_switched(_state: SessionState, _event: Event, body: say.RecallSwitched) -> dict[str, Any]:
    return {"recall": body.on} if body.on else {"recall": False, "retrieved": ()}


def _item_marked(state: SessionState, _event: Event, body: say.ItemMarked) -> dict[str, Any]:
    whose = state.session if body.session == state.written_as else body.session
    name = f"{whose} {body.item}"
    others = tuple(mark for mark in state.marks if mark[0] != name)
    if not body.mark:
        return {"marks": others}
    found = (one for search in reversed(state.searches) for one in search.found)
    quoted = next((one for one in found if (one.session, one.id) == (body.session, body.item)), None)
    return {"marks": (*others, (name, body.mark, quoted if body.mark == "pinned" else None))}


FOLDS: Folds = {
    say.EntityStored: _entity_stored,
    say.OthersSearched: _others_searched,
    say.SharedObserved: _shared_observed,
    say.RecallSwitched: _recall_switched,
    say.ItemMarked: _item_marked,
}
