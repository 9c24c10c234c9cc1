"""What stands in for models and embedders while a session is re-executed: what its record names, and nothing that acts.

A search is done again where its embedder is here and offline; else it finds what the record says, and everything else
is checked. A model's window is needed if no call was made, too: to tell whether a conversation had to be condensed.
It is then that of the call nearest to it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence

from msgspec import Struct, field

from workbench.domain.errors import LogDamaged, ModelError
from workbench.domain.log.envelope import Event
from workbench.domain.log.growing import Growing
from workbench.domain.log.ids import AgentId, SessionId
from workbench.domain.loop.steps import Call
from workbench.domain.session import events as say
from workbench.domain.session.context import Considered, SentContext
from workbench.domain.session.copies import Recent
from workbench.domain.session.items import Item
from workbench.domain.session.state import WORK, HistoryItem, SessionState
from workbench.memory.found import Found, Parts
from workbench.memory.memory_view import MemoryView, Part, SessionMemory
from workbench.memory.scope import Scope
from workbench.models.embeddings import Embedder, HashedWords
from workbench.models.ports import Part as ReplyPart
from workbench.models.ports import Request

EmbeddersFor = Callable[[str], Sequence[Embedder]]
"""Returns the embedders here that may have been the one with this name; of "", all that there are."""
_READ = {say.CallStarted.kind, say.CallFinished.kind, say.SessionForked.kind, say.GateOpened.kind}
_USUAL_WINDOW = 128_000
"""Tokens: for a session in which no call says how large its model's window is."""


class RecordedModel(Struct, frozen=True):
    """A model as a session's record names it."""

    name: str
    window: int
    is_priced: bool = True
    """False if the record asks for a bound in tokens here, as nobody knows a price."""

    def stream(self, request: Request) -> AsyncIterator[ReplyPart]:
        """Refuse: its replies are in the record."""
        raise ModelError(f"{self.name} is not asked while a session is re-executed.", request.role)


class Calls(Struct):
    """Who answered the calls of a session, and what else has to be known of it beforehand."""

    started: dict[int, say.CallStarted] = field(default_factory=dict)
    """By place in the log."""
    replied: dict[str, str] = field(default_factory=dict)
    """By call: the model, as its provider reported it."""
    unpriced: set[int] = field(default_factory=set)
    """Places in the log of gates that ask for a bound in tokens, because a price is not known."""
    turns: dict[int, int] = field(default_factory=dict)
    forgotten: set[str] = field(default_factory=set)
    """Ids of events of which a fork says that their copies are redacted."""
    _of_role: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def from_events(cls, events: Iterable[Event]) -> Calls:
        """Read a session's calls; what cannot be read is for others to find."""
        calls = cls()
        recent = Recent()
        for event in events:
            if event.kind not in _READ:
                continue
            try:
                body = say.content(recent.whole(event))
                recent = recent.after(event)
            except LogDamaged:
                continue
            if isinstance(body, say.CallStarted):
                calls.started[event.seq] = body
                calls.turns[event.seq] = event.turn
                calls._of_role[body.role].append(event.seq)
            elif isinstance(body, say.GateOpened) and body.gate.reason == "cost" and body.gate.needs:
                calls.unpriced.add(event.seq)
            elif isinstance(body, say.CallFinished):
                calls.replied[body.call] = body.model
            elif isinstance(body, say.SessionForked):
                calls.forgotten.update(body.forgotten)
        return calls

    def model_for(self, seq: int, state: SessionState, step: Call) -> RecordedModel:
        """Return who answers a call, where the next derived event is the one at ``seq``."""
        agent = state.agent(step.role)
        own = agent.model if agent is not None else state.options.roles.get(step.role, "")
        name = own or state.options.model
        at = self.started.get(seq)
        if at is not None and at.role == step.role:
            known = at.model if self._is_named_elsewhere(seq, at, name, is_own=bool(own)) else name
            return RecordedModel(known, _window(at) or self._nearest_window(seq, step.role, known))
        near = self._nearest(seq, self._of_role.get(step.role, ()))
        known = name if near is None else self.started[near].model
        return RecordedModel(known, self._nearest_window(seq, step.role, known), seq not in self.unpriced)

    def _is_named_elsewhere(self, seq: int, call: say.CallStarted, name: str, *, is_own: bool) -> bool:
        """Tell whether anything but the call itself says that this model answers it: who is nobody's was put there."""
        if call.model in (name, self.replied.get(call.call)):
            return True
        others = (one for at, one in self.started.items() if at != seq and self.turns[at] == self.turns[seq])
        return not is_own and any(other.model == call.model for other in others)

    def _nearest_window(self, seq: int, role: str, model: str) -> int:
        sized = [at for at, call in self.started.items() if call.task != WORK and _window(call)]
        alike = [at for at in sized if (self.started[at].role, self.started[at].model) == (role, model)]
        near = self._nearest(seq, alike or [at for at in sized if self.started[at].model == model])
        return _USUAL_WINDOW if near is None else _window(self.started[near])

    def _nearest(self, seq: int, places: Sequence[int]) -> int | None:
        """Return the first of some places after ``seq``, else the last one before it."""
        behind = next((at for at in places if at >= seq), None)
        return behind if behind is not None else next(reversed(places), None)


def _window(call: say.CallStarted) -> int:
    return 0 if call.context is None else call.context.window


_NO_HISTORY: Growing[HistoryItem] = Growing()


class RecordedSearch(Scope):
    """Finds what a call's record says was found, where its embedder is not here."""

    def __init__(self, found: Sequence[Considered], embedder: str) -> None:
        super().__init__(HashedWords())
        self._found = found
        self._name = embedder

    @property
    def embedder(self) -> str:
        """The name that the record gives."""
        return self._name

    def search(
        self,
        query: str,
        limit: int,
        items: Mapping[str, Item],
        *,
        without: Collection[str] = (),
        history: Growing[HistoryItem] = _NO_HISTORY,
        said: Callable[[Iterable[HistoryItem]], Iterable[Item]] = lambda _history: (),
    ) -> tuple[Found, ...]:
        """Return what was found, as far as it is among the items."""
        del query
        wanted = {one.id for one in self._found} - set(without)
        seen = {item.id: item for item in said(history) if item.id in wanted} | dict(items)
        there = (one for one in self._found if one.id in seen and one.id in wanted)
        return tuple(_as_found(seen[one.id], one) for one in there)[:limit]


def _as_found(item: Item, one: Considered) -> Found:
    names = ("lexical", "semantic", "neighbours", "speaker", "conversation")
    parts = Parts(*(one.parts.get(name, 0.0) for name in names))
    relevance = 0.0 if one.why_not == "threshold" else 3.0  # any that is above it
    return Found(item, one.rank, parts, relevance=relevance, relevant=True, why=one.reason)


class Memories(Struct):
    """The memory of the session that is re-executed, searched as each event says that it was."""

    embedders: EmbeddersFor
    _kept: dict[tuple[str, str | None], list[SessionMemory]] = field(default_factory=dict)

    def for_session(self, session: str, embedder: str | None) -> list[SessionMemory]:
        """Return a memory for each embedder that may have been this one; none if it is not here.

        None stands for that of an event that did not search: one that can, in case it should have.
        """
        if (session, embedder) not in self._kept:
            embedders = [HashedWords()] if embedder is None else self.embedders(embedder)
            self._kept[session, embedder] = [SessionMemory(SessionId(session), one) for one in embedders]
        return self._kept[session, embedder]

    def as_recorded(self, state: SessionState, context: SentContext | None) -> MemoryView:
        """Return a memory that finds what a call's record says, and nothing else."""
        found = () if context is None else (*context.relevant, *context.dropped)
        ours = sorted((one for one in found if one.source == "semantic" and not one.session), key=lambda one: one.rank)
        search = RecordedSearch(ours, "" if context is None else context.embedder)

        def scope_of(state: SessionState, agent: AgentId | None, part: Part) -> Scope:
            del state, agent, part
            return search

        return MemoryView(state, scope_of)
