"""What a call's prompt holds of conversation and memory: gathered in the caller's own view, fitted, and written down.

state, call ─▶ SessionView ─┐
found in other sessions ────┼─▶ gather ─▶ Bundle ─┬─▶ messages of the prompt
found in this one, of what ─┘    ▲                └─▶ SentContext: what was sent, item by item, for the record
the window does not reach        └ as often as the rendered prompt is still too long
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from workbench.context.budget import Budget
from workbench.context.entry import Entry, foreign, found, from_item, from_shared, size
from workbench.context.gather import Bundle, Line, gather
from workbench.context.view import SessionView
from workbench.domain.errors import ContextTooSmall
from workbench.domain.log.ids import AgentId
from workbench.domain.loop.steps import Call, may_quote_others, query_of
from workbench.domain.loop.tasks import ChatTask
from workbench.domain.session import events as say
from workbench.domain.session.context import Considered, Section, SentContext
from workbench.domain.session.session import SessionState
from workbench.domain.shared.input import OWN
from workbench.domain.text.cleaning import clean_name
from workbench.models.ports import Message
from workbench.models.tokens import estimate_prompt
from workbench.planning.roles import Quotation, as_report, as_summary, messages_for

if TYPE_CHECKING:  # what searches is imported when there is something to search
    from workbench.memory.memory_view import MemoryView
    from workbench.memory.scope import Recalled

RemembersHere = Callable[[SessionState], "MemoryView"]
"""Gives the memory of the session whose state it is."""

MOST_RECALLED = 10
"""Results of the search of this session's own older items."""
_MOST_RESERVED = 8_000
_RESERVED = 0.15
"""Tokens kept free for the answer, and the share of the window that they take at most: condensing begins at 80 %."""
_TIGHTENINGS = 5
"""How often a prompt is fitted again that turned out longer than its parts were counted."""


class Prompt(NamedTuple):
    """What a model is sent, and how it is recorded."""

    messages: tuple[Message, ...]
    recorded: tuple[say.PromptMessage, ...]
    """The same, with messages of the session by their ids."""
    context: SentContext
    tokens: int
    """About how many the messages take: what the context's sections sum up to."""


def view_of(state: SessionState, call: Call) -> SessionView:
    """Return the conversation as the caller sees it, up to the message that it answers."""
    message = next((said for said in reversed(state.history) if said.id == call.message), None)
    return SessionView(state, call.role, None if message is None else message.seq)


def budget_of(state: SessionState, call: Call, model: str, window: int) -> Budget:
    """Return how much conversation and memory a call's prompt may hold beside its task."""
    counted = next((one for one in state.counted if (one.role, one.model) == (call.role, model)), None)
    return Budget(
        window=window,
        reserve=reserve_of(window),
        overhead=estimate_prompt(messages_for(_without_message(call))),
        reported=counted.reported if counted else 0,
        estimated=counted.estimated if counted else 0,
    )


def reserve_of(window: int) -> int:
    """Return the tokens of a window that are kept free for the answer."""
    return min(_MOST_RESERVED, int(window * _RESERVED))


def prompt_of(state: SessionState, call: Call, budget: Budget, remembers: RemembersHere | None) -> Prompt:
    """Return the prompt of a call. Raises ContextTooSmall where not even what has to stay word for word fits.

    It searches where the window does not reach everything: for a worker thread.
    """
    view = view_of(state, call)
    others = (*_of_others(state, call), *_shared(state, call))
    bundle = gather(view, others, budget, state.options.context)
    older = _found_here(state, call, bundle, remembers)
    found = (*others, *older.entries)
    bundle, messages = fitted(view, found, budget, lambda bundle: _rendered(call, bundle, state.written_as))
    tokens = estimate_prompt(messages)
    said = _said(call, bundle)
    context = record_of(bundle, budget, tokens)
    context = replace(context, unavailable=older.unavailable, embedder=older.embedder)
    return Prompt(messages, as_recorded(messages, {place: entry.id for place, entry in said.items()}), context, tokens)


def fitted(
    view: SessionView, found: Sequence[Entry], budget: Budget, rendered: Callable[[Bundle], tuple[Message, ...]]
) -> tuple[Bundle, tuple[Message, ...]]:
    """Return what is shown, and the messages that show it, within the budget as they are rendered.

    Raises ContextTooSmall.
    """
    uncounted = 0
    for _ in range(_TIGHTENINGS):
        tightened = replace(budget, overhead=budget.overhead + uncounted)
        bundle = gather(view, found, tightened, view.state.options.context)
        messages = rendered(bundle)
        tokens = estimate_prompt(messages)
        counted = budget.counted(tokens - budget.overhead)
        if counted <= budget.limit:
            return bundle, messages
        uncounted = counted - (bundle.tokens - uncounted)
    raise ContextTooSmall(
        f"The prompt takes about {tokens:,} tokens; {budget.limit:,} are free.",
        "Use a model with a larger window, or unpin something.",
    )


# --- what was found ---------------------------------------------------------------------------------------------------


def _of_others(state: SessionState, call: Call) -> Iterator[Entry]:
    """Yield what other sessions brought for this call: what is pinned first, then what the search found."""
    if not may_quote_others(call):
        return
    pinned = {name: one for name, mark, one in state.marks if mark == "pinned" and one is not None}
    quoted = {f"{one.session} {one.id}": (rank, one) for rank, one in enumerate(state.retrieved, start=1)}
    for name, one in pinned.items():
        yield replace(_quoted(quoted.pop(name, (0, one))[0], one), pinned=True, reason="you pinned it")
    for rank, one in quoted.values():
        yield _quoted(rank, one)


def _quoted(rank: int, one: say.Quoted) -> Entry:
    entry = Entry(
        id=foreign(one.session, one.id),
        session=one.session,
        agent=one.agent,
        role=one.role,
        seq=0,
        time=one.time,
        text=one.text,
        tokens=size(one.text, "semantic"),
    )
    return found(
        entry,
        rank=rank,
        relevance=one.relevance,
        source="semantic",
        reason=one.why,
        score=one.score,
        score_parts=tuple(one.parts.items()),
    )


def _shared(state: SessionState, call: Call) -> Iterator[Entry]:
    """Yield what sessions share, as this one saw it last, the last changed first; not what each says it is at."""
    if not (state.sharing and may_quote_others(call)):
        return
    said = (one for one in reversed(state.shared.values.values()) if not one.key.startswith(OWN))
    for rank, one in enumerate(said, start=1):
        yield from_shared(one, rank)


class _FoundHere(NamedTuple):
    """What a search of this session's own older items came to."""

    entries: tuple[Entry, ...] = ()
    embedder: str = ""
    unavailable: str = ""


def _found_here(state: SessionState, call: Call, bundle: Bundle, remembers: RemembersHere | None) -> _FoundHere:
    """Return what of this session is near the task and not shown, and why that could not be searched.

    Nothing is searched where everything is shown word for word.
    """
    ledger = bundle.ledger
    is_whole = not (ledger.goes_back_further or ledger.dropped("budget") or bundle.is_condensed)
    if remembers is None or (is_whole and not state.given_entities):
        return _FoundHere()
    shown = {entry.id for entry in bundle.current_conversation}
    query = call.task.message if isinstance(call.task, ChatTask) else query_of(state)
    try:
        return _search(remembers(state), call.role, query, shown)
    except Exception as error:  # noqa: BLE001 - whatever a search does, the call is made, and says what failed
        why = f"This session's older messages could not be searched ({type(error).__name__})."
        return _FoundHere(unavailable=why)


def _search(memory: MemoryView, agent: str, query: str, shown: set[str]) -> _FoundHere:
    """Search for messages and entities that the prompt does not hold; what the loop made is among its inputs."""
    view = memory.for_agent(AgentId(agent))
    unwanted = {item.id for item in view.items if not item.id.startswith(("message:", "entity:"))} | shown
    if all(item.id in unwanted for item in view.items):
        return _FoundHere()
    results = view.search(query, MOST_RECALLED, without=unwanted)
    return _FoundHere(tuple(_recalled(one) for one in results if one.found.is_near), clean_name(view.embedder))


def _recalled(one: Recalled) -> Entry:
    return found(
        from_item(one.item),
        rank=one.found.rank,
        relevance=one.found.relevance,
        source="semantic",
        reason=one.found.why,
        score=round(one.found.score, 4),
        score_parts=tuple((name, round(value, 4)) for name, value in dataclasses.asdict(one.found.parts).items()),
    )


# --- the prompt and its record ----------------------------------------------------------------------------------------


def _rendered(call: Call, bundle: Bundle, written_as: str) -> tuple[Message, ...]:
    said = [_message(entry) for entry in _conversation(call, bundle)]
    return messages_for(call, said, _quotations(bundle, written_as))


def _conversation(call: Call, bundle: Bundle) -> list[Entry]:
    """Return what stands between the first and the last message: not what is answered, which is the last one."""
    return [entry for entry in bundle.current_conversation if entry.id != f"message:{call.message}"]


def _message(entry: Entry) -> Message:
    if entry.role == "summary":
        return as_summary(entry.text, entry.by)
    if entry.source == "worker":
        return as_report(entry.text, entry.id.removeprefix("worker:"))
    return Message(role="assistant" if entry.role == "assistant" else "user", content=entry.text)


def _said(call: Call, bundle: Bundle) -> dict[int, Entry]:
    """Return the places in the prompt of messages that stand in the session's log word for word."""
    return {
        place: entry
        for place, entry in enumerate(_conversation(call, bundle), start=1)
        if entry.role in ("user", "assistant")
    }


def as_recorded(messages: Sequence[Message], items: Mapping[int, str] | None = None) -> tuple[say.PromptMessage, ...]:
    """Return a prompt as it is recorded; ``items`` are ids of the session's messages, by their places in it."""
    known = items or {}
    return tuple(
        say.PromptMessage(role=message.role, item=known[place])
        if place in known
        else say.PromptMessage(role=message.role, content=message.content)
        for place, message in enumerate(messages)
    )


def _quotations(bundle: Bundle, written_as: str) -> dict[str, list[Quotation]]:
    """Return what is quoted, by where it is from; what is the session's own is named as it was when it was written."""
    quoted: dict[str, list[Quotation]] = {"from_this_session": [], "from_other_sessions": [], "shared_context": []}
    for entry in bundle.relevant_history:
        name = "from_this_session" if entry.session == bundle.session else "from_other_sessions"
        name = "shared_context" if entry.source == "shared" else name
        who = entry.agent or entry.role
        session = written_as if entry.session == bundle.session else entry.session
        quoted[name].append(Quotation(session=session, time=entry.time, who=who, text=entry.text))
    return {name: quotations for name, quotations in quoted.items() if quotations}


def record_of(bundle: Bundle, budget: Budget, tokens: int) -> SentContext:
    """Return a bundle as it is recorded with its call."""
    conversation = tuple(_considered(bundle.session, entry) for entry in bundle.current_conversation)
    relevant = tuple(
        _considered(bundle.session, entry, section="relevant_history") for entry in bundle.relevant_history
    )
    by_section = {
        "current_conversation": sum(one.tokens for one in conversation),
        "relevant_history": sum(one.tokens for one in relevant),
    }
    return SentContext(
        conversation=conversation,
        relevant=relevant,
        dropped=tuple(_dropped(bundle.session, line) for line in _left_out(bundle)),
        goes_back_further=bundle.ledger.goes_back_further,
        tokens=by_section | {"everything else": tokens - sum(by_section.values())},
        window=budget.window,
        limit=budget.limit,
        receipts=bundle.receipts,
    )


def _left_out(bundle: Bundle) -> Iterable[Line]:
    """Return what is not shown, each thing once: an older message that was also found stands as it was found."""
    shown = {entry.id for entry in (*bundle.current_conversation, *bundle.relevant_history)}
    return {line.id: line for line in bundle.ledger.dropped() if line.id not in shown}.values()


def _dropped(session: str, line: Line) -> Considered:
    return replace(_considered(session, line.entry), section=line.section, why_not=line.why_not, like=line.like)


def _considered(session: str, entry: Entry, section: Section = "current_conversation") -> Considered:
    return Considered(
        id=entry.id if entry.session == session else entry.id.removeprefix(foreign(entry.session, "")),
        tokens=entry.tokens,
        session="" if entry.session == session else entry.session,
        role=entry.role,
        agent=entry.agent,
        source=entry.source,
        section=section,
        rank=entry.rank,
        score=entry.score,
        parts=dict(entry.score_parts),
        reason=entry.reason,
        pinned=entry.pinned,
    )


def _without_message(call: Call) -> Call:
    """Return a call without the message that it answers: the conversation has that, and counts it."""
    task = call.task
    return dataclasses.replace(call, task=replace(task, message="")) if isinstance(task, ChatTask) else call
