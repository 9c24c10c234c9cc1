"""What a model was sent for a call, as a person reads it: every entry with its text, its source and its reason.

The ledger names them; their texts are where they were said, found or summarised, and are looked up there. An entry of
another session has the id that it has there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from workbench.context.entry import TOOL_RESULT, Entry, from_file, from_report, from_shared
from workbench.context.fit import LEFT_OUT, NOTE
from workbench.domain.errors import NotFound
from workbench.domain.log.envelope import Event
from workbench.domain.session import events as say
from workbench.domain.session.context import Considered, Message, Receipt, SentContext, Summary
from workbench.domain.session.copies import outline
from workbench.domain.session.items import Item, as_sent, items
from workbench.domain.session.session import SessionState, apply, said_after
from workbench.domain.shared.input import SHARED


class CallHeading(msgspec.Struct, frozen=True, kw_only=True):
    """A call, in a list."""

    call: str
    """c1, c2, …"""
    role: str = ""
    task: str = ""
    attempt: int = 1
    model: str = ""
    seq: int
    time: str
    """UTC, ISO 8601."""
    tokens: int = 0
    """About how many the prompt takes."""


class CallContext(msgspec.Struct, frozen=True, kw_only=True):
    """What was sent for a call, and what was not."""

    session: str
    heading: CallHeading
    is_recorded: bool
    """False if an older workbench made the call: then there is the prompt, and no ledger."""
    current_conversation: tuple[Entry, ...]
    relevant_history: tuple[Entry, ...]
    dropped: tuple[Entry, ...]
    goes_back_further: bool
    """Whether older messages were not even considered, as the window does not reach them."""
    tokens: dict[str, int]
    """By section; they sum up to the heading's."""
    window: int
    limit: int
    receipts: tuple[Receipt, ...]
    """Of this prompt, and of the summaries in it."""
    unavailable: str
    """Why something could not be searched, or looked at; "" if everything was."""
    prompt: tuple[Message, ...]
    """Word for word."""

    @property
    def chat_history(self) -> tuple[Entry, ...]:
        """Both sections, each thing once: the session's copy of what both say."""
        said = {one.text for one in self.current_conversation}
        return (*self.current_conversation, *(one for one in self.relevant_history if one.text not in said))

    @property
    def by_source(self) -> dict[str, int]:
        """Tokens by where they come from: sources of items, and everything else that is sent."""
        shown = (*self.current_conversation, *self.relevant_history)
        sums: dict[str, int] = {}
        for one in shown:
            sums[one.source] = sums.get(one.source, 0) + one.tokens
        return sums | {"everything else": self.heading.tokens - sum(sums.values())}


def calls_of(events: Iterable[Event]) -> tuple[CallHeading, ...]:
    """Return the calls of a session, in order."""
    return tuple(_heading(event, say.content(outline(event))) for event in events if event.kind == say.CallStarted.kind)


def context_of(events: Iterable[Event], call: str = "") -> CallContext:
    """Return what was sent for a call, by default for the last one. Raises NotFound, and LogDamaged as the fold does.

    It reads the whole session: call it off the event loop.
    """
    read = tuple(events)
    known = calls_of(read)
    if not known:
        raise NotFound("No model was asked in this session yet.", "Go on with it: `workbench resume`.")
    named = call or known[-1].call
    found = next((one for one in known if named in (one.call, one.call.removeprefix("c"))), None)
    if found is None:
        raise NotFound(f"There is no call {named!r} in this session.", f"It has {known[0].call} to {known[-1].call}.")
    return _Reading.until(read, found.seq).context(found)


def expand(events: Iterable[Event], item: Entry) -> tuple[Entry, ...]:
    """Return the originals that a summary stands for, in their order; those of another item: itself."""
    reading = _Reading.until(events, None)
    return tuple(reading.item(Considered(id=covered, tokens=0)) for covered in item.covers) or (item,)


def _heading(event: Event, body: object) -> CallHeading:
    if not isinstance(body, say.CallStarted):  # of a newer version
        return CallHeading(call=f"event {event.seq}", seq=event.seq, time=event.time)
    return CallHeading(
        call=body.call,
        role=body.role,
        task=body.task,
        attempt=body.attempt,
        model=body.model,
        seq=event.seq,
        time=event.time,
        tokens=body.estimated_tokens,
    )


_QUOTING = frozenset({say.OthersSearched.kind, say.LessonsGiven.kind, say.ConversationCondensed.kind})


class _Reading(Struct):
    """A session up to an event, and where the texts of its items are found."""

    state: SessionState | None = None
    last: say.Body | say.Unknown | None = None
    """What the last event that was read says."""
    quoted: dict[tuple[str, str], say.Quoted] = field(default_factory=dict)
    condensed: dict[tuple[str | None, str], say.ConversationCondensed] = field(default_factory=dict)
    """By agent and id: two agents' summaries of the same messages have the same id."""
    own: dict[str, Item] = field(default_factory=dict)

    @classmethod
    def until(cls, events: Iterable[Event], seq: int | None) -> _Reading:
        reading = cls()
        for event in events:
            is_looked_at = event.seq == seq or event.kind in _QUOTING
            reading.last = said_after(reading.state, event) if is_looked_at else None
            reading.state = apply(reading.state, event)
            if isinstance(reading.last, say.OthersSearched):
                reading.quoted |= {(one.session, one.id): one for one in reading.last.found}
            elif isinstance(reading.last, say.LessonsGiven):
                told = (replace(lesson, text=lesson.said) for lesson in reading.last.lessons)
                reading.quoted |= {(one.session, one.id): one for one in told}
            elif isinstance(reading.last, say.ConversationCondensed):
                reading.condensed[reading.last.agent, reading.last.summary.id] = reading.last
            if event.seq == seq:
                break
        if reading.state is not None:
            reading.own = {item.id: item for item in items(reading.state)}
        return reading

    def context(self, heading: CallHeading) -> CallContext:
        body, state = self.last, self.state
        if not isinstance(body, say.CallStarted) or state is None:
            raise NotFound(
                "This call was made by a newer workbench.", "Open the session with the version that wrote it."
            )
        sent = body.context or SentContext()
        conversation = tuple(self.item(one) for one in sent.conversation)
        known = (self.condensed.get((one.agent, one.id)) for one in conversation)
        summaries = [condensed.receipt for condensed in known if condensed is not None]
        return CallContext(
            session=state.session,
            heading=heading,
            is_recorded=body.context is not None,
            current_conversation=conversation,
            relevant_history=tuple(self.item(one) for one in sent.relevant),
            dropped=tuple(self.item(one) for one in sent.dropped),
            goes_back_further=sent.goes_back_further,
            tokens=sent.tokens,
            window=sent.window,
            limit=sent.limit,
            receipts=(*summaries, *sent.receipts),
            unavailable=" ".join(why for why in (sent.unavailable, *self._failed(heading)) if why),
            prompt=as_sent(body.messages, state),
        )

    def item(self, one: Considered) -> Entry:
        """Return an item with its text; without one if the session does not say it, in a doctored file."""
        text, seq, time = self._text_of(one)
        summary = self._summary(one)
        known = {name: getattr(one, name) for name in Considered.__struct_fields__}
        known["session"] = one.session or self._session
        if one.role == "tool":
            known["answers"] = one.id  # which call's result it is, nobody recorded
        if one.role == "summary":  # one that nobody wrote, in a doctored file, stands for itself
            known |= {"covers": (summary.covers if summary else ()) or (one.id,), "by": summary.by if summary else ""}
        return Entry(**known, seq=seq, time=time, text=text)

    def _text_of(self, one: Considered) -> tuple[str, int, str]:
        if one.source == "shared":
            seen = self.state.shared.values.get(one.id.removeprefix(SHARED)) if self.state is not None else None
            return (from_shared(seen, one.rank).text, 0, seen.time) if seen else ("", 0, "")
        if one.source in ("file", "research"):
            files = self.state.files if self.state is not None else ()
            read = next((from_file(file, self._session, 0) for file in files if one.id == f"file:{file.id}"), None)
            return (read.text, read.seq, read.time) if read else ("", 0, "")
        if one.source == "practice":
            practice = self.state.practice if self.state is not None else ()
            return next(((given.said, 0, "") for given in practice if one.id == f"practice:{given.id}"), ("", 0, ""))
        if one.session and one.session != self._session:
            quoted = self.quoted.get((one.session, one.id))
            return (quoted.text, 0, quoted.time) if quoted else ("", 0, "")
        summary = self._summary(one)
        if summary is not None:
            return summary.text, summary.seq, summary.time
        if one.source == "worker":
            return self._report(one.id)
        uses = self.state.uses if self.state is not None else ()
        use = next((use for use in uses if one.id in (f"{TOOL_RESULT}{use.use}", f"message:{use.message}")), None)
        if use is not None and one.role == "tool":
            return (use.result.text if use.result is not None else "", use.seq, use.time)
        history = self.state.history if use is not None and self.state is not None else ()
        call = next((said for said in history if f"message:{said.id}" == one.id), None)
        if call is not None:
            return call.text, call.seq, call.time
        own = self.own.get(one.id)
        if own is not None:
            return own.text, own.seq, own.time
        return (LEFT_OUT if one.id == NOTE else "", 0, "")

    def _report(self, item_id: str) -> tuple[str, int, str]:
        workers = self.state.workers if self.state is not None else ()
        entries = (from_report(worker, self._session) for worker in workers if item_id == f"worker:{worker.worker}")
        return next(((entry.text, entry.seq, entry.time) for entry in entries if entry is not None), ("", 0, ""))

    @property
    def _session(self) -> str:
        return self.state.session if self.state is not None else ""

    def _summary(self, one: Considered) -> Summary | None:
        condensed = self.condensed.get((one.agent, one.id))
        return condensed.summary if condensed else None

    def _failed(self, heading: CallHeading) -> Iterator[str]:
        """Yield why other sessions could not be searched for this call, and what they share not be looked at."""
        if self.state is None:
            return
        if self.state.searched_for == heading.call:
            yield next((searche.unavailable for searche in reversed(self.state.searches) if searche.for_call), "")
        if self.state.observed_for == heading.call and self.state.shared.unavailable:
            yield f"The shared context is quoted as it was seen before: {self.state.shared.unavailable}"


def considered(context: CallContext) -> Iterator[Entry]:
    """Yield everything that was considered: what was sent, then what was not."""
    yield from context.current_conversation
    yield from context.relevant_history
    yield from context.dropped
