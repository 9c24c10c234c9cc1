"""What a session remembers, finds in others, sees of what they share, and leaves out."""

from __future__ import annotations

from msgspec.structs import replace

from workbench.domain.log.envelope import Event
from workbench.domain.log.ids import SessionId, entity_prefix
from workbench.domain.session import events as say
from workbench.domain.session.folding.folds import Folds
from workbench.domain.session.state import Entity, ReadFile, SessionState, SharedSeen
from workbench.domain.shared.merge import ABSENT

folds: Folds[SessionState] = Folds()


@folds.of(say.EntityStored)
def _entity_stored(state: SessionState, event: Event, body: say.EntityStored) -> SessionState:
    entity = Entity(
        id=event.id, seq=event.seq, name=body.name, content=body.content, time=event.time, origin=event.origin
    )
    is_proposal = body.name == f"{entity_prefix(SessionId(state.written_as))}_proposal"
    return replace(
        state, entities=state.entities.appended(entity), proposal_stored=state.proposal_stored or is_proposal
    )


@folds.of(say.FileRead)
def _file_read(state: SessionState, event: Event, body: say.FileRead) -> SessionState:
    read = ReadFile(id=event.id, seq=event.seq, time=event.time, read=body)
    return replace(state, files=state.files.appended(read))


@folds.of(say.OthersSearched)
def _others_searched(state: SessionState, event: Event, body: say.OthersSearched) -> SessionState:
    state = replace(state, searches=state.searches.appended(body))
    if not body.for_call:
        return state
    return replace(state, retrieved=body.found, searched_for=body.for_call, searched_as=event.agent or "")


@folds.of(say.SharedObserved)
def _shared_observed(state: SessionState, _event: Event, body: say.SharedObserved) -> SessionState:
    if body.unavailable:
        return replace(state, observed_for=body.for_call, shared=replace(state.shared, unavailable=body.unavailable))
    values = {} if body.anew else dict(state.shared.values)
    for change in body.changes:
        values.pop(change.key, None)
        if change.value is not ABSENT or change.cut:
            own = change.session == state.written_as
            values[change.key] = replace(change, session=state.session) if own else change
    seen = SharedSeen(epoch=body.epoch, seq=body.seq, values=values)
    return replace(state, observed_for=body.for_call, shared=seen)


folds.of(say.ResearchSwitched)(lambda state, _event, body: replace(state, research=body))
folds.of(say.GapsResearched)(lambda state, _event, body: replace(state, researched=state.researched.appended(body)))
folds.of(say.LessonsGiven)(lambda state, _event, body: replace(state, lessons=body.lessons))
folds.of(say.PracticeGiven)(lambda state, _event, body: replace(state, practice=body.practice))


@folds.of(say.ItemMarked)
def _item_marked(state: SessionState, _event: Event, body: say.ItemMarked) -> SessionState:
    whose = state.session if body.session == state.written_as else body.session
    name = f"{whose} {body.item}"
    others = tuple(mark for mark in state.marks if mark[0] != name)
    if not body.mark:
        return replace(state, marks=others)
    found = (one for search in reversed(state.searches) for one in search.found)
    quoted = next((one for one in found if (one.session, one.id) == (body.session, body.item)), None)
    return replace(state, marks=(*others, (name, body.mark, quoted if body.mark == "pinned" else None)))


folds.of(say.RecallSwitched)(
    lambda state, _event, body: replace(state, recall=body.on, retrieved=state.retrieved if body.on else ())
)
